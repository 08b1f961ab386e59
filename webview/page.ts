import type { Mode } from './controls.ts';
import { make } from './dom.ts';

export type Status = 'fresh' | 'stale' | 'working' | 'failed';

/** The panel's frame: headline, status and buttons above, picture or table with the legend below. */
export interface Page {
  readonly legend: HTMLElement;
  showScene(placement: string, machine: string): void;
  /** Instead of picture and table: why there is none. */
  showNothing(reason: string): void;
  showMode(mode: Mode): void;
  setStatus(status: Status, text: string): void;
}

export function createPage(
  root: HTMLElement,
  controls: HTMLElement,
  picture: HTMLElement,
  table: HTMLElement,
  explanation: HTMLElement,
): Page {
  const title = make('h1');
  const machine = make('span', { class: 'machine faint' });
  // Announced by screen readers when it changes.
  const status = make('span', { class: 'status', role: 'status', 'aria-live': 'polite' });
  const header = make('header', {}, make('div', { class: 'headline' }, title, machine, status), controls);
  const reason = make('p', { class: 'reason' });
  const legend = make('div', { class: 'legend' });
  const aside = make('aside', { 'aria-label': 'Explanation, figures and legend' }, explanation, legend);
  const content = make('div', { class: 'content' }, picture, table, aside);
  root.replaceChildren(header, reason, content);
  return {
    legend,
    showScene(placement, machineName) {
      title.textContent = placement;
      machine.textContent = `on ${machineName}`;
      reason.hidden = true;
      content.hidden = false;
    },
    showNothing(text) {
      title.textContent = 'Placewright';
      machine.textContent = '';
      reason.textContent = text;
      reason.hidden = false;
      content.hidden = true;
    },
    showMode(mode) {
      picture.hidden = mode !== 'picture';
      table.hidden = mode !== 'table';
    },
    setStatus(newStatus, text) {
      status.dataset.status = newStatus;
      status.textContent = text;
      status.title = text;
    },
  };
}
