import { protocolVersion, type FromPanel, type ToPanel } from '../server/protocol/messages.ts';
import { isToPanel } from '../server/protocol/panelMessages.ts';
import type { Mode } from './controls.ts';
import type { SavedView } from './view.ts';

/** A message that carries a scene. */
export type SceneMessage = Extract<ToPanel, { kind: 'scene' }>;

/**
 * What outlives the panel's page: the editor throws the page away when its tab is hidden or
 * moved to a window of its own. With it the last picture is back before the server answers.
 */
export interface SavedState {
  readonly version: number;
  readonly message?: SceneMessage;
  /** Whose picture it is: with it the host reconnects the panel after a restart of the window. */
  readonly uri?: string;
  readonly placement?: string;
  readonly view: SavedView;
  readonly mode: Mode;
}

/** Messages to and from the host, and nothing else: no ports, no requests of our own. */
export interface Channel {
  post(message: FromPanel): void;
  listen(receive: (message: ToPanel) => void): void;
  load(): SavedState | undefined;
  /** Remembers the newest state; written at most twice a second. */
  save(state: () => SavedState): void;
}

const saveDelay = 500;
/** Characters of a scene that are worth keeping; the editor stores the state as text. */
const largestSavedScene = 4_000_000;

export function openChannel(): Channel {
  const host = acquireVsCodeApi();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest: (() => SavedState) | undefined;
  return {
    post: (message) => {
      host.postMessage(message);
    },
    listen(receive) {
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        if (isToPanel(event.data)) receive(event.data);
      });
    },
    load() {
      const state = host.getState() as SavedState | undefined;
      return state?.version === protocolVersion ? state : undefined;
    },
    save(state) {
      latest = state;
      timer ??= setTimeout(() => {
        timer = undefined;
        if (latest !== undefined) host.setState(withoutHugeScene(latest()));
      }, saveDelay);
    },
  };
}

function withoutHugeScene(state: SavedState): SavedState {
  const { message, ...rest } = state;
  return message !== undefined && message.scene.json.length > largestSavedScene ? rest : state;
}
