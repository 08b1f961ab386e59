import type { Scene } from '../scene.ts';
import {
  laneShift,
  lineOpacity,
  lineWidth,
  strokeCable,
  strokeLanes,
  strokeStyles,
  controlOf,
  isTick,
  type AddStroke,
} from '../strokes.ts';
import type { Page } from './page.ts';
import { unusedLink } from './paper.ts';
import { element, emptyElement, round } from './xml.ts';

/** More cables than this are one line each instead of two lanes. */
const laneLimit = 1500;

/** Cables or, in front of the frames of switches, host links: one path per style. */
export function svgLinks(scene: Scene, page: Page, which: 'cables' | 'ticks'): string {
  const styles = strokeStyles(scene);
  const paths: string[][] = styles.map(() => []);
  const place = (x: number, y: number): string =>
    `${round(page.originX + x * page.unit)} ${round(page.originY + y * page.unit)}`;
  const add: AddStroke = (style, x1, y1, x2, y2, bend) => {
    const control = bend === 0 ? undefined : controlOf(x1, y1, x2, y2, bend);
    const way = control === undefined ? 'L' : `Q${place(control[0], control[1])} `;
    paths[style]!.push(`M${place(x1, y1)}${way}${place(x2, y2)}`);
  };
  const count = scene.links.from.length;
  const shift = laneShift(scene);
  for (let link = 0; link < count; link++) {
    if (isTick(scene, link) !== (which === 'ticks')) continue;
    if (count <= laneLimit) strokeLanes(scene, link, shift, add);
    else strokeCable(scene, link, add);
  }
  const base = lineWidth(scene, page.nodePixels);
  const drawn = styles.flatMap((style, index) => {
    if (paths[index]!.length === 0) return [];
    const width = base * style.width;
    const opacity = lineOpacity(style, page.nodePixels);
    return emptyElement('path', {
      d: paths[index]!.join(''),
      stroke: style.step < 0 ? unusedLink : scene.loadLegend.colors[style.step]!,
      'stroke-width': width,
      ...(opacity < 1 ? { 'stroke-opacity': opacity } : {}),
      ...(style.dashed ? { 'stroke-dasharray': `${round(width * 1.6)} ${round(width * 1.2)}` } : {}),
    });
  });
  return element('g', { id: which === 'cables' ? 'links' : 'host-links', fill: 'none' }, drawn.join('\n'));
}
