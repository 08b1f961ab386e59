import { readFileSync } from 'node:fs';
import { seededRandom, shuffle } from '../../../server/model/random.ts';

/** Switches with as many hosts on each, and the cables between them. */
export interface IrregularNetwork {
  readonly switches: number;
  readonly hosts: number;
  readonly cables: readonly (readonly [number, number])[];
}

/** A connected random network in which every switch has `degree` cables, none of them parallel. */
export function randomNetwork(switches: number, degree: number, hosts: number, seed: number): IrregularNetwork {
  const random = seededRandom(seed);
  for (;;) {
    const ends = Array.from({ length: switches * degree }, (_, end) => Math.floor(end / degree));
    shuffle(ends, random);
    const cables = ends.flatMap((a, index) => (index % 2 === 0 ? [[a, ends[index + 1]!] as const] : []));
    const distinct = new Set(cables.map(([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`));
    const simple = distinct.size === cables.length && cables.every(([a, b]) => a !== b);
    if (simple && isConnected(switches, cables)) return { switches, hosts, cables };
  }
}

function isConnected(switches: number, cables: IrregularNetwork['cables']): boolean {
  const reached = new Set([0]);
  for (const at of reached) {
    for (const [a, b] of cables) {
      if (a === at) reached.add(b);
      if (b === at) reached.add(a);
    }
  }
  return reached.size === switches;
}

/** A network of ibsim's own format, whose switches are called S00, S01, … */
export function readIbsim(file: string): IrregularNetwork {
  const text = readFileSync(file, 'utf8');
  const cables: [number, number][] = [];
  let switches = 0;
  let hosts = 0;
  let at = -1;
  for (const line of text.split('\n')) {
    const owner = /^(Switch|Hca)\s+\d+ "[SH](\d+)/.exec(line);
    if (owner) at = owner[1] === 'Switch' ? Number(owner[2]) : -1;
    if (owner?.[1] === 'Switch') switches++;
    const peer = /^\[\d+\]\s+"([SH])(\d+)/.exec(line);
    if (peer && at === 0 && peer[1] === 'H') hosts++;
    if (peer && at >= 0 && peer[1] === 'S' && Number(peer[2]) > at) cables.push([at, Number(peer[2])]);
  }
  return { switches, hosts, cables };
}
