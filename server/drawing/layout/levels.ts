import { largestOf, leastOf } from '../../model/lists.ts';
import { seededRandom } from '../../model/random.ts';
import type { SceneArea } from '../scene.ts';
import { usualProportion, type Layout, type Network } from './contract.ts';
import { fabricLayout, frameRouters, nodesOfRouters, riseOf, type RouterPlaces } from './frames.ts';

/** Free space between neighbours on a level. */
const gap = 0.55;
/** Between the lines of a level that is folded. */
const lineGap = 0.5;
/** A picture wider than this many times what its height is wide in its room has its widest levels folded. */
const widest = 1.7;
/** Levels of fewer routers are never folded in a room of usual proportions, and of as much fewer in a narrower one. */
const foldedFrom = 16;

/**
 * Irregular networks by their distance from a root, the root on top: Sugiyama's scheme with the
 * levels of breadth-first search (Sugiyama et al. 1981). Cables within a level bow out
 * below it. O(sweeps · links log links).
 */
export function layoutLevels(topology: Network, level: Int32Array, proportion = usualProportion): Layout {
  const first = nodesOfRouters(topology);
  const places = frameRouters(first);
  const rows = orderLevels(topology.links, level, places.size);
  const lines = foldRows(rows, places, proportion);
  placeLevelColumns(topology, level, rows, lines, places);
  const bands = placeLevelRows(rows, lines, places, proportion);
  const bend = bowsOf(level, rows, lines, places);
  return fabricLayout(first, places, { bend, areas: bands, rank: level, rankWord: 'level' });
}

const levelWidth = (row: readonly number[], size: Float32Array): number =>
  row.reduce((sum, router) => sum + 2 * size[router]! + gap, -gap);

const largestInRow = (row: readonly number[], size: Float32Array): number =>
  row.reduce((most, router) => Math.max(most, size[router]!), 0);

/** Lines that each level takes: the fewest with which the picture is not too wide. */
function foldRows(rows: readonly (readonly number[])[], { size }: RouterPlaces, proportion: number): number[] {
  const shortest = foldedFrom * Math.min(1, proportion / usualProportion);
  const widths = rows.map((row) => levelWidth(row, size));
  const most = largestOf(widths);
  for (let folds = 1; ; folds++) {
    const limit = most / folds;
    const lines = rows.map((row, level) =>
      row.length < shortest ? 1 : Math.max(1, Math.ceil(widths[level]! / limit - 1e-9)),
    );
    const width = largestOf(widths.map((each, level) => each / lines[level]!));
    const own = rows.reduce((sum, row, level) => sum + lines[level]! * (2 * largestInRow(row, size) + lineGap), 0);
    const height = own + rows.length * riseOf(width, own, 0, proportion);
    if (
      width <= widest * proportion * height ||
      lines.every((count, level) => count >= rows[level]!.length / 2 || count < folds)
    ) {
      return lines;
    }
  }
}

/** Sideways: as near as can be to the neighbours above and below; folded levels in even columns. */
function placeLevelColumns(
  { links }: Network,
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
      spreadPlaces(wanted, gaps).forEach((place, index) => (x[row[index]!] = place));
    }
  }
}

function meanOfNeighbours(
  { firstLink, to }: Network['links'],
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
  let next = -levelWidth(row, size) / 2;
  for (const router of row) {
    x[router] = next + size[router]!;
    next += 2 * size[router]! + gap;
  }
}

function setFolded(row: readonly number[], lines: number, x: Float32Array, size: Float32Array): void {
  const columns = Math.ceil(row.length / lines);
  const step = 2 * largestInRow(row, size) + gap;
  row.forEach((router, index) => (x[router] = (Math.floor(index / lines) - (columns - 1) / 2) * step));
}

/** Downwards, level after level; the bands behind them. */
function placeLevelRows(
  rows: readonly (readonly number[])[],
  lines: readonly number[],
  { x, y, size }: RouterPlaces,
  proportion: number,
): SceneArea[] {
  const routers = rows.flat();
  const left = leastOf(routers.map((router) => x[router]! - size[router]!));
  const right = largestOf(routers.map((router) => x[router]! + size[router]!));
  // Left of everything stands the name of the level.
  const labelRoom = Math.max(1.1, 0.06 * (right - left));
  const heights = rows.map((row, depth) => lines[depth]! * (2 * largestInRow(row, size) + lineGap) - lineGap);
  const rise = riseOf(
    right - left,
    heights.reduce((sum, height) => sum + height, 0),
    rows.length,
    proportion,
  );
  let top = 0;
  return rows.map((row, depth) => {
    const half = largestInRow(row, size);
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
  const largest = rows.map((row) => largestInRow(row, size));
  return (from, to) => {
    const depth = level[from]!;
    const passed = Math.abs(place[from]! - place[to]!);
    if (level[to] !== depth || y[from] !== y[to] || passed < 2 || lines[depth]! > 1) return 0;
    const share = (4 / passed) * (1 - 1 / passed);
    const depthOfBow = Math.min(3 * largest[depth]!, (largest[depth]! + 0.25) / share);
    return x[to]! > x[from]! ? depthOfBow : -depthOfBow;
  };
}

/** Networks of more cables are ordered once, from the numbers of their routers. */
const searchedCables = 300;
/** Orders to begin with, and sweeps down and up from each. */
const starts = 12;
const sweeps = 8;

/**
 * Routers of each level from left to right, with few cables crossing: barycentre sweeps
 * (Sugiyama et al. 1981, section III), for small networks from several orders to begin with, of
 * which the best is kept. Chance has a fixed seed, so the order is always the same.
 */
function orderLevels(links: Network['links'], level: Int32Array, size: Float32Array): number[][] {
  const rows: number[][] = Array.from({ length: Math.max(0, largestOf(level)) + 1 }, () => []);
  level.forEach((depth, router) => rows[depth]!.push(router));
  const cables = cablesFromRoot(links, level);
  if (cables.length > searchedCables) return sweepLevels(links, level, rows, size).rows;
  const random = seededRandom(1);
  let best: { rows: number[][]; faults: number } | undefined;
  for (let start = 0; start < starts; start++) {
    const swept = sweepLevels(links, level, rows, size);
    const faults = layoutFaults(cables, level, swept);
    if (best === undefined || faults < best.faults - 1e-9) best = { rows: swept.rows, faults };
    for (const row of rows) {
      for (let place = row.length - 1; place > 0; place--) {
        const other = random.integer(place + 1);
        [row[place], row[other]] = [row[other]!, row[place]!];
      }
    }
  }
  return best!.rows;
}

interface Swept {
  readonly rows: number[][];
  /** Centre of each router, by RouterId. */
  readonly x: Float64Array;
}

function sweepLevels(
  links: Network['links'],
  level: Int32Array,
  start: readonly (readonly number[])[],
  size: Float32Array,
): Swept {
  const rows = start.map((row) => [...row]);
  const x = new Float64Array(level.length);
  for (const row of rows)
    assignPositions(
      row,
      row.map((_, place) => place - row.length / 2),
      x,
      size,
    );
  for (let pass = 0; pass < sweeps; pass++) {
    const downwards = pass % 2 === 0;
    for (let step = 1; step < rows.length; step++) {
      const depth = downwards ? step : rows.length - 1 - step;
      const wanted = new Map(rows[depth]!.map((router) => [router, pull(links, level, router, downwards ? -1 : 1, x)]));
      rows[depth]!.sort((one, other) => wanted.get(one)! - wanted.get(other)! || x[one]! - x[other]!);
      assignPositions(
        rows[depth]!,
        rows[depth]!.map((router) => wanted.get(router)!),
        x,
        size,
      );
    }
  }
  return { rows, x };
}

function assignPositions(row: readonly number[], wanted: readonly number[], x: Float64Array, size: Float32Array): void {
  const gaps = row.slice(1).map((router, index) => size[row[index]!]! + size[router]! + 0.5);
  spreadPlaces(wanted, gaps).forEach((place, index) => (x[row[index]!] = place));
}

/** Mean place of the neighbours on the level towards which the sweep has gone, those beside at a third of the weight. */
function pull(
  { firstLink, to }: Network['links'],
  level: Int32Array,
  router: number,
  side: number,
  x: Float64Array,
): number {
  let sum = 0;
  let weight = 0;
  for (let link = firstLink[router]!; link < firstLink[router + 1]!; link++) {
    const other = to[link]!;
    const apart = level[other]! - level[router]!;
    if (apart === -side) continue;
    const share = apart === 0 ? 1 / 3 : 1;
    sum += share * x[other]!;
    weight += share;
  }
  return weight === 0 ? x[router]! : sum / weight;
}

/** Cables between levels that cross, routers that cables within a level pass, and a little for length. */
function layoutFaults(cables: readonly (readonly [number, number])[], level: Int32Array, { rows, x }: Swept): number {
  const place = new Int32Array(level.length);
  for (const row of rows) row.forEach((router, index) => (place[router] = index));
  let faults = 0;
  cables.forEach(([upper, lower], index) => {
    faults += 0.01 * Math.abs(x[upper]! - x[lower]!);
    if (level[upper] === level[lower]) {
      faults += Math.abs(place[upper]! - place[lower]!) - 1;
      return;
    }
    for (let next = index + 1; next < cables.length; next++) {
      const [otherUpper, otherLower] = cables[next]!;
      if (level[otherUpper] !== level[upper] || level[otherLower] === level[otherUpper]) continue;
      if ((place[upper]! - place[otherUpper]!) * (place[lower]! - place[otherLower]!) < 0) faults++;
    }
  });
  return faults;
}

/** Each pair of cabled routers once, the one nearer to the root first. */
function cablesFromRoot(links: Network['links'], level: Int32Array): (readonly [number, number])[] {
  const cables: (readonly [number, number])[] = [];
  for (let link = 0; link < links.routerLinkCount; link++) {
    const [from, to] = [links.from[link]!, links.to[link]!];
    if (level[from]! < level[to]! || (level[from] === level[to] && from < to)) cables.push([from, to]);
  }
  return cables;
}

/**
 * Places in a row as near as can be to where each would like to be: the positions that keep the
 * given order and gaps and have the least sum of squared distances from `wanted`. Isotonic
 * regression by pooling adjacent violators (Barlow et al. 1972). O(n).
 * `gaps[i]` is the least distance from place i to place i + 1.
 */
export function spreadPlaces(wanted: readonly number[], gaps: readonly number[]): number[] {
  const offsets = [0];
  for (let index = 1; index < wanted.length; index++) offsets.push(offsets[index - 1]! + gaps[index - 1]!);
  const pools: { sum: number; count: number }[] = [];
  wanted.forEach((place, index) => {
    let pool = { sum: place - offsets[index]!, count: 1 };
    for (let last = pools.at(-1); last !== undefined; last = pools.at(-1)) {
      if (last.sum / last.count < pool.sum / pool.count) break;
      pools.pop();
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
    }
    pools.push(pool);
  });
  const places: number[] = [];
  for (const { sum, count } of pools) {
    for (let member = 0; member < count; member++) places.push(sum / count + offsets[places.length]!);
  }
  return places;
}
