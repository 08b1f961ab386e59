/** Plots of one simulation: when tasks ended, how long packets took, and how both went over time. */
import { countOf, formatNumber } from '../../model/quantities.ts';
import { itemAt, realAt } from '../../numeric/elements.ts';
import { bareTime, cycleWords, simulatedTime, resultUnits } from '../../performance/simulationWords.ts';
import { jobColor } from '../colors.ts';
import {
  bottomMargin,
  bottomOf,
  drawAxes,
  leftMarginOf,
  makeAxis,
  numberedAxis,
  stackedTracks,
  type Axis,
  type Frame,
} from './axes.ts';
import {
  curveColors,
  headHeight,
  figureHead,
  line,
  pageMargin,
  pageWidth,
  pixel,
  smallSize,
  text,
  textWidth,
  type Figure,
  type FigureTable,
  type Paint,
  type Shape,
  wrapped,
} from './figure.ts';
import { jobsInRow } from './legend.ts';
import { endOfFigure, errorWords, type SimulationFigure } from './simulation.ts';

const plotHeight = 300;
const right = pageWidth - pageMargin - 8;

/** When each task ended, in the colours of the jobs, and when the busiest link alone would let them. O(tasks). */
export function drawFinish(figure: SimulationFigure): Figure {
  const { report, result, about } = figure;
  const { finish, makespan } = result;
  const { predictedCycles: bound } = figure;
  const known = finish.filter((cycle) => !Number.isNaN(cycle));
  const last = makespan ?? result.cycles;
  const high = known.reduce((most, cycle) => Math.max(most, cycle), Math.max(last, bound ?? 0, 1));
  const bottom = headHeight + plotHeight;
  const { time } = resultUnits(result);
  const y = makeAxis({ name: 'Finish', unit: time, low: 0, high, from: bottom, to: headHeight, spacing: 40 });
  const frame: Frame = { left: pageMargin + leftMarginOf(y), top: headHeight, right, bottom };
  const x = numberedAxis({ name: 'Task', from: frame.left, to: right, spacing: 60 }, finish.length);
  const width = Math.min(14, Math.max(0.5, (right - frame.left) / finish.length - 1));
  const tasks = finishOfTasks(figure);
  const boxes = tasks.map(({ task, cycle }) => {
    const top = y.at(Number.isNaN(cycle) ? 0 : cycle);
    return [pixel(x.at(task) - width / 2), pixel(top), pixel(width), pixel(Math.max(0, bottom - top))];
  });
  const jobs = report.jobs.map((_, job): Shape => ({
    kind: 'boxes',
    fill: jobColor(job) as Paint,
    boxes: boxes.filter((__, task) => tasks[task]?.job === job).flat(),
  }));
  // Where both are near to each other, the words of the lower one stand below it.
  const isNear = makespan !== undefined && bound !== undefined && Math.abs(y.at(makespan) - y.at(bound)) < nearLevels;
  const lowest = isNear ? Math.min(makespan, bound) : undefined;
  const lines = [
    ...(makespan === undefined
      ? []
      : [levelAt(frame, y, makespan, `makespan ${bareTime(result, makespan)}`, { isBelow: makespan === lowest })]),
    ...(bound === undefined
      ? []
      : [
          levelAt(frame, y, bound, `predicted ${formatNumber(Math.round(bound))}`, {
            dash: [5, 4],
            isBelow: bound === lowest && bound !== makespan,
          }),
        ]),
  ].flat();
  const title = `${report.name}: completion time of ${countOf(finish.length, 'task')}`;
  const prediction =
    bound === undefined || makespan === undefined
      ? ''
      : ` Static estimate: ${cycleWords(result, Math.round(bound))} (${errorWords(bound, makespan)} vs simulation).`;
  const words = [`${endOfFigure(figure)}${prediction}`, ...(figure.notices ?? [])].join(' ');
  const names = jobsInRow(
    report.jobs.map(({ job }) => job.name),
    frame.left,
    bottom + bottomMargin + 2,
  );
  const notes = wordsBelowPlot(bottom + (names.length === 0 ? 0 : 18), words);
  return {
    title,
    subtitle: about,
    description: `${title}, ${about}. ${words}`,
    width: pageWidth,
    height: notes.height,
    shapes: [...figureHead(title, about), ...drawAxes(frame, x, y), ...jobs, ...lines, ...names, ...notes.shapes],
    table: {
      head: ['job', 'task', 'finish'],
      rows: tasks.map(({ job, own, cycle }) => [
        report.jobs[job]?.job.name ?? '',
        own,
        Number.isNaN(cycle) ? null : cycle,
      ]),
      units: ['', '', time],
    },
    marks: { boxes: boxes.flat(), rows: [...tasks.keys()] },
  };
}

/** Tasks of all jobs, counted on from job to job, with their number in their own. */
function finishOfTasks({ report, result }: SimulationFigure) {
  const tasks: { readonly job: number; readonly own: number; readonly task: number; readonly cycle: number }[] = [];
  report.jobs.forEach(({ job: { taskCount } }, job) => {
    for (let own = 0; own < taskCount; own++) {
      const task = tasks.length;
      tasks.push({ job, own, task, cycle: task < result.finish.length ? realAt(result.finish, task) : Number.NaN });
    }
  });
  return tasks;
}

/** Levels whose words would lie on one another, pixels. */
const nearLevels = 14;

/** A line across a plot with words at its right end, above it or below. */
function levelAt(
  { left }: Frame,
  y: Axis,
  value: number,
  words: string,
  { dash, isBelow }: { readonly dash?: readonly number[]; readonly isBelow: boolean },
): Shape[] {
  const at = y.at(value);
  return [
    line([left, at, right, at], 'ink', 1.2, dash),
    text(words, right - 4, at + (isBelow ? 13 : -5), { size: smallSize, anchor: 'end' }),
  ];
}

/** Words below a plot that ends at `bottom`, and where the page ends. */
function wordsBelowPlot(bottom: number, words: string): { readonly shapes: readonly Shape[]; readonly height: number } {
  const lines = wrapped(words, pageWidth - 2 * pageMargin, smallSize);
  const top = bottom + bottomMargin + 6;
  return {
    shapes: lines.map((one, position) =>
      text(one, pageMargin, top + 16 * position, { size: smallSize, color: 'faint' }),
    ),
    height: top + 16 * (lines.length - 1) + pageMargin,
  };
}

/** How many packets took how long, with mean and percentiles, and how long they take where none waits, `alone`. O(bins). */
export function drawLatency(figure: SimulationFigure): Figure {
  const { report, result, about } = figure;
  const { count, mean, p50, p95, p99, maximum } = result.latency;
  const bins = binsOf(figure);
  const { time, packet } = resultUnits(result);
  const bottom = headHeight + plotHeight + 26;
  const top = headHeight + 26;
  const most = bins.reduce((highest, { packets }) => Math.max(highest, packets), 0);
  const y = makeAxis({
    name: packet === 'packet' ? 'Packets' : 'Messages',
    unit: '%',
    low: 0,
    high: (100 * most) / Math.max(1, count),
    from: bottom,
    to: top,
    spacing: 40,
  });
  const frame: Frame = { left: pageMargin + leftMarginOf(y), top, right, bottom };
  const [low, high] = [Math.max(1, bins[0]?.from ?? 1), Math.max(2, bins.at(-1)?.to ?? 10)];
  const x = makeAxis({
    name: 'Latency',
    unit: time,
    low,
    high,
    from: frame.left,
    to: right,
    spacing: 60,
    logarithmic: true,
  });
  const boxes = bins.map(({ from, to, packets }) => {
    const [start, end, height] = [x.at(Math.max(low, from)), x.at(to), y.at((100 * packets) / count)];
    return [pixel(start), pixel(height), pixel(Math.max(0.5, end - start - 0.5)), pixel(bottom - height)];
  });
  const percentiles =
    count === 0
      ? []
      : ([
          ['median', p50, []],
          ['95 %', p95, [7, 4]],
          ['99 %', p99, [2, 3]],
        ] as const);
  const { zeroLoadLatency: alone = 0 } = figure;
  const isShown = alone >= low && alone <= high;
  const marked = [
    ...(isShown
      ? [{ name: 'alone', value: Number(alone.toPrecision(4)), color: curveColors[1], width: 2, dash: [] }]
      : []),
    ...percentiles.map(([name, value, dash]) => ({ name, value, color: 'ink' as const, width: 1.2, dash })),
  ].sort((one, other) => one.value - other.value);
  let free = frame.left;
  const lines = marked.flatMap(({ name, value, color, width, dash }): Shape[] => {
    const words = `${name}: ${bareTime(result, value)}`;
    const at = x.at(Math.max(low, value));
    const half = textWidth(words, smallSize) / 2;
    const middle = Math.min(right - half, Math.max(free + half, at));
    free = middle + half + 8;
    return [
      line([at, top, at, bottom], color, width, dash),
      text(words, middle, top - 8, { size: smallSize, anchor: 'middle', color }),
    ];
  });
  const title = `${report.name}: latency of ${countOf(count, packet)}`;
  const prediction = `${zeroLoadWords(figure)}${waitPrediction(figure)}`;
  const words =
    count === 0
      ? `No ${packet} has arrived.`
      : `Mean ${simulatedTime(result, Number(mean.toPrecision(4)))}, maximum ${bareTime(result, maximum)}.${prediction}`;
  const notes = wordsBelowPlot(bottom, words);
  return {
    title,
    subtitle: about,
    description: `${title}, ${about}. ${words} Median ${simulatedTime(result, p50)}, 95th percentile ${bareTime(result, p95)}, 99th ${bareTime(result, p99)}.`,
    width: pageWidth,
    height: notes.height,
    shapes: [
      ...figureHead(title, about),
      ...drawAxes(frame, x, y),
      { kind: 'boxes', boxes: boxes.flat(), fill: curveColors[0] },
      ...lines,
      ...notes.shapes,
    ],
    table: latencyTable(bins, count, resultUnits(result)),
    marks: { boxes: boxes.flat(), rows: [...bins.keys()] },
  };
}

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly packets: number;
}

/** From the first bin that has packets to the last. */
function binsOf({ result: { latency } }: SimulationFigure): readonly Bin[] {
  const { counts, edges } = latency;
  const used = Array.from(counts.keys()).filter((bin) => realAt(counts, bin) > 0);
  const [first = 0, last = -1] = [used[0], used.at(-1)];
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const bin = first + index;
    const from = realAt(edges, bin);
    return { from, to: bin + 1 < edges.length ? realAt(edges, bin + 1) : from * 2, packets: realAt(counts, bin) };
  });
}

function latencyTable(
  bins: readonly Bin[],
  count: number,
  { time, packet }: ReturnType<typeof resultUnits>,
): FigureTable {
  let sum = 0;
  return {
    head: ['from', 'below', `${packet}s`, 'share', 'share up to here'],
    rows: bins.map(({ from, to, packets }) => {
      sum += packets;
      return [from, to, packets, packets / count, sum / count];
    }),
    units: [time, time, '', '', ''],
  };
}

/** What the hops alone say of the latency. */
function zeroLoadWords({ result: { latency }, zeroLoadLatency }: SimulationFigure): string {
  if (zeroLoadLatency === undefined) return '';
  return ` Zero-load latency: ${formatNumber(Number(zeroLoadLatency.toPrecision(4)))} cycles (${errorWords(zeroLoadLatency, latency.mean)}).`;
}

/** What the queueing model of the cluster says of the waits, beside what messages waited. */
function waitPrediction({ report, result }: SimulationFigure): string {
  const { queueing } = report.metrics;
  const { waits, secondsPerCycle } = result;
  if (queueing === undefined || waits === undefined || secondsPerCycle === undefined) return '';
  const waited = waits.waited.reduce((sum, cycles) => sum + cycles, 0) / Math.max(1, result.latency.count);
  const predicted = queueing.waiting / secondsPerCycle;
  if (!Number.isFinite(predicted))
    return ` Wait time per message ${bareTime(result, waited)}; overloaded in the queueing model.`;
  return ` Wait time per message ${bareTime(result, waited)}; queueing model ${bareTime(result, predicted)} (${errorWords(predicted, waited)}).`;
}

/** Traffic and latency over time, one above the other, and the mean traffic of the whole run. O(points). */
export function drawOverTime(figure: SimulationFigure): Figure {
  const { report, result, about } = figure;
  const { step, traffic, latency } = result.overTime;
  const end = Math.max(1, Math.min(step * traffic.length, Math.max(result.cycles, 1)));
  const mean = (traffic.reduce((sum, flits) => sum + flits, 0) * step) / end;
  const units = resultUnits(result);
  const tracks = [
    { name: 'Traffic', unit: units.traffic, high: largestNumber(traffic), values: traffic, color: curveColors[0] },
    { name: 'Latency', unit: units.time, high: largestNumber(latency), values: latency, color: curveColors[1] },
  ] as const;
  const stacked = stackedTracks(tracks, right);
  const lower = bottomOf(stacked);
  const { left } = itemAt(stacked, 0).frame;
  const time = makeAxis({
    name: 'Time',
    unit: units.time,
    low: 0,
    high: end,
    from: left,
    to: right,
    spacing: 80,
    nice: false,
  });
  const shapes = stacked.flatMap(({ axis, frame }, position): Shape[] => {
    const { values, color } = itemAt(tracks, position);
    return [
      ...drawAxes(frame, time, axis, position === 0 ? 'x labels' : undefined),
      ...numberRuns(values).map(({ from, to }) => {
        const points: number[] = [];
        for (let at = from; at < to; at++) {
          const height = axis.at(realAt(values, at));
          points.push(time.at(Math.min(end, at * step)), height, time.at(Math.min(end, (at + 1) * step)), height);
        }
        return line(points, color, 1.2);
      }),
    ];
  });
  const height = itemAt(stacked, 0).axis.at(mean);
  const meanLine = line([left, height, right, height], 'ink', 1, [5, 4]);
  const { predictedCycles: bound } = figure;
  // What arrived of a run that was cut short is not all that is to arrive.
  const peak = bound === undefined || result.makespan === undefined ? undefined : (mean * end) / bound;
  const prediction =
    peak === undefined
      ? ''
      : ` Predicted mean: ${formatNumber(Number(peak.toPrecision(4)))} (${errorWords(peak, mean)}).`;
  const words = `Dashed: mean ${formatNumber(Number(mean.toPrecision(4)))} ${units.traffics}.${prediction}`;
  const title = `${report.name}: traffic and latency over time`;
  const marks = Array.from(traffic.keys(), (at) => [
    ...[pixel(time.at(Math.min(end, at * step))), headHeight],
    ...[
      pixel(Math.max(0.2, time.at(Math.min(end, (at + 1) * step)) - time.at(Math.min(end, at * step)))),
      lower - headHeight,
    ],
  ]);
  const notes = wordsBelowPlot(lower, words);
  return {
    title,
    subtitle: about,
    description: `${title}, ${about}. ${endOfFigure(figure)} ${words}`,
    width: pageWidth,
    height: notes.height,
    shapes: [...figureHead(title, about), ...shapes, meanLine, ...notes.shapes],
    table: {
      head: ['from', 'to', 'traffic', 'latency'],
      rows: Array.from(traffic, (flits, at) => {
        const wait = realAt(latency, at);
        return [at * step, Math.min(end, (at + 1) * step), flits, Number.isNaN(wait) ? null : wait];
      }),
      units: [units.time, units.time, units.traffic, units.time],
    },
    marks: { boxes: marks.flat(), rows: [...marks.keys()] },
  };
}

const largestNumber = (values: Float64Array): number =>
  values.reduce((most, value) => (value > most ? value : most), 0);

/** Stretches of values that are numbers. */
function numberRuns(values: Float64Array): readonly { readonly from: number; readonly to: number }[] {
  const runs: { from: number; to: number }[] = [];
  values.forEach((value, at) => {
    if (Number.isNaN(value)) return;
    const last = runs.at(-1);
    if (last?.to === at) last.to++;
    else runs.push({ from: at, to: at + 1 });
  });
  return runs;
}
