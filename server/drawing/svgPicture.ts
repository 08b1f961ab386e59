/** The elements of a picture on paper. `renderSvg.ts` puts them on a page, with title and legend. */
import { sideOfName } from './areaNames.ts';
import { readableOn } from './colors.ts';
import { nodeInside, showsCores, tasksOnCores } from './cores.ts';
import { arrowOpacity, arrowShape } from './difference.ts';
import {
  coordinateLabel,
  entriesByNumber,
  isPartlyUsed,
  labelLines,
  nodeLabels,
  sceneNodeName,
  partnerLabel,
  patchOf,
  textInCore,
  rankLabel,
  sceneRouterName,
  sizeWithin,
  taskLines,
  usedShare,
} from './labels.ts';
import { arrowHead, frameCorner, leastPrintedText, leastText, railMark, routerLabelOf, showsRails } from './routers.ts';
import type { Scene, SceneDifference } from './scene.ts';
import { markedOpacity, markedRoom, markedWidth, veil, type Marks } from './marks.ts';
import {
  type AddStroke,
  busierStyle,
  crossed,
  stubEnd,
  controlOf,
  isCableKept,
  isTick,
  laneOf,
  lineColors,
  lineOpacity,
  lineWidth,
  outlinedFrom,
  pointOn,
  strokeCable,
  strokeLanes,
  strokeStyles,
  widestTick,
} from './strokes.ts';
import { element, emptyElement, round, textElement, type SvgElement } from './svg.ts';
import type { PageTheme } from './themes.ts';

/** Where the picture stands on its page, in pixels, and how it looks there. */
export interface Place {
  /** Pixels per world unit. */
  readonly unit: number;
  /** Half the side of an ordinary node. */
  readonly nodePixels: number;
  /** Pixel of world (0, 0). */
  readonly originX: number;
  readonly originY: number;
  /** What the picture may cover. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly theme: PageTheme;
  /** Before the ids of elements. */
  readonly prefix: string;
  /** No line is thinner. */
  readonly leastLine: number;
  readonly marks: Marks | undefined;
}

/** The elements of a scene from the back to the front; `plane`, a part of it, comes out of the rest. O(nodes + links). */
export function svgPicture(scene: Scene, place: Place, plane: Scene | undefined): readonly (SvgElement | undefined)[] {
  const { marks } = place;
  const hasRouters = scene.routers.id.length > 0;
  return [
    svgAreas(scene, place),
    svgLinks(scene, place, 'cables'),
    svgStubEnds(scene, place),
    svgArrows(scene, place),
    svgAreaLabels(scene, place),
    ...(marks === undefined || marks.links.size === 0 ? [] : [svgVeil(place), svgRoutes(scene, marks, place, false)]),
    svgRouters(scene, place),
    svgRouterLabels(scene, place),
    ...(hasRouters ? [svgLinks(scene, place, 'ticks'), marks && svgRoutes(scene, marks, place, true)] : []),
    scene.difference && svgMoves(scene, scene.difference, place),
    svgNodes(scene, place),
    svgRails(scene, place),
    svgCrosses(scene, place),
    svgCores(scene, place),
    svgLabels(scene, place),
    plane && svgPlane(scene, plane, { ...place, prefix: 'plane-' }),
    marks && svgEnds(scene, marks, place),
  ];
}

/** One plane of three dimensions in front of the veiled rest. */
function svgPlane(scene: Scene, plane: Scene, place: Place): SvgElement {
  const { marks } = place;
  return element('g', { id: 'plane' }, [
    svgVeil(place),
    scene.projection === 'slices' ? svgAreas(plane, place) : undefined,
    svgLinks(plane, place, 'cables'),
    svgStubEnds(plane, place),
    svgAreaLabels(plane, place),
    marks && svgRoutes(scene, marks, place, false),
    plane.difference && svgMoves(plane, plane.difference, place),
    svgNodes(plane, place),
    svgCrosses(plane, place),
    svgCores(plane, place),
    svgLabels(plane, place),
  ]);
}

/** What lies behind steps back. */
const svgVeil = ({ box, theme }: Place): SvgElement =>
  emptyElement('rect', { ...box, fill: theme.paper, 'fill-opacity': veil });

/** Marked links, each in its lane, as wide and strong as its share; `ticks`: those inside frames, which come in front of them. */
function svgRoutes(scene: Scene, marks: Marks, place: Place, ticks: boolean): SvgElement | undefined {
  const { links } = scene;
  const room = markedRoom(place.nodePixels);
  const lanes = links.from.length <= laneLimit;
  const at = (x: number, y: number): string =>
    `${round(place.originX + x * place.unit)} ${round(place.originY + y * place.unit)}`;
  const drawn: SvgElement[] = [];
  for (let link = 0; link < links.from.length; link++) {
    if (isTick(scene, link) !== ticks) continue;
    for (const forward of [true, false]) {
      const weight = marks.links.get(forward ? links.forwardLink[link]! : links.backwardLink[link]!);
      if (weight === undefined) continue;
      const { x1, y1, x2, y2, bend } = laneOf(scene, link, forward, lanes);
      const width = markedWidth(weight) * room;
      const way = bend === 0 ? 'L' : `Q${at(...controlOf(x1, y1, x2, y2, bend))} `;
      drawn.push(
        emptyElement('path', {
          d: `M${at(x1, y1)}${way}${at(x2, y2)}`,
          'stroke-width': width,
          'stroke-opacity': markedOpacity(weight),
        }),
      );
      const length = Math.hypot(x2 - x1, y2 - y1) * place.unit;
      if (length < leastArrowed) continue;
      const [x, y] = pointOn(x1, y1, x2, y2, bend, 0.55);
      const reach = (3 + width) / place.unit;
      const [dx, dy] = [((x2 - x1) * place.unit * reach) / length, ((y2 - y1) * place.unit * reach) / length];
      const head = [at(x + dx, y + dy), at(x - dx - dy, y - dy + dx), at(x - dx + dy, y - dy - dx)];
      drawn.push(emptyElement('path', { d: `M${head.join('L')}Z`, fill: place.theme.focus, stroke: 'none' }));
    }
  }
  if (drawn.length === 0) return undefined;
  const id = `${place.prefix}${ticks ? 'host-routes' : 'routes'}`;
  return element('g', { id, fill: 'none', stroke: place.theme.focus, 'stroke-linecap': 'round' }, drawn);
}

/** Lines shorter than this many pixels have no room for a direction. */
const leastArrowed = 36;

/** A ring round each node at which flows begin or end. */
function svgEnds({ nodes }: Scene, marks: Marks, place: Place): SvgElement | undefined {
  if (marks.nodes.size === 0) return undefined;
  const rings = Array.from(marks.nodes, (entry) => {
    const half = nodes.size[entry]! * place.unit + 2;
    const [x, y] = [place.originX + nodes.x[entry]! * place.unit, place.originY + nodes.y[entry]! * place.unit];
    return emptyElement('rect', { x: x - half, y: y - half, width: 2 * half, height: 2 * half });
  });
  return element('g', { id: 'ends', fill: 'none', stroke: place.theme.focus, 'stroke-width': 2.5 }, rings);
}

/** More cables than this are one line each instead of two lanes. */
const laneLimit = 1500;

/** Cables or, in front of the frames of switches, host links: one path per style. */
function svgLinks(scene: Scene, place: Place, which: 'cables' | 'ticks'): SvgElement | undefined {
  const styles = strokeStyles(scene);
  const paths: string[][] = styles.map(() => []);
  const at = (x: number, y: number): string =>
    `${round(place.originX + x * place.unit)} ${round(place.originY + y * place.unit)}`;
  const add: AddStroke = (style, x1, y1, x2, y2, bend) => {
    const control = bend === 0 ? undefined : controlOf(x1, y1, x2, y2, bend);
    const way = control === undefined ? 'L' : `Q${at(control[0], control[1])} `;
    paths[style]!.push(`M${at(x1, y1)}${way}${at(x2, y2)}`);
  };
  const count = scene.links.from.length;
  for (let link = 0; link < count; link++) {
    if (isTick(scene, link) !== (which === 'ticks') || !isCableKept(scene, link, place.marks?.kept)) continue;
    if (count <= laneLimit) strokeLanes(scene, link, add);
    else strokeCable(scene, link, add);
  }
  const base = lineWidth(scene, place.nodePixels);
  const widest = which === 'ticks' ? widestTick(scene) * place.unit : Infinity;
  const colors = lineColors(scene, place.theme.isDark);
  const drawn = styles.flatMap((style, index) => {
    if (paths[index]!.length === 0) return [];
    const width = Math.max(place.leastLine, Math.min(base * style.width, widest));
    const opacity = lineOpacity(style, place.nodePixels);
    return emptyElement('path', {
      d: paths[index]!.join(''),
      stroke: style.step < 0 ? place.theme.unusedLink : colors[style.step]!,
      'stroke-width': width,
      ...(opacity < 1 ? { 'stroke-opacity': opacity } : {}),
      ...(style.dashed ? { 'stroke-dasharray': `${round(width * 1.6)} ${round(width * 1.2)}` } : {}),
    });
  });
  return element('g', { id: which === 'cables' ? `${place.prefix}links` : 'host-links', fill: 'none' }, drawn);
}

/** Levels, pods and groups behind everything. */
function svgAreas({ areas }: Scene, place: Place): SvgElement | undefined {
  if (areas.length === 0) return undefined;
  const drawn = areas.map(({ left, top, right, bottom, round: isRound }) => {
    const [x, y] = [place.originX + left * place.unit, place.originY + top * place.unit];
    const [width, height] = [(right - left) * place.unit, (bottom - top) * place.unit];
    return isRound
      ? emptyElement('ellipse', { cx: x + width / 2, cy: y + height / 2, rx: width / 2, ry: height / 2 })
      : emptyElement('rect', { x, y, width, height, rx: 6 });
  });
  return element('g', { id: `${place.prefix}areas`, fill: place.theme.area }, drawn);
}

/** Names of levels, pods and groups, in front of the cables. */
function svgAreaLabels({ areas }: Scene, place: Place): SvgElement | undefined {
  const labels = areas.flatMap(({ left, top, right, round: isRound, label, labelRoom, labelAt }) => {
    if (label === '') return [];
    if (labelAt !== undefined) {
      const at = { x: place.originX + labelAt.x * place.unit, y: place.originY + labelAt.y * place.unit + 4 };
      return [textElement('text', { ...at, 'text-anchor': anchors[sideOfName(labelAt)] }, label)];
    }
    if (labelRoom !== undefined) {
      const size = Math.min(10, 0.8 * labelRoom * place.unit);
      if (size < leastPrintedText) return [];
      const inside = { x: place.originX + left * place.unit + 4, y: place.originY + top * place.unit + 2 + 0.9 * size };
      return [textElement('text', { ...inside, 'font-size': size }, label)];
    }
    const [x, y] = [place.originX + left * place.unit, place.originY + top * place.unit];
    const corner = isRound
      ? { x: x + ((right - left) * place.unit) / 2, y: y + 12, 'text-anchor': 'middle' }
      : { x: x + 6, y: y + 14 };
    return [textElement('text', corner, label)];
  });
  if (labels.length === 0) return undefined;
  const halo = { stroke: place.theme.area, 'stroke-width': 3, 'stroke-linejoin': 'round', 'paint-order': 'stroke' };
  return element('g', { id: `${place.prefix}area-labels`, 'font-size': 10, fill: place.theme.faint, ...halo }, labels);
}

/** Half a node in pixels from which stubs have arrows, and the smallest letters of the name beyond them. */
const arrowsFrom = 4;

/** Of the end of a name that is at its place. */
const anchors = { left: 'end', middle: 'middle', right: 'start' } as const;

/** Arrows at the ends of stubs, and where they lead to. */
function svgStubEnds(scene: Scene, place: Place): SvgElement | undefined {
  if (place.nodePixels < arrowsFrom) return undefined;
  const entries = entriesByNumber(scene.nodes);
  const styles = strokeStyles(scene);
  const heads: string[][] = styles.map(() => []);
  const names: SvgElement[] = [];
  const at = ([x, y]: readonly [number, number]): string =>
    `${round(place.originX + x * place.unit)} ${round(place.originY + y * place.unit)}`;
  for (let link = 0; link < scene.links.from.length; link++) {
    const end = isCableKept(scene, link, place.marks?.kept) ? stubEnd(scene, link) : undefined;
    if (end === undefined) continue;
    heads[busierStyle(scene, link)]!.push(`M${end.arrow.map(at).join('L')}Z`);
    const name = partnerLabel(scene, end.partner, (node) => entries.get(node));
    const size = Math.min(largestName, sizeWithin(name, end.width, end.size) * place.unit);
    if (size < leastPrintedText) continue;
    const beside = { x: place.originX + end.x * place.unit, y: place.originY + end.y * place.unit + size * 0.35 };
    names.push(textElement('text', { ...beside, 'font-size': size, 'text-anchor': end.anchor }, name));
  }
  const drawn = heads.flatMap((paths, style) => {
    if (paths.length === 0) return [];
    const { step } = styles[style]!;
    return emptyElement('path', {
      d: paths.join(''),
      fill: step < 0 ? place.theme.unusedLink : lineColors(scene, place.theme.isDark)[step]!,
    });
  });
  if (drawn.length === 0) return undefined;
  const text = names.length === 0 ? undefined : element('g', { fill: place.theme.faint }, names);
  return element('g', { id: `${place.prefix}stub-ends` }, [...drawn, text]);
}

/** Largest letters beyond a stub. */
const largestName = 11;

/** Arrow heads of cables that go up. */
function svgArrows(scene: Scene, place: Place): SvgElement | undefined {
  const heads = Array.from(scene.links.from.keys()).flatMap((link) => {
    const corners = isCableKept(scene, link, place.marks?.kept) ? arrowHead(scene, link) : undefined;
    if (corners === undefined) return [];
    const places = corners.map(
      ([x, y]) => `${round(place.originX + x * place.unit)} ${round(place.originY + y * place.unit)}`,
    );
    return [`M${places.join('L')}Z`];
  });
  const path = heads.join('');
  return path === '' ? undefined : emptyElement('path', { id: 'arrows', d: path, fill: place.theme.arrow });
}

/** Switches: frames with their nodes inside, discs, and on them their names. */
function svgRouters(scene: Scene, place: Place): SvgElement | undefined {
  const { routers } = scene;
  if (routers.id.length === 0) return undefined;
  const width = Math.min(1.2, Math.max(0.3, 0.03 * place.unit));
  const shapes = Array.from(routers.id, (_, entry) => {
    const half = routers.size[entry]! * place.unit;
    const [x, y] = [place.originX + routers.x[entry]! * place.unit, place.originY + routers.y[entry]! * place.unit];
    const name = routers.isRoot[entry] === 1 ? { 'stroke-width': 3 * width } : {};
    const rank = rankLabel(scene, entry);
    const title = textElement(
      'title',
      {},
      rank === '' ? sceneRouterName(scene, entry) : `${sceneRouterName(scene, entry)}, ${rank}`,
    );
    if (routers.framed[entry] === 0) return element('circle', { cx: x, cy: y, r: half, ...name }, [title]);
    const square = { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: frameCorner * place.unit };
    return element('rect', { ...square, ...name }, [title]);
  });
  const lined = { fill: place.theme.router, stroke: place.theme.routerOutline, 'stroke-width': width };
  return element('g', { id: 'routers', ...lined }, shapes);
}

/** Names of switches, in front of them. */
function svgRouterLabels(scene: Scene, place: Place): SvgElement | undefined {
  const labels = Array.from(scene.routers.id.keys()).flatMap((entry) => {
    const { text, x, y, size } = routerLabelOf(scene, entry);
    const pixels = size * place.unit;
    if (pixels < leastPrintedText) return [];
    const at = { x: place.originX + x * place.unit, y: place.originY + y * place.unit + pixels * 0.35 };
    return [textElement('text', { ...at, 'font-size': pixels }, text)];
  });
  if (labels.length === 0) return undefined;
  const halo = { stroke: place.theme.router, 'stroke-width': 2, 'stroke-linejoin': 'round', 'paint-order': 'stroke' };
  return element('g', { id: 'router-labels', 'text-anchor': 'middle', fill: place.theme.ink, ...halo }, labels);
}

/** The numbers of rails on their links. */
function svgRails(scene: Scene, place: Place): SvgElement | undefined {
  if (!showsRails(scene, place.unit)) return undefined;
  const labels = Array.from(scene.links.from.keys()).flatMap((link) => {
    const mark = isCableKept(scene, link, place.marks?.kept) ? railMark(scene, link) : undefined;
    const pixels = (mark?.size ?? 0) * place.unit;
    if (mark === undefined || pixels < leastText) return [];
    const at = { x: place.originX + mark.x * place.unit, y: place.originY + mark.y * place.unit + pixels * 0.35 };
    return [textElement('text', { ...at, 'font-size': pixels }, mark.text)];
  });
  const halo = { stroke: place.theme.paper, 'stroke-width': 1.5, 'stroke-linejoin': 'round', 'paint-order': 'stroke' };
  return element('g', { id: `${place.prefix}rails`, 'text-anchor': 'middle', fill: place.theme.ink, ...halo }, labels);
}

/** More nodes than this have no tooltips. */
const tooltipLimit = 2048;

/** Nodes as squares, one group per colour in a row; few enough nodes have tooltips and labels. */
function svgNodes(scene: Scene, place: Place): SvgElement | undefined {
  const { nodes } = scene;
  const groups: SvgElement[] = [];
  // Free nodes are as white as the paper: they always need an outline.
  const lined = {
    stroke: place.theme.nodeOutline,
    'stroke-width': Math.min(1, Math.max(0.2, place.nodePixels * 0.07)),
  };
  for (let start = 0; start < nodes.id.length;) {
    let end = start;
    const job = nodes.job[start]!;
    const squares: SvgElement[] = [];
    for (; end < nodes.id.length && nodes.job[end] === job; end++) squares.push(svgNode(scene, place, end));
    const fill = job < 0 ? place.theme.freeNode : scene.jobs[job]!.color;
    groups.push(element('g', { fill, ...(job < 0 || place.nodePixels >= outlinedFrom ? lined : {}) }, squares));
    start = end;
  }
  return element('g', { id: `${place.prefix}nodes` }, [...groups, ...svgUnused(scene, place)]);
}

/** What of a block is not in use, its upper part. */
function svgUnused(scene: Scene, place: Place): readonly SvgElement[] {
  const { nodes, blocks } = scene;
  if (blocks === undefined) return [];
  const parts = [...nodes.id.keys()]
    .filter((entry) => isPartlyUsed(blocks, entry))
    .map((entry) => {
      const half = nodes.size[entry]! * place.unit;
      const [x, y] = [
        place.originX + nodes.x[entry]! * place.unit - half,
        place.originY + nodes.y[entry]! * place.unit - half,
      ];
      return emptyElement('rect', { x, y, width: 2 * half, height: 2 * half * (1 - usedShare(blocks, entry)) });
    });
  return parts.length === 0 ? [] : [element('g', { fill: place.theme.freeNode }, parts)];
}

/** A cross over each node that does not work. */
function svgCrosses({ nodes }: Scene, place: Place): SvgElement | undefined {
  if (nodes.broken === undefined || nodes.broken.length === 0) return undefined;
  const strokes = Array.from(nodes.broken, (entry) => {
    const half = nodes.size[entry]! * place.unit * crossed;
    const [x, y] = [place.originX + nodes.x[entry]! * place.unit, place.originY + nodes.y[entry]! * place.unit];
    const [left, right, top, bottom] = [x - half, x + half, y - half, y + half].map(round) as [
      string,
      string,
      string,
      string,
    ];
    return `M${left} ${top}L${right} ${bottom}M${right} ${top}L${left} ${bottom}`;
  });
  const stroke = { stroke: place.theme.ink, 'stroke-width': Math.max(place.leastLine, place.nodePixels * 0.12) };
  return element('g', { id: `${place.prefix}broken`, fill: 'none', ...stroke }, [
    emptyElement('path', { d: strokes.join('') }),
  ]);
}

/** One node as a square. */
function svgNode(scene: Scene, place: Place, entry: number): SvgElement {
  const { nodes } = scene;
  const half = nodes.size[entry]! * place.unit;
  const square = {
    x: place.originX + nodes.x[entry]! * place.unit - half,
    y: place.originY + nodes.y[entry]! * place.unit - half,
    width: 2 * half,
    height: 2 * half,
    ...(half > 5 ? { rx: half * 0.2 } : {}),
  };
  if (nodes.id.length > tooltipLimit) return emptyElement('rect', square);
  const title = [`${sceneNodeName(scene, entry)} ${coordinateLabel(nodes, entry)}`.trim(), ...taskLines(scene, entry)];
  return element('rect', square, [textElement('title', {}, title.join('\n'))]);
}

/** Sockets and cores of nodes that are large enough, each core in the colour of its task's job, with its number where there is room. */
function svgCores(scene: Scene, place: Place): SvgElement | undefined {
  const { nodes } = scene;
  const inside = nodeInside(scene);
  const drawn: SvgElement[] = [];
  for (let entry = 0; entry < nodes.id.length; entry++) {
    const half = nodes.size[entry]! * place.unit;
    if (!showsCores(inside, half)) continue;
    const [x, y] = [place.originX + nodes.x[entry]! * place.unit, place.originY + nodes.y[entry]! * place.unit];
    for (const { left, top, width, height } of inside.sockets) {
      const box = { x: x + left * half, y: y + top * half, width: width * half, height: height * half };
      drawn.push(
        emptyElement('rect', {
          ...box,
          fill: place.theme.router,
          stroke: place.theme.nodeOutline,
          'stroke-width': 0.5,
        }),
      );
    }
    const tasks = tasksOnCores(scene, entry);
    inside.cores.forEach((core, index) => {
      const job = nodes.taskJob[tasks[index]!];
      const side = 2 * core.half * half;
      const square = { x: x + core.x * half - side / 2, y: y + core.y * half - side / 2, width: side, height: side };
      const fill = job === undefined ? place.theme.freeNode : scene.jobs[job]!.color;
      drawn.push(emptyElement('rect', { ...square, fill, stroke: place.theme.nodeOutline, 'stroke-width': 0.3 }));
      const text = `${nodes.task[tasks[index]!] ?? ''}`;
      const letters = scene.labels === 'task' && job !== undefined ? textInCore(text, side / 2) : 0;
      if (letters === 0) return;
      const at = { x: square.x + side / 2, y: square.y + side / 2 + letters * 0.35, 'text-anchor': 'middle' };
      drawn.push(textElement('text', { ...at, 'font-size': letters, fill: readableOn(fill) }, text));
    });
  }
  return drawn.length === 0 ? undefined : element('g', { id: `${place.prefix}cores` }, drawn);
}

/** What stands in the squares that have room for it; over cores, which show their tasks themselves, on a patch. */
function svgLabels(scene: Scene, place: Place): SvgElement | undefined {
  const { nodes } = scene;
  const inside = nodeInside(scene);
  const labels: SvgElement[] = [];
  for (let entry = 0; entry < nodes.id.length; entry++) {
    const half = nodes.size[entry]! * place.unit;
    const [x, y] = [place.originX + nodes.x[entry]! * place.unit, place.originY + nodes.y[entry]! * place.unit];
    const job = nodes.job[entry]!;
    if (showsCores(inside, half)) {
      const [line] = scene.labels === 'task' ? [] : labelLines({ ...nodeLabels(scene, entry), small: '' }, half);
      if (line === undefined) continue;
      const patch = patchOf(line);
      labels.push(
        emptyElement('rect', {
          ...patch,
          x: x + patch.x,
          y: y + patch.y,
          rx: 2,
          fill: place.theme.paper,
          'fill-opacity': 0.85,
        }),
      );
      labels.push(
        textElement('text', { x, y: y + line.size * 0.35, 'font-size': line.size, fill: place.theme.ink }, line.text),
      );
      continue;
    }
    const fill = job < 0 ? place.theme.ink : readableOn(scene.jobs[job]!.color);
    for (const { text, size, drop } of labelLines(nodeLabels(scene, entry), half))
      labels.push(textElement('text', { x, y: y + drop + size * 0.35, 'font-size': size, fill }, text));
  }
  return element('g', { id: `${place.prefix}labels`, 'text-anchor': 'middle' }, labels);
}

/** Arrows from the nodes that tasks ran on to those that they run on, in front of all but the nodes. */
function svgMoves(scene: Scene, difference: SceneDifference, place: Place): SvgElement | undefined {
  const at = (x: number, y: number): string =>
    `${round(place.originX + x * place.unit)} ${round(place.originY + y * place.unit)}`;
  const drawn = Array.from(difference.arrows.from.keys()).flatMap((arrow) => {
    const shape = arrowShape(scene, arrow);
    if (shape === undefined) return [];
    const { x1, y1, x2, y2, bend, width, head } = shape;
    const way = `M${at(x1, y1)}Q${at(...controlOf(x1, y1, x2, y2, bend))} ${at(x2, y2)}`;
    const line = { d: way, fill: 'none', 'stroke-linecap': 'round' };
    const pixels = Math.max(0.6, width * place.unit);
    return [
      emptyElement('path', { ...line, stroke: place.theme.paper, 'stroke-width': pixels + 2 }),
      emptyElement('path', { ...line, stroke: place.theme.ink, 'stroke-width': pixels }),
      emptyElement('path', {
        d: `M${head.map((corner) => at(...corner)).join('L')}Z`,
        fill: place.theme.ink,
        stroke: place.theme.paper,
        'stroke-width': 0.6,
      }),
    ];
  });
  return drawn.length === 0
    ? undefined
    : element('g', { id: `${place.prefix}moves`, opacity: round(arrowOpacity(difference)) }, drawn);
}
