import type { Twist } from '../model/machine.ts';
import type { SlotKind } from '../model/nodeInside.ts';

/**
 * A picture of one placement, independent of what paints it: the webview's canvas and the SVG
 * writer read the same arrays. World coordinates, y downwards, one unit = one grid step.
 */
export interface Scene {
  readonly placement: string;
  readonly machine: string;
  /** Describes the picture for a reader who cannot see it: one or two sentences. */
  readonly description: string;
  readonly bounds: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  /** What belongs together, behind everything else: planes, levels, pods, groups. */
  readonly areas: readonly SceneArea[];
  readonly nodes: SceneNodes;
  /** Sockets of a node; a node of several cores or GPUs shows them where it is large. */
  readonly socketsPerNode: number;
  /** What the slots of a node are, and the socket of each. */
  readonly slots: SlotKind;
  readonly socketOfSlot: Int32Array;
  /** Drawn where nodes hang on routers by links of their own; empty where node and router are one. */
  readonly routers: SceneRouters;
  /** Where nodes that hang on routers have several network adapters: what a file calls those of each number, '' where it gives no name. */
  readonly rails?: readonly string[];
  readonly links: SceneLinks;
  /** Lines are drawn so many times as wide as usual: less than 1 where a dense network would become one blot. */
  readonly lineScale: number;
  readonly jobs: readonly SceneJob[];
  readonly loadLegend: LoadLegend;
  /** By which the picture can be coloured, by its own loads: the first unless another is asked for. Others are there where links are not all as fast. */
  readonly loadScales: readonly LoadScale[];
  /** Seconds that a byte takes on each link, by LinkId, 0 where nobody says; absent where all are as fast, or nobody says of any. */
  readonly secondsPerByte?: Float64Array;
  /** What stands in the squares of nodes. */
  readonly labels: LabelKind;
  /** Sides of the grid; empty for a machine without coordinates. */
  readonly shape: readonly number[];
  /** Of a torus whose wrap-around cables come back elsewhere. */
  readonly twist?: Twist;
  /** How three dimensions are laid into the plane; absent for everything else. */
  readonly projection?: Projection;
  /** Width over height of the room that it is laid out for. */
  readonly proportion: number;
  /** Of a network of groups whose routers stand in a grid: its sides. */
  readonly groupShape?: readonly number[];
  /** Key figures in the order to show: `["Average hops", "1.25"]`. */
  readonly figures: readonly (readonly [string, string])[];
  /** Parallel: the number that each tells; NaN where it is words alone. */
  readonly figureValues: Float64Array;
  /** The first placement of the same jobs, where this is another one: its numbers are parallel to `figures`, NaN where it has none. */
  readonly reference?: { readonly placement: string; readonly values: Float64Array };
  /** How far traffic goes: ordered pairs of tasks and their bytes by hops; absent where that is not known. */
  readonly hops?: { readonly pairs: Float64Array; readonly bytes: Float64Array };
  /** Present where the picture is of what changed: links are painted by their change, and arrows show tasks that moved. */
  readonly difference?: SceneDifference;
  /** Present where squares are blocks of nodes, of which there are too many for a square each. */
  readonly blocks?: SceneBlocks;
  /** Of a machine by itself, on which nothing is placed: `placement` is '' then, and no link carries anything. */
  readonly about?: MachineAbout;
}

/**
 * Squares that are blocks of routers: then numbers of nodes and routers in the scene, and its `shape`, are those of blocks, squares list
 * no tasks, and of the links from one block to another the busiest one alone is drawn, by its LinkId in the machine. `shape` is empty
 * where they stand in no grid.
 */
export interface SceneBlocks {
  /** What is summed up, a sentence each. */
  readonly notes: readonly string[];
  /** Sides of the machine, and of a block; empty where routers have no coordinates. */
  readonly shape: readonly number[];
  readonly sides: readonly number[];
  /** Parallel to `nodes`: switches of the block; absent where a router is its nodes. */
  readonly switches?: Int32Array;
  /** Parallel: nodes of the block, those that run tasks, and the tasks. */
  readonly nodes: Int32Array;
  readonly used: Int32Array;
  readonly tasks: Int32Array;
  /** Parallel: bytes of a directed link within the block on average, and of the most loaded; 0 where it has none. */
  readonly meanLoad: Float64Array;
  readonly largestLoad: Float64Array;
}

/** What a picture of a machine by itself shows in the place of jobs and loads. */
export interface MachineAbout {
  /** `torus 8 x 8, dimension-order routing`. */
  readonly kind: string;
  /** How many routers have how many cables to others, by ascending degree. */
  readonly degrees: readonly { readonly degree: number; readonly routers: number }[];
  /** What the degrees are of. */
  readonly degreeWord: 'node' | 'switch';
  /** Kinds of cables, in the order of the legend. */
  readonly linkClasses: readonly LinkClass[];
  /** Index into `linkClasses` by LinkId. */
  readonly classOf: Uint8Array;
  /** By RouterId: cables to other routers. */
  readonly degreeOf: Int32Array;
  /** By RouterId: ports without a cable, −1 where that is not known; empty where it is of none. */
  readonly sparePorts: Int32Array;
  /** What there is to be said of the figures, a sentence each. */
  readonly notes: readonly string[];
}

/** Cables that are alike. */
export interface LinkClass {
  /** `along x`, `tier 0 – tier 1`, `within groups`, `of hosts`. */
  readonly name: string;
  readonly cables: number;
  /** `10 GB/s, 1 µs`; '' where the machine says neither. */
  readonly words: string;
  /** `#rrggbb`. */
  readonly color: string;
}

export type LabelKind = 'task' | 'node' | 'host' | 'coordinates';

/** Planes side by side, or all of them in oblique axonometry. */
export type Projection = 'slices' | 'axonometric';

/** A quiet patch behind routers that belong together. */
export interface SceneArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** An ellipse rather than a rectangle. */
  readonly round: boolean;
  /** Stands in its upper left corner, of a round one above it; '' for none. */
  readonly label: string;
  /** Of a round one: the middle of its name, outside. */
  readonly labelAt?: { readonly x: number; readonly y: number };
  /** Height that is kept free for it inside; absent: it has a line of its own, or stands in front of cables. */
  readonly labelRoom?: number;
}

/** Structure of arrays, one entry per compute node, painted in this order (far ones first). */
export interface SceneNodes {
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Half the side of the square, world units. */
  readonly size: Float32Array;
  /** NodeId. */
  readonly id: Int32Array;
  /** Index into Scene.jobs of the job with most tasks here; −1 where the node runs none. */
  readonly job: Int16Array;
  /** Tasks on the node in compressed sparse rows: tasks of entry k are taskStart[k] … taskStart[k+1] − 1. */
  readonly taskStart: Int32Array;
  /** Parallel: TaskId and job index of each task. */
  readonly task: Int32Array;
  readonly taskJob: Int16Array;
  /** Parallel: the core of the node that it runs on, 0 … cores − 1, sockets one after the other. */
  readonly taskCore: Int32Array;
  /** Parallel to `id`: bytes that the tasks of the node send to other nodes, and receive from them. */
  readonly sent: Float64Array;
  readonly received: Float64Array;
  /** Index into Scene.routers of the router that each node hangs on; empty where node and router are one. */
  readonly router: Int32Array;
  /** Nodes in the place of each router, numbered one after the other; 0 where routers are drawn apart. */
  readonly perRouter: number;
  /** Coordinates of the node's router, row after row, `coordinateCount` each (0: none). */
  readonly coordinates: Int32Array;
  readonly coordinateCount: number;
  /** What the fabric's file calls each node, parallel to `id`; empty where they have no names. */
  readonly names: readonly string[];
  /** Entries of nodes that do not work, which are crossed out; absent where all do. */
  readonly broken?: Int32Array;
}

/** Routers or switches that are drawn apart from their nodes, one entry each. */
export interface SceneRouters {
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Half the side of the square, world units. */
  readonly size: Float32Array;
  /** RouterId. */
  readonly id: Int32Array;
  /** What the fabric's file calls each, parallel to `id`; empty where they have no names. */
  readonly names: readonly string[];
  /** 1: a frame with its nodes inside; 0: a disc. */
  readonly framed: Uint8Array;
  /** Level below the root, tier above the leaves, or number of the group; empty where there is none. */
  readonly rank: Int32Array;
  readonly rankWord: '' | 'level' | 'tier' | 'group';
  /** 1 at the roots of up/down routing, parallel to `id`; empty where there are none. */
  readonly isRoot: Uint8Array;
}

/**
 * One entry per drawn cable (both directions together) or stub. A cable that is not drawn as a
 * line from router to router gives two consecutive entries with the same ends and loads: the
 * stub at `from`, then the stub at `to`. Whoever lists or counts cables skips the second.
 */
export interface SceneLinks {
  readonly x1: Float32Array;
  readonly y1: Float32Array;
  readonly x2: Float32Array;
  readonly y2: Float32Array;
  /** How far the middle of a bow lies to the right of the straight line from → to; 0 for a straight line. */
  readonly bend: Float32Array;
  /** Routers at its ends; of a host link (`hostFlag`) `from` is the NodeId and `to` the router. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** LinkId in the direction from → to, and to → from. */
  readonly forwardLink: Int32Array;
  readonly backwardLink: Int32Array;
  /** Bytes in the direction from → to, and to → from. */
  readonly forward: Float64Array;
  readonly backward: Float64Array;
  /** Bits: `stubFlag`, `stubAtToFlag`, `hotFlag`, `hostFlag`, `upFlag`, `tickFlag`. */
  readonly flags: Uint8Array;
  /** Of host links the number of the adapter, −1 of cables; absent where nodes have one adapter alone. */
  readonly rail?: Int16Array;
}

/** A stub of a link that is not drawn as a line between its ends, once at either end, with an arrow and the name of the other. */
export const stubFlag = 1;
/** Of the two stubs of a cable the one at `to`. */
export const stubAtToFlag = 16;
/** Hot in some direction. */
export const hotFlag = 2;
/** A link between a node and its router. */
export const hostFlag = 4;
/** A host link of a node inside the frame of its router: a tick on top of the node, wherever it leads. */
export const tickFlag = 32;
/** Under up/down routing: from → to goes up; drawn with an arrow head. */
export const upFlag = 8;

export interface SceneJob {
  readonly name: string;
  readonly taskCount: number;
  /** Cores of each task, from its slot on; present where there are several. */
  readonly coresPerTask?: number;
  /** `#rrggbb`; distinguishable without colour vision, good on light and dark. */
  readonly color: string;
}

/** What loads of links are compared by: bytes, or how long they are busy with them, which is what they take of their capacity. */
export type LoadMeasure = 'bytes' | 'capacity';

/**
 * What loads are compared with when they become colours, anchored at what users compare with: up to the mean of the
 * used links they are cool and pale, up to where a link is hot they turn, and only hot links are warm. See `loadScale.ts`.
 */
export interface LoadScale {
  /** In bytes or in seconds stand the amounts below. */
  readonly measure: LoadMeasure;

  /** Between two anchors equal steps of load, or equal factors. */
  readonly kind: 'linear' | 'logarithmic';
  readonly mean: number;
  /** From here on links are hot; in bytes, where links are not all as fast, as many times their mean, which makes none hot. */
  readonly hotFrom: number;
  /** Of this load and more the last colour is; 0 where no link carries anything. */
  readonly maximum: number;
}

/** The colours of links, and the scale that they stand for. */
export interface LoadLegend {
  /** Of the heaviest directed link of this picture, in the measure of the scale but whatever its end. */
  readonly maximum: number;
  readonly scale: LoadScale;
  readonly colors: readonly string[];
  /** The same scale for dark backgrounds: there heavy links are the light ones. */
  readonly colorsOnDark: readonly string[];
  /** Ready-made labels, low to high, each at its share of the scale. */
  readonly marks: readonly { readonly share: number; readonly label: string }[];
}

/** What changed from another placement on the same machine to the one of the scene; `difference.ts` makes it. */
export interface SceneDifference {
  /** The placement that stood there before. */
  readonly before: string;
  /** Parallel to `Scene.links`: bytes before, in the direction from → to, and to → from. */
  readonly forward: Float64Array;
  readonly backward: Float64Array;
  /** Directed links that carry less than before, and more. */
  readonly cooled: number;
  readonly heated: number;
  /** Tasks of the jobs that both placements have. */
  readonly taskCount: number;
  readonly moves: SceneMoves;
  readonly arrows: SceneArrows;
  readonly scale: ChangeScale;
  readonly figures: readonly FigureChange[];
  /** Present where squares are blocks, of which single moves are not known: tasks of each before, and blocks that have more or fewer now. */
  readonly blocks?: { readonly tasks: Int32Array; readonly changed: number };
  /** What cannot be compared, a sentence each. */
  readonly notes: readonly string[];
}

/** Tasks that run on another node than before, job by job. */
export interface SceneMoves {
  /** Index into Scene.jobs. */
  readonly job: Int16Array;
  readonly task: Int32Array;
  /** Entries of Scene.nodes. */
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** Moves from one node to another together are one arrow. */
export interface SceneArrows {
  /** Entries of Scene.nodes. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Tasks that move so. */
  readonly tasks: Int32Array;
}

/** Colours of changes, from the largest decrease to the largest increase; the middle one is for no change. */
export interface ChangeScale {
  readonly measure: LoadMeasure;
  /** Bytes of a directed link, or seconds; each step up to this one is twice as wide as the one before. */
  readonly largest: number;
  readonly colors: readonly string[];
  readonly colorsOnDark: readonly string[];
}

/** A figure of both placements, ready to print; `change` is '' where there is none in per cent. */
export interface FigureChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly change: string;
}
