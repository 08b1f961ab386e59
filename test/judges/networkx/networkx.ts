/** networkx as a judge of hop-bytes on machines of any kind. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const python = '/usr/bin/python3';
const missingPackages =
  'networkx is needed to judge hop-bytes: apt-get install --no-install-recommends python3-networkx';

/** Throws with the command to install what is missing: a judge that is absent has not agreed. */
export function requireNetworkx(): void {
  if (spawnSync(python, ['-c', 'import networkx']).status !== 0) throw new Error(missingPackages);
}

/** Σ weight · shortest distance over the flows, on the graph of the cables. */
export function weightedHopsOfNetworkx(
  cables: readonly (readonly [number, number])[],
  flows: readonly (readonly [number, number, number])[],
): number {
  const { status, stdout, stderr } = spawnSync(python, [join(import.meta.dirname, 'hop_bytes.py')], {
    input: JSON.stringify({ cables, flows }),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`networkx did not score it:\n${stderr}`);
  return Number(stdout);
}
