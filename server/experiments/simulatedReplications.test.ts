import { sampleStandardDeviation } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { ExperimentDescription } from '../model/experiment.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import type { JobDescription } from '../study/program.ts';
import { gridDescription } from '../network/testing/machines.ts';
import { prepareExperiment, type ExperimentMaterials } from './prepare.ts';
import { experimentToJson } from './results.ts';
import { runExperiment } from './run.ts';
import { poolOfOneThread } from './testing/pool.ts';

const network: NetworkModel = { switching: 'cut-through', packet: 8, flit: 4, channels: 2, queue: 4, bubble: { packets: 2, here: true }, routing: 'adaptive' }; // prettier-ignore
const choice = (name: string, options = {}) => ({ name, options });

const ofJob: ExperimentDescription = {
  name: 'mappers',
  subject: { kind: 'job', name: 'cg' },
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

const cg: ExperimentMaterials['job'] = { description, given: new Map() };

const materials = (changes: Partial<ExperimentMaterials> = {}): ExperimentMaterials => ({
  experiment: ofJob,
  machine: gridDescription('torus', [4, 4]),
  job: cg,
  version: 'test',
  ...changes,
});

function resultOf(changes: Partial<ExperimentMaterials> = {}) {
  const prepared = prepareExperiment(materials(changes));
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
    // Of what leaves nothing to chance there is no sample to test.
    expect(comparisons).toEqual([]);
    expect(correlations).toMatchObject([{ metric: 'makespan', to: 'averageHops', count: 6 }]);
    expect(correlations?.[0]?.rho).toBeGreaterThan(0);
    expect(resultOf()).toEqual({ rows, comparisons, correlations, name: 'mappers', complete: true, replicationsDone: 3, quoted: [] }); // prettier-ignore
  });

  it('repeats runs with other backgrounds, the same for all mappings, and varies their rate', () => {
    const experiment: ExperimentDescription = {
      ...ofJob,
      allocate: [choice('nodes', {})].map((one) => ({ ...one, argument: { kind: 'nodes' as const, items: Array.from({ length: 16 }, (_, node) => node) } })), // prettier-ignore
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
    const job = { given: new Map(), description: { ...description, source } };
    const experiment: ExperimentDescription = { ...ofJob, replications: { kind: 'seeds', from: 1, to: 50 } };
    const prepared = prepareExperiment(materials({ experiment, job, form: 'short' }));
    if (!prepared.ok) throw new Error(prepared.failure.message);
    expect(prepared.value.notices).toEqual(['A short run: 10 replications of 2 points, 2 iterations.']);
    const written = prepareExperiment(materials({ experiment: { ...experiment, forms: { middle: { replications: 4, iterations: 3 } } }, job, form: 'middle' })); // prettier-ignore
    expect(written.ok && written.value.notices).toEqual(['A middle run: 4 replications of 2 points, 3 iterations.']);
  });

  it.each([
    ['a search for a time', { experiment: { ...ofJob, map: [choice('auto', { budget: { kind: 'seconds', amount: 1 } })] } }, 'time-budget'], // prettier-ignore
    [
      'a network that cannot be',
      { experiment: { ...ofJob, network: { switching: 'queueing' as const } } },
      'bad-network',
    ],
    ['a job that is not there', { job: undefined as never }, 'bad-experiment'],
  ])('is refused with %s', (_, changes, code) => {
    const prepared = prepareExperiment(materials(changes));
    expect(prepared.ok ? 'prepared' : prepared.failure.code).toBe(code);
  });

  it('tells of each row why it failed: a budget that is spent', () => {
    const experiment: ExperimentDescription = { ...ofJob, budget: { unit: 'cycles', amount: 100 }, compare: [] };
    const { rows } = resultOf({ experiment });
    expect(rows.map(({ failure }) => failure?.code)).toEqual(['over-budget', 'over-budget']);
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
    const { rows } = resultOf({ experiment: ofTraffic, job: undefined as never });
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

  it('says that a rate is above saturation', () => {
    const experiment = { ...ofTraffic, vary: [{ path: 'rate', values: [1] }] };
    const { rows } = resultOf({ experiment, job: undefined as never });
    expect(rows[0]?.notices?.messages.join()).toMatch(/Beyond saturation at 1 flits/);
    expect(rows[0]?.metrics['latency']?.mean).toBeNull();
  });
});
