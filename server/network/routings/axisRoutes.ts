/**
 * Ways axis by axis where routers have coordinates that are not those of a grid: on a HyperX, one hop along each axis on
 * which two routers differ, and on a twisted torus, by a shortest vector of steps between the two. `axisWaysOf` makes them,
 * `axisRouting` the routing.
 */
import type { Cancellation } from '../../model/cancellation.ts';
import { asLinkId, type AddressId, type LinkId } from '../../model/identifiers.ts';
import type { LinkTable, RouterFlows, Routing, Topology, Twist } from '../../model/machine.ts';
import { coordinatesOf, volumeOf, type Shape } from '../../model/shape.ts';
import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import { linkTowards } from '../topologies/grids.ts';

/** The one way between each two routers. */
interface AxisWays {
  /** O(dimensions). */
  readonly hops: (from: AddressId, to: AddressId) => number;
  /** Links in order of travel. O(hops), on a HyperX times the degree. */
  readonly walk: (from: number, to: number, visit: (link: LinkId) => void) => void;
}

/** Dimension-order routing where coordinates are not those of a grid, axes in order of travel. */
export function axisRouting(topology: Topology, shape: Shape, order: readonly number[]): Routing {
  const { links, twist } = topology;
  const ways = twist === undefined ? completeWays(links, shape, order) : twistedWays(links, shape, twist, order);
  return {
    kind: 'dimension-order',
    singlePath: true,
    symmetric: true,
    hops: ways.hops,
    route(from, to) {
      const route: LinkId[] = [];
      ways.walk(from, to, (link) => route.push(link));
      return route;
    },
    stepsTo: () => undefined,
    visitShares(from, to, visit) {
      ways.walk(from, to, (link) => {
        visit(link, 1);
      });
    },
    addLoads(flows, loads, cancellation) {
      addWalkedLoads(ways, flows, loads, cancellation);
    },
  };
}

/** Flows between two polls of the cancellation. */
const flowsPerPoll = 8192;

/** O(flows · hops). Returns early, with incomplete loads, where cancelled. */
function addWalkedLoads(ways: AxisWays, flows: RouterFlows, loads: Float64Array, cancellation: Cancellation): void {
  const { from, to, amount } = flows;
  let bytes = 0;
  const add = (link: LinkId): void => {
    loads[link] = realAt(loads, link) + bytes;
  };
  for (let flow = 0; flow < from.length; flow++) {
    if (flow % flowsPerPoll === 0 && cancellation.isCancelled()) return;
    bytes = realAt(amount, flow);
    ways.walk(intAt(from, flow), intAt(to, flow), add);
  }
}

function completeWays(links: LinkTable, shape: Shape, order: readonly number[]): AxisWays {
  const strides = shape.map((_, axis) => volumeOf(shape.slice(0, axis)));
  const axes = order.map((axis) => ({ stride: itemAt(strides, axis), side: itemAt(shape, axis) }));
  const positionOf = (router: number, { stride, side }: { stride: number; side: number }): number =>
    Math.floor(router / stride) % side;
  return {
    hops(from, to) {
      let hops = 0;
      for (const axis of axes) if (positionOf(from, axis) !== positionOf(to, axis)) hops++;
      return hops;
    },
    walk(from, to, visit) {
      let router = from;
      for (const axis of axes) {
        const next = router + (positionOf(to, axis) - positionOf(router, axis)) * axis.stride;
        if (next !== router) visit(linkTowards(links, router, next));
        router = next;
      }
    },
  };
}

/**
 * On a twisted torus every router sees the same network, so a way depends on the difference of the two alone: one search
 * from router 0 gives a shortest vector of steps along the axes for each difference. O(routers · dimensions) memory.
 */
function twistedWays(links: LinkTable, shape: Shape, twist: Twist, order: readonly number[]): AxisWays {
  const routerCount = links.firstLink.length - 1;
  const dimensions = shape.length;
  const twisted = shape.map((side, axis) => side > 1 && !twist.along.includes(axis));
  const slots = axisSlots(shape, twisted);
  const { vectors, hops } = shortestVectors(links, slots, dimensions);
  const strides = shape.map((_, axis) => volumeOf(shape.slice(0, axis)));
  const coordinates = new Int32Array(routerCount * dimensions);
  const own = new Int32Array(dimensions);
  for (let router = 0; router < routerCount; router++) {
    coordinatesOf(shape, router, own);
    coordinates.set(own, router * dimensions);
  }
  /** The router that is as far from router 0, and in the same direction, as one router is from another. */
  const difference = (from: number, to: number): number => {
    let [router, shift] = [0, 0];
    for (let axis = 0; axis < dimensions; axis++) {
      if (!itemAt(twisted, axis)) continue;
      let steps = intAt(coordinates, to * dimensions + axis) - intAt(coordinates, from * dimensions + axis);
      // A whole turn more along this axis is so many steps less along those of the twist.
      if (steps < 0) {
        steps += itemAt(shape, axis);
        shift -= twist.by;
      }
      router += steps * itemAt(strides, axis);
    }
    for (const axis of twist.along) {
      const side = itemAt(shape, axis);
      const steps = intAt(coordinates, to * dimensions + axis) - intAt(coordinates, from * dimensions + axis) + shift;
      router += (((steps % side) + side) % side) * itemAt(strides, axis);
    }
    return router;
  };
  return {
    hops: (from, to) => intAt(hops, difference(from, to)),
    walk(from, to, visit) {
      const row = difference(from, to) * dimensions;
      let router = from;
      for (const axis of order) {
        const steps = intAt(vectors, row + axis);
        const slot = steps < 0 ? itemAt(slots, axis).back : itemAt(slots, axis).on;
        for (let step = Math.abs(steps); step > 0; step--) {
          const link = asLinkId(intAt(links.firstLink, router) + slot);
          visit(link);
          router = intAt(links.to, link);
        }
      }
    },
  };
}

/** Of an axis, which of the links that leave a router leads on along it, and which back; −1 where none does. */
interface AxisSlots {
  readonly on: number;
  readonly back: number;
}

/** All routers of a twisted torus have their links in one order: by axis, on before back, one where a side of 2 is no ring. */
function axisSlots(shape: Shape, twisted: readonly boolean[]): readonly AxisSlots[] {
  let next = 0;
  return shape.map((side, axis): AxisSlots => {
    if (side === 1) return { on: -1, back: -1 };
    const on = next++;
    const back = side > 2 || twisted[axis] === true ? next++ : on;
    return { on, back };
  });
}

/** A shortest vector of steps from router 0 to each router, and its length: the first that a search finds, x and on before back. */
function shortestVectors(links: LinkTable, slots: readonly AxisSlots[], dimensions: number) {
  const routerCount = links.firstLink.length - 1;
  const vectors = new Int32Array(routerCount * dimensions);
  const hops = new Int32Array(routerCount).fill(-1);
  const queue = new Int32Array(routerCount);
  hops[0] = 0;
  let found = 1;
  for (let next = 0; next < found; next++) {
    const router = intAt(queue, next);
    slots.forEach(({ on, back }, axis) => {
      for (const direction of on < 0 ? [] : [1, -1]) {
        const to = intAt(links.to, intAt(links.firstLink, router) + (direction > 0 ? on : back));
        if (hops[to] !== -1) continue;
        hops[to] = intAt(hops, router) + 1;
        vectors.copyWithin(to * dimensions, router * dimensions, (router + 1) * dimensions);
        vectors[to * dimensions + axis] = intAt(vectors, to * dimensions + axis) + direction;
        queue[found++] = to;
      }
    });
  }
  return { vectors, hops };
}
