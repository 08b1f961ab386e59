import { routerLabel, fittedText } from './labels.ts';
import { type Scene, upFlag } from './scene.ts';
import { isBesideRails, isTick, pointOn, railPitch } from './strokes.ts';

/** What routers look like, the same on screen and on paper; world units. */
interface RouterLabel {
  readonly text: string;
  readonly x: number;
  /** Of the middle of the text. */
  readonly y: number;
  readonly size: number;
}

/** From the upper edge of a frame to the middle of its label, and to its nodes. */
const labelDrop = 0.25;
const contentDrop = 0.44;
const contentMargin = 0.1;
const largestText = 0.3;

/** A name longer than this does not fit into a disc and stands above it. */
const discLetters = 4;
/** Room for it, and above a leaf, beside which others stand. */
const longLabel = 2.1;
const leafLabel = 0.98;

/** Number or name: at the top of a frame, in the middle of a disc or, where it is long, above it. */
export function routerLabelOf(scene: Pick<Scene, 'routers'>, entry: number): RouterLabel {
  const { routers } = scene;
  const [x, y, half] = [routers.x[entry]!, routers.y[entry]!, routers.size[entry]!];
  const label = routerLabel(scene, entry);
  if (routers.framed[entry] === 1)
    return { ...fittedText(label, 1.84 * half, largestText), x, y: y - half + labelDrop };
  if (label.length <= discLetters) return { ...fittedText(label, 1.68 * half, half * 0.8), x, y };
  const isLeaf = routers.rankWord === 'tier' && routers.rank[entry] === 0;
  return { ...fittedText(label, isLeaf ? leafLabel : longLabel, largestText), x, y: y - half - largestText / 2 };
}

/** The bounds with the names of switches, which may stand above them. O(routers). */
export function withRoomForNames({ top, ...bounds }: Scene['bounds'], routers: Scene['routers']): Scene['bounds'] {
  let highest = top;
  for (const entry of routers.id.keys()) {
    const { y, size } = routerLabelOf({ routers }, entry);
    highest = Math.min(highest, y - size / 2);
  }
  return { ...bounds, top: highest };
}

/** Corner radius of a frame. */
export const frameCorner = 0.1;

/** The part of a frame that holds the nodes: where they are too small, it is tinted with their jobs. */
export function frameContent(
  { routers }: Scene,
  entry: number,
): { x: number; y: number; width: number; height: number } {
  const half = routers.size[entry]!;
  return {
    x: routers.x[entry]! - half + contentMargin,
    y: routers.y[entry]! - half + contentDrop,
    width: 2 * (half - contentMargin),
    height: 2 * half - contentDrop - contentMargin,
  };
}

/** Of the number of a rail on its link: the largest size, the distance from the middle of a node, and how much of the room between ticks it fills. */
const largestRail = 0.12;
const railAway = 0.42;
const railFill = 1.3;

/** Smaller letters than so many pixels are left out. */
export const leastText = 5.5;
/** On paper and in files, which are looked at more closely. */
export const leastPrintedText = 4;

/** On screen names and numbers of switches are, where their square has room, as large as can be read, and at most so large. */
const readableText = 8.5;
const readableFrom = 13;
const letterShare = 0.6;
const largestOnScreen = 24;

/** The size on screen, at so many pixels per world unit, of a router's label; 0 where it would be too small to be read. O(1). */
export function labelSizeOnScreen(
  { routers }: Scene,
  entry: number,
  { text, size }: RouterLabel,
  scale: number,
): number {
  const half = routers.size[entry]! * scale;
  const room = 2 * half < readableFrom ? 0 : (1.84 * half) / (letterShare * text.length);
  const pixels = Math.min(largestOnScreen, Math.max(size * scale, Math.min(readableText, room)));
  return pixels < leastText ? 0 : pixels;
}

/** Whether the numbers of rails are large enough to be drawn. */
export const showsRails = (scene: Scene, scale: number): boolean =>
  scene.rails !== undefined &&
  largestRailText(scene, 1) * scale >= leastText &&
  scene.links.from.some((_, link) => railMark(scene, link) !== undefined);

const largestRailText = (scene: Scene, letters: number): number =>
  Math.min(largestRail, (railFill * railPitch(scene)) / letters);

/** The number of a rail on its link: on the tick on top of its node, or near the node on one of several lines to a switch; undefined for other links. O(1). */
export function railMark(scene: Scene, link: number): RouterLabel | undefined {
  const { links } = scene;
  // A line by itself says by its switch which it is.
  if (!isBesideRails(scene, link)) return undefined;
  const text = `${links.rail![link]!}`;
  const [x1, y1, x2, y2] = [links.x1[link]!, links.y1[link]!, links.x2[link]!, links.y2[link]!];
  const size = largestRailText(scene, text.length);
  const share = isTick(scene, link) ? 0.5 : Math.min(0.5, railAway / (Math.hypot(x2 - x1, y2 - y1) || 1));
  return { text, x: x1 + (x2 - x1) * share, y: y1 + (y2 - y1) * share, size };
}

/** Off the middle, where cables cross. */
const headPlace = 0.4;
const headLength = 0.17;
const headWidth = 0.085;

/** Corners of the arrow head on a cable that goes up, tip first; undefined for others. */
export function arrowHead({ links }: Scene, link: number): readonly (readonly [number, number])[] | undefined {
  if ((links.flags[link]! & upFlag) === 0) return undefined;
  const [x1, y1, x2, y2] = [links.x1[link]!, links.y1[link]!, links.x2[link]!, links.y2[link]!];
  const [x, y] = pointOn(x1, y1, x2, y2, links.bend[link]!, headPlace);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [backX, backY] = [x - (dx * headLength) / 2, y - (dy * headLength) / 2];
  return [
    [x + (dx * headLength) / 2, y + (dy * headLength) / 2],
    [backX - dy * headWidth, backY + dx * headWidth],
    [backX + dy * headWidth, backY - dx * headWidth],
  ];
}
