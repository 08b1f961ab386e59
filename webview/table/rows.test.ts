import { describe, expect, it } from 'vitest';
import { drawScene } from '../../server/drawing/drawScene.ts';
import { fabricOf, fabricReport, torusReport } from '../../server/drawing/testing/fixtures.ts';
import { linkRows, nodeRows, routerRows, type TableContent } from './rows.ts';

const all = (content: TableContent): (readonly string[])[] =>
  Array.from({ length: content.rowCount }, (_, row) => content.cells(row));

describe('the table of nodes', () => {
  it('lists each node with its coordinates, job and tasks', () => {
    const content = nodeRows(drawScene(torusReport([2, 2], { cores: 4, jobs: [5, 3] })));
    expect(all(content)).toEqual([
      ['0', '(0, 0)', 'job-0', '0–3'],
      ['1', '(1, 0)', 'job-1', 'job-0: 4; job-1: 0–2'],
      ['2', '(0, 1)', 'none', ''],
      ['3', '(1, 1)', 'none', ''],
    ]);
    expect(content.target?.(2)).toEqual({ kind: 'node', node: 2 });
  });

  it('goes by number, however the picture is painted', () => {
    const content = nodeRows(drawScene(torusReport([2, 2, 3])));
    expect(all(content).map(([node]) => node)).toEqual([...Array(12).keys()].map(String));
  });
});

describe('the table of links', () => {
  const loads = [
    [0, 1, 512],
    [4, 3, 4096],
    [3, 4, 1024],
    [0, 2, 2048],
    [1, 2, 512],
  ] as const;
  const content = linkRows(drawScene(torusReport([3, 3], { loads })));

  it('has every cable once, the busiest first', () => {
    expect(content.rowCount).toBe(18);
    expect(all(content).slice(0, 4)).toEqual([
      ['3', '4', '1 KiB', '4 KiB', '100 %', 'hot'],
      ['0', '2', '2 KiB', '0 B', '50 %', ''],
      ['0', '1', '512 B', '0 B', '13 %', ''],
      ['1', '2', '512 B', '0 B', '13 %', ''],
    ]);
  });

  it('reveals the busier direction', () => {
    expect(content.target?.(0)).toEqual({ kind: 'link', from: 4, to: 3 });
    expect(content.target?.(1)).toEqual({ kind: 'link', from: 0, to: 2 });
  });
});

describe('the tables of a fabric', () => {
  const scene = drawScene(fabricReport('from', { fabric: fabricOf(1, 2, 2), jobs: [3], loads: [[2, 1, 100]] }));

  it('have the names of its file', () => {
    expect(all(nodeRows(scene))).toEqual([
      ['0', 'host-0', 'leaf-0', 'job-0', '0'],
      ['1', 'host-1', 'leaf-0', 'job-0', '1'],
      ['2', 'host-2', 'leaf-1', 'job-0', '2'],
      ['3', 'host-3', 'leaf-1', 'none', ''],
    ]);
    expect(all(routerRows(scene))).toEqual([
      ['0', 'leaf-0', 'tier 0', '2', 'job-0: 2'],
      ['1', 'leaf-1', 'tier 0', '2', 'job-0: 1; free: 1'],
      ['2', 'spine-0', 'tier 1', '0', ''],
    ]);
    expect(all(linkRows(scene)).map(([from, to]) => `${from!}-${to!}`)).toEqual([
      'leaf-1-spine-0',
      'leaf-0-spine-0',
      'host-0-leaf-0',
      'host-1-leaf-0',
      'host-2-leaf-1',
      'host-3-leaf-1',
    ]);
  });

  it('let tasks and links be selected, and reveal the host of a host link', () => {
    const nodes = nodeRows(scene);
    expect(nodes.selects(0)).toEqual({ kind: 'node', entry: 0 });
    expect(nodes.selects(3)).toBeUndefined();
    expect(linkRows(scene).target?.(3)).toEqual({ kind: 'node', node: 1 });
    expect(routerRows(scene).target?.(0)).toBeUndefined();
  });
});
