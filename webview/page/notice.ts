/**
 * What every page says of itself: whether what it shows is of the text as it is, in a word of its headline, and in a sentence on its
 * lower edge what the reader can do about it.
 */
import { make } from './controls.ts';
import { said, t } from './words.ts';

/**
 * `working`: a newer picture is on its way; what is shown, if anything, is of an older text. `preview`: what is shown is
 * not written.
 */
export type Status = 'fresh' | 'stale' | 'working' | 'failed' | 'preview';

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

export const statusWords: Readonly<Record<Status, string>> = {
  fresh: '',
  stale: t('Out of date'),
  working: t('Working …'),
  failed: t('Failed'),
  preview: t('Preview'),
};

/** Lies on the lower edge of the picture, so that nothing moves when it comes and goes. */
export function createNotice(): { readonly element: HTMLElement; show(notice: Notice | undefined): void } {
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
      text.textContent = said(notice?.text ?? '');
      actions = notice?.actions ?? [];
      // Buttons of the same names stay, so that one which has the focus keeps it while the numbers change. They do what is meant now.
      const newLabels = actions.map((action) => action.text).join('\n');
      if (newLabels === labels) return;
      labels = newLabels;
      buttons.replaceChildren(
        ...actions.map((action, index) => actionButton(action.text, () => actions[index]?.act())),
      );
    },
  };
}

function actionButton(text: string, act: () => void): HTMLElement {
  const button = make('button', { type: 'button' }, text);
  button.addEventListener('click', act);
  return button;
}
