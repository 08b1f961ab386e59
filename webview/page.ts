/** The panel's page: headline, status, and the legend beside picture or table. */
import { changeNotes, changeScaleWords, changeWords, figureChange } from '../server/drawing/difference.ts';
import { formatNumber, pictureSubtitle, pictureTitle } from '../server/drawing/labels.ts';
import { degreeTitle, loadNotes, loadTitle, markOverlap, numberNotes } from '../server/drawing/legendLayout.ts';
import type { MachineAbout, Scene, SceneDifference } from '../server/drawing/scene.ts';
import type { ChoiceControls } from './choices.ts';
import { figureList, make, type Mode } from './controls.ts';
import { loadColorsFor, type Theme } from './theme.ts';
import { counted, said, t } from './words.ts';

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

/** The panel's frame: headline, status and buttons above, picture or table with the legend below. */
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

export function createPage(
  root: HTMLElement,
  controls: HTMLElement,
  picture: HTMLElement,
  table: HTMLElement,
  explanation: HTMLElement,
  find: HTMLElement,
): Page {
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
  return {
    element,
    show(notice) {
      element.hidden = notice === undefined;
      text.setAttribute('aria-live', notice?.busy === true ? 'off' : 'polite');
      text.textContent = said(notice?.text ?? '');
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

/** Figures, jobs and load scale beside the picture, as text that can be read and copied. `scale`: pixels per world unit. */
export function fillLegend(
  legend: HTMLElement,
  scene: Scene,
  theme: Theme,
  choices: ChoiceControls,
  scale?: number,
): void {
  const { activeElement } = document;
  if (scene.about === undefined) fillPlacementLegend(legend, scene, theme, choices);
  else fillMachineLegend(legend, scene, scene.about, choices);
  fillNumberNotes(legend, scene, scale);
  // What had the focus has moved with its section.
  if (activeElement instanceof HTMLElement && legend.contains(activeElement)) activeElement.focus();
}

function fillPlacementLegend(legend: HTMLElement, scene: Scene, theme: Theme, choices: ChoiceControls): void {
  const { difference } = scene;
  const changed = difference?.figures.map((figure) => [figure.name, figureChange(figure)] as const);
  legend.replaceChildren(
    section(t('Figures'), ...figures(changed ?? scene.figures, scene)),
    section(t('Jobs'), jobs(scene, theme), choices.labels),
    difference === undefined
      ? section(said(loadTitle(scene)), loadScale(scene, theme), choices.scale)
      : section(t('Change of link load'), changeScale(scene, difference, theme), choices.scale),
  );
}

/** Of a machine by itself: its figures, its degrees, its kinds of cables, the names of its hosts. */
function fillMachineLegend(legend: HTMLElement, scene: Scene, about: MachineAbout, choices: ChoiceControls): void {
  const figures = make('div', {}, figureList(scene.figures), ...about.notes.map(faintLine));
  const { names } = scene.nodes;
  legend.replaceChildren(
    section(t('Figures'), figures),
    section(said(degreeTitle(about.degreeWord)), degreeBars(about)),
    section(t('Cables'), cableClasses(about)),
    section(
      scene.routers.id.length > 0 ? t('Hosts') : t('Nodes'),
      make('p', { class: 'names' }, namesInShort(names)),
      make('div', { class: 'number-notes' }),
      choices.labels,
    ),
  );
}

/** So many names are told; all of them are in the table. */
const namesTold = 6;

const namesInShort = (names: readonly string[]): string =>
  names.length <= namesTold
    ? names.join(', ')
    : t(
        '{0} … {1}: {2} in the table',
        names.slice(0, namesTold - 1).join(', '),
        names.at(-1)!,
        formatNumber(names.length),
      );

function degreeBars({ degrees, degreeWord }: MachineAbout): HTMLElement {
  const most = degrees.reduce((largest, { routers }) => Math.max(largest, routers), 1);
  const rows = degrees.map(({ degree, routers }) => {
    const bar = make('span', { class: 'bar', 'aria-hidden': 'true' });
    bar.style.width = `${(100 * routers) / most}%`;
    return make('tr', {}, make('th', { scope: 'row', class: 'numeric' }, `${degree}`), make('td', { class: 'bars' }, bar), make('td', { class: 'numeric' }, formatNumber(routers))); // prettier-ignore
  });
  const head = make('tr', {}, make('th', { scope: 'col' }, t('Cables')), make('th', { scope: 'col' }, ''), make('th', { scope: 'col', class: 'numeric' }, degreeWord === 'switch' ? t('Switches') : t('Nodes'))); // prettier-ignore
  head.children[1]!.replaceWith(make('td'));
  return make('table', { class: 'degrees' }, make('thead', {}, head), make('tbody', {}, ...rows));
}

function cableClasses({ linkClasses }: MachineAbout): HTMLElement {
  const list = make('ul', { class: 'jobs' });
  for (const { name, cables, words, color } of linkClasses) {
    const label = make('span', { class: 'name cable-class' }, said(name));
    if (words !== '') label.append(faint(` ${said(words)}`));
    list.append(make('li', {}, swatch(color), label, faint(formatNumber(cables))));
  }
  if (linkClasses.every(({ words }) => words === '')) return make('div', {}, list, make('p', { class: 'faint' }, t('The machine gives no bandwidth.'))); // prettier-ignore
  return list;
}

const section = (title: string, ...content: HTMLElement[]): HTMLElement =>
  make('section', {}, make('h2', {}, title), ...content);

/** What one looks at first, in this order of weight; the rest is folded. */
const headlines = ['Congestion time', 'Maximum link load', 'Average hops', 'Hop-bytes', 'Hot links', 'Maximum hops'];
const headlineCount = 4;
/** Whether the rest is unfolded: kept while the page is. */
let isUnfolded = false;

/** The first four with their change against the first placement of the same jobs. */
function figures(
  all: Scene['figures'],
  { figureValues, reference, difference, jobs: { length: jobCount } }: Scene,
): HTMLElement[] {
  const first = headlines.filter((name) => all.some(([each]) => each === name)).slice(0, headlineCount);
  const rest = all.filter(([name]) => !first.includes(name));
  const shown = all.filter(([name]) => first.includes(name));
  if (rest.length === 0 || shown.length === 0) return [figureList(all)];
  const more = make('details', {}, make('summary', {}, t('{0} more', rest.length)), figureList(rest));
  more.open = isUnfolded;
  more.addEventListener('toggle', () => {
    isUnfolded = more.open;
  });
  const before = difference === undefined ? reference : undefined;
  const changes = new Map(before && all.map(([name], index) => [name, changeWords(before.values[index]!, figureValues[index]!)])); // prettier-ignore
  const against = before && make('p', { class: 'faint' }, jobCount === 1 ? t('Change against {0}, the first placement of the same job.', before.placement) : t('Change against {0}, the first placement of the same jobs.', before.placement)); // prettier-ignore
  return [figureList(shown.map(([name, words]) => [name, words, changes.get(name)])), ...(against === undefined ? [] : [against]), more]; // prettier-ignore
}

function jobs(scene: Scene, theme: Theme): HTMLElement {
  const list = make('ul', { class: 'jobs' });
  for (const job of scene.jobs) {
    list.append(
      make(
        'li',
        {},
        swatch(job.color),
        make('span', { class: 'name' }, job.name),
        faint(counted(job.taskCount, '1 task', '{0} tasks')),
      ),
    );
  }
  if (scene.nodes.job.includes(-1)) {
    list.append(make('li', {}, swatch(theme.freeNode), make('span', { class: 'name' }, t('free node'))));
  }
  return make('div', {}, list, make('div', { class: 'number-notes' }));
}

/** What the numbers in the picture mean, those alone that are drawn. */
export function fillNumberNotes(legend: HTMLElement, scene: Scene, scale?: number): void {
  const holder = legend.querySelector('.number-notes');
  const notes = numberNotes(scene, scale);
  if (holder === null || holder.textContent === notes.map(said).join('')) return;
  holder.replaceChildren(...notes.map(faintLine));
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
    const mark = make('span', {}, said(label));
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
    ...[less, '0', more].map((text) => make('span', {}, said(text))),
  );
  const notes = [steps, ...changeNotes(difference)];
  return make('div', {}, colorBar(scene, theme), marks, ...notes.map(faintLine));
}

const faintLine = (text: string): HTMLElement => make('p', { class: 'faint' }, said(text));

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
