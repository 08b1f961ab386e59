/**
 * What the answering thread says to the computing and the reading one, and what they answer. Plain
 * data that structured clone carries. Reports with their typed arrays go from the computing thread
 * to the reading one (`worker/reportChannel.ts`), which writes pictures and exports of them.
 */
import type { CheckedProgram } from '../language/check.ts';
import type { ExperimentStanding, SimulatedFact } from '../language/service/input.ts';
import type { SearchProgress } from '../model/cancellation.ts';
import type { Choice } from '../model/catalogue.ts';
import type { FormName } from '../model/experiment.ts';
import type { Failure } from '../model/result.ts';
import type { StreamFacts } from '../model/stream.ts';
import type { CableLossTable } from '../protocol/cableLosses.ts';
import type {
  ExperimentFigureAnswer,
  ExperimentFigureParameters,
  SimulationChoice,
  SimulationFigureAnswer,
} from '../protocol/figures.ts';
import type { DescribeFabricAnswer, DescribeFileParameters, DescribeTableAnswer } from '../protocol/importPreview.ts';
import type {
  EncodedScene,
  ExplainAnswer,
  ExplainTarget,
  KeptAnswer,
  KeptTarget,
  ExportAnswer,
  PictureAnswer,
} from '../protocol/messages.ts';
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

/** What may be read, as plain data; the worker makes a `ReadPolicy` of it. */
export interface ReadPolicyMessage {
  /** Texts of documents open in the editor, by URI: they stand in for the files. */
  readonly openTexts: ReadonlyMap<string, string>;
  /** Absent: anything the user may read. Else only what lies below these folders. */
  readonly allowedRoots?: readonly string[];
}

/** To work out the placements of a program that was read and checked by the answering thread. */
export interface StudyOrder extends StudyInput {
  readonly kind: 'study';
  /** The `.place` document that the program is of. */
  readonly uri: string;
  /** Names of all placements of its texts, those with errors included: reports of others are dropped. */
  readonly declared: ReadonlySet<string>;
  /** Placements whose searches the user ended and wants to go on. */
  readonly again: ReadonlySet<string>;
  /** Where files of the program may lie; anywhere where it is left out. */
  readonly allowedRoots?: readonly string[];
  readonly settings: StudySettings;
  /** Of a `CancelCell`. Shared, so that a busy worker sees it. */
  readonly cancelFlag: ArrayBufferLike;
}

/** From now on reports go to another reading thread: it has none yet. */
export interface ReaderOrder {
  readonly kind: 'reader';
  readonly port: Port;
}

/** From now on reports come from another computing thread; those that there are stay until it sends newer ones. */
export interface SourceOrder {
  readonly kind: 'source';
  readonly port: Port;
}

export interface PlacementOrder {
  readonly kind: 'picture';
  readonly uri: string;
  readonly placement: string;
}

export interface SceneOrder {
  readonly kind: 'scene';
  readonly uri: string;
  readonly placement: string;
  /** The placement that its figures are compared with. */
  readonly first?: string;
}

export interface ExportOrder {
  readonly kind: 'export';
  readonly uri: string;
  readonly placement: string;
  readonly format: string;
  /** As of `ExportParameters`. */
  readonly names?: string;
}

/** Why a link of a placement is loaded, or how two of its tasks are connected. */
export interface ExplainOrder {
  readonly kind: 'explain';
  readonly uri: string;
  readonly placement: string;
  readonly target: ExplainTarget | KeptTarget;
  /** As of {@link StudyOrder}. */
  readonly cancelFlag: ArrayBufferLike;
}

/** The map of who sends how much to whom in a placement. */
export interface TrafficOrder {
  readonly kind: 'traffic';
  readonly uri: string;
  readonly placement: string;
  readonly question: TrafficQuestion;
  /** As of {@link StudyOrder}. */
  readonly cancelFlag: ArrayBufferLike;
}

/** The same of a job or a table that is placed nowhere. */
export interface JobTrafficOrder {
  readonly kind: 'job-traffic';
  readonly declaration: TrafficDeclaration;
  readonly policy: ReadPolicyMessage;
  readonly question: TrafficQuestion;
  /** As of {@link StudyOrder}. */
  readonly cancelFlag: ArrayBufferLike;
}

/** What the file of a network or of traffic holds, and a `.place` text that refers to it. */
export interface DescribeFileOrder extends DescribeFileParameters {
  readonly kind: 'describe-fabric' | 'describe-table';
  readonly policy: ReadPolicyMessage;
  /** As of {@link StudyOrder}. */
  readonly cancelFlag: ArrayBufferLike;
}

/** The picture of a machine of a program that was read and checked by the answering thread. */
export interface MachineOrder {
  readonly kind: 'machine';
  readonly uri: string;
  readonly description: MachineDescription;
  readonly policy: ReadPolicyMessage;
  /** As of {@link StudyOrder}. */
  readonly cancelFlag: ArrayBufferLike;
}

/** `fault`: the machine is shown, and no job can run on it. */
export type MachineOutcome =
  | { readonly kind: 'scene'; readonly scene: EncodedScene; readonly fault?: string }
  | { readonly kind: 'nothing'; readonly reason: string };

/** What the experiments of a program depend on, how long they may take, and what is kept of earlier runs. */
export interface DescribeExperimentsOrder {
  readonly kind: 'describe-experiments';
  /** The `.place` document, beside which results are kept. */
  readonly uri: string;
  readonly checked: Pick<CheckedProgram, 'program' | 'experiments'>;
  readonly policy: ReadPolicyMessage;
  /** As of {@link StudyOrder}. */
  readonly cancelFlag: ArrayBufferLike;
}

/** To run an experiment, or to go on with it, and keep what it gives beside the file. */
export interface RunExperimentOrder extends Omit<DescribeExperimentsOrder, 'kind'> {
  readonly kind: 'run-experiment';
  readonly experiment: string;
  /** A smaller run than the whole. */
  readonly form: FormName | undefined;
  /** Where job arrays of Slurm do it: the program that their elements run. */
  readonly slurm?: SlurmProgram;
}

/** A figure of an experiment of a program that was read and checked by the answering thread. */
export interface ExperimentFigureOrder extends ExperimentFigureParameters {
  readonly kind: 'experiment-figure';
  readonly checked: Pick<CheckedProgram, 'program' | 'experiments'>;
  readonly policy: ReadPolicyMessage;
  /** As of {@link StudyOrder}. */
  readonly cancelFlag: ArrayBufferLike;
}

/** The report of a placement goes to another thread, through this port. */
export interface LendReportOrder {
  readonly kind: 'lend-report';
  readonly uri: string;
  readonly placement: string;
  readonly description: MachineDescription;
  readonly port: Port;
}

/** To simulate a placement whose report comes through the port. */
export interface SimulateOrder {
  readonly kind: 'simulate';
  readonly uri: string;
  readonly placement: string;
  readonly checked: Pick<CheckedProgram, 'program' | 'experiments' | 'fileUris'>;
  readonly policy: ReadPolicyMessage;
  readonly port: Port;
  /** `quick`: only where it is expected to take less than a second. `kept`: not at all, what is kept beside the file is read. */
  readonly manner: SimulationManner;
  /** Where it is kept; nowhere where that is left out. */
  readonly keptAt?: string;
}

export type SimulationManner = 'asked' | 'quick' | 'kept';

/** A figure of what the thread has simulated last. */
export interface SimulationFigureOrder {
  readonly kind: 'simulation-figure';
  readonly choice: SimulationChoice;
  /** As of {@link StudyOrder}. */
  readonly cancelFlag: ArrayBufferLike;
}

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

/** To try mappers on a placement. */
export interface CompareMappersOrder {
  readonly kind: 'compare-mappers';
  readonly uri: string;
  readonly request: CompareRequest;
  readonly checked: Pick<CheckedProgram, 'program' | 'fileUris'>;
  readonly policy: ReadPolicyMessage;
  /** Where its report comes from, where it is worked out. */
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

/** The picture of a placement as a comparison had placed it. */
export interface PreviewOrder {
  readonly kind: 'preview';
  readonly checked: Pick<CheckedProgram, 'program' | 'fileUris'>;
  readonly policy: ReadPolicyMessage;
  readonly placement: string;
  readonly choice?: Choice;
  readonly jobs: readonly PlacedBefore[];
  readonly settings: StudySettings;
}

/** A placement with the improvement of this number that the explanation of a link has. */
export interface ImprovedOrder {
  readonly kind: 'improved';
  readonly uri: string;
  readonly placement: string;
  readonly link: number;
  readonly index: number;
}

/** What it changes, and each job as it would be placed then; null where there is no such improvement any more. */
export interface Improved {
  /** `swap tasks 12 and 30`. */
  readonly action: string;
  readonly moves: SuggestedImprovementOutline['moves'];
  readonly jobs: readonly PlacedBefore[];
}

/** Whether another seed changes neither nodes nor traffic of a placement. */
export interface CheckSeedOrder {
  readonly kind: 'check-seed';
  readonly checked: Pick<CheckedProgram, 'program' | 'fileUris'>;
  readonly policy: ReadPolicyMessage;
  readonly placement: string;
  readonly seed: number;
}

/** To take out each cable of the machine of a placement whose report comes through the port. */
export interface CableLossesOrder {
  readonly kind: 'cable-losses';
  readonly uri: string;
  readonly placement: string;
  readonly description: MachineDescription;
  readonly port: Port;
}

export type CableLossesOutcome =
  | ({ readonly kind: 'losses' } & Omit<CableLossTable, 'revision' | 'suggestedName'>)
  | { readonly kind: 'nothing'; readonly reason: string };

/** The document was closed: all that is kept of it may go. */
export interface ForgetOrder {
  readonly kind: 'forget';
  readonly uri: string;
}

export type WorkerOrder =
  | StudyOrder
  | ReaderOrder
  | SourceOrder
  | PlacementOrder
  | SceneOrder
  | ExportOrder
  | ExplainOrder
  | TrafficOrder
  | JobTrafficOrder
  | DescribeFileOrder
  | MachineOrder
  | DescribeExperimentsOrder
  | RunExperimentOrder
  | ExperimentFigureOrder
  | LendReportOrder
  | SimulateOrder
  | SimulationFigureOrder
  | CompareMappersOrder
  | PreviewOrder
  | ImprovedOrder
  | CheckSeedOrder
  | CableLossesOrder
  | ForgetOrder;

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

export type SceneOutcome =
  { readonly kind: 'scene'; readonly scene: EncodedScene } | { readonly kind: 'nothing'; readonly reason: string };

/** What each order is answered with. */
export interface AnswerOf {
  readonly study: StudyAnswer;
  readonly reader: null;
  readonly source: null;
  readonly scene: SceneOutcome;
  readonly picture: PictureAnswer;
  readonly export: ExportAnswer;
  readonly explain: ExplainAnswer | KeptAnswer;
  readonly traffic: TrafficAnswer;
  readonly 'job-traffic': TrafficAnswer;
  readonly 'describe-fabric': DescribeFabricAnswer;
  readonly 'describe-table': DescribeTableAnswer;
  readonly machine: MachineOutcome;
  readonly 'describe-experiments': readonly ExperimentDescribed[];
  /** What kept it from being run or kept; null where nothing did. */
  readonly 'run-experiment': Failure | null;
  readonly 'experiment-figure': ExperimentFigureAnswer;
  /** Whether there is one. */
  readonly 'lend-report': boolean;
  readonly simulate: SimulationOutcome;
  readonly 'simulation-figure': SimulationFigureAnswer;
  /** Without nodes and mappings. */
  readonly 'compare-mappers': Comparison;
  readonly preview: SceneOutcome;
  readonly improved: Improved | null;
  readonly 'check-seed': boolean;
  readonly 'cable-losses': CableLossesOutcome;
  readonly forget: null;
}

/** What orders are told of before their answer; others of nothing. */
export interface NewsOf {
  readonly study: StudyNews;
  readonly 'run-experiment': ExperimentNews;
  readonly 'experiment-figure': ExperimentNews;
  readonly simulate: ExperimentNews;
  readonly 'compare-mappers': CompareMappersNews;
  /** How far it is, 0 … 1. */
  readonly 'cable-losses': number;
}

export interface NumberedOrder {
  readonly id: number;
  readonly order: WorkerOrder;
}

export type WorkerMessage =
  | { readonly kind: 'news'; readonly id: number; readonly news: NewsOf[keyof NewsOf] }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: AnswerOf[WorkerOrder['kind']] }
  /** A fault of ours: the order failed with an exception, the worker lives on. */
  | { readonly kind: 'fault'; readonly id: number; readonly message: string };
