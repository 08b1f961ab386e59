/**
 * What is known of the placements of each document, and the orders to the computing thread that bring it up to date.
 */
import { withoutOwnMappers, type Program } from '../../study/program.ts';
import {
  type StudySettings,
  idle,
  wasStopped,
  type PlacementOutline,
  type PlacementProgress,
  type PlacementStatus,
} from '../../study/report.ts';
import { placementFingerprints } from '../../study/fingerprint.ts';
import { threadsShareMemory } from '../platform.ts';
import { placementProgress } from '../../language/service/words.ts';
import { declaredNames } from '../../language/sources.ts';
import { fileNameOf } from '../../language/uris.ts';
import type { Order, ReadPolicyMessage, StudyAnswer, StudyNews } from '../workerMessages.ts';
import type { Analysis } from './analyses.ts';
import { DocumentStudies, progressOf, type StudyState } from './documentStudies.ts';
import { JobQueue, type Job, type ProgressBar, type ShowProgress } from './jobs.ts';
import type { ComputingThreads, WorkerHandle } from './workerHandle.ts';

/** What simulations, experiments and comparisons need of the session. */
export interface JobEnvironment {
  readonly analysisOf: (uri: string) => Promise<Analysis | undefined>;
  readonly studies: Studies;
  /** The error of a placement, or of what it names. */
  readonly problemOf: (analysis: Analysis, placement: string) => string | undefined;
  readonly policy: (uri: string) => ReadPolicyMessage;
  /** The thread that has the finished reports. */
  readonly reading: WorkerHandle;
  /** A thread for one job, which ends it. */
  readonly separateThread: () => WorkerHandle;
  readonly showProgress: ShowProgress;
}

/** What the studies need of the session. */
export interface StudyEnvironment {
  readonly analysisOf: (uri: string) => Promise<Analysis | undefined>;
  readonly settings: () => StudySettings;
  readonly allowedRoots: (uri: string) => readonly string[] | undefined;
  readonly showProgress: ShowProgress;
  /** How far a placement is has changed. */
  readonly progressed: (uri: string, placement: string, progress: PlacementProgress) => void;
  /** The state of `uri` changed: publish diagnostics, tell the panel, refresh lenses. */
  readonly changed: (uri: string) => void;
}

/**
 * Orders studies from the computing thread, one at a time. A new order for a document cancels the study of it that runs,
 * but for a search that the new text has as well: that ends first. An order for another document waits its turn.
 * Results count as they come.
 */
export class Studies {
  readonly #threads: ComputingThreads;
  readonly #environment: StudyEnvironment;
  readonly #states = new Map<string, DocumentStudies>();
  /** How often each file has changed on the disk. */
  readonly #versions = new Map<string, number>();
  #fingerprints = new WeakMap<Analysis, ReadonlyMap<string, string>>();
  readonly #queue: JobQueue<Study>;

  constructor(threads: ComputingThreads, environment: StudyEnvironment) {
    this.#threads = threads;
    this.#environment = environment;
    this.#queue = new JobQueue<Study>({
      run: (job, report) => this.#run(job, report),
      bar: ({ uri }) =>
        environment.showProgress(`Placing ${fileNameOf(uri)}`, () => {
          this.cancel(uri);
        }),
      // If threads share no memory, the thread ends with what it does, and with what it knows of earlier studies.
      interrupt: ({ request }) => {
        if (!threadsShareMemory() && request.isOrdered) threads.study.interrupt();
      },
      failed: ({ uri }, why) => {
        this.#fail(uri, why);
      },
    });
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
      one.name === name ? { ...withoutOwnMappers(one), seed, map: { name: '', options: {} } } : one,
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

  /** Whether a placement is being evaluated, or waits for that. */
  isBeingPlaced(analysis: Analysis, name: string): boolean {
    const { kind } = this.statusOf(analysis, name);
    return kind === 'waiting' || kind === 'working';
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
    if (this.#queue.isStopped) return;
    this.#known(uri).running = true;
    void this.#giveWay(this.#running(uri));
    if (!this.#isWanted(uri)) this.#queue.add(uri, '', { isOrdered: false });
    this.#environment.changed(uri);
  }

  #running = (uri: string): Job<Study> | undefined => this.#queue.find(uri, '', 'running');

  #isWanted = (uri: string): boolean => this.#queue.find(uri, '', 'waiting') !== undefined;

  /** Cancels the study of a document that runs, unless the placement that it is at is wanted as it is. */
  async #giveWay(job: Job<Study> | undefined): Promise<void> {
    if (job !== undefined && !(threadsShareMemory() && (await this.#isStillWanted(job)))) this.#queue.cancel(job);
  }

  /** Whether the present text has the same placement, or has errors that may hide it. */
  async #isStillWanted({ uri, request: { working, fingerprints } }: Job<Study>): Promise<boolean> {
    if (working === undefined) return false;
    const analysis = await this.#environment.analysisOf(uri);
    if (analysis === undefined) return false;
    const now = this.#fingerprintsOf(analysis).get(working.placement);
    return now === undefined ? hasErrors(analysis) : now === fingerprints?.get(working.placement);
  }

  /**
   * The text has changed. If all its placements were evaluated before, as after an undo, a study takes their reports from the memory of the
   * computing thread.
   */
  async textChanged(uri: string): Promise<void> {
    const analysis = await this.#environment.analysisOf(uri);
    const state = this.#states.get(uri);
    if (analysis === undefined || state === undefined || state.running || state.failure !== undefined) return;
    const wanted = [...this.#fingerprintsOf(analysis)];
    const isAnyOlder = wanted.some(([name, fingerprint]) => state.placements.get(name)?.fingerprint !== fingerprint);
    if (isAnyOlder && wanted.every(([name, fingerprint]) => state.isRemembered(name, fingerprint))) this.order(uri);
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
    const waiting = this.#queue.find(uri, '', 'waiting');
    this.#queue.cancel(waiting);
    const running = this.#running(uri);
    if (running !== undefined) {
      this.#queue.cancel(running);
      return;
    }
    state.running = false;
    if (waiting !== undefined) void this.#judge(uri, state, { kind: 'cancelled' });
  }

  /** Has searches end with the best they have: that of one placement, or all that are still to come. */
  finish(uri: string, placement?: string): void {
    const { cell, request } = this.#running(uri) ?? {};
    if (placement === undefined) cell?.finish();
    else if (request?.working?.placement === placement) cell?.finishOne(request.working.position);
  }

  /**
   * The reading thread has lost its reports: every document is studied again, mostly from what the computing thread
   * remembers.
   */
  sendAgain(): void {
    for (const uri of this.#states.keys()) {
      this.#queue.cancel(this.#running(uri));
      this.order(uri);
    }
  }

  /** The server is about to end: nothing is worked out any more. */
  stop(): void {
    void this.#queue.stop();
  }

  /** The document was closed. */
  forget(uri: string): void {
    for (const job of this.#queue.ofDocument(uri)) this.#queue.cancel(job);
    this.#states.delete(uri);
    this.#threads.forget(uri);
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
    return placementFingerprints(program, this.#environment.settings(), (uri) => this.#versions.get(uri) ?? 0);
  }

  #fail(uri: string, why: string): void {
    const state = this.#states.get(uri);
    if (state === undefined) return;
    const message = `The evaluation of this file stopped unexpectedly: ${why}. Change or save the file to try again.`;
    state.failure = message;
    // If the text itself cannot be analysed, nothing can be said of its placements.
    this.#end(uri, state, { kind: 'failed', message }).catch(() => undefined);
    this.#environment.changed(uri);
  }

  async #run(job: Job<Study>, report: ProgressBar['report']): Promise<void> {
    const { uri, cell, request } = job;
    const state = this.#known(uri);
    const analysis = await this.#environment.analysisOf(uri);
    // Closed, or the end of the server asked for, while its imports were read: an order would start a thread again.
    if (analysis === undefined || this.#states.get(uri) !== state || this.#queue.isStopped) return;
    const fingerprints = (request.fingerprints = this.#fingerprintsOf(analysis));
    state.sort([...fingerprints.keys()]);
    state.texts = new Map([...analysis.sources.files].map(([file, { text }]) => [file, text]));
    const receive = (news: StudyNews): void => {
      // Else the document was closed meanwhile.
      if (this.#states.get(uri) === state) this.#take(job, state, news, report);
    };
    const order = this.#orderOf(analysis, state, cell.buffer);
    request.isOrdered = true;
    const answer = await this.#threads.study.send(order, receive).catch((fault: unknown): StudyAnswer => {
      if (job.isCancelled) return { kind: 'cancelled' };
      throw fault;
    });
    if (this.#states.get(uri) === state) await this.#receive(state, order, answer);
  }

  #orderOf(analysis: Analysis, { placements }: DocumentStudies, cancelFlag: ArrayBufferLike): Order<'study'> {
    const { uri, sources, checked } = analysis;
    // Errors may hide a placement for a while.
    const hidden = hasErrors(analysis) ? placements.keys() : [];
    const allowedRoots = this.#environment.allowedRoots(uri);
    return {
      kind: 'study',
      uri,
      program: checked.program,
      fileUris: checked.fileUris,
      experiments: checked.experiments,
      declared: new Set([...declaredNames(sources, 'placement'), ...hidden]),
      again: new Set([...placements].flatMap(([name, { isWantedAgain }]) => (isWantedAgain ? name : []))),
      ...(allowedRoots === undefined ? {} : { allowedRoots }),
      settings: this.#environment.settings(),
      cancelFlag,
    };
  }

  #take(job: Job<Study>, state: DocumentStudies, news: StudyNews, report: ProgressBar['report']): void {
    const { uri, request } = job;
    switch (news.kind) {
      case 'progress': {
        const placement = state.placement(news.placement);
        const isFirst = placement.progress === undefined;
        placement.progress = progressOf(news);
        request.working = news;
        report(`${news.placement}: ${placementProgress(placement.progress)}`, news.whole);
        this.#environment.progressed(uri, news.placement, placement.progress);
        if (!isFirst) return;
        break;
      }
      case 'placement':
        state.receive(news, request.fingerprints?.get(news.placement));
        request.working = undefined;
        if (this.#isWanted(uri)) void this.#giveWay(job);
        break;
      case 'described':
        state.machines = news.machines;
        state.jobs = news.jobs;
        state.streams = news.streams ?? state.streams;
        state.problems = news.problems.filter(({ placement }) => placement === undefined);
        state.touch();
        break;
    }
    this.#environment.changed(uri);
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
    state.running = this.#isWanted(uri);
    if (verdict === undefined || state.running) this.#environment.changed(uri);
    else await this.#judge(uri, state, verdict);
  }

  /** Says of all placements without a fresh report why they have none. */
  async #judge(uri: string, state: DocumentStudies, status: PlacementStatus): Promise<void> {
    const analysis = await this.#environment.analysisOf(uri);
    if (analysis === undefined) return;
    for (const [name, fingerprint] of this.#fingerprintsOf(analysis)) {
      const placement = state.placement(name);
      const isDone = placement.outline !== undefined && placement.fingerprint === fingerprint;
      if (!isDone && placement.verdict?.fingerprint !== fingerprint) placement.verdict = { fingerprint, status };
    }
    this.#environment.changed(uri);
  }
}

/** Of a report of the present text, about which nothing is being done. */
const statusOfReport = (outline: PlacementOutline): PlacementStatus =>
  wasStopped(outline) ? { kind: 'stopped', milliseconds: outline.milliseconds.map } : idle;

const hasErrors = ({ checked }: Analysis): boolean =>
  [...checked.problems.values()].some((problems) => problems.some(({ severity }) => severity === 'error'));

/** What is known of a study once it runs. */
interface Study {
  /** Of its placements. */
  fingerprints?: ReadonlyMap<string, string>;
  /** The placement it is at. */
  working?: { readonly placement: string; readonly position: number } | undefined;
  /** The computing thread has it. */
  isOrdered: boolean;
}

const nothingKnown: StudyState = new DocumentStudies();
