/**
 * Which link follows which: the channel dependency graph (Dally and Seitz 1987), in which circles are looked for (`LinkDependencies`).
 * `routeDependencies.ts` fills it with the routes of a machine.
 */
import type { WorkMeter } from '../model/cancellation.ts';
import type { LinkTable } from '../model/machine.ts';
import { intAt } from '../numeric/elements.ts';

/**
 * The links between routers that may follow each link: a set of those that leave the router at its end, which are numbered one after the
 * other, as bits of so many words. Routes to thousands of routers are put together a word at a time.
 */
export class LinkDependencies {
  /** Words of a set. */
  readonly words: number = 0;
  readonly #links: LinkTable;
  readonly #after: Int32Array = new Int32Array(0);

  constructor(links: LinkTable) {
    const { firstLink, routerLinkCount } = links;
    let most = 0;
    for (let router = 0; router + 1 < firstLink.length; router++) {
      most = Math.max(most, intAt(firstLink, router + 1) - intAt(firstLink, router));
    }
    this.#links = links;
    this.words = (most + 31) >> 5;
    this.#after = new Int32Array(routerLinkCount * this.words);
  }

  /** Links between routers. */
  get count(): number {
    return this.#links.routerLinkCount;
  }

  /** Puts a link into a set of those that leave its router: the words from `place` on. */
  mark(set: Int32Array, place: number, link: number): void {
    const bit = this.#placeOf(link);
    set[place + (bit >> 5)] = intAt(set, place + (bit >> 5)) | (1 << (bit & 31));
  }

  /** Whether a link is in a set of those that leave its router. */
  has(set: Int32Array, place: number, link: number): boolean {
    const bit = this.#placeOf(link);
    return ((intAt(set, place + (bit >> 5)) >> (bit & 31)) & 1) === 1;
  }

  /** Links of a set may follow a link. */
  addSet(link: number, set: Int32Array, place: number): void {
    for (let word = 0; word < this.words; word++) {
      const own = link * this.words + word;
      this.#after[own] = intAt(this.#after, own) | intAt(set, place + word);
    }
  }

  /** One link may follow another. Answers whether that is news. */
  add(link: number, next: number): boolean {
    if (this.has(this.#after, link * this.words, next)) return false;
    this.mark(this.#after, link * this.words, next);
    return true;
  }

  /** The first link that may follow one, of those behind `previous` in the order of the router at its end; −1 where there is none. */
  next(link: number, previous = -1): number {
    const first = intAt(this.#links.firstLink, intAt(this.#links.to, link));
    const from = previous < 0 ? 0 : previous + 1 - first;
    for (let word = from >> 5, bits = -1 << (from & 31); word < this.words; word++, bits = -1) {
      const found = intAt(this.#after, link * this.words + word) & bits;
      if (found !== 0) return first + 32 * word + 31 - Math.clz32(found & -found);
    }
    return -1;
  }

  /**
   * Links that follow one another in a circle, the shortest of those through one of its links; undefined where there is none, or
   * cancelled. By depth-first search for any, and breadth-first for the shortest. O(links · words + dependencies).
   */
  circle(meter: WorkMeter): readonly number[] | undefined {
    const [unseen, onPath, done] = [0, 1, 2] as const;
    const state = new Uint8Array(this.count).fill(unseen);
    /** Of each link on the path, the last that was looked at of those that follow. */
    const looked = new Int32Array(this.count).fill(-1);
    for (let start = 0; start < this.count; start++) {
      if (state[start] !== unseen) continue;
      const path = [start];
      state[start] = onPath;
      for (let link = path.at(-1); link !== undefined; link = path.at(-1)) {
        if (meter.isCancelledAfter(1)) return undefined;
        const next = this.next(link, intAt(looked, link));
        if (next < 0) {
          state[link] = done;
          path.pop();
          continue;
        }
        looked[link] = next;
        if (state[next] === onPath) return this.#shortestThrough(next, meter);
        if (state[next] !== unseen) continue;
        state[next] = onPath;
        path.push(next);
      }
    }
    return undefined;
  }

  /** The shortest circle through a link that lies on one, from that link on; undefined where cancelled. */
  #shortestThrough(start: number, meter: WorkMeter): readonly number[] | undefined {
    const cameFrom = new Map<number, number>([[start, -1]]);
    // A map goes on to what is added while it is walked: breadth first.
    for (const link of cameFrom.keys()) {
      for (let next = this.next(link); next >= 0; next = this.next(link, next)) {
        if (meter.isCancelledAfter(1)) return undefined;
        if (next === start) {
          const circle: number[] = [];
          for (let each = link; each !== -1; each = cameFrom.get(each) ?? -1) circle.push(each);
          return circle.reverse();
        }
        if (!cameFrom.has(next)) cameFrom.set(next, link);
      }
    }
    return undefined;
  }

  /** Which of the links of its router a link is. */
  #placeOf(link: number): number {
    return link - intAt(this.#links.firstLink, intAt(this.#links.from, link));
  }
}
