/**
 * What is known of the experiments of each open document, and the runs that the user or a save asks for: one at a time, each in
 * a thread of its own, which spreads it over the others. Results lie beside the file, so that nothing is kept here that
 * could be lost.
 */
import { machinesOfExperiment } from '../../language/fileNeeds.ts';
import type { ExperimentStanding } from '../../language/service/input.ts';
import type { FormName } from '../../model/experiment.ts';
import { CancelCell } from '../cancelCell.ts';
import type { ExperimentDescribed, ReadPolicyMessage } from '../workerMessages.ts';
import type { SlurmProgram } from '../experiments/slurm.ts';
import type { Analysis } from './analyses.ts';
import type { StudyProgressBar } from './studies.ts';
import type { WorkerHandle } from './workerHandle.ts';

/** What the runs need of the session. */
export interface RunSurroundings {
  readonly analysisOf: (uri: string) => Promise<Analysis | undefined>;
  readonly policy: (uri: string) => ReadPolicyMessage;
  /** A thread for one task; whoever asks for it ends it. */
  readonly separateThread: () => WorkerHandle;
  /** The thread that knows the files of experiments, and describes and draws these. */
  readonly describing: WorkerHandle;
  /** Whether files may be written beside those of the user. */
  readonly mayWrite: () => boolean;
  /** Whether Slurm can be called here, and what its jobs run; absent in a browser. */
  readonly slurm?: { readonly isThere: () => boolean; readonly program: SlurmProgram };
  /** Whether the file has the text that the editor has. */
  readonly isSaved: (uri: string) => Promise<boolean>;
  readonly showProgress: (title: string, cancel: () => void) => StudyProgressBar;
  /** What is known of the experiments of a document has changed. */
  readonly changed: (uri: string) => void;
  /** Results of an experiment are there, or it is so far. */
  readonly tell: (uri: string, experiment: string, progress: string | undefined) => void;
  /** Something that the user asked for cannot be done, as a sentence. */
  readonly refuse: (message: string) => void;
}

/** An experiment that is expected to take no longer than this is run when its file is saved, seconds. */
const quickSeconds = 1;

/** What was found of an experiment, and the text that it was of. */
interface Described extends ExperimentDescribed {
  readonly key: string;
}

/** How an experiment is run; as a whole and on all threads of this machine where nothing else is said. */
export interface RunManner {
  /** A smaller run. */
  readonly form: FormName | undefined;
  readonly onSlurm: boolean;
}

const usualManner: RunManner = { form: undefined, onSlurm: false };

interface Run extends RunManner {
  readonly uri: string;
  readonly experiment: string;
  readonly cell: CancelCell;
  words: string | undefined;
}

export class ExperimentRuns {
  readonly #surroundings: RunSurroundings;
  readonly #described = new Map<string, ReadonlyMap<string, Described>>();
  /** Why runs did not end as they should, by document and experiment, with the text that was run. */
  readonly #failures = new Map<string, { readonly key: string; readonly message: string }>();
  readonly #looking = new Map<string, CancelCell>();
  readonly #waiting: Run[] = [];
  #current: Run | undefined;
  #isStopped = false;

  constructor(surroundings: RunSurroundings) {
    this.#surroundings = surroundings;
  }

  /** What lenses say of the experiments of a document. */
  standingsOf({ uri, checked }: Analysis): ReadonlyMap<string, ExperimentStanding> {
    const standings = new Map<string, ExperimentStanding>();
    for (const { name } of checked.experiments.experiments) {
      const key = keyOf({ checked }, name);
      const fault = this.#failures.get(idOf(uri, name));
      const running = this.progressOf(uri, name);
      standings.set(name, {
        ...standingOf(this.#described.get(uri)?.get(name), key),
        ...(fault?.key === key ? { fault: fault.message } : {}),
        ...(running === undefined ? {} : { running }),
      });
    }
    return standings;
  }

  /** Finds out what there is to know of the experiments of a document; `save`: and runs those that are quick. */
  async look(uri: string, because: 'open' | 'save' | 'result'): Promise<void> {
    this.#looking.get(uri)?.cancel();
    const cell = new CancelCell();
    this.#looking.set(uri, cell);
    const analysis = await this.#surroundings.analysisOf(uri);
    if (analysis === undefined || this.#isStopped || this.#looking.get(uri) !== cell || !isFile(uri)) return;
    const { program, experiments } = analysis.checked;
    if (experiments.experiments.length === 0 && !this.#described.has(uri)) return;
    try {
      const checked = { program, experiments };
      const order = { uri, checked, policy: this.#surroundings.policy(uri), cancelFlag: cell.buffer };
      const found = await this.#surroundings.describing.send({ kind: 'describe-experiments', ...order });
      if (this.#looking.get(uri) !== cell) return;
      this.#looking.delete(uri);
      const all = found.map((one): [string, Described] => [one.name, { ...one, key: keyOf(analysis, one.name) }]);
      this.#described.set(uri, new Map(all));
      this.#surroundings.changed(uri);
      if (because === 'save' && this.#surroundings.mayWrite()) await this.#runQuickOnes(analysis);
    } catch {
      // The thread was lost or stopped: the log says so, and the next save looks again.
    }
  }

  async #runQuickOnes(analysis: Analysis): Promise<void> {
    for (const [name, { isStale, isComplete, form, seconds = Infinity }] of this.standingsOf(analysis)) {
      if (seconds < quickSeconds && (isStale || form !== undefined || !isComplete))
        await this.order(analysis.uri, name);
    }
  }

  /** Runs an experiment as soon as those before it are done; what was done of it before is not done again. */
  async order(uri: string, experiment: string, manner: RunManner = usualManner): Promise<void> {
    const { refuse, slurm, isSaved } = this.#surroundings;
    const name = `Experiment "${experiment}"`;
    if (!isFile(uri)) {
      refuse(`${name} is kept beside its file${whereItLies(uri)}`);
      return;
    }
    if (!this.#surroundings.mayWrite()) {
      refuse(
        `${name} is kept beside its file, and nothing is written there while the folder is not trusted (Restricted Mode): trust it first.`,
      );
      return;
    }
    if (manner.onSlurm && !isThere(slurm)) {
      refuse(
        `${name} cannot be run by Slurm: its command \`sbatch\` is not on the PATH of the editor. Open the folder where it is, such as on a login node, or run \`placewright experiment FILE ${experiment} --slurm\` there.`,
      );
      return;
    }
    if (manner.onSlurm && !(await isSaved(uri))) {
      refuse(
        `${name}: the nodes that Slurm chooses read the file, which has another text than the editor: save it first.`,
      );
      return;
    }
    const analysis = await this.#surroundings.analysisOf(uri);
    if (analysis === undefined || this.#isStopped) return;
    const declared = analysis.checked.experiments.experiments.find((one) => one.name === experiment);
    if (declared === undefined) {
      refuse(`${name} cannot be run: it, or what it names, has errors, which are listed among the problems.`);
      return;
    }
    if (manner.form === 'middle' && declared.forms?.middle === undefined) {
      refuse(`${name} has no middle form: write what it has, \`middle replications 20\`, or run it short or whole.`);
      return;
    }
    if (this.#runOf(uri, experiment) !== undefined) return;
    this.#failures.delete(idOf(uri, experiment));
    this.#waiting.push({ uri, experiment, ...manner, cell: new CancelCell(), words: undefined });
    this.#surroundings.changed(uri);
    void this.#next();
  }

  /** Ends a run, or takes it off the list; what it has done stays. */
  cancel(uri: string, experiment: string): void {
    const position = this.#waiting.findIndex((run) => run.uri === uri && run.experiment === experiment);
    if (position >= 0) this.#waiting.splice(position, 1);
    else this.#runOf(uri, experiment)?.cell.cancel();
    this.#surroundings.changed(uri);
  }

  /** The document was closed; a run of it goes on. */
  forget(uri: string): void {
    this.#looking.get(uri)?.cancel();
    this.#looking.delete(uri);
    this.#described.delete(uri);
  }

  stop(): void {
    this.#isStopped = true;
    this.#waiting.length = 0;
    this.#current?.cell.cancel();
    for (const cell of this.#looking.values()) cell.cancel();
  }

  /** How far a run is; undefined where none is under way. */
  progressOf(uri: string, experiment: string): string | undefined {
    const run = this.#runOf(uri, experiment);
    return run && (run.words ?? (run === this.#current ? 'begins' : 'waiting to be run'));
  }

  #runOf(uri: string, experiment: string): Run | undefined {
    const isIt = (run: Run | undefined): boolean => run?.uri === uri && run.experiment === experiment;
    return isIt(this.#current) ? this.#current : this.#waiting.find(isIt);
  }

  async #next(): Promise<void> {
    while (this.#current === undefined) {
      this.#current = this.#waiting.shift();
      if (this.#current === undefined) return;
      const { uri, experiment } = this.#current;
      try {
        await this.#run(this.#current);
      } finally {
        this.#current = undefined;
      }
      this.#surroundings.tell(uri, experiment, undefined);
      this.#surroundings.changed(uri);
      void this.look(uri, 'result');
    }
  }

  async #run(run: Run): Promise<void> {
    const { uri, experiment, cell, form, onSlurm } = run;
    const { slurm, analysisOf, separateThread, showProgress, policy, tell, changed } = this.#surroundings;
    const analysis = await analysisOf(uri);
    if (analysis === undefined) return;
    const bar = showProgress(
      `Running experiment ${experiment}${form === undefined ? '' : `, ${form}`}${onSlurm ? ', on Slurm' : ''}`,
      () => {
        this.cancel(uri, experiment);
      },
    );
    const thread = separateThread();
    const { program, experiments } = analysis.checked;
    const order = {
      ...{ uri, experiment, form, checked: { program, experiments }, policy: policy(uri), cancelFlag: cell.buffer },
      ...(onSlurm && slurm !== undefined && { slurm: slurm.program }),
    };
    const fail = (message: string): void => {
      this.#failures.set(idOf(uri, experiment), { key: keyOf(analysis, experiment), message });
    };
    try {
      const failure = await thread.send({ kind: 'run-experiment', ...order }, ({ share, words }) => {
        run.words = words;
        bar.reportWords(words, share);
        tell(uri, experiment, words);
        changed(uri);
      });
      if (failure !== null) fail(failure.message);
    } catch (fault) {
      const why = fault instanceof Error ? fault.message : String(fault);
      fail(`The run stopped unexpectedly: ${why}. What was done is kept: run it again to go on.`);
    } finally {
      bar.done();
      await thread.stop();
    }
  }
}

/** What is to be done with a document that is no file on a disk. */
const whereItLies = (uri: string): string =>
  uri.startsWith('untitled:')
    ? ': save the file first.'
    : ', which has to lie on a disk: open the folder in an editor on a computer, or run `placewright experiment` there.';

const isThere = (slurm: RunSurroundings['slurm']): boolean => slurm?.isThere() === true;

/** Other editors may send whatever they like. */
const isFile = (uri: unknown): boolean => typeof uri === 'string' && uri.startsWith('file:');

/** What was found of an experiment, as far as it holds for the text of this key. */
function standingOf(known: Described | undefined, key: string): ExperimentStanding {
  const { ready, kept, failure, isDamaged = false } = known ?? {};
  const isSame = known?.key === key;
  return {
    ...(kept === undefined ? {} : { result: kept.words, notices: kept.notices }),
    isStale: kept !== undefined && !(isSame && !kept.stale),
    isComplete: kept?.complete === true,
    ...(kept?.form === undefined ? {} : { form: kept.form }),
    isDamaged,
    ...(isSame && failure !== undefined ? { problem: failure } : {}),
    ...(isSame && ready !== undefined ? ready : {}),
  };
}

const idOf = (uri: string, experiment: string): string => `${uri}#${experiment}`;

/** The same for two texts only where an experiment and all that it names are the same. */
function keyOf({ checked }: Pick<Analysis, 'checked'>, name: string): string {
  const {
    program,
    experiments: { experiments, streams },
  } = checked;
  const experiment = experiments.find((one) => one.name === name);
  const stream = experiment?.subject.kind === 'stream' ? streams.get(experiment.subject.name) : undefined;
  const names = experiment?.subject.kind === 'job' ? experiment.subject.names : [];
  const jobs = names.map((job) => program.jobs.get(job));
  return JSON.stringify([experiment, stream, jobs, experiment && machinesOfExperiment(experiment, program.machines)]);
}
