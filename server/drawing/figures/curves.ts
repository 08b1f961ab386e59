/**
 * What an experiment found of one metric, as papers show it: a curve over what is varied for each scheduler, allocator and
 * mapper, with confidence intervals; bars where nothing is varied. Numbers quoted of a paper are marked. Where results have what is
 * predicted of the metric (`predictedLatency` of `latency`), the curve is the prediction, and what was simulated are points.
 */
import { appendAll, largestOf, leastOf } from '../../model/lists.ts';
import type { ExperimentJson, RowJson } from '../../experiments/results.ts';
import { countOf, formatNumber } from '../../model/quantities.ts';
import { nameKeys, type NameKey } from '../../model/experiment.ts';
import { metricLabel } from '../../model/metrics.ts';
import { unitOfVaried, writtenVaried } from '../../model/simulation.ts';
import { bottomMargin, drawAxes, leftMarginOf, makeAxis, axisTitle, type Axis, type Frame } from './axes.ts';
import {
  curveStyle,
  headHeight,
  figureHead,
  line,
  pageMargin,
  pageWidth,
  pixel,
  smallSize,
  text,
  textSize,
  textWidth,
  wrapped,
  type Cell,
  type CurveStyle,
  type Figure,
  type FigureTable,
  type Paint,
  type Shape,
} from './figure.ts';
import { figureLegend, type LegendEntry } from './legend.ts';

export interface CurvesRequest {
  readonly result: ExperimentJson;
  /** A key of the metrics of its rows. */
  readonly metric: string;
  /** Of the intervals; 0.95 where it is left out. */
  readonly confidence?: number;
  /** Of a smaller run than the whole, which the figure says. */
  readonly form?: 'short' | 'middle' | undefined;
}

/** Curves, or bars; a page without numbers says so. O(rows). */
export function drawCurves({ result, metric, confidence = 0.95, form }: CurvesRequest): Figure {
  const found = readSeries(result, metric);
  const { unit } = found;
  const name = nameOfMetric(metric);
  const subtitle = `${form === undefined ? '' : `${form} run, `}${subtitleOf(result, confidence)}`;
  const notes = curveNotes(result, metric, found);
  const drawing = found.axis === undefined ? resultBars(found, name) : plotCurves(found, name);
  const { shapes, bottom } = notesBelow(drawing.bottom, notes);
  return {
    title: `${result.name}: ${name.toLowerCase()}`,
    subtitle,
    description: [
      `${axisTitle(name, unit, 0)} in experiment ${result.name}, ${subtitle}.`,
      ...curveSentences(found),
    ].join(' '),
    width: pageWidth,
    height: bottom + pageMargin,
    shapes: [...figureHead(`${result.name}: ${name.toLowerCase()}`, subtitle), ...drawing.shapes, ...shapes],
    table: curveTable(result, metric, unit),
  };
}

/** `Average hops` of `averageHops`, also of what is no metric of an experiment. */
export function nameOfMetric(metric: string): string {
  const label = metricLabel(metric);
  if (label !== undefined) return label;
  const words = metric.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function subtitleOf({ complete, replicationsDone, rows }: ExperimentJson, confidence: number): string {
  const counts = rows.map(({ replications }) => replications);
  const [fewest, most] = [Math.min(replicationsDone, leastOf(counts)), Math.max(0, largestOf(counts))];
  const how =
    fewest === most ? countOf(most, 'replication') : `${formatNumber(fewest)} to ${countOf(most, 'replication')}`;
  const intervals = most > 1 ? `, ${formatNumber(100 * confidence)} % confidence intervals` : '';
  return `${complete ? '' : 'incomplete: '}${how}${intervals}`;
}

interface Value {
  readonly x: number;
  readonly mean: number;
  /** 0 where there is no interval. */
  readonly halfWidth: number;
  /** What a paper says. */
  readonly quoted: number | undefined;
  readonly predicted: number | undefined;
}

export interface Series {
  readonly name: string;
  readonly values: readonly Value[];
  readonly style: CurveStyle;
}

interface Found {
  readonly unit: string;
  /** The path that stands on the x axis; undefined where nothing is varied. */
  readonly axis: string | undefined;
  /** The kinds of names that rows differ in. */
  readonly keys: readonly NameKey[];
  readonly series: readonly Series[];
  /** Predictions are drawn as lines. */
  readonly hasPredicted: boolean;
  /** The x axis is time: linear, and from 0. */
  readonly isOverTime?: true;
}

/** `latency` → `predictedLatency`. */
const predictedMetric = (metric: string): string => `predicted${metric.charAt(0).toUpperCase()}${metric.slice(1)}`;

/** The rows as curves: those that differ in nothing but the value on the x axis are one. */
function readSeries({ rows, quoted }: ExperimentJson, metric: string): Found {
  const axis = variedAxis(rows);
  const keys = nameKeys.filter((key) => new Set(rows.map((row) => row[key])).size > 1);
  const paths = Object.keys(rows[0]?.point ?? {}).filter((path) => path !== axis && valuesAt(rows, path).size > 1);
  const byName = new Map<string, { readonly row: RowJson; readonly values: Value[] }>();
  rows.forEach((row, position) => {
    const name = nameOfRow(row, keys, paths);
    const { values } = byName.get(name) ?? { values: new Array<Value>() };
    if (!byName.has(name)) byName.set(name, { row, values });
    const found = row.metrics[metric];
    if (found === undefined || found.mean === null) return;
    const quote = quoted.find(
      (one) => one.metric === metric && one.row === position && one.over === undefined && one.statistic === undefined,
    );
    const x = axis === undefined ? 0 : (row.point[axis] ?? 0);
    const predicted = row.metrics[predictedMetric(metric)]?.mean ?? undefined;
    values.push({ x, mean: found.mean, halfWidth: found.halfWidth ?? 0, quoted: quote?.paper, predicted });
  });
  const styleOf = stylist(rows, keys, paths);
  const series = [...byName].map(([name, { row, values }]) => ({
    name,
    values: values.sort((one, other) => one.x - other.x),
    style: styleOf(row),
  }));
  const hasPredicted = series.some(({ values }) => values.some(({ predicted }) => predicted !== undefined));
  return { unit: rows[0]?.metrics[metric]?.unit ?? '', axis, keys, series, hasPredicted };
}

/** Colours and markers tell apart what there are most names of, such as allocators; dashes all else, such as schedulers. */
export function stylist(
  rows: readonly RowJson[],
  keys: readonly NameKey[],
  paths: readonly string[],
): (row: RowJson) => CurveStyle {
  const count = (key: NameKey): number => new Set(rows.map((row) => row[key])).size;
  const [main] = [...keys].sort((one, other) => count(other) - count(one));
  const [names, groups]: [string[], string[]] = [[], []];
  const position = (known: string[], name: string): number => {
    if (!known.includes(name)) known.push(name);
    return known.indexOf(name);
  };
  return (row) => {
    const others = JSON.stringify([
      keys.filter((key) => key !== main).map((key) => row[key]),
      paths.map((path) => row.point[path]),
    ]);
    if (main === undefined) return curveStyle(position(names, others), 0);
    return curveStyle(position(names, row[main] ?? ''), position(groups, others));
  };
}

const valuesAt = (rows: readonly RowJson[], path: string): ReadonlySet<number | undefined> =>
  new Set(rows.map(({ point }) => point[path]));

/** Of what is varied, the one with most values, the first of several. */
function variedAxis(rows: readonly RowJson[]): string | undefined {
  let found: string | undefined;
  let most = 1;
  for (const path of Object.keys(rows[0]?.point ?? {})) {
    const { size } = valuesAt(rows, path);
    if (size > most) [found, most] = [path, size];
  }
  return found;
}

function nameOfRow(row: RowJson, keys: readonly NameKey[], paths: readonly string[]): string {
  const names = keys.map((key) => row[key] ?? 'none');
  const values = paths.map((path) => `${path} ${writtenVaried(path, row.point[path] ?? 0)}`);
  // Where nothing differs, one of its names says more than none.
  const parts =
    names.length + values.length === 0 ? [row.allocator ?? row.scheduler ?? row.mapper ?? row.pattern ?? 'all'] : [];
  return [...names, ...values, ...parts].join(', ');
}

/** From this factor between the curves at one place on, the lower ones would lie on a linear axis. */
const logarithmicFrom = 50;

/** The largest factor between means at the same place. */
function largestFactor(values: readonly Value[]): number {
  const ends = new Map<number, readonly [least: number, most: number]>();
  for (const { x, mean } of values) {
    const [least, most] = ends.get(x) ?? [mean, mean];
    ends.set(x, [Math.min(least, mean), Math.max(most, mean)]);
  }
  return Math.max(1, largestOf([...ends.values()].map(([least, most]) => most / least)));
}

function valueAxis(series: readonly Series[], name: string, unit: string, from: number, to: number): Axis {
  const values = series.flatMap((one) => one.values);
  const low = values.flatMap(({ mean, halfWidth, quoted, predicted }) => [
    mean - halfWidth,
    quoted ?? Infinity,
    predicted ?? Infinity,
  ]);
  const high = values.map(({ mean, halfWidth, quoted, predicted }) =>
    Math.max(mean + halfWidth, quoted ?? -Infinity, predicted ?? -Infinity),
  );
  const least = leastOf(values.map(({ mean }) => mean));
  const logarithmic = least > 0 && largestFactor(values) > logarithmicFrom;
  const spacing = Math.abs(to - from) > 450 ? 70 : 44;
  const usual = { name, unit, from, to, spacing };
  if (values.length === 0) return makeAxis({ ...usual, low: 0, high: 1 });
  if (logarithmic) {
    // An interval that reaches down to 0 ends at the lower end of the axis.
    const positive = low.filter((value) => value >= least / 10 && value < Infinity);
    return makeAxis({ ...usual, low: Math.min(least, leastOf(positive)), high: largestOf(high), logarithmic });
  }
  // Where all means are above 0, an interval that reaches below it is cut there.
  return makeAxis({ ...usual, low: least >= 0 ? 0 : leastOf(low), high: Math.max(0, largestOf(high)) });
}

interface Drawing {
  readonly shapes: readonly Shape[];
  /** Where the drawing ends. */
  readonly bottom: number;
}

const plotHeight = 330;
/** Curves that the legend lists; the others are counted, and drawn faintly. */
const listedCurves = 16;
const markerSize = 4.2;

/** Curves with axes and a legend. */
export function plotCurves({ series, axis = '', unit, hasPredicted, isOverTime }: Found, name: string): Drawing {
  const top = headHeight;
  const bottom = top + plotHeight;
  const values = series.flatMap((one) => one.values);
  const y = valueAxis(series, name, unit, bottom, top);
  const legend = figureLegend(curveLegendEntries(series, hasPredicted), sampleRoom);
  const frame: Frame = { left: pageMargin + leftMarginOf(y), top, right: legend.right, bottom };
  const xs = values.map(({ x }) => x);
  const [low, high] = xs.length === 0 ? [0, 1] : [isOverTime ? 0 : leastOf(xs), largestOf(xs)];
  const room = (high - low) * 0.03;
  const along = { name: axis, unit: unitOfVaried(axis), from: frame.left, to: frame.right, spacing: 55 };
  const x =
    low > 0 && high / low > logarithmicFrom
      ? makeAxis({ ...along, low, high, logarithmic: true })
      : makeAxis({ ...along, low: low >= 0 ? Math.max(0, low - room) : low - room, high: high + room, nice: false });
  const shapes = drawAxes(frame, x, y);
  // The first curve is in front: papers name their own first.
  for (const [position, one] of [...series.entries()].reverse()) {
    const isListed = position < listedCurves;
    appendAll(shapes, drawCurve(one, x, y, frame, { isListed, hasPredicted }));
  }
  for (const one of series)
    appendAll(
      shapes,
      quotedMarks(one, ({ x: at }) => x.at(at), y, frame),
    );
  const listed = legend.draw(top, bottom + bottomMargin);
  return { shapes: [...shapes, ...listed.shapes], bottom: listed.bottom };
}

export const markerOf = ({ marker, color, isHollow }: CurveStyle, x: number, y: number): Shape => ({
  ...{ kind: 'marker', marker, x: pixel(x), y: pixel(y), size: markerSize },
  ...{ fill: isHollow ? 'paper' : color, outline: color },
});

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

function drawCurve(
  { values, style }: Series,
  x: Axis,
  y: Axis,
  { top, bottom }: Frame,
  { isListed, hasPredicted }: { readonly isListed: boolean; readonly hasPredicted: boolean },
): Shape[] {
  const color = isListed ? style.color : 'grid';
  const places = values.map((value) => ({ ...value, at: x.at(value.x), height: clamp(y.at(value.mean), top, bottom) }));
  const shapes: Shape[] = [];
  const curve = hasPredicted
    ? places.flatMap(({ at, predicted }) => (predicted === undefined ? [] : [at, clamp(y.at(predicted), top, bottom)]))
    : places.flatMap(({ at, height }) => [at, height]);
  if (curve.length > 2) shapes.push(line(curve, color, 1.8, style.dash));
  if (!isListed) return shapes;
  for (const { at, mean, halfWidth } of places) {
    if (!(halfWidth > 0)) continue;
    const [upper, lower] = [
      clippedPixel(y, mean + halfWidth, top, bottom),
      clippedPixel(y, mean - halfWidth, top, bottom),
    ];
    appendAll(
      shapes,
      whisker(upper, lower, color, (end) => [at, end]),
    );
  }
  for (const { at, height } of places) {
    shapes.push(markerOf(style, at, height));
  }
  return shapes;
}

/** One end of an interval, which the frame may cut. */
interface End {
  readonly at: number;
  readonly isCut: boolean;
}

/** The pixel of a value within the frame; on a logarithmic axis 0 and less stand at its lower end, which is `zero`. */
function clippedPixel(axis: Axis, value: number, low: number, high: number, zero = high): End {
  const at = axis.at(value);
  if (!Number.isFinite(at)) return { at: zero, isCut: true };
  return { at: pixel(clamp(at, low, high)), isCut: at < low - 0.5 || at > high + 0.5 };
}

const capSize = 4;

/** An interval: a line with a cap at either end, unless it goes on there. `point` places a pixel along the axis. */
function whisker(one: End, other: End, color: Paint, point: (at: number) => readonly [number, number]): Shape[] {
  const [from, to] = [point(one.at), point(other.at)];
  const [dx, dy] = from[0] === to[0] && from[1] !== to[1] ? [capSize, 0] : [0, capSize];
  const cap = ({ at, isCut }: End): Shape[] => {
    const [x, y] = point(at);
    return isCut ? [] : [line([x - dx, y - dy, x + dx, y + dy], color, 1.3)];
  };
  return [line([...from, ...to], color, 1.3), ...cap(one), ...cap(other)];
}

const quotedSize = 6;

/** Numbers of a paper: large open diamonds with a white heart, which no curve has. */
function quotedMarks({ values, style }: Series, at: (value: Value) => number, y: Axis, frame: Frame): Shape[] {
  return values.flatMap((value) =>
    value.quoted === undefined
      ? []
      : [quotedMark(at(value), clippedPixel(y, value.quoted, frame.top, frame.bottom).at, style.color)],
  );
}

const quotedMark = (x: number, y: number, outline: Paint): Shape => ({
  ...{ kind: 'marker', marker: 'diamond', x: pixel(x), y: pixel(y), size: quotedSize, fill: 'paper', outline },
});

/** What a legend has of each curve, in front of its name, and how much room that takes. */
const sampleLength = 26;
const sampleRoom = 32;

function curveLegendEntries(series: readonly Series[], hasPredicted: boolean): readonly LegendEntry[] {
  const hasQuoted = series.some(({ values }) => values.some(({ quoted }) => quoted !== undefined));
  const middle = sampleLength / 2;
  return [
    ...series.slice(0, listedCurves).map(({ name, style }) => ({
      name,
      sample: (left: number, y: number) => [
        line([left, y, left + sampleLength, y], style.color, 1.8, style.dash),
        markerOf(style, left + middle, y),
      ],
    })),
    ...(series.length > listedCurves
      ? [{ name: `and ${series.length - listedCurves} more`, color: 'faint' as const }]
      : []),
    ...(hasPredicted
      ? [
          {
            name: 'predicted',
            sample: (left: number, y: number) => [line([left, y, left + sampleLength, y], 'ink', 1.8)],
          },
        ]
      : []),
    ...(hasQuoted
      ? [{ name: 'in the paper', sample: (left: number, y: number) => [quotedMark(left + middle, y, 'ink')] }]
      : []),
  ];
}

const barHeight = 26;
const nameHeight = 18;
/** Of the names beside bars: `grasp(criterion traffic-distribution)` and a little more; longer ones stand above them. */
const longestName = 280;

/** One bar below the other, so that long names have room; the number stands behind its interval. */
function resultBars({ series, unit }: Found, name: string): Drawing {
  const top = headHeight;
  const widest = Math.max(40, largestOf(series.map((one) => textWidth(one.name))));
  const isAbove = widest > longestName;
  const namesOf = series.map((one) => (isAbove ? wrapped(one.name, pageWidth - 2 * pageMargin) : [one.name]));
  const names = isAbove ? 0 : widest;
  // The middles of the bars, below their names where these stand above them.
  let bottom = top + 8;
  const middles = namesOf.map((lines) => {
    bottom += barHeight + (isAbove ? lines.length * nameHeight : 0);
    return bottom - barHeight / 2;
  });
  bottom = Math.max(bottom, top + 3 * barHeight + 8);
  const numbers = Math.max(
    40,
    largestOf(series.map(({ values: [value] }) => textWidth(writtenValue(value), smallSize))),
  );
  const frame: Frame = { left: pageMargin + names + 10, top, right: pageWidth - pageMargin - numbers - 12, bottom };
  const axis = valueAxis(series, name, unit, frame.left, frame.right);
  const shapes = drawAxes(frame, axis, { at: () => 0, ticks: [], title: '' });
  const placed = (value: number): End => clippedPixel(axis, value, frame.left, frame.right, frame.left);
  const start = placed(0).at;
  series.forEach(({ values: [value], style }, position) => {
    const middle = middles[position]!;
    const lines = namesOf[position]!;
    if (isAbove)
      lines.forEach((part, index) =>
        shapes.push(text(part, pageMargin, middle - barHeight / 2 - (lines.length - 1 - index) * nameHeight - 2)),
      );
    else shapes.push(text(lines.join(' '), frame.left - 8, middle + textSize * 0.35, { anchor: 'end' }));
    if (value === undefined) {
      shapes.push(text('no value', frame.left + 8, middle + smallSize * 0.35, { size: smallSize, color: 'faint' }));
      return;
    }
    const { mean, halfWidth, quoted } = value;
    const end = placed(mean).at;
    const box = [Math.min(start, end), middle - 8, Math.abs(end - start), 16];
    shapes.push({ kind: 'boxes', boxes: box, fill: style.color, opacity: 0.75 });
    if (halfWidth > 0) {
      appendAll(
        shapes,
        whisker(placed(mean - halfWidth), placed(mean + halfWidth), 'ink', (along) => [along, middle]),
      );
    }
    if (quoted !== undefined) shapes.push(quotedMark(placed(quoted).at, middle, 'ink'));
    const written = { size: smallSize, color: 'faint' } as const;
    shapes.push(text(writtenValue(value), frame.right + 10, middle + smallSize * 0.35, written));
  });
  return { shapes, bottom: bottom + bottomMargin };
}

const writtenValue = (value: Value | undefined): string =>
  value === undefined
    ? ''
    : `${formatNumber(value.mean)}${value.halfWidth > 0 ? ` ± ${formatNumber(value.halfWidth)}` : ''}`;

/** Notes of quoted ratios that are shown; the others are counted. */
const mostNotes = 8;

/** What no curve can show: ratios of a paper, and points without values. */
function curveNotes({ rows, quoted }: ExperimentJson, metric: string, { axis, keys }: Found): readonly string[] {
  const nameAt = (position: number): string => {
    const row = rows[position];
    const names = (keys.length === 0 ? nameKeys : keys).map((key) => row?.[key] ?? '');
    return names.filter((name) => name !== '').join(', ');
  };
  const at = (row: RowJson | undefined): string =>
    Object.entries(row?.point ?? {})
      .map(([path, value]) => ` at ${path} ${writtenVaried(path, value)}`)
      .join('');
  const ratios = quoted.flatMap((one) => {
    if (one.metric !== metric) return [];
    if (one.over === undefined && axis !== undefined) return [];
    const of = one.over === undefined ? nameAt(one.row) : `${nameAt(one.row)} / ${nameAt(one.over)}`;
    const interval = one.halfWidth === null ? '' : ` ± ${formatNumber(one.halfWidth)}`;
    const ours = one.ours === null ? 'no value' : `${formatNumber(one.ours)}${interval}`;
    const statistic = one.statistic === undefined ? '' : `, ${one.statistic}`;
    return [`${of}${at(rows[one.row])}${statistic}: paper ${formatNumber(one.paper)}, here ${ours}`];
  });
  const failures = rows.flatMap((row, position) =>
    row.failure === undefined ? [] : [`${nameAt(position)}${at(row)} has failed: ${row.failure.message}`],
  );
  const all = [...ratios, ...failures];
  return all.length <= mostNotes ? all : [...all.slice(0, mostNotes), `and ${all.length - mostNotes} more`];
}

/** Sentences below a drawing that ends at `top`. */
export function notesBelow(top: number, notes: readonly string[]): Drawing {
  const shapes: Shape[] = [];
  let y = top;
  for (const note of notes) {
    for (const part of wrapped(note, pageWidth - 2 * pageMargin, smallSize)) {
      y += 17;
      shapes.push(text(part, pageMargin, y, { size: smallSize, color: 'faint' }));
    }
  }
  return { shapes, bottom: y };
}

/** A sentence for each curve: where it begins and ends. */
function curveSentences({ axis, series }: Found): readonly string[] {
  return series.slice(0, listedCurves).map(({ name, values }) => {
    const [first, last] = [values[0], values.at(-1)];
    if (first === undefined || last === undefined) return `${name}: no value.`;
    if (axis === undefined) return `${name}: ${writtenValue(first)}.`;
    const at = (value: Value): string => writtenVaried(axis, value.x);
    if (first === last) return `${name}: ${writtenValue(first)} at ${axis} ${at(first)}.`;
    return `${name}: from ${writtenValue(first)} at ${axis} ${at(first)} to ${writtenValue(last)} at ${at(last)}.`;
  });
}

/** A line for each row, with what is varied in front. */
function curveTable({ rows, quoted }: ExperimentJson, metric: string, unit: string): FigureTable {
  const paths = Object.keys(rows[0]?.point ?? {});
  const keys = nameKeys.filter((key) => rows.some((row) => (row[key] ?? null) !== null));
  const hasQuoted = quoted.some((one) => one.metric === metric && one.over === undefined);
  const hasPredicted = rows.some(({ metrics }) => predictedMetric(metric) in metrics);
  const mean = unit === '' ? metric : `${metric} (${unit})`;
  return {
    head: [
      ...paths,
      ...keys,
      mean,
      'half width',
      'replications',
      ...(hasPredicted ? ['predicted'] : []),
      ...(hasQuoted ? ['paper'] : []),
    ],
    rows: rows.map((row, position): Cell[] => {
      const found = row.metrics[metric];
      const quote = quoted.find(
        (one) => one.metric === metric && one.row === position && one.over === undefined && one.statistic === undefined,
      );
      return [
        ...paths.map((path) => row.point[path] ?? null),
        ...keys.map((key) => row[key] ?? null),
        ...[found?.mean ?? null, found?.halfWidth ?? null, row.replications],
        ...(hasPredicted ? [row.metrics[predictedMetric(metric)]?.mean ?? null] : []),
        ...(hasQuoted ? [quote?.paper ?? null] : []),
      ];
    }),
  };
}
