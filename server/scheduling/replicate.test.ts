import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { Choice } from '../model/catalogue.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import type { StreamDescription } from '../model/stream.ts';
import { gridMachine } from '../network/testing/machines.ts';
import type { PacketSource } from '../simulation/messages.ts';
import { streamNetwork } from '../simulation/engines.ts';
import { HeaderEvents } from '../simulation/engines/headers/headerEvents.ts';
import { wormhole } from '../simulation/engines/headers/wormhole.ts';
import { thesisOptions } from '../simulation/engines/headers/wormholeOptions.ts';
import { replicate, type ReplicationRequest } from './replicate.ts';
import { drawnStream } from './testing/streams.ts';
import { casesOf } from '../model/testing/thoroughness.ts';

const choice = (name: string, options: Choice['options'] = {}): Choice => ({ name, options });

/** Jobs of one processor each, in Poisson arrivals. */
const stream = (rate: number, service: Choice, jobs: number): StreamDescription =>
  drawnStream(
    {
      arrivals: choice('exponential', { rate }),
      size: { kind: 'processors', processors: choice('constant', { value: 1 }) },
    },
    {
      service: { kind: 'distribution', distribution: service },
      end: { kind: 'completed', jobs },
      warmUp: { kind: 'jobs', jobs: Math.floor(jobs / 20) },
    },
  );

const run = (request: Partial<ReplicationRequest> & Pick<ReplicationRequest, 'stream'>) =>
  replicate({ seed: 1, nodeCount: 1, schedule: choice('fcfs'), cancellation: neverCancelled, ...request });

function expectOutcome(request: Parameters<typeof run>[0]) {
  const result = run(request);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

/** Probability that all of c servers are busy, for a load of a in Erlangs. */
function erlangC(servers: number, load: number): number {
  let blocking = 1;
  for (let server = 1; server <= servers; server++) blocking = (load * blocking) / (server + load * blocking);
  return blocking / (1 - (load / servers) * (1 - blocking));
}

const exponential = choice('exponential', { mean: 1 });

it('gives no job a node that does not work, and measures the use of the others', () => {
  const busy = stream(4, choice('constant', { value: 1 }), 2000);
  const broken = Uint8Array.from([0, 1, 0, 0, 1, 0]);
  const { run: kept, metrics } = expectOutcome({ stream: busy, nodeCount: 6, broken, keepNodes: true });
  const used = new Set(kept.nodes.flatMap((nodes) => [...(nodes ?? [])]));
  expect([...used].sort()).toEqual([0, 2, 3, 5]);
  // Four jobs of a node and a cycle arrive in a cycle, as many as four nodes serve.
  expect(metrics.utilisation).toBeGreaterThan(0.9);
  expect(metrics.utilisation).toBeLessThanOrEqual(1);
});

describe('waiting times of queues with known ones', () => {
  it.each([
    { name: 'M/M/1', rate: 0.6, service: exponential, servers: 1, expected: 0.6 / 0.4 },
    { name: 'M/D/1', rate: 0.7, service: choice('constant', { value: 1 }), servers: 1, expected: 0.7 / 0.6 },
    { name: 'M/M/5', rate: 4, service: exponential, servers: 5, expected: erlangC(5, 4) },
  ])('$name', ({ rate, service, servers, expected }) => {
    const waits = Array.from({ length: 12 }, (_, seed) => {
      const { metrics } = expectOutcome({ stream: stream(rate, service, 8000), seed, nodeCount: servers });
      expect(Math.abs(metrics.utilisation - rate / servers)).toBeLessThan(0.06);
      // Little's law of the queue, up to what waits at both ends.
      expect(metrics.queueLength / (metrics.throughput * metrics.waiting)).toBeCloseTo(1, 1);
      return metrics.waiting;
    });
    const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
    const deviation = Math.sqrt(waits.reduce((sum, wait) => sum + (wait - mean) ** 2, 0) / (waits.length - 1));
    // Student's quantile for 11 degrees of freedom and one seed in 1,000.
    expect(Math.abs(mean - expected)).toBeLessThan((4.44 * deviation) / Math.sqrt(waits.length));
  });
});

describe('intervals of ten replications', () => {
  it('hold the true mean of M/M/1 in about 95 % of experiments', () => {
    const [experiments, replications] = [casesOf(60, 200), 10];
    let held = 0;
    for (let experiment = 0; experiment < experiments; experiment++) {
      const waits = Array.from({ length: replications }, (_, replication) => {
        const seed = experiment * replications + replication;
        return expectOutcome({ stream: stream(0.5, exponential, 400), seed }).metrics.waiting;
      });
      const mean = waits.reduce((sum, wait) => sum + wait, 0) / replications;
      const deviation = Math.sqrt(waits.reduce((sum, wait) => sum + (wait - mean) ** 2, 0) / (replications - 1));
      // Student's quantile for 9 degrees of freedom; a customer waits ρ / (1 − ρ) services on average.
      if (Math.abs(mean - 1) <= (2.262157 * deviation) / Math.sqrt(replications)) held++;
    }
    // Within four standard errors of such a share.
    expect(Math.abs(held / experiments - 0.95)).toBeLessThan(4 * Math.sqrt((0.95 * 0.05) / experiments));
  });
});

describe('a replication', () => {
  it('has the same jobs whatever the scheduler is, and others with another seed', () => {
    const jobsOf = (seed: number, name: string) => [
      ...expectOutcome({
        stream: stream(0.5, exponential, 200),
        seed,
        schedule: choice(name),
      }).run.jobs.submit.subarray(0, 150),
    ];
    expect(jobsOf(3, 'easy')).toEqual(jobsOf(3, 'fcfs'));
    expect(jobsOf(4, 'fcfs')).not.toEqual(jobsOf(3, 'fcfs'));
  });

  it('beyond saturation says so', () => {
    const { metrics, run: done } = expectOutcome({ stream: stream(5, exponential, 500) });
    expect(done.notices).toEqual([expect.stringMatching(/^Beyond saturation: [\d,]+ of [\d,]+ jobs are waiting/)]);
    expect(metrics.utilisation).toBeGreaterThan(0.95);
  });

  it('that would never end stops at its limits', () => {
    const limits = { arrivedJobs: 5000, waitingJobs: 1000 };
    const tooLarge = stream(5, exponential, 500);
    const refusing = {
      ...tooLarge,
      jobs: { ...tooLarge.jobs, size: { kind: 'processors', processors: choice('constant', { value: 2 }) } },
    } as StreamDescription;
    const refused = expectOutcome({ stream: refusing, limits }).run;
    expect(refused.end).toBe('too-many-jobs');
    expect(refused.refusals[0]).toMatchObject({
      count: 5000,
      reason: "it asks for more processors than the machine's 1",
    });
    expect(expectOutcome({ stream: stream(1e6, exponential, 500), limits }).run.end).toBe('too-many-waiting');
  });

  it('with a queue of tens of thousands goes on, with any scheduler', () => {
    const jobs = casesOf(20_000, 120_000);
    const crowd = { ...stream(1e9, exponential, 1e9), end: { kind: 'arrived', jobs } } as StreamDescription;
    for (const name of ['fcfs', 'ssd', 'easy']) {
      expect(expectOutcome({ stream: crowd, schedule: choice(name), nodeCount: 50 }).run.completed).toHaveLength(jobs);
    }
  });

  it('ends when it is cancelled', () => {
    let looks = 0;
    const result = run({ stream: stream(0.5, exponential, 1e9), cancellation: { isCancelled: () => ++looks > 3 } });
    expect(!result.ok && result.failure.code).toBe('cancelled');
    expect(looks).toBe(4);
  });

  it.each([
    [{ schedule: choice('lottery') }, /Unknown scheduler 'lottery'/],
    [{ stream: { ...stream(1, exponential, 9), service: { kind: 'network' } } }, /needs a network/],
    [
      { schedule: choice('easy'), stream: { ...stream(1, exponential, 9), service: { kind: 'network' } } },
      /needs run-time estimates/,
    ],
    [{ stream: { ...stream(1, exponential, 9), service: { kind: 'log' } } }, /has no log/],
  ] as const)('that cannot be is refused: %#', (request, message) => {
    const result = run({ stream: stream(1, exponential, 9), ...request });
    expect(!result.ok && result.failure.message).toMatch(message);
  });
});

describe('service from the network', () => {
  const sent = (width: number, pattern: string, times: readonly number[]): StreamDescription =>
    drawnStream(
      {
        arrivals: { ...choice('at'), argument: { kind: 'numbers', numbers: times } },
        size: { kind: 'sides', width: choice('constant', { value: width }), height: choice('constant', { value: 1 }) },
      },
      {
        traffic: choice(pattern, { root: 'first', order: 'ascending' }),
        service: { kind: 'network' },
        end: { kind: 'all' },
      },
    );
  const endsOf = (stream: StreamDescription): number[] => {
    const network = streamNetwork({ switching: 'wormhole' }, gridMachine('mesh', [4, 4]));
    if (!network.ok) throw new Error(network.failure.message);
    return [...expectOutcome({ stream, nodeCount: 16, network: network.value, keepNodes: true }).run.ends];
  };

  it('ends with the last packet: (hops + 2)(t_s + 1) + flits − 1 cycles for one alone', () => {
    // One hop, and arrivals between two cycles are seen at the next.
    expect(endsOf(sent(2, 'one-to-all', [0, 99.5]))).toEqual([19, 119]);
  });

  it.each<NetworkModel>([
    { switching: 'wormhole', channels: 2 },
    { switching: 'cut-through' },
    { switching: 'store-and-forward' },
    { switching: 'flow' },
  ])('comes from every engine: $switching', (model) => {
    const network = streamNetwork(model, gridMachine('mesh', [4, 4]));
    if (!network.ok) throw new Error(network.failure.message);
    const stream = sent(2, 'all-to-all', [0, 99.5]);
    const { run } = expectOutcome({ stream, nodeCount: 16, network: network.value });
    const [first, second] = [...run.ends];
    expect(first).toBeGreaterThan(0);
    expect(second! - 100).toBe(first);
    expect([...run.messages!.packets]).toEqual([2, 2]);
  });

  it('lasts one cycle without messages', () => {
    expect(endsOf(sent(1, 'all-to-all', [0, 0, 7]))).toEqual([1, 1, 8]);
  });

  // Of a job of 3 x 2 processes, as the thesis has them: the root to 0, 1, 2 … without itself, each to all others in that order, to the left,
  // right, up and down in the job's own grid; a second iteration after the first.
  it.each<[pattern: string, options: Choice['options'], sent: readonly (readonly number[])[]]>([
    ['one-to-all', { root: 'first' }, [[1, 2, 3, 4, 5], [], [], [], [], []]],
    ['all-to-all', {}, [0, 1, 2, 3, 4, 5].map((own) => [0, 1, 2, 3, 4, 5].filter((other) => other !== own))],
    ['all-to-all', { order: 'ring' }, [0, 1, 2, 3, 4, 5].map((own) => [1, 2, 3, 4, 5].map((step) => (own + step) % 6))],
    [
      'near-neighbour',
      {},
      [
        [1, 3],
        [0, 2, 4],
        [1, 5],
        [4, 0],
        [3, 5, 1],
        [4, 2],
      ],
    ],
  ])('%s %o: messages leave in the order of the sheet', (pattern, options, sent) => {
    const deliveries: { packet: number; start: number }[] = [];
    const network = wormhole(gridMachine('mesh', [4, 4]), thesisOptions, (_, packet, start) => {
      deliveries.push({ packet, start });
    });
    if (!network.ok) throw new Error(network.failure.message);
    const sources: PacketSource[] = [];
    const twice: StreamDescription = {
      ...drawnStream(
        {
          arrivals: { ...choice('at'), argument: { kind: 'numbers', numbers: [0] } },
          size: { kind: 'sides', width: choice('constant', { value: 3 }), height: choice('constant', { value: 2 }) },
        },
        { traffic: choice(pattern, options), service: { kind: 'network' }, end: { kind: 'all' } },
      ),
      messages: 2,
    };
    const placeProcesses: ReplicationRequest['placeProcesses'] = (_, __, nodes, source) => {
      sources.push(source);
      return nodes;
    };
    expectOutcome({
      stream: twice,
      nodeCount: 16,
      network: new HeaderEvents(network.value, { packing: { flitBytes: 4 }, secondsPerCycle: undefined }),
      placeProcesses,
    });
    const [source] = sources;
    const both = sent.map((to) => [...to, ...to]);
    expect(both.map((to, own) => to.map((_, index) => source?.destinationOf(own, index)))).toEqual(both);
    expect(both.map((_, own) => source?.packetsOf(own))).toEqual(both.map(({ length }) => length));
    // Packets are numbered process by process; each begins after the one before it of the same process.
    const starts = deliveries.toSorted((a, b) => a.packet - b.packet).map(({ start }) => start);
    let first = 0;
    for (const { length } of both) {
      const own = starts.slice(first, first + length);
      expect(own.every((start, index) => index === 0 || start > (own[index - 1] ?? 0))).toBe(true);
      first += length;
    }
    expect(starts).toHaveLength(first);
  });

  it.each(['one-to-all', 'all-to-all', 'random', 'near-neighbour'])('%s: every job leaves', (pattern) => {
    const ends = endsOf(sent(4, pattern, [0, 0, 0, 0, 0, 1, 30, 30]));
    expect(ends.every((end) => end >= 19 && end < 2000)).toBe(true);
  });
});
