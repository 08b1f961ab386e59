import type { Machine } from '../../model/machine.ts';
import { fail, type Result } from '../../model/result.ts';
import type { DistanceModelEntry } from '../contract.ts';
import { hopTable } from './hops.ts';

export const equivalent: DistanceModelEntry = {
  name: 'equivalent',
  summary: 'resistance between two routers of the links on their routes',
  source: 'Orduña et al. 2004, section 3',
  details: 'Where there is one route per pair the links are in series, so the equivalent distance is the hops.',
  options: [],
  distances,
};

function distances(machine: Machine): Result<Float64Array> {
  if (machine.routing.singlePath) return hopTable(machine);
  return fail(
    'not-evaluated-yet',
    `Equivalent distances under routing \`${machine.routing.kind}\` are not evaluated by this version yet.`,
  );
}
