/**
 * What halving and doubling each number does that was chosen by trying: the mean over families of graphs and kinds of
 * machines that were not used to choose it, with its standard error. Budgets are steps, so figures are the same on any
 * machine; of the numbers of budgets in time, seconds of this thread's processor.
 */
import { median } from 'simple-statistics';
import { autoMapper } from '../../server/mapping/auto/auto.ts';
import { autoParameters } from '../../server/mapping/auto/parameters.ts';
import { mappers } from '../../server/mapping/catalogue.ts';
import type { MappingProblem } from '../../server/mapping/contract.ts';
import { hopBytes as hopBytesCriterion } from '../../server/mapping/criteria/additive.ts';
import { prepareSearch } from '../../server/mapping/criteria/contract.ts';
import { contextFor, mapWith } from '../../server/mapping/testing/problems.ts';
import { neverCancelled } from '../../server/model/cancellation.ts';
import { findEntry, type Budget, type OptionValues } from '../../server/model/catalogue.ts';
import type { Machine } from '../../server/model/machine.ts';
import { seededRandom } from '../../server/model/random.ts';
import { gridMachine } from '../../server/network/testing/machines.ts';
import { annealingParameters } from '../../server/optimisation/annealing/parameters.ts';
import { denseProblemOf } from '../../server/optimisation/dense/denseProblem.ts';
import { DenseSearch } from '../../server/optimisation/dense/denseSearch.ts';
import { improveDense } from '../../server/optimisation/dense/tabuSearch.ts';
import { denseParameters } from '../../server/optimisation/dense/parameters.ts';
import { embed, embeddingPlan, variantCount } from '../../server/optimisation/embedding/embed.ts';
import { foldGrid } from '../../server/optimisation/embedding/grids/foldGrid.ts';
import { gridParameters } from '../../server/optimisation/embedding/grids/parameters.ts';
import { embeddingParameters } from '../../server/optimisation/embedding/parameters.ts';
import { partitioningParameters } from '../../server/optimisation/partitioning/parameters.ts';
import { type SearchProblem, mappingCost } from '../../server/optimisation/problem/searchProblem.ts';
import { problemOn } from '../../server/optimisation/testing/problems.ts';
import { families, familyTraffic, type Family, type Link } from './families.ts';
import { hopBytes } from './run.ts';
import { networkOf, randomSwitches } from './targets.ts';

/** Cases on which a number may count. */
type CaseName = keyof typeof casesNamed;

/** The numbers of each kernel by name, and the cases they are measured on unless `casesOfNumber` names others. */
const kernels: Readonly<Record<string, { readonly values: object; readonly cases: CaseName }>> = {
  auto: { values: autoParameters, cases: 'many cores' },
  annealing: { values: annealingParameters, cases: 'one core' },
  dense: { values: denseParameters, cases: 'populations' },
  partitioning: { values: partitioningParameters, cases: 'partitions' },
  embedding: { values: embeddingParameters, cases: 'embeddings' },
  grids: { values: gridParameters, cases: 'foldings' },
};

const casesOfNumber: Readonly<Record<string, CaseName>> = {
  'auto.proposalsPerWorkItem': 'many cores, long',
  'auto.cooling': 'many cores, long',
  'auto.leastTemperature': 'many cores, long',
  'auto.worstStartRatio': 'many cores, long',
  'auto.annealedStarts': 'many cores, long',
  'auto.quickUntil': 'time',
  'auto.startsUntil': 'time',
  'auto.startsEndedAt': 'time',
  'auto.mappersEndedAt': 'time',
  'auto.boundUntil': 'time',
  'auto.searchShare': 'time',
  'auto.searchShareOfSmall': 'time',
  'auto.pilotSteps': 'time',
  'auto.pilotEdgeVisits': 'time',
  'auto.plannedShare': 'time',
  'auto.plannedShareOfGroups': 'time',
  'auto.leastShareLeft': 'time',
  'auto.pilotStepsOfTask': 'time',
  'auto.freshness': 'time',
  'auto.shareOfHopBytes': 'loads',
  'auto.hottestOfLoads': 'loads',
  'auto.coldestOfLoads': 'loads',
  'auto.epochsOfLoads': 'loads',
  'auto.firstStepsOfLoads': 'loads, time',
  'auto.densestForAnnealing': 'dense',
  'dense.patience': 'populations to the end',
  'dense.agreements': 'populations to the end',
  'auto.hubDegree': 'one core',
  'auto.partsAdvantage': 'one core',
  'auto.fewTasks': 'fewest tasks',
  'auto.lowerStartTemperature': 'few tasks',
  'auto.higherStartTemperature': 'few tasks',
  'auto.leastStepsPerProposal': 'few tasks',
  'auto.mostProposals': 'few tasks',
  'auto.tasksForPopulations': 'few tasks',
  'auto.tasksForAnnealing': 'few tasks',
  'auto.mostOfAnnealing': 'few tasks',
  'annealing.groupShare': 'many cores',
  'annealing.proposalsPerGroup': 'many cores',
  'annealing.proposalsPerIndependentChain': 'long',
  'annealing.mostRounds': 'long',
  'annealing.proposalsForFullTemperature': 'large',
  'annealing.temperatureShareForFew': 'large',
  'annealing.sitesOfProbe': 'large',
  'annealing.edgeVisitsPerProbe': 'large',
  'annealing.sitesPerRegion': 'large',
  'annealing.proposalsPerEpoch': 'large',
  'annealing.fewestEpochs': 'large',
  'annealing.mostEpochs': 'large',
};

/** What a mapping comes to, in whatever unit: only ratios are shown. */
interface Case {
  readonly name: string;
  readonly value: (seed: number) => number;
}

type Machines = Readonly<Record<string, () => Machine>>;

const manyCores: Machines = {
  torus: () => gridMachine('torus', [4, 4], { cores: 24 }),
  'fat tree': () => networkOf('fat-tree', { options: { levels: [4, 4] }, cores: 24 }),
  dragonfly: () => networkOf('dragonfly', { options: { p: 2, a: 4, h: 1, g: 2 }, cores: 24 }),
  cluster: () => networkOf('cluster', { count: 16, cores: 24 }),
};
const fewNodesOfManyCores: Machines = {
  torus: () => gridMachine('torus', [4, 3], { cores: 24 }),
  'fat tree': () => networkOf('fat-tree', { options: { levels: [4, 3] }, cores: 24 }),
  dragonfly: () => networkOf('dragonfly', { options: { p: 2, a: 2, h: 1, g: 3 }, cores: 24 }),
  cluster: () => networkOf('cluster', { count: 12, cores: 24 }),
};
const oneCore: Machines = {
  torus: () => gridMachine('torus', [9, 8, 7]),
  'fat tree': () => networkOf('fat-tree', { options: { levels: [8, 9, 7] }, cores: 1 }),
  dragonfly: () => networkOf('dragonfly', { options: { p: 3, a: 8, h: 3, g: 25 }, cores: 1 }),
  switches: () => randomSwitches(126, 5, 4, 9),
};
const large: Machines = {
  torus: () => gridMachine('torus', [16, 16, 12]),
  'fat tree': () => networkOf('fat-tree', { options: { levels: [12, 16, 16] }, cores: 1 }),
  mesh: () => gridMachine('mesh', [64, 48]),
  switches: () => randomSwitches(768, 8, 4, 9),
};
/** More tasks than the search for small problems takes. */
const moreNodes: Machines = {
  torus: () => gridMachine('torus', [8, 6, 6]),
  'fat tree': () => networkOf('fat-tree', { options: { levels: [8, 6, 6] }, cores: 1 }),
  dragonfly: () => networkOf('dragonfly', { options: { p: 3, a: 6, h: 3, g: 19 }, cores: 1 }),
  switches: () => randomSwitches(72, 5, 4, 9),
};
const fewNodes: Machines = {
  torus: () => gridMachine('torus', [6, 5, 5]),
  'fat tree': () => networkOf('fat-tree', { options: { levels: [6, 5, 5] }, cores: 1 }),
  dragonfly: () => networkOf('dragonfly', { options: { p: 2, a: 5, h: 3, g: 16 }, cores: 1 }),
  switches: () => randomSwitches(50, 4, 3, 9),
};
const fewestNodes: Machines = {
  torus: () => gridMachine('torus', [5, 4, 4]),
  'fat tree': () => networkOf('fat-tree', { options: { levels: [5, 4, 4] }, cores: 1 }),
  dragonfly: () => networkOf('dragonfly', { options: { p: 2, a: 4, h: 2, g: 9 }, cores: 1 }),
  switches: () => randomSwitches(40, 4, 2, 9),
};

const veryFewNodes: Machines = {
  torus: () => gridMachine('torus', [5, 4]),
  'fat tree': () => networkOf('fat-tree', { options: { levels: [5, 4] }, cores: 1 }),
  mesh: () => gridMachine('mesh', [7, 3]),
  switches: () => randomSwitches(10, 3, 2, 9),
};

/** Every family once, machines in turn; `filled` of the places have a task. */
function problemsOn(machines: Machines, filled = 1): (readonly [string, MappingProblem])[] {
  const kinds = Object.entries(machines);
  return Object.entries(families).map(([family, links], index) => {
    const [kind, machine] = kinds[index % kinds.length]!;
    const made = machine();
    const taskCount = Math.floor(filled * made.slotCount);
    const problem = problemOn(made, { taskCount, traffic: familyTraffic(links, taskCount, index + 1) });
    return [`${family} on ${kind}`, problem];
  });
}

const candidates = {
  quick: ['baseline', 'grouping', 'row-major', 'rcb', 'blocked'].flatMap((name) => findEntry(mappers, name) ?? []),
  searches: ['grasp', 'tabu'].flatMap((name) => findEntry(mappers, name) ?? []),
};
const entry = autoMapper(candidates);

/** The clock counts the processor time of this thread, so that other load of the machine changes little. */
function searched(problem: MappingProblem, options: OptionValues, seed: number) {
  const now = (): number => process.threadCpuUsage().user / 1000;
  return mapWith(entry, problem, { options, random: seededRandom(seed), now });
}

const withBudget =
  (budget: (problem: MappingProblem) => Budget) =>
  ([name, problem]: readonly [string, MappingProblem]): Case => ({
    name,
    value: (seed) =>
      hopBytes(problem, searched(problem, { budget: budget(problem), criterion: 'hop-bytes' }, seed).mapping),
  });

const stepsPerTask = (steps: number) => withBudget(({ job }) => ({ kind: 'steps', amount: steps * job.taskCount }));

function partitionCases(): Case[] {
  const problems = [...problemsOn(manyCores), ...problemsOn(oneCore), ...problemsOn(oneCore, 0.6)];
  return problems.flatMap(([name, problem]) =>
    ['drb', 'k-way'].map((mapper): Case => {
      const chosen = findEntry(mappers, mapper)!;
      const value = (seed: number): number =>
        hopBytes(problem, mapWith(chosen, problem, { random: seededRandom(seed) }).mapping);
      return { name: `${mapper}: ${name}`, value };
    }),
  );
}

function prepared(problem: MappingProblem): SearchProblem {
  const search = prepareSearch(problem, hopBytesCriterion, contextFor(entry));
  if (!search.ok) throw new Error(search.failure.message);
  return search.value;
}

function embeddingCases(): Case[] {
  return [...problemsOn(oneCore), ...problemsOn(oneCore, 0.6)].map(([name, problem]) => {
    const search = prepared(problem);
    const value = (seed: number): number => {
      const plan = embeddingPlan(search, seededRandom(seed), neverCancelled)!;
      const found = Array.from({ length: variantCount(plan) }, (_, variant) =>
        mappingCost(search, embed(search, plan, variant, neverCancelled)!),
      );
      return Math.min(...found);
    };
    return { name, value };
  });
}

/** The search for small problems alone, from nothing: for so many evaluations per cube of the tasks, or until it ends itself. */
function populationCases(machines: Machines, evaluationsPerCube: number): Case[] {
  return problemsOn(machines).map(([name, problem]) => {
    const dense = denseProblemOf(prepared(problem))!;
    const value = (seed: number): number => {
      const search = new DenseSearch(dense, [], seed);
      const most = evaluationsPerCube * dense.taskCount ** 3;
      while (!search.finished && search.evaluations < most) {
        const orders = search.next(most - search.evaluations);
        search.receive(orders.map((order) => improveDense(dense, order, neverCancelled)));
      }
      return search.best!.value;
    };
    return { name, value };
  });
}
/** Enough for a hundred children or so. */
const evaluationsPerCube = 150;

/** Grids of tasks and of nodes that fold into each other; no draw is made, so every seed is the same. */
function foldingCases(): Case[] {
  const shapes = [
    [
      [48, 36],
      [12, 12, 12],
    ],
    [
      [96, 24],
      [16, 12, 12],
    ],
    [
      [64, 64],
      [16, 16, 16],
    ],
    [
      [16, 24, 12],
      [72, 64],
    ],
    [[360], [10, 6, 6]],
    [
      [8, 9, 8, 4],
      [48, 48],
    ],
    [
      [120, 30],
      [20, 15, 12],
    ],
    [
      [30, 30, 4],
      [60, 60],
    ],
  ] as const;
  return shapes.flatMap(([grid, shape], index) =>
    (['torus', 'mesh'] as const).map((kind): Case => {
      const search = prepared(problemOn(gridMachine(kind, [...shape]), { grid: [...grid] }));
      const inOrder = Int32Array.from({ length: search.graph.taskCount }, (_, task) => task);
      const value = (): number => mappingCost(search, foldGrid(search, neverCancelled)?.placeOfTask ?? inOrder);
      return { name: `grid ${String(index + 1)} on ${kind}`, value };
    }),
  );
}

const loadCases = (budget: (problem: MappingProblem) => Budget): Case[] =>
  problemsOn(fewNodes).map(([name, problem]) => {
    const value = (seed: number): number =>
      searched(problem, { budget: budget(problem), criterion: 'maximum-load' }, seed).search!.value;
    return { name, value };
  });

/** Shares of all pairs that talk, on either side of the one from which on traffic is dense. */
const densities = [0.3, 0.4, 0.6, 0.7];

/** Every pair talks with this chance: with anybody alike, or the more the nearer their numbers are. */
const densePairs =
  (density: number, isNear: boolean): Family =>
  (taskCount, random) =>
    Array.from({ length: taskCount }, (_, task) => task).flatMap((task) =>
      Array.from({ length: task }, (_, other): Link => [task, other]).filter(
        ([from, to]) => random.fraction() < (isNear ? 1.5 * density * (1 - (from - to) / taskCount) : density),
      ),
    );

function denseCases(): Case[] {
  const machines = Object.values(fewNodes);
  const cases = densities.flatMap((density, at) =>
    [false, true].flatMap((isNear) =>
      [0, 1].map((next) => {
        const machine = machines[(at + next + (isNear ? 2 : 0)) % machines.length]!();
        const taskCount = machine.slotCount;
        const traffic = familyTraffic(densePairs(density, isNear), taskCount, at + 1);
        return [`${density} of all pairs`, problemOn(machine, { taskCount, traffic })] as const;
      }),
    ),
  );
  return cases.map(stepsPerTask(20_000));
}

const casesNamed = {
  'many cores': () => problemsOn(manyCores).map(stepsPerTask(8000)),
  'many cores, long': () => problemsOn(fewNodesOfManyCores).slice(0, 6).map(stepsPerTask(64_000)),
  'one core': () => problemsOn(oneCore).map(stepsPerTask(4000)),
  long: () => problemsOn(moreNodes).slice(0, 4).map(stepsPerTask(45_000)),
  large: () => problemsOn(large).map(stepsPerTask(300)),
  'few tasks': () => problemsOn(fewNodes).map(stepsPerTask(20_000)),
  'fewest tasks': () => problemsOn(fewestNodes).map(stepsPerTask(20_000)),
  dense: denseCases,
  loads: () => loadCases(({ job }) => ({ kind: 'steps', amount: 1000 * job.taskCount })),
  'loads, time': () => loadCases(() => ({ kind: 'seconds', amount: 0.3 })),
  partitions: partitionCases,
  embeddings: embeddingCases,
  populations: () => populationCases(fewestNodes, evaluationsPerCube),
  'populations to the end': () => populationCases(veryFewNodes, Infinity),
  foldings: foldingCases,
  time: () =>
    [...problemsOn(manyCores), ...problemsOn(oneCore), ...problemsOn(fewNodes), ...problemsOn(large)]
      .filter((_, index) => index % 8 < 4 === index % 2 < 1)
      .map(withBudget(() => ({ kind: 'seconds', amount: 0.3 }))),
};

/** Numbers that are at most one, or at least one: doubled and halved is what they are away from that. */
const isShare = (name: string, value: number): boolean =>
  value < 1 &&
  /Until|EndedAt|Share|cooling|ForFew|mostOfAnnealing|Shrinking|Matched|kept|freshness|shareOfHopBytes|densest/.test(
    name,
  );
const isRatio = (name: string): boolean => /partsAdvantage|worstStartRatio|spread|mostOfMeanSize/.test(name);

/** A value `factor` times as large in its own sense; whole where it was. */
function scaled(name: string, value: number, factor: number): number {
  if (isRatio(name)) return 1 + (value - 1) * factor;
  if (isShare(name, value) && value * factor >= 1) return 1 - (1 - value) / factor;
  return Number.isInteger(value) ? Math.round(value * factor) : value * factor;
}

/** A number that was chosen by trying. */
interface Chosen {
  readonly kernel: string;
  readonly name: string;
  readonly value: number;
  readonly cases: CaseName;
}

/** All numbers of all kernels. */
const chosenNumbers: readonly Chosen[] = Object.entries(kernels).flatMap(([kernel, { values, cases }]) =>
  Object.entries(values).flatMap(([name, value]: [string, unknown]): Chosen[] =>
    typeof value === 'number' ? [{ kernel, name, value, cases: casesOfNumber[`${kernel}.${name}`] ?? cases }] : [],
  ),
);

/** Runs with another value. Kernels read their numbers when they need them, and this process measures one at a time. */
function withValue<T>({ kernel, name, value }: Chosen, other: number, run: () => T): T {
  const values = kernels[kernel]!.values as Record<string, number>;
  values[name] = other;
  try {
    return run();
  } finally {
    values[name] = value;
  }
}

/**
 * `npm run bench -- sensitivity`; what stands behind a colon keeps kernels, cases or numbers of these names, with commas
 * between; whole numbers among them are the seeds, 1 and 2 where there is none.
 */
export function sensitivity(only: string | undefined): Promise<undefined> {
  const words = only?.split(',') ?? [];
  const wanted = words.filter((word) => !/^\d+$/.test(word));
  const seeds = words.filter((word) => /^\d+$/.test(word)).map(Number);
  if (seeds.length === 0) seeds.push(1, 2);
  const numbers = chosenNumbers.filter(
    ({ kernel, name, cases }) =>
      wanted.length === 0 || [kernel, name, cases, `${kernel}.${name}`].some((word) => wanted.includes(word)),
  );
  console.log('| number | cases | value | halved | % | doubled | % |');
  console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: |');
  for (const name of new Set(numbers.map(({ cases }) => cases))) {
    const runs = casesNamed[name]().flatMap(({ value }) => seeds.map((seed) => () => value(seed)));
    const known = runs.map((run) => run());
    const effect = (chosen: Chosen, other: number): string =>
      withValue(chosen, other, () => shown(runs.map((run, index) => run() / known[index]!)));
    for (const chosen of numbers.filter(({ cases }) => cases === name)) {
      const cells = [0.5, 2].map((factor) => {
        const other = scaled(chosen.name, chosen.value, factor);
        return `${String(Number(other.toPrecision(4)))} | ${effect(chosen, other)}`;
      });
      console.log(`| ${chosen.kernel}.${chosen.name} | ${name} | ${String(chosen.value)} | ${cells.join(' | ')} |`);
    }
  }
  return Promise.resolve(undefined);
}

/**
 * Mean, its standard error and the median in per cent, how many differ at all; `same` where none does. A mean far from the median
 * is one case that comes out quite differently.
 */
function shown(ratios: readonly number[]): string {
  if (ratios.every((ratio) => ratio === 1)) return 'same';
  const changes = ratios.map((ratio) => 100 * Math.log(ratio));
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  const variance = changes.reduce((sum, change) => sum + (change - mean) ** 2, 0) / (changes.length - 1);
  const differing = ratios.filter((ratio) => ratio !== 1).length;
  const error = Math.sqrt(variance / changes.length);
  const middle = median(changes);
  return `${mean.toFixed(2)} ± ${error.toFixed(2)}, ${middle.toFixed(2)} (${String(differing)}/${String(ratios.length)})`;
}
