/**
 * Symmetry of machines: renumberings of the routers that leave all routes as they are (`routeSymmetries`, `automorphismsOf`), the
 * routers and links that are alike by them (`routerOrbits`, `linkOrbits`), and the pairs of routers (`orbitClasses`). Every renumbering is checked step by step before it is believed, so that faults,
 * roots and cables that break a symmetry need no thought here.
 */
import type { RouteGraph, Routing, Topology } from '../model/machine.ts';
import { coordinatesOf } from '../model/shape.ts';
import { intAt, itemAt } from '../numeric/elements.ts';
import { DisjointSets } from '../numeric/unionFind.ts';

/** Numbers that all renumberings together may take. */
const mostNumbers = 2 ** 22;
/** Fewer routers are as quickly worked out pair by pair. */
const fewestRouters = 16;

/**
 * Renumberings of the routers that map the shortest ways between any two routers onto those between their images: reflections
 * and exchanges of axes (about the root, where there is one), shifts along axes and from each group to the next. Others follow
 * from these one after the other. O(candidates · (routers + steps)).
 */
export function routeSymmetries(topology: Topology, routing: Routing): readonly Int32Array[] {
  const { graph } = routing;
  const { routerCount } = topology;
  if (graph === undefined || routerCount < fewestRouters || routerCount > mostNumbers / 2) return [];
  const root = routing.hierarchy?.roots[0];
  return [...axisCandidates(topology, root), ...groupCandidates(topology)].filter((image) => keepsRoutes(graph, image));
}

/** {@link routeSymmetries} and what follows from them, that which changes nothing first. O(renumberings · routers + candidates · steps). */
export function automorphismsOf(topology: Topology, routing: Routing): readonly Int32Array[] {
  const generators = routeSymmetries(topology, routing);
  return generators.length === 0 ? [] : closureOf(generators, topology.routerCount);
}

/** Of each router the least one that the renumberings make of it. O(renumberings · routers). */
export function routerOrbits(images: readonly Int32Array[], routerCount: number): Int32Array {
  const sets = new DisjointSets(routerCount);
  for (const image of images)
    for (let router = 0; router < routerCount; router++) sets.join(router, intAt(image, router));
  return Int32Array.from({ length: routerCount }, (_, router) => sets.rootOf(router));
}

/**
 * The same of the links between routers, by LinkId. Parallel links are alike, as a routing that tells routes by routers
 * alone splits flows evenly among them. O(renumberings · links).
 */
export function linkOrbits({ links, routerCount }: Topology, images: readonly Int32Array[]): Int32Array {
  const { firstLink, to, routerLinkCount } = links;
  const sets = new DisjointSets(routerLinkCount);
  const linkTo = new Int32Array(routerCount);
  for (const image of images) {
    for (let router = 0; router < routerCount; router++) {
      const other = intAt(image, router);
      for (let link = intAt(firstLink, other); link < intAt(firstLink, other + 1); link++)
        linkTo[intAt(to, link)] = link;
      for (let link = intAt(firstLink, router); link < intAt(firstLink, router + 1); link++)
        sets.join(link, intAt(linkTo, intAt(image, intAt(to, link))));
    }
  }
  return Int32Array.from({ length: routerLinkCount }, (_, link) => sets.rootOf(link));
}

/** Every group onto the next, its routers in their order: as relative and circulant arrangements of their cables allow. */
function groupCandidates({ groups, routerCount }: Topology): Int32Array[] {
  if (groups === undefined) return [];
  const size = routerCount / (intAt(groups, routerCount - 1) + 1);
  if (!Number.isInteger(size) || size === routerCount) return [];
  return [Int32Array.from({ length: routerCount }, (_, router) => (router + size) % routerCount)];
}

/** Reflections, exchanges and shifts of axes; rings are turned so that the root stands still. */
function axisCandidates({ shape, wraps, twist, routerCount }: Topology, root: number | undefined): Int32Array[] {
  if (shape === undefined) return [];
  const axes = shape.length;
  const centre = new Int32Array(axes);
  coordinatesOf(shape, root ?? 0, centre);
  /** `move` changes coordinates, which count from the root on rings, in place. */
  const made = (move: (place: Int32Array) => void): Int32Array => {
    const place = new Int32Array(axes);
    return Int32Array.from({ length: routerCount }, (_, router) => {
      coordinatesOf(shape, router, place);
      for (let axis = 0; axis < axes; axis++) place[axis] = turned(axis, intAt(place, axis), -intAt(centre, axis));
      move(place);
      let image = 0;
      for (let axis = axes - 1; axis >= 0; axis--)
        image = image * itemAt(shape, axis) + turned(axis, intAt(place, axis), intAt(centre, axis));
      return image;
    });
  };
  const turned = (axis: number, position: number, by: number): number => {
    const side = itemAt(shape, axis);
    return wraps?.[axis] === true ? (position + by + side) % side : position;
  };
  /** One on along an axis; going round one that is twisted leads on along those of the twist. */
  const shift = (place: Int32Array, axis: number): void => {
    place[axis] = (intAt(place, axis) + 1) % itemAt(shape, axis);
    if (twist === undefined || twist.along.includes(axis) || place[axis] !== 0) return;
    for (const along of twist.along) place[along] = (intAt(place, along) + twist.by) % itemAt(shape, along);
  };
  const candidates: Int32Array[] = [];
  for (let axis = 0; axis < axes; axis++) {
    const side = itemAt(shape, axis);
    if (side === 1) continue;
    const last = wraps?.[axis] === true ? side : side - 1;
    candidates.push(made((place) => (place[axis] = (last - intAt(place, axis)) % side)));
    if (root === undefined)
      candidates.push(
        made((place) => {
          shift(place, axis);
        }),
      );
    for (let other = axis + 1; other < axes; other++) {
      if (shape[other] !== side) continue;
      candidates.push(
        made((place) => {
          [place[axis], place[other]] = [intAt(place, other), intAt(place, axis)];
        }),
      );
    }
  }
  return candidates;
}

/**
 * Whether a renumbering of routers maps every step of the routes onto a step. States of a router are told apart by what
 * the routing remembers, which stays. O(steps).
 */
export function keepsRoutes(graph: RouteGraph, image: Int32Array): boolean {
  const { stateCount, startOf, firstStep, stepTo } = graph;
  const phases = stateCount / startOf.length;
  const isTaken = new Uint8Array(startOf.length);
  for (const router of image) isTaken[router] = 1;
  if (isTaken.includes(0)) return false;
  const stateImage = new Int32Array(stateCount);
  for (let state = 0; state < stateCount; state++) {
    const router = Math.floor(state / phases);
    if (graph.routerOf[state] !== router || startOf[router] !== router * phases) return false;
    stateImage[state] = intAt(image, router) * phases + (state - router * phases);
  }
  const surplus = new Int32Array(stateCount);
  for (let state = 0; state < stateCount; state++) {
    const first = intAt(firstStep, state);
    const other = intAt(firstStep, intAt(stateImage, state));
    const count = intAt(firstStep, state + 1) - first;
    if (intAt(firstStep, intAt(stateImage, state) + 1) - other !== count) return false;
    for (let step = 0; step < count; step++) {
      surplus[stateImage[stepTo[first + step]!]!]! += 1;
      surplus[stepTo[other + step]!]! -= 1;
    }
    for (let step = 0; step < count; step++) if (surplus[stepTo[other + step]!] !== 0) return false;
  }
  return true;
}

/** Routers whose images tell two renumberings apart; of two that they do not one is left out, which does no harm. */
const witnesses = 16;

/** What comes of some renumberings one after the other, as many as {@link mostNumbers} allows. */
function closureOf(generators: readonly Int32Array[], routerCount: number): readonly Int32Array[] {
  const most = Math.floor(mostNumbers / routerCount);
  const watched = Array.from({ length: witnesses }, (_, place) =>
    Math.floor((place * place * routerCount) / witnesses ** 2),
  );
  const keyOf = (image: Int32Array): string => watched.map((router) => intAt(image, router)).join();
  const found = [Int32Array.from({ length: routerCount }, (_, router) => router)];
  const known = new Set([keyOf(itemAt(found, 0))]);
  for (let index = 0; index < found.length; index++) {
    for (const generator of generators) {
      if (found.length >= most) return found;
      const image = itemAt(found, index).map((router) => intAt(generator, router));
      const key = keyOf(image);
      if (known.has(key)) continue;
      known.add(key);
      found.push(image);
    }
  }
  return found;
}

/** Of every ordered pair of routers one that stands for it and for all that are alike. */
export interface OrbitClasses {
  source(from: number, to: number): number;
  target(from: number, to: number): number;
  /** Whether router 0 is the source of all of them: every router looks like every other. */
  readonly oneSource: boolean;
}

/**
 * The pair of least source, and then of least target, that some renumbering maps a pair onto; of `symmetric` routes the
 * pair of the other direction is alike. O(renumberings · routers) once, and as much for each source that stands for others; O(1)
 * for a pair.
 */
export function orbitClasses(images: readonly Int32Array[], symmetric: boolean): OrbitClasses {
  const routerCount = itemAt(images, 0).length;
  /** The least image of each router, and the renumbering that leads there. */
  const least = Int32Array.from({ length: routerCount }, (_, router) => router);
  const by = new Int32Array(routerCount);
  for (const [index, image] of images.entries()) {
    for (let router = 0; router < routerCount; router++) {
      if (intAt(image, router) >= intAt(least, router)) continue;
      least[router] = intAt(image, router);
      by[router] = index;
    }
  }
  const rows = new Array<Int32Array | undefined>(routerCount).fill(undefined);
  /** The least images of all routers by those renumberings that leave `source` where it is. */
  const newRow = (source: number): Int32Array => {
    const row = Int32Array.from({ length: routerCount }, (_, router) => router);
    for (const image of images) {
      if (image[source] !== source) continue;
      for (let router = 0; router < routerCount; router++)
        if (image[router]! < row[router]!) row[router] = image[router]!;
    }
    return (rows[source] = row);
  };
  const targetFrom = (from: number, to: number): number => {
    const source = least[from]!;
    return (rows[source] ?? newRow(source))[images[by[from]!]![to]!]!;
  };
  const oneSource = least.every((router) => router === 0);
  if (!symmetric) return { source: (from) => least[from]!, target: targetFrom, oneSource };
  return {
    oneSource,
    source: (from, to) => Math.min(least[from]!, least[to]!),
    target(from, to) {
      if (least[from]! < least[to]!) return targetFrom(from, to);
      if (least[from]! > least[to]!) return targetFrom(to, from);
      return Math.min(targetFrom(from, to), targetFrom(to, from));
    },
  };
}
