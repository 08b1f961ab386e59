import { readableOn } from './colors.ts';
import { nodeInside, showsCores, tasksOnCores } from './cores.ts';
import { arrowOpacity, arrowShape } from './difference.ts';
import {
  coordinateLabel,
  entriesByNumber,
  labelLines,
  nodeLabels,
  nodeName,
  partnerLabel,
  patchOf,
  pictureSubtitle,
  pictureTitle,
  rankLabel,
  routerName,
  sizeWithin,
  taskLines,
} from './labels.ts';
import { layoutLegend, type LegendItem, type LegendLayout } from './legendLayout.ts';
import { arrowHead, frameCorner, routerLabelOf } from './routers.ts';
import type { Scene, SceneDifference } from './scene.ts';
import {
  type AddStroke,
  busierStyle,
  stubEnd,
  controlOf,
  isTick,
  laneShift,
  lineColors,
  lineOpacity,
  lineWidth,
  outlinedFrom,
  strokeCable,
  strokeLanes,
  strokeStyles,
  typicalNodeSize,
} from './strokes.ts';
import { element, emptyElement, faintInk, ink, paper, round, svgDocument, textElement } from './svg.ts';

/**
 * A scene as a standalone SVG file on white paper: picture, key figures, jobs and load scale,
 * with title and description for screen readers. No scripts, styles or references to
 * elsewhere. The same scene gives the same bytes. O(nodes + links).
 */
export function renderSvg(scene: Scene): string {
  const legend = layoutLegend(scene, lineColors(scene, false));
  const page = pageOf(scene, legend);
  const { about } = scene;
  const content = [
    textElement(
      'title',
      { id: 'title' },
      about === undefined ? `${pictureTitle(scene)} on ${scene.machine}` : scene.machine,
    ),
    textElement('desc', { id: 'description' }, scene.description),
    emptyElement('rect', { width: page.width, height: page.height, fill: paper }),
    textElement(
      'text',
      { x: margin, y: margin + 16, 'font-size': 20, 'font-weight': 'bold', fill: ink },
      pictureTitle(scene),
    ),
    textElement('text', { x: margin, y: margin + 36, fill: faintInk }, pictureSubtitle(scene)),
    svgAreas(scene, page),
    svgLinks(scene, page, 'cables'),
    svgStubEnds(scene, page),
    svgArrows(scene, page),
    svgAreaLabels(scene, page),
    svgRouters(scene, page),
    svgRouterLabels(scene, page),
    ...(scene.routers.id.length === 0 ? [] : [svgLinks(scene, page, 'ticks')]),
    ...(scene.difference === undefined ? [] : [svgMoves(scene, scene.difference, page)]),
    svgNodes(scene, page),
    svgCores(scene, page),
    svgLabels(scene, page),
    element('g', { transform: `translate(${round(page.legendX)} ${round(page.legendY)})` }, svgLegend(legend)),
  ];
  return svgDocument(page.width, page.height, content);
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
  const colors = lineColors(scene, false);
  const drawn = styles.flatMap((style, index) => {
    if (paths[index]!.length === 0) return [];
    const width = base * style.width;
    const opacity = lineOpacity(style, page.nodePixels);
    return emptyElement('path', {
      d: paths[index]!.join(''),
      stroke: style.step < 0 ? unusedLink : colors[style.step]!,
      'stroke-width': width,
      ...(opacity < 1 ? { 'stroke-opacity': opacity } : {}),
      ...(style.dashed ? { 'stroke-dasharray': `${round(width * 1.6)} ${round(width * 1.2)}` } : {}),
    });
  });
  return element('g', { id: which === 'cables' ? 'links' : 'host-links', fill: 'none' }, drawn.join('\n'));
}

/** Smaller text of switches than this many pixels is left out. */
const leastText = 4;

/** Levels, pods and groups behind everything. */
function svgAreas({ areas }: Scene, page: Page): string {
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

/** Names of levels, pods and groups, in front of the cables. */
function svgAreaLabels({ areas }: Scene, page: Page): string {
  const labels = areas.flatMap(({ left, top, right, round: isRound, label, labelRoom, labelAt }) => {
    if (label === '') return [];
    if (labelAt !== undefined) {
      const at = { x: page.originX + labelAt.x * page.unit, y: page.originY + labelAt.y * page.unit + 4 };
      return [textElement('text', { ...at, 'text-anchor': outwards(labelAt) }, label)];
    }
    if (labelRoom !== undefined) {
      const size = Math.min(10, 0.8 * labelRoom * page.unit);
      if (size < leastText) return [];
      const inside = { x: page.originX + left * page.unit + 4, y: page.originY + top * page.unit + 2 + 0.9 * size };
      return [textElement('text', { ...inside, 'font-size': size }, label)];
    }
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

/** Half a node in pixels from which stubs have arrows, and the smallest letters of the name beyond them. */
const arrowsFrom = 4;

/** Names round a circle are written away from it, so that they do not run into what they name. */
const outwards = ({ x, y }: { readonly x: number; readonly y: number }): string =>
  Math.abs(x) < Math.abs(y) * 0.35 ? 'middle' : x < 0 ? 'end' : 'start';

/** Arrows at the ends of stubs, and where they lead to. */
function svgStubEnds(scene: Scene, page: Page): string {
  if (page.nodePixels < arrowsFrom) return '';
  const entries = entriesByNumber(scene.nodes);
  const styles = strokeStyles(scene);
  const heads: string[][] = styles.map(() => []);
  const names: string[] = [];
  const place = ([x, y]: readonly [number, number]): string =>
    `${round(page.originX + x * page.unit)} ${round(page.originY + y * page.unit)}`;
  for (let link = 0; link < scene.links.from.length; link++) {
    const end = stubEnd(scene, link);
    if (end === undefined) continue;
    heads[busierStyle(scene, link)]!.push(`M${end.arrow.map(place).join('L')}Z`);
    const name = partnerLabel(scene, end.partner, (node) => entries.get(node));
    const size = Math.min(largestName, sizeWithin(name, end.width, end.size) * page.unit);
    if (size < leastText) continue;
    const at = { x: page.originX + end.x * page.unit, y: page.originY + end.y * page.unit + size * 0.35 };
    names.push(textElement('text', { ...at, 'font-size': size, 'text-anchor': end.anchor }, name));
  }
  const drawn = heads.flatMap((paths, style) => {
    if (paths.length === 0) return [];
    const { step } = styles[style]!;
    return emptyElement('path', { d: paths.join(''), fill: step < 0 ? unusedLink : lineColors(scene, false)[step]! });
  });
  if (drawn.length === 0) return '';
  const text = names.length === 0 ? '' : element('g', { fill: faintInk }, names.join('\n'));
  return element('g', { id: 'stub-ends' }, [...drawn, text].filter((part) => part !== '').join('\n'));
}

/** Largest letters beyond a stub. */
const largestName = 11;

/** Arrow heads of cables that go up. */
function svgArrows(scene: Scene, page: Page): string {
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
function svgRouters(scene: Scene, page: Page): string {
  const { routers } = scene;
  if (routers.id.length === 0) return '';
  const width = Math.min(1.2, Math.max(0.3, 0.03 * page.unit));
  const shapes = Array.from(routers.id, (_, entry) => {
    const half = routers.size[entry]! * page.unit;
    const [x, y] = [page.originX + routers.x[entry]! * page.unit, page.originY + routers.y[entry]! * page.unit];
    const name = routers.isRoot[entry] === 1 ? { 'stroke-width': 3 * width } : {};
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

/** Names of switches, in front of them. */
function svgRouterLabels(scene: Scene, page: Page): string {
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

/** More nodes than this have no tooltips. */
const tooltipLimit = 2048;

/** Nodes as squares, one group per colour in a row; few enough nodes have tooltips and labels. */
function svgNodes(scene: Scene, page: Page): string {
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

/** One node as a square. */
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
function svgCores(scene: Scene, page: Page): string {
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

/** What stands in the squares that have room for it; over cores, which show their tasks themselves, on a patch. */
function svgLabels(scene: Scene, page: Page): string {
  const { nodes } = scene;
  const inside = nodeInside(scene);
  const labels: string[] = [];
  for (let entry = 0; entry < nodes.id.length; entry++) {
    const half = nodes.size[entry]! * page.unit;
    const [x, y] = [page.originX + nodes.x[entry]! * page.unit, page.originY + nodes.y[entry]! * page.unit];
    const job = nodes.job[entry]!;
    if (showsCores(inside, half)) {
      const [line] = scene.labels === 'task' ? [] : labelLines({ ...nodeLabels(scene, entry), small: '' }, half);
      if (line === undefined) continue;
      const patch = patchOf(line);
      labels.push(
        emptyElement('rect', { ...patch, x: x + patch.x, y: y + patch.y, rx: 2, fill: paper, 'fill-opacity': 0.85 }),
      );
      labels.push(textElement('text', { x, y: y + line.size * 0.35, 'font-size': line.size, fill: ink }, line.text));
      continue;
    }
    const fill = job < 0 ? ink : readableOn(scene.jobs[job]!.color);
    for (const { text, size, drop } of labelLines(nodeLabels(scene, entry), half))
      labels.push(textElement('text', { x, y: y + drop + size * 0.35, 'font-size': size, fill }, text));
  }
  return element('g', { id: 'labels', 'text-anchor': 'middle' }, labels.join('\n'));
}

/** Arrows from the nodes that tasks ran on to those that they run on, in front of all but the nodes. */
function svgMoves(scene: Scene, difference: SceneDifference, page: Page): string {
  const place = (x: number, y: number): string =>
    `${round(page.originX + x * page.unit)} ${round(page.originY + y * page.unit)}`;
  const drawn = Array.from(difference.arrows.from.keys()).flatMap((arrow) => {
    const shape = arrowShape(scene, arrow);
    if (shape === undefined) return [];
    const { x1, y1, x2, y2, bend, width, head } = shape;
    const way = `M${place(x1, y1)}Q${place(...controlOf(x1, y1, x2, y2, bend))} ${place(x2, y2)}`;
    const line = { d: way, fill: 'none', 'stroke-linecap': 'round' };
    const pixels = Math.max(0.6, width * page.unit);
    return [
      emptyElement('path', { ...line, stroke: paper, 'stroke-width': pixels + 2 }),
      emptyElement('path', { ...line, stroke: ink, 'stroke-width': pixels }),
      emptyElement('path', { d: `M${head.map((corner) => place(...corner)).join('L')}Z`, fill: ink, stroke: paper, 'stroke-width': 0.6 }), // prettier-ignore
    ];
  });
  return drawn.length === 0
    ? ''
    : element('g', { id: 'moves', opacity: round(arrowOpacity(difference)) }, drawn.join('\n'));
}

/** Where things stand on the page, in pixels. */
interface Page {
  readonly width: number;
  readonly height: number;
  /** Pixels per world unit. */
  readonly unit: number;
  /** Half the side of an ordinary node. */
  readonly nodePixels: number;
  /** Pixel of world (0, 0). */
  readonly originX: number;
  readonly originY: number;
  readonly legendX: number;
  readonly legendY: number;
}

const margin = 28;
const titleHeight = 56;
/** Half the side of a node is at most this: small machines are not blown up. */
const largestNode = 19;
const pictureWidth = 900;
const pictureHeight = 760;

/** Fits the picture into its part of the page. */
function pageOf(scene: Scene, legend: LegendLayout): Page {
  const { left, top, right, bottom } = scene.bounds;
  const [width, height] = [Math.max(right - left, 1e-6), Math.max(bottom - top, 1e-6)];
  const nodeSize = typicalNodeSize(scene);
  const unit = Math.min(largestNode / nodeSize, pictureWidth / width, pictureHeight / height);
  const contentHeight = Math.max(height * unit, legend.height);
  return {
    width: margin + width * unit + margin + legend.width + margin,
    height: margin + titleHeight + contentHeight + margin,
    unit,
    nodePixels: nodeSize * unit,
    originX: margin - left * unit,
    originY: margin + titleHeight - top * unit,
    legendX: margin + width * unit + margin,
    legendY: margin + titleHeight,
  };
}

/** Colours on white paper. */
const unusedLink = '#c9ced4';
const freeNode = '#ffffff';
const nodeOutline = '#3d444d';
const routerFill = '#eceff2';
const routerOutline = '#57606a';
const areaFill = '#f5f7f9';
const arrowInk = '#3d444d';
