/**
 * The language server as the rest of the client sees it: its requests and notifications as typed functions. How it is started is
 * said by the entries, `extension.ts` and `webExtension.ts`.
 */
import {
  Disposable,
  EventEmitter,
  Uri,
  window,
  workspace,
  type CancellationToken,
  type Event,
  type ExtensionContext,
  type LogOutputChannel,
} from 'vscode';
import {
  DidCloseTextDocumentNotification,
  State,
  type BaseLanguageClient,
  type LanguageClientOptions,
} from 'vscode-languageclient';
import {
  stopMappersNotification,
  triedMappersCsvRequest,
  triedMappersNotification,
  triedMappersRequest,
  tryMappersNotification,
  type TriedMappers,
  type TriedMappersCsvAnswer,
  type TryMappersParameters,
} from '../server/protocol/mapperComparison.ts';
import {
  cancelExperimentNotification,
  experimentChangedNotification,
  experimentFigureRequest,
  experimentsRequest,
  runExperimentNotification,
  cancelSimulationNotification,
  simulateNotification,
  simulationChangedNotification,
  simulationFigureRequest,
  simulatedNotification,
  type ExperimentParameters,
  type ExperimentChanged,
  type ExperimentFigureAnswer,
  type ExperimentFigureParameters,
  type ExperimentSummary,
  type RunExperimentParameters,
  type SimulatedChanged,
  type SimulationChanged,
  type SimulationFigureAnswer,
  type SimulationFigureParameters,
  type SimulationParameters,
} from '../server/protocol/figures.ts';
import {
  describeFabricRequest,
  describeTableRequest,
  type DescribeFabricAnswer,
  type DescribeFileParameters,
  type DescribeTableAnswer,
} from '../server/protocol/importPreview.ts';
import {
  cancelNotification,
  comparablePlacementsRequest,
  changeEditsRequest,
  explainRequest,
  exportRequest,
  finishNotification,
  formatsRequest,
  machineRequest,
  machinesRequest,
  originRequest,
  thingAtRequest,
  overviewRequest,
  pictureRequest,
  placementsRequest,
  previewRequest,
  progressNotification,
  reportsChangedNotification,
  runNotification,
  sceneRequest,
  trustGrantedNotification,
  type ChangeEditsAnswer,
  type ChangeParameters,
  type ExplainAnswer,
  type KeptAnswer,
  type ExplainParameters,
  type ComparablePlacement,
  type ComparablePlacementsParameters,
  type ExportAnswer,
  type ExportParameters,
  type PlacementStudyParameters,
  type FormatSummary,
  type InitializationOptions,
  type MachineAnswer,
  type MachineParameters,
  type MachineSummary,
  type OriginAnswer,
  type OriginParameters,
  type ThingAtAnswer,
  type ThingAtParameters,
  type OverviewAnswer,
  type PictureAnswer,
  type PlacementsParameters,
  type PlacementSummary,
  type PreviewAnswer,
  type ProgressChanged,
  type ReportsChanged,
  type SceneAnswer,
  type SceneParameters,
  type StudyParameters,
} from '../server/protocol/messages.ts';
import {
  cableLossesProgressNotification,
  cableLossesRequest,
  withoutCableRequest,
  type CableLossesAnswer,
  type CableLossesProgress,
  type WithoutCableAnswer,
  type WithoutCableParameters,
} from '../server/protocol/cableLosses.ts';
import { hintsSaid, lensesSaid, sayProgress } from './words.ts';

import {
  trafficRequest,
  trafficSubjectsRequest,
  type TrafficAnswer,
  type TrafficParameters,
  type TrafficSubjectSummary,
} from '../server/protocol/trafficPanel.ts';

/** The language server as the rest of the client sees it: typed questions, and what it tells by itself. */
export interface Server {
  readonly onReportsChanged: Event<ReportsChanged>;
  /** How far a placement is, several times a second. */
  readonly onProgress: Event<ProgressChanged>;
  /** Results of an experiment, or how far it is. */
  readonly onExperimentChanged: Event<ExperimentChanged>;
  /** How far a replication is whose figure was asked for. */
  readonly onSimulated: Event<SimulatedChanged>;
  /** Another result of a simulation, or how far it is. */
  readonly onSimulationChanged: Event<SimulationChanged>;
  /** How far the cables of a placement are taken out. */
  readonly onCableLosses: Event<CableLossesProgress>;
  /** There is more in the table of mappers that are tried on a placement. */
  readonly onTriedMappers: Event<TriedMappers>;
  /** It runs again, and knows of nothing but the documents that are open in the editor. */
  readonly onRestart: Event<void>;
  readonly output: LogOutputChannel;
  /** Ends when it answers for the first time; fails where it could not be started. */
  readonly ready: Promise<void>;
  /** What it was asked last, the oldest first, and how long each answer took. */
  requests(): readonly TimedRequest[];
  overview(): Promise<OverviewAnswer>;
  placements(parameters: PlacementsParameters): Promise<readonly PlacementSummary[]>;
  comparablePlacements(parameters: ComparablePlacementsParameters): Promise<readonly ComparablePlacement[]>;
  scene(parameters: SceneParameters): Promise<SceneAnswer>;
  picture(parameters: SceneParameters): Promise<PictureAnswer>;
  origin(parameters: OriginParameters): Promise<OriginAnswer>;
  thingAt(parameters: ThingAtParameters): Promise<ThingAtAnswer>;
  explain(parameters: ExplainParameters): Promise<ExplainAnswer | KeptAnswer>;
  exported(parameters: ExportParameters): Promise<ExportAnswer>;
  formats(): Promise<readonly FormatSummary[]>;
  machines(parameters: PlacementsParameters): Promise<readonly MachineSummary[]>;
  /** It is not built further once `token` is cancelled. */
  machine(parameters: MachineParameters, token: CancellationToken): Promise<MachineAnswer>;
  /** What of a file has traffic. */
  trafficSubjects(parameters: PlacementsParameters): Promise<readonly TrafficSubjectSummary[]>;
  /** The map of traffic; it is not drawn further once `token` is cancelled. */
  traffic(parameters: TrafficParameters, token: CancellationToken): Promise<TrafficAnswer>;
  experiments(parameters: PlacementsParameters): Promise<readonly ExperimentSummary[]>;
  /** Nothing is simulated further once `token` is cancelled. */
  experimentFigure(parameters: ExperimentFigureParameters, token: CancellationToken): Promise<ExperimentFigureAnswer>;
  /** The server reads no further once `token` is cancelled; the answer is then a failure. */
  describeFabric(parameters: DescribeFileParameters, token: CancellationToken): Promise<DescribeFabricAnswer>;
  describeTable(parameters: DescribeFileParameters, token: CancellationToken): Promise<DescribeTableAnswer>;
  /** Has searches end with the best they have. */
  finish(parameters: PlacementStudyParameters): void;
  /** Ends a study without an answer; placements that are done stay. */
  cancel(parameters: StudyParameters): void;
  /** Works out what has no fresh report. */
  run(parameters: PlacementStudyParameters): void;
  /** Runs an experiment, or goes on with it. */
  runExperiment(parameters: RunExperimentParameters): void;
  /** Ends the run of an experiment; what is done of it stays. */
  cancelExperiment(parameters: ExperimentParameters): void;
  simulationFigure(parameters: SimulationFigureParameters, token: CancellationToken): Promise<SimulationFigureAnswer>;
  simulate(parameters: SimulationParameters): void;
  /** Ends a simulation without a result. */
  cancelSimulation(parameters: SimulationParameters): void;
  /** Tries mappers on a placement, from the beginning. */
  tryMappers(parameters: TryMappersParameters): void;
  /** Tries no further mapper; what was found stays. */
  stopMappers(parameters: SceneParameters): void;
  triedMappers(parameters: SceneParameters): Promise<TriedMappers | null>;
  triedMappersCsv(parameters: SceneParameters): Promise<TriedMappersCsvAnswer>;
  /** What a placement costs once one cable or another has failed; no further one is tried once `token` is cancelled. */
  cableLosses(parameters: SceneParameters, token: CancellationToken): Promise<CableLossesAnswer>;
  /** What has to be written for a machine without a cable. */
  withoutCable(parameters: WithoutCableParameters): Promise<WithoutCableAnswer>;
  /** The picture of a placement with a change that is not written. */
  preview(parameters: ChangeParameters): Promise<PreviewAnswer>;
  /** What has to be written for a change. */
  changeEdits(parameters: ChangeParameters): Promise<ChangeEditsAnswer>;
  /** The server goes on reading a document after the editor has closed it, until this is disposed of. */
  keep(uri: string): Disposable;
  grantTrust(): void;
  start(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface TimedRequest {
  readonly method: string;
  readonly milliseconds: number;
  /** Absent where it was answered. */
  readonly fault?: string;
}

/** Requests that are remembered. */
const mostRequests = 200;

/** Makes the client of a server that is not started yet. */
export type CreateClient = (options: LanguageClientOptions) => BaseLanguageClient;

/** What documents are of ours, by where they lie. */
export type DocumentSchemes = readonly ('file' | 'untitled')[] | 'all';

/** A server that is not started yet. */
export function createServer(context: ExtensionContext, createClient: CreateClient, schemes: DocumentSchemes): Server {
  const output = window.createOutputChannel('Placewright', { log: true });
  const reportsChanged = new EventEmitter<ReportsChanged>();
  const progress = new EventEmitter<ProgressChanged>();
  const experimentChanged = new EventEmitter<ExperimentChanged>();
  const simulationChanged = new EventEmitter<SimulationChanged>();
  const simulated = new EventEmitter<SimulatedChanged>();
  const triedMappers = new EventEmitter<TriedMappers>();
  const cableLosses = new EventEmitter<CableLossesProgress>();
  const restart = new EventEmitter<void>();
  /** How many want a document to be kept, by its URI. */
  const kept = new Map<string, number>();
  const requests: TimedRequest[] = [];
  const noteRequest = (request: TimedRequest): void => {
    requests.push(request);
    if (requests.length > mostRequests) requests.shift();
  };
  let [begin, fail]: [() => void, (why: unknown) => void] = [() => undefined, () => undefined];
  const ready = new Promise<void>((done, failed) => {
    [begin, fail] = [done, failed];
  });
  // Whoever starts it tells the user.
  ready.catch(() => undefined);
  const client = createClient(clientOptions(output, schemes, (uri) => kept.has(uri), noteRequest));
  let started = false;
  context.subscriptions.push(
    output,
    reportsChanged,
    progress,
    experimentChanged,
    simulated,
    simulationChanged,
    triedMappers,
    cableLosses,
    restart,
    client.onDidChangeState(({ newState }) => {
      if (newState !== State.Running) return;
      if (started) restart.fire();
      started = true;
    }),
    client.onNotification(progressNotification, (message: ProgressChanged) => {
      progress.fire(message);
    }),
    client.onNotification(experimentChangedNotification, (message: ExperimentChanged) => {
      experimentChanged.fire(message);
    }),
    client.onNotification(simulatedNotification, (message: SimulatedChanged) => {
      simulated.fire(message);
    }),
    client.onNotification(simulationChangedNotification, (message: SimulationChanged) => {
      simulationChanged.fire(message);
    }),
    client.onNotification(triedMappersNotification, (message: TriedMappers) => {
      triedMappers.fire(message);
    }),
    client.onNotification(cableLossesProgressNotification, (message: CableLossesProgress) => {
      cableLosses.fire(message);
    }),
    client.onNotification(reportsChangedNotification, (message: ReportsChanged) => {
      reportsChanged.fire(message);
    }),
  );
  return {
    onReportsChanged: reportsChanged.event,
    onProgress: progress.event,
    onExperimentChanged: experimentChanged.event,
    onSimulated: simulated.event,
    onSimulationChanged: simulationChanged.event,
    onTriedMappers: triedMappers.event,
    onCableLosses: cableLosses.event,
    onRestart: restart.event,
    output,
    ready,
    requests: () => [...requests],
    overview: () => client.sendRequest(overviewRequest, {}),
    placements: (parameters) => client.sendRequest(placementsRequest, parameters),
    comparablePlacements: (parameters) => client.sendRequest(comparablePlacementsRequest, parameters),
    scene: (parameters) => client.sendRequest(sceneRequest, parameters),
    picture: (parameters) => client.sendRequest(pictureRequest, parameters),
    origin: (parameters) => client.sendRequest(originRequest, parameters),
    thingAt: (parameters) => client.sendRequest(thingAtRequest, parameters),
    explain: (parameters) => client.sendRequest(explainRequest, parameters),
    exported: (parameters) => client.sendRequest(exportRequest, parameters),
    formats: () => client.sendRequest(formatsRequest),
    machines: (parameters) => client.sendRequest(machinesRequest, parameters),
    machine: (parameters, token) => client.sendRequest(machineRequest, parameters, token),
    trafficSubjects: (parameters) => client.sendRequest(trafficSubjectsRequest, parameters),
    traffic: (parameters, token) => client.sendRequest(trafficRequest, parameters, token),
    experiments: (parameters) => client.sendRequest(experimentsRequest, parameters),
    experimentFigure: (parameters, token) => client.sendRequest(experimentFigureRequest, parameters, token),
    describeFabric: (parameters, token) => client.sendRequest(describeFabricRequest, parameters, token),
    describeTable: (parameters, token) => client.sendRequest(describeTableRequest, parameters, token),
    finish: (parameters) => void client.sendNotification(finishNotification, parameters),
    cancel: (parameters) => void client.sendNotification(cancelNotification, parameters),
    run: (parameters) => void client.sendNotification(runNotification, parameters),
    runExperiment: (parameters) => void client.sendNotification(runExperimentNotification, parameters),
    cancelExperiment: (parameters) => void client.sendNotification(cancelExperimentNotification, parameters),
    simulationFigure: (parameters, token) => client.sendRequest(simulationFigureRequest, parameters, token),
    simulate: (parameters) => void client.sendNotification(simulateNotification, parameters),
    cancelSimulation: (parameters) => void client.sendNotification(cancelSimulationNotification, parameters),
    tryMappers: (parameters) => void client.sendNotification(tryMappersNotification, parameters),
    stopMappers: (parameters) => void client.sendNotification(stopMappersNotification, parameters),
    triedMappers: (parameters) => client.sendRequest(triedMappersRequest, parameters),
    triedMappersCsv: (parameters) => client.sendRequest(triedMappersCsvRequest, parameters),
    cableLosses: (parameters, token) => client.sendRequest(cableLossesRequest, parameters, token),
    withoutCable: (parameters) => client.sendRequest(withoutCableRequest, parameters),
    preview: (parameters) => client.sendRequest(previewRequest, parameters),
    changeEdits: (parameters) => client.sendRequest(changeEditsRequest, parameters),
    keep(uri) {
      const key = Uri.parse(uri).toString();
      kept.set(key, (kept.get(key) ?? 0) + 1);
      return new Disposable(() => {
        const count = kept.get(key)! - 1;
        if (count > 0) {
          kept.set(key, count);
          return;
        }
        kept.delete(key);
        const isOpen = workspace.textDocuments.some((document) => document.uri.toString() === key);
        // The editor closed it long ago; only now the server is told.
        if (!isOpen)
          void client.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri: key } });
      });
    },
    grantTrust: () => void client.sendNotification(trustGrantedNotification),
    start: () => {
      const started = client.start();
      started.then(begin, fail);
      return started;
    },
    restart: async () => {
      await client.stop();
      await client.start();
    },
    stop: () => client.dispose(),
  };
}

function clientOptions(
  output: LogOutputChannel,
  schemes: DocumentSchemes,
  isKept: (uri: string) => boolean,
  note: (request: TimedRequest) => void,
): LanguageClientOptions {
  return {
    documentSelector:
      schemes === 'all' ? [{ language: 'place' }] : schemes.map((scheme) => ({ language: 'place', scheme })),
    outputChannel: output,
    middleware: {
      sendRequest: async (type, parameters, token, next) => {
        const method = typeof type === 'string' ? type : type.method;
        const started = performance.now();
        const milliseconds = (): number => Math.round(10 * (performance.now() - started)) / 10;
        try {
          const answer = await next(type, parameters, token);
          note({ method, milliseconds: milliseconds() });
          return answer;
        } catch (error) {
          note({ method, milliseconds: milliseconds(), fault: error instanceof Error ? error.name : 'unknown' });
          throw error;
        }
      },
      provideCodeLenses: async (document, token, next) => lensesSaid(await next(document, token)),
      provideInlayHints: async (document, range, token, next) => hintsSaid(await next(document, range, token)),
      handleWorkDoneProgress: (token, params, next) => {
        sayProgress(params);
        next(token, params);
      },
      didClose: (document, next) => (isKept(document.uri.toString()) ? Promise.resolve() : next(document)),
    },
    // Asked anew at every start, so that a restarted server knows of trust granted meanwhile.
    initializationOptions: (): InitializationOptions => ({ trusted: workspace.isTrusted, editorCommands: true }),
  };
}
