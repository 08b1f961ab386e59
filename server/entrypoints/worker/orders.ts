/**
 * What a thread beside that of the connection does: it takes one order after the other. Reports, pictures and simulations are made
 * in Node and in a browser alike; what is kept beside files is only there where the thread's program gives it along.
 */
import type { NewsOf, NumberedOrder, OrderAnswers, OrderKind, WorkerMessage } from '../workerMessages.ts';
import { cancellationOf } from '../cancelCell.ts';
import { FileMemory } from '../evaluation.ts';
import { MachineReader } from '../machines.ts';
import { JobReader } from '../traffic.ts';
import { losesInThread } from './lossRunner.ts';
import { compareInThread, Previews } from './mapperRunner.ts';
import { importAnswers, reportAnswers, showMachine } from './reader.ts';
import { collectGarbage, ReportReceiver } from './reportChannel.ts';
import { SimulationRunner, type SimulationStore } from './simulationRunner.ts';
import { StudyRunner } from './studyRunner.ts';

/** Answers about experiments: their results lie beside files. */
type ExperimentAnswers = Pick<OrderAnswers, 'describe-experiments' | 'run-experiment' | 'experiment-figure'>;

/** The thread that the orders come to. */
export interface OrderedThread {
  readonly post: (message: WorkerMessage) => void;
  readonly listen: (take: (order: NumberedOrder) => void) => void;
  /** Absent where there is no disk. */
  readonly experiments?: (memory: FileMemory) => ExperimentAnswers;
  readonly simulations?: SimulationStore;
}

/**
 * Milliseconds from the last closed document to a collection of garbage. An editor closes a document whenever it shows
 * another one in its place, and the study of that one must not wait for the collection.
 */
const collectAfter = 1000;

/** Takes orders as long as the thread lives. */
export function takeOrders({ post, listen, experiments, simulations: store }: OrderedThread): void {
  const memory = new FileMemory();
  const studyRunner = new StudyRunner(memory);
  const receiver = new ReportReceiver();
  const machines = new MachineReader(memory);
  const jobs = new JobReader(memory);
  const previews = new Previews(memory);
  const simulations = new SimulationRunner(store, memory);
  let collecting: ReturnType<typeof setTimeout> | undefined;

  const answers: OrderAnswers = {
    ...reportAnswers(receiver),
    ...importAnswers,
    ...(experiments?.(memory) ?? withoutDisk),
    study: (order, tell) => studyRunner.study(order, tell),
    reader: ({ port }) => {
      studyRunner.sender.connect(port);
      return null;
    },
    source: ({ port }) => {
      receiver.connect(port);
      return null;
    },
    machine: (order) => showMachine(machines, order),
    'job-traffic': ({ declaration, question, policy, cancelFlag }) =>
      jobs.traffic(declaration, question, policy, cancellationOf(cancelFlag)),
    simulate: (order, tell) => simulations.simulate(order, tell),
    'simulation-figure': (order) => simulations.figure(order),
    'compare-mappers': compareInThread,
    preview: (order) => previews.preview(order),
    'check-seed': (order) => previews.checkSeed(order),
    'cable-losses': losesInThread,
    forget: ({ uri }) => {
      studyRunner.forget(uri);
      receiver.forget(uri);
      memory.need(`experiments ${uri}`, []);
      clearTimeout(collecting);
      collecting = setTimeout(collectGarbage, collectAfter);
      return null;
    },
  };

  let last: Promise<void> = Promise.resolve();
  listen(({ id, order }) => {
    const tell = (news: NewsOf<OrderKind>): void => {
      post({ kind: 'news', id, news });
    };
    last = last.then(async () => {
      try {
        post({ kind: 'answer', id, answer: await answers[order.kind](order as never, tell) });
      } catch (error) {
        post({ kind: 'fault', id, message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      }
    });
  });
}

/** Where nothing can be kept, there are no experiments. */
const withoutDisk: ExperimentAnswers = {
  'describe-experiments': () => [],
  'run-experiment': () => null,
  'experiment-figure': () => ({
    kind: 'nothing',
    reason: 'Results of experiments need a file on a disk. Open the folder in a desktop editor.',
  }),
};
