/** Pictures of three dimensions: as planes or in axonometry, and one plane of them alone. */
import { axisName } from '../model/shape.ts';
import { layoutGrid, planeAxis } from './layout/grids.ts';
import { placeAgain } from './links.ts';
import { squaresInRouters } from './nodes.ts';
import { stubAtToFlag, stubFlag, type Projection, type Scene, type SceneArrows } from './scene.ts';
import { boundsOf } from './strokes.ts';

/**
 * The picture with its three dimensions laid into the plane in another way; pictures of anything else stay as they
 * are. Entries of nodes keep their order, those of links change in number. O(nodes + links).
 */
export function withProjection(scene: Scene, projection: Projection): Scene {
  if (scene.projection === undefined || scene.projection === projection) return scene;
  const routerCount = scene.shape.reduce((count, side) => count * side, 1);
  const layout = layoutGrid({ routerCount }, scene.shape, projection);
  const nodes = { ...scene.nodes, ...squaresInRouters(layout, scene.nodes.id, scene.nodes.perRouter) };
  const { links, source } = placeAgain(scene.links, scene, layout);
  const areas = layout.areas ?? [];
  const bounds = boundsOf({ areas, nodes, routers: scene.routers, links });
  return { ...scene, ...differenceAt(scene, source), bounds, areas, nodes, links, projection };
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
export const planeName = ({ shape }: Scene, plane: number): string => `${axisName(planeAxis(shape) ?? 0)} = ${plane}`;

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
      difference: { ...difference, arrows: arrowsWithin(difference.arrows, entries) },
    }),
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
