import { describe, expect, it } from 'vitest';
import { seededRandom, shuffle, type RandomSource } from '../../model/random.ts';
import { volumeOf } from '../../model/shape.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import type { MapperEntry, MappingProblem } from '../contract.ts';
import { mapWith } from '../testing/problems.ts';
import { problemOn, randomTraffic } from '../../optimisation/testing/problems.ts';
import { allCorners, corner } from './corner.ts';
import { incremental } from './incremental.ts';
import { ordered } from './linearOrder.ts';
import { overlay, twoWayOverlay } from './overlay.ts';
import {
  literalAllCorners,
  literalCorner,
  literalIncremental,
  literalOrdered,
  literalOverlay,
} from '../stencils/testing/literal.ts';

const readings: readonly (readonly [MapperEntry, number, (problem: MappingProblem) => number[]])[] = [
  [corner, 200, literalCorner],
  [allCorners, 200, literalAllCorners],
  [overlay, 200, (problem) => literalOverlay(problem, false)],
  [twoWayOverlay, 200, (problem) => literalOverlay(problem, true)],
  [ordered, 100, literalOrdered],
  [incremental, 40, literalIncremental],
];

/**
 * Part of a torus or mesh of up to three dimensions, several ranks per router, slots to spare; a stencil
 * of up to four dimensions, a line that is no grid, or random traffic.
 */
function drawProblem(random: RandomSource): MappingProblem {
  for (;;) {
    const machine = gridMachine(random.integer(2) === 0 ? 'torus' : 'mesh', drawSides(random, 3, 5), {
      hosts: 1 + random.integer(2),
      cores: 1 + random.integer(2),
    });
    const grid = drawSides(random, 4, 4);
    const taskCount = volumeOf(grid);
    const nodes = Array.from({ length: machine.nodeCount }, (_, node) => node);
    shuffle(nodes, random);
    const needed = Math.ceil(taskCount / machine.coresPerNode);
    if (needed > nodes.length || taskCount > 32) continue;
    const job = grid.length > 1 ? { grid } : { taskCount };
    const isStencil = taskCount === 1 || random.integer(3) > 0;
    const traffic = isStencil ? {} : { traffic: randomTraffic(taskCount, 3 * taskCount, random.integer(1000)) };
    return problemOn(machine, { ...job, ...traffic, nodes: nodes.slice(0, needed + random.integer(3)) });
  }
}

const drawSides = (random: RandomSource, dimensions: number, largest: number): number[] =>
  Array.from({ length: 1 + random.integer(dimensions) }, () => 1 + random.integer(largest));

describe.each(readings.map(([entry, rounds, literal]) => [entry.name, entry, rounds, literal] as const))(
  '%s',
  (_, entry, rounds, literal) => {
    it('does what the paper says, word by word, on random allocations', () => {
      const random = seededRandom(31);
      for (let round = 0; round < rounds; round++) {
        const problem = drawProblem(random);
        const { mapping } = mapWith(entry, problem, { options: { rotate: 'no' } });
        expect({ round, mapping: [...mapping] }).toEqual({ round, mapping: literal(problem) });
      }
    });
  },
);
