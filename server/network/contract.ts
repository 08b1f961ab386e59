import type { ArgumentValue, CatalogueEntry, OptionValues } from '../model/catalogue.ts';
import type { Machine, MachineFigures, Routing, Topology } from '../model/machine.ts';
import type { Result } from '../model/result.ts';

/** An undirected cable of an irregular network, as declared: `link 0 -- 2`. */
export interface Cable {
  readonly from: number;
  readonly to: number;
}

/** How large a topology would be: plain numbers, exact or rounded above 2^53, known without building it. */
export interface TopologySize {
  readonly routers: number;
  /** Directed links between routers. */
  readonly links: number;
}

/** A topology of the catalogue. `build` never allocates before it has compared sizes with the limits. */
export interface TopologyEntry extends CatalogueEntry {
  /** Absent where `announced`. */
  readonly build?: (
    argument: ArgumentValue | undefined,
    options: OptionValues,
    cables: readonly Cable[],
  ) => Result<Topology>;
  /** The size that `build` would give; in constant time, so that absurd machines are refused at once. */
  readonly measure?: (
    argument: ArgumentValue | undefined,
    options: OptionValues,
    cables: readonly Cable[],
  ) => TopologySize;
  /** Name of the routing used where the machine names none. */
  readonly defaultRouting: string;
  /** Properties of `machine` that only some topologies take: `link` only with `switches`. */
  readonly takesCables: boolean;
}

export interface RoutingEntry extends CatalogueEntry {
  /** Absent where `announced`. Fails where it cannot route the topology. */
  readonly build?: (topology: Topology, options: OptionValues) => Result<Routing>;
}

/** A way to say how far apart two routers are: a cost matrix that mappers minimise. */
export interface DistanceModelEntry extends CatalogueEntry {
  /** Row-major routers × routers. Fails with `too-many-distances`, or `not-evaluated-yet` where routes are many. */
  readonly distances?: (machine: Machine) => Result<Float64Array>;
}

/** Everything a machine declaration says, checked; `network/machine.ts` builds a Machine of it. */
export interface MachineDescription {
  readonly name: string;
  readonly topology: { readonly name: string; readonly argument?: ArgumentValue; readonly options: OptionValues };
  readonly routing?: { readonly name: string; readonly options: OptionValues };
  readonly cables: readonly Cable[];
  readonly hostsPerRouter: number;
  readonly socketsPerNode: number;
  readonly coresPerSocket: number;
  readonly figures: MachineFigures;
}
