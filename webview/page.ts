/** The panel's page: headline, status, and the legend beside picture or table. */
import { changeNotes, changeScaleWords, figureChange } from '../server/drawing/difference.ts';
import { countOf } from '../server/drawing/labels.ts';
import { loadNotes, markOverlap, numberNotes } from '../server/drawing/legendLayout.ts';
import type { Scene, SceneDifference } from '../server/drawing/scene.ts';
import type { ChoiceControls } from './choices.ts';
import { figureList, make, type Mode } from './controls.ts';
import { loadColorsFor, type Theme } from './theme.ts';

/** `working`: a newer picture is on its way; what is shown, if anything, is of an older text. */
export type Status = 'fresh' | 'stale' | 'working' | 'failed';

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

/** The panel's frame: headline, status and buttons above, picture or table with the legend below. */
interface Page {
  readonly legend: HTMLElement;
  showScene(placement: string, machine: string): void;
  /** Instead of picture and table: why there is none. */
  showNothing(reason: string): void;
  showMode(mode: Mode): void;
  setStatus(status: Status, notice?: Notice): void;
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
  const notice = createNotice();
  const reason = make('p', { class: 'reason' });
  const legend = make('div', { class: 'legend' });
  const aside = make('aside', { 'aria-label': 'Explanation, figures and legend' }, explanation, legend);
  const content = make('div', { class: 'content' }, picture, table, aside);
  const body = make('div', { class: 'body' }, reason, content, notice.element);
  root.replaceChildren(header, body);
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
    setStatus(newStatus, newNotice) {
      status.dataset.status = newStatus;
      status.textContent = statusWords[newStatus];
      body.classList.toggle('old', newStatus === 'stale' || newStatus === 'working');
      notice.show(newNotice);
    },
  };
}

export const statusWords: Readonly<Record<Status, string>> = {
  fresh: '',
  stale: 'Out of date',
  working: 'Working …',
  failed: 'Failed',
};

/** Lies on the lower edge of the picture, so that nothing moves when it comes and goes. */
export function createNotice(): { readonly element: HTMLElement; show(notice: Notice | undefined): void } {
  const text = make('span');
  const buttons = make('span', { class: 'actions' });
  const element = make('div', { class: 'notice', role: 'group', 'aria-label': 'Notice' }, text, buttons);
  element.hidden = true;
  let labels = '';
  return {
    element,
    show(notice) {
      element.hidden = notice === undefined;
      text.setAttribute('aria-live', notice?.busy === true ? 'off' : 'polite');
      text.textContent = notice?.text ?? '';
      const actions = notice?.actions ?? [];
      // The same buttons stay, so that one which has the focus keeps it while the numbers change.
      const newLabels = actions.map((action) => action.text).join('\n');
      if (newLabels === labels) return;
      labels = newLabels;
      buttons.replaceChildren(...actions.map(actionButton));
    },
  };
}

function actionButton({ text, act }: NoticeAction): HTMLElement {
  const button = make('button', { type: 'button' }, text);
  button.addEventListener('click', act);
  return button;
}

/** Figures, jobs and load scale beside the picture, as text that can be read and copied. */
export function fillLegend(legend: HTMLElement, scene: Scene, theme: Theme, choices: ChoiceControls): void {
  const { activeElement } = document;
  const { difference } = scene;
  const changed = difference?.figures.map((figure) => [figure.name, figureChange(figure)] as const);
  legend.replaceChildren(
    section('Figures', figureList(changed ?? scene.figures)),
    section('Jobs', jobs(scene, theme), choices.labels),
    difference === undefined
      ? section('Link load', loadScale(scene, theme), choices.scale)
      : section('Change of link load', changeScale(scene, difference, theme)),
  );
  // What had the focus has moved with its section.
  if (activeElement instanceof HTMLElement && legend.contains(activeElement)) activeElement.focus();
}

const section = (title: string, ...content: HTMLElement[]): HTMLElement =>
  make('section', {}, make('h2', {}, title), ...content);

function jobs(scene: Scene, theme: Theme): HTMLElement {
  const list = make('ul', { class: 'jobs' });
  for (const job of scene.jobs) {
    list.append(
      make(
        'li',
        {},
        swatch(job.color),
        make('span', { class: 'name' }, job.name),
        faint(countOf(job.taskCount, 'task')),
      ),
    );
  }
  if (scene.nodes.job.includes(-1)) {
    list.append(make('li', {}, swatch(theme.freeNode), make('span', { class: 'name' }, 'free node')));
  }
  return make('div', {}, list, ...numberNotes(scene).map((note) => make('p', { class: 'faint' }, note)));
}

function swatch(color: string): HTMLElement {
  const box = make('span', { class: 'swatch', 'aria-hidden': 'true' });
  box.style.backgroundColor = color;
  return box;
}

const faint = (text: string): HTMLElement => make('span', { class: 'faint' }, text);

function loadScale(scene: Scene, theme: Theme): HTMLElement {
  const marks = make('div', { class: 'marks faint' });
  scene.loadLegend.marks.forEach(({ share, label }, index) => {
    const mark = make('span', {}, label);
    if (index === 1) mark.style.right = `${100 * (1 - share - markOverlap)}%`;
    else mark.style.left = `${100 * share}%`;
    marks.append(mark);
  });
  return make('div', {}, colorBar(scene, theme), marks, ...loadNotes(scene).map(faintLine));
}

function changeScale(scene: Scene, difference: SceneDifference, theme: Theme): HTMLElement {
  const { less, more, steps } = changeScaleWords(difference);
  const marks = make(
    'div',
    { class: 'marks changes faint' },
    ...[less, '0', more].map((text) => make('span', {}, text)),
  );
  const notes = [steps, ...changeNotes(difference)];
  return make('div', {}, colorBar(scene, theme), marks, ...notes.map(faintLine));
}

const faintLine = (text: string): HTMLElement => make('p', { class: 'faint' }, text);

/** The colours of links side by side. */
function colorBar(scene: Scene, theme: Theme): HTMLElement {
  const bar = make('div', { class: 'scale', 'aria-hidden': 'true' });
  for (const color of loadColorsFor(scene, theme)) {
    const step = make('span');
    step.style.backgroundColor = color;
    bar.append(step);
  }
  return bar;
}
