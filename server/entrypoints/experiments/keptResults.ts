/** Results of experiments that are kept beside their file, and which of them still hold. */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ExperimentInputs } from '../../experiments/inputs.ts';
import { prepareExperiment } from '../../experiments/prepare.ts';
import { experimentToJson, type ExperimentJson } from '../../experiments/results.ts';
import type { ExperimentResult } from '../../experiments/run.ts';
import { formNames, type FormName } from '../../model/experiment.ts';
import { fail, isObject, succeed, type Result } from '../../model/result.ts';
import { writeAtomically } from '../atomicFile.ts';
import { isKeptResult, refusalOfKeptFile, resultFilesOf } from './keptFiles.ts';

/** The last result of an experiment, whether or not it still holds. */
export interface KeptResult {
  readonly result: ExperimentJson;
  /** It holds where this is the fingerprint of the prepared experiment. */
  readonly fingerprint: string;
}

/** Keeps a result beside its file. Fails with `not-written`, and with `not-ours` where another file is there. */
export async function keepResult(path: string, result: ExperimentResult, fingerprint: string): Promise<Result<void>> {
  const kept: KeptResult = { fingerprint, result: experimentToJson(result) };
  try {
    const refusal = refusalOfKeptFile(path, isKeptResult);
    if (refusal !== undefined) return { ok: false, failure: refusal };
    mkdirSync(dirname(path), { recursive: true });
    await writeAtomically(path, `${JSON.stringify(kept)}\n`);
    return succeed(undefined);
  } catch (error) {
    return fail('not-written', `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Undefined where none was kept; `damaged` where something else is in its place, or it cannot be read. */
export function lastResult(uri: string, experiment: string, form?: FormName): KeptResult | 'damaged' | undefined {
  try {
    const kept = JSON.parse(readFileSync(resultFilesOf(uri, experiment, form).result, 'utf8')) as unknown;
    const { result, fingerprint } = isObject(kept) ? kept : {};
    const isIt = isObject(result) && result['name'] === experiment && isSound(result);
    return isIt && typeof fingerprint === 'string' ? ({ result, fingerprint } as unknown as KeptResult) : 'damaged';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : 'damaged';
  }
}

/** The results of an experiment that are kept beside its file. */
export interface ShownResults {
  readonly result: ExperimentJson;
  /** They are of an older text, or of older files. */
  readonly stale: boolean;
  /** Of a smaller run than the whole. */
  readonly form?: FormName | undefined;
}

/** What tells whether a kept result still holds: of a whole run, and of the smaller ones that the experiment has. */
export type Fingerprints = Readonly<Partial<Record<FormName | 'whole', string>>>;

/** The smaller runs that an experiment has: their fingerprints, and about how long each takes on one thread. */
export function smallerRuns(inputs: ExperimentInputs): {
  readonly fingerprints: Fingerprints;
  readonly seconds: Readonly<Partial<Record<FormName, number>>>;
} {
  const runs = formNames.flatMap((form) => {
    const prepared = prepareExperiment({ ...inputs, form }, { isTried: true });
    return prepared.ok ? [{ form, ...prepared.value }] : [];
  });
  return {
    fingerprints: Object.fromEntries(runs.map(({ form, fingerprint }) => [form, fingerprint])),
    seconds: Object.fromEntries(runs.map(({ form, seconds }) => [form, seconds])),
  };
}

/** The larger one before the smaller one. */
const formsBySize = [undefined, ...formNames.toReversed()] as const;

/**
 * Of the last whole run and the last smaller ones the largest that holds for these fingerprints; else the largest that there is.
 */
export function shownResults(
  uri: string,
  experiment: string,
  fingerprints: Fingerprints,
): ShownResults | 'damaged' | undefined {
  const found = formsBySize.map((form): ShownResults | 'damaged' | undefined => {
    const kept = lastResult(uri, experiment, form);
    if (typeof kept !== 'object') return kept;
    return { result: kept.result, form, stale: kept.fingerprint !== fingerprints[form ?? 'whole'] };
  });
  const results = found.filter((one) => typeof one === 'object');
  return results.find(({ stale }) => !stale) ?? results[0] ?? found.find((one) => one !== undefined);
}

/** Whether a file that anybody may have edited holds results as they are written, as far as they are told and drawn. O(rows). */
function isSound({ rows, quoted, complete, replicationsDone }: Readonly<Record<string, unknown>>): boolean {
  const isRow = (row: unknown): boolean =>
    isObject(row) &&
    isObject(row['point']) &&
    Object.values(row['point']).every(isMeasure) &&
    [row['scheduler'], row['allocator'], row['mapper']].every((name) => name === null || typeof name === 'string') &&
    isMeasure(row['replications']) &&
    (row['failure'] === undefined || (isObject(row['failure']) && typeof row['failure']['message'] === 'string')) &&
    isObject(row['metrics']) &&
    Object.values(row['metrics']).every(isMetric);
  const isMetric = (metric: unknown): boolean =>
    isObject(metric) &&
    typeof metric['unit'] === 'string' &&
    [metric['mean'], metric['halfWidth']].every((value) => value === null || isMeasure(value));
  const isQuoted = (quote: unknown): boolean =>
    isObject(quote) &&
    typeof quote['metric'] === 'string' &&
    [quote['row'], quote['over'] ?? 0, quote['paper'], quote['ours'] ?? 0, quote['halfWidth'] ?? 0].every(isMeasure);
  if (typeof complete !== 'boolean' || !isMeasure(replicationsDone)) return false;
  return Array.isArray(rows) && rows.every(isRow) && Array.isArray(quoted) && quoted.every(isQuoted);
}

/** Finite, also where it is doubled. */
const isMeasure = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) < 1e300;
