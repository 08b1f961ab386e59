import type { Scene } from '../../../server/drawing/scene.ts';
import type { PanelPage } from './panelPage.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The colour of a pixel of the picture, `#rrggbb`; coordinates as for the mouse. */
export function colorAt({ page }: PanelPage, { x, y }: Point): Promise<string> {
  return page.evaluate(
    (point) => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas.scene')!;
      const box = canvas.getBoundingClientRect();
      const { data } = canvas.getContext('2d')!.getImageData(point.x - box.x, point.y - box.y, 1, 1);
      return `#${[...data.slice(0, 3)].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
    },
    { x, y },
  );
}

/**
 * Where the fitted picture shows a world point: the bounds fill the canvas but for the padding,
 * worked out here anew so that the panel's own arithmetic is tested. A node of half side
 * `ordinary` (a switch, where there are any) has at most 30 pixels.
 */
export async function pixelOf({ page }: PanelPage, scene: Scene, world: Point): Promise<Point> {
  const { bounds, routers } = scene;
  const ordinary = routers.id.length > 0 ? 0.34 : 0.29;
  const box = (await page.locator('canvas.scene').boundingBox())!;
  const width = bounds.right - bounds.left;
  const height = bounds.bottom - bounds.top;
  const scale = Math.min((box.width - 48) / width, (box.height - 48) / height, 30 / ordinary);
  return {
    x: Math.round(box.x + box.width / 2 + (world.x - (bounds.left + bounds.right) / 2) * scale),
    y: Math.round(box.y + box.height / 2 + (world.y - (bounds.top + bounds.bottom) / 2) * scale),
  };
}
