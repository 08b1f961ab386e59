/**
 * A playback in two parts: what stays the same from interval to interval, and what an interval adds. A panel has the first once and
 * is sent the second alone, a few bytes a channel, so that time can be gone through on machines of ten thousand nodes.
 * It needs nothing of the machine: whoever has both parts draws the figure.
 */
import { appendAll } from '../../model/lists.ts';
import { byteAt, intAt, itemAt, realAt } from '../../numeric/elements.ts';
import {
  headHeight,
  figureHead,
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
  type FigureTable,
  type Paint,
  type Shape,
} from './figure.ts';
import { scaleAt } from './linkUse.ts';

/** What stays the same. */
export interface PlaybackScene {
  /** Of no other scene. */
  readonly key: string;
  readonly name: string;
  readonly about: string;
  /** Height of the picture, and pixels of a unit of it. */
  readonly height: number;
  readonly unit: number;
  /** Behind the links, and before them. */
  readonly areas: readonly Shape[];
  readonly nodes: readonly Shape[];
  readonly lanes: Lanes;
  /** Channels of the circle of a deadlock. */
  readonly circle: readonly number[];
  readonly used: UsedChannels;
}

/** Where channels are drawn, one after the other: along points, in their direction. */
export interface Lanes {
  readonly channel: Int32Array;
  /** 1 where packets that wait for the channel are drawn at the first point: the other stub of a cable has none. */
  readonly isStart: Uint8Array;
  /** Where the points of each lane begin, counted in points, and one behind the last. */
  readonly offsets: Int32Array;
  readonly points: Float32Array;
  /** Half the side of the node out of which the lane leads, whose picture is pointed at in its place; 0 of lines. */
  readonly half: Float32Array;
}

/** Channels that the run uses, or its load would: the lines of the table. */
export interface UsedChannels {
  readonly channel: Int32Array;
  /** Both ends of each in words. */
  readonly ends: readonly string[];
  /** Share of the run that its load alone keeps it busy; NaN where loads predict no time. */
  readonly predicted: Float64Array;
  /** What waits for them. */
  readonly waiting: 'packets' | 'messages';
}

/** What an interval adds. */
export interface PlaybackFrame {
  readonly interval: number;
  /** `cycles 0 to 64`. */
  readonly when: string;
  readonly words: string;
  /** Of each channel: 255 where it is busy all of the time; packets that wait for it, in eighths. */
  readonly busy: Uint8Array;
  readonly queues: Uint8Array;
}

/** What a panel is sent: an interval, and the scene unless it has it. */
export interface PlaybackParts {
  readonly scene?: PlaybackScene;
  readonly frame: PlaybackFrame;
}

/** Pixels of a unit where lines are as wide as those of other figures. */
const usualUnit = 30;

/** Draws the intervals of one scene. */
export class Playback {
  readonly scene: PlaybackScene;
  #marks: FigureMarks | undefined;

  constructor(scene: PlaybackScene) {
    this.scene = scene;
  }

  /** O(nodes + links); the table and the marks when they are looked at. */
  figure(frame: PlaybackFrame): Figure {
    const { scene } = this;
    const { name, about, height, areas, nodes } = scene;
    const bottom = headHeight + height + 12;
    const title = `${name} at ${frame.when}`;
    const notes = wrapped(frame.words, pageWidth - 2 * pageMargin, smallSize);
    const marks = (): FigureMarks => (this.#marks ??= playbackMarks(scene));
    let table: FigureTable | undefined;
    return {
      title,
      subtitle: about,
      description: `${title}, ${about}. ${frame.words}`,
      width: pageWidth,
      height: Math.ceil(bottom + 44 + notes.length * 16 + pageMargin),
      shapes: [
        ...figureHead(title, about),
        ...areas,
        ...links(scene, frame),
        ...circle(scene),
        ...nodes,
        ...queues(scene, frame),
        ...scaleAt(bottom, pageMargin),
        ...notes.map((note, line) =>
          text(note, pageMargin, bottom + 46 + line * 16, { size: smallSize, color: 'faint' }),
        ),
      ],
      get table() {
        return (table ??= playbackTable(scene.used, frame));
      },
      get marks() {
        return marks();
      },
    };
  }
}

/** Its segments: x1, y1, x2 and y2 of each, added to `segments`. */
function addSegments({ offsets, points }: Lanes, lane: number, segments: number[]): void {
  for (let point = intAt(offsets, lane), last = intAt(offsets, lane + 1) - 1; point < last; point++) {
    for (let at = 2 * point; at < 2 * point + 4; at++) segments.push(pointAt(points, at));
  }
}

/** To two decimals, as pixels are. */
const pointAt = (points: Float32Array, at: number): number => pixel(points[at] ?? 0);

/** Idle ones first, so that busy ones lie on top; those of a colour are as wide as the busiest of them, wider where nodes are large. */
function links({ lanes, unit }: PlaybackScene, { busy }: PlaybackFrame): Shape[] {
  const wider = Math.max(1, unit / usualUnit);
  const groups = new Map<Paint, { share: number; readonly strokes: number[] }>();
  const paints = Array.from({ length: 256 }, (_, byte): Paint => (byte === 0 ? 'grid' : loadPaint(byte / 255)));
  lanes.channel.forEach((channel, lane) => {
    const byte = byteAt(busy, channel);
    const paint = itemAt(paints, byte);
    let group = groups.get(paint);
    if (group === undefined) groups.set(paint, (group = { share: 0, strokes: [] }));
    group.share = Math.max(group.share, byte / 255);
    addSegments(lanes, lane, group.strokes);
  });
  return [...groups]
    .sort(([, one], [, other]) => one.share - other.share)
    .map(([color, { share, strokes }]) => ({
      kind: 'strokes',
      strokes,
      color,
      width: pixel(wider * (share === 0 ? 1.2 : 2 + 1.6 * share)),
    }));
}

/** A disc at the beginning of a channel for which packets waited: its area grows with their number. */
function queues({ lanes, unit }: PlaybackScene, frame: PlaybackFrame): Shape[] {
  const largest = Math.max(3, 0.3 * unit);
  const discs: Shape[] = [];
  lanes.channel.forEach((channel, lane) => {
    const waiting = byteAt(frame.queues, channel) / 8;
    if (waiting === 0 || byteAt(lanes.isStart, lane) === 0) return;
    const [first, isPoint] = [
      2 * intAt(lanes.offsets, lane),
      intAt(lanes.offsets, lane + 1) - intAt(lanes.offsets, lane) === 1,
    ];
    const [x1, y1] = [pointAt(lanes.points, first), pointAt(lanes.points, first + 1)];
    const [x2, y2] = isPoint ? [x1, y1] : [pointAt(lanes.points, first + 2), pointAt(lanes.points, first + 3)];
    const size = Math.min(largest, Math.max(1, unit / usualUnit) * (1.5 + Math.sqrt(waiting) * 1.6));
    discs.push({
      kind: 'marker',
      marker: 'circle',
      x: pixel(x1 + (x2 - x1) * 0.3),
      y: pixel(y1 + (y2 - y1) * 0.3),
      size: pixel(size),
      fill: 'ink',
      outline: 'paper',
    });
  });
  return discs;
}

/** The channels that packets of a circle hold, and wait for, as one thick line through the picture. */
function circle({ circle: channels, lanes }: PlaybackScene): Shape[] {
  if (channels.length === 0) return [];
  const held = new Set(channels);
  const strokes: number[] = [];
  lanes.channel.forEach((channel, lane) => {
    if (held.has(channel)) addSegments(lanes, lane, strokes);
  });
  return [{ kind: 'strokes', strokes, color: '#e5007d', width: 4, dash: [8, 4] }];
}

/** Around the middle of each lane, or the node that it leads out of. */
function playbackMarks({ lanes, used }: PlaybackScene): FigureMarks {
  const rowOfChannel = new Map(Array.from(used.channel, (channel, row) => [channel, row]));
  const { offsets, points } = lanes;
  const boxes: number[] = [];
  const rows: number[] = [];
  lanes.channel.forEach((channel, lane) => {
    const row = rowOfChannel.get(channel);
    if (row === undefined) return;
    rows.push(row);
    const [first, end] = [intAt(offsets, lane), intAt(offsets, lane + 1)];
    const half = lanes.half[lane] ?? 0;
    if (half > 0) {
      const [px, py] = [pointAt(points, 2 * first), pointAt(points, 2 * first + 1)];
      appendAll(boxes, [px - 2 * half, py, 2 * half, 2 * half].map(pixel));
      return;
    }
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let point = first; point < end; point++) {
      const [px, py] = [pointAt(points, 2 * point), pointAt(points, 2 * point + 1)];
      [left, right] = [Math.min(left, px), Math.max(right, px)];
      [top, bottom] = [Math.min(top, py), Math.max(bottom, py)];
    }
    // A slanting line is not all of its rectangle: its middle half is.
    const [dx, dy] = right - left > 4 && bottom - top > 4 ? [(right - left) / 4, (bottom - top) / 4] : [0, 0];
    appendAll(boxes, [left + dx, top + dy, right - left - 2 * dx, bottom - top - 2 * dy].map(pixel));
  });
  return { boxes, rows };
}

/** `channel` is its number. */
function playbackTable(
  { channel: channels, ends, predicted, waiting }: UsedChannels,
  { busy, queues }: PlaybackFrame,
): FigureTable {
  const rows = Array.from(channels, (channel, row): Cell[] => {
    const share = realAt(predicted, row);
    return [
      ...[ends[2 * row] ?? '', ends[2 * row + 1] ?? ''],
      ...[byteAt(busy, channel) / 255, byteAt(queues, channel) / 8, Number.isNaN(share) ? null : share, channel],
    ];
  });
  const head = ['from', 'to', 'busy', 'waiting', 'busy in all, by link loads', 'channel'];
  return { head, rows, units: ['', '', 'of the interval', waiting, 'of the time', ''] };
}
