import type { Machine } from '../../model/machine.ts';
import { fail, succeed, type Result } from '../../model/result.ts';

/** Above this many routers a table of distances is refused: it would take more than 128 MiB. */
export const distanceRouterLimit = 4096;

/** Fills a row-major routers × routers table. Fails with `too-many-distances` before it allocates. O(routers²). */
export function routerTable(machine: Machine, distance: (from: number, to: number) => number): Result<Float64Array> {
  const size = machine.topology.routerCount;
  if (size > distanceRouterLimit) {
    return fail(
      'too-many-distances',
      `Machine \`${machine.name}\` has ${size} routers; a table of distances is made for at most ${distanceRouterLimit}.`,
    );
  }
  const table = new Float64Array(size * size);
  for (let from = 0; from < size; from++) {
    for (let to = 0; to < size; to++) table[from * size + to] = distance(from, to);
  }
  return succeed(table);
}
