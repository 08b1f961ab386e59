import type { LinkId } from '../../model/identifiers.ts';

/** A link before its flows are looked up. */
export interface LoadedLink {
  readonly link: LinkId;
  readonly load: number;
  /** load / mean of the used links. */
  readonly timesMean: number;
}

/**
 * Links whose load is at least `factor` times the mean of the used links, heaviest first, equal
 * loads by LinkId. O(links + hot · log hot).
 */
export function findHotLinks(loads: Float64Array, factor: number): readonly LoadedLink[] {
  const mean = meanOfUsed(loads);
  if (mean === 0) return [];
  const hot: LoadedLink[] = [];
  for (let link = 0; link < loads.length; link++) {
    const load = loads[link]!;
    if (load > 0 && load >= factor * mean) hot.push({ link: link as LinkId, load, timesMean: load / mean });
  }
  // Stable: equal loads stay in order of LinkId.
  return hot.sort((a, b) => b.load - a.load);
}

/** Mean load of the links that carry anything; 0 where none does. O(links). */
export function meanOfUsed(loads: Float64Array): number {
  let used = 0;
  let sum = 0;
  for (const load of loads) {
    if (load === 0) continue;
    used++;
    sum += load;
  }
  return used === 0 ? 0 : sum / used;
}
