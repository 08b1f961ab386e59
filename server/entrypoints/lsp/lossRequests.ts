/** Answers what a placement costs once a cable has failed, each time in a thread of its own; messages are in `protocol/cableLosses.ts`. */
import type { CancellationToken, Connection } from 'vscode-languageserver';
import * as service from '../../language/service/languageService.ts';
import { fileNameOf } from '../../language/uris.ts';
import {
  cableLossesProgressNotification,
  cableLossesRequest,
  withoutCableRequest,
  type CableLossesAnswer,
  type CableLossesProgress,
  type WithoutCableAnswer,
  type WithoutCableParameters,
} from '../../protocol/cableLosses.ts';
import type { SceneParameters } from '../../protocol/messages.ts';
import type { Analyses } from './analyses.ts';
import { inputOf } from './features.ts';
import { lendReport, machineOfPlacement } from './jobs.ts';
import type { Publisher } from './publisher.ts';
import type { Studies } from './studies.ts';
import { refusalOf, type WorkerHandle } from './workerHandle.ts';

export interface LossSurroundings {
  readonly analyses: Analyses;
  readonly studies: Studies;
  readonly publisher: Publisher;
  /** The thread that has the finished reports. */
  readonly reading: Pick<WorkerHandle, 'send'>;
  /** A thread for one task; whoever asks for it ends it. */
  readonly separateThread: () => WorkerHandle;
}

export function answerLossRequests(connection: Connection, surroundings: LossSurroundings): void {
  connection.onRequest<CableLossesAnswer, never>(
    cableLossesRequest,
    (parameters: SceneParameters, token: CancellationToken) =>
      losses(surroundings, parameters, token, (share) => {
        const progress: CableLossesProgress = { ...parameters, share };
        void connection.sendNotification(cableLossesProgressNotification, progress);
      }),
  );
  connection.onRequest<WithoutCableAnswer, never>(withoutCableRequest, (parameters: WithoutCableParameters) =>
    withoutCable(surroundings, parameters),
  );
}

const nothing = (reason: string): CableLossesAnswer => ({ kind: 'nothing', reason });

async function losses(
  { analyses, publisher, reading, separateThread }: LossSurroundings,
  { uri, placement }: SceneParameters,
  token: CancellationToken,
  tell: (share: number) => void,
): Promise<CableLossesAnswer> {
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return nothing('The file of this placement is not open.');
  const description = machineOfPlacement(analysis, placement);
  const { state, revision, status, problem } = publisher.standingOf(analysis, placement);
  if (state !== 'fresh' || description === undefined) {
    const isWaiting = status.kind === 'working' || status.kind === 'waiting';
    if (isWaiting) return nothing(`Placement "${placement}" is being worked out.`);
    return nothing(problem?.message ?? `Placement "${placement}" has not been worked out. Save the file to do so.`);
  }
  const thread = separateThread();
  const subscription = token.onCancellationRequested(() => void thread.stop());
  try {
    const port = await lendReport(reading, { uri, placement, description });
    const found = await thread.send({ kind: 'cable-losses', uri, placement, description, port }, tell, [port]);
    if (found.kind === 'nothing') return found;
    const suggestedName = `${fileNameOf(uri).replace(/\.place$/, '')}.${placement}.losses.csv`;
    return { ...found, revision, suggestedName };
  } catch (fault) {
    return nothing(token.isCancellationRequested ? 'It was stopped.' : refusalOf(fault));
  } finally {
    subscription.dispose();
    await thread.stop();
  }
}

async function withoutCable(
  { analyses, studies }: LossSurroundings,
  { uri, placement, cable }: WithoutCableParameters,
): Promise<WithoutCableAnswer> {
  const analysis = await analyses.of(uri);
  const description = analysis && machineOfPlacement(analysis, placement);
  if (analysis === undefined || description === undefined)
    return { ok: false, message: `There is no placement "${placement}" in the file any more.` };
  const title = `without ${cable}`;
  const edited = service.machineEdits(inputOf(analysis, studies), description.name, title);
  return edited.ok ? { ok: true, ...edited.value, title } : { ok: false, message: edited.failure };
}
