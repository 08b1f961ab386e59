import { intAt, itemAt } from '../../numeric/elements.ts';
import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import { cancelled, fail, succeed, type Result } from '../../model/result.ts';
import type { MappingContext, MappingProblem } from '../contract.ts';
import { rotates, rotationFor, unrotated } from './rotation.ts';
import { stridesOf } from '../../model/shape.ts';

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
      `Topology \`${machine.topology.kind}\` of machine \`${machine.name}\` has no coordinates. Use \`map baseline\`, \`map random\` or \`map auto\`.`,
    );
  }
  const grid = job.grid ?? [job.taskCount];
  const dimensions = Math.max(shape.length, grid.length);
  const machineSides = paddedSides(shape, dimensions);
  const jobSides = paddedSides(grid, dimensions);
  const ranks = problem.slots.slice(0, job.taskCount);
  const slotsPerRouter = machine.hostsPerRouter * machine.coresPerNode;
  let rotation = unrotated(dimensions);
  if (rotates(context.options)) {
    const box = boundingBox({ ranks, machineSides, slotsPerRouter }, context.cancellation);
    if (box === undefined) return cancelled();
    rotation = rotationFor(
      jobSides,
      box.map(({ lowest, highest }) => highest - lowest + 1),
    );
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

const paddedSides = (sides: readonly number[], dimensions: number): readonly number[] =>
  Array.from({ length: dimensions }, (_, axis) => sides[axis] ?? 1);

/** Where the coordinates of some ranks begin and end on one axis. */
export interface Extent {
  readonly lowest: number;
  readonly highest: number;
}

/**
 * The smallest box that holds the routers of all ranks, per axis; undefined if cancelled. A torus is taken without its
 * wrap, as Bunde et al. do: an allocation that wraps looks as long as the machine. O(n), and O(dimensions) where the router is another one.
 */
export function boundingBox(
  { ranks, machineSides, slotsPerRouter }: Pick<AlignedJob, 'ranks' | 'machineSides' | 'slotsPerRouter'>,
  cancellation: Cancellation,
): readonly Extent[] | undefined {
  const meter = new WorkMeter(cancellation);
  const lowest = Int32Array.from(machineSides);
  const highest = new Int32Array(machineSides.length).fill(-1);
  let last = -1;
  for (let rank = 0; rank < ranks.length; rank++) {
    if (meter.isCancelledAfter(1)) return undefined;
    const router = (intAt(ranks, rank) / slotsPerRouter) | 0;
    if (router === last) continue;
    last = router;
    let rest = router;
    for (let axis = 0; axis < machineSides.length; axis++) {
      const side = itemAt(machineSides, axis);
      const coordinate = rest % side;
      rest = (rest / side) | 0;
      if (coordinate < intAt(lowest, axis)) lowest[axis] = coordinate;
      if (coordinate > intAt(highest, axis)) highest[axis] = coordinate;
    }
  }
  return machineSides.map((_, axis) => ({ lowest: intAt(lowest, axis), highest: intAt(highest, axis) }));
}
