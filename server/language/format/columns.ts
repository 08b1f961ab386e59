import { endOf } from '../tokens.ts';
import type { Layout } from './layout.ts';
import { isComment, type Line } from './lines.ts';

/** A line as it will be written: its code, and the comment that ends it. */
export interface WrittenLine {
  readonly line: Line;
  readonly code: string;
  readonly comment: string | undefined;
}

/** Lines that stand directly under each other. */
function runsOf<Item>(
  items: readonly Item[],
  belongs: (item: Item, index: number) => boolean,
  breaks: (item: Item) => boolean,
): Item[][] {
  const runs: Item[][] = [];
  let open = false;
  for (const [index, item] of items.entries()) {
    if (!belongs(item, index)) {
      open = false;
      continue;
    }
    if (open && !breaks(item)) runs.at(-1)?.push(item);
    else runs.push([item]);
    open = true;
  }
  return runs;
}

/**
 * For each line with one property: spaces to add after its word, so that the values of a run of
 * such lines stand in one column, where the author put a value of the run in a column.
 */
export function valueColumns(lines: readonly Line[], layout: Layout): ReadonlyMap<Line, number> {
  const isSingle = ({ pieces }: Line): boolean =>
    pieces.length > 1 &&
    !isComment(pieces[1]!) &&
    layout.properties.has(pieces[0]!.startOffset) &&
    pieces.filter((piece) => layout.properties.has(piece.startOffset)).length === 1;
  const added = new Map<Line, number>();
  for (const run of runsOf(lines, isSingle, ({ blankAbove }) => blankAbove)) {
    const inColumn = run.some(({ pieces }) => pieces[1]!.startOffset - endOf(pieces[0]!) > 1);
    const width = Math.max(...run.map(({ pieces }) => pieces[0]!.image.length));
    for (const line of run) added.set(line, inColumn ? width - line.pieces[0]!.image.length : 0);
  }
  return added;
}

/** Columns of the last line of code that may hold a comment of several lines. */
const widthOf = (code: string): number => code.length - 1 - Math.max(code.lastIndexOf('\n'), code.lastIndexOf('\r'));

/** The lines with the comments at their ends: those of a run in one column, as far left as it was. */
export function withComments(lines: readonly WrittenLine[]): readonly string[] {
  const columns = new Map<WrittenLine, number>();
  const hasBoth = ({ code, comment }: WrittenLine): boolean => comment !== undefined && code.trim() !== '';
  for (const run of runsOf(lines, hasBoth, ({ line }) => line.blankAbove)) {
    const widest = Math.max(...run.map(({ code }) => widthOf(code) + 1));
    const leftmost = Math.min(...run.map(({ line }) => (line.pieces.at(-1)?.startColumn ?? 1) - 1));
    for (const line of run) columns.set(line, Math.max(widest, leftmost));
  }
  return lines.map((line) => {
    const column = columns.get(line);
    return column === undefined
      ? line.code + (line.comment ?? '')
      : line.code + ' '.repeat(column - widthOf(line.code)) + (line.comment ?? '');
  });
}
