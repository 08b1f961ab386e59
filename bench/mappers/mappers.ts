/**
 * `auto` against Scotch's `gmap` and the figures to beat: hop-bytes, three seeds, budgets of 1 s and 10 s, the wall
 * time of the whole call, and how much is left to the bound.
 */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { WorkerPool } from '../../server/optimisation/workerPool.ts';
import { poolOfThreads } from '../../server/entrypoints/threads/workloads.ts';
import { WorkQueue } from '../../server/entrypoints/threads/workQueue.ts';
import { root } from '../../tools/run.ts';
import { benchProblem } from './cases.ts';
import { denseFigures } from './dense.ts';
import { printKernelFigures } from './kernel.ts';
import { printManyCores, printNestedBoxes, printPowerLaw } from './networks.ts';
import { format, hopBytes, run, type Run } from './run.ts';
import { scotchMappings } from './scotch.ts';

/** Graph, target, and the hop-bytes to reach within 1 s and 10 s. */
const cases: readonly (readonly [graph: string, target: string, oneSecond: number, tenSeconds: number])[] = [
  ['st3dshuf-512', 'torus8', 1344, 1344],
  ['st3dshuf-512', 'alloc512', 3650, 3550],
  ['quot-512', 'torus8', 82_000, 80_000],
  ['quot-512', 'alloc512', 152_000, 148_000],
  ['quot-512', 'jelly512', 140_000, 137_000],
  ['rgg2-512', 'torus8', Number.NaN, Number.NaN],
  ['st3dshuf-4096', 'torus16', 11_520, 11_520],
  ['st3dshuf-4096', 'alloc4096', 31_500, 29_400],
  ['quot-4096', 'torus16', 760_000, 710_000],
  ['quot-4096', 'alloc4096', 1_260_000, 1_190_000],
  ['rgg2-4096', 'torus16', 355_000, 343_000],
  ['quot-32768', 'torus32', Number.NaN, 7_000_000],
  ['st3dshuf-32768', 'torus32', Number.NaN, 95_232],
];

const seeds = [1, 2, 3];
const peerRuns = 11;

/** Instances of QAPLIB, with the excess over the best known to reach within 1 s and 10 s, in per cent. */
const denseCases: readonly (readonly [instance: string, oneSecond: number, tenSeconds: number])[] = [
  ['sko100a', 0.3, 0.05],
  ['wil100', 0.15, 0.04],
  ['tai100a', 1.3, 0.9],
  ['tho150', 0.6, 0.2],
];

/** `npm run bench -- mappers`; what stands behind a colon keeps the cases that contain it. */
export async function mappers(only: string | undefined): Promise<undefined> {
  const queue = new WorkQueue(resolve(root, 'dist/helper.js'), availableParallelism() - 1);
  const workerPool = poolOfThreads(queue);
  sparse(only, workerPool);
  printManyCores(only, workerPool);
  printPowerLaw(only, workerPool);
  printNestedBoxes(only, workerPool);
  await queue.stop();
  if (only === undefined || only === 'kernel') printKernelFigures();
  dense(only);
  return undefined;
}

/** As much processor time of one thread as two have in the budget. */
function dense(only: string | undefined): void {
  console.log('\n| instance | CPU s | to reach | ours, % over the best known, seeds 1, 2, 3 | evaluations/s |');
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const [instance, oneSecond, tenSeconds] of denseCases) {
    if (only !== undefined && !instance.includes(only)) continue;
    for (const [seconds, toReach] of [
      [2, oneSecond],
      [20, tenSeconds],
    ] as const) {
      const figures = denseFigures(seconds, seeds, [instance]);
      const excess = figures.map((figure) => figure.excess.toFixed(3) + (figure.excess > toReach ? ' ✗' : ''));
      console.log(
        `| ${instance} | ${seconds} | ${toReach} | ${excess.join(', ')} | ${format(figures[0]?.evaluationsPerSecond)} |`,
      );
    }
  }
}

function sparse(only: string | undefined, workerPool: WorkerPool): void {
  console.log('| case | bound | Scotch best of 11 (s) | budget | to reach | ours, seeds 1, 2, 3 | wall s | steps/s |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const [graph, target, oneSecond, tenSeconds] of cases) {
    const name = `${graph} on ${target}`;
    if (only !== undefined && !name.includes(only)) continue;
    const problem = benchProblem(graph, target);
    const peer = scotchMappings(problem, peerRuns);
    const peerBest = peer && Math.min(...peer.mappings.map((mapping) => hopBytes(problem, mapping)));
    const scotch = peer && peerBest ? `${format(peerBest)} (${peer.seconds.toFixed(2)})` : 'not installed';
    const budgets: [seconds: number, toReach: number | undefined][] = [
      ...(peer ? [[peer.seconds, peerBest] as [number, number | undefined]] : []),
      [1, oneSecond],
      [10, tenSeconds],
    ];
    for (const [seconds, toReach] of budgets) {
      const runs = seeds.map((seed) => run(problem, { kind: 'seconds', amount: seconds }, seed, workerPool));
      printRow(name, scotch, seconds, toReach, runs);
    }
  }
}

function printRow(name: string, scotch: string, seconds: number, toReach = Number.NaN, runs: readonly Run[]): void {
  const { search } = runs[0]!.answer;
  const values = runs.map((one) => format(one.hopBytes) + (one.hopBytes > toReach ? ' ✗' : ''));
  const wall = runs.map((one) => one.seconds.toFixed(2)).join(', ');
  const speed = search === undefined ? '' : format((1000 * search.evaluations) / search.milliseconds);
  console.log(
    `| ${name} | ${format(search?.bound?.value)} | ${scotch} | ${seconds.toFixed(2)} s | ${format(toReach)} | ` +
      `${values.join(', ')} | ${wall} | ${speed} |`,
  );
}
