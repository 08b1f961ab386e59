/** Carries the table of calls (`protocol/calls.ts`) over a connection: every request gets its answer, from this thread or from another. */
import { ErrorCodes, ResponseError, type CancellationToken, type Connection } from 'vscode-languageserver';
import {
  methodOf,
  requests,
  type AnswerTo,
  type EditorNotifications,
  type ForwardedName,
  type ParametersOf,
  type RequestName,
  type ServerNotifications,
} from '../../protocol/calls.ts';
import { whileAsked, type CancelCell } from '../cancelCell.ts';
import type { Order, ReadPolicyMessage } from '../workerMessages.ts';
import { lostWorkerRefusal, type WorkerHandle } from './workerHandle.ts';

/** Answers of this thread, from what they depend on. Threads that it asks see in the cell that the request was cancelled. */
export type RequestAnswers<Dependencies> = {
  readonly [Name in Exclude<RequestName, ForwardedName>]: (
    dependencies: Dependencies,
    parameters: ParametersOf<Name>,
    cell: CancelCell,
    token: CancellationToken,
  ) => AnswerTo<Name> | Promise<AnswerTo<Name>>;
};

/** What is done about notifications of the editor. */
export type NotificationHandlers = {
  readonly [Name in keyof EditorNotifications]: (message: EditorNotifications[Name]) => void;
};

/** Threads that requests are forwarded to. */
export interface ForwardingThreads {
  /** The thread that has the finished reports. */
  readonly reading: Pick<WorkerHandle, 'send'>;
  /** A thread for one task; whoever asks for it ends it. */
  readonly separateThread: () => WorkerHandle;
  /** What may be read, by whoever reads `uri`. */
  readonly policy: (uri: string) => ReadPolicyMessage;
}

/** Answers every request of the table, and takes every notification. */
export function answerCalls<Dependencies extends ForwardingThreads>(
  connection: Connection,
  dependencies: Dependencies,
  answers: RequestAnswers<Dependencies>,
  handlers: NotificationHandlers,
): void {
  for (const name of Object.keys(requests) as RequestName[]) {
    const { lost }: { readonly lost?: (reason: string) => unknown } = requests[name];
    // The token comes last, behind the parameters, which may be absent.
    connection.onRequest<unknown, never>(methodOf(name), (...received: unknown[]) => {
      const token = received.at(-1) as CancellationToken;
      const parameters = (received.length > 1 ? received[0] : {}) as never;
      return whileAsked(token, async (cell) => {
        try {
          return await (isForwarded(name)
            ? forward(dependencies, name, parameters, cell)
            : answers[name](dependencies, parameters, cell, token));
        } catch (fault) {
          if (lost === undefined) throw fault;
          return lost(lostWorkerRefusal(fault));
        }
      });
    });
  }
  for (const name of Object.keys(handlers) as (keyof EditorNotifications)[])
    connection.onNotification(methodOf(name), (message: unknown) => {
      handlers[name](message as never);
    });
}

const isForwarded = (name: RequestName): name is ForwardedName => requests[name].thread !== 'connection';

async function forward(
  { reading, separateThread, policy }: ForwardingThreads,
  kind: ForwardedName,
  parameters: Readonly<Record<string, unknown>> | undefined,
  { buffer: cancelFlag }: CancelCell,
): Promise<unknown> {
  const order = { ...parameters, kind, cancelFlag } as Order<ForwardedName>;
  if (requests[kind].thread === 'reading') return reading.send(order);
  const uri = parameters?.['uri'];
  // No thread is started for what names no file.
  if (typeof uri !== 'string') throw new ResponseError(ErrorCodes.InvalidParams, 'Expected the `uri` of a file.');
  const thread = separateThread();
  try {
    return await thread.send({ ...order, policy: policy(uri) });
  } finally {
    await thread.stop();
  }
}

/** Tells the editor something that it does not answer. */
export function tellEditor<Name extends keyof ServerNotifications>(
  connection: Pick<Connection, 'sendNotification'>,
  name: Name,
  message: ServerNotifications[Name],
): void {
  void connection.sendNotification(methodOf(name), message);
}
