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
import { platform } from '../platform.ts';
import type { Analyses, Analysis } from './analyses.ts';
import { inputOf } from './features.ts';
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
  const description = descriptionOf(analysis, placement);
  const { state, revision, status, problem } = publisher.standingOf(analysis, placement);
  if (state !== 'fresh' || description === undefined) {
    const isWaiting = status.kind === 'working' || status.kind === 'waiting';
    if (isWaiting) return nothing(`Placement "${placement}" is being worked out.`);
    return nothing(problem?.message ?? `Placement "${placement}" has not been worked out. Save the file to do so.`);
  }
  const thread = separateThread();
  const subscription = token.onCancellationRequested(() => void thread.stop());
  try {
    const { port1, port2 } = platform().threads.channel();
    await reading.send({ kind: 'lend-report', uri, placement, description, port: port1 }, undefined, [port1]);
    const order = { kind: 'cable-losses', uri, placement, description, port: port2 } as const;
    const found = await thread.send(order, tell, [port2]);
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

function descriptionOf({ checked: { program } }: Analysis, placement: string) {
  const machine = program.placements.find(({ name }) => name === placement)?.machine;
  return machine === undefined ? undefined : program.machines.get(machine);
}

async function withoutCable(
  { analyses, studies }: LossSurroundings,
  { uri, placement, cable }: WithoutCableParameters,
): Promise<WithoutCableAnswer> {
  const analysis = await analyses.of(uri);
  const description = analysis && descriptionOf(analysis, placement);
  if (analysis === undefined || description === undefined)
    return { ok: false, message: `There is no placement "${placement}" in the file any more.` };
  const title = `without ${cable}`;
  const edited = service.machineEdits(inputOf(analysis, studies), description.name, title);
  return edited.ok ? { ok: true, ...edited.value, title } : { ok: false, message: edited.failure };
}
