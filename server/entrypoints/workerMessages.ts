/**
 * The table of what the thread of the connection asks other threads: for each kind of order its parameters, its answer, and news
 * that come before the answer. Plain data that structured clone carries. Reports with their typed arrays go from the computing
 * thread to the reading one (`worker/reportChannel.ts`), which writes pictures and exports of them.
 */
import type { CheckedProgram } from '../language/check.ts';
import type { ExperimentStanding, SimulatedFact } from '../language/service/input.ts';
import type { SearchProgress } from '../model/cancellation.ts';
import type { Choice } from '../model/catalogue.ts';
import type { FormName } from '../model/experiment.ts';
import type { Failure } from '../model/result.ts';
import type { StreamFacts } from '../model/stream.ts';
import type { CableLossTable } from '../protocol/cableLosses.ts';
import type { AnswerTo, ForwardedName, ParametersOf, requests } from '../protocol/calls.ts';
import type {
  ExperimentFigureAnswer,
  ExperimentFigureParameters,
  SimulationChoice,
  SimulationFigureAnswer,
} from '../protocol/figures.ts';
import type { EncodedScene, ExportAnswer, ExportParameters, SceneParameters } from '../protocol/messages.ts';
import type { TrafficAnswer, TrafficQuestion } from '../protocol/trafficPanel.ts';
import type { MachineDescription } from '../network/contract.ts';
import type { Comparison, CompareRequest } from '../study/compare.ts';
import type { StudyProblem } from '../study/program.ts';
import type {
  JobFacts,
  MachineFacts,
  PlacementOutline,
  PlacementProgress,
  StudySettings,
  SuggestedImprovementOutline,
} from '../study/report.ts';
import type { PlacedBefore } from '../study/run.ts';
import type { StudyInput } from './evaluation.ts';
import type { Port } from './platform.ts';
import type { SlurmProgram } from './experiments/slurm.ts';
import type { TrafficDeclaration } from './traffic.ts';

interface Call<Parameters, Answer, News = never> {
  readonly parameters: Parameters;
  readonly answer: Answer;
  readonly news: News;
}

/** Requests of the editor that go to a thread as they are. */
type ForwardedCalls = {
  readonly [Name in ForwardedName]: Call<ParametersOf<Name> & Cancellable & Forwarded<Name>, AnswerTo<Name>>;
};
type Forwarded<Name extends ForwardedName> = (typeof requests)[Name]['thread'] extends 'separate' ? Reading : unknown;

/** An order that its thread looks after while it works. */
interface Cancellable {
  /** Of a `CancelCell`. Shared, so that a busy thread sees it. */
  readonly cancelFlag: ArrayBufferLike;
}

/** An order whose thread reads files. */
interface Reading {
  readonly policy: ReadPolicyMessage;
}

/** An order that needs what was checked by the thread of the connection. */
interface Checked<Part extends keyof CheckedProgram> extends Reading {
  readonly checked: Pick<CheckedProgram, Part>;
}

interface ThreadCalls extends ForwardedCalls {
  /** Evaluates the placements of a program that was read and checked by the thread of the connection. */
  readonly study: Call<StudyParameters, StudyAnswer, StudyNews>;
  /** From now on reports go to another reading thread: it has none yet. */
  readonly reader: Call<{ readonly port: Port }, null>;
  /** From now on reports come from another computing thread; those that there are stay until it sends newer ones. */
  readonly source: Call<{ readonly port: Port }, null>;
  /** The picture of a placement; `first`: the placement that its figures are compared with. */
  readonly scene: Call<SceneParameters & { readonly first?: string }, SceneOutcome>;
  readonly export: Call<ExportParameters, ExportAnswer>;
  /** The map of traffic of a placement. */
  readonly traffic: Call<SceneParameters & Cancellable & { readonly question: TrafficQuestion }, TrafficAnswer>;
  /** The same of a job or a table that is placed nowhere. */
  readonly 'job-traffic': Call<JobTrafficParameters, TrafficAnswer>;
  /** The picture of a machine. */
  readonly machine: Call<MachineParameters, SceneOutcome>;
  /** What is known of the experiments of a program without running them. */
  readonly 'describe-experiments': Call<ExperimentsParameters, readonly ExperimentDescribed[]>;
  /**
   * Runs an experiment, or continues it, and keeps the result beside the file. Answers what kept it from that; null where nothing
   * did.
   */
  readonly 'run-experiment': Call<RunExperimentParameters, Failure | null, ExperimentNews>;
  /** A chart of an experiment. */
  readonly 'experiment-figure': Call<
    ExperimentsParameters & ExperimentFigureParameters,
    ExperimentFigureAnswer,
    ExperimentNews
  >;
  /** Sends the report of a placement to another thread; answers whether there is one. */
  readonly 'open-report-channel': Call<ReportParameters, boolean>;
  /** Simulates a placement whose report comes through the port. */
  readonly simulate: Call<SimulateParameters, SimulationOutcome, ExperimentNews>;
  /** A chart of what the thread has simulated last. */
  readonly 'simulation-figure': Call<Cancellable & { readonly choice: SimulationChoice }, SimulationFigureAnswer>;
  /** Tries mappers on a placement. Its report comes through the port, where it is known. Answers without nodes and mappings. */
  readonly 'compare-mappers': Call<CompareMappersParameters, Comparison, CompareMappersNews>;
  /** The picture of a placement as a comparison had placed it. */
  readonly preview: Call<PreviewParameters, SceneOutcome>;
  /** One of the improvements that the explanation of a link has; null where there is no such improvement any more. */
  readonly improved: Call<SceneParameters & { readonly link: number; readonly index: number }, Improved | null>;
  /** Whether another seed changes neither nodes nor traffic of a placement. */
  readonly 'check-seed': Call<
    Checked<'program' | 'fileUris'> & { readonly placement: string; readonly seed: number },
    boolean
  >;
  /** Takes out each cable of the machine of a placement whose report comes through the port. News: the share, 0 … 1. */
  readonly 'cable-losses': Call<ReportParameters, CableLossesOutcome, number>;
  /** The document was closed: all that is kept of it may go. */
  readonly forget: Call<{ readonly uri: string }, null>;
}

export type OrderKind = keyof ThreadCalls;
export type Order<Kind extends OrderKind> = ThreadCalls[Kind]['parameters'] & { readonly kind: Kind };
export type AnswerOf<Kind extends OrderKind> = ThreadCalls[Kind]['answer'];
export type NewsOf<Kind extends OrderKind> = ThreadCalls[Kind]['news'];

/** How a thread answers its orders. */
export type OrderAnswers = {
  readonly [Kind in OrderKind]: (
    order: Order<Kind>,
    tell: (news: NewsOf<Kind>) => void,
  ) => AnswerOf<Kind> | Promise<AnswerOf<Kind>>;
};

export interface NumberedOrder {
  readonly id: number;
  readonly order: { readonly [Kind in OrderKind]: Order<Kind> }[OrderKind];
}

export type WorkerMessage =
  | { readonly kind: 'news'; readonly id: number; readonly news: NewsOf<OrderKind> }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: AnswerOf<OrderKind> }
  /** A fault of ours: the order failed with an exception, the worker lives on. */
  | { readonly kind: 'fault'; readonly id: number; readonly message: string };

/** What may be read, as plain data; the worker makes a `ReadPolicy` of it. */
export interface ReadPolicyMessage {
  /** Texts of documents open in the editor, by URI: they stand in for the files. */
  readonly openTexts: ReadonlyMap<string, string>;
  /** Absent: anything the user may read. Else only what lies below these folders. */
  readonly allowedRoots?: readonly string[];
}

interface StudyParameters extends StudyInput, Cancellable {
  /** The `.place` document that the program is of. */
  readonly uri: string;
  /** Names of all placements of its texts, those with errors included: reports of others are dropped. */
  readonly declared: ReadonlySet<string>;
  /** Placements whose searches the user ended and wants to go on. */
  readonly again: ReadonlySet<string>;
  /** Where files of the program may lie; anywhere where it is left out. */
  readonly allowedRoots?: readonly string[];
  readonly settings: StudySettings;
}

interface JobTrafficParameters extends Reading, Cancellable {
  readonly declaration: TrafficDeclaration;
  readonly question: TrafficQuestion;
}

interface MachineParameters extends Reading, Cancellable {
  readonly uri: string;
  readonly description: MachineDescription;
}

interface ExperimentsParameters extends Checked<'program' | 'experiments'>, Cancellable {
  /** The `.place` document, beside which results are kept. */
  readonly uri: string;
}

interface RunExperimentParameters extends ExperimentsParameters {
  readonly experiment: string;
  /** A smaller run than the whole. */
  readonly form: FormName | undefined;
  /** Where job arrays of Slurm do it: the program that their elements run. */
  readonly slurm?: SlurmProgram;
}

interface ReportParameters extends SceneParameters {
  readonly description: MachineDescription;
  readonly port: Port;
}

interface SimulateParameters extends SceneParameters, Checked<'program' | 'experiments' | 'fileUris'> {
  readonly port: Port;
  /** `quick`: only where it is expected to take less than a second. `kept`: not at all, what is kept beside the file is read. */
  readonly mode: SimulationMode;
  /** Where it is kept; nowhere where that is left out. */
  readonly keptAt?: string;
}

export type SimulationMode = 'asked' | 'quick' | 'kept';

/** What came of a simulation, in words. */
export interface SimulationWords {
  /** One line. */
  readonly words: string;
  readonly notices: readonly string[];
  readonly facts: readonly SimulatedFact[];
}

/**
 * Without a message there is nothing: it would take too long, or nothing was kept. `stale`: what was kept is of something else;
 * `damaged`: it is not as it was written.
 */
export type SimulationOutcome =
  | (SimulationWords & { readonly ok: true; readonly stale: boolean })
  | { readonly ok: false; readonly message?: string; readonly damaged?: true };

interface CompareMappersParameters extends Checked<'program' | 'fileUris'> {
  readonly uri: string;
  readonly request: CompareRequest;
  readonly port?: Port;
}

/** What a comparison says before its answer; mappers are positions in the request. */
export type CompareMappersNews =
  | {
      readonly kind: 'progress';
      readonly mapper: number;
      /** Of the whole comparison. */
      readonly whole: number;
      /** Of the attempt. */
      readonly progress: PlacementProgress;
    }
  | {
      readonly kind: 'ended';
      readonly mapper: number;
      /** Without nodes and mappings. */
      readonly comparison: Comparison;
      /** What its row shows from now on, where that is another run than before: each job as it was placed. */
      readonly placed?: readonly PlacedBefore[];
    };

interface PreviewParameters extends Checked<'program' | 'fileUris'> {
  readonly placement: string;
  readonly choice?: Choice;
  readonly jobs: readonly PlacedBefore[];
  readonly settings: StudySettings;
}

/** What it changes, and each job as it would be placed then. */
export interface Improved {
  /** `swap tasks 12 and 30`. */
  readonly action: string;
  readonly moves: SuggestedImprovementOutline['moves'];
  readonly jobs: readonly PlacedBefore[];
}

export type CableLossesOutcome =
  | ({ readonly kind: 'losses' } & Omit<CableLossTable, 'revision' | 'suggestedName'>)
  | { readonly kind: 'nothing'; readonly reason: string };

export type StudyAnswer =
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'studied';
      readonly machines: readonly MachineFacts[];
      readonly jobs: readonly JobFacts[];
      readonly streams: readonly StreamFacts[];
      readonly problems: readonly StudyProblem[];
    };

/** What a study says before its answer. */
export type StudyNews =
  /** The evaluation of a placement began, or goes on. */
  | {
      readonly kind: 'progress';
      readonly placement: string;
      /** How many placements this study has begun: what `CancelCell.finishOne` takes. */
      readonly position: number;
      /** Of this placement, 0 … 1. */
      readonly share: number;
      /** Of the whole study. */
      readonly whole: number;
      readonly message: string;
      readonly search?: SearchProgress;
      /** Since it began. */
      readonly milliseconds: number;
    }
  /** A placement ended. Its report, where there is one, is on its way to the reading thread. */
  | {
      readonly kind: 'placement';
      readonly placement: string;
      /** Absent: it could not be evaluated. `same`: the report that was sent last still holds. */
      readonly outline?: PlacementOutline | 'same';
      readonly problems: readonly StudyProblem[];
    }
  | {
      readonly kind: 'described';
      readonly machines: readonly MachineFacts[];
      readonly jobs: readonly JobFacts[];
      readonly streams?: readonly StreamFacts[];
      readonly problems: readonly StudyProblem[];
    };

/** How far an experiment is, or the simulation that a figure is of. */
export interface ExperimentNews {
  /** 0 … 1. */
  readonly share: number;
  readonly words: string;
}

/** What is known of an experiment without running it. */
export interface ExperimentDescribed {
  readonly name: string;
  /** Absent where it cannot be run. */
  readonly ready?: Pick<Required<ExperimentStanding>, 'seconds' | 'formSeconds' | 'remarks'>;
  /** Why it cannot be run. */
  readonly failure?: Failure;
  /** Of the results that are shown, whatever they are of. */
  readonly kept?: {
    readonly stale: boolean;
    readonly form?: FormName;
    readonly words: string;
    readonly notices: readonly string[];
    readonly complete: boolean;
  };
  /** Something else is in the place of the results. */
  readonly isDamaged: boolean;
}

/** A picture, drawn and encoded by the thread that has what it shows. `fault`: the machine is shown, and no job can run on it. */
export type SceneOutcome =
  | { readonly kind: 'scene'; readonly scene: EncodedScene; readonly fault?: string }
  | { readonly kind: 'nothing'; readonly reason: string };
