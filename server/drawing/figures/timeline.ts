import { largestOf } from '../../model/lists.ts';
import { formatNumber, formatShare } from '../../model/quantities.ts';
import { itemAt, realAt } from '../../numeric/elements.ts';
import { timelineOf } from '../../scheduling/metrics.ts';
import { bottomMargin, bottomOf, drawAxes, makeAxis, stackedTracks, timeUnitOf, type Frame } from './axes.ts';
import {
  curveColors,
  figureHead,
  line,
  pageMargin,
  pageWidth,
  pixel,
  smallSize,
  text,
  textWidth,
  type Figure,
  type Shape,
} from './figure.ts';
import { streamTime, type ReplicationFigure } from './replication.ts';

/** Stretches of time over which means are taken: one for two pixels. */
const stretches = 320;

/**
 * Queue length and utilisation of one replication over time, one above the other: means over equal stretches, and the mean
 * of the whole run as a dashed line. O(jobs).
 */
export function drawTimeline({ name, about, run, timeUnit }: ReplicationFigure): Figure {
  const { begin, length, queueLength, busyProcessors } = timelineOf(run, stretches);
  const end = begin + length * stretches;
  const share = Float64Array.from(busyProcessors, (busy) => (100 * busy) / run.workingCount);
  const [meanQueue, meanShare] = [meanOverIntervals(queueLength), meanOverIntervals(share)];
  const unit = timeUnitOf(timeUnit, end - begin);
  const words = [
    `mean ${formatNumber(Number(meanQueue.toPrecision(3)))}`,
    `mean ${formatNumber(meanShare, 0)} %`,
  ] as const;
  const right = pageWidth - pageMargin - 8 - largestOf(words.map((one) => textWidth(one, smallSize)));
  const tracks = [
    {
      name: 'Waiting jobs',
      unit: '',
      high: maximum(queueLength),
      values: queueLength,
      color: curveColors[1],
      mean: meanQueue,
    },
    { name: 'Utilisation', unit: '%', high: 100, values: share, color: curveColors[0], mean: meanShare },
  ] as const;
  const stacked = stackedTracks(tracks, right);
  const shapes = stacked.flatMap(({ axis, frame }, position): Shape[] => {
    const { values, color, mean } = itemAt(tracks, position);
    const said = words[position] ?? '';
    const time = makeAxis({
      ...{ name: 'Time', unit: unit.name, low: begin / unit.size, high: Math.max(end, begin + 1) / unit.size },
      ...{ from: frame.left, to: frame.right, spacing: 80, nice: false },
    });
    const places = stretchSteps(values, frame, axis.at);
    const height = pixel(axis.at(mean));
    return [
      ...drawAxes(frame, time, axis, position === 0 ? 'x labels' : undefined),
      {
        kind: 'area',
        points: [frame.left, frame.bottom, ...places, frame.right, frame.bottom],
        fill: color,
        opacity: 0.22,
      },
      line(places, color, 1.3),
      line([frame.left, height, frame.right, height], 'ink', 1, [5, 4]),
      text(said, frame.right + 6, height + smallSize * 0.35, { size: smallSize }),
    ];
  });
  const title = `${name}: queue and utilisation`;
  return {
    title,
    subtitle: about,
    description: `Waiting jobs and utilisation over time in experiment ${name}, ${about}, from ${streamTime(begin, timeUnit)} to ${streamTime(end, timeUnit)}: mean ${formatNumber(meanQueue)} waiting jobs, maximum ${formatNumber(maximum(queueLength))}; utilisation ${formatShare(meanShare / 100)}.`,
    width: pageWidth,
    height: bottomOf(stacked) + bottomMargin + pageMargin - 8,
    shapes: [...figureHead(title, about), ...shapes],
    table: {
      head: [`from (${timeUnit})`, `to (${timeUnit})`, 'waiting jobs', 'utilisation'],
      rows: Array.from(queueLength, (waiting, stretch) => [
        ...[begin + stretch * length, begin + (stretch + 1) * length],
        ...[waiting, realAt(share, stretch) / 100],
      ]),
    },
  };
}

const meanOverIntervals = (values: Float64Array): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const maximum = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, value), 0);

/** Both ends of each stretch at its height. */
function stretchSteps(values: Float64Array, { left, right }: Frame, at: (value: number) => number): readonly number[] {
  const width = (right - left) / values.length;
  return Array.from(values.entries()).flatMap(([stretch, value]) => {
    const height = pixel(at(value));
    return [pixel(left + stretch * width), height, pixel(left + (stretch + 1) * width), height];
  });
}
