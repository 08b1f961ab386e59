import { asNodeId } from '../../model/identifiers.ts';
import type { NodeId } from '../../model/identifiers.ts';
import { hopsBetweenNodes } from '../../model/machine.ts';
import type { PlacementReport } from '../../model/report.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import type { Traffic } from '../../model/traffic.ts';
import { routeShares, type LinkShare } from './routeShares.ts';

/** A task by the index of its job in the placement. */
export interface TaskOfJob {
  readonly job: number;
  readonly task: number;
}

/** How one task is connected with another. */
export interface TasksExplanation {
  readonly hops: number;
  /** What the first sends to the second; 0 for tasks of different jobs. */
  readonly bytes: number;
  readonly route: readonly LinkShare[];
}

/**
 * The route or routes from one task to another, whether they talk or not. Fails with
 * `no-such-task` for one that the placement does not have.
 */
export function explainTasks(report: PlacementReport, from: TaskOfJob, to: TaskOfJob): Result<TasksExplanation> {
  const { machine } = report;
  const start = nodeOf(report, from);
  const end = nodeOf(report, to);
  if (start === undefined || end === undefined) {
    const { job, task } = start === undefined ? from : to;
    const name = report.jobs[job]?.job.name;
    const where = name === undefined ? `job ${job} of placement ${report.name}` : `job ${name}`;
    return fail('no-such-task', `There is no task ${task} in ${where}.`);
  }
  const traffic = report.jobs[from.job]!.job.traffic;
  return succeed({
    hops: hopsBetweenNodes(machine, start, end),
    bytes: from.job === to.job ? bytesBetween(traffic, from.task, to.task) : 0,
    route: routeShares(machine, start, end),
  });
}

function nodeOf({ machine, jobs }: PlacementReport, { job, task }: TaskOfJob): NodeId | undefined {
  const slot = jobs[job]?.mapping[task];
  return slot === undefined ? undefined : asNodeId(Math.floor(slot / machine.coresPerNode));
}

/** O(partners of the sender). */
function bytesBetween({ rowStart, partner, bytes }: Traffic, from: number, to: number): number {
  const start = rowStart[from]!;
  const found = partner.subarray(start, rowStart[from + 1]).indexOf(to);
  return found < 0 ? 0 : bytes[start + found]!;
}
