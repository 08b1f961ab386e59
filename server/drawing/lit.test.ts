import { describe, expect, it } from 'vitest';
import { drawScene } from './drawScene.ts';
import { litIn, type TextThings } from './lit.ts';
import { hostFlag, stubFlag } from './scene.ts';
import { fabricReport, torusReport } from './testing/fixtures.ts';

const torus = drawScene(torusReport([4, 4], { jobs: [6, 4] }));
const tree = drawScene(fabricReport('fat-tree', { options: { k: 4, n: 2 } }));

/** What comes out, by node number and by the ends of cables. */
function shown(scene: typeof torus, things: TextThings) {
  const lit = litIn(scene, things);
  return (
    lit && {
      nodes: lit.nodes.map((entry) => scene.nodes.id[entry]!).sort((one, other) => one - other),
      links: lit.links.map((entry) => [scene.links.from[entry]!, scene.links.to[entry]!]),
      words: lit.words,
    }
  );
}

const numbers = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('things of the text in a picture', () => {
  it.each<[what: string, things: TextThings, nodes: readonly number[], words: string]>([
    ['a job', { kind: 'jobs', jobs: ['job-1'] }, numbers(6, 9), 'job job-1'],
    ['jobs, one of which is elsewhere', { kind: 'jobs', jobs: ['gone', 'job-0'] }, numbers(0, 5), 'job job-0'],
    ['all jobs', { kind: 'jobs', jobs: ['job-0', 'job-1'] }, numbers(0, 9), 'jobs job-0, job-1'],
    ['a flow', { kind: 'jobs', jobs: ['job-1'], flow: { from: 0, to: 2 } }, [6, 8], 'job-1 0 → job-1 2'],
    ['a task', { kind: 'tasks', tasks: [{ job: 'job-1', first: 1, last: 1 }] }, [7], 'job-1 1 on node 7'],
    [
      'tasks of two jobs',
      {
        kind: 'tasks',
        tasks: [
          { job: 'job-0', first: 4, last: 5 },
          { job: 'job-1', first: 0, last: 0 },
        ],
      },
      [4, 5, 6],
      'job-0 4–5, job-1 0',
    ],
    ['a node that runs nothing', { kind: 'nodes', first: 15, last: 15 }, [15], 'node 15'],
    ['nodes', { kind: 'nodes', first: 2, last: 4 }, [2, 3, 4], 'nodes 2–4'],
  ])('%s', (_, things, nodes, words) => {
    expect(shown(torus, things)).toEqual({ nodes, links: [], words });
  });

  it.each<[what: string, things: TextThings]>([
    ['a job of another placement', { kind: 'jobs', jobs: ['gone'] }],
    ['a task that it has not', { kind: 'tasks', tasks: [{ job: 'job-1', first: 4, last: 4 }] }],
    ['a node that it has not', { kind: 'nodes', first: 16, last: 20 }],
    ['hosts of a machine without names', { kind: 'hosts', names: ['n01'] }],
    ['a cable that it has not', { kind: 'cables', cables: [{ from: 0, to: 5 }] }],
    ['the link of a host that stands for its router', { kind: 'cables', cables: [{ from: { host: 0 }, to: 0 }] }],
  ])('are none for %s', (_, things) => {
    expect(litIn(torus, things)).toBeUndefined();
  });

  it('are cables in either direction, and both parts of one that wraps around', () => {
    expect(shown(torus, { kind: 'cables', cables: [{ from: 1, to: 0 }] })).toEqual({
      nodes: [],
      links: [[0, 1]],
      words: 'link 0 – 1',
    });
    const wrapped = litIn(torus, { kind: 'cables', cables: [{ from: 0, to: 3 }] })!;
    expect(wrapped.links).toHaveLength(2);
    expect(wrapped.links.every((entry) => (torus.links.flags[entry]! & stubFlag) !== 0)).toBe(true);
    expect(wrapped.words).toMatch(/^link \d – \d$/);
  });

  it('are named up to a few cables', () => {
    const cables = [1, 4, 5, 2].map((to) => ({ from: to === 4 ? 0 : to - 1, to }));
    expect(litIn(torus, { kind: 'cables', cables: [...cables, { from: 8, to: 9 }] })?.words).toMatch(
      /^links \d – \d, \d – \d, \d – \d and 2 more$/,
    );
  });

  it('are links of hosts where nodes hang on switches', () => {
    const entry = tree.links.flags.findIndex((flags) => (flags & hostFlag) !== 0);
    const [host, router] = [tree.links.from[entry]!, tree.links.to[entry]!];
    const found = litIn(tree, { kind: 'cables', cables: [{ from: router, to: { host } }] })!;
    expect(found.links).toEqual([entry]);
    expect(litIn(tree, { kind: 'cables', cables: [{ from: host, to: router + 1000 }] })).toBeUndefined();
  });
});
