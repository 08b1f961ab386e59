import type { Topology } from '../../model/machine.ts';

/** Links from one router to every router by the shortest way, −1 where there is none. O(links). */
export function levelsFrom({ routerCount, links }: Topology, start: number): Int32Array {
  const level = new Int32Array(routerCount).fill(-1);
  const queue = new Int32Array(routerCount);
  queue[0] = start;
  level[start] = 0;
  let found = 1;
  for (let index = 0; index < found; index++) {
    const router = queue[index]!;
    for (let link = links.firstLink[router]!; link < links.firstLink[router + 1]!; link++) {
      const next = links.to[link]!;
      if (level[next] !== -1) continue;
      level[next] = level[router]! + 1;
      queue[found++] = next;
    }
  }
  return level;
}

/** The deepest level there is. */
export const depthOf = (level: Int32Array): number => level.reduce((deepest, own) => Math.max(deepest, own), 0);
