import type { LinkTable } from '../model/machine.ts';
import { reverseLinks } from '../network/cables.ts';

/** Undirected cables between routers, each a pair of directed links. */
export interface Cables {
  readonly count: number;
  /** LinkId from the lower router to the higher, and of the way back. */
  readonly forward: Int32Array;
  readonly backward: Int32Array;
  /** Which of the cables between the same two routers it is, and how many they are. */
  readonly parallel: Int32Array;
  readonly parallelCount: Int32Array;
}

/** Pairs the two directed links of every cable. Parallel cables follow one another. O(links). */
export function cablesOf(links: LinkTable): Cables {
  const { from, to, routerLinkCount } = links;
  const reverse = reverseLinks(links);
  const forward = new Int32Array(routerLinkCount);
  const backward = new Int32Array(routerLinkCount);
  const parallel = new Int32Array(routerLinkCount);
  const parallelCount = new Int32Array(routerLinkCount);
  let count = 0;
  for (let link = 0; link < routerLinkCount;) {
    let end = link;
    while (end < routerLinkCount && from[end] === from[link] && to[end] === to[link]) end++;
    for (let cable = link; cable < end && from[cable]! < to[cable]!; cable++) {
      forward[count] = cable;
      backward[count] = reverse[cable]!;
      parallel[count] = cable - link;
      parallelCount[count] = end - link;
      count++;
    }
    link = end;
  }
  return { count, forward, backward, parallel, parallelCount };
}
