import { basename } from 'node:path';
import type { CancellationToken, Connection } from 'vscode-languageserver/node';
import { exportFormats } from '../../interchange/catalogue.ts';
import { locationOf } from '../../language/service/ranges.ts';
import { fileNameOf } from '../../language/uris.ts';
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
  protocolVersion,
  runNotification,
  sceneRequest,
  type DescribeFabricAnswer,
  type DescribeFabricParameters,
  type ExplainAnswer,
  type ExplainParameters,
  type ExportAnswer,
  type ExportParameters,
  type FinishParameters,
  type FormatSummary,
  type OriginAnswer,
  type OriginParameters,
  type PictureAnswer,
  type PlacementsParameters,
  type PlacementSummary,
  type SceneAnswer,
  type SceneParameters,
  type StudyParameters,
} from '../../protocol/messages.ts';
import { idle, type PlacementStatus } from '../../study/status.ts';
import { CancelCell } from '../cancelCell.ts';
import type { ReadPolicyMessage } from '../workerMessages.ts';
import type { Analyses, Analysis } from './analyses.ts';
import { problemOfPlacement } from './blame.ts';
import { inputOf } from './inputs.ts';
import type { Publisher } from './publisher.ts';
import type { Studies } from './studies.ts';
import { WorkerFault, type WorkerHandle } from './workerHandle.ts';
import { spanOfSubject } from '../../language/subject.ts';
import type { DeclarationNode, Span } from '../../language/tree.ts';
import type { HotLinkOutline, StudySummary } from '../../study/report.ts';

interface RequestSurroundings {
  readonly analyses: Analyses;
  readonly studies: Studies;
  readonly publisher: Publisher;
  /** The thread that has the finished reports. */
  readonly reading: WorkerHandle;
  /** Starts a thread for something that takes long and is asked for rarely. */
  readonly separateThread: () => WorkerHandle;
  /** What may be read, by whoever reads `uri`. */
  readonly policy: (uri: string) => ReadPolicyMessage;
  readonly isOpen: (uri: string) => boolean;
}

/** Answers what the editor asks beyond LSP; the parameters and answers are in `protocol/messages.ts`. */
export function answerRequests(connection: Connection, surroundings: RequestSurroundings): void {
  const { studies, isOpen } = surroundings;
  connection.onRequest(placementsRequest, (parameters: PlacementsParameters) => placements(surroundings, parameters));
  connection.onRequest(sceneRequest, (parameters: SceneParameters) => scene(surroundings, parameters));
  connection.onRequest(exportRequest, (parameters: ExportParameters) => exported(surroundings, parameters));
  connection.onRequest(pictureRequest, (parameters: SceneParameters) => picture(surroundings, parameters));
  connection.onRequest(originRequest, (parameters: OriginParameters) => origin(surroundings, parameters));
  connection.onRequest(formatsRequest, formats);
  connection.onRequest(describeFabricRequest, (parameters: DescribeFabricParameters, token: CancellationToken) =>
    describeFabric(surroundings, parameters, token),
  );
  const explanations = new Explanations(surroundings.reading);
  connection.onRequest(explainRequest, (parameters: ExplainParameters, token: CancellationToken) =>
    explain(explanations, parameters, token),
  );
  connection.onNotification(finishNotification, ({ uri, placement }: FinishParameters) => {
    studies.finish(uri, placement);
  });
  connection.onNotification(cancelNotification, ({ uri }: StudyParameters) => {
    studies.cancel(uri);
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

async function scene(surroundings: RequestSurroundings, parameters: SceneParameters): Promise<SceneAnswer> {
  const { uri, placement } = parameters;
  try {
    const answer = await surroundings.reading.send({ kind: 'scene', uri, placement });
    const { isMissing, stale, status, problem } = await standingOf(surroundings, parameters);
    const why = problem === undefined ? {} : { problem };
    if (answer.kind === 'nothing') {
      const reason = isMissing ? reasonOf(placement, status, problem?.message) : answer.reason;
      return { kind: 'nothing', reason, status, ...why };
    }
    return { kind: 'scene', version: protocolVersion, stale, scene: answer.scene, status, ...why };
  } catch (fault) {
    return { kind: 'nothing', reason: sentenceOf(fault), status: idle };
  }
}

/** Whether what is known of a placement is of an older text, what is done about that, and what is in the way. */
async function standingOf({ analyses, studies, publisher }: RequestSurroundings, { uri, placement }: SceneParameters) {
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return { isMissing: true, stale: false, status: idle, problem: undefined };
  const { state } = studies.reportOf(analysis, placement);
  const stale = state !== 'fresh';
  const status = publisher.statusOf(analysis, placement);
  const isBlocked = stale && status.kind === 'failed';
  return {
    isMissing: state === 'missing',
    stale,
    status,
    problem: isBlocked ? problemOfPlacement(analysis, studies, placement) : undefined,
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
    const suggestedName = `${basename(fileNameOf(uri), '.place')}.${answer.suggestedName}`;
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
  if (analysis === undefined) return null;
  const found = originOf(analysis, studies.stateOf(uri).summary, placement, target);
  if (found === undefined) return null;
  return locationOf(inputOf(analysis, studies), found.uri, found.span) ?? null;
}

async function explain(
  explanations: Explanations,
  parameters: ExplainParameters,
  token: CancellationToken,
): Promise<ExplainAnswer> {
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

  async explain({ uri, placement, target }: ExplainParameters, token: CancellationToken): Promise<ExplainAnswer> {
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

/** Where in which file. */
interface Origin {
  readonly uri: string;
  readonly span: Span;
}

/**
 * The text that caused a thing of the picture. A node: the property that put tasks there
 * (`map`), or the one that chose nodes. A hot link: what says that its heaviest flow sends,
 * down to the entry of an inline table. Any other link, and the placement itself: its name.
 */
function originOf(
  analysis: Analysis,
  summary: StudySummary | undefined,
  placement: string,
  target: OriginParameters['target'],
): Origin | undefined {
  const name = spanOfSubject(analysis.checked, { kind: 'placement', name: placement });
  if (target.kind === 'placement') return name;
  if (target.kind === 'node') {
    return spanOfProperty(analysis, placement, 'map') ?? spanOfProperty(analysis, placement, 'allocate') ?? name;
  }
  const outline = summary?.placements.find((candidate) => candidate.name === placement);
  const hot = outline?.hotLinks.find((link) => joins(link, target.from, target.to));
  return (hot === undefined ? undefined : originOfFlow(analysis, hot)) ?? name;
}

/** A cable was clicked: either direction of it may be the hot one. */
function joins(link: HotLinkOutline, from: number, to: number): boolean {
  return (link.from === from && link.to === to) || (link.from === to && link.to === from);
}

function originOfFlow(analysis: Analysis, link: HotLinkOutline): Origin | undefined {
  const [flow] = link.flows;
  if (flow === undefined) return undefined;
  return spanOfTableEntry(analysis, flow.job, flow.from, flow.to) ?? spanOfTrafficSource(analysis, flow.job);
}

function spanOfTrafficSource(analysis: Analysis, job: string): Origin | undefined {
  for (const property of ['stencil', 'pattern', 'table']) {
    const found = spanOfProperty(analysis, job, property, 'job');
    if (found !== undefined) return found;
  }
  return spanOfSubject(analysis.checked, { kind: 'job', name: job });
}

function spanOfTableEntry(analysis: Analysis, job: string, from: number, to: number): Origin | undefined {
  const source = analysis.checked.program.jobs.get(job)?.source;
  if (source?.kind !== 'table') return undefined;
  const found = declarationOf(analysis, 'table', source.name);
  const entry = found?.node.entries.find((candidate) => candidate.from.value === from && candidate.to.value === to);
  return found === undefined || entry === undefined ? undefined : { uri: found.uri, span: entry };
}

function spanOfProperty(
  analysis: Analysis,
  name: string,
  property: string,
  kind: 'placement' | 'job' = 'placement',
): Origin | undefined {
  const found = declarationOf(analysis, kind, name);
  const node = found?.node.properties.find((candidate) => candidate.word.text === property);
  return found === undefined || node === undefined ? undefined : { uri: found.uri, span: node };
}

function declarationOf(
  analysis: Analysis,
  kind: DeclarationNode['kind'],
  name: string,
): { readonly uri: string; readonly node: DeclarationNode } | undefined {
  // The document first: a name declared twice is an error, and the user looks here.
  const files = [...analysis.sources.files.values()];
  files.sort((one, other) => Number(other.uri === analysis.uri) - Number(one.uri === analysis.uri));
  for (const { uri, tree } of files) {
    const node = tree.declarations.find((candidate) => candidate.kind === kind && candidate.name?.text === name);
    if (node !== undefined) return { uri, node };
  }
  return undefined;
}
