import type { ThingText } from './describeThing.ts';
import { make } from './controls.ts';

/** A small box beside the pointer. */
export interface Tooltip {
  readonly element: HTMLElement;
  /** Coordinates in CSS pixels within the tooltip's parent. */
  show(text: ThingText, x: number, y: number): void;
  hide(): void;
}

const distance = 14;

export function createTooltip(): Tooltip {
  const element = make('div', { class: 'tooltip', role: 'tooltip', hidden: '' });
  return {
    element,
    show({ headline, lines }, x, y) {
      element.replaceChildren(make('strong', {}, headline), ...lines.map((line) => make('div', {}, line)));
      element.hidden = false;
      const parent = element.parentElement!;
      // To the left of or above the pointer where there is no room on the other side.
      const left =
        x + distance + element.offsetWidth > parent.clientWidth ? x - distance - element.offsetWidth : x + distance;
      const top =
        y + distance + element.offsetHeight > parent.clientHeight ? y - distance - element.offsetHeight : y + distance;
      element.style.left = `${Math.max(0, left)}px`;
      element.style.top = `${Math.max(0, top)}px`;
    },
    hide() {
      element.hidden = true;
    },
  };
}
