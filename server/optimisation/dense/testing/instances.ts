import { seededRandom, type RandomSource } from '../../../model/random.ts';
import { denseProblemOfMatrices, denseValue, type DenseProblem } from '../denseProblem.ts';

/** Whole numbers from 0 to 20, 0 on the diagonal. */
function randomMatrix(size: number, symmetric: boolean, random: RandomSource): number[] {
  const matrix = Array.from({ length: size * size }, (_, index) => (index % (size + 1) === 0 ? 0 : random.integer(21)));
  if (!symmetric) return matrix;
  return matrix.map((entry, index) => {
    const row = Math.floor(index / size);
    const column = index % size;
    return row <= column ? entry : matrix[column * size + row]!;
  });
}

export function randomMatrices(
  taskCount: number,
  siteCount: number,
  symmetric: { readonly flow: boolean; readonly cost: boolean },
): DenseProblem {
  const random = seededRandom(31 * taskCount + siteCount);
  return denseProblemOfMatrices(
    Float64Array.from(randomMatrix(taskCount, symmetric.flow, random)),
    Int32Array.from(randomMatrix(siteCount, symmetric.cost, random)),
  );
}

/**
 * Neighbours on a grid talk, and the sites are the same grid with Manhattan distances: the optimum is
 * one hop for every pair of neighbours, reached by the grid as it is.
 */
export function gridOnGrid(columns: number, rows: number): { problem: DenseProblem; optimum: number } {
  const size = columns * rows;
  const distance = Int32Array.from({ length: size * size }, (_, index) => {
    const from = Math.floor(index / size);
    const to = index % size;
    const across = Math.abs((from % columns) - (to % columns));
    return across + Math.abs(Math.floor(from / columns) - Math.floor(to / columns));
  });
  const flow = Float64Array.from(distance, (hops) => (hops === 1 ? 1 : 0));
  return {
    problem: denseProblemOfMatrices(flow, distance),
    optimum: flow.reduce((sum, amount) => sum + amount, 0),
  };
}

/** The least value of all assignments, by trying them. */
export function leastOfAll(problem: DenseProblem): number {
  const siteOfTask = new Int32Array(problem.taskCount);
  const room = problem.capacity.slice();
  let least = Infinity;
  const place = (task: number): void => {
    if (task === problem.taskCount) {
      least = Math.min(least, denseValue(problem, siteOfTask));
      return;
    }
    for (let site = 0; site < problem.siteCount; site++) {
      if (room[site] === 0) continue;
      room[site]! -= 1;
      siteOfTask[task] = site;
      place(task + 1);
      room[site]! += 1;
    }
  };
  place(0);
  return least;
}

/** Whether every task has a site and none holds more than it has room for. */
export function fits({ taskCount, capacity }: DenseProblem, siteOfTask: Int32Array): boolean {
  const held = capacity.map((_, site) => siteOfTask.filter((other) => other === site).length);
  return (
    siteOfTask.length === taskCount &&
    held.every((count, site) => count <= capacity[site]!) &&
    held.reduce((sum, count) => sum + count, 0) === taskCount
  );
}
