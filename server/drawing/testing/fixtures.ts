import type { LinkId } from '../../model/identifiers.ts';
import type { LinkTable, Machine } from '../../model/machine.ts';
import type { PlacedJob } from '../../model/placement.ts';
import { seededRandom } from '../../model/random.ts';
import type { HotLink, Metrics, PlacementReport } from '../../model/report.ts';
import type { Shape } from '../../model/shape.ts';
import { gridMachine, type GridMachineOptions } from '../../network/testing/machines.ts';

/**
 * Reports with invented loads on real machines. The picture must not depend on how loads came
 * about, so neither do its tests.
 */
export interface ReportOptions extends GridMachineOptions {
  /** Tasks of each job; they take the slots one after the other. Default: one job on all slots. */
  readonly jobs?: readonly number[];
  /** Loads of chosen directed links, `[from, to, bytes]`; the others idle. Default: all links, skewed. */
  readonly loads?: readonly (readonly [number, number, number])[];
  readonly placement?: string;
}

export const torusReport = (shape: Shape, options: ReportOptions = {}): PlacementReport =>
  reportOn(gridMachine('torus', shape, options), options);

export const meshReport = (shape: Shape, options: ReportOptions = {}): PlacementReport =>
  reportOn(gridMachine('mesh', shape, options), options);

export const hypercubeReport = (dimensions: number, options: ReportOptions = {}): PlacementReport =>
  reportOn(gridMachine('hypercube', [dimensions], options), options);

/** Routers in a ring without coordinates, as an irregular network has them. */
export function shapelessReport(routerCount: number, options: ReportOptions = {}): PlacementReport {
  const { topology, ...machine } = gridMachine('torus', [routerCount], options);
  const { routerCount: count, hasHostLinks, links, routerOfNode } = topology;
  const irregular = { kind: 'switches', routerCount: count, hasHostLinks, links, routerOfNode };
  return reportOn({ ...machine, topology: irregular }, options);
}

function reportOn(machine: Machine, options: ReportOptions): PlacementReport {
  const { links } = machine.topology;
  const linkLoads = options.loads === undefined ? skewedLoads(links) : chosenLoads(links, options.loads);
  const { metrics, hotLinks } = measured(linkLoads);
  return {
    name: options.placement ?? 'first-try',
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

function chosenLoads(links: LinkTable, loads: readonly (readonly [number, number, number])[]): Float64Array {
  const linkLoads = new Float64Array(links.linkCount);
  for (const [from, to, bytes] of loads) {
    const link = links.to.findIndex((other, index) => other === to && links.from[index] === from);
    if (link < 0) throw new Error(`There is no link from ${from} to ${to}.`);
    linkLoads[link] = bytes;
  }
  return linkLoads;
}

/** Skewed as real loads are: most links light, a few heavy, an eighth idle. */
function skewedLoads(links: LinkTable): Float64Array {
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
    .map(([link, load]) => ({
      link: link as LinkId,
      load,
      timesMean: load / mean,
      flows: [],
      flowCount: undefined,
      reliefs: [],
    }));
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
