import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { solveOnThreads } from '../server/entrypoints/threads/workloads.ts';
import { WorkQueue } from '../server/entrypoints/threads/workQueue.ts';
import { ignoreProgress, neverCancelled } from '../server/model/cancellation.ts';
import type { Machine } from '../server/model/machine.ts';
import { seededRandom, shuffle } from '../server/model/random.ts';
import { distanceTable } from '../server/network/distances/distanceTable.ts';
import { equivalent } from '../server/network/distances/equivalent.ts';
import type { SolveDistances } from '../server/network/distances/contract.ts';
import { solveHere } from '../server/network/distances/equivalentSolver.ts';
import { cablesOnRoutes, denseResistance } from '../server/network/distances/testing/denseResistance.ts';
import { switchesMachine } from '../server/network/distances/testing/networks.ts';
import type { Cable } from '../server/network/contract.ts';
import { root } from '../tools/run.ts';
import { median, timesOf, type Figure } from './measure.ts';
import { loadText, study } from './program.ts';

/** Budget of the house for 1,024 random switches of degree 6, up/down, on two cores. */
const budget = 5000;
/** What a keystroke may take. */
const typingBudget = 30;

/** Every switch has six cable ends, joined by chance; what would be a cable to itself is left out. */
function randomCables(switches: number): Cable[] {
  const ends = Int32Array.from({ length: switches * 6 }, (_, end) => Math.floor(end / 6));
  shuffle(ends, seededRandom(switches));
  const cables: Cable[] = [];
  for (let end = 0; end < ends.length; end += 2) cables.push({ from: ends[end]!, to: ends[end + 1]! });
  return cables.filter(({ from, to }) => from !== to);
}

const effortOf = (solve: SolveDistances) => ({ solve, cancellation: neverCancelled, progress: ignoreProgress });

function timeOfTable(machine: Machine, solve: SolveDistances, rounds: number): number {
  return median(
    timesOf(rounds, () => {
      distanceTable(machine, equivalent, effortOf(solve));
    }),
  );
}

/** The peer: a dense solve of each pair's circuit, its cables given; some pairs stand for all. */
function timeOfDenseSolves(machine: Machine): number {
  const { routerCount } = machine.topology;
  const random = seededRandom(7);
  const sample = Array.from({ length: 40 }, () => {
    const from = random.integer(routerCount);
    const to = (from + 1 + random.integer(routerCount - 1)) % routerCount;
    return { from, to, cables: cablesOnRoutes(machine, from, to)! };
  });
  const time = median(
    timesOf(9, () => {
      for (const { from, to, cables } of sample) denseResistance(cables, from, to);
    }),
  );
  return (time / sample.length) * ((routerCount * (routerCount - 1)) / 2);
}

/** All pairs of random networks from 64 to 2,048 switches, and a file of 64 switches while typing. */
export async function distances(): Promise<Figure[]> {
  const helpers = availableParallelism() - 1;
  const queue = new WorkQueue(resolve(root, 'dist/helper.js'), helpers);
  const solve = solveOnThreads(queue);
  const figures: Figure[] = [];
  let before: number | undefined;
  for (const switches of [64, 128, 256, 512, 1024, 2048]) {
    const machine = switchesMachine(switches, randomCables(switches));
    const together = timeOfTable(machine, solve, 3);
    const all = `${switches} switches, all pairs, ${helpers + 1} threads`;
    const half =
      before === undefined
        ? []
        : [{ what: all, milliseconds: together, against: 'half as many switches', againstMilliseconds: before }];
    figures.push(
      ...half,
      {
        what: all,
        milliseconds: together,
        against: 'one thread',
        againstMilliseconds: timeOfTable(machine, solveHere, 3),
      },
      {
        what: all,
        milliseconds: together,
        against: 'a dense solve per pair',
        againstMilliseconds: timeOfDenseSolves(machine),
      },
    );
    if (switches === 1024)
      figures.push({ what: all, milliseconds: together, against: 'budget', againstMilliseconds: budget });
    before = together;
  }
  await queue.stop();
  return [...figures, await whileTyping()];
}

/** Text to mapping coefficient of an all-to-all on 64 switches whose cables have just changed: nothing is remembered. */
async function whileTyping(): Promise<Figure> {
  const links = randomCables(64).map(({ from, to }) => `link ${from} -- ${to}\n`);
  const text = (without: number): string => `
machine irregular { topology switches 64
${links.toSpliced(without, 1).join('')} }
job all { tasks 64  pattern all-to-all  bytes 1 KiB }
placement p { job all  machine irregular  map baseline }`;
  const programs = await Promise.all([...Array(21).keys()].map((without) => loadText(text(without))));
  return {
    what: '64 switches: the study of an all-to-all after a cable has changed',
    milliseconds: median(timesOf(20, (round) => study(programs[round + 1]!))),
    against: 'budget of a keystroke',
    againstMilliseconds: typingBudget,
  };
}
