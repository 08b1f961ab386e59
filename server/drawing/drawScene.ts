import { largestOf } from '../model/lists.ts';
import { fastestBandwidth, type Machine, type Topology } from '../model/machine.ts';
import { formatNumber } from '../model/quantities.ts';
import type { Rails } from '../model/rails.ts';
import type { PlacementReport } from '../model/report.ts';
import { fail, type Result, succeed } from '../model/result.ts';
import { secondsPerByte } from '../network/linkClasses.ts';
import { centralRouter } from '../network/routings/roots.ts';
import { componentsOf } from '../network/topologies/cableGraph.ts';
import { distancesFrom } from '../numeric/breadthFirst.ts';
import { meanOfUsed } from '../study/evaluate/loads.ts';
import { levelsFrom } from '../network/routings/routeGraph.ts';
import { drawBlocks } from './blocks.ts';
import { jobColor } from './colors.ts';
import { usualProportion, type FabricLayout, type Layout } from './layout/contract.ts';
import { layoutGrid } from './layout/grids.ts';
import { layoutHyperX } from './layout/hyperx.ts';
import { layoutLevels } from './layout/levels.ts';
import { layoutCluster, layoutGroups } from './layout/rings.ts';
import { layoutTiers, tiersOf } from './layout/tiers.ts';
import { drawLinks } from './links.ts';
import { loadLegend } from './loadScale.ts';
import { drawNodes } from './nodes.ts';
import type { LoadScale, Scene, SceneRouters } from './scene.ts';
import { withRoomForNames } from './routers.ts';
import { sceneBounds, lineScaleOf } from './strokes.ts';
import { describePlacement, pictureFigures, referenceOf } from './words.ts';

/** Nodes, routers and cables together; more make a picture that nobody can read and few programs can open. */
const pictureLimit = 2 ** 19;

/**
 * The picture of a placement. One of more marks than `pictureLimit` is drawn in blocks where its routers have coordinates, groups or tiers; others fail with
 * `too-large-to-draw`, in O(1). Its figures are compared with those of `first`, the first placement of the same jobs, where that is another one.
 */
export function pictureOf(report: PlacementReport, first?: PlacementReport): Result<Scene> {
  const { name, nodeCount, topology } = report.machine;
  const marks = nodeCount + topology.routerCount + topology.links.routerLinkCount / 2;
  const blocks = marks <= pictureLimit ? undefined : drawBlocks(report);
  if (marks <= pictureLimit || blocks !== undefined) {
    const scene = blocks === undefined ? drawScene(report) : sceneOf(report, { ...blocks, routers: noRouters() });
    return succeed(first === undefined ? scene : { ...scene, reference: referenceOf(scene, first) });
  }
  return fail(
    'too-large-to-draw',
    `Machine \`${name}\` has ${formatNumber(marks, 0)} nodes, routers and links; the maximum is ${formatNumber(pictureLimit)}. Draw a smaller machine, or use \`placewright run\`.`,
  );
}

/**
 * The picture of a placement. The same report gives the same scene, byte for byte; two
 * placements on one machine have the same layout. O(nodes + links + tasks).
 */
export function drawScene(report: PlacementReport): Scene {
  const layout = networkLayout(report.machine);
  return sceneOf(report, {
    layout,
    nodes: drawNodes(report, layout),
    routers: drawRouters(report, layout),
    links: drawLinks(report, layout),
    shape: report.machine.topology.shape ?? [],
  });
}

/** A scene of what was drawn of a report: all of its nodes, or blocks of them. */
function sceneOf(
  report: PlacementReport,
  { layout, ...drawn }: Pick<Scene, 'nodes' | 'routers' | 'links' | 'shape' | 'blocks'> & { readonly layout: Layout },
): Scene {
  const { nodes, routers, links, blocks } = drawn;
  const areas = layout.fabric?.areas ?? layout.areas ?? [];
  const bounds = withRoomForNames(sceneBounds({ areas, nodes, routers, links }), routers);
  return {
    placement: report.name,
    machine: report.machine.name,
    description:
      blocks === undefined ? describePlacement(report) : [describePlacement(report), ...blocks.notes].join(' '),
    bounds,
    areas,
    ...drawn,
    // Blocks show no cores.
    socketsPerNode: blocks === undefined ? report.machine.socketsPerNode : 1,
    slots: report.machine.inside.slots,
    socketOfSlot: blocks === undefined ? report.machine.inside.socketOfSlot : new Int32Array(1),
    ...(layout.fabric && report.machine.topology.rails && { rails: railNames(report.machine.topology.rails) }),
    lineScale: layout.fabric === undefined ? 1 : lineScaleOf(bounds, links),
    jobs: report.jobs.map(({ job, needs }, position) => ({
      name: job.name,
      taskCount: job.taskCount,
      ...(needs?.coresPerTask && { coresPerTask: needs.coresPerTask }),
      color: jobColor(position),
    })),
    ...(report.hops && { hops: report.hops }),
    ...loadsOf(report),
    labels: 'task',
    ...(report.machine.topology.twist && { twist: report.machine.topology.twist }),
    ...(layout.projection === undefined ? {} : { projection: layout.projection }),
    proportion: usualProportion,
    ...(report.machine.topology.groupShape && { groupShape: report.machine.topology.groupShape }),
    ...pictureFigures(report),
  };
}

/**
 * The layout of a machine's network: structural and without chance, so that a machine always
 * looks the same. What it is, not what it is called, decides: coordinates, then groups, tiers,
 * one switch alone, and for everything else the levels of up/down routing.
 */
export function networkLayout({ topology, routing }: Pick<Machine, 'topology' | 'routing'>): Layout {
  if (topology.shape !== undefined) {
    return topology.hasHostLinks ? layoutHyperX(topology, topology.shape) : layoutGrid(topology, topology.shape);
  }
  if (topology.routerCount === 1) return layoutCluster(topology);
  if (topology.groups !== undefined) return layoutGroups(topology, topology.groups);
  const tiers = tiersOf(topology);
  // A switch without a way to any host has no tier.
  if (tiers !== undefined && !tiers.includes(-1)) return layoutTiers(topology, tiers);
  return layoutLevels(topology, routing.hierarchy?.level.map(onTopIfUnreached) ?? levelsOf(topology));
}

/** A failed switch has no links, and so no level: it is drawn on the top row. */
const onTopIfUnreached = (level: number): number => Math.max(0, level);

/** From the middle of the network; of one in several parts, from a switch with most cables of each. */
function levelsOf(topology: Topology): Int32Array {
  const { firstLink, to } = topology.links;
  const { of, count } = componentsOf(topology.links);
  if (count === 1) return levelsFrom(topology, centralRouter(topology));
  const starts = new Int32Array(count).fill(-1);
  const degree = (router: number): number => firstLink[router + 1]! - firstLink[router]!;
  of.forEach((part, router) => {
    if (starts[part]! < 0 || degree(router) > degree(starts[part]!)) starts[part] = router;
  });
  return distancesFrom(firstLink, to, [...starts]);
}

/** The routers by number, where nodes hang on them; none where a node stands in the place of its router. */
function drawRouters({ machine }: PlacementReport, layout: Layout): SceneRouters {
  if (layout.fabric === undefined) return noRouters();
  const { framed, rank, rankWord }: FabricLayout = layout.fabric;
  return {
    x: layout.x,
    y: layout.y,
    size: layout.size,
    id: Int32Array.from(layout.x.keys()),
    names: machine.topology.names?.routers ?? [],
    framed,
    rank,
    rankWord,
    isRoot: rootFlags(machine),
  };
}

/** What a file calls the adapters of each number: those of one rail are of one name. O(ports). */
function railNames({ count, railOfPort, adapters }: Rails): readonly string[] {
  const names = new Array<string>(count).fill('');
  adapters?.forEach((name, port) => (names[railOfPort[port]!] ||= name));
  return names;
}

/** Empty where there are no roots. */
function rootFlags({ topology, routing }: PlacementReport['machine']): Uint8Array {
  if (routing.hierarchy === undefined) return new Uint8Array(0);
  const flags = new Uint8Array(topology.routerCount);
  for (const root of routing.hierarchy.roots) flags[root] = 1;
  return flags;
}

const noRouters = (): SceneRouters => ({
  x: new Float32Array(0),
  y: new Float32Array(0),
  size: new Float32Array(0),
  id: new Int32Array(0),
  names: [],
  framed: new Uint8Array(0),
  rank: new Int32Array(0),
  rankWord: '',
  isRoot: new Uint8Array(0),
});

/** The scales of the picture's own loads: by the time that links are busy first, where that is not the same for all. O(links). */
function loadsOf(report: PlacementReport): Pick<Scene, 'loadLegend' | 'loadScales' | 'secondsPerByte'> {
  const { machine, linkLoads, hotFrom, metrics } = report;
  const seconds = secondsPerByte(machine);
  if (seconds === undefined) {
    const scale: LoadScale = {
      measure: 'bytes',
      kind: 'linear',
      mean: meanOfUsed(linkLoads),
      hotFrom,
      maximum: metrics.maximumLinkLoad,
    };
    return { loadLegend: loadLegend(scale, scale.maximum), loadScales: [scale] };
  }
  const busy = linkLoads.map((load, link) => load * seconds[link]!);
  const [meanTime, meanLoad] = [meanOfUsed(busy), meanOfUsed(linkLoads)];
  const hotTime = hotFrom / fastestBandwidth(machine)!;
  const scales: readonly [LoadScale, LoadScale] = [
    { measure: 'capacity', kind: 'linear', mean: meanTime, hotFrom: hotTime, maximum: Math.max(0, largestOf(busy)) },
    {
      measure: 'bytes',
      kind: 'linear',
      mean: meanLoad,
      hotFrom: meanTime === 0 ? 0 : (meanLoad * hotTime) / meanTime,
      maximum: metrics.maximumLinkLoad,
    },
  ];
  return { loadLegend: loadLegend(scales[0], scales[0].maximum), loadScales: scales, secondsPerByte: seconds };
}
