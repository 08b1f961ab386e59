/**
 * Whether packets may come to wait for one another in a circle, from the channel dependency graph (Dally and Seitz 1987; for adaptive
 * routing Duato 1993): a channel depends on another where a packet that holds the first may ask for the second. Without a
 * circle of channels there is no deadlock; with one there may be, as the traffic happens to be.
 *
 * On grids what there is to find is known. Dimension order has circles along rings alone, on which some route takes two links or
 * more; a bubble or two classes of channels with a dateline open them. Adaptive routing has circles round squares, which are
 * harmless where packets can always escape to channels in dimension order that have none: one escape channel, on rings with a bubble, or
 * two with a dateline. Up/down has none by design. Of other routings the graph of their steps is searched.
 */
import { asRouterId } from '../model/identifiers.ts';
import { neverCancelled, WorkMeter, type Cancellation } from '../model/cancellation.ts';
import { receiverOf, senderOf, type LinkTable, type Machine, type RouteGraph } from '../model/machine.ts';
import type { NetworkRouting } from '../model/networkModel.ts';
import { volumeOf } from '../model/shape.ts';
import { intAt } from '../numeric/elements.ts';
import { linkTowards } from '../network/topologies/grids.ts';
import { gridAxesOf, type GridAxes } from './engines/packetRoutes.ts';

export interface DependencyRules {
  /** Virtual channels of a link. */
  readonly channels: number;
  readonly routing: NetworkRouting;
  /** Whether rings are entered by the rule of the bubble. */
  readonly hasBubble: boolean;
}

/** Steps that are looked at, at most: about a second. */
const mostWork = 2 ** 27;

/** On a ring of so many routers some shortest way takes two links in one direction. */
const shortestCircle = 4;

/**
 * Links between routers that may come to depend on one another in a circle, in order of travel; undefined where there are none. Of
 * routings without a closed form above {@link mostWork} only the routes to some of the routers are looked at. O(1) on
 * grids, else O(routers · steps). Undefined where it is cancelled, too.
 */
export function dependencyCircle(
  machine: Machine,
  rules: DependencyRules,
  cancellation: Cancellation = neverCancelled,
): readonly number[] | undefined {
  const axes = gridAxesOf(machine);
  if (axes !== undefined) return circleOnGrid({ ...axes, links: machine.topology.links }, rules);
  if (machine.routing.byNode !== undefined) return circleOfRoutes(machine, new WorkMeter(cancellation));
  const { graph, hierarchy } = machine.routing;
  if (graph === undefined || hierarchy !== undefined) return undefined;
  return circleOfSteps(machine, graph, rules.routing === 'adaptive', new WorkMeter(cancellation));
}

interface Grid extends GridAxes {
  readonly links: LinkTable;
}

function circleOnGrid(grid: Grid, { channels, routing, hasBubble }: DependencyRules): readonly number[] | undefined {
  const lengths = Array.from(grid.sides);
  const isRing = (axis: number): boolean => grid.rings[axis] === 1 && (lengths[axis] ?? 0) >= shortestCircle;
  const ring = lengths.findIndex((_, axis) => isRing(axis));
  const around = (): readonly number[] | undefined => (ring < 0 ? undefined : linksAround(grid, ring));
  if (routing === 'deterministic') return hasBubble || channels > 1 ? undefined : around();
  const crossed = lengths.flatMap((side, axis) => (side > 1 ? [axis] : []));
  const [first, second] = crossed;
  if (channels === 1) {
    // Nothing to escape to: turns go both ways round a square.
    return first !== undefined && second !== undefined ? linksOfSquare(grid, first, second) : around();
  }
  return hasBubble || channels > 2 ? undefined : around();
}

/** The links onwards of the first ring along an axis. */
function linksAround(grid: Grid, axis: number): readonly number[] {
  const links: number[] = [];
  let router = 0;
  do {
    const next = neighbour(grid, router, axis, 0);
    links.push(linkTowards(grid.links, router, next));
    router = next;
  } while (router !== 0);
  return links;
}

/** Onwards along both axes and back, from the first router. */
function linksOfSquare(grid: Grid, first: number, second: number): readonly number[] {
  const links: number[] = [];
  let router = 0;
  for (const [axis, back] of [
    [first, 0],
    [second, 0],
    [first, 1],
    [second, 1],
  ] as const) {
    const next = neighbour(grid, router, axis, back);
    links.push(linkTowards(grid.links, router, next));
    router = next;
  }
  return links;
}

/** The router next to one along an axis, onwards or back. */
function neighbour({ sides }: Grid, router: number, axis: number, back: 0 | 1): number {
  const stride = volumeOf([...sides.subarray(0, axis)]);
  const side = intAt(sides, axis);
  const position = Math.floor(router / stride) % side;
  const next = (position + (back === 0 ? 1 : side - 1)) % side;
  return router + (next - position) * stride;
}

/** Steps on shortest ways to one router after the other: a link depends on those that may follow it. */
function circleOfSteps(
  machine: Machine,
  graph: RouteGraph,
  isAdaptive: boolean,
  meter: WorkMeter,
): readonly number[] | undefined {
  const { routerOfNode, links } = machine.topology;
  // Packets go from routers with nodes to routers with nodes.
  const ends = [...new Set(routerOfNode)];
  const follows = new LinksAfter(links);
  const routes = new RoutesToOne(graph, follows, isAdaptive, meter);
  for (const target of ends) {
    if (routes.work >= mostWork) break;
    const left = machine.routing.stepsTo(asRouterId(target)) ?? [];
    if (!routes.walk(ends, target, left) || !routes.tie(target)) return undefined;
  }
  return circleAmong(follows, meter);
}

/** Where nodes have routes of their own each link of a route depends on the next. O(routes · hops), up to {@link mostWork}. */
function circleOfRoutes(machine: Machine, meter: WorkMeter): readonly number[] | undefined {
  const { topology, routing, nodeCount } = machine;
  const follows = new LinksAfter(topology.links);
  const nodes = Array.from({ length: nodeCount }, (_, node) => node);
  const senders = new Set(nodes.map((node) => senderOf(machine, node)));
  let work = 0;
  for (const to of nodes) {
    if (work >= mostWork) break;
    const receiver = receiverOf(machine, to);
    for (const sender of senders) {
      const route = routing.route(sender, receiver) ?? [];
      route.forEach((link, at) => {
        const next = route[at + 1];
        if (next !== undefined) follows.addOne(link, next);
      });
      work += 1 + route.length;
      if (meter.isCancelledAfter(1 + route.length)) return undefined;
    }
  }
  return circleAmong(follows, meter);
}

/** All that packets for one router do. */
class RoutesToOne {
  /** Steps that were looked at. */
  work = 0;
  readonly #graph: RouteGraph;
  readonly #follows: LinksAfter;
  readonly #isAdaptive: boolean;
  readonly #meter: WorkMeter;
  /** Links that a packet in each state may take, as those that follow a link to its router. */
  readonly #taken: Int32Array = new Int32Array(0);
  /** States that packets come to, and for which router each was last among them. */
  readonly #states: Int32Array = new Int32Array(0);
  readonly #target: Int32Array = new Int32Array(0);
  #count = 0;

  constructor(graph: RouteGraph, follows: LinksAfter, isAdaptive: boolean, meter: WorkMeter) {
    this.#graph = graph;
    this.#follows = follows;
    this.#isAdaptive = isAdaptive;
    this.#meter = meter;
    this.#taken = new Int32Array(graph.stateCount * follows.words);
    this.#states = new Int32Array(graph.stateCount);
    this.#target = new Int32Array(graph.stateCount).fill(-1);
  }

  /** Finds the states that packets from the routers `from` come to, and what they take there. `left` as of the routing. False where cancelled. */
  walk(from: readonly number[], target: number, left: ArrayLike<number>): boolean {
    const { startOf, firstStep, stepLink, stepTo } = this.#graph;
    const { words } = this.#follows;
    if (this.#meter.isCancelledAfter(left.length)) return false;
    this.#count = 0;
    for (const router of from) this.#meet(intAt(startOf, router), target);
    for (let each = 0; each < this.#count; each++) {
      const state = intAt(this.#states, each);
      const [begin, end] = [intAt(firstStep, state), intAt(firstStep, state + 1)];
      if (this.#meter.isCancelledAfter(1 + 2 * (end - begin))) return false;
      this.work += end - begin;
      this.#taken.fill(0, state * words, (state + 1) * words);
      for (let step = begin; step < end; step++) {
        if (left[intAt(stepTo, step)] !== (left[state] ?? 0) - 1) continue;
        this.#follows.mark(this.#taken, state * words, intAt(stepLink, step));
        this.#meet(intAt(stepTo, step), target);
        if (!this.#isAdaptive) break;
      }
    }
    return true;
  }

  #meet(state: number, target: number): void {
    if (this.#target[state] === target || intAt(this.#graph.routerOf, state) === target) return;
    this.#target[state] = target;
    this.#states[this.#count++] = state;
  }

  /** Whatever may be taken behind a link that is taken follows it. False where cancelled. */
  tie(target: number): boolean {
    const { firstStep, stepLink, stepTo } = this.#graph;
    const { words } = this.#follows;
    for (let each = 0; each < this.#count; each++) {
      const state = intAt(this.#states, each);
      const [begin, end] = [intAt(firstStep, state), intAt(firstStep, state + 1)];
      if (this.#meter.isCancelledAfter(1 + 2 * (end - begin))) return false;
      for (let step = begin; step < end; step++) {
        const [link, next] = [intAt(stepLink, step), intAt(stepTo, step)];
        if (this.#target[next] !== target || !this.#follows.has(this.#taken, state * words, link)) continue;
        this.#follows.add(link, this.#taken, next * words);
      }
    }
    return true;
  }
}

/**
 * The links that may follow each link: a set of those that leave the router at its end, which are numbered one after the other, as bits of
 * so many words. Routes to thousands of routers are put together a word at a time.
 */
class LinksAfter {
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

  get count(): number {
    return this.#links.routerLinkCount;
  }

  /** Puts a link into a set of those that leave its router: the words from `place` on. */
  mark(set: Int32Array, place: number, link: number): void {
    const bit = this.placeOf(link);
    set[place + (bit >> 5)] = intAt(set, place + (bit >> 5)) | (1 << (bit & 31));
  }

  has(set: Int32Array, place: number, link: number): boolean {
    const bit = this.placeOf(link);
    return ((intAt(set, place + (bit >> 5)) >> (bit & 31)) & 1) === 1;
  }

  /** Links of a set may follow a link. */
  add(link: number, set: Int32Array, place: number): void {
    for (let word = 0; word < this.words; word++) {
      const own = link * this.words + word;
      this.#after[own] = intAt(this.#after, own) | intAt(set, place + word);
    }
  }

  /** One link may follow another. */
  addOne(link: number, next: number): void {
    this.mark(this.#after, link * this.words, next);
  }

  /** The first link that may follow one, of those from `from` on in the order of the router at its end; −1 where there is none. */
  next(link: number, from: number): number {
    const first = intAt(this.#links.firstLink, intAt(this.#links.to, link));
    for (let word = from >> 5, bits = -1 << (from & 31); word < this.words; word++, bits = -1) {
      const found = intAt(this.#after, link * this.words + word) & bits;
      if (found !== 0) return first + 32 * word + 31 - Math.clz32(found & -found);
    }
    return -1;
  }

  /** Which of the links of its router a link is. */
  placeOf(link: number): number {
    return link - intAt(this.#links.firstLink, intAt(this.#links.from, link));
  }
}

/** A circle in a graph, by depth-first search; undefined where there is none. O(links · words + edges). */
function circleAmong(follows: LinksAfter, meter: WorkMeter): readonly number[] | undefined {
  const [unseen, onPath, done] = [0, 1, 2] as const;
  const state = new Uint8Array(follows.count).fill(unseen);
  /** Of each link on the path, where the next one that follows is looked for. */
  const lookFrom = new Int32Array(follows.count);
  for (let start = 0; start < follows.count; start++) {
    if (state[start] !== unseen) continue;
    const path = [start];
    state[start] = onPath;
    for (let link = path.at(-1); link !== undefined; link = path.at(-1)) {
      if (meter.isCancelledAfter(1)) return undefined;
      const next = follows.next(link, intAt(lookFrom, link));
      if (next < 0) {
        state[link] = done;
        path.pop();
        continue;
      }
      lookFrom[link] = follows.placeOf(next) + 1;
      if (state[next] === onPath) return path.slice(path.indexOf(next));
      if (state[next] !== unseen) continue;
      state[next] = onPath;
      path.push(next);
    }
  }
  return undefined;
}
