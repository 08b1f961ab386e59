/**
 * What the answering thread and the computing thread say to each other. Plain data that
 * structured clone carries; reports with their typed arrays stay in the worker, which writes
 * pictures and exports of them.
 */
import type {
  DescribeFabricAnswer,
  DescribeFabricParameters,
  EncodedScene,
  ExplainAnswer,
  ExplainTarget,
  ExportAnswer,
  PictureAnswer,
} from '../protocol/messages.ts';
import type { StudySettings, StudySummary } from '../study/report.ts';

/** What a study may read, as plain data; the worker makes a `ReadPolicy` of it. */
export interface ReadPolicyMessage {
  /** Texts of documents open in the editor, by URI: they stand in for the files. */
  readonly openTexts: ReadonlyMap<string, string>;
  /** Absent: anything the user may read. Else only what lies below these folders. */
  readonly allowedRoots?: readonly string[];
}

export interface StudyOrder {
  readonly kind: 'study';
  /** The `.place` document whose placements are wanted. */
  readonly uri: string;
  readonly policy: ReadPolicyMessage;
  readonly settings: StudySettings;
  /** One 32-bit cell; anything but 0 cancels. Shared, so that a busy worker sees it. */
  readonly cancelFlag: SharedArrayBuffer;
}

export interface PlacementOrder {
  readonly kind: 'scene' | 'picture';
  readonly uri: string;
  readonly placement: string;
}

export interface ExportOrder {
  readonly kind: 'export';
  readonly uri: string;
  readonly placement: string;
  readonly format: string;
}

/** Why a link of a placement is loaded, or how two of its tasks are connected. */
export interface ExplainOrder {
  readonly kind: 'explain';
  readonly uri: string;
  readonly placement: string;
  readonly target: ExplainTarget;
  /** As of {@link StudyOrder}. */
  readonly cancelFlag: SharedArrayBuffer;
}

/** What the file of a network holds, and a `.place` text that refers to it. */
export interface DescribeFabricOrder extends DescribeFabricParameters {
  readonly kind: 'describe-fabric';
  readonly policy: ReadPolicyMessage;
}

/** The document was closed: its reports may go. */
export interface ForgetOrder {
  readonly kind: 'forget';
  readonly uri: string;
}

export type WorkerOrder = StudyOrder | PlacementOrder | ExportOrder | ExplainOrder | DescribeFabricOrder | ForgetOrder;

export type StudyAnswer =
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'studied';
      readonly summary: StudySummary;
      /** Placements of `summary` that this text could not be evaluated for: the last report is kept. */
      readonly kept: readonly string[];
      /** Every file the answer depends on besides the document, by URI. */
      readonly files: readonly string[];
      /** Milliseconds from the order's arrival to the answer. */
      readonly milliseconds: number;
    };

export type SceneOutcome =
  { readonly kind: 'scene'; readonly scene: EncodedScene } | { readonly kind: 'nothing'; readonly reason: string };

/** What each order is answered with. */
export interface AnswerOf {
  readonly study: StudyAnswer;
  readonly scene: SceneOutcome;
  readonly picture: PictureAnswer;
  readonly export: ExportAnswer;
  readonly explain: ExplainAnswer;
  readonly 'describe-fabric': DescribeFabricAnswer;
  readonly forget: null;
}

export interface NumberedOrder {
  readonly id: number;
  readonly order: WorkerOrder;
}

export type WorkerMessage =
  | { readonly kind: 'progress'; readonly id: number; readonly share: number; readonly message: string }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: AnswerOf[WorkerOrder['kind']] }
  /** A fault of ours: the order failed with an exception, the worker lives on. */
  | { readonly kind: 'fault'; readonly id: number; readonly message: string };
