/**
 * What if a cable fails: every cable between routers of a placement's machine is taken out in turn, and what the
 * placement then costs is told, the worst first. Tasks stay where they are.
 */
import { cancelled, fail, succeed, type Result } from '../model/result.ts';
import { neverCancelled, type Cancellation } from '../model/cancellation.ts';
import { fastestBandwidth, routerWorks, type Machine, type RouterFlows, type Topology } from '../model/machine.ts';
import type { PlacementReport } from '../model/report.ts';
import { formatNumber } from '../model/quantities.ts';
import type { MachineDescription } from '../network/contract.ts';
import { withFaults } from '../network/faults.ts';
import { cablesOfLink, relativeTimes } from '../network/linkClasses.ts';
import { numberOfCable, parallelTo } from '../network/bundles.ts';
import { knownWaysOf, type KnownWays, type Memory } from '../network/knownWays.ts';
import { blockOfCables, LostCables, reverseLink, slowerWithout, type LostCable } from '../network/lostCables.ts';
import { buildRouting } from '../network/machine.ts';
import { betweenPorts } from '../network/rails.ts';
import { dimensionOrder } from '../network/routings/dimensionOrder.ts';
import { minimal } from '../network/routings/minimal.ts';
import { intAt, realAt } from '../numeric/elements.ts';
import { placeTasks } from './evaluate/placedTasks.ts';
import { routerFlowsOf } from './evaluate/loads.ts';

/** What a machine carries at most. */
interface Heaviest {
  /** The largest load, of links of different speeds in bytes of the fastest one: what takes longest. */
  readonly maximumLoad: number;
  /** Seconds that it takes; absent where the machine has no bandwidth. */
  readonly congestionTime?: number;
}

/** A placement once one cable has failed. */
export interface CableLoss extends Heaviest {
  /** LinkId of one of its ways. */
  readonly link: number;
  /** RouterIds of its ends. */
  readonly from: number;
  readonly to: number;
  /** Which of several between the two it is, from 1, as `without` counts them. */
  readonly cable?: number;
  /** Of so many side by side one is lost, and the others carry what went over it. */
  readonly sideBySide?: number;
  /** How much more the heaviest link carries than in the placement as it is, as a share: 0.5 is half as much again. */
  readonly increase: number;
  /** Ends of the link that is the heaviest then; absent where it is the link of a node. */
  readonly heaviest?: { readonly from: number; readonly to: number };
  readonly addedHopBytes: number;
  /** Nodes that exchange messages cannot reach each other without it; the other figures are 0 then. */
  readonly isBridge: boolean;
}

export interface CableLosses {
  /** The placement as it is, under the routing of its machine: what each loss is compared with. */
  readonly asPlaced: Heaviest & { readonly routing: string };
  /** The placement while all cables work, under `routing`. */
  readonly before: Heaviest;
  /** How packets travel once a cable is missing: not axis after axis. */
  readonly routing: string;
  /** All cables that carry anything, the worst first: bridges, then by what the heaviest link carries. */
  readonly losses: readonly CableLoss[];
  /** Cables that carry nothing: their loss changes nothing. */
  readonly idle: number;
}

/**
 * Tries the loss of each cable. Under shortest routes (and dimension order, which no machine with a missing cable has)
 * loads are repaired: O(cables · destinations) and what changes; under others all is routed anew for each cable:
 * O(cables · destinations · links). Parallel cables are as bad as each other and told once each.
 * Fails with `too-many-routers` and `cancelled`.
 */
export function cableLossesOf(
  report: PlacementReport,
  description: MachineDescription,
  cancellation: Cancellation,
  progress: (share: number) => void = () => undefined,
  pool: LossPool = tryHere,
): Result<CableLosses> {
  const machine = betweenPorts(report.machine);
  const flows = routerFlowsOf(report.machine, placeTasks(report.machine, report.jobs, cancellation), cancellation);
  if (flows === undefined) return cancelled();
  const trial = isShortest(machine)
    ? repairing(machine, flows, pool.memory, cancellation)
    : rerouting(machine, description, flows);
  if (!trial.ok) return trial;
  const { topology } = machine;
  const hosts = heaviestOfHosts(machine, report.linkLoads);
  const bandwidth = fastestBandwidth(machine);
  const toldOf = (maximumLoad: number): Heaviest =>
    bandwidth === undefined ? { maximumLoad } : { maximumLoad, congestionTime: maximumLoad / bandwidth };
  const told = (routers: number): Heaviest => toldOf(Math.max(routers, hosts));
  const { loads, weights } = lossesOf(trial.value);
  const { maximum } = heaviestOf(loads, weights);
  const routing = trial.value.kind === 'repair' ? minimal.name : machine.routing.kind;
  const before = told(maximum);
  const asPlaced = {
    ...toldOf(heaviestOf(report.linkLoads, relativeTimes(machine)).maximum),
    routing: machine.routing.kind,
  };
  const cables = Array.from(loads.keys()).filter((link) => link < reverseLink(topology, link));
  const carrying = cables.filter((link) => realAt(loads, link) > 0 || realAt(loads, reverseLink(topology, link)) > 0);
  const found = pool.run(trial.value, cableBatches(carrying, trial.value), cancellation, progress)?.flat();
  if (found === undefined) return cancelled();
  const losses = found.map((lost) => ({
    ...lossOf(topology, lost, asPlaced, told, hosts),
    ...cableOf(machine, lost.link),
  }));
  losses.sort((a, b) => Number(b.isBridge) - Number(a.isBridge) || b.maximumLoad - a.maximumLoad);
  return succeed({ asPlaced, before, routing, losses, idle: cables.length - carrying.length });
}

/** Which cable it is where there are several. */
function cableOf(machine: Machine, link: number): Pick<CableLoss, 'cable' | 'sideBySide'> {
  const { topology } = machine;
  const cablesOf = (other: number): number => cablesOfLink(machine, other);
  const sideBySide = cablesOf(link);
  return {
    ...((sideBySide > 1 || parallelTo(topology, link) > 1) && { cable: numberOfCable(topology, link, cablesOf) }),
    ...(sideBySide > 1 && { sideBySide }),
  };
}

/** Of the heaviest load: less than that is none. */
const residue = 1e-9;

function lossOf(
  { links }: Topology,
  { link, maximum, heaviest, addedHopBytes, isBridge }: LostCable,
  before: Heaviest,
  told: (routers: number) => Heaviest,
  hosts: number,
): CableLoss {
  const ends = { link, from: intAt(links.from, link), to: intAt(links.to, link) };
  if (isBridge) return { ...ends, maximumLoad: 0, increase: 0, addedHopBytes: 0, isBridge };
  const after = told(maximum);
  const increase = after.maximumLoad / before.maximumLoad - 1;
  const isOfRouters = heaviest >= 0 && maximum >= hosts;
  const where = isOfRouters ? { heaviest: { from: intAt(links.from, heaviest), to: intAt(links.to, heaviest) } } : {};
  // Ways round a cable that are as long leave the residue of sums and differences.
  const isNone = Math.abs(addedHopBytes) < residue * before.maximumLoad;
  return { ...ends, ...after, increase, ...where, addedHopBytes: isNone ? 0 : addedHopBytes, isBridge };
}

/** What the losses of all cables have in common. Plain data, so that it crosses threads. */
export type LossTrial =
  | { readonly kind: 'repair'; readonly ways: KnownWays }
  /** The same routing on what is left, for each cable anew. */
  | {
      readonly kind: 'reroute';
      readonly name: string;
      readonly topology: Topology;
      readonly description: MachineDescription;
      readonly flows: RouterFlows;
      readonly loads: Float64Array;
      readonly weights: Float64Array | undefined;
      /** As of {@link KnownWays}. */
      readonly cables?: Int32Array;
    };

/** Tries cables, each named by one of its links, one after the other. Undefined if cancelled. */
export type TryBlock = (cables: readonly number[], cancellation: Cancellation) => readonly LostCable[] | undefined;

/** Makes one thread ready for the cables of a trial: what comes of a block depends on the trial and the block alone. */
export function tryLosses(trial: LossTrial): TryBlock {
  if (trial.kind === 'reroute') return (cables, cancellation) => reroutedWithout(trial, cables, cancellation);
  const lost = new LostCables(trial.ways);
  return (cables, cancellation) => lost.losses(cables, cancellation);
}

/** Who tries cables: the calling thread alone, or several that the entrypoints keep. */
export interface LossPool {
  /** Where arrays stand that all threads read. */
  readonly memory: Memory | undefined;
  /** What comes of each block, in their order; undefined if cancelled. */
  run(
    trial: LossTrial,
    blocks: readonly (readonly number[])[],
    cancellation: Cancellation,
    progress: (share: number) => void,
  ): readonly (readonly LostCable[])[] | undefined;
}

/** All in the calling thread. */
const tryHere: LossPool = {
  memory: undefined,
  run(trial, blocks, cancellation, progress) {
    const tryBlock = tryLosses(trial);
    const found: (readonly LostCable[])[] = [];
    for (const [index, block] of blocks.entries()) {
      progress(index / blocks.length);
      const outcome = tryBlock(block, cancellation);
      if (outcome === undefined) return undefined;
      found.push(outcome);
    }
    return found;
  },
};

const lossesOf = (trial: LossTrial): Pick<KnownWays, 'loads' | 'weights'> =>
  trial.kind === 'repair' ? trial.ways : trial;

/** Cables in their order, as many at a time as are best tried together. */
function cableBatches(cables: readonly number[], trial: LossTrial): readonly (readonly number[])[] {
  const size = trial.kind === 'repair' ? blockOfCables(trial.ways) : 1;
  const count = Math.ceil(cables.length / size);
  return Array.from({ length: count }, (_, block) => cables.slice(block * size, (block + 1) * size));
}

/** All shortest ways are routes, or will be once a cable is missing. */
const isShortest = ({ routing, topology }: Machine): boolean =>
  routing.kind === dimensionOrder.name ||
  (routing.kind === minimal.name && routing.graph?.stateCount === topology.routerCount);

function repairing(
  machine: Machine,
  flows: RouterFlows,
  memory: Memory | undefined,
  cancellation: Cancellation,
): Result<LossTrial> {
  const { topology } = machine;
  const ways = knownWaysOf(topology, flows, relativeTimes(machine), cancellation, memory, cablesOfLinks(machine));
  if (ways === 'cancelled') return cancelled();
  if (ways === 'too-large') {
    const receivers = new Set(flows.to).size;
    return fail(
      'too-many-routers',
      `Link failures: ${formatNumber(flows.to.length)} flows to ${formatNumber(receivers)} receivers on ${formatNumber(topology.routerCount)} routers need more than 768 MiB of memory. Use fewer tasks or a smaller machine.`,
    );
  }
  return succeed({ kind: 'repair', ways });
}

/** Cables of each link between routers; undefined where each is one. O(links). */
function cablesOfLinks(machine: Machine): Int32Array | undefined {
  if (machine.linkClasses?.classes.every(({ cables }) => cables === 1) !== false) return undefined;
  const { routerLinkCount } = machine.topology.links;
  return Int32Array.from({ length: routerLinkCount }, (_, link) => cablesOfLink(machine, link));
}

/** The same routing on what is left, for each cable anew. */
function rerouting(machine: Machine, description: MachineDescription, flows: RouterFlows): Result<LossTrial> {
  const { name, topology, routing } = machine;
  if (description.routing?.argument?.kind === 'file') {
    return fail(
      'routing-does-not-fit',
      '`routing from` has no tables for a failed link. Use `routing static` or `routing minimal`.',
    );
  }
  const loads = new Float64Array(topology.links.routerLinkCount);
  routing.addLoads(flows, loads, neverCancelled);
  const weights = relativeTimes(machine);
  const cables = cablesOfLinks(machine);
  return succeed({ kind: 'reroute', name, topology, description, flows, loads, weights, ...(cables && { cables }) });
}

function reroutedWithout(
  trial: LossTrial & { kind: 'reroute' },
  cables: readonly number[],
  cancellation: Cancellation,
): readonly LostCable[] | undefined {
  const found = cables.map((link) => {
    const bundle = trial.cables?.[link] ?? 1;
    return bundle > 1 ? thinnedLink(trial, link, bundle, cancellation) : rerouted(trial, link, cancellation);
  });
  return cancellation.isCancelled() ? undefined : found;
}

/** All ways stay where a link loses one of several cables, but for those that go by the load; of no use where it was cancelled. */
function thinnedLink(
  { topology, description, flows, loads, weights: known }: LossTrial & { kind: 'reroute' },
  link: number,
  cables: number,
  cancellation: Cancellation,
): LostCable {
  const back = reverseLink(topology, link);
  const weights = Float64Array.from(loads, (_, each) => known?.[each] ?? 1);
  // Without bandwidths nobody knows that a link works longer.
  if (known !== undefined)
    for (const each of [link, back]) weights[each] = realAt(weights, each) * slowerWithout(cables);
  let after = loads;
  const routing = buildRouting(description, topology, cancellation);
  const settled = routing.ok ? routing.value.settled?.(flows, weights, cancellation) : undefined;
  if (settled !== undefined) {
    after = new Float64Array(loads.length);
    settled.addLoads(flows, after, cancellation);
  }
  return { link, back, ...heaviestOf(after, weights), addedHopBytes: sumOf(after) - sumOf(loads), isBridge: false };
}

/** Of no use where it was cancelled. */
function rerouted(
  { name, topology, description, flows, loads, weights, cables }: LossTrial & { kind: 'reroute' },
  link: number,
  cancellation: Cancellation,
): LostCable {
  const { from, to } = topology.links;
  const back = reverseLink(topology, link);
  const bridge = { link, back, maximum: 0, heaviest: -1, addedHopBytes: 0, isBridge: true };
  const missing = topology.faults?.thinned?.of;
  const cablesOf = (other: number): number => (cables?.[other] ?? 1) + (missing?.[other] ?? 0);
  const lost = { from: intAt(from, link), to: intAt(to, link), cable: numberOfCable(topology, link, cablesOf) };
  const left = withFaults(name, topology, { cables: [lost], routers: [], nodes: [] }, cablesOf);
  if (!left.ok) return bridge;
  const routing = buildRouting(description, left.value, cancellation);
  if (!routing.ok) return bridge;
  // The links that are left stand in their order. Those of switches that no node reaches any more are gone as well.
  const isLeft = (each: number): boolean =>
    each !== link &&
    each !== back &&
    routerWorks(left.value, intAt(from, each)) &&
    routerWorks(left.value, intAt(to, each));
  const kept = Array.from(loads.keys()).filter(isLeft);
  const weighted = weights && Float64Array.from(kept, (each) => realAt(weights, each));
  const after = new Float64Array(left.value.links.routerLinkCount);
  const settled = routing.value.settled?.(flows, weighted, cancellation) ?? routing.value;
  settled.addLoads(flows, after, cancellation);
  const { maximum, heaviest } = heaviestOf(after, weighted);
  const addedHopBytes = sumOf(after) - sumOf(loads);
  return { link, back, maximum, heaviest: kept[heaviest] ?? -1, addedHopBytes, isBridge: false };
}

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

function heaviestOf(loads: Float64Array, weights: ArrayLike<number> | undefined) {
  let [maximum, heaviest] = [0, -1];
  loads.forEach((load, link) => {
    const weighted = load * (weights?.[link] ?? 1);
    if (weighted > maximum) [maximum, heaviest] = [weighted, link];
  });
  return { maximum, heaviest };
}

/** What the links of nodes carry at most, which no cable between routers changes. */
function heaviestOfHosts(machine: Machine, loads: Float64Array): number {
  const { routerLinkCount } = machine.topology.links;
  const weights = relativeTimes(machine);
  return heaviestOf(loads.subarray(routerLinkCount), weights && weights.subarray(routerLinkCount)).maximum;
}
