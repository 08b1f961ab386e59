import type { Scene } from '../server/drawing/scene.ts';
import { type Marks, paintEnds, paintRoutes, paintVeil } from './marks.ts';
import { paintArrows, paintLinks } from './paintLinks.ts';
import { paintLabels, paintNodes } from './paintNodes.ts';
import { paintAreaLabels, paintAreas, paintRouterLabels, paintRouters } from './paintRouters.ts';
import type { Theme } from './theme.ts';
import { showsTicks, type Viewport } from './viewport.ts';

/**
 * Paints a scene on a 2D canvas, the whole picture on the theme's background. What cannot be seen
 * is not painted: things outside the view, and below a few pixels the lanes, outlines, dashes,
 * labels and the nodes inside frames. `marks` come out, all other cables step back. O(nodes + routers + links).
 */
export function paintScene(
  context: CanvasRenderingContext2D,
  scene: Scene,
  view: Viewport,
  theme: Theme,
  marks?: Marks,
): void {
  context.fillStyle = theme.background;
  context.fillRect(0, 0, view.width, view.height);
  paintAreas(context, scene, view, theme);
  paintLinks(context, scene, view, theme, 'cables');
  if (scene.routers.id.length > 0) {
    paintArrows(context, scene, view, theme);
    paintAreaLabels(context, scene, view, theme);
  }
  if (marks !== undefined && marks.links.size > 0) {
    paintVeil(context, view, theme);
    paintRoutes(context, scene, marks, view, theme, false);
  }
  if (scene.routers.id.length > 0) {
    paintRouters(context, scene, view, theme);
    paintRouterLabels(context, scene, view, theme);
    if (showsTicks(scene, view.scale)) {
      paintLinks(context, scene, view, theme, 'ticks');
      if (marks !== undefined) paintRoutes(context, scene, marks, view, theme, true);
    }
  }
  paintNodes(context, scene, view, theme);
  paintLabels(context, scene, view, theme);
  if (marks !== undefined) paintEnds(context, scene, marks, view, theme);
}
