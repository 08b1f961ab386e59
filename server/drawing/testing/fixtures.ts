import type { LinkId } from '../../model/identifiers.ts';
import type { LinkTable, Machine } from '../../model/machine.ts';
import type { ReportedJob } from '../../model/placement.ts';
import { seededRandom } from '../../model/random.ts';
import type { HotLink, Metrics, PlacementReport } from '../../model/report.ts';
import type { RailDescription } from '../../model/rails.ts';
import type { Shape } from '../../model/shape.ts';
import type { ArgumentValue, OptionValues } from '../../model/catalogue.ts';
import type { Fabric } from '../../model/fabric.ts';
import { fail, succeed } from '../../model/result.ts';
import type { Cable } from '../../network/contract.ts';
import { buildMachine, noMachineFiles } from '../../network/machine.ts';
import { autonetCables } from '../../network/testing/exampleNetworks.ts';
import { busyTimes, relativeTimes } from '../../network/linkClasses.ts';
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

/** Six routers in a mesh whose cables along y are a tenth as fast: few bytes there make the busiest link. */
export const unequalReport = (options: ReportOptions = {}): PlacementReport =>
  meshReport([3, 2], {
    figures: { bandwidth: 1e10, groups: [{ group: { kind: 'axis', axis: 1 }, bandwidth: 1e9 }] },
    loads: [
      [0, 1, 1e7],
      [1, 2, 1e6],
      [0, 3, 4e6],
    ],
    ...options,
  });

export const torusReport = (shape: Shape, options: ReportOptions = {}): PlacementReport =>
  reportOn(gridMachine('torus', shape, options), options);

export const meshReport = (shape: Shape, options: ReportOptions = {}): PlacementReport =>
  reportOn(gridMachine('mesh', shape, options), options);

export const hypercubeReport = (dimensions: number, options: ReportOptions = {}): PlacementReport =>
  reportOn(gridMachine('hypercube', [dimensions], options), options);

/** Reports on networks of switches: `fabricReport('fat-tree', { options: { k: 4, n: 3 } })`. */
export interface FabricOptions extends ReportOptions {
  readonly numbers?: readonly number[];
  readonly options?: OptionValues;
  readonly cables?: readonly Cable[];
  readonly routing?: string;
  readonly root?: number;
  readonly rails?: RailDescription;
  /** What a file holds: the topology is `from`. */
  readonly fabric?: Fabric;
}

export function fabricReport(kind: string, options: FabricOptions): PlacementReport {
  const { numbers = [], fabric, routing, root } = options;
  const argument: ArgumentValue | undefined =
    fabric === undefined
      ? numbers.length === 0
        ? undefined
        : { kind: 'numbers', numbers }
      : { kind: 'file', uri: 'file:///fabric' };
  const built = buildMachine(
    {
      name: options.name ?? 'test',
      topology: { name: kind, options: options.options ?? {}, ...(argument === undefined ? {} : { argument }) },
      ...(routing === undefined ? {} : { routing: { name: routing, options: root === undefined ? {} : { root } } }),
      cables: options.cables ?? [],
      ...(options.hosts === undefined ? {} : { hosts: options.hosts }),
      ...(options.rails && { rails: options.rails }),
      socketsPerNode: options.sockets ?? 1,
      coresPerSocket: options.cores ?? 1,
      figures: {},
    },
    { ...noMachineFiles, fabric: () => (fabric === undefined ? fail('missing-file', 'none') : succeed(fabric)) },
  );
  if (!built.ok) throw new Error(built.failure.message);
  return reportOn(built.value, options);
}

/** The irregular network of Autonet (Orduña et al. 2004), its root 6. */
export const autonetReport = (options: FabricOptions = {}): PlacementReport =>
  fabricReport('switches', {
    numbers: [10],
    cables: autonetCables,
    routing: 'up-down',
    root: 6,
    name: 'autonet',
    ...options,
  });

/** Two tiers of switches with names, as a file describes them: every leaf cabled to every spine. */
export function fabricOf(spines: number, leaves: number, hosts: number): Fabric {
  const cables = [];
  for (let leaf = 0; leaf < leaves; leaf++) {
    for (let spine = 0; spine < spines; spine++) cables.push({ from: leaf, to: leaves + spine });
  }
  const leafNames = Array.from({ length: leaves }, (_, leaf) => `leaf-${leaf}`);
  return {
    format: 'test',
    routers: [...leafNames, ...Array.from({ length: spines }, (_, spine) => `spine-${spine}`)],
    nodes: Array.from({ length: leaves * hosts }, (_, node) => ({
      name: `host-${node}`,
      router: Math.floor(node / hosts),
    })),
    cables,
    warnings: [],
  };
}

function reportOn(machine: Machine, options: ReportOptions): PlacementReport {
  const { links } = machine.topology;
  const linkLoads = options.loads === undefined ? skewedLoads(links) : chosenLoads(links, options.loads);
  const { metrics, hotFrom, hotLinks } = measured(machine, linkLoads);
  return {
    name: options.placement ?? 'first-try',
    machine,
    seed: 1,
    jobs: placedJobs(options.jobs ?? [machine.slotCount], machine.coresPerNode),
    metrics,
    linkLoads,
    hotFrom,
    hotLinks,
    notes: [],
    milliseconds: { allocate: 0, map: 0, evaluate: 0 },
  };
}

/** The report with traffic of its first job: `[from, to, bytes]`, senders and receivers ascending. Loads stay as they are. */
export function withTraffic(
  report: PlacementReport,
  pairs: readonly (readonly [number, number, number])[],
): PlacementReport {
  const [first, ...others] = report.jobs;
  const { taskCount } = first!.job;
  const rowStart = Int32Array.from(
    { length: taskCount + 1 },
    (_, task) => pairs.filter(([from]) => from < task).length,
  );
  const partner = Int32Array.from(pairs, ([, to]) => to);
  const bytes = Float64Array.from(pairs, ([, , amount]) => amount);
  const job = { ...first!.job, traffic: { taskCount, rowStart, partner, bytes } };
  return { ...report, jobs: [{ ...first!, job }, ...others] };
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

function measured(machine: Machine, loads: Float64Array): { metrics: Metrics; hotFrom: number; hotLinks: HotLink[] } {
  const busy = busyTimes(loads, relativeTimes(machine));
  const total = loads.reduce((sum, load) => sum + load, 0);
  const used = busy.filter((time) => time > 0).length;
  const maximumLinkLoad = loads.reduce((most, load) => Math.max(most, load), 0);
  const mean = used === 0 ? 0 : busy.reduce((sum, time) => sum + time, 0) / used;
  const hotLinks = [...busy.entries()]
    .filter(([, time]) => time > 0 && time >= 2 * mean)
    .sort(([firstLink, first], [secondLink, second]) => second - first || firstLink - secondLink)
    .map(([link, time]) => ({
      link: link as LinkId,
      load: loads[link]!,
      timesMean: time / mean,
      flows: [],
      flowCount: undefined,
      improvements: [],
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
  return { metrics, hotFrom: 2 * mean, hotLinks };
}

function placedJobs(taskCounts: readonly number[], coresPerNode: number): ReportedJob[] {
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
      allocator: 'all',
      mapper: 'given',
    };
  });
}
