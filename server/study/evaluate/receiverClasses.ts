/**
 * Loads by symmetry class: where renumberings of the routers change neither the routes nor the traffic, the loads that one
 * router's receiving makes are those of its images, renumbered. So one receiver of each orbit is routed for all, and what comes
 * of it is averaged over the links of each orbit: for L_d(l) = L_gd(gl) for all g of the group, Σ over the orbit of d of L_d(l) is
 * |orbit of d| / |orbit of l| · Σ over the orbit of l of L_d.
 */
import type { Machine, RouterFlows } from '../../model/machine.ts';
import { linkOrbits, routerOrbits, routeSymmetries } from '../../network/symmetry.ts';
import { intAt, realAt } from '../../numeric/elements.ts';
import { groupedBy } from '../../numeric/grouping.ts';
import type { Ends } from './placedTasks.ts';

/** Steps of the searches for all receivers together, below which they are as quickly made as avoided: some 20 ms. */
export const fewestStepsOfClasses = 2 ** 23;
/** Flows that are compared one by one with their images. */
const mostFlowsCompared = 2 ** 20;

interface AllReceivers {
  readonly first: 0;
  readonly end: number;
  readonly count: number;
}

/** Flows of some jobs between routers; undefined where that was cancelled. */
export type FlowsOf = (jobs: readonly Ends[], receivers: AllReceivers) => RouterFlows | undefined;

/** Receivers that stand for others. */
export interface ReceiverClasses extends AllReceivers {
  /** How many routers each router stands for; 0 for those for which another stands. */
  readonly sizes: Int32Array;
  /** The least link of those that are alike, by LinkId. */
  readonly linkOrbit: Int32Array;
}

/**
 * Undefined where it would not pay: where routes are not found by searches, where these are few, or where fewer than half of
 * them can be spared; also where `flowsOf` some jobs is. O(candidates · (steps + flows)).
 */
export function receiverClassesOf(
  machine: Machine,
  jobs: readonly Ends[],
  flowsOf: FlowsOf,
  fewestSteps: number,
): ReceiverClasses | undefined {
  const { topology, routing } = machine;
  const { routerCount } = topology;
  if (routing.graph === undefined || routing.byNode !== undefined || machine.rails !== undefined) return undefined;
  const receivers = receivingRouters(jobs, routerCount);
  if (receivers * routing.graph.stepTo.length < fewestSteps) return undefined;
  const uneven = jobs.filter(({ even }) => even === undefined);
  const pairs = uneven.reduce((sum, { placed }) => sum + placed.job.traffic.partner.length, 0);
  if (pairs > mostFlowsCompared) return undefined;
  const candidates = routeSymmetries(topology, routing).filter((image) => jobs.every((job) => keepsTasks(job, image)));
  if (candidates.length === 0) return undefined;
  const flows = flowsOf(uneven, { first: 0, end: routerCount, count: routerCount });
  if (flows === undefined) return undefined;
  const images = candidates.filter((image) => keepsFlows(flows, image, routerCount));
  const orbits = routerOrbits(images, routerCount);
  const sizes = new Int32Array(routerCount);
  for (const least of orbits) sizes[least] = intAt(sizes, least) + 1;
  const count = sizes.reduce((found, size) => found + (size > 0 ? 1 : 0), 0);
  if (2 * count > routerCount) return undefined;
  return { first: 0, end: routerCount, sizes, count, linkOrbit: linkOrbits(topology, images) };
}

/** Gives all links that are alike the mean of what they have. O(links). */
export function spreadOverClasses({ linkOrbit }: ReceiverClasses, loads: Float64Array): void {
  const sums = new Float64Array(linkOrbit.length);
  const members = new Int32Array(linkOrbit.length);
  for (const [link, least] of linkOrbit.entries()) {
    sums[least] = realAt(sums, least) + realAt(loads, link);
    members[least] = intAt(members, least) + 1;
  }
  for (const [link, least] of linkOrbit.entries()) loads[link] = realAt(sums, least) / intAt(members, least);
}

function receivingRouters(jobs: readonly Ends[], routerCount: number): number {
  const has = new Uint8Array(routerCount);
  for (const { router } of jobs) for (const place of router) has[place] = 1;
  return has.reduce((count, one) => count + one, 0);
}

/** Whether each router has as many tasks as its image, of a job whose tasks all send each other the same. */
function keepsTasks({ even }: Ends, image: Int32Array): boolean {
  if (even === undefined) return true;
  const { places, tasks } = even.routers;
  const on = new Float64Array(image.length);
  for (const [index, place] of places.entries()) on[place] = realAt(tasks, index);
  return places.every((place) => on[place] === on[intAt(image, place)]);
}

/** Whether the flow between two routers is always that between their images. Flows of one pair add up. O(flows). */
function keepsFlows({ from, to, amount }: RouterFlows, image: Int32Array, routerCount: number): boolean {
  const { start, members } = groupedBy(from, routerCount);
  const surplus = new Float64Array(routerCount);
  const add = (router: number, bytes: number): void => {
    surplus[router] = realAt(surplus, router) + bytes;
  };
  for (let router = 0; router < routerCount; router++) {
    const own = members.subarray(start[router], start[router + 1]);
    const other = intAt(image, router);
    const images = members.subarray(start[other], start[other + 1]);
    for (const flow of own) add(intAt(image, intAt(to, flow)), realAt(amount, flow));
    for (const flow of images) add(intAt(to, flow), -realAt(amount, flow));
    for (const flow of own) if (surplus[intAt(image, intAt(to, flow))] !== 0) return false;
    for (const flow of images) if (surplus[intAt(to, flow)] !== 0) return false;
  }
  return true;
}
