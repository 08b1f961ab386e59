/**
 * Grids of routers: torus, mesh and hypercube. Numbering: router = x + X·(y + Y·z), the links of a router by axis,
 * the positive direction first.
 */
import { largestOf } from '../../model/lists.ts';
import type { TopologyEntry, TopologyRequest, TopologySize } from '../contract.ts';
import { shapeOfArgument, integerOfArgument, integerOption, shapeOption, evenlyAttached } from './argument.ts';
import type { ArgumentValue } from '../../model/catalogue.ts';
import { type Shape, axisName, formatShape, volumeOf, closesToRing } from '../../model/shape.ts';
import { asLinkId, type LinkId } from '../../model/identifiers.ts';
import { linkLimit, nodeLimit, type LinkTable, type Topology, type Twist } from '../../model/machine.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import { intAt, itemAt } from '../../numeric/elements.ts';

export const torus: TopologyEntry = {
  name: 'torus',
  summary: 'n-dimensional grid of routers whose rows close to rings',
  source:
    'Pascual et al. 2010, section 4.1 (two dimensions); Bunde et al. 2014, section 5; twisted: Cámara et al. 2010, Twisted ' +
    'torus topologies for enhanced interconnection networks; Camarero et al. 2015, Lattice graphs for high-scale ' +
    'interconnection topologies',
  details:
    'Router id = x + X·(y + Y·z), x fastest; node id = router · hosts + host. A side of 2 has one link between ' +
    'the two routers, not two parallel ones; a side of 1 has none. Without host links, two nodes on one router ' +
    'are 0 hops apart. With `wrap x, z` only these axes are rings, the others are lines. With `twist T`, one ' +
    'turn around a shorter axis ends T routers further along each of the longest axes (along x if all have one ' +
    'length). The k x k x 2k and k x 2k x 2k slices of a TPU v4 have `twist k`. Coordinates then name routers, ' +
    'and a minimal route may go around another axis.',
  argument: { kind: 'shape', summary: 'the sides of the torus', required: true, minimum: 1 },
  options: [
    { name: 'wrap', summary: 'axes with wrap-around links (default: all)', kind: 'axes', some: true },
    {
      name: 'twist',
      summary: 'offset along the longest axes after one turn around another axis',
      kind: 'integer',
      minimum: 1,
      maximum: 2 ** 22,
    },
  ],
  skeleton: 'torus ${1:4 x 4}',
  linkGroups: ['axis'],
  defaultRouting: 'dimension-order',
  takesCables: false,
  takesHosts: true,
  measure: (request) => {
    const form = torusForm(request);
    return form.ok ? measureGridGraph(form.value, request) : undefined;
  },
  build: (request) => {
    const form = torusForm(request);
    return form.ok ? buildGridGraph('torus', form.value, request) : form;
  },
};

/** Sides, which axes wrap, and how those that do come back. */
interface GridForm {
  readonly shape: Shape;
  readonly wraps: readonly boolean[];
  readonly twist?: Twist;
}

const meshForm = (shape: Shape): GridForm => ({ shape, wraps: shape.map(() => false) });

/** Fails with `invalid-wrap` or `invalid-twist`. */
function torusForm({ argument, options }: TopologyRequest): Result<GridForm> {
  const shape = shapeOfArgument(argument);
  const wrapped = shapeOption(options, 'wrap');
  const by = integerOption(options, 'twist');
  const wraps = shape.map((_, axis) => wrapped === undefined || wrapped.includes(axis));
  const stranger = wrapped?.find((axis) => axis >= shape.length);
  if (stranger !== undefined) {
    const known = shape.map((_, axis) => axisName(axis)).join(', ');
    return fail('invalid-wrap', `\`wrap\` names the axis ${axisName(stranger)}, and this torus has ${known}.`);
  }
  if (by === undefined) return succeed({ shape, wraps });
  if (wraps.includes(false)) {
    return fail('invalid-twist', '`twist` conflicts with `wrap`: a twisted torus wraps on all axes. Remove one.');
  }
  const longest = largestOf(shape);
  const isUneven = shape.some((side) => side > 1 && side < longest);
  const along = shape.flatMap((side, axis) => (side === longest ? [axis] : [])).slice(0, isUneven ? undefined : 1);
  if (shape.filter((side) => side > 1).length < 2) {
    return fail('invalid-twist', '`twist` needs two sides of at least 2.');
  }
  if (by >= longest) {
    return fail('invalid-twist', `\`twist\` must be below the longest side, ${longest}. Use 1 to ${longest - 1}.`);
  }
  return succeed({ shape, wraps, twist: { along, by } });
}

export const mesh: TopologyEntry = {
  name: 'mesh',
  summary: 'n-dimensional grid of routers without wrap-around cables',
  source: 'Bunde et al. 2014, section 5; Alsardia 2017, section 1.1 (two dimensions)',
  details:
    'Router id = x + X·(y + Y·z), x fastest; node id = router · hosts + host. Without host links, two nodes on ' +
    'one router are 0 hops apart.',
  argument: { kind: 'shape', summary: 'the sides of the mesh', required: true, minimum: 1 },
  options: [],
  skeleton: 'mesh ${1:4 x 4}',
  linkGroups: ['axis'],
  defaultRouting: 'dimension-order',
  takesCables: false,
  takesHosts: true,
  measure: (request) => measureGridGraph(meshForm(shapeOfArgument(request.argument)), request),
  build: (request) => buildGridGraph('mesh', meshForm(shapeOfArgument(request.argument)), request),
};

export const hypercube: TopologyEntry = {
  name: 'hypercube',
  summary: '2^D routers; those whose numbers differ in one bit are cabled',
  source: 'Placewright',
  details:
    'A mesh of D sides of 2: bit b of the router id is its coordinate on axis b. Node id = router · hosts + ' +
    'host. Dimension-order routing corrects the bits from the lowest to the highest. Without host links, two ' +
    'nodes on one router are 0 hops apart.',
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
  build: (request) => buildGridGraph('hypercube', meshForm(hypercubeShape(request.argument)), request),
};

/** One dimension more than can be built keeps the refusal and spares an array of an absurd length. */
function hypercubeShape(argument: ArgumentValue | undefined): Shape {
  const dimensions = Math.min(integerOfArgument(argument), largestDimensionCount + 1);
  return new Array<number>(dimensions).fill(2);
}

/** What of a request says how nodes hang on their routers. */
type Attached = Pick<TopologyRequest, 'hosts' | 'hasPorts'>;

/** More axes than this can only be sides of 1: a machine has at most 2^22 routers. */
const largestDimensionCount = 32;

/** Whether going round an axis leads on along others. */
const isTwisted = ({ shape, twist }: GridForm, axis: number): boolean =>
  twist !== undefined && itemAt(shape, axis) > 1 && !twist.along.includes(axis);

/** Whether an axis has a cable from its last router on: that of two routers comes back elsewhere where it is twisted. */
const isRing = (form: GridForm, axis: number): boolean =>
  closesToRing(itemAt(form.shape, axis), form.wraps[axis] === true) || isTwisted(form, axis);

/** Routers, nodes and directed links of a grid, without building it. O(dimensions). */
function measureGridGraph(form: GridForm, { hosts = 1, hasPorts }: Attached): TopologySize {
  const routers = volumeOf(form.shape);
  let links = 0;
  form.shape.forEach((side, axis) => {
    const cablesOfLine = isRing(form, axis) ? side : side - 1;
    links += 2 * cablesOfLine * (routers / side);
  });
  const nodes = routers * hosts;
  return { routers, nodes, links: hasPorts === true ? links + 2 * nodes : links };
}

/**
 * The graph of a torus, mesh or hypercube. The links that leave a router are in
 * order of axes, on each axis first the positive direction, then the negative one.
 * Fails with `invalid-shape` or `machine-too-large` before it allocates. O(routers · dimensions).
 */
function buildGridGraph(kind: string, form: GridForm, attached: Attached): Result<Topology> {
  const { hosts = 1, hasPorts } = attached;
  const { shape, wraps, twist } = form;
  const refusal = gridRefusal(kind, form, attached);
  if (refusal) return refusal;
  const { routers, links } = measureGridGraph(form, { hosts });
  const table = gridLinkTable(form, routers, links);
  return succeed({
    kind,
    routerCount: routers,
    shape: [...shape],
    ...(twist === undefined ? { wraps: [...wraps] } : { twist }),
    hasHostLinks: false,
    ...(hasPorts && { hasPorts }),
    links: hasPorts === true ? { ...table, linkCount: links + 2 * routers * hosts } : table,
    routerOfNode: evenlyAttached(routers, hosts),
  });
}

function gridRefusal(kind: string, form: GridForm, attached: Attached): ReturnType<typeof fail> | undefined {
  const { shape } = form;
  if (shape.length === 0 || !shape.every((side) => Number.isInteger(side) && side >= 1)) {
    return fail('invalid-shape', `A ${kind} needs whole sides of at least 1, such as \`${kind} 4 x 4\`.`);
  }
  if (shape.length > largestDimensionCount) {
    return fail('machine-too-large', `A ${kind} may have at most ${largestDimensionCount} dimensions.`);
  }
  const { routers, links } = measureGridGraph(form, attached);
  if (routers > nodeLimit || links > linkLimit) {
    return fail(
      'machine-too-large',
      `A ${kind} of ${formatShape(shape)} has ${routers} routers and ${links} directed links; the maximum is ${nodeLimit} routers and ${linkLimit} links. Reduce its sides.`,
    );
  }
  return undefined;
}

function gridLinkTable(form: GridForm, routers: number, linkCount: number): LinkTable {
  const { shape } = form;
  const firstLink = new Int32Array(routers + 1);
  const from = new Int32Array(linkCount);
  const to = new Int32Array(linkCount);
  const coordinates = new Int32Array(shape.length);
  const rings = shape.map((_, axis) => isRing(form, axis));
  const shifts = shape.map((_, axis) => (isTwisted(form, axis) ? (form.twist?.by ?? 0) : 0));
  let next = 0;
  for (let router = 0; router < routers; router++) {
    firstLink[router] = next;
    let stride = 1;
    for (let axis = 0; axis < shape.length; axis++) {
      const side = itemAt(shape, axis);
      const position = intAt(coordinates, axis);
      const ring = itemAt(rings, axis);
      const shift = itemAt(shifts, axis);
      if (position + 1 < side) to[next++] = router + stride;
      else if (ring) to[next++] = router - position * stride + shiftedBy(form, coordinates, shift);
      if (position > 0) to[next++] = router - stride;
      else if (ring) to[next++] = router + (side - 1) * stride + shiftedBy(form, coordinates, -shift);
      stride *= side;
    }
    from.fill(router, firstLink[router], next);
    nextCoordinates(coordinates, shape);
  }
  firstLink[routers] = next;
  return { firstLink, from, to, routerLinkCount: linkCount, linkCount };
}

/** What so many steps along each axis of a twist add to the number of a router. */
function shiftedBy({ shape, twist }: GridForm, coordinates: Int32Array, steps: number): number {
  if (twist === undefined || steps === 0) return 0;
  let difference = 0;
  for (const axis of twist.along) {
    const side = itemAt(shape, axis);
    const position = intAt(coordinates, axis);
    difference +=
      ((((position + steps) % side) + side) % side) * strideOf(shape, axis) - position * strideOf(shape, axis);
  }
  return difference;
}

const strideOf = (shape: Shape, axis: number): number => volumeOf(shape.slice(0, axis));

/** Steps a coordinate vector to the next router, x fastest. */
function nextCoordinates(coordinates: Int32Array, shape: Shape): void {
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
  throw new Error(`Routers ${from} and ${to} are not neighbours.`);
}
