import { itemAt } from '../../numeric/elements.ts';
import { type RandomSource, shuffle } from '../../model/random.ts';
import { wholePower } from '../../numeric/elementary.ts';
import { normalDeviate } from '../../numeric/normal.ts';

/** `matrix[to][from]`: which weighted sum of a task's axes goes along each axis of the sites. */
export type AxisMatrix = readonly (readonly number[])[];

/** By this share every axis takes the next ones with it, so that tasks of one plane are cut apart along another. */
const tilt = 1e-4;

/**
 * Axes kept as they are, exchanged and mirrored at random: for tasks whose axes have a meaning. Where
 * the sites have more axes than the tasks, axes are used again.
 */
export function randomExchange(siteAxes: number, taskAxes: number, random: RandomSource): AxisMatrix {
  const order = unexchanged(taskAxes);
  shuffle(order, random);
  return Array.from({ length: siteAxes }, (_, row) =>
    tiltedRow(order, row % taskAxes).map((value) => (random.integer(2) === 0 ? value : -value)),
  );
}

/** Axis a of the tasks along axis a of the sites. */
export const noExchange = (siteAxes: number, taskAxes: number): AxisMatrix =>
  Array.from({ length: siteAxes }, (_, row) => tiltedRow(unexchanged(taskAxes), row % taskAxes));

const unexchanged = (axes: number): number[] => Array.from({ length: axes }, (_, axis) => axis);

/** Axis `order[first]`, with very little of the next ones. */
function tiltedRow(order: readonly number[], first: number): number[] {
  const row = order.map(() => 0);
  for (let step = 0; step < order.length; step++)
    row[itemAt(order, (first + step) % order.length)] = wholePower(tilt, step);
  return row;
}

/**
 * A random turn of the tasks' space: rows are unit vectors, each at right angles to those before it
 * while there is room for that.
 */
export function randomRotation(siteAxes: number, taskAxes: number, random: RandomSource): AxisMatrix {
  const rows: number[][] = [];
  while (rows.length < siteAxes) {
    const block = rows.slice(rows.length - (rows.length % taskAxes));
    const row = Array.from({ length: taskAxes }, () => normalDeviate(random));
    for (const other of block) {
      const along = dot(row, other);
      for (let axis = 0; axis < taskAxes; axis++) row[axis]! -= along * itemAt(other, axis);
    }
    const length = Math.sqrt(dot(row, row));
    if (length > 1e-6) rows.push(row.map((value) => value / length));
  }
  return rows;
}

const dot = (row: readonly number[], other: readonly number[]): number =>
  row.reduce((sum, value, axis) => sum + value * itemAt(other, axis), 0);
