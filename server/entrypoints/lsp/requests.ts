/** The requests beyond LSP, for pictures, exports and explanations; messages are in `protocol/messages.ts`. */
import type { CancellationToken, Connection } from 'vscode-languageserver';
import { exportFormats } from '../../interchange/catalogue.ts';
import * as service from '../../language/service/languageService.ts';
import { fileNameOf } from '../../language/uris.ts';
import {
  cancelExperimentNotification,
  runExperimentNotification,
  cancelSimulationNotification,
  simulateNotification,
  type ExperimentParameters,
  type RunExperimentParameters,
  type SimulationParameters,
} from '../../protocol/figures.ts';
import {
  changeEditsRequest,
  cancelNotification,
  comparablePlacementsRequest,
  explainRequest,
  exportRequest,
  finishNotification,
  formatsRequest,
  originRequest,
  pictureRequest,
  placementsRequest,
  previewRequest,
  protocolVersion,
  runNotification,
  sceneRequest,
  thingAtRequest,
  type ChangeEditsAnswer,
  type ChangeParameters,
  type ComparablePlacement,
  type ComparablePlacementsParameters,
  type ExplainAnswer,
  type ExplainParameters,
  type ExportAnswer,
  type ExportParameters,
  type PlacementStudyParameters,
  type FormatSummary,
  type KeptAnswer,
  type OriginAnswer,
  type OriginParameters,
  type ThingAtAnswer,
  type ThingAtParameters,
  type PictureAnswer,
  type PlacementsParameters,
  type PlacementSummary,
  type PreviewAnswer,
  type SceneAnswer,
  type SceneParameters,
  type StudyParameters,
} from '../../protocol/messages.ts';
import {
  stopMappersNotification,
  triedMappersCsvRequest,
  triedMappersRequest,
  tryMappersNotification,
  type TriedMappersCsvAnswer,
  type TryMappersParameters,
} from '../../protocol/mapperComparison.ts';
import { idle, type PlacementStatus } from '../../study/report.ts';
import { formNames } from '../../model/experiment.ts';
import { whileAsked, type CancelCell } from '../cancelCell.ts';
import { threadsShareMemory } from '../platform.ts';
import { inputOf } from './features.ts';
import type { MapperComparisons } from './mapperComparisons.ts';
import type { Publisher } from './publisher.ts';
import { answerFigureRequests, type FigureSurroundings } from './figureRequests.ts';
import { answerLossRequests, type LossSurroundings } from './lossRequests.ts';
import { answerMachineRequests, type MachineSurroundings } from './machineRequests.ts';
import { refusalOf, type WorkerHandle } from './workerHandle.ts';

interface RequestSurroundings extends MachineSurroundings, FigureSurroundings, LossSurroundings {
  readonly comparisons: MapperComparisons;
  readonly publisher: Publisher;
  /** The thread that has the finished reports. */
  readonly reading: WorkerHandle;
  readonly isOpen: (uri: string) => boolean;
  /** URIs of all documents that are open. */
  readonly documents: () => readonly string[];
}

/** Answers what the editor asks beyond LSP; the parameters and answers are in `protocol/messages.ts`. */
export function answerRequests(connection: Connection, surroundings: RequestSurroundings): void {
  const { studies, runs, simulations, comparisons, isOpen } = surroundings;
  connection.onRequest(placementsRequest, (parameters: PlacementsParameters) => placements(surroundings, parameters));
  connection.onRequest(comparablePlacementsRequest, (parameters: ComparablePlacementsParameters) =>
    comparablePlacements(surroundings, parameters),
  );
  connection.onRequest<SceneAnswer, never>(sceneRequest, (parameters: SceneParameters) =>
    scene(surroundings, parameters),
  );
  connection.onRequest<ExportAnswer, never>(exportRequest, (parameters: ExportParameters) =>
    exported(surroundings, parameters),
  );
  connection.onRequest<PictureAnswer, never>(pictureRequest, (parameters: SceneParameters) =>
    picture(surroundings, parameters),
  );
  connection.onRequest(originRequest, (parameters: OriginParameters) => origin(surroundings, parameters));
  connection.onRequest(thingAtRequest, (parameters: ThingAtParameters) => thingAt(surroundings, parameters));
  connection.onRequest(formatsRequest, formats);
  answerMachineRequests(connection, surroundings);
  answerFigureRequests(connection, surroundings);
  answerLossRequests(connection, surroundings);
  const explanations = new Explanations(surroundings.reading);
  connection.onRequest<ExplainAnswer | KeptAnswer, never>(
    explainRequest,
    (parameters: ExplainParameters, token: CancellationToken) => explain(explanations, parameters, token),
  );
  connection.onRequest(triedMappersRequest, (parameters: SceneParameters) => comparisons.tableOf(parameters));
  connection.onRequest<TriedMappersCsvAnswer, never>(triedMappersCsvRequest, (parameters: SceneParameters) =>
    comparisons.csv(parameters),
  );
  connection.onRequest<PreviewAnswer, never>(previewRequest, (parameters: ChangeParameters) =>
    preview(comparisons, parameters),
  );
  connection.onRequest<ChangeEditsAnswer, never>(changeEditsRequest, (parameters: ChangeParameters) =>
    changeEdits(comparisons, parameters),
  );
  connection.onNotification(tryMappersNotification, (parameters: TryMappersParameters) => {
    void comparisons.try(parameters);
  });
  connection.onNotification(stopMappersNotification, (parameters: SceneParameters) => {
    comparisons.stopTrying(parameters);
  });
  connection.onNotification(simulateNotification, ({ uri, placement }: SimulationParameters) => {
    void simulations.order(uri, placement);
  });
  connection.onNotification(cancelSimulationNotification, ({ uri, placement }: SimulationParameters) => {
    simulations.cancel(uri, placement);
  });
  connection.onNotification(finishNotification, ({ uri, placement }: PlacementStudyParameters) => {
    if (!threadsShareMemory()) connection.window.showWarningMessage(cannotFinish);
    studies.finish(uri, placement);
  });
  connection.onNotification(cancelNotification, ({ uri }: StudyParameters) => {
    studies.cancel(uri);
  });
  connection.onNotification(runExperimentNotification, ({ uri, experiment, form, slurm }: RunExperimentParameters) => {
    void runs.order(uri, experiment, { form: formNames.find((one) => one === form), onSlurm: slurm === true });
  });
  connection.onNotification(cancelExperimentNotification, ({ uri, experiment }: ExperimentParameters) => {
    runs.cancel(uri, experiment);
  });
  connection.onNotification(runNotification, ({ uri, placement }: PlacementStudyParameters) => {
    if (isOpen(uri)) studies.orderAgain(uri, placement);
  });
}

async function placements(
  { analyses, publisher }: RequestSurroundings,
  { uri }: PlacementsParameters,
): Promise<readonly PlacementSummary[]> {
  const analysis = await analyses.of(uri);
  return analysis === undefined ? [] : publisher.placementsOf(analysis);
}

/** Those of other documents that are open, too: a machine and its jobs may be imported by several. */
async function comparablePlacements(
  { analyses, studies, documents }: RequestSurroundings,
  { uri, placement }: ComparablePlacementsParameters,
): Promise<readonly ComparablePlacement[]> {
  const first = await analyses.of(uri);
  if (first === undefined) return [];
  const others = await Promise.all(documents().map((other) => analyses.of(other)));
  const inputs = [first, ...others.flatMap((other) => (other === undefined || other.uri === uri ? [] : [other]))];
  return service.comparablePlacements(
    inputs.map((input) => inputOf(input, studies)),
    placement,
  );
}

async function scene(surroundings: RequestSurroundings, parameters: SceneParameters): Promise<SceneAnswer> {
  const { uri, placement } = parameters;
  try {
    // The picture may be of a newer report than this: then it is fetched once more.
    const revision = surroundings.studies.revisionOf(uri, placement);
    const first = await comparedWith(surroundings, parameters);
    const answer = await surroundings.reading.send({ kind: 'scene', uri, placement, ...(first && { first }) });
    const { isMissing, ...standing } = await standingOf(surroundings, parameters);
    if (answer.kind === 'scene') {
      return { kind: 'scene', version: protocolVersion, revision, scene: answer.scene, ...standing };
    }
    const { status, problem } = standing;
    const reason = isMissing ? reasonOf(placement, status, problem?.message) : answer.reason;
    return { kind: 'nothing', reason, status, ...(problem === undefined ? {} : { problem }) };
  } catch (fault) {
    return { kind: 'nothing', reason: refusalOf(fault), status: idle };
  }
}

/** What the figures of a placement are compared with, where that is another one. */
async function comparedWith(
  { analyses, studies }: RequestSurroundings,
  { uri, placement }: SceneParameters,
): Promise<string | undefined> {
  const analysis = await analyses.of(uri);
  const outlines = (analysis && inputOf(analysis, studies).summary?.placements) ?? [];
  const own = outlines.find(({ name }) => name === placement);
  const first = own && service.firstPlacements(outlines)(own);
  return first === own ? undefined : first?.name;
}

/** What is known of a placement; of a document that is not open, nothing. */
async function standingOf({ analyses, publisher }: RequestSurroundings, { uri, placement }: SceneParameters) {
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return { isMissing: true, stale: false, status: idle };
  const { state, status, problem } = publisher.standingOf(analysis, placement);
  return {
    isMissing: state === 'missing',
    stale: state !== 'fresh',
    status,
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Why there is no picture. */
function reasonOf(placement: string, status: PlacementStatus, problem: string | undefined): string {
  switch (status.kind) {
    case 'idle':
    case 'stopped':
      return `Placement "${placement}" has not been worked out. Save the file to do so.`;
    case 'waiting':
      return `Placement "${placement}" will be worked out; others go first.`;
    case 'working':
      return `Placement "${placement}" is being worked out.`;
    case 'cancelled':
      return `Working out placement "${placement}" was cancelled.`;
    case 'failed':
      return `Placement "${placement}" could not be worked out: ${problem ?? status.message}`;
  }
}

async function exported(surroundings: RequestSurroundings, parameters: ExportParameters): Promise<ExportAnswer> {
  const { uri, placement, format, names } = parameters;
  try {
    const named = names === undefined ? {} : { names };
    const answer = await surroundings.reading.send({ kind: 'export', uri, placement, format, ...named });
    const { isMissing, stale, status, problem } = await standingOf(surroundings, parameters);
    if (!answer.ok) return isMissing ? { ok: false, message: reasonOf(placement, status, problem?.message) } : answer;
    const isFixed = exportFormats.some(({ fileName }) => fileName === answer.suggestedName);
    const stem = fileNameOf(uri).replace(/\.place$/, '');
    const suggestedName = isFixed ? answer.suggestedName : `${stem}.${answer.suggestedName}`;
    const warnings = stale ? [staleWarning(placement), ...answer.warnings] : answer.warnings;
    return { ...answer, suggestedName, warnings };
  } catch (fault) {
    return { ok: false, message: refusalOf(fault) };
  }
}

async function picture({ reading }: RequestSurroundings, { uri, placement }: SceneParameters): Promise<PictureAnswer> {
  try {
    return await reading.send({ kind: 'picture', uri, placement });
  } catch (fault) {
    return { ok: false, message: refusalOf(fault) };
  }
}

async function origin(
  { analyses, studies }: RequestSurroundings,
  { uri, placement, target }: OriginParameters,
): Promise<OriginAnswer> {
  const analysis = await analyses.of(uri);
  return (analysis && service.origin(inputOf(analysis, studies), placement, target)) ?? null;
}

async function thingAt(
  { analyses, studies }: RequestSurroundings,
  { uri, at }: ThingAtParameters,
): Promise<ThingAtAnswer> {
  const analysis = await analyses.of(uri);
  return (analysis && service.thingAt(inputOf(analysis, studies), at)) ?? null;
}

async function explain(
  explanations: Explanations,
  parameters: ExplainParameters,
  token: CancellationToken,
): Promise<ExplainAnswer | KeptAnswer> {
  try {
    return await explanations.explain(parameters, token);
  } catch (fault) {
    return { kind: 'nothing', reason: refusalOf(fault) };
  }
}

async function preview(
  comparisons: MapperComparisons,
  { uri, placement, change }: ChangeParameters,
): Promise<PreviewAnswer> {
  try {
    return await comparisons.preview(uri, placement, change);
  } catch (fault) {
    return { kind: 'nothing', reason: refusalOf(fault) };
  }
}

async function changeEdits(
  comparisons: MapperComparisons,
  { uri, placement, change }: ChangeParameters,
): Promise<ChangeEditsAnswer> {
  try {
    return await comparisons.edits(uri, placement, change);
  } catch (fault) {
    return { ok: false, message: refusalOf(fault) };
  }
}

const formats = (): readonly FormatSummary[] =>
  exportFormats.map(({ name, summary, extension }) => ({ name, summary, extension }));

const staleWarning = (placement: string): string =>
  `The text changed since placement "${placement}" was worked out; this is the older answer. Save the file and export again for the new one.`;

/**
 * Orders explanations from the worker. Who clicks on one link after another wants the last one:
 * an order for a placement cancels the one before it.
 */
export class Explanations {
  readonly #worker: Pick<WorkerHandle, 'send'>;
  readonly #latest = new Map<string, CancelCell>();

  constructor(worker: Pick<WorkerHandle, 'send'>) {
    this.#worker = worker;
  }

  async explain(
    { uri, placement, target }: ExplainParameters,
    token: CancellationToken,
  ): Promise<ExplainAnswer | KeptAnswer> {
    const key = JSON.stringify([uri, placement]);
    return whileAsked(token, async (cell) => {
      this.#latest.get(key)?.cancel();
      this.#latest.set(key, cell);
      try {
        return await this.#worker.send({ kind: 'explain', uri, placement, target, cancelFlag: cell.buffer });
      } finally {
        if (this.#latest.get(key) === cell) this.#latest.delete(key);
      }
    });
  }
}

/** Nothing reaches a search that is under way but the end of its thread. */
const cannotFinish =
  'This page of the browser shares no memory between its threads, so a search cannot be told to stop and keep what it has: let it end, cancel it, or write a smaller `budget`.';
