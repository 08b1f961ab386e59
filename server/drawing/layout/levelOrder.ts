import type { LinkTable } from '../../model/machine.ts';
import { seededRandom } from '../../model/random.ts';
import { spread } from './spread.ts';

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
export function orderLevels(links: LinkTable, level: Int32Array, size: Float32Array): number[][] {
  const rows: number[][] = Array.from({ length: Math.max(...level, 0) + 1 }, () => []);
  level.forEach((depth, router) => rows[depth]!.push(router));
  const cables = cablesOf(links, level);
  if (cables.length > searchedCables) return sweep(links, level, rows, size).rows;
  const random = seededRandom(1);
  let best: { rows: number[][]; faults: number } | undefined;
  for (let start = 0; start < starts; start++) {
    const swept = sweep(links, level, rows, size);
    const faults = faultsOf(cables, level, swept);
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

function sweep(links: LinkTable, level: Int32Array, start: readonly (readonly number[])[], size: Float32Array): Swept {
  const rows = start.map((row) => [...row]);
  const x = new Float64Array(level.length);
  for (const row of rows)
    assign(
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
      assign(
        rows[depth]!,
        rows[depth]!.map((router) => wanted.get(router)!),
        x,
        size,
      );
    }
  }
  return { rows, x };
}

function assign(row: readonly number[], wanted: readonly number[], x: Float64Array, size: Float32Array): void {
  const gaps = row.slice(1).map((router, index) => size[row[index]!]! + size[router]! + 0.5);
  spread(wanted, gaps).forEach((place, index) => (x[row[index]!] = place));
}

/** Mean place of the neighbours on the level towards which the sweep has gone, those beside at a third of the weight. */
function pull({ firstLink, to }: LinkTable, level: Int32Array, router: number, side: number, x: Float64Array): number {
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
function faultsOf(cables: readonly (readonly [number, number])[], level: Int32Array, { rows, x }: Swept): number {
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
function cablesOf(links: LinkTable, level: Int32Array): (readonly [number, number])[] {
  const cables: (readonly [number, number])[] = [];
  for (let link = 0; link < links.routerLinkCount; link++) {
    const [from, to] = [links.from[link]!, links.to[link]!];
    if (level[from]! < level[to]! || (level[from] === level[to] && from < to)) cables.push([from, to]);
  }
  return cables;
}
