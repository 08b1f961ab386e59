/** Allocators that take a corner of a grid: `quadrant` and `band`, the partitions of Pascual et al. 2010. */
import { asNodeId } from '../../model/identifiers.ts';
import { routerOfNode } from '../../model/machine.ts';
import type { Allocation } from '../../model/placement.ts';
import { fail, type Result } from '../../model/result.ts';
import { coordinatesOf } from '../../model/shape.ts';
import type { AllocationRequest, AllocatorEntry } from '../contract.ts';
import { freeNodesOf, holdingAllocation } from '../capacity.ts';
import { itemAt } from '../../numeric/elements.ts';

export const quadrant: AllocatorEntry = {
  name: 'quadrant',
  summary: 'half of every side: a quarter of a plane, an eighth of a space',
  source: 'Pascual et al. 2010, figure 3a (8 x 8 of a 16 x 16 torus)',
  details:
    'Free nodes whose router coordinates are all below ⌈side/2⌉, in ascending order. The paper covers two ' +
    'dimensions and even sides; other dimensions and odd sides are an extension.',
  options: [],
  allocate: (request) => cornerPartition(request, 'quadrant', (shape) => shape.map((side) => Math.ceil(side / 2))),
};

export const band: AllocatorEntry = {
  name: 'band',
  summary: 'a quarter of the machine as full planes of its last axis',
  source: 'Pascual et al. 2010, figure 3b (16 x 4 of a 16 x 16 torus)',
  details:
    'Free nodes whose last router coordinate is below ⌈side/4⌉, in ascending order. These are full rows in two ' +
    'dimensions, full planes in three. The paper covers two dimensions and sides divisible by 4.',
  options: [],
  allocate: (request) =>
    cornerPartition(request, 'band', (shape) =>
      shape.map((side, axis) => (axis === shape.length - 1 ? Math.ceil(side / 4) : side)),
    ),
};

/**
 * The nodes with a free core in the corner of the grid whose sides are `cornerOf(shape)`, ascending.
 * Fails with `no-coordinates` where the topology has none, `does-not-fit` where it is too small. O(nodes · dimensions).
 */
function cornerPartition(
  request: AllocationRequest,
  name: string,
  cornerOf: (shape: readonly number[]) => readonly number[],
): Result<Allocation> {
  const { machine } = request;
  const { shape, kind } = machine.topology;
  if (!shape) {
    return fail(
      'no-coordinates',
      `\`allocate ${name}\` needs coordinates (torus, mesh or hypercube), found \`topology ${kind}\`.`,
    );
  }
  const corner = cornerOf(shape);
  const coordinates = new Int32Array(shape.length);
  const isInCorner = (node: number): boolean => {
    coordinatesOf(shape, routerOfNode(machine, asNodeId(node)), coordinates);
    return coordinates.every((position, axis) => position < itemAt(corner, axis));
  };
  return holdingAllocation(request, freeNodesOf(request, isInCorner), `The ${name}`);
}
