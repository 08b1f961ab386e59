import { rankLabel, routerName } from '../labels.ts';
import { arrowHead, frameCorner, routerLabelOf } from '../routers.ts';
import type { Scene } from '../scene.ts';
import {
  type Page,
  areaFill,
  arrowInk,
  faintInk,
  ink,
  routerFill,
  routerOutline,
  element,
  emptyElement,
  round,
  textElement,
} from './page.ts';

/** Smaller text than this many pixels is left out. */
const leastText = 4;

/** Levels, pods and groups behind everything. */
export function svgAreas({ areas }: Scene, page: Page): string {
  if (areas.length === 0) return '';
  const drawn = areas.map(({ left, top, right, bottom, round: isRound }) => {
    const [x, y] = [page.originX + left * page.unit, page.originY + top * page.unit];
    const [width, height] = [(right - left) * page.unit, (bottom - top) * page.unit];
    return isRound
      ? emptyElement('ellipse', { cx: x + width / 2, cy: y + height / 2, rx: width / 2, ry: height / 2 })
      : emptyElement('rect', { x, y, width, height, rx: 6 });
  });
  return element('g', { id: 'areas', fill: areaFill }, drawn.join('\n'));
}

/** Their names, in front of the cables. */
export function svgAreaLabels({ areas }: Scene, page: Page): string {
  const labels = areas.flatMap(({ left, top, right, round: isRound, label }) => {
    if (label === '') return [];
    const [x, y] = [page.originX + left * page.unit, page.originY + top * page.unit];
    const place = isRound
      ? { x: x + ((right - left) * page.unit) / 2, y: y + 12, 'text-anchor': 'middle' }
      : { x: x + 6, y: y + 14 };
    return [textElement('text', place, label)];
  });
  if (labels.length === 0) return '';
  const halo = { stroke: areaFill, 'stroke-width': 3, 'stroke-linejoin': 'round', 'paint-order': 'stroke' };
  return element('g', { id: 'area-labels', 'font-size': 10, fill: faintInk, ...halo }, labels.join('\n'));
}

/** Arrow heads of cables that go up. */
export function svgArrows(scene: Scene, page: Page): string {
  const heads = Array.from(scene.links.from.keys()).flatMap((link) => {
    const corners = arrowHead(scene, link);
    if (corners === undefined) return [];
    const places = corners.map(
      ([x, y]) => `${round(page.originX + x * page.unit)} ${round(page.originY + y * page.unit)}`,
    );
    return [`M${places.join('L')}Z`];
  });
  const path = heads.join('');
  return path === '' ? '' : emptyElement('path', { id: 'arrows', d: path, fill: arrowInk });
}

/** Switches: frames with their nodes inside, discs, and on them their names. */
export function svgRouters(scene: Scene, page: Page): string {
  const { routers } = scene;
  if (routers.id.length === 0) return '';
  const width = Math.min(1.2, Math.max(0.3, 0.03 * page.unit));
  const shapes = Array.from(routers.id, (id, entry) => {
    const half = routers.size[entry]! * page.unit;
    const [x, y] = [page.originX + routers.x[entry]! * page.unit, page.originY + routers.y[entry]! * page.unit];
    const name = id === routers.root ? { 'stroke-width': 3 * width } : {};
    const rank = rankLabel(scene, entry);
    const title = textElement(
      'title',
      {},
      rank === '' ? routerName(scene, entry) : `${routerName(scene, entry)}, ${rank}`,
    );
    if (routers.framed[entry] === 0) return element('circle', { cx: x, cy: y, r: half, ...name }, title);
    const square = { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: frameCorner * page.unit };
    return element('rect', { ...square, ...name }, title);
  });
  const lined = { fill: routerFill, stroke: routerOutline, 'stroke-width': width };
  return element('g', { id: 'routers', ...lined }, shapes.join('\n'));
}

export function svgRouterLabels(scene: Scene, page: Page): string {
  const labels = Array.from(scene.routers.id.keys()).flatMap((entry) => {
    const { text, x, y, size } = routerLabelOf(scene, entry);
    const pixels = size * page.unit;
    if (pixels < leastText) return [];
    const place = { x: page.originX + x * page.unit, y: page.originY + y * page.unit + pixels * 0.35 };
    return [textElement('text', { ...place, 'font-size': pixels }, text)];
  });
  if (labels.length === 0) return '';
  const halo = { stroke: routerFill, 'stroke-width': 2, 'stroke-linejoin': 'round', 'paint-order': 'stroke' };
  return element('g', { id: 'router-labels', 'text-anchor': 'middle', fill: ink, ...halo }, labels.join('\n'));
}
