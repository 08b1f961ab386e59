/**
 * The journal of an experiment: a text to which a line is added for each replication as soon as it is done, so that a
 * run that was killed goes on where it was. The first line says of which experiment it is. Every line has a
 * fingerprint of its content: one that was cut off, or damaged on the disk, is left out and done again.
 *
 * The fingerprint of a line is of the experiment too. So a line that the run of an older text adds to the journal of a newer run is left out.
 *
 * What is kept does not depend on how many replications are wanted: a journal serves for a tighter interval as well.
 */
import { type Result, fail, isObject, quote, succeed } from '../model/result.ts';
import { fingerprintOfText } from '../numeric/fingerprint.ts';
import type { ExperimentPlan } from './plan.ts';
import { keyOfTask, type FinishedReplication } from './run.ts';

/** How the first line begins. The number changes with what a line holds. */
const kind = 'placewright-journal ';
const magic = `${kind}2 `;

/**
 * A short text that differs where replications would: of the points and what is measured of them, and of `dependsOn`,
 * all else that a replication reads (its text, what files hold, the version of the program). O(length).
 */
export function fingerprintOfExperiment(plan: ExperimentPlan, dependsOn: string): string {
  const { vary, points, metrics, steadyState } = plan;
  const names = metrics.map(({ name, unit }) => [name, unit]);
  return fingerprintOfText(JSON.stringify([dependsOn, vary, points, names, steadyState ?? null]));
}

/** The first line of a new journal. */
export const journalHeader = (experiment: string, fingerprint: string): string =>
  magic + journalRecord({ experiment, fingerprint }, '');

/** The line of a replication of the experiment with this fingerprint, to be added at the end. */
export const journalLine = (done: FinishedReplication, fingerprint: string): string => journalRecord(done, fingerprint);

export interface Journal {
  /** Each replication once, in the order of the lines. */
  readonly replications: readonly FinishedReplication[];
  /** Lines that were cut off or damaged, and are left out. */
  readonly damaged: number;
}

/** Whether a text begins as journals do, or is the beginning of such a beginning: it may be replaced by another journal. */
export function isJournal(text: string): boolean {
  const line = text.split('\n', 1)[0] ?? '';
  return line === text ? isPrefixOfHeader(line) : headerOf(line) !== undefined || isOfOtherVersion(line);
}

/**
 * Reads a journal of that fingerprint. An empty text, and one that was cut off in its first line, is a journal without
 * lines. Failures: `not-a-journal`; `other-experiment` where what replications depend on has changed. O(length).
 */
export function readJournal(text: string, plan: ExperimentPlan, fingerprint: string): Result<Journal> {
  const lines = text.split('\n');
  // What stands behind the last line break was cut off.
  const cut = lines.pop() ?? '';
  const [first, ...others] = lines;
  if (first === undefined) {
    if (isPrefixOfHeader(cut)) return succeed({ replications: [], damaged: cut === '' ? 0 : 1 });
    return notAJournal();
  }
  const header = headerOf(first);
  if (header === undefined && isOfOtherVersion(first)) {
    return fail('other-experiment', 'Another version of Placewright wrote the results. Run without `--resume`.');
  }
  if (header === undefined) return notAJournal();
  if (header.fingerprint !== fingerprint) {
    return fail(
      'other-experiment',
      `Saved results are from an earlier version of experiment ${quote(header.experiment)}. Run without \`--resume\`.`,
    );
  }
  const replications = new Map<string, FinishedReplication>();
  let damaged = cut === '' ? 0 : 1;
  for (const line of others) {
    const done = replicationOf(unsealed(line, fingerprint), plan);
    if (done === undefined) damaged++;
    // One that was done twice, by two programs at a time, is the same both times.
    else replications.set(keyOfTask(done), done);
  }
  return succeed({ replications: [...replications.values()], damaged });
}

const notAJournal = () =>
  fail('not-a-journal', 'Not an experiment journal, or its first line is damaged. Name another file, or remove it.');

/** `of`: the fingerprint of the experiment. */
const journalRecord = (content: unknown, of: string): string => {
  const text = JSON.stringify(content);
  return `${fingerprintOfText(of + text)} ${text}\n`;
};

/** What a line holds; undefined where it is damaged, or of another experiment. */
function unsealed(line: string, of: string): unknown {
  const space = line.indexOf(' ');
  const text = line.slice(space + 1);
  if (space < 0 || fingerprintOfText(of + text) !== line.slice(0, space)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function headerOf(line: string): { readonly experiment: string; readonly fingerprint: string } | undefined {
  if (!line.startsWith(magic)) return undefined;
  const header = unsealed(line.slice(magic.length), '');
  if (!isObject(header)) return undefined;
  const { experiment, fingerprint } = header;
  return typeof experiment === 'string' && typeof fingerprint === 'string' ? { experiment, fingerprint } : undefined;
}

const isOfOtherVersion = (line: string): boolean =>
  /^\d+ \S+ \{/.test(line.startsWith(kind) ? line.slice(kind.length) : '') && !line.startsWith(magic);

/** Nothing was kept in a journal without a whole first line, so that nothing is lost with it. */
const isPrefixOfHeader = (text: string): boolean => text.startsWith(magic) || magic.startsWith(text);

function replicationOf(content: unknown, { points, metrics }: ExperimentPlan): FinishedReplication | undefined {
  if (!isObject(content)) return undefined;
  const { point, seed, jobs, values } = content;
  const isWhole =
    Number.isInteger(point) &&
    points[point as number] !== undefined &&
    Number.isInteger(seed) &&
    typeof jobs === 'number' &&
    Array.isArray(values) &&
    values.length === metrics.length;
  // Its fingerprint holds, so that it is as a program of this version has written it.
  return isWhole ? (content as unknown as FinishedReplication) : undefined;
}
