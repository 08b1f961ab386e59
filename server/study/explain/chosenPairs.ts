/**
 * Pairs of tasks of a placement that somebody has chosen, in its picture or in the map of its traffic: what they send, and over
 * which links.
 */
import type { Cancellation } from '../../model/cancellation.ts';
import type { LinkId } from '../../model/identifiers.ts';
import { hopsBetweenNodes, nodeOfEnd, type Machine } from '../../model/machine.ts';
import type { PlacementReport } from '../../model/report.ts';
import { cancelledCode, fail, succeed, type Result } from '../../model/result.ts';
import { secondsPerByte } from '../../network/linkClasses.ts';
import { visitNodeShares } from '../../network/links.ts';
import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import { linkLoadsOf } from '../evaluate/loads.ts';
import { placeTasks, type PlacedTasks } from '../evaluate/placedTasks.ts';
import { pairsOfBlock, type PairTest, type TrafficArrangement, type TrafficBlock } from '../trafficMatrix.ts';

/** Which pairs; what both ends of a range say is in it. */
export type PairChoice =
  /** Between nodes that are so many hops apart. */
  | { readonly kind: 'hops'; readonly least: number; readonly most: number }
  /** Over a link with such a load, in bytes, or in seconds that it is busy. */
  | { readonly kind: 'loads'; readonly least: number; readonly most: number; readonly isTime?: true }
  /** Of a block of the matrix. */
  | ({ readonly kind: 'traffic'; readonly block: TrafficBlock } & TrafficArrangement)
  /** From a node or to it. */
  | { readonly kind: 'node'; readonly node: number }
  | { readonly kind: 'link'; readonly link: number }
  /** One pair, in both directions; jobs by their position in the placement. */
  | { readonly kind: 'tasks'; readonly from: JobTask; readonly to: JobTask };

interface JobTask {
  readonly job: number;
  readonly task: number;
}

/** Whether a pair is chosen. O(1) a pair, but of links and loads, where it is the length of its routes. */
export function pairTest(report: PlacementReport, choice: PairChoice): PairTest {
  const { machine, jobs } = report;
  if (choice.kind === 'traffic') return pairsOfBlock(report, choice, choice.block);
  if (choice.kind === 'tasks') {
    const { from, to } = choice;
    const isEnd = (end: JobTask, job: number, task: number): boolean => end.job === job && end.task === task;
    return (job, one, other) =>
      (isEnd(from, job, one) && isEnd(to, job, other)) || (isEnd(to, job, one) && isEnd(from, job, other));
  }
  const placed = placeTasks(machine, jobs);
  const isBetween = nodeTest(report, choice);
  return (job, from, to) => {
    const { end } = itemAt(placed, job);
    return isBetween(intAt(end, from), intAt(end, to));
  };
}

/** Of where messages begin and end. */
type EndTest = (from: number, to: number) => boolean;

/** Of choices for which it is enough to know the nodes. */
function nodeTest(
  { machine, linkLoads }: PlacementReport,
  choice: Exclude<PairChoice, { kind: 'traffic' | 'tasks' }>,
): EndTest {
  switch (choice.kind) {
    case 'hops':
      return (from, to) => {
        const hops = hopsBetweenNodes(machine, from, to);
        return hops >= choice.least && hops <= choice.most;
      };
    case 'node':
      return (from, to) => nodeOfEnd(machine, from) === choice.node || nodeOfEnd(machine, to) === choice.node;
    case 'link':
      return crosses(machine, (link) => link === choice.link);
    case 'loads':
      return crosses(machine, hasLoad(machine, linkLoads, choice));
  }
}

function hasLoad(
  machine: Machine,
  loads: Float64Array,
  { least, most, isTime }: Extract<PairChoice, { kind: 'loads' }>,
): (link: LinkId) => boolean {
  const seconds = isTime === true ? secondsPerByte(machine) : undefined;
  return (link) => {
    const load = realAt(loads, link) * (seconds === undefined ? 1 : realAt(seconds, link));
    return load >= least && load <= most;
  };
}

/** Whether a route between two nodes has a link that is wanted. */
const crosses =
  (machine: Machine, isWanted: (link: LinkId) => boolean): EndTest =>
  (from, to) => {
    let found = false;
    visitNodeShares(machine, from, to, (link) => {
      found ||= isWanted(link);
    });
    return found;
  };

/** Flows of chosen pairs of a placement, and where they go. */
interface ChosenFlows {
  readonly pairs: number;
  readonly bytes: number;
  /** Their bytes over each directed link, by LinkId. */
  readonly loads: Float64Array;
  /** At which they begin and end, ascending. */
  readonly nodes: readonly number[];
}

/** Pairs that are looked at between two looks at the cancellation. */
const pairsPerPoll = 4096;

/** What the chosen pairs send. Fails if cancelled. O(pairs) tests, and the time of the routing. */
export function flowsOfPairs(
  { machine, jobs }: PlacementReport,
  isChosen: PairTest,
  cancellation: Cancellation,
): Result<ChosenFlows> {
  let [pairs, bytes, looked, isCancelled] = [0, 0, 0, cancellation.isCancelled()];
  const nodes = new Set<number>();
  const kept = placeTasks(machine, jobs).map((placed, job): PlacedTasks => {
    const { taskCount, traffic } = placed.placed.job;
    const rowStart = new Int32Array(taskCount + 1);
    const partner: number[] = [];
    const amounts: number[] = [];
    for (let task = 0; task < taskCount && !isCancelled; task++) {
      for (let pair = intAt(traffic.rowStart, task); pair < intAt(traffic.rowStart, task + 1); pair++) {
        const other = intAt(traffic.partner, pair);
        if (++looked % pairsPerPoll === 0) isCancelled ||= cancellation.isCancelled();
        if (!isChosen(job, task, other)) continue;
        nodes.add(intAt(placed.node, task)).add(intAt(placed.node, other));
        partner.push(other);
        amounts.push(realAt(traffic.bytes, pair));
        bytes += realAt(traffic.bytes, pair);
      }
      rowStart[task + 1] = partner.length;
    }
    pairs += partner.length;
    const own = { taskCount, rowStart, partner: Int32Array.from(partner), bytes: Float64Array.from(amounts) };
    return { ...placed, placed: { ...placed.placed, job: { ...placed.placed.job, traffic: own } } };
  });
  const loads = isCancelled ? undefined : linkLoadsOf(machine, kept, cancellation);
  if (loads === undefined) return fail(cancelledCode, 'The explanation was cancelled.');
  return succeed({ pairs, bytes, loads, nodes: [...nodes].sort((one, other) => one - other) });
}
