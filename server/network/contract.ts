import type { ArgumentValue, CatalogueEntry, OptionValues } from '../model/catalogue.ts';
import type { MachineFigures, Routing, Topology } from '../model/machine.ts';
import type { Result } from '../model/result.ts';

/** An undirected cable of an irregular network, as declared: `link 0 -- 2`. */
export interface Cable {
  readonly from: number;
  readonly to: number;
}

/** A topology of the catalogue. `build` never allocates before it has compared sizes with the limits. */
export interface TopologyEntry extends CatalogueEntry {
  /** Absent where `announced`. */
  readonly build?: (argument: ArgumentValue | undefined, options: OptionValues, cables: readonly Cable[]) => Result<Topology>;
  /** Name of the routing used where the machine names none. */
  readonly defaultRouting: string;
  /** Properties of `machine` that only some topologies take: `link` only with `switches`. */
  readonly takesCables: boolean;
}

export interface RoutingEntry extends CatalogueEntry {
  /** Absent where `announced`. Fails where it cannot route the topology. */
  readonly build?: (topology: Topology, options: OptionValues) => Result<Routing>;
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
