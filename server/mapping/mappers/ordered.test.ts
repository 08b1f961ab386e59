import { describe, expect, it } from 'vitest';
import { gridMachine } from '../../network/testing/machines.ts';
import { mapWith } from '../testing/problems.ts';
import { problemOn } from '../../optimisation/testing/problems.ts';
import { ordered, rowMajor } from './linearOrder.ts';
import { hopsOfAllPairs } from '../stencils/testing/literal.ts';

describe('ordered', () => {
  it('traverses an axis backwards where that is better', () => {
    // A row of three and below its end one node: from right to left both rows of tasks stay together.
    const hook = problemOn(gridMachine('mesh', [3, 2]), { grid: [2, 2], nodes: [2, 3, 4, 5] });
    const { mapping, notes } = mapWith(ordered, hook);
    expect([...mapping]).toEqual([2, 5, 4, 3]);
    expect(notes).toEqual(['ordered took row major with x backwards: 1.5 average hops.']);
  });

  it('looks at the longest axes only where there are many, and is still no worse than row major', () => {
    const hypercube = problemOn(gridMachine('hypercube', [9]), { grid: [20, 16] });
    const cost = hopsOfAllPairs(hypercube, mapWith(ordered, hypercube).mapping);
    expect(cost).toBeLessThanOrEqual(hopsOfAllPairs(hypercube, mapWith(rowMajor, hypercube).mapping));
  });
});
