/** Replications of an experiment on all threads of the machine, or where else a pool does them. */
import { availableParallelism } from 'node:os';
import type { ExperimentInputs } from '../../experiments/inputs.ts';
import { prepareExperiment, type PreparedExperiment } from '../../experiments/prepare.ts';
import {
  doReplication,
  runExperiment,
  type ExperimentProgress,
  type ExperimentResult,
  type FinishedReplication,
  type ReplicationPool,
  type ReplicationTask,
} from '../../experiments/run.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { FormName } from '../../model/experiment.ts';
import { programs } from '../programs.ts';
import { serveQueue, WorkQueue, type Workload } from '../threads/workQueue.ts';
import type { JournalFile } from './journalFile.ts';

type ReplicationWorkload<Inputs> = Workload<Inputs, ReplicationTask, FinishedReplication | undefined>;

/** Replications of one kind of experiment; the outcome is undefined where it was stopped. */
export const replicationWorkload = <Inputs>(
  name: string,
  prepare: (inputs: Inputs) => Pick<PreparedExperiment, 'plan' | 'replicate' | 'findSpeed'>,
): ReplicationWorkload<Inputs> => ({
  name,
  prepare: (inputs) => {
    let ready: ReturnType<typeof prepare> | undefined;
    return (task, stop) => {
      ready ??= prepare(inputs);
      return doReplication(ready.plan, ready, task, stop);
    };
  },
});

/** Of experiments that another thread has prepared, so that nothing of it can fail. */
const experimentWorkload = replicationWorkload<ExperimentInputs>('experiment', (inputs) => {
  const prepared = prepareExperiment(inputs, { isTried: true });
  if (!prepared.ok) throw new Error(prepared.failure.message);
  return prepared.value;
});

/** What a thread does that helps with replications: the entry of its program calls it. */
export const serveReplications = (): void => {
  serveQueue([experimentWorkload]);
};

/** The pool that an experiment is given, and how it is let go. */
export function replicationsOnThreads<Inputs>(
  queue: WorkQueue,
  workload: ReplicationWorkload<Inputs>,
  inputs: Inputs,
): ReplicationPool & { close(): void } {
  const session = queue.open(workload, inputs);
  return {
    run: (tasks, stop, finished) => {
      session.run(tasks, {
        stop,
        finished: (_, outcome) => {
          const done = outcome as FinishedReplication | undefined;
          if (done !== undefined) finished(done);
        },
      });
    },
    close: () => {
      session.close();
    },
  };
}

const queues = new Map<number, WorkQueue>();

function queueOf(threads: number): WorkQueue {
  const queue = queues.get(threads) ?? new WorkQueue(programs.replications, threads - 1);
  queues.set(threads, queue);
  return queue;
}

export interface RunSettings {
  /** As many as the machine runs at a time where it is left out. */
  readonly threads?: number;
  /** Does replications in the place of this machine's threads. */
  readonly pool?: ReplicationPool;
  /** Keeps what is done; nothing is kept where it is left out. */
  readonly journal?: JournalFile;
  /** Done before. */
  readonly known?: readonly FinishedReplication[];
  readonly cancellation: Cancellation;
  readonly progress: (progress: ExperimentProgress) => void;
}

/** Runs what is not known yet; `prepared` is what has been made of the inputs. Ends early, with what there is, once cancelled. */
export function runOnThreads(
  inputs: ExperimentInputs,
  { plan }: PreparedExperiment,
  { threads = availableParallelism(), pool, journal, known = [], cancellation, progress }: RunSettings,
): ExperimentResult {
  const chosen =
    pool === undefined
      ? replicationsOnThreads(queueOf(threads), experimentWorkload, inputs)
      : { ...pool, close: () => undefined };
  try {
    return runExperiment(plan, chosen, {
      ...{ cancellation, known, progress },
      now: () => performance.now(),
      record: (done) => {
        journal?.add(done);
      },
    });
  } finally {
    chosen.close();
    journal?.close();
  }
}

/** What the command line says of a form: nothing of the whole. */
export const wordsOfForm = (form: FormName | undefined): readonly string[] => (form === undefined ? [] : [`--${form}`]);
