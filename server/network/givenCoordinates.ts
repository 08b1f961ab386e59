import type { GivenCoordinates } from '../model/given.ts';
import type { Machine } from '../model/machine.ts';
import { fail, type Result, succeed } from '../model/result.ts';
import { formatShape } from '../model/shape.ts';
import { intAt } from '../numeric/elements.ts';

/**
 * The slots of ranks that a file gives by coordinates on a torus or mesh, the first axis the fastest, and a core. Fails with
 * `given-out-of-range` and the line, or where the machine has no such coordinates. O(ranks · axes).
 */
export function slotsOfCoordinates(machine: Machine, given: GivenCoordinates): Result<Int32Array> {
  const { name, topology, nodeCount, coresPerNode } = machine;
  const { shape, wraps, twist, routerCount } = topology;
  const { axes, values, lineOfRank } = given;
  if (shape?.length !== axes || wraps === undefined || twist !== undefined || nodeCount !== routerCount) {
    return fail(
      'given-out-of-range',
      `Coordinate file has ${axes} axes. Machine \`${name}\` is not a torus or mesh of ${axes} axes with one node per router.`,
    );
  }
  const slots = new Int32Array(lineOfRank.length);
  for (let rank = 0; rank < slots.length; rank++) {
    const first = rank * (axes + 1);
    let [node, stride] = [0, 1];
    let isInside = intAt(values, first + axes) < coresPerNode;
    for (const [axis, side] of shape.entries()) {
      const coordinate = intAt(values, first + axis);
      isInside &&= coordinate < side;
      node += coordinate * stride;
      stride *= side;
    }
    if (!isInside) {
      const written = values.subarray(first, first + axes + 1).join(' ');
      return fail(
        'given-out-of-range',
        `Line ${intAt(lineOfRank, rank)}: rank ${rank} is at ${written}, outside machine \`${name}\`: ${formatShape(shape)} with ${coresPerNode} cores per node. Coordinates and cores start at 0.`,
      );
    }
    slots[rank] = node * coresPerNode + intAt(values, first + axes);
  }
  return succeed(slots);
}
