/**
 * What goes out of a study: reports and facts, whole or as an outline without their large arrays, and how far a
 * placement is.
 */
import type { SearchProgress } from '../model/cancellation.ts';
import type { StudyProblem } from './program.ts';
import type { Allocation, ReportedJob } from '../model/placement.ts';
import type { LinkEnd, Metrics, PlacementReport } from '../model/report.ts';
import type { SearchRecord } from '../model/searchRecord.ts';
import type { StreamFacts } from '../model/stream.ts';
import type { MachineMeasures } from '../network/facts.ts';

export interface StudySettings {
  /** A link is hot from this many times the mean of the used links. */
  readonly hotLinkFactor: number;
}

export const defaultStudySettings: StudySettings = { hotLinkFactor: 2 };

/** What a study found: placements in the program's order, facts for hovers, and what went wrong. */
export interface StudyReport {
  readonly placements: readonly PlacementReport[];
  readonly machines: readonly MachineFacts[];
  readonly jobs: readonly JobFacts[];
  readonly problems: readonly StudyProblem[];
}

/** What came of one placement. */
export interface PlacementOutcome {
  readonly report?: PlacementReport;
  readonly problems: readonly StudyProblem[];
  /** Nodes of the jobs by position, undefined for those that got none; complete where there is a report. */
  readonly allocations: readonly (Allocation | undefined)[];
  readonly jobCount: number;
  readonly cancelled: boolean;
}

/** Whether the user ended a search of a placement: what it has is the best until then. */
export const wasStopped = ({ jobs }: { readonly jobs: readonly Pick<ReportedJob, 'search'>[] }): boolean =>
  jobs.some(({ search }) => search?.end === 'stopped');

/** What a user asks of a machine before placing anything on it, with what its graph and its files add. */
export interface MachineFacts extends MachineMeasures {
  readonly details?: MachineDetails;
}

/** What a node is made of. */
export interface InsideFacts {
  /** `2 sockets of 16 cores`, `sockets of 24 + 16 cores`. */
  readonly sockets: string;
  /** Where tasks run on GPUs. */
  readonly gpus?: readonly string[];
  /** Hops between two slots of a node, where they count: the least, the mean and the most of pairs that are apart. */
  readonly between?: readonly [number, number, number];
  /** The same from GPUs to the adapters that are next to them. */
  readonly toAdapters?: readonly [number, number, number];
  /** The rail next to each GPU, where nodes have several. */
  readonly railOfGpu?: readonly number[];
}

/** Of a machine's graph and files, what its figures do not say. */
export interface MachineDetails {
  readonly inside: InsideFacts;
  /** Switches on each tier of a tree, the leaves first. */
  readonly tiers?: readonly number[];
  /** Groups of a dragonfly. */
  readonly groups?: number;
  /** Format of the file it was read from. */
  readonly format?: string;
  /** Format of the file of its forwarding tables. */
  readonly tablesFormat?: string;
  /** Of each node, where its file says so. */
  readonly numaNodes?: number;
  /** What the file calls the first of them. */
  readonly names?: { readonly routers: readonly string[]; readonly nodes: readonly string[] };
  /** What it calls its nodes, where it has names of its own for them; those of a large machine are cut. */
  readonly hostNames?: readonly string[];
}

export interface JobFacts {
  readonly name: string;
  readonly tasks: number;
  /** Ordered pairs that communicate. */
  readonly pairs: number;
  readonly bytes: number;
  /** Mean and largest number of partners a task sends to. */
  readonly meanDegree: number;
  readonly maximumDegree: number;
}

/** A StudyReport as plain data: crosses threads, feeds hovers, lenses and diagnostics. */
export interface StudySummary {
  readonly placements: readonly PlacementOutline[];
  readonly machines: readonly MachineFacts[];
  readonly jobs: readonly JobFacts[];
  /** Of streams whose jobs a log has. */
  readonly streams?: readonly StreamFacts[];
  readonly problems: readonly StudyProblem[];
}

export interface PlacementOutline {
  readonly name: string;
  readonly machine: string;
  /** How its packets travel, as the catalogue calls it. */
  readonly routing: string;
  readonly seed: number;
  readonly jobs: readonly PlacedJobOutline[];
  readonly metrics: Metrics;
  /** The heaviest hot links with their flows, at most `outlinedHotLinks`. */
  readonly hotLinks: readonly HotLinkOutline[];
  /** All hot links, outlined or not. */
  readonly hotLinkCount: number;
  readonly notes: readonly string[];
  readonly milliseconds: PlacementReport['milliseconds'];
}

interface PlacedJobOutline {
  readonly name: string;
  readonly tasks: number;
  readonly nodes: number;
  /** How its mapper searched, where it did. */
  readonly search?: SearchRecord;
}

export interface HotLinkOutline {
  readonly from: LinkEnd;
  readonly to: LinkEnd;
  /** What users call the ends: `3`, `leaf-3`, `node 7`. */
  readonly fromName: string;
  readonly toName: string;
  readonly load: number;
  readonly timesMean: number;
  /** How long it works / the same of the link that works longest; absent where links are all as fast. */
  readonly busyShare?: number;
  /** The heaviest flows over it, heaviest first, at most `flowsPerHotLink`; `share` of the link's load. */
  readonly flows: readonly {
    readonly job: string;
    readonly from: number;
    readonly to: number;
    readonly bytes: number;
    readonly share: number;
  }[];
  /** All ordered pairs of tasks that send over it. */
  readonly flowCount: number;
  /** Jobs that send over it, in the order of the placement. */
  readonly jobs: readonly { readonly job: string; readonly bytes: number; readonly share: number }[];
  /** What would relieve it, best first. */
  readonly improvements: readonly SuggestedImprovementOutline[];
}

/** A change of the mapping and what it would do, as shares of what there is: −0.38 for 38 % less. */
export interface SuggestedImprovementOutline {
  /** `swap tasks 12 and 30`, `move task 12 to node 7`. */
  readonly action: string;
  readonly linkChange: number;
  /** Of the heaviest link of the placement. */
  readonly heaviestChange: number;
  readonly hopBytesChange: number;
  /** The slot that each task of it gets; `job` is a position in the placement. */
  readonly moves: readonly { readonly job: number; readonly task: number; readonly slot: number }[];
}

export const outlinedHotLinks = 5;

/** How far the evaluation of one placement is. */
export interface PlacementProgress {
  /** 0 … 1, of this placement alone. */
  readonly share: number;
  /** One short line: what is being done. */
  readonly message: string;
  /** How good the best mapping is by now; absent where nothing is searched, or nothing was found yet. */
  readonly search?: SearchProgress;
  /** Of this placement alone, estimated from the share and the time that it took; absent before there is a share. */
  readonly secondsLeft?: number;
}

/**
 * What is being done about a placement, or why nothing is. It says nothing of the report that there is: a
 * placement that is worked out again still has the one before.
 */
export type PlacementStatus =
  /** Nothing is going on: the report is the answer, or there is none because the text has errors. */
  | { readonly kind: 'idle' }
  /** Will be worked out: others go first. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'working'; readonly progress: PlacementProgress }
  /** The user ended its search: the report is the best until then, after so many milliseconds. */
  | { readonly kind: 'stopped'; readonly milliseconds: number }
  /** The user ended it before there was an answer. */
  | { readonly kind: 'cancelled' }
  /** It could not be worked out: the first error that it depends on, or what stopped the computation. */
  | { readonly kind: 'failed'; readonly message: string };

export const idle: PlacementStatus = { kind: 'idle' };
