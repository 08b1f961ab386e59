import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';

/** Which column each row takes, and the sum of the costs there. */
interface Assignment {
  readonly columnOfRow: Int32Array;
  readonly cost: number;
}

/**
 * The cheapest assignment of every row to a column of its own: the algorithm of Jonker and Volgenant
 * (Computing 38, 1987) for at least as many columns as rows. Two rounds of augmenting row reduction assign
 * most rows; shortest augmenting paths assign the rest. `costs[row · columns + column]` are whole
 * numbers, so that the answer is exact. O(rows² · columns), mostly far less; undefined if cancelled.
 */
export function linearAssignment(
  costs: Float64Array,
  rowCount: number,
  columnCount: number,
  cancellation: Cancellation,
): Assignment | undefined {
  const state: State = {
    costs,
    columnCount,
    // A column that ends free must not have begun with a price: only where none does can they be guessed.
    price: rowCount === columnCount ? initialDuals(costs, rowCount) : new Float64Array(columnCount),
    columnOfRow: new Int32Array(rowCount).fill(-1),
    rowOfColumn: new Int32Array(columnCount).fill(-1),
  };
  let free = Int32Array.from({ length: rowCount }, (_, row) => row);
  for (let round = 0; round < reductionRounds && columnCount > 1; round++) {
    if (cancellation.isCancelled()) return undefined;
    free = reduceRows(state, free);
  }
  const search = new PathSearch(state);
  for (const row of free) {
    if (cancellation.isCancelled()) return undefined;
    search.assign(row);
  }
  const cost = state.columnOfRow.reduce((sum, column, row) => sum + realAt(costs, row * columnCount + column), 0);
  return { columnOfRow: state.columnOfRow, cost };
}

const reductionRounds = 2;

interface State {
  readonly costs: Float64Array;
  readonly columnCount: number;
  /** Dual values of the columns, at most 0: a row prefers the column with the least cost − price. */
  readonly price: Float64Array;
  readonly columnOfRow: Int32Array;
  readonly rowOfColumn: Int32Array;
}

/**
 * Each free row takes the column it likes best, a free one of several, and makes it as much dearer as it
 * likes its second best less. A row that so loses its column tries again at once. Returns the rows left over.
 */
function reduceRows(state: State, free: Int32Array): Int32Array<ArrayBuffer> {
  const { price, columnOfRow, rowOfColumn } = state;
  const left: number[] = [];
  const pending = [...free].reverse();
  let tries = triesPerRow * pending.length;
  for (let row = pending.pop(); row !== undefined; row = pending.pop()) {
    const [column, difference] = favourite(state, row);
    price[column]! -= difference;
    const loser = intAt(rowOfColumn, column);
    if (loser >= 0 && difference === 0) {
      left.push(row);
      continue;
    }
    rowOfColumn[column] = row;
    columnOfRow[row] = column;
    if (loser < 0) continue;
    columnOfRow[loser] = -1;
    // Prices fall by whole numbers, but two rows could drive each other out for long.
    if (tries-- > 0) pending.push(loser);
    else left.push(loser);
  }
  return Int32Array.from(left);
}

const triesPerRow = 8;

/** The column that a row likes best, a free one where several are equal, and by how much it likes the next less. */
function favourite({ costs, price, columnCount, rowOfColumn }: State, row: number): [number, number] {
  const start = row * columnCount;
  let best = 0;
  let least = Infinity;
  let next = Infinity;
  for (let column = 0; column < columnCount; column++) {
    const reduced = realAt(costs, start + column) - realAt(price, column);
    if (reduced > least) {
      if (reduced < next) next = reduced;
      continue;
    }
    if (reduced < least || intAt(rowOfColumn, best) >= 0) best = column;
    next = least;
    least = reduced;
  }
  return [best, next - least];
}

/** Dijkstra's algorithm over columns, from a free row to the nearest free column. */
class PathSearch {
  readonly #state: State;
  /** Of each column from the row, and the row through which it is so near. */
  readonly #distance: Float64Array;
  readonly #rowBefore: Int32Array;
  /** All columns: those that are done first, in the order in which they were. */
  readonly #columns: Int32Array;

  constructor(state: State) {
    this.#state = state;
    this.#distance = new Float64Array(state.columnCount);
    this.#rowBefore = new Int32Array(state.columnCount);
    this.#columns = Int32Array.from({ length: state.columnCount }, (_, column) => column);
  }

  assign(row: number): void {
    const { rowOfColumn, price } = this.#state;
    const columns = this.#columns;
    this.#distance.fill(Infinity);
    let done = 0;
    let nearest = this.#scan(row, 0, done);
    while (intAt(rowOfColumn, intAt(columns, nearest)) >= 0) {
      const column = intAt(columns, nearest);
      columns[nearest] = intAt(columns, done);
      columns[done++] = column;
      nearest = this.#scan(intAt(rowOfColumn, column), realAt(this.#distance, column), done);
    }
    const free = intAt(columns, nearest);
    for (let index = 0; index < done; index++) {
      const column = intAt(columns, index);
      price[column]! += realAt(this.#distance, column) - realAt(this.#distance, free);
    }
    this.#giveAlong(row, free);
  }

  /** Each row of the path takes the column after it, up to the free one at its end. */
  #giveAlong(first: number, end: number): void {
    const { rowOfColumn, columnOfRow } = this.#state;
    let column = end;
    for (;;) {
      const row = intAt(this.#rowBefore, column);
      const given = intAt(columnOfRow, row);
      rowOfColumn[column] = row;
      columnOfRow[row] = column;
      if (row === first) return;
      column = given;
    }
  }

  /** Looks from a row that is `reached` away at the columns that are not done; returns where the nearest stands. */
  #scan(row: number, reached: number, done: number): number {
    const { costs, price, columnCount, columnOfRow, rowOfColumn } = this.#state;
    const columns = this.#columns;
    const distances = this.#distance;
    const rowBefore = this.#rowBefore;
    const start = row * columnCount;
    const own = intAt(columnOfRow, row);
    const base = reached - (own < 0 ? 0 : realAt(costs, start + own) - realAt(price, own));
    let nearest = done;
    let least = Infinity;
    for (let index = done; index < columnCount; index++) {
      const column = intAt(columns, index);
      const through = base + realAt(costs, start + column) - realAt(price, column);
      let distance = realAt(distances, column);
      if (through < distance) {
        distances[column] = distance = through;
        rowBefore[column] = row;
      }
      // Of equally near columns a free one ends the search.
      if (distance < least || (distance === least && intAt(rowOfColumn, column) < 0)) {
        least = distance;
        nearest = index;
      }
    }
    return nearest;
  }
}

/**
 * Prices of columns to begin an assignment with. A table whose entries are about (sum of the row) · (sum of the
 * column) / (sum of all), as that of the Gilmore–Lawler bound, is cheapest where rows descend as columns ascend, and
 * there the price of a column and that of the next differ by as much as the column's row, or the next one's, finds
 * them apart. At most 0, whole. Of a square table, any prices lead to the cheapest assignment; these save two thirds
 * of the time at 512 rows. O(size²).
 */
function initialDuals(costs: Float64Array, size: number): Float64Array {
  const rowSums = new Float64Array(size);
  const columnSums = new Float64Array(size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const cost = realAt(costs, row * size + column);
      rowSums[row]! += cost;
      columnSums[column]! += cost;
    }
  }
  const total = rowSums.reduce((sum, cost) => sum + cost, 0);
  const heaviestFirst = rowSums.sort().reverse();
  const cheapestFirst = Array.from(columnSums.keys()).sort((a, b) => realAt(columnSums, a) - realAt(columnSums, b));
  const prices = new Float64Array(size);
  for (let rank = size - 2; total > 0 && rank >= 0; rank--) {
    const column = itemAt(cheapestFirst, rank);
    const next = itemAt(cheapestFirst, rank + 1);
    const share = (realAt(heaviestFirst, rank) + realAt(heaviestFirst, rank + 1)) / (2 * total);
    prices[column] = realAt(prices, next) - Math.round((realAt(columnSums, next) - realAt(columnSums, column)) * share);
  }
  return prices;
}
