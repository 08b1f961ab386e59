import { buildSiteCosts } from '../problem/buildSiteCosts.ts';
import { additiveCriterion } from './additive.ts';
import { hostHops, routerHops } from './routerHops.ts';

export const hopBytes = additiveCriterion({
  name: 'hop-bytes',
  summary: 'bytes times the links they travel, those of hosts included',
  source: 'Placewright, as its reports count hop-bytes',
  details: '0 within a node; `distance` where the machine has no links of hosts.',
  options: [],
  siteCosts: (machine, places, { cancellation }) =>
    buildSiteCosts(
      places,
      { criterion: 'hop-bytes', unit: 1, between: hostHops(machine), ...routerHops(machine) },
      cancellation,
    ),
});
