import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { Machine } from '../model/machine.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import type { PlacementReport } from '../model/report.ts';
import { seededRandom, shuffle } from '../model/random.ts';
import { axisBandwidths, gridMachine } from '../network/testing/machines.ts';
import { networkMachine } from '../network/testing/networkMachines.ts';
import { randomTraffic } from '../optimisation/testing/problems.ts';
import { simulateWorkloads, type SimulatedJob } from '../simulation/replay.ts';
import { timedMessages } from '../simulation/workloads/timed.ts';
import { channelUseOf, loadsOfPackets } from './channelUse.ts';
import { evaluate } from '../study/evaluate/evaluate.ts';
import { workloadOfTraffic } from './workloads.ts';

type ReportedJob = PlacementReport['jobs'][number];

/** Messages of one size, of tasks anywhere on a machine: several on a node, and on a router. */
function reportOn(machine: Machine, bytes: number) {
  const taskCount = Math.ceil(0.8 * machine.slotCount);
  const mapping = Int32Array.from({ length: machine.slotCount }, (_, slot) => slot);
  shuffle(mapping, seededRandom(3));
  const traffic = randomTraffic(taskCount, 5 * taskCount, 4, 1000);
  const job = {
    name: 'job',
    taskCount,
    periodic: false,
    traffic: { ...traffic, bytes: traffic.bytes.map(() => bytes) },
  };
  const allocation = Int32Array.from({ length: machine.nodeCount }, (_, node) => node);
  const placed: ReportedJob = { job, allocation, mapping: mapping.slice(0, taskCount), allocator: '', mapper: '' };
  return { machine, jobs: [placed], ...evaluate(machine, [placed], 1.5, neverCancelled)! };
}

/** The job as a program, or as messages at times. */
function jobsOf(report: ReturnType<typeof reportOn>, kind: 'causal' | 'open'): readonly SimulatedJob[] {
  const [{ job, mapping }] = report.jobs as [ReportedJob];
  const workload = workloadOfTraffic(job, neverCancelled);
  if (!workload.ok) throw new Error(workload.failure.message);
  if (kind === 'causal') return [{ kind, workload: workload.value, slotOfTask: mapping }];
  const messages = timedMessages(workload.value, { latency: 1e-6, bandwidth: 1e9 }, neverCancelled);
  if (!messages.ok) throw new Error(messages.failure.message);
  return [{ kind, messages: messages.value, speed: 1, slotOfTask: mapping }];
}

function simulated(report: ReturnType<typeof reportOn>, model: NetworkModel, jobs: readonly SimulatedJob[]) {
  const run = simulateWorkloads({ model, machine: report.machine, jobs, seed: 1 }, neverCancelled);
  if (!run.ok) throw new Error(run.failure.message);
  return run.value;
}

const packets = { packet: 8, flit: 4 } as const;
/** What is held up keeps a channel for longer than it needs it. */
const lingers = ({ switching, channels = 1 }: NetworkModel): boolean =>
  switching === 'flow' || (switching === 'wormhole' && channels === 1);

const models: readonly (readonly [string, NetworkModel])[] = [
  ['worms by headers', { ...packets, switching: 'wormhole', buffer: 4 }],
  ['worms by flits', { ...packets, switching: 'wormhole', channels: 2, buffer: 4 }],
  [
    'worms by flits that leave one after the other',
    { ...packets, switching: 'wormhole', channels: 2, buffer: 4, ejection: 'single' },
  ],
  ['packets', { ...packets, switching: 'cut-through', channels: 2 }],
  ['flows', { ...packets, switching: 'flow' }],
];

const cables = [
  { from: 0, to: 1 },
  { from: 1, to: 2 },
];
const tree = { count: 3, cables, hosts: 3, cores: 2 };

const machines: readonly (readonly [string, Machine])[] = [
  ['a torus with two hosts on a router', gridMachine('torus', [4, 3], { hosts: 2 })],
  [
    'a torus with links of nodes',
    gridMachine('torus', [4, 3], { cores: 2, figures: { bandwidth: 4e9, interface: 4e9 } }),
  ],
  ['a mesh with a slow axis', gridMachine('mesh', [3, 3], { cores: 2, figures: axisBandwidths(4e9, 2e9) })],
  ['a tree of switches', networkMachine('switches', tree)],
  ['a tree of switches, two rails', networkMachine('switches', { ...tree, rails: { count: 2 } })],
];

/** Of two whole packets, and of one and a little, which takes two as well. */
const sizes = [64, 33];
const cases = models.flatMap(([name, model]) => sizes.map((bytes) => [name, bytes, model] as const));

describe.each(machines)('on %s', (_, machine) => {
  it.each(cases)('what channels carry is what keeps them busy: %s, messages of %d bytes', (_name, bytes, model) => {
    const report = reportOn(machine, bytes);
    const jobs = jobsOf(report, 'causal');
    const { links, makespan } = simulated(report, model, jobs);
    const loads = loadsOfPackets(report, jobs, model, neverCancelled)!;
    expect(loads === report).toBe(bytes === 64);
    const { busy, longest } = channelUseOf(loads, model, neverCancelled)!;
    const found = links.busy.subarray(0, busy.length);
    const isRight = (channel: number): boolean =>
      lingers(model) ? found[channel]! >= busy[channel]! - 1e-6 : Math.abs(found[channel]! - busy[channel]!) < 1e-6;
    expect([...busy.keys()].filter((channel) => !isRight(channel))).toEqual([]);
    expect(links.busy.subarray(busy.length).every((cycles) => cycles === 0)).toBe(true);
    expect(makespan).toBeGreaterThanOrEqual(Math.floor(longest));
    const atTimes = loadsOfPackets(report, jobsOf(report, 'open'), model, neverCancelled)!;
    expect(channelUseOf(atTimes, model, neverCancelled)!.busy).toEqual(busy);
  });
});
