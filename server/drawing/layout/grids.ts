import type { Topology } from '../../model/machine.ts';
import { axisName, coordinatesOf } from '../../model/shape.ts';
import type { Projection, SceneArea } from '../scene.ts';
import { ascending, usualProportion, type Layout } from './contract.ts';

/**
 * The layout of routers with coordinates: up to two dimensions in the plane, a long line folded, three as planes side by
 * side or in axonometry, hypercubes of up to six dimensions with straight cables, everything else as a grid of grids.
 */
export function layoutGrid(
  { routerCount }: Pick<Topology, 'routerCount'>,
  shape: readonly number[],
  projection: Projection = projectionOf(shape),
  proportion = usualProportion,
  words: CoordinateWords = (_, position) => `${position}`,
): Layout {
  const axes = shape.flatMap((side, axis) => (side > 1 ? [axis] : []));
  const grid: Grid = { shape, axes, routerCount, words };
  if (axes.length === 1 && routerCount >= snakeFrom) return layoutSnake(grid, proportion);
  if (axes.length <= 2) return layoutPlanar(grid);
  if (axes.length === 3) return projection === 'slices' ? layoutSlices(grid, proportion) : layoutAxonometric(grid);
  const isHypercube = axes.every((axis) => shape[axis] === 2);
  return isHypercube && axes.length <= hypercubeLimit ? layoutHypercube(grid) : layoutFolded(grid);
}

/** A cube of eight is read at once in axonometry; planes of more say more side by side. */
const projectionOf = (shape: readonly number[]): Projection =>
  shape.every((side) => side <= 2) ? 'axonometric' : 'slices';

/** The axis along which a grid of three dimensions is cut into planes; undefined for others. */
export function planeAxis(shape: readonly number[]): number | undefined {
  const axes = shape.flatMap((side, axis) => (side > 1 ? [axis] : []));
  return axes.length === 3 ? axes[2] : undefined;
}

/** How a position on an axis is named; where squares are blocks of routers it is several coordinates. */
export type CoordinateWords = (axis: number, position: number) => string;

/** A grid to be laid out: all sides, and the axes longer than 1, which alone need room. */
interface Grid {
  readonly shape: readonly number[];
  readonly words: CoordinateWords;
  readonly axes: readonly number[];
  readonly routerCount: number;
}

/** A vector of the drawing plane. */
type Vector = readonly [x: number, y: number];

/** Half the side of a router's square; the rest of the unit shows the cable. */
const planarSize = 0.29;
/** How far a stub reaches from the router's centre. */
const stubReach = 0.66;

/**
 * Grids of up to two dimensions as the papers draw them: x to the right, y downwards, so that
 * router 0 is at the upper left. Wrap links leave the border as stubs.
 */
function layoutPlanar(grid: Grid): Layout {
  const vectors: readonly Vector[] = [
    [1, 0],
    [0, 1],
  ];
  return {
    ...project(grid, vectors),
    size: new Float32Array(grid.routerCount).fill(planarSize),
    order: ascending(grid.routerCount),
    stub: (axis, wraps) => {
      if (!wraps) return undefined;
      const [dx, dy] = vectors[grid.axes.indexOf(axis)]!;
      return { dx: -dx * stubReach, dy: -dy * stubReach };
    },
  };
}

/** A line of this many routers or more is folded, into rows this many times as long as the room is wide for its height. */
const snakeFrom = 25;
const snakeStretch = 1.23;

/**
 * A long line or ring, folded like a snake: rows run right, then left, so that neighbours stay
 * one unit apart and the picture keeps the proportions of a page.
 */
function layoutSnake(grid: Grid, proportion: number): Layout {
  const { routerCount } = grid;
  const columns = Math.ceil(Math.sqrt(routerCount * proportion * snakeStretch));
  const x = new Float32Array(routerCount);
  const y = new Float32Array(routerCount);
  for (let router = 0; router < routerCount; router++) {
    const row = Math.floor(router / columns);
    const column = router % columns;
    x[router] = row % 2 === 0 ? column : columns - 1 - column;
    y[router] = row;
  }
  return {
    x,
    y,
    size: new Float32Array(routerCount).fill(planarSize),
    order: ascending(routerCount),
    // Up from the first router, down from the last: to the side there may be a neighbour.
    stub: (_axis, wraps) => (wraps ? { dx: 0, dy: -stubReach } : undefined),
  };
}

/** From plane to plane there is room for the stubs of either, with the names of their partners, and above a plane for its name. */
const planeGap = 1.28;
/** Two names, each digit of both. */
const gapPerDigit = 0.32;
const planeMargin = 0.72;
const leastName = 0.8;
const namePerSide = 0.13;
/** How far a stub reaches that leads to the next plane: up and right, to the one before: down and left. */
const outOfPlane = 0.47;

/**
 * Three dimensions as planes of the first two, side by side in rows that together have the proportions of the room, each
 * with its name. Cables between planes are stubs
 * across the corners of routers.
 */
function layoutSlices(grid: Grid, proportion: number): Layout {
  const [across, down, through] = grid.axes as [number, number, number];
  const [width, height, planes] = [grid.shape[across]!, grid.shape[down]!, grid.shape[through]!];
  const name = Math.max(leastName, namePerSide * height);
  const gap = planeGap + gapPerDigit * Math.max(1, String(grid.routerCount - 1).length - 1);
  const [cellWidth, cellHeight] = [width + gap, height + planeGap + gapPerDigit + name];
  let [columns, largest] = [1, 0];
  for (let each = 1; each <= planes; each++) {
    const size = Math.min(proportion / (each * cellWidth), 1 / (Math.ceil(planes / each) * cellHeight));
    if (size <= largest) continue;
    [columns, largest] = [each, size];
  }
  const { x, y } = project(grid, [
    [1, 0],
    [0, 1],
    [0, 0],
  ]);
  const plane = project(grid, [
    [0, 0],
    [0, 0],
    [1, 0],
  ]).x;
  plane.forEach((each, router) => {
    x[router]! += (each % columns) * cellWidth;
    y[router]! += Math.floor(each / columns) * cellHeight;
  });
  const areas = Array.from({ length: planes }, (_, each): SceneArea => {
    const [left, top] = [(each % columns) * cellWidth, Math.floor(each / columns) * cellHeight];
    return {
      left: left - planeMargin,
      top: top - planeMargin - name,
      right: left + width - 1 + planeMargin,
      bottom: top + height - 1 + planeMargin,
      round: false,
      label: `${axisName(through)} = ${grid.words(through, each)}`,
      labelRoom: name,
    };
  });
  return {
    x,
    y,
    size: new Float32Array(grid.routerCount).fill(planarSize),
    order: ascending(grid.routerCount),
    areas,
    projection: 'slices',
    stub: (axis, wraps) => {
      const sign = wraps ? -1 : 1;
      if (axis === through) return { dx: sign * outOfPlane, dy: -sign * outOfPlane };
      if (!wraps) return undefined;
      return axis === across ? { dx: -stubReach, dy: 0 } : { dx: 0, dy: -stubReach };
    },
  };
}

/** Largest half side of a node, as in the plane; deep machines need smaller ones. */
const largestSize = 0.24;
/** Share of the distance between the nearest two projected routers that half a node takes. */
const sizeShare = 0.33;
/** How much smaller the farthest layer is: a hint of depth. */
const shrinkage = 0.3;
/** Length of a wrap stub, in steps of its axis. */
const stubLength = 0.55;

/**
 * Three dimensions in oblique axonometry: x to the right, y downwards, z away to the upper
 * right. The step of z is chosen so that no router hides another and no two cables of one
 * axis lie on one line: see {@link depthStep}.
 */
function layoutAxonometric(grid: Grid): Layout {
  const [, , depthAxis] = grid.axes;
  const layers = grid.shape[depthAxis!]!;
  const { step, spacing } = depthStep(layers);
  const vectors: readonly Vector[] = [[1, 0], [0, 1], step];
  const size = new Float32Array(grid.routerCount);
  const order = new Int32Array(grid.routerCount);
  const coordinates = new Int32Array(grid.shape.length);
  const largest = Math.min(largestSize, spacing * sizeShare);
  for (let router = 0; router < grid.routerCount; router++) {
    coordinatesOf(grid.shape, router, coordinates);
    size[router] = largest * (1 - (shrinkage * coordinates[depthAxis!]!) / layers);
    // The last axis varies slowest, so counting down paints the far layers first.
    order[router] = grid.routerCount - 1 - router;
  }
  return {
    ...project(grid, vectors),
    size,
    order,
    projection: 'axonometric',
    stub: (axis, wraps) => {
      if (!wraps) return undefined;
      const [dx, dy] = vectors[grid.axes.indexOf(axis)]!;
      return { dx: -dx * stubLength, dy: -dy * stubLength };
    },
  };
}

/**
 * The step from layer to layer. Routers of all layers fall into one unit square (modulo 1) as
 * the points k · step, k < layers: a rank-1 lattice. We take the step of a pleasing slope whose
 * points keep farthest apart, and likewise the lines through them in x and in y. Deterministic;
 * O(650 · layers).
 */
export function depthStep(layers: number): { readonly step: Vector; readonly spacing: number } {
  let best: Vector = [0.42, -0.31];
  let bestScore = -1;
  for (let right = 34; right <= 58; right++) {
    for (let up = 22; up <= 47; up++) {
      const step: Vector = [right / 100, -up / 100];
      const { point, line } = separation(step, layers);
      const score = point + line;
      if (score > bestScore + 1e-9) {
        bestScore = score;
        best = step;
      }
    }
  }
  return { step: best, spacing: separation(best, layers).point };
}

/** Least distances modulo 1 between layers: of points, and of their lines along x or y. */
function separation([dx, dy]: Vector, layers: number): { readonly point: number; readonly line: number } {
  let point = 1;
  let line = 1;
  for (let apart = 1; apart < layers; apart++) {
    const right = Math.abs(dx * apart - Math.round(dx * apart));
    const down = Math.abs(dy * apart - Math.round(dy * apart));
    point = Math.min(point, Math.hypot(right, down));
    line = Math.min(line, right, down);
  }
  return { point, line };
}

/** Empty space between blocks, per level of nesting; the name of a block stands above it. */
const blockGap = 1.9;
const blockMargin = 0.85;
const blockName = 0.5;
/** How far a stub reaches from the router's centre. */
const reach = 0.48;

/**
 * More than three dimensions: a grid of grids. The first two axes span a block as in the plane,
 * the next two a grid of such blocks, and so on. Cables between blocks would run through
 * routers, so they are stubs like wrap links, each axis at an angle of its own.
 */
function layoutFolded(grid: Grid): Layout {
  const vectors = blockVectors(grid);
  const inBlock = 2;
  return {
    ...project(grid, vectors),
    size: new Float32Array(grid.routerCount).fill(planarSize * 0.75),
    order: ascending(grid.routerCount),
    areas: gridBlockAreas(grid, vectors),
    stub: (axis, wraps) => {
      const position = grid.axes.indexOf(axis);
      if (position < inBlock && !wraps) return undefined;
      const angle = stubAngle(position);
      const sign = wraps ? -1 : 1;
      return { dx: sign * reach * Math.cos(angle), dy: sign * reach * Math.sin(angle) };
    },
  };
}

/** More blocks than this have no names. */
const namedBlocks = 400;

/** A patch behind every block, named by the coordinates that all of it has: `z = 1, w = 0`. */
function gridBlockAreas({ shape, axes, words }: Grid, vectors: readonly Vector[]): SceneArea[] {
  const outer = axes.slice(2);
  const blocks = outer.reduce((count, axis) => count * shape[axis]!, 1);
  if (blocks > namedBlocks) return [];
  const [width, height] = [shape[axes[0]!]!, shape[axes[1]!]!];
  return Array.from({ length: blocks }, (_, block): SceneArea => {
    let [left, top, rest] = [0, 0, block];
    const names = outer.map((axis, position) => {
      const coordinate = rest % shape[axis]!;
      rest = Math.floor(rest / shape[axis]!);
      const [dx, dy] = vectors[position + 2]!;
      left += coordinate * dx;
      top += coordinate * dy;
      return `${axisName(axis)} = ${words(axis, coordinate)}`;
    });
    return {
      left: left - blockMargin,
      top: top - blockMargin - blockName,
      right: left + width - 1 + blockMargin,
      bottom: top + height - 1 + blockMargin,
      round: false,
      label: names.join(', '),
      labelRoom: blockName,
    };
  });
}

/** Axes in turn go right and down; the step of an axis clears everything below its level. */
function blockVectors(grid: Grid): readonly Vector[] {
  const step = [1, 1];
  return grid.axes.map((axis, position): Vector => {
    const direction = position % 2;
    const length = step[direction]!;
    step[direction] = length * grid.shape[axis]! + blockGap + (direction === 1 ? blockName : 0);
    return direction === 0 ? [length, 0] : [0, length];
  });
}

/** 0°, 90°, then 45°, 135°, 22.5°, 112.5°, … : the next free bisection of the right angle. */
function stubAngle(position: number): number {
  const quarter = Math.PI / 2;
  let share = 0;
  let level = Math.floor(position / 2);
  for (let half = 0.5; level > 0; half /= 2, level >>= 1) share += (level & 1) * half;
  return quarter * ((position % 2) + share);
}

/** Above this dimension lines would hide one another; the grid of grids takes over. */
const hypercubeLimit = 6;

/**
 * The step of each dimension: a cube in perspective, then copies of what there is so far, to the
 * right, below, and far to the right. Found by a search that kept every cable as far as possible
 * from routers that are not its ends: 0.156 units up to five dimensions, 0.116 with six.
 */
const steps: readonly Vector[] = [
  [1, 0],
  [0, 1],
  [0.46, -0.59],
  [2.21, 0.35],
  [-0.46, 2.83],
  [5.04, -1.21],
];
const sizeUpToFive = 0.14;
const sizeOfSix = 0.1;

/** Hypercubes of four to six dimensions: every cable a straight line. */
function layoutHypercube(grid: Grid): Layout {
  return {
    ...project(grid, steps),
    size: new Float32Array(grid.routerCount).fill(grid.axes.length <= 5 ? sizeUpToFive : sizeOfSix),
    order: ascending(grid.routerCount),
    stub: () => undefined,
  };
}

/**
 * Parallel projection: a router stands at the sum of its coordinates times the vector of each
 * axis. `vectors` is parallel to `grid.axes`. O(routers · axes).
 */
function project(grid: Grid, vectors: readonly Vector[]): { x: Float32Array; y: Float32Array } {
  const x = new Float32Array(grid.routerCount);
  const y = new Float32Array(grid.routerCount);
  const coordinates = new Int32Array(grid.shape.length);
  for (let router = 0; router < grid.routerCount; router++) {
    coordinatesOf(grid.shape, router, coordinates);
    let right = 0;
    let down = 0;
    grid.axes.forEach((axis, position) => {
      const [dx, dy] = vectors[position]!;
      right += coordinates[axis]! * dx;
      down += coordinates[axis]! * dy;
    });
    x[router] = right;
    y[router] = down;
  }
  return { x, y };
}
