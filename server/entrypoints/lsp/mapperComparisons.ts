/**
 * Mappers that the user tries on placements: each comparison in a thread of its own, which tells of every row as it comes, so that
 * ending the thread loses nothing. Another thread draws what a row came to, whether the comparison goes on or not.
 */
import * as service from '../../language/service/languageService.ts';
import { placementProgress } from '../../language/service/words.ts';
import { fileNameOf } from '../../language/uris.ts';
import { readMappers } from '../../language/writtenMappers.ts';
import { formatBytes, formatNumber } from '../../model/quantities.ts';
import {
  readTryOptions,
  type Budget,
  type TriedMappers,
  type TriedMappersCsvAnswer,
  type TryMappersParameters,
} from '../../protocol/mapperComparison.ts';
import {
  protocolVersion,
  type ChangeEditsAnswer,
  type PlacementChange,
  type PreviewAnswer,
  type SceneParameters,
} from '../../protocol/messages.ts';
import type { ComparedMapper } from '../../study/comparedRun.ts';
import { asWritten, comparableMappers, type Comparison } from '../../study/compare.ts';
import { comparisonCsv } from '../../output/comparisonCsv.ts';
import type { PlacementDescription } from '../../study/program.ts';
import type { StudySettings } from '../../study/report.ts';
import type { PlacedBefore } from '../../study/run.ts';
import type { CompareMappersNews, Improved } from '../workerMessages.ts';
import type { Analysis } from './analyses.ts';
import { comparisonRows, type Attempted } from './comparisonTable.ts';
import { inputOf } from './features.ts';
import { JobQueue, openReportChannel, machineOfPlacement, placementIn, Records, type Job } from './jobs.ts';
import type { JobEnvironment } from './studies.ts';
import type { WorkerHandle } from './workerHandle.ts';

/** What the comparisons need of the session. */
export interface ComparisonEnvironment extends Omit<JobEnvironment, 'showProgress'> {
  readonly settings: () => StudySettings;
  readonly tell: (table: TriedMappers) => void;
}

/** What a mapper may take, milliseconds, and how `auto` is told to search. */
const limits: Readonly<Record<Budget, { readonly limit: number; readonly auto: string }>> = {
  quick: { limit: 2000, auto: 'auto' },
  thorough: { limit: 60_000, auto: 'auto(budget 10 s)' },
};

/** The least time between two tables, milliseconds. */
const tellEvery = 60;
/** The thread of pictures ends when none was asked for so long, milliseconds. */
const previewPause = 60_000;

/** A comparison, and all that is known of it. */
interface Trial extends TryMappersParameters {
  state: TriedMappers['state'];
  reason?: string;
  subject: string;
  mappers: readonly ComparedMapper[];
  /** The mapper that the text had, where all jobs had one; and the seed. */
  written: { readonly mapper: string | undefined; readonly seed: number };
  /** Of what it depends on, with the seed that the text had. */
  key: string | undefined;
  /** Seeds that were written since, and change the mappers alone. */
  readonly seedsOfMappers: Set<number>;
  stale: boolean;
  share: number;
  current?: Attempted;
  comparison?: Comparison;
  /** What rows show, by their mappers. */
  readonly placed: Map<string, readonly PlacedBefore[]>;
  telling?: NodeJS.Timeout;
}

const newTrial = (uri: string, placement: string): Trial => ({
  ...{ uri, placement, budget: 'quick', seeds: 1, state: 'waiting', subject: '', mappers: [], key: undefined },
  ...{ written: { mapper: undefined, seed: 1 }, seedsOfMappers: new Set(), placed: new Map(), stale: false, share: 0 },
});

export class MapperComparisons {
  readonly #environment: ComparisonEnvironment;
  readonly #trials = new Records<Trial>(newTrial);
  readonly #queue: JobQueue<Trial>;
  #previews: { readonly thread: WorkerHandle; timer: NodeJS.Timeout } | undefined;

  constructor(environment: ComparisonEnvironment) {
    this.#environment = environment;
    this.#queue = new JobQueue<Trial>(
      {
        run: (job) => this.#run(job),
        interrupt: ({ thread }) => void thread?.stop(),
        failed: ({ request }, why) => {
          this.#fail(request, `Trying mappers stopped unexpectedly: ${why}.`);
        },
        ended: ({ request }) => {
          this.#tell(request);
        },
      },
      Infinity,
    );
  }

  /** Tries the mappers; what was found before is given up. */
  async try(parameters: TryMappersParameters): Promise<void> {
    const { uri, placement } = parameters;
    const options = readTryOptions({ ...parameters });
    if (options === undefined || this.#queue.isStopped) return;
    this.#queue.cancel(this.#queue.find(uri, placement));
    const trial: Trial = { ...newTrial(uri, placement), ...options };
    this.#trials.set(uri, placement, trial);
    await this.#begin(trial);
  }

  /** Begins as soon as the placement itself is worked out, where that is going on. */
  async #begin(trial: Trial): Promise<void> {
    const { uri, placement } = trial;
    const { analysisOf, studies } = this.#environment;
    const analysis = await analysisOf(uri);
    if (this.#trials.find(uri, placement) !== trial || trial.state !== 'waiting') return;
    const description = analysis && placementIn(analysis, placement);
    if (analysis === undefined || description === undefined) {
      this.#fail(trial, this.#whyNot(analysis, placement));
      return;
    }
    this.#describe(trial, analysis, description);
    const isHeld = studies.isBeingPlaced(analysis, placement);
    if (!isHeld) trial.state = 'running';
    this.#queue.add(uri, placement, trial, isHeld ? 'held' : 'waiting');
    this.#tell(trial);
  }

  #describe(trial: Trial, analysis: Analysis, { jobs, machine, map, seed }: PlacementDescription): void {
    const input = inputOf(analysis, this.#environment.studies);
    const texts = service.writtenMappersOf(input, trial.placement, map.name);
    const named = jobs.map((name) => {
      const tasks = input.summary?.jobs.find((job) => job.name === name)?.tasks;
      if (tasks === undefined) return name;
      // Two texts in whole, which translations know by their words.
      return tasks === 1 ? `${name} (1 task)` : `${name} (${formatNumber(tasks)} tasks)`;
    });
    const auto = readMappers(limits[trial.budget].auto, trial.uri);
    const others = comparableMappers().map((one) => (one.text === 'auto' && auto.ok ? (auto.value[0] ?? one) : one));
    trial.mappers = [asWritten(texts), ...others];
    trial.written = { mapper: texts.length === 1 ? texts[0] : undefined, seed };
    trial.subject = `${named.join(', ')} on ${machine}, ${trial.seeds === 1 ? `seed ${seed}` : `seeds ${seed} to ${seed + trial.seeds - 1}`}`;
    trial.key = this.#environment.studies.keyWithoutMappers(analysis, trial.placement, seed);
  }

  async #run(job: Job<Trial>): Promise<void> {
    const trial = job.request;
    const { uri, placement, seeds, written, mappers, budget } = trial;
    const { analysisOf, studies, reading, separateThread, policy } = this.#environment;
    const analysis = await analysisOf(uri);
    if (analysis === undefined) return;
    const description = machineOfPlacement(analysis, placement);
    const isKnown = description !== undefined && studies.reportOf(analysis, placement).state === 'fresh';
    const port = isKnown ? await openReportChannel(reading, { uri, placement, description }) : undefined;
    if (job.isCancelled) return;
    const thread = (job.thread = separateThread());
    const all = seeds === 1 ? {} : { seeds: Array.from({ length: seeds }, (_, index) => written.seed + index) };
    const request = { placement, mappers, limit: limits[budget].limit, ...all };
    const { program, fileUris } = analysis.checked;
    const order = { uri, request, checked: { program, fileUris }, policy: policy(uri) };
    const comparison = await thread.send(
      { kind: 'compare-mappers', ...order, ...(port && { port }) },
      (news) => {
        this.#take(trial, news);
      },
      port === undefined ? [] : [port],
    );
    const [problem] = comparison.problems;
    trial.comparison = comparison;
    delete trial.current;
    if (problem === undefined) trial.state = 'complete';
    else this.#fail(trial, problem.message);
  }

  #take(trial: Trial, news: CompareMappersNews): void {
    if (trial.state !== 'running') return;
    const mapper = trial.mappers[news.mapper]?.text ?? '';
    if (news.kind === 'progress') {
      trial.share = news.whole;
      const { message, search } = news.progress;
      const words = message === '' && search === undefined ? '' : placementProgress(news.progress);
      trial.current = { mapper, words };
    } else {
      trial.comparison = news.comparison;
      if (news.placed !== undefined) trial.placed.set(mapper, news.placed);
      delete trial.current;
    }
    this.#tell(trial);
  }

  #fail(trial: Trial, reason: string): void {
    trial.state = 'failed';
    trial.reason = reason;
    this.#tell(trial);
  }

  #whyNot(analysis: Analysis | undefined, placement: string): string {
    if (analysis === undefined) return 'The file of this placement is not open.';
    const problem = this.#environment.problemOf(analysis, placement);
    return problem === undefined
      ? `Placement "${placement}" does not exist in the file.`
      : `Placement "${placement}" cannot be evaluated: ${problem}`;
  }

  /** No further mapper is tried; what is there stays. At once: nothing is asked of the thread any more. */
  stopTrying({ uri, placement }: SceneParameters): void {
    const trial = this.#trials.find(uri, placement);
    if (trial === undefined || (trial.state !== 'running' && trial.state !== 'waiting')) return;
    this.#queue.cancel(this.#queue.find(uri, placement));
    delete trial.current;
    trial.state = 'stopped';
    this.#tell(trial);
  }

  /** A study of the document has ended. */
  studied(uri: string): void {
    for (const { request } of this.#queue.release(uri)) void this.#begin(request);
  }

  /** The text or something that it names has changed. */
  async changed(uri: string): Promise<void> {
    const trials = this.#trials.ofDocument(uri).filter(({ key }) => key !== undefined);
    const analysis = trials.length === 0 ? undefined : await this.#environment.analysisOf(uri);
    if (analysis === undefined) return;
    for (const trial of trials) {
      const stale = this.#isStale(trial, analysis);
      if (stale === trial.stale) continue;
      trial.stale = stale;
      this.#tell(trial);
    }
  }

  #isStale({ placement, key, written, seedsOfMappers }: Trial, analysis: Analysis): boolean {
    const seed = placementIn(analysis, placement)?.seed;
    const isSame = seed === written.seed || seedsOfMappers.has(seed ?? Number.NaN);
    return !isSame || this.#environment.studies.keyWithoutMappers(analysis, placement, written.seed) !== key;
  }

  /** What was found by now. */
  tableOf({ uri, placement }: SceneParameters): TriedMappers | null {
    const trial = this.#trials.find(uri, placement);
    return trial === undefined ? null : triedMappers(trial);
  }

  csv({ uri, placement }: SceneParameters): TriedMappersCsvAnswer {
    const comparison = this.#trials.find(uri, placement)?.comparison;
    if (comparison === undefined) return { ok: false, message: 'The table is empty.' };
    return {
      ok: true,
      text: comparisonCsv(comparison),
      suggestedName: `${fileNameOf(uri).replace(/\.place$/, '')}.${placement}.mappers.csv`,
    };
  }

  /** The picture of a placement with a change. */
  async preview(uri: string, placement: string, change: PlacementChange): Promise<PreviewAnswer> {
    const found = await this.#changed(uri, placement, change);
    if (typeof found === 'string') return { kind: 'nothing', reason: found };
    const { analysis, jobs, title, mapper } = found;
    const { program, fileUris } = analysis.checked;
    const answer = await this.#previewing().send({
      ...{ kind: 'preview', checked: { program, fileUris }, placement, jobs },
      ...(mapper?.choice !== undefined && { choice: mapper.choice }),
      ...{ policy: this.#environment.policy(uri), settings: this.#environment.settings() },
    });
    return answer.kind === 'nothing'
      ? answer
      : { kind: 'preview', version: protocolVersion, scene: answer.scene, title };
  }

  /** How a change is written into the text; nothing is written here. */
  async edits(uri: string, placement: string, change: PlacementChange): Promise<ChangeEditsAnswer> {
    const found = await this.#changed(uri, placement, change);
    if (typeof found === 'string') return { ok: false, message: found };
    const { analysis, jobs, title, mapper, improved } = found;
    const slots = jobs.flatMap(({ mapping }) => mapping);
    const input = inputOf(analysis, this.#environment.studies);
    if (improved !== undefined || mapper === undefined) {
      const tasks = jobs.map(({ mapping }) => ({ tasks: mapping.length }));
      const edited = service.placementEdits(input, placement, {
        kind: 'moves',
        jobs: tasks,
        moves: improved?.moves ?? [],
        slots,
      });
      return edited.ok ? { ok: true, ...edited.value, title } : { ok: false, message: edited.failure };
    }
    const trial = this.#trials.find(uri, placement)!;
    const seed = await this.#seedToWrite(trial, analysis, mapper);
    const text = mapper.choice === undefined ? trial.written.mapper : mapper.text;
    if (text === undefined) return { ok: false, message: 'Its jobs have their own mappers, which cannot be replaced.' };
    const words =
      seed === 'no'
        ? ({ kind: 'slots', slots } as const)
        : ({ kind: 'mapper', mapper: text, ...(seed !== undefined && { seed }) } as const);
    const edited = service.placementEdits(input, placement, words);
    if (!edited.ok) return { ok: false, message: edited.failure };
    const note = seed === 'no' ? 'The seed also changes nodes or traffic, so the slots are written.' : undefined;
    return { ok: true, ...edited.value, title, ...(note !== undefined && { note }) };
  }

  /** The seed that a row needs in the text; undefined where it needs none, `no` where another one would change more than its mapping. */
  async #seedToWrite(
    trial: Trial,
    analysis: Analysis,
    { text, choice }: ComparedMapper,
  ): Promise<number | undefined | 'no'> {
    const { placement, uri, written, comparison } = trial;
    const result = comparison?.placed.find(({ mapper }) => mapper === text);
    const now = placementIn(analysis, placement)?.seed;
    const wanted = choice === undefined || result?.drewRandom !== true ? written.seed : result.shown.seed;
    if (wanted === now) return undefined;
    if (wanted !== written.seed && !trial.seedsOfMappers.has(wanted)) {
      const { program, fileUris } = analysis.checked;
      const checked = { program, fileUris };
      const order = {
        kind: 'check-seed',
        checked,
        policy: this.#environment.policy(uri),
        placement,
        seed: wanted,
      } as const;
      if (!(await this.#previewing().send(order))) return 'no';
      trial.seedsOfMappers.add(wanted);
    }
    return wanted;
  }

  /** What a change comes to; a sentence where it is none any more. */
  async #changed(uri: string, placement: string, change: PlacementChange): Promise<Changed | string> {
    const analysis = await this.#environment.analysisOf(uri);
    if (analysis === undefined) return 'The file of this placement is not open.';
    if (change.kind === 'mapper') return this.#rowOf(analysis, placement, change.mapper);
    if (this.#environment.studies.reportOf(analysis, placement).state !== 'fresh') return textHasChanged;
    const { link, index } = change;
    const improved = await this.#environment.reading.send({ kind: 'improved', uri, placement, link, index });
    if (improved === null) return 'This improvement is out of date.';
    return { analysis, improved, jobs: improved.jobs, title: improved.action, mapper: undefined };
  }

  #rowOf(analysis: Analysis, placement: string, wanted: string): Changed | string {
    const trial = this.#trials.find(analysis.uri, placement);
    const jobs = trial?.placed.get(wanted);
    const mapper = trial?.mappers.find(({ text }) => text === wanted);
    if (trial === undefined || jobs === undefined || mapper === undefined)
      return `\`${wanted}\` has no mapping to show.`;
    if (this.#isStale(trial, analysis)) return textHasChanged;
    const result = trial.comparison?.placed.find((one) => one.mapper === wanted);
    const ofSeed = trial.seeds > 1 && result?.drewRandom === true ? `, seed ${result.shown.seed}` : '';
    const title = mapper.choice === undefined ? mapper.text : `map ${mapper.text}${ofSeed}`;
    return { analysis, jobs, title, mapper, improved: undefined };
  }

  #previewing(): WorkerHandle {
    const thread = this.#previews?.thread ?? this.#environment.separateThread();
    clearTimeout(this.#previews?.timer);
    const timer = setTimeout(() => {
      this.#endPreviews();
    }, previewPause);
    this.#previews = { thread, timer };
    return thread;
  }

  #endPreviews(): void {
    clearTimeout(this.#previews?.timer);
    void this.#previews?.thread.stop();
    this.#previews = undefined;
  }

  /** The document was closed. */
  forget(uri: string): void {
    for (const job of this.#queue.ofDocument(uri)) this.#queue.cancel(job);
    for (const { telling } of this.#trials.ofDocument(uri)) clearTimeout(telling);
    this.#trials.forget(uri);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#previews?.timer);
    await Promise.all([this.#queue.stop(), this.#previews?.thread.stop()]);
  }

  /** Shortly: several changes make one message. */
  #tell(trial: Trial): void {
    if (this.#queue.isStopped || this.#trials.find(trial.uri, trial.placement) !== trial) return;
    trial.telling ??= setTimeout(() => {
      delete trial.telling;
      if (this.#queue.isStopped) return;
      this.#environment.tell(triedMappers(trial));
    }, tellEvery);
  }
}

/** A placement with a change, before it is written. */
interface Changed {
  readonly analysis: Analysis;
  readonly jobs: readonly PlacedBefore[];
  readonly title: string;
  readonly mapper: ComparedMapper | undefined;
  readonly improved: Improved | undefined;
}

const textHasChanged = 'Out of date. Save the file and try again.';

function triedMappers(trial: Trial): TriedMappers {
  const { uri, placement, budget, seeds, state, reason, subject, share, stale, mappers, comparison, current } = trial;
  return {
    ...{ uri, placement, budget, seeds, state, subject, stale, share: state === 'complete' ? 1 : share },
    ...(reason !== undefined && { reason }),
    ...comparisonRows(
      comparison,
      mappers.map(({ text }) => text),
      current,
    ),
    notes: trialNotes(trial),
  };
}

function trialNotes({ comparison }: Trial): readonly string[] {
  if (comparison === undefined) return [];
  const { placed, bound } = comparison;
  return [
    ...(bound === undefined ? [] : [`Lower bound: ${formatBytes(bound.value)} (${bound.name}).`]),
    ...(placed.some(({ otherNodes }) => otherNodes)
      ? ['With some mappers later jobs use other nodes, because other cores are free.']
      : []),
  ];
}
