import { itemAt } from '../../numeric/elements.ts';
import { succeed, cancelled, fail, type Result } from '../../model/result.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem, TogetherAnswer } from '../contract.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { clusterFigures, type ClusterFigures } from '../../queueing/figures.ts';
import { limitOf } from './limit.ts';
import { messagesOf, type JobMessages, contentionOf, mappingOrder, type Contention } from '../../queueing/messages.ts';
import { emptyOccupancy, FreeCores, type Occupancy } from './slotOccupancy.ts';
import { predictWaiting } from '../../queueing/predict.ts';
import { shareNodes } from './shares.ts';
import { spreadTasks } from './spread.ts';
import { contentionNote, limitNote, messagesNote, missingFiguresNote, predictionNote, spreadNote } from './notes.ts';
import { nodeOfSlot } from '../../model/slots.ts';

export const contentionFree: MapperEntry = {
  name: 'contention-free',
  summary: 'Limits the tasks of a job per node so that no network interface saturates',
  source: 'Soryani et al. 2013, figure 8, equations 13–23',
  details:
    'Jobs of one placement are mapped together: large messages (from 1 MiB) first, then medium, then small ones (up to ' +
    '2 KiB), within a class by adjacency, the mean number of partners that a task sends to. A job whose tasks have more ' +
    'partners than fit beside them on the idle cores gets a threshold, the tasks per node for which messages wait least ' +
    'at interface and memory; none where the tasks of several jobs have more partners on average than a node has cores. ' +
    'Tasks go to their partners, the heaviest senders first; those with large messages to different sockets of a node.\n\n' +
    '`rate` counts the messages from a task to each partner; without one it is 1/s, which ranks by bytes. In a table of ' +
    'bytes each amount is one message. `memory`, `interface` and `switch` of the machine are 4 GB/s, 1 GB/s and 100 ns ' +
    'where left out. The paper leaves open where a first task goes and which node is next: here the node its partners ' +
    'are on, else the one with most idle cores. A threshold that the free cores cannot keep is raised just as far as needed.',
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
  /** All jobs have the same nodes, so one that fits by count leaves room for the others. */
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
    const answer = mapJob(workload, position, order.slice(done + 1));
    if (answer === undefined) return cancelled();
    answers[position] = answer;
  }
  const prediction = predictionNotes(workload, answers);
  if (prediction === undefined) return cancelled();
  const notes = [
    ...(missing.length === 0 ? [] : [missingFiguresNote(missing)]),
    ...(problems.length === 1 ? [] : [contentionNote(workload.contention, machine.coresPerNode)]),
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
    const ofJob = messagesOf(job, variation, cancellation);
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
    sameNodes: problems.every((problem) => sameNumbers(problem.slots, slots)),
    cancellation,
  };
}

function sameNumbers(one: Int32Array, other: Int32Array): boolean {
  return one === other || (one.length === other.length && one.every((value, index) => value === other[index]));
}

function findMisfit(problems: readonly MappingProblem[]): Result<never> | undefined {
  const shared = shareNodes(problems, () => true);
  if (shared.fits) return undefined;
  const { name, taskCount } = itemAt(problems, shared.job).job;
  const left = problems.length === 1 ? 'its nodes have' : 'its nodes, which it shares with other jobs, leave it';
  return fail(
    'does-not-fit',
    `Job \`${name}\` has ${taskCount} tasks, and ${left} ${shared.room} free cores: allocate more nodes or give it fewer tasks.`,
  );
}

/** Undefined if cancelled. */
function mapJob(workload: Workload, position: number, later: readonly number[]): MappingAnswer | undefined {
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
  restore(occupancy, before);
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
  const { contention, figures, variation, cancellation } = workload;
  const { job, machine, allocation } = problem;
  const messages = itemAt(workload.messages, position);
  const room = new FreeCores(problem, occupancy, messages.sizeClass === 'large');
  const limit = limitOf(
    {
      taskCount: job.taskCount,
      messages,
      contention,
      coresPerNode: machine.coresPerNode,
      nodeCount: allocation.length,
      variation,
      figures,
    },
    room,
  );
  const mapping = spreadTasks(job, messages, room, limit.tasksPerNode, cancellation);
  if (mapping === undefined) return undefined;
  return { mapping, notes: [messagesNote(messages, job.rate !== undefined), limitNote(limit), spreadNote(room.used)] };
}

const copyOf = ({ taken, largeOnSocket }: Occupancy): Occupancy => ({
  taken: taken.slice(),
  largeOnSocket: largeOnSocket.slice(),
});

function restore(occupancy: Occupancy, before: Occupancy): void {
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
