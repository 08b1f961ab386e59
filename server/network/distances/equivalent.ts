import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { cancelled, fail, succeed, type Result } from '../../model/result.ts';
import type { DistanceEffort, DistanceModelEntry } from '../contract.ts';
import { hopTable } from './hops.ts';
import { routeCircuitsOf, type RouteCircuits, type WantedDistances } from './routeCircuits.ts';
import { tableRefusal } from './routerTable.ts';
import { solveHere } from './solveDistances.ts';

export const equivalent: DistanceModelEntry = {
  name: 'equivalent',
  summary: 'resistance between two routers of the cables on their shortest routes',
  source: 'Orduña et al. 2004, section 3',
  details:
    'Every cable that lies on a shortest route between the two is a resistor of one ohm, two parallel cables are two, ' +
    'and a cable counts once however many routes share it. The routes are those of the routing, not the shortest ways ' +
    'of the network. Where there is one route per pair the cables are in series, so the equivalent distance is the ' +
    'hops. No value where no route leads.',
  options: [],
  distances,
};

const here: DistanceEffort = { solve: solveHere, cancellation: neverCancelled, progress: ignoreProgress };

function distances(machine: Machine, effort: DistanceEffort = here): Result<Float64Array> {
  if (machine.routing.singlePath) return hopTable(machine);
  const refusal = tableRefusal(machine);
  if (refusal) return refusal;
  const circuits = routeCircuitsOf(machine);
  if (circuits === undefined) return noRoutes(machine);
  const wanted = allPairs(circuits, machine.routing.symmetric);
  const table = effort.solve(circuits, wanted, effort.cancellation, effort.progress);
  if (table === undefined) return cancelled();
  if (machine.routing.symmetric) mirror(table, circuits.routerCount);
  return succeed(table);
}

const noRoutes = ({ name, routing }: Machine): Result<never> =>
  fail(
    'not-evaluated-yet',
    `Machine \`${name}\`: routing \`${routing.kind}\` does not tell its routes, which equivalent distances are made of.`,
  );

/** Every router to the later ones, or to all where the way back may differ; values stand as in a row-major table. */
function allPairs({ routerCount }: RouteCircuits, symmetric: boolean): WantedDistances {
  const all = Int32Array.from({ length: routerCount }, (_, router) => router);
  const firstTarget = symmetric ? all.map((router) => router + 1) : new Int32Array(routerCount);
  return {
    sources: all,
    targets: all,
    firstTarget,
    endTarget: new Int32Array(routerCount).fill(routerCount),
    firstValue: firstTarget.map((first, router) => router * routerCount + first),
    valueCount: routerCount * routerCount,
  };
}

function mirror(table: Float64Array, size: number): void {
  for (let from = 1; from < size; from++) {
    for (let to = 0; to < from; to++) table[from * size + to] = table[to * size + from]!;
  }
}
