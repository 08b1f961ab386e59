/**
 * What changes from one placement to another as tables that are sorted and filtered: links with both loads, tasks with
 * both nodes, and the figures of several placements.
 */
import { changeWords, linkChanges, placeName } from '../../server/drawing/difference.ts';
import { formatBytes, formatSeconds } from '../../server/drawing/labels.ts';
import { areAlike } from '../../server/drawing/loadScale.ts';
import type { Scene, SceneDifference } from '../../server/drawing/scene.ts';
import { make } from '../page/controls.ts';
import { said, t } from '../page/words.ts';

/** A column of a table and its name in CSV. */
interface Column {
  readonly title: string;
  readonly csv: string;
  readonly isNumeric: boolean;
}

export interface ChangeRow {
  /** Parallel to the columns: what is shown. */
  readonly cells: readonly string[];
  /** What it is sorted by and written as in CSV. */
  readonly values: readonly (string | number)[];
  /** What the row's button shows in the picture. */
  readonly show: ChangedThing;
}

/** Directed link by its LinkId, or entries of the nodes that a task left and came to. */
export type ChangedThing =
  | { readonly kind: 'link'; readonly link: number }
  | { readonly kind: 'task'; readonly from: number; readonly to: number };

export interface ChangeRows {
  readonly caption: string;
  /** Where there is no row. */
  readonly nothing: string;
  readonly columns: readonly Column[];
  readonly rows: readonly ChangeRow[];
}

const text = (title: string, csv: string): Column => ({ title, csv, isNumeric: false });
const numeric = (title: string, csv: string): Column => ({ title, csv, isNumeric: true });

/** Directed links whose load has changed, the largest change first. */
export function changedLinks(scene: Scene, difference: SceneDifference): ChangeRows {
  const { forwardLink, backwardLink } = scene.links;
  const isAlike = areAlike(scene);
  return {
    caption: t('Links from {0} to {1}, the largest change first', difference.before, scene.placement),
    nothing: t('No link carries more or less than before.'),
    columns: [
      text('From', 'from'),
      text('To', 'to'),
      numeric('Before', 'bytes before'),
      numeric('After', 'bytes after'),
      numeric('Change', 'change in bytes'),
      numeric('In per cent', 'change in per cent'),
      ...(isAlike ? [] : [numeric('Busy before', 'seconds busy before'), numeric('Busy after', 'seconds busy after')]),
    ],
    rows: linkChanges(scene, difference).map(({ link, isForward, from, to, before, after, busy }) => {
      const change = after - before;
      const sign = change < 0 ? '−' : '+';
      const share = before === 0 ? Infinity : (100 * change) / before;
      const percent = before === 0 ? t('new') : after === 0 ? '−100 %' : said(changeWords(before, after));
      return {
        cells: [from, to, formatBytes(before), formatBytes(after), `${sign}${formatBytes(Math.abs(change))}`, percent, ...(busy === undefined ? [] : [formatSeconds(busy.before), formatSeconds(busy.after)])], // prettier-ignore
        values: [from, to, before, after, change, share, ...(busy === undefined ? [] : [busy.before, busy.after])],
        show: { kind: 'link', link: (isForward ? forwardLink : backwardLink)[link]! },
      };
    }),
  };
}

/** Tasks that run on another node, by job and number. */
export function movedTasks(scene: Scene, { before, moves }: SceneDifference): ChangeRows {
  return {
    caption: t('Tasks that run on another node in {0} than in {1}', scene.placement, before),
    nothing: t('Every task runs on the node that it ran on before.'),
    columns: [text('Job', 'job'), numeric('Task', 'task'), text('From node', 'from node'), text('To node', 'to node')],
    rows: Array.from(moves.task, (task, move) => {
      const job = scene.jobs[moves.job[move]!]!.name;
      const [from, to] = [moves.from[move]!, moves.to[move]!];
      const ends = [placeName(scene, from), placeName(scene, to)];
      return {
        cells: [job, `${task}`, ...ends],
        values: [job, task, ...ends],
        show: { kind: 'task', from, to },
      };
    }),
  };
}

const rowsPerPage = 100;

/** One of these tables as elements: a page of rows at a time, sorted by the titles, filtered by what is typed. */
export class ChangeTable {
  readonly element = make('section', { class: 'paged' });
  readonly #show: (thing: ChangedThing) => void;
  #content: ChangeRows | undefined;
  #sorted: { readonly column: number; readonly descending: boolean } | undefined;
  #filter = '';
  #page = 0;
  /** In the order and with the filter that are chosen. */
  #rows: readonly ChangeRow[] = [];

  constructor(show: (thing: ChangedThing) => void) {
    this.#show = show;
  }

  /** Of another kind of rows the order is not kept. */
  setContent(content: ChangeRows): void {
    if (this.#content?.columns.length !== content.columns.length) this.#sorted = undefined;
    this.#content = content;
    this.#arrange();
  }

  setFilter(filter: string): void {
    this.#filter = filter.trim().toLowerCase();
    this.#page = 0;
    this.#arrange();
  }

  /** What is shown, all pages of it. */
  csv(): string {
    const lines = [this.#content?.columns.map(({ csv }) => csv) ?? [], ...this.#rows.map(({ values }) => values)];
    return lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
  }

  #arrange(): void {
    if (this.#content === undefined) return;
    const { rows } = this.#content;
    const kept =
      this.#filter === ''
        ? [...rows]
        : rows.filter(({ cells }) => cells.some((cell) => cell.toLowerCase().includes(this.#filter)));
    if (this.#sorted !== undefined) {
      const { column, descending } = this.#sorted;
      const sign = descending ? -1 : 1;
      kept.sort((one, other) => sign * compare(one.values[column]!, other.values[column]!));
    }
    this.#rows = kept;
    this.#page = Math.min(this.#page, Math.max(0, Math.ceil(kept.length / rowsPerPage) - 1));
    this.#render(this.#content);
  }

  #render({ caption, nothing, columns, rows }: ChangeRows): void {
    const count = this.#rows.length === rows.length ? '' : t(', {0} of {1}', this.#rows.length, rows.length);
    const heads = columns.map((column, index) => this.#head(column, index));
    const head = make('thead', {}, make('tr', {}, ...heads, make('th', { scope: 'col' }, t('Picture'))));
    const first = this.#page * rowsPerPage;
    const body = make(
      'tbody',
      {},
      ...this.#rows.slice(first, first + rowsPerPage).map((row) => this.#row(row, columns)),
    );
    const table = make('table', {}, make('caption', { 'aria-live': 'polite' }, caption + count), head, body);
    this.element.replaceChildren(table);
    if (this.#rows.length === 0)
      this.element.append(make('p', {}, rows.length === 0 ? nothing : t('No row has this text.')));
    if (this.#rows.length > rowsPerPage) this.element.append(this.#pager());
  }

  /** A button in every title: pressed again it turns the order. */
  #head({ title, isNumeric }: Column, column: number): HTMLElement {
    const isSorted = this.#sorted?.column === column;
    const descending = this.#sorted?.descending === true;
    const mark = isSorted ? (descending ? ' ▼' : ' ▲') : '';
    const button = make('button', { type: 'button', class: 'sort', title: t('Sort by {0}', said(title)) }, said(title));
    if (mark !== '') button.append(make('span', { 'aria-hidden': 'true' }, mark));
    button.addEventListener('click', () => {
      // Numbers are wanted from the largest down.
      this.#sorted = { column, descending: isSorted ? !descending : isNumeric };
      this.#page = 0;
      this.#arrange();
      this.element.querySelectorAll<HTMLElement>('button.sort')[column]?.focus();
    });
    const order = isSorted ? { 'aria-sort': descending ? 'descending' : 'ascending' } : {};
    return make('th', { scope: 'col', class: isNumeric ? 'numeric' : '', ...order }, button);
  }

  #row({ cells, show }: ChangeRow, columns: readonly Column[]): HTMLElement {
    const shown = cells.map((cell, column) => {
      const attributes = { class: columns[column]!.isNumeric ? 'numeric' : '' };
      return column === 0 ? make('th', { ...attributes, scope: 'row' }, cell) : make('td', attributes, cell);
    });
    const button = make('button', { type: 'button', class: 'select' }, t('Show'));
    button.setAttribute('aria-description', `${cells[0] ?? ''} ${cells[1] ?? ''}`);
    button.addEventListener('click', () => {
      this.#show(show);
    });
    return make('tr', {}, ...shown, make('td', {}, button));
  }

  #pager(): HTMLElement {
    const pages = Math.ceil(this.#rows.length / rowsPerPage);
    const step = (words: string, page: number): HTMLElement => {
      const button = make('button', { type: 'button', class: 'page', 'data-step': words }, words);
      button.disabled = page < 0 || page >= pages;
      button.addEventListener('click', () => {
        this.#page = page;
        if (this.#content !== undefined) this.#render(this.#content);
        this.element.querySelector<HTMLElement>(`.pager button[data-step="${words}"]`)?.focus();
      });
      return button;
    };
    const where = make('span', { role: 'status' }, t('Page {0} of {1}', this.#page + 1, pages));
    return make('div', { class: 'pager' }, step(t('Previous'), this.#page - 1), where, step(t('Next'), this.#page + 1));
  }
}

const compare = (one: string | number, other: string | number): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other || 0
    : String(one).localeCompare(String(other), 'en', { numeric: true });

/** Quoted where it would be taken for more than one cell; what a spreadsheet would run is text. */
function csvCell(value: string | number): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** All figures of placements that are compared, with their change against the first. */
export function figureTable(scenes: readonly Scene[]): HTMLElement {
  const [first] = scenes;
  const names = first?.figures.map(([name]) => name) ?? [];
  const head = make('tr', {}, make('th', { scope: 'col' }, t('Figures')), ...scenes.map(({ placement }) => make('th', { scope: 'col', class: 'numeric' }, placement))); // prettier-ignore
  const rows = names.map((name) => {
    const cells = scenes.map((scene) => {
      const figure = figureOf(scene, name);
      if (figure === undefined) return '';
      const change =
        scene === first || first === undefined ? '' : changeWords(figureOf(first, name)!.value, figure.value);
      return change === '' ? said(figure.words) : `${said(figure.words)} (${said(change)})`;
    });
    return make('tr', {}, make('th', { scope: 'row' }, said(name)), ...cells.map((cell) => make('td', { class: 'numeric' }, cell))); // prettier-ignore
  });
  const caption = make('caption', {}, t('Figures, and their change against {0}', first?.placement ?? ''));
  return make('section', { class: 'paged' }, make('table', {}, caption, make('thead', {}, head), make('tbody', {}, ...rows))); // prettier-ignore
}

/** A figure of a scene by its name. */
export function figureOf(
  { figures, figureValues }: Scene,
  name: string,
): { readonly words: string; readonly value: number } | undefined {
  const index = figures.findIndex(([other]) => other === name);
  return index < 0 ? undefined : { words: figures[index]![1], value: figureValues[index]! };
}
