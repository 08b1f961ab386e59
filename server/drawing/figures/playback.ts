/**
 * The picture of a placement at an interval of its simulation: links in the colour of how busy they were, a disc where packets
 * waited for one, as large as many did; a deadlock as its circle of channels.
 */
import { formatNumber, formatShare } from '../../model/quantities.ts';
import { byteAt, intAt, realAt } from '../../numeric/elements.ts';
import type { Deadlock } from '../../simulation/contract.ts';
import { readableOn } from '../colors.ts';
import { drawScene } from '../drawScene.ts';
import { nodeLabel } from '../labels.ts';
import { stubFlag, type Scene } from '../scene.ts';
import { laneShift, pointOn, typicalNodeSize } from '../strokes.ts';
import {
  headHeight,
  headOf,
  loadPaint,
  pageMargin,
  pageWidth,
  pixel,
  smallSize,
  text,
  wrapped,
  type Cell,
  type Figure,
  type FigureMarks,
  type Paint,
  type Shape,
} from './figure.ts';
import { scaleAt } from './linkUse.ts';
import {
  channelEnds,
  channelName,
  cycleWords,
  endWords,
  predictedBusy,
  queueAt,
  utilisationAt,
  type SimulationFigure,
} from './simulation.ts';

export interface PlaybackRequest extends SimulationFigure {
  /** The busiest one where it is left out. */
  readonly interval?: number;
}

/** Pixels of the picture. */
const pictureWidth = pageWidth - 2 * pageMargin;
const pictureHeight = 520;
/** Half the side of a node is at most this. */
const largestNode = 16;
/** More cables than this are one line each, of the busier direction. */
const laneLimit = 4000;

/** O(nodes + links). */
export function drawPlayback(request: PlaybackRequest): Figure {
  const { report, result, about } = request;
  const interval = intervalOf(request);
  const { interval: length } = result.links;
  const scene = drawScene(report);
  const view = viewOf(scene);
  const lanes = lanesOf(scene, view, report.machine.topology.links.routerLinkCount);
  const bottom = headHeight + view.height + 12;
  const [from, to] = [interval * length, Math.min(result.cycles, (interval + 1) * length)];
  const when = `cycles ${formatNumber(from)} to ${formatNumber(to)}`;
  const title = `${report.name} at ${when}`;
  const words = wordsOf(request, interval);
  const notes = wrapped(words, pageWidth - 2 * pageMargin, smallSize);
  const { table, rowOfChannel } = tableOf(request, interval);
  return {
    title,
    subtitle: about,
    description: `${title}, ${about}. ${words}`,
    width: pageWidth,
    height: Math.ceil(bottom + 44 + notes.length * 16 + pageMargin),
    shapes: [
      ...headOf(title, about),
      ...areas(scene, view),
      ...links(request, interval, lanes),
      ...routers(scene, view),
      ...nodes(scene, view),
      ...queues(request, interval, lanes, view),
      ...(result.deadlock === undefined ? [] : circle(result.deadlock, lanes)),
      ...scaleAt(bottom, pageMargin),
      ...notes.map((note, line) =>
        text(note, pageMargin, bottom + 46 + line * 16, { size: smallSize, color: 'faint' }),
      ),
    ],
    table,
    marks: marksOf(lanes, rowOfChannel),
  };
}

/** The one that is asked for; where none is, the one in which links are busiest. */
export function intervalOf({ result, interval }: PlaybackRequest): number {
  const { intervals, channels, utilisation } = result.links;
  if (interval !== undefined) return Math.min(Math.max(0, Math.floor(interval)), Math.max(0, intervals - 1));
  if (result.deadlock !== undefined) return Math.max(0, intervals - 1);
  let [busiest, most] = [0, -1];
  for (let at = 0; at < intervals; at++) {
    const sum = utilisation.subarray(at * channels, (at + 1) * channels).reduce((total, share) => total + share, 0);
    if (sum > most) [busiest, most] = [at, sum];
  }
  return busiest;
}

interface View {
  readonly x: (world: number) => number;
  readonly y: (world: number) => number;
  readonly unit: number;
  readonly height: number;
}

function viewOf(scene: Scene): View {
  const { left, top, right, bottom } = scene.bounds;
  const [width, height] = [Math.max(right - left, 1e-6), Math.max(bottom - top, 1e-6)];
  const unit = Math.min(largestNode / typicalNodeSize(scene), pictureWidth / width, pictureHeight / height);
  const start = pageMargin + Math.max(0, (pictureWidth - width * unit) / 2);
  return {
    unit,
    height: height * unit,
    x: (world) => pixel(start + (world - left) * unit),
    y: (world) => pixel(headHeight + (world - top) * unit),
  };
}

/** Where a channel is drawn: along these points, in its direction. */
interface Lane {
  readonly channel: number;
  readonly points: readonly number[];
  /** Packets that wait for it are drawn at its first point: the other stub of a cable has none. */
  readonly isStart: boolean;
  /** Where it can be pointed at, x, y, width and height; about its line where it is left out. */
  readonly box?: readonly number[];
}

const bowPieces = 6;

/** `firstDoor`: the number of the channel from node 0 into the network. */
function lanesOf(scene: Scene, { x, y, unit }: View, firstDoor: number): readonly Lane[] {
  const { links } = scene;
  const count = links.from.length;
  const shift = count <= laneLimit ? laneShift(scene) : 0;
  const lanes: Lane[] = [];
  let isSecond = false;
  for (let entry = 0; entry < count; entry++) {
    const [x1, y1] = [floatAt(links.x1, entry), floatAt(links.y1, entry)];
    const [x2, y2] = [floatAt(links.x2, entry), floatAt(links.y2, entry)];
    const away = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [right, down] = [(-(y2 - y1) / away) * shift, ((x2 - x1) / away) * shift];
    const bend = floatAt(links.bend, entry);
    const pieces = bend === 0 ? 1 : bowPieces;
    const along = (sign: number): number[] =>
      Array.from({ length: pieces + 1 }, (_, piece) => {
        const [px, py] = pointOn(x1 + sign * right, y1 + sign * down, x2 + sign * right, y2 + sign * down, bend, piece / pieces); // prettier-ignore
        return [x(px), y(py)];
      }).flat();
    const [forward, backward] = [intAt(links.forwardLink, entry), intAt(links.backwardLink, entry)];
    const isStub = (byteAt(links.flags, entry) & stubFlag) !== 0;
    isSecond = isStub && !isSecond && entry > 0 && links.forwardLink[entry - 1] === forward;
    if (forward >= 0) lanes.push({ channel: forward, points: along(1), isStart: !isSecond });
    if (backward >= 0) lanes.push({ channel: backward, points: reversed(along(-1)), isStart: !isStub || isSecond });
  }
  return [...lanes, ...doorsOf(scene, { x, y, unit }, lanes, firstDoor)];
}

/** The ways from nodes into the network, where they are no lines of the picture: at the upper right corner of the node. */
function doorsOf(
  { nodes }: Scene,
  { x, y, unit }: Pick<View, 'x' | 'y' | 'unit'>,
  lanes: readonly Lane[],
  firstDoor: number,
): readonly Lane[] {
  const drawn = new Set(lanes.map(({ channel }) => channel));
  return Array.from(nodes.id, (node, entry): Lane => {
    const half = floatAt(nodes.size, entry) * unit;
    const [px, py] = [x(floatAt(nodes.x, entry)) + half, y(floatAt(nodes.y, entry)) - half];
    return {
      channel: firstDoor + 2 * node,
      points: [px, py],
      isStart: true,
      box: [px - 2 * half, py, 2 * half, 2 * half],
    };
  }).filter(({ channel }) => !drawn.has(channel));
}

const floatAt = (values: Float32Array, index: number): number => values[index] ?? 0;

function reversed(points: readonly number[]): readonly number[] {
  const back: number[] = [];
  for (let at = points.length - 2; at >= 0; at -= 2) back.push(points[at] ?? 0, points[at + 1] ?? 0);
  return back;
}

const segmentsOf = (points: readonly number[]): readonly number[] => {
  const segments: number[] = [];
  for (let at = 0; at + 3 < points.length; at += 2) segments.push(...points.slice(at, at + 4));
  return segments;
};

/** Idle ones first, so that busy ones lie on top. */
function links({ result }: PlaybackRequest, interval: number, lanes: readonly Lane[]): Shape[] {
  const strokes = new Map<Paint, { readonly share: number; readonly own: number[] }>();
  for (const { channel, points } of lanes) {
    const share = utilisationAt(result, interval, channel);
    const paint: Paint = share === 0 ? 'grid' : loadPaint(share);
    const { own }: { own: number[] } = strokes.get(paint) ?? { own: [] };
    strokes.set(paint, { share, own });
    own.push(...segmentsOf(points));
  }
  return [...strokes]
    .sort(([, one], [, other]) => one.share - other.share)
    .map(([color, { share, own }]) => ({
      kind: 'strokes',
      strokes: own,
      color,
      width: share === 0 ? 1.2 : 2 + 1.6 * share,
    }));
}

function areas(scene: Scene, { x, y, unit }: View): Shape[] {
  return scene.areas.flatMap(({ left, top, right, bottom, label }): Shape[] => [
    { kind: 'boxes', boxes: [x(left), y(top), pixel((right - left) * unit), pixel((bottom - top) * unit)], fill: 'grid', opacity: 0.35 }, // prettier-ignore
    ...(label === '' ? [] : [text(label, x(left) + 4, y(top) + 12, { size: 10, color: 'faint' })]),
  ]);
}

function routers({ routers: { x: xs, y: ys, size, framed } }: Scene, { x, y, unit }: View): Shape[] {
  const frames: number[] = [];
  const discs: Shape[] = [];
  xs.forEach((at, entry) => {
    const [half, px, py] = [floatAt(size, entry) * unit, x(at), y(floatAt(ys, entry))];
    if (framed[entry] === 1) frames.push(pixel(px - half), pixel(py - half), pixel(2 * half), pixel(2 * half));
    else
      discs.push({
        kind: 'marker',
        marker: 'circle',
        x: px,
        y: py,
        size: pixel(half),
        fill: 'paper',
        outline: 'faint',
      });
  });
  return [
    ...(frames.length === 0 ? [] : [{ kind: 'boxes', boxes: frames, fill: 'paper', outline: 'faint' } as const]),
    ...discs,
  ];
}

function nodes(scene: Scene, { x, y, unit }: View): Shape[] {
  const boxes = new Map<Paint, number[]>();
  const labels: Shape[] = [];
  const { nodes: own, jobs } = scene;
  own.id.forEach((_, entry) => {
    const half = floatAt(own.size, entry) * unit;
    const [px, py] = [x(floatAt(own.x, entry)), y(floatAt(own.y, entry))];
    const color = (jobs[own.job[entry] ?? -1]?.color ?? 'paper') as Paint;
    const list = boxes.get(color) ?? [];
    boxes.set(color, list);
    list.push(pixel(px - half), pixel(py - half), pixel(2 * half), pixel(2 * half));
    const label = nodeLabel(own, entry);
    const size = Math.min(half * 0.8, (half * 3) / Math.max(1, label.length));
    if (size < 6 || color === 'paper') return;
    labels.push(text(label, px, py + size * 0.35, { size: pixel(size), anchor: 'middle', color: readableOn(color) as Paint })); // prettier-ignore
  });
  return [
    ...[...boxes].map(([fill, list]): Shape => ({ kind: 'boxes', boxes: list, fill, outline: 'faint' })),
    ...labels,
  ];
}

/** A disc at the beginning of a channel for which packets waited: its area grows with their number. */
function queues({ result }: PlaybackRequest, interval: number, lanes: readonly Lane[], { unit }: View): Shape[] {
  const largest = Math.max(3, 0.3 * unit);
  return lanes.flatMap(({ channel, points, isStart }): Shape[] => {
    const waiting = queueAt(result, interval, channel);
    if (waiting === 0 || !isStart) return [];
    const [x1 = 0, y1 = 0, x2 = x1, y2 = y1] = points;
    const size = Math.min(largest, 1.5 + Math.sqrt(waiting) * 1.6);
    return [{ kind: 'marker', marker: 'circle', x: pixel(x1 + (x2 - x1) * 0.3), y: pixel(y1 + (y2 - y1) * 0.3), size: pixel(size), fill: 'ink', outline: 'paper' }]; // prettier-ignore
  });
}

/** The channels that packets of a circle hold, and wait for, as one thick line through the picture. */
function circle({ waits }: Deadlock, lanes: readonly Lane[]): Shape[] {
  const held = new Set(waits.flatMap(({ holds, wants }) => [...holds, wants]));
  const strokes = lanes.flatMap(({ channel, points }) => (held.has(channel) ? segmentsOf(points) : []));
  return [{ kind: 'strokes', strokes, color: '#e5007d', width: 4, dash: [8, 4] }];
}

/** Around the middle of each lane. */
function marksOf(lanes: readonly Lane[], rowOfChannel: ReadonlyMap<number, number>): FigureMarks {
  const marked = lanes.flatMap(({ channel, points, box }) => {
    const row = rowOfChannel.get(channel);
    if (row === undefined) return [];
    if (box !== undefined) return [{ row, box: box.map(pixel) }];
    const [xs, ys] = [points.filter((_, at) => at % 2 === 0), points.filter((_, at) => at % 2 === 1)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    // A slanting line is not all of its rectangle: its middle half is.
    const [dx, dy] = right - left > 4 && bottom - top > 4 ? [(right - left) / 4, (bottom - top) / 4] : [0, 0];
    return [{ row, box: [left + dx, top + dy, right - left - 2 * dx, bottom - top - 2 * dy].map(pixel) }];
  });
  return { boxes: marked.flatMap(({ box }) => box), rows: marked.map(({ row }) => row) };
}

/** A line for each channel that the run uses, or its load would; `channel` is its number. */
function tableOf(request: PlaybackRequest, interval: number) {
  const { report, result } = request;
  const { channels, busy } = result.links;
  const rowOfChannel = new Map<number, number>();
  const rows: Cell[][] = [];
  for (let channel = 0; channel < channels; channel++) {
    const predicted = predictedBusy(request, channel);
    if (realAt(busy, channel) === 0 && (predicted ?? 0) === 0) continue;
    rowOfChannel.set(channel, rows.length);
    const share = predicted === undefined ? null : predicted / Math.max(1, result.cycles);
    rows.push([...channelEnds(report.machine, channel), utilisationAt(result, interval, channel), queueAt(result, interval, channel), share, channel]); // prettier-ignore
  }
  const head = ['from', 'to', 'busy', 'waiting', 'busy in all, by link loads', 'channel'];
  return { rowOfChannel, table: { head, rows, units: ['', '', 'of the time', 'packets', 'of the time', ''] } };
}

function wordsOf(request: PlaybackRequest, interval: number): string {
  const { report, result } = request;
  const { channels } = result.links;
  let [busiest, most, waiting, longest, queued] = [0, 0, 0, 0, 0];
  for (let channel = 0; channel < channels; channel++) {
    const [share, queue] = [utilisationAt(result, interval, channel), queueAt(result, interval, channel)];
    if (share > most) [busiest, most] = [channel, share];
    if (queue > longest) [queued, longest] = [channel, queue];
    waiting += queue;
  }
  const busy = most === 0 ? 'No link is busy.' : `The busiest link is ${channelName(report.machine, busiest)}, ${formatShare(most)} of the time.`; // prettier-ignore
  const queue = longest === 0 ? '' : ` Discs: ${formatNumber(waiting)} packets wait, most of them (${formatNumber(longest)}) for ${channelName(report.machine, queued)}.`; // prettier-ignore
  const predicted = predictedBusy(request, busiest);
  const static_ = predicted === undefined || most === 0 ? '' : ` Its load alone would keep it busy ${formatShare(predicted / Math.max(1, result.cycles))} of all the time.`; // prettier-ignore
  return `${busy}${static_}${queue} An interval is ${cycleWords(result, result.links.interval)}. ${endWords(request)}${circleWords(request)}`;
}

/** Packets of a circle that are told of. */
const toldWaits = 6;

function circleWords({ report, result: { deadlock } }: PlaybackRequest): string {
  if (deadlock === undefined) return '';
  const told = deadlock.waits.slice(0, toldWaits).map(({ packet, wants }) => `packet ${packet} waits for ${channelName(report.machine, wants)}`); // prettier-ignore
  const more = deadlock.waits.length > toldWaits ? `, and ${deadlock.waits.length - toldWaits} more` : '';
  return ` Dashed: the circle, ${told.join(', ')}${more}, each for a channel that the next one holds.`;
}
