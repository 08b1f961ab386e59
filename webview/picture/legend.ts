/** The legend beside a picture or its table: what was measured, whose nodes have which colour, how heavy which colour of a link is. */
import { changeNotes, changeScaleWords, changeBetween, figureChange } from '../../server/drawing/difference.ts';
import { formatNumber, headlineLabels } from '../../server/drawing/labels.ts';
import { degreeTitle, loadNotes, loadTitle, markOverlap, numberNotes } from '../../server/drawing/legendLayout.ts';
import type { MachineAbout, Scene, SceneDifference } from '../../server/drawing/scene.ts';
import { figureList, make } from '../page/controls.ts';
import { loadColorsFor, type Theme } from '../page/theme.ts';
import { counted, localised, t } from '../page/words.ts';
import type { ChoiceControls } from './choices.ts';

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
    section(t('Metrics'), ...figures(changed ?? scene.figures, scene)),
    section(t('Jobs'), jobs(scene, theme), choices.labels),
    difference === undefined
      ? section(localised(loadTitle(scene)), loadScale(scene, theme), choices.scale)
      : section(t('Change of link load'), changeScale(scene, difference, theme), choices.scale),
  );
}

/** Of a machine by itself: its figures, its degrees, its kinds of cables, the names of its hosts. */
function fillMachineLegend(legend: HTMLElement, scene: Scene, about: MachineAbout, choices: ChoiceControls): void {
  const figures = make('div', {}, figureList(scene.figures), ...about.notes.map(faintLine));
  const { names } = scene.nodes;
  legend.replaceChildren(
    section(t('Metrics'), figures),
    section(localised(degreeTitle(about.degreeWord)), degreeBars(about)),
    section(t('Links'), cableClasses(about)),
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
    return make(
      'tr',
      {},
      make('th', { scope: 'row', class: 'numeric' }, `${degree}`),
      make('td', { class: 'bars' }, bar),
      make('td', { class: 'numeric' }, formatNumber(routers)),
    );
  });
  const head = make(
    'tr',
    {},
    make('th', { scope: 'col' }, t('Links')),
    make('th', { scope: 'col' }, ''),
    make('th', { scope: 'col', class: 'numeric' }, degreeWord === 'switch' ? t('Switches') : t('Nodes')),
  );
  head.children[1]!.replaceWith(make('td'));
  return make('table', { class: 'degrees' }, make('thead', {}, head), make('tbody', {}, ...rows));
}

function cableClasses({ linkClasses }: MachineAbout): HTMLElement {
  const list = make('ul', { class: 'jobs' });
  for (const { name, cables, words, color } of linkClasses) {
    const label = make('span', { class: 'name cable-class' }, localised(name));
    if (words !== '') label.append(faint(` ${localised(words)}`));
    list.append(make('li', {}, swatch(color), label, faint(formatNumber(cables))));
  }
  if (linkClasses.every(({ words }) => words === ''))
    return make('div', {}, list, make('p', { class: 'faint' }, t('The machine has no bandwidth.')));
  return list;
}

const section = (title: string, ...content: HTMLElement[]): HTMLElement =>
  make('section', {}, make('h2', {}, title), ...content);

/** What one looks at first, in this order of weight; the rest is folded. */
const headlines = [...headlineLabels, 'Hot links', 'Maximum hops'];
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
  const changes = new Map(
    before && all.map(([name], index) => [name, changeBetween(before.values[index]!, figureValues[index]!)]),
  );
  const against =
    before &&
    make(
      'p',
      { class: 'faint' },
      jobCount === 1
        ? t('Change from {0}, the baseline placement of this job.', before.placement)
        : t('Change from {0}, the baseline placement of these jobs.', before.placement),
    );
  return [
    figureList(shown.map(([name, words]) => [name, words, changes.get(name)])),
    ...(against === undefined ? [] : [against]),
    more,
  ];
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
  if (holder === null || holder.textContent === notes.map(localised).join('')) return;
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
    const mark = make('span', {}, localised(label));
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
    ...[less, '0', more].map((text) => make('span', {}, localised(text))),
  );
  const notes = [steps, ...changeNotes(difference)];
  return make('div', {}, colorBar(scene, theme), marks, ...notes.map(faintLine));
}

const faintLine = (text: string): HTMLElement => make('p', { class: 'faint' }, localised(text));

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
