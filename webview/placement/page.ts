/**
 * The frame of the panel of a placement or a machine: headline, status and buttons above, picture or table below, and beside them what is
 * selected and the legend.
 */
import { pictureSubtitle, pictureTitle } from '../../server/drawing/labels.ts';
import type { Scene } from '../../server/drawing/scene.ts';
import { make, type Mode } from '../page/controls.ts';
import { createNotice, statusWords, type Notice, type Status } from '../page/notice.ts';
import { said, t } from '../page/words.ts';

interface Page {
  readonly legend: HTMLElement;
  showScene(scene: Scene): void;
  /** Instead of picture and table: why there is none. */
  showNothing(reason: string): void;
  showMode(mode: Mode): void;
  setStatus(status: Status, notice?: Notice): void;
  /** The cursor of the text stands in the declaration of what is shown. */
  setHere(isHere: boolean): void;
  /** It stays with what it shows wherever that cursor goes. */
  setLocked(isLocked: boolean): void;
}

/** What the page is put together of. */
interface Parts {
  readonly controls: HTMLElement;
  readonly find: HTMLElement;
  readonly picture: HTMLElement;
  readonly table: HTMLElement;
  readonly explanation: HTMLElement;
}

export function createPage(root: HTMLElement, { controls, find, picture, table, explanation }: Parts): Page {
  const title = make('h1');
  const machine = make('span', { class: 'machine faint' });
  // Announced by screen readers when it changes.
  const status = make('span', { class: 'status', role: 'status', 'aria-live': 'polite' });
  const locked = make(
    'span',
    { class: 'faint', title: t('It does not follow the cursor in the text'), hidden: '' },
    t('locked'),
  );
  const header = make('header', {}, make('div', { class: 'headline' }, title, machine, locked, status), find, controls);
  const notice = createNotice();
  const reason = make('p', { class: 'reason' });
  const legend = make('div', { class: 'legend' });
  // It scrolls where there is little room, by keys as well.
  const aside = make(
    'aside',
    { 'aria-label': t('Explanation, figures and legend'), tabindex: '0' },
    explanation,
    legend,
  );
  const content = make('div', { class: 'content' }, picture, table, aside);
  const body = make('div', { class: 'body' }, reason, content, notice.element);
  root.replaceChildren(header, body);
  return {
    legend,
    showScene(scene) {
      title.textContent = said(pictureTitle(scene));
      machine.textContent = said(pictureSubtitle(scene));
      reason.hidden = true;
      content.hidden = false;
      find.hidden = false;
    },
    showNothing(text) {
      title.textContent = 'Placewright';
      machine.textContent = '';
      find.hidden = true;
      reason.textContent = said(text);
      reason.hidden = false;
      content.hidden = true;
    },
    showMode(mode) {
      picture.hidden = mode !== 'picture';
      table.hidden = mode !== 'table';
    },
    setLocked(isLocked) {
      locked.hidden = !isLocked;
    },
    setHere(isHere) {
      title.classList.toggle('here', isHere);
      title.title = isHere ? t('The cursor stands in it') : '';
    },
    setStatus(newStatus, newNotice) {
      status.dataset.status = newStatus;
      status.textContent = statusWords[newStatus];
      body.classList.toggle('old', newStatus === 'stale' || newStatus === 'working');
      notice.show(newNotice);
    },
  };
}
