/** Answers to what the editor asks beyond LSP: one for each row of the table in `protocol/calls.ts` that no other thread answers. */
import type { CancellationToken, Connection } from 'vscode-languageserver';
import { exportFormats } from '../../interchange/catalogue.ts';
import { filesNeeded, tableNeed } from '../../language/fileNeeds.ts';
import { locationOf, rangeOf } from '../../language/service/input.ts';
import * as service from '../../language/service/languageService.ts';
import { fileNameOf } from '../../language/uris.ts';
import { formNames } from '../../model/experiment.ts';
import type { AnswerTo, ParametersOf } from '../../protocol/calls.ts';
import { protocolVersion, type MachineSummary, type SceneParameters } from '../../protocol/messages.ts';
import type { TrafficAnswer, TrafficParameters, TrafficSubjectSummary } from '../../protocol/trafficPanel.ts';
import { idle, type PlacementStatus } from '../../study/report.ts';
import type { CancelCell } from '../cancelCell.ts';
import { threadsShareMemory } from '../platform.ts';
import type { TrafficDeclaration } from '../traffic.ts';
import type { SceneOutcome } from '../workerMessages.ts';
import type { Analyses, Analysis } from './analyses.ts';
import {
  answerCalls,
  tellEditor,
  type ForwardingThreads,
  type NotificationHandlers,
  type RequestAnswers,
} from './dispatcher.ts';
import type { ExperimentRuns } from './experimentRuns.ts';
import { inputOf } from './features.ts';
import type { MapperComparisons } from './mapperComparisons.ts';
import { openReportChannel, machineOfPlacement } from './jobs.ts';
import { problemOfMachine, type Publisher } from './publisher.ts';
import type { SimulationRuns } from './simulationRuns.ts';
import type { Studies } from './studies.ts';
import { lostWorkerRefusal, type ComputingThreads, type WorkerHandle } from './workerHandle.ts';

export interface AnswerDependencies extends ForwardingThreads {
  readonly connection: Connection;
  readonly analyses: Analyses;
  readonly studies: Studies;
  readonly runs: ExperimentRuns;
  readonly simulations: SimulationRuns;
  readonly comparisons: MapperComparisons;
  readonly publisher: Publisher;
  readonly reading: WorkerHandle;
  readonly figures: ComputingThreads['figures'];
  readonly machines: ComputingThreads['machines'];
  readonly isOpen: (uri: string) => boolean;
  /** URIs of all documents that are open. */
  readonly documents: () => readonly string[];
  readonly overview: () => Promise<AnswerTo<'overview'>>;
  readonly grantTrust: () => void;
}

export function answerRequests(dependencies: AnswerDependencies): void {
  answerCalls(dependencies.connection, dependencies, requestAnswers, notificationHandlers(dependencies));
}

const requestAnswers: RequestAnswers<AnswerDependencies> = {
  placements,
  comparablePlacements: answerComparablePlacements,
  overview: ({ overview }) => overview(),
  scene,
  origin: answerOrigin,
  thingAt: answerThingAt,
  referenceAt: answerReferenceAt,
  export: answerExport,
  formats: () => exportFormats.map(({ name, summary, extension }) => ({ name, summary, extension })),
  machines,
  machine,
  trafficSubjects,
  traffic,
  experiments,
  experimentFigure,
  simulationFigure: ({ simulations }, { uri, placement, choice }, cell) =>
    simulations.figure(uri, placement, choice, cell),
  triedMappers: ({ comparisons }, parameters) => comparisons.tableOf(parameters),
  triedMappersCsv: ({ comparisons }, parameters) => comparisons.csv(parameters),
  cableLosses,
  withoutCable,
  preview: ({ comparisons }, { uri, placement, change }) => comparisons.preview(uri, placement, change),
  changeEdits: ({ comparisons }, { uri, placement, change }) => comparisons.edits(uri, placement, change),
};

function notificationHandlers({
  connection,
  studies,
  runs,
  simulations,
  comparisons,
  isOpen,
  grantTrust,
}: AnswerDependencies): NotificationHandlers {
  return {
    finish: ({ uri, placement }) => {
      if (!threadsShareMemory()) connection.window.showWarningMessage(cannotFinish);
      studies.finish(uri, placement);
    },
    cancel: ({ uri }) => {
      studies.cancel(uri);
    },
    run: ({ uri, placement }) => {
      if (isOpen(uri)) studies.orderAgain(uri, placement);
    },
    runExperiment: ({ uri, experiment, form, slurm }) => {
      void runs.order(uri, experiment, { form: formNames.find((one) => one === form), onSlurm: slurm === true });
    },
    cancelExperiment: ({ uri, experiment }) => {
      runs.cancel(uri, experiment);
    },
    simulate: ({ uri, placement }) => {
      void simulations.order(uri, placement);
    },
    cancelSimulation: ({ uri, placement }) => {
      simulations.cancel(uri, placement);
    },
    tryMappers: (parameters) => {
      void comparisons.try(parameters);
    },
    stopMappers: (parameters) => {
      comparisons.stopTrying(parameters);
    },
    trustGranted: grantTrust,
  };
}

async function placements(
  { analyses, publisher }: AnswerDependencies,
  { uri }: ParametersOf<'placements'>,
): Promise<AnswerTo<'placements'>> {
  const analysis = await analyses.of(uri);
  return analysis === undefined ? [] : publisher.placementsOf(analysis);
}

/** Those of other documents that are open, too: a machine and its jobs may be imported by several. */
async function answerComparablePlacements(
  { analyses, studies, documents }: AnswerDependencies,
  { uri, placement }: ParametersOf<'comparablePlacements'>,
): Promise<AnswerTo<'comparablePlacements'>> {
  const first = await analyses.of(uri);
  if (first === undefined) return [];
  const others = await Promise.all(documents().map((other) => analyses.of(other)));
  const inputs = [first, ...others.flatMap((other) => (other === undefined || other.uri === uri ? [] : [other]))];
  return service.comparablePlacements(
    inputs.map((input) => inputOf(input, studies)),
    placement,
  );
}

async function scene(dependencies: AnswerDependencies, parameters: ParametersOf<'scene'>): Promise<AnswerTo<'scene'>> {
  const { uri, placement } = parameters;
  // The picture may be of a newer report than this: then it is fetched once more.
  const revision = dependencies.studies.revisionOf(uri, placement);
  const first = await comparedWith(dependencies, parameters);
  const answer = await dependencies.reading.send({ kind: 'scene', uri, placement, ...(first && { first }) });
  const { isMissing, ...standing } = await publishedState(dependencies, parameters);
  if (answer.kind === 'scene') {
    return { kind: 'scene', version: protocolVersion, revision, scene: answer.scene, ...standing };
  }
  const { status, problem } = standing;
  const reason = isMissing ? reasonWithoutPicture(placement, status, problem?.message) : answer.reason;
  return { kind: 'nothing', reason, status, ...(problem === undefined ? {} : { problem }) };
}

/** What the figures of a placement are compared with, where that is another one. */
async function comparedWith(
  { analyses, studies }: AnswerDependencies,
  { uri, placement }: SceneParameters,
): Promise<string | undefined> {
  const analysis = await analyses.of(uri);
  const outlines = (analysis && inputOf(analysis, studies).summary?.placements) ?? [];
  const own = outlines.find(({ name }) => name === placement);
  const first = own && service.firstPlacements(outlines)(own);
  return first === own ? undefined : first?.name;
}

/** What is known of a placement; of a document that is not open, nothing. */
async function publishedState({ analyses, publisher }: AnswerDependencies, { uri, placement }: SceneParameters) {
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
function reasonWithoutPicture(placement: string, status: PlacementStatus, problem: string | undefined): string {
  switch (status.kind) {
    case 'idle':
    case 'stopped':
      return `Placement "${placement}" is not evaluated. Save the file to evaluate it.`;
    case 'waiting':
      return `Placement "${placement}" is queued for evaluation.`;
    case 'working':
      return `Evaluating placement "${placement}".`;
    case 'cancelled':
      return `Evaluation of placement "${placement}" was cancelled.`;
    case 'failed':
      return `Placement "${placement}" could not be evaluated: ${problem ?? status.message}`;
  }
}

async function answerExport(
  dependencies: AnswerDependencies,
  parameters: ParametersOf<'export'>,
): Promise<AnswerTo<'export'>> {
  const { uri, placement, format, names, job } = parameters;
  const named = { ...(names === undefined ? {} : { names }), ...(job === undefined ? {} : { job }) };
  const answer = await dependencies.reading.send({ kind: 'export', uri, placement, format, ...named });
  const { isMissing, stale, status, problem } = await publishedState(dependencies, parameters);
  if (!answer.ok)
    return isMissing ? { ok: false, message: reasonWithoutPicture(placement, status, problem?.message) } : answer;
  const isFixed = exportFormats.some(({ fileName }) => fileName === answer.suggestedName);
  const stem = fileNameOf(uri).replace(/\.place$/, '');
  const suggestedName = isFixed ? answer.suggestedName : `${stem}.${answer.suggestedName}`;
  const warnings = stale ? [staleWarning(placement), ...answer.warnings] : answer.warnings;
  return { ...answer, suggestedName, warnings };
}

async function answerOrigin(
  { analyses, studies }: AnswerDependencies,
  { uri, placement, target }: ParametersOf<'origin'>,
): Promise<AnswerTo<'origin'>> {
  const analysis = await analyses.of(uri);
  return (analysis && service.origin(inputOf(analysis, studies), placement, target)) ?? null;
}

async function answerThingAt(
  { analyses, studies }: AnswerDependencies,
  { uri, at }: ParametersOf<'thingAt'>,
): Promise<AnswerTo<'thingAt'>> {
  const analysis = await analyses.of(uri);
  return (analysis && service.thingAt(inputOf(analysis, studies), at)) ?? null;
}

async function answerReferenceAt(
  { analyses, studies }: AnswerDependencies,
  { uri, position }: ParametersOf<'referenceAt'>,
): Promise<AnswerTo<'referenceAt'>> {
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return null;
  const input = inputOf(analysis, studies);
  return service.referenceAt({ ...input, offset: input.document.offsetAt(position) }) ?? null;
}

/** Sound or not. */
async function machines(
  { analyses, studies }: AnswerDependencies,
  { uri }: ParametersOf<'machines'>,
): Promise<AnswerTo<'machines'>> {
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return [];
  const found = analysis.checked.symbols.all('machine').flatMap(({ name, node, uri: declaredIn }): MachineSummary[] => {
    const location = locationOf(inputOf(analysis, studies), declaredIn, node.name ?? node.keyword);
    return location === undefined ? [] : [{ name, ...location }];
  });
  return found.sort((one, other) => Number(other.uri === uri) - Number(one.uri === uri));
}

async function machine(
  dependencies: AnswerDependencies,
  { uri, machine: name }: ParametersOf<'machine'>,
  cell: CancelCell,
): Promise<AnswerTo<'machine'>> {
  const { analyses, studies } = dependencies;
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return { kind: 'nothing', reason: 'The file of this machine is not open.' };
  const declared = analysis.checked.symbols.lookup('machine', name);
  const location =
    declared && locationOf(inputOf(analysis, studies), declared.uri, declared.node.name ?? declared.node.keyword);
  const where: Pick<AnswerTo<'machine'>, 'declared'> = location === undefined ? {} : { declared: location };
  const withProblem = (fault: string | undefined): Pick<AnswerTo<'machine'>, 'declared' | 'problem'> => {
    const problem = problemOfMachine(analysis, studies, name, fault);
    return { ...where, ...(problem && { problem }) };
  };
  try {
    const outcome = await machineOutcome(dependencies, analysis, name, cell);
    if (outcome?.kind === 'scene') {
      const { scene, fault } = outcome;
      return { kind: 'scene', version: protocolVersion, scene, ...withProblem(fault) };
    }
    const reason = outcome?.kind === 'nothing' ? outcome.reason : undefined;
    const found = withProblem(reason);
    return { kind: 'nothing', reason: reason ?? found.problem?.message ?? noSuchMachine(name), ...found };
  } catch (fault) {
    return { kind: 'nothing', reason: lostWorkerRefusal(fault), ...where };
  }
}

const noSuchMachine = (name: string): string =>
  `Machine "${name}" does not exist in the file, or has errors. See Problems.`;

/** Undefined for a machine that is not there or has errors in its text. */
async function machineOutcome(
  { machines, policy }: AnswerDependencies,
  { uri, checked }: Analysis,
  name: string,
  { buffer: cancelFlag }: CancelCell,
): Promise<SceneOutcome | undefined> {
  const description = checked.program.machines.get(name);
  return description && machines.send({ kind: 'machine', uri, description, policy: policy(uri), cancelFlag });
}

/** Placements, then jobs, then tables that no job has; those of the file itself. */
async function trafficSubjects(
  { analyses, publisher }: AnswerDependencies,
  { uri }: ParametersOf<'trafficSubjects'>,
): Promise<readonly TrafficSubjectSummary[]> {
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return [];
  const { document, checked } = analysis;
  const placements = publisher
    .placementsOf(analysis)
    .map(({ name, range, state }): TrafficSubjectSummary => ({ of: 'placement', name, range, state }));
  const declared = (of: 'job' | 'table', isWanted: (name: string) => boolean): TrafficSubjectSummary[] =>
    checked.symbols
      .all(of)
      .filter((one) => one.uri === uri && isWanted(one.name))
      .map(({ name, node }) => ({ of, name, range: rangeOf(document, node) }));
  const used = new Set(
    [...checked.program.jobs.values()].flatMap(({ source }) => ('name' in source ? source.name : [])),
  );
  return [...placements, ...declared('job', () => true), ...declared('table', (name) => !used.has(name))];
}

async function traffic(
  dependencies: AnswerDependencies,
  parameters: TrafficParameters,
  cell: CancelCell,
): Promise<TrafficAnswer> {
  const analysis = await dependencies.analyses.of(parameters.uri);
  if (analysis === undefined) return { kind: 'nothing', reason: 'The file of this traffic is not open.' };
  return parameters.of === 'placement'
    ? trafficOfPlacement(dependencies, analysis, parameters, cell)
    : trafficOfDeclaration(dependencies, analysis, parameters, cell);
}

async function trafficOfPlacement(
  { publisher, reading }: AnswerDependencies,
  analysis: Analysis,
  { uri, name: placement, question }: TrafficParameters,
  { buffer: cancelFlag }: CancelCell,
): Promise<TrafficAnswer> {
  const answer = await reading.send({ kind: 'traffic', uri, placement, question, cancelFlag });
  const { state, status, problem } = publisher.standingOf(analysis, placement);
  const progress = status.kind === 'working' ? { progress: status.progress.message } : {};
  if (answer.kind === 'figure')
    return {
      ...answer,
      ...progress,
      about: { ...answer.about, stale: state !== 'fresh', ...(problem && { problem }) },
    };
  if (state !== 'missing') return { ...answer, ...progress };
  const isWaiting = status.kind === 'working' || status.kind === 'waiting';
  const reason = isWaiting
    ? `Evaluating placement "${placement}".`
    : (problem?.message ?? `Placement "${placement}" is not evaluated. Save the file to evaluate it.`);
  return { kind: 'nothing', reason, ...progress };
}

async function trafficOfDeclaration(
  { machines, policy }: AnswerDependencies,
  analysis: Analysis,
  { uri, of, name, question }: TrafficParameters,
  { buffer: cancelFlag }: CancelCell,
): Promise<TrafficAnswer> {
  const declaration = requestedTraffic(analysis, of, name);
  if (declaration === undefined) {
    const what = of === 'table' ? 'Table' : 'Job';
    return {
      kind: 'nothing',
      reason: `${what} "${name}" does not exist in the file, or has errors. See Problems.`,
    };
  }
  return machines.send({ kind: 'job-traffic', declaration, question, policy: policy(uri), cancelFlag });
}

function requestedTraffic(
  { checked }: Analysis,
  of: TrafficParameters['of'],
  name: string,
): TrafficDeclaration | undefined {
  if (of === 'job') {
    const description = checked.program.jobs.get(name);
    return description && { kind: 'job', description, files: filesNeeded([], [description], []) };
  }
  const table = checked.tables.get(name);
  if (table === undefined) return undefined;
  const { source } = table;
  return { kind: 'table', name, table, files: source.kind === 'file' ? [tableNeed(source)] : [] };
}

/** Those of the file itself, sound or not. */
async function experiments(
  { analyses }: AnswerDependencies,
  { uri }: ParametersOf<'experiments'>,
): Promise<AnswerTo<'experiments'>> {
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
  { connection, analyses, figures, policy, runs }: AnswerDependencies,
  { uri, experiment, choice }: ParametersOf<'experimentFigure'>,
  { buffer: cancelFlag }: CancelCell,
): Promise<AnswerTo<'experimentFigure'>> {
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return { kind: 'nothing', reason: 'The file of this experiment is not open.' };
  const { program, experiments: declared } = analysis.checked;
  if (!declared.experiments.some(({ name }) => name === experiment)) {
    const reason = `Experiment "${experiment}" does not exist in the file, or has errors. See Problems.`;
    return { kind: 'nothing', reason };
  }
  const checked = { program, experiments: declared };
  const order = { kind: 'experiment-figure', uri, experiment, choice, checked, policy: policy(uri) } as const;
  const thread = choice.kind === 'curves' ? figures.results : figures.replications;
  const answer = await thread.send({ ...order, cancelFlag }, ({ words }) => {
    tellEditor(connection, 'simulated', { uri, experiment, words });
  });
  const progress = runs.progressOf(uri, experiment);
  return { ...answer, ...(progress !== undefined && { progress }) };
}

const noLosses = (reason: string): AnswerTo<'cableLosses'> => ({ kind: 'nothing', reason });

async function cableLosses(
  { connection, analyses, publisher, reading, separateThread }: AnswerDependencies,
  parameters: ParametersOf<'cableLosses'>,
  _cell: CancelCell,
  token: CancellationToken,
): Promise<AnswerTo<'cableLosses'>> {
  const { uri, placement } = parameters;
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return noLosses('The file of this placement is not open.');
  const description = machineOfPlacement(analysis, placement);
  const { state, revision, status, problem } = publisher.standingOf(analysis, placement);
  if (state !== 'fresh' || description === undefined) {
    const isWaiting = status.kind === 'working' || status.kind === 'waiting';
    if (isWaiting) return noLosses(`Evaluating placement "${placement}".`);
    return noLosses(problem?.message ?? `Placement "${placement}" is not evaluated. Save the file to evaluate it.`);
  }
  const thread = separateThread();
  const subscription = token.onCancellationRequested(() => void thread.stop());
  try {
    const port = await openReportChannel(reading, { uri, placement, description });
    const order = { kind: 'cable-losses', uri, placement, description, port } as const;
    const tell = (share: number): void => {
      tellEditor(connection, 'cableLossesProgress', { ...parameters, share });
    };
    const found = await thread.send(order, tell, [port]);
    if (found.kind === 'nothing') return found;
    const suggestedName = `${fileNameOf(uri).replace(/\.place$/, '')}.${placement}.losses.csv`;
    return { ...found, revision, suggestedName };
  } catch (fault) {
    return noLosses(token.isCancellationRequested ? 'Stopped.' : lostWorkerRefusal(fault));
  } finally {
    subscription.dispose();
    await thread.stop();
  }
}

async function withoutCable(
  { analyses, studies }: AnswerDependencies,
  { uri, placement, cable }: ParametersOf<'withoutCable'>,
): Promise<AnswerTo<'withoutCable'>> {
  const analysis = await analyses.of(uri);
  const description = analysis && machineOfPlacement(analysis, placement);
  if (analysis === undefined || description === undefined)
    return { ok: false, message: `Placement "${placement}" does not exist any more.` };
  const title = `without ${cable}`;
  const edited = service.machineEdits(inputOf(analysis, studies), description.name, title);
  return edited.ok ? { ok: true, ...edited.value, title } : { ok: false, message: edited.failure };
}

const staleWarning = (placement: string): string =>
  `Result of placement "${placement}" is out of date. Save the file and export again.`;

/** Nothing reaches a search that is under way but the end of its thread. */
const cannotFinish =
  'The browser page has no shared memory, so the search cannot be stopped early. Wait, cancel it, or reduce `budget`.';
