import { describe, expect, it } from 'vitest';
import { seededRandom, shuffle } from '../../model/random.ts';
import { coordinatesOf, volumeOf } from '../../model/shape.ts';
import { indexOf } from '../../model/testing/shape.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import type { MappingProblem } from '../contract.ts';
import { rcb } from './rcb.ts';
import { mapWith } from '../testing/problems.ts';
import { problemOn } from '../../optimisation/testing/problems.ts';

/** RCB written out with plain lists and no rotation: what the fast one is held against. */
function slowRcb({ machine, job, slots }: MappingProblem): number[] {
  const machineShape = machine.topology.shape!;
  const grid = job.grid!;
  const dimensions = Math.max(machineShape.length, grid.length);
  const pad = (sides: readonly number[]) => Array.from({ length: dimensions }, (_, axis) => sides[axis] ?? 1);
  const perRouter = machine.hostsPerRouter * machine.coresPerNode;
  const ranks = [...slots.slice(0, job.taskCount)].map((slot) => {
    const coordinates = pad([]).map(() => 0);
    coordinatesOf(machineShape, Math.floor(slot / perRouter), coordinates);
    return { slot, coordinates };
  });
  const mapping: number[] = [];
  const split = (from: readonly number[], sides: readonly number[], part: typeof ranks): void => {
    if (part.length === 1) {
      mapping[indexOf(pad(grid), from)] = part[0]!.slot;
      return;
    }
    const axis = sides.indexOf(Math.max(...sides));
    const half = Math.floor(sides[axis]! / 2);
    const cut = (part.length / sides[axis]!) * half;
    const order = [axis, ...sides.keys()];
    const sorted = part.toSorted((a, b) => {
      const by = order.find((other) => a.coordinates[other] !== b.coordinates[other]);
      return by === undefined ? a.slot - b.slot : a.coordinates[by]! - b.coordinates[by]!;
    });
    split(from, sides.with(axis, half), sorted.slice(0, cut));
    split(from.with(axis, from[axis]! + half), sides.with(axis, sides[axis]! - half), sorted.slice(cut));
  };
  split(
    pad([]).map(() => 0),
    pad(grid),
    ranks,
  );
  return mapping;
}

describe('rcb', () => {
  it('equals the plain bisection on random allocations', () => {
    const random = seededRandom(21);
    const draw = (dimensions: number, largest: number) =>
      Array.from({ length: dimensions }, () => 1 + random.integer(largest));
    let compared = 0;
    for (let round = 0; round < 150; round++) {
      const machine = gridMachine('torus', draw(1 + random.integer(3), 6), {
        hosts: 1 + random.integer(2),
        cores: 1 + random.integer(3),
      });
      const grid = draw(1 + random.integer(4), 5);
      if (volumeOf(grid) > machine.slotCount) continue;
      const nodes = Array.from({ length: machine.nodeCount }, (_, node) => node);
      shuffle(nodes, random);
      const problem = problemOn(machine, { grid, nodes });
      expect([...mapWith(rcb, problem, { options: { rotate: 'no' } }).mapping]).toEqual(slowRcb(problem));
      compared++;
    }
    expect(compared).toBeGreaterThan(50);
  });

  it('gives the smaller half of an odd side to the first part', () => {
    // Five tasks in a line over two columns: the first two take what is left of the cut.
    const problem = problemOn(gridMachine('mesh', [3, 2]), { grid: [5], nodes: [0, 3, 1, 4, 5] });
    // Rotation leaves x: ranks by x then y are 0 3 | 1 4 5.
    expect([...mapWith(rcb, problem).mapping]).toEqual([0, 3, 1, 4, 5]);
  });
});
