/** Pictures laid out anew: three dimensions as planes or in axonometry, for a wide or a narrow room; and one plane alone. */
import { axisName } from '../model/shape.ts';
import { groupStarts } from '../numeric/grouping.ts';
import { blockRange } from './blocks.ts';
import { usualProportion, type Layout, type Network } from './layout/contract.ts';
import { layoutGrid, planeAxis, type CoordinateWords } from './layout/grids.ts';
import { layoutLevels } from './layout/levels.ts';
import { layoutGroups } from './layout/rings.ts';
import { layoutTiers } from './layout/tiers.ts';
import { placeAgain } from './links.ts';
import { squaresInRouters } from './nodes.ts';
import {
  hostFlag,
  stubAtToFlag,
  stubFlag,
  type Projection,
  type Scene,
  type SceneArrows,
  type SceneBlocks,
  type SceneLinks,
} from './scene.ts';
import { withRoomForNames } from './routers.ts';
import { sceneBounds, lineScaleOf } from './strokes.ts';

/** How a picture is laid out. */
export interface LayoutChoice {
  readonly projection?: Projection | undefined;
  /** Width over height of the room for it. */
  readonly proportion?: number | undefined;
}

/**
 * The picture laid out in another way: its three dimensions in another projection, planes, rows and groups for a room of other
 * proportions. Pictures that have no choice stay as they are. Entries of nodes keep their order, those of links change in
 * number with the projection alone. O(nodes + links), and the time of the layout.
 */
export function laidOut(scene: Scene, choice: LayoutChoice): Scene {
  const proportion = choice.proportion ?? scene.proportion;
  const projection = scene.projection && (choice.projection ?? scene.projection);
  if (projection === scene.projection && proportion === scene.proportion) return scene;
  const layout = layoutAgain(scene, projection, proportion);
  if (layout === undefined) return scene;
  const { fabric } = layout;
  const nodes =
    fabric === undefined
      ? { ...scene.nodes, ...squaresInRouters(layout, scene.nodes.id, scene.nodes.perRouter) }
      : { ...scene.nodes, x: fabric.nodeX, y: fabric.nodeY, size: fabric.nodeSize };
  const routers =
    fabric === undefined
      ? scene.routers
      : { ...scene.routers, x: layout.x, y: layout.y, size: layout.size, framed: fabric.framed };
  const { links, source } = placeAgain(scene.links, scene, layout);
  const areas = fabric?.areas ?? layout.areas ?? [];
  const bounds = withRoomForNames(sceneBounds({ areas, nodes, routers, links }), routers);
  return {
    ...scene,
    ...differenceAt(scene, source),
    ...(projection === undefined ? {} : { projection }),
    ...{ bounds, areas, nodes, routers, links, proportion },
    lineScale: fabric === undefined ? 1 : lineScaleOf(bounds, links),
  };
}

/** Rooms for pictures are told apart by steps of the square root of two, and the last of these is at either side. */
const stepsPerDoubling = 2;
const lastStep = 3;
/** Another step is taken once the room is so much of one away: else a picture at the border of two would jump to and fro. */
const reluctance = 0.7;

/** The proportion for which a picture is laid out in a room of so many pixels, where it is laid out for `now`. O(1). */
export function proportionOf(width: number, height: number, now = usualProportion): number {
  if (!(width > 0 && height > 0)) return now;
  const step = stepsPerDoubling * Math.log2(width / height / usualProportion);
  if (Math.abs(step - stepsPerDoubling * Math.log2(now / usualProportion)) < reluctance) return now;
  const whole = Math.max(-lastStep, Math.min(lastStep, Math.round(step)));
  return usualProportion * 2 ** (whole / stepsPerDoubling);
}

/** undefined where nothing would change. */
function layoutAgain(scene: Scene, projection: Projection | undefined, proportion: number): Layout | undefined {
  const { routers, shape, blocks } = scene;
  if (blocks !== undefined && shape.length === 0) return undefined;
  if (routers.id.length === 0) {
    const routerCount = shape.reduce((count, side) => count * side, 1);
    return layoutGrid({ routerCount }, shape, projection, proportion, coordinateWords(scene));
  }
  switch (routers.rankWord) {
    case 'tier':
      return layoutTiers(sceneNetwork(scene), routers.rank, proportion);
    case 'level':
      return layoutLevels(sceneNetwork(scene), routers.rank, proportion);
    case 'group':
      return layoutGroups(sceneNetwork(scene), routers.rank, proportion);
    case '':
      return undefined;
  }
}

/** How a picture names positions on its axes. */
const coordinateWords = ({ blocks }: Pick<Scene, 'blocks'>): CoordinateWords =>
  blocks === undefined ? (_, position) => `${position}` : (axis, position) => blockRange(blocks, axis, position);

/** The network that a scene shows, as layouts know it. O(links). */
function sceneNetwork({ routers, nodes, links, rails, groupShape }: Scene): Network {
  const between = [...links.from.keys()].filter((entry) => (links.flags[entry]! & hostFlag) === 0);
  const from = new Int32Array(2 * between.length);
  const to = new Int32Array(2 * between.length);
  for (const entry of between) {
    const [forward, backward] = [links.forwardLink[entry]!, links.backwardLink[entry]!];
    from[forward] = to[backward] = links.from[entry]!;
    to[forward] = from[backward] = links.to[entry]!;
  }
  const routerCount = routers.id.length;
  return {
    routerCount,
    routerOfNode: nodes.router,
    ...(groupShape && { groupShape }),
    ...(rails && { rails: scenePorts(links) }),
    links: { from, to, firstLink: groupStarts(from, routerCount), routerLinkCount: from.length },
  };
}

/** Node and router of each adapter. O(links). */
function scenePorts({ flags, from, to }: SceneLinks): NonNullable<Network['rails']> {
  const hosts = [...flags.keys()].filter((entry) => (flags[entry]! & hostFlag) !== 0);
  return {
    nodeOfPort: Int32Array.from(hosts, (entry) => from[entry]!),
    routerOfPort: Int32Array.from(hosts, (entry) => to[entry]!),
  };
}

/** What is parallel to the links of a difference, for other entries of links. */
function differenceAt({ difference }: Scene, entries: ArrayLike<number>): Pick<Scene, 'difference'> {
  if (difference === undefined) return {};
  const { forward, backward } = difference;
  return {
    difference: {
      ...difference,
      forward: Float64Array.from(entries, (link) => forward[link]!),
      backward: Float64Array.from(entries, (link) => backward[link]!),
    },
  };
}

/** How many planes a picture of three dimensions has; 0 for any other. */
export function planeCount({ projection, shape }: Scene): number {
  if (projection === undefined) return 0;
  return shape[planeAxis(shape) ?? -1] ?? 0;
}

/** `z = 3`. */
export function planeName(scene: Scene, plane: number): string {
  const axis = planeAxis(scene.shape) ?? 0;
  return `${axisName(axis)} = ${coordinateWords(scene)(axis, plane)}`;
}

/** What stands in one plane, the rest of the picture left out: its nodes, and the cables that begin or end there. O(nodes + links). */
export function planeOf(scene: Scene, plane: number): Scene {
  const { nodes, links, shape } = scene;
  const axis = planeAxis(shape) ?? 0;
  const stride = shape.slice(0, axis).reduce((product, side) => product * side, 1);
  const planeOfRouter = (router: number): number => Math.floor(router / stride) % shape[axis]!;
  const entries = [...nodes.id.keys()].filter(
    (entry) => planeOfRouter(Math.floor(nodes.id[entry]! / nodes.perRouter)) === plane,
  );
  const cables = [...links.from.keys()].filter((link) => {
    const flags = links.flags[link]!;
    const [from, to] = [planeOfRouter(links.from[link]!) === plane, planeOfRouter(links.to[link]!) === plane];
    if ((flags & stubFlag) === 0) return from || to;
    return (flags & stubAtToFlag) === 0 ? from : to;
  });
  const { difference } = differenceAt(scene, cables);
  return {
    ...scene,
    ...(difference !== undefined && {
      difference: {
        ...difference,
        arrows: arrowsWithin(difference.arrows, entries),
        ...(difference.blocks && {
          blocks: {
            ...difference.blocks,
            tasks: Int32Array.from(entries, (entry) => difference.blocks!.tasks[entry]!),
          },
        }),
      },
    }),
    ...(scene.blocks && { blocks: pickBlocks(scene.blocks, entries) }),
    areas: scene.areas.slice(plane, plane + 1),
    nodes: pickNodes(nodes, entries),
    links: pickLinks(links, cables),
  };
}

/** Arrows between nodes of the plane; those that leave it stay with the picture behind. */
function arrowsWithin({ from, to, tasks }: SceneArrows, entries: readonly number[]): SceneArrows {
  const places = new Map(entries.map((entry, place) => [entry, place]));
  const kept = [...from.keys()].filter((arrow) => places.has(from[arrow]!) && places.has(to[arrow]!));
  return {
    from: Int32Array.from(kept, (arrow) => places.get(from[arrow]!)!),
    to: Int32Array.from(kept, (arrow) => places.get(to[arrow]!)!),
    tasks: Int32Array.from(kept, (arrow) => tasks[arrow]!),
  };
}

function pickNodes(nodes: Scene['nodes'], entries: readonly number[]): Scene['nodes'] {
  const tasks = entries.flatMap((entry) =>
    Array.from(
      { length: nodes.taskStart[entry + 1]! - nodes.taskStart[entry]! },
      (_, index) => nodes.taskStart[entry]! + index,
    ),
  );
  const taskStart = new Int32Array(entries.length + 1);
  entries.forEach((entry, index) => {
    taskStart[index + 1] = taskStart[index]! + nodes.taskStart[entry + 1]! - nodes.taskStart[entry]!;
  });
  const { coordinateCount } = nodes;
  return {
    ...nodes,
    x: Float32Array.from(entries, (entry) => nodes.x[entry]!),
    y: Float32Array.from(entries, (entry) => nodes.y[entry]!),
    size: Float32Array.from(entries, (entry) => nodes.size[entry]!),
    id: Int32Array.from(entries, (entry) => nodes.id[entry]!),
    job: Int16Array.from(entries, (entry) => nodes.job[entry]!),
    sent: Float64Array.from(entries, (entry) => nodes.sent[entry]!),
    received: Float64Array.from(entries, (entry) => nodes.received[entry]!),
    taskStart,
    task: Int32Array.from(tasks, (place) => nodes.task[place]!),
    taskJob: Int16Array.from(tasks, (place) => nodes.taskJob[place]!),
    taskCore: Int32Array.from(tasks, (place) => nodes.taskCore[place]!),
    coordinates: Int32Array.from(
      entries.flatMap((entry) => [...nodes.coordinates.slice(entry * coordinateCount, (entry + 1) * coordinateCount)]),
    ),
    names: nodes.names.length === 0 ? [] : entries.map((entry) => nodes.names[entry]!),
    ...(nodes.broken && {
      broken: Int32Array.from(entries.keys()).filter((at) => nodes.broken!.includes(entries[at]!)),
    }),
  };
}

const pickBlocks = (blocks: SceneBlocks, entries: readonly number[]): SceneBlocks => ({
  ...blocks,
  ...(blocks.switches && { switches: Int32Array.from(entries, (entry) => blocks.switches![entry]!) }),
  nodes: Int32Array.from(entries, (entry) => blocks.nodes[entry]!),
  used: Int32Array.from(entries, (entry) => blocks.used[entry]!),
  tasks: Int32Array.from(entries, (entry) => blocks.tasks[entry]!),
  meanLoad: Float64Array.from(entries, (entry) => blocks.meanLoad[entry]!),
  largestLoad: Float64Array.from(entries, (entry) => blocks.largestLoad[entry]!),
});

const pickLinks = (links: Scene['links'], entries: readonly number[]): Scene['links'] => ({
  x1: Float32Array.from(entries, (link) => links.x1[link]!),
  y1: Float32Array.from(entries, (link) => links.y1[link]!),
  x2: Float32Array.from(entries, (link) => links.x2[link]!),
  y2: Float32Array.from(entries, (link) => links.y2[link]!),
  bend: Float32Array.from(entries, (link) => links.bend[link]!),
  from: Int32Array.from(entries, (link) => links.from[link]!),
  to: Int32Array.from(entries, (link) => links.to[link]!),
  forwardLink: Int32Array.from(entries, (link) => links.forwardLink[link]!),
  backwardLink: Int32Array.from(entries, (link) => links.backwardLink[link]!),
  forward: Float64Array.from(entries, (link) => links.forward[link]!),
  backward: Float64Array.from(entries, (link) => links.backward[link]!),
  flags: Uint8Array.from(entries, (link) => links.flags[link]!),
});
