/**
 * How one goes about in a heat map on a canvas: pointer and keys, the cell that one is at, the rectangle that is chosen, and cells
 * that are marked from elsewhere. What is painted here lies over the figure.
 */
import type { Figure, FigureGrid } from '../../server/drawing/figures/figure.ts';
import type { TrafficBlock } from '../../server/protocol/selections.ts';
import type { Theme } from '../page/theme.ts';
import { GridCursor, type GridCell, type GridEvent } from './gridCursor.ts';

export interface GridActions {
  /** A rectangle is chosen, or none any more. */
  readonly chosen: (cells: TrafficBlock | undefined) => void;
  /** Enter, plus or a double click. */
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  /** One is at another cell, or at none. */
  readonly moved: () => void;
}

interface GridEnvironment {
  /** Pixels of the page for one of the figure. */
  readonly scale: () => number;
  /** What is over the figure has to be painted again, and what is said of the cell: aloud where one goes by keys. */
  readonly changed: (byKeys: boolean) => void;
}

/** A rectangle drawn with Shift and the arrows is complete when no key has come for so many milliseconds. */
const keyPause = 250;

export class GridControl {
  readonly cursor = new GridCursor();
  readonly #canvas: HTMLCanvasElement;
  readonly #environment: GridEnvironment;
  readonly #actions: GridActions;
  #figure: Figure | undefined;
  /** By row · columns + column, the row of the table. */
  #rowOf = new Map<number, number>();
  #marked: readonly number[] = [];
  /** The cell below the pointer. */
  #pointed: GridCell | undefined;
  #isDrawn = false;
  #isFocused = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(canvas: HTMLCanvasElement, environment: GridEnvironment, actions: GridActions) {
    this.#canvas = canvas;
    this.#environment = environment;
    this.#actions = actions;
    this.#listen();
  }

  /** Another figure; one without a grid leaves its canvas to others. */
  show(figure: Figure | undefined): void {
    this.#figure = figure;
    const grid = figure?.grid;
    this.#rowOf = new Map(grid?.cells.map((cell, row) => [cell, row]));
    this.#pointed = undefined;
    this.cursor.resize(grid?.rows.length ?? 0, grid?.columns.length ?? 0);
    this.#canvas.classList.toggle('grid', grid !== undefined);
  }

  /** Rows of the table whose cells are marked. */
  mark(rows: readonly number[]): void {
    this.#marked = rows;
    this.#environment.changed(false);
  }

  /** The cell that is told of: below the pointer, else the one of the keys. */
  get told(): { readonly cell: GridCell; readonly row: number | undefined } | undefined {
    const cell = this.#pointed ?? (this.#isFocused ? this.cursor.at : undefined);
    const grid = this.#figure?.grid;
    if (cell === undefined || grid === undefined) return undefined;
    return { cell, row: this.#rowOf.get(cell.row * grid.columns.length + cell.column) };
  }

  /** Rows and columns are others: what was being drawn is no more. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDrawn = false;
    this.cursor.choose(undefined);
  }

  /** A rectangle is being drawn. */
  get isChoosing(): boolean {
    return this.#isDrawn || this.#timer !== undefined;
  }

  /** Nobody is told of a cell any more; keys go on from where they were. */
  blur(): void {
    this.#pointed = undefined;
    this.#isFocused = false;
    this.#environment.changed(false);
  }

  /** The middle of its lower edge, pixels of the figure. */
  placeOf({ row, column }: GridCell): readonly [x: number, y: number] {
    const { left = 0, top = 0, cellWidth = 0, cellHeight = 0 } = this.#figure?.grid ?? {};
    return [left + (column + 0.5) * cellWidth, top + (row + 1) * cellHeight];
  }

  /** Over the figure, in its pixels. */
  paint(context: CanvasRenderingContext2D, theme: Theme): void {
    const grid = this.#figure?.grid;
    if (grid === undefined) return;
    const box = (
      rows: { first: number; last: number },
      columns: { first: number; last: number },
      around: number,
    ): void => {
      const [x, y] = [grid.left + columns.first * grid.cellWidth, grid.top + rows.first * grid.cellHeight];
      const width = (columns.last - columns.first + 1) * grid.cellWidth;
      const height = (rows.last - rows.first + 1) * grid.cellHeight;
      context.strokeRect(x - around, y - around, width + 2 * around, height + 2 * around);
    };
    const one = (cell: number): { first: number; last: number } => ({ first: cell, last: cell });
    context.strokeStyle = theme.focus;
    context.lineWidth = 1.5;
    for (const row of this.#marked) {
      const cell = grid.cells[row];
      if (cell !== undefined) box(one(Math.floor(cell / grid.columns.length)), one(cell % grid.columns.length), -0.5);
    }
    const { chosen } = this.cursor;
    if (chosen !== undefined) {
      // Seen on light cells and on dark ones.
      context.strokeStyle = theme.background;
      context.lineWidth = 5;
      box(chosen.rows, chosen.columns, 1);
      context.strokeStyle = theme.foreground;
      context.lineWidth = 2;
      context.setLineDash([6, 3]);
      box(chosen.rows, chosen.columns, 1);
      context.setLineDash([]);
    }
    const { told } = this;
    if (told === undefined) return;
    context.strokeStyle = theme.foreground;
    context.lineWidth = 2;
    box(one(told.cell.row), one(told.cell.column), 1);
  }

  #listen(): void {
    const canvas = this.#canvas;
    canvas.addEventListener('focus', () => {
      this.#isFocused = true;
      if (this.cursor.at !== undefined) this.#environment.changed(true);
    });
    canvas.addEventListener('pointermove', (event) => {
      const cell = this.#cellAt(event);
      this.#pointed = cell;
      if (event.buttons === 1 && cell !== undefined && this.cursor.drag(cell) === 'chosen') this.#isDrawn = true;
      if (this.#figure?.grid !== undefined) this.#environment.changed(false);
    });
    canvas.addEventListener('pointerdown', (event) => {
      const cell = this.#cellAt(event);
      if (cell === undefined || event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      this.#told(this.cursor.press(cell), false);
    });
    const release = (): void => {
      this.cursor.release();
      if (!this.#isDrawn) return;
      this.#isDrawn = false;
      this.#actions.chosen(this.cursor.chosen);
    };
    canvas.addEventListener('pointerup', release);
    canvas.addEventListener('pointercancel', release);
    canvas.addEventListener('dblclick', (event) => {
      if (this.#cellAt(event) !== undefined) this.#actions.zoomIn();
    });
    canvas.addEventListener('pointerleave', () => {
      this.#pointed = undefined;
      if (this.#figure?.grid !== undefined) this.#environment.changed(false);
    });
    canvas.addEventListener('keydown', (event) => {
      if (this.#figure?.grid === undefined || event.altKey || event.metaKey) return;
      const come = this.cursor.key(event);
      if (come === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.#pointed = undefined;
      this.#told(come, true);
    });
  }

  #told(event: GridEvent, byKeys: boolean): void {
    switch (event) {
      case 'chosen':
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
          this.#timer = undefined;
          this.#actions.chosen(this.cursor.chosen);
        }, keyPause);
        break;
      case 'cleared':
        clearTimeout(this.#timer);
        this.#timer = undefined;
        this.#actions.chosen(undefined);
        break;
      case 'zoom-in':
        this.#actions.zoomIn();
        break;
      case 'zoom-out':
        this.#actions.zoomOut();
        break;
      case 'moved':
        break;
    }
    this.#actions.moved();
    this.#environment.changed(byKeys);
  }

  #cellAt(event: MouseEvent): GridCell | undefined {
    const grid = this.#figure?.grid;
    if (grid === undefined) return undefined;
    return cellAt(grid, event.offsetX / this.#environment.scale(), event.offsetY / this.#environment.scale());
  }
}

/** The cell at a point of the figure; undefined beside the map. */
function cellAt(grid: FigureGrid, x: number, y: number): GridCell | undefined {
  const row = Math.floor((y - grid.top) / grid.cellHeight);
  const column = Math.floor((x - grid.left) / grid.cellWidth);
  const isWithin = row >= 0 && column >= 0 && row < grid.rows.length && column < grid.columns.length;
  return isWithin ? { row, column } : undefined;
}
