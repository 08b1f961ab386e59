/** Time of one decision of every allocator, on meshes as full as chance will have it, beside plain code without tables. */
import { finders } from '../server/allocation/catalogue.ts';
import type { NodeFinder, NodeRequest } from '../server/allocation/contract.ts';
import { plainAllocators } from '../server/allocation/testing/plain.ts';
import { defaultOptions } from '../server/model/catalogue.ts';
import { seededRandom } from '../server/model/random.ts';
import { itemAt } from '../server/numeric/elements.ts';
import { gridMachine } from '../server/network/testing/machines.ts';
import { median, timesOf } from './measure.ts';

interface Decision {
  readonly busy: Uint8Array;
  readonly request: NodeRequest & { readonly sides: readonly [number, number] };
}

/** Budgets of the house on 32 x 32, in microseconds. */
const budgets: Readonly<Record<string, number>> = { gabl: 20, mbs: 20, rbs: 20, mc1x1: 20 };

/**
 * States of a square mesh in which a job arrives, alike for every allocator. `mbs` places jobs of sides from 1 to half of the
 * mesh's; each state is as full as a load drawn between nothing and everything allows, after jobs have left in random order.
 */
function decisionsOn(side: number, count: number): Decision[] {
  const random = seededRandom(side);
  const busy = new Uint8Array(side * side);
  const running: Int32Array[] = [];
  const filler = finderOf('mbs', side);
  let held = 0;
  const mark = (nodes: Int32Array, value: 0 | 1): void => {
    for (const node of nodes) busy[node] = value;
    held += value === 1 ? nodes.length : -nodes.length;
  };
  const request = () => {
    const sides = [1 + random.integer(side >> 1), 1 + random.integer(side >> 1)] as const;
    return { nodeCount: sides[0] * sides[1], sides };
  };
  return Array.from({ length: count }, () => {
    const load = random.integer(side * side);
    while (held > load) mark(itemAt(running.splice(random.integer(running.length), 1), 0), 0);
    while (held < load) {
      const nodes = filler?.find(busy, request());
      if (nodes === undefined) break;
      running.push(nodes);
      mark(nodes, 1);
    }
    return { busy: busy.slice(), request: request() };
  });
}

/** Undefined where the allocator does not work on meshes of this side. */
function finderOf(name: string, side: number): NodeFinder | undefined {
  const entry = finders.find((one) => one.name === name);
  const made = entry?.finder(gridMachine('mesh', [side, side]), defaultOptions(entry), seededRandom(1));
  return made?.ok === true ? made.value : undefined;
}

/** Microseconds a decision: the median of rounds over all states, of which there are so many that a round takes a while. */
function timeOf(
  decisions: readonly Decision[],
  rounds: number,
  decide: ((decision: Decision) => unknown) | undefined,
): number | undefined {
  if (decide === undefined) return undefined;
  const times = timesOf(rounds, () => {
    for (const decision of decisions) decide(decision);
  });
  return (1000 * median(times)) / decisions.length;
}

export function allocatorSpeeds(only: string | undefined): undefined {
  console.log('Microseconds a decision.');
  console.log('| allocator | 32 x 32 | budget | 96 x 96 | 16 x 16 | plain code there | plain over ours |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
  const decisions = { 16: decisionsOn(16, 20), 32: decisionsOn(32, 400), 96: decisionsOn(96, 20) };
  for (const { name } of finders) {
    if (only !== undefined && !name.includes(only)) continue;
    // The expanding squares of `ess` take a thousand times as long as the others.
    const rounds = name === 'ess' ? 1 : 50;
    const ours = (side: 16 | 32 | 96): number | undefined => {
      const finder = finderOf(name, side);
      const states = name === 'ess' ? decisions[side].slice(0, 10) : decisions[side];
      return timeOf(states, rounds, finder && (({ busy, request }) => finder.find(busy, request)));
    };
    const plain = plainAllocators[name];
    const reference = timeOf(
      decisions[16],
      1,
      plain && (({ busy, request: { sides } }) => plain({ width: 16, height: 16, busy }, sides[0], sides[1])),
    );
    const own = ours(16);
    const ratio = reference === undefined || own === undefined ? undefined : reference / own;
    const cells = [
      name,
      ours(32)?.toFixed(1),
      budgets[name],
      ours(96)?.toFixed(0),
      own?.toFixed(1),
      reference?.toFixed(0),
    ];
    console.log(`| ${[...cells, ratio?.toFixed(0)].map((cell) => cell ?? '').join(' | ')} |`);
  }
  return undefined;
}
