import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import { WorkloadBuilder, type Workload } from '../model/workload.ts';
import { gridMachine } from '../network/testing/machines.ts';
import { momentOf, simulateWorkloads, type SimulatedJob, type Simulation } from './replay.ts';
import { waitingAtCycle } from './waitingMoments.ts';
import type { SimulationResult } from './simulationResult.ts';

/** Worms: 1 cycle to route at every channel, so that times are those of the engine's own tests. */
const model: NetworkModel = {
  switching: 'wormhole',
  router: { unit: 'cycles', amount: 1 },
  flit: 4,
  packet: 8,
  buffer: 1,
};
const machine = gridMachine('torus', [4, 4]);

function workloadOf(taskCount: number, write: (builder: WorkloadBuilder) => void): Workload {
  const builder = new WorkloadBuilder(taskCount);
  write(builder);
  const made = builder.finished();
  if (!made.ok) throw new Error(made.failure.message);
  return made.value;
}

const causal = (workload: Workload, slots: readonly number[]): SimulatedJob => ({
  kind: 'causal',
  workload,
  slotOfTask: Int32Array.from(slots),
});

function resultOf(simulation: Partial<Simulation> & Pick<Simulation, 'jobs'>): SimulationResult {
  const ran = simulateWorkloads({ model, machine, seed: 1, ...simulation }, neverCancelled);
  if (!ran.ok) throw new Error(ran.failure.message);
  return ran.value;
}

/** Task 0 sends so many bytes to task 1, and waits for an answer. */
const pingPong = (bytes: number, times = 1): Workload =>
  workloadOf(2, (builder) => {
    builder.list(0);
    builder.repeat(times);
    builder.send(1, bytes, 0);
    builder.receive(1, bytes, 1);
    builder.end();
    builder.list(1);
    builder.repeat(times);
    builder.receive(0, bytes, 0);
    builder.send(0, bytes, 1);
    builder.end();
  });

const crowd = gridMachine('torus', [4, 4], { cores: 256 });

describe('a causal replay', () => {
  it('waits where a task receives: an answer takes twice the time of a message, round by round', () => {
    const once = resultOf({ jobs: [causal(pingPong(32), [0, 1])] });
    const tenTimes = resultOf({ jobs: [causal(pingPong(32, 10), [0, 1])] });
    const oneWay = once.latency.p50;
    expect(once.latency.count).toBe(2);
    expect(tenTimes.latency.count).toBe(20);
    expect(once.latency.maximum).toBe(oneWay);
    // The first packet is made in cycle 0; what arrives at the end of a cycle is answered in the next.
    expect(once.makespan).toBe(2 * (oneWay + 1));
    expect(tenTimes.makespan).toBe(20 * (oneWay + 1));
    expect(once.finish[0]).toBe(once.makespan);
    // Task 1 is done when its answer has been made.
    expect(once.finish[1]).toBeLessThan(once.makespan ?? 0);
  });

  it('takes no time for messages within a node, nor for tasks without operations', () => {
    const wide = gridMachine('torus', [4, 4], { cores: 2 });
    const local = resultOf({ machine: wide, jobs: [causal(pingPong(4096, 1000), [2, 3])] });
    expect(local.makespan).toBe(0);
    expect(local.latency.count).toBe(0);
    expect([...local.finish]).toEqual([0, 0]);
  });

  it('matches messages by sender, tag and length, in the order in which they were sent', () => {
    const workload = workloadOf(2, (builder) => {
      builder.list(0);
      for (const [bytes, tag] of [
        [32, 1],
        [64, 1],
        [32, 2],
      ] as const)
        builder.send(1, bytes, tag);
      builder.list(1);
      for (const [bytes, tag] of [
        [32, 2],
        [64, 1],
        [32, 1],
      ] as const)
        builder.receive(0, bytes, tag);
    });
    const { makespan, waiting } = resultOf({ jobs: [causal(workload, [0, 1])] });
    expect(makespan).toBeGreaterThan(0);
    expect(waiting).toEqual([]);
  });

  it('lets the lists of a task go on independently', () => {
    const workload = workloadOf(2, (builder) => {
      builder.list(0);
      builder.receive(1, 32, 0);
      builder.list(0);
      builder.send(1, 32, 0);
      builder.list(1);
      builder.receive(0, 32, 0);
      builder.send(0, 32, 0);
    });
    expect(resultOf({ jobs: [causal(workload, [0, 1])] }).makespan).toBeGreaterThan(0);
  });

  it('ends where a message is waited for that nobody sends, and says who waits for what, background or not', () => {
    const workload = workloadOf(3, (builder) => {
      builder.list(0);
      builder.send(1, 32, 0);
      builder.receive(2, 8, 7);
      builder.list(1);
      builder.receive(0, 32, 0);
    });
    for (const more of [{}, { background: { rate: 0.01, nodes: 'idle' as const } }]) {
      const stuck = resultOf({ jobs: [causal(workload, [0, 1, 2])], ...more });
      expect(stuck.makespan).toBeUndefined();
      expect(stuck.deadlock).toBeUndefined();
      expect(stuck.waiting).toEqual([{ task: 0, for: 'receive', partner: 2, tag: 7, bytes: 8, operation: 2 }]);
      expect(stuck.finish[0]).toBeNaN();
      expect(stuck.finish[1]).toBeGreaterThan(0);
    }
  });

  it('counts tasks over all jobs, and keeps the messages of one from the other', () => {
    const jobs = [causal(pingPong(32), [0, 1]), causal(pingPong(32), [10, 11])];
    const both = resultOf({ jobs });
    const alone = resultOf({ jobs: jobs.slice(0, 1) });
    expect([...both.finish]).toEqual([...alone.finish, ...alone.finish]);
  });

  it('computes for so many cycles, where the machine says how long one takes', () => {
    const timed = gridMachine('torus', [4, 4], { figures: { bandwidth: 4e9 } });
    const workload = workloadOf(1, (builder) => {
      builder.list(0);
      builder.compute(1e-6);
    });
    const { makespan, secondsPerCycle } = resultOf({ machine: timed, jobs: [causal(workload, [0])] });
    expect(secondsPerCycle).toBeCloseTo(1e-9, 15);
    expect(makespan).toBe(1000);
    const refused = simulateWorkloads({ model, machine, seed: 1, jobs: [causal(workload, [0])] }, neverCancelled);
    expect(refused).toMatchObject({ ok: false, failure: { code: 'no-times' } });
  });
});

describe('an open replay', () => {
  it('sends at its times whatever arrives, and counts latency from there', () => {
    const timed = gridMachine('torus', [4, 4], { figures: { bandwidth: 4e9 } });
    const messages = {
      taskCount: 2,
      times: Float64Array.of(0, 0, 0, 1e-6),
      from: Int32Array.of(0, 0, 0, 1),
      to: Int32Array.of(1, 1, 1, 0),
      bytes: Float64Array.of(32, 32, 32, 32),
    };
    const job = { kind: 'open', messages, speed: 1, slotOfTask: Int32Array.of(0, 1) } as const;
    const usual = resultOf({ machine: timed, jobs: [job] });
    const faster = resultOf({ machine: timed, jobs: [{ ...job, speed: 2 }] });
    expect(usual.latency.count).toBe(4);
    // Three messages of a node stand in line: the third waits for the two before it.
    expect(usual.latency.maximum).toBeGreaterThan(2 * usual.latency.p50 - usual.latency.mean);
    const last = (usual.makespan ?? 0) - 1000;
    expect(faster.makespan).toBe(500 + last);
  });
});

describe('a program whose operations take no time', () => {
  it('ends when its time is over', () => {
    const workload = workloadOf(2, (builder) => {
      builder.list(0);
      builder.repeat(1e12);
      builder.send(0, 8, 0);
      builder.receive(0, 8, 0);
      builder.end();
    });
    let looks = 0;
    const given = { model, machine: crowd, seed: 1, jobs: [causal(workload, [0, 1])] };
    const ran = simulateWorkloads(given, neverCancelled, { isTimeOver: () => ++looks > 2 });
    expect(ran).toMatchObject({ ok: true, value: { makespan: undefined, cycles: 0 } });
  });
});

describe('a sender with much under way', () => {
  // Of 4,096 tasks each may have 256 messages under way; one of 32 bytes keeps its link busy for 8 cycles.
  const slots = Array.from({ length: 4096 }, (_, task) => task);
  const away = 256;
  const sending = (count: number) =>
    workloadOf(4096, (builder) => {
      builder.list(0);
      builder.repeat(count);
      builder.send(away, 32, 0);
      builder.end();
      builder.list(away);
      builder.repeat(count);
      builder.receive(0, 32, 0);
      builder.end();
    });

  it.each(['wormhole', 'flow', 'cut-through'] as const)('goes on when some has arrived, in %s', (switching) => {
    const network: NetworkModel = { switching, flit: 4, packet: 8, ...(switching !== 'flow' && { channels: 2 }) };
    const run = (count: number) => resultOf({ machine: crowd, model: network, jobs: [causal(sending(count), slots)] });
    const [few, many] = [run(200), run(2000)];
    expect(few.finish[away]).toBeGreaterThan(200 * 8);
    // The last ones wait for those before them to arrive.
    expect(many.finish[0]).toBeGreaterThan((2000 - 256) * 8 - 8);
    // Nothing is sent later for that: the link is busy all the time.
    const perMessage = (many.makespan! - few.makespan!) / 1800;
    expect(few.makespan! - 200 * perMessage).toBeLessThan(2 * perMessage);
  });
});

describe('the background', () => {
  it('comes at its rate from the nodes without a task, the same for the same seed', () => {
    const timed = gridMachine('torus', [4, 4], { figures: { bandwidth: 4e9 } });
    const waiting = (seconds: number) =>
      workloadOf(1, (builder) => {
        builder.list(0);
        builder.compute(seconds);
      });
    const given = {
      machine: timed,
      jobs: [causal(waiting(1e-4), [0])],
      background: { rate: 0.002, nodes: 'idle' as const },
    };
    const result = resultOf(given);
    // 15 nodes, 100,000 cycles: 3,000 packets are expected, with a deviation of 55.
    expect(Math.abs(result.latency.count - 3000)).toBeLessThan(5 * 55);
    expect(resultOf(given).latency).toEqual(result.latency);
    expect(resultOf({ ...given, seed: 2 }).latency.count).not.toBe(result.latency.count);
    expect(result.background).toEqual({ nodes: 15, arrived: result.latency.count, asked: 0.002 * 15 * result.cycles });
    // Packets of 8 flits leave a node one in 8 cycles at most.
    const mesh = gridMachine('mesh', [4, 4], { figures: { bandwidth: 4e9 } });
    const jobs = [causal(waiting(1e-5), [0])];
    const crowded = resultOf({ machine: mesh, jobs, background: { rate: 0.5, nodes: 'idle' } }).background!;
    expect(Math.round(crowded.asked)).toBe(75_000);
    expect(crowded.arrived).toBeLessThan(crowded.asked / 4);
    expect(crowded.arrived).toBeGreaterThan(crowded.asked / 20);
  });
});

describe('what is recorded', () => {
  it('adds up: flits over time, busy cycles of channels by interval and in all', () => {
    const result = resultOf({ jobs: [causal(pingPong(320, 50), [0, 1])] });
    const { overTime, links, flits, cycles, latency } = result;
    expect(latency.counts.reduce((sum, count) => sum + count, 0)).toBe(latency.count);
    expect(flits).toBe(8 * latency.count);
    const last = overTime.traffic.length - 1;
    const lengthOf = (point: number): number => (point === last ? cycles - last * overTime.step : overTime.step);
    expect(overTime.traffic.reduce((sum, perCycle, point) => sum + perCycle * lengthOf(point), 0)).toBeCloseTo(
      flits,
      6,
    );
    for (let channel = 0; channel < links.channels; channel++) {
      let sum = 0;
      for (let interval = 0; interval < links.intervals; interval++) {
        const length = Math.min(links.interval, cycles - interval * links.interval);
        sum += ((links.utilisation[interval * links.channels + channel] ?? 0) / 255) * length;
      }
      expect(Math.abs(sum - (links.busy[channel] ?? 0))).toBeLessThanOrEqual(links.intervals * (links.interval / 255));
    }
  });

  it('leaves out what is not asked for', () => {
    const jobs = [causal(pingPong(320, 5), [0, 1])];
    const [all, few] = [resultOf({ jobs }), resultOf({ jobs, figures: 'few' })];
    expect(few.links.intervals).toBe(0);
    expect([few.makespan, few.latency]).toEqual([all.makespan, all.latency]);
  });

  it('ends at the last cycle that is asked for, and says who waits there', () => {
    const jobs = [causal(pingPong(3200, 50), [0, 5])];
    const early = resultOf({ jobs, untilCycle: 100 });
    expect(early.makespan).toBeUndefined();
    expect(early.cycles).toBe(101);
    const crowded = [0, 1, 2, 3].map((node) => causal(pingPong(3200, 50), [node, 13]));
    const moment = momentOf({ model, machine, seed: 1, jobs: crowded }, 200, neverCancelled);
    if (!moment.ok) throw new Error(moment.failure.message);
    expect(moment.value.length).toBeGreaterThan(0);
    for (const { job, from, to } of moment.value) {
      expect(job).toBeGreaterThanOrEqual(0);
      expect([from, to].sort()).toEqual([0, 1]);
    }
  });

  it('is kept with what waits at the ends of its intervals, which changes nothing else of it', () => {
    const crowded = [0, 1, 2, 3].map((node) => causal(pingPong(3200, 50), [node, 13]));
    const { moments, ...kept } = resultOf({ jobs: crowded, keepsMoments: true });
    expect(kept).toEqual(resultOf({ jobs: crowded }));
    const { interval, intervals } = kept.links;
    expect(intervals).toBeGreaterThan(100);
    let waited = 0;
    for (let at = 0; at < intervals; at += 20) {
      const cycle = Math.min(kept.cycles, (at + 1) * interval) - 1;
      const moment = momentOf({ model, machine, seed: 1, jobs: crowded }, cycle, neverCancelled);
      const found = waitingAtCycle(moments!, cycle);
      expect(found).toEqual(moment.ok && moment.value);
      waited += found!.length;
    }
    expect(waited).toBeGreaterThan(0);
    expect(waitingAtCycle(moments!, interval)).toBeUndefined();
  });
});

describe('the use of links', () => {
  it.each<[string, NetworkModel]>([
    ['headers', { ...model, packet: 2000 }],
    ['flits', { ...model, packet: 2000, arbiter: 'round-robin' }],
    ['packets', { switching: 'cut-through', flit: 4, packet: 2000 }],
  ])('has who waits still when a run is cut short: %s', (_, network) => {
    // 0 and 1 send to 2 of a line, and one of them waits for the link from 1 to 2, or for what comes before it, until the end.
    const line = gridMachine('mesh', [3]);
    const both = workloadOf(3, (builder) => {
      for (const task of [0, 1]) {
        builder.list(task);
        builder.send(2, 8000, 0);
      }
      builder.list(2);
      for (const task of [0, 1]) builder.receive(task, 8000, 0);
    });
    const { links } = resultOf({ model: network, machine: line, jobs: [causal(both, [0, 1, 2])], untilCycle: 1000 });
    const inMiddle = Math.floor(links.intervals / 2) * links.channels;
    const waiting = [...links.queues.subarray(inMiddle, inMiddle + links.channels)].filter((eighths) => eighths > 0);
    expect(waiting).toEqual([8]);
  });
});
