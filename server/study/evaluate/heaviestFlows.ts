import type { Cancellation } from '../../model/cancellation.ts';
import type { LinkId, RouterId, TaskId } from '../../model/identifiers.ts';
import type { Machine } from '../../model/machine.ts';
import { flowsPerHotLink } from '../../model/report.ts';
import type { Flow } from '../../model/report.ts';
import type { PlacedTasks } from './placedTasks.ts';

/** A link whose heaviest flows are gathered. */
interface Watched {
  readonly link: LinkId;
  /** Heaviest first; equal ones in order of job, sender, receiver. */
  readonly flows: Flow[];
  /** A flow must have more bytes than this to be kept. */
  threshold: number;
  /**
   * Necessary for a router pair to use the link: hops from the sender's router to the link's
   * start, and from its end to the receiver's router. Empty for a host link.
   */
  readonly hopsTo: Int32Array;
  readonly hopsFrom: Int32Array;
}

/**
 * The heaviest flows over each of `links`, at most `flowsPerHotLink` for each, in the order of
 * `links`; undefined where it was cancelled.
 *
 * One pass over the pairs. Most pairs are dismissed without a route: their bytes are too few, or
 * the way through the link would be longer than their hops. (Every part of a route is itself a
 * legal route and hops count the shortest of those, so such a pair cannot cross the link.)
 * O(pairs · links) and a route for each pair that is left.
 */
export function heaviestFlows(
  machine: Machine,
  jobs: readonly PlacedTasks[],
  links: readonly LinkId[],
  cancellation: Cancellation,
): readonly (readonly Flow[])[] | undefined {
  if (links.length === 0) return [];
  const watched = links.map((link) => watch(machine, link));
  const betweenRouters = watched.filter(({ link }) => link < machine.topology.links.routerLinkCount);
  const ofHosts = watched.filter(({ link }) => link >= machine.topology.links.routerLinkCount);
  for (const job of jobs) {
    if (betweenRouters.length > 0 && !searchRouterLinks(machine, job, betweenRouters, cancellation)) return undefined;
    if (ofHosts.length > 0) searchHostLinks(machine, job, ofHosts);
  }
  return watched.map(({ flows }) => flows);
}

function watch(machine: Machine, link: LinkId): Watched {
  const { routing, topology } = machine;
  const { links, routerCount } = topology;
  const isHostLink = link >= links.routerLinkCount;
  const hopsTo = new Int32Array(isHostLink ? 0 : routerCount);
  const hopsFrom = new Int32Array(isHostLink ? 0 : routerCount);
  for (let router = 0; router < hopsTo.length; router++) {
    hopsTo[router] = routing.hops(router as RouterId, links.from[link]! as RouterId);
    hopsFrom[router] = routing.hops(links.to[link]! as RouterId, router as RouterId);
  }
  return { link, flows: [], threshold: 0, hopsTo, hopsFrom };
}

function searchRouterLinks(
  machine: Machine,
  job: PlacedTasks,
  watched: readonly Watched[],
  cancellation: Cancellation,
): boolean {
  const { routing } = machine;
  const { rowStart, partner, bytes, taskCount } = job.placed.job.traffic;
  let lowest = lowestThreshold(watched);
  for (let task = 0; task < taskCount; task++) {
    if ((task & 63) === 0 && cancellation.isCancelled()) return false;
    const from = job.router[task]! as RouterId;
    for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) {
      const amount = bytes[pair]!;
      if (amount <= lowest) continue;
      const to = job.router[partner[pair]!]! as RouterId;
      if (to === from) continue;
      const hops = routing.hops(from, to);
      for (const entry of watched) {
        if (amount <= entry.threshold || entry.hopsTo[from]! + 1 + entry.hopsFrom[to]! > hops) continue;
        const share = shareOver(machine, from, to, entry.link);
        keep(entry, { job: job.job, from: task as TaskId, to: partner[pair]! as TaskId, bytes: amount * share });
        lowest = lowestThreshold(watched);
      }
    }
  }
  return true;
}

const lowestThreshold = (watched: readonly Watched[]): number =>
  watched.reduce((lowest, { threshold }) => Math.min(lowest, threshold), Infinity);

/** Share of a flow between two routers that crosses `link`; 0 where none does. */
function shareOver(machine: Machine, from: RouterId, to: RouterId, link: LinkId): number {
  let total = 0;
  machine.routing.visitShares(from, to, (visited, share) => {
    if (visited === link) total += share;
  });
  return total;
}

function searchHostLinks(machine: Machine, job: PlacedTasks, watched: readonly Watched[]): void {
  const { routerLinkCount } = machine.topology.links;
  const { rowStart, partner, bytes, taskCount } = job.placed.job.traffic;
  for (let task = 0; task < taskCount; task++) {
    const own = job.node[task]!;
    for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) {
      const other = job.node[partner[pair]!]!;
      if (other === own) continue;
      for (const entry of watched) {
        const hostLink = entry.link - routerLinkCount;
        if (hostLink !== 2 * own && hostLink !== 2 * other + 1) continue;
        keep(entry, { job: job.job, from: task as TaskId, to: partner[pair]! as TaskId, bytes: bytes[pair]! });
      }
    }
  }
}

/** Inserts a flow behind those that are at least as heavy; pairs come in order, so ties stay sorted. */
function keep(entry: Watched, flow: Flow): void {
  if (flow.bytes <= entry.threshold) return;
  const { flows } = entry;
  const behind = flows.findIndex(({ bytes }) => bytes < flow.bytes);
  flows.splice(behind < 0 ? flows.length : behind, 0, flow);
  if (flows.length > flowsPerHotLink) flows.pop();
  if (flows.length === flowsPerHotLink) entry.threshold = flows[flowsPerHotLink - 1]!.bytes;
}
