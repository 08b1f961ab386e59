import { describe, expect, it } from 'vitest';
import { autonetCables, switchesDescription, upDownFrom } from '../network/distances/testing/networks.ts';
import type { MachineDescription } from '../network/contract.ts';
import { choiceOf, jobOf, placementOf, programOf, run } from './testing/programs.ts';
import { infiniHostTimes } from '../queueing/servers.ts';

const figures = { memory: 4e9, interface: 1e9, switchTime: 1e-7, queuePair: infiniHostTimes };
const cluster = (more: Partial<MachineDescription> = {}): MachineDescription => ({
  name: 'm',
  topology: { name: 'cluster', argument: { kind: 'numbers', numbers: [4] }, options: {} },
  cables: [],
  socketsPerNode: 2,
  coresPerSocket: 2,
  figures,
  ...more,
});

const study = (machine: MachineDescription, rate: number | undefined, mapper: string) => {
  const { placements, problems } = run(
    programOf(
      [machine],
      [jobOf({ name: 'job', taskCount: 8, bytes: 65_536, rate })],
      [placementOf({ name: 'p', machine: 'm', map: choiceOf(mapper) })],
    ),
  );
  expect(problems).toEqual([]);
  return placements[0]!;
};

describe('the queueing model', () => {
  it('is asked for every mapper, and says of the same mapping what contention-free says of it', () => {
    for (const mapper of ['blocked', 'cyclic', 'contention-free']) {
      const { queueing } = study(cluster(), 20, mapper).metrics;
      expect(queueing!.waiting).toBeGreaterThan(0);
      expect(queueing!.waiting).toBeCloseTo(queueing!.memoryWaiting + queueing!.networkWaiting, 15);
      expect(queueing!.highestUtilisation).toBeLessThan(1);
    }
    const [blocked, cyclic] = ['blocked', 'cyclic'].map((mapper) => study(cluster(), 20, mapper).metrics.queueing!);
    // Three of the seven partners of a task are in its node, or one.
    expect(blocked!.networkWaiting).toBeLessThan(cyclic!.networkWaiting);
  });

  it('has no number for waiting without end, and says which servers are overloaded', () => {
    const { queueing } = study(cluster(), 1e6, 'blocked').metrics;
    expect(queueing).toMatchObject({ waiting: Infinity, overloadedServers: 16 + 4 + 4 + 4 });
    // Queue pairs of eight cores, memories of two sockets, two ports and two of the switch on two nodes, each way.
    expect(queueing!.busiest).toHaveLength(5);
    expect(queueing!.busiest[0]).toMatchObject({ utilisation: queueing!.highestUtilisation });
  });

  it('says how busy the servers of each kind are', () => {
    const { queueing } = study(cluster(), 20, 'blocked').metrics;
    const { memoryUtilisation, portUtilisation, queuePairUtilisation, switchUtilisation, busiest } = queueing!;
    const highest = Math.max(memoryUtilisation, portUtilisation, queuePairUtilisation, switchUtilisation);
    expect([queueing!.highestUtilisation, queueing!.overloadedServers]).toEqual([highest, 0]);
    expect(busiest[0]!.utilisation).toBe(highest);
    expect(busiest.map(({ utilisation }) => utilisation)).toEqual(
      busiest.map(({ utilisation }) => utilisation).toSorted((a, b) => b - a),
    );
    // All to all of eight tasks, four on a node: each sends four messages to the other node, 20 a second to each.
    expect(portUtilisation).toBeCloseTo((4 * 4 * 20 * 65_536) / 1e9, 12);
    expect(switchUtilisation).toBeCloseTo(4 * 4 * 20 * 100e-9, 12);
  });

  it.each([
    { what: 'the machine does not give its figures', machine: cluster({ figures: {} }), rate: 20 },
    { what: 'the job does not give its rate', machine: cluster(), rate: undefined },
  ])('is not asked where $what', ({ machine, rate }) => {
    expect(study(machine, rate, 'blocked').metrics.queueing).toBeUndefined();
  });
});

describe('a search for the mapping coefficient', () => {
  it('is worth what the report says, although its own distances are rounded', () => {
    const machine = { ...switchesDescription(10, autonetCables, upDownFrom(0)), name: 'm' };
    const job = jobOf({ name: 'job', taskCount: 10, bytes: 1e6 / 3 });
    const map = choiceOf('random-search', { seeds: 2 });
    const { placements } = run(programOf([machine], [job], [placementOf({ name: 'p', machine: 'm', map })]));
    const { metrics, jobs } = placements[0]!;
    const { criterion, value, convergence } = jobs[0]!.search!;
    expect(criterion).toBe('equivalent');
    expect(value).toBe(metrics.mappingCoefficient);
    expect(convergence.at(-1)!.value).toBe(value);
  });
});
