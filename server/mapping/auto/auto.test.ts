import { describe, expect, it } from 'vitest';
import { tableTraffic } from '../../traffic/build.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { networkMachine } from '../../network/testing/networkMachines.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { cancelledCode } from '../../model/result.ts';
import { findEntry, type Budget, type OptionValues } from '../../model/catalogue.ts';
import { neverCancelled } from '../../model/cancellation.ts';
import type { Shape } from '../../model/shape.ts';
import { mappers } from '../catalogue.ts';
import type { MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { criteria } from '../criteria/catalogue.ts';
import { addToHistogram, emptyHistogram, hopBytesOf } from '../hopHistogram.ts';
import { singleThreadPool, type WorkerPool, doWorkItem } from '../../optimisation/workerPool.ts';
import { contextFor, mapWith } from '../testing/problems.ts';
import {
  contractProblems,
  noTraffic,
  problemOn,
  problemsWithoutCoordinates,
  trafficOf,
} from '../../optimisation/testing/problems.ts';

const auto = findEntry(mappers, 'auto')!;
const steps = (amount: number): Budget => ({ kind: 'steps', amount });

function autoOn(problem: MappingProblem, options: OptionValues = {}, context: Partial<MappingContext> = {}) {
  return mapWith(auto, problem, {
    options: { budget: steps(20_000), criterion: 'hop-bytes', ...options },
    ...context,
  });
}

function costOf({ machine, job }: MappingProblem, { mapping }: MappingAnswer): number {
  const profile = emptyHistogram();
  addToHistogram(profile, machine, job.traffic, mapping, neverCancelled);
  return hopBytesOf(profile);
}

/** Nodes of a torus drawn at random, so that nothing fits by itself. */
function scattered(
  seed: number,
  options: Parameters<typeof problemOn>[1] = { grid: [5, 4, 4] },
  shape: Shape = [7, 6, 5],
): MappingProblem {
  const machine = gridMachine('torus', shape);
  const random = seededRandom(seed);
  const nodes = Array.from({ length: machine.nodeCount }, (_, node) => node).filter(() => random.fraction() < 0.6);
  return problemOn(machine, { nodes, ...options });
}

/** Random amounts between random tasks. Fewer than 280 would be left to searches with tables, and not be annealed. */
function randomProblem(tasks: number, machine = gridMachine('torus', [7, 7, 7])): MappingProblem {
  const random = seededRandom(tasks);
  const pairs = 4 * tasks;
  const entries = {
    size: tasks,
    from: Int32Array.from({ length: pairs }, () => random.integer(tasks)),
    to: Int32Array.from({ length: pairs }, () => random.integer(tasks)),
    amount: Float64Array.from({ length: pairs }, () => 1 + random.integer(9)),
  };
  const traffic = tableTraffic(entries, tasks, 1);
  if (!traffic.ok) throw new Error(traffic.failure.message);
  return problemOn(machine, { taskCount: tasks, traffic: traffic.value });
}

/** One search of many tasks with all that it reports, which several tests look at. */
let watchedOnce: ReturnType<typeof watchedSearch> | undefined;
const watched = (): ReturnType<typeof watchedSearch> => (watchedOnce ??= watchedSearch());
function watchedSearch() {
  const problem = randomProblem(300);
  const reported: { share: number; message: string; value: number }[] = [];
  const answer = autoOn(
    problem,
    {},
    { progress: (share, message, search) => reported.push({ share, message, value: search!.value }) },
  );
  return { problem, answer, reported };
}

describe('map auto', () => {
  it.each([
    [
      'few tasks, which tabu search improves',
      () => {
        const problem = scattered(4);
        return { problem, answer: autoOn(problem) };
      },
    ],
    ['many tasks, which annealing improves', watched],
  ])('keeps a record of what it did: %s', (_, search) => {
    const { problem, answer } = search();
    const record = answer.search!;
    expect(record.value).toBe(costOf(problem, answer));
    expect(record.bound!.value).toBeLessThanOrEqual(record.value);
    expect(record.evaluations).toBeGreaterThan(1000);
    expect(record.tried!.map(({ value }) => value)).toEqual(
      record.tried!.map(({ value }) => value).toSorted((a, b) => a - b),
    );
    expect(record.tried!.at(0)!.name).toBe(record.chosen!.name);
    expect(record.value).toBeLessThan(record.tried![0]!.value);
    expect(record.convergence.at(-1)!.value).toBe(record.value);
  });

  it('stops where nothing is left to gain, and says so', () => {
    const answer = autoOn(problemOn(gridMachine('torus', [4, 4, 4]), { grid: [4, 4, 4] }));
    expect(answer.search).toMatchObject({
      end: 'bound',
      value: 288,
      bound: { value: 288, name: 'edge' },
      evaluations: 0,
    });
    expect(answer.search!.chosen!.why).toContain('no mapping can be better');
  });

  it.each(['one core on a node', 'many cores on a node'])(
    'gives the same mapping for the same steps, whatever the clock says and however many threads there are: %s',
    (what) => {
      const cores = what.startsWith('many') ? 8 : 1;
      const problem = randomProblem(280, gridMachine('torus', cores === 8 ? [3, 3, 4] : [7, 7, 7], { cores }));
      let time = 0;
      const run = (now: () => number, workerPool: WorkerPool) =>
        autoOn(problem, { budget: steps(20_000) }, { now, workerPool }).mapping;
      const alone = run(() => 0, singleThreadPool);
      expect(run(() => (time += 7), { ...singleThreadPool, threads: 5 })).toEqual(alone);
    },
  );

  it.each([1, 4])(
    'uses nearly all of its time and no more, on a machine that is %i times as slow as another',
    (slowness) => {
      const seconds = 1;
      let time = 0;
      const workerPool: WorkerPool = {
        threads: 1,
        open: (inputs) => ({
          run: (workItems, stop, meanwhile) => {
            meanwhile?.();
            return workItems.map((workItem) => {
              // Slower than real machines are, which spares most of the work.
              if (workItem.kind === 'anneal') time += (workItem.order.steps * slowness) / 2500;
              return doWorkItem(inputs, workItem, stop);
            });
          },
          close: () => undefined,
        }),
      };
      const budget: Budget = { kind: 'seconds', amount: seconds };
      const problem = randomProblem(280);
      const { search } = autoOn(problem, { budget }, { workerPool, now: () => (time += 0.01) });
      expect(time).toBeGreaterThan(0.95 * 1000 * seconds);
      expect(time).toBeLessThan(1.1 * 1000 * seconds);
      expect(search!.end).toBe('time');
    },
  );

  it('ends by the clock, and says what it had no time for', () => {
    let time = 0;
    const now = () => (time += 5);
    const { search } = autoOn(randomProblem(280), { budget: { kind: 'seconds', amount: 0.2 } }, { now });
    expect(search!.end).toBe('time');
    expect(search!.untried).toEqual(expect.arrayContaining(['random', 'grasp']));
    expect(search!.tried!.map(({ name }) => name)).toContain('baseline');
  });

  it('lays out the whole even where a busy machine leaves it little time', () => {
    let calls = 0;
    // More than half of the budget is over before the first mapping.
    const now = () => (calls++ === 0 ? 0 : 600 + calls / 2);
    const { search } = autoOn(randomProblem(280), { budget: { kind: 'seconds', amount: 1 } }, { now });
    expect(search!.tried!.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^embedding/));
  });

  it('answers within a budget of nothing', () => {
    const problem = randomProblem(280);
    let time = 0;
    const now = () => time++;
    for (const budget of [steps(0), { kind: 'seconds', amount: 1e-9 } as const]) {
      expect(autoOn(problem, { budget }, { now }).mapping).toHaveLength(280);
    }
  });

  it('finds more with more steps', () => {
    const { problem, answer } = watched();
    const few = autoOn(problem, { budget: steps(1000) });
    expect(answer.search!.value).toBeLessThan(few.search!.value);
  });

  it.each(criteria.map(({ name }) => name))('minimises %s', (criterion) => {
    const problem = scattered(5, { grid: [6, 5] }, [5, 4, 4]);
    const entry = criteria.find(({ name }) => name === criterion)!;
    const made = entry.objective(problem, contextFor(auto));
    if (!made.ok) throw new Error(made.failure.message);
    const objective = made.value;
    const valueOf = ({ mapping }: MappingAnswer) => {
      objective.assign(mapping.map((slot) => problem.slots.indexOf(slot)));
      return objective.value * objective.unit;
    };
    const answer = autoOn(problem, { criterion });
    expect(answer.search).toMatchObject({ criterion, value: valueOf(answer) });
    const start = mapWith(findEntry(mappers, 'rcb')!, problem);
    expect(valueOf(answer)).toBeLessThan(valueOf(start));
    expect(answer.search!.bound!.value).toBeLessThanOrEqual(answer.search!.value);
  });

  // A pair is two messages of a byte, one each way, so that it costs twice its hops. Host links count as hops.
  it.each([
    // Neighbours on neighbouring nodes: 3 axes of 3 pairs in 16 lines; 12 pairs; 2 axes of 4 pairs in 5 lines.
    { what: 'a full torus', least: 2 * 3 * 3 * 16 },
    { what: 'a full ring', least: 2 * 12 },
    { what: 'an allocation against the order', least: 2 * 2 * 4 * 5 },
    // The axes in another order: 3 pairs in 12 lines, 1 in 24, 2 in 16, 1 in 24.
    { what: 'a mesh of four dimensions', least: 2 * (36 + 24 + 32 + 24) },
    // Rows and columns of 32 by a Gray code: 31 pairs in 32 lines, twice.
    { what: 'a hypercube of 10 dimensions', least: 2 * 2 * 31 * 32 },
    // Six tasks of a grid have at least 10 sides, eight times that less the 28 outside is cut twice: 26 pairs.
    { what: 'several cores', least: 2 * 26 },
    { what: 'one task', least: 0 },
    { what: 'a machine of one slot', least: 0 },
    { what: 'no traffic', least: 0 },
    { what: 'a table of zeros', least: 0 },
    // 0 → 7 → 3 side by side, 3 bytes and 1.
    { what: 'tasks with no partner', least: 4 },
    // A line of 20 on 10 switches of two nodes: 10 pairs at a switch, 9 between neighbours.
    { what: 'all of Autonet', least: 2 * (10 * 2 + 9 * 3) },
    // A line of 32, two a node and eight a leaf: 12 pairs below a leaf, 3 over the top.
    { what: 'all of a fat tree', least: 2 * (12 * 2 + 3 * 4) },
    // A line of 40 on 20 routers of two nodes: 20 pairs at a router, 19 between neighbours.
    { what: 'all of a dragonfly', least: 2 * (20 * 2 + 19 * 3) },
    // A line of 40, eight a node: 4 pairs between nodes.
    { what: 'all of a cluster of many cores', least: 2 * 4 * 2 },
    // A line of 18, three a node: 3 pairs at a switch; from leaf-a over the spine to leaf-b, and on to leaf-c.
    { what: 'all of a fabric with unequal hosts', least: 2 * (3 * 2 + 4 + 3) },
  ])('finds the least hop-bytes: $what', ({ what, least }) => {
    const [, problem] = [...contractProblems, ...problemsWithoutCoordinates].find(([name]) => name === what)!;
    const answer = autoOn(problem, { budget: steps(20_000) });
    expect([costOf(problem, answer), answer.search!.value]).toEqual([least, least]);
  });

  it('tells of each mapper that it tried what it costs alone', () => {
    const problem = scattered(4, { grid: [5, 4] }, [5, 4, 3]);
    const tried = autoOn(problem).search!.tried!;
    const others = tried.flatMap(({ name, value }) => {
      const entry = mappers.find((mapper) => mapper.name === name && mapper.isSearch !== true && name !== 'random');
      return entry === undefined ? [] : [{ name, value, alone: costOf(problem, mapWith(entry, problem)) }];
    });
    expect(others.map(({ name }) => name)).toEqual(expect.arrayContaining(['baseline', 'rcb', 'overlay', 'cyclic']));
    expect(others.filter(({ value, alone }) => value !== alone)).toEqual([]);
  });

  it('lays a grid on a fat tree of many cores as boxes in boxes', () => {
    const machine = networkMachine('fat-tree', { options: { k: 8, n: 2 }, cores: 8 });
    const { search } = autoOn(problemOn(machine, { grid: [8, 8, 8] }), { budget: steps(0) });
    // Three planes of 64 pairs along each axis leave nodes of 2 x 2 x 2, one leaves leaves of 4 x 4 x 4: two bytes a
    // pair, two links more each time.
    expect(search!.value).toBe(2 * 3 * (3 * 64 * 2 + 64 * 2));
  });

  it.each([
    { on: 'a fat tree', machine: networkMachine('fat-tree', { options: { k: 2, n: 5 }, cores: 16 }), least: 2304 },
    { on: 'a cluster', machine: networkMachine('cluster', { count: 32, cores: 16 }), least: 896 },
    { on: 'a torus', machine: gridMachine('torus', [4, 4, 2], { cores: 16 }), least: 448 },
  ])('proves the best mapping of a grid whose tasks are numbered at random: $on', ({ machine, least }) => {
    const numbers = Int32Array.from({ length: 512 }, (_, task) => task);
    shuffle(numbers, seededRandom(1));
    const at = (x: number, y: number, z: number) => numbers[x + 8 * y + 64 * z]!;
    const edges: (readonly [number, number, number])[] = [];
    for (let x = 0; x < 8; x++) {
      for (let y = 0; y < 8; y++) {
        for (let z = 0; z < 8; z++) {
          if (x < 7) edges.push([at(x, y, z), at(x + 1, y, z), 1]);
          if (y < 7) edges.push([at(x, y, z), at(x, y + 1, z), 1]);
          if (z < 7) edges.push([at(x, y, z), at(x, y, z + 1), 1]);
        }
      }
    }
    const problem = problemOn(machine, { taskCount: 512, traffic: trafficOf(512, edges) });
    const answer = autoOn(problem, { budget: steps(4_000_000) });
    expect({ cost: costOf(problem, answer), end: answer.search?.end }).toEqual({ cost: least, end: 'bound' });
  });

  it('answers at once with its best when it is asked to finish, whenever that is', () => {
    const problem = randomProblem(300, networkMachine('fat-tree', { options: { k: 3, n: 3 }, cores: 12 }));
    for (const allowed of [0, 1, 10, 100, 1000]) {
      let edgeVisits = 0;
      const cancellation = { isCancelled: () => false, isFinishWanted: () => edgeVisits++ >= allowed };
      const answer = autoOn(problem, { budget: steps(1e9) }, { cancellation });
      expect(new Set(answer.mapping).size).toBe(300);
      expect(answer.search!.end).toBe('stopped');
    }
  });

  it('tells how good its best is from the first start on', () => {
    const reported = watched().reported.map(({ value }) => value);
    expect(reported.length).toBeGreaterThan(5);
    expect(reported).toEqual(reported.toSorted((a, b) => b - a));
    expect(reported.at(-1)).toBeLessThan(reported[0]!);
  });

  it('counts the time of both halves under maximum-load, as it does their evaluations', () => {
    let time = 0;
    const now = () => (time += 1);
    const { search } = autoOn(scattered(5, { grid: [6, 5] }, [5, 4, 4]), { criterion: 'maximum-load' }, { now });
    expect(search!.milliseconds).toBeGreaterThan(time / 2);
  });

  it.each([
    ['tenths', [0.1, 0.2, 0.3, 0.7]],
    ['huge beside small', [2 ** 52, 2 ** 52 + 1, 1, 3]],
  ])('tells values of the amounts as they are: %s', (_, amounts) => {
    const entries = {
      size: 5,
      from: Int32Array.from(amounts, (__, index) => index),
      to: Int32Array.from(amounts, (__, index) => index + 1),
      amount: Float64Array.from(amounts),
    };
    const traffic = tableTraffic(entries, 5, 1);
    if (!traffic.ok) throw new Error(traffic.failure.message);
    const problem = problemOn(gridMachine('torus', [4, 4]), { taskCount: 5, traffic: traffic.value });
    const answer = autoOn(problem);
    expect(answer.search!.value).toBeCloseTo(costOf(problem, answer), 12);
    expect(answer.search!.bound!.value).toBeLessThanOrEqual(costOf(problem, answer));
    expect(answer.search!.bound!.value).toBeGreaterThan(0.999 * costOf(problem, answer));
  });

  it('maps tasks that say nothing', () => {
    const problem = problemOn(gridMachine('torus', [4, 4]), { taskCount: 12, traffic: noTraffic(12) });
    expect(autoOn(problem).search).toMatchObject({ value: 0, end: 'bound', chosen: { name: 'baseline' } });
  });

  it('reports its progress with the best value so far', () => {
    const { reported } = watched();
    expect(reported.map(({ share }) => share)).toEqual(reported.map(({ share }) => share).toSorted((a, b) => a - b));
    expect(reported.at(-1)!.message).toMatch(/best [\d,]+ hop-bytes/);
  });

  it('answers that it was cancelled in the middle of the search', () => {
    let edgeVisits = 0;
    const cancellation = { isCancelled: () => edgeVisits++ > 400 };
    const answer = auto.map(randomProblem(300), contextFor(auto, { cancellation }));
    expect(answer).toMatchObject({ ok: false, failure: { code: cancelledCode } });
  });
});

it('looks for no bound once the first start has taken the whole budget', () => {
  const clock = { seconds: 0 };
  const now = () => 1000 * clock.seconds++;
  const problem = problemOn(gridMachine('torus', [8, 8]), { grid: [8, 8] });
  const boundWith = (amount: number) => {
    clock.seconds = 0;
    return autoOn(problem, { budget: { kind: 'seconds', amount } }, { now }).search!.bound?.value ?? 0;
  };
  expect(boundWith(1)).toBe(0);
  expect(boundWith(1000)).toBeGreaterThan(0);
});
