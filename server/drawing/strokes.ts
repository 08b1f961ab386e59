import { largestOf } from '../model/lists.ts';
import { changeStep, changeSteps, firstHotStep } from './colors.ts';
import { loadStep, shownLoad } from './loadScale.ts';
import { stubAtToFlag, stubFlag, tickFlag, type MachineAbout, type Scene, type SceneLinks } from './scene.ts';

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

/** Half the side of the cross over a node that does not work, as a part of half the side of the node. */
export const crossed = 0.6;

/** Half the distance between the two lanes of a cable, world units; less where the lines of several rails stand side by side. O(1). */
export function laneShift(scene: Scene, link: number): number {
  const shift = typicalNodeSize(scene) * 0.2;
  return isBesideRails(scene, link) ? Math.min(shift, railPitch(scene) / 4) : shift;
}

/** Colours of the steps of a scene's lines: by load, by its change, or by the kind of cable. */
export function lineColors({ loadLegend, difference, about }: Scene, onDark: boolean): readonly string[] {
  if (about !== undefined) return about.linkClasses.map(({ color }) => color);
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
  if (scene.about !== undefined) return classStyles(scene.about);
  const steps = scene.loadLegend.colors.length;
  return Array.from({ length: steps + 1 }, (_, style) => {
    const step = style - 1;
    const hot = step >= firstHotStep;
    // Hot lines are twice as wide as any other.
    const width = step < 0 ? 0.7 : hot ? 2.2 + 0.25 * (step - firstHotStep) : 0.85 + 0.05 * step;
    return { step, width, dashed: false, hot };
  });
}

/** Of a machine by itself: a colour for each class of cables. */
const classStyles = ({ linkClasses }: MachineAbout): readonly StrokeStyle[] =>
  [-1, ...linkClasses.keys()].map((step) => ({ step, width: 1, dashed: false, hot: false }));

/** Index of the style of one direction of a cable; one that carries something and is not held up by it has the first colour. */
const styleOf = (scene: Scene, link: number, forward: boolean): number =>
  (forward ? scene.links.forward : scene.links.backward)[link]! > 0
    ? loadStep(shownLoad(scene, link, forward), scene.loadLegend.scale) + 1
    : 0;

/** Styles of the two directions of a cable, from → to and to → from. */
function directionStyles(scene: Scene, link: number): readonly [there: number, back: number] {
  const { links, difference, about } = scene;
  if (about !== undefined) {
    const style = about.classOf[links.forwardLink[link]!]! + 1;
    return [style, style];
  }
  if (difference === undefined) return [styleOf(scene, link, true), styleOf(scene, link, false)];
  const { scale } = difference;
  const change = (forward: boolean, before: number): number =>
    changeStyleOf(shownLoad(scene, link, forward, before), shownLoad(scene, link, forward), scale.largest);
  return [change(true, difference.forward[link]!), change(false, difference.backward[link]!)];
}

/** Index of the style of the direction that is busier, or has changed more: styles stand in that order. */
export const busierStyle = (scene: Scene, link: number): number => largestOf(directionStyles(scene, link));

/** One line per cable, by the direction that is busier, or has changed more. */
export function strokeCable(scene: Scene, link: number, add: AddStroke): void {
  const { links } = scene;
  add(busierStyle(scene, link), links.x1[link]!, links.y1[link]!, links.x2[link]!, links.y2[link]!, links.bend[link]!);
}

/**
 * Two lanes per cable, each direction keeping right as on a road. A cable without load, or whose load has not changed, stays one line.
 */
export function strokeLanes(scene: Scene, link: number, add: AddStroke): void {
  const { links, difference } = scene;
  const [there, back] = directionStyles(scene, link);
  const isIdle = links.forward[link] === 0 && links.backward[link] === 0;
  if (difference === undefined ? isIdle : there === 0 && back === 0) {
    strokeCable(scene, link, add);
    return;
  }
  const [x1, y1, x2, y2] = [links.x1[link]!, links.y1[link]!, links.x2[link]!, links.y2[link]!];
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const shift = laneShift(scene, link);
  const right = (-(y2 - y1) / length) * shift;
  const down = ((x2 - x1) / length) * shift;
  const bend = links.bend[link]!;
  add(there, x1 + right, y1 + down, x2 + right, y2 + down, bend);
  add(back, x1 - right, y1 - down, x2 - right, y2 - down, bend);
}

/** The line of one direction of a cable from its start to its end, and how far it bows out; in its lane where there are lanes. */
export function laneOf(
  scene: Scene,
  link: number,
  forward: boolean,
  lanes: boolean,
): { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number; readonly bend: number } {
  const { links } = scene;
  const [x1, y1, x2, y2] = [links.x1[link]!, links.y1[link]!, links.x2[link]!, links.y2[link]!];
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const shift = lanes ? laneShift(scene, link) * (forward ? 1 : -1) : 0;
  const [right, down] = [(-(y2 - y1) / length) * shift, ((x2 - x1) / length) * shift];
  const bend = links.bend[link]!;
  if (forward) return { x1: x1 + right, y1: y1 + down, x2: x2 + right, y2: y2 + down, bend };
  return { x1: x2 + right, y1: y2 + down, x2: x1 + right, y2: y1 + down, bend: -bend };
}

/** Whether a cable is painted: one direction of it is among those of 1, or there are none to choose from. */
export const isCableKept = ({ links }: Scene, link: number, kept: Uint8Array | undefined): boolean =>
  kept === undefined || kept[links.forwardLink[link]!] === 1 || kept[links.backwardLink[link]!] === 1;

/** Cables of a scene: a stubbed one is two entries, and the second is skipped. */
export function forEachCable(links: SceneLinks, visit: (link: number) => void): void {
  for (let link = 0; link < links.from.length; link++) {
    visit(link);
    if ((links.flags[link]! & stubFlag) !== 0) link++;
  }
}

/** Whether a link is a host link inside the frame of a switch: painted in front of frames, not behind. */
export const isTick = ({ links }: Scene, link: number): boolean => (links.flags[link]! & tickFlag) !== 0;

/** The part of the side of a node on which the links of its rails stand. */
const railsWide = 0.8;

/** From the link of one rail to the next, side by side on a node of this half side. */
export const railStep = (half: number, count: number): number => (2 * half * railsWide) / count;

/** The same of an ordinary node. */
export const railPitch = ({ nodes, rails }: Scene): number => railStep(nodes.size[0] ?? 0, rails?.length ?? 1);

/** Share of the room of a rail that the line of one direction takes at most. */
const railLane = 0.42;

/** The widest line of host links inside the frames of switches, world units: those of several rails do not touch. */
export const widestTick = (scene: Scene): number =>
  scene.rails === undefined ? Infinity : railLane * railPitch(scene);

/** Whether a link of a node is one of several that stand side by side: on top of the node, or to the same switch. O(1). */
export function isBesideRails(scene: Scene, link: number): boolean {
  const { links } = scene;
  if ((links.rail?.[link] ?? -1) < 0) return false;
  const isBeside = (other: number): boolean =>
    links.from[other] === links.from[link] && links.to[other] === links.to[link];
  return isTick(scene, link) || isBeside(link - 1) || isBeside(link + 1);
}

/** What stands at the outer end of a stub: an arrow, and beyond it the name of the router at the other end of the cable. */
export interface StubEnd {
  /** Corners of the arrow, tip first. */
  readonly arrow: readonly (readonly [x: number, y: number])[];
  /** The router at the other end. */
  readonly partner: number;
  /** Where its name begins, has its middle, or ends; half its height, the largest size of its letters, and the width for it; world units. */
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly size: number;
  readonly width: number;
}

const arrowLength = 0.15;
const arrowHalf = 0.1;
/** From the tip to the name: beside it, and above or below to its middle. */
const nameBeside = 0.14;
const nameAway = 0.26;
/** Room for it beyond the tip. */
const stubNameRoom = 0.75;
/** Letters at the border of the picture, and between nodes of a plane. */
const borderName = 0.26;
const innerName = 0.1;

/** Undefined for a cable that is drawn as a line. O(1). */
export function stubEnd({ links, nodes }: Pick<Scene, 'links' | 'nodes'>, link: number): StubEnd | undefined {
  const flags = links.flags[link]!;
  if ((flags & stubFlag) === 0) return undefined;
  const ends = [links.x1[link]!, links.y1[link]!, links.x2[link]!, links.y2[link]!] as const;
  const atTo = (flags & stubAtToFlag) !== 0;
  const [tipX, tipY, fromX, fromY] = atTo ? ends : [ends[2], ends[3], ends[0], ends[1]];
  const length = Math.hypot(tipX - fromX, tipY - fromY) || 1;
  const [dx, dy] = [(tipX - fromX) / length, (tipY - fromY) / length];
  const isBorder = Math.min(Math.abs(dx), Math.abs(dy)) < 1e-6;
  // Small nodes have small arrows.
  const scale = Math.min(1, (nodes.size[0] ?? 0.29) * 3.5) * (isBorder ? 1 : 0.6);
  const [length1, half] = [arrowLength * scale, arrowHalf * scale];
  const [backX, backY] = [tipX - dx * length1 * 0.4, tipY - dy * length1 * 0.4];
  const isBeside = isBorder && Math.abs(dx) > Math.abs(dy);
  const away = isBeside ? nameBeside : isBorder ? nameAway : 0.12;
  return {
    arrow: [
      [tipX + dx * length1 * 0.6, tipY + dy * length1 * 0.6],
      [backX - dy * half, backY + dx * half],
      [backX + dy * half, backY - dx * half],
    ],
    partner: atTo ? links.from[link]! : links.to[link]!,
    x: tipX + dx * away,
    y: tipY + dy * away,
    anchor: !isBeside ? 'middle' : dx < 0 ? 'end' : 'start',
    size: isBorder ? borderName : innerName,
    width: isBeside ? 0.6 : isBorder ? 0.85 : 0.4,
  };
}

/** Round the middle of the name of an area. */
const areaNameRoom = 0.5;

/** The smallest rectangle round everything drawn. */
export function sceneBounds({
  areas,
  nodes,
  routers,
  links,
}: Pick<Scene, 'areas' | 'nodes' | 'routers' | 'links'>): Scene['bounds'] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const include = (x: number, y: number, margin: number): void => {
    left = Math.min(left, x - margin);
    top = Math.min(top, y - margin);
    right = Math.max(right, x + margin);
    bottom = Math.max(bottom, y + margin);
  };
  for (const area of areas) {
    include(area.left, area.top, 0);
    include(area.right, area.bottom, 0);
    if (area.labelAt !== undefined) include(area.labelAt.x, area.labelAt.y, areaNameRoom);
  }
  for (const { x, y, size } of [nodes, routers]) {
    x.forEach((each, entry) => {
      include(each, y[entry]!, size[entry]!);
    });
  }
  links.x1.forEach((x1, link) => {
    const [y1, x2, y2] = [links.y1[link]!, links.x2[link]!, links.y2[link]!];
    // Beyond its arrow a stub has a name.
    const margin = (links.flags[link]! & stubFlag) === 0 ? 0 : stubNameRoom;
    include(x1, y1, margin);
    include(x2, y2, margin);
    if (links.bend[link] === 0) return;
    const [x, y] = pointOn(x1, y1, x2, y2, links.bend[link]!, 0.5);
    include(x, y, 0);
  });
  return left > right ? { left: 0, top: 0, right: 0, bottom: 0 } : { left, top, right, bottom };
}
