import { describe, expect, it } from 'vitest';
import { seededRandom, shuffle } from '../../model/random.ts';
import { type Shape, volumeOf } from '../../model/shape.ts';
import { buildMachine } from '../../network/machine.ts';
import { gridDescription, gridMachine } from '../../network/testing/machines.ts';
import type { MappingProblem } from '../contract.ts';
import { contextFor, mapWith } from '../testing/problems.ts';
import { mappingCost } from '../../optimisation/problem/searchProblem.ts';
import { problemOn, randomTraffic, shuffled } from '../../optimisation/testing/problems.ts';
import { averageHopsCore, incremental, swapWhileImproving } from './incremental.ts';
import { hopsOfAllPairs, literalIncremental } from '../stencils/testing/literal.ts';

/** A job on random nodes of a mesh whose routing takes detours: hops do not follow from coordinates. */
function onDetours(shape: Shape, grid: Shape, seed: number): MappingProblem {
  const machine = buildMachine({
    ...gridDescription('torus', shape, { hosts: 2, cores: 2 }),
    routing: { name: 'up-down', options: {} },
  });
  if (!machine.ok) throw new Error(machine.failure.message);
  const nodes = Int32Array.from({ length: machine.value.nodeCount }, (_, node) => node);
  shuffle(nodes, seededRandom(seed));
  const traffic = randomTraffic(volumeOf(grid), 3 * volumeOf(grid), seed);
  return problemOn(machine.value, { grid, nodes, traffic });
}

describe('incremental', () => {
  it.each([1, 2, 3, 4, 5])('makes the swaps of the plain search where routes take detours: seed %i', (seed) => {
    const problem = onDetours([4, 4], [5, 5], seed);
    const { mapping, notes } = mapWith(incremental, problem, { options: { rotate: 'no' } });
    expect([...mapping]).toEqual(literalIncremental(problem));
    expect(notes[0]).not.toContain(' 0 swaps');
  });

  it('counts pairs, not bytes', () => {
    const nodes = [14, 3, 8, 1, 11, 6, 9, 4];
    const light = problemOn(gridMachine('torus', [4, 4]), { nodes, traffic: randomTraffic(8, 20, 3, 1) });
    const traffic = { ...light.job.traffic, bytes: light.job.traffic.bytes.map((_, pair) => 1 + 100 * (pair % 3)) };
    const heavy = { ...light, job: { ...light.job, traffic } };
    expect(mapWith(incremental, heavy)).toEqual(mapWith(incremental, light));
  });

  it('ends where no swap of two tasks saves hops', () => {
    const nodes = Int32Array.from({ length: 100 }, (_, node) => node);
    shuffle(nodes, seededRandom(8));
    const problem = problemOn(gridMachine('torus', [10, 10]), { grid: [6, 6], nodes: nodes.slice(0, 36) });
    const mapping = [...mapWith(incremental, problem).mapping];
    const hops = hopsOfAllPairs(problem, mapping);
    const better: string[] = [];
    mapping.forEach((slot, task) => {
      mapping.forEach((otherSlot, other) => {
        const swapped = mapping.with(task, otherSlot).with(other, slot);
        if (hopsOfAllPairs(problem, swapped) < hops) better.push(`${task} with ${other}`);
      });
    });
    expect(better).toEqual([]);
  });

  it('ends with what it has after as many looks at pairs as it may take', () => {
    const nodes = shuffled(100, 8).slice(0, 36);
    const problem = problemOn(gridMachine('torus', [10, 10]), { grid: [6, 6], nodes });
    const context = contextFor(incremental);
    const core = averageHopsCore(problem, context);
    if (!core.ok) throw new Error(core.failure.message);
    const swapped = (mostWork?: number) => {
      const placeOfTask = Int32Array.from({ length: 36 }, (_, task) => task);
      const before = mappingCost(core.value, placeOfTask);
      const { isComplete } = swapWhileImproving(core.value, placeOfTask, true, context, mostWork);
      return { isComplete, saved: before - mappingCost(core.value, placeOfTask) };
    };
    const [few, all] = [swapped(2000), swapped()];
    expect([few.isComplete, all.isComplete]).toEqual([false, true]);
    expect(few.saved).toBeGreaterThan(0);
    expect(few.saved).toBeLessThan(all.saved);
  });
});
