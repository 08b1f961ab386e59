/**
 * What a page has of the editor: messages to and from its host, and a state that outlives the page. There are no ports and no
 * requests of our own, so it works over Remote-SSH and in a browser.
 */
import { laterLeft, type GivenPage, type LeftMessage, type LeftState } from '../../server/protocol/leftPage.ts';
import { protocolVersion } from '../../server/protocol/messages.ts';

/** How a page is left. */
interface PageState {
  readonly version: number;
  /** What was drawn last, which may be large: the editor alone keeps it, and a page does without it. */
  readonly message?: unknown;
}

export interface Host<From, To, State> {
  readonly post: (message: From) => void;
  listen(receive: (message: To) => void): void;
  /** What an earlier page saved: the editor throws a page away when its tab is hidden or moved. */
  load(): State | undefined;
  readonly save: (state: State) => void;
  /** Remembers the newest state of one that changes often, a moment later. */
  saveSoon(state: () => State): void;
}

/** Milliseconds from a change that is one of many until the state is saved: who goes to another tab at once finds it there. */
const saveDelay = 100;
/** The same while saving takes long, as with large pictures: so many times what it took last. */
const savePause = 20;

/** Once for each page. `isForPage` tells messages of the host from those of other scripts of the editor. */
export function openHost<From, To, State extends PageState>(
  isForPage: (data: unknown) => data is To,
): Host<From, To, State> {
  const host = acquireVsCodeApi();
  ownMenus();
  const given = givenPage();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest: (() => State) | undefined;
  let took = 0;
  const save = (state: State): void => {
    const began = performance.now();
    const left: State & LeftState = { ...state, page: given.page, at: Date.now() };
    host.setState(left);
    const small = { ...left, message: undefined };
    host.postMessage({ kind: 'left', state: small } satisfies LeftMessage);
    took = performance.now() - began;
  };
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
      const state = laterLeft(host.getState(), given.state) as State | undefined;
      return state?.version === protocolVersion ? state : undefined;
    },
    save,
    saveSoon(state) {
      latest = state;
      timer ??= setTimeout(
        () => {
          timer = undefined;
          if (latest !== undefined) save(latest());
        },
        Math.max(saveDelay, savePause * took),
      );
    },
  };
}

const givenPage = (): GivenPage =>
  JSON.parse(document.getElementById('placewright-given')?.textContent ?? '{"page":""}') as GivenPage;

/** Text that is typed or copied keeps the editor's own menu, everything else has ours. */
function ownMenus(): void {
  document.body.dataset['vscodeContext'] = JSON.stringify({ preventDefaultContextMenuItems: true });
  document.addEventListener(
    'contextmenu',
    ({ target }) => {
      const isTyped = target instanceof HTMLInputElement;
      const isChosen =
        !(document.getSelection()?.isCollapsed ?? true) &&
        target instanceof HTMLElement &&
        target.closest('aside, .tables, header') !== null;
      document.body.dataset['vscodeContext'] = JSON.stringify({
        preventDefaultContextMenuItems: !isTyped && !isChosen,
      });
    },
    { capture: true },
  );
}
