/** Which link follows which on routes, kept free of circles: dependencies come in groups, and a group that would close one is refused. */
import { intAt } from '../numeric/elements.ts';
import type { LinkTable } from '../model/machine.ts';

/**
 * A graph whose vertices are links, with an order in which every link stands before those that follow it: it is mended when a
 * dependency goes against it (Pearce and Kelly 2006, A dynamic topological sort algorithm for directed acyclic graphs).
 */
export class LinkDependencies {
  readonly #links: LinkTable;
  /** Links that may follow each, one after the other as they came. */
  readonly #after: number[][];
  readonly #before: number[][];
  /** By link its place in the order. */
  readonly #place: Int32Array;
  /** A set of the links that leave the router at the end of each link, as bits of so many words. */
  readonly #words: number;
  readonly #known: Int32Array;
  /** Marks of a search, and the number of the last one. */
  readonly #seen: Int32Array;
  #search = 0;

  constructor(links: LinkTable) {
    const { firstLink, routerLinkCount } = links;
    let most = 0;
    for (let router = 0; router + 1 < firstLink.length; router++) {
      most = Math.max(most, intAt(firstLink, router + 1) - intAt(firstLink, router));
    }
    this.#links = links;
    this.#words = (most + 31) >> 5;
    this.#known = new Int32Array(routerLinkCount * this.#words);
    this.#after = Array.from({ length: routerLinkCount }, () => []);
    this.#before = Array.from({ length: routerLinkCount }, () => []);
    this.#place = Int32Array.from({ length: routerLinkCount }, (_, link) => link);
    this.#seen = new Int32Array(routerLinkCount);
  }

  /**
   * Adds `pairs[0]` before `pairs[1]`, `pairs[2]` before `pairs[3]`, and so on; where they close a circle none is added, and the links of
   * the circle are the answer, in order. O(pairs), and what stands between the two ends of those against the order.
   */
  addAll(pairs: readonly number[]): readonly number[] | undefined {
    const added: number[] = [];
    for (let at = 0; at < pairs.length; at += 2) {
      const [link, next] = [pairs[at] ?? 0, pairs[at + 1] ?? 0];
      if (!this.#mark(link, next)) continue;
      added.push(link, next);
      this.#list(this.#after, link).push(next);
      this.#list(this.#before, next).push(link);
      if (this.#mend(link, next)) continue;
      const circle = this.#wayBetween(next, link);
      this.#takeBack(added);
      return circle;
    }
    return undefined;
  }

  /** Adds a dependency whether it closes a circle or not; {@link circle} tells afterwards. */
  add(link: number, next: number): void {
    if (!this.#mark(link, next)) return;
    this.#list(this.#after, link).push(next);
    this.#list(this.#before, next).push(link);
  }

  /** A circle of all that was added, the shortest through one of its links; undefined where there is none. O(dependencies). */
  circle(): readonly number[] | undefined {
    // Links that nothing left follows are taken away one after the other (Kahn 1962): what stays lies on circles or leads to one.
    const left = Int32Array.from(this.#after, (after) => after.length);
    const free = [...left.keys()].filter((link) => left[link] === 0);
    for (const link of free) {
      for (const before of this.#list(this.#before, link)) {
        left[before] = intAt(left, before) - 1;
        if (left[before] === 0) free.push(before);
      }
    }
    if (free.length === left.length) return undefined;
    // Whoever goes on among these comes to a link again.
    const seen = new Set<number>();
    let link = left.findIndex((count) => count > 0);
    while (!seen.has(link)) {
      seen.add(link);
      link = this.#list(this.#after, link).find((next) => intAt(left, next) > 0) ?? link;
    }
    const ways = this.#list(this.#after, link).map((next) => this.#wayBetween(next, link));
    return ways.filter((way) => way.length > 0).reduce((one, other) => (other.length < one.length ? other : one));
  }

  /** False where the dependency is known. */
  #mark(link: number, next: number): boolean {
    const bit = next - intAt(this.#links.firstLink, intAt(this.#links.to, link));
    const word = link * this.#words + (bit >> 5);
    const set = intAt(this.#known, word);
    this.#known[word] = set | (1 << (bit & 31));
    return ((set >> (bit & 31)) & 1) === 0;
  }

  /** The last ones that came stand last in their lists. */
  #takeBack(added: readonly number[]): void {
    for (let at = added.length - 2; at >= 0; at -= 2) {
      const [link, next] = [added[at] ?? 0, added[at + 1] ?? 0];
      this.#list(this.#after, link).pop();
      this.#list(this.#before, next).pop();
      const bit = next - intAt(this.#links.firstLink, intAt(this.#links.to, link));
      const word = link * this.#words + (bit >> 5);
      this.#known[word] = intAt(this.#known, word) & ~(1 << (bit & 31));
    }
  }

  /** Puts `next` and what follows it behind `link`; false where `link` is among them. */
  #mend(link: number, next: number): boolean {
    const [low, high] = [intAt(this.#place, next), intAt(this.#place, link)];
    if (low > high) return true;
    const behind = this.#reach(next, this.#after, (place) => place <= high);
    if (behind.includes(link)) return false;
    const ahead = this.#reach(link, this.#before, (place) => place >= low);
    const byPlace = (one: number, other: number): number => intAt(this.#place, one) - intAt(this.#place, other);
    const moved = [...ahead.sort(byPlace), ...behind.sort(byPlace)];
    const places = moved.map((each) => intAt(this.#place, each)).sort((a, b) => a - b);
    moved.forEach((each, index) => {
      const place = places[index] ?? 0;
      this.#place[each] = place;
    });
    return true;
  }

  /** What can be reached from a link over places that count, itself among it. */
  #reach(from: number, edges: readonly number[][], counts: (place: number) => boolean): number[] {
    const mark = ++this.#search;
    const found = [from];
    this.#seen[from] = mark;
    for (const each of found) {
      for (const other of this.#list(edges, each)) {
        if (this.#seen[other] === mark || !counts(intAt(this.#place, other))) continue;
        this.#seen[other] = mark;
        found.push(other);
      }
    }
    return found;
  }

  /** The shortest way from one link to another, both ends included; empty where there is none. */
  #wayBetween(from: number, to: number): readonly number[] {
    const cameFrom = new Map<number, number>([[from, -1]]);
    const queue = [from];
    for (const each of queue) {
      if (each === to) break;
      for (const other of this.#list(this.#after, each)) {
        if (cameFrom.has(other)) continue;
        cameFrom.set(other, each);
        queue.push(other);
      }
    }
    if (!cameFrom.has(to)) return [];
    const way: number[] = [];
    for (let each = to; each !== -1; each = cameFrom.get(each) ?? -1) way.unshift(each);
    return way;
  }

  #list(edges: readonly number[][], link: number): number[] {
    return edges[link] ?? [];
  }
}
