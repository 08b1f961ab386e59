/** The thread of experiments: says what is known of them, runs them on all threads, and keeps what they give beside the file. */
import { fileURLToPath } from 'node:url';
import { prepareExperiment, type PreparedExperiment } from '../../experiments/prepare.ts';
import type { ExperimentProgress, ExperimentResult } from '../../experiments/run.ts';
import { experimentProgress, resultWords, rowNotices } from '../../experiments/words.ts';
import { cancelledCode, type Failure, type Result } from '../../model/result.ts';
import { cancellationOf } from '../cancelCell.ts';
import { JournalError, JournalFile, type OpenJournal } from '../experiments/journalFile.ts';
import { keepResult, shownResults, smallerRuns } from '../experiments/keptResults.ts';
import type { FileMemory } from '../evaluation.ts';
import { needsOfExperiments, readExperiment } from '../experiments/reading.ts';
import { runOnThreads, wordsOfForm } from '../experiments/running.ts';
import { isKeptResult, refusalOfKeptFile, resultFilesOf } from '../experiments/keptFiles.ts';
import { doneBySlurm, experimentOnSlurm, forgetParts, SlurmError } from '../experiments/slurm.ts';
import type { ExperimentDescribed, ExperimentNews, Order } from '../workerMessages.ts';

/** Notices of rows that are shown of one result. */
const mostNotices = 5;

/** Of all sound experiments of a program, in the order of the text; fewer where it is cancelled. */
export async function describeExperiments(
  { uri, checked, policy, cancelFlag }: Order<'describe-experiments'>,
  memory: FileMemory,
): Promise<readonly ExperimentDescribed[]> {
  const cancellation = cancellationOf(cancelFlag);
  const found: ExperimentDescribed[] = [];
  memory.need(`experiments ${uri}`, needsOfExperiments(checked));
  for (const { name } of checked.experiments.experiments) {
    const inputs = await readExperiment(checked, name, policy, { cancellation, memory });
    if (cancellation.isCancelled()) break;
    const prepared = inputs.ok ? prepareExperiment(inputs.value, { cancellation }) : inputs;
    const whole = prepared.ok ? prepared.value : undefined;
    const smaller = inputs.ok && whole ? smallerRuns(inputs.value) : undefined;
    const shown = shownResults(uri, name, { ...(whole && { whole: whole.fingerprint }), ...smaller?.fingerprints });
    found.push({
      name,
      ...(prepared.ok
        ? {
            ready: {
              seconds: prepared.value.seconds,
              formSeconds: smaller?.seconds ?? {},
              remarks: prepared.value.remarks,
            },
          }
        : { failure: prepared.failure }),
      isDamaged: shown === 'damaged',
      ...(typeof shown === 'object' && {
        kept: {
          ...{ stale: shown.stale, complete: shown.result.complete },
          ...(shown.form !== undefined && { form: shown.form }),
          words: `${shown.form === undefined ? '' : `${shown.form} run: `}${resultWords(shown.result)}`,
          notices: rowNotices(shown.result).slice(0, mostNotices),
        },
      }),
    });
  }
  return found;
}

/** The least time between two texts of the progress, milliseconds: each looks at all values so far. */
const tellEvery = 500;

/**
 * Runs an experiment, or goes on with it where its journal says that something was done. What is done stays there, however the
 * run ends; the result replaces the last one where there is something in it.
 */
export async function runKeptExperiment(
  { uri, experiment, checked, policy, cancelFlag, form, slurm }: Order<'run-experiment'>,
  tell: (news: ExperimentNews) => void,
): Promise<Failure | null> {
  const cancellation = cancellationOf(cancelFlag);
  const inputs = await readExperiment(checked, experiment, policy, { form, cancellation });
  const prepared = inputs.ok ? prepareExperiment(inputs.value, { cancellation }) : inputs;
  if (!inputs.ok || !prepared.ok) return failureUnlessCancelled(prepared);
  const files = resultFilesOf(uri, experiment, form);
  const refusal = refusalOfKeptFile(files.result, isKeptResult);
  if (refusal !== undefined) return refusal;
  const opened = openJournal(files, prepared.value);
  if (!opened.ok) return opened.failure;
  let toldAt = -Infinity;
  const progress = (now: ExperimentProgress): void => {
    if (performance.now() - toldAt < tellEvery) return;
    toldAt = performance.now();
    tell({ share: now.done / Math.max(1, now.expected), words: experimentProgress(now) });
  };
  const command = ['experiment', fileURLToPath(uri), experiment, ...wordsOfForm(form)];
  const where = { command, folder: files.parts };
  const pool = slurm && experimentOnSlurm(slurm, prepared.value, where);
  let result: ExperimentResult;
  try {
    result = runOnThreads(inputs.value, prepared.value, {
      ...{ ...opened.value, cancellation, progress },
      ...(pool && { pool }),
    });
  } catch (error) {
    if (error instanceof JournalError) return { code: 'not-written', message: error.message };
    if (error instanceof SlurmError) return { code: 'bad-experiment', message: `Slurm: ${error.message}` };
    throw error;
  }
  if (result.complete) forgetParts(files.parts);
  const isEmpty = result.points.every(({ replications }) => replications.length === 0);
  if (isEmpty) return null;
  return failureUnlessCancelled(await keepResult(files.result, result, prepared.value.fingerprint));
}

/** A run that the user cancelled has not failed. */
const failureUnlessCancelled = (result: Result<unknown>): Failure | null =>
  result.ok || result.failure.code === cancelledCode ? null : result.failure;

/** The journal of before, where it is of this experiment; a new one where what it depends on has changed. */
function openJournal(
  { journal: path, parts }: ReturnType<typeof resultFilesOf>,
  prepared: PreparedExperiment,
): Result<OpenJournal> {
  const resumed = JournalFile.resume(path, prepared, doneBySlurm(parts, prepared));
  if (resumed.ok || resumed.failure.code !== 'other-experiment') return resumed;
  forgetParts(parts);
  return JournalFile.begin(path, prepared);
}
