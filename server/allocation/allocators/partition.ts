import { asNodeId } from '../../model/identifiers.ts';
import { routerOfNode } from '../../model/machine.ts';
import type { Allocation } from '../../model/placement.ts';
import { fail, type Result } from '../../model/result.ts';
import { coordinatesOf } from '../../model/shape.ts';
import type { AllocationRequest } from '../contract.ts';
import { freeNodesOf, holdingAllocation } from './capacity.ts';

/**
 * The nodes with a free core in the corner of the grid whose sides are `cornerOf(shape)`, ascending.
 * Fails with `no-coordinates` where the topology has none, `does-not-fit` where it is too small. O(nodes · dimensions).
 */
export function cornerPartition(
  request: AllocationRequest,
  name: string,
  cornerOf: (shape: readonly number[]) => readonly number[],
): Result<Allocation> {
  const { machine } = request;
  const { shape, kind } = machine.topology;
  if (!shape) {
    return fail(
      'no-coordinates',
      `\`allocate ${name}\` needs a topology with coordinates (torus, mesh, hypercube), not ${kind}.`,
    );
  }
  const corner = cornerOf(shape);
  const coordinates = new Int32Array(shape.length);
  const isInCorner = (node: number): boolean => {
    coordinatesOf(shape, routerOfNode(machine, asNodeId(node)), coordinates);
    return coordinates.every((position, axis) => position < corner[axis]!);
  };
  return holdingAllocation(request, freeNodesOf(request, isInCorner), `The ${name}`);
}
