import { describe, expect, it } from 'vitest';
import { allocators } from '../allocation/catalogue.ts';
import { gridDescription } from '../network/testing/machines.ts';
import type { MachineDescription } from '../network/contract.ts';
import { neverCancelled } from '../model/cancellation.ts';
import { cableLossesOf } from './cableLosses.ts';
import { machineFigures } from './machineFigures.ts';
import { choiceOf, gridJob, jobOf, placementOf, programOf, run } from './testing/programs.ts';

/** Nodes of 4 x 4 that are out of order, that of switch 6 among them. */
const out = [3, 6, 12];
const { topology, cables, socketsPerNode, coresPerSocket, figures } = gridDescription('torus', [4, 4]);
const broken = {
  topology,
  cables,
  socketsPerNode,
  coresPerSocket,
  figures,
  name: 'broken',
  faults: { cables: [{ from: 0, to: 1 }], routers: [6], nodes: [3, 12] },
};
const job = gridJob('job', [2, 2], 'five-point');
const at = { machine: 'broken', jobs: ['job'] };

describe('placements on a machine of which some nodes do not work', () => {
  const withoutArgument = allocators.filter(({ argument }) => argument === undefined || !argument.required);
  it.each(withoutArgument)(
    '$name gives the job nodes that work, and the report is of routes that are left',
    (entry) => {
      const allocate = choiceOf(entry.name);
      const { placements, problems } = run(programOf([broken], [job], [placementOf({ ...at, name: 'p', allocate })]));
      const refusals = problems.filter(({ code }) => code === 'does-not-fit');
      expect(placements.length + refusals.length).toBe(1);
      for (const { jobs, metrics } of placements) {
        const nodes = jobs.flatMap(({ allocation }) => [...allocation]);
        expect(nodes.filter((node) => out.includes(node))).toEqual([]);
        expect(jobs.flatMap(({ mapping }) => [...mapping]).filter((slot) => out.includes(slot))).toEqual([]);
        expect(metrics.averageHops).toBeGreaterThan(0);
        expect(metrics.maximumHops).toBeLessThan(9);
      }
    },
  );

  it('counts the way round a missing cable', () => {
    const map = choiceOf('given', {}, { kind: 'numbers', numbers: [0, 1, 4, 5] });
    const [report] = run(programOf([broken], [job], [placementOf({ ...at, name: 'p', map })])).placements;
    // Two pairs of the square are neighbours by x: 0 and 1, which are 3 apart now, and 4 and 5.
    expect(report!.metrics.averageHops).toBe((3 + 1 + 1 + 1) / 4);
    expect(report!.metrics.maximumHops).toBe(3);
  });

  it('counts no links of failed nodes, nor of switches that no working node reaches', () => {
    const chain = (nodes: readonly number[], without: readonly { from: number; to: number }[]): MachineDescription => ({
      name: 'broken',
      topology: { name: 'switches', argument: { kind: 'numbers', numbers: [4] }, options: {} },
      cables: [0, 1, 2].map((from) => ({ from, to: from + 1 })),
      hosts: 1,
      socketsPerNode,
      coresPerSocket,
      figures,
      faults: { cables: without, routers: [], nodes },
    });
    const pair = jobOf({
      name: 'job',
      taskCount: 2,
      source: { kind: 'pattern', choice: choiceOf('all-to-one') },
      bytes: 100,
    });
    const reportOf = (machine: MachineDescription) =>
      run(programOf([machine], [pair], [placementOf({ ...at, name: 'p', map: choiceOf('baseline') })])).placements[0]!;
    // 100 bytes cross three links. Two links between switches and four of nodes are left, or six and six.
    const [halved, drained] = [reportOf(chain([2, 3], [{ from: 1, to: 2 }])), reportOf(chain([3], []))];
    expect(halved.metrics.meanLinkLoad).toBe(300 / 6);
    expect(drained.metrics.meanLinkLoad).toBe(300 / 12);
    const { topology: left } = halved.machine;
    expect([left.links.routerLinkCount, [...left.faults!.routers], left.faults!.cables]).toEqual([2, [0, 0, 1, 1], 2]);
    const found = machineFigures(halved.machine, neverCancelled);
    expect(found).toMatchObject({ cables: 1, hostLinks: 2, degreeCounts: [{ degree: 1, routers: 2 }] });
    const losses = cableLossesOf(halved, chain([2, 3], [{ from: 1, to: 2 }]), neverCancelled);
    expect(losses).toMatchObject({ ok: true, value: { idle: 0 } });
  });

  it.each([
    ['a node that does not work', { kind: 'numbers', numbers: [0, 1, 3, 5] }, 'broken-node', 'Node 3 has failed'],
    ['a node of a switch that does not', { kind: 'numbers', numbers: [6] }, 'broken-node', 'Node 6 has failed'],
  ] as const)('refuses %s where it is listed', (_what, argument, code, message) => {
    const allocate = choiceOf('nodes', {}, argument);
    const { problems } = run(programOf([broken], [job], [placementOf({ ...at, name: 'p', allocate })]));
    expect(problems).toMatchObject([{ code, message: expect.stringContaining(message) as string }]);
  });

  it('refuses a job that would fit only with them', () => {
    const large = gridJob('job', [7, 2], 'five-point');
    const { problems } = run(programOf([broken], [large], [placementOf({ ...at, name: 'p' })]));
    expect(problems).toMatchObject([
      { code: 'does-not-fit', message: expect.stringContaining('13 free cores on 13 nodes') as string },
    ]);
  });

  it('tells what is wrong at `without`', () => {
    const machine = { ...broken, faults: { ...broken.faults, cables: [{ from: 0, to: 2 }] } };
    const { problems } = run(programOf([machine], [job], [placementOf({ ...at, name: 'p' })]));
    expect(problems).toMatchObject([{ code: 'no-such-cable', subject: { kind: 'machine', property: 'without' } }]);
  });
});
