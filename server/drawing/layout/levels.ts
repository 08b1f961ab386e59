import type { Topology } from '../../model/machine.ts';
import type { SceneArea } from '../scene.ts';
import type { Layout } from './contract.ts';
import { frameRouters, nodesOfRouters, placeHosts, type RouterPlaces } from './frames.ts';
import { orderLevels } from './levelOrder.ts';
import { ascending } from './project.ts';
import { riseOf } from './rise.ts';
import { spread } from './spread.ts';

/** Free space between neighbours on a level. */
const gap = 0.55;
/** Between the lines of a level that is folded. */
const lineGap = 0.5;
/** A picture wider than this many times its height has its widest levels folded. */
const widest = 2.2;
/** Levels of fewer routers are never folded. */
const foldedFrom = 16;

/**
 * Irregular networks by their distance from a root, the root on top: Sugiyama's scheme with the
 * levels of breadth-first search (Sugiyama et al. 1981). Order within levels: `levelOrder.ts`.
 * Cables within a level bow out below it. O(sweeps · links log links).
 */
export function layoutLevels(topology: Topology, level: Int32Array): Layout {
  const first = nodesOfRouters(topology);
  const places = frameRouters(first);
  const rows = orderLevels(topology.links, level, places.size);
  const lines = foldRows(rows, places);
  setColumns(topology, level, rows, lines, places);
  const bands = setHeights(rows, lines, places);
  return {
    ...places,
    order: ascending(topology.routerCount),
    stub: () => undefined,
    fabric: {
      ...placeHosts(first, places),
      framed: places.framed,
      bend: bowsOf(level, rows, lines, places),
      areas: bands,
      rank: level,
      rankWord: 'level',
    },
  };
}

const widthOf = (row: readonly number[], size: Float32Array): number =>
  row.reduce((sum, router) => sum + 2 * size[router]! + gap, -gap);

const largestOf = (row: readonly number[], size: Float32Array): number =>
  row.reduce((most, router) => Math.max(most, size[router]!), 0);

/** Lines that each level takes: the fewest with which the picture is not too wide. */
function foldRows(rows: readonly (readonly number[])[], { size }: RouterPlaces): number[] {
  const widths = rows.map((row) => widthOf(row, size));
  const most = Math.max(...widths);
  for (let folds = 1; ; folds++) {
    const limit = most / folds;
    const lines = rows.map((row, level) =>
      row.length < foldedFrom ? 1 : Math.max(1, Math.ceil(widths[level]! / limit - 1e-9)),
    );
    const width = Math.max(...widths.map((each, level) => each / lines[level]!));
    const own = rows.reduce((sum, row, level) => sum + lines[level]! * (2 * largestOf(row, size) + lineGap), 0);
    const height = own + rows.length * riseOf(width, own, 0);
    if (width <= widest * height || lines.every((count, level) => count >= rows[level]!.length / 2 || count < folds)) {
      return lines;
    }
  }
}

/** Sideways: as near as can be to the neighbours above and below; folded levels in even columns. */
function setColumns(
  { links }: Topology,
  level: Int32Array,
  rows: readonly (readonly number[])[],
  lines: readonly number[],
  { x, size }: RouterPlaces,
): void {
  rows.forEach((row, depth) => {
    if (lines[depth]! > 1) setFolded(row, lines[depth]!, x, size);
    else placeEvenly(row, x, size);
  });
  const passes = 8;
  for (let pass = 0; pass < passes; pass++) {
    const downwards = pass % 2 === 0;
    for (let step = 0; step < rows.length; step++) {
      const depth = downwards ? step : rows.length - 1 - step;
      const row = rows[depth]!;
      if (lines[depth]! > 1) continue;
      const wanted = row.map((router) => meanOfNeighbours(links, level, router, x));
      const gaps = row.slice(1).map((router, index) => size[row[index]!]! + size[router]! + gap);
      spread(wanted, gaps).forEach((place, index) => (x[row[index]!] = place));
    }
  }
}

function meanOfNeighbours(
  { firstLink, to }: Topology['links'],
  level: Int32Array,
  router: number,
  x: Float32Array,
): number {
  let sum = 0;
  let count = 0;
  for (let link = firstLink[router]!; link < firstLink[router + 1]!; link++) {
    // Cables within the level pull too weakly to matter: they bow anyway.
    if (level[to[link]!] === level[router]) continue;
    sum += x[to[link]!]!;
    count++;
  }
  return count === 0 ? x[router]! : sum / count;
}

function placeEvenly(row: readonly number[], x: Float32Array, size: Float32Array): void {
  let next = -widthOf(row, size) / 2;
  for (const router of row) {
    x[router] = next + size[router]!;
    next += 2 * size[router]! + gap;
  }
}

function setFolded(row: readonly number[], lines: number, x: Float32Array, size: Float32Array): void {
  const columns = Math.ceil(row.length / lines);
  const step = 2 * largestOf(row, size) + gap;
  row.forEach((router, index) => (x[router] = (Math.floor(index / lines) - (columns - 1) / 2) * step));
}

/** Downwards, level after level; the bands behind them. */
function setHeights(
  rows: readonly (readonly number[])[],
  lines: readonly number[],
  { x, y, size }: RouterPlaces,
): SceneArea[] {
  const routers = rows.flat();
  const left = Math.min(...routers.map((router) => x[router]! - size[router]!));
  const right = Math.max(...routers.map((router) => x[router]! + size[router]!));
  // Left of everything stands the name of the level.
  const labelRoom = Math.max(1.1, 0.06 * (right - left));
  const heights = rows.map((row, depth) => lines[depth]! * (2 * largestOf(row, size) + lineGap) - lineGap);
  const rise = riseOf(
    right - left,
    heights.reduce((sum, height) => sum + height, 0),
    rows.length,
  );
  let top = 0;
  return rows.map((row, depth) => {
    const half = largestOf(row, size);
    row.forEach((router, index) => {
      y[router] = top + half + (index % lines[depth]!) * (2 * half + lineGap);
    });
    const bottom = top + heights[depth]!;
    const band = {
      left: left - labelRoom,
      right: right + gap,
      top: top - 0.28,
      bottom: bottom + 0.28,
      round: false,
      label: `level ${depth}`,
    };
    top = bottom + rise;
    return band;
  });
}

/**
 * A cable within a level bows out below the routers it passes. At the nearest of n − 1 passed
 * routers a parabola is (4/n)(1 − 1/n) times as deep as in its middle.
 */
function bowsOf(
  level: Int32Array,
  rows: readonly (readonly number[])[],
  lines: readonly number[],
  { x, y, size }: RouterPlaces,
): (from: number, to: number) => number {
  const place = new Int32Array(level.length);
  for (const row of rows) row.forEach((router, index) => (place[router] = index));
  const largest = rows.map((row) => largestOf(row, size));
  return (from, to) => {
    const depth = level[from]!;
    const passed = Math.abs(place[from]! - place[to]!);
    if (level[to] !== depth || y[from] !== y[to] || passed < 2 || lines[depth]! > 1) return 0;
    const share = (4 / passed) * (1 - 1 / passed);
    const depthOfBow = Math.min(3 * largest[depth]!, (largest[depth]! + 0.25) / share);
    return x[to]! > x[from]! ? depthOfBow : -depthOfBow;
  };
}
