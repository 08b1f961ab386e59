/** A server for tests of the client: answers by the names of the table of calls, and notifications that a test sends. */
import type { EditorNotifications, RequestName, ServerNotifications } from '../../server/protocol/calls.ts';
import type { Server } from '../server.ts';

/** What a test says of its server; what it leaves out is silent. */
interface FakeServer extends Partial<Omit<Server, 'ask' | 'tell' | 'on' | 'onRestart' | 'output' | 'keep'>> {
  /** To requests and notifications. */
  readonly answers?: {
    readonly [Name in RequestName | keyof EditorNotifications]?: (parameters: never, token: never) => unknown;
  };
  readonly news?: { readonly [Name in keyof ServerNotifications]?: (listener: never) => { dispose: () => void } };
  readonly onRestart?: (listener: never) => { dispose: () => void };
  readonly output?: { readonly warn?: (text: string) => void; readonly error?: (text: string) => void };
  readonly keep?: (uri: string) => { dispose: () => void };
}

const disposable = { dispose: () => undefined };

export function fakeServer({ answers = {}, news = {}, output, ...rest }: FakeServer): Server {
  return {
    onRestart: () => disposable,
    keep: () => disposable,
    ...rest,
    output: { warn: () => undefined, error: () => undefined, ...output },
    ask: (name: RequestName, parameters: never, token: never) => answers[name]?.(parameters, token),
    tell: (name: keyof EditorNotifications, message: never) =>
      (answers[name] as ((message: never) => unknown) | undefined)?.(message),
    on: (name: keyof ServerNotifications, listener: never) => news[name]?.(listener) ?? disposable,
  } as unknown as Server;
}
