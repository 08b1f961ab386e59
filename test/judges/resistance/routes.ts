/** Undirected cables; parallel ones stand several times. */
export type CableList = readonly (readonly [number, number])[];

/**
 * All cables on the shortest legal up/down routes between two switches, worked out plainly: lay out
 * the levels, then lengthen legal ways one cable at a time until some arrive.
 */
export function routesUpDown(switches: number, cables: CableList, root: number, from: number, to: number): CableList {
  const level = levelsFrom(switches, cables, root);
  const isUp = (own: number, next: number): boolean =>
    level[next]! < level[own]! || (level[next] === level[own] && next < own);
  // Ways that end in the same switch, gone down or not, and are as long, can be continued alike: keep their cables together.
  let ways = new Map([[`${from} up`, new Set<number>()]]);
  for (let length = 0; length <= 2 * switches; length++) {
    const arrived = [...ways].filter(([end]) => Number(end.split(' ')[0]) === to).flatMap(([, used]) => [...used]);
    if (arrived.length > 0) return [...new Set(arrived)].sort((a, b) => a - b).map((cable) => cables[cable]!);
    ways = lengthened(ways, cables, isUp);
  }
  throw new Error(`No legal way from ${from} to ${to}.`);
}

function lengthened(
  ways: ReadonlyMap<string, ReadonlySet<number>>,
  cables: CableList,
  isUp: (own: number, next: number) => boolean,
): Map<string, Set<number>> {
  const longer = new Map<string, Set<number>>();
  for (const [end, used] of ways) {
    const [own, phase] = end.split(' ') as [string, string];
    for (const [cable, [one, other]] of cables.entries()) {
      if (one !== Number(own) && other !== Number(own)) continue;
      const next = one === Number(own) ? other : one;
      const up = isUp(Number(own), next);
      if (up && phase === 'down') continue;
      const key = `${next} ${up ? 'up' : 'down'}`;
      const together = longer.get(key) ?? new Set<number>();
      for (const earlier of used) together.add(earlier);
      together.add(cable);
      longer.set(key, together);
    }
  }
  return longer;
}

function levelsFrom(switches: number, cables: CableList, root: number): number[] {
  const level = new Array<number>(switches).fill(Infinity);
  level[root] = 0;
  for (let round = 0; round < switches; round++) {
    for (const [one, other] of cables) {
      level[one] = Math.min(level[one]!, level[other]! + 1);
      level[other] = Math.min(level[other]!, level[one] + 1);
    }
  }
  return level;
}
