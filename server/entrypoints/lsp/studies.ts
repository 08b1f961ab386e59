/**
 * What is known of the placements of each document, and the orders to the computing thread that bring it up to date.
 */
import type { Program } from '../../study/program.ts';
import {
  type StudySettings,
  idle,
  wasStopped,
  type PlacementOutline,
  type PlacementProgress,
  type PlacementStatus,
} from '../../study/report.ts';
import { placementFingerprints } from '../../study/fingerprint.ts';
import { CancelCell } from '../cancelCell.ts';
import { threadsShareMemory } from '../platform.ts';
import { declaredNames } from '../../language/sources.ts';
import type { Order, StudyAnswer, StudyNews } from '../workerMessages.ts';
import type { Analysis } from './analyses.ts';
import { DocumentStudies, progressOf, receivePlacement, type StudyState } from './documentStudies.ts';
import type { ComputingThreads } from './workerHandle.ts';

/** What the studies need of the session. */
export interface StudySurroundings {
  readonly analysisOf: (uri: string) => Promise<Analysis | undefined>;
  readonly settings: () => StudySettings;
  readonly allowedRoots: (uri: string) => readonly string[] | undefined;
  /** Called for each study that starts; the answer is told of progress and of its end. */
  readonly showProgress: (uri: string, cancel: () => void) => StudyProgressBar;
  /** How far a placement is has changed. */
  readonly progressed: (uri: string, placement: string, progress: PlacementProgress) => void;
  /** The state of `uri` changed: publish diagnostics, tell the panel, refresh lenses. */
  readonly changed: (uri: string) => void;
}

export interface StudyProgressBar {
  /** `whole`: of all placements, 0 … 1. */
  readonly report: (placement: string, progress: PlacementProgress, whole: number) => void;
  /** The same of something else than placements. */
  readonly reportWords: (words: string, share: number) => void;
  readonly done: () => void;
}

/**
 * Orders studies from the computing thread, one at a time: a new order for a document cancels the one
 * that runs for it, an order for another document waits its turn. Results count as they come.
 */
export class Studies {
  readonly #threads: ComputingThreads;
  readonly #surroundings: StudySurroundings;
  readonly #states = new Map<string, DocumentStudies>();
  readonly #wanted = new Set<string>();
  /** How often each file has changed on the disk. */
  readonly #versions = new Map<string, number>();
  #fingerprints = new WeakMap<Analysis, ReadonlyMap<string, string>>();
  #current: Current | undefined;
  #isStopped = false;

  constructor(threads: ComputingThreads, surroundings: StudySurroundings) {
    this.#threads = threads;
    this.#surroundings = surroundings;
  }

  stateOf(uri: string): StudyState {
    return this.#states.get(uri) ?? nothingKnown;
  }

  /** Whether a placement has a report of the present text, with the number of that report. */
  reportOf(
    analysis: Analysis,
    name: string,
  ): { readonly state: 'fresh' | 'stale' | 'missing'; readonly revision: number } {
    const placement = this.#states.get(analysis.uri)?.placements.get(name);
    if (placement?.outline === undefined) return { state: 'missing', revision: 0 };
    const wanted = this.#fingerprintsOf(analysis).get(name);
    const isFresh = wanted !== undefined && placement.fingerprint === wanted;
    return { state: isFresh ? 'fresh' : 'stale', revision: placement.revision };
  }

  /** The number of the last report of a placement; 0 where it has none. */
  revisionOf(uri: string, name: string): number {
    return this.#states.get(uri)?.placements.get(name)?.revision ?? 0;
  }

  /** Whether the language finds no error in a placement or in what it needs. */
  isSound(analysis: Analysis, name: string): boolean {
    return this.#fingerprintsOf(analysis).has(name);
  }

  /**
   * The same for two texts only where a placement has the same nodes, jobs and machine in both, with this seed, whatever its
   * mappers are; undefined where it has errors.
   */
  keyWithoutMappers({ checked: { program } }: Analysis, name: string, seed: number): string | undefined {
    const placements = program.placements.map((one) =>
      one.name === name
        ? {
            ...one,
            seed,
            map: { name: '', options: {} },
            own: one.own?.map(({ allocate }) => ({ ...(allocate && { allocate }) })) ?? [],
          }
        : one,
    );
    return this.#fingerprint({ ...program, placements }).get(name);
  }

  /** What is being done about a placement; `failed` only where a study found that, not the language. */
  statusOf(analysis: Analysis, name: string): PlacementStatus {
    const state = this.#states.get(analysis.uri);
    const placement = state?.placements.get(name);
    const wanted = this.#fingerprintsOf(analysis).get(name);
    if (state === undefined || wanted === undefined) return idle;
    if (placement?.progress !== undefined) return { kind: 'working', progress: placement.progress };
    if (placement?.outline !== undefined && placement.fingerprint === wanted)
      return placement.isWantedAgain && state.running ? { kind: 'waiting' } : statusOfReport(placement.outline);
    if (placement?.verdict?.fingerprint === wanted) return placement.verdict.status;
    return state.running ? { kind: 'waiting' } : idle;
  }

  /** Whether the study that began last was of these texts. */
  isStudied({ uri, sources }: Analysis): boolean {
    const texts = this.#states.get(uri)?.texts;
    if (texts?.size !== sources.files.size) return false;
    return [...sources.files.values()].every((file) => texts.get(file.uri) === file.text);
  }

  /** A file changed on the disk: reports that were made of it are of an older text. */
  fileChanged(uri: string): void {
    this.#versions.set(uri, (this.#versions.get(uri) ?? 0) + 1);
    this.#fingerprints = new WeakMap();
  }

  /** The settings changed: fingerprints hold them. */
  settingsChanged(): void {
    this.#fingerprints = new WeakMap();
  }

  /** Works out the placements of `uri` as soon as the worker is free. */
  order(uri: string): void {
    if (this.#isStopped) return;
    this.#wanted.add(uri);
    if (this.#current?.uri === uri) this.#cancelCurrent();
    this.#known(uri).running = true;
    this.#surroundings.changed(uri);
    void this.#next();
  }

  /**
   * The same because the user asks for it: searches that were ended by hand begin anew, that of one placement, or all
   * of the document.
   */
  orderAgain(uri: string, placement?: string): void {
    for (const [name, known] of this.#known(uri).placements) {
      if (placement === undefined || name === placement)
        known.isWantedAgain ||= known.outline !== undefined && wasStopped(known.outline);
    }
    this.order(uri);
  }

  /** Ends what runs for the document; placements that are done stay. */
  cancel(uri: string): void {
    const state = this.#states.get(uri);
    if (state === undefined) return;
    for (const placement of state.placements.values()) placement.isWantedAgain = false;
    const wasWaiting = this.#wanted.delete(uri);
    if (this.#current?.uri === uri) {
      this.#cancelCurrent();
      return;
    }
    state.running = false;
    if (wasWaiting) void this.#judge(uri, state, { kind: 'cancelled' });
  }

  /** Has searches end with the best they have: that of one placement, or all that are still to come. */
  finish(uri: string, placement?: string): void {
    if (this.#current?.uri !== uri) return;
    const { cell, working } = this.#current;
    if (placement === undefined) cell.finish();
    else if (working?.placement === placement) cell.finishOne(working.position);
  }

  /**
   * The reading thread has lost its reports: every document is studied again, mostly from what the computing thread
   * remembers.
   */
  sendAgain(): void {
    for (const uri of this.#states.keys()) this.order(uri);
  }

  /** The server is about to end: nothing is worked out any more. */
  stop(): void {
    this.#isStopped = true;
    this.#wanted.clear();
    this.#cancelCurrent();
  }

  /** The document was closed. */
  forget(uri: string): void {
    this.#wanted.delete(uri);
    if (this.#current?.uri === uri) this.#cancelCurrent();
    this.#states.delete(uri);
    this.#threads.forget(uri);
  }

  /** Where threads share no memory, the thread ends with what it does, and with what it knows of earlier studies. */
  #cancelCurrent(): void {
    const current = this.#current;
    if (current === undefined) return;
    current.cell.cancel();
    current.isCancelled = true;
    if (!threadsShareMemory() && current.isOrdered) this.#threads.study.interrupt();
  }

  #known(uri: string): DocumentStudies {
    const state = this.#states.get(uri) ?? new DocumentStudies();
    this.#states.set(uri, state);
    return state;
  }

  #fingerprintsOf(analysis: Analysis): ReadonlyMap<string, string> {
    const known = this.#fingerprints.get(analysis);
    if (known !== undefined) return known;
    const found = this.#fingerprint(analysis.checked.program);
    this.#fingerprints.set(analysis, found);
    return found;
  }

  #fingerprint(program: Program): ReadonlyMap<string, string> {
    return placementFingerprints(program, this.#surroundings.settings(), (uri) => this.#versions.get(uri) ?? 0);
  }

  async #next(): Promise<void> {
    while (this.#current === undefined) {
      const [uri] = this.#wanted;
      if (uri === undefined) return;
      this.#wanted.delete(uri);
      this.#current = { uri, cell: new CancelCell(), working: undefined, isOrdered: false, isCancelled: false };
      try {
        await this.#run(this.#current);
      } catch (fault) {
        // Of the analysis, which is a fault of ours: the other documents are still waiting.
        this.#fail(uri, fault);
      } finally {
        this.#current = undefined;
      }
    }
  }

  #fail(uri: string, fault: unknown): void {
    const state = this.#states.get(uri);
    if (state === undefined) return;
    const why = fault instanceof Error ? fault.message : String(fault);
    state.failure = `The study of this file stopped unexpectedly: ${why}. Change the file, or save it to try again.`;
    state.running = this.#wanted.has(uri);
    this.#surroundings.changed(uri);
  }

  async #run(current: Current): Promise<void> {
    const { uri, cell } = current;
    const state = this.#known(uri);
    const analysis = await this.#surroundings.analysisOf(uri);
    // Closed, or the end of the server asked for, while its imports were read: an order would start a thread again.
    if (analysis === undefined || this.#states.get(uri) !== state || this.#isStopped) return;
    const fingerprints = this.#fingerprintsOf(analysis);
    state.sort([...fingerprints.keys()]);
    state.texts = new Map([...analysis.sources.files].map(([file, { text }]) => [file, text]));
    const bar = this.#surroundings.showProgress(uri, () => {
      this.cancel(uri);
    });
    const receive = (news: StudyNews): void => {
      // Else the document was closed meanwhile.
      if (this.#states.get(uri) === state) this.#hear(current, state, fingerprints, news, bar);
    };
    try {
      const order = this.#orderOf(analysis, state, cell);
      current.isOrdered = true;
      const answer = await this.#threads.study.send(order, receive);
      if (this.#states.get(uri) === state) await this.#receive(state, order, answer);
    } catch (fault) {
      if (this.#states.get(uri) !== state) return;
      if (current.isCancelled && !threadsShareMemory()) {
        await this.#end(uri, state, { kind: 'cancelled' });
        return;
      }
      this.#fail(uri, fault);
      await this.#end(uri, state, { kind: 'failed', message: state.failure ?? '' });
    } finally {
      bar.done();
    }
  }

  #orderOf({ uri, sources, checked }: Analysis, { placements }: DocumentStudies, cell: CancelCell): Order<'study'> {
    const allowedRoots = this.#surroundings.allowedRoots(uri);
    return {
      kind: 'study',
      uri,
      program: checked.program,
      fileUris: checked.fileUris,
      experiments: checked.experiments,
      declared: new Set(declaredNames(sources, 'placement')),
      again: new Set([...placements].flatMap(([name, { isWantedAgain }]) => (isWantedAgain ? name : []))),
      ...(allowedRoots === undefined ? {} : { allowedRoots }),
      settings: this.#surroundings.settings(),
      cancelFlag: cell.buffer,
    };
  }

  #hear(
    current: Current,
    state: DocumentStudies,
    fingerprints: ReadonlyMap<string, string>,
    news: StudyNews,
    bar: StudyProgressBar,
  ): void {
    const { uri } = current;
    switch (news.kind) {
      case 'progress': {
        const placement = state.placement(news.placement);
        const isFirst = placement.progress === undefined;
        placement.progress = progressOf(news);
        current.working = news;
        bar.report(news.placement, placement.progress, news.whole);
        this.#surroundings.progressed(uri, news.placement, placement.progress);
        if (!isFirst) return;
        break;
      }
      case 'placement':
        receivePlacement(state.placement(news.placement), news, fingerprints.get(news.placement));
        state.touch();
        break;
      case 'described':
        state.machines = news.machines;
        state.jobs = news.jobs;
        state.streams = news.streams ?? state.streams;
        state.problems = news.problems.filter(({ placement }) => placement === undefined);
        state.touch();
        break;
    }
    this.#surroundings.changed(uri);
  }

  async #receive(
    state: DocumentStudies,
    { uri, declared, again, fileUris }: Order<'study'>,
    answer: StudyAnswer,
  ): Promise<void> {
    if (answer.kind === 'cancelled') {
      await this.#end(uri, state, { kind: 'cancelled' });
      return;
    }
    const { machines, jobs, streams, problems } = answer;
    state.keepOnly(declared);
    for (const [name, placement] of state.placements) {
      placement.problems = [];
      if (again.has(name)) placement.isWantedAgain = false;
    }
    for (const problem of problems) {
      const placement = problem.placement === undefined ? undefined : state.placements.get(problem.placement);
      if (placement !== undefined) placement.problems = [...placement.problems, problem];
    }
    state.machines = machines;
    state.jobs = jobs;
    state.streams = streams;
    state.problems = problems.filter(({ placement }) => placement === undefined);
    state.files = fileUris.map((file) => file.uri);
    state.failure = undefined;
    state.revision++;
    state.touch();
    await this.#end(uri, state, undefined);
  }

  /** A study ended; where another is wanted already, that one will tell what comes of the placements. */
  async #end(uri: string, state: DocumentStudies, verdict: PlacementStatus | undefined): Promise<void> {
    for (const placement of state.placements.values()) placement.progress = undefined;
    state.running = this.#wanted.has(uri);
    if (verdict === undefined || state.running) this.#surroundings.changed(uri);
    else await this.#judge(uri, state, verdict);
  }

  /** Says of all placements without a fresh report why they have none. */
  async #judge(uri: string, state: DocumentStudies, status: PlacementStatus): Promise<void> {
    const analysis = await this.#surroundings.analysisOf(uri);
    if (analysis === undefined) return;
    for (const [name, fingerprint] of this.#fingerprintsOf(analysis)) {
      const placement = state.placement(name);
      const isDone = placement.outline !== undefined && placement.fingerprint === fingerprint;
      if (!isDone && placement.verdict?.fingerprint !== fingerprint) placement.verdict = { fingerprint, status };
    }
    this.#surroundings.changed(uri);
  }
}

/** Of a report of the present text, about which nothing is being done. */
const statusOfReport = (outline: PlacementOutline): PlacementStatus =>
  wasStopped(outline) ? { kind: 'stopped', milliseconds: outline.milliseconds.map } : idle;

/** The study that runs. */
interface Current {
  readonly uri: string;
  readonly cell: CancelCell;
  /** The placement it is at. */
  working: { readonly placement: string; readonly position: number } | undefined;
  /** The computing thread has it. */
  isOrdered: boolean;
  isCancelled: boolean;
}

const nothingKnown: StudyState = new DocumentStudies();
