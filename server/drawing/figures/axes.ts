/** Axes of diagrams: where a value stands, where the ticks are and what they say. */
import { largestOf } from '../../model/lists.ts';
import { scaleLinear, scaleLog } from 'd3-scale';
import { binaryUnits } from '../../model/quantities.ts';
import { headHeight, line, pageMargin, pixel, smallSize, text, textWidth, type Shape } from './figure.ts';

/** The rectangle that curves are drawn in. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Axis {
  /** The pixel of a value. */
  readonly at: (value: number) => number;
  readonly ticks: readonly Tick[];
  /** What is measured, with the unit and the power of ten that the labels leave out. */
  readonly title: string;
}

export interface Tick {
  readonly at: number;
  readonly label: string;
}

export interface AxisRequest {
  readonly name: string;
  /** '' for none. */
  readonly unit: string;
  readonly low: number;
  readonly high: number;
  /** The pixels of both ends. */
  readonly from: number;
  readonly to: number;
  /** A tick needs about so many pixels. */
  readonly spacing: number;
  /** Whether the ends move out to ticks; else they stay where they are. */
  readonly nice?: boolean;
  readonly logarithmic?: boolean;
}

/** An axis with round numbers at its ticks, one, two or five times a power of ten apart. */
export function makeAxis(request: AxisRequest): Axis {
  const binary = /^bytes(?=$| )/.test(request.unit) ? binaryUnit(Math.max(request.low, request.high)) : undefined;
  if (binary !== undefined) return inBinaryUnit(request, binary);
  const { from, to, spacing, nice = true, logarithmic = false, low } = request;
  // A single value has room about it.
  const high = request.high > low ? request.high : low + (low === 0 ? 1 : Math.abs(low) / 10);
  const wanted = Math.max(2, Math.floor(Math.abs(to - from) / spacing));
  if (logarithmic) return logarithmicAxis(request, high, wanted);
  const scale = scaleLinear().domain([low, high]).range([from, to]);
  if (nice) scale.nice(wanted);
  const values = scale.ticks(wanted);
  const { labels, power } = labelsOf(values);
  return {
    at: (value) => scale(value),
    ticks: values.map((value, tick) => ({ at: pixel(scale(value)), label: labels[tick] ?? '' })),
    title: axisTitle(request.name, request.unit, power),
  };
}

interface BinaryUnit {
  readonly name: string;
  readonly size: number;
}

/** The unit in which text says so many bytes; undefined for bytes themselves. */
function binaryUnit(bytes: number): BinaryUnit | undefined {
  const power = Math.min(binaryUnits.length - 1, Math.floor(Math.log2(bytes) / 10));
  const name = power >= 1 ? binaryUnits[power] : undefined;
  return name === undefined ? undefined : { name, size: 1024 ** power };
}

/** Powers of ten of bytes would be other numbers than those of the text. */
function inBinaryUnit(request: AxisRequest, { name, size }: BinaryUnit): Axis {
  const { low, high, unit } = request;
  const axis = makeAxis({ ...request, unit: unit.replace('bytes', name), low: low / size, high: high / size });
  return { ...axis, at: (value) => axis.at(value / size) };
}

/**
 * An axis of `count` things that are numbered from 0, each of which has the same room: `at` is the middle of its room, and so is its tick.
 */
export function numberedAxis(request: Pick<AxisRequest, 'name' | 'from' | 'to' | 'spacing'>, count: number): Axis {
  const { from, to } = request;
  const room = (to - from) / Math.max(1, count);
  const middle = (number: number): number => from + (number + 0.5) * room;
  const last = Math.max(1, count - 1);
  const scale = scaleLinear()
    .domain([0, last])
    .range([middle(0), middle(last)]);
  const wanted = Math.max(1, Math.floor(Math.abs(to - from) / request.spacing));
  const numbers = scale.ticks(wanted).filter((number) => Number.isInteger(number) && number < count);
  const ticks = numbers.map((number) => ({ at: pixel(middle(number)), label: groupedDigits(String(number)) }));
  return { at: middle, ticks, title: request.name };
}

/** A plot among others over the same time. */
interface Track {
  readonly name: string;
  readonly unit: string;
  readonly high: number;
}

const trackHeight = 150;
const trackGap = 26;

/** Plots over the same time below the head of a page, one under the other: the height of each, and the frame up to `right`. */
export function stackedTracks(
  tracks: readonly Track[],
  right: number,
): readonly { readonly axis: Axis; readonly frame: Frame }[] {
  const topOf = (position: number): number => headHeight + position * (trackHeight + trackGap);
  const axes = tracks.map((track, position) =>
    makeAxis({ ...track, low: 0, from: topOf(position) + trackHeight, to: topOf(position), spacing: 34 }),
  );
  const left = pageMargin + largestOf(axes.map(leftMarginOf));
  return axes.map((axis, position) => ({
    axis,
    frame: { left, top: topOf(position), right, bottom: topOf(position) + trackHeight },
  }));
}

/** Of the last of them. */
export const bottomOf = (stacked: readonly { readonly frame: Frame }[]): number => stacked.at(-1)?.frame.bottom ?? 0;

/** Ticks at powers of ten; where there are few of these, also at two and five times them. */
function logarithmicAxis({ name, unit, low, from, to }: AxisRequest, high: number, wanted: number): Axis {
  const scale = scaleLog().domain([low, high]).range([from, to]).nice();
  const [first = low, last = high] = scale.domain();
  const values: number[] = [];
  const decades = Math.round(Math.log10(last / first));
  const every = Math.max(1, Math.ceil(decades / wanted));
  for (let decade = 0; decade <= decades; decade += every) {
    const power = Math.round(Math.log10(first)) + decade;
    for (const factor of decades * 3 <= wanted ? [1, 2, 5] : [1]) values.push(Number(`${factor}e${power}`));
  }
  const inside = values.filter((value) => value <= last * 1.0000001);
  const asPower = last > 1.1e5 || first < 0.9e-3;
  return {
    at: (value) => scale(value),
    ticks: inside.map((value) => ({
      at: pixel(scale(value)),
      label: asPower ? powerOf(value) : groupedDigits(String(value)),
    })),
    title: `${axisTitle(name, unit, 0)}, logarithmic`,
  };
}

/** `10²`, `2·10⁶`: of one, two or five times a power of ten. */
function powerOf(value: number): string {
  const power = Math.floor(Math.log10(value) + 1e-9);
  const factor = Math.round(value / 10 ** power);
  return `${factor === 1 ? '' : `${factor}·`}10${superscript(power)}`;
}

/** Thousands apart, and a minus as wide as a digit. */
const groupedDigits = (written: string): string => {
  const [whole = '', fraction] = written.split('.');
  const grouped = whole.replace('-', '−').replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
};

/** Labels with as many decimals as the step needs, and the power of ten that they leave out to be short. */
function labelsOf(values: readonly number[]): { readonly labels: readonly string[]; readonly power: number } {
  const largest = largestOf(values.map(Math.abs));
  const magnitude = largest === 0 ? 0 : Math.floor(Math.log10(largest) + 1e-9);
  const power = largest > 1e5 ? 3 * Math.floor(magnitude / 3) : magnitude <= -3 ? magnitude : 0;
  const [first = 0, second = 1] = values;
  const step = Math.abs(second - first);
  const decimals = Math.min(12, Math.max(0, power - Math.floor(Math.log10(step) + 1e-9)));
  return { labels: values.map((value) => groupedDigits((value / 10 ** power).toFixed(decimals))), power };
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const superscript = (power: number): string =>
  String(power)
    .replace('-', '⁻')
    .replace(/\d/g, (digit) => superscripts[Number(digit)] ?? '');

/** `Turnaround (10³ cycles)`, `arrivals.rate (10⁻⁴)`, `Utilisation`. */
export function axisTitle(name: string, unit: string, power: number): string {
  const parts = [power === 0 ? '' : `10${superscript(power)}`, unit].filter((part) => part !== '');
  return parts.length === 0 ? name : `${name} (${parts.join(' ')})`;
}

/** How much room the labels and the title of a y axis need left of the frame. */
export const leftMarginOf = ({ ticks }: Pick<Axis, 'ticks'>): number =>
  Math.max(0, largestOf(ticks.map(({ label }) => textWidth(label, smallSize)))) + 40;

/** Grid lines behind what is drawn, the frame, ticks with their labels, and titles. */
export function drawAxes(frame: Frame, x: Axis, y: Axis, leaveOut?: 'x labels'): Shape[] {
  const { left, top, right, bottom } = frame;
  const shapes: Shape[] = [];
  for (const { at } of y.ticks) shapes.push(line([left, at, right, at], 'grid', 1));
  for (const { at } of x.ticks) shapes.push(line([at, top, at, bottom], 'grid', 1));
  shapes.push(line([left, top, left, bottom, right, bottom], 'ink', 1));
  for (const { at, label } of y.ticks) {
    shapes.push(line([left - 5, at, left, at], 'ink', 1));
    shapes.push(text(label, left - 8, at + smallSize * 0.35, { size: smallSize, anchor: 'end' }));
  }
  const middle = (top + bottom) / 2;
  const titleX = left - leftMarginOf(y) + 14;
  if (y.title !== '') shapes.push(text(y.title, titleX, middle, { anchor: 'middle', turned: true }));
  return [...shapes, ...tickLines(x, bottom), ...(leaveOut === 'x labels' ? [] : labelsBelow(x, frame))];
}

/** An axis alone, below rows that have no y axis. */
export function axisBelow(x: Axis, ends: Omit<Frame, 'top'>): Shape[] {
  const { left, right, bottom } = ends;
  return [line([left, bottom, right, bottom], 'ink', 1), ...tickLines(x, bottom), ...labelsBelow(x, ends)];
}

const tickLines = ({ ticks }: Axis, bottom: number): Shape[] =>
  ticks.map(({ at }) => line([at, bottom, at, bottom + 5], 'ink', 1));

/** Labels of ticks as far as they stay apart, and the title. */
const labelsBelow = (x: Axis, { left, right, bottom }: Omit<Frame, 'top'>): Shape[] => [
  ...thinnedTicks(x.ticks).map(({ at, label }) => text(label, at, bottom + 19, { size: smallSize, anchor: 'middle' })),
  text(x.title, (left + right) / 2, bottom + 40, { anchor: 'middle' }),
];

/** What a drawn x axis needs below the frame. */
export const bottomMargin = 52;

/** Every tick, every second, …: so that labels beside each other stay apart. */
function thinnedTicks(ticks: readonly Tick[]): readonly Tick[] {
  for (let every = 1; ; every++) {
    const shown = ticks.filter((_, index) => index % every === 0);
    const areApart = shown.every(({ at, label }, index) => {
      const next = shown[index + 1];
      return (
        next === undefined || next.at - at >= (textWidth(label, smallSize) + textWidth(next.label, smallSize)) / 2 + 8
      );
    });
    if (areApart) return shown;
  }
}

const secondUnits = [
  ['days', 86_400],
  ['hours', 3600],
  ['minutes', 60],
] as const;

/** Times of a run: cycles as they are, seconds in the largest unit that the span has several of. */
export function timeUnitOf(unit: 'cycles' | 'seconds', span: number): { readonly name: string; readonly size: number } {
  if (unit === 'cycles') return { name: 'cycles', size: 1 };
  const [name, size] = secondUnits.find(([, seconds]) => span >= 3 * seconds) ?? ['seconds', 1];
  return { name, size };
}
