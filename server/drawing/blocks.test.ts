import { describe, expect, it } from 'vitest';
import type { PlacementReport } from '../model/report.ts';
import { blockSides, drawBlocks } from './blocks.ts';
import { changeNotes, drawDifference } from './difference.ts';
import { pictureOf } from './drawScene.ts';
import { nodeLabels, taskLines, sceneLinkEnds } from './labels.ts';
import { litIn } from './lit.ts';
import { laidOut, planeCount, planeName, planeOf } from './projections.ts';
import { renderSvg } from './renderSvg.ts';
import type { Scene } from './scene.ts';
import { autonetReport, fabricOf, fabricReport, torusReport } from './testing/fixtures.ts';

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
      'load inside: mean 6.667 B, maximum 100 B',
      'bottleneck link: to x = 2–3, y = 0–1, z = 0–1, 300 B',
    ]);
    expect(taskLines(scene, 1).at(-1)).toBe('bottleneck link: from x = 0–1, y = 0–1, z = 0–1, 300 B');
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
    expect(sceneLinkEnds(scene, entry)).toEqual(['x = 0–1, y = 0–1, z = 0–1', 'x = 2–3, y = 0–1, z = 0–1']);
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
    expect([first, second]).toEqual(['Each of 13,824 squares is 8 nodes.', 'Block 2 x 2 x 2 of 48 x 48 x 48.']);
    expect(scene.description).toContain(`${first!} ${second!}`);
    const svg = renderSvg(planeOf(scene, 0));
    for (const word of ['Each of 13,824 squares', 'Line: busiest link']) expect(svg).toContain(word);
  });

  it('shows nothing by the numbers of nodes', () => {
    expect(litIn(scene, { kind: 'nodes', first: 0, last: 9 })).toBeUndefined();
  });
});

describe('the difference of two pictures in blocks', () => {
  const other = torusReport([48, 48, 48], {
    placement: 'other',
    jobs: [30_000, 500],
    // The busiest cable between the first two blocks is another one now.
    loads: [
      [0, 1, 100],
      [49, 50, 500],
      [2, 1, 10],
    ],
  });
  const [before, after] = [sceneOf(report), sceneOf(other)];
  const shifted = {
    ...after,
    blocks: { ...after.blocks!, tasks: after.blocks!.tasks.map((tasks, entry) => (entry === 0 ? 6 : tasks)) },
  };

  it('compares the busiest cables, and the tasks of squares', () => {
    const drawn = drawDifference(before, shifted);
    if (!drawn.ok) throw new Error(drawn.failure.message);
    const { difference, links } = drawn.value;
    const entry = [...links.from.keys()].find((link) => links.from[link] === 0 && links.to[link] === 1)!;
    expect([difference!.forward[entry], links.forward[entry]]).toEqual([300, 500]);
    expect(difference).toMatchObject({ cooled: 1, heated: 1, blocks: { changed: 1 } });
    expect(taskLines(drawn.value, 0)).toContain('8 tasks before');
    expect(drawn.value.description).toContain('1 of 13,824 squares has more or fewer tasks;');
    expect(planeOf(drawn.value, 1).difference!.blocks!.tasks).toHaveLength(24 ** 2);
    expect(changeNotes(difference!)).toContain('1 of 13,824 squares has more or fewer tasks.');
    expect(renderSvg(planeOf(drawn.value, 0))).toContain('first-try → other');
  });

  it('is refused where blocks are of other machines', () => {
    const narrow = sceneOf(torusReport([48, 48, 46], { jobs: [1], loads: [] }));
    expect(drawDifference(before, { ...narrow, machine: before.machine })).toMatchObject({
      ok: false,
      failure: { code: 'not-comparable' },
    });
  });
});

describe('blocks of networks of switches', () => {
  const drawn = (one: PlacementReport) => {
    const found = drawBlocks(one);
    if (found === undefined) throw new Error('There are no blocks.');
    return found;
  };
  const linesBetween = ({ links }: ReturnType<typeof drawn>): number =>
    new Set(
      Array.from(links.from, (from, link) => `${Math.min(from, links.to[link]!)} ${Math.max(from, links.to[link]!)}`),
    ).size;

  it('are the leaves of a tree, and above them the switches that lead to the same of them', () => {
    const tree = fabricReport('fat-tree', { options: { levels: [4, 3, 5] }, jobs: [30], loads: [] });
    const { nodes, blocks, layout, shape } = drawn(tree);
    const leaves = [...nodes.id].filter((block) => blocks.nodes[block]! > 0);
    const above = [...nodes.id].filter((block) => blocks.nodes[block] === 0);
    expect(blocks.nodes.reduce((sum, count) => sum + count, 0)).toBe(tree.machine.nodeCount);
    expect(blocks.switches!.reduce((sum, count) => sum + count, 0)).toBe(tree.machine.topology.routerCount);
    expect(new Set(leaves.map((block) => blocks.nodes[block]))).toEqual(new Set([4]));
    // One block of switches for each pod, and one on top.
    expect([leaves.length, above.length]).toEqual([15, 6]);
    expect(linesBetween(drawn(tree))).toBe(15 + 5);
    expect(shape).toEqual([]);
    const heights = [leaves, above].map((of) => of.map((block) => layout.y[block]!));
    expect(Math.max(...heights[1]!)).toBeLessThan(Math.min(...heights[0]!));
    expect(blocks.notes[1]).toBe('Below it is a leaf, above the switches that lead to the same squares.');
  });

  it('are the groups of a dragonfly, each with a line to each', () => {
    const dragonfly = fabricReport('dragonfly', { options: { p: 2, a: 4, h: 2 }, jobs: [24], loads: [] });
    const picture = drawn(dragonfly);
    expect(picture.nodes.names.slice(0, 2)).toEqual(['group 0', 'group 1']);
    expect([picture.nodes.id.length, linesBetween(picture)]).toEqual([9, 36]);
    expect([...picture.blocks.nodes]).toEqual(new Array(9).fill(8));
  });

  it('are the routers of a HyperX with their nodes, in rows and columns', () => {
    const hyperx = fabricReport('hyperx', { numbers: [4, 3], hosts: 5, jobs: [60], loads: [] });
    const picture = drawn(hyperx);
    expect(picture.nodes.names.slice(0, 2)).toEqual(['x = 0, y = 0', 'x = 1, y = 0']);
    expect(linesBetween(picture)).toBe(3 * 6 + 4 * 3);
    expect([...picture.blocks.used]).toEqual(new Array(12).fill(5));
    expect(picture.blocks.notes[1]).toBe('Block 1 x 1 of 4 x 3.');
  });

  it('of a fabric are named as its file names its switches', () => {
    const fabric = fabricReport('from', { fabric: fabricOf(4, 6, 3), jobs: [18], loads: [] });
    const { nodes, blocks } = drawn(fabric);
    expect(nodes.names).toEqual(['leaf-0', 'leaf-1', 'leaf-2', 'leaf-3', 'leaf-4', 'leaf-5', 'switches 6–9']);
    expect([...blocks.switches!]).toEqual([1, 1, 1, 1, 1, 1, 4]);
  });

  it('are none where nothing tells how switches belong together', () => {
    expect(drawBlocks(autonetReport())).toBeUndefined();
    expect(drawBlocks(fabricReport('cluster', { numbers: [4], jobs: [4], loads: [] }))).toBeUndefined();
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
