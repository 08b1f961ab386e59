/**
 * Grids of routers: torus, mesh and hypercube. Numbering: router = x + X·(y + Y·z), the links of a router by axis,
 * the positive direction first.
 */
import type { TopologyEntry, TopologySize } from '../contract.ts';
import { shapeOfArgument, integerOfArgument, evenlyAttached } from './argument.ts';
import type { ArgumentValue } from '../../model/catalogue.ts';
import { type Shape, formatShape, volumeOf, closesToRing } from '../../model/shape.ts';
import { asLinkId, type LinkId } from '../../model/identifiers.ts';
import { linkLimit, slotLimit, type LinkTable, type Machine, type Topology } from '../../model/machine.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import { intAt, itemAt } from '../../numeric/elements.ts';

export const torus: TopologyEntry = {
  name: 'torus',
  summary: 'n-dimensional grid of routers whose rows close to rings',
  source: 'Pascual et al. 2010, section 4.1 (two dimensions); Bunde et al. 2014, section 5',
  details:
    'Router id = x + X·(y + Y·z), x fastest; node id = router · hosts + host. A side of 2 has one cable between ' +
    'the two routers, not two parallel ones; a side of 1 has none. There are no host links: two nodes on one router ' +
    'are 0 hops apart.',
  argument: { kind: 'shape', summary: 'the sides of the torus', required: true, minimum: 1 },
  options: [],
  skeleton: 'torus ${1:4 x 4}',
  defaultRouting: 'dimension-order',
  takesCables: false,
  takesHosts: true,
  measure: ({ argument, hosts }) => measureGridGraph(shapeOfArgument(argument), true, hosts),
  build: ({ argument, hosts }) => buildGridGraph('torus', shapeOfArgument(argument), true, hosts),
};

export const mesh: TopologyEntry = {
  name: 'mesh',
  summary: 'n-dimensional grid of routers without wrap-around cables',
  source: 'Bunde et al. 2014, section 5; Alsardia 2017, section 1.1 (two dimensions)',
  details:
    'Router id = x + X·(y + Y·z), x fastest; node id = router · hosts + host. There are no host links: two nodes on ' +
    'one router are 0 hops apart.',
  argument: { kind: 'shape', summary: 'the sides of the mesh', required: true, minimum: 1 },
  options: [],
  skeleton: 'mesh ${1:4 x 4}',
  defaultRouting: 'dimension-order',
  takesCables: false,
  takesHosts: true,
  measure: ({ argument, hosts }) => measureGridGraph(shapeOfArgument(argument), false, hosts),
  build: ({ argument, hosts }) => buildGridGraph('mesh', shapeOfArgument(argument), false, hosts),
};

export const hypercube: TopologyEntry = {
  name: 'hypercube',
  summary: '2^D routers; those whose numbers differ in one bit are cabled',
  source: 'Placewright',
  details:
    'A mesh of D sides of 2: bit b of the router id is its coordinate on axis b. Node id = router · hosts + host. ' +
    'Dimension-order routing corrects the bits from the lowest to the highest. There are no host links: two nodes ' +
    'on one router are 0 hops apart.',
  argument: { kind: 'integer', summary: 'the number of dimensions D', required: true, minimum: 1 },
  options: [],
  skeleton: 'hypercube ${1:4}',
  defaultRouting: 'dimension-order',
  takesCables: false,
  takesHosts: true,
  measure: ({ argument, hosts = 1 }) => {
    const dimensions = integerOfArgument(argument);
    const routers = 2 ** dimensions;
    return { routers, nodes: routers * hosts, links: dimensions * routers };
  },
  build: ({ argument, hosts }) => buildGridGraph('hypercube', hypercubeShape(argument), false, hosts),
};

/** One dimension more than can be built keeps the refusal and spares an array of an absurd length. */
function hypercubeShape(argument: ArgumentValue | undefined): Shape {
  const dimensions = Math.min(integerOfArgument(argument), largestDimensionCount + 1);
  return new Array<number>(dimensions).fill(2);
}

/** More axes than this can only be sides of 1: a machine holds at most 2^22 slots. */
const largestDimensionCount = 32;

/** Routers, nodes and directed links of a grid, without building it. O(dimensions). */
function measureGridGraph(shape: Shape, wraps: boolean, hosts = 1): TopologySize {
  const routers = volumeOf(shape);
  let links = 0;
  for (const side of shape) {
    const cablesOfLine = closesToRing(side, wraps) ? side : side - 1;
    links += 2 * cablesOfLine * (routers / side);
  }
  return { routers, nodes: routers * hosts, links };
}

/**
 * The graph of a torus (`wraps`), mesh or hypercube. The links that leave a router are in
 * order of axes, on each axis first the positive direction, then the negative one.
 * Fails with `invalid-shape` or `machine-too-large` before it allocates. O(routers · dimensions).
 */
function buildGridGraph(kind: string, shape: Shape, wraps: boolean, hosts = 1): Result<Topology> {
  const refusal = refusalOf(kind, shape, wraps);
  if (refusal) return refusal;
  const { routers, links } = measureGridGraph(shape, wraps);
  return succeed({
    kind,
    routerCount: routers,
    shape: [...shape],
    wraps: shape.map(() => wraps),
    hasHostLinks: false,
    links: linkTableOf(shape, wraps, routers, links),
    routerOfNode: evenlyAttached(routers, hosts),
  });
}

function refusalOf(kind: string, shape: Shape, wraps: boolean): ReturnType<typeof fail> | undefined {
  if (shape.length === 0 || !shape.every((side) => Number.isInteger(side) && side >= 1)) {
    return fail('invalid-shape', `A ${kind} needs whole sides of at least 1, such as \`${kind} 4 x 4\`.`);
  }
  if (shape.length > largestDimensionCount) {
    return fail('machine-too-large', `A ${kind} may have at most ${largestDimensionCount} dimensions.`);
  }
  const { routers, links } = measureGridGraph(shape, wraps);
  if (routers > slotLimit || links > linkLimit) {
    return fail(
      'machine-too-large',
      `A ${kind} of ${formatShape(shape)} has ${routers} routers and ${links} directed links; ` +
        `at most ${slotLimit} routers and ${linkLimit} links are possible: make its sides smaller.`,
    );
  }
  return undefined;
}

function linkTableOf(shape: Shape, wraps: boolean, routers: number, linkCount: number): LinkTable {
  const firstLink = new Int32Array(routers + 1);
  const from = new Int32Array(linkCount);
  const to = new Int32Array(linkCount);
  const coordinates = new Int32Array(shape.length);
  let next = 0;
  for (let router = 0; router < routers; router++) {
    firstLink[router] = next;
    let stride = 1;
    for (let axis = 0; axis < shape.length; axis++) {
      const side = itemAt(shape, axis);
      const position = intAt(coordinates, axis);
      const ring = closesToRing(side, wraps);
      if (position + 1 < side) to[next++] = router + stride;
      else if (ring) to[next++] = router - position * stride;
      if (position > 0) to[next++] = router - stride;
      else if (ring) to[next++] = router + (side - 1) * stride;
      stride *= side;
    }
    from.fill(router, firstLink[router], next);
    advance(coordinates, shape);
  }
  firstLink[routers] = next;
  return { firstLink, from, to, routerLinkCount: linkCount, linkCount };
}

/** Steps a coordinate vector to the next router, x fastest. */
function advance(coordinates: Int32Array, shape: Shape): void {
  for (let axis = 0; axis < shape.length; axis++) {
    const position = intAt(coordinates, axis) + 1;
    if (position < itemAt(shape, axis)) {
      coordinates[axis] = position;
      return;
    }
    coordinates[axis] = 0;
  }
}

/** Grids have one cable between two neighbours at most, so a link is found by where it goes. O(degree). */
export function linkTowards(links: LinkTable, from: number, to: number): LinkId {
  const end = intAt(links.firstLink, from + 1);
  for (let link = intAt(links.firstLink, from); link < end; link++) {
    if (links.to[link] === to) return asLinkId(link);
  }
  throw new Error(`Routers ${from} and ${to} are no neighbours.`);
}

/**
 * Bytes per second of each link, indexed by LinkId; one number where all have as many, undefined where the machine does
 * not say. O(links).
 */
export function linkBandwidths({
  topology: { shape, links },
  figures: { bandwidth, axisBandwidths },
}: Pick<Machine, 'topology' | 'figures'>): Float64Array | number | undefined {
  if (axisBandwidths === undefined || shape === undefined) return bandwidth;
  const strides: number[] = [];
  let stride = 1;
  for (const side of shape) {
    strides.push(stride);
    stride *= side;
  }
  // Grids have no host links. Neighbours differ by the stride of their axis, or by side − 1 times it round the wrap,
  // which is less than the stride of the next axis.
  return Float64Array.from({ length: links.linkCount }, (_, link) => {
    const difference = Math.abs(intAt(links.to, link) - intAt(links.from, link));
    return itemAt(
      axisBandwidths,
      strides.findLastIndex((each) => each <= difference),
    );
  });
}
