import { describe, expect, it } from 'vitest';
import { drawScene } from '../../server/drawing/drawScene.ts';
import { hostFlag } from '../../server/drawing/scene.ts';
import { loadShare } from '../../server/drawing/loadScale.ts';
import { pointOn } from '../../server/drawing/strokes.ts';
import { fabricOf, fabricReport, meshReport, torusReport } from '../../server/drawing/testing/fixtures.ts';
import { describeThing, textTarget } from './describeThing.ts';
import { createPicker, distanceToSegment } from './pick.ts';

/** Whose maximum link load carries so much. */
const sceneUpTo = (maximum: number): ReturnType<typeof drawScene> =>
  drawScene(torusReport([2, 2], { loads: maximum === 0 ? [] : [[0, 1, maximum]] }));

const loads = [
  [0, 1, 3072],
  [1, 0, 1024],
] as const;
const mesh = drawScene(meshReport([4, 4], { jobs: [10], cores: 2, loads }));
const picker = createPicker(mesh);

describe('picking', () => {
  it.each([
    [0, 0, 0],
    [3.2, 2.8, 15],
    [0.75, 2.25, 9],
  ])('at (%d, %d) finds node %d', (x, y, node) => {
    const thing = picker.pick(x, y, 0.1, 40)!;
    expect(textTarget(mesh, thing, false)).toEqual({ kind: 'node', node });
  });

  it('finds every node of a deep machine at its centre', () => {
    const scene = drawScene(torusReport([6, 5, 9]));
    const deep = createPicker(scene);
    scene.nodes.id.forEach((_, entry) => {
      expect(deep.pick(scene.nodes.x[entry]!, scene.nodes.y[entry]!, 0.01, 40)).toEqual({ kind: 'node', entry });
    });
  });

  it('finds links beside their line, and nothing far from everything', () => {
    expect(picker.pick(0.5, 0.05, 0.1, 40)).toMatchObject({ kind: 'link', link: 0 });
    expect(picker.pick(0.5, 0.5, 0.1, 40)).toBeUndefined();
    expect(picker.pick(-50, 900, 0.1, 40)).toBeUndefined();
  });

  it('tells the direction by the lane, and without lanes by the load', () => {
    const below = picker.pick(0.5, 0.05, 0.1, 40)!;
    const above = picker.pick(0.5, -0.05, 0.1, 40)!;
    // Right-hand traffic: from 0 to 1 the page's right is downwards.
    expect(textTarget(mesh, below, true)).toEqual({ kind: 'link', from: 0, to: 1 });
    expect(textTarget(mesh, above, true)).toEqual({ kind: 'link', from: 1, to: 0 });
    expect(textTarget(mesh, above, false)).toEqual({ kind: 'link', from: 0, to: 1 });
  });

  it('measures to the nearer end beyond a segment', () => {
    expect(distanceToSegment(5, 4, 0, 0, 2, 0)).toBe(5);
    expect(distanceToSegment(1, 2, 0, 0, 2, 0)).toBe(2);
    expect(distanceToSegment(3, 4, 0, 0, 0, 0)).toBe(5);
  });
});

describe('picking in a fabric', () => {
  const scene = drawScene(fabricReport('from', { fabric: fabricOf(4, 40, 12), jobs: [100], loads: [] }));
  const fabric = createPicker(scene);
  const { nodes, links } = scene;

  it('finds hosts while they are drawn, else their switch', () => {
    nodes.id.forEach((_, entry) => {
      const [x, y] = [nodes.x[entry]!, nodes.y[entry]!];
      expect(fabric.pick(x, y, 0.01, 40)).toEqual({ kind: 'node', entry });
      expect(fabric.pick(x, y, 0.01, 2)).toEqual({ kind: 'router', entry: nodes.router[entry]! });
    });
  });

  it('finds every cable at its middle unless a switch or a host is in front', () => {
    const cables = [...links.from.keys()].filter((link) => (links.flags[link]! & hostFlag) === 0);
    let seen = 0;
    for (const link of cables) {
      const [x, y] = [(links.x1[link]! + links.x2[link]!) / 2, (links.y1[link]! + links.y2[link]!) / 2];
      const thing = fabric.pick(x, y, 0.05, 40)!;
      if (thing.kind !== 'link') {
        expect(['router', 'node']).toContain(thing.kind);
        continue;
      }
      seen++;
      const found = thing.link;
      const ends = [links.x1[found]!, links.y1[found]!, links.x2[found]!, links.y2[found]!] as const;
      expect(distanceToSegment(x, y, ...ends)).toBeLessThan(1e-3);
    }
    expect(seen).toBeGreaterThan(60);
  });

  it('finds a bow along its curve, not along its chord', () => {
    const report = fabricReport('switches', {
      numbers: [7],
      cables: [
        ...[1, 2, 3, 4, 5, 6].map((to) => ({ from: 0, to })),
        { from: 1, to: 2 },
        { from: 1, to: 3 },
        { from: 1, to: 4 },
      ],
      routing: 'up-down',
      root: 0,
    });
    const bowed = drawScene(report);
    const link = bowed.links.bend.findIndex((bend) => bend !== 0);
    const [x1, y1, x2, y2] = [
      bowed.links.x1[link]!,
      bowed.links.y1[link]!,
      bowed.links.x2[link]!,
      bowed.links.y2[link]!,
    ];
    const [x, y] = pointOn(x1, y1, x2, y2, bowed.links.bend[link]!, 0.5);
    expect(createPicker(bowed).pick(x, y, 0.05, 40)).toMatchObject({ kind: 'link', link });
  });
});

describe('what the tooltip says', () => {
  it('of a node', () => {
    expect(describeThing(mesh, picker.pick(1, 0, 0.1, 40)!)).toEqual({
      headline: 'Node 1 (1, 0)',
      lines: ['job-0: 2–3'],
    });
    expect(describeThing(mesh, picker.pick(3, 3, 0.1, 40)!).lines).toEqual(['runs no task']);
  });

  it('of a link', () => {
    expect(describeThing(mesh, picker.pick(0.5, 0, 0.1, 40)!)).toEqual({
      headline: 'Link tasks 0–1 (node 0) – tasks 2–3 (node 1)',
      lines: [
        'tasks 0–1 (node 0) → tasks 2–3 (node 1): 3 KiB, 100 % of the maximum',
        'tasks 2–3 (node 1) → tasks 0–1 (node 0): 1 KiB, 33 % of the maximum',
      ],
    });
  });

  it.each([
    [0, 0, '0 %'],
    [1, 3, '33 %'],
    [1, 3000, 'under 1 %'],
    [0, 3, '0 %'],
  ])('%d of %d is %s', (load, maximum, text) => {
    expect(loadShare(sceneUpTo(maximum), load)).toBe(text);
  });
});

describe('a node of several rails', () => {
  it('tells the switch of each', () => {
    const options = { options: { k: 4, n: 2 }, jobs: [8] };
    const apart = drawScene(fabricReport('fat-tree', { ...options, rails: { count: 2, optimised: true } }));
    expect(describeThing(apart, { kind: 'node', entry: 1 }).lines).toEqual(
      expect.arrayContaining(['rail 0 on switch 0', 'rail 1 on switch 1']),
    );
    const together = drawScene(fabricReport('fat-tree', { ...options, rails: { count: 2 } }));
    expect(describeThing(together, { kind: 'node', entry: 1 }).lines).toContain('rails 0, 1 on switch 0');
  });
});
