import { largestOf } from '../../model/lists.ts';
import { axisName, coordinatesOf } from '../../model/shape.ts';
import type { SceneArea } from '../scene.ts';
import type { Layout, Network } from './contract.ts';
import { fabricLayout, frameRouters, nodesOfRouters } from './frames.ts';

/**
 * The layout of a HyperX: one axis as a circle, two as rows and columns, further ones as blocks of these. Cables along a
 * row jump over routers, so they bow out, the farther they go the more.
 */

/** From router to router, in diameters of one, and between blocks. */
const spacing = 2.1;
const blockGap = 1.1;
/** Share of its length that a cable bows out, and of the step between routers at most. */
const bowPerStep = 0.16;
const mostBow = 0.62;
const margin = 0.4;
const nameRoom = 0.5;

/** How far a cable of this length along a row bows out, where routers stand `step` apart: past those that it jumps over. */
export function rowBend(length: number, step: number): number {
  const jumped = Math.round(length / step) - 1;
  return jumped < 1 ? 0 : step * Math.min(mostBow, bowPerStep * (jumped + 1));
}

/** O(routers · axes). */
export function layoutHyperX(
  topology: Pick<Network, 'routerCount' | 'routerOfNode'>,
  shape: readonly number[],
): Layout {
  const first = nodesOfRouters(topology);
  const places = frameRouters(first);
  const size = largestOf(places.size);
  const step = 2 * size * spacing;
  const axes = shape.flatMap((side, axis) => (side > 1 ? [axis] : []));
  if (axes.length <= 1) return layoutRing(topology, first, places, size);
  // Axes in turn go right and down; a step of an axis clears all that stands before it.
  const vectors = axes.map((): [number, number] => [0, 0]);
  const extent = [step, step];
  axes.forEach((axis, position) => {
    const direction = position % 2;
    const gap = position < 2 ? 0 : blockGap * step + (direction === 1 ? nameRoom : 0);
    vectors[position]![direction] = extent[direction]! + gap;
    extent[direction] = (extent[direction]! + gap) * shape[axis]!;
  });
  const coordinates = new Int32Array(shape.length);
  for (let router = 0; router < topology.routerCount; router++) {
    coordinatesOf(shape, router, coordinates);
    axes.forEach((axis, position) => {
      places.x[router]! += coordinates[axis]! * vectors[position]![0];
      places.y[router]! += coordinates[axis]! * vectors[position]![1];
    });
  }
  const bend = (from: number, to: number): number => {
    const [right, down] = [places.x[to]! - places.x[from]!, places.y[to]! - places.y[from]!];
    return rowBend(Math.hypot(right, down), step);
  };
  return fabricLayout(first, places, { bend, areas: hyperxBlockAreas(shape, axes, vectors, step, size) });
}

/** Every switch has a cable to every other: none stands in the way of one on a circle. */
function layoutRing(
  { routerCount }: Pick<Network, 'routerCount'>,
  first: Int32Array,
  places: ReturnType<typeof frameRouters>,
  size: number,
): Layout {
  const radius = routerCount < 2 ? 0 : (size * spacing) / Math.sin(Math.PI / routerCount);
  for (let router = 0; router < routerCount; router++) {
    const angle = (2 * Math.PI * router) / routerCount - Math.PI / 2;
    places.x[router] = radius * Math.cos(angle);
    places.y[router] = radius * Math.sin(angle);
  }
  return fabricLayout(first, places);
}

/** More blocks than this have no names. */
const namedBlocks = 400;

/** A patch behind every block of more than two axes, named by the coordinates that all of it has. */
function hyperxBlockAreas(
  shape: readonly number[],
  axes: readonly number[],
  vectors: readonly (readonly [number, number])[],
  step: number,
  size: number,
): SceneArea[] {
  const outer = axes.slice(2);
  const blocks = outer.reduce((count, axis) => count * shape[axis]!, 1);
  if (outer.length === 0 || blocks > namedBlocks) return [];
  const [width, height] = [(shape[axes[0]!]! - 1) * step, (shape[axes[1]!]! - 1) * step];
  return Array.from({ length: blocks }, (_, block): SceneArea => {
    let [left, top, rest] = [0, 0, block];
    const names = outer.map((axis, position) => {
      const coordinate = rest % shape[axis]!;
      rest = Math.floor(rest / shape[axis]!);
      left += coordinate * vectors[position + 2]![0];
      top += coordinate * vectors[position + 2]![1];
      return `${axisName(axis)} = ${coordinate}`;
    });
    return {
      left: left - size - margin,
      top: top - size - margin - nameRoom,
      right: left + width + size + margin,
      bottom: top + height + size + margin,
      round: false,
      label: names.join(', '),
      labelRoom: nameRoom,
    };
  });
}
