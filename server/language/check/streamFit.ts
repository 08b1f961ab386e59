import { largestOf } from '../../model/lists.ts';
import type { Choice } from '../../model/catalogue.ts';
import type { Varied } from '../../model/experiment.ts';
import { formatNumber } from '../../model/quantities.ts';
import { distributionsOf, streamAt, type StreamDescription } from '../../model/stream.ts';
import { distributions, makeDistribution, type Distribution } from '../../scheduling/distributions.ts';
import type { Span } from '../tree.ts';
import type { CheckedMachine } from './machine.ts';
import type { Scope } from './scope.ts';

/** A stream of an experiment, where a report of it belongs, and what is varied of it. */
export interface ExperimentStream {
  readonly scope: Scope;
  readonly span: Span;
  readonly stream: StreamDescription;
  readonly vary: readonly Varied[];
}

/** Reports jobs that may be larger than the machine and jobs that come too fast for it, as far as both are written. */
export function checkStreamFits(given: ExperimentStream, machine: string, checked: CheckedMachine | undefined): void {
  if (given.stream.jobs.kind === 'log') return;
  const extremes = extremesOf(given.stream, given.vary);
  checkSizes(given, extremes, machine, checked);
  const nodes = checked?.size.nodes;
  if (nodes !== undefined) checkLoad(given, extremes, machine, nodes);
}

/** Above, streams are as they are: nobody crosses so many. */
const mostVaried = 4;

/**
 * The stream with the first and the last value of whatever is varied: where jobs are largest and come fastest.
 * O(2^varied).
 */
function extremesOf(stream: StreamDescription, vary: readonly Varied[]): readonly StreamDescription[] {
  let streams: readonly StreamDescription[] = [stream];
  for (const { path, values } of vary.slice(0, mostVaried)) {
    const ends = [...new Set([values[0] ?? 0, values.at(-1) ?? 0])];
    streams = streams.flatMap((one) => ends.map((value) => streamAt(one, path, value)));
  }
  return streams;
}

/** Undefined where its options do not go together. */
export const distributionOf = (choice: Choice | undefined): Distribution | undefined => {
  const made = choice && makeDistribution(choice);
  return made?.ok === true ? made.value : undefined;
};

function checkSizes(
  { scope, span, stream }: ExperimentStream,
  extremes: readonly StreamDescription[],
  machine: string,
  checked: CheckedMachine | undefined,
): void {
  const [columns, rows] = gridSides(checked);
  const nodes = checked?.size.nodes ?? Infinity;
  const limits = [
    ['processors', 'processors', nodes, ' nodes'],
    ['width', 'columns', columns, ''],
    ['height', 'rows', rows, ''],
  ] as const;
  for (const [word, what, most, of] of limits) {
    const largest = extremes.map((one) => distributionOf(distributionsOf(one)[word])?.largest ?? 0);
    const size = Math.ceil(Math.max(0, largestOf(largest.filter(Number.isFinite))));
    if (size <= most) continue;
    const message =
      `Jobs of \`${stream.name}\` may need ${formatNumber(size)} ${what}, but \`${machine}\` has ${formatNumber(most)}${of}. ` +
      'They can never start. Use a larger machine or smaller jobs.';
    scope.report(span, 'does-not-fit', message);
  }
}

/** Columns and rows of a mesh or torus; no bound where they are not known. */
function gridSides(checked: CheckedMachine | undefined): readonly [columns: number, rows: number] {
  const { topology } = checked?.description ?? {};
  const isGrid = topology?.name === 'mesh' || topology?.name === 'torus';
  if (!isGrid || topology.argument?.kind !== 'numbers') return [Infinity, Infinity];
  const [columns = 1, rows = 1] = topology.argument.numbers;
  return [columns, rows];
}

/**
 * Little's law: at a load above the nodes that there are the queue grows without end. Papers measure there too, so that
 * it is said and not refused. What the network makes of service nobody knows before it is simulated.
 */
function checkLoad(
  { scope, span, stream }: ExperimentStream,
  extremes: readonly StreamDescription[],
  machine: string,
  nodes: number,
): void {
  const share = Math.max(
    0,
    largestOf(extremes.map((one) => offeredLoad(one) / nodes).filter((load) => !Number.isNaN(load))),
  );
  if (share < 1) return;
  const message =
    `The offered load of \`${stream.name}\` is ${formatNumber(share)} times the ${formatNumber(nodes)} nodes of \`${machine}\`: ` +
    'the queue grows without bound. Lower the rate.';
  scope.report(span, 'beyond-saturation', message, { severity: 'information' });
}

/** Processors that would be busy; NaN where that is not written. */
function offeredLoad(stream: StreamDescription): number {
  const { arrivals, width, height, processors, service } = distributionsOf(stream);
  const between = distributionOf(arrivals);
  if (stream.service.kind !== 'distribution' || between === undefined || between.times !== undefined) return Number.NaN;
  const meanOf = (choice: Choice | undefined): number =>
    choice === undefined ? 1 : (distributionOf(choice)?.mean ?? Number.NaN);
  return (meanOf(width) * meanOf(height) * meanOf(processors) * meanOf(service)) / between.mean;
}

/** Why something cannot be varied so: a value that its place in the stream does not take. O(values). */
export function faultOfVaried(stream: StreamDescription, path: string, values: readonly number[]): string | undefined {
  const { least, most, isWhole } = variedBounds(stream, path);
  const wrong = values.find((value) => value < least || value > most || (isWhole && !Number.isInteger(value)));
  if (wrong !== undefined) {
    const wanted = isWhole ? `whole numbers of at least ${least}` : `from ${least} to ${most}`;
    return `\`${path}\` cannot be ${wrong}: its values are ${wanted}.`;
  }
  const [word = ''] = path.split('.');
  for (const value of values) {
    const changed = distributionsOf(streamAt(stream, path, value))[word];
    const made = changed && makeDistribution(changed);
    if (made?.ok === false) return `\`${path}\` cannot be ${value}: ${made.failure.message}`;
    if (word === 'arrivals' && made?.value.mean === 0) return noTimeBetween;
  }
  return undefined;
}

/** What a path may be: as its option says, a count where it has none. */
function variedBounds(
  stream: StreamDescription,
  path: string,
): { readonly least: number; readonly most: number; readonly isWhole: boolean } {
  const [word = '', option] = path.split('.');
  if (option === undefined) return { least: 1, most: 2 ** 31 - 1, isWhole: true };
  const entry = distributions.find(({ name }) => name === distributionsOf(stream)[word]?.name);
  const found = entry?.options.find(({ name }) => name === option);
  const isNumber = found?.kind === 'number' || found?.kind === 'integer' || found?.kind === 'fraction';
  if (!isNumber) return { least: 1e-9, most: 1e9, isWhole: false };
  return { least: found.minimum, most: found.maximum, isWhole: found.kind === 'integer' };
}

/** All jobs would come at the same instant, without end. */
export const noTimeBetween = 'The mean time between arrivals must be above 0.';
