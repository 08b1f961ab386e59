/**
 * Parameters and answers of what the editor and the server say to each other, beyond LSP itself. `calls.ts` has the table of that;
 * `panel.ts` has what the editor and its panel say.
 * Every message is plain JSON; typed arrays travel as base64 (`encoding.ts`), so the same messages pass over stdio,
 * Remote-SSH and a webview's postMessage. There is no private port, ever.
 */
import type { Location, Position, Range } from 'vscode-languageserver-types';
import type { TextThings } from '../drawing/lit.ts';
import type { CommandLine } from '../model/commandLine.ts';
import type { PlacementProgress, PlacementStatus } from '../study/report.ts';
import type { TrafficArrangement, TrafficBlock } from '../study/trafficMatrix.ts';

/** Raised when a message changes its meaning; the panel refuses a scene of another version. */
export const protocolVersion = 6;

export interface PlacementsParameters {
  readonly uri: string;
}
export interface PlacementSummary {
  readonly name: string;
  readonly range: Range;
  /** A report for the current text, for an older text, or none. */
  readonly state: 'fresh' | 'stale' | 'missing';
  /** What is being done about it, beside the report that there is. */
  readonly status: PlacementStatus;
  /** Grows with each new report of this placement: a picture of a smaller number is out of date. 0: no report yet. */
  readonly revision: number;
  /** Why there is no newer report, where an error is to blame. */
  readonly problem?: PlacementProblem;
}

export interface ComparablePlacementsParameters {
  readonly uri: string;
  readonly placement?: string;
}
/** Stands on the same machine as another one, and has a job in common with it. */
export interface ComparablePlacement {
  readonly uri: string;
  readonly name: string;
  readonly machine: string;
  readonly jobs: readonly string[];
  /** What it costs, in one line; '' where that is not known. */
  readonly words: string;
  /** As of {@link PlacementSummary}. */
  readonly state: 'fresh' | 'stale' | 'missing';
}

export interface OverviewAnswer {
  readonly entries: readonly OverviewEntry[];
  /** False where there are more files than are looked at. */
  readonly isComplete: boolean;
}
export interface OverviewEntry {
  readonly kind: 'machine' | 'job' | 'placement' | 'experiment';
  readonly name: string;
  readonly uri: string;
  /** Of the name. */
  readonly range: Range;
  /** What is known of it, in one line; empty where that is nothing. */
  readonly words: string;
  readonly state: 'fresh' | 'stale' | 'unknown' | 'working' | 'failed';
  /** A placement that says `simulate`. */
  readonly isSimulated: boolean;
}

export interface SceneParameters {
  readonly uri: string;
  readonly placement: string;
}
export type SceneAnswer =
  | {
      readonly kind: 'scene';
      readonly version: number;
      /**
       * Of the report that it shows, as in {@link PlacementSummary}: until that grows there is no other picture to ask
       * for.
       */
      readonly revision: number;
      readonly stale: boolean;
      readonly scene: EncodedScene;
      readonly status: PlacementStatus;
      /** Why there is no newer picture, where an error is to blame. */
      readonly problem?: PlacementProblem;
    }
  | {
      readonly kind: 'nothing';
      /** Why there is nothing to show, as a sentence for the panel. */
      readonly reason: string;
      readonly status: PlacementStatus;
      /** The error to blame, where there is one: the sentence says the same, this one says where. */
      readonly problem?: PlacementProblem;
    };

/** What keeps a placement from being worked out, and where it stands in the text, for a button that goes there. */
export interface PlacementProblem {
  readonly message: string;
  /** Absent where it stands in no text: the computation stopped unexpectedly. */
  readonly location?: Location;
}

/** A Scene whose typed arrays are base64 strings; see `encoding.ts`. */
export type EncodedScene = { readonly encoded: 'scene'; readonly json: string };

export interface ReportsChanged {
  readonly uri: string;
  readonly placements: readonly PlacementSummary[];
  /** True while a study is running. */
  readonly running: boolean;
  /** Grows with every study that ended: pictures of a smaller number are out of date. */
  readonly revision: number;
}

export interface ProgressChanged {
  readonly uri: string;
  readonly placement: string;
  readonly progress: PlacementProgress;
  /** The progress as one line: `11.6 GiB hop-bytes, −34 %, 8 s left`. */
  readonly words: string;
}

export interface StudyParameters {
  readonly uri: string;
}
/** Of one placement, or of the whole file. */
export interface PlacementStudyParameters extends StudyParameters {
  readonly placement?: string;
}

export interface ExportParameters {
  readonly uri: string;
  readonly placement: string;
  /** Name in the catalogue of export formats. */
  readonly format: string;
  /** What hosts are called: a pattern or a hostlist. */
  readonly names?: string;
  /** The only job that is exported; all where it is left out. */
  readonly job?: string;
}
export { commandWith, type CommandLine } from '../model/commandLine.ts';
export type ExportAnswer =
  | {
      readonly ok: true;
      readonly text: string;
      readonly suggestedName: string;
      readonly warnings: readonly string[];
      /** How the file is used; none where no launcher reads it. */
      readonly commands: readonly CommandLine[];
      /** All jobs of the placement. */
      readonly jobs: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

export interface FormatSummary {
  readonly name: string;
  readonly summary: string;
  readonly extension: string;
}

export type PictureAnswer =
  { readonly ok: true; readonly svg: string } | { readonly ok: false; readonly message: string };

export interface OriginParameters extends SceneParameters {
  readonly target:
    | { readonly kind: 'node'; readonly node: number }
    | { readonly kind: 'link'; readonly from: number; readonly to: number }
    | { readonly kind: 'placement' };
}
export type OriginAnswer = { readonly uri: string; readonly range: Range } | null;

export interface ThingAtParameters {
  /** Of the pictures. */
  readonly uri: string;
  /** In that file, or in one that it imports. */
  readonly at: { readonly uri: string; readonly position: Position };
}
/** Null: nothing is to be seen of it. */
export type ThingAtAnswer = {
  /** The declaration of that file that the place is part of. */
  readonly placement?: string;
  readonly machine?: string;
  readonly things?: TextThings;
} | null;

/** A word of a text, of which the reference may have an entry. */
export interface ReferenceAtParameters {
  readonly uri: string;
  readonly position: Position;
}
/** Null: it has none. */
export type ReferenceAtAnswer = { readonly page: string; readonly anchor?: string } | null;

export interface ExplainParameters extends SceneParameters {
  readonly target: ExplainTarget | KeptTarget;
}
/** Flows that the picture keeps: between nodes so many hops apart, both ends included, or of a block of the map of traffic. */
export type KeptTarget =
  | { readonly kind: 'hops'; readonly least: number; readonly most: number }
  | ({ readonly kind: 'traffic'; readonly block: TrafficBlock } & TrafficArrangement);
export interface KeptAnswer {
  readonly kind: 'kept';
  readonly pairs: number;
  readonly bytes: number;
  /** Directed links that they use; `share` of the heaviest. */
  readonly links: readonly LinkShare[];
  /** At which they begin and end. */
  readonly nodes: readonly number[];
}
export type ExplainTarget =
  | { readonly kind: 'link'; readonly link: number }
  | { readonly kind: 'node'; readonly node: number }
  /** Two tasks, each with the index of its job in the placement. */
  | { readonly kind: 'tasks'; readonly from: TaskOfJob; readonly to: TaskOfJob };
export interface TaskOfJob {
  readonly job: number;
  readonly task: number;
}
/** A share (0 … 1] of a flow on one directed link. */
export interface LinkShare {
  readonly link: number;
  readonly share: number;
}
export type ExplainAnswer =
  | {
      readonly kind: 'flows';
      readonly link: number;
      readonly load: number;
      /** load / mean of the used links. */
      readonly timesMean: number;
      /** Heaviest first; `share` of the link's load, `route` of the whole flow. */
      readonly flows: readonly ExplainedFlow[];
      /** Ordered pairs that cross the link, shown or not. */
      readonly flowCount: number;
      /** What would relieve the link, a sentence each, best first. */
      readonly improvements: readonly string[];
    }
  | { readonly kind: 'routes'; readonly hops: number; readonly bytes: number; readonly route: readonly LinkShare[] }
  | {
      readonly kind: 'partners';
      /** The nodes that a node exchanges most with; `route`: where that goes, in both directions. */
      readonly partners: readonly ExplainedPartner[];
      /** All of them, shown or not. */
      readonly partnerCount: number;
    }
  | { readonly kind: 'nothing'; readonly reason: string };
export interface ExplainedPartner {
  readonly node: number;
  /** Bytes to it, and from it. */
  readonly sent: number;
  readonly received: number;
  readonly route: readonly LinkShare[];
}
export interface ExplainedFlow {
  readonly job: string;
  readonly from: TaskOfJob;
  readonly to: TaskOfJob;
  readonly bytes: number;
  readonly share: number;
  readonly route: readonly LinkShare[];
}

export interface MachineSummary {
  readonly name: string;
  /** Of its name; in `uri`, which is another file where it is imported. */
  readonly range: Range;
  readonly uri: string;
}

export interface MachineParameters {
  readonly uri: string;
  readonly machine: string;
}
export type MachineAnswer = (
  | {
      readonly kind: 'scene';
      readonly version: number;
      readonly scene: EncodedScene;
    }
  | {
      readonly kind: 'nothing';
      /** Why there is nothing to show, as a sentence for the panel. */
      readonly reason: string;
    }
) & {
  /** What is wrong with the machine. */
  readonly problem?: PlacementProblem;
  /** Of the name in its declaration. */
  readonly declared?: Location;
};

/** A change of a placement that can be looked at before it is written. */
export type PlacementChange =
  /** A row of the table of mappers that are tried. */
  | { readonly kind: 'mapper'; readonly mapper: string }
  /** The improvement of this number of those that the explanation of a link has. */
  | { readonly kind: 'improvement'; readonly link: number; readonly index: number };

export interface ChangeParameters extends SceneParameters {
  readonly change: PlacementChange;
}

export type PreviewAnswer =
  | {
      readonly kind: 'preview';
      readonly version: number;
      readonly scene: EncodedScene;
      /** What is seen: `map rcb`. */
      readonly title: string;
    }
  | { readonly kind: 'nothing'; readonly reason: string };

export type ChangeEditsAnswer =
  | {
      readonly ok: true;
      readonly uri: string;
      readonly edits: readonly ChangeEdit[];
      /** What is written: `map rcb`. */
      readonly title: string;
      /** What is to be known of it. */
      readonly note?: string;
    }
  | { readonly ok: false; readonly message: string };
export interface ChangeEdit {
  readonly range: Range;
  /** What stands there: else the text is another one by now, and nothing is written. */
  readonly before: string;
  readonly text: string;
}

/** client → server, in `initializationOptions`. Other editors may leave it out: then all is trusted. */
export interface InitializationOptions {
  /** Whether the user trusts the workspace; if not, only files inside its folders are read. */
  readonly trusted?: boolean;
  /** Whether the editor has the commands of VS Code, such as the one that asks for suggestions again. */
  readonly editorCommands?: boolean;
  /** Whether the editor has the command that opens the reference, and follows links to it in hovers and codes. */
  readonly reference?: boolean;
}

export type FileQuestion =
  | { readonly kind: 'read'; readonly uri: string; readonly limit: number; readonly unlessStamp?: string }
  | { readonly kind: 'size'; readonly uri: string }
  | { readonly kind: 'folder'; readonly uri: string; readonly most: number }
  | { readonly kind: 'place-files'; readonly folders: readonly string[] };
export interface FileAnswer {
  readonly read:
    | { readonly kind: 'content'; readonly stamp: string; readonly bytes: Uint8Array | undefined }
    | { readonly kind: 'missing' | 'folder' }
    | { readonly kind: 'too-large'; readonly size: number }
    | { readonly kind: 'unreadable'; readonly reason: string };
  readonly size: number | undefined;
  readonly folder: readonly { readonly name: string; readonly isFolder: boolean }[];
  readonly 'place-files': { readonly uris: readonly string[]; readonly isComplete: boolean };
}
