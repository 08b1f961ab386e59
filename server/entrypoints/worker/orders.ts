/**
 * What a thread beside the answering one does: it takes one order after the other. Reports, pictures and simulations are made in
 * Node and in a browser alike; what is kept beside files is only there where the thread's program gives it along.
 */
import type {
  AnswerOf,
  CheckSeedOrder,
  CompareMappersOrder,
  DescribeExperimentsOrder,
  ExperimentDescribed,
  ExperimentFigureOrder,
  ExperimentNews,
  ExplainOrder,
  ExportOrder,
  ImprovedOrder,
  LendReportOrder,
  NumberedOrder,
  PlacementOrder,
  SceneOrder,
  PreviewOrder,
  ReaderOrder,
  RunExperimentOrder,
  SimulationFigureOrder,
  SourceOrder,
  TrafficOrder,
  WorkerMessage,
  WorkerOrder,
} from '../workerMessages.ts';
import { cancellationOf } from '../cancelCell.ts';
import { FileMemory } from '../evaluation.ts';
import { MachineReader } from '../machines.ts';
import { JobReader } from '../traffic.ts';
import { losesInThread } from './lossRunner.ts';
import { compareInThread, Previews } from './mapperRunner.ts';
import { describeFabric, describeTable, Reader, showMachine } from './reader.ts';
import { collectGarbage } from './reportChannel.ts';
import { SimulationRunner, type SimulationStore } from './simulationRunner.ts';
import { StudyRunner } from './studyRunner.ts';

/** What is done of experiments: their results lie beside files. */
interface ExperimentOrders {
  readonly describe: (order: DescribeExperimentsOrder, memory: FileMemory) => Promise<readonly ExperimentDescribed[]>;
  readonly run: (
    order: RunExperimentOrder,
    tell: (news: ExperimentNews) => void,
  ) => Promise<AnswerOf['run-experiment']>;
  readonly draw: (
    order: ExperimentFigureOrder,
    tell: (news: ExperimentNews) => void,
    memory: FileMemory,
  ) => Promise<AnswerOf['experiment-figure']>;
}

/** The thread that the orders come to. */
export interface OrderedThread {
  readonly post: (message: WorkerMessage) => void;
  readonly listen: (take: (order: NumberedOrder) => void) => void;
  /** Absent where there is no disk. */
  readonly experiments?: ExperimentOrders;
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
  const reader = new Reader();
  const machines = new MachineReader(memory);
  const jobs = new JobReader(memory);
  const previews = new Previews(memory);
  const simulations = new SimulationRunner(store, memory);
  let collecting: ReturnType<typeof setTimeout> | undefined;

  function read(order: ReadingOrder): AnswerOf[typeof order.kind] {
    switch (order.kind) {
      case 'scene':
        return reader.scene(order);
      case 'picture':
        return reader.picture(order);
      case 'export':
        return reader.export(order);
      case 'explain':
        return reader.explain(order);
      case 'traffic':
        return reader.traffic(order);
      case 'improved':
        return reader.improved(order);
      case 'lend-report':
        return reader.lend(order);
      case 'simulation-figure':
        return simulations.figure(order);
      case 'reader':
        studyRunner.sender.connect(order.port);
        return null;
      case 'source':
        reader.receiver.connect(order.port);
        return null;
    }
  }

  async function takeExperiment(id: number, order: ExperimentOrder): Promise<AnswerOf[typeof order.kind]> {
    const tell = (news: ExperimentNews): void => {
      post({ kind: 'news', id, news });
    };
    switch (order.kind) {
      case 'experiment-figure':
        return experiments?.draw(order, tell, memory) ?? { kind: 'nothing', reason: noExperiments };
      case 'describe-experiments':
        return experiments?.describe(order, memory) ?? [];
      case 'run-experiment':
        return experiments?.run(order, tell) ?? null;
    }
  }

  async function takeMappers(id: number, order: MapperOrder): Promise<AnswerOf[typeof order.kind]> {
    switch (order.kind) {
      case 'compare-mappers':
        return compareInThread(order, (news) => {
          post({ kind: 'news', id, news });
        });
      case 'preview':
        return previews.preview(order);
      case 'check-seed':
        return previews.checkSeed(order);
    }
  }

  async function take(id: number, order: WorkerOrder): Promise<AnswerOf[WorkerOrder['kind']]> {
    if (isReading(order)) return read(order);
    if (isOfExperiments(order)) return takeExperiment(id, order);
    switch (order.kind) {
      case 'study':
        return studyRunner.study(order, (news) => {
          post({ kind: 'news', id, news });
        });
      case 'describe-fabric':
        return describeFabric(order);
      case 'describe-table':
        return describeTable(order);
      case 'machine':
        return showMachine(machines, order);
      case 'job-traffic':
        return jobs.traffic(order.declaration, order.question, order.policy, cancellationOf(order.cancelFlag));
      case 'simulate':
        return simulations.simulate(order, (news) => {
          post({ kind: 'news', id, news });
        });
      case 'compare-mappers':
      case 'preview':
      case 'check-seed':
        return takeMappers(id, order);
      case 'cable-losses':
        return losesInThread(order, (news) => {
          post({ kind: 'news', id, news });
        });
      case 'forget':
        studyRunner.forget(order.uri);
        reader.receiver.forget(order.uri);
        memory.need(`experiments ${order.uri}`, []);
        clearTimeout(collecting);
        collecting = setTimeout(collectGarbage, collectAfter);
        return null;
    }
  }

  let last: Promise<void> = Promise.resolve();
  listen(({ id, order }) => {
    last = last.then(async () => {
      try {
        post({ kind: 'answer', id, answer: await take(id, order) });
      } catch (error) {
        post({ kind: 'fault', id, message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      }
    });
  });
}

type MapperOrder = CompareMappersOrder | PreviewOrder | CheckSeedOrder;
type ExperimentOrder = ExperimentFigureOrder | DescribeExperimentsOrder | RunExperimentOrder;

/** What is answered without other orders in between. */
type ReadingOrder =
  | PlacementOrder
  | SceneOrder
  | ExportOrder
  | ExplainOrder
  | TrafficOrder
  | ImprovedOrder
  | LendReportOrder
  | ReaderOrder
  | SourceOrder
  | SimulationFigureOrder;

const readingKinds: ReadonlySet<WorkerOrder['kind']> = new Set<ReadingOrder['kind']>([
  ...([
    'scene',
    'picture',
    'export',
    'explain',
    'traffic',
    'improved',
    'lend-report',
    'reader',
    'source',
    'simulation-figure',
  ] as const),
]);

const isReading = (order: WorkerOrder): order is ReadingOrder => readingKinds.has(order.kind);

const experimentKinds: ReadonlySet<WorkerOrder['kind']> = new Set<ExperimentOrder['kind']>([
  'experiment-figure',
  'describe-experiments',
  'run-experiment',
]);

const isOfExperiments = (order: WorkerOrder): order is ExperimentOrder => experimentKinds.has(order.kind);

/** What is said of figures of experiments where nothing can be kept. */
const noExperiments =
  'Results of experiments are kept beside their file, which has to lie on a disk: open the folder in an editor on a computer.';
