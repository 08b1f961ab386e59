import { readableOn } from '../colors.ts';
import { nodeInside, showsCores, tasksOnCores } from '../cores.ts';
import { coordinateLabel, nodeLabel, nodeName, taskLines } from '../labels.ts';
import type { Scene } from '../scene.ts';
import { outlinedFrom } from '../strokes.ts';
import { type Page, freeNode, nodeOutline, routerFill, element, emptyElement, textElement } from './page.ts';

/** Squares narrower than this many pixels carry no label, and more nodes than this no tooltips. */
const labelledPixels = 18;
const tooltipLimit = 2048;

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
  const title = [`${nodeName(scene, entry)} ${coordinateLabel(nodes, entry)}`.trim(), ...taskLines(scene, entry)];
  return element('rect', square, textElement('title', {}, title.join('\n')));
}

/** Sockets and cores of nodes that are large enough, each core in the colour of its task's job. */
export function svgCores(scene: Scene, page: Page): string {
  const { nodes } = scene;
  const inside = nodeInside(scene);
  const drawn: string[] = [];
  for (let entry = 0; entry < nodes.id.length; entry++) {
    const half = nodes.size[entry]! * page.unit;
    if (!showsCores(inside, half)) continue;
    const [x, y] = [page.originX + nodes.x[entry]! * page.unit, page.originY + nodes.y[entry]! * page.unit];
    for (const { left, top, width, height } of inside.sockets) {
      const box = { x: x + left * half, y: y + top * half, width: width * half, height: height * half };
      drawn.push(emptyElement('rect', { ...box, fill: routerFill, stroke: nodeOutline, 'stroke-width': 0.5 }));
    }
    const tasks = tasksOnCores(scene, entry);
    inside.cores.forEach((core, index) => {
      const job = nodes.taskJob[tasks[index]!];
      const side = 2 * core.half * half;
      const square = { x: x + core.x * half - side / 2, y: y + core.y * half - side / 2, width: side, height: side };
      const fill = job === undefined ? freeNode : scene.jobs[job]!.color;
      drawn.push(emptyElement('rect', { ...square, fill, stroke: nodeOutline, 'stroke-width': 0.3 }));
    });
  }
  return drawn.length === 0 ? '' : element('g', { id: 'cores' }, drawn.join('\n'));
}

/** Task numbers in the squares that have room for them. */
export function svgLabels(scene: Scene, page: Page): string {
  const { nodes } = scene;
  const inside = nodeInside(scene);
  const labels: string[] = [];
  for (let entry = 0; entry < nodes.id.length; entry++) {
    const side = 2 * nodes.size[entry]! * page.unit;
    const label = showsCores(inside, side / 2) ? '' : nodeLabel(nodes, entry);
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
