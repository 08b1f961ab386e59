import { itemAt } from '../../numeric/elements.ts';
import type { QueueingMetrics } from '../../model/report.ts';
import { largeFrom, smallUpTo, type JobMessages, type Contention } from '../../queueing/messages.ts';
import type { Limit } from './limit.ts';

/** Why there is contention between the jobs or not; for several jobs. */
export function contentionNote({ meanAdjacency, severe }: Contention, coresPerNode: number): string {
  const partners = String(Number(meanAdjacency.toPrecision(4)));
  const sends = `the tasks of a job send to ${partners} others on average (jobs of small messages left out)`;
  return severe
    ? `Contention between the jobs is severe: ${sends}, more than the ${coresPerNode} cores of a node, so no job is spread out.`
    : `Contention between the jobs is not severe: ${sends}, in whole ones no more than the ${coresPerNode} cores of a node.`;
}

/** Which figures were taken from the paper. */
export const missingFiguresNote = (missing: readonly string[]): string =>
  `The machine does not say ${inWords(missing)}: the figures of Soryani et al. (2013) were taken.`;

/** Class, adjacency and demand of one job. */
export function messagesNote(messages: JobMessages, rateGiven: boolean): string {
  const { sizeClass, largestBytes, adjacency, demand } = messages;
  const bounds = {
    large: `${bytesInWords(largeFrom)} or more`,
    medium: `between ${bytesInWords(smallUpTo)} and ${bytesInWords(largeFrom)}`,
    small: `${bytesInWords(smallUpTo)} or less`,
  }[sizeClass];
  const total = demand.reduce((sum, value) => sum + value, 0);
  const assumed = rateGiven ? '' : '; no `rate` is given, one message a second to each partner was taken';
  return (
    `Messages are ${sizeClass} (${bounds}: ${bytesInWords(largestBytes)}), a task sends to ${figure(adjacency)} others on ` +
    `average, and the job asks for ${bytesInWords(total)}/s (equation 13)${assumed}.`
  );
}

/** How many tasks of the job a node may have, and why. */
export function limitNote(limit: Limit): string {
  switch (limit.reason) {
    case 'small':
      return 'No limit per node: small messages need none.';
    case 'severe':
      return 'No limit per node: contention between the jobs is severe (rule 6).';
    case 'fits':
      return `No limit per node: a task and its ${figure(limit.adjacency)} partners find room among the ${figure(limit.idle)} cores that are idle on average.`;
    case 'threshold': {
      const { threshold, tasksPerNode, idle, adjacency } = limit;
      const chose =
        threshold.equation === 14
          ? `waiting at interface and memory is least (${secondsInWords(threshold.value)}, equation 14)`
          : `fewest messages arrive at a node (${figure(threshold.value)} a second, equation 23; waiting is endless on any number of nodes)`;
      const raised =
        tasksPerNode === threshold.tasksPerNode
          ? ''
          : ` The free cores do not hold the job at that limit: it was raised to ${tasksPerNode}.`;
      return (
        `At most ${threshold.tasksPerNode} tasks on a node (equation 22): ${figure(adjacency)} partners are more than fit beside a ` +
        `task on ${figure(idle)} idle cores, and on ${nodesInWords(threshold.nodes)} ${chose}.${raised}`
      );
    }
  }
}

/** "Tasks per node: 4 on 16 nodes." `used` counts the tasks by site. */
export function spreadNote(used: Int32Array): string {
  const counts = used.filter((tasks) => tasks > 0).sort();
  const least = counts[0] ?? 0;
  const most = counts.at(-1) ?? 0;
  return `Tasks per node: ${least === most ? most : `${least} to ${most}`} on ${nodesInWords(counts.length)}.`;
}

/** What the queueing model makes of the mapping, where the jobs give their rates. */
export function predictionNote({ waiting, memoryWaiting, highestUtilisation }: QueueingMetrics): string {
  const busiest = `${figure(100 * highestUtilisation)} % of the time`;
  return highestUtilisation >= 1
    ? `By the queueing model messages come faster than they go: the busiest server would have to work ${busiest}.`
    : `By the queueing model a message waits ${secondsInWords(waiting)} on average, ${secondsInWords(memoryWaiting)} of it for memories; the busiest server works ${busiest}.`;
}

const nodesInWords = (count: number): string => `${count} node${count === 1 ? '' : 's'}`;

const inWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;

/** Three figures that count, and no more zeros than needed. */
const figure = (value: number): string => String(Number(value.toPrecision(value >= 1000 ? 4 : 3)));

const bytesInWords = (bytes: number): string => scaled(bytes, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB']);
const secondsInWords = (seconds: number): string => scaled(seconds * 1e9, 1000, ['ns', 'us', 'ms', 's']);

function scaled(value: number, step: number, units: readonly string[]): string {
  let unit = 0;
  while (value >= step && unit + 1 < units.length) {
    value /= step;
    unit++;
  }
  return `${figure(value)} ${itemAt(units, unit)}`;
}
