import { sampleStandardDeviation } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { ExperimentDescription } from '../model/experiment.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import type { JobDescription } from '../study/program.ts';
import { gridDescription } from '../network/testing/machines.ts';
import type { ExperimentInputs } from './inputs.ts';
import { prepareExperiment } from './prepare.ts';
import { experimentToJson } from './results.ts';
import { runExperiment } from './run.ts';
import type { JobInputs } from './simulatedReplications.ts';
import { poolOfOneThread } from './testing/pool.ts';
import { infiniHostTimes } from '../queueing/servers.ts';

const network: NetworkModel = {
  switching: 'cut-through',
  packet: 8,
  flit: 4,
  channels: 2,
  queue: 4,
  bubble: { packets: 2, here: true },
  routing: 'adaptive',
};
const choice = (name: string, options = {}) => ({ name, options });

const ofJob: ExperimentDescription = {
  name: 'mappers',
  subject: { kind: 'job', names: ['cg'] },
  machine: 'test',
  network,
  schedule: [],
  allocate: [],
  map: [choice('consecutive'), choice('random')],
  vary: [],
  replications: { kind: 'seeds', from: 1, to: 3 },
  repeat: 1,
  report: ['makespan', 'latency', 'throughput', 'averageHops'],
  compare: [{ kind: 'kruskal-wallis', level: 0.05 }],
  quoted: [],
};

const description: JobDescription = {
  ...{ name: 'cg', taskCount: 16, periodic: false, bytes: undefined, messages: undefined, rate: undefined },
  source: { kind: 'skeleton', choice: choice('cg', { class: 'S', iterations: 1, version: 'npb2' }) },
};

const cg: JobInputs = { description, given: new Map() };

const inputs = (changes: Partial<ExperimentInputs> = {}): ExperimentInputs => ({
  experiment: ofJob,
  machine: gridDescription('torus', [4, 4]),
  jobs: [cg],
  version: 'test',
  ...changes,
});

function resultOf(changes: Partial<ExperimentInputs> = {}) {
  const prepared = prepareExperiment(inputs(changes));
  if (!prepared.ok) throw new Error(prepared.failure.message);
  const { plan, replicate } = prepared.value;
  return experimentToJson(
    runExperiment(plan, poolOfOneThread(plan, replicate), {
      cancellation: neverCancelled,
      now: () => 0,
      known: [],
      record: () => undefined,
      progress: () => undefined,
    }),
  );
}

describe('an experiment of a job', () => {
  it('places it by each mapper with each seed, and simulates what comes of it', () => {
    const { rows, comparisons, correlations } = resultOf();
    const [consecutive, random] = rows;
    const meansOf = rows.map(({ metrics }) => metrics['makespan']?.mean ?? Number.NaN);
    expect(rows.map(({ mapper }) => mapper)).toEqual(['consecutive', 'random']);
    // It is the same with every seed.
    expect(new Set(consecutive?.metrics['makespan']?.values).size).toBe(1);
    expect(new Set(random?.metrics['makespan']?.values).size).toBe(3);
    expect(meansOf[1]).toBeGreaterThan(meansOf[0]!);
    expect(consecutive?.metrics['makespan']?.unit).toBe('cycles');
    expect([consecutive?.deterministic, random?.deterministic]).toEqual([true, undefined]);
    // What leaves nothing to chance is not a sample to test: it has its ratio, and is named.
    expect(comparisons.map(({ test, metric, of, to, p }) => [test, metric, of, to, p])).toContainEqual([
      'kruskal-wallis',
      'makespan',
      'random',
      'consecutive',
      null,
    ]);
    expect(new Set(comparisons.map(({ deterministic }) => deterministic?.join()))).toEqual(new Set(['consecutive']));
    expect(comparisons[0]?.ratio).toBeGreaterThan(1);
    expect(correlations).toMatchObject([{ metric: 'makespan', to: 'averageHops', count: 6 }]);
    expect(correlations?.[0]?.rho).toBeGreaterThan(0);
    expect(resultOf()).toEqual({
      rows,
      comparisons,
      correlations,
      name: 'mappers',
      complete: true,
      replicationsDone: 3,
      quoted: [],
    });
  });

  it('crosses jobs, machines and routings, and compares what runs on one of each', () => {
    const oneCell: ExperimentDescription = {
      ...ofJob,
      replications: { kind: 'listed', seeds: [4, 9] },
      report: ['congestionTime', 'averageHops'],
      compare: [{ kind: 'paired-ratio', to: 'consecutive' }],
    };
    const experiment: ExperimentDescription = {
      ...oneCell,
      subject: { kind: 'job', names: ['cg', 'ring'], crossed: true },
      machines: ['test', 'wide'],
      routing: [choice('dimension-order', { order: [0, 1] }), choice('minimal')],
      vary: [{ path: 'machine.bandwidth', values: [1e9, 4e9] }],
    };
    const ring: JobDescription = {
      ...description,
      name: 'ring',
      taskCount: 12,
      source: { kind: 'pattern', choice: choice('ring') },
    };
    const [small, wide] = [
      gridDescription('torus', [4, 4], { figures: { bandwidth: 1e9 } }),
      gridDescription('mesh', [5, 4], { name: 'wide', figures: { bandwidth: 2e9 } }),
    ];
    const given = {
      experiment,
      machine: small,
      otherMachines: [wide],
      jobs: [cg, { description: ring, given: new Map() }],
    };
    const { rows, comparisons, correlations } = resultOf(given);
    expect(rows).toHaveLength(2 * 2 * 2 * 2 * 2);
    const timeOf = (job: string, machine: string, routing: string, bandwidth: number): number =>
      rows.find(
        (row) =>
          row.job === job &&
          row.machine === machine &&
          row.routing === routing &&
          row.mapper === 'consecutive' &&
          row.point['machine.bandwidth'] === bandwidth,
      )?.metrics['congestionTime']?.mean ?? Number.NaN;
    expect(timeOf('cg', 'test', 'minimal', 1e9) / timeOf('cg', 'test', 'minimal', 4e9)).toBeCloseTo(4, 9);
    // In the order of the nodes a ring goes to and fro on a mesh, and closes over many links.
    expect(timeOf('ring', 'wide', 'minimal', 1e9)).not.toBe(timeOf('cg', 'wide', 'minimal', 1e9));
    expect(timeOf('cg', 'wide', 'minimal', 1e9)).not.toBe(timeOf('cg', 'wide', 'dimension-order', 1e9));
    // Each block has one comparison of its mappers for each metric, and one coefficient.
    expect(comparisons).toHaveLength(16 * 2);
    expect(
      new Set(comparisons.map(({ job, machine, routing, of, to }) => `${job} ${machine} ${routing} ${of} ${to}`)).size,
    ).toBe(8);
    expect(
      correlations?.every(
        ({ job, machine, routing }) => job !== undefined && machine !== undefined && routing !== undefined,
      ),
    ).toBe(true);
    // Each cell is what an experiment of it alone gives.
    const machine = { ...wide, routing: choice('minimal'), figures: { bandwidth: 4e9 } };
    const alone = resultOf({ machine, jobs: [cg], experiment: oneCell });
    const those = rows.filter(
      (row) =>
        row.job === 'cg' &&
        row.machine === 'wide' &&
        row.routing === 'minimal' &&
        row.point['machine.bandwidth'] === 4e9,
    );
    expect(those.map(({ metrics }) => metrics)).toEqual(alone.rows.map(({ metrics }) => metrics));
  });

  it('repeats runs with other backgrounds, the same for all mappings, and varies their rate', () => {
    const experiment: ExperimentDescription = {
      ...ofJob,
      allocate: [choice('nodes', {})].map((one) => ({
        ...one,
        argument: { kind: 'nodes' as const, items: Array.from({ length: 16 }, (_, node) => node) },
      })),
      map: [choice('consecutive')],
      repeat: 2,
      background: choice('uniform', { rate: 0.001, nodes: 'idle' }),
      vary: [{ path: 'background.rate', values: [0.001, 0.05] }],
      report: ['makespan'],
      compare: [],
    };
    const { rows } = resultOf({ experiment, machine: gridDescription('torus', [8, 8]) });
    const means = rows.map(({ metrics }) => metrics['makespan']?.mean ?? 0);
    expect(means[1]).toBeGreaterThan(means[0] ?? Infinity);
    for (const { metrics } of rows) expect(new Set(metrics['makespan']?.values).size).toBe(1);
    // Two runs of each replication; those of the others are the same.
    for (const { deterministic, metrics } of rows) {
      const { runs = [], mean } = metrics['makespan'] ?? {};
      expect(deterministic).toBe(true);
      expect(new Set(runs.flat()).size).toBe(2);
      expect((runs[0]![0]! + runs[0]![1]!) / 2).toBe(mean);
    }
  });

  it('tests all runs against each other, and tells of the best and the deviation of them', () => {
    const at = [{ path: 'background.rate', value: 0.001 }];
    const experiment: ExperimentDescription = {
      ...ofJob,
      allocate: [choice('quadrant')],
      repeat: 2,
      background: choice('uniform', { rate: 0.001, nodes: 'idle' }),
      vary: [{ path: 'background.rate', values: [0.001] }],
      replications: { kind: 'seeds', from: 1, to: 2 },
      report: ['makespan'],
      quoted: [
        { metric: 'makespan', statistic: 'best', of: ['consecutive'], at, value: 1 },
        { metric: 'makespan', statistic: 'deviation', of: ['random'], at, value: 1 },
      ],
    };
    const forms = { short: { iterations: 1 } };
    const tested = resultOf({
      experiment: { ...experiment, forms },
      form: 'short',
      machine: gridDescription('torus', [8, 8]),
    });
    const [steady, random] = tested.rows.map(({ metrics }) => metrics['makespan']?.runs?.flat() ?? []);
    expect(tested.quoted.map(({ statistic }) => statistic)).toEqual(['best', 'deviation']);
    expect(tested.quoted[0]?.ours).toBe(Math.min(...(steady ?? [])));
    expect(tested.quoted[1]?.ours).toBeCloseTo(sampleStandardDeviation(random ?? []), 6);
    // Two runs against two of each of two seeds: chance has its part in both.
    expect([steady, new Set(random)].map((runs) => (runs instanceof Set ? runs.size : runs?.length))).toEqual([4, 4]);
    expect(tested.comparisons).toHaveLength(1);
  });

  it('is shorter where it is asked to be: fewer seeds, and a fifth of the iterations', () => {
    const source = { kind: 'skeleton' as const, choice: choice('cg', { class: 'S', iterations: 10, version: 'npb2' }) };
    const jobs = [{ given: new Map(), description: { ...description, source } }];
    const experiment: ExperimentDescription = { ...ofJob, replications: { kind: 'seeds', from: 1, to: 50 } };
    const prepared = prepareExperiment(inputs({ experiment, jobs, form: 'short' }));
    if (!prepared.ok) throw new Error(prepared.failure.message);
    expect(prepared.value.notices).toEqual(['A short run: 10 replications of 2 points, 2 iterations.']);
    const written = prepareExperiment(
      inputs({
        experiment: { ...experiment, forms: { middle: { replications: 4, iterations: 3 } } },
        jobs,
        form: 'middle',
      }),
    );
    expect(written.ok && written.value.notices).toEqual(['A middle run: 4 replications of 2 points, 3 iterations.']);
  });

  it.each([
    [
      'a search for a time',
      { experiment: { ...ofJob, map: [choice('auto', { budget: { kind: 'seconds', amount: 1 } })] } },
      'time-budget',
    ],
    [
      'a network that cannot be',
      { experiment: { ...ofJob, network: { switching: 'queueing' as const } } },
      'bad-network',
    ],
    ['a job that is not there', { jobs: undefined as never }, 'bad-experiment'],
  ])('is refused with %s', (_, changes, code) => {
    const prepared = prepareExperiment(inputs(changes));
    expect(prepared.ok ? 'prepared' : prepared.failure.code).toBe(code);
  });

  it('estimates its time by what its messages do, and simulates mappings that are the same once', () => {
    const secondsOf = (changes: Partial<ExperimentDescription>, more: Partial<ExperimentInputs> = {}): number => {
      const made = prepareExperiment(inputs({ experiment: { ...ofJob, ...changes }, ...more }));
      if (!made.ok) throw new Error(made.failure.message);
      return made.value.seconds;
    };
    const seeds = (to: number) => ({ kind: 'seeds', from: 1, to }) as const;
    const [fixed, random] = [[choice('consecutive')], [choice('random')]];
    const once = secondsOf({ map: fixed, replications: seeds(1) });
    // Placing it once more takes a millisecond, of simulating it there is nothing.
    expect(secondsOf({ map: fixed, replications: seeds(5) }) - once).toBeLessThan(0.01);
    expect(once).toBeGreaterThan(0.02);
    expect(
      secondsOf({ map: random, replications: seeds(6) }) / secondsOf({ map: random, replications: seeds(3) }),
    ).toBeCloseTo(2, 6);
    expect(secondsOf({ map: fixed, replications: seeds(1), repeat: 4 }) / once).toBeCloseTo(4, 1);
    // Two iterations are three with the untimed one, and the last of these is two.
    const source = { kind: 'skeleton' as const, choice: choice('cg', { class: 'S', iterations: 3, version: 'npb2' }) };
    const twice = secondsOf(
      { map: fixed, replications: seeds(1) },
      { jobs: [{ given: new Map(), description: { ...description, source } }] },
    );
    expect(twice / once).toBeCloseTo(2, 1);
    expect(secondsOf({ map: random, replications: seeds(1) })).toBeGreaterThan(once);
    const machine = { ...gridDescription('torus', [4, 4]), figures: { bandwidth: 1e9 } };
    const open = (replay: ExperimentDescription['replay']) =>
      secondsOf({ map: fixed, replications: seeds(2), ...(replay && { replay }) }, { machine });
    expect(open({ kind: 'open', speed: 1 }) / once).toBeCloseTo(2, 1);
    expect(open({ kind: 'saturation', delivered: 0.95 })).toBeGreaterThan(8 * once);
    expect(open({ kind: 'open', speed: 1, first: 1000 })).toBeLessThan(0.1 * once);
    const traffic = (rate: number, samples: number, name = 'uniform') =>
      secondsOf(
        {
          subject: { kind: 'traffic', patterns: [choice(name)] },
          map: [],
          report: ['latency'],
          compare: [],
          vary: [{ path: 'rate', values: [rate] }],
          sampling: { warmUp: 0, sample: 1000, samples },
        },
        { jobs: undefined as never },
      );
    expect(traffic(0.2, 60) / traffic(0.1, 30)).toBeCloseTo(4, 6);
    // Transposed nodes of a torus of 4 × 4 are as far apart as others, and four stay by themselves.
    expect(traffic(0.1, 30, 'transpose') / traffic(0.1, 30)).toBeCloseTo(0.75, 0);
    // A search takes time before anything is simulated.
    const grasp = { map: [choice('grasp', { iterations: 5000, alpha: 0.2 })], report: ['averageHops'] } as const;
    expect(secondsOf({ ...grasp, replications: seeds(10) })).toBeGreaterThan(1);
    expect(secondsOf({ ...grasp, map: fixed, replications: seeds(10) })).toBeLessThan(0.1);
  });

  it('tells of each row why it failed: a budget that is spent', () => {
    const experiment: ExperimentDescription = { ...ofJob, budget: { unit: 'cycles', amount: 100 }, compare: [] };
    const { rows } = resultOf({ experiment });
    expect(rows.map(({ failure }) => failure?.code)).toEqual(['over-budget', 'over-budget']);
  });
});

describe('an experiment of several jobs on a cluster', () => {
  const jobAt = (name: string, pattern: string, rate: number, kilobytes: number): JobInputs => ({
    given: new Map(),
    description: {
      ...{ name, taskCount: 8, periodic: false, bytes: kilobytes * 1024, messages: 20, rate },
      source: { kind: 'pattern', choice: choice(pattern) },
    },
  });
  const jobs = [jobAt('talk', 'all-to-all', 50, 64), jobAt('chain', 'linear', 100, 1024)];
  const ofJobs: ExperimentDescription = {
    ...ofJob,
    subject: { kind: 'job', names: ['talk', 'chain'] },
    network: { switching: 'queueing' },
    replay: { kind: 'open', speed: 1 },
    map: [choice('blocked'), choice('cyclic'), choice('contention-free', { variation: 1 })],
    report: [
      'totalWaiting',
      'totalInterfaceWaiting',
      'totalMemoryWaiting',
      'makespan',
      'totalFinish',
      'slowdown',
      'portUtilisation',
      'predictedLatency',
      'predictedSlowdown',
      'predictedPortUtilisation',
      'latency',
    ],
    compare: [],
  };
  const figures = { memory: 4e9, interface: 1e9, switchTime: 100e-9, queuePair: infiniHostTimes };
  const { name, topology, cables } = gridDescription('cluster', [4]);
  const cluster = { name, topology, cables, socketsPerNode: 2, coresPerSocket: 2, figures };
  const run = (changes: Partial<ExperimentDescription> = {}) =>
    resultOf({ experiment: { ...ofJobs, ...changes }, jobs, machine: cluster });

  it('places them together and sums what their messages wait, in the units of the paper', () => {
    const { rows } = run();
    expect(rows.map(({ mapper }) => mapper)).toEqual(['blocked', 'cyclic', 'contention-free']);
    for (const { metrics } of rows) {
      const mean = (name: string): number => metrics[name]?.mean ?? Number.NaN;
      expect(mean('totalWaiting')).toBeCloseTo(mean('totalInterfaceWaiting') + mean('totalMemoryWaiting'), 9);
      // Two jobs, each of which ends when its last message has arrived.
      expect(mean('totalFinish')).toBeGreaterThan(mean('makespan'));
      expect(mean('totalFinish')).toBeLessThan(2 * mean('makespan'));
      // Twenty messages at 50 a second.
      expect(mean('makespan')).toBeGreaterThan(0.3);
      expect(mean('makespan')).toBeLessThan(1.5);
      expect(mean('slowdown')).toBeGreaterThanOrEqual(1);
      expect(mean('predictedSlowdown')).toBeGreaterThanOrEqual(1);
      expect(mean('portUtilisation') / mean('predictedPortUtilisation')).toBeGreaterThan(0.3);
      expect(mean('portUtilisation') / mean('predictedPortUtilisation')).toBeLessThan(1.5);
    }
    const units = Object.fromEntries(Object.entries(rows[0]?.metrics ?? {}).map(([name, { unit }]) => [name, unit]));
    expect(units).toMatchObject({
      totalWaiting: 'ms',
      makespan: 's',
      totalFinish: 's',
      latency: 'us',
      predictedLatency: 'us',
      slowdown: '',
    });
    // By blocks each job has nodes of its own, node by node they share all.
    expect(rows.map(({ metrics }) => (metrics['slowdown']?.mean ?? 0) > 1.001)).toEqual([false, true, false]);
    expect(rows.map(({ metrics }) => (metrics['predictedSlowdown']?.mean ?? 0) > 1.001)).toEqual([false, true, false]);
    expect(run({ map: [choice('blocked')] }).rows).toEqual(rows.slice(0, 1));
  });

  it('varies figures of a job, of the network and of arrivals', () => {
    const map = [choice('blocked')];
    const network: NetworkModel = { switching: 'queueing', serviceVariation: 0 };
    const waits = (path: string, values: readonly number[]) =>
      run({ map, network, vary: [{ path, values }], report: ['totalWaiting', 'latency'] }).rows.map(
        ({ metrics }) => metrics['totalWaiting']?.mean ?? 0,
      );
    const cases: readonly (readonly [string, readonly number[]])[] = [
      ['talk.rate', [10, 400]],
      ['chain.bytes', [1024, 4 * 2 ** 20]],
      ['talk.messages', [5, 40]],
      ['network.variation', [0, 2]],
      ['replay.variation', [0, 3]],
      ['replay.speed', [0.5, 5]],
    ];
    for (const [path, values] of cases) {
      const [less = 0, more = 0] = waits(path, values);
      expect(more, path).toBeGreaterThan(1.2 * less);
    }
  });

  it('predicts nothing of jobs without a rate, and no latency of what waits without end', () => {
    const still = { ...jobs[1]!, description: { ...jobs[1]!.description, rate: undefined } };
    const prepared = prepareExperiment(inputs({ experiment: ofJobs, jobs: [jobs[0]!, still], machine: cluster }));
    expect(prepared.ok ? '' : prepared.failure.message).toContain(
      "`predictedLatency` needs a message rate; job 'chain' has none",
    );
    const [busy] = run({ map: [choice('cyclic')], vary: [{ path: 'talk.rate', values: [1e5] }] }).rows;
    expect(busy?.metrics['predictedLatency']?.mean).toBeNull();
    expect(busy?.metrics['predictedPortUtilisation']?.mean).toBeGreaterThan(1);
  });
});

describe('an experiment of traffic', () => {
  const ofTraffic: ExperimentDescription = {
    ...ofJob,
    subject: { kind: 'traffic', patterns: [choice('uniform'), choice('transpose')] },
    map: [],
    vary: [{ path: 'rate', values: [0.1, 0.4] }],
    sampling: { warmUp: 500, sample: 500, samples: 4 },
    report: ['latency', 'throughput'],
    compare: [],
  };

  it('has a row for each pattern and rate; what arrives is what is sent, and latency grows', () => {
    const { rows } = resultOf({ experiment: ofTraffic, jobs: undefined as never });
    expect(rows.map(({ pattern, point }) => [pattern, point['rate']])).toEqual([
      ['uniform', 0.1],
      ['transpose', 0.1],
      ['uniform', 0.4],
      ['transpose', 0.4],
    ]);
    const of = (row: number, metric: string): number => rows[row]?.metrics[metric]?.mean ?? Number.NaN;
    expect(Math.abs(of(0, 'throughput') - 0.1)).toBeLessThan(0.01);
    expect(Math.abs(of(2, 'throughput') - 0.4)).toBeLessThan(0.02);
    // Nodes on the diagonal send nothing.
    expect(Math.abs(of(1, 'throughput') - 0.075)).toBeLessThan(0.01);
    expect(of(2, 'latency')).toBeGreaterThan(of(0, 'latency'));
  });

  it('has times between servers in microseconds', () => {
    const { name, topology, cables } = gridDescription('cluster', [4]);
    const machine = { name, topology, cables, socketsPerNode: 2, coresPerSocket: 2, figures: {} };
    const experiment: ExperimentDescription = {
      ...ofTraffic,
      subject: { kind: 'traffic', patterns: [choice('uniform')] },
      network: { switching: 'queueing' },
      vary: [{ path: 'rate', values: [0.01] }],
    };
    const { rows } = resultOf({ experiment, machine, jobs: undefined as never });
    const { mean, unit } = rows[0]!.metrics['latency']!;
    expect(unit).toBe('us');
    // A message of 32 bytes passes a handful of servers, each in some ten nanoseconds.
    expect(mean).toBeGreaterThan(0.05);
    expect(mean).toBeLessThan(5);
  });

  it('looks at the cancellation while it is made ready, and while the partners of a replication are', () => {
    const experiment = {
      ...ofTraffic,
      subject: { kind: 'traffic', patterns: [choice('all-to-all')] } as const,
      vary: [{ path: 'rate', values: [0.1] }],
    };
    let looks = 0;
    const counting = { isCancelled: () => looks++ < 0 };
    const machine = gridDescription('torus', [16, 16]);
    const prepared = prepareExperiment(inputs({ experiment, machine, jobs: [] }), { cancellation: counting });
    if (!prepared.ok) throw new Error(prepared.failure.message);
    // One for each 16 of the 256 senders.
    expect(looks).toBeGreaterThan(16);
    looks = 0;
    expect(prepared.value.seconds).toBeGreaterThan(0);
    expect(looks).toBeGreaterThanOrEqual(16);
    const [point] = prepared.value.plan.points;
    looks = 0;
    const stopped = prepared.value.replicate(point!, 1, { isCancelled: () => looks++ > 8 });
    expect(stopped).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
    expect(looks).toBe(10);
  });

  it('says that a rate is above saturation', () => {
    const experiment = { ...ofTraffic, vary: [{ path: 'rate', values: [1] }] };
    const { rows } = resultOf({ experiment, jobs: undefined as never });
    expect(rows[0]?.notices?.messages.join()).toMatch(/Saturated at 1 flits/);
    expect(rows[0]?.metrics['latency']?.mean).toBeNull();
  });
});
