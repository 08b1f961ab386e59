/**
 * The map of traffic for the editor: of a placement that was worked out, and of jobs and tables that are placed nowhere, whose
 * traffic is built from the checked program.
 */
import { drawTraffic, type DrawnTraffic } from '../drawing/figures/traffic.ts';
import type { CheckedProgram } from '../language/check.ts';
import type { FileNeed } from '../language/fileNeeds.ts';
import type { Cancellation } from '../model/cancellation.ts';
import type { PlacementReport } from '../model/report.ts';
import { fail, succeed, type Result } from '../model/result.ts';
import { protocolVersion } from '../protocol/messages.ts';
import type { TrafficAnswer, TrafficQuestion } from '../protocol/trafficPanel.ts';
import { createStudyCache } from '../study/cache.ts';
import { pairTest } from '../study/explain/chosenPairs.ts';
import type { JobDescription } from '../study/program.ts';
import { buildJobAlone } from '../performance/simulate.ts';
import { trafficUnits, type PairTest } from '../study/trafficMatrix.ts';
import { readStudyFiles, type FileMemory } from './evaluation.ts';
import type { ReadPolicy } from './platform.ts';

type CheckedTable = CheckedProgram['tables'] extends ReadonlyMap<string, infer Table> ? Table : never;

/** A job or a table as it is declared, and the files that it names. Plain data. */
export type TrafficDeclaration = { readonly files: readonly FileNeed[] } & (
  | { readonly kind: 'job'; readonly description: JobDescription }
  | { readonly kind: 'table'; readonly name: string; readonly table: CheckedTable }
);

/** The map of a placement. */
export const trafficOfReport = (
  report: PlacementReport,
  question: TrafficQuestion,
  cancellation: Cancellation,
): TrafficAnswer => drawn(report, question, cancellation, question.marked && pairTest(report, question.marked));

function drawn(
  subject: DrawnTraffic,
  { kind, order, amount, scale, block, width }: TrafficQuestion,
  cancellation: Cancellation,
  isMarked?: PairTest,
): TrafficAnswer {
  const choice = { by: kind, order, amount, scale, ...(block && { block }), ...(width !== undefined && { width }) };
  const found = drawTraffic(subject, choice, cancellation, isMarked);
  if (!found.ok) return { kind: 'nothing', reason: found.failure.message };
  const { figure, count, rows, columns, perCell, hasMessages, marked } = found.value;
  const isPlaced = subject.machine !== undefined;
  const about = {
    units: isPlaced ? trafficUnits : (['task'] as const),
    isOrdered: isPlaced,
    hasMessages,
    count,
    block: { rows, columns },
    perCell,
    ...(marked && { marked }),
    stale: false,
  };
  return { kind: 'figure', version: protocolVersion, figure, about };
}

/** Builds jobs for who looks at their traffic, and keeps those that were looked at last. */
export class JobReader {
  readonly #memory: FileMemory;
  readonly #cache = createStudyCache();

  constructor(memory: FileMemory) {
    this.#memory = memory;
  }

  /** The map of a job or a table by itself. */
  async traffic(
    declaration: TrafficDeclaration,
    question: TrafficQuestion,
    policy: ReadPolicy,
    cancellation: Cancellation,
  ): Promise<TrafficAnswer> {
    const job = await this.#job(declaration, policy, cancellation);
    if (!job.ok) return { kind: 'nothing', reason: job.failure.message };
    const { name } = job.value;
    return drawn({ name, jobs: [{ job: job.value }] }, { ...question, order: 'task' }, cancellation);
  }

  /** Fails as reading its files does, as building it does, and if cancelled. */
  async #job(declaration: TrafficDeclaration, policy: ReadPolicy, cancellation: Cancellation) {
    this.#memory.need('traffic', declaration.files);
    const files = await readStudyFiles(declaration.files, policy, this.#memory, cancellation);
    const description = declaration.kind === 'job' ? succeed(declaration.description) : jobOfTable(declaration, files);
    if (!description.ok) return description;
    const now = (): number => performance.now();
    const built = buildJobAlone(description.value, files, 1, { cancellation, now, cache: this.#cache });
    this.#cache.endRun(!cancellation.isCancelled());
    return built.ok ? succeed(built.value.job) : built;
  }
}

/** A job that sends what the table says, and no more. */
function jobOfTable(
  { name, table: { unit, source } }: Extract<TrafficDeclaration, { kind: 'table' }>,
  files: Awaited<ReturnType<typeof readStudyFiles>>,
): Result<JobDescription> {
  const entries = source.kind === 'entries' ? succeed(source.entries) : files.table(source.uri, source.format);
  if (!entries.ok) return entries;
  if (entries.value.size === 0) return fail('bad-table', `Table "${name}" has no entries.`);
  return succeed({
    name,
    taskCount: entries.value.size,
    periodic: false,
    source: { kind: 'table', name, unit, entries: entries.value },
    bytes: undefined,
    messages: undefined,
    rate: undefined,
  });
}
