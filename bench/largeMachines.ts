import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { lossesOnThreads } from '../server/entrypoints/threads/workloads.ts';
import { WorkQueue } from '../server/entrypoints/threads/workQueue.ts';
import { neverCancelled } from '../server/model/cancellation.ts';
import { seededRandom, shuffle } from '../server/model/random.ts';
import { cableLossesOf, type LossPool } from '../server/study/cableLosses.ts';
import { root } from '../tools/run.ts';
import type { Figure } from './measure.ts';
import { loadText, study } from './program.ts';

/**
 * Placements on large machines, each measured once from checked text to report, against what is asked of it. Memory is
 * what the process holds afterwards.
 */
const placements: readonly { readonly what: string; readonly text: string; readonly budget: number }[] = [
  {
    what: 'a stencil on the 27,648 hosts of a tree of three levels',
    text: `machine m { topology fat-tree(levels 24 x 24 x 48) }
job a { grid 32 x 27 x 32  stencil seven-point }`,
    budget: 1000,
  },
  {
    what: '2,048 tasks all to all on the same tree',
    text: `machine m { topology fat-tree(levels 24 x 24 x 48) }
job a { tasks 2048  pattern all-to-all }`,
    budget: 1000,
  },
  {
    what: 'all to all on the 4,096 hosts of fat-tree(k 8, n 4)',
    text: `machine m { topology fat-tree(k 8, n 4) }
job a { tasks 4096  pattern all-to-all }`,
    budget: 2000,
  },
  {
    what: 'all to all on a torus of 16 x 16 x 16 under up/down',
    text: `machine m { topology torus 16 x 16 x 16  routing up-down }
job a { tasks 4096  pattern all-to-all }`,
    budget: 10_000,
  },
  {
    what: 'a stencil of a task per node on all of Fugaku',
    text: `machine m { topology torus 24 x 23 x 24 x 2 x 3 x 2  cores 48 }
job a { grid 48 x 46 x 72  stencil seven-point }`,
    budget: 2000,
  },
];

/** Every switch has six cable ends, joined by chance; all tasks talk to all. */
function randomSwitches(switches: number): string {
  const ends = Int32Array.from({ length: switches * 6 }, (_, end) => Math.floor(end / 6));
  shuffle(ends, seededRandom(switches));
  const links: string[] = [];
  for (let end = 0; end < ends.length; end += 2)
    if (ends[end] !== ends[end + 1]) links.push(`link ${ends[end]} -- ${ends[end + 1]}`);
  return `machine m { topology switches ${switches}  routing minimal
${links.join('\n')} }
job a { tasks ${switches}  pattern all-to-all }`;
}

const lossCases: readonly { readonly what: string; readonly text: string }[] = [
  { what: 'every cable of 1,024 random switches, all to all', text: randomSwitches(1024) },
  {
    what: 'every cable of a torus of 22 x 22 x 22, a stencil',
    text: `machine m { topology torus 22 x 22 x 22  routing minimal }
job a { grid 22 x 22 x 22  stencil seven-point }`,
  },
];

export async function largeMachines(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { what, text, budget } of placements) {
    const program = await loadText(`${text}\nplacement p { job a  machine m  map baseline }`);
    const before = performance.now();
    const report = study(program);
    if (report.placements.length === 0) throw new Error(report.problems.map(({ message }) => message).join('\n'));
    const milliseconds = performance.now() - before;
    const held = Math.round(process.memoryUsage().rss / 2 ** 20);
    figures.push({ what: `${what} (${held} MiB held)`, milliseconds, against: 'budget', againstMilliseconds: budget });
  }
  const helpers = availableParallelism() - 1;
  const queue = new WorkQueue(resolve(root, 'dist/helper.js'), helpers);
  for (const { what, text } of lossCases) {
    const program = await loadText(`${text}\nplacement p { job a  machine m  map baseline }`);
    const report = study(program).placements[0]!;
    const timeOf = (pool?: LossPool): number => {
      const before = performance.now();
      const description = program.checked.program.machines.get('m')!;
      const found = cableLossesOf(report, description, neverCancelled, () => undefined, pool);
      if (!found.ok) throw new Error(found.failure.message);
      return performance.now() - before;
    };
    const alone = timeOf();
    figures.push({
      what: `${what}, ${helpers + 1} threads`,
      milliseconds: timeOf(lossesOnThreads(queue)),
      against: 'one thread',
      againstMilliseconds: alone,
    });
  }
  await queue.stop();
  return figures;
}
