import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../../model/cancellation.ts';
import type { Machine } from '../../../model/machine.ts';
import { seededRandom } from '../../../model/random.ts';
import { exponentialDeviate } from '../../../numeric/elementary.ts';
import { gridMachine } from '../../../network/testing/machines.ts';
import { infiniHostHandling } from '../../../queueing/testing/paperWorkloads.ts';
import { pathServers, serviceTime, waitingTime } from '../../../queueing/servers.ts';
import type { Job } from '../../../model/job.ts';
import { mapTogether, problemsOf } from '../../../mapping/contention/testing/paperWorkloads.ts';
import {
  fixedWorkload,
  kilobyte,
  megabyte,
  mixedWorkload,
  paperCluster,
} from '../../../queueing/testing/paperWorkloads.ts';
import type { MessageObserver } from '../../messages.ts';
import { defaultServerOptions, remoteCopy, type ServerNetwork, serverNetwork, type ServerOptions } from './servers.ts';
import { plainServers } from '../../testing/plainServers.ts';

const cluster = paperCluster();
const { figures } = defaultServerOptions(cluster);

function make(
  machine: Machine = cluster,
  more: Partial<ServerOptions> = {},
  seed = 1,
  observer: MessageObserver = {},
): ServerNetwork {
  const made = serverNetwork(machine, { ...defaultServerOptions(machine), ...more }, seededRandom(seed), observer);
  if (!made.ok) throw new Error(made.failure.message);
  return made.value;
}

/** Cycle in which each message arrives, of messages sent at the ends of their cycles, by order of sending. */
function arrivals(
  network: ServerNetwork,
  messages: readonly { at: number; from: number; to: number; bytes: number }[],
  step = Infinity,
): number[] {
  const ends: number[] = [];
  const indexOf = new Map<number, number>();
  let next = 0;
  for (let calls = 0; calls < 1e6; calls++) {
    for (const message of network.arrived) ends[indexOf.get(message)!] = network.now;
    while (messages[next]?.at === network.now) {
      const { from, to, bytes } = messages[next]!;
      indexOf.set(network.send(from, to, bytes), next++);
    }
    if (network.messagesUnderWay === 0 && next === messages.length) return ends;
    network.advance(Math.min(messages[next]?.at ?? Infinity, network.now + step), neverCancelled);
  }
  throw new Error('The messages never arrived.');
}

describe('a message alone in the cluster of servers', () => {
  it.each([
    ['1 kB', kilobyte],
    ['64 kB', 64 * kilobyte],
    ['2 MB', 2 * megabyte],
  ])('of %s between nodes takes the service times of equations 2 to 4', (_, bytes) => {
    const service = pathServers.reduce((sum, server) => sum + serviceTime(server, bytes, figures), 0);
    expect(arrivals(make(), [{ at: -1, from: 0, to: 255, bytes }])).toEqual([Math.ceil(service * 1e9 - 1e-6) - 1]);
  });

  it('within a node is copied twice, across sockets the second time a tenth slower', () => {
    const copy = (64 * kilobyte) / 4;
    const ends = [1, 4].map((to) => arrivals(make(), [{ at: -1, from: 0, to, bytes: 64 * kilobyte }])[0]);
    expect(ends).toEqual([2 * copy - 1, Math.ceil((1 + remoteCopy) * copy) - 1]);
  });

  it('within a socket takes the cache where there is one and it fits into its buffer', () => {
    const end = (to: number, bytes: number): number =>
      arrivals(make(cluster, { cache: 8e9 }), [{ at: -1, from: 0, to, bytes }])[0]!;
    expect(end(1, megabyte)).toBe(megabyte / 4 - 1);
    expect(end(1, 2 * megabyte)).toBe(megabyte - 1);
    expect(end(4, kilobyte)).toBe(Math.ceil(256 * (1 + remoteCopy)) - 1);
  });

  it('is sent at once and tells the observer of its ports', () => {
    const crossed: number[][] = [];
    const delivered: number[][] = [];
    const network = make(cluster, {}, 1, {
      crossed: (...call) => crossed.push(call),
      delivered: (...call) => delivered.push(call),
    });
    const message = network.send(16, 0, kilobyte);
    expect(network.advance(1e9, neverCancelled)).toBe('events');
    expect([network.now, network.sent, network.arrived]).toEqual([0, [message], []]);
    expect(network.advance(1e9, neverCancelled)).toBe('events');
    expect([network.sent, network.arrived, network.messagesUnderWay]).toEqual([[], [message], 0]);
    const handling = infiniHostHandling(kilobyte) * 1e9;
    const out = Math.floor(2 * handling + 256);
    expect(crossed.map(([channel]) => channel)).toEqual([2, 1]);
    expect(crossed[0]![1]).toBe(out);
    expect(crossed.every((call) => Math.abs(call[2]! - kilobyte - 1 / 2) <= 1 / 2)).toBe(true);
    expect(delivered).toEqual([[message, 0, network.now, 0, kilobyte]]);
    expect(network.advance(1e9, neverCancelled)).toBe('reached');
    expect(network.now).toBe(1e9);
  });
});

describe('messages that meet in the cluster of servers', () => {
  const random = seededRandom(7);
  const messagesOf = (count: number, gap: number, slots: number, sizes: readonly number[]) => {
    let at = -1;
    return Array.from({ length: count }, () => {
      if (random.fraction() < 0.7) at += Math.floor(gap * exponentialDeviate(random));
      const from = random.integer(slots);
      return {
        at,
        from,
        to: (from + 1 + random.integer(slots - 1)) % slots,
        // Sizes that are not whole: nothing ever happens twice at one time.
        bytes: sizes[random.integer(sizes.length)]! - random.fraction(),
      };
    });
  };

  it.each([
    { name: 'light', gap: 400_000, sizes: [kilobyte, 64 * kilobyte], machine: cluster },
    { name: 'overloaded', gap: 3_000, sizes: [kilobyte, 3000, 64 * kilobyte], machine: paperCluster(3, 2, 2) },
    { name: 'large', gap: 1_000_000, sizes: [megabyte, 2 * megabyte, kilobyte], machine: paperCluster(4, 2, 4) },
    { name: 'one node', gap: 10_000, sizes: [64 * kilobyte, 100], machine: paperCluster(1, 4, 4) },
  ])('arrive when a plain simulation, server by server, says: $name', ({ gap, sizes, machine }) => {
    for (let repetition = 0; repetition < 3; repetition++) {
      const messages = messagesOf(400, gap, machine.slotCount, sizes);
      for (const cache of [undefined, 9e9]) {
        const options = { ...defaultServerOptions(machine), ...(cache === undefined ? {} : { cache }) };
        const plain = plainServers(machine, options, messages);
        const network = make(machine, options);
        expect(arrivals(network, messages)).toEqual(plain.arrived);
        const waits = network.serverFigures();
        const { visits, waited, busy } = network.serverUse();
        expect([...busy].every((value, server) => value > 0 === (visits[server] ?? 0) > 0)).toBe(true);
        expect(waited.reduce((sum, value) => sum + value, 0)).toBeCloseTo(
          Object.values(plain.waiting).reduce((sum, value) => sum + value, 0),
          3,
        );
        for (const [kind, waiting] of Object.entries(plain.waiting))
          expect(waits[kind as keyof typeof waits].waiting).toBeCloseTo(waiting * 1e-9, 9);
      }
    }
  });

  it('arrive in the same cycles however the time between is cut, with random service too', () => {
    const messages = messagesOf(200, 50_000, 256, [kilobyte, 64 * kilobyte]);
    for (const variation of [0, 1, 2.5]) {
      const whole = arrivals(make(cluster, { variation }), messages);
      expect(arrivals(make(cluster, { variation }), messages, 1000)).toEqual(whole);
    }
  });

  it('wait for the port behind one another, as waiting says', () => {
    const network = make();
    // Two cores on two sockets of node 0: both reach its port at once, the second one waits while the first one goes out.
    const [first, second] = [network.send(0, 16, 64 * kilobyte), network.send(4, 32, 64 * kilobyte)];
    const atPort = Math.ceil(2 * infiniHostHandling(64 * kilobyte) * 1e9 + 16 * kilobyte);
    while (network.now < atPort) network.advance(atPort, neverCancelled);
    expect(network.waiting()).toEqual([{ packet: second, transmission: second, holds: [], wants: 0 }]);
    while (network.now < atPort + 65 * kilobyte) network.advance(atPort + 65 * kilobyte, neverCancelled);
    expect(network.waiting()).toEqual([]);
    expect(first).not.toBe(second);
  });

  it('go on after a cancellation as if there had been none', () => {
    const messages = messagesOf(5_000, 20_000, 256, [kilobyte]);
    const run = (isCancelled: () => boolean): [string, number, number] => {
      const network = make();
      for (const { from, to, bytes } of messages) network.send(from, to, bytes);
      let cancelled = 0;
      let sum = 0;
      while (network.messagesUnderWay > 0) {
        const why = network.advance(1e12, { isCancelled });
        if (why === 'cancelled') cancelled++;
        else sum += network.now * network.arrived.length;
      }
      return [cancelled > 0 ? 'cancelled' : 'undisturbed', sum, network.now];
    };
    let polls = 0;
    const disturbed = run(() => polls++ % 3 === 0);
    const [, ...undisturbed] = run(() => false);
    expect(disturbed).toEqual(['cancelled', ...undisturbed]);
  });
});

describe('waiting times against the analytic model', () => {
  /** Mean wait per message in each of 20 batches, of a stream of Poisson arrivals from one core to another node. */
  function waitsOf(
    kinds: readonly ('queuePair' | 'port')[],
    variation: number,
    rate: number,
    bytes: number,
  ): number[][] {
    const network = make(cluster, { variation }, 5);
    const random = seededRandom(3);
    const batches: number[][] = [];
    let before = kinds.map(() => 0);
    let time = 0;
    for (let batch = -1; batch < 20; batch++) {
      for (let message = 0; message < 2000; message++) {
        time += exponentialDeviate(random) / rate / 1e-9;
        const at = Math.floor(time);
        while (network.now < at) network.advance(at, neverCancelled);
        network.send(0, 16, bytes);
      }
      const waits = network.serverFigures();
      const sums = kinds.map((kind) => waits[kind].waiting);
      // The first batch warms up.
      if (batch >= 0) batches.push(sums.map((sum, index) => (sum - before[index]!) / 2000));
      before = sums;
    }
    return kinds.map((_, index) => batches.map((batch) => batch[index]!));
  }

  /** Mean and its standard error. */
  const estimate = (values: readonly number[]): { mean: number; error: number } => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return { mean, error: Math.sqrt(squares / (values.length * (values.length - 1))) };
  };

  it.each([
    // Two queue pairs, two ports on the way; constant service leaves nothing to wait for behind the first queue pair.
    { name: 'M/M/1 at queue pairs: eq 6 with Poisson arrivals', variation: 1, kind: 'queuePair', factor: 2 },
    { name: 'M/M/1 at ports', variation: 1, kind: 'port', factor: 2 },
    { name: 'M/D/1: constant service waits half of that', variation: 0, kind: 'queuePair', factor: 1 / 2 },
    { name: 'M/G/1: gamma of variation 2 waits 5/2 of that', variation: 2, kind: 'queuePair', factor: undefined },
  ] as const)('$name', ({ variation, kind, factor }) => {
    const [bytes, rate] = [megabyte, 900];
    const service = serviceTime(kind === 'port' ? 'port out' : 'source queue pair', bytes, figures);
    const [waits] = waitsOf([kind], variation, rate, bytes);
    const { mean, error } = estimate(waits!);
    expect(error).toBeLessThan(mean / 4);
    const alone = waitingTime(rate * service, service, 1);
    if (factor === undefined) expect(mean).toBeGreaterThan((5 / 2) * alone - 3 * error);
    else expect(Math.abs(mean - factor * alone)).toBeLessThan(3 * error);
  });
});

describe('a network of queues that cannot be', () => {
  it.each([
    { machine: gridMachine('torus', [4, 4]), more: {}, says: /16 routers/ },
    { machine: cluster, more: { variation: -1 }, says: /variation of service times is -1/ },
    { machine: cluster, more: { cache: 0 }, says: /cache bandwidth is 0/ },
  ])('says why: $says', ({ machine, more, says }) => {
    const made = serverNetwork(machine, { ...defaultServerOptions(machine), ...more }, seededRandom(1));
    expect(made.ok ? '' : made.failure.message).toMatch(says);
  });
});

describe('the mappers of figure 9 of Soryani et al., simulated', () => {
  /** Milliseconds that messages of a workload wait at memories and interfaces, 8 of each pair at the rates of its jobs. */
  function waitsOf(jobs: readonly Job[], mappings: readonly Int32Array[]): number {
    const random = seededRandom(11);
    const messages = jobs.flatMap(({ traffic, messageBytes = 0, rate = 0 }, index) => {
      const slots = mappings[index]!;
      return Array.from({ length: traffic.taskCount }, (_, task) => task).flatMap((task) =>
        [...traffic.partner.subarray(traffic.rowStart[task], traffic.rowStart[task + 1])].flatMap((partner) => {
          let at = 0;
          return Array.from({ length: 8 }, () => {
            at += exponentialDeviate(random) / rate / 1e-9;
            return { at: Math.floor(at), from: slots[task]!, to: slots[partner]!, bytes: messageBytes };
          });
        }),
      );
    });
    const network = make();
    arrivals(
      network,
      messages.toSorted((a, b) => a.at - b.at),
    );
    const { queuePair, processing, port, memory } = network.serverFigures();
    return 1000 * (queuePair.waiting + processing.waiting + port.waiting + memory.waiting);
  }

  /** One job after the other onto the slots that are left, by blocks or node by node. */
  function inTurn(jobs: readonly Job[], isCyclic: boolean): Int32Array[] {
    let next = 0;
    return jobs.map(({ taskCount }) =>
      Int32Array.from({ length: taskCount }, () => {
        const place = next++;
        return isCyclic ? (place % 16) * 16 + Math.floor(place / 16) : place;
      }),
    );
  }

  const waits = (jobs: readonly Job[]) => {
    const problems = problemsOf(cluster, jobs);
    return {
      ours: waitsOf(
        jobs,
        mapTogether(problems).answers.map(({ mapping }) => mapping),
      ),
      blocked: waitsOf(jobs, inTurn(jobs, false)),
      cyclic: waitsOf(jobs, inTurn(jobs, true)),
    };
  };

  it('Linear: contention-free waits less than half of the best other, cyclic most', () => {
    const { ours, blocked, cyclic } = waits(fixedWorkload('linear'));
    // The paper has 53 % less.
    expect(ours).toBeLessThan(0.47 * blocked);
    expect(blocked).toBeLessThan(cyclic);
  });

  it.each(['one-to-all', 'all-to-one'] as const)('%s: contention-free is as blocked is, cyclic worst', (pattern) => {
    const { ours, blocked, cyclic } = waits(fixedWorkload(pattern));
    expect(Math.abs(ours / blocked - 1)).toBeLessThan(0.05);
    expect(cyclic).toBeGreaterThan(4 * blocked);
  });

  it.each([
    // The paper has 12.8, 37.6 and 91.1 % less than cyclic.
    { name: 'Mixed_1', most: 0.97 },
    { name: 'Mixed_5', most: 0.75 },
    { name: 'Mixed_6', most: 0.4 },
  ] as const)('$name: contention-free waits least', ({ name, most }) => {
    const { ours, blocked, cyclic } = waits(mixedWorkload(name));
    expect(ours).toBeLessThan(most * cyclic);
    expect(cyclic).toBeLessThan(blocked);
  });
});
