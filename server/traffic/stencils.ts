import type { StencilEntry, StencilOffset } from './contract.ts';

/** Tasks one step away on each axis, both ways. */
function axisNeighbours(dimensions: number): StencilOffset[] {
  const offsets: StencilOffset[] = [];
  for (let axis = 0; axis < dimensions; axis++) {
    for (const step of [-1, 1]) {
      offsets.push({
        offset: Array.from({ length: dimensions }, (_, other) => (other === axis ? step : 0)),
        weight: 1,
      });
    }
  }
  return offsets;
}

/** All tasks of the cube of side 3 around a task, but the task itself. */
function cubeNeighbours(dimensions: number): StencilOffset[] {
  const cube = Array.from({ length: 3 ** dimensions }, (_, index) =>
    Array.from({ length: dimensions }, (_, axis) => (Math.floor(index / 3 ** axis) % 3) - 1),
  );
  return cube.filter((offset) => offset.some((step) => step !== 0)).map((offset) => ({ offset, weight: 1 }));
}

function entry(name: string, dimensions: number, offsets: readonly StencilOffset[], summary: string): StencilEntry {
  return {
    name,
    summary,
    source: 'Placewright; as in Bunde et al. 2014, section 1',
    details:
      `For grids of ${dimensions} ${dimensions === 1 ? 'dimension' : 'dimensions'}. Every task sends to the ` +
      `${offsets.length} tasks at these offsets; the border of the grid cuts them off unless the job is \`periodic\`. ` +
      'On a periodic side of 2 both directions reach the same task and their bytes add up.',
    options: [],
    stencil: { name, dimensions, offsets },
  };
}

/** The points of the name count the task itself: a five-point stencil has four partners. */
export const stencils: readonly StencilEntry[] = [
  entry('three-point', 1, axisNeighbours(1), 'two neighbours on a line'),
  entry('five-point', 2, axisNeighbours(2), 'four neighbours on a plane'),
  entry('seven-point', 3, axisNeighbours(3), 'six neighbours in space'),
  entry('nine-point', 2, cubeNeighbours(2), 'eight neighbours on a plane, diagonals included'),
  entry('twenty-seven-point', 3, cubeNeighbours(3), 'twenty-six neighbours in space, diagonals included'),
];
