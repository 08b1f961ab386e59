import { loadNotes, markOverlap, numberNotes } from '../server/drawing/legendLayout.ts';
import { plural } from '../server/drawing/quantities.ts';
import type { Scene } from '../server/drawing/scene.ts';
import { make } from './controls.ts';
import { loadColorsFor, type Theme } from './theme.ts';

/** Figures, jobs and load scale beside the picture, as text that can be read and copied. */
export function fillLegend(legend: HTMLElement, scene: Scene, theme: Theme): void {
  legend.replaceChildren(
    section('Figures', figures(scene)),
    section('Jobs', jobs(scene, theme)),
    section('Link load', loadScale(scene, theme)),
  );
}

const section = (title: string, content: HTMLElement): HTMLElement =>
  make('section', {}, make('h2', {}, title), content);

function figures(scene: Scene): HTMLElement {
  const list = make('dl', { class: 'figures' });
  for (const [name, value] of scene.figures) list.append(make('dt', {}, name), make('dd', {}, value));
  return list;
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
        faint(plural(job.taskCount, 'task')),
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
  const bar = make('div', { class: 'scale', 'aria-hidden': 'true' });
  for (const color of loadColorsFor(scene, theme)) {
    const step = make('span');
    step.style.backgroundColor = color;
    bar.append(step);
  }
  const marks = make('div', { class: 'marks faint' });
  scene.loadLegend.marks.forEach(({ share, label }, index) => {
    const mark = make('span', {}, label);
    if (index === 1) mark.style.right = `${100 * (1 - share - markOverlap)}%`;
    else mark.style.left = `${100 * share}%`;
    marks.append(mark);
  });
  return make('div', {}, bar, marks, ...loadNotes(scene).map((note) => make('p', { class: 'faint' }, note)));
}
