import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { Fabric } from '../model/fabric.ts';
import type { Machine } from '../model/machine.ts';
import { succeed } from '../model/result.ts';
import type { MachineDescription } from '../network/contract.ts';
import { buildMachine, noMachineFiles } from '../network/machine.ts';
import { valueOf } from '../network/testing/routingContract.ts';
import { axisBandwidths, gridMachine } from '../network/testing/machines.ts';
import { machineFigures } from '../study/machineFigures.ts';
import { figureRows, drawnLinkClasses, machinePicture } from './machine.ts';
import { renderSvg } from './renderSvg.ts';
import type { Scene } from './scene.ts';
import { autonetReport, fabricOf, fabricReport, meshReport, torusReport } from './testing/fixtures.ts';

function pictureOf(machine: Machine, fabric?: Fabric): Scene {
  const picture = machinePicture(machine, machineFigures(machine, neverCancelled, fabric), fabric);
  if (!picture.ok) throw new Error(picture.failure.message);
  return picture.value;
}

const rowsOf = (machine: Machine): Record<string, string> =>
  Object.fromEntries(figureRows(machine, machineFigures(machine, neverCancelled)));

const described: MachineDescription = {
  name: 'test',
  topology: { name: 'from', options: {}, argument: { kind: 'file', uri: 'file:///fabric' } },
  cables: [],
  socketsPerNode: 1,
  coresPerSocket: 1,
  figures: {},
};

function built(fabric: Fabric): Machine {
  const files = { ...noMachineFiles, fabric: () => succeed(fabric) };
  const machine = buildMachine(described, files);
  if (!machine.ok) throw new Error(machine.failure.message);
  return machine.value;
}

describe('the figures of a machine', () => {
  it.each([
    ['torus 8 x 8', torusReport([8, 8]).machine, { Bisection: '16 links', Diameter: '8 hops', Links: '128' }],
    ['mesh 4 x 3', meshReport([4, 3]).machine, { Bisection: '3 links', Diameter: '5 hops' }],
    ['mesh 3 x 3', meshReport([3, 3]).machine, { Bisection: '4 links' }],
    [
      'machine with one GPU a node',
      gridMachine('torus', [4], { gpus: { count: 1, links: [] } }),
      { Nodes: '4', GPUs: '4' },
    ],
    ['fat tree', fabricReport('fat-tree', { options: { k: 4, n: 2 } }).machine, { Bisection: '8 links', Hosts: '16' }],
    [
      'a file',
      built(fabricOf(2, 4, 2)),
      { Hosts: '8', Switches: '6', Links: '8', 'Host links': '8', Components: '1, connected' },
    ],
  ])('of a %s', (_, machine, rows) => {
    expect(rowsOf(machine)).toMatchObject(rows);
  });

  it('name the bisection of a network without a formula as a bound, which a cut reaches', () => {
    const { machine } = autonetReport({ hosts: 1 });
    const { bisection } = machineFigures(machine, neverCancelled);
    expect(bisection).toMatchObject({ isBound: true, words: 'best cut found' });
    expect(rowsOf(machine)['Bisection']).toBe(`at most ${bisection!.cables} links`);
    // Every way to halve ten switches with a host each.
    const { from, to, routerLinkCount } = machine.topology.links;
    let least = Infinity;
    for (let half = 0; half < 1024; half++) {
      if (half.toString(2).replaceAll('0', '').length !== 5) continue;
      const side = (router: number): number => (half >> router) & 1;
      let cut = 0;
      for (let link = 0; link < routerLinkCount; link++) if (side(from[link]!) < side(to[link]!)) cut++;
      least = Math.min(least, cut);
    }
    expect(bisection!.cables).toBe(Math.min(least, 5));
  });

  it('tell where a bisection comes from', () => {
    const { bisection } = machineFigures(torusReport([8, 4]).machine, neverCancelled);
    expect(bisection).toEqual({ cables: 8, words: '2 × 4: across a side of 8, both ways round', isBound: false });
  });
});

describe('the picture of a machine', () => {
  it('has the layout of its placements, and no load', () => {
    const report = torusReport([4, 4]);
    const scene = pictureOf(report.machine);
    expect(scene).toMatchObject({ placement: '', jobs: [], loadLegend: { maximum: 0 } });
    expect(scene.nodes.x).toHaveLength(16);
    expect(scene.about).toMatchObject({ degrees: [{ degree: 4, routers: 16 }], degreeWord: 'node' });
    expect(scene.description).toContain('torus 4 x 4, dimension-order routing');
    expect(scene.description).toContain('16 with 4 links');
  });

  it.each([
    ['axes', torusReport([4, 4, 3]).machine, ['along x', 'along y', 'along z'], [48, 48, 48]],
    [
      'groups',
      fabricReport('dragonfly', { options: { a: 4, h: 2, p: 2 } }).machine,
      ['within groups', 'between groups', 'of hosts'],
      [54, 36, 72],
    ],
    [
      'tiers',
      fabricReport('fat-tree', { options: { k: 2, n: 3 } }).machine,
      ['tier 0 – tier 1', 'tier 1 – tier 2', 'of hosts'],
      [8, 8, 8],
    ],
    ['nothing', autonetReport({ hosts: 1 }).machine, ['between switches', 'of hosts'], [15, 10]],
  ])('has cables in the colours of their %s', (_, machine, names, counts) => {
    const scene = pictureOf(machine);
    const { linkClasses, classOf } = scene.about!;
    expect(linkClasses.map(({ name }) => name)).toEqual(names);
    expect(linkClasses.map(({ cables }) => cables)).toEqual(counts);
    expect(new Set(classOf)).toEqual(new Set(names.keys()));
    const svg = renderSvg(scene);
    for (const { color } of linkClasses) expect(svg).toContain(`stroke="${color}"`);
    expect(svg).not.toContain('tasks');
  });

  it('tells bandwidths of axes', () => {
    const machine = gridMachine('torus', [4, 4], { figures: { ...axisBandwidths(1e10, 2e9), latency: 1e-6 } });
    const { classes } = drawnLinkClasses(machine);
    expect(classes.map(({ words }) => words)).toEqual(['10 GB/s, 1 µs', '2 GB/s, 1 µs']);
  });

  it('names its hosts, and the ports that are free', () => {
    const fabric = { ...fabricOf(2, 2, 2), sparePorts: [3, -1, 0, 1], speeds: [{ speed: '4xEDR', cables: 8 }] };
    const scene = pictureOf(built(fabric), fabric);
    expect(scene.figures).toContainEqual(['Spare ports', '4 on 2 switches']);
    expect(scene.about!.notes).toContain('The file contains 8 × 4xEDR.');
    expect(renderSvg(scene)).toContain('>host-3<');
  });

  it('shows a network in several parts, which no job can run on', () => {
    const cables = [
      { from: 0, to: 3 },
      { from: 1, to: 3 },
    ];
    const four = {
      ...described,
      topology: { name: 'switches', argument: { kind: 'numbers', numbers: [4] }, options: {} },
      cables,
    } as const;
    expect(buildMachine(four)).toMatchObject({ ok: false, failure: { code: 'disconnected' } });
    const parted = buildMachine(four, noMachineFiles, neverCancelled, { partsAllowed: true });
    const scene = pictureOf(valueOf(parted));
    expect(scene.figures).toContainEqual(['Components', '2, disconnected']);
    expect(scene.figures.map(([name]) => name)).not.toContain('Diameter');
    expect(scene.about!.notes).toEqual(['Component 1: switch 0, switch 1, switch 3.', 'Component 2: switch 2.']);
    expect([...scene.routers.y].every(Number.isFinite)).toBe(true);
  });

  it('is refused where there is too much to draw', () => {
    const { machine } = fabricReport('cluster', { numbers: [4] });
    const huge = { ...machine, nodeCount: 2 ** 20 };
    expect(machinePicture(huge, machineFigures(machine, neverCancelled))).toMatchObject({
      ok: false,
      failure: { code: 'too-large-to-draw' },
    });
  });
});
