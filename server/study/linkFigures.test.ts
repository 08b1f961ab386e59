import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { GroupFigures, Machine, MachineFigures } from '../model/machine.ts';
import type { PlacedJob } from '../model/placement.ts';
import { gridMachine } from '../network/testing/machines.ts';
import { detouredMachines, networkMachine, unequalMachines } from '../network/testing/networkMachines.ts';
import { bandwidthOf } from '../network/linkClasses.ts';
import { everyMachine } from '../network/testing/everyMachine.ts';
import { visitNodeShares } from '../network/links.ts';
import type { NodeId } from '../model/identifiers.ts';
import { randomTraffic } from '../optimisation/testing/problems.ts';
import { seededRandom, shuffle } from '../model/random.ts';
import { evaluate } from './evaluate/evaluate.ts';
import { withDerived } from './metrics/catalogue.ts';

/** Two tasks for three cores, anywhere. */
function placed(machine: Machine, seed = 5): PlacedJob {
  const taskCount = Math.ceil(0.6 * machine.slotCount);
  const mapping = Int32Array.from({ length: machine.slotCount }, (_, slot) => slot);
  shuffle(mapping, seededRandom(seed));
  const job = { name: 'job', taskCount, periodic: false, traffic: randomTraffic(taskCount, 5 * taskCount, seed, 1000) };
  const allocation = Int32Array.from({ length: machine.nodeCount }, (_, node) => node);
  return { job, allocation, mapping: mapping.slice(0, taskCount) };
}

function measured(machine: Machine) {
  const jobs = [placed(machine)];
  const evaluation = evaluate(machine, jobs, 1.5, neverCancelled)!;
  const reported = jobs.map((job) => ({ ...job, allocator: '', mapper: '', notes: [] }));
  const metrics = withDerived({ machine, jobs: reported, cancellation: neverCancelled, ...evaluation });
  return { ...evaluation, metrics };
}

const times = ({ metrics: { congestionTime, derived } }: ReturnType<typeof measured>) => ({
  congestionTime,
  ...derived,
});

const machineOf = (kind: 'torus' | 'cluster' | 'dragonfly', figures: MachineFigures): Machine =>
  kind === 'torus'
    ? gridMachine('torus', [4, 3], { cores: 2, figures })
    : kind === 'cluster'
      ? networkMachine('cluster', { count: 6, cores: 2, figures })
      : networkMachine('dragonfly', { options: { p: 2, a: 2, h: 1, g: 3 }, cores: 2, figures });

const groups = (...all: GroupFigures[]): MachineFigures => ({ groups: all });

describe('every figure that a machine may have', () => {
  const base: MachineFigures = { bandwidth: 1e9, latency: 1e-6 };
  it.each<readonly [string, 'torus' | 'cluster' | 'dragonfly', MachineFigures]>([
    ['bandwidth', 'torus', { ...base, bandwidth: 2e9 }],
    ['latency', 'torus', { ...base, latency: 2e-6 }],
    ['cables', 'torus', { ...base, cables: 2 }],
    ['interface of a torus', 'torus', { ...base, interface: 1e8 }],
    ['interface of a cluster', 'cluster', { ...base, interface: 1e8 }],
    ['interface of a dragonfly', 'dragonfly', { ...base, interface: 1e8 }],
    ['memory', 'torus', { ...base, memory: 1e9 }],
    ['switch', 'torus', { ...base, switchTime: 1e-7 }],
    ['switch of a cluster', 'cluster', { ...base, switchTime: 1e-7 }],
    ['bandwidth of an axis', 'torus', { ...base, ...groups({ group: { kind: 'axis', axis: 1 }, bandwidth: 5e8 }) }],
    ['latency of an axis', 'torus', { ...base, ...groups({ group: { kind: 'axis', axis: 1 }, latency: 5e-6 }) }],
    ['cables of an axis', 'torus', { ...base, ...groups({ group: { kind: 'axis', axis: 0 }, cables: 2 }) }],
    ['latency of ports', 'torus', { ...base, ...groups({ group: { kind: 'hosts' }, latency: 5e-6 }) }],
    ['bandwidth within groups', 'dragonfly', { ...base, ...groups({ group: { kind: 'local' }, bandwidth: 5e8 }) }],
    ['bandwidth between groups', 'dragonfly', { ...base, ...groups({ group: { kind: 'global' }, bandwidth: 5e8 }) }],
  ])('changes a number: %s', (_, kind, figures) => {
    expect(times(measured(machineOf(kind, figures)))).not.toEqual(times(measured(machineOf(kind, base))));
  });

  it('makes no hop longer, nor a load heavier, of a torus with an interface', () => {
    const plain = measured(machineOf('torus', base));
    const ported = measured(machineOf('torus', { ...base, interface: 1e8 }));
    for (const key of ['averageHops', 'hopBytes', 'mappingCoefficient', 'maximumLinkLoad', 'meanLinkLoad'] as const)
      expect(ported.metrics[key]).toBe(plain.metrics[key]);
    expect(ported.linkLoads.subarray(0, plain.linkLoads.length)).toEqual(plain.linkLoads);
  });

  it('tells of a slow port: 1 MB through 100 MB/s takes 10 ms, though the cables take 1 ms', () => {
    const machine = gridMachine('torus', [4], { figures: { bandwidth: 1e9, interface: 1e8 } });
    const traffic = {
      taskCount: 2,
      rowStart: Int32Array.of(0, 1, 1),
      partner: Int32Array.of(1),
      bytes: Float64Array.of(1e6),
    };
    const job = { name: 'pair', taskCount: 2, periodic: false, traffic };
    const found = evaluate(
      machine,
      [{ job, allocation: Int32Array.of(0, 1), mapping: Int32Array.of(0, 1) }],
      1,
      neverCancelled,
    )!;
    expect(found.metrics.congestionTime).toBeCloseTo(0.01, 12);
    expect(found.hotLinks.map(({ link }) => link)).toEqual([8, 8 + 3]);
  });
});

describe('which figures a machine needs for a metric', () => {
  const keysOf = (machine: Machine) => {
    const { congestionTime, derived } = measured(machine).metrics;
    return { congestionTime, linkTime: derived?.['linkTime'], weightedLatency: derived?.['weightedLatency'] };
  };
  const nothing = { congestionTime: undefined, linkTime: undefined, weightedLatency: undefined };

  it('a bandwidth or a latency counts without any link that has it', () => {
    const alongX: GroupFigures = { group: { kind: 'axis', axis: 0 }, bandwidth: 1e9, latency: 1e-6 };
    const lone = gridMachine('torus', [1], { hosts: 2, figures: groups(alongX) });
    expect(keysOf(lone)).toEqual({ congestionTime: 0, linkTime: 0, weightedLatency: 0 });
    const line = gridMachine('torus', [1, 4], { figures: groups(alongX) });
    expect(keysOf(line)).toEqual({ congestionTime: 0, linkTime: 0, weightedLatency: 0 });
    expect(keysOf(gridMachine('torus', [1], { hosts: 2 }))).toEqual(nothing);
  });

  it('`interface` alone gives the congestion time, and no time of all links', () => {
    const figures = { interface: 1e9 };
    for (const kind of ['torus', 'cluster', 'dragonfly'] as const) {
      const found = keysOf(machineOf(kind, figures));
      expect(found).toEqual({ ...nothing, congestionTime: expect.any(Number) as number });
      expect(found.congestionTime).toBeGreaterThan(0);
    }
  });
});

describe.each([...everyMachine(), ...unequalMachines(), ...detouredMachines()])('on %s', (_, plain) => {
  const machine: Machine = plain.linkClasses
    ? plain
    : { ...plain, figures: { bandwidth: 3e9 }, linkClasses: { classes: [{ bandwidth: 3e9, cables: 1 }] } };

  it('times are those of every pair, walked link by link', () => {
    const { job, mapping } = placed(machine);
    const busy = new Float64Array(machine.topology.links.linkCount);
    const { rowStart, partner, bytes } = job.traffic;
    const nodeOf = (task: number): NodeId => Math.floor(mapping[task]! / machine.coresPerNode) as NodeId;
    for (let task = 0; task < job.taskCount; task++) {
      for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) {
        visitNodeShares(machine, nodeOf(task), nodeOf(partner[pair]!), (link, share) => {
          const rate = bandwidthOf(machine, link);
          if (rate !== undefined) busy[link]! += (bytes[pair]! * share) / rate;
        });
      }
    }
    const { metrics, hotLinks } = measured(machine);
    const longest = busy.reduce((most, time) => Math.max(most, time), 0);
    expect(metrics.congestionTime! / longest).toBeCloseTo(1, 9);
    expect(metrics.derived!['linkTime']! / busy.reduce((sum, time) => sum + time, 0)).toBeCloseTo(1, 9);
    const used = busy.filter((time) => time > 0);
    const mean = used.reduce((sum, time) => sum + time, 0) / used.length;
    // Links just at the limit may fall on either side of it.
    const expected = [...busy.keys()].filter((link) => busy[link]! >= 1.5 * mean * (1 + 1e-9));
    const found = new Set(hotLinks.map(({ link }) => link as number));
    expect(expected.filter((link) => !found.has(link))).toEqual([]);
    for (const { link, timesMean } of hotLinks) expect(timesMean / (busy[link]! / mean)).toBeCloseTo(1, 9);
  });

  it('k times the bandwidth takes a k-th of the time, and the same links are hot', () => {
    const classes = machine.linkClasses!.classes.map((one) => ({ ...one, bandwidth: (one.bandwidth ?? 1e30) * 8 }));
    const slow = {
      ...machine,
      linkClasses: {
        ...machine.linkClasses!,
        classes: classes.map((one) => ({ ...one, bandwidth: one.bandwidth / 8 })),
      },
    };
    const fast = { ...machine, linkClasses: { ...machine.linkClasses!, classes } };
    const [before, after] = [measured(slow), measured(fast)];
    expect(after.metrics.congestionTime! * 8).toBeCloseTo(before.metrics.congestionTime!, 18);
    expect(after.hotLinks.map(({ link }) => link)).toEqual(before.hotLinks.map(({ link }) => link));
  });

  it('the same bandwidth everywhere leaves the hot links those of the bytes', () => {
    // Of ports of a grid nobody says that they are as fast as cables, where nothing is said.
    const { linkClasses: said, ...bare } = machine;
    expect(said).toBeDefined();
    const classes = machine.linkClasses!.classes.map(({ cables }) => ({ cables, bandwidth: 7e9 }));
    const alike = { ...machine, linkClasses: { ...machine.linkClasses!, classes } };
    if (machine.topology.hasPorts === true) expect(measured(alike).hotLinks).not.toEqual(measured(bare).hotLinks);
    else expect(measured(alike).hotLinks).toEqual(measured(bare).hotLinks);
  });
});
