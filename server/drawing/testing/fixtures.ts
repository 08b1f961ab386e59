import type { HotLink, Metrics, PlacementReport } from '../../model/report.ts';
import type { LinkTable, Machine, Routing, Topology } from '../../model/machine.ts';
import type { PlacedJob } from '../../model/placement.ts';
import type { LinkId } from '../../model/identifiers.ts';
import { seededRandom } from '../../model/random.ts';
import { coordinatesOf, indexOf, volumeOf, type Shape } from '../../model/shape.ts';

/**
 * Reports made by hand for tests of the picture: the right machines, invented loads. The picture
 * must not depend on how loads came about, so neither do its tests.
 */
export interface FixtureOptions {
  readonly kind?: string;
  readonly wraps?: boolean;
  readonly hosts?: number;
  readonly cores?: number;
  /** Tasks of each job; they take the slots one after the other. */
  readonly jobs?: readonly number[];
  /** 'invented' loads differ per link; 'none' leaves all links idle. */
  readonly loads?: 'invented' | 'none';
  readonly name?: string;
}

export function gridTopology(kind: string, shape: Shape, wraps: boolean): Topology {
  return {
    kind,
    routerCount: volumeOf(shape),
    shape,
    wraps: shape.map(() => wraps),
    hasHostLinks: false,
    links: gridLinks(shape, wraps),
  };
}

export function linkTable(neighbours: readonly (readonly number[])[]): LinkTable {
  const firstLink = new Int32Array(neighbours.length + 1);
  const from: number[] = [];
  const to: number[] = [];
  neighbours.forEach((others, router) => {
    for (const other of others) {
      from.push(router);
      to.push(other);
    }
    firstLink[router + 1] = to.length;
  });
  return {
    firstLink,
    from: Int32Array.from(from),
    to: Int32Array.from(to),
    routerLinkCount: to.length,
    linkCount: to.length,
  };
}

function gridLinks(shape: Shape, wraps: boolean): LinkTable {
  const coordinates: number[] = [];
  const neighbours = Array.from({ length: volumeOf(shape) }, (_, router) => {
    const others = new Set<number>();
    shape.forEach((side, axis) => {
      for (const direction of [1, -1]) {
        coordinatesOf(shape, router, coordinates);
        const moved = coordinates[axis]! + direction;
        if (!wraps && (moved < 0 || moved >= side)) continue;
        coordinates[axis] = (moved + side) % side;
        others.add(indexOf(shape, coordinates));
      }
    });
    others.delete(router);
    return [...others];
  });
  return linkTable(neighbours);
}

export function fixtureMachine(topology: Topology, hosts = 1, cores = 1): Machine {
  const routing: Routing = {
    kind: 'dimension-order',
    singlePath: true,
    symmetric: true,
    hops: () => 1,
    route: () => [],
    visitShares: () => undefined,
    addLoads: () => undefined,
  };
  const nodeCount = topology.routerCount * hosts;
  return {
    name: 'small',
    topology,
    routing,
    hostsPerRouter: hosts,
    socketsPerNode: 1,
    coresPerSocket: cores,
    figures: {},
    nodeCount,
    coresPerNode: cores,
    slotCount: nodeCount * cores,
  };
}

export function fixtureReport(topology: Topology, options: FixtureOptions = {}): PlacementReport {
  const machine = fixtureMachine(topology, options.hosts, options.cores);
  const linkLoads = options.loads === 'none' ? new Float64Array(topology.links.linkCount) : inventedLoads(topology);
  const { metrics, hotLinks } = measured(linkLoads);
  return {
    name: options.name ?? 'first-try',
    machine,
    seed: 1,
    jobs: placedJobs(options.jobs ?? [machine.slotCount], machine.coresPerNode),
    metrics,
    linkLoads,
    hotLinks,
    notes: [],
    milliseconds: { allocate: 0, map: 0, evaluate: 0 },
  };
}

/** A report on a grid: `gridReport([4, 4], { wraps: true })`. */
export const gridReport = (shape: Shape, options: FixtureOptions = {}): PlacementReport =>
  fixtureReport(gridTopology(options.kind ?? 'torus', shape, options.wraps ?? true), options);

/** Skewed as real loads are: most links light, a few heavy, an eighth idle. */
function inventedLoads({ links }: Topology): Float64Array {
  const random = seededRandom(links.linkCount);
  return Float64Array.from({ length: links.linkCount }, () =>
    random.integer(8) === 0 ? 0 : Math.ceil(random.fraction() ** 6 * 1024) * 1024,
  );
}

function measured(loads: Float64Array): { metrics: Metrics; hotLinks: HotLink[] } {
  const total = loads.reduce((sum, load) => sum + load, 0);
  const used = loads.filter((load) => load > 0).length;
  const maximumLinkLoad = loads.reduce((most, load) => Math.max(most, load), 0);
  const mean = used === 0 ? 0 : total / used;
  const hotLinks = [...loads.entries()]
    .filter(([, load]) => load > 0 && load >= 2 * mean)
    .sort(([firstLink, first], [secondLink, second]) => second - first || firstLink - secondLink)
    .map(([link, load]) => ({ link: link as LinkId, load, timesMean: load / mean, flows: [] }));
  const metrics: Metrics = {
    averageHops: 1.25,
    hopVariance: 0.5,
    maximumHops: 4,
    hopBytes: total,
    weightedHops: 1.5,
    mappingCoefficient: total,
    maximumLinkLoad,
    meanLinkLoad: total / Math.max(1, loads.length),
    interNodeBytes: total / 1.5,
    congestionTime: undefined,
  };
  return { metrics, hotLinks };
}

function placedJobs(taskCounts: readonly number[], coresPerNode: number): PlacedJob[] {
  let nextSlot = 0;
  return taskCounts.map((taskCount, position) => {
    const mapping = Int32Array.from({ length: taskCount }, (_, task) => nextSlot + task);
    nextSlot += taskCount;
    return {
      job: {
        name: `job-${position}`,
        taskCount,
        periodic: false,
        traffic: {
          taskCount,
          rowStart: new Int32Array(taskCount + 1),
          partner: new Int32Array(0),
          bytes: new Float64Array(0),
        },
      },
      allocation: Int32Array.from(new Set(mapping.map((slot) => Math.floor(slot / coresPerNode)))),
      mapping,
    };
  });
}
