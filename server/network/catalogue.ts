import type { RoutingEntry, TopologyEntry } from './contract.ts';
import type { DistanceModelEntry } from './distances/contract.ts';
import { equivalent } from './distances/equivalent.ts';
import { hops } from './distances/hops.ts';
import { evenHops, trafficDistribution } from './distances/trafficDistribution.ts';
import { dfsssp } from './routings/dfsssp.ts';
import { dimensionOrder } from './routings/dimensionOrder.ts';
import { ecmp } from './routings/ecmp.ts';
import { fatTreeShift } from './routings/fatTreeShift.ts';
import { fromTables } from './routings/fromTables.ts';
import { minimal } from './routings/minimal.ts';
import { staticRouting } from './routings/static.ts';
import { ugal } from './routings/ugal.ts';
import { upDown } from './routings/upDown.ts';
import { valiant } from './routings/valiant.ts';
import { cluster, switches } from './topologies/switches.ts';
import { dragonfly } from './topologies/dragonfly.ts';
import { dragonflyPlus } from './topologies/dragonflyPlus.ts';
import { fatTree } from './topologies/fatTree.ts';
import { fromFile } from './topologies/from.ts';
import { hypercube, mesh, torus } from './topologies/grids.ts';
import { hyperx } from './topologies/hyperx.ts';
import { irregular } from './topologies/irregular.ts';

/** Every topology, routing and distance model there is; a new one is a file and a line here. */
export const topologies: readonly TopologyEntry[] = [
  torus,
  mesh,
  hypercube,
  switches,
  irregular,
  fatTree,
  dragonfly,
  dragonflyPlus,
  hyperx,
  cluster,
  fromFile,
];

export const routings: readonly RoutingEntry[] = [
  dimensionOrder,
  upDown,
  minimal,
  staticRouting,
  ecmp,
  dfsssp,
  fatTreeShift,
  valiant,
  ugal,
  fromTables,
];

export const distanceModels: readonly DistanceModelEntry[] = [hops, trafficDistribution, evenHops, equivalent];

/** How tasks may use the rails of their nodes. */
export { railUses } from './rails.ts';
