/**
 * The panel's buttons, and how its elements are made. The only file that knows @vscode/webview-ui-toolkit, which is no
 * longer maintained: whoever replaces it changes this file alone.
 */
import { provideVSCodeDesignSystem, vsCodeButton } from '@vscode/webview-ui-toolkit';
import { said, t } from './words.ts';

export type Mode = 'picture' | 'table';

interface ControlActions {
  readonly fit: () => void;
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly setMode: (mode: Mode) => void;
  readonly saveSvg: () => void;
  readonly savePng: () => void;
  /** Other placements of its jobs beside it. */
  readonly compare: () => void;
  /** The map of its traffic. */
  readonly traffic: () => void;
}

interface Controls {
  readonly element: HTMLElement;
  setMode(mode: Mode): void;
  /** Without a picture there is nothing to fit or save. */
  setEnabled(enabled: boolean): void;
  /** On a machine by itself there is nothing to compare, and nobody sends. */
  setPlaced(isPlaced: boolean): void;
}

export function createControls(actions: ControlActions): Controls {
  startToolkit();
  let mode: Mode = 'picture';
  const toggle = button(t('Table'), t('Table of the numbers'), () => {
    actions.setMode(mode === 'picture' ? 'table' : 'picture');
  });
  const viewButtons = [
    button('−', t('Zoom out (−)'), actions.zoomOut),
    button('+', t('Zoom in (+)'), actions.zoomIn),
    button(t('Fit'), t('Fit the whole picture (0)'), actions.fit),
  ];
  const placedButtons = [
    button(t('Compare'), t('Compare with other placements'), actions.compare),
    button(t('Traffic'), t('Traffic: who sends how much to whom, as a map'), actions.traffic),
  ];
  const saveButtons = [
    ...placedButtons,
    button(t('Save SVG'), t('Save SVG of the picture'), actions.saveSvg),
    button(t('Save PNG'), t('Save PNG of the picture'), actions.savePng),
  ];
  const all = [...viewButtons, toggle, ...saveButtons];
  const element = make('div', { class: 'controls', role: 'toolbar', 'aria-label': t('Picture') }, ...all);
  return {
    element,
    setMode(newMode) {
      mode = newMode;
      toggle.textContent = mode === 'picture' ? t('Table') : t('Picture');
      const label = mode === 'picture' ? t('Table of the numbers') : t('Picture again');
      toggle.setAttribute('aria-label', label);
      toggle.title = label;
      for (const viewButton of viewButtons) viewButton.hidden = mode === 'table';
    },
    setPlaced(isPlaced) {
      for (const each of placedButtons) each.hidden = !isPlaced;
    },
    setEnabled(enabled) {
      for (const each of all) each.toggleAttribute('disabled', !enabled);
    },
  };
}

/** Before the first {@link button}. */
export function startToolkit(): void {
  provideVSCodeDesignSystem().register(vsCodeButton());
}

/** `label` holds the visible text, so that who speaks to the computer can say what is seen. */
export function button(text: string, label: string, pressed: () => void): HTMLElement {
  const element = document.createElement('vscode-button');
  element.setAttribute('appearance', 'secondary');
  element.setAttribute('aria-label', label);
  element.title = label;
  element.textContent = text;
  element.addEventListener('click', pressed);
  return element;
}

/** One of several values to choose from, with its name before it. */
export interface Selection {
  readonly element: HTMLElement;
  set(options: readonly (readonly [value: string, text: string])[], value: string): void;
}

export function selection(name: string, chosen: (value: string) => void): Selection {
  const list = make('select');
  list.addEventListener('change', () => {
    chosen(list.value);
  });
  let known = '';
  return {
    element: field(name, list),
    set(options, value) {
      // The same options stay, so that a list that has the focus keeps it.
      const key = options.map(([each]) => each).join(' ');
      if (key !== known) list.replaceChildren(...options.map(([each, text]) => make('option', { value: each }, text)));
      known = key;
      list.value = value;
    },
  };
}

/** A control with its name before it. */
export const field = (name: string, control: HTMLElement): HTMLElement =>
  make('label', { class: 'field' }, name, control);

/** A list of figures: each with its name, and with its change where there is one. A value of one word may be a name of the user's. */
export function figureList(
  rows: Iterable<readonly [name: string, value: string, change?: string | undefined]>,
): HTMLElement {
  const list = make('dl', { class: 'figures' });
  for (const [name, value, change = ''] of rows) {
    const shown = value.includes(' ') ? said(value) : value;
    const words = change === '' ? [shown] : [`${shown} `, make('span', { class: 'change' }, change)];
    list.append(make('dt', {}, said(name)), make('dd', {}, ...words));
  }
  return list;
}

/** An element with attributes and children; text children become text, never markup. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}
