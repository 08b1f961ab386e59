/**
 * Grids of routers: torus, mesh and hypercube. Numbering: router = x + X·(y + Y·z), the links of a router by axis,
 * the positive direction first.
 */
import type { TopologyEntry, TopologyRequest, TopologySize } from '../contract.ts';
import { shapeOfArgument, integerOfArgument, evenlyAttached } from './argument.ts';
import type { ArgumentValue } from '../../model/catalogue.ts';
import { type Shape, formatShape, volumeOf, closesToRing } from '../../model/shape.ts';
import { asLinkId, type LinkId } from '../../model/identifiers.ts';
import { linkLimit, slotLimit, type LinkTable, type Topology } from '../../model/machine.ts';
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
  linkGroups: ['axis'],
  defaultRouting: 'dimension-order',
  takesCables: false,
  takesHosts: true,
  measure: (request) => measureGridGraph(shapeOfArgument(request.argument), true, request),
  build: (request) => buildGridGraph('torus', shapeOfArgument(request.argument), true, request),
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
  linkGroups: ['axis'],
  defaultRouting: 'dimension-order',
  takesCables: false,
  takesHosts: true,
  measure: (request) => measureGridGraph(shapeOfArgument(request.argument), false, request),
  build: (request) => buildGridGraph('mesh', shapeOfArgument(request.argument), false, request),
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
  linkGroups: ['axis'],
  defaultRouting: 'dimension-order',
  takesCables: false,
  takesHosts: true,
  measure: ({ argument, hosts = 1, hasPorts }) => {
    const dimensions = integerOfArgument(argument);
    const routers = 2 ** dimensions;
    const nodes = routers * hosts;
    return { routers, nodes, links: dimensions * routers + (hasPorts === true ? 2 * nodes : 0) };
  },
  build: (request) => buildGridGraph('hypercube', hypercubeShape(request.argument), false, request),
};

/** One dimension more than can be built keeps the refusal and spares an array of an absurd length. */
function hypercubeShape(argument: ArgumentValue | undefined): Shape {
  const dimensions = Math.min(integerOfArgument(argument), largestDimensionCount + 1);
  return new Array<number>(dimensions).fill(2);
}

/** What of a request says how nodes hang on their routers. */
type Attached = Pick<TopologyRequest, 'hosts' | 'hasPorts'>;

/** More axes than this can only be sides of 1: a machine holds at most 2^22 slots. */
const largestDimensionCount = 32;

/** Routers, nodes and directed links of a grid, without building it. O(dimensions). */
function measureGridGraph(shape: Shape, wraps: boolean, { hosts = 1, hasPorts }: Attached): TopologySize {
  const routers = volumeOf(shape);
  let links = 0;
  for (const side of shape) {
    const cablesOfLine = closesToRing(side, wraps) ? side : side - 1;
    links += 2 * cablesOfLine * (routers / side);
  }
  const nodes = routers * hosts;
  return { routers, nodes, links: hasPorts === true ? links + 2 * nodes : links };
}

/**
 * The graph of a torus (`wraps`), mesh or hypercube. The links that leave a router are in
 * order of axes, on each axis first the positive direction, then the negative one.
 * Fails with `invalid-shape` or `machine-too-large` before it allocates. O(routers · dimensions).
 */
function buildGridGraph(kind: string, shape: Shape, wraps: boolean, attached: Attached): Result<Topology> {
  const { hosts = 1, hasPorts } = attached;
  const refusal = refusalOf(kind, shape, wraps, attached);
  if (refusal) return refusal;
  const { routers, links } = measureGridGraph(shape, wraps, { hosts });
  const table = linkTableOf(shape, wraps, routers, links);
  return succeed({
    kind,
    routerCount: routers,
    shape: [...shape],
    wraps: shape.map(() => wraps),
    hasHostLinks: false,
    ...(hasPorts && { hasPorts }),
    links: hasPorts === true ? { ...table, linkCount: links + 2 * routers * hosts } : table,
    routerOfNode: evenlyAttached(routers, hosts),
  });
}

function refusalOf(
  kind: string,
  shape: Shape,
  wraps: boolean,
  attached: Attached,
): ReturnType<typeof fail> | undefined {
  if (shape.length === 0 || !shape.every((side) => Number.isInteger(side) && side >= 1)) {
    return fail('invalid-shape', `A ${kind} needs whole sides of at least 1, such as \`${kind} 4 x 4\`.`);
  }
  if (shape.length > largestDimensionCount) {
    return fail('machine-too-large', `A ${kind} may have at most ${largestDimensionCount} dimensions.`);
  }
  const { routers, links } = measureGridGraph(shape, wraps, attached);
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
