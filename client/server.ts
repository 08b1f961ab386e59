import { EventEmitter, Uri, window, workspace, type Event, type ExtensionContext, type LogOutputChannel } from 'vscode';
import { LanguageClient, TransportKind, type LanguageClientOptions } from 'vscode-languageclient/node';
import {
  cancelNotification,
  describeFabricRequest,
  explainRequest,
  exportRequest,
  finishNotification,
  formatsRequest,
  originRequest,
  pictureRequest,
  placementsRequest,
  progressNotification,
  reportsChangedNotification,
  runNotification,
  sceneRequest,
  trustGrantedNotification,
  type ExplainAnswer,
  type ExplainParameters,
  type DescribeFabricAnswer,
  type DescribeFabricParameters,
  type ExportAnswer,
  type ExportParameters,
  type FinishParameters,
  type FormatSummary,
  type InitializationOptions,
  type OriginAnswer,
  type OriginParameters,
  type PictureAnswer,
  type PlacementsParameters,
  type PlacementSummary,
  type ProgressChanged,
  type ReportsChanged,
  type SceneAnswer,
  type SceneParameters,
  type StudyParameters,
} from '../server/protocol/messages.ts';

/** The language server as the rest of the client sees it: typed questions, one event. */
export interface Server {
  readonly onReportsChanged: Event<ReportsChanged>;
  /** How far a placement is, several times a second. */
  readonly onProgress: Event<ProgressChanged>;
  readonly output: LogOutputChannel;
  placements(parameters: PlacementsParameters): Promise<readonly PlacementSummary[]>;
  scene(parameters: SceneParameters): Promise<SceneAnswer>;
  picture(parameters: SceneParameters): Promise<PictureAnswer>;
  origin(parameters: OriginParameters): Promise<OriginAnswer>;
  explain(parameters: ExplainParameters): Promise<ExplainAnswer>;
  exported(parameters: ExportParameters): Promise<ExportAnswer>;
  formats(): Promise<readonly FormatSummary[]>;
  describeFabric(parameters: DescribeFabricParameters): Promise<DescribeFabricAnswer>;
  /** Has searches end with the best they have. */
  finish(parameters: FinishParameters): void;
  /** Ends a study without an answer; placements that are done stay. */
  cancel(parameters: StudyParameters): void;
  /** Works out what has no fresh report. */
  run(parameters: StudyParameters): void;
  grantTrust(): void;
  start(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A server that is not started yet. Its messages travel over the editor's own process channel. */
export function createServer(context: ExtensionContext): Server {
  const output = window.createOutputChannel('Placewright', { log: true });
  const reportsChanged = new EventEmitter<ReportsChanged>();
  const progress = new EventEmitter<ProgressChanged>();
  const module = Uri.joinPath(context.extensionUri, 'dist', 'server.cjs').fsPath;
  const client = new LanguageClient(
    'placewright',
    'Placewright',
    { module, transport: TransportKind.ipc },
    clientOptions(output),
  );
  context.subscriptions.push(
    output,
    reportsChanged,
    progress,
    client.onNotification(reportsChangedNotification, (message: ReportsChanged) => {
      reportsChanged.fire(message);
    }),
    client.onNotification(progressNotification, (message: ProgressChanged) => {
      progress.fire(message);
    }),
  );
  return {
    onReportsChanged: reportsChanged.event,
    onProgress: progress.event,
    output,
    placements: (parameters) => client.sendRequest(placementsRequest, parameters),
    scene: (parameters) => client.sendRequest(sceneRequest, parameters),
    picture: (parameters) => client.sendRequest(pictureRequest, parameters),
    origin: (parameters) => client.sendRequest(originRequest, parameters),
    explain: (parameters) => client.sendRequest(explainRequest, parameters),
    exported: (parameters) => client.sendRequest(exportRequest, parameters),
    formats: () => client.sendRequest(formatsRequest),
    describeFabric: (parameters) => client.sendRequest(describeFabricRequest, parameters),
    finish: (parameters) => void client.sendNotification(finishNotification, parameters),
    cancel: (parameters) => void client.sendNotification(cancelNotification, parameters),
    run: (parameters) => void client.sendNotification(runNotification, parameters),
    grantTrust: () => void client.sendNotification(trustGrantedNotification),
    start: () => client.start(),
    restart: () => client.restart(),
    stop: () => client.dispose(),
  };
}

function clientOptions(output: LogOutputChannel): LanguageClientOptions {
  return {
    documentSelector: [
      { language: 'place', scheme: 'file' },
      { language: 'place', scheme: 'untitled' },
    ],
    outputChannel: output,
    // Asked anew at every start, so that a restarted server knows of trust granted meanwhile.
    initializationOptions: (): InitializationOptions => ({ trusted: workspace.isTrusted }),
  };
}
