import { buildSiteCosts } from '../problem/buildSiteCosts.ts';
import { additiveCriterion } from './additive.ts';
import { routerHops } from './routerHops.ts';

export const distance = additiveCriterion({
  name: 'distance',
  summary: 'bytes times the links between routers',
  source: 'Pascual et al. 2010, equations 3 to 6',
  details: 'Links of hosts are not counted: nodes on one router are 0 apart.',
  options: [],
  siteCosts: (machine, places, { cancellation }) =>
    buildSiteCosts(places, { criterion: 'distance', unit: 1, between: 0, ...routerHops(machine) }, cancellation),
});
