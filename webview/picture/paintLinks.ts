/** Paints the cables of a scene, in one line or in two lanes, and the arrows that point up to a root. */
import { partnerLabel, sizeWithin } from '../../server/drawing/labels.ts';
import { arrowHead } from '../../server/drawing/routers.ts';
import { stubFlag, upFlag, type Scene, type SceneLinks } from '../../server/drawing/scene.ts';
import {
  busierStyle,
  controlOf,
  isCableKept,
  isTick,
  lineOpacity,
  lineWidth,
  strokeCable,
  strokeLanes,
  strokeStyles,
  stubEnd,
  widestTick,
  type AddStroke,
} from '../../server/drawing/strokes.ts';
import { groupedBy } from '../../server/numeric/grouping.ts';
import { loadColorsFor, type Theme } from '../page/theme.ts';
import { scenePlaces } from './places.ts';
import { isInView, isLineInView, nodePixels, showsLanes, visiblePart, type Viewport } from './viewport.ts';

/** From this many pixels of half a node on, lines that are dashed are seen to be. */
const dashesFrom = 3;
/** Half a node in pixels from which lines grow with it. */
const growsFrom = 18;
/** From this many pixels of half a node on, cables that go up have arrow heads. */
const arrowsFrom = 6;
/**
 * Lines per stroke() call: many short ones are quick together, long ones that cross are not. Of a fabric in close view, 2,755 lines, strokes
 * of one line take two thirds of what strokes of ten take; of the whole fabric, 5,316 lines thinner than half a pixel, a quarter more.
 */
const shortLinesPerPath = 400;
const longLinesPerPath = 10;
/** Long lines of so many pixels and more are stroked one by one. */
const aloneFrom = 0.5;
/** Both ends and the bend. */
const numbersPerLine = 5;

/** Cables, or the host links inside the frames of switches, which come in front of them. */
type LinkKind = 'cables' | 'ticks';

/** The lines of a picture's links in world units, one style after the other. */
interface Lines {
  /** Those of style s are `start[s] … start[s + 1] − 1`. */
  readonly start: Int32Array;
  /** The entry of the scene's links that each is of. */
  readonly link: Int32Array;
  /** Of each so many numbers: both ends and the bend. */
  readonly ends: Float64Array;
  /** Long ones are painted as far as they are in view, of others those that are in view in part. */
  readonly areLong: boolean;
}

const knownLines = new WeakMap<Scene, Map<string, Lines>>();

/** Worked out once for a scene and its colours: frames only move and scale them. O(links). */
function sceneLines(scene: Scene, kind: LinkKind, lanes: boolean): Lines {
  const known = knownLines.get(scene) ?? new Map<string, Lines>();
  knownLines.set(scene, known);
  const key = `${kind} ${lanes}`;
  const lines = known.get(key) ?? sortedLines(scene, kind, lanes);
  known.set(key, lines);
  return lines;
}

function sortedLines(scene: Scene, kind: LinkKind, lanes: boolean): Lines {
  const styles: number[] = [];
  const links: number[] = [];
  const numbers: number[] = [];
  let link = 0;
  const add: AddStroke = (style, x1, y1, x2, y2, bend) => {
    styles.push(style);
    links.push(link);
    numbers.push(x1, y1, x2, y2, bend);
  };
  for (; link < scene.links.from.length; link++) {
    if (isTick(scene, link) !== (kind === 'ticks')) continue;
    if (lanes) strokeLanes(scene, link, add);
    else strokeCable(scene, link, add);
  }
  const { start, members } = groupedBy(styles, strokeStyles(scene).length);
  const ends = new Float64Array(numbers.length);
  members.forEach((line, place) => {
    for (let each = 0; each < numbersPerLine; each++)
      ends[place * numbersPerLine + each] = numbers[line * numbersPerLine + each]!;
  });
  return { start, link: members.map((line) => links[line]!), ends, areLong: scene.lineScale !== 1 };
}

/**
 * Cables or, in front of the frames of switches, the host links inside them. Lines of one style share a path. Of
 * `kept`, by directed link, those of 1 alone.
 */
export function paintLinks(
  context: CanvasRenderingContext2D,
  scene: Scene,
  view: Viewport,
  theme: Theme,
  which: LinkKind,
  kept?: Uint8Array,
): void {
  const { scale } = view;
  const lines = sceneLines(scene, which, showsLanes(scene, scale));
  const ticks = which === 'ticks';
  const pixels = nodePixels(scene, scale);
  const colors = loadColorsFor(scene, theme);
  const areShort = ticks || scene.routers.id.length === 0;
  const isPainted = kept && ((link: number) => isCableKept(scene, link, kept));
  const clear = clearWidths(scene, scale);
  const widest = ticks ? widestTick(scene) * scale : Infinity;
  strokeStyles(scene).forEach((style, index) => {
    const least = style.step < 0 ? clear.unused : clear.used;
    const width = Math.max(least, Math.min(widest, linkWidth(scene, pixels) * style.width));
    context.strokeStyle = style.step < 0 ? theme.unusedLink : colors[style.step]!;
    context.globalAlpha = Math.max(lineOpacity(style, pixels), least / clearWidth);
    context.lineWidth = width;
    context.setLineDash(style.dashed && pixels >= dashesFrom ? [width * 1.6, width * 1.2] : []);
    const perPath = areShort ? shortLinesPerPath : width >= aloneFrom ? 1 : longLinesPerPath;
    strokeLines(context, view, lines, index, perPath, isPainted);
  });
  context.globalAlpha = 1;
  context.setLineDash([]);
  if (!ticks) paintStubEnds(context, scene, view, theme, kept);
}

/** The lines of one style that are in view, so many in a path. */
function strokeLines(
  context: CanvasRenderingContext2D,
  view: Viewport,
  { start, link, ends, areLong }: Lines,
  style: number,
  perPath: number,
  isPainted: ((link: number) => boolean) | undefined,
): void {
  const { scale, x, y } = view;
  let inPath = 0;
  for (let line = start[style]!; line < start[style + 1]!; line++) {
    if (isPainted?.(link[line]!) === false) continue;
    const at = line * numbersPerLine;
    const [x1, y1] = [ends[at]! * scale + x, ends[at + 1]! * scale + y];
    const [x2, y2] = [ends[at + 2]! * scale + x, ends[at + 3]! * scale + y];
    const bend = ends[at + 4]! * scale;
    let [from, to] = [0, 1];
    if (bend !== 0 || !areLong) {
      const out = Math.abs(bend);
      if (!isLineInView(view, x1, y1, x2, y2, out)) continue;
    } else {
      const part = visiblePart(view, x1, y1, x2, y2);
      if (part === undefined) continue;
      [from, to] = part;
    }
    if (inPath === 0) context.beginPath();
    const [dx, dy] = [x2 - x1, y2 - y1];
    context.moveTo(x1 + dx * from, y1 + dy * from);
    if (bend === 0) context.lineTo(x1 + dx * to, y1 + dy * to);
    else bowTo(context, x1, y1, x2, y2, bend);
    inPath++;
    if (inPath < perPath) continue;
    context.stroke();
    inPath = 0;
  }
  if (inPath > 0) context.stroke();
}

/** Half a node in pixels from which stubs have arrows; smaller letters than so many pixels are left out. */
const stubArrowsFrom = 4;
const leastName = 5.5;
const largestName = 13;
/** Names are painted where their places are so many pixels outside of the view at most. */
const nameReach = 20;
/** World units from the end of a stub to its name and its arrow, at most. */
const beyondStub = 0.3;

/** Arrows at the ends of stubs, in the colours of their lines, and beyond them where they lead to. */
function paintStubEnds(
  context: CanvasRenderingContext2D,
  scene: Scene,
  view: Viewport,
  theme: Theme,
  kept?: Uint8Array,
): void {
  const { scale, x, y } = view;
  if (nodePixels(scene, scale) < stubArrowsFrom) return;
  const colors = loadColorsFor(scene, theme);
  const styles = strokeStyles(scene);
  const places = scenePlaces(scene);
  const { links } = scene;
  const reach = beyondStub * scale + nameReach;
  context.textBaseline = 'middle';
  for (let link = 0; link < links.from.length; link++) {
    if ((links.flags[link]! & stubFlag) === 0 || !isCableKept(scene, link, kept)) continue;
    // In a near view most are far outside, which is seen at once.
    const [x1, y1] = [links.x1[link]! * scale + x, links.y1[link]! * scale + y];
    const [x2, y2] = [links.x2[link]! * scale + x, links.y2[link]! * scale + y];
    if (!isLineInView(view, x1, y1, x2, y2, reach)) continue;
    const end = stubEnd(scene, link);
    if (end === undefined) continue;
    const [nameX, nameY] = [end.x * scale + x, end.y * scale + y];
    if (!isInView(view, nameX - nameReach, nameY - nameReach, nameX + nameReach, nameY + nameReach)) continue;
    const { step } = styles[busierStyle(scene, link)]!;
    context.fillStyle = step < 0 ? theme.unusedLink : colors[step]!;
    context.beginPath();
    for (const [cornerX, cornerY] of end.arrow) context.lineTo(cornerX * scale + x, cornerY * scale + y);
    context.fill();
    const name = partnerLabel(scene, end.partner, (node) => places.nodeNumbered(node));
    const size = Math.min(largestName, sizeWithin(name, end.width, end.size) * scale);
    if (size < leastName) continue;
    context.textAlign = end.anchor === 'middle' ? 'center' : end.anchor;
    context.font = `${size}px ${theme.font}`;
    context.fillStyle = theme.faint;
    context.fillText(name, nameX, nameY);
  }
}

/** Of an ordinary line in pixels; it grows with the zoom once nodes are large, in a dense network later. */
const linkWidth = (scene: Scene, pixels: number): number =>
  Math.min(7, lineWidth(scene, pixels) * Math.max(1, (pixels * scene.lineScale) / growsFrom));

/** Pixels of a line that is seen well, and the share of a picture that lines may cover so that they are. */
const clearWidth = 0.8;
const clearInk = 0.2;

/**
 * The least width of cables that carry something and of those that carry nothing, where lines are drawn thinner: however small a
 * picture is in its panel, they are seen, unless they are so many that they would cover it.
 */
function clearWidths(scene: Scene, scale: number): { readonly used: number; readonly unused: number } {
  if (scene.lineScale === 1) return { used: 0, unused: 0 };
  const { left, right, top, bottom } = scene.bounds;
  const room = clearInk * (right - left) * (bottom - top) * scale;
  const { used, all } = lengthsOf(scene.links);
  const unused = Math.min(clearWidth, room / all);
  // Of a machine by itself all cables are shown by their kinds.
  return { used: scene.about === undefined ? Math.min(clearWidth, room / used) : unused, unused };
}

/** World units of the cables of a picture. */
interface Lengths {
  readonly used: number;
  readonly all: number;
}

const knownLengths = new WeakMap<SceneLinks, Lengths>();

/** O(links), once for a picture. */
function lengthsOf(links: SceneLinks): Lengths {
  const known = knownLengths.get(links);
  if (known !== undefined) return known;
  let [used, all] = [0, 0];
  for (let link = 0; link < links.from.length; link++) {
    const length = Math.hypot(links.x2[link]! - links.x1[link]!, links.y2[link]! - links.y1[link]!);
    all += length;
    if (links.forward[link]! > 0 || links.backward[link]! > 0) used += length;
  }
  const lengths = { used, all };
  knownLengths.set(links, lengths);
  return lengths;
}

/** From the current point, (x1, y1), on: a straight line, or a bow. */
export function bowTo(path: CanvasPath, x1: number, y1: number, x2: number, y2: number, bend: number): void {
  if (bend === 0) {
    path.lineTo(x2, y2);
    return;
  }
  const [x, y] = controlOf(x1, y1, x2, y2, bend);
  path.quadraticCurveTo(x, y, x2, y2);
}

/** Heads of the arrows that point up to the root. */
export function paintArrows(
  context: CanvasRenderingContext2D,
  scene: Scene,
  view: Viewport,
  theme: Theme,
  kept?: Uint8Array,
): void {
  const { scale, x, y } = view;
  if (scene.routers.isRoot.length === 0 || nodePixels(scene, scale) < arrowsFrom) return;
  context.beginPath();
  scene.links.flags.forEach((flags, link) => {
    if ((flags & upFlag) === 0 || !isCableKept(scene, link, kept)) return;
    const [tip, left, right] = arrowHead(scene, link)!.map(([worldX, worldY]) => [
      worldX * scale + x,
      worldY * scale + y,
    ]);
    if (!isInView(view, tip![0]!, tip![1]!, tip![0]!, tip![1]!)) return;
    context.moveTo(tip![0]!, tip![1]!);
    context.lineTo(left![0]!, left![1]!);
    context.lineTo(right![0]!, right![1]!);
  });
  context.fillStyle = theme.arrow;
  context.fill();
}
