/**
 * The frame of every page: title, subject and status above; what the page shows, or why it shows nothing; on its lower edge a sentence
 * on what the reader can do. The frame also connects the page with its host, and keeps a state that outlives the page: the editor throws
 * a page away when its tab is hidden or moved. It uses no ports and no requests of our own, so it works over Remote-SSH and in a browser.
 */
import { laterLeft, type GivenPage, type LeftMessage, type LeftState } from '../../server/protocol/leftPage.ts';
import { protocolVersion } from '../../server/protocol/messages.ts';
import { make, startToolkit } from './controls.ts';
import { localised, t } from './words.ts';

/**
 * `working`: a newer picture is on its way; what is shown, if anything, is of an older text. `preview`: what is shown is
 * not written.
 */
type Status = 'fresh' | 'stale' | 'working' | 'failed' | 'preview';

/** A sentence on the picture, with what the user can do about it. */
export interface Notice {
  readonly text: string;
  /** Changes many times a second: screen readers are not told each time. */
  readonly busy?: boolean;
  readonly actions?: readonly NoticeAction[];
}

export interface NoticeAction {
  readonly text: string;
  readonly act: () => void;
}

/** Whether what is shown is of the text as it is, and what there is to say about it. */
export type PageStatus = readonly [status: Status, notice?: Notice | undefined];

const statusWords: Readonly<Record<Status, string>> = {
  fresh: '',
  stale: t('Out of date'),
  working: t('Working …'),
  failed: t('Failed'),
  preview: t('Preview'),
};

/** What a page says before its host has answered. */
export const waitingForServer = t('Waiting for the language server …');
export const otherVersion = t('Panel and language server have different versions. Reload the window.');

/** What a page puts into its frame. */
interface FrameParts {
  /** In the headline, before the status. */
  readonly marks?: readonly HTMLElement[];
  /** Behind the headline. */
  readonly header: readonly HTMLElement[];
  /** Between header and body. */
  readonly between?: readonly HTMLElement[];
  readonly body: readonly HTMLElement[];
}

/** Milliseconds from a change that is one of many until the state is saved: who goes to another tab at once finds it there. */
const saveDelay = 100;
/** The same while saving takes long, as with large pictures: so many times what it took last. */
const savePause = 20;

/** One for each page. `From` is what the page tells its host, `To` what it is told; `State` is kept for the next page. */
export class Frame<From, To extends { readonly kind: string }, State extends object> {
  readonly title = make('h1');
  readonly #subject = make('span', { class: 'machine faint' });
  readonly #status = make('span', { class: 'status', role: 'status', 'aria-live': 'polite' });
  readonly #reason = make('p', { class: 'reason' }, waitingForServer);
  readonly #notice = createNotice();
  readonly #body = make('div', { class: 'body' });
  readonly #editor = acquireVsCodeApi();
  readonly #given = givenPage();
  readonly #isForPage: (data: unknown) => data is To;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #latest: (() => State) | undefined;
  #saveTook = 0;

  /** `isForPage` tells messages of the host from those of other scripts of the editor. */
  constructor(isForPage: (data: unknown) => data is To) {
    this.#isForPage = isForPage;
    startToolkit();
    keepOwnMenus();
  }

  /** Puts the page together. */
  fill({ marks = [], header, between = [], body }: FrameParts): void {
    const headline = make('div', { class: 'headline' }, this.title, this.#subject, ...marks, this.#status);
    this.#body.replaceChildren(this.#reason, ...body, this.#notice.element);
    document
      .getElementById('placewright')!
      .replaceChildren(make('header', {}, headline, ...header), ...between, this.#body);
  }

  setTitle(title: string, subject = ''): void {
    this.title.textContent = title;
    this.#subject.textContent = subject;
    this.#subject.title = subject;
  }

  setStatus([status, notice]: PageStatus): void {
    this.#status.dataset['status'] = status;
    this.#status.textContent = statusWords[status];
    this.setNotice(notice);
  }

  setNotice(notice: Notice | undefined): void {
    this.#notice.show(notice);
  }

  /** Says why there is nothing in the place of what the page shows; undefined where there is something. */
  setReason(reason: string | undefined): void {
    this.#reason.hidden = reason === undefined;
    this.#reason.textContent = localised(reason ?? '');
  }

  readonly post = (message: From): void => {
    this.#editor.postMessage(message);
  };

  /** A button of a notice that tells the host something. */
  readonly action = (text: string, message: From): NoticeAction => ({
    text,
    act: () => {
      this.post(message);
    },
  });

  listen(receive: (message: To) => void): void {
    window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (this.#isForPage(data)) receive(data);
    });
  }

  /** What an earlier page saved. */
  load(): State | undefined {
    const state = laterLeft(this.#editor.getState(), this.#given.state) as (State & SavedVersion) | undefined;
    return state?.version === protocolVersion ? state : undefined;
  }

  save(state: State): void {
    const began = performance.now();
    const left = { ...state, version: protocolVersion, page: this.#given.page, at: Date.now() };
    this.#editor.setState(left);
    const small: LeftState & SavedVersion = { ...left, message: undefined };
    this.#editor.postMessage({ kind: 'left', state: small } satisfies LeftMessage);
    this.#saveTook = performance.now() - began;
  }

  /** Saves the newest state of one that changes often, a moment later. */
  saveSoon(state: () => State): void {
    this.#latest = state;
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        if (this.#latest !== undefined) this.save(this.#latest());
      },
      Math.max(saveDelay, savePause * this.#saveTook),
    );
  }
}

/** How every page is saved. */
interface SavedVersion {
  readonly version: number;
  /** What was drawn last, which may be large: the editor alone keeps it, and a page does without it. */
  readonly message?: unknown;
}

const givenPage = (): GivenPage =>
  JSON.parse(document.getElementById('placewright-given')?.textContent ?? '{"page":""}') as GivenPage;

/** Text that is typed or copied keeps the editor's own menu, everything else has ours. */
function keepOwnMenus(): void {
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

/** Lies on the lower edge of the picture, so that nothing moves when it comes and goes. */
function createNotice(): { readonly element: HTMLElement; show(notice: Notice | undefined): void } {
  const text = make('span');
  const buttons = make('span', { class: 'actions' });
  const element = make('div', { class: 'notice', role: 'group', 'aria-label': t('Notice') }, text, buttons);
  element.hidden = true;
  let labels = '';
  let actions: readonly NoticeAction[] = [];
  return {
    element,
    show(notice) {
      element.hidden = notice === undefined;
      text.setAttribute('aria-live', notice?.busy === true ? 'off' : 'polite');
      text.textContent = localised(notice?.text ?? '');
      actions = notice?.actions ?? [];
      // Buttons of the same names stay, so that one which has the focus keeps it while the numbers change. They do what is meant now.
      const newLabels = actions.map((action) => action.text).join('\n');
      if (newLabels === labels) return;
      labels = newLabels;
      buttons.replaceChildren(
        ...actions.map((action, index) => {
          const button = make('button', { type: 'button' }, action.text);
          button.addEventListener('click', () => actions[index]?.act());
          return button;
        }),
      );
    },
  };
}
