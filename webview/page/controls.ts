/**
 * The panel's buttons, and how its elements are made. The only file that knows @vscode/webview-ui-toolkit, which is no
 * longer maintained: whoever replaces it changes this file alone.
 */
import { provideVSCodeDesignSystem, vsCodeButton } from '@vscode/webview-ui-toolkit';
import { localised } from './words.ts';

/** Before a {@link button} is seen. */
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

/** The button that a form is for. */
export function primary(text: string, pressed: () => void): HTMLElement {
  const element = button(text, text, pressed);
  element.setAttribute('appearance', 'primary');
  return element;
}

/** Lines of 16 × 16, as the editor's own icons. */
const icons = {
  minus: { d: 'M4 8h8' },
  plus: { d: 'M4 8h8M8 4v8' },
  fit: { d: 'M2.5 6v-3.5h3.5M10 2.5h3.5v3.5M13.5 10v3.5h-3.5M6 13.5h-3.5v-3.5M5.5 5.5h5v5h-5z' },
  arrows: { d: 'M3 13c0-6 3-9 9-9M9 1.5l3.5 2.5-3.5 2.5' },
  swap: { d: 'M3 5.5h9M9.5 3l2.5 2.5-2.5 2.5M13 10.5h-9M6.5 8l-2.5 2.5 2.5 2.5' },
} as const;
type Icon = keyof typeof icons;

/** A button that is an icon; `label` says what it does. */
export function iconButton(icon: Icon, label: string, pressed: () => void): HTMLElement {
  const element = button('', label, pressed);
  element.setAttribute('appearance', 'icon');
  const drawn = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const [name, value] of [
    ['viewBox', '0 0 16 16'],
    ['width', '16'],
    ['height', '16'],
    ['aria-hidden', 'true'],
  ] as const)
    drawn.setAttribute(name, value);
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', icons[icon].d);
  drawn.append(path);
  element.replaceChildren(drawn);
  return element;
}

/** One of several values to choose from, with its name before it. */
export interface Selection {
  readonly element: HTMLElement;
  /** '' before there is anything to choose from. */
  readonly value: string;
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
    get value() {
      return list.value;
    },
    set(options, value) {
      // The same options stay, so that a list that has the focus keeps it.
      const key = options.map(([each]) => each).join(' ');
      if (key !== known) list.replaceChildren(...options.map(([each, text]) => make('option', { value: each }, text)));
      known = key;
      list.value = value;
    },
  };
}

/** A list to choose from by number, with its name before it. */
interface NumberedList {
  readonly element: HTMLElement;
  fill(labels: readonly string[], index: number): void;
}

export function numberedList(id: string, name: string, chosen: (index: number) => void): NumberedList {
  const list = make('select', { id });
  list.addEventListener('change', () => {
    chosen(list.selectedIndex);
  });
  let known = '';
  return {
    element: labelled(name, list),
    fill(labels, index) {
      // The same entries stay, so that an open list does not close.
      const all = labels.join('\n');
      if (all !== known) list.replaceChildren(...labels.map((label) => make('option', {}, label)));
      known = all;
      list.selectedIndex = index;
    },
  };
}

/** A control that has an `id`, with its name before it, and what stands behind it. */
export const labelled = (name: string, control: HTMLElement, ...behind: readonly HTMLElement[]): HTMLElement =>
  make('span', { class: 'field' }, make('label', { for: control.id }, name), control, ...behind);

/** A button that chooses one of several kinds of view: what it says, and says when pointed at. */
export type KindOfView<Kind extends string> = readonly [kind: Kind, label: string, hint: string];

/** Buttons of which one is pressed. */
interface KindButtons<Kind extends string> {
  readonly element: HTMLElement;
  press(pressed: Kind, isOffered?: (kind: Kind) => boolean): void;
}

export function kindButtons<Kind extends string>(
  name: string,
  kinds: readonly KindOfView<Kind>[],
  chosen: (kind: Kind) => void,
): KindButtons<Kind> {
  const buttons = kinds.map(([kind, label, hint]) => {
    const element = make('button', { type: 'button', class: 'kind', title: hint, 'aria-label': hint }, label);
    element.addEventListener('click', () => {
      chosen(kind);
    });
    return [kind, element] as const;
  });
  const elements = buttons.map(([, element]) => element);
  return {
    element: make('div', { class: 'controls kinds', role: 'group', 'aria-label': name }, ...elements),
    press(pressed, isOffered = () => true) {
      for (const [kind, element] of buttons) {
        element.setAttribute('aria-pressed', String(kind === pressed));
        element.hidden = !isOffered(kind);
      }
    },
  };
}

/** A control with its name before it. */
export const field = (name: string, control: HTMLElement): HTMLElement =>
  make('label', { class: 'field' }, name, control);

/** `385 µs, −4 %`: no line ends between a number and its per cent. */
function wholeParts(text: string): readonly (Node | string)[] {
  const match = /^(.*, )(\S+ %)$/.exec(text);
  return match === null ? [text] : [match[1]!, make('span', { class: 'whole' }, match[2]!)];
}

/** A list of figures: each with its name, and with its change where there is one. A value of one word may be a name of the user's. */
export function figureList(
  rows: Iterable<readonly [name: string, value: string, change?: string | undefined]>,
): HTMLElement {
  const list = make('dl', { class: 'figures' });
  for (const [name, value, change = ''] of rows) {
    const shown = value.includes(' ') ? localised(value) : value;
    const words =
      change === '' ? wholeParts(shown) : [`${shown} `, make('span', { class: 'change' }, localised(change))];
    list.append(make('dt', {}, localised(name)), make('dd', {}, ...words));
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
