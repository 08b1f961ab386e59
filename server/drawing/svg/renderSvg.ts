import type { Scene } from '../scene.ts';
import { layoutLegend, type LegendItem, type LegendLayout } from '../legendLayout.ts';
import {
  margin,
  pageOf,
  faintInk,
  ink,
  paper,
  element,
  emptyElement,
  round,
  textElement,
  freeNode,
  nodeOutline,
  type Page,
  unusedLink,
} from './page.ts';
import { svgCores, svgLabels, svgNodes } from './nodes.ts';
import { svgAreaLabels, svgAreas, svgArrows, svgRouterLabels, svgRouters } from './routers.ts';
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

const fonts = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', Arial, sans-serif";

/**
 * A scene as a standalone SVG file on white paper: picture, key figures, jobs and load scale,
 * with title and description for screen readers. No scripts, styles or references to
 * elsewhere. The same scene gives the same bytes. O(nodes + links).
 */
export function renderSvg(scene: Scene): string {
  const legend = layoutLegend(scene, scene.loadLegend.colors);
  const page = pageOf(scene, legend);
  const [width, height] = [round(page.width), round(page.height)];
  const content = [
    textElement('title', { id: 'title' }, `${scene.placement} on ${scene.machine}`),
    textElement('desc', { id: 'description' }, scene.description),
    emptyElement('rect', { width: page.width, height: page.height, fill: paper }),
    textElement(
      'text',
      { x: margin, y: margin + 16, 'font-size': 20, 'font-weight': 'bold', fill: ink },
      scene.placement,
    ),
    textElement('text', { x: margin, y: margin + 36, fill: faintInk }, `on ${scene.machine}`),
    svgAreas(scene, page),
    svgLinks(scene, page, 'cables'),
    svgArrows(scene, page),
    svgAreaLabels(scene, page),
    svgRouters(scene, page),
    svgRouterLabels(scene, page),
    ...(scene.routers.id.length === 0 ? [] : [svgLinks(scene, page, 'ticks')]),
    svgNodes(scene, page),
    svgCores(scene, page),
    svgLabels(scene, page),
    element('g', { transform: `translate(${round(page.legendX)} ${round(page.legendY)})` }, svgLegend(legend)),
  ];
  const root = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-labelledby': 'title description',
      'font-family': fonts,
      'font-size': 13,
    },
    `\n${content.filter((part) => part !== '').join('\n')}\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

/** The legend's items with the colours of paper. */
const svgLegend = (legend: LegendLayout): string =>
  element('g', { id: 'legend' }, legend.items.map(svgItem).join('\n'));

function svgItem(item: LegendItem): string {
  if (item.kind === 'box') {
    const { x, y, width, height, fill = freeNode } = item;
    const outline = item.outlined ? { rx: 2, stroke: nodeOutline } : {};
    return emptyElement('rect', { x, y, width, height, fill, ...outline });
  }
  const { x, y, text, anchor, size } = item;
  const attributes = {
    x,
    y,
    fill: item.weight === 'faint' ? faintInk : ink,
    ...(item.weight === 'heading' ? { 'font-weight': 'bold' } : {}),
    ...(anchor === 'start' ? {} : { 'text-anchor': anchor }),
    'font-size': size,
  };
  return textElement('text', attributes, text);
}

/** More cables than this are one line each instead of two lanes. */
const laneLimit = 1500;

/** Cables or, in front of the frames of switches, host links: one path per style. */
function svgLinks(scene: Scene, page: Page, which: 'cables' | 'ticks'): string {
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
