/**
 * Routes shared out among virtual lanes such that on none of them links depend on one another in a circle: `lanesOfRoutes`, as DFSSSP
 * does (Domke, Hoefler and Nagel 2011, Deadlock-free oblivious routing for arbitrary topologies, section IV): all are on the first
 * lane; where there is a circle, those that close it at its weakest place go on to the next one.
 */
import type { WorkMeter } from '../model/cancellation.ts';
import type { LinkTable } from '../model/machine.ts';
import { byteAt, intAt } from '../numeric/elements.ts';
import { accumulated, groupedBy } from '../numeric/grouping.ts';

/** What follows what on each route, as {@link DependencyNumbers}: each number once, none in a circle. */
export interface RouteFollowers {
  /** Of route r those from `start[r]` up to `start[r + 1]`. */
  readonly start: Int32Array;
  readonly dependency: Int32Array;
}

/** Numbers of pairs of links of which the second leaves the router that the first leads to. */
export class DependencyNumbers {
  readonly count: number;
  readonly #links: LinkTable;
  /** Of each link the number of the pair with the first link of the router that it leads to. */
  readonly #first: Int32Array;

  /** O(links). */
  constructor(links: LinkTable) {
    const { firstLink, to, routerLinkCount } = links;
    const first = new Int32Array(routerLinkCount + 1);
    for (let link = 0; link < routerLinkCount; link++)
      first[link + 1] = intAt(firstLink, intAt(to, link) + 1) - intAt(firstLink, intAt(to, link));
    this.#links = links;
    this.#first = accumulated(first);
    this.count = intAt(first, routerLinkCount);
  }

  of(link: number, next: number): number {
    const { firstLink, to } = this.#links;
    return intAt(this.#first, link) + next - intAt(firstLink, intAt(to, link));
  }

  /** The first link of each pair. O(links + pairs). */
  firsts(): Int32Array {
    const firsts = new Int32Array(this.count);
    for (let link = 0; link + 1 < this.#first.length; link++)
      firsts.fill(link, this.#first[link], this.#first[link + 1]);
    return firsts;
  }

  /** Pairs that a link is the first of are those from here up to that of the next link. */
  firstOf(link: number): number {
    return intAt(this.#first, link);
  }

  /** The second link of a pair of which `link` is the first. */
  nextOf(link: number, dependency: number): number {
    const { firstLink, to } = this.#links;
    return intAt(firstLink, intAt(to, link)) + dependency - intAt(this.#first, link);
  }
}

/**
 * The lane of each route, from 0 on, none of them empty; undefined if cancelled. O(lanes · pairs of links + dependencies + circles · length of paths).
 */
export function lanesOfRoutes(
  links: LinkTable,
  numbers: DependencyNumbers,
  followers: RouteFollowers,
  meter: WorkMeter,
): Int32Array | undefined {
  const routes = followers.start.length - 1;
  const laneOf = new Int32Array(routes);
  const users = usersOf(numbers, followers);
  const firsts = numbers.firsts();
  let moved = Array.from(laneOf.keys());
  for (let lane = 0; moved.length > 0; lane++) {
    for (const route of moved) laneOf[route] = lane;
    const own = new Lane(links, numbers, followers, users, laneOf, lane);
    if (!own.openCircles(moved, meter)) return undefined;
    moved = own.left(firsts);
  }
  return laneOf;
}

/** Routes of each dependency, as compressed rows. */
interface Users {
  readonly start: Int32Array;
  readonly route: Int32Array;
}

function usersOf({ count }: DependencyNumbers, { start, dependency }: RouteFollowers): Users {
  const routeOf = new Int32Array(dependency.length);
  for (let route = 0; route + 1 < start.length; route++) routeOf.fill(route, start[route], start[route + 1]);
  const rows = groupedBy(dependency, count);
  return { start: rows.start, route: rows.members.map((entry) => intAt(routeOf, entry)) };
}

const [unseen, onPath, done] = [0, 1, 2] as const;

/** One lane while circles are opened. */
class Lane {
  readonly #numbers: DependencyNumbers;
  readonly #followers: RouteFollowers;
  readonly #users: Users;
  readonly #laneOf: Int32Array;
  readonly #lane: number;
  /** Routes on the lane that each dependency is of. */
  readonly #count: Int32Array;
  readonly #state: Uint8Array;
  /** Of each link that is done, how many were done before: whatever follows it was. */
  readonly #place: Int32Array;
  #doneCount = 0;
  /** Of each link on the path the dependency behind which the search goes on. */
  readonly #next: Int32Array;
  readonly #path: number[] = [];
  readonly #moved: number[] = [];
  readonly #linkCount: number;
  /** The least link that was taken back from the path. */
  #taken = 0;

  constructor(
    { routerLinkCount }: LinkTable,
    numbers: DependencyNumbers,
    followers: RouteFollowers,
    users: Users,
    laneOf: Int32Array,
    lane: number,
  ) {
    this.#numbers = numbers;
    this.#followers = followers;
    this.#users = users;
    this.#laneOf = laneOf;
    this.#lane = lane;
    this.#count = new Int32Array(numbers.count);
    this.#state = new Uint8Array(routerLinkCount).fill(unseen);
    this.#next = new Int32Array(routerLinkCount);
    this.#place = new Int32Array(routerLinkCount);
    this.#linkCount = routerLinkCount;
  }

  /** Takes routes off the lane until there is no circle; false where cancelled. Depth first: what is done stays so, as dependencies only go. */
  openCircles(routes: readonly number[], meter: WorkMeter): boolean {
    const { start, dependency } = this.#followers;
    for (const route of routes) {
      for (let place = intAt(start, route); place < intAt(start, route + 1); place++)
        this.#count[intAt(dependency, place)] = intAt(this.#count, intAt(dependency, place)) + 1;
      if (meter.isCancelledAfter(intAt(start, route + 1) - intAt(start, route))) return false;
    }
    for (let link = 0; link < this.#linkCount; link++) {
      if (this.#state[link] !== unseen) continue;
      this.#taken = link;
      if (!this.#searchFrom(link, meter)) return false;
      // What was taken back from the path is looked at again.
      link = Math.min(link, this.#taken - 1);
    }
    return true;
  }

  /** Those that must go on to another lane: not those that fit into the order in which links were done. O(dependencies). */
  left(firsts: Int32Array): number[] {
    const { start, dependency: all } = this.#followers;
    const fits = (route: number): boolean => {
      for (let own = intAt(start, route); own < intAt(start, route + 1); own++) {
        const dependency = intAt(all, own);
        const link = intAt(firsts, dependency);
        if (intAt(this.#place, this.#numbers.nextOf(link, dependency)) > intAt(this.#place, link)) return false;
      }
      return true;
    };
    return this.#moved.filter((route) => {
      if (!fits(route)) return true;
      this.#laneOf[route] = this.#lane;
      return false;
    });
  }

  /** False where cancelled. */
  #searchFrom(start: number, meter: WorkMeter): boolean {
    this.#enter(start);
    for (let link = this.#path.at(-1); link !== undefined; link = this.#path.at(-1)) {
      const end = this.#numbers.firstOf(link + 1);
      let dependency = intAt(this.#next, link);
      const from = dependency;
      while (dependency < end && this.#count[dependency] === 0) dependency++;
      if (meter.isCancelledAfter(1 + dependency - from)) return false;
      this.#next[link] = dependency + 1;
      if (dependency >= end) {
        this.#state[link] = done;
        this.#place[link] = this.#doneCount++;
        this.#path.pop();
        continue;
      }
      const next = this.#numbers.nextOf(link, dependency);
      const state = byteAt(this.#state, next);
      if (state === unseen) this.#enter(next);
      else if (state === onPath && !this.#open(next, dependency, meter)) return false;
    }
    return true;
  }

  #enter(link: number): void {
    this.#state[link] = onPath;
    this.#next[link] = this.#numbers.firstOf(link);
    this.#path.push(link);
  }

  /** Opens the circle from a link on the path up to its end, which `closing` leads back to that link. False where cancelled. */
  #open(first: number, closing: number, meter: WorkMeter): boolean {
    const begin = this.#path.lastIndexOf(first);
    let weakest = closing;
    for (let place = begin; place + 1 < this.#path.length; place++) {
      const dependency = this.#dependencyAt(place);
      if (intAt(this.#count, dependency) < intAt(this.#count, weakest)) weakest = dependency;
    }
    if (!this.#moveUsers(weakest, meter)) return false;
    // Behind the first dependency that is gone the path is no way any more.
    let kept = 1;
    while (kept < this.#path.length && intAt(this.#count, this.#dependencyAt(kept - 1)) > 0) kept++;
    for (const link of this.#path.splice(kept)) {
      this.#state[link] = unseen;
      this.#taken = Math.min(this.#taken, link);
    }
    return true;
  }

  /** That of a link on the path and the next one. */
  #dependencyAt(place: number): number {
    return this.#numbers.of(this.#path[place] ?? 0, this.#path[place + 1] ?? 0);
  }

  /** Takes all routes off the lane that a dependency is of. False where cancelled. */
  #moveUsers(dependency: number, meter: WorkMeter): boolean {
    const { start, dependency: all } = this.#followers;
    const { start: first, route: users } = this.#users;
    for (let place = intAt(first, dependency); place < intAt(first, dependency + 1); place++) {
      const route = intAt(users, place);
      if (intAt(this.#laneOf, route) !== this.#lane) continue;
      this.#laneOf[route] = -1;
      this.#moved.push(route);
      for (let own = intAt(start, route); own < intAt(start, route + 1); own++)
        this.#count[intAt(all, own)] = intAt(this.#count, intAt(all, own)) - 1;
      if (meter.isCancelledAfter(intAt(start, route + 1) - intAt(start, route))) return false;
    }
    return true;
  }
}
