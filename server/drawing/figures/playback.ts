/**
 * The picture of a placement at an interval of its simulation: links in the colour of how busy they were, a disc where packets
 * waited for one, as large as many did; a deadlock as its circle of channels.
 */
import { formatNumber, formatShare } from '../../model/quantities.ts';
import { channelEnds, channelName } from '../../network/names.ts';
import { circleWords, cycleWords, spanWords, resultUnits } from '../../performance/simulationWords.ts';
import { byteAt, intAt, realAt } from '../../numeric/elements.ts';
import { readableOn } from '../colors.ts';
import { drawScene } from '../drawScene.ts';
import { nodeLabel } from '../labels.ts';
import { stubFlag, type Scene } from '../scene.ts';
import { laneShift, pointOn, typicalNodeSize } from '../strokes.ts';
import { headHeight, pageMargin, pageWidth, pixel, text, type Figure, type Paint, type Shape } from './figure.ts';
import { jobsInRow } from './legend.ts';
import { Playback, type Lanes, type PlaybackFrame, type PlaybackScene, type UsedChannels } from './playbackFigure.ts';
import { endOfFigure, meanQueueAt, utilisationAt, type SimulationFigure } from './simulation.ts';

export interface PlaybackRequest extends SimulationFigure {
  /** The busiest one where it is left out. */
  readonly interval?: number;
}

/** Pixels of the picture. */
const pictureWidth = pageWidth - 2 * pageMargin;
const pictureHeight = 520;
/** Half the side of a node is at most this. */
const largestNode = 30;
const largestLabel = 16;
/** Where the names of jobs begin, beside the scale of colours. */
const jobsLeft = 280;
/** More cables than this are one line each, of the busier direction. */
const laneLimit = 4000;

/** O(nodes + links). */
export const drawPlayback = (request: PlaybackRequest): Figure =>
  new Playback(playbackScene(request, '')).figure(playbackFrame(request));

/** What stays the same from interval to interval; `key` tells it from others. O(nodes + links). */
export function playbackScene(request: SimulationFigure, key: string): PlaybackScene {
  const { report, result, about } = request;
  const scene = drawScene(report);
  const view = viewOf(scene);
  const waits = result.deadlock?.waits ?? [];
  return {
    ...{ key, name: report.name, about, height: view.height, unit: view.unit },
    areas: areas(scene, view),
    nodes: [
      ...routers(scene, view),
      ...nodes(scene, view),
      ...jobsInRow(
        report.jobs.map(({ job }) => job.name),
        jobsLeft,
        headHeight + view.height + 17,
      ),
    ],
    lanes: packed(playbackLanes(scene, view, report.machine.topology.links.routerLinkCount)),
    circle: [...new Set(waits.flatMap(({ holds, wants }) => [...holds, wants]))],
    used: playbackChannels(request),
  };
}

/** What an interval adds. O(links). */
export function playbackFrame(request: PlaybackRequest): PlaybackFrame {
  const { links, cycles } = request.result;
  const interval = shownInterval(request);
  const [from, to] = [interval * links.interval, Math.min(cycles, (interval + 1) * links.interval)];
  const [start, end] = [interval * links.channels, (interval + 1) * links.channels];
  return {
    interval,
    when: spanWords(request.result, from, to),
    words: playbackWords(request, interval),
    busy: links.utilisation.slice(start, end),
    queues: links.queues.slice(start, end),
  };
}

/** The one that is asked for; where none is, the one in which links are busiest. */
export function shownInterval({ result, interval }: PlaybackRequest): number {
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
  /** Half the side of the node out of which it leads; 0 of lines of the picture. */
  readonly half: number;
}

const bowPieces = 6;

/** `firstDoor`: the number of the channel from node 0 into the network. */
function playbackLanes(scene: Scene, { x, y, unit }: View, firstDoor: number): readonly Lane[] {
  const { links } = scene;
  const count = links.from.length;
  const lanes: Lane[] = [];
  let isSecond = false;
  for (let entry = 0; entry < count; entry++) {
    const [x1, y1] = [floatAt(links.x1, entry), floatAt(links.y1, entry)];
    const [x2, y2] = [floatAt(links.x2, entry), floatAt(links.y2, entry)];
    const away = Math.hypot(x2 - x1, y2 - y1) || 1;
    const shift = count <= laneLimit ? laneShift(scene, entry) : 0;
    const [right, down] = [(-(y2 - y1) / away) * shift, ((x2 - x1) / away) * shift];
    const bend = floatAt(links.bend, entry);
    const pieces = bend === 0 ? 1 : bowPieces;
    const along = (sign: number): number[] =>
      Array.from({ length: pieces + 1 }, (_, piece) => {
        const [px, py] = pointOn(
          x1 + sign * right,
          y1 + sign * down,
          x2 + sign * right,
          y2 + sign * down,
          bend,
          piece / pieces,
        );
        return [x(px), y(py)];
      }).flat();
    const [forward, backward] = [intAt(links.forwardLink, entry), intAt(links.backwardLink, entry)];
    const isStub = (byteAt(links.flags, entry) & stubFlag) !== 0;
    isSecond = isStub && !isSecond && entry > 0 && links.forwardLink[entry - 1] === forward;
    if (forward >= 0) lanes.push({ channel: forward, points: along(1), isStart: !isSecond, half: 0 });
    if (backward >= 0)
      lanes.push({ channel: backward, points: reversedPoints(along(-1)), isStart: !isStub || isSecond, half: 0 });
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
      half,
    };
  }).filter(({ channel }) => !drawn.has(channel));
}

const floatAt = (values: Float32Array, index: number): number => values[index] ?? 0;

function reversedPoints(points: readonly number[]): readonly number[] {
  const back: number[] = [];
  for (let at = points.length - 2; at >= 0; at -= 2) back.push(points[at] ?? 0, points[at + 1] ?? 0);
  return back;
}

function packed(lanes: readonly Lane[]): Lanes {
  const offsets = new Int32Array(lanes.length + 1);
  lanes.forEach(({ points }, lane) => {
    offsets[lane + 1] = intAt(offsets, lane) + points.length / 2;
  });
  return {
    channel: Int32Array.from(lanes, ({ channel }) => channel),
    isStart: Uint8Array.from(lanes, ({ isStart }) => Number(isStart)),
    offsets,
    points: Float32Array.from(lanes.flatMap(({ points }) => points)),
    half: Float32Array.from(lanes, ({ half }) => half),
  };
}

function areas(scene: Scene, { x, y, unit }: View): Shape[] {
  return scene.areas.flatMap(({ left, top, right, bottom, label }): Shape[] => [
    {
      kind: 'boxes',
      boxes: [x(left), y(top), pixel((right - left) * unit), pixel((bottom - top) * unit)],
      fill: 'grid',
      opacity: 0.35,
    },
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
    const size = Math.min(largestLabel, half * 0.8, (half * 3) / Math.max(1, label.length));
    if (size < 6 || color === 'paper') return;
    labels.push(
      text(label, px, py + size * 0.35, { size: pixel(size), anchor: 'middle', color: readableOn(color) as Paint }),
    );
  });
  return [
    ...[...boxes].map(([fill, list]): Shape => ({ kind: 'boxes', boxes: list, fill, outline: 'faint' })),
    ...labels,
  ];
}

function playbackChannels(request: SimulationFigure): UsedChannels {
  const { report, result } = request;
  const { channels, busy } = result.links;
  const used: number[] = [];
  const shares: number[] = [];
  for (let channel = 0; channel < channels; channel++) {
    const predicted = request.predictedBusy?.[channel];
    if (realAt(busy, channel) === 0 && (predicted ?? 0) === 0) continue;
    used.push(channel);
    shares.push(predicted === undefined ? Number.NaN : predicted / Math.max(1, result.cycles));
  }
  const ends = used.flatMap((channel) => channelEnds(report.machine, channel));
  const waiting = `${resultUnits(result).packet}s` as const;
  return { channel: Int32Array.from(used), ends, predicted: Float64Array.from(shares), waiting };
}

function playbackWords(request: PlaybackRequest, interval: number): string {
  const { report, result } = request;
  const { channels } = result.links;
  let [busiest, most, waiting, longest, queued] = [0, 0, 0, 0, 0];
  for (let channel = 0; channel < channels; channel++) {
    const [share, queue] = [utilisationAt(result, interval, channel), meanQueueAt(result, interval, channel)];
    if (share > most) [busiest, most] = [channel, share];
    if (queue > longest) [queued, longest] = [channel, queue];
    waiting += queue;
  }
  const busy =
    most === 0
      ? 'All links are idle.'
      : `Bottleneck link: ${channelName(report.machine, busiest)}, ${formatShare(most)} of the interval.`;
  const queue =
    longest === 0
      ? ''
      : ` Discs: queued ${resultUnits(result).packet}s (${formatNumber(waiting)} in total; longest queue ${formatNumber(longest)}, at ${channelName(report.machine, queued)}).`;
  const predicted = request.predictedBusy?.[busiest];
  const static_ =
    predicted === undefined || most === 0
      ? ''
      : ` Static prediction: ${formatShare(predicted / Math.max(1, result.cycles))} utilisation.`;
  return `${busy}${static_}${queue} Interval: ${cycleWords(result, result.links.interval)}. ${endOfFigure(request)}${dashedWords(request)}`;
}

/** Packets of a circle that are told of. */
const toldWaits = 6;

function dashedWords({ report, result: { deadlock } }: PlaybackRequest): string {
  return deadlock === undefined ? '' : ` Dashed: cyclic dependency, ${circleWords(report, deadlock.waits, toldWaits)}.`;
}
