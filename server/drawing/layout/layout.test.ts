import { describe, expect, it } from 'vitest';
import type { Machine } from '../../model/machine.ts';
import { buildMachine } from '../../network/machine.ts';
import { gridDescription, gridMachine } from '../../network/testing/machines.ts';
import type { PlacementReport } from '../../model/report.ts';
import type { Cable } from '../../network/contract.ts';
import { randomCables } from '../../network/testing/exampleNetworks.ts';
import { autonetReport, fabricOf, fabricReport } from '../testing/fixtures.ts';
import { depthStep, layoutGrid } from './grids.ts';
import { networkLayout } from '../drawScene.ts';

const hyperx = (shape: readonly number[]): Machine => gridMachine('hyperx', shape, { hosts: 3 });

function twistedTorus(shape: readonly number[], twist: number): Machine {
  const description = gridDescription('torus', shape);
  const built = buildMachine({ ...description, topology: { ...description.topology, options: { twist } } });
  if (!built.ok) throw new Error(built.failure.message);
  return built.value;
}

const machines: readonly (readonly [string, Machine])[] = [
  ['a single router', gridMachine('torus', [1])],
  ['a short ring', gridMachine('torus', [8])],
  ['a long ring', gridMachine('torus', [61])],
  ['a plane', gridMachine('torus', [8, 5])],
  ['a twisted plane', twistedTorus([8, 4], 4)],
  ['a twisted slice', twistedTorus([4, 4, 8], 4)],
  ['a plane with a side of 1', gridMachine('mesh', [6, 1, 4])],
  ['a small cube', gridMachine('hypercube', [3])],
  ['a torus of 4 x 4 x 4', gridMachine('torus', [4, 4, 4])],
  ['a deep torus', gridMachine('torus', [3, 4, 24])],
  ['a torus of 22 x 22 x 22', gridMachine('torus', [22, 22, 22])],
  ['a hypercube of 4', gridMachine('hypercube', [4])],
  ['a hypercube of 6', gridMachine('hypercube', [6])],
  ['a hypercube of 8', gridMachine('hypercube', [8])],
  ['four dimensions', gridMachine('torus', [4, 3, 3, 2])],
  ['five dimensions', gridMachine('torus', [4, 3, 2, 3, 2])],
];

describe('every layout', () => {
  it.each(machines)('shows every router of %s', (_name, machine) => {
    expect(overlapping(networkLayout(machine))).toEqual([]);
  });

  it.each(machines)('paints every router of %s once', (_name, machine) => {
    const { order } = networkLayout(machine);
    expect(Array.from(order).sort((first, second) => first - second)).toEqual([...Array(order.length).keys()]);
  });

  it.each(machines)('is the same again for %s', (_name, machine) => {
    expect(networkLayout(machine).x).toEqual(networkLayout(machine).x);
  });
});

/** Least distance from a cable to a router that is not its end, less that router's half side. */
function clearance(machine: Machine): number {
  const layout = networkLayout(machine);
  const { links, routerCount } = machine.topology;
  let least = Infinity;
  for (let link = 0; link < links.routerLinkCount; link++) {
    const [from, to] = [links.from[link]!, links.to[link]!];
    const [dx, dy] = [layout.x[to]! - layout.x[from]!, layout.y[to]! - layout.y[from]!];
    for (let router = 0; router < routerCount; router++) {
      if (router === from || router === to) continue;
      const [right, down] = [layout.x[router]! - layout.x[from]!, layout.y[router]! - layout.y[from]!];
      const share = Math.min(1, Math.max(0, (right * dx + down * dy) / (dx * dx + dy * dy)));
      least = Math.min(least, Math.hypot(right - share * dx, down - share * dy) - layout.size[router]!);
    }
  }
  return least;
}

describe('the layout of hypercubes', () => {
  it.each([4, 5, 6])('leads no cable of %i dimensions through the middle of another router', (dimensions) => {
    const machine = gridMachine('hypercube', [dimensions]);
    expect(clearance(machine)).toBeGreaterThan(0);
  });
});

describe('the layout of planes', () => {
  it('starts at the upper left and goes right, then down', () => {
    const { x, y } = networkLayout(gridMachine('mesh', [3, 2]));
    expect([...x]).toEqual([0, 1, 2, 0, 1, 2]);
    expect([...y]).toEqual([0, 0, 0, 1, 1, 1]);
  });

  it('leads wrap links outwards', () => {
    const layout = networkLayout(gridMachine('torus', [3, 4]));
    expect(layout.stub(0, false)).toBeUndefined();
    expect(layout.stub(0, true)!.dx).toBeLessThan(0);
    expect(layout.stub(1, true)!.dy).toBeLessThan(0);
  });
});

describe('the layout of lines', () => {
  it('keeps neighbours one unit apart when it folds', () => {
    const { x, y } = networkLayout(gridMachine('torus', [61]));
    for (let router = 1; router < 61; router++) {
      expect(Math.hypot(x[router]! - x[router - 1]!, y[router]! - y[router - 1]!)).toBe(1);
    }
  });
});

describe('the layout of three dimensions', () => {
  it.each([2, 3, 4, 8, 16, 22, 24, 32])('keeps the lines of %i layers apart', (layers) => {
    const { step, spacing } = depthStep(layers);
    expect(step[0]).toBeGreaterThan(0.3);
    expect(step[1]).toBeLessThan(-0.2);
    // The best that points of a square can do is about 1.07 / sqrt(layers).
    expect(spacing).toBeGreaterThan(0.55 / Math.sqrt(layers));
  });

  it('paints the far layers first', () => {
    const { order } = layoutGrid({ routerCount: 12 }, [2, 2, 3], 'axonometric');
    const layers = Array.from(order, (router) => Math.floor(router / 4));
    expect(layers).toEqual([2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0]);
  });
});

describe('the layout of more dimensions', () => {
  it('gives every axis between blocks stubs of its own direction', () => {
    const layout = networkLayout(gridMachine('torus', [3, 3, 3, 3, 3]));
    const angles = [0, 1, 2, 3, 4].map((axis) => {
      const { dx, dy } = layout.stub(axis, true)!;
      return Math.round((Math.atan2(-dy, -dx) * 180) / Math.PI);
    });
    expect(new Set(angles).size).toBe(5);
    expect(layout.stub(0, false)).toBeUndefined();
    expect(layout.stub(3, false)).toBeDefined();
  });
});

const fabrics: readonly (readonly [string, Machine])[] = [
  ['Autonet', autonetReport({ hosts: 7 }).machine],
  ['an irregular network of 40', irregular(40, 70, 14).machine],
  ['an irregular network of 300', irregular(300, 700, 3).machine],
  ['switches without order: minimal routing', irregular(12, 20, 2, 'minimal').machine],
  ['doubled cables', fabricReport('switches', { numbers: [2], cables: twice({ from: 0, to: 1 }) }).machine],
  ['a fat tree', fabricReport('fat-tree', { options: { k: 4, n: 3 } }).machine],
  ['a fat tree of 729 nodes', fabricReport('fat-tree', { options: { k: 9, n: 3 } }).machine],
  ['a slimmed fat tree', fabricReport('fat-tree', { options: { levels: [4, 4, 2], parents: [2, 1] } }).machine],
  ['a tree of one level', fabricReport('fat-tree', { options: { k: 5, n: 1 } }).machine],
  ['a dragonfly', fabricReport('dragonfly', { options: { p: 2, a: 4, h: 2 } }).machine],
  [
    'nodes of several rails, below their switches',
    fabricReport('fat-tree', { options: { k: 4, n: 2 }, rails: { count: 4, optimised: true } }).machine,
  ],
  [
    'nodes of several rails, inside their first switch',
    fabricReport('fat-tree', { options: { k: 16, n: 2 }, rails: { count: 4, optimised: true } }).machine,
  ],
  ['a dragonfly of grids', fabricReport('dragonfly', { options: { p: 2, group: [4, 3], h: 2, g: 5 } }).machine],
  [
    'a dragonfly of leaves and spines',
    fabricReport('dragonfly-plus', { options: { p: 3, leaves: 4, spines: 2, h: 4 } }).machine,
  ],
  ['a HyperX of one axis', hyperx([7])],
  ['a HyperX of two', hyperx([5, 4])],
  ['a HyperX of four', hyperx([3, 2, 2, 3])],
  ['one group', fabricReport('dragonfly', { options: { p: 2, a: 6, h: 0, g: 1 } }).machine],
  ['a cluster', fabricReport('cluster', { numbers: [16] }).machine],
  ['a cluster of one node', fabricReport('cluster', { numbers: [1] }).machine],
  ['a cluster of 500 nodes', fabricReport('cluster', { numbers: [500] }).machine],
  ['a fabric of two tiers', fabricReport('from', { fabric: fabricOf(8, 32, 18) }).machine],
  ['a fabric of 264 leaves', fabricReport('from', { fabric: fabricOf(21, 264, 32) }).machine],
];

function irregular(switches: number, cables: number, hosts: number, routing = 'up-down'): PlacementReport {
  return fabricReport('switches', { numbers: [switches], cables: randomCables(switches, cables, 3), hosts, routing });
}

function twice(cable: Cable): Cable[] {
  return [cable, cable];
}

/** Squares by centre and half side. */
interface Squares {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly size: Float32Array;
}

/** Pairs of squares that overlap, by a sweep over x. */
function overlapping({ x, y, size }: Squares): number[][] {
  const byX = Array.from(x.keys()).sort((first, second) => x[first]! - x[second]!);
  const largest = size.reduce((most, half) => Math.max(most, half), 0);
  const found: number[][] = [];
  byX.forEach((one, place) => {
    for (let next = place + 1; next < byX.length; next++) {
      const other = byX[next]!;
      const room = size[one]! + size[other]! - 1e-4;
      if (x[other]! - x[one]! >= size[one]! + largest) break;
      if (x[other]! - x[one]! < room && Math.abs(y[other]! - y[one]!) < room) found.push([one, other]);
    }
  });
  return found;
}

describe('every layout of switches and hosts', () => {
  it.each(fabrics)('keeps switches, and hosts, apart in %s', (_name, machine) => {
    const layout = networkLayout(machine);
    const { nodeX, nodeY, nodeSize } = layout.fabric!;
    expect(overlapping(layout)).toEqual([]);
    expect(overlapping({ x: nodeX, y: nodeY, size: nodeSize })).toEqual([]);
  });

  it.each(fabrics)(
    'puts every host inside the frame of its switch, or clear of all switches, in %s',
    (_name, machine) => {
      const { x, y, size, fabric } = networkLayout(machine);
      const { nodeX, nodeY, nodeSize, framed } = fabric!;
      machine.topology.routerOfNode.forEach((router, node) => {
        const reach = Math.max(Math.abs(nodeX[node]! - x[router]!), Math.abs(nodeY[node]! - y[router]!));
        if (framed[router] === 1) expect(reach + nodeSize[node]!).toBeLessThan(size[router]!);
        else expect(reach).toBeGreaterThan(size[router]! + nodeSize[node]!);
      });
    },
  );

  it.each(fabrics)('is the same again for %s', (_name, machine) => {
    expect(networkLayout(machine)).toEqual({
      ...networkLayout(machine),
      stub: expect.any(Function) as unknown,
      fabric: expect.anything() as unknown,
    });
    expect(networkLayout(machine).fabric!.nodeX).toEqual(networkLayout(machine).fabric!.nodeX);
  });

  it.each(fabrics)('leaves the picture of %s at most three times as wide as high', (_name, machine) => {
    const { x, y, size } = networkLayout(machine);
    const extent = (place: Float32Array): number =>
      Math.max(...place.map((each, router) => each + size[router]!)) -
      Math.min(...place.map((each, router) => each - size[router]!));
    expect(extent(x) / (extent(y) + 2)).toBeLessThan(3);
  });
});

describe('the layout of irregular networks', () => {
  it.each([fabrics[0]!, fabrics[1]!, fabrics[2]!])(
    'has each level of %s below the one before, the root on top',
    (_name, machine) => {
      const { y, size } = networkLayout(machine);
      const { roots, level } = machine.routing.hierarchy!;
      const depth = level.reduce((most, own) => Math.max(most, own), 0);
      const lowest = new Array<number>(depth + 1).fill(-Infinity);
      const highest = new Array<number>(depth + 1).fill(Infinity);
      level.forEach((own, router) => {
        lowest[own] = Math.max(lowest[own]!, y[router]! + size[router]!);
        highest[own] = Math.min(highest[own]!, y[router]! - size[router]!);
      });
      for (let own = 1; own <= depth; own++) expect(highest[own]).toBeGreaterThan(lowest[own - 1]!);
      for (const root of roots) expect(level[root]).toBe(0);
    },
  );

  it('draws Autonet with a single crossing', () => {
    const { topology, routing } = autonetReport().machine;
    const { x } = networkLayout({ topology, routing });
    expect(crossings(topology, routing.hierarchy!.level, x)).toBe(1);
  });

  it('bows cables within a level below the switches they pass, and only those', () => {
    const cables = [...star(5), { from: 1, to: 5 }, { from: 1, to: 2 }];
    const { machine } = fabricReport('switches', { numbers: [6], cables, routing: 'up-down', root: 0 });
    const { x, size, fabric } = networkLayout(machine);
    const order = [1, 2, 3, 4, 5].sort((one, other) => x[one]! - x[other]!);
    const place = (router: number): number => order.indexOf(router);
    for (const [from, to] of [
      [1, 5],
      [1, 2],
    ] as const) {
      const bend = fabric!.bend(from, to);
      if (Math.abs(place(from) - place(to)) < 2) expect(bend).toBe(0);
      else expect(Math.abs(bend)).toBeGreaterThan(size[1]!);
      expect(fabric!.bend(to, from)).toBeCloseTo(-bend);
      // Right of the way to the right is downwards.
      if (bend !== 0) expect(Math.sign(bend)).toBe(Math.sign(x[to]! - x[from]!));
    }
  });
});

const star = (leaves: number): Cable[] => Array.from({ length: leaves }, (_, leaf) => ({ from: 0, to: leaf + 1 }));

/** Pairs of cables between the same two levels that cross. */
function crossings({ links }: Machine['topology'], level: Int32Array, x: Float32Array): number {
  const down: (readonly [number, number])[] = [];
  for (let link = 0; link < links.routerLinkCount; link++) {
    const [from, to] = [links.from[link]!, links.to[link]!];
    if (level[from]! < level[to]!) down.push([from, to]);
  }
  let count = 0;
  down.forEach(([from, to], index) => {
    for (const [otherFrom, otherTo] of down.slice(index + 1)) {
      if (level[from] !== level[otherFrom]) continue;
      if ((x[from]! - x[otherFrom]!) * (x[to]! - x[otherTo]!) < 0) count++;
    }
  });
  return count;
}

describe('the layout of trees', () => {
  it('has the tiers one above the other, leaves at the bottom, and pods side by side', () => {
    const { topology, routing } = fabricReport('fat-tree', { options: { k: 4, n: 3 } }).machine;
    const { x, y, fabric } = networkLayout({ topology, routing });
    const heights = [0, 1, 2].map((tier) => new Set(y.filter((_, router) => topology.tiers![router] === tier)));
    expect(heights.map(({ size }) => size)).toEqual([1, 1, 1]);
    const [[leaves], [middle], [top]] = heights.map((tier) => [...tier]) as [[number], [number], [number]];
    expect(leaves).toBeGreaterThan(middle);
    expect(middle).toBeGreaterThan(top);
    expect(fabric!.areas).toHaveLength(4);
    const pods = fabric!.areas.map(
      ({ left, right }) => x.slice(0, 32).filter((place) => place > left && place < right).length,
    );
    expect(pods).toEqual([8, 8, 8, 8]);
  });

  it('finds the tiers of a fabric whose file does not say them', () => {
    const { machine } = fabricReport('from', { fabric: fabricOf(3, 6, 4) });
    const { fabric, y } = networkLayout(machine);
    expect(fabric!.rankWord).toBe('tier');
    expect([...fabric!.rank]).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1]);
    expect(y[0]).toBeGreaterThan(y[6]!);
  });
});

describe('the layout of dragonflies', () => {
  it('keeps each group together inside its patch, and the patches apart', () => {
    const { topology, routing } = fabricReport('dragonfly', { options: { p: 2, a: 4, h: 2 } }).machine;
    const { x, y, fabric } = networkLayout({ topology, routing });
    const { areas } = fabric!;
    expect(areas.map(({ label }) => label)).toEqual([...Array(9).keys()].map((group) => `group ${group}`));
    const centre = ({ left, right, top, bottom }: (typeof areas)[number]) =>
      [(left + right) / 2, (top + bottom) / 2] as const;
    topology.groups!.forEach((group, router) => {
      const [middleX, middleY] = centre(areas[group]!);
      const radius = (areas[group]!.right - areas[group]!.left) / 2;
      expect(Math.hypot(x[router]! - middleX, y[router]! - middleY)).toBeLessThan(radius);
    });
    const [firstX, firstY] = centre(areas[0]!);
    const [secondX, secondY] = centre(areas[1]!);
    expect(Math.hypot(firstX - secondX, firstY - secondY)).toBeGreaterThan(areas[0]!.right - areas[0]!.left);
  });
});
