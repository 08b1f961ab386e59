import type { Cancellation } from '../../model/cancellation.ts';
import { asLinkId, asNodeId } from '../../model/identifiers.ts';
import type { Flow, HotLink, PlacementReport, Relief } from '../../model/report.ts';
import { cancelledCode, fail, succeed, type Result } from '../../model/result.ts';
import { causesOf } from '../evaluate/causes.ts';
import { meanOfUsed } from '../evaluate/hotLinks.ts';
import { placeTasks, type PlacedTasks } from '../evaluate/placedTasks.ts';
import { routeShares, type LinkShare } from './routeShares.ts';

/** Why a link carries what it does. */
export interface LinkExplanation extends Pick<HotLink, 'link' | 'load' | 'timesMean'> {
  /** The heaviest flows over it, heaviest first, at most {@link explainedFlows}. */
  readonly flows: readonly RoutedFlow[];
  /** All ordered pairs that cross it. */
  readonly flowCount: number;
  readonly jobBytes: readonly number[];
  readonly reliefs: readonly Relief[];
}

export interface RoutedFlow extends Flow {
  /** Of the link's load, 0 … 1. */
  readonly share: number;
  /** Everywhere that the flow goes. */
  readonly route: readonly LinkShare[];
}

/** More would hide each other in a picture. */
export const explainedFlows = 50;

/**
 * What flows over a link of a placement, hot or not, and what would relieve it. Fails with
 * `no-such-link` for a link that the machine does not have, and where it was cancelled.
 * One pass over the pairs.
 */
export function explainLink(
  report: PlacementReport,
  link: number,
  cancellation: Cancellation,
): Result<LinkExplanation> {
  const { machine, linkLoads, hotLinks } = report;
  const load = linkLoads[link];
  if (load === undefined) return fail('no-such-link', `Machine ${machine.name} has no link ${link}.`);
  const id = asLinkId(link);
  const jobs = placeTasks(machine, report.jobs);
  const causes = causesOf(machine, jobs, { linkLoads, hotLinks }, [id], explainedFlows, cancellation)?.[0];
  if (causes === undefined) return fail(cancelledCode, 'The explanation was cancelled.');
  const { flowCount, jobBytes = [], reliefs } = causes;
  const flows = causes.flows.map((flow) => routed(report, jobs, flow, load));
  return succeed({
    link: id,
    load,
    timesMean: load / (meanOfUsed(linkLoads) || 1),
    flows,
    flowCount,
    jobBytes,
    reliefs,
  });
}

function routed({ machine }: PlacementReport, jobs: readonly PlacedTasks[], flow: Flow, load: number): RoutedFlow {
  const { node } = jobs[flow.job]!;
  const route = routeShares(machine, asNodeId(node[flow.from]!), asNodeId(node[flow.to]!));
  return { ...flow, share: flow.bytes / load, route };
}
