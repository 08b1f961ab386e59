/**
 * A second, slow and simple reading of tables, written apart from server/interchange, to hold its
 * sums against: dense matrices by splitting, Matrix Market by its lines.
 */
export interface PlainTable {
  readonly size: number;
  /** amount[i][j] of what i sends to j. */
  readonly amounts: number[][];
}

export function readPlainly(text: string): PlainTable {
  return text.startsWith('%%MatrixMarket') ? readMatrixMarket(text) : readDense(text);
}

function readDense(text: string): PlainTable {
  const amounts = text
    .trim()
    .split('\n')
    .map((line) =>
      line
        .trim()
        .split(/[,\s]+/)
        .map(Number.parseFloat),
    );
  return { size: amounts.length, amounts };
}

function readMatrixMarket(text: string): PlainTable {
  const [banner = '', ...lines] = text.split('\n');
  const [sizes = '', ...entries] = lines.filter((line) => line.trim() !== '' && !line.startsWith('%'));
  const size = Number.parseInt(sizes, 10);
  const amounts = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (const entry of entries) {
    const [row = 0, column = 0, amount = 1] = entry.trim().split(/\s+/).map(Number.parseFloat);
    amounts[row - 1]![column - 1]! += amount;
    if (banner.includes('symmetric') && row !== column) amounts[column - 1]![row - 1]! += amount;
  }
  return { size, amounts };
}

/** Hop-bytes with task i on node i of a torus: Σ w · Σ over the axes of the way round the ring. */
export function hopBytesInOrder({ size, amounts }: PlainTable, [width, height]: readonly [number, number]): number {
  const ring = (a: number, b: number, side: number): number => Math.min(Math.abs(a - b), side - Math.abs(a - b));
  let sum = 0;
  for (let from = 0; from < size; from++) {
    for (let to = 0; to < size; to++) {
      const hops =
        ring(from % width, to % width, width) + ring(Math.floor(from / width), Math.floor(to / width), height);
      sum += amounts[from]![to]! * hops;
    }
  }
  return sum;
}
