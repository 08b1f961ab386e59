/**
 * What the editor and the server say to each other about experiments and simulations: what runs, and figures of what came of it.
 * `figurePanel.ts` has what the editor and the panels of these figures say.
 */
import type { Range } from 'vscode-languageserver-types';
import type { SimulationKind } from '../drawing/figures/catalogue.ts';
import type { Figure } from '../drawing/figures/figure.ts';
import type { FormName } from '../model/experiment.ts';

export interface ExperimentSummary {
  readonly name: string;
  readonly range: Range;
}

/** An experiment of a file. */
export interface ExperimentParameters {
  readonly uri: string;
  readonly experiment: string;
}

export interface SimulatedChanged extends ExperimentParameters {
  /** One line: `1,200 of about 5,000 jobs`. */
  readonly words: string;
}

export interface RunExperimentParameters extends ExperimentParameters {
  /** A smaller run than the whole, with results of its own. */
  readonly form?: FormName;
  /** As job arrays of Slurm. */
  readonly slurm?: boolean;
}

export interface ExperimentFigureParameters extends ExperimentParameters {
  readonly choice: FigureChoice;
}

/** Which figure; what is left out is the first metric, point or replication, all of the time, the middle of it. */
export type FigureChoice =
  /** What the experiment found of a metric: curves over what is varied, or bars. */
  | { readonly kind: 'curves'; readonly metric?: string }
  /** Jobs of one replication over the nodes of the machine. */
  | (ReplicationChoice & { readonly kind: 'gantt'; readonly between?: { readonly from: number; readonly to: number } })
  /** The machine at a moment of it. */
  | (ReplicationChoice & { readonly kind: 'moment'; readonly time?: number })
  /** Its queue length and utilisation. */
  | (ReplicationChoice & { readonly kind: 'timeline' });

export interface ReplicationChoice {
  /** Position in {@link ExperimentAbout.points}. */
  readonly point?: number;
  /** Counted from 1. */
  readonly replication?: number;
}

/** What else there is to see of the experiment, and how its results stand. */
export interface ExperimentAbout {
  /** Keys. */
  readonly metrics: readonly string[];
  /** What is simulated, in words: `rbs, arrivals.rate 0.0009`. */
  readonly points: readonly string[];
  /** As many can be looked at one by one, run or not. */
  readonly replications: number;
  readonly results: 'missing' | 'partial' | 'complete';
  /** The results are of an older text, or of older files. */
  readonly stale: boolean;
  /** There are results of a smaller run alone, or they alone are of the text as it is. */
  readonly form?: FormName;
  /** Present where a replication is shown: when it began and ended, in cycles or in seconds. */
  readonly time?: FigureTime;
}

export interface FigureTime {
  readonly begin: number;
  readonly end: number;
  readonly unit: 'cycles' | 'seconds';
  /** Of the machine at a moment: that moment, and the nearest before and behind it at which a job starts or ends. */
  readonly moment?: { readonly at: number; readonly words: string; readonly previous?: number; readonly next?: number };
}

export type ExperimentFigureAnswer = FigureAnswer<ExperimentAbout>;

/** A figure, what else there is to see, and how far it is where it is run or simulated anew. */
export type FigureAnswer<About, Drawn = Figure> = (
  | { readonly kind: 'figure'; readonly version: number; readonly figure: Drawn; readonly about: About }
  | {
      readonly kind: 'nothing';
      /** Why there is nothing to show, as a sentence for the panel. */
      readonly reason: string;
      /** Absent where the experiment or the placement itself is not there, or has errors. */
      readonly about?: About;
    }
) & {
  /** One line. */
  readonly progress?: string;
};

export interface ExperimentChanged extends ExperimentParameters {
  /** One line: `40 of 120 replications, 3 min left`. */
  readonly progress?: string;
}

/** A placement whose text says how it is simulated. */
export interface SimulationParameters {
  readonly uri: string;
  readonly placement: string;
}

export interface SimulationFigureParameters extends SimulationParameters {
  readonly choice: SimulationChoice;
}

export type SimulationChoice =
  /** When tasks ended; how long packets took; traffic and latency over time; how busy links were, or the servers of a cluster. */
  | { readonly kind: Exclude<SimulationKind, 'playback'> }
  /**
   * The picture of the placement at an interval, the busiest one where it is left out. With a channel also who waits for it
   * then, which is simulated once more. With `scene`, the key of the one that the panel has or '', the answer is in parts.
   */
  | { readonly kind: 'playback'; readonly interval?: number; readonly channel?: number; readonly scene?: string };

/** What else there is to see of the simulation. */
export interface SimulationAbout {
  /** Figures that there are. */
  readonly kinds: readonly SimulationKind[];
  readonly intervals: number;
  /** `partial`: not all tasks have ended, and `why`. */
  readonly results: 'missing' | 'partial' | 'complete';
  readonly why?: string;
  /** The text, or a file that it names, has changed since it was simulated; or it says no longer how the placement is simulated. */
  readonly stale?: 'changed' | 'gone';
  /** Of the playback: its interval. */
  readonly moment?: { readonly interval: number; readonly words: string };
  /** Who waits for the channel that was asked about. */
  readonly waits?: { readonly channel: number; readonly title: string; readonly lines: readonly string[] };
}

export type SimulationFigureAnswer = FigureAnswer<SimulationAbout, Figure | EncodedPlayback>;

/** Parts of a playback: see `encoding.ts`. */
export interface EncodedPlayback {
  readonly encoded: 'playback';
  readonly json: string;
}

export interface SimulationChanged extends SimulationParameters {
  /** One line: `1,200,000 cycles, 40 %, 12 s left`. */
  readonly progress?: string;
  readonly fault?: string;
}
