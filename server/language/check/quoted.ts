/** Numbers of papers, and how rows of an experiment are called in them. */
import type { QuotedNumber, Varied } from '../../model/experiment.ts';
import { experimentMetrics, type ExperimentMetric } from '../../model/metrics.ts';
import { replace } from '../codes.ts';
import { amountLimit, quotedAdditions } from '../propertyForms.ts';
import { oneOf } from '../suggestions.ts';
import type { QuotedNode, Word } from '../tree.ts';
import { reportUnknown } from './choices.ts';
import { PhraseReader } from './phrase.ts';
import { presentParts, type Properties } from './properties.ts';
import { allOf, type Scope } from './scope.ts';

/** By which words the entries of the lists may be called, and the names by which results tell them apart. */
export interface EntryNames {
  readonly nameOf: ReadonlyMap<string, string>;
  /** Names that several entries have, with how each is written. */
  readonly shared: ReadonlyMap<string, readonly string[]>;
}

/** The name in the results of what a word calls; reports what calls none, or several. */
export function resolveEntry(scope: Scope, word: Word, { nameOf, shared }: EntryNames): string | undefined {
  const name = nameOf.get(word.text);
  if (name !== undefined) return name;
  const several = shared.get(word.text);
  if (several === undefined) {
    const written = { ...word, text: scope.text.slice(word.start, word.end) };
    reportUnknown(scope, written, 'name of a row of this experiment', [...new Set(nameOf.values())]);
    return undefined;
  }
  const message = `\`${word.text}\` is in a list ${several.length} times. Write which one: ${oneOf(several)}.`;
  scope.report(word, 'wrong-value', message, { otherFixes: several.map((text) => replace(word, text)) });
  return undefined;
}

/** What quoted numbers are of; undefined where it is wrong itself. */
export interface QuotedRows {
  readonly known: EntryNames | undefined;
  /** The names of the rows in each list that is crossed, with what they are. */
  readonly lists: readonly { readonly noun: string; readonly names: readonly string[] }[];
  readonly vary: readonly Varied[] | undefined;
  readonly report: readonly ExperimentMetric[] | undefined;
}

/** The numbers of a paper; undefined where one is wrong. */
export function checkQuoted(properties: Properties, rows: QuotedRows): readonly QuotedNumber[] | undefined {
  const property = properties.get('quoted');
  if (property?.content.kind !== 'quoted') return [];
  return allOf(property.content.entries.map((entry) => quotedNumbers(properties.scope, entry, rows)))?.flat();
}

/**
 * `turnaround fcfs rbs / fcfs gabl at arrivals.rate 9e-4 : 1.01`; of a row also
 * `makespan random : 1213400, best 1113800, deviation 29400, differs`.
 */
function quotedNumbers(scope: Scope, entry: QuotedNode, rows: QuotedRows): readonly QuotedNumber[] | undefined {
  const { known, vary } = rows;
  const expected = {
    name: 'A quoted number',
    takes: 'a metric, names of a row, and a number behind `:`',
    example: 'turnaround rbs / gabl : 1.01',
  };
  const reader = new PhraseReader(scope, expected, entry, entry.parts);
  const metric = reader.oneOf(experimentMetrics, 'metric');
  const of = readRowNames(scope, reader, known);
  const to = reader.accept('/') ? readRowNames(scope, reader, known) : undefined;
  const at = valuesIn(scope, reader, vary);
  reader.expect(':');
  const number = reader.plain();
  const value = number && (reader.accept('%') ? number.value / 100 : number.value);
  const added = addedTo(reader, to !== undefined);
  if (!reader.finish() || metric === undefined || value === undefined) return undefined;
  if (!isOfOneRow(scope, entry, rows, { metric, of, to, at })) return undefined;
  const row = { metric, of, at };
  const { differs, statistics } = added;
  const mean = { ...row, ...presentParts({ to }), value };
  return [
    { ...mean, ...presentParts({ differs }) },
    ...[...statistics].map(([statistic, number]) => ({ ...row, statistic, value: number })),
  ];
}

/** Names of a row, as far as they go. */
function readRowNames(scope: Scope, reader: PhraseReader, known: EntryNames | undefined): readonly string[] {
  const found: string[] = [];
  while (reader.isWord && !reader.isNext('at')) {
    const word = reader.entry();
    if (word === undefined) break;
    const name = known && resolveEntry(scope, word, known);
    if (name === undefined) reader.failed = true;
    else found.push(name);
  }
  return found;
}

type RowValue = QuotedNumber['at'][number];

/** `at arrivals.rate 9e-4`, as often as it stands there. */
function valuesIn(scope: Scope, reader: PhraseReader, vary: readonly Varied[] | undefined): readonly RowValue[] {
  const at: RowValue[] = [];
  while (reader.accept('at')) {
    const path = reader.path();
    const value = reader.number({ minimum: -amountLimit, maximum: amountLimit });
    if (path === undefined || value === undefined) break;
    const varied = vary?.find((one) => one.path === path.text);
    if (vary !== undefined && varied === undefined) {
      const paths = vary.map((one) => one.path);
      reportUnknown(scope, path, 'number that this experiment varies', paths);
      reader.failed = true;
    } else if (varied?.values.includes(value) === false) {
      const message = `\`${path.text}\` is not varied over ${String(value)}: its values are ${oneOf(varied.values.map(String))}.`;
      scope.report(path, 'out-of-range', message);
      reader.failed = true;
    }
    at.push({ path: path.text, value });
  }
  return at;
}

/** Reports a number that belongs to no row, or to several. */
function isOfOneRow(
  scope: Scope,
  entry: QuotedNode,
  rows: QuotedRows,
  { metric, of, to, at }: Pick<QuotedNumber, 'metric' | 'of' | 'at'> & { readonly to: readonly string[] | undefined },
): boolean {
  const { report } = rows;
  const [metricNode] = entry.parts;
  if (report !== undefined && metricNode !== undefined && !report.includes(metric)) {
    const message = `\`${metric}\` is not reported here: add it to \`report\`, or quote ${oneOf(report)}.`;
    scope.report(metricNode, 'does-not-apply', message);
    return false;
  }
  const wrong = missingIn(rows, of, at) ?? (to && wrongBelow(rows, of, to));
  if (wrong === undefined) return true;
  scope.report(entry, 'wrong-value', wrong);
  return false;
}

/** What has to be said for a quoted number to belong to one row. */
function missingIn(
  { lists, vary }: QuotedRows,
  of: readonly string[],
  at: readonly { readonly path: string }[],
): string | undefined {
  for (const { noun, names } of lists) {
    const named = names.filter((name) => of.includes(name));
    if (named.length > 1) return `A row has one ${noun}, not ${named.map((name) => `\`${name}\``).join(' and ')}.`;
    if (named.length === 0 && names.length > 1) return `Several rows match. Name the ${noun} too: ${oneOf(names)}.`;
  }
  const open = vary?.find(({ path, values }) => values.length > 1 && !at.some((one) => one.path === path));
  if (open === undefined) return undefined;
  return `Several rows match. Add the value: \`at ${open.path} ${String(open.values[0])}\`.`;
}

/** Why a row is not divided by another one. */
function wrongBelow({ lists }: QuotedRows, of: readonly string[], to: readonly string[]): string | undefined {
  const twice = lists.find(({ names }) => names.filter((name) => to.includes(name)).length > 1);
  if (twice !== undefined) return `A row has one ${twice.noun}. Name one after \`/\`.`;
  return to.every((name) => of.includes(name)) ? 'A ratio needs two rows. Name another one after `/`.' : undefined;
}

/** `, best 1113800, deviation 29400, differs`: of the runs of a row. */
function addedTo(reader: PhraseReader, isRatio: boolean) {
  const statistics = new Map<'best' | 'deviation', number>();
  let differs: true | undefined;
  while (reader.isNext(',')) {
    if (isRatio) {
      reader.fail('A ratio has no `best`, `deviation` or `differs`. Write them after the number of a row.');
      break;
    }
    reader.accept(',');
    const word = reader.oneOf(quotedAdditions, 'addition to a quoted number');
    if (word === undefined) break;
    if (word === 'differs') {
      differs = true;
      continue;
    }
    const value = reader.number({ minimum: -amountLimit, maximum: amountLimit });
    if (value !== undefined) statistics.set(word, reader.accept('%') ? value / 100 : value);
  }
  return { differs, statistics };
}
