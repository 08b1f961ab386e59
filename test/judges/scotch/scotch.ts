/** Scotch as a judge of weighted hops: its `gmtst` scores a mapping on any graph of processors. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const missingPackages = 'Scotch is needed to judge hop-bytes: apt-get install --no-install-recommends scotch';

/** Throws with the command to install what is missing: a judge that is absent has not agreed. */
export function requireScotch(): void {
  if (spawnSync('gmtst', ['-V']).error) throw new Error(missingPackages);
}

/** An undirected graph: weight of each pair of vertices, the lower one first. */
export type Edges = ReadonlyMap<string, number>;
export const edgeKey = (a: number, b: number): string => `${Math.min(a, b)} ${Math.max(a, b)}`;

/** Σ weight · distance of the mapped edges, as Scotch works it out (its "CommExpan"). */
export function weightedHopsOfScotch(
  tasks: { readonly count: number; readonly edges: Edges },
  network: { readonly vertices: number; readonly edges: Edges; readonly processors: readonly number[] },
  /** Index into `processors` of each task. */
  processorOfTask: readonly number[],
): number {
  const directory = mkdtempSync(join(tmpdir(), 'pw-scotch-'));
  const file = (name: string): string => join(directory, name);
  try {
    writeFileSync(file('tasks.grf'), sourceGraph(tasks.count, tasks.edges, true));
    writeFileSync(file('network.grf'), sourceGraph(network.vertices, network.edges, false));
    writeFileSync(file('processors'), `${network.processors.length}\n${network.processors.join('\n')}\n`);
    run('amk_grf', [file('network.grf'), file('target.tgt'), '-2', `-l${file('processors')}`]);
    const lines = processorOfTask.map((processor, task) => `${task}\t${processor}`);
    writeFileSync(file('ours.map'), `${lines.length}\n${lines.join('\n')}\n`);
    const printed = run('gmtst', [file('tasks.grf'), file('target.tgt'), file('ours.map')]);
    const found = /CommExpan=\S+\s+\((\d+)\)/.exec(printed)?.[1];
    if (found === undefined) throw new Error(`gmtst did not print what we expect:\n${printed}`);
    return Number(found);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function run(command: string, words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ended with ${status ?? 'a signal'}:\n${stdout}\n${stderr}`);
  return stdout;
}

/** Scotch's source format: version, sizes, flags, then the neighbours of each vertex. */
function sourceGraph(vertices: number, edges: Edges, weighted: boolean): string {
  const neighbours: string[][] = Array.from({ length: vertices }, () => []);
  for (const [key, weight] of edges) {
    const [a = 0, b = 0] = key.split(' ').map(Number);
    neighbours[a]!.push(weighted ? `${weight}\t${b}` : String(b));
    neighbours[b]!.push(weighted ? `${weight}\t${a}` : String(a));
  }
  const rows = neighbours.map((row) => [row.length, ...row].join('\t'));
  return [`0`, `${vertices}\t${2 * edges.size}`, `0\t${weighted ? '010' : '000'}`, ...rows, ''].join('\n');
}
