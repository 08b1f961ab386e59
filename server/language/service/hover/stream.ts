/** Hovers of what happens over time: streams of jobs, and experiments with them. */
import { largestOf, leastOf } from '../../../model/lists.ts';
import type { Choice } from '../../../model/catalogue.ts';
import { crossedJobs, type ExperimentDescription, type Replications } from '../../../model/experiment.ts';
import { countOf, formatNumber, formatShare, roughTime } from '../../../model/quantities.ts';
import { seededRandom } from '../../../model/random.ts';
import { distributionsOf, type LoggedJobs, type StreamDescription, type StreamFacts } from '../../../model/stream.ts';
import { distributionOf } from '../../check/streamFit.ts';
import { fileNameOf } from '../../uris.ts';
import type { ServiceInput } from '../input.ts';
import { code, facts, paragraphs, plain } from './markdown.ts';

/** Values that the histogram of a hover is drawn from: enough for its eight heights. */
const samples = 2000;
/** Columns of a histogram at most. */
const columns = 16;
const bars = '▁▂▃▄▅▆▇█';

/** What a stream asks for: how often jobs arrive, how large they are, the load they bring. O(samples). */
export function streamMarkdown(
  stream: StreamDescription | undefined,
  found: StreamFacts | undefined,
): string | undefined {
  if (stream === undefined) return undefined;
  const { jobs, service, traffic } = stream;
  if (jobs.kind === 'log') return logMarkdown(jobs, found);
  const chosen = distributionsOf(stream);
  const means = Object.fromEntries(Object.entries(chosen).map(([word, choice]) => [word, distributionMean(choice)]));
  const { arrivals, width = 1, height = 1, processors = width * height } = means;
  const rate = arrivals === undefined || arrivals <= 0 ? undefined : 1 / arrivals;
  const held = service.kind === 'distribution' ? means['service'] : undefined;
  const rows = [
    ['Jobs', endText(stream)],
    ['Arrivals', rate === undefined ? undefined : `${formatNumber(rate, 6)} jobs a cycle`],
    ['Processors of a job', `${formatNumber(processors)} on average`],
    ['Processors asked for', rate === undefined ? undefined : `${formatNumber(rate * processors, 6)} a cycle`],
    ['Held for', held === undefined ? 'as long as the network takes' : `${formatNumber(held)} cycles on average`],
    ['Load', offeredLoadText(rate, processors, held)],
    ['Traffic', traffic === undefined ? 'none' : traffic.name],
  ] as const;
  const histograms = Object.entries(chosen)
    .filter(([word]) => word !== 'arrivals' && word !== 'service')
    .flatMap(([word, choice]) => histogramOf(word, choice) ?? []);
  return paragraphs(facts('Stream', rows), ...histograms);
}

/** Of a log, what it says of itself; before it was read, what the text says. */
function logMarkdown(jobs: LoggedJobs, found: StreamFacts | undefined): string {
  const wanted = jobs.first === undefined ? 'all' : `the first ${formatNumber(jobs.first, 0)}`;
  const known = found === undefined ? [['Jobs', wanted] as const] : rowsOfLog(found);
  const rows = [
    ['Log', code(fileNameOf(jobs.uri))],
    ...known,
    ['Processors as', jobs.processors],
    ['Estimates', jobs.estimates.kind],
  ] as const;
  const sizes = found?.sizes ?? [];
  const histogram =
    sizes.length === 0
      ? undefined
      : `processors ${code(barsBetween('1', sizes, formatNumber(2 ** (sizes.length - 1), 0)))}`;
  const refused = (found?.refused ?? []).map(({ reason, count }) => `${formatNumber(count, 0)} × ${plain(reason)}`);
  const lines = refused.length === 0 ? undefined : `*Lines that are no jobs of it: ${refused.join('; ')}*`;
  return paragraphs(facts('Stream', rows), histogram, lines);
}

type Row = readonly [string, string | undefined];

function rowsOfLog({ jobs, span, meanProcessors, largestProcessors, meanRun, load }: StreamFacts): readonly Row[] {
  return [
    ['Jobs', `${formatNumber(jobs, 0)} in ${longTime(span)}`],
    [
      'Processors of a job',
      `${formatNumber(meanProcessors)} on average, at most ${formatNumber(largestProcessors, 0)}`,
    ],
    ['Run time', Number.isNaN(meanRun) ? undefined : `${longTime(meanRun)} on average`],
    ['Load', Number.isNaN(load) ? undefined : busyText(load)],
  ];
}

/** Logs are months long: in days from two of them on, in hours from two hours on. */
function longTime(seconds: number): string {
  const [size, unit] = seconds >= 172_800 ? [86_400, 'days'] : seconds >= 7200 ? [3600, 'hours'] : [1, 's'];
  return `${formatNumber(seconds / size)} ${unit}`;
}

const busyText = (processors: number): string => `${formatNumber(processors)} processors busy, were there enough`;

/** Little's law: the processors that would be busy, were there enough. */
const offeredLoadText = (rate: number | undefined, processors: number, held: number | undefined): string | undefined =>
  rate === undefined || held === undefined ? undefined : busyText(rate * processors * held);

function endText({ end }: StreamDescription): string {
  if (end.kind === 'all') return 'as many as are written';
  if (end.kind === 'time') return `until time ${formatNumber(end.time)}`;
  return `until ${formatNumber(end.jobs, 0)} have ${end.kind === 'completed' ? 'ended' : 'arrived'}`;
}

const distributionMean = (choice: Choice): number => distributionOf(choice)?.mean ?? 0;

/** `width 1 ▁▃▅█ 16`: how often each size comes. The same for the same text: it is drawn with a seed of its own. */
function histogramOf(word: string, choice: Choice): string | undefined {
  const distribution = distributionOf(choice);
  if (distribution === undefined) return undefined;
  const random = seededRandom(1);
  const values = Array.from({ length: samples }, () => distribution.wholeSample(random));
  const [least, most] = [leastOf(values), largestOf(values)];
  const width = Math.max(1, Math.ceil((most - least + 1) / columns));
  const counts = Array.from({ length: Math.ceil((most - least + 1) / width) }, () => 0);
  for (const value of values) {
    const column = Math.floor((value - least) / width);
    counts[column] = (counts[column] ?? 0) + 1;
  }
  return `${word} ${code(barsBetween(formatNumber(least, 0), counts, formatNumber(most, 0)))}`;
}

/** `1 ▁▃▅█ 16`: counts of classes between the names of the first and the last one. */
function barsBetween(least: string, counts: readonly number[], most: string): string {
  const highest = largestOf(counts);
  const drawn = counts.map((count) => (count === 0 ? ' ' : bars.charAt(Math.ceil((count / highest) * 8) - 1)));
  return `${least} ${drawn.join('')} ${most}`;
}

/** What an experiment crosses and repeats, and what came of it. O(values that are varied). */
export function experimentMarkdown(
  experiment: ExperimentDescription | undefined,
  standings: ServiceInput['experiments'],
): string | undefined {
  if (experiment === undefined) return undefined;
  const { vary, subject, machines = [], routing = [], schedule, allocate, map, replications, report } = experiment;
  const jobs = crossedJobs(subject);
  const lists = [jobs, machines, routing, schedule, allocate, map];
  const points = [...vary.map(({ values }) => values), ...lists].reduce(
    (all, { length }) => all * Math.max(1, length),
    1,
  );
  const varied = vary.map(({ path, values }) => `${code(path)}, ${countOf(values.length, 'value')}`);
  const { result, notices = [], isStale, seconds, problem } = standings?.get(experiment.name) ?? {};
  const rows = [
    ['Points', formatNumber(points, 0)],
    ['Varied', listed(varied, '; ')],
    ['Jobs', listed(jobs)],
    ['Machines', listed(machines)],
    ['Routings', choiceNames(routing)],
    ['Schedulers', choiceNames(schedule)],
    ['Allocators', choiceNames(allocate)],
    ['Mappers', choiceNames(map)],
    ['Replications', replicationsText(replications)],
    ['Reports', report.join(', ')],
    ['Takes', seconds === undefined ? undefined : `about ${roughTime(seconds)} on one core`],
    [
      'Result',
      result === undefined ? undefined : `${plain(result)}${isStale === true ? ' (before the last changes)' : ''}`,
    ],
  ] as const;
  const told = notices.map((notice) => `- ${plain(notice)}`).join('\n');
  return paragraphs(facts('Experiment', rows), told, problem && `*Cannot be run: ${plain(problem.message)}*`);
}

const listed = (words: readonly string[], between = ', '): string | undefined =>
  words.length === 0 ? undefined : words.join(between);

const choiceNames = (choices: readonly Choice[]): string | undefined => listed(choices.map(({ name }) => name));

function replicationsText(replications: Replications): string {
  if (replications.kind === 'listed') return formatNumber(replications.seeds.length, 0);
  if (replications.kind === 'seeds') return formatNumber(replications.to - replications.from + 1, 0);
  const { precision, confidence, atMost } = replications;
  return `until ${formatShare(precision)} at ${formatShare(confidence)}, at most ${formatNumber(atMost, 0)}`;
}
