/**
 * Where one is in a heat map, and what of it is chosen: a cell that keys and clicks go to, and a rectangle that is drawn with the
 * pointer or with Shift and the arrows. It knows nothing of what cells are, nor of any canvas.
 */
import type { Span, TrafficBlock } from '../../server/protocol/selections.ts';

export interface GridCell {
  readonly row: number;
  readonly column: number;
}

/** What a key or a click has come to. */
export type GridEvent = 'moved' | 'chosen' | 'cleared' | 'zoom-in' | 'zoom-out';

/** Cells that a page key goes on by. */
const pageStep = 10;

export class GridCursor {
  #rows = 0;
  #columns = 0;
  #at: GridCell | undefined;
  /** A rectangle that is being drawn begins here. */
  #anchor: GridCell | undefined;
  #chosen: TrafficBlock | undefined;

  /** The cell that one is at. */
  get at(): GridCell | undefined {
    return this.#at;
  }

  /** The rectangle, in cells. */
  get chosen(): TrafficBlock | undefined {
    return this.#chosen;
  }

  /** Another map. The cell stays where the map is as large as before. */
  resize(rows: number, columns: number): void {
    if (rows === this.#rows && columns === this.#columns) return;
    [this.#rows, this.#columns] = [rows, columns];
    this.#at = this.#anchor = undefined;
  }

  /** What is chosen, as somebody else knows it. */
  choose(chosen: TrafficBlock | undefined): void {
    this.#chosen = chosen;
  }

  leave(): void {
    this.#at = this.#anchor = undefined;
  }

  /** What a key has come to; undefined where it is none of the map's. */
  key({ key, shiftKey, ctrlKey }: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey'>): GridEvent | undefined {
    switch (key) {
      case 'Enter':
      case '+':
      case '=':
        return this.#at === undefined ? undefined : 'zoom-in';
      case '-':
      case '−':
      case 'Backspace':
        return 'zoom-out';
      case ' ':
        if (this.#at === undefined) return undefined;
        this.#anchor = undefined;
        return this.#span(this.#at, this.#at);
      case 'Escape':
        return this.#escape();
      default:
        return this.#step(key, shiftKey, ctrlKey);
    }
  }

  /** The pointer goes down in a cell. */
  press(cell: GridCell): GridEvent {
    this.#at = this.#anchor = cell;
    return 'moved';
  }

  /** The pointer is dragged to a cell: the rectangle from where it went down. */
  drag(cell: GridCell): GridEvent | undefined {
    const start = this.#anchor;
    if (start === undefined || (cell.row === this.#at?.row && cell.column === this.#at.column)) return undefined;
    this.#at = cell;
    return this.#span(start, cell);
  }

  release(): void {
    this.#anchor = undefined;
  }

  #escape(): GridEvent | undefined {
    if (this.#chosen !== undefined) {
      this.#chosen = this.#anchor = undefined;
      return 'cleared';
    }
    if (this.#at === undefined) return undefined;
    this.leave();
    return 'moved';
  }

  #step(key: string, isExtending: boolean, isFar: boolean): GridEvent | undefined {
    if (this.#rows === 0 || this.#columns === 0) return undefined;
    const { row, column } = this.#at ?? { row: 0, column: 0 };
    const [lastRow, lastColumn] = [this.#rows - 1, this.#columns - 1];
    const steps: Readonly<Record<string, readonly [row: number, column: number]>> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      PageUp: [row - pageStep, column],
      PageDown: [row + pageStep, column],
      Home: [isFar ? 0 : row, 0],
      End: [isFar ? lastRow : row, lastColumn],
    };
    const step = steps[key];
    if (step === undefined) return undefined;
    // The first key of all goes to the first cell.
    const [toRow, toColumn] = this.#at === undefined ? [0, 0] : step;
    const cell = { row: within(toRow, lastRow), column: within(toColumn, lastColumn) };
    const start = this.#anchor ?? this.#at ?? cell;
    this.#at = cell;
    this.#anchor = isExtending ? start : undefined;
    return isExtending ? this.#span(start, cell) : 'moved';
  }

  #span(one: GridCell, other: GridCell): GridEvent {
    this.#chosen = { rows: between(one.row, other.row), columns: between(one.column, other.column) };
    return 'chosen';
  }
}

const within = (value: number, last: number): number => Math.min(Math.max(0, value), last);
const between = (one: number, other: number): Span => ({ first: Math.min(one, other), last: Math.max(one, other) });
