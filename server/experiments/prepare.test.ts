import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { Choice } from '../model/catalogue.ts';
import { asRouterId } from '../model/identifiers.ts';
import type { JobLog } from '../model/jobLog.ts';
import { swfFields } from '../model/jobLog.ts';
import type { Result } from '../model/result.ts';
import type { ExperimentInputs } from './inputs.ts';
import { prepareExperiment, type PreparedExperiment } from './prepare.ts';
import { runExperiment } from './run.ts';
import { poolOfOneThread } from './testing/pool.ts';
import { drawnStream, loggedStream } from '../scheduling/testing/streams.ts';
import { environment } from './testing/queues.ts';
import { casesOf } from '../model/testing/thoroughness.ts';

const choice = (name: string, options: Choice['options'] = {}): Choice => ({ name, options });
const numbers = (name: string, values: readonly number[]): Choice => ({
  name,
  options: {},
  argument: { kind: 'numbers', numbers: values },
});

const machine: ExperimentInputs['machine'] = {
  name: 'mesh',
  topology: numbers('mesh', [6, 6]),
  cables: [],
  socketsPerNode: 1,
  coresPerSocket: 1,
  figures: {},
};

const stream = drawnStream(
  {
    arrivals: choice('exponential', { rate: 0.01 }),
    size: {
      kind: 'sides',
      width: choice('uniform', { from: 1, to: 4 }),
      height: choice('uniform', { from: 1, to: 4 }),
    },
  },
  {
    traffic: choice('one-to-all', { root: 'random' }),
    service: { kind: 'network' },
    end: { kind: 'completed', jobs: 60 },
  },
);
const computing = {
  ...stream,
  service: { kind: 'distribution', distribution: choice('constant', { value: 50 }) },
} as const;

const experiment: ExperimentInputs['experiment'] = {
  name: 'small',
  subject: { kind: 'stream', name: 'jobs' },
  machine: 'mesh',
  network: { switching: 'wormhole', router: { unit: 'cycles', amount: 3 }, buffer: 1 },
  schedule: [choice('fcfs')],
  allocate: [choice('rbs'), choice('first-fit')],
  map: [],
  vary: [],
  replications: { kind: 'seeds', from: 1, to: 3 },
  repeat: 1,
  report: ['turnaround', 'averageHops'],
  compare: [],
  quoted: [],
};

interface Changes {
  readonly experiment?: Partial<ExperimentInputs['experiment']>;
  readonly stream?: Partial<NonNullable<ExperimentInputs['stream']>>;
  readonly machine?: ExperimentInputs['machine'];
  readonly log?: JobLog;
  readonly form?: 'short' | 'middle';
}

const prepare = (changes: Changes = {}): Result<PreparedExperiment> =>
  prepareExperiment({
    experiment: { ...experiment, ...changes.experiment },
    machine: changes.machine ?? machine,
    stream: { ...stream, ...changes.stream },
    ...(changes.log && { log: changes.log }),
    version: '1',
    ...(changes.form && { form: changes.form }),
  });

function prepared(changes: Changes = {}): PreparedExperiment {
  const made = prepare(changes);
  if (!made.ok) throw new Error(made.failure.message);
  return made.value;
}

function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

/** Metrics of each point with one seed. */
const measured = ({ plan, replicate }: PreparedExperiment, seed = 1) =>
  plan.points.map((point) => valueOf(replicate(point, seed, neverCancelled)).metrics);

/** Jobs of so many processors that arrive one after the other and run for a second each. */
function logOf(processors: readonly number[]): JobLog {
  const count = processors.length;
  const columns = swfFields.map((field) =>
    Float64Array.from({ length: count }, (_, job) => {
      if (field === 'submit') return 10 * job;
      if (field === 'run') return 5;
      return field === 'allocated-processors' ? processors[job]! : -1;
    }),
  );
  const lines = Int32Array.from({ length: count }, (_, job) => job + 1);
  return { fileName: 'jobs.swf', headers: [], jobCount: count, lines, columns, refused: [] };
}

const logged = (uri = 'file:///somewhere/jobs.swf') => loggedStream({ uri });

describe('an experiment that is prepared', () => {
  it('crosses what is varied with schedulers, allocators and mappers', () => {
    const { plan } = prepared({
      experiment: {
        schedule: [choice('fcfs'), choice('window', { size: 2 })],
        allocate: [
          choice('paging', { size: 0, indexing: 'row-major' }),
          choice('paging', { size: 1, indexing: 'row-major' }),
        ],
        map: [choice('row-major'), choice('rcb')],
        vary: [{ path: 'arrivals.rate', values: [0.01, 0.02] }],
      },
    });
    expect(plan.points).toHaveLength(16);
    expect(plan.points[3]).toEqual({
      index: 3,
      values: [0.01],
      scheduler: 'fcfs',
      allocator: 'paging(size 1)',
      mapper: 'rcb',
    });
    expect(plan.points[4]?.scheduler).toBe('window');
    expect(plan.metrics.map(({ unit }) => unit)).toEqual(['cycles', 'hops']);
  });

  it('shows all schedulers, allocators and mappers the same jobs, and other seeds others', () => {
    const { plan, traceReplication } = prepared({
      experiment: { schedule: [choice('fcfs'), choice('out-of-order')], map: [choice('rcb'), choice('random')] },
    });
    const jobsOf = (replication: number) =>
      plan.points.map((point) => {
        const { run } = valueOf(traceReplication(point, replication, neverCancelled));
        return [run.jobs.submit, run.jobs.width, run.jobs.height, run.jobs.seed].map((values) => [
          ...values.subarray(0, 60),
        ]);
      });
    const [first, ...others] = jobsOf(0);
    expect(others).toHaveLength(7);
    for (const other of others) expect(other).toEqual(first);
    expect(jobsOf(1)[0]).not.toEqual(first);
  });

  it('varies the number of the stream that a path names', () => {
    const { plan, traceReplication } = prepared({
      experiment: { vary: [{ path: 'width.to', values: [1, 4] }], allocate: [choice('rbs')] },
    });
    const widest = plan.points.map((point) => {
      const { run } = valueOf(traceReplication(point, 0, neverCancelled, { withHops: true }));
      return Math.max(...run.jobs.width.subarray(0, run.jobs.count));
    });
    expect(widest).toEqual([1, 4]);
  });

  it.each([{ map: [] }, { map: [choice('rcb')] }])('measures the hops of the stencil of each job: %j', ({ map }) => {
    const { plan, machine: built, traceReplication } = prepared({ stream: computing, experiment: { map } });
    const [points, means] = [plan.points, measured(prepared({ stream: computing, experiment: { map } }))];
    points.forEach((point, index) => {
      const { hops, run } = valueOf(traceReplication(point, 0, neverCancelled, { withHops: true }));
      const found = [...hops].filter((value) => !Number.isNaN(value));
      expect(means[index]?.averageHops).toBeCloseTo(found.reduce((sum, value) => sum + value, 0) / found.length, 12);
      // A submesh is given to a job of its own shape: every neighbour is one hop away.
      if (point.allocator === 'first-fit') expect(new Set(found)).toEqual(new Set([1]));
      else expect(Math.max(...found)).toBeGreaterThan(1);
      if (map.length > 0) return;
      // Nodes by number, process i + width · j, and the distance on the mesh.
      for (const job of run.completed) {
        const [width, height] = [run.jobs.width[job]!, run.jobs.height[job]!];
        const nodes = run.nodes[job]!.toSorted();
        const distances: number[] = [];
        for (let process = 0; process < nodes.length; process++) {
          const right = process % width < width - 1 ? process + 1 : -1;
          const above = process + width < width * height ? process + width : -1;
          for (const other of [right, above].filter((neighbour) => neighbour >= 0)) {
            distances.push(built.routing.hops(asRouterId(nodes[process]!), asRouterId(nodes[other]!)));
          }
        }
        const mean = distances.reduce((sum, value) => sum + value, 0) / distances.length;
        if (distances.length === 0) expect(hops[job]).toBeNaN();
        else expect(hops[job]).toBeCloseTo(mean, 12);
      }
    });
  });

  it('measures the hops and the latency of packets where a network carries them', () => {
    const ready = prepared({
      experiment: { report: ['averageHops', 'latency'], map: [choice('row-major'), choice('random')] },
    });
    const [straight, shuffled] = measured(ready);
    const trace = valueOf(ready.traceReplication(ready.plan.points[0]!, 0, neverCancelled, { withHops: true }));
    const { packets = [], hops = [], latency = [] } = trace.run.messages ?? {};
    const sum = (values: ArrayLike<number>) => [...trace.run.completed].reduce((total, job) => total + values[job]!, 0);
    expect(straight?.latency).toBeCloseTo(sum(latency) / sum(packets), 9);
    // No packet is faster than alone.
    expect(sum(latency)).toBeGreaterThanOrEqual(4 * sum(hops) + 15 * sum(packets));
    expect(shuffled?.averageHops).not.toBe(straight?.averageHops);
  });

  it('measures jobs of a log whose shape fits the machine, in seconds', () => {
    const { plan, traceReplication, notices } = prepared({
      stream: logged(),
      log: logOf([4, 7, 1, 6, -1, 40]),
      experiment: { schedule: [choice('easy', { order: 'fifo' })], allocate: [choice('mc1x1')], map: [choice('rcb')] },
    });
    const { hops, run } = valueOf(traceReplication(plan.points[0]!, 0, neverCancelled, { withHops: true }));
    expect([...hops].map((value) => (Number.isNaN(value) ? 'none' : 'some'))).toEqual([
      'some',
      'none',
      'none',
      'some',
      'none',
    ]);
    expect(run.refusals[0]?.reason).toMatch('more processors');
    expect(plan.metrics[0]?.unit).toBe('s');
    expect(notices).toEqual(['jobs.swf: 1 line is refused: its processors are unknown (fields 5 and 8) (line 5).']);
  });

  it('simulates a run once for mappers that do not change it', () => {
    const ready = prepared({
      stream: computing,
      experiment: { map: [choice('row-major'), choice('rcb'), choice('random')] },
    });
    const [one, , other] = measured(ready);
    expect(one?.turnaround).toBe(other?.turnaround);
    expect(one?.averageHops).not.toBe(other?.averageHops);
    expect(measured(ready)).toEqual(
      ready.plan.points.map((point) => measured({ ...ready, plan: { ...ready.plan, points: [point] } })[0]),
    );
  });

  it('repeats a replication with random numbers of its own', () => {
    const [once, thrice] = [1, 3].map((repeat) => prepared({ experiment: { repeat } }));
    const [single, mean] = [measured(once!)[0], measured(thrice!)[0]];
    expect(mean?.turnaround).not.toBe(single?.turnaround);
    expect(measured(thrice!)[0]).toEqual(mean);
    const jobs = [once!, thrice!].map(
      ({ plan, replicate }) => valueOf(replicate(plan.points[0]!, 1, neverCancelled)).jobs,
    );
    expect(jobs).toEqual([60, 180]);
  });

  it('says that jobs arrive faster than they are served', () => {
    const ready = prepared({ experiment: { vary: [{ path: 'arrivals.rate', values: [5] }] } });
    const { notices = [] } = valueOf(ready.replicate(ready.plan.points[0]!, 1, neverCancelled));
    expect(notices.join()).toMatch('Beyond saturation');
  });

  it('fails with the circle of packets where the network is in a deadlock', () => {
    const ready = prepared({
      machine: { ...machine, topology: numbers('torus', [6, 6]) },
      stream: {
        traffic: choice('all-to-all', { order: 'ring' }),
        jobs: {
          ...stream.jobs,
          size: { kind: 'sides', width: choice('constant', { value: 6 }), height: choice('constant', { value: 6 }) },
        } as never,
      },
    });
    const result = runExperiment(ready.plan, poolOfOneThread(ready.plan, ready.replicate), environment);
    const message = result.points[0]?.replications[0]?.failure?.message ?? '';
    expect(message).toMatch(
      /deadlocked since cycle \d+.*Cyclic channel dependency: packet \d+ waits for link \d+ → \d+/,
    );
  });

  const failures: readonly (readonly [string, Changes, string, RegExp])[] = [
    ['no network', { experiment: { network: undefined as never } }, 'no-network', /network wormhole/],
    [
      'two virtual channels',
      { experiment: { network: { switching: 'wormhole', channels: 2 } } },
      'not-evaluated-yet',
      /channels 2/,
    ],
    [
      'cut-through',
      { experiment: { network: { switching: 'cut-through' } } },
      'not-evaluated-yet',
      /switching cut-through/,
    ],
    ['bytes without flits', { stream: { messageLength: { unit: 'bytes', amount: 64 } } }, 'bad-stream', /flit 4 B/],
    [
      'latency without messages',
      { stream: computing, experiment: { report: ['latency'] } },
      'bad-experiment',
      /latency/,
    ],
    [
      'a machine without coordinates',
      { machine: { ...machine, topology: { name: 'fat-tree', options: { k: 4, n: 2 } } } },
      'no-coordinates',
      /coordinates/,
    ],
    ['a machine that cannot be', { machine: { ...machine, topology: numbers('mesh', [0, 6]) } }, 'invalid-shape', /./],
    [
      'a search in seconds',
      { stream: computing, experiment: { map: [choice('auto', { budget: { kind: 'seconds', amount: 1 } })] } },
      'time-budget',
      /steps/,
    ],
    [
      'a rate of 0',
      { experiment: { vary: [{ path: 'arrivals.rate', values: [0.1, 0] }] } },
      'bad-distribution',
      /rate/,
    ],
    ['half a message', { experiment: { vary: [{ path: 'messages', values: [1.5] }] } }, 'bad-stream', /whole/],
    [
      'run times that nobody knows',
      { experiment: { schedule: [choice('easy', { order: 'fifo' })] } },
      'no-estimates',
      /run-time estimates/,
    ],
    ['a log that was not read', { stream: logged() }, 'bad-stream', /not read/],
  ];
  it.each(failures)('fails with a sentence: %s', (_, changes, code, message) => {
    const made = prepare(changes);
    expect(made.ok ? 'none' : made.failure.code).toBe(code);
    expect(made.ok ? '' : made.failure.message).toMatch(message);
  });

  it('is cancelled before the next point is tried', () => {
    let looks = 0;
    const made = prepareExperiment(
      { experiment, machine, stream, version: '1' },
      { cancellation: { isCancelled: () => looks++ > 0 } },
    );
    expect(made).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
    expect(looks).toBe(2);
  });

  it('knows of a log that no seed has a part in it, unless nodes are drawn', () => {
    const fixedWith = (allocator: string) => {
      const experiment = { allocate: [choice(allocator)], schedule: [choice('fcfs')] };
      const { plan, replicate } = prepared({ stream: logged('file:///jobs.swf'), log: logOf([1, 2, 3]), experiment });
      const done = replicate(plan.points[0]!, 1, neverCancelled);
      if (!done.ok) throw new Error(done.failure.message);
      return done.value.isFixed === true;
    };
    expect(fixedWith('first-fit')).toBe(true);
    expect(fixedWith('random')).toBe(false);
  });

  it('has a fingerprint of what replications depend on, and of nothing else', () => {
    const { fingerprint } = prepared();
    const same: Changes[] = [
      { experiment: { replications: { kind: 'until', precision: 0.05, confidence: 0.95, atMost: 100 } } },
      { experiment: { compare: [{ kind: 'paired-ratio', to: 'rbs' }] } },
    ];
    const others: Changes[] = [
      { stream: { messages: 2 } },
      { machine: { ...machine, topology: numbers('mesh', [6, 7]) } },
      { experiment: { network: { switching: 'wormhole', buffer: 2 } } },
      { experiment: { schedule: [choice('out-of-order')] } },
      { experiment: { repeat: 2 } },
      { form: 'short', stream: { end: { kind: 'completed', jobs: 59 } } },
    ];
    for (const changes of same) expect(prepared(changes).fingerprint).toBe(fingerprint);
    const different = others.map((changes) => prepared(changes).fingerprint);
    expect(new Set([fingerprint, ...different]).size).toBe(others.length + 1);
    const withLog = (uri: string, sizes: readonly number[]) =>
      prepared({ stream: logged(uri), log: logOf(sizes) }).fingerprint;
    expect(withLog('file:///elsewhere/jobs.swf', [1, 2])).toBe(withLog('file:///here/jobs.swf', [1, 2]));
    expect(withLog('file:///here/jobs.swf', [1, 3])).not.toBe(withLog('file:///here/jobs.swf', [1, 2]));
  });

  it('is cut as the experiment says, whichever form is asked for', () => {
    const forms = { short: { replications: 3, jobs: 40 }, middle: { replications: 5, repeat: 2 } };
    const cut = (form: 'short' | 'middle', stream = {}) =>
      prepared({ form, experiment: { repeat: 4, replications: { kind: 'seeds', from: 7, to: 30 }, forms }, ...stream });
    expect(cut('short').plan.replications).toEqual({ kind: 'seeds', from: 7, to: 9 });
    expect(cut('short').notices).toEqual(['A short run: 3 replications of 2 points, 40 jobs each.']);
    expect(cut('middle').notices).toEqual(['A middle run: 5 replications of 2 points, 60 jobs each.']);
    expect(cut('middle').fingerprint).not.toBe(cut('short').fingerprint);
    const missing = prepare({ form: 'middle' });
    expect(missing.ok ? '' : missing.failure.message).toMatch(/has no `middle` variant. Write/);
  });

  it('is a short run at the quoted values, with few replications and few jobs', () => {
    const long = {
      vary: [{ path: 'arrivals.rate', values: [0.01, 0.02, 0.03] }],
      quoted: [{ metric: 'turnaround', of: ['rbs'], at: [{ path: 'arrivals.rate', value: 0.02 }], value: 1 }],
      replications: { kind: 'until', precision: 0.05, confidence: 0.95, atMost: 2000 },
    } as const;
    const { plan, notices } = prepared({ form: 'short', experiment: long });
    expect(plan.vary).toEqual([{ path: 'arrivals.rate', values: [0.02] }]);
    expect(plan.replications).toEqual({ kind: 'seeds', from: 1, to: 20 });
    expect(notices).toEqual(['A short run: 20 replications of 2 points, 60 jobs each.']);
    const heavy = prepared({
      form: 'short',
      experiment: long,
      stream: {
        messages: 100_000,
        traffic: choice('all-to-all', { order: 'ascending' }),
        end: { kind: 'completed', jobs: 1000 },
      },
    });
    expect(heavy.notices).toEqual(['A short run: 4 replications of 2 points, 300 jobs each.']);
    const cut = prepared({ form: 'short', stream: logged(), log: logOf(Array.from({ length: 5100 }, () => 2)) });
    expect(valueOf(cut.replicate(cut.plan.points[0]!, 1, neverCancelled)).jobs).toBe(5000);
  });

  const even = choice('uniform', { from: 1, to: 16 });
  const falling = choice('decreasing', { limits: [2, 4, 8, 16], shares: [0.4, 0.2, 0.2, 0.2] });
  it.each([
    ['one-to-all', even, 9e-4],
    ['one-to-all', falling, 5e-3],
    ['all-to-all', falling, 5e-4],
    ['near-neighbour', even, 0.012],
    ['near-neighbour', falling, 0.04],
  ] as const)(
    'estimates the channels that packets take in jobs of %s messages, whatever the allocator',
    (traffic, side, rate) => {
      // Each all-to-all sends very many packets.
      const jobs = traffic === 'all-to-all' ? casesOf(40, 120) : casesOf(80, 300);
      const { seconds, plan, traceReplication } = prepared({
        machine: { ...machine, topology: numbers('mesh', [16, 16]) },
        experiment: {
          allocate: [choice('rbs'), choice('mbs'), choice('first-fit')],
          replications: { kind: 'seeds', from: 1, to: 1 },
        },
        stream: {
          jobs: {
            kind: 'distributions',
            arrivals: choice('exponential', { rate }),
            size: { kind: 'sides', width: side, height: side },
          },
          traffic: choice(traffic),
          end: { kind: 'completed', jobs },
        },
      });
      const taken = plan.points.map((point) => {
        const { messages } = valueOf(traceReplication(point, 0, neverCancelled)).run;
        const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
        return sum(messages!.hops) + 2 * sum(messages!.packets);
      });
      // Seconds of a point: 1e-5 a job, 9e-8 a channel.
      const estimate = (seconds / 3 - jobs * 1e-5) / 9e-8;
      for (const channels of taken) {
        expect(estimate / channels).toBeGreaterThan(0.6);
        expect(estimate / channels).toBeLessThan(1.7);
      }
    },
  );

  it('estimates the time of mappers by the jobs and by what each mapper takes', () => {
    const secondsWith = (map: readonly string[], side: number): number =>
      prepared({
        machine: { ...machine, topology: numbers('mesh', [64, 64]) },
        stream: {
          ...computing,
          jobs: {
            kind: 'distributions',
            arrivals: choice('exponential', { rate: 0.01 }),
            size: {
              kind: 'sides',
              width: choice('constant', { value: side }),
              height: choice('constant', { value: side }),
            },
          },
        },
        experiment: { map: map.map((name) => choice(name)), replications: { kind: 'seeds', from: 1, to: 1 } },
      }).seconds;
    // 60 jobs with two allocators; a millisecond or two a point for the jobs themselves.
    expect(secondsWith(['incremental'], 32) / (120 * 1024 * 5e-6)).toBeCloseTo(1, 1);
    expect(secondsWith(['rcb'], 32)).toBeLessThan(secondsWith(['incremental'], 32) / 2);
    expect(secondsWith(['incremental', 'rcb'], 32)).toBeCloseTo(
      secondsWith(['incremental'], 32) + secondsWith(['rcb'], 32),
      9,
    );
    // Cubic: jobs that are four times as large.
    expect(secondsWith(['grasp'], 32) / secondsWith(['grasp'], 16)).toBeGreaterThan(30);
  });

  it('estimates the mapping of a log by jobs from all over it, of those that are mapped', () => {
    const secondsOf = (sizes: readonly number[]): number =>
      prepared({
        stream: logged(),
        log: logOf(sizes),
        experiment: {
          schedule: [choice('fcfs')],
          map: [choice('rcb')],
          report: ['averageHops'],
          replications: { kind: 'seeds', from: 1, to: 1 },
        },
      }).seconds;
    const count = 3000;
    const even = (size: (job: number) => number): number =>
      secondsOf(Array.from({ length: count }, (_, job) => size(job)));
    const [small, large] = [even(() => 4), even(() => 16)];
    expect(large).toBeGreaterThan(1.5 * small);
    // The first jobs are small, or large, or every other one: the mean is the same.
    for (const sizes of [(job: number) => (job < count / 2 ? 4 : 16), (job: number) => (job < count / 2 ? 16 : 4)])
      expect(even(sizes)).toBeCloseTo((small + large) / 2, 2);
    // Seven in a row do not fit the machine of 6 x 6, one has no neighbours, and 40 are refused.
    expect(even(() => 7)).toBeLessThan(small);
    expect([even(() => 1), even(() => 40)]).toEqual([even(() => 7), even(() => 7)]);
  });

  it('estimates its time to an order of magnitude', () => {
    const [few, many] = [1, 100].map((to) =>
      prepared({ experiment: { replications: { kind: 'seeds', from: 1, to } } }),
    );
    expect(many!.seconds / few!.seconds).toBeCloseTo(100);
    expect(few!.seconds).toBeGreaterThan(0.001);
    expect(few!.seconds).toBeLessThan(1);
  });
});
