/**
 * A figure as a panel shows it: painted on a canvas where its marks can be pointed at and walked through by keys, the same as a
 * table, and the files that are saved of it. It knows nothing of what the figure is of.
 */
import { figureToCsv, markedRow, type Cell, type Figure } from '../../server/drawing/figures/figure.ts';
import { figurePage } from '../../server/drawing/figures/renderFigure.ts';
import { streamTime } from '../../server/drawing/figures/replication.ts';
import { formatBytes, formatNumber, formatShare } from '../../server/drawing/labels.ts';
import type { SavedExtension } from '../../server/protocol/savedFile.ts';
import { figureList, make } from '../page/controls.ts';
import type { Theme } from '../page/theme.ts';
import { t } from '../page/words.ts';
import { createSaveForm, type SaveForm } from '../picture/saveForm.ts';
import type { TableContent } from '../table/rows.ts';
import { PagedTable } from '../table/table.ts';
import { GridControl, type GridActions } from './gridControl.ts';
import { paintFigure } from './paintFigure.ts';

export interface FigureActions {
  /** What a file of the figure holds: text, or base64 of a PNG. */
  readonly save: (extension: SavedExtension, data: string) => void;
  readonly failed: (message: string) => void;
  readonly modeChanged: () => void;
  /** A mark of this row of the table was clicked, or chosen by Enter. */
  readonly pressed?: (row: number) => void;
  /** Of figures that are heat maps. */
  readonly grid?: GridActions;
}

/** How far from a mark the pointer may be, pixels of the figure. */
const reach = 3;
/** A figure is legible from this share of its size on: its smallest letters have eight pixels then. */
const legibleScale = 0.7;
/** Letters of a cell that are shown beside the pointer. */
const longestCell = 80;
/** Marks that a page key goes on by. */
const pageStep = 20;

export class FigureView {
  /** Figure or table, whichever is chosen. */
  readonly element: HTMLElement;
  mode: 'figure' | 'table' = 'figure';
  readonly #actions: FigureActions;
  readonly #canvas = make('canvas', { class: 'figure', role: 'img', tabindex: '0' });
  /** Outlines of what is pointed at, so that the figure need not be painted again. */
  /** What the figure says, where its own letters are too small to be read. Readers of screens hear it from the canvas. */
  readonly #words = make('p', { class: 'figure-words', 'aria-hidden': 'true' });
  readonly #overlay = make('canvas', { class: 'figure-overlay', 'aria-hidden': 'true' });
  readonly #frame: HTMLElement;
  readonly #table = new PagedTable<never>({});
  readonly #tables: HTMLElement;
  readonly #tip = make('div', { class: 'figure-tip', role: 'status' });
  readonly #form: SaveForm;
  /** Takes the place of marks where the figure is a heat map. */
  readonly grid: GridControl | undefined;
  #theme: Theme;
  #figure: Figure | undefined;
  /** Pixels of the page for one of the figure. */
  #scale = 1;
  /** The row that is pointed at. */
  #row: number | undefined;
  /** The row that something is said of beside the figure. */
  #asked: number | undefined;
  /** The one that was pointed at when there was another figure, from which keys go on. */
  #before: number | undefined;

  constructor(theme: Theme, actions: FigureActions) {
    this.#theme = theme;
    this.#actions = actions;
    const stack = make('div', { class: 'figure-stack' }, this.#canvas, this.#overlay);
    this.#frame = make('div', { class: 'figure-frame' }, stack, this.#words, this.#tip);
    this.#tables = make('div', { class: 'tables' }, this.#table.element);
    this.element = make('div', { class: 'content experiment' }, this.#frame, this.#tables);
    this.#form = createSaveForm({
      offer: () => {
        const figure = this.#figure;
        return (
          figure && {
            csv: () => figureToCsv(figure),
            page: ({ theme: chosen, ...size }) => figurePage(figure, chosen, size),
          }
        );
      },
      save: actions.save,
      failed: actions.failed,
    });
    this.grid =
      actions.grid &&
      new GridControl(
        this.#canvas,
        {
          scale: () => this.#scale,
          changed: (byKeys) => {
            this.#tellCell(byKeys);
          },
        },
        actions.grid,
      );
    this.#listen();
    this.#point(undefined);
  }

  get figure(): Figure | undefined {
    return this.#figure;
  }

  /** Asks what is to be saved of it. */
  openSaveForm(): void {
    this.#form.open();
  }

  /** The figure's numbers in its place, or the figure again. */
  toggleTable(): void {
    this.mode = this.mode === 'figure' ? 'table' : 'figure';
    this.#refresh();
    this.#actions.modeChanged();
  }

  show(figure: Figure | undefined): void {
    this.#figure = figure;
    this.grid?.show(figure);
    this.#before = this.#row ?? this.#before;
    this.#point(undefined);
    this.#refresh();
  }

  /** Keeps the marks of a row outlined, of which something is said beside the figure; none where it is undefined. */
  setAsked(row: number | undefined): void {
    this.#asked = row;
    this.#outline();
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    this.#paint();
  }

  #listen(): void {
    new ResizeObserver(() => {
      this.#paint();
    }).observe(this.#frame);
    this.#canvas.addEventListener('pointermove', (event) => {
      if (!this.#isGrid) this.#point(this.#rowAt(event), event);
    });
    this.#canvas.addEventListener('click', (event) => {
      const row = this.#isGrid ? undefined : this.#rowAt(event);
      if (row !== undefined) this.#actions.pressed?.(row);
    });
    this.#canvas.addEventListener('pointerleave', () => {
      this.#point(undefined);
    });
    this.#canvas.addEventListener('blur', () => {
      this.#point(undefined);
      this.grid?.blur();
    });
    this.#canvas.addEventListener('keydown', (event) => {
      if (!this.#isGrid && this.#walk(event.key)) event.preventDefault();
    });
  }

  get #isGrid(): boolean {
    return this.grid !== undefined && this.#figure?.grid !== undefined;
  }

  /** Says who sends how much to whom, and paints what lies over the map. */
  #tellCell(byKeys: boolean): void {
    const told = this.grid?.told;
    const figure = this.#figure;
    this.#outline();
    this.#tip.hidden = told === undefined || figure?.grid === undefined;
    if (told === undefined || figure?.grid === undefined) return;
    this.#tip.setAttribute('aria-live', byKeys ? 'polite' : 'off');
    const { row, column } = told.cell;
    const ends = [
      [t('from'), figure.grid.rows[row] ?? ''],
      [t('to'), figure.grid.columns[column] ?? ''],
    ] as const;
    const sayings =
      told.row === undefined ? [...ends, [t('sends'), t('nothing')] as const] : this.#sayings(figure, told.row);
    this.#tip.replaceChildren(figureList(sayings));
    const [x, y] = this.grid!.placeOf(told.cell);
    const { left, top } = this.#canvas.getBoundingClientRect();
    this.#placeTip(left + x * this.#scale, top + y * this.#scale);
  }

  #rowAt(event: MouseEvent): number | undefined {
    const { marks } = this.#figure ?? {};
    return marks && markedRow(marks, event.offsetX / this.#scale, event.offsetY / this.#scale, reach);
  }

  /** Goes to another mark, in the order of the table; false where the key is no such step. */
  #walk(key: string): boolean {
    const rows = [...new Set(this.#figure?.marks?.rows)].sort((one, other) => one - other);
    if (rows.length === 0) return false;
    const from = this.#row ?? this.#before;
    const at = from === undefined ? -1 : rows.indexOf(from);
    const last = rows.length - 1;
    const steps: Readonly<Record<string, number>> = {
      ...{ ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1 },
      ...{ PageDown: at + pageStep, PageUp: at - pageStep, Home: 0, End: last },
    };
    const step = steps[key];
    if (key === 'Enter' && this.#row !== undefined) this.#actions.pressed?.(this.#row);
    else if (key === 'Escape') {
      this.#point(undefined);
      this.#before = undefined;
    } else if (step === undefined) return false;
    else this.#point(rows[Math.min(Math.max(0, step), last)]);
    return true;
  }

  /** Says what a row of the table says, beside the pointer or the mark, and outlines its marks. */
  #point(row: number | undefined, pointer?: PointerEvent): void {
    const isSame = row === this.#row;
    this.#row = row;
    this.#tip.hidden = row === undefined;
    if (!isSame) this.#outline();
    if (row === undefined || this.#figure === undefined) return;
    // Only who goes by keys is told: a pointer comes by many marks.
    this.#tip.setAttribute('aria-live', pointer === undefined ? 'polite' : 'off');
    if (!isSame) this.#tip.replaceChildren(figureList(this.#sayings(this.#figure, row)));
    const [x, y] = pointer === undefined ? this.#placeOf(row) : [pointer.clientX, pointer.clientY];
    this.#placeTip(x, y);
  }

  /** Beside a point of the page, where there is room. */
  #placeTip(x: number, y: number): void {
    const { offsetWidth, offsetHeight } = this.#tip;
    const isRight = x + 14 + offsetWidth < window.innerWidth;
    const isBelow = y + 14 + offsetHeight < window.innerHeight;
    this.#tip.style.left = `${Math.max(2, isRight ? x + 14 : x - 10 - offsetWidth)}px`;
    this.#tip.style.top = `${Math.max(2, isBelow ? y + 14 : y - 10 - offsetHeight)}px`;
  }

  #sayings({ table: { head, rows, units } }: Figure, row: number): readonly (readonly [string, string])[] {
    return (rows[row] ?? []).flatMap((cell, column): [string, string][] => {
      const words = cellWords(cell, units?.[column] ?? '');
      const shown = words.length > longestCell ? `${words.slice(0, longestCell)} …` : words;
      return shown === '' ? [] : [[head[column] ?? '', shown]];
    });
  }

  /** Of the first mark of a row, on the page. */
  #placeOf(row: number): readonly [number, number] {
    const { boxes, rows } = this.#figure?.marks ?? { boxes: [], rows: [] };
    const mark = rows.indexOf(row);
    const { left, top } = this.#canvas.getBoundingClientRect();
    const [x = 0, y = 0, width = 0, height = 0] = boxes.slice(4 * mark, 4 * mark + 4);
    return [left + (x + width / 2) * this.#scale, top + (y + height) * this.#scale];
  }

  #outline(): void {
    const context = this.#overlay.getContext('2d')!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.#overlay.width, this.#overlay.height);
    const pixels = this.#scale * window.devicePixelRatio;
    context.scale(pixels, pixels);
    this.grid?.paint(context, this.#theme);
    if (this.#row === undefined && this.#asked === undefined) return;
    const { boxes, rows } = this.#figure?.marks ?? { boxes: [], rows: [] };
    context.strokeStyle = this.#theme.foreground;
    context.lineWidth = 2;
    rows.forEach((row, mark) => {
      if (row !== this.#row && row !== this.#asked) return;
      const [x = 0, y = 0, width = 0, height = 0] = boxes.slice(4 * mark, 4 * mark + 4);
      context.strokeRect(x - 1, y - 1, width + 2, height + 2);
    });
  }

  #refresh(): void {
    const isTable = this.mode === 'table';
    const figure = this.#figure;
    this.#frame.hidden = figure === undefined || isTable;
    this.#tables.hidden = figure === undefined || !isTable;
    if (figure === undefined) return;
    this.#canvas.setAttribute('aria-label', figure.description);
    if (isTable) this.#table.setContent(figureContent(figure));
    else this.#paint();
  }

  /** As large as there is room for, up to twice its size. */
  #paint(): void {
    const figure = this.#figure;
    if (figure === undefined || this.#frame.hidden) return;
    const room = this.#frame.getBoundingClientRect();
    this.#scale = Math.max(0.3, Math.min(2, (room.width - 8) / figure.width, (room.height - 8) / figure.height));
    this.#words.hidden = this.#scale >= legibleScale;
    this.#words.textContent = figure.description;
    const pixels = window.devicePixelRatio;
    for (const canvas of [this.#canvas, this.#overlay]) {
      canvas.style.width = `${figure.width * this.#scale}px`;
      canvas.style.height = `${figure.height * this.#scale}px`;
      canvas.width = Math.round(figure.width * this.#scale * pixels);
      canvas.height = Math.round(figure.height * this.#scale * pixels);
    }
    const context = this.#canvas.getContext('2d')!;
    context.scale(this.#scale * pixels, this.#scale * pixels);
    paintFigure(context, figure, this.#theme);
    if (this.#isGrid) this.#tellCell(false);
    else this.#outline();
  }
}

/** The numbers of the figure as a table of texts. */
function figureContent({ title: caption, table: { head, rows } }: Figure): TableContent<never> {
  const isNumeric = head.map((_, column) => rows.every((row) => typeof row[column] !== 'string'));
  return {
    caption,
    columns: head.map((name, column) => ({ title: name, numeric: isNumeric[column] === true })),
    rowCount: rows.length,
    cells: (row) => rows[row]!.map((cell) => cellWords(cell, '')),
    selects: () => undefined,
  };
}

function cellWords(cell: Cell, unit: string): string {
  if (typeof cell === 'string') return cell;
  if (cell === null) return '–';
  if (unit === 'bytes') return formatBytes(cell);
  if (unit === 'of the time') return `${formatShare(cell)} ${unit}`;
  if (unit === 'cycles' || unit === 'seconds') return streamTime(cell, unit);
  return unit === '' ? formatNumber(cell) : `${formatNumber(cell)} ${unit}`;
}
