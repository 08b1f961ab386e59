import { intAt, itemAt } from '../../numeric/elements.ts';
import { cancelled, fail, succeed, type Result } from '../../model/result.ts';
import type { MappingContext, MappingProblem } from '../contract.ts';
import { rotates, rotationFor, unrotated } from './rotation.ts';

/**
 * A job's grid and the ranks it goes to, in one system of axes: job and machine are padded with
 * sides of 1 to a common dimension, and the job is turned (see `rotation.ts`). Where mapper and
 * paper say x, they mean axis 0 of this.
 */
export interface AlignedJob {
  /** Sides of the turned grid, per axis. A job without a grid is a line of its tasks. */
  readonly sides: readonly number[];
  /** By how much the TaskId grows with one step along each axis. */
  readonly strides: readonly number[];
  /** Sides of the machine, per axis. */
  readonly machineSides: readonly number[];
  /** Slots of one router: consecutive, lowest first. */
  readonly slotsPerRouter: number;
  /** The first taskCount slots of the problem: the ranks, one per task. SlotIds. */
  readonly ranks: Int32Array;
}

/**
 * Brings job and machine together. Fails with `no-coordinates` on machines whose routers have
 * none. O(n · dimensions).
 */
export function alignJob(problem: MappingProblem, context: MappingContext): Result<AlignedJob> {
  const { machine, job } = problem;
  const shape = machine.topology.shape;
  if (shape === undefined) {
    return fail(
      'no-coordinates',
      `Machine \`${machine.name}\` has no coordinates (its topology is \`${machine.topology.kind}\`): use \`map baseline\`, \`map random\` or \`map auto\`.`,
    );
  }
  const grid = job.grid ?? [job.taskCount];
  const dimensions = Math.max(shape.length, grid.length);
  const machineSides = padded(shape, dimensions);
  const jobSides = padded(grid, dimensions);
  const ranks = problem.slots.slice(0, job.taskCount);
  const slotsPerRouter = machine.hostsPerRouter * machine.coresPerNode;
  let rotation = unrotated(dimensions);
  if (rotates(context.options)) {
    const box = boundingBox(ranks, machineSides, slotsPerRouter);
    if (context.cancellation.isCancelled()) return cancelled();
    rotation = rotationFor(jobSides, box);
  }
  const jobStrides = stridesOf(jobSides);
  return succeed({
    sides: rotation.map((axis) => itemAt(jobSides, axis)),
    strides: rotation.map((axis) => itemAt(jobStrides, axis)),
    machineSides,
    slotsPerRouter,
    ranks,
  });
}

const padded = (sides: readonly number[], dimensions: number): readonly number[] =>
  Array.from({ length: dimensions }, (_, axis) => sides[axis] ?? 1);

/** By how much an index grows with one step along each axis, x fastest. */
export function stridesOf(sides: readonly number[]): readonly number[] {
  let stride = 1;
  return sides.map((side) => {
    const own = stride;
    stride *= side;
    return own;
  });
}

/**
 * Sides of the smallest box that holds the routers of all ranks. A torus is taken without its
 * wrap, as Bunde et al. do: an allocation that wraps looks as long as the machine.
 */
function boundingBox(ranks: Int32Array, machineSides: readonly number[], slotsPerRouter: number): number[] {
  let stride = slotsPerRouter;
  return machineSides.map((side) => {
    let lowest = side;
    let highest = -1;
    for (let rank = 0; rank < ranks.length; rank++) {
      const coordinate = ((intAt(ranks, rank) / stride) | 0) % side;
      if (coordinate < lowest) lowest = coordinate;
      if (coordinate > highest) highest = coordinate;
    }
    stride *= side;
    return highest - lowest + 1;
  });
}
