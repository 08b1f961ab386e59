import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { cancelled, fail, type Result } from '../../model/result.ts';
import type { DistanceContext, DistanceModelEntry } from '../contract.ts';
import { hopTable } from './hops.ts';
import { KnownDistances } from './knownDistances.ts';
import { routerTable, tableRefusal } from './routerTable.ts';
import { solveHere } from './equivalentSolver.ts';

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

const here: DistanceContext = { solve: solveHere, cancellation: neverCancelled, progress: ignoreProgress };

function distances(machine: Machine, context: DistanceContext = here): Result<Float64Array> {
  if (machine.routing.singlePath) return hopTable(machine);
  const refusal = tableRefusal(machine);
  if (refusal) return refusal;
  const known = KnownDistances.of(machine);
  if (known === undefined) return noRoutes(machine);
  const size = machine.topology.routerCount;
  for (let from = 0; from < size; from++) for (let to = 0; to < size; to++) known.ask(from, to);
  return known.workOut(context) ? routerTable(machine, (from, to) => known.between(from, to)) : cancelled();
}

const noRoutes = ({ name, routing }: Machine): Result<never> =>
  fail(
    'not-evaluated-yet',
    `Machine \`${name}\`: routing \`${routing.kind}\` does not tell its routes, which equivalent distances are made of.`,
  );
