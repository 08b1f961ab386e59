import { intAt, itemAt } from '../../numeric/elements.ts';
import type { BusyServer, Metrics, PlacementReport, SuggestedImprovement } from '../../model/report.ts';
import { endName } from '../../network/names.ts';
import type { SuggestedImprovementOutline } from '../report.ts';
import { countOf, formatSeconds, formatShare } from '../../model/quantities.ts';
import { changeOrAsBefore } from '../../model/words.ts';
import { gapOf, type SearchRecord } from '../../model/searchRecord.ts';
import type { Failure } from '../../model/result.ts';
import { nodeOfSlot } from '../../model/slots.ts';

/** A suggested improvement as plain data; `load` is that of the link as it is. */
export function outlineImprovement(
  report: PlacementReport,
  load: number,
  improvement: SuggestedImprovement,
): SuggestedImprovementOutline {
  const { hopBytes, maximumLinkLoad } = report.metrics;
  const { job, task, slot, with: other } = improvement;
  const left = intAt(itemAt(report.jobs, job).mapping, task);
  return {
    action: actionWords(report, improvement),
    linkChange: improvement.load / load - 1,
    heaviestChange: improvement.maximumLinkLoad / maximumLinkLoad - 1,
    hopBytesChange: improvement.hopBytesChange / hopBytes,
    moves: [{ job, task, slot }, ...(other === undefined ? [] : [{ ...other, slot: left }])],
  };
}

/** A suggested improvement in words: `swap tasks 12 and 30: this link −38 %, heaviest link −12 %, hop-bytes −2 %`. */
export const improvementText = ({
  action,
  linkChange,
  heaviestChange,
  hopBytesChange,
}: SuggestedImprovementOutline): string =>
  `${action}: this link ${changeOrAsBefore(linkChange)}, maximum link load ${changeOrAsBefore(heaviestChange)}, hop-bytes ${changeOrAsBefore(hopBytesChange)}`;

/** The same of a report; `load` is that of the link as it is. */
export const improvementWords = (report: PlacementReport, load: number, improvement: SuggestedImprovement): string =>
  improvementText(outlineImprovement(report, load, improvement));

/** `swap tasks 12 and 30`, `move task 12 to node 7`; with several jobs each task with its job. */
function actionWords(
  { machine, jobs }: PlacementReport,
  { job, task, slot, with: other }: SuggestedImprovement,
): string {
  const named = (index: number, id: number): string =>
    jobs.length === 1 ? `task ${id}` : `task ${id} of ${itemAt(jobs, index).job.name}`;
  if (other === undefined) {
    const host = nodeOfSlot(machine, slot);
    return `move ${named(job, task)} to ${endName(machine, { host })}`;
  }
  if (jobs.length === 1) return `swap tasks ${task} and ${other.task}`;
  return `swap ${named(job, task)} and ${named(other.job, other.task)}`;
}

/** `optimality gap ≤ 12 %`; undefined where no bound says how much is left. */
export function gapWords(search: Pick<SearchRecord, 'value' | 'bound'>): string | undefined {
  const gap = gapOf(search);
  if (gap === undefined) return undefined;
  return gap === 0 ? 'optimal' : `optimality gap ${shareWords(gap)}`;
}

/** Rounded up, since it is said to be the most. */
function shareWords(share: number): string {
  const percent = 100 * share;
  if (percent < 0.1) return '< 0.1 %';
  return `≤ ${percent < 10 ? Math.ceil(10 * percent - 1e-9) / 10 : Math.ceil(percent - 1e-9)} %`;
}

/**
 * `not tried within 1 s: drb; a longer budget tries it`; undefined where everything was tried. A budget in steps
 * pays for no other search of the catalogue once a job is large, however many steps it has.
 */
export function untriedWords({
  untried = [],
  budget,
  end,
}: Pick<SearchRecord, 'untried' | 'budget' | 'end'>): string | undefined {
  if (untried.length === 0) return undefined;
  const names = untried.join(', ');
  if (end === 'stopped') return `not tried before the stop: ${names}`;
  if (budget === undefined) return `not tried: ${names}`;
  const them = untried.length === 1 ? 'it' : 'them';
  return budget.kind === 'seconds'
    ? `not tried within ${formatSeconds(budget.amount)}: ${names}; a longer budget tries ${them}`
    : `not tried within ${countOf(budget.amount, 'step')}: ${names}; a time budget tries ${them}`;
}

/** A server of the queueing model: `memory of socket 1 of node 3`, `send queue pair of core 5 of node 3`. */
export function serverWords({
  server,
  node,
  socket,
  core,
}: Omit<BusyServer, 'server' | 'utilisation'> & { readonly server: string }): string {
  const part = socket === undefined ? '' : ` of socket ${socket}`;
  return `${server}${core === undefined ? part : ` of core ${core}`} of node ${node}`;
}

/** What is wrong where messages come faster than they go, so that they wait longer the longer the jobs run. */
export function overloadOf({ queueing }: Metrics): Failure | undefined {
  const { overloadedServers = 0, busiest: [busiest] = [] } = queueing ?? {};
  if (overloadedServers === 0 || busiest === undefined) return undefined;
  const others = overloadedServers - 1;
  const more = others === 0 ? '' : `, and ${countOf(others, 'more server')} ${others === 1 ? 'is' : 'are'} overloaded`;
  return {
    code: 'overloaded-server',
    message: `The ${serverWords(busiest)} is overloaded (utilisation ${formatShare(busiest.utilisation)})${more}. Lower \`rate\`, or use another mapping.`,
  };
}
