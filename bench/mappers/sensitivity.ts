/**
 * What halving and doubling each number of `auto` does that was chosen by trying: the median over families of graphs
 * and kinds of machines that were not used to choose it. Budgets are steps, so figures are the same on any machine;
 * of the shares of a budget in time, seconds of this thread's processor.
 */
import { autoMapper } from '../../server/mapping/auto/auto.ts';
import { autoParameters, type AutoParameters } from '../../server/mapping/auto/parameters.ts';
import type { AnnealingParameters } from '../../server/optimisation/annealing/parameters.ts';
import { mappers } from '../../server/mapping/catalogue.ts';
import type { MappingProblem } from '../../server/mapping/contract.ts';
import { mapWith } from '../../server/mapping/testing/problems.ts';
import { problemOn, trafficOf } from '../../server/optimisation/testing/problems.ts';
import { findRunnable, type Budget } from '../../server/model/catalogue.ts';
import type { Machine } from '../../server/model/machine.ts';
import { seededRandom, shuffle, type RandomSource } from '../../server/model/random.ts';
import { gridMachine } from '../../server/network/testing/machines.ts';
import { hopBytes } from './run.ts';
import { networkOf, randomSwitches } from './targets.ts';

/** Which way through `auto` a number lies on: groups on many cores, single tasks, few tasks, or budgets in time. */
type Way = 'many cores' | 'one core' | 'few tasks' | 'time';

const waysOfAuto: Readonly<Record<Exclude<keyof AutoParameters, 'annealing'>, Way>> = {
  quickUntil: 'time',
  startsUntil: 'time',
  startsEndedAt: 'time',
  mappersEndedAt: 'time',
  boundUntil: 'time',
  searchShare: 'time',
  searchShareOfSmall: 'time',
  fewTasks: 'few tasks',
  proposalsPerStart: 'many cores',
  mostFurtherStarts: 'many cores',
  hubDegree: 'time',
  pilotSteps: 'time',
  pilotEdgeVisits: 'time',
  partsAdvantage: 'one core',
  plannedShare: 'time',
  plannedShareOfGroups: 'time',
  remnant: 'time',
  proposalsPerWorkItem: 'many cores',
  fewestRounds: 'many cores',
  firstInitialTemperatureFactor: 'many cores',
  spread: 'many cores',
  cooling: 'many cores',
  leastInitialTemperatureFactor: 'many cores',
  coldest: 'many cores',
  worthwhile: 'many cores',
  annealedStarts: 'many cores',
  coolChain: 'few tasks',
  hotChain: 'few tasks',
  leastStepsPerProposal: 'few tasks',
  mostProposals: 'few tasks',
  tasksForPopulations: 'few tasks',
  tasksForAnnealing: 'few tasks',
  mostOfAnnealing: 'few tasks',
};

const waysOfAnnealing: Readonly<Record<keyof AnnealingParameters, Way>> = {
  nearest: 'one core',
  partnersTried: 'one core',
  noiseSamples: 'one core',
  noiseEdgeVisits: 'one core',
  leastInitialTemperatureFactor: 'one core',
  mostInitialTemperatureFactor: 'one core',
  probes: 'one core',
  proposalsPerProbe: 'one core',
  edgeVisitsPerProbe: 'one core',
  sitesOfProbe: 'one core',
  caution: 'one core',
  proposalsForFullInitialTemperatureFactor: 'one core',
  initialTemperatureFactorForFew: 'one core',
  sitesPerRegion: 'one core',
  proposalsPerIndependentChain: 'one core',
  mostRounds: 'one core',
  proposalsPerEpoch: 'one core',
  fewestEpochs: 'one core',
  mostEpochs: 'one core',
  groupShare: 'many cores',
  proposalsPerGroup: 'many cores',
};

/** Numbers that are at most one, or at least one: doubled and halved is what they are away from that. */
const isShare = (name: string, value: number): boolean =>
  value < 1 &&
  /Until|EndedAt|Share|cooling|caution|initialTemperatureFactorForFew|mostOfAnnealing|groupShare/.test(name);
const isRatio = (name: string): boolean => /partsAdvantage|worthwhile|spread/.test(name);

/** A value `factor` times as large in its own sense; whole where it was. */
function scaled(name: string, value: number, factor: number): number {
  if (isRatio(name)) return 1 + (value - 1) * factor;
  if (isShare(name, value) && value * factor >= 1) return 1 - (1 - value) / factor;
  return Number.isInteger(value) ? Math.max(1, Math.round(value * factor)) : value * factor;
}

/** Links of so many tasks, one of several families; what goes over each is drawn later. */
type Family = (taskCount: number, random: RandomSource) => (readonly [number, number])[];

const families: Readonly<Record<string, Family>> = {
  'grid with holes': (taskCount, random) => {
    const side = Math.ceil(Math.sqrt(taskCount / 0.8));
    const points = Int32Array.from({ length: side * side }, (_, point) => point);
    shuffle(points, random);
    const taskAt = new Map(Array.from(points.subarray(0, taskCount).sort(), (point, task) => [point, task]));
    return [...taskAt].flatMap(([point, task]) =>
      [point % side === side - 1 ? -1 : point + 1, point + side].flatMap((next) => {
        const other = taskAt.get(next);
        return other === undefined ? [] : [[task, other] as const];
      }),
    );
  },
  'random regular': (taskCount, random) =>
    Array.from({ length: 3 }, () => {
      const order = Int32Array.from({ length: taskCount }, (_, task) => task);
      shuffle(order, random);
      return Array.from(order, (task, rank) => [task, order[(rank + 1) % taskCount]!] as const);
    }).flat(),
  // Chakrabarti, Zhan and Faloutsos 2004, with their usual shares.
  'R-MAT': (taskCount, random) =>
    Array.from({ length: 4 * taskCount }, () => {
      let [from, to] = [0, 0];
      for (let bit = 1; bit < taskCount; bit *= 2) {
        const draw = random.fraction();
        from = 2 * from + (draw < 0.76 ? 0 : 1);
        to = 2 * to + (draw < 0.57 || (draw >= 0.76 && draw < 0.95) ? 0 : 1);
      }
      return [from % taskCount, to % taskCount] as const;
    }),
  tree: (taskCount, random) =>
    Array.from({ length: taskCount - 1 }, (_, task) => [task + 1, random.integer(task + 1)] as const),
  banded: (taskCount, random) =>
    Array.from({ length: 4 * taskCount }, () => {
      const from = random.integer(taskCount);
      return [from, Math.min(taskCount - 1, from + 1 + random.integer(12))] as const;
    }),
  'block-diagonal': (taskCount, random) =>
    Array.from({ length: 5 * taskCount }, (_, index) => {
      const from = random.integer(taskCount);
      const first = from - (from % 20);
      const other = index % 10 === 0 ? random.integer(taskCount) : first + random.integer(20);
      return [from, Math.min(taskCount - 1, other)] as const;
    }),
};

/** So many tasks of a family, numbered at random, each link with 1 to 9 bytes. */
function familyTraffic(family: Family, taskCount: number, seed: number) {
  const random = seededRandom(seed);
  const names = Int32Array.from({ length: taskCount }, (_, task) => task);
  shuffle(names, random);
  const links = family(taskCount, random).filter(([from, to]) => from !== to);
  return trafficOf(
    taskCount,
    links.map(([from, to]) => [names[from]!, names[to]!, 1 + random.integer(9)]),
  );
}

const machines: Readonly<Record<Exclude<Way, 'time'>, Readonly<Record<string, () => Machine>>>> = {
  'many cores': {
    torus: () => gridMachine('torus', [4, 4], { cores: 24 }),
    'fat tree': () => networkOf('fat-tree', { options: { levels: [4, 4] }, cores: 24 }),
    dragonfly: () => networkOf('dragonfly', { options: { p: 2, a: 4, h: 1, g: 2 }, cores: 24 }),
    cluster: () => networkOf('cluster', { count: 16, cores: 24 }),
  },
  'one core': {
    torus: () => gridMachine('torus', [9, 8, 7]),
    'fat tree': () => networkOf('fat-tree', { options: { levels: [8, 9, 7] }, cores: 1 }),
    dragonfly: () => networkOf('dragonfly', { options: { p: 3, a: 8, h: 3, g: 25 }, cores: 1 }),
    switches: () => randomSwitches(126, 5, 4, 9),
  },
  'few tasks': {
    torus: () => gridMachine('torus', [6, 5, 5]),
    'fat tree': () => networkOf('fat-tree', { options: { levels: [6, 5, 5] }, cores: 1 }),
    dragonfly: () => networkOf('dragonfly', { options: { p: 2, a: 5, h: 3, g: 16 }, cores: 1 }),
    switches: () => randomSwitches(50, 4, 3, 9),
  },
};

interface Case {
  readonly name: string;
  readonly problem: MappingProblem;
  readonly budget: Budget;
}

/** Steps for each task: half of a second or so each. */
const stepsPerTask = { 'many cores': 8000, 'one core': 4000, 'few tasks': 20_000 };
const seconds = 0.3;

/** All families, machines in turn. */
function casesOf(way: Way): Case[] {
  if (way === 'time') {
    return (['many cores', 'one core', 'few tasks'] as const).flatMap((own, offset) =>
      casesOf(own)
        .filter((_, index) => index % 3 === offset)
        .map((one) => ({ ...one, budget: { kind: 'seconds', amount: seconds } as const })),
    );
  }
  const kinds = Object.entries(machines[way]);
  return Object.entries(families).map(([family, links], index) => {
    const [kind, machine] = kinds[index % kinds.length]!;
    const made = machine();
    const problem = problemOn(made, {
      taskCount: made.slotCount,
      traffic: familyTraffic(links, made.slotCount, index + 1),
    });
    const budget: Budget = { kind: 'steps', amount: stepsPerTask[way] * made.slotCount };
    return { name: `${family} on ${kind}, ${way}`, problem, budget };
  });
}

const candidates = {
  quick: ['baseline', 'grouping', 'row-major', 'rcb', 'blocked'].flatMap((name) => findRunnable(mappers, name) ?? []),
  searches: ['grasp', 'tabu'].flatMap((name) => findRunnable(mappers, name) ?? []),
};

/** Hop-bytes; the clock counts the processor time of this thread, so that other load of the machine changes little. */
function valueWith(parameters: AutoParameters, { problem, budget }: Case, seed: number): number {
  const entry = autoMapper(candidates, parameters);
  const answer = mapWith(entry, problem, {
    options: { budget, criterion: 'hop-bytes' },
    random: seededRandom(seed),
    now: () => process.threadCpuUsage().user / 1000,
  });
  return hopBytes(problem, answer.mapping);
}

/**
 * `npm run bench -- sensitivity`; what stands behind a colon keeps the numbers of these names, with commas between,
 * or those of a way.
 */
export function sensitivity(only: string | undefined): Promise<undefined> {
  console.log('| number | on | value | halved | median % | least, most | doubled | median % | least, most |');
  console.log('| --- | --- | ---: | ---: | ---: | --- | ---: | ---: | --- |');
  for (const way of ['many cores', 'few tasks', 'time', 'one core'] as const) {
    const names = numbersOn(way).filter(
      ({ name }) => only === undefined || only.split(',').includes(name) || way === only,
    );
    if (names.length === 0) continue;
    const cases = casesOf(way);
    const known = cases.map((one) => valueWith(autoParameters, one, 1));
    const ratios = (parameters: AutoParameters, seed = 1) =>
      spreadOf(cases.map((one, index) => valueWith(parameters, one, seed) / Math.max(1, known[index]!)));
    console.log(`| (another seed) | ${way} | | | ${ratios(autoParameters, 2)} | | ${ratios(autoParameters, 3)} |`);
    for (const { name, value, set } of names) {
      const cells = [0.5, 2].map((factor) => {
        const other = scaled(name, value, factor);
        return `${Number(other.toPrecision(4))} | ${ratios(set(other))}`;
      });
      console.log(`| ${name} | ${way} | ${value} | ${cells.join(' | ')} |`);
    }
  }
  return Promise.resolve(undefined);
}

interface Numbered {
  readonly name: string;
  readonly value: number;
  readonly set: (value: number) => AutoParameters;
}

function numbersOn(way: Way): Numbered[] {
  const { annealing, ...auto } = autoParameters;
  return [
    ...Object.entries(auto).flatMap(([name, value]): Numbered[] =>
      waysOfAuto[name as keyof typeof waysOfAuto] === way
        ? [{ name, value, set: (other) => ({ ...autoParameters, [name]: other }) }]
        : [],
    ),
    ...Object.entries(annealing).flatMap(([name, value]: [string, number]): Numbered[] =>
      waysOfAnnealing[name as keyof AnnealingParameters] === way
        ? [
            {
              name: `annealing.${name}`,
              value,
              set: (other) => ({ ...autoParameters, annealing: { ...annealing, [name]: other } }),
            },
          ]
        : [],
    ),
  ];
}

/** `median | least, most`, as per cents above what the numbers as they are come to. */
function spreadOf(ratios: readonly number[]): string {
  const sorted = ratios.map((ratio) => 100 * (ratio - 1)).sort((a, b) => a - b);
  const middle = (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
  return `${middle.toFixed(2)} | ${sorted[0]!.toFixed(2)}, ${sorted.at(-1)!.toFixed(2)}`;
}
