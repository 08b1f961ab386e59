import { describe, expect, it } from 'vitest';
import { findEntry } from '../../model/catalogue.ts';
import { hopsBetweenNodes } from '../../model/machine.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { testContract } from '../../model/testing/contract.ts';
import { type Shape, coordinatesOf, volumeOf } from '../../model/shape.ts';
import { indexOf } from '../../model/testing/shape.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { allCorners, corner } from '../mappers/corner.ts';
import { columnMajor, rowMajor, ordered } from '../mappers/linearOrder.ts';
import { incremental } from '../mappers/incremental.ts';
import { overlay, twoWayOverlay } from '../mappers/overlay.ts';
import type { MapperEntry, MappingProblem } from '../contract.ts';
import { mappers } from '../catalogue.ts';
import { rcb } from '../mappers/rcb.ts';
import { contextFor, mapWith } from '../testing/problems.ts';
import { problemOn } from '../../optimisation/testing/problems.ts';
import { casesOf } from '../../model/testing/thoroughness.ts';

/** Nodes of the box with `corner` and `sides` in a machine of one-core nodes, in random order. */
function boxOf(shape: Shape, corner: Shape, sides: Shape, seed: number): Int32Array {
  const nodes = Int32Array.from({ length: volumeOf(sides) }, (_, index) => {
    const coordinates = shape.map(() => 0);
    coordinatesOf(sides, index, coordinates);
    return indexOf(
      shape,
      coordinates.map((value, axis) => value + corner[axis]!),
    );
  });
  shuffle(nodes, seededRandom(seed));
  return nodes;
}

function hopsOfPairs({ machine, job }: MappingProblem, mapping: Int32Array): Set<number> {
  const hops = new Set<number>();
  const { rowStart, partner } = job.traffic;
  for (let task = 0; task < job.taskCount; task++) {
    for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) {
      hops.add(hopsBetweenNodes(machine, mapping[task]!, mapping[partner[pair]!]!));
    }
  }
  return hops;
}

/** All orders of the sides, each once. */
function orientationsOf(sides: Shape): Shape[] {
  if (sides.length === 0) return [[]];
  return [...new Set(sides)].flatMap((side) =>
    orientationsOf(sides.toSpliced(sides.indexOf(side), 1)).map((rest) => [side, ...rest]),
  );
}

/** Mappers that promise 1 hop on a mesh: all of the papers but those that take slots as they come. */
const coordinateMappers: readonly MapperEntry[] = [
  rowMajor,
  columnMajor,
  ordered,
  corner,
  allCorners,
  overlay,
  twoWayOverlay,
  rcb,
  incremental,
];
const structured = [...coordinateMappers, findEntry(mappers, 'auto')!];
const boxes: readonly Shape[] = [[5], [4, 3], [3, 3], [2, 3, 4], [4, 4, 1], [2, 2, 3], [1, 2, 2, 3]];

for (const entry of structured) {
  testContract(`${entry.name} on a mesh-shaped allocation`, ({ on, property }) => {
    for (const sides of boxes) {
      on(sides.join(' x '), () => {
        // `auto` takes a hundred times as long as the others; five has no factor in common with the numbers of orders.
        const every = entry.name === 'auto' && sides.length > 2 ? casesOf(5, 1) : 1;
        for (const machineKind of ['torus', 'mesh']) {
          let order = 0;
          for (const standing of orientationsOf(sides)) {
            const shape = standing.map((side) => side + 2);
            const machine = gridMachine(machineKind, shape);
            const corner = shape.map((__side, axis) => axis % 3);
            const nodes = boxOf(shape, corner, standing, 11);
            property('has 1 hop in every orientation', (look) => {
              for (const grid of orientationsOf(sides)) {
                if (order++ % every !== 0) continue;
                const problem = problemOn(machine, { grid, nodes });
                const hops = [...hopsOfPairs(problem, mapWith(entry, problem).mapping)].join();
                look(hops === '1', () => `${grid.join(' x ')} on ${standing.join(' x ')} of a ${machineKind}: ${hops}`);
              }
            });
          }
        }
      });
    }
  });
}

describe('mappers by coordinates', () => {
  /** A 3 x 2 job on six nodes of a 3 x 3 mesh (Bunde et al. 2014, figures 2 to 7, in small). */
  const scattered = problemOn(gridMachine('mesh', [3, 3]), { grid: [3, 2], nodes: [8, 6, 5, 3, 1, 0] });
  const cases: readonly (readonly [MapperEntry, readonly number[]])[] = [
    // Ranks with x fastest: nodes 0 1 3 5 6 8.
    [rowMajor, [0, 1, 3, 5, 6, 8]],
    // Ranks with y fastest: nodes 0 3 6, 1, 5 8; tasks: 0 3, 1 4, 2 5.
    [columnMajor, [0, 6, 5, 3, 1, 8]],
    // Tasks by distance: 0, 1 3, 2 4, 5; ranks: nodes 0, 1 3, 6, 5, 8.
    [corner, [0, 1, 6, 3, 5, 8]],
    // Tasks 0 3 5 2, 1 4; ranks: nodes 0 6 8 1 (as near to the corner as 5, and lower), 3 5.
    [allCorners, [0, 3, 1, 6, 5, 8]],
    // Tasks 0 3, 1 4, 2 5. Task 4 finds (1, 1) empty and takes node 5; 2 is left with 6 and 8, and 8 is nearer.
    [overlay, [0, 1, 8, 3, 5, 6]],
    // Tasks 0, 5, 3, 2, 1, 4: those from the back lie a row higher, where 2 meets node 5 and 4 goes to 6.
    [twoWayOverlay, [0, 1, 5, 3, 6, 8]],
  ];
  it.each(cases.map(([entry, expected]) => [entry.name, entry, expected] as const))(
    '%s does as the paper in a small case',
    (_, entry, expected) => {
      expect([...mapWith(entry, scattered).mapping]).toEqual(expected);
    },
  );

  it('turn the job only where they may', () => {
    const tall = problemOn(gridMachine('mesh', [2, 4]), { grid: [4, 2] });
    expect([...hopsOfPairs(tall, mapWith(rowMajor, tall).mapping)]).toEqual([1]);
    expect([...mapWith(rowMajor, tall, { options: { rotate: 'no' } }).mapping]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('order ranks of one router by their slot', () => {
    const shared = problemOn(gridMachine('mesh', [2], { hosts: 2, cores: 2 }), { taskCount: 8, nodes: [3, 1, 2, 0] });
    for (const entry of [rowMajor, columnMajor, corner, rcb]) {
      expect([...mapWith(entry, shared).mapping]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    }
  });
});

describe('machines without coordinates', () => {
  const machine = gridMachine('torus', [4, 4]);
  const bare = { ...machine.topology };
  delete (bare as { shape?: Shape }).shape;
  const problem = problemOn({ ...machine, topology: bare }, { grid: [4, 4] });
  it.each(coordinateMappers.map((entry) => [entry.name, entry] as const))('%s says that it needs them', (_, entry) => {
    expect(entry.map(problem, contextFor(entry))).toMatchObject({
      ok: false,
      failure: { code: 'no-coordinates' },
    });
  });
});
