/** Scotch as a judge of weighted hops: its `gmtst` scores a mapping on the architectures it knows. */
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

/**
 * Σ weight · distance of the mapped edges, as Scotch works it out (its "CommExpan").
 *
 * `target` is one of its closed forms (`torus3D 6 5 2`, `mesh2D 8 8`, `tleaf 3 4 2 4 2 4 2`). Graphs of any
 * other kind it decomposes (`amk_grf`), and then its distances are estimates: on an 8 x 8 mesh given
 * as a graph it says 8,891 where its own `mesh2D` says 5,049. Such machines have another judge.
 */
export function weightedHopsOfScotch(
  tasks: { readonly count: number; readonly edges: Edges },
  target: string,
  /** A mapping file, as `export --format scotch` writes it. */
  mapping: string,
): number {
  const directory = mkdtempSync(join(tmpdir(), 'pw-scotch-'));
  const file = (name: string): string => join(directory, name);
  try {
    writeFileSync(file('tasks.grf'), sourceGraph(tasks.count, tasks.edges));
    writeFileSync(file('target.tgt'), `${target}\n`);
    writeFileSync(file('ours.map'), mapping);
    const { status, stdout, stderr } = spawnSync(
      'gmtst',
      ['tasks.grf', 'target.tgt', 'ours.map'].map((name) => file(name)),
      { encoding: 'utf8' },
    );
    const found = /CommExpan=\S+\s+\((\d+)\)/.exec(stdout)?.[1];
    if (status !== 0 || found === undefined) throw new Error(`gmtst did not score it:\n${stdout}\n${stderr}`);
    return Number(found);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Scotch's source format: version, sizes, flags (edges have weights), then the neighbours of each vertex. */
function sourceGraph(vertices: number, edges: Edges): string {
  const neighbours: string[][] = Array.from({ length: vertices }, () => []);
  for (const [key, weight] of edges) {
    const [a = 0, b = 0] = key.split(' ').map(Number);
    neighbours[a]!.push(`${weight}\t${b}`);
    neighbours[b]!.push(`${weight}\t${a}`);
  }
  const rows = neighbours.map((row) => [row.length, ...row].join('\t'));
  return ['0', `${vertices}\t${2 * edges.size}`, '0\t010', ...rows, ''].join('\n');
}
