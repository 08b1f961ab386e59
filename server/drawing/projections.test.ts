import { describe, expect, it } from 'vitest';
import type { PlacementReport } from '../model/report.ts';
import { drawScene } from './drawScene.ts';
import { networkLayout } from './drawScene.ts';
import { laidOut, proportionOf } from './projections.ts';
import { renderSvg } from './renderSvg.ts';
import { hostFlag, tickFlag, type Scene } from './scene.ts';
import { pointOn } from './strokes.ts';
import { autonetReport, fabricOf, fabricReport, torusReport } from './testing/fixtures.ts';

const pictures: readonly (readonly [string, PlacementReport])[] = [
  ['Autonet', autonetReport({ hosts: 7, jobs: [30] })],
  ['a fat tree', fabricReport('fat-tree', { options: { k: 4, n: 3 } })],
  ['a fabric of two tiers', fabricReport('from', { fabric: fabricOf(8, 32, 18) })],
  ['doubled cables', fabricReport('fat-tree', { options: { levels: [4, 4], parents: [2], parallel: [2] } })],
  ['a dragonfly', fabricReport('dragonfly', { options: { p: 2, a: 4, h: 2 } })],
  [
    'nodes of several rails',
    fabricReport('fat-tree', { options: { k: 4, n: 2 }, rails: { count: 2, optimised: true } }),
  ],
  ['a dragonfly of grids', fabricReport('dragonfly', { options: { p: 2, group: [4, 3], h: 2, g: 5 } })],
  ['leaves and spines', fabricReport('dragonfly-plus', { options: { p: 3, leaves: 4, spines: 2, h: 4 } })],
  ['planes', torusReport([6, 4, 5])],
  ['a long ring', torusReport([61])],
];

/** A narrow panel, one as high as wide, and one that takes the whole width of a screen. */
const rooms = [0.46, 0.92, 1.84, 3.68];

const shapeOf = ({ bounds: { left, right, top, bottom } }: Scene): number => (right - left) / (bottom - top);

describe('pictures for rooms of other proportions', () => {
  it.each(pictures)('keeps every node, switch and cable of %s, and what it carries', (_name, report) => {
    const scene = drawScene(report);
    for (const proportion of rooms) {
      const laid = laidOut(scene, { proportion });
      expect(laid.nodes.id).toEqual(scene.nodes.id);
      expect(laid.routers.id).toEqual(scene.routers.id);
      const { from, to, forward, backward, forwardLink } = scene.links;
      expect(laid.links).toMatchObject({ from, to, forward, backward, forwardLink });
      // Nodes may stand inside their switches in one room and below them in another.
      const withoutTicks = (flags: Uint8Array): Uint8Array => flags.map((each) => each & ~tickFlag);
      expect(withoutTicks(laid.links.flags)).toEqual(withoutTicks(scene.links.flags));
      expect(squaresThatOverlap(laid.nodes)).toBe(0);
      expect(squaresThatOverlap(laid.routers)).toBe(0);
    }
  });

  it.each(pictures)('is narrow in narrow rooms and wide in wide ones: %s', (_name, report) => {
    const scene = drawScene(report);
    const shapes = rooms.map((proportion) => shapeOf(laidOut(scene, { proportion })));
    expect(shapes).toEqual(shapes.toSorted((one, other) => one - other));
    expect(shapes.at(-1)! / shapes[0]!).toBeGreaterThan(1.2);
  });

  it.each(pictures)('comes back as it was: %s', (_name, report) => {
    const scene = drawScene(report);
    expect(laidOut(laidOut(scene, { proportion: 0.5 }), { proportion: scene.proportion })).toEqual(scene);
  });

  it('leaves pictures without a choice as they are', () => {
    for (const report of [torusReport([4, 4]), fabricReport('hyperx', { numbers: [4, 3], hosts: 2 })]) {
      const scene = drawScene(report);
      const { nodes, links } = laidOut(scene, { proportion: 3 });
      expect([nodes, links]).toEqual([scene.nodes, scene.links]);
    }
  });

  it('is laid out for the page that it is printed on, and by itself as ever', () => {
    const scene = drawScene(fabricReport('from', { fabric: fabricOf(8, 32, 18) }));
    const leaves = (svg: string): number =>
      new Set([...svg.matchAll(/<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="\2" rx/g)].map(([, x]) => x))
        .size;
    const narrow = leaves(renderSvg(scene, { width: 90, height: 240, legend: 'none' }));
    const wide = leaves(renderSvg(scene, { width: 300, height: 100, legend: 'none' }));
    expect(narrow).toBeLessThan(wide);
    expect(leaves(renderSvg(scene, { width: 90, legend: 'none' }))).toBe(leaves(renderSvg(scene, { legend: 'none' })));
  });
});

interface Squares {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly size: Float32Array;
}

function squaresThatOverlap({ x, y, size }: Squares): number {
  let count = 0;
  x.forEach((right, one) => {
    for (let other = one + 1; other < x.length; other++) {
      const room = size[one]! + size[other]! - 1e-4;
      if (Math.abs(x[other]! - right) < room && Math.abs(y[other]! - y[one]!) < room) count++;
    }
  });
  return count;
}

describe('the proportions of a room', () => {
  it.each([
    [636, 579, undefined, 1.3],
    [440, 1060, undefined, 0.46],
    [1360, 700, undefined, 1.84],
    [5000, 100, undefined, 3.68],
    [100, 5000, undefined, 0.46],
    // Near the border of two steps it stays what it was.
    [1000, 660, 1.3, 1.3],
    [1000, 660, 1.838_477_631_085_023_6, 1.84],
    [0, 500, 1.84, 1.84],
  ])('of %i by %i pixels, laid out for %s, are %d', (width, height, now, expected) => {
    expect(proportionOf(width, height, now)).toBeCloseTo(expected, 2);
  });
});

describe('global cables of a dragonfly', () => {
  it.each([
    ['of routers', { p: 2, a: 4, h: 2 }, 0],
    ['of many routers', { p: 2, a: 8, h: 2 }, 0],
    ['of two rows', { p: 2, group: [5, 2], h: 3, g: 7 }, 0],
    ['of three rows', { p: 2, group: [4, 3], h: 3, g: 7 }, 0],
    ['of four rows', { p: 2, group: [6, 4], h: 2, g: 9 }, 0],
  ])(
    'run beneath no router but their own, in groups %s, and local ones stay in their patch',
    (_name, options, most) => {
      const drawn = drawScene(fabricReport('dragonfly', { options }));
      for (const proportion of [drawn.proportion, ...rooms]) {
        const { links, routers, areas } = laidOut(drawn, { proportion });
        const hidden = new Set<number>();
        const outside = new Set<number>();
        links.from.forEach((from, link) => {
          const to = links.to[link]!;
          if ((links.flags[link]! & hostFlag) !== 0) return;
          for (let point = 1; point < 40; point++) {
            const [x, y] = pointOn(
              links.x1[link]!,
              links.y1[link]!,
              links.x2[link]!,
              links.y2[link]!,
              links.bend[link]!,
              point / 40,
            );
            const area = areas[routers.rank[from]!]!;
            const radius = (area.right - area.left) / 2;
            if (routers.rank[from] === routers.rank[to]) {
              if (!(Math.hypot(x - (area.left + radius), y - (area.top + radius)) < radius)) outside.add(link);
            } else if (
              routers.id.some(
                (each) =>
                  each !== from &&
                  each !== to &&
                  Math.abs(routers.x[each]! - x) < routers.size[each]! &&
                  Math.abs(routers.y[each]! - y) < routers.size[each]!,
              )
            )
              hidden.add(link);
          }
        });
        expect([...outside]).toEqual([]);
        // On the sharp ends of a long ring a few cables between neighbours have no way round.
        expect(hidden.size).toBeLessThanOrEqual(proportion === drawn.proportion ? most : most + links.from.length / 50);
      }
    },
  );

  it('leaves the names of groups free of routers', () => {
    const { x, y, size, fabric } = networkLayout(fabricReport('dragonfly', { options: { p: 2, a: 8, h: 2 } }).machine);
    for (const { labelAt } of fabric!.areas) {
      const nearest = x.reduce(
        (least, each, router) =>
          Math.min(least, Math.hypot(each - labelAt!.x, y[router]! - labelAt!.y) - size[router]!),
        Infinity,
      );
      expect(nearest).toBeGreaterThan(0.3);
    }
  });
});
