/**
 * What a distance model of the catalogue says, and what equivalent distances are worked out from. Everything here is
 * plain data or a function, so that solvers, threads and models know one another by this file alone.
 */
import type { Cancellation, ReportProgress } from '../../model/cancellation.ts';
import type { CatalogueEntry } from '../../model/catalogue.ts';
import type { Machine, RouteGraph } from '../../model/machine.ts';
import type { Result } from '../../model/result.ts';
import type { Shape } from '../../model/shape.ts';

/**
 * A way to say how far apart two routers are. The table of distances, `placewright distances` and the criterion of
 * searches that sums bytes times distances are all made of `between`.
 */
export interface DistanceModelEntry extends CatalogueEntry {
  /**
   * The distances between `routers`, which may repeat. Fails with what the model needs and the machine lacks
   * (`no-coordinates`), with `too-many-distances` and with `cancelled`.
   */
  readonly between: (machine: Machine, routers: Int32Array, context: DistanceContext) => Result<RouterDistances>;
  /** The criterion of searches: what of it is not as the model is. */
  readonly criterion: {
    /** The word after `criterion`, where it is not the name of the model. */
    readonly name?: string;
    readonly summary: string;
    readonly source?: string;
    readonly details: string;
    /** Whether the links of hosts are added, where the machine has some. */
    readonly countsHostLinks: boolean;
  };
}

export type RouterDistances =
  | { readonly grid: GridMetric }
  | {
      /** Symmetric; NaN where no route leads. */
      readonly cost: (from: number, to: number) => number;
      /** Whether all are whole numbers. */
      readonly isWhole: boolean;
    };

/** A distance between routers of a grid that depends on how far apart they are along each axis. */
export interface GridMetric {
  readonly shape: Shape;
  readonly wraps: readonly boolean[];
  /** Whole cost of two routers so many links apart along each axis. */
  readonly cost: (distances: Int32Array) => number;
  /** It is the sum of the distances. */
  readonly isSum: boolean;
}

/** How long distances are worked out. */
export interface DistanceContext {
  readonly solve: SolveDistances;
  readonly cancellation: Cancellation;
  readonly progress: ReportProgress;
  /** Equivalent distances of a machine that were worked out before; fresh ones where it is left out. */
  readonly equivalentDistances?: (machine: Machine) => KeptDistances | undefined;
}

/** Distances that are worked out when they are asked for and kept; see `KnownDistances`. */
export interface KeptDistances {
  /** Marks a distance as needed; false where it would be one too many. */
  ask(from: number, to: number): boolean;
  /** Works out all that was asked for; false if cancelled. */
  workOut(context: DistanceContext): boolean;
  /** A distance that has been worked out; NaN where no route leads. */
  between(from: number, to: number): number;
}

/**
 * Works out the equivalent distances that are wanted: `valueCount` values, NaN where no route leads.
 * Undefined if cancelled. The entrypoints have one that spreads the sources over threads; each
 * source is worked out by itself, so the bytes are the same whoever does it.
 */
export type SolveDistances = (
  circuits: RouteCircuits,
  wanted: WantedDistances,
  cancellation: Cancellation,
  progress: ReportProgress,
) => Float64Array | undefined;

/** What the circuits of all pairs of routers are cut out of. Plain arrays: it crosses threads as it is. */
export interface RouteCircuits {
  readonly routerCount: number;
  readonly graph: RouteGraph;
  /** Cable that each step of the graph takes, below `cableLimit`; a link and the one back are one cable. */
  readonly stepCable: Int32Array;
  readonly cableLimit: number;
}

/** Distances that are asked for, source after source. Plain arrays as well. */
export interface WantedDistances {
  /** RouterIds. */
  readonly sources: Int32Array;
  /** Targets of source s are `targets[firstTarget[s]] … targets[endTarget[s] − 1]`, RouterIds. */
  readonly targets: Int32Array;
  readonly firstTarget: Int32Array;
  readonly endTarget: Int32Array;
  /** Where the value of the first target of source s goes; those of its other targets follow. */
  readonly firstValue: Int32Array;
  /** Length of the array that takes the values. */
  readonly valueCount: number;
}
