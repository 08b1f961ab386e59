import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import type { PlacementReport } from '../model/report.ts';
import { causal, type SimulationDescription } from '../model/simulation.ts';
import type { MachineDescription } from '../network/contract.ts';
import { axisBandwidths, gridDescription, gridMachine } from '../network/testing/machines.ts';
import type { JobDescription } from '../study/program.ts';
import { simulatePlacement } from './simulate.ts';
import { secondsOfWork, workOfPlacement, type SimulationWork } from './simulationTime.ts';
import { choiceOf, filesOf, jobOf, numbers, placementOf, programOf, run } from '../study/testing/programs.ts';

const torus = gridDescription('torus', [4, 4], { figures: { bandwidth: 1e9 } });
const mesh = gridDescription('mesh', [4, 4], { figures: { bandwidth: 1e9 } });
const largeTorus = gridDescription('torus', [8, 8], { figures: { bandwidth: 1e9 } });
const irregular: MachineDescription = {
  ...mesh,
  topology: { name: 'irregular', argument: { kind: 'numbers', numbers: [8] }, options: { links: 3, seed: 3 } },
  routing: choiceOf('up-down'),
  hosts: 2,
};
const cluster: MachineDescription = {
  name: 'test',
  topology: choiceOf('cluster', {}, numbers(4)),
  cables: [],
  socketsPerNode: 2,
  coresPerSocket: 2,
  figures: { memory: 4e9, interface: 1e9, switchTime: 1e-7 },
};

const skeletonJob = (name: string, taskCount: number, options = {}): JobDescription =>
  jobOf({
    name,
    taskCount,
    source: {
      kind: 'skeleton',
      choice: {
        name,
        options: { class: 'S', iterations: 2, version: 'npb3', 'all-to-all': 'almost-simultaneous', ...options },
      },
    },
  });
const atRate = jobOf({ name: 'rate', taskCount: 12, bytes: 4096, messages: 5, rate: 1000 });
const inRounds = jobOf({ name: 'rounds', taskCount: 16, bytes: 1000, messages: 3 });

const packets: NetworkModel = {
  switching: 'cut-through',
  packet: 8,
  flit: 4,
  channels: 2,
  queue: 4,
  bubble: { packets: 2, here: true },
  routing: 'adaptive',
};
const onOneWay: NetworkModel = { switching: 'cut-through', packet: 8, flit: 4, channels: 1, queue: 4 };
const worms: NetworkModel = { switching: 'wormhole', packet: 8, flit: 4, channels: 2, buffer: 4 };
const open = { kind: 'open', speed: 1 } as const;

/** What was counted before, and what has happened. */
function counted(machine: MachineDescription, jobs: readonly JobDescription[], simulation: SimulationDescription) {
  const names = jobs.map(({ name }) => name);
  const map = choiceOf('random');
  const program = programOf([machine], jobs, [placementOf({ name: 'p', machine: machine.name, jobs: names, map })]);
  const { placements, problems } = run(program);
  const [report] = placements;
  if (report === undefined) throw new Error(problems.map(({ message }) => message).join());
  const context = { cancellation: neverCancelled, now: () => 0 };
  const simulated = simulatePlacement(program, filesOf(), report, simulation, context);
  const work = workOfPlacement(program, filesOf(), report, simulation, context);
  if (!simulated.ok || !work.ok) throw new Error(simulated.ok ? 'work' : simulated.failure.message);
  return { work: work.value, result: simulated.value.result, report };
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);

/** Flits on links between routers; those on links of hosts are links of their own where the machine has such. */
const linkCrossings = (
  { flitCrossings, packets }: SimulationWork,
  { machine }: PlacementReport,
  flits: number,
): number => (machine.topology.hasHostLinks ? flitCrossings : flitCrossings - 2 * flits * packets);

/** Of 16 tasks that do nothing. */
const work = {
  messages: 0,
  packets: 0,
  crossings: 0,
  flitCrossings: 0,
  linkFlits: 0,
  visits: 0,
  operations: 0,
  tasks: 16,
};

describe('the work of a simulation, counted before it', () => {
  it.each([
    ['packets that choose their way', torus, [skeletonJob('cg', 16)], packets, causal],
    ['packets on one way', mesh, [skeletonJob('lu', 4, { iterations: 3 }), skeletonJob('mg', 8)], onOneWay, causal],
    [
      'packets that are stored',
      torus,
      [skeletonJob('is', 16, { 'all-reduce': 'ring' })],
      { ...packets, switching: 'store-and-forward' },
      causal,
    ],
    ['packets at a rate', torus, [atRate], packets, open],
    ['rounds of messages', torus, [inRounds], packets, causal],
    ['up and down between switches', irregular, [skeletonJob('cg', 16)], onOneWay, causal],
    ['worms, flit by flit', mesh, [skeletonJob('sp', 4)], worms, causal],
    ['worms that choose their way', irregular, [skeletonJob('is', 16)], { ...worms, routing: 'adaptive' }, causal],
  ] as const)('is what happens, exactly: %s', (_, machine, jobs, network, replay) => {
    const { work, result, report } = counted(machine, jobs, { network, replay });
    expect(result.makespan).toBeGreaterThan(0);
    expect(result.latency.count).toBeGreaterThan(100);
    expect([work.packets, linkCrossings(work, report, 8)]).toEqual([result.latency.count, sum(result.links.busy)]);
    expect(work.crossings * 8).toBe(work.flitCrossings);
  });

  it('is visits of servers, between nodes and within them, and messages of flows', () => {
    const ofServers = counted(cluster, [atRate], { network: { switching: 'queueing' }, replay: open });
    expect(ofServers.work.visits).toBe(sum(ofServers.result.waits!.visits));
    expect(ofServers.work.messages).toBe(12 * 11 * 5);
    const ofFlows = counted(torus, [skeletonJob('cg', 16)], { network: { switching: 'flow' }, replay: causal });
    expect(ofFlows.work.messages).toBe(ofFlows.result.latency.count);
  });

  it('ends with the packets that are sent', () => {
    const { work, result } = counted(torus, [skeletonJob('cg', 16)], {
      network: packets,
      replay: { ...open, first: 2000 },
    });
    expect(work.packets).toBeCloseTo(2000, 6);
    // The last message is sent as a whole.
    expect(result.latency.count).toBeGreaterThanOrEqual(2000);
    expect(result.latency.count).toBeLessThan(2200);
  });

  it.each([
    [
      'all nodes, a program that waits for its messages',
      skeletonJob('lu', 16, { class: 'W', iterations: 1 }),
      'all',
      0.01,
    ],
    ['idle nodes, a program that fills the network', skeletonJob('cg', 16), 'idle', 0.002],
  ] as const)('counts the background within a factor of two: %s', (_, job, nodes, rate) => {
    const background = { name: 'uniform', options: { rate, nodes } };
    const { work, result } = counted(largeTorus, [job], { network: packets, replay: causal, background });
    const without = counted(largeTorus, [job], { network: packets, replay: causal });
    const [expected, found] = [work.packets - without.work.packets, result.latency.count - without.work.packets];
    expect(found).toBeGreaterThan(1000);
    expect(expected / found).toBeGreaterThan(0.5);
    expect(expected / found).toBeLessThan(2);
  });

  it.each([
    [packets, 'crossings'],
    [{ switching: 'wormhole' }, 'crossings'],
    [worms, 'flitCrossings'],
    [{ switching: 'queueing' }, 'visits'],
    [{ switching: 'flow' }, 'messages'],
  ] as const)('takes time by what its engine does: %j by %s', (network, unit) => {
    const machine = gridMachine('torus', [4, 4]);
    const once = secondsOfWork(network, machine, { ...work, [unit]: 1e6 }, 'few');
    expect(once).toBeGreaterThan(0.01);
    expect(secondsOfWork(network, machine, { ...work, [unit]: 2e6 }, 'few')).toBeCloseTo(2 * once, 9);
    expect(secondsOfWork(network, machine, { ...work, [unit]: 1e6 }, 'all')).toBeGreaterThanOrEqual(once);
  });

  it.each([
    ['links of one speed, by their headers', {}, {}, 'crossings'],
    ['links of two speeds, by their flits', {}, axisBandwidths(1e9, 5e8), 'flitCrossings'],
    ['links of two cycles, by their flits', { link: { amount: 2, unit: 'cycles' } }, {}, 'flitCrossings'],
  ] as const)('takes time by what worms go by: %s', (_, more, figures, unit) => {
    const on = gridMachine('torus', [4, 4], { figures: { bandwidth: 1e9, ...figures } });
    const seconds = (each: 'crossings' | 'flitCrossings') =>
      secondsOfWork({ switching: 'wormhole', ...more }, on, { ...work, [each]: 1e6 }, 'few');
    expect(seconds(unit)).toBeGreaterThan(0.01);
    expect(seconds(unit === 'crossings' ? 'flitCrossings' : 'crossings')).toBe(0);
  });
});
