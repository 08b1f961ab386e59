/** The requests beyond LSP, for pictures, exports and explanations; messages are in `protocol/messages.ts`. */
import type { CancellationToken, Connection } from 'vscode-languageserver';
import { exportFormats } from '../../interchange/catalogue.ts';
import { locationOf, rangeOf } from '../../language/service/input.ts';
import * as service from '../../language/service/languageService.ts';
import { fileNameOf } from '../../language/uris.ts';
import {
  changeEditsRequest,
  cancelExperimentNotification,
  cancelNotification,
  comparablePlacementsRequest,
  describeFabricRequest,
  experimentFigureRequest,
  experimentsRequest,
  explainRequest,
  exportRequest,
  finishNotification,
  formatsRequest,
  machinePictureRequest,
  machineRequest,
  machinesRequest,
  originRequest,
  pictureRequest,
  placementsRequest,
  previewRequest,
  protocolVersion,
  runExperimentNotification,
  runNotification,
  sceneRequest,
  cancelSimulationNotification,
  simulateNotification,
  simulationFigureRequest,
  simulatedNotification,
  type ChangeEditsAnswer,
  type ChangeParameters,
  type ComparablePlacement,
  type ComparablePlacementsParameters,
  type DescribeFabricAnswer,
  type DescribeFabricParameters,
  type ExperimentParameters,
  type RunExperimentParameters,
  type SimulatedChanged,
  type SimulationFigureAnswer,
  type SimulationFigureParameters,
  type SimulationParameters,
  type ExperimentFigureAnswer,
  type ExperimentFigureParameters,
  type ExperimentSummary,
  type ExplainAnswer,
  type ExplainParameters,
  type ExportAnswer,
  type ExportParameters,
  type FinishParameters,
  type FormatSummary,
  type HopsAnswer,
  type MachineAnswer,
  type MachineParameters,
  type MachineSummary,
  type OriginAnswer,
  type OriginParameters,
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
import { CancelCell } from '../cancelCell.ts';
import { threadsShareMemory } from '../platform.ts';
import type { MachineOrder, MachineOutcome, ReadPolicyMessage } from '../workerMessages.ts';
import type { Analyses, Analysis } from './analyses.ts';
import type { ExperimentRuns } from './experimentRuns.ts';
import { inputOf } from './features.ts';
import type { MapperComparisons } from './mapperComparisons.ts';
import { problemOfMachine, type Publisher } from './publisher.ts';
import type { SimulationRuns } from './simulationRuns.ts';
import type { Studies } from './studies.ts';
import { WorkerFault, type ComputingThreads, type WorkerHandle } from './workerHandle.ts';

interface RequestSurroundings {
  readonly analyses: Analyses;
  readonly studies: Studies;
  readonly runs: ExperimentRuns;
  readonly simulations: SimulationRuns;
  readonly comparisons: MapperComparisons;
  readonly publisher: Publisher;
  /** The thread that has the finished reports. */
  readonly reading: WorkerHandle;
  readonly figures: ComputingThreads['figures'];
  readonly machines: ComputingThreads['machines'];
  /** Starts a thread for something that takes long and is asked for rarely. */
  readonly separateThread: () => WorkerHandle;
  /** What may be read, by whoever reads `uri`. */
  readonly policy: (uri: string) => ReadPolicyMessage;
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
  connection.onRequest(sceneRequest, (parameters: SceneParameters) => scene(surroundings, parameters));
  connection.onRequest(exportRequest, (parameters: ExportParameters) => exported(surroundings, parameters));
  connection.onRequest(pictureRequest, (parameters: SceneParameters) => picture(surroundings, parameters));
  connection.onRequest(originRequest, (parameters: OriginParameters) => origin(surroundings, parameters));
  connection.onRequest(formatsRequest, formats);
  connection.onRequest(describeFabricRequest, (parameters: DescribeFabricParameters, token: CancellationToken) =>
    describeFabric(surroundings, parameters, token),
  );
  connection.onRequest(machinesRequest, (parameters: PlacementsParameters) => machines(surroundings, parameters));
  connection.onRequest(machineRequest, (parameters: MachineParameters, token: CancellationToken) =>
    machine(surroundings, parameters, token),
  );
  connection.onRequest(machinePictureRequest, (parameters: MachineParameters, token: CancellationToken) =>
    machinePicture(surroundings, parameters, token),
  );
  const explanations = new Explanations(surroundings.reading);
  connection.onRequest(explainRequest, (parameters: ExplainParameters, token: CancellationToken) =>
    explain(explanations, parameters, token),
  );
  connection.onRequest(experimentsRequest, (parameters: PlacementsParameters) => experiments(surroundings, parameters));
  connection.onRequest(experimentFigureRequest, (parameters: ExperimentFigureParameters, token: CancellationToken) =>
    experimentFigure(connection, surroundings, parameters, token),
  );
  connection.onRequest(simulationFigureRequest, (parameters: SimulationFigureParameters, token: CancellationToken) =>
    simulationFigure(surroundings, parameters, token),
  );
  connection.onRequest(triedMappersRequest, (parameters: SceneParameters) => comparisons.tableOf(parameters));
  connection.onRequest<TriedMappersCsvAnswer, never>(triedMappersCsvRequest, (parameters: SceneParameters) =>
    comparisons.csv(parameters),
  );
  connection.onRequest(previewRequest, (parameters: ChangeParameters) => preview(comparisons, parameters));
  connection.onRequest(changeEditsRequest, (parameters: ChangeParameters) => changeEdits(comparisons, parameters));
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
  connection.onNotification(finishNotification, ({ uri, placement }: FinishParameters) => {
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
  connection.onNotification(runNotification, ({ uri }: StudyParameters) => {
    if (isOpen(uri)) studies.order(uri);
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
    const answer = await surroundings.reading.send({ kind: 'scene', uri, placement });
    const { isMissing, ...standing } = await standingOf(surroundings, parameters);
    if (answer.kind === 'scene') {
      return { kind: 'scene', version: protocolVersion, revision, scene: answer.scene, ...standing };
    }
    const { status, problem } = standing;
    const reason = isMissing ? reasonOf(placement, status, problem?.message) : answer.reason;
    return { kind: 'nothing', reason, status, ...(problem === undefined ? {} : { problem }) };
  } catch (fault) {
    return { kind: 'nothing', reason: sentenceOf(fault), status: idle };
  }
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
  const { uri, placement, format } = parameters;
  try {
    const answer = await surroundings.reading.send({ kind: 'export', uri, placement, format });
    const { isMissing, stale, status, problem } = await standingOf(surroundings, parameters);
    if (!answer.ok) return isMissing ? { ok: false, message: reasonOf(placement, status, problem?.message) } : answer;
    const suggestedName = `${fileNameOf(uri).replace(/\.place$/, '')}.${answer.suggestedName}`;
    const warnings = stale ? [staleWarning(placement), ...answer.warnings] : answer.warnings;
    return { ...answer, suggestedName, warnings };
  } catch (fault) {
    return { ok: false, message: sentenceOf(fault) };
  }
}

async function picture({ reading }: RequestSurroundings, { uri, placement }: SceneParameters): Promise<PictureAnswer> {
  try {
    return await reading.send({ kind: 'picture', uri, placement });
  } catch (fault) {
    return { ok: false, message: sentenceOf(fault) };
  }
}

async function origin(
  { analyses, studies }: RequestSurroundings,
  { uri, placement, target }: OriginParameters,
): Promise<OriginAnswer> {
  const analysis = await analyses.of(uri);
  return (analysis && service.origin(inputOf(analysis, studies), placement, target)) ?? null;
}

async function explain(
  explanations: Explanations,
  parameters: ExplainParameters,
  token: CancellationToken,
): Promise<ExplainAnswer | HopsAnswer> {
  try {
    return await explanations.explain(parameters, token);
  } catch (fault) {
    return { kind: 'nothing', reason: sentenceOf(fault) };
  }
}

/** In a thread of its own: a large file must keep nobody waiting. */
async function describeFabric(
  { separateThread, policy }: RequestSurroundings,
  parameters: DescribeFabricParameters,
  token: CancellationToken,
): Promise<DescribeFabricAnswer> {
  const thread = separateThread();
  const cell = new CancelCell();
  const subscription = token.onCancellationRequested(() => {
    cell.cancel();
  });
  try {
    const cancelFlag = cell.buffer;
    return await thread.send({ kind: 'describe-fabric', ...parameters, policy: policy(parameters.uri), cancelFlag });
  } catch (fault) {
    return { ok: false, message: sentenceOf(fault) };
  } finally {
    subscription.dispose();
    await thread.stop();
  }
}

/** Sound or not. */
async function machines(
  { analyses, studies }: RequestSurroundings,
  { uri }: PlacementsParameters,
): Promise<readonly MachineSummary[]> {
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return [];
  const found = analysis.checked.symbols.all('machine').flatMap(({ name, node, uri: declaredIn }): MachineSummary[] => {
    const location = locationOf(inputOf(analysis, studies), declaredIn, node.name ?? node.keyword);
    return location === undefined ? [] : [{ name, ...location }];
  });
  return found.sort((one, other) => Number(other.uri === uri) - Number(one.uri === uri));
}

async function machine(
  surroundings: RequestSurroundings,
  { uri, machine: name }: MachineParameters,
  token: CancellationToken,
): Promise<MachineAnswer> {
  const { analyses, studies } = surroundings;
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return { kind: 'nothing', reason: 'The file of this machine is not open.' };
  const declared = analysis.checked.symbols.lookup('machine', name);
  const location = declared && locationOf(inputOf(analysis, studies), declared.uri, declared.node.name ?? declared.node.keyword); // prettier-ignore
  const where: Pick<MachineAnswer, 'declared'> = location === undefined ? {} : { declared: location };
  const withProblem = (fault: string | undefined): Pick<MachineAnswer, 'declared' | 'problem'> => {
    const problem = problemOfMachine(analysis, studies, name, fault);
    return { ...where, ...(problem && { problem }) };
  };
  try {
    const outcome = await machineOutcome(surroundings, analysis, name, 'scene', token);
    if (outcome?.kind === 'scene') {
      const { scene, fault } = outcome;
      return { kind: 'scene', version: protocolVersion, scene, ...withProblem(fault) };
    }
    const reason = outcome?.kind === 'nothing' ? outcome.reason : undefined;
    const found = withProblem(reason);
    return { kind: 'nothing', reason: reason ?? found.problem?.message ?? noSuchMachine(name), ...found };
  } catch (fault) {
    return { kind: 'nothing', reason: sentenceOf(fault), ...where };
  }
}

const noSuchMachine = (name: string): string =>
  `Machine "${name}" is not in the file, or it has errors: they are listed among the problems.`;

async function machinePicture(
  surroundings: RequestSurroundings,
  { uri, machine: name }: MachineParameters,
  token: CancellationToken,
): Promise<PictureAnswer> {
  const analysis = await surroundings.analyses.of(uri);
  if (analysis === undefined) return { ok: false, message: 'The file of this machine is not open.' };
  try {
    const outcome = await machineOutcome(surroundings, analysis, name, 'svg', token);
    if (outcome?.kind === 'svg') return { ok: true, svg: outcome.svg };
    return { ok: false, message: outcome?.kind === 'nothing' ? outcome.reason : noSuchMachine(name) };
  } catch (fault) {
    return { ok: false, message: sentenceOf(fault) };
  }
}

/** Undefined for a machine that is not there or has errors in its text. */
async function machineOutcome(
  { machines, policy }: RequestSurroundings,
  { uri, checked }: Analysis,
  name: string,
  form: MachineOrder['form'],
  token: CancellationToken,
): Promise<MachineOutcome | undefined> {
  const description = checked.program.machines.get(name);
  if (description === undefined) return undefined;
  const cell = new CancelCell();
  const subscription = token.onCancellationRequested(() => {
    cell.cancel();
  });
  try {
    const order = { uri, description, policy: policy(uri), cancelFlag: cell.buffer, form } as const;
    return await machines.send({ kind: 'machine', ...order });
  } finally {
    subscription.dispose();
  }
}

/** Those of the file itself, sound or not. */
async function experiments(
  { analyses }: RequestSurroundings,
  { uri }: PlacementsParameters,
): Promise<readonly ExperimentSummary[]> {
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return [];
  const { document, sources } = analysis;
  const { declarations = [] } = sources.files.get(sources.root)?.tree ?? {};
  return declarations.flatMap((declaration) =>
    declaration.kind === 'experiment' && declaration.name
      ? [{ name: declaration.name.text, range: rangeOf(document, declaration) }]
      : [],
  );
}

async function experimentFigure(
  connection: Connection,
  { analyses, figures, policy, runs }: RequestSurroundings,
  { uri, experiment, choice }: ExperimentFigureParameters,
  token: CancellationToken,
): Promise<ExperimentFigureAnswer> {
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return { kind: 'nothing', reason: 'The file of this experiment is not open.' };
  const { program, experiments: declared } = analysis.checked;
  if (!declared.experiments.some(({ name }) => name === experiment)) {
    const reason = `Experiment "${experiment}" is not in the file, or it or what it names has errors: they are listed among the problems.`;
    return { kind: 'nothing', reason };
  }
  const cell = new CancelCell();
  const subscription = token.onCancellationRequested(() => {
    cell.cancel();
  });
  try {
    const checked = { program, experiments: declared };
    const order = { uri, experiment, choice, checked, policy: policy(uri), cancelFlag: cell.buffer };
    const thread = choice.kind === 'curves' ? figures.results : figures.replications;
    const answer = await thread.send({ kind: 'experiment-figure', ...order }, ({ words }) => {
      const message: SimulatedChanged = { uri, experiment, words };
      void connection.sendNotification(simulatedNotification, message);
    });
    const progress = runs.progressOf(uri, experiment);
    return { ...answer, ...(progress !== undefined && { progress }) };
  } catch (fault) {
    return { kind: 'nothing', reason: sentenceOf(fault) };
  } finally {
    subscription.dispose();
  }
}

async function simulationFigure(
  { simulations }: RequestSurroundings,
  { uri, placement, choice }: SimulationFigureParameters,
  token: CancellationToken,
): Promise<SimulationFigureAnswer> {
  const cell = new CancelCell();
  const subscription = token.onCancellationRequested(() => {
    cell.cancel();
  });
  try {
    return await simulations.figure(uri, placement, choice, cell);
  } catch (fault) {
    return { kind: 'nothing', reason: sentenceOf(fault) };
  } finally {
    subscription.dispose();
  }
}

async function preview(
  comparisons: MapperComparisons,
  { uri, placement, change }: ChangeParameters,
): Promise<PreviewAnswer> {
  try {
    return await comparisons.preview(uri, placement, change);
  } catch (fault) {
    return { kind: 'nothing', reason: sentenceOf(fault) };
  }
}

async function changeEdits(
  comparisons: MapperComparisons,
  { uri, placement, change }: ChangeParameters,
): Promise<ChangeEditsAnswer> {
  try {
    return await comparisons.edits(uri, placement, change);
  } catch (fault) {
    return { ok: false, message: sentenceOf(fault) };
  }
}

const formats = (): readonly FormatSummary[] =>
  exportFormats.map(({ name, summary, extension }) => ({ name, summary, extension }));

const staleWarning = (placement: string): string =>
  `The text changed since placement "${placement}" was worked out; this is the older answer. Save the file and export again for the new one.`;

/** Only a lost worker is expected here; anything else is ours to see in the log. */
function sentenceOf(fault: unknown): string {
  if (fault instanceof WorkerFault) return `This could not be answered: ${fault.message}. Try it again.`;
  throw fault;
}

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
  ): Promise<ExplainAnswer | HopsAnswer> {
    const key = JSON.stringify([uri, placement]);
    const cell = new CancelCell();
    this.#latest.get(key)?.cancel();
    this.#latest.set(key, cell);
    const subscription = token.onCancellationRequested(() => {
      cell.cancel();
    });
    try {
      return await this.#worker.send({ kind: 'explain', uri, placement, target, cancelFlag: cell.buffer });
    } finally {
      subscription.dispose();
      if (this.#latest.get(key) === cell) this.#latest.delete(key);
    }
  }
}

/** Nothing reaches a search that is under way but the end of its thread. */
const cannotFinish =
  'This page of the browser shares no memory between its threads, so a search cannot be told to stop and keep what it has: let it end, cancel it, or write a smaller `budget`.';
