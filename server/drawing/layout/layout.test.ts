import { describe, expect, it } from 'vitest';
import type { Machine } from '../../model/machine.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { depthStep } from './axonometric.ts';
import { layoutOf } from './choose.ts';

const machines: readonly (readonly [string, Machine])[] = [
  ['a single router', gridMachine('torus', [1])],
  ['a short ring', gridMachine('torus', [8])],
  ['a long ring', gridMachine('torus', [61])],
  ['a plane', gridMachine('torus', [8, 5])],
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

/** Pairs of routers whose squares overlap, by a sweep over x. */
function overlaps(machine: Machine): number[][] {
  const { x, y, size } = layoutOf(machine);
  const byX = Array.from(x.keys()).sort((first, second) => x[first]! - x[second]!);
  const found: number[][] = [];
  byX.forEach((router, place) => {
    for (let next = place + 1; next < byX.length; next++) {
      const other = byX[next]!;
      const room = size[router]! + size[other]!;
      if (x[other]! - x[router]! >= room) break;
      if (Math.abs(y[other]! - y[router]!) < room) found.push([router, other]);
    }
  });
  return found;
}

describe('every layout', () => {
  it.each(machines)('shows every router of %s', (_name, machine) => {
    expect(overlaps(machine)).toEqual([]);
  });

  it.each(machines)('paints every router of %s once', (_name, machine) => {
    const { order } = layoutOf(machine);
    expect(Array.from(order).sort((first, second) => first - second)).toEqual([...Array(order.length).keys()]);
  });

  it.each(machines)('is the same again for %s', (_name, machine) => {
    expect(layoutOf(machine).x).toEqual(layoutOf(machine).x);
  });
});

/** Least distance from a cable to a router that is not its end, less that router's half side. */
function clearance(machine: Machine): number {
  const layout = layoutOf(machine);
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
    const { x, y } = layoutOf(gridMachine('mesh', [3, 2]));
    expect([...x]).toEqual([0, 1, 2, 0, 1, 2]);
    expect([...y]).toEqual([0, 0, 0, 1, 1, 1]);
  });

  it('leads wrap links outwards', () => {
    const layout = layoutOf(gridMachine('torus', [3, 4]));
    expect(layout.stub(0, false)).toBeUndefined();
    expect(layout.stub(0, true)!.dx).toBeLessThan(0);
    expect(layout.stub(1, true)!.dy).toBeLessThan(0);
  });
});

describe('the layout of lines', () => {
  it('keeps neighbours one unit apart when it folds', () => {
    const { x, y } = layoutOf(gridMachine('torus', [61]));
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
    const { order } = layoutOf(gridMachine('torus', [2, 2, 3]));
    const layers = Array.from(order, (router) => Math.floor(router / 4));
    expect(layers).toEqual([2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0]);
  });
});

describe('the layout of more dimensions', () => {
  it('gives every axis between blocks stubs of its own direction', () => {
    const layout = layoutOf(gridMachine('torus', [3, 3, 3, 3, 3]));
    const angles = [0, 1, 2, 3, 4].map((axis) => {
      const { dx, dy } = layout.stub(axis, true)!;
      return Math.round((Math.atan2(-dy, -dx) * 180) / Math.PI);
    });
    expect(new Set(angles).size).toBe(5);
    expect(layout.stub(0, false)).toBeUndefined();
    expect(layout.stub(3, false)).toBeDefined();
  });
});
