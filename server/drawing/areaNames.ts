/** Names of groups that stand outside of them, away from the middle of the ring, and the room that they take beyond the picture. */
import type { Scene, SceneArea } from './scene.ts';

/** Pixels of a letter of a name, at most. */
const letter = 6.4;

/** A name that may reach beyond the bounds of its scene. */
export interface OutsideName {
  /** Where it stands, in world units. */
  readonly x: number;
  /** Pixels that it reaches to the left and to the right of its place. */
  readonly left: number;
  readonly right: number;
  /** Of its group, in world units. */
  readonly width: number;
}

/** The side of its place on which a name stands: away from the middle, so that it does not run into what it names. */
export const sideOfName = ({ x, y }: NonNullable<SceneArea['labelAt']>): 'left' | 'middle' | 'right' =>
  Math.abs(x) < Math.abs(y) * 0.35 ? 'middle' : x < 0 ? 'left' : 'right';

/** The names that stand outside of their groups. O(areas). */
export const outsideNames = ({ areas }: Pick<Scene, 'areas'>): readonly OutsideName[] =>
  areas.flatMap(({ left, right, label, labelAt }) => {
    if (labelAt === undefined || label === '') return [];
    const [length, side] = [letter * label.length, sideOfName(labelAt)];
    const beside = side === 'middle' ? length / 2 : length;
    return {
      x: labelAt.x,
      left: side === 'right' ? 0 : beside,
      right: side === 'left' ? 0 : beside,
      width: right - left,
    };
  });

/** Pixels that names reach beyond the left and the right side of `bounds`, at `scale` pixels per world unit. O(names). */
export function roomBeside(
  names: readonly OutsideName[],
  bounds: Scene['bounds'],
  scale: number,
): readonly [left: number, right: number] {
  let [left, right] = [0, 0];
  for (const name of names) {
    left = Math.max(left, name.left - (name.x - bounds.left) * scale);
    right = Math.max(right, name.right - (bounds.right - name.x) * scale);
  }
  return [left, right];
}

/** How often the room for names is measured again at the scale that it leaves. */
const passes = 3;

/**
 * The scale that `scaleIn` gives a picture which is `width` pixels wide with its names, and the pixels that these take
 * to its left and right. `shown` are the names that are drawn at a scale. O(names).
 */
export function fitWithNames(
  shown: (scale: number) => readonly OutsideName[],
  bounds: Scene['bounds'],
  width: number,
  scaleIn: (width: number) => number,
): { readonly scale: number; readonly left: number; readonly right: number } {
  let [scale, left, right] = [scaleIn(width), 0, 0];
  for (let pass = 0; pass < passes; pass++) {
    [left, right] = roomBeside(shown(scale), bounds, scale);
    scale = scaleIn(width - left - right);
  }
  return { scale, left, right };
}
