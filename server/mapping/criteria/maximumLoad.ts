import type { CriterionEntry } from './contract.ts';
import { linkLoadObjective } from './linkLoadObjective.ts';

export const maximumLoad: CriterionEntry = {
  name: 'maximum-load',
  summary: 'bytes over the link that carries most',
  source: "Placewright: the report's largest link load",
  details:
    'Links are directed and the links of hosts are links; routes are those of the machine, and where a pair has several ' +
    'its bytes are shared as the routing says. An exchange that leaves the heaviest link as heavy as it was is worth ' +
    'nothing, whatever it does to other links. Shares of several routes are rounded to multiples of a power of two ' +
    'between 2^-16 and 2^-30, as fine as exact sums allow. Only this job counts.',
  options: [],
  objective: linkLoadObjective,
};
