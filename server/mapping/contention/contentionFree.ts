/**
 * Contention-free mapping of Soryani et al. 2013: the catalogue's entry, how the jobs of a workload are mapped one
 * after another, how many tasks of a job a node may hold (`limitOf`), and the notes that tell what was decided.
 */
import { itemAt } from '../../numeric/elements.ts';
import { sameNumbers } from '../../model/lists.ts';
import { succeed, cancelled, fail, type Result } from '../../model/result.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem, TogetherAnswer } from '../contract.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { clusterFigures, missingFiguresNote, type ClusterFigures } from '../../queueing/servers.ts';
import {
  jobMessages,
  type JobMessages,
  contentionOf,
  isRateKnown,
  mappingOrder,
  type Contention,
  largeFrom,
  smallUpTo,
} from '../../queueing/messages.ts';
import { emptyOccupancy, FreeCores, type Occupancy } from './slotOccupancy.ts';
import { predictUse, predictWaiting, type PredictedUse } from '../../queueing/predict.ts';
import { shareNodes } from './shares.ts';
import { spreadTasks } from './spread.ts';
import { nodeOfSlot } from '../../model/slots.ts';
import { findThreshold, type Threshold } from '../../queueing/threshold.ts';
import type { Job } from '../../model/job.ts';
import type { Machine } from '../../model/machine.ts';
import { countOf, formatBytes, formatNumber, formatSeconds, formatShare } from '../../model/quantities.ts';
import { countOfSlots, slotNoun } from '../../model/nodeInside.ts';
import type { Mapping } from '../../model/placement.ts';
import type { QueueingMetrics } from '../../model/report.ts';

export const contentionFree: MapperEntry = {
  name: 'contention-free',
  summary: 'limits the tasks of a job per node so that no network interface saturates',
  source: 'Soryani et al. 2013, figure 8, equations 13–23',
  details:
    'Jobs of one placement are mapped together. Large messages (from 1 MiB) are first, then medium, then small ones ' +
    '(up to 2 KiB). Inside a class the order is by adjacency, the mean number of partners of a task. If tasks of ' +
    'a job have more partners than fit beside them on the idle cores, the job gets a threshold. It is the number ' +
    'of tasks per node with the least waiting time at NIC and memory. The threshold is unset if the tasks of ' +
    'several jobs have more partners on average than a node has cores. A job of large messages with a rate but ' +
    'no threshold has one task on each socket if, by the queueing model, its messages then wait less. Tasks are ' +
    'placed with their partners, the heaviest senders first; those with large messages on different sockets of a ' +
    'node.\n\n' +
    '`rate` counts the messages from a task to each partner. The default, 1/s, ranks by bytes. In a table of bytes ' +
    'each amount is one message. A skeleton or a trace defines its messages. Without a rate they are sent in the time ' +
    'in which the busiest task computes and sends at 1 GB/s. The defaults of `memory`, `interface` and `switch` of the ' +
    'machine are 4 GB/s, 1 GB/s and 100 ns. The paper does not define where a first task goes, nor the next node. ' +
    'Here it is the node of the partners, otherwise the one with most idle cores. A threshold that the free cores ' +
    'cannot satisfy is raised only as far as needed.',
  options: [
    {
      name: 'variation',
      summary: 'coefficient of variation of the times between messages; 1 for a Poisson stream',
      kind: 'number',
      minimum: 0,
      maximum: 100,
      default: 1,
    },
  ],
  complexity: 'O(pairs · log n + n log nodes)',
  scaling: 'linear',
  map: (problem, context) => {
    const together = mapJobs([problem], context);
    if (!together.ok) return together;
    const { answers, notes } = together.value;
    return succeed({ ...itemAt(answers, 0), notes: [...notes, ...itemAt(answers, 0).notes] });
  },
  mapTogether: mapJobs,
};

/** A workload on its way onto the cluster. */
interface Workload {
  readonly problems: readonly MappingProblem[];
  readonly messages: readonly JobMessages[];
  readonly contention: Contention;
  readonly figures: ClusterFigures;
  readonly variation: number;
  readonly occupancy: Occupancy;
  /** Jobs that have their places. */
  readonly mapped: { readonly job: Job; readonly mapping: Mapping }[];
  /** All jobs have the same nodes, so one that fits by count leaves enough for the others. */
  readonly sameNodes: boolean;
  readonly cancellation: Cancellation;
}

/**
 * Maps all jobs of a workload, at least one (Soryani et al. 2013, figure 8): class by class, within a class by
 * adjacency, each onto the cores that those before it left. Fails with `does-not-fit`, naming the
 * job. O(pairs · log degree + jobs · (jobs · nodes + slots)).
 */
export function mapJobs(problems: readonly MappingProblem[], context: MappingContext): Result<TogetherAnswer> {
  const { machine } = itemAt(problems, 0);
  const misfit = findMisfit(problems);
  if (misfit !== undefined) return misfit;
  const { figures, missing } = clusterFigures(machine);
  const workload = workloadOf(problems, figures, context);
  if (workload === undefined) return cancelled();
  const answers: MappingAnswer[] = [];
  const order = mappingOrder(workload.messages);
  for (const [done, position] of order.entries()) {
    context.progress(done / order.length, `mapping ${itemAt(problems, position).job.name}`);
    const answer = mapWorkloadJob(workload, position, order.slice(done + 1));
    if (answer === undefined) return cancelled();
    answers[position] = answer;
    workload.mapped.push({ job: itemAt(problems, position).job, mapping: answer.mapping });
  }
  const prediction = predictionNotes(workload, answers);
  if (prediction === undefined) return cancelled();
  const notes = [
    ...(missing.length === 0 ? [] : [missingFiguresNote(missing)]),
    ...(problems.length === 1 ? [] : [contentionNote(workload.contention, machine)]),
    ...prediction,
  ];
  return succeed({ answers, notes });
}

/** Nothing is predicted where a rate is only assumed. Undefined if cancelled. */
function predictionNotes(
  { problems, figures, variation, cancellation }: Workload,
  answers: readonly MappingAnswer[],
): readonly string[] | undefined {
  if (problems.some(({ job }) => job.rate === undefined)) return [];
  const placed = problems.map(({ job }, position) => ({ job, mapping: itemAt(answers, position).mapping }));
  const prediction = predictWaiting(itemAt(problems, 0).machine, placed, figures, variation, cancellation);
  return prediction === undefined ? undefined : [predictionNote(prediction)];
}

/** Undefined if cancelled. */
function workloadOf(
  problems: readonly MappingProblem[],
  figures: ClusterFigures,
  { options, cancellation }: MappingContext,
): Workload | undefined {
  const { machine, slots } = itemAt(problems, 0);
  const variation = Number(options['variation'] ?? 1);
  const messages: JobMessages[] = [];
  for (const { job } of problems) {
    const ofJob = jobMessages(job, variation, cancellation);
    if (ofJob === undefined) return undefined;
    messages.push(ofJob);
  }
  return {
    problems,
    messages,
    contention: contentionOf(messages, machine.coresPerNode),
    figures,
    variation,
    occupancy: emptyOccupancy(machine),
    mapped: [],
    sameNodes: problems.every((problem) => sameNumbers(problem.slots, slots)),
    cancellation,
  };
}

function findMisfit(problems: readonly MappingProblem[]): Result<never> | undefined {
  const shared = shareNodes(problems, () => true);
  if (shared.fits) return undefined;
  const { job, machine } = itemAt(problems, shared.job);
  const { name, taskCount } = job;
  const left = problems.length === 1 ? 'its nodes have' : 'its nodes, which it shares with other jobs, leave it';
  return fail(
    'does-not-fit',
    `Job \`${name}\` has ${countOf(taskCount, 'task')}, and ${left} ${shared.room} free ${slotNoun(machine.inside.slots)}s: allocate more nodes or give it fewer tasks.`,
  );
}

/** Undefined if cancelled. */
function mapWorkloadJob(workload: Workload, position: number, later: readonly number[]): MappingAnswer | undefined {
  const { problems, occupancy, sameNodes } = workload;
  const problem = itemAt(problems, position);
  const before = sameNodes ? undefined : copyOf(occupancy);
  const answer = placeOnto(workload, position, problem, occupancy);
  if (answer === undefined || before === undefined) return answer;
  const isFree = (slot: number) => occupancy.taken[slot] === 0;
  if (
    shareNodes(
      later.map((other) => itemAt(problems, other)),
      isFree,
    ).fits
  )
    return answer;
  // It took cores that a later job cannot do without: it gets the cores of a share that leaves enough.
  restoreOccupancy(occupancy, before);
  const isFreeBefore = (slot: number) => before.taken[slot] === 0;
  const shared = shareNodes([problem, ...later.map((other) => itemAt(problems, other))], isFreeBefore);
  if (!shared.fits) return answer;
  const slots = slotsWithin(problem, itemAt(shared.shares, 0), isFreeBefore);
  return placeOnto(workload, position, { ...problem, slots }, occupancy);
}

/** Maps one job onto the slots of `problem` that are free. Undefined if cancelled. */
function placeOnto(
  workload: Workload,
  position: number,
  problem: MappingProblem,
  occupancy: Occupancy,
): MappingAnswer | undefined {
  const { contention, figures, variation } = workload;
  const { job, machine, allocation } = problem;
  const messages = itemAt(workload.messages, position);
  const cores = new FreeCores(problem, occupancy, messages.sizeClass === 'large');
  const request = { taskCount: job.taskCount, messages, contention, coresPerNode: machine.coresPerNode };
  const limit = tasksPerNodeLimit({ ...request, nodeCount: allocation.length, variation, figures }, cores);
  // Without a rate nobody knows how long messages wait.
  const mayCrowd = limit.reason === 'fits' && messages.sizeClass === 'large' && isRateKnown(job);
  const perSocket = leastHolding(cores.idle, job.taskCount, machine.socketsPerNode, machine.coresPerNode);
  if (!mayCrowd || perSocket >= machine.coresPerNode) return spreadOnto(workload, position, problem, occupancy, limit);
  const sockets: Limit = { reason: 'sockets', tasksPerNode: perSocket };
  return betterOf(workload, position, problem, occupancy, [limit, sockets]);
}

/**
 * Of two limits the one at which messages wait less by the queueing model, the first of equals. The paper limits the tasks
 * of a job on a node where they have more partners than fit there (section 4.2), and wants those with large messages on different sockets
 * (rule 4); of a chain of tasks with few partners each it says that messages are "appropriately divided between intra-node and
 * inter-node communications". So a job is kept together, or has a task on each socket, as the messages wait less.
 */
function betterOf(
  workload: Workload,
  position: number,
  problem: MappingProblem,
  occupancy: Occupancy,
  limits: readonly [Limit, Limit],
): MappingAnswer | undefined {
  const before = copyOf(occupancy);
  const one = spreadOnto(workload, position, problem, occupancy, limits[0]);
  const waits = one && contentionWith(workload, position, one);
  const after = copyOf(occupancy);
  restoreOccupancy(occupancy, before);
  const other = spreadOnto(workload, position, problem, occupancy, limits[1]);
  const otherWaits = other && contentionWith(workload, position, other);
  if (waits === undefined || otherWaits === undefined) return undefined;
  if (isLess(otherWaits, waits)) return other;
  restoreOccupancy(occupancy, after);
  return one;
}

/** What tells two mappings of a job apart, the weightiest first; less is better. */
type ContentionRank = readonly [
  /** Mean wait of all messages so far; infinite as soon as one server has more work than it can do. */
  waiting: number,
  /** How much more work comes in a second than servers do, in seconds: what makes queues grow where waits are without end. */
  excess: number,
  /** Mean wait of the job's own messages, which an overloaded server of other jobs need not concern. */
  ownWaiting: number,
];

function isLess(one: ContentionRank, other: ContentionRank): boolean {
  const differs = one.findIndex((value, index) => value !== other[index]);
  return differs !== -1 && itemAt(one, differs) < itemAt(other, differs);
}

/** What the queueing model makes of a mapping of one job together with those mapped before. Undefined if cancelled. */
function contentionWith(
  { problems, mapped, figures, variation, cancellation }: Workload,
  position: number,
  { mapping }: MappingAnswer,
): ContentionRank | undefined {
  const { job, machine } = itemAt(problems, position);
  const own = { job, mapping };
  const placed = [...mapped, own];
  const use = predictUse(machine, placed, figures, cancellation);
  const all = predictWaiting(machine, placed, figures, variation, cancellation);
  const ofJob = predictWaiting(machine, placed, figures, variation, cancellation, [own]);
  return use && all && ofJob && [all.waiting, excessUse(use), ofJob.waiting];
}

/** Sum of what each server would have to work above all of its time. */
function excessUse(use: PredictedUse): number {
  const servers = [use.memory, use.portOut, use.portIn, use.switchIn, use.switchOut, use.sending, use.receiving];
  return servers.reduce((sum, shares) => shares.reduce((part, share) => part + Math.max(0, share - 1), sum), 0);
}

function spreadOnto(
  { messages: messagesOfJobs, cancellation }: Workload,
  position: number,
  problem: MappingProblem,
  occupancy: Occupancy,
  limit: Limit,
): MappingAnswer | undefined {
  const { job } = problem;
  const messages = itemAt(messagesOfJobs, position);
  const cores = new FreeCores(problem, occupancy, messages.sizeClass === 'large');
  const mapping = spreadTasks(job, messages, cores, limit.tasksPerNode, cancellation);
  if (mapping === undefined) return undefined;
  return {
    mapping,
    notes: [
      messagesNote(messages, job),
      limitNote(limit, slotNoun(problem.machine.inside.slots)),
      spreadNote(cores.used),
    ],
  };
}

const copyOf = ({ taken, largeOnSocket }: Occupancy): Occupancy => ({
  taken: taken.slice(),
  largeOnSocket: largeOnSocket.slice(),
});

function restoreOccupancy(occupancy: Occupancy, before: Occupancy): void {
  occupancy.taken.set(before.taken);
  occupancy.largeOnSocket.set(before.largeOnSocket);
}

/** The first free slots of each node, as many as the share has of it. */
function slotsWithin(
  { machine, slots }: MappingProblem,
  share: ReadonlyMap<number, number>,
  isFree: (slot: number) => boolean,
): Int32Array {
  const left = new Map(share);
  return slots.filter((slot) => {
    const node = nodeOfSlot(machine, slot);
    const cores = left.get(node) ?? 0;
    if (cores === 0 || !isFree(slot)) return false;
    left.set(node, cores - 1);
    return true;
  });
}

/** Most tasks of a job on a node, and what decided it. */
type Limit =
  | { readonly reason: 'small' | 'severe' | 'sockets'; readonly tasksPerNode: number }
  | { readonly reason: 'fits'; readonly tasksPerNode: number; readonly adjacency: number; readonly idle: number }
  | {
      readonly reason: 'threshold';
      /** The threshold, or the least limit above it at which the free cores hold the job. */
      readonly tasksPerNode: number;
      readonly threshold: Threshold;
      readonly adjacency: number;
      readonly idle: number;
    };

interface LimitRequest {
  readonly taskCount: number;
  readonly messages: JobMessages;
  readonly contention: Contention;
  readonly coresPerNode: number;
  /** Nodes allocated to the job; those without an idle core count in the mean. */
  readonly nodeCount: number;
  readonly variation: number;
  readonly figures: ClusterFigures;
}

/** Figure 8 of Soryani et al. 2013, steps 2 and 2.3.2, for the cores that are idle now. O(nodes · log cores). */
function tasksPerNodeLimit(request: LimitRequest, cores: FreeCores): Limit {
  const { taskCount, messages, contention, coresPerNode, nodeCount } = request;
  const { adjacency } = messages;
  if (messages.sizeClass === 'small') return { reason: 'small', tasksPerNode: coresPerNode };
  if (contention.severe) return { reason: 'severe', tasksPerNode: coresPerNode };
  const idle = cores.idleCores / nodeCount;
  if (adjacency <= idle - 1) return { reason: 'fits', tasksPerNode: coresPerNode, adjacency, idle };
  const threshold = findThreshold({
    ...request,
    adjacency,
    nodesWithIdleCore: cores.idle.reduce((count, own) => count + (own > 0 ? 1 : 0), 0),
    meanRate: messages.meanRate,
    meanBytes: messages.meanBytes,
  });
  const tasksPerNode = leastHolding(cores.idle, taskCount, threshold.tasksPerNode, coresPerNode);
  return { reason: 'threshold', tasksPerNode, threshold, adjacency, idle };
}

/** The least limit from `from` to `to` at which the idle cores hold the tasks; they do at `to`. */
function leastHolding(idle: Int32Array, taskCount: number, from: number, to: number): number {
  const holds = (limit: number) => idle.reduce((sum, cores) => sum + Math.min(cores, limit), 0) >= taskCount;
  let least = from;
  let enough = Math.max(from, to);
  while (least < enough) {
    const middle = Math.floor((least + enough) / 2);
    if (holds(middle)) enough = middle;
    else least = middle + 1;
  }
  return least;
}

/** Why there is contention between the jobs or not; for several jobs. */
function contentionNote({ meanAdjacency, severe }: Contention, { inside, coresPerNode }: Machine): string {
  const room = `the ${countOfSlots(coresPerNode, inside.slots)} of a node`;
  const partners = formatNumber(meanAdjacency);
  const sends = `the tasks of a job send to ${partners} others on average (jobs of small messages left out)`;
  return severe
    ? `Contention between the jobs is severe: ${sends}, more than ${room}, so no job is spread out.`
    : `Contention between the jobs is not severe: ${sends}, in whole ones no more than ${room}.`;
}

/** Class, adjacency and demand of one job. */
function messagesNote(messages: JobMessages, { rate, program }: Job): string {
  const { sizeClass, largestBytes, adjacency, demand } = messages;
  const bounds = {
    large: `${formatBytes(largeFrom)} or more`,
    medium: `between ${formatBytes(smallUpTo)} and ${formatBytes(largeFrom)}`,
    small: `${formatBytes(smallUpTo)} or less`,
  }[sizeClass];
  const total = demand.reduce((sum, value) => sum + value, 0);
  const taken =
    rate !== undefined
      ? ''
      : program === undefined
        ? '; no `rate` is given, one message a second to each partner was taken'
        : `; no \`rate\` is given, its messages were taken to go in the ${formatSeconds(program.seconds)} for which its busiest task computes and sends`;
  return `Messages are ${sizeClass} (${bounds}: ${formatBytes(largestBytes)}); ${formatNumber(adjacency)} partners per task; the job sends ${formatBytes(total)}/s (equation 13)${taken}.`;
}

/** How many tasks of the job a node may have, and why. */
function limitNote(limit: Limit, noun: string): string {
  switch (limit.reason) {
    case 'small':
      return 'No limit per node: small messages need none.';
    case 'severe':
      return 'No limit per node: contention between the jobs is severe (rule 6).';
    case 'sockets':
      return `At most ${countOf(limit.tasksPerNode, 'task')} on a node, spread over its sockets (rule 4). The queueing model predicts less waiting there.`;
    case 'fits':
      return `No limit per node: a task and its ${formatNumber(limit.adjacency)} partners fit on the ${formatNumber(limit.idle)} idle ${noun}s (mean).`;
    case 'threshold': {
      const { threshold, tasksPerNode, idle, adjacency } = limit;
      const chose =
        threshold.equation === 14
          ? `waiting at interface and memory is least (${formatSeconds(threshold.value)}, equation 14)`
          : `fewest messages arrive at a node (${formatNumber(threshold.value)} a second, equation 23; waiting is endless on any number of nodes)`;
      const raised =
        tasksPerNode === threshold.tasksPerNode
          ? ''
          : ` The free ${noun}s do not hold the job at that limit: it was raised to ${tasksPerNode}.`;
      return (
        `At most ${countOf(threshold.tasksPerNode, 'task')} on a node (equation 22): ${formatNumber(adjacency)} partners are more than fit beside a ` +
        `task on ${formatNumber(idle)} idle ${noun}s, and on ${countOf(threshold.nodes, 'node')} ${chose}.${raised}`
      );
    }
  }
}

/** "Tasks per node: 4 on 16 nodes." `used` counts the tasks by site. */
function spreadNote(used: Int32Array): string {
  const counts = used.filter((tasks) => tasks > 0).sort();
  const least = counts[0] ?? 0;
  const most = counts.at(-1) ?? 0;
  return `Tasks per node: ${least === most ? most : `${least} to ${most}`} on ${countOf(counts.length, 'node')}.`;
}

/** What the queueing model makes of the mapping, where the jobs give their rates. */
function predictionNote({ waiting, memoryWaiting, highestUtilisation }: QueueingMetrics): string {
  const utilisation = formatShare(highestUtilisation);
  return highestUtilisation >= 1
    ? `Queueing model: overloaded server, utilisation ${utilisation}.`
    : `Queueing model: mean wait ${formatSeconds(waiting)} per message, ${formatSeconds(memoryWaiting)} for memory. Maximum server utilisation ${utilisation}.`;
}
