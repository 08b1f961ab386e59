import { describe, expect, it } from 'vitest';
import type { PlacementReport } from '../model/report.ts';
import { blockSides } from './blocks.ts';
import { drawDifference } from './difference.ts';
import { pictureOf } from './drawScene.ts';
import { nodeLabels, taskLines, linkEnds } from './labels.ts';
import { litIn } from './lit.ts';
import { laidOut, planeCount, planeName, planeOf } from './projections.ts';
import { renderSvg } from './renderSvg.ts';
import type { Scene } from './scene.ts';
import { fabricReport, torusReport } from './testing/fixtures.ts';

describe('the sides of blocks', () => {
  it.each([
    { what: 'all of Fugaku: short axes as a whole', shape: [24, 23, 24, 2, 3, 2], sides: [1, 1, 1, 2, 3, 2] },
    { what: 'a large plane', shape: [2048, 2048], sides: [16, 16] },
    { what: 'a cube', shape: [48, 48, 48], sides: [2, 2, 2] },
    { what: 'a plane beside a short axis', shape: [400, 3, 400], sides: [4, 3, 2] },
    { what: 'a line', shape: [200_000], sides: [8] },
    { what: 'what is small enough', shape: [12, 5], sides: [1, 1] },
  ])('$what', ({ shape, sides }) => {
    expect(blockSides(shape)).toEqual(sides);
  });

  it('leave axes of a hypercube', () => {
    const sides = blockSides(new Array<number>(20).fill(2));
    expect(sides.filter((side) => side === 1).length).toBe(12);
  });
});

/** Blocks of 2 x 2 x 2 nodes; two jobs, the second of which ends within a block. */
const report = torusReport([48, 48, 48], {
  jobs: [30_000, 500],
  loads: [
    [0, 1, 100],
    [1, 2, 300],
    [49, 50, 200],
    [2, 1, 40],
    [0, 48, 60],
  ],
});

function linkBetween(from: number, to: number): number {
  const { links } = report.machine.topology;
  return [...links.from.keys()].find((link) => links.from[link] === from && links.to[link] === to)!;
}

function sceneOf(one: PlacementReport): Scene {
  const picture = pictureOf(one);
  if (!picture.ok) throw new Error(picture.failure.message);
  return picture.value;
}

describe('a picture in blocks', () => {
  const scene = sceneOf(report);
  const { nodes, links, blocks } = scene;

  it('has every node and task in one of its squares', () => {
    expect(nodes.id).toHaveLength(24 ** 3);
    expect(new Set(blocks!.nodes)).toEqual(new Set([8]));
    const used = blocks!.used.reduce((sum, count) => sum + count, 0);
    expect([used, blocks!.tasks.reduce((sum, count) => sum + count, 0)]).toEqual([30_500, 30_500]);
  });

  it('says of a square what it sums up', () => {
    expect(nodes.names[25]).toBe('x = 2–3, y = 2–3, z = 0–1');
    expect(taskLines(scene, 0)).toEqual([
      '8 nodes, 8 in use (100 %)',
      '8 tasks, most of job-0',
      'links within: 6.667 B on average, 100 B at most',
    ]);
    expect(nodeLabels(scene, 0)).toEqual({ large: '100 %', small: 'x = 0–1, y = 0–1, z = 0–1' });
    const free = nodes.job.indexOf(-1);
    expect(taskLines(scene, free)).toEqual(['8 nodes, 0 in use (0 %)']);
  });

  it('is filled as far as nodes are in use', () => {
    const partly = [...nodes.id].filter((entry) => blocks!.used[entry]! > 0 && blocks!.used[entry]! < 8);
    expect(partly.length).toBeGreaterThan(0);
    const [some] = partly;
    expect(nodeLabels(scene, some!).large).toBe(`${Math.floor(12.5 * blocks!.used[some!]!)} %`);
  });

  it('draws between two squares the busiest cable of each direction, by its own number', () => {
    const entry = [...links.from.keys()].find((link) => links.from[link] === 0 && links.to[link] === 1)!;
    expect([links.forward[entry], links.forwardLink[entry]]).toEqual([300, linkBetween(1, 2)]);
    expect([links.backward[entry], links.backwardLink[entry]]).toEqual([40, linkBetween(2, 1)]);
    expect(linkEnds(scene, entry)).toEqual(['x = 0–1, y = 0–1, z = 0–1', 'x = 2–3, y = 0–1, z = 0–1']);
    // Six neighbours each; those along z, and round the other axes, are two stubs.
    const cables = new Set([...links.from.keys()].map((link) => `${links.from[link]!} ${links.to[link]!}`));
    expect(cables.size).toBe(3 * 24 ** 3);
  });

  it('names its planes by their coordinates, in every layout', () => {
    expect(scene.areas[3]!.label).toBe('z = 6–7');
    expect(planeName(scene, 3)).toBe('z = 6–7');
    expect(laidOut(scene, { proportion: 0.5 }).areas[3]!.label).toBe('z = 6–7');
    expect(planeCount(scene)).toBe(24);
    const plane = planeOf(scene, 3);
    expect(plane.blocks!.nodes).toHaveLength(24 ** 2);
    expect(taskLines(plane, 0)).toEqual(taskLines(scene, 3 * 24 ** 2));
  });

  it('says so beside the picture, and to those who do not see it', () => {
    const [first, second] = blocks!.notes;
    expect([first, second]).toEqual([
      'Each of 13,824 squares sums up 8 nodes.',
      'It is a block of 2 x 2 x 2 in 48 x 48 x 48.',
    ]);
    expect(scene.description).toContain(`${first!} ${second!}`);
    const svg = renderSvg(planeOf(scene, 0));
    for (const word of ['Each of 13,824 squares', 'A line is the busiest cable']) expect(svg).toContain(word);
  });

  it('shows nothing by the numbers of nodes, and no difference', () => {
    expect(litIn(scene, { kind: 'nodes', first: 0, last: 9 })).toBeUndefined();
    expect(drawDifference(scene, { ...scene, placement: 'other' })).toMatchObject({
      ok: false,
      failure: {
        code: 'not-comparable',
        message: expect.stringContaining('too many nodes for a square each') as string,
      },
    });
  });
});

describe('machines without coordinates', () => {
  it('are refused where they have too many nodes', () => {
    const { machine, ...rest } = fabricReport('cluster', { numbers: [4], jobs: [4], loads: [] });
    expect(pictureOf({ ...rest, machine: { ...machine, nodeCount: 2 ** 20 } })).toMatchObject({
      ok: false,
      failure: { code: 'too-large-to-draw' },
    });
  });
});
