import type { LinkId, RouterId, TaskId } from '../../model/identifiers.ts';
import type { Machine } from '../../model/machine.ts';
import type { PlacedJob } from '../../model/placement.ts';
import { type Flow, flowsPerHotLink } from '../../model/report.ts';

/** One ordered pair with traffic, its route walked link by link. */
interface WalkedPair {
  readonly flow: Flow;
  readonly sameNode: boolean;
  readonly route: readonly LinkId[];
}

/**
 * Measures a placement by walking the route of every pair, with none of the engine's sums: what
 * `evaluate` is held against.
 */
export function bruteForce(machine: Machine, jobs: readonly PlacedJob[], hotLinkFactor: number) {
  const pairs = jobs.flatMap((placed, index) => walkPairs(machine, placed, index));
  const hops = pairs.map(({ route }) => route.length);
  const mean = hops.length === 0 ? 0 : sum(hops) / hops.length;
  const loads = new Array<number>(machine.topology.links.linkCount).fill(0);
  for (const { flow, route } of pairs) for (const link of route) loads[link]! += flow.bytes;
  const used = loads.filter((load) => load > 0);
  const usedMean = sum(used) / Math.max(1, used.length);
  const hot = loads
    .map((load, link) => ({ link, load }))
    .filter(({ load }) => load > 0 && load >= hotLinkFactor * usedMean)
    .sort((a, b) => b.load - a.load || a.link - b.link);
  const hopBytes = sum(pairs.map(({ flow, route }) => flow.bytes * route.length));
  const total = sum(pairs.map(({ flow }) => flow.bytes));
  return {
    averageHops: mean,
    hopVariance: hops.length === 0 ? 0 : sum(hops.map((value) => (value - mean) ** 2)) / hops.length,
    maximumHops: Math.max(0, ...hops),
    hopBytes,
    weightedHops: total === 0 ? 0 : hopBytes / total,
    interNodeBytes: sum(pairs.filter(({ sameNode }) => !sameNode).map(({ flow }) => flow.bytes)),
    maximumLinkLoad: Math.max(0, ...loads),
    meanLinkLoad: loads.length === 0 ? 0 : sum(loads) / loads.length,
    loads,
    hot: hot.map(({ link, load }) => ({ link, load, ...flowsOver(pairs, jobs.length, link as LinkId) })),
  };
}

function walkPairs(machine: Machine, { job, mapping }: PlacedJob, index: number): WalkedPair[] {
  const { rowStart, partner, bytes } = job.traffic;
  const pairs: WalkedPair[] = [];
  for (let from = 0; from < job.taskCount; from++) {
    for (let pair = rowStart[from]!; pair < rowStart[from + 1]!; pair++) {
      const to = partner[pair]!;
      const [nodeFrom, nodeTo] = [from, to].map((task) => Math.floor(mapping[task]! / machine.coresPerNode));
      const routerOf = (node: number) => machine.topology.routerOfNode[node]! as RouterId;
      pairs.push({
        flow: { job: index, from: from as TaskId, to: to as TaskId, bytes: bytes[pair]! },
        sameNode: nodeFrom === nodeTo,
        route: withHostLinks(
          machine,
          nodeFrom!,
          nodeTo!,
          machine.routing.route(routerOf(nodeFrom!), routerOf(nodeTo!))!,
        ),
      });
    }
  }
  return pairs;
}

function withHostLinks(machine: Machine, from: number, to: number, route: readonly LinkId[]): readonly LinkId[] {
  if (!machine.topology.hasHostLinks || from === to) return route;
  const { routerLinkCount } = machine.topology.links;
  return [(routerLinkCount + 2 * from) as LinkId, ...route, (routerLinkCount + 2 * to + 1) as LinkId];
}

function flowsOver(pairs: readonly WalkedPair[], jobCount: number, link: LinkId) {
  const flows = pairs
    .filter(({ route }) => route.includes(link))
    .map(({ flow }) => flow)
    .sort((a, b) => b.bytes - a.bytes || a.job - b.job || a.from - b.from || a.to - b.to);
  const bytesOf = (index: number) => sum(flows.filter(({ job }) => job === index).map(({ bytes }) => bytes));
  return {
    flows: flows.slice(0, flowsPerHotLink),
    flowCount: flows.length,
    jobBytes: Array.from({ length: jobCount }, (_, index) => bytesOf(index)),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
