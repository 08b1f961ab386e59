import type { FabricWarning } from './fabric.ts';

/**
 * Where tasks run, as a file tells it before it is known for which machine: `map given "FILE"` takes the slots of
 * it, `allocate nodes "FILE"` the nodes.
 */
export type GivenFile = GivenSlots | GivenHosts | GivenNodes | GivenCoordinates | GivenResults;

/** What such a file says of one job. */
export type GivenPart = GivenSlots | GivenHosts | GivenNodes | GivenCoordinates | GivenJob;

/** A file of a mapping, and the format that is named after `as`. */
export interface GivenSource {
  readonly uri: string;
  readonly format?: string;
}

/** A file may be named several times with different formats. */
export const keyOfSource = ({ uri, format }: GivenSource): string =>
  format === undefined ? uri : `${uri} as ${format}`;

/** What all of them have. */
interface GivenWarnings {
  /** What the file holds and the reader does not know. */
  readonly warnings?: readonly FabricWarning[];
}

/** Numbers alone: the slot of each task. */
export interface GivenSlots extends GivenWarnings {
  readonly kind: 'slots';
  readonly slots: Int32Array;
}

/** Hosts by name, as launchers and schedulers write them. */
export interface GivenHosts extends GivenWarnings {
  readonly kind: 'hosts';
  /** Each once, in the order in which the file first names them. `+n3` is host 3 of the allocation, from 0. */
  readonly hosts: readonly string[];
  /** Index into `hosts` of each rank. */
  readonly hostOfRank: Int32Array;
  /** The socket of each rank, −1 where the file names none: then `coreOfRank` counts through the node. */
  readonly socketOfRank: Int32Array;
  /** The core of each rank, −1 where the file leaves it open: such ranks take the cores of their host in order. */
  readonly coreOfRank: Int32Array;
  /** The same, and the first core of ranks that have several: the GPU of a rank is the one beside it. */
  readonly firstCoreOfRank: Int32Array;
  /** The last of these cores if they follow one another, else the first: such a rank takes the first free core of them. */
  readonly lastCoreOfRank: Int32Array;
  /** The line, from 1, that names each rank. */
  readonly lineOfRank: Int32Array;
  /** Whether the file says how many ranks a host has room for, not how many there are: then some may be left. */
  readonly isRoom: boolean;
}

/** The node of each rank by a number, its core left open. */
export interface GivenNodes extends GivenWarnings {
  readonly kind: 'nodes';
  /**
   * What `numbers` are: NodeIds; nodes of the job in the order of their host names, from 0; or positions, dealt to those nodes one
   * after the other.
   */
  readonly counted: 'machine' | 'job' | 'positions';
  readonly numbers: Int32Array;
  /** Positions of a node; as many as it has slots where the file does not say. */
  readonly perNode?: number;
}

/** Coordinates of the node of each rank on a torus or mesh, and its core. */
export interface GivenCoordinates extends GivenWarnings {
  readonly kind: 'coordinates';
  /** Coordinates of a node. */
  readonly axes: number;
  /** `axes` + 1 of each rank, the core last. */
  readonly values: Int32Array;
  /** The line, from 1, of each rank. */
  readonly lineOfRank: Int32Array;
}

/** Placements as `run --json` and `export --format json` write them. */
export interface GivenResults extends GivenWarnings {
  readonly kind: 'results';
  readonly placements: readonly GivenPlacement[];
}

export interface GivenPlacement {
  readonly name: string;
  readonly jobs: readonly GivenJob[];
}

export interface GivenJob {
  readonly kind: 'job';
  readonly name: string;
  /** NodeIds in the order in which they were allocated. */
  readonly nodes: Int32Array;
  /** The slot of each task. */
  readonly mapping: Int32Array;
}
