/**
 * Which link follows which: the channel dependency graph (Dally and Seitz 1987), in which circles are looked for (`LinkDependencies`)
 * or kept out (`OrderedDependencies`). `routeDependencies.ts` fills it with the routes of a machine.
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

  remove(link: number, next: number): void {
    const bit = this.#placeOf(next);
    const word = link * this.words + (bit >> 5);
    this.#after[word] = intAt(this.#after, word) & ~(1 << (bit & 31));
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

/**
 * Dependencies without a circle, and an order in which every link stands before those that follow it: it is mended when a dependency
 * goes against it (Pearce and Kelly 2006, A dynamic topological sort algorithm for directed acyclic graphs).
 */
export class OrderedDependencies {
  readonly #after: LinkDependencies;
  /** By link those that it may follow, one after the other as they came. */
  readonly #before: number[][];
  /** By link its place in the order. */
  readonly #place: Int32Array;
  /** Marks of a search, and the number of the last one. */
  readonly #seen: Int32Array;
  #search = 0;

  constructor(links: LinkTable) {
    this.#after = new LinkDependencies(links);
    const { count } = this.#after;
    this.#before = Array.from({ length: count }, () => []);
    this.#place = Int32Array.from({ length: count }, (_, link) => link);
    this.#seen = new Int32Array(count);
  }

  /**
   * Adds that `pairs[1]` follows `pairs[0]`, `pairs[3]` `pairs[2]`, and so on; where they close a circle none is added, and the answer is
   * false. O(pairs), and what stands between the two ends of those against the order.
   */
  addAll(pairs: readonly number[]): boolean {
    const added: number[] = [];
    for (let at = 0; at < pairs.length; at += 2) {
      const [link, next] = [pairs[at] ?? 0, pairs[at + 1] ?? 0];
      if (!this.#after.add(link, next)) continue;
      added.push(link, next);
      this.#linksBefore(next).push(link);
      if (this.#mend(link, next)) continue;
      this.#takeBack(added);
      return false;
    }
    return true;
  }

  /** The last ones that came stand last in their lists. */
  #takeBack(added: readonly number[]): void {
    for (let at = added.length - 2; at >= 0; at -= 2) {
      const [link, next] = [added[at] ?? 0, added[at + 1] ?? 0];
      this.#after.remove(link, next);
      this.#linksBefore(next).pop();
    }
  }

  /** Puts `next` and what follows it behind `link`; false where `link` is among them. */
  #mend(link: number, next: number): boolean {
    const [low, high] = [intAt(this.#place, next), intAt(this.#place, link)];
    if (low > high) return true;
    const behind = this.#behind(next, high);
    if (behind.includes(link)) return false;
    const ahead = this.#ahead(link, low);
    const byPlace = (one: number, other: number): number => intAt(this.#place, one) - intAt(this.#place, other);
    const moved = [...ahead.sort(byPlace), ...behind.sort(byPlace)];
    const places = moved.map((each) => intAt(this.#place, each)).sort((a, b) => a - b);
    moved.forEach((each, index) => {
      const place = places[index] ?? 0;
      this.#place[each] = place;
    });
    return true;
  }

  /** A link and what follows it, no further on than a place of the order. */
  #behind(start: number, last: number): number[] {
    const found = this.#searchFrom(start);
    for (const link of found) {
      for (let next = this.#after.next(link); next >= 0; next = this.#after.next(link, next)) {
        if (intAt(this.#place, next) <= last) this.#meet(next, found);
      }
    }
    return found;
  }

  /** A link and what it follows, no further ahead than a place of the order. */
  #ahead(start: number, first: number): number[] {
    const found = this.#searchFrom(start);
    for (const link of found) {
      for (const before of this.#linksBefore(link)) {
        if (intAt(this.#place, before) >= first) this.#meet(before, found);
      }
    }
    return found;
  }

  #searchFrom(start: number): number[] {
    this.#seen[start] = ++this.#search;
    return [start];
  }

  #meet(link: number, found: number[]): void {
    if (this.#seen[link] === this.#search) return;
    this.#seen[link] = this.#search;
    found.push(link);
  }

  #linksBefore(link: number): number[] {
    return this.#before[link] ?? [];
  }
}
