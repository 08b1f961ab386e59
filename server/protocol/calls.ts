/**
 * The table of calls: all that editor and server say to each other beyond LSP itself. A row is a request, with its parameters, its
 * answer and the thread that answers, or a notification with its message. A name is sent as the method `placewright/NAME`.
 * Every message is plain JSON: see `messages.ts`.
 */
import type {
  CableLossesAnswer,
  CableLossesProgress,
  WithoutCableAnswer,
  WithoutCableParameters,
} from './cableLosses.ts';
import type {
  ExperimentChanged,
  ExperimentFigureAnswer,
  ExperimentFigureParameters,
  ExperimentParameters,
  ExperimentSummary,
  RunExperimentParameters,
  SimulatedChanged,
  SimulationChanged,
  SimulationFigureAnswer,
  SimulationFigureParameters,
  SimulationParameters,
} from './figures.ts';
import type { DescribeFabricAnswer, DescribeFileParameters, DescribeTableAnswer } from './importPreview.ts';
import type { TriedMappers, TriedMappersCsvAnswer, TryMappersParameters } from './mapperComparison.ts';
import type {
  ChangeEditsAnswer,
  ChangeParameters,
  ComparablePlacement,
  ComparablePlacementsParameters,
  ExplainAnswer,
  ExplainParameters,
  ExportAnswer,
  ExportParameters,
  FileAnswer,
  FileQuestion,
  FormatSummary,
  KeptAnswer,
  MachineAnswer,
  MachineParameters,
  MachineSummary,
  OriginAnswer,
  OriginParameters,
  OverviewAnswer,
  PictureAnswer,
  PlacementsParameters,
  PlacementStudyParameters,
  PlacementSummary,
  PreviewAnswer,
  ProgressChanged,
  ReportsChanged,
  ReferenceAtAnswer,
  ReferenceAtParameters,
  SceneAnswer,
  SceneParameters,
  StudyParameters,
  ThingAtAnswer,
  ThingAtParameters,
} from './messages.ts';
import type { TrafficAnswer, TrafficParameters, TrafficSubjectSummary } from './trafficPanel.ts';

/** Requests without parameters. */
type None = Readonly<Record<string, never>>;

/**
 * A request of the editor.
 * `connection`: the thread of the connection answers; it may ask other threads for parts of the answer.
 * `reading`: the request goes as it is to the thread that has the finished reports.
 * `separate`: it goes as it is to a thread of its own, which may read files and ends with the answer.
 */
interface Request<Parameters, Answer, Thread extends 'connection' | 'reading' | 'separate'> {
  readonly thread: Thread;
  /** The answer where a thread is lost before it has answered; absent where no other thread is asked. */
  readonly lost?: (reason: string) => Answer;
  /** Of no value: it carries the types. */
  readonly types?: (parameters: Parameters) => Answer;
}

type Lost<Answer> = (reason: string) => Answer;

const byConnection = <Parameters, Answer>(lost?: Lost<Answer>): Request<Parameters, Answer, 'connection'> => ({
  thread: 'connection',
  ...(lost && { lost }),
});
const byReading = <Parameters, Answer>(lost: Lost<Answer>): Request<Parameters, Answer, 'reading'> => ({
  thread: 'reading',
  lost,
});
const bySeparate = <Parameters, Answer>(lost: Lost<Answer>): Request<Parameters, Answer, 'separate'> => ({
  thread: 'separate',
  lost,
});

const nothing = (reason: string) => ({ kind: 'nothing', reason }) as const;
const failed = (message: string) => ({ ok: false, message }) as const;

/** What the editor asks the server. */
export const requests = {
  /** Placements of a file, for pickers. */
  placements: byConnection<PlacementsParameters, readonly PlacementSummary[]>(),
  /** Placements that can be compared with a given one, itself included; with any where none is given. */
  comparablePlacements: byConnection<ComparablePlacementsParameters, readonly ComparablePlacement[]>(),
  /**
   * Declarations in the `.place` files of the opened folders, in the order of the files and of their texts. Results of studies and
   * runs are known for open files only.
   */
  overview: byConnection<None, OverviewAnswer>(),
  /** The picture of a placement. */
  scene: byConnection<SceneParameters, SceneAnswer>((reason) => ({ ...nothing(reason), status: { kind: 'idle' } })),
  /** The same as SVG text. */
  picture: byReading<SceneParameters, PictureAnswer>(failed),
  /** The place in the text that a node, a link or the placement of the picture comes from. */
  origin: byConnection<OriginParameters, OriginAnswer>(),
  /** The reverse: what a place in the text is in the pictures of a file. */
  thingAt: byConnection<ThingAtParameters, ThingAtAnswer>(),
  /** The entry of the reference for a word of the text. */
  referenceAt: byConnection<ReferenceAtParameters, ReferenceAtAnswer>(),
  /** Why a link is loaded, how two tasks are connected, or with which nodes a node communicates; of the report in the picture. */
  explain: byReading<ExplainParameters, ExplainAnswer | KeptAnswer>(nothing),
  /** The text of an export. The client writes it, atomically. */
  export: byConnection<ExportParameters, ExportAnswer>(failed),
  /** Export formats, for the picker. */
  formats: byConnection<None, readonly FormatSummary[]>(),
  /** Machines of a file and of its imports, for pickers; those of the file first. */
  machines: byConnection<PlacementsParameters, readonly MachineSummary[]>(),
  /** The picture of a machine alone. */
  machine: byConnection<MachineParameters, MachineAnswer>(nothing),
  /** Placements, jobs and unused tables of a file, for pickers: each has traffic. */
  trafficSubjects: byConnection<PlacementsParameters, readonly TrafficSubjectSummary[]>(),
  /** The map of traffic of one of them. */
  traffic: byConnection<TrafficParameters, TrafficAnswer>(nothing),
  /** Experiments of a file, for pickers, in the order of the text. */
  experiments: byConnection<PlacementsParameters, readonly ExperimentSummary[]>(),
  /** A chart of an experiment. A cancelled request ends its simulation. */
  experimentFigure: byConnection<ExperimentFigureParameters, ExperimentFigureAnswer>(nothing),
  /** A chart of a simulated placement. */
  simulationFigure: byConnection<SimulationFigureParameters, SimulationFigureAnswer>(nothing),
  /** The content of another tool's file of a network, and a `.place` text that refers to it. The client writes it. */
  describeFabric: bySeparate<DescribeFileParameters, DescribeFabricAnswer>(failed),
  /** The same for a file of traffic. */
  describeTable: bySeparate<DescribeFileParameters, DescribeTableAnswer>(failed),
  /** The table of mappers tried on a placement; null where none was tried. */
  triedMappers: byConnection<SceneParameters, TriedMappers | null>(),
  /** The same as CSV. */
  triedMappersCsv: byConnection<SceneParameters, TriedMappersCsvAnswer>(),
  /** Loads after each single link failure of a placement. */
  cableLosses: byConnection<SceneParameters, CableLossesAnswer>(nothing),
  /** The edits that write `without CABLE` into the machine of a placement. */
  withoutCable: byConnection<WithoutCableParameters, WithoutCableAnswer>(),
  /** The picture of a placement with a change that is not written. */
  preview: byConnection<ChangeParameters, PreviewAnswer>(nothing),
  /** The edits that write a change. */
  changeEdits: byConnection<ChangeParameters, ChangeEditsAnswer>(failed),
};

type Requests = typeof requests;
export type RequestName = keyof Requests;
export type ParametersOf<Name extends RequestName> = Parameters<NonNullable<Requests[Name]['types']>>[0];
export type AnswerTo<Name extends RequestName> = ReturnType<NonNullable<Requests[Name]['types']>>;

/** Requests that another thread than that of the connection answers. */
export type ForwardedName = {
  [Name in RequestName]: Requests[Name]['thread'] extends 'connection' ? never : Name;
}[RequestName];

/** What the editor tells the server. */
export interface EditorNotifications {
  /** Searches end with the best mapping so far: of one placement, else of all of the file. */
  readonly finish: PlacementStudyParameters;
  /** The study of a file ends without an answer; finished placements stay. */
  readonly cancel: StudyParameters;
  /** Evaluates what has no fresh report, and what has one of a search that was finished early: one placement, else all. */
  readonly run: PlacementStudyParameters;
  /** Runs an experiment, or continues it. */
  readonly runExperiment: RunExperimentParameters;
  /** Ends the run of an experiment; finished replications stay. */
  readonly cancelExperiment: ExperimentParameters;
  /** Simulates a placement. */
  readonly simulate: SimulationParameters;
  /** Ends a simulation without a result. */
  readonly cancelSimulation: SimulationParameters;
  /** Tries mappers on a placement, from the beginning. */
  readonly tryMappers: TryMappersParameters;
  /** Tries no further mapper; the table stays. */
  readonly stopMappers: SceneParameters;
  /** The user trusts the workspace now. */
  readonly trustGranted: None;
}

/** What the server tells the editor. */
export interface ServerNotifications {
  /** Reports of a file changed, or became stale. */
  readonly reportsChanged: ReportsChanged;
  /** How far a placement is, at most every 200 ms; `reportsChanged` comes last. */
  readonly progress: ProgressChanged;
  /** Results of an experiment changed, or its progress; after the end of a run there is none. */
  readonly experimentChanged: ExperimentChanged;
  /** Progress of the replication that a chart was asked of. */
  readonly simulated: SimulatedChanged;
  /** The result of a simulation changed, or its progress; after its end there is none, and a `fault` where it failed. */
  readonly simulationChanged: SimulationChanged;
  /** The table of mappers has more rows, or is out of date. */
  readonly triedMappersChanged: TriedMappers;
  /** Progress of `cableLosses`. */
  readonly cableLossesProgress: CableLossesProgress;
}

/** What the server asks the editor, in a browser alone: there the editor reads files. */
interface ServerRequests {
  /** Between threads of a page bytes travel as they are. */
  readonly file: { readonly parameters: FileQuestion; readonly answer: FileAnswer[FileQuestion['kind']] };
}

/** The method of LSP that a row is sent as. */
export const methodOf = (
  name: RequestName | keyof EditorNotifications | keyof ServerNotifications | keyof ServerRequests,
): string => `placewright/${name}`;
