/** Proposals a second of the annealing kernel, beside the same kernel in C where there is a compiler. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { anneal } from '../../server/optimisation/annealing/anneal.ts';
import { prepareAnnealing, type Annealing } from '../../server/optimisation/annealing/annealing.ts';
import { startChain, thresholds, runProposals } from '../../server/optimisation/annealing/chain.ts';
import { generatorState } from '../../server/optimisation/annealing/generator.ts';
import type { CostLookups } from '../../server/optimisation/problem/costLookups.ts';
import { costNoise } from '../../server/optimisation/annealing/temperature.ts';
import { hopBytes } from '../../server/mapping/criteria/additive.ts';
import { prepareSearch } from '../../server/mapping/criteria/contract.ts';
import { ignoreProgress, neverCancelled } from '../../server/model/cancellation.ts';
import { root } from '../../tools/run.ts';
import { benchProblem } from './cases.ts';

export interface KernelFigure {
  readonly what: string;
  /** Trials in a second of CPU time, one thread. */
  readonly ours: number;
  /** Of the C program; left out where there is no compiler. */
  readonly peer?: number;
}

const cases = [
  ['quot-512', 'torus8'],
  ['quot-512', 'alloc512'],
  ['quot-512', 'jelly512'],
  ['st3dshuf-4096', 'alloc4096'],
  ['quot-4096', 'alloc4096'],
  ['rgg2-4096', 'torus16'],
  ['quot-32768', 'torus32'],
] as const;

const proposals = 10_000_000;
/** In units of the noise of one task's cost: the middle of a schedule. */
const temperatureInNoise = 0.15;
/** Proposals of a task that bring a mapping to that temperature from the order of the allocation. */
const warmUpProposals = 500;
const seed = 1;

/** Both kernels make the same proposals from the same mapping; throws where they do not end with the same value. */
function kernelFigures(): KernelFigure[] {
  const directory = mkdtempSync(join(tmpdir(), 'pw-anneal-'));
  try {
    const program = compiled(directory);
    return cases.map(([graph, target]) => measure(graph, target, directory, program));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The C program, where `cc` can build it. */
function compiled(directory: string): string | undefined {
  const program = join(directory, 'anneal');
  const source = resolve(root, 'bench/mappers/peer/anneal.c');
  const { error, status, stderr } = spawnSync('cc', [
    '-O3',
    '-march=native',
    '-ffp-contract=off',
    '-o',
    program,
    source,
  ]);
  if (error) return undefined;
  if (status !== 0) throw new Error(`The C kernel does not compile: ${stderr.toString()}`);
  return program;
}

function measure(graph: string, target: string, directory: string, program: string | undefined): KernelFigure {
  const prepared = prepareSearch(benchProblem(graph, target), hopBytes, {
    cancellation: neverCancelled,
    progress: ignoreProgress,
  });
  if (!prepared.ok) throw new Error(prepared.failure.message);
  const annealing = prepareAnnealing(prepared.value);
  const lookups = annealing.lookups!;
  const { placeOfTask, temperature } = midSchedule(annealing);
  const chain = startChain(annealing, lookups, placeOfTask, seed);
  const before = process.cpuUsage().user;
  runProposals(chain, temperature, proposals);
  const seconds = (process.cpuUsage().user - before) / 1e6;
  const what = `${graph} on ${target}`;
  const ours = proposals / seconds;
  if (program === undefined) return { what, ours };
  const peer = runPeer(program, join(directory, 'problem'), annealing, lookups, placeOfTask, temperature);
  if (peer.gain !== chain.gain) throw new Error(`${what}: C ends ${peer.gain} above its start, ours ${chain.gain}.`);
  return { what, ours, peer: proposals / peer.seconds };
}

/** A mapping in the middle of a schedule, which also warms the kernel up. */
function midSchedule(annealing: Annealing): { placeOfTask: Int32Array; temperature: number } {
  const { taskCount } = annealing.core.graph;
  const inOrder = Int32Array.from({ length: taskCount }, (_, task) => task);
  const from = 0.5 * costNoise(annealing, inOrder, seed);
  const order = {
    placeOfTask: inOrder,
    seed,
    steps: warmUpProposals * taskCount,
    from,
    to: from / 5,
    finalDescent: false,
  };
  const { placeOfTask } = anneal(annealing, order, neverCancelled);
  return { placeOfTask, temperature: temperatureInNoise * costNoise(annealing, placeOfTask, seed) };
}

function runPeer(
  program: string,
  file: string,
  annealing: Annealing,
  { table, rowOfSite, columnOfSite }: CostLookups,
  placeOfTask: Int32Array,
  temperature: number,
): { seconds: number; gain: number } {
  const { graph, places } = annealing.core;
  const { near, floorOfTask, communicatingTasks } = annealing;
  const sizes = [
    graph.taskCount,
    places.siteCount,
    graph.partner.length,
    near.perSite,
    table.length,
    communicatingTasks.length,
  ];
  const arrays = [
    Int32Array.from(sizes),
    ...[graph.weight, floorOfTask, thresholds],
    ...[
      graph.rowStart,
      graph.partner,
      near.sites,
      rowOfSite,
      columnOfSite,
      placeOfTask,
      communicatingTasks,
      generatorState(seed),
    ],
    Uint8Array.from(table),
  ];
  writeFileSync(
    file,
    Buffer.concat(arrays.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength))),
  );
  const { stdout, status } = spawnSync(program, [file, String(proposals), String(temperature)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The C kernel ended with ${status}.`);
  const [seconds = Number.NaN, gain = Number.NaN] = stdout.trim().split(' ').map(Number);
  return { seconds, gain };
}

/** A table: proposals a second in millions, and ours against C's. */
export function printKernelFigures(): void {
  console.log('| case | trials a second | in C | ratio |');
  console.log('| --- | ---: | ---: | ---: |');
  for (const { what, ours, peer } of kernelFigures()) {
    const beside =
      peer === undefined ? 'no compiler | –' : `${(peer / 1e6).toFixed(1)} M | ${(ours / peer).toFixed(2)}`;
    console.log(`| ${what} | ${(ours / 1e6).toFixed(1)} M | ${beside} |`);
  }
}
