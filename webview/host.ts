/**
 * What a page has of the editor: messages to and from its host, and a state that outlives the page. There are no ports and no
 * requests of our own, so it works over Remote-SSH and in a browser.
 */
import { protocolVersion } from '../server/protocol/messages.ts';
import { ownMenus } from './menu.ts';

export interface Host<From, To, State> {
  readonly post: (message: From) => void;
  listen(receive: (message: To) => void): void;
  /** What an earlier page saved: the editor throws a page away when its tab is hidden or moved. */
  load(): State | undefined;
  readonly save: (state: State) => void;
  /** Remembers the newest state of one that changes often; written at most twice a second. */
  saveSoon(state: () => State): void;
}

const saveDelay = 500;

/** Once for each page. `isForPage` tells messages of the host from those of other scripts of the editor. */
export function openHost<From, To, State extends { readonly version: number }>(
  isForPage: (data: unknown) => data is To,
): Host<From, To, State> {
  const host = acquireVsCodeApi();
  ownMenus();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest: (() => State) | undefined;
  return {
    post: (message) => {
      host.postMessage(message);
    },
    listen(receive) {
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        if (isForPage(event.data)) receive(event.data);
      });
    },
    load() {
      const state = host.getState() as State | undefined;
      return state?.version === protocolVersion ? state : undefined;
    },
    save: (state) => {
      host.setState(state);
    },
    saveSoon(state) {
      latest = state;
      timer ??= setTimeout(() => {
        timer = undefined;
        if (latest !== undefined) host.setState(latest());
      }, saveDelay);
    },
  };
}
