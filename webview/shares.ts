import { routerShares, type RouterShares } from '../server/drawing/labels.ts';
import type { Scene } from '../server/drawing/scene.ts';

/** Shares do not change while a scene is shown: counted once, not at every redraw. */
const sharesOfScenes = new WeakMap<Scene, readonly RouterShares[]>();

/** {@link routerShares}, counted when first asked for. */
export function sharesOf(scene: Scene): readonly RouterShares[] {
  const known = sharesOfScenes.get(scene) ?? routerShares(scene);
  sharesOfScenes.set(scene, known);
  return known;
}
