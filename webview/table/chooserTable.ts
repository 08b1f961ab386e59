/**
 * A table whose rows are chosen: sorted by any column, gone through by arrow keys, and each row a button that says what it stands
 * for. Tables of mappers that are tried and of cables that are lost are such ones.
 */
import type { ComparisonCell, ComparisonColumn } from '../../server/protocol/mapperComparison.ts';
import { make } from '../page/controls.ts';
import { localised, t } from '../page/words.ts';

/** `column` is {@link nameColumn} where rows are sorted by their names. */
export interface Sort {
  readonly column: string;
  readonly isDescending: boolean;
}

const nameColumn = 'name';

export interface ChooserRow {
  /** What it is chosen by, and is called where it has no title. */
  readonly name: string;
  readonly title?: string;
  /** Parallel to the columns; without any it cannot be chosen. */
  readonly cells: readonly (ComparisonCell | null)[];
  /** Below the name, or in the place of figures. */
  readonly words: string;
  readonly isWritten?: boolean;
  /** Among rows without a figure in the column that they are sorted by, the lower the earlier. */
  readonly rank: number;
  /** Figures are of no use for it: the words say why. */
  readonly isRefused?: boolean;
}

/** What the table shows. */
export interface ChooserShown {
  readonly caption: string;
  readonly columns: readonly ComparisonColumn[];
  readonly rows: readonly ChooserRow[];
  /** Rows above the others, which are not sorted and cannot be chosen: what the others are compared with. */
  readonly baselines?: readonly Pick<ChooserRow, 'name' | 'cells'>[];
  /** What pressing a row does. */
  readonly hint: string;
  /** A sentence each, below. */
  readonly notes: readonly string[];
}

export interface Chooser {
  /** The heading of the names of rows. */
  readonly title: string;
  readonly sort: Sort;
  /** The least of each column stands out. */
  readonly marksLeast: boolean;
  readonly sorted: (sort: Sort) => void;
  /** Another row has the keyboard. */
  readonly moved: (name: string) => void;
  /** A row is pressed, by the keyboard or with the mouse. */
  readonly chosen: (name: string, byKeyboard: boolean) => void;
}

export class ChooserTable {
  readonly element = make('div', { class: 'tables tried', tabindex: '-1' });
  readonly #notes = make('p', { class: 'faint tried-notes' });
  readonly #chooser: Chooser;
  #sort: Sort;
  #shown: ChooserShown | undefined;
  /** The row that the picture shows. */
  #pressed: string | undefined;
  /** The row that has the keyboard: it keeps it wherever it is sorted to. */
  #current: string | undefined;

  constructor(chooser: Chooser) {
    this.#chooser = chooser;
    this.#sort = chooser.sort;
    document.addEventListener('keydown', (event) => {
      // Who holds the key down has not looked at the picture yet.
      if (event.key === 'Enter' && event.repeat) event.preventDefault();
      else this.#moveFocus(event);
    });
  }

  get sort(): Sort {
    return this.#sort;
  }

  get current(): string | undefined {
    return this.#current;
  }

  /** No row has the keyboard, and none is pressed. */
  leave(): void {
    this.#current = undefined;
    this.#pressed = undefined;
  }

  /** `pressed`: the row that the picture shows. */
  show(shown: ChooserShown, pressed: string | undefined): void {
    this.#shown = shown;
    this.#pressed = pressed;
    const { element } = this;
    const rows = this.#sorted(shown);
    const active = document.activeElement;
    const hadFocus = element.contains(active) && active?.closest('tbody') !== null;
    const sorter =
      active instanceof HTMLElement && active.closest('thead') !== null && element.contains(active)
        ? active.dataset['column']
        : undefined;
    const first = rows.find(({ cells }) => cells.length > 0);
    const focusable = rows.some(({ name, cells }) => name === this.#current && cells.length > 0)
      ? this.#current
      : first?.name;
    const headings = [
      { key: nameColumn, title: this.#chooser.title, hint: t('By name') },
      ...shown.columns.map((column) => ({ ...column, title: localised(column.title), hint: localised(column.hint) })),
    ];
    const caption = make('caption', { class: 'spoken' }, shown.caption);
    const head = make('thead', {}, make('tr', {}, ...headings.map((one) => this.#heading(one))));
    const least = this.#chooser.marksLeast ? leastByColumn(shown) : new Map<string, number>();
    const changing = new Set(
      shown.columns.flatMap(({ key }, index) =>
        rows.some(({ cells }) => cells[index]?.change !== undefined) ? [key] : [],
      ),
    );
    const lines = [
      ...(shown.baselines ?? []).map(({ name, cells }) =>
        make(
          'tr',
          { class: 'written' },
          make('th', { scope: 'row' }, localised(name)),
          ...cells.map((cell, index) => figureCell(cell, undefined, changing.has(shown.columns[index]!.key))),
        ),
      ),
      ...rows.map((row) => this.#line(row, shown, focusable, { least, changing })),
    ];
    this.#notes.textContent = shown.notes.map(localised).join(' ');
    const scroll = [element.scrollLeft, element.scrollTop] as const;
    element.replaceChildren(make('table', {}, caption, head, make('tbody', {}, ...lines)), this.#notes);
    [element.scrollLeft, element.scrollTop] = scroll;
    if (hadFocus) element.querySelector<HTMLElement>('tbody button[tabindex="0"]')?.focus({ preventScroll: true });
    if (sorter !== undefined) element.querySelector<HTMLElement>(`thead button[data-column="${sorter}"]`)?.focus();
  }

  /** Those that have figures first, sorted by them; others by their rank. */
  #sorted({ rows, columns }: ChooserShown): readonly ChooserRow[] {
    const { column, isDescending } = this.#sort;
    const index = columns.findIndex(({ key }) => key === column);
    const sign = isDescending ? -1 : 1;
    if (index < 0) return rows.toSorted((one, other) => sign * inOrder.compare(one.name, other.name));
    const valueOf = ({ cells }: ChooserRow): number | undefined => cells[index]?.value;
    const placeOf = (row: ChooserRow): number => (valueOf(row) === undefined ? row.rank : -1);
    return rows.toSorted(
      (one, other) => placeOf(one) - placeOf(other) || sign * ((valueOf(one) ?? 0) - (valueOf(other) ?? 0)),
    );
  }

  #heading({ key, title: text, hint }: ComparisonColumn): HTMLElement {
    const isSorted = this.#sort.column === key;
    const arrow = isSorted ? (this.#sort.isDescending ? ' ▾' : ' ▴') : '';
    const sorter = make(
      'button',
      { type: 'button', title: t('{0} Click to sort.', hint), 'data-column': key },
      `${text}${arrow}`,
    );
    sorter.setAttribute('aria-label', t('{0}: sort', text));
    sorter.addEventListener('click', () => {
      this.#sort = { column: key, isDescending: isSorted && !this.#sort.isDescending };
      this.#chooser.sorted(this.#sort);
      if (this.#shown !== undefined) this.show(this.#shown, this.#pressed);
    });
    const order = isSorted ? { 'aria-sort': this.#sort.isDescending ? 'descending' : 'ascending' } : {};
    return make('th', { scope: 'col', class: key === nameColumn ? '' : 'numeric', ...order }, sorter);
  }

  #line(
    row: ChooserRow,
    { columns, hint }: ChooserShown,
    focusable: string | undefined,
    { least, changing }: OfColumns,
  ): HTMLElement {
    const { name, title = name, cells, words } = row;
    const isPressed = this.#pressed === name;
    const head = make('th', { scope: 'row' });
    if (cells.length > 0) head.append(this.#button({ name, title }, hint, isPressed, name === focusable));
    else head.append(title);
    if (cells.length > 0 && words !== '') head.append(make('div', { class: 'faint' }, words));
    const classes = [
      row.isWritten === true ? 'written' : '',
      isPressed ? 'shown' : '',
      cells.length === 0 ? 'empty' : '',
    ];
    const why = { colspan: String(columns.length), class: row.isRefused === true ? 'faint why' : 'faint' };
    const figures =
      cells.length === 0
        ? [make('td', why, words)]
        : cells.map((cell, index) =>
            figureCell(cell, least.get(columns[index]!.key), changing.has(columns[index]!.key)),
          );
    const line = make('tr', { class: classes.filter((one) => one !== '').join(' ') }, head, ...figures);
    if (cells.length > 0)
      line.addEventListener('click', ({ target }) => {
        // All of a row is what its name is, but text that is being selected is no click.
        if (
          (target instanceof Element && target.closest('button') !== null) ||
          window.getSelection()?.isCollapsed === false
        )
          return;
        this.#choose(name, false);
        this.element.querySelector<HTMLElement>('tbody button[tabindex="0"]')?.focus({ preventScroll: true });
      });
    return line;
  }

  #choose(name: string, isByKeys: boolean): void {
    this.#current = name;
    this.#chooser.chosen(name, isByKeys);
  }

  #button(
    { name, title }: { name: string; title: string },
    hint: string,
    isPressed: boolean,
    isFocusable: boolean,
  ): HTMLElement {
    const button = make('button', { type: 'button', 'aria-pressed': String(isPressed), title: hint }, title);
    button.tabIndex = isFocusable ? 0 : -1;
    button.addEventListener('focus', () => {
      if (this.#current === name) return;
      this.#current = name;
      this.#chooser.moved(name);
    });
    button.addEventListener('click', (event) => {
      this.#choose(name, event.detail === 0);
    });
    return button;
  }

  /** Rows by arrow keys; the one in sight has the focus. */
  #moveFocus(event: KeyboardEvent): void {
    const all = [...this.element.querySelectorAll<HTMLElement>('tbody button')];
    const now = all.findIndex((one) => one === document.activeElement);
    if (now < 0) return;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: now + 1,
      ArrowUp: now - 1,
      Home: 0,
      End: all.length - 1,
    };
    const wanted = steps[event.key];
    const next = wanted === undefined ? undefined : all[wanted];
    if (next === undefined) return;
    event.preventDefault();
    for (const one of all) one.tabIndex = one === next ? 0 : -1;
    next.focus();
  }
}

/** `2 -- 3` before `10 -- 11`. */
const inOrder = new Intl.Collator('en', { numeric: true });

/** The least of each column. */
function leastByColumn({ columns, rows }: ChooserShown): ReadonlyMap<string, number> {
  return new Map(
    columns.map(({ key }, index) => [key, Math.min(...rows.flatMap(({ cells }) => cells[index]?.value ?? []))]),
  );
}

/** Of columns by their keys: the least figure of each, and those in which some row has a change. */
interface OfColumns {
  readonly least: ReadonlyMap<string, number>;
  readonly changing: ReadonlySet<string>;
}

/** `isChanging`: where it has no change itself, it leaves room for those below it. */
function figureCell(cell: ComparisonCell | null, least: number | undefined, isChanging: boolean): HTMLElement {
  if (cell === null) return make('td', { class: 'numeric faint' }, '–');
  const { text, detail, change, isBetter, value } = cell;
  const behind = isChanging
    ? [make('span', { class: isBetter === true ? 'change better' : 'change faint' }, change ?? '')]
    : [];
  const more = detail === undefined ? [] : [make('span', { class: 'faint' }, localised(detail))];
  const main = value === least ? make('strong', {}, localised(text)) : make('span', {}, localised(text));
  return make('td', { class: 'numeric' }, make('div', { class: 'figure-line' }, main, ...more, ...behind));
}
