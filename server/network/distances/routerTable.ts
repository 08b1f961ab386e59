import type { Machine } from '../../model/machine.ts';
import { fail, succeed, type Result } from '../../model/result.ts';

/** Above this many routers a table of distances is refused: it would take more than 128 MiB. */
export const distanceRouterLimit = 4096;

/** Fails with `too-many-distances`: 8 bytes for each pair, before anything is allocated; undefined where the table fits. */
export function tableRefusal({ name, topology }: Machine): ReturnType<typeof fail> | undefined {
  const { routerCount } = topology;
  if (routerCount <= distanceRouterLimit) return undefined;
  return fail(
    'too-many-distances',
    `Machine \`${name}\` has ${routerCount} routers; a table of distances, 8 bytes for each pair of them, is made for ` +
      `at most ${distanceRouterLimit}, which takes 128 MiB.`,
  );
}

/** Fills a row-major routers × routers table. Fails with `too-many-distances` before it allocates. O(routers²). */
export function routerTable(machine: Machine, distance: (from: number, to: number) => number): Result<Float64Array> {
  const refusal = tableRefusal(machine);
  if (refusal) return refusal;
  const size = machine.topology.routerCount;
  const table = new Float64Array(size * size);
  for (let from = 0; from < size; from++) {
    for (let to = 0; to < size; to++) table[from * size + to] = distance(from, to);
  }
  return succeed(table);
}
