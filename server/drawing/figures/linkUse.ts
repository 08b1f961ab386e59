/**
 * How busy each link of a simulated placement was over time: a row for each of the busiest channels, a column for each
 * interval, and beside them what the link loads had predicted.
 */
import { largestOf } from '../../model/lists.ts';
import { countOf, formatShare } from '../../model/quantities.ts';
import { channelEnds, channelName } from '../../network/names.ts';
import { realAt } from '../../numeric/elements.ts';
import { loadColors } from '../colors.ts';
import { axisBelow, bottomMargin, makeAxis } from './axes.ts';
import {
  headHeight,
  figureHead,
  loadPaint,
  notesAt,
  pageMargin,
  pageWidth,
  pixel,
  shortenedToWidth,
  smallSize,
  text,
  textWidth,
  wrapped,
  type Cell,
  type Figure,
  type Paint,
  type Shape,
} from './figure.ts';
import { predictionWords, meanQueueAt, utilisationAt, type SimulationFigure } from './simulation.ts';

/** Channels that are drawn. */
const drawnChannels = 40;
const rowHeight = 11;
const longestName = 110;
/** Of the columns of numbers at the right. */
const numberWidth = 68;

/** A channel that is used, or whose load says that it would be. */
interface UsedChannel {
  readonly channel: number;
  /** Shares of the whole run. */
  readonly busy: number;
  readonly predicted: number | undefined;
  /** Of an interval. */
  readonly peak: number;
  /** Packets that wait, on average over the run, and the most of an interval. */
  readonly queue: number;
  readonly longestQueue: number;
}

/** O(channels · intervals). */
export function drawLinkUse(figure: SimulationFigure): Figure {
  const { report, result, about } = figure;
  const used = channelUses(figure);
  const drawn = used.slice(0, drawnChannels);
  const names = drawn.map(({ channel }) =>
    shortenedToWidth(channelName(report.machine, channel), longestName, smallSize),
  );
  const left = pageMargin + Math.max(40, largestOf(names.map((name) => textWidth(name, smallSize)))) + 8;
  const right = pageWidth - pageMargin - 2 * numberWidth;
  const top = headHeight + 14;
  const bottom = top + rowHeight * Math.max(1, drawn.length);
  const { interval, intervals } = result.links;
  const end = Math.max(1, interval * intervals);
  const time = makeAxis({
    name: 'Time',
    unit: 'cycles',
    low: 0,
    high: end,
    from: left,
    to: right,
    spacing: 80,
    nice: false,
  });
  const cells = utilisationCells(figure, drawn, { left, right, top });
  const title = `${report.name}: link utilisation`;
  const words = linkUseWords(figure, used);
  const below = bottom + bottomMargin;
  const notes = notesAt(wrapped(words, pageWidth - 2 * pageMargin, smallSize), below + 40);
  return {
    title,
    subtitle: about,
    description: `${title}, ${about}. ${words}`,
    width: pageWidth,
    height: below + 40 + notes.length * 16 + pageMargin,
    shapes: [
      ...figureHead(title, about),
      ...cells.shapes,
      ...linkRowLabels(drawn, names, { left, right, top }),
      ...axisBelow(time, { left, right, bottom }),
      ...scaleAt(below, left),
      ...notes,
    ],
    table: {
      head: ['from', 'to', 'busy', 'busy at most', 'waiting', 'waiting at most', 'predicted', 'error'],
      rows: used.map(({ channel, busy, peak, queue, longestQueue, predicted }): readonly Cell[] => [
        ...channelEnds(report.machine, channel),
        ...[busy, peak, queue, longestQueue],
        predicted ?? null,
        predicted === undefined || busy === 0 ? null : predicted / busy - 1,
      ]),
      units: ['', '', 'of the time', 'of an interval', 'packets', 'packets', 'of the time', ''],
    },
    marks: {
      boxes: drawn.flatMap((_, row) => [pageMargin, top + row * rowHeight, pageWidth - 2 * pageMargin, rowHeight]),
      rows: [...drawn.keys()],
    },
  };
}

/** The busiest first; equal ones by number. */
function channelUses(figure: SimulationFigure): readonly UsedChannel[] {
  const { result } = figure;
  const { channels, intervals, busy } = result.links;
  const cycles = Math.max(1, result.cycles);
  const used: UsedChannel[] = [];
  for (let channel = 0; channel < channels; channel++) {
    const predicted = figure.predictedBusy?.[channel];
    if (realAt(busy, channel) === 0 && (predicted ?? 0) === 0) continue;
    let [peak, sum, longestQueue] = [0, 0, 0];
    for (let interval = 0; interval < intervals; interval++) {
      peak = Math.max(peak, utilisationAt(result, interval, channel));
      const queue = meanQueueAt(result, interval, channel);
      sum += queue;
      longestQueue = Math.max(longestQueue, queue);
    }
    used.push({
      ...{ channel, peak, longestQueue, busy: realAt(busy, channel) / cycles, queue: sum / Math.max(1, intervals) },
      predicted: predicted === undefined ? undefined : predicted / cycles,
    });
  }
  return used.sort((one, other) => other.busy - one.busy || one.channel - other.channel);
}

interface Place {
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

/** Neighbouring cells of one colour are one rectangle. */
function utilisationCells({ result }: SimulationFigure, drawn: readonly UsedChannel[], { left, right, top }: Place) {
  const { intervals } = result.links;
  const boxes = new Map<Paint, number[]>();
  const width = (right - left) / Math.max(1, intervals);
  drawn.forEach(({ channel }, row) => {
    const paintAt = (interval: number): Paint => {
      const share = utilisationAt(result, interval, channel);
      return share === 0 ? 'grid' : loadPaint(share);
    };
    for (let interval = 0; interval < intervals;) {
      const [paint, start] = [paintAt(interval), interval];
      while (interval < intervals && paintAt(interval) === paint) interval++;
      const own = boxes.get(paint) ?? [];
      boxes.set(paint, own);
      const x = pixel(left + start * width);
      own.push(x, pixel(top + row * rowHeight), pixel(left + interval * width - x), rowHeight - 1);
    }
  });
  const shapes = [...boxes].map(([fill, own]): Shape => ({ kind: 'boxes', boxes: own, fill }));
  return { shapes };
}

function linkRowLabels(drawn: readonly UsedChannel[], names: readonly string[], { left, right, top }: Place): Shape[] {
  const isPredicted = drawn.some(({ predicted }) => predicted !== undefined);
  const heads = [['busy', 1] as const, ...(isPredicted ? [['predicted', 2] as const] : [])];
  const at = (column: number): number => right + column * numberWidth;
  return [
    ...heads.map(([head, column]) =>
      text(head, at(column), top - 5, { size: smallSize, anchor: 'end', color: 'faint' }),
    ),
    ...drawn.flatMap(({ busy, predicted }, row): Shape[] => {
      const y = top + row * rowHeight + rowHeight - 2;
      const number = (value: number | undefined, column: number): Shape[] =>
        value === undefined ? [] : [text(formatShare(value), at(column), y, { size: 10, anchor: 'end' })];
      return [
        text(names[row] ?? '', left - 6, y, { size: 10, anchor: 'end' }),
        ...number(busy, 1),
        ...number(predicted, 2),
      ];
    }),
  ];
}

/** The colours of utilisation with what they mean. */
export function scaleAt(y: number, left: number): Shape[] {
  const side = 22;
  const boxes = loadColors.map((_, step): Shape => ({
    kind: 'boxes',
    boxes: [left + step * side, y, side, 10],
    fill: `load ${step}`,
  }));
  const end = left + loadColors.length * side;
  return [
    ...boxes,
    text('idle', left, y + 22, { size: smallSize, color: 'faint' }),
    text('100 % busy', end, y + 22, { size: smallSize, color: 'faint', anchor: 'end' }),
  ];
}

function linkUseWords(figure: SimulationFigure, used: readonly UsedChannel[]): string {
  const [first] = used;
  if (first === undefined) return 'No link is used.';
  const { machine } = figure.report;
  const more = used.length > drawnChannels ? ` Shown: ${drawnChannels} links with the highest utilisation.` : '';
  const busiest = `Highest utilisation of ${countOf(used.length, 'link')}: ${channelName(machine, first.channel)}, ${formatShare(first.busy)} of the time.`;
  const most = used.reduce((largest, { predicted = 0 }) => Math.max(largest, predicted), 0);
  return `${busiest}${predictionWords('Prediction from link loads', used, `and maximum ${formatShare(most)} for any`)}${more}`;
}
