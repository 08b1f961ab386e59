/** The tables beside the picture as elements, a page of rows at a time; `rows.ts` has what stands in them. */
import { csvText, formatNumber } from '../../server/drawing/labels.ts';
import type { Scene } from '../../server/drawing/scene.ts';
import { make } from '../page/controls.ts';
import { localised, t } from '../page/words.ts';
import type { Target } from '../picture/describeThing.ts';
import type { Thing } from '../picture/pick.ts';
import { linkRows, nodeRows, routerRows, type TableContent } from './rows.ts';

/** The accessible twin of the picture: links, nodes and switches as tables, a page of rows at a time. */
export interface TableView {
  readonly element: HTMLElement;
  setScene(scene: Scene): void;
  /** Whether it is seen. While it is not, the rows of a scene wait until they are. */
  setShown(isShown: boolean): void;
  /** Whether a first task is selected: then the buttons of nodes choose the second. */
  setSecond(second: boolean): void;
  /** Links of a placement, cables of a machine: what the first table shows. */
  readonly saveCsv: () => void;
}

export interface TableActions {
  readonly reveal: (target: Target) => void;
  readonly select: (thing: Thing, second: boolean) => void;
  /** Rows that are shown, as CSV, of the table of that name. */
  readonly saveCsv: (table: SavedTable, csv: string) => void;
}

type SavedTable = 'links' | 'nodes' | 'switches';

const rowsPerPage = 100;
const fewRows = 12;

export function createTableView({ reveal, select, saveCsv }: TableActions): TableView {
  let second = false;
  let scene: Scene | undefined;
  let isShown = false;
  /** The rows are of an older scene. */
  let isBehind = false;
  const tableOf = (name: SavedTable, selects: () => boolean): PagedTable<Thing> =>
    new PagedTable({
      reveal,
      select: (thing) => {
        select(thing, selects());
      },
      selectTitle: t('Flows'),
      save: (csv) => {
        saveCsv(name, csv);
      },
    });
  const links = tableOf('links', () => false);
  const nodes = tableOf('nodes', () => second);
  const routers = tableOf('switches', () => false);
  links.setSelectText(t('Explain'));
  nodes.setSelectText(routeFrom);
  const element = make('div', { class: 'tables' }, links.element, nodes.element, routers.element);
  const catchUp = (): void => {
    if (!isBehind || scene === undefined) return;
    isBehind = false;
    links.setContent(linkRows(scene));
    nodes.setContent(nodeRows(scene));
    routers.element.hidden = scene.routers.id.length === 0;
    if (scene.routers.id.length > 0) routers.setContent(routerRows(scene));
  };
  return {
    element,
    setScene(newScene) {
      scene = newScene;
      const isMachine = scene.about !== undefined;
      links.setSelectText(isMachine ? t('Show') : t('Explain'));
      if (isMachine) nodes.setSelectText(t('Show'));
      isBehind = true;
      if (isShown) catchUp();
    },
    setShown(nowShown) {
      isShown = nowShown;
      if (isShown) catchUp();
    },
    saveCsv: () => {
      catchUp();
      links.saveRows();
    },
    setSecond(newSecond) {
      second = newSecond;
      if (scene?.about !== undefined) return;
      nodes.setSelectText(second ? routeTo : routeFrom);
    },
  };
}

const routeFrom = t('Route from');
const routeTo = t('Route to');

/** How the rows of a table stand: by which column, and with which text in them. */
interface Order {
  /** −1: as they came. */
  readonly column: number;
  readonly descending: boolean;
  readonly filter: string;
}

const collator = new Intl.Collator('en', { numeric: true });

/** The number in a cell, with a thousand's commas; undefined for words. */
function cellNumber(cell: string): number | undefined {
  const value = Number(cell.replaceAll(',', ''));
  return cell === '' || Number.isNaN(value) ? undefined : value;
}

/** The rows that have the filter's words, in the order of a column; of equal ones the first stays first. O(rows log rows). */
function orderedRows<Selected>(
  content: TableContent<Selected>,
  { column, descending, filter }: Order,
): readonly number[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (row: number): boolean => {
    const cells = content.cells(row).join(' ').toLowerCase();
    return words.every((word) => cells.includes(word));
  };
  const rows = Array.from({ length: content.rowCount }, (_, row) => row);
  const kept = words.length === 0 ? rows : rows.filter(has);
  if (column < 0) return kept;
  const keyed = kept.map((row) => {
    const cell = content.cells(row)[column] ?? '';
    return { row, cell, value: content.value?.(row, column) ?? cellNumber(cell) };
  });
  const compare = (one: (typeof keyed)[number], other: (typeof keyed)[number]): number =>
    one.value !== undefined && other.value !== undefined
      ? one.value - other.value
      : collator.compare(one.cell, other.cell);
  keyed.sort((one, other) => (descending ? compare(other, one) : compare(one, other)) || one.row - other.row);
  return keyed.map(({ row }) => row);
}

/** For spreadsheets: the head, then rows; numbers as they are. */
function csvOf<Selected>(content: TableContent<Selected>, rows: readonly number[]): string {
  const head = content.columns.map(({ title, csv = title }) => csv);
  const lines = rows.map((row) =>
    content.cells(row).map((cell, column) => content.value?.(row, column) ?? cellNumber(cell) ?? cell),
  );
  return csvText([head, ...lines]);
}

/** What can be done with the rows of a table. */
interface PagedTableActions<Selected> {
  readonly reveal?: (target: Target) => void;
  /** The button at the end of a row; there is none where {@link PagedTable.setSelectText} was not called. */
  readonly select?: (selected: Selected) => void;
  readonly selectTitle?: string;
  /** The rows that are shown, as CSV; without it there is no button for a file. */
  readonly save?: (csv: string) => void;
}

/** A table of which a page of rows is shown at a time, sorted by the column that one clicks and filtered by words. */
export class PagedTable<Selected extends { readonly kind: string }> {
  readonly element = make('section', { class: 'paged' });
  readonly #actions: PagedTableActions<Selected>;
  #selectText = '';
  #page = 0;
  #order: Order = { column: -1, descending: false, filter: '' };
  #rows: readonly number[] = [];
  #content: TableContent<Selected> | undefined;
  readonly #tools: HTMLElement;
  readonly #count = make('span', { class: 'faint', role: 'status' });
  readonly #body = make('div', { class: 'sheet' });

  constructor(actions: PagedTableActions<Selected>) {
    this.#actions = actions;
    const filter = make('input', {
      type: 'search',
      placeholder: t('Filter'),
      'aria-label': t('Filter rows'),
      spellcheck: 'false',
    });
    filter.addEventListener('input', () => {
      this.#arrange({ ...this.#order, filter: filter.value });
    });
    this.#tools = make('div', { class: 'find' }, filter, this.#count);
    if (actions.save !== undefined) {
      const button = make('button', { type: 'button', class: 'page', title: t('Save these rows as CSV') }, 'CSV');
      button.addEventListener('click', () => {
        this.saveRows();
      });
      this.#tools.append(button);
    }
    this.element.append(this.#tools, this.#body);
  }

  /** The rows that are left, in their order, all pages of them. */
  csv(): string {
    return this.#content === undefined ? '' : csvOf(this.#content, this.#rows);
  }

  /** The rows that are left, in their order. */
  saveRows(): void {
    if (this.#content !== undefined) this.#actions.save?.(this.csv());
  }

  #arrange(order: Order): void {
    this.#order = order;
    if (this.#content === undefined) return;
    this.#rows = orderedRows(this.#content, order);
    this.#page = 0;
    this.#render(this.#content);
  }

  /** In place, so that the button just pressed keeps the focus. */
  setSelectText(text: string): void {
    if (text === this.#selectText) return;
    this.#selectText = text;
    for (const button of this.element.querySelectorAll('button.select')) button.textContent = text;
  }

  /** Keeps the order, where there is such a column, and the page, where it still exists: a new report should not scroll the reader away. */
  setContent(content: TableContent<Selected>): void {
    const { column: before } = this.#order;
    const isSame = this.#content?.columns[before]?.title === content.columns[before]?.title;
    const column = isSame && before < content.columns.length ? before : -1;
    this.#content = content;
    this.#order = { ...this.#order, column };
    this.#rows = orderedRows(content, this.#order);
    this.#page = Math.min(this.#page, Math.max(0, Math.ceil(this.#rows.length / rowsPerPage) - 1));
    this.#render(content);
  }

  #render(content: TableContent<Selected>): void {
    const table = make('table', {}, make('caption', {}, content.caption), this.#head(content), this.#bodyOf(content));
    this.#body.replaceChildren(table);
    const { rowCount, nothing } = content;
    if (this.#rows.length === 0 && nothing !== undefined)
      this.#body.append(make('p', {}, rowCount === 0 ? nothing : t('No row contains this text.')));
    if (this.#rows.length > rowsPerPage) this.#body.append(this.#pager(content));
    // A table that is seen at once needs no filter.
    this.#tools.hidden = rowCount <= fewRows && this.#actions.save === undefined;
    this.#count.textContent =
      this.#order.filter === '' ? '' : t('{0} of {1}', formatNumber(this.#rows.length), formatNumber(rowCount));
  }

  #head(content: TableContent<Selected>): HTMLElement {
    const { column: sorted, descending } = this.#order;
    const titles = content.columns.map(({ title, numeric }, column) => {
      const isSorted = column === sorted;
      const arrow = descending ? ' ▾' : ' ▴';
      const button = make(
        'button',
        { type: 'button', class: 'sort', title: t('Sort by {0}', localised(title)) },
        localised(title),
      );
      if (isSorted) button.append(make('span', { 'aria-hidden': 'true' }, arrow));
      button.addEventListener('click', () => {
        // Of numbers the largest are looked for.
        this.#arrange({ ...this.#order, column, descending: isSorted ? !descending : numeric });
        this.#body.querySelectorAll<HTMLElement>('button.sort')[column]?.focus();
      });
      const order = isSorted ? { 'aria-sort': descending ? 'descending' : 'ascending' } : {};
      return make('th', { scope: 'col', class: numeric ? 'numeric' : '', ...order }, button);
    });
    if (this.#selectText !== '') titles.push(make('th', { scope: 'col' }, this.#actions.selectTitle ?? ''));
    return make('thead', {}, make('tr', {}, ...titles));
  }

  #bodyOf(content: TableContent<Selected>): HTMLElement {
    const first = this.#page * rowsPerPage;
    const shown = this.#rows.slice(first, first + rowsPerPage);
    return make('tbody', {}, ...shown.map((row) => this.#row(content, row)));
  }

  /** The button in the first cell goes to the text. */
  #row(content: TableContent<Selected>, row: number): HTMLElement {
    const target = content.target?.(row);
    const words = content.cells(row);
    const cells = words.map((cell, column) => {
      const attributes = { class: content.columns[column]!.numeric ? 'numeric' : '' };
      if (column > 0) return make('td', attributes, cell);
      if (target === undefined) return make('th', { ...attributes, scope: 'row' }, cell);
      const button = make('button', { type: 'button', title: t('Go to the text') }, cell);
      button.addEventListener('click', () => {
        this.#actions.reveal?.(target);
      });
      return make('th', { ...attributes, scope: 'row' }, button);
    });
    if (this.#selectText !== '') cells.push(make('td', {}, ...this.#selectButton(content.selects(row), words)));
    return make('tr', {}, ...cells);
  }

  /** Selects without revealing: the reader stays in the table. */
  #selectButton(selected: Selected | undefined, [name = '', next = '']: readonly string[]): HTMLElement[] {
    if (selected === undefined) return [];
    const button = make('button', { type: 'button', class: 'select' }, this.#selectText);
    button.setAttribute('aria-description', `${selected.kind} ${name} ${next}`);
    button.addEventListener('click', () => {
      this.#actions.select?.(selected);
    });
    return [button];
  }

  #pager(content: TableContent<Selected>): HTMLElement {
    const pages = Math.ceil(this.#rows.length / rowsPerPage);
    const step = (text: string, page: number): HTMLElement => {
      const button = make('button', { type: 'button', class: 'page' }, text);
      button.disabled = page < 0 || page >= pages;
      button.addEventListener('click', () => {
        this.#page = page;
        this.#render(content);
        this.element.querySelector<HTMLElement>(`.pager button[data-step="${text}"]`)?.focus();
      });
      button.dataset.step = text;
      return button;
    };
    const where = make('span', { role: 'status' }, t('Page {0} of {1}', this.#page + 1, pages));
    return make('div', { class: 'pager' }, step(t('Previous'), this.#page - 1), where, step(t('Next'), this.#page + 1));
  }
}
