import { changeStep, changeSteps, firstHotStep } from './colors.ts';
import { loadStep } from './loadScale.ts';
import { hostFlag, stubFlag, type Scene, type SceneLinks } from './scene.ts';

/**
 * How cables become strokes, the same on screen and on paper. Strokes of one style are drawn
 * together, light ones first, so that heavy links lie on top.
 */
export interface StrokeStyle {
  /** Index into {@link lineColors}; −1 for a link that carries nothing. */
  readonly step: number;
  /** Times the width of an ordinary line. */
  readonly width: number;
  readonly dashed: boolean;
  /** It is hot, or its load has changed much. */
  readonly hot: boolean;
}

/** One line of world coordinates; `bend` as in the scene. */
export type AddStroke = (style: number, x1: number, y1: number, x2: number, y2: number, bend: number) => void;

/** Of a fabric: half the side of a switch without nodes, however many nodes the others hold. */
const fabricSize = 0.34;

/** Half the side of an ordinary node, or router where they are drawn, world units; what line widths and lanes go by. */
export function typicalNodeSize({ nodes: { size }, routers }: Scene): number {
  return routers.id.length > 0 ? fabricSize : (size[Math.floor(size.length / 2)] ?? 0.3);
}

/** The point at a share of the way along a line or bow. */
export function pointOn(
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  bend: number,
  share: number,
): readonly [number, number] {
  const [x, y] = controlOf(x1, y1, x2, y2, bend);
  const [start, control, end] = [(1 - share) ** 2, 2 * share * (1 - share), share ** 2];
  return [start * x1 + control * x + end * x2, start * y1 + control * y + end * y2];
}

/** The control point of the quadratic Bézier curve that a bow is: twice as far out as its middle. */
export function controlOf(x1: number, y1: number, x2: number, y2: number, bend: number): readonly [number, number] {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const out = (2 * bend) / length;
  return [(x1 + x2) / 2 - (y2 - y1) * out, (y1 + y2) / 2 + (x2 - x1) * out];
}

/** Pixels of an ordinary line between nodes whose half side is `nodePixels`; thinner where lines are dense. */
export const lineWidth = (scene: Scene, nodePixels: number): number =>
  Math.min(2.5, Math.max(0.25, nodePixels * 0.14)) * scene.lineScale;

/** Share of the picture that its lines may cover before they are drawn thinner, and the thinnest. */
const fullInk = 0.05;
const leastScale = 0.35;

/** How much thinner lines are drawn so that a dense network does not become one blot; 1 on a grid. O(links). */
export function lineScaleOf(bounds: Scene['bounds'], links: SceneLinks): number {
  let length = 0;
  for (let link = 0; link < links.from.length; link++) {
    length += Math.hypot(links.x2[link]! - links.x1[link]!, links.y2[link]! - links.y1[link]!);
  }
  const area = (bounds.right - bounds.left) * (bounds.bottom - bounds.top);
  const ink = area > 0 ? (length * fabricSize * 0.14) / area : 0;
  return Math.max(leastScale, Math.min(1, Math.sqrt(fullInk / ink)));
}

/** Below this many pixels of half a node links are pale, so that thousands do not drown the nodes; hot ones never. */
export const lineOpacity = (style: StrokeStyle, nodePixels: number): number =>
  style.hot ? 1 : Math.min(1, Math.max(0.35, nodePixels / 6));

/** From this many pixels of half a node on, nodes have an outline. */
export const outlinedFrom = 3;

/** Half the distance between the two lanes of a cable, world units. */
export const laneShift = (scene: Scene): number => typicalNodeSize(scene) * 0.2;

/** Solid and dashed, times the steps and "carries nothing". */
const variants = 2;

/** Colours of the steps of a scene's lines: by load, or by its change. */
export function lineColors({ loadLegend, difference }: Scene, onDark: boolean): readonly string[] {
  const { colors, colorsOnDark } = difference?.scale ?? loadLegend;
  return onDark ? colorsOnDark : colors;
}

/** Times an ordinary line, by how strongly a load has decreased or increased: more is wider, and solid. */
const cooledWidths = [0.9, 1.05, 1.25, 1.5];
const heatedWidths = [1.1, 1.4, 1.9, 2.4];

/** In painting order: no change, then decreases and increases in turn, the smallest first. */
const changeStyles: readonly StrokeStyle[] = [
  { step: changeSteps, width: 0.7, dashed: false, hot: false },
  ...cooledWidths.flatMap((width, strength) => [
    { step: changeSteps - 1 - strength, width, dashed: true, hot: strength > 1 },
    { step: changeSteps + 1 + strength, width: heatedWidths[strength]!, dashed: false, hot: strength > 1 },
  ]),
];

function changeStyleOf(before: number, after: number, largest: number): number {
  const step = changeStep(before, after, largest);
  if (step === 0) return 0;
  return step < 0 ? -2 * step - 1 : 2 * step;
}

/** The styles of a scene in painting order; `AddStroke` receives indices into them. */
export function strokeStyles(scene: Scene): readonly StrokeStyle[] {
  if (scene.difference !== undefined) return changeStyles;
  const steps = scene.loadLegend.colors.length;
  return Array.from({ length: (steps + 1) * variants }, (_, style) => {
    const step = Math.floor(style / variants) - 1;
    const hot = step >= firstHotStep;
    // Hot lines are twice as wide as any other.
    const width = step < 0 ? 0.7 : hot ? 2.2 + 0.25 * (step - firstHotStep) : 0.85 + 0.05 * step;
    return { step, width, dashed: (style & stubFlag) !== 0, hot };
  });
}

/** Index of the style of one load; `flags` are those of its cable. */
export function styleOf(scene: Scene, load: number, flags: number): number {
  const step = load > 0 ? loadStep(load, scene.loadLegend.scale) : -1;
  return (step + 1) * variants + (flags & stubFlag);
}

/** Styles of the two directions of a cable, from → to and to → from. */
function directionStyles(scene: Scene, link: number): readonly [there: number, back: number] {
  const { links, difference } = scene;
  const [forward, backward, flags] = [links.forward[link]!, links.backward[link]!, links.flags[link]!];
  if (difference === undefined) return [styleOf(scene, forward, flags), styleOf(scene, backward, flags)];
  const { scale } = difference;
  return [
    changeStyleOf(difference.forward[link]!, forward, scale.largest),
    changeStyleOf(difference.backward[link]!, backward, scale.largest),
  ];
}

/** One line per cable, by the direction that is busier, or has changed more. */
export function strokeCable(scene: Scene, link: number, add: AddStroke): void {
  const { links } = scene;
  // The styles stand in the order of loads, and of the strength of changes.
  const style = Math.max(...directionStyles(scene, link));
  add(style, links.x1[link]!, links.y1[link]!, links.x2[link]!, links.y2[link]!, links.bend[link]!);
}

/**
 * Two lanes per cable, each direction keeping right as on a road, `shift` world units from the
 * middle. A cable without load, or whose load has not changed, stays one line.
 */
export function strokeLanes(scene: Scene, link: number, shift: number, add: AddStroke): void {
  const { links, difference } = scene;
  const [there, back] = directionStyles(scene, link);
  const isIdle = links.forward[link] === 0 && links.backward[link] === 0;
  if (difference === undefined ? isIdle : there === 0 && back === 0) {
    strokeCable(scene, link, add);
    return;
  }
  const [x1, y1, x2, y2] = [links.x1[link]!, links.y1[link]!, links.x2[link]!, links.y2[link]!];
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const right = (-(y2 - y1) / length) * shift;
  const down = ((x2 - x1) / length) * shift;
  const bend = links.bend[link]!;
  add(there, x1 + right, y1 + down, x2 + right, y2 + down, bend);
  add(back, x1 - right, y1 - down, x2 - right, y2 - down, bend);
}

/** Cables of a scene: a stubbed one is two entries, and the second is skipped. */
export function forEachCable(links: SceneLinks, visit: (link: number) => void): void {
  for (let link = 0; link < links.from.length; link++) {
    visit(link);
    if ((links.flags[link]! & stubFlag) !== 0) link++;
  }
}

/** Whether a link is a host link inside the frame of a switch: painted in front of frames, not behind. */
export const isTick = ({ links, routers }: Scene, link: number): boolean =>
  (links.flags[link]! & hostFlag) !== 0 && routers.framed[links.to[link]!] === 1;
