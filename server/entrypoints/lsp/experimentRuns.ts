/**
 * What is known of the experiments of each open document, and the runs that the user or a save asks for: one at a time, each in
 * a thread of its own, which spreads it over the others. Results lie beside the file, so that nothing is kept here that
 * could be lost.
 */
import { machinesOfExperiment } from '../../language/fileNeeds.ts';
import type { ExperimentStanding } from '../../language/service/input.ts';
import type { FormName } from '../../model/experiment.ts';
import { CancelCell } from '../cancelCell.ts';
import type { ExperimentDescribed } from '../workerMessages.ts';
import type { SlurmProgram } from '../experiments/slurm.ts';
import type { Analysis } from './analyses.ts';
import { JobQueue, Records, type Job } from './jobs.ts';
import type { JobEnvironment } from './studies.ts';
import type { WorkerHandle } from './workerHandle.ts';

/** What the runs need of the session. */
export interface RunEnvironment extends Omit<JobEnvironment, 'studies' | 'problemOf' | 'reading'> {
  /** The thread that knows the files of experiments, and describes and draws these. */
  readonly describing: WorkerHandle;
  /** Whether files may be written beside those of the user. */
  readonly mayWrite: () => boolean;
  /** Whether Slurm can be called here, and what its jobs run; absent in a browser. */
  readonly slurm?: { readonly isThere: () => boolean; readonly program: SlurmProgram };
  /** Whether the file has the text that the editor has. */
  readonly isSaved: (uri: string) => Promise<boolean>;
  /** What is known of the experiments of a document has changed. */
  readonly changed: (uri: string) => void;
  /** Results of an experiment are there, or it is so far. */
  readonly tell: (uri: string, experiment: string, progress: string | undefined) => void;
  /** Something that the user asked for cannot be done, as a sentence. */
  readonly refuse: (message: string) => void;
}

/** An experiment that is expected to take no longer than this is run when its file is saved, seconds. */
const quickSeconds = 1;

/** What is known of an experiment. Keys say all that it depends on. */
interface Known {
  described?: (ExperimentDescribed & { readonly key: string }) | undefined;
  /** Why the last run did not end as it should. */
  fault?: { readonly key: string; readonly message: string } | undefined;
}

/** How an experiment is run; as a whole and on all threads of this machine where nothing else is said. */
export interface RunMode {
  /** A smaller run. */
  readonly form: FormName | undefined;
  readonly onSlurm: boolean;
}

const usualMode: RunMode = { form: undefined, onSlurm: false };

export class ExperimentRuns {
  readonly #environment: RunEnvironment;
  readonly #known = new Records<Known>(() => ({}));
  readonly #looking = new Map<string, CancelCell>();
  readonly #queue: JobQueue<RunMode>;

  constructor(environment: RunEnvironment) {
    this.#environment = environment;
    this.#queue = new JobQueue<RunMode>({
      run: (job, report) => this.#run(job, report),
      bar: ({ uri, name, request: { form, onSlurm } }) => {
        const title = `Running experiment ${name}${form === undefined ? '' : `, ${form}`}${onSlurm ? ', on Slurm' : ''}`;
        return environment.showProgress(title, () => {
          this.cancel(uri, name);
        });
      },
      failed: ({ uri, name, key = '' }, why) => {
        const message = `The run stopped unexpectedly: ${why}. Finished work is saved. Run it again to resume.`;
        this.#known.of(uri, name).fault = { key, message };
      },
      ended: ({ uri, name }) => {
        environment.tell(uri, name, undefined);
        environment.changed(uri);
        void this.look(uri, 'result');
      },
    });
  }

  /** What lenses say of the experiments of a document. */
  standingsOf({ uri, checked }: Analysis): ReadonlyMap<string, ExperimentStanding> {
    const standings = new Map<string, ExperimentStanding>();
    for (const { name } of checked.experiments.experiments) {
      const key = experimentKey({ checked }, name);
      const { described, fault } = this.#known.of(uri, name);
      const running = this.progressOf(uri, name);
      standings.set(name, {
        ...experimentState(described, key),
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
    const analysis = await this.#environment.analysisOf(uri);
    if (analysis === undefined || this.#queue.isStopped || this.#looking.get(uri) !== cell || !isFile(uri)) return;
    const { program, experiments } = analysis.checked;
    if (experiments.experiments.length === 0 && this.#known.ofDocument(uri).length === 0) return;
    try {
      const checked = { program, experiments };
      const order = { uri, checked, policy: this.#environment.policy(uri), cancelFlag: cell.buffer };
      const found = await this.#environment.describing.send({ kind: 'describe-experiments', ...order });
      if (this.#looking.get(uri) !== cell) return;
      this.#looking.delete(uri);
      for (const known of this.#known.ofDocument(uri)) known.described = undefined;
      for (const one of found)
        this.#known.of(uri, one.name).described = { ...one, key: experimentKey(analysis, one.name) };
      this.#environment.changed(uri);
      if (because === 'save' && this.#environment.mayWrite()) await this.#runQuickOnes(analysis);
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
  async order(uri: string, experiment: string, mode: RunMode = usualMode): Promise<void> {
    const { refuse, slurm, isSaved } = this.#environment;
    const name = `Experiment "${experiment}"`;
    if (!isFile(uri)) {
      refuse(`${name} is saved beside its file${whereItLies(uri)}`);
      return;
    }
    if (!this.#environment.mayWrite()) {
      refuse(`${name} needs a trusted folder to save results (Restricted Mode). Trust the folder first.`);
      return;
    }
    if (mode.onSlurm && !isThere(slurm)) {
      refuse(
        `${name} needs \`sbatch\` on the PATH of the editor. Open the folder on a login node, or run \`placewright experiment FILE ${experiment} --slurm\` there.`,
      );
      return;
    }
    if (mode.onSlurm && !(await isSaved(uri))) {
      refuse(`${name}: nodes read the saved file, which is out of date. Save it first.`);
      return;
    }
    const analysis = await this.#environment.analysisOf(uri);
    if (analysis === undefined || this.#queue.isStopped) return;
    const declared = analysis.checked.experiments.experiments.find((one) => one.name === experiment);
    if (declared === undefined) {
      refuse(`${name} has errors, or refers to something with errors. See Problems.`);
      return;
    }
    if (mode.form === 'middle' && declared.forms?.middle === undefined) {
      refuse(`${name} has no \`middle\` variant. Write \`middle replications 20\`, or run another variant.`);
      return;
    }
    if (this.#queue.find(uri, experiment) !== undefined) return;
    this.#known.of(uri, experiment).fault = undefined;
    this.#queue.add(uri, experiment, mode);
    this.#environment.changed(uri);
  }

  /** Ends a run, or takes it off the list; what it has done stays. */
  cancel(uri: string, experiment: string): void {
    this.#queue.cancel(this.#queue.find(uri, experiment));
    this.#environment.changed(uri);
  }

  /** The document was closed; a run of it goes on. */
  forget(uri: string): void {
    this.#looking.get(uri)?.cancel();
    this.#looking.delete(uri);
    this.#known.forget(uri);
  }

  async stop(): Promise<void> {
    for (const cell of this.#looking.values()) cell.cancel();
    await this.#queue.stop();
  }

  /** How far a run is; undefined where none is under way. */
  progressOf(uri: string, experiment: string): string | undefined {
    const job = this.#queue.find(uri, experiment);
    return job && (job.words ?? (job.state === 'running' ? 'begins' : 'queued'));
  }

  async #run(job: Job<RunMode>, report: (words: string, share: number) => void): Promise<void> {
    const { uri, name: experiment, cell, request } = job;
    const { slurm, analysisOf, separateThread, policy, tell, changed } = this.#environment;
    const analysis = await analysisOf(uri);
    if (analysis === undefined) return;
    const thread = (job.thread = separateThread());
    const { program, experiments } = analysis.checked;
    const order = {
      ...{ uri, experiment, form: request.form, checked: { program, experiments } },
      ...{ policy: policy(uri), cancelFlag: cell.buffer },
      ...(request.onSlurm && slurm !== undefined && { slurm: slurm.program }),
    };
    const key = (job.key = experimentKey(analysis, experiment));
    const failure = await thread.send({ kind: 'run-experiment', ...order }, ({ share, words }) => {
      report(words, share);
      tell(uri, experiment, words);
      changed(uri);
    });
    if (failure !== null) this.#known.of(uri, experiment).fault = { key, message: failure.message };
  }
}

/** What is to be done with a document that is no file on a disk. */
const whereItLies = (uri: string): string =>
  uri.startsWith('untitled:')
    ? '. Save the file first.'
    : ', which needs a file on a disk. Open the folder in a desktop editor, or run `placewright experiment` there.';

const isThere = (slurm: RunEnvironment['slurm']): boolean => slurm?.isThere() === true;

/** Other editors may send whatever they like. */
const isFile = (uri: unknown): boolean => typeof uri === 'string' && uri.startsWith('file:');

/** What was found of an experiment, as far as it holds for the text of this key. */
function experimentState(known: Known['described'], key: string): ExperimentStanding {
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

/** The same for two texts only where an experiment and all that it names are the same. */
function experimentKey({ checked }: Pick<Analysis, 'checked'>, name: string): string {
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
