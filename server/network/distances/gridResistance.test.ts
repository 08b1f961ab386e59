import { describe, expect, it } from 'vitest';
import { neverCancelled, ignoreProgress } from '../../model/cancellation.ts';
import { buildMachine } from '../machine.ts';
import { gridDescription } from '../testing/machines.ts';
import { stretchResistance, routeCircuitsOf } from './knownDistances.ts';
import { solveHere } from './equivalentSolver.ts';

/** Resistances from router 0 to all others, by cutting out and solving the circuit of each pair. */
function solved(kind: 'mesh' | 'torus', shape: readonly number[]): Float64Array {
  const machine = buildMachine({ ...gridDescription(kind, shape), routing: { name: 'minimal', options: {} } });
  if (!machine.ok) throw new Error(machine.failure.message);
  const { routerCount } = machine.value.topology;
  const wanted = {
    sources: Int32Array.of(0),
    targets: Int32Array.from({ length: routerCount }, (_, router) => router),
    firstTarget: Int32Array.of(0),
    endTarget: Int32Array.of(routerCount),
    firstValue: Int32Array.of(0),
    valueCount: routerCount,
  };
  return solveHere(routeCircuitsOf(machine.value)!, wanted, neverCancelled, ignoreProgress)!;
}

describe('stretchResistance', () => {
  it.each([
    { axes: [{ length: 8, isRing: false }], expected: 7 },
    { axes: [{ length: 8, isRing: true }], expected: 2 },
    {
      axes: [
        { length: 2, isRing: false },
        { length: 2, isRing: false },
      ],
      expected: 1,
    },
    // Corners of a square of 3 x 3 routers.
    {
      axes: [
        { length: 3, isRing: false },
        { length: 3, isRing: false },
      ],
      expected: 1.5,
    },
    // Corners of a cube.
    {
      axes: [
        { length: 2, isRing: false },
        { length: 2, isRing: false },
        { length: 2, isRing: false },
      ],
      expected: 5 / 6,
    },
  ])('knows $axes', ({ axes, expected }) => {
    expect(stretchResistance(axes)).toBeCloseTo(expected, 13);
  });

  it.each([
    { kind: 'mesh', shape: [9, 8] },
    { kind: 'mesh', shape: [5, 4, 6] },
    { kind: 'torus', shape: [10, 9] },
    { kind: 'torus', shape: [12, 2, 5] },
    { kind: 'torus', shape: [4, 6, 8] },
    { kind: 'torus', shape: [4, 4, 3, 4] },
  ] as const)('is what solving the circuits gives: $kind $shape', ({ kind, shape }) => {
    const values = solved(kind, shape);
    for (let router = 1; router < values.length; router++) {
      let rest = router;
      const axes = shape.map((side) => {
        const position = rest % side;
        rest = Math.floor(rest / side);
        const wraps = kind === 'torus' && side > 2;
        const distance = wraps ? Math.min(position, side - position) : position;
        const isRing = wraps && 2 * distance === side;
        return { length: isRing ? side : distance + 1, isRing };
      });
      expect(stretchResistance(axes) / values[router]!).toBeCloseTo(1, 11);
    }
  });
});
