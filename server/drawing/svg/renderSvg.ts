import type { Scene } from '../scene.ts';
import { layoutLegend } from '../legendLayout.ts';
import { svgLegend } from './legend.ts';
import { margin, pageOf } from './page.ts';
import { faintInk, ink, paper } from './paper.ts';
import { svgLinks } from './links.ts';
import { svgCores, svgLabels, svgNodes } from './nodes.ts';
import { svgAreaLabels, svgAreas, svgArrows, svgRouterLabels, svgRouters } from './routers.ts';
import { element, emptyElement, round, textElement } from './xml.ts';

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
