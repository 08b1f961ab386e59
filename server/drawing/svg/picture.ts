import { readableOn } from '../colors.ts';
import { coordinateLabel, nodeLabel, taskLines } from '../labels.ts';
import type { Scene } from '../scene.ts';
import {
  laneShift,
  lineOpacity,
  lineWidth,
  outlinedFrom,
  strokeCable,
  strokeLanes,
  strokeStyles,
  type AddStroke,
} from '../strokes.ts';
import type { Page } from './page.ts';
import { freeNode, nodeOutline, unusedLink } from './paper.ts';
import { element, emptyElement, round, textElement } from './xml.ts';

/** More cables than this are one line each instead of two lanes. */
const laneLimit = 1500;
/** Squares narrower than this many pixels carry no label, and more nodes than this no tooltips. */
const labelledPixels = 18;
const tooltipLimit = 2048;

/** Cables, one path per style. */
export function svgLinks(scene: Scene, page: Page): string {
  const styles = strokeStyles(scene);
  const paths: string[][] = styles.map(() => []);
  const add: AddStroke = (style, x1, y1, x2, y2) => {
    const [left, top] = [round(page.originX + x1 * page.unit), round(page.originY + y1 * page.unit)];
    const [right, bottom] = [round(page.originX + x2 * page.unit), round(page.originY + y2 * page.unit)];
    paths[style]!.push(`M${left} ${top}L${right} ${bottom}`);
  };
  const count = scene.links.from.length;
  const shift = laneShift(scene);
  for (let link = 0; link < count; link++) {
    if (count <= laneLimit) strokeLanes(scene, link, shift, add);
    else strokeCable(scene, link, add);
  }
  const base = lineWidth(page.nodePixels);
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
  return element('g', { id: 'links', fill: 'none' }, drawn.join('\n'));
}

/** Nodes as squares, one group per colour in a row; few enough nodes have tooltips and labels. */
export function svgNodes(scene: Scene, page: Page): string {
  const { nodes } = scene;
  const groups: string[] = [];
  // Free nodes are as white as the paper: they always need an outline.
  const lined = { stroke: nodeOutline, 'stroke-width': Math.min(1, Math.max(0.2, page.nodePixels * 0.07)) };
  for (let start = 0; start < nodes.id.length;) {
    let end = start;
    const job = nodes.job[start]!;
    const squares: string[] = [];
    for (; end < nodes.id.length && nodes.job[end] === job; end++) squares.push(svgNode(scene, page, end));
    const fill = job < 0 ? freeNode : scene.jobs[job]!.color;
    groups.push(element('g', { fill, ...(job < 0 || page.nodePixels >= outlinedFrom ? lined : {}) }, squares.join('')));
    start = end;
  }
  return element('g', { id: 'nodes' }, groups.join('\n'));
}

function svgNode(scene: Scene, page: Page, entry: number): string {
  const { nodes } = scene;
  const half = nodes.size[entry]! * page.unit;
  const square = {
    x: page.originX + nodes.x[entry]! * page.unit - half,
    y: page.originY + nodes.y[entry]! * page.unit - half,
    width: 2 * half,
    height: 2 * half,
    ...(half > 5 ? { rx: half * 0.2 } : {}),
  };
  if (nodes.id.length > tooltipLimit) return emptyElement('rect', square);
  const title = [`node ${nodes.id[entry]!} ${coordinateLabel(nodes, entry)}`.trim(), ...taskLines(scene, entry)];
  return element('rect', square, textElement('title', {}, title.join('\n')));
}

/** Task numbers in the squares that have room for them. */
export function svgLabels(scene: Scene, page: Page): string {
  const { nodes } = scene;
  const labels: string[] = [];
  for (let entry = 0; entry < nodes.id.length; entry++) {
    const side = 2 * nodes.size[entry]! * page.unit;
    const label = nodeLabel(nodes, entry);
    if (side < labelledPixels || label === '') continue;
    const size = Math.min(side * 0.4, (side * 1.5) / label.length);
    if (size < 6) continue;
    labels.push(
      textElement(
        'text',
        {
          x: page.originX + nodes.x[entry]! * page.unit,
          y: page.originY + nodes.y[entry]! * page.unit + size * 0.35,
          'font-size': size,
          fill: readableOn(scene.jobs[nodes.job[entry]!]!.color),
        },
        label,
      ),
    );
  }
  return element('g', { id: 'labels', 'text-anchor': 'middle' }, labels.join('\n'));
}
