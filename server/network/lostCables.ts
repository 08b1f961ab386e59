/**
 * What each single cable is worth: how loads change where one fails and packets take the shortest ways that are left.
 * Distances and amounts of every destination are worked out once (`knownWays.ts`) and repaired round the cable, not worked out again.
 */
import type { Cancellation } from '../model/cancellation.ts';
import type { Topology } from '../model/machine.ts';
import { intAt, itemAt, realAt } from '../numeric/elements.ts';
import { unreached, type Distances, type KnownWays } from './knownWays.ts';

/** Loads once a cable has failed. */
export interface LostCable {
  /** Its link, and that of the other direction. */
  readonly link: number;
  readonly back: number;
  /** The largest weighted load of all links, and the link that has it; −1 where no link carries anything. */
  readonly maximum: number;
  readonly heaviest: number;
  /** Bytes times links more than before. */
  readonly addedHopBytes: number;
  /** Some pairs have no way any more; loads are not known then. */
  readonly isBridge: boolean;
}

/** Loads of as many lost cables are kept at a time: 4 MB, and of no fewer cables than the other number. */
const blockEntries = 2 ** 19;
const leastBlock = 32;

/** Of so many cables ways to one destination are repaired one after the other: else each repair would wait for memory. */
export const blockOfCables = ({ links }: Pick<KnownWays, 'links'>): number =>
  Math.max(leastBlock, Math.floor(blockEntries / Math.max(1, links.routerLinkCount)));

/**
 * What becomes of loads without one cable or another. Distances are repaired as Ramalingam and Reps 1996 (An incremental
 * algorithm for a generalization of the shortest-path problem) do after a deletion: only routers all of whose next links
 * are lost move away. Amounts follow from the difference alone. Every thread has one of its own.
 */
export class LostCables {
  readonly #ways: KnownWays;
  readonly #repair: Repair;
  /**
   * Distances to the destination that is looked at: repairs change them for a while, so threads cannot share them. As wide as those that are known:
   * numbers of shared memory are otherwise copied one by one, which takes longer than the repairs.
   */
  readonly #far: Distances;
  /** Amounts of the destination that is looked at; all 0 between two. */
  readonly #amount: Float64Array;

  constructor(ways: KnownWays) {
    this.#ways = ways;
    this.#repair = new Repair(ways);
    this.#far =
      ways.distance instanceof Uint8Array ? new Uint8Array(ways.routerCount) : new Uint16Array(ways.routerCount);
    this.#amount = new Float64Array(ways.routerCount);
  }

  /**
   * What the loss of each of some cables does, which are named by one of their links, at best {@link blockOfCables} of
   * them. Undefined if cancelled. O(cables · (destinations + links)) and what changes.
   */
  losses(cables: readonly number[], cancellation: Cancellation): readonly LostCable[] | undefined {
    const { links, loads, destinations } = this.#ways;
    const block = cables.map((link): Lost => ({
      link,
      back: reverseLink(this.#ways, link),
      from: intAt(links.from, link),
      to: intAt(links.to, link),
      isBridge: false,
      isOneOfSeveral: (this.#ways.cables?.[link] ?? 1) > 1,
    }));
    const after = new Float64Array(block.length * loads.length);
    for (const place of block.keys()) after.set(loads, place * loads.length);
    for (let index = 0; index < destinations.length; index++) {
      if (cancellation.isCancelled()) return undefined;
      this.#repairBlock(block, index, after);
    }
    return block.map((lost, place) =>
      this.#outcome(lost, after.subarray(place * loads.length, (place + 1) * loads.length)),
    );
  }

  /** Adds what each lost cable of a block changes on the ways to one destination. */
  #repairBlock(block: readonly Lost[], index: number, after: Float64Array): void {
    const { routerCount, loads, distance, amounts } = this.#ways;
    const own = distance.subarray(index * routerCount, (index + 1) * routerCount);
    const far = this.#far;
    let isCopied = false;
    const row = itemAt(amounts, index);
    const amount = row.routers === undefined ? row.bytes : this.#amount;
    let isScattered = row.routers === undefined;
    for (let place = 0; place < block.length; place++) {
      const cable = block[place]!;
      const ahead = own[cable.from]! - own[cable.to]!;
      if ((ahead !== 1 && ahead !== -1) || cable.isBridge || cable.isOneOfSeveral) continue;
      const [upper, lost] = ahead === 1 ? [cable.from, cable.link] : [cable.to, cable.back];
      if (!isScattered && row.routers !== undefined) {
        // Rows of few routers are looked into, and only written out where something is repaired.
        if (!includesSorted(row.routers, upper)) continue;
        row.routers.forEach((router, at) => (amount[router] = realAt(row.bytes, at)));
        isScattered = true;
      }
      if (amount[upper] === 0) continue;
      if (!isCopied) far.set(own);
      isCopied = true;
      cable.isBridge = !this.#repair.run(far, amount, upper, lost, after, place * loads.length);
    }
    if (isScattered) row.routers?.forEach((router) => (amount[router] = 0));
  }

  #outcome({ link, back, isBridge }: Lost, after: Float64Array): LostCable {
    const { loads, cables } = this.#ways;
    // What is left of a bundle carries all that went over it.
    const slower = slowerWithout(cables?.[link] ?? 1);
    let [maximum, heaviest, addedHopBytes] = [0, -1, 0];
    for (let other = 0; other < after.length; other++) {
      const weighted = this.#weighted(after, other) * (other === link || other === back ? slower : 1);
      if (weighted > maximum) [maximum, heaviest] = [weighted, other];
      addedHopBytes += realAt(after, other) - realAt(loads, other);
    }
    return { link, back, maximum, heaviest, addedHopBytes, isBridge };
  }

  #weighted(loads: Float64Array, link: number): number {
    const load = realAt(loads, link);
    const { weights } = this.#ways;
    return weights === undefined ? load : load * weights[link]!;
  }
}

/** The link back of the same cable: of parallel ones the one at the same place in its row. O(degree). */
export function reverseLink({ links }: Pick<Topology, 'links'>, link: number): number {
  const { firstLink, from, to } = links;
  const [start, end] = [intAt(from, link), intAt(to, link)];
  let place = 0;
  for (let other = link - 1; other >= intAt(firstLink, start); other--) if (to[other] === end) place++;
  for (let back = intAt(firstLink, end); back < intAt(firstLink, end + 1); back++) {
    if (to[back] === start && place-- === 0) return back;
  }
  throw new RangeError(`Link ${link} has no reverse link.`);
}

/** Whether a number is in an ascending list. O(log list). */
function includesSorted(list: Int32Array, wanted: number): boolean {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (intAt(list, middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return list[low] === wanted;
}

/** How much longer a link of so many cables side by side works without one of them; a lone cable has nothing to carry then. */
export const slowerWithout = (cables: number): number => (cables > 1 ? cables / (cables - 1) : 1);

/** A cable that is lost while it is looked at. */
interface Lost {
  readonly link: number;
  readonly back: number;
  readonly from: number;
  readonly to: number;
  isBridge: boolean;
  /** Its link has others, so that all ways stay. */
  readonly isOneOfSeveral: boolean;
}

/** Differences smaller than this share of an amount are what rounding leaves. */
const rounding = 1e-11;

/**
 * Repairs the ways to one destination after another, and the loads with them. It allocates nothing between two of them;
 * the distances that it is given are as before when it is done.
 */
class Repair {
  readonly #links: Topology['links'];
  /** Loads that are repaired: that of a link stands at `#base` + LinkId. */
  #after: Float64Array = new Float64Array(0);
  #base = 0;
  /** Routers that are farther away than before, with their new distances. */
  readonly #moved: Int32Array;
  #movedCount = 0;
  readonly #hasMoved: Uint8Array;
  readonly #newDistance: Uint16Array;
  /** Routers whose next links may be others than before. */
  readonly #split: Int32Array;
  #splitCount = 0;
  readonly #isSplit: Uint8Array;
  /** What comes into a router more than before, and the routers that something was added to. */
  readonly #more: Float64Array;
  readonly #touched: Int32Array;
  #touchedCount = 0;
  readonly #isTouched: Uint8Array;
  /** Routers by their distance, to be looked at. */
  readonly #levels: Int32Array[] = [];
  #levelCounts = new Int32Array(0);
  /** The next links of one router. */
  readonly #next: Int32Array;

  constructor({ links, routerCount }: Pick<Topology, 'links' | 'routerCount'>) {
    this.#links = links;
    this.#moved = new Int32Array(routerCount);
    this.#hasMoved = new Uint8Array(routerCount);
    this.#newDistance = new Uint16Array(routerCount);
    this.#split = new Int32Array(routerCount);
    this.#isSplit = new Uint8Array(routerCount);
    this.#more = new Float64Array(routerCount);
    this.#touched = new Int32Array(routerCount);
    this.#isTouched = new Uint8Array(routerCount);
    this.#levelCounts = new Int32Array(routerCount + 1);
    let mostLinks = 0;
    for (let router = 0; router < routerCount; router++) {
      mostLinks = Math.max(mostLinks, intAt(links.firstLink, router + 1) - intAt(links.firstLink, router));
    }
    this.#next = new Int32Array(mostLinks);
  }

  /**
   * Adds the differences of loads to one destination once `lost`, a next link of `upper`, has failed: of a link at
   * `after[base + link]`. False where some router has no way any more: `after` is of no use then.
   */
  run(far: Distances, amount: Float64Array, upper: number, lost: number, after: Float64Array, base: number): boolean {
    this.#after = after;
    this.#base = base;
    this.#markSplit(upper);
    let isWhole = true;
    if (!this.#hasNext(far, upper, lost)) {
      this.#findMoved(far, upper, lost);
      isWhole = this.#findDistances(far, lost);
      this.#markNeighbours(far);
    }
    if (isWhole) {
      this.#takeOut(far, amount);
      this.#exchangeDistances(far);
      this.#putIn(far, amount, lost);
      this.#exchangeDistances(far);
    }
    this.#forget();
    return isWhole;
  }

  #markSplit(router: number): void {
    if (this.#isSplit[router] === 1) return;
    this.#isSplit[router] = 1;
    this.#split[this.#splitCount++] = router;
  }

  /** Whether a router has a next link to one that has not moved. */
  #hasNext(far: Distances, router: number, lost: number): boolean {
    const { firstLink, to } = this.#links;
    const next = far[router]! - 1;
    for (let link = firstLink[router]!; link < firstLink[router + 1]!; link++) {
      if (link !== lost && far[to[link]!] === next && this.#hasMoved[to[link]!] === 0) return true;
    }
    return false;
  }

  /** Those of which every next link is lost or leads to one that moves: level by level, so that each is asked in time. */
  #findMoved(far: Distances, upper: number, lost: number): void {
    const { firstLink, to } = this.#links;
    this.#move(upper);
    for (let index = 0; index < this.#movedCount; index++) {
      const router = this.#moved[index]!;
      for (let link = firstLink[router]!; link < firstLink[router + 1]!; link++) {
        const before = to[link]!;
        if (far[before] !== far[router]! + 1 || this.#hasMoved[before] === 1) continue;
        if (!this.#hasNext(far, before, lost)) this.#move(before);
      }
    }
  }

  #move(router: number): void {
    this.#hasMoved[router] = 1;
    this.#newDistance[router] = unreached;
    this.#moved[this.#movedCount++] = router;
  }

  /** From the neighbours that stay, nearest first. False where some router is not reached. */
  #findDistances(far: Distances, lost: number): boolean {
    const { firstLink, to } = this.#links;
    const distances = this.#newDistance;
    let [nearest, reached] = [unreached, 0];
    for (let index = 0; index < this.#movedCount; index++) {
      const router = this.#moved[index]!;
      for (let link = firstLink[router]!; link < firstLink[router + 1]!; link++) {
        const there = to[link]!;
        if (link === lost || this.#hasMoved[there] === 1) continue;
        distances[router] = Math.min(distances[router]!, far[there]! + 1);
      }
      nearest = Math.min(nearest, distances[router]!);
    }
    if (nearest === unreached) return false;
    // Few routers move: each distance is asked of all of them.
    for (let distance = nearest; reached < this.#movedCount && distance <= nearest + this.#movedCount; distance++) {
      for (let index = 0; index < this.#movedCount; index++) {
        const router = this.#moved[index]!;
        if (distances[router] !== distance) continue;
        reached++;
        for (let link = firstLink[router]!; link < firstLink[router + 1]!; link++) {
          // The other end of the lost cable stays where it is.
          const there = to[link]!;
          if (this.#hasMoved[there] === 1 && distances[there]! > distance + 1) distances[there] = distance + 1;
        }
      }
    }
    return reached === this.#movedCount;
  }

  /** All that moved, and neighbours that lose a next link to them or gain one. */
  #markNeighbours(far: Distances): void {
    const { firstLink, to } = this.#links;
    for (let index = 0; index < this.#movedCount; index++) {
      const router = this.#moved[index]!;
      this.#markSplit(router);
      for (let link = firstLink[router]!; link < firstLink[router + 1]!; link++) {
        const there = to[link]!;
        if (this.#hasMoved[there] === 1) continue;
        if (far[there] === far[router]! + 1 || far[there] === this.#newDistance[router]! + 1) this.#markSplit(there);
      }
    }
  }

  /** Takes back what routers with other next links have passed on; the lost link is among the old ones. */
  #takeOut(far: Distances, amount: Float64Array): void {
    const { firstLink, to } = this.#links;
    for (let index = 0; index < this.#splitCount; index++) {
      const router = this.#split[index]!;
      this.#touch(router);
      const here = amount[router]!;
      if (here === 0) continue;
      const next = far[router]! - 1;
      let ways = 0;
      for (let link = firstLink[router]!; link < firstLink[router + 1]!; link++) if (far[to[link]!] === next) ways++;
      const share = here / ways;
      for (let link = firstLink[router]!; link < firstLink[router + 1]!; link++) {
        const there = to[link]!;
        if (far[there] !== next) continue;
        this.#after[this.#base + link]! -= share;
        this.#touch(there);
        this.#more[there]! -= share;
      }
    }
  }

  #touch(router: number): void {
    if (this.#isTouched[router] === 1) return;
    this.#isTouched[router] = 1;
    this.#touched[this.#touchedCount++] = router;
  }

  /** Old distances of routers that moved for new ones, or back. */
  #exchangeDistances(far: Distances): void {
    for (let index = 0; index < this.#movedCount; index++) {
      const router = this.#moved[index]!;
      const distance = far[router]!;
      far[router] = this.#newDistance[router]!;
      this.#newDistance[router] = distance;
    }
  }

  /**
   * Passes on what comes in, the farthest first: all of it where next links are others, else what is more than before.
   * The loop that nearly all time goes to: everything that it needs is at hand.
   */
  #putIn(far: Distances, amount: Float64Array, lost: number): void {
    const { firstLink, to } = this.#links;
    const [after, base] = [this.#after, this.#base];
    const [more, isTouched, touched] = [this.#more, this.#isTouched, this.#touched];
    const [isSplit, next, counts] = [this.#isSplit, this.#next, this.#levelCounts];
    let touchedCount = this.#touchedCount;
    let farthest = 0;
    for (let index = 0; index < touchedCount; index++) {
      const distance = far[touched[index]!]!;
      farthest = Math.max(farthest, distance);
      this.#level(distance)[counts[distance]!++] = touched[index]!;
    }
    for (let distance = farthest; distance > 0; distance--) {
      const level = this.#level(distance);
      const below = this.#level(distance - 1);
      const nearer = distance - 1;
      let belowCount = counts[nearer]!;
      for (let index = 0; index < counts[distance]!; index++) {
        const router = level[index]!;
        const own = amount[router]!;
        const bytes = isSplit[router] === 1 ? own + more[router]! : more[router]!;
        if (Math.abs(bytes) <= rounding * (own > 1 ? own : 1)) continue;
        let ways = 0;
        for (let link = firstLink[router]!; link < firstLink[router + 1]!; link++) {
          if (far[to[link]!] === nearer && link !== lost) next[ways++] = link;
        }
        const share = bytes / ways;
        for (let way = 0; way < ways; way++) {
          const link = next[way]!;
          const there = to[link]!;
          after[base + link]! += share;
          more[there]! += share;
          if (isTouched[there] === 0) {
            isTouched[there] = 1;
            touched[touchedCount++] = there;
            below[belowCount++] = there;
          }
        }
      }
      counts[nearer] = belowCount;
      counts[distance] = 0;
    }
    counts[0] = 0;
    this.#touchedCount = touchedCount;
  }

  /** Room for the routers of a distance. */
  #level(distance: number): Int32Array {
    return (this.#levels[distance] ??= new Int32Array(this.#more.length));
  }

  #forget(): void {
    for (let index = 0; index < this.#touchedCount; index++) {
      this.#more[this.#touched[index]!] = 0;
      this.#isTouched[this.#touched[index]!] = 0;
    }
    for (let index = 0; index < this.#movedCount; index++) this.#hasMoved[this.#moved[index]!] = 0;
    for (let index = 0; index < this.#splitCount; index++) this.#isSplit[this.#split[index]!] = 0;
    this.#touchedCount = 0;
    this.#movedCount = 0;
    this.#splitCount = 0;
  }
}
