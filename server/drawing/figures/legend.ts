/**
 * The legend of a plot: a sample and a name each, beside the plot where the names are short, else below it, in columns, with
 * names in as many lines as they need. A name that is cut could not be told from others that differ in its end.
 */
import { appendAll, largestOf } from '../../model/lists.ts';
import { jobColor } from '../colors.ts';
import {
  pageMargin,
  pageWidth,
  pixel,
  smallSize,
  text,
  textSize,
  textWidth,
  wrapped,
  type Paint,
  type Shape,
} from './figure.ts';

export interface LegendEntry {
  readonly name: string;
  readonly color?: Paint;
  /** What stands in front of the name, from `left` at the height of `middle`; nothing where it is left out. */
  readonly sample?: (left: number, middle: number) => readonly Shape[];
}

export interface Legend {
  /** Where the plot ends at the right. */
  readonly right: number;
  /** The legend of a plot from `top` to `bottom`, with what stands below its axis, and where both end. */
  readonly draw: (top: number, bottom: number) => { readonly shapes: readonly Shape[]; readonly bottom: number };
}

/** Pixels beside the plot at most, between it and the legend, and between columns below it. */
const sideRoom = 230;
const sideGap = 16;
const columnGap = 24;
/** Of the label of the last tick, half of which may stand beyond the plot. */
const labelRoom = 26;
const entryHeight = 20;
const lineHeight = 16;
/** Side of the box of a job's colour, and where its name begins. */
const jobBox = 10;
const jobIndent = 15;

/** `indent` is what a sample takes. O(letters). */
export function figureLegend(entries: readonly LegendEntry[], indent: number): Legend {
  const widest = Math.max(textWidth('in the paper'), largestOf(entries.map(({ name }) => textWidth(name))));
  const inner = pageWidth - 2 * pageMargin;
  const beside = sideGap + indent + widest + 2;
  if (beside <= sideRoom) {
    const right = pageWidth - pageMargin - beside;
    const draw: Legend['draw'] = (top, bottom) => {
      const shapes = entries.flatMap((entry, row) =>
        legendEntryShapes(entry, [entry.name], indent, right + sideGap, top + 10 + row * entryHeight),
      );
      return { shapes, bottom: Math.max(bottom, top + 10 + entries.length * entryHeight) };
    };
    return { right, draw };
  }
  const columnWidth = Math.min(inner, indent + widest + 2);
  const columns = Math.max(1, Math.floor((inner + columnGap) / (columnWidth + columnGap)));
  const rows = Math.ceil(entries.length / columns);
  const draw: Legend['draw'] = (_, bottom) => {
    const shapes: Shape[] = [];
    let lowest = bottom;
    for (let column = 0; column < columns; column++) {
      const left = pageMargin + column * (columnWidth + columnGap);
      let y = bottom + 16;
      for (const entry of entries.slice(column * rows, (column + 1) * rows)) {
        const lines = wrapped(entry.name, columnWidth - indent);
        appendAll(shapes, legendEntryShapes(entry, lines, indent, left, y));
        y += entryHeight + (lines.length - 1) * lineHeight;
      }
      lowest = Math.max(lowest, y);
    }
    return { shapes, bottom: lowest };
  };
  return { right: pageWidth - pageMargin - labelRoom, draw };
}

/** Which colour is which job, in one row: as many as there is room for, and how many more there are. Nothing of one job. O(jobs). */
export function jobsInRow(names: readonly string[], left: number, middle: number): readonly Shape[] {
  if (names.length < 2) return [];
  const shapes: Shape[] = [];
  const right = pageWidth - pageMargin - textWidth(`and ${names.length} more`, smallSize);
  let at = left;
  for (const [job, name] of names.entries()) {
    const end = at + jobIndent + textWidth(name, smallSize);
    if (end > right) {
      shapes.push(text(`and ${names.length - job} more`, at, middle + smallSize * 0.35, { size: smallSize }));
      break;
    }
    shapes.push({
      kind: 'boxes',
      fill: jobColor(job) as Paint,
      boxes: [pixel(at), pixel(middle - jobBox / 2), jobBox, jobBox],
    });
    shapes.push(text(name, at + jobIndent, middle + smallSize * 0.35, { size: smallSize }));
    at = end + columnGap;
  }
  return shapes;
}

const legendEntryShapes = (
  { sample, color }: LegendEntry,
  lines: readonly string[],
  indent: number,
  left: number,
  middle: number,
): readonly Shape[] => [
  ...(sample?.(left, middle) ?? []),
  ...lines.map((line, index) =>
    text(line, left + indent, middle + index * lineHeight + textSize * 0.35, color && { color }),
  ),
];
