/** Answers what is asked about the map of who sends how much to whom; messages are in `protocol/trafficPanel.ts`. */
import type { CancellationToken, Connection } from 'vscode-languageserver';
import { filesOf, tableNeed } from '../../language/fileNeeds.ts';
import { rangeOf } from '../../language/service/input.ts';
import {
  trafficRequest,
  trafficSubjectsRequest,
  type TrafficAnswer,
  type TrafficParameters,
  type TrafficSubjectSummary,
} from '../../protocol/trafficPanel.ts';
import { whileAsked, type CancelCell } from '../cancelCell.ts';
import type { ReadPolicyMessage } from '../workerMessages.ts';
import type { TrafficDeclaration } from '../traffic.ts';
import type { Analyses, Analysis } from './analyses.ts';
import type { Publisher } from './publisher.ts';
import { refusalOf, type WorkerHandle } from './workerHandle.ts';

interface TrafficSurroundings {
  readonly analyses: Analyses;
  readonly publisher: Publisher;
  /** The thread that has the finished reports. */
  readonly reading: Pick<WorkerHandle, 'send'>;
  /** The one that builds what is looked at by itself. */
  readonly machines: Pick<WorkerHandle, 'send'>;
  readonly policy: (uri: string) => ReadPolicyMessage;
}

export function answerTrafficRequests(connection: Connection, surroundings: TrafficSurroundings): void {
  connection.onRequest(trafficSubjectsRequest, ({ uri }: { readonly uri: string }) => subjects(surroundings, uri));
  connection.onRequest<TrafficAnswer, never>(
    trafficRequest,
    (parameters: TrafficParameters, token: CancellationToken) => traffic(surroundings, parameters, token),
  );
}

/** Placements, then jobs, then tables that no job has; those of the file itself. */
async function subjects(
  { analyses, publisher }: TrafficSurroundings,
  uri: string,
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
  surroundings: TrafficSurroundings,
  parameters: TrafficParameters,
  token: CancellationToken,
): Promise<TrafficAnswer> {
  return whileAsked(token, async (cell) => {
    try {
      const analysis = await surroundings.analyses.of(parameters.uri);
      if (analysis === undefined) return { kind: 'nothing', reason: 'The file of this traffic is not open.' };
      return await (parameters.of === 'placement'
        ? ofPlacement(surroundings, analysis, parameters, cell)
        : ofDeclaration(surroundings, analysis, parameters, cell));
    } catch (fault) {
      return { kind: 'nothing', reason: refusalOf(fault) };
    }
  });
}

async function ofPlacement(
  { publisher, reading }: TrafficSurroundings,
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
    ? `Placement "${placement}" is being worked out.`
    : (problem?.message ?? `Placement "${placement}" has not been worked out. Save the file to do so.`);
  return { kind: 'nothing', reason, ...progress };
}

async function ofDeclaration(
  { machines, policy }: TrafficSurroundings,
  analysis: Analysis,
  { uri, of, name, question }: TrafficParameters,
  { buffer: cancelFlag }: CancelCell,
): Promise<TrafficAnswer> {
  const declaration = declarationOf(analysis, of, name);
  if (declaration === undefined) {
    const what = of === 'table' ? 'Table' : 'Job';
    return {
      kind: 'nothing',
      reason: `${what} "${name}" is not in the file, or it has errors: they are listed among the problems.`,
    };
  }
  return machines.send({ kind: 'job-traffic', declaration, question, policy: policy(uri), cancelFlag });
}

function declarationOf(
  { checked }: Analysis,
  of: TrafficParameters['of'],
  name: string,
): TrafficDeclaration | undefined {
  if (of === 'job') {
    const description = checked.program.jobs.get(name);
    return description && { kind: 'job', description, files: filesOf([], [description], []) };
  }
  const table = checked.tables.get(name);
  if (table === undefined) return undefined;
  const { source } = table;
  return { kind: 'table', name, table, files: source.kind === 'file' ? [tableNeed(source)] : [] };
}
