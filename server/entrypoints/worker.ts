/**
 * A thread beside the language server. It takes one order after the other. The server starts several of it: one
 * computes, and only the shared flag of a study reaches it meanwhile; one reads what was computed; one reads
 * the file of a network or runs an experiment, and ends; one simulates what figures of experiments show; one draws machines; one for each placement that is simulated keeps what came of it; one tries
 * mappers, and one shows what they came to.
 */
import { MessagePort, parentPort, workerData } from 'node:worker_threads';
import { serveReplications } from './experiments.ts';
import { MachineReader } from './machines.ts';
import { describeExperiments, runKeptExperiment } from './worker/experimentRunner.ts';
import { FigureReader } from './worker/figureReader.ts';
import { compareInThread, Previews } from './worker/mapperRunner.ts';
import { describeFabric, Reader, showMachine } from './worker/reader.ts';
import { collectGarbage } from './worker/reportChannel.ts';
import { programs } from './programs.ts';
import { SimulationRunner } from './worker/simulationRunner.ts';
import { StudyRunner } from './worker/studyRunner.ts';
import type {
  AnswerOf,
  ExplainOrder,
  ExportOrder,
  ImprovedOrder,
  LendReportOrder,
  NumberedOrder,
  PlacementOrder,
  ReaderOrder,
  SimulationFigureOrder,
  SourceOrder,
  WorkerMessage,
  WorkerOrder,
} from './workerMessages.ts';

programs.helper = new URL('helper.js', import.meta.url);
programs.replications = new URL(import.meta.url);

// A thread that helps with replications has a port for what it answers.
if (workerData instanceof MessagePort) serveReplications();
else takeOrders();

function takeOrders(): void {
  const port = parentPort;
  if (port === null) throw new Error('worker.js is started by server.js, in a thread of its own.');

  const post = (message: WorkerMessage): void => {
    port.postMessage(message);
  };
  const studyRunner = new StudyRunner();
  const reader = new Reader();
  const figures = new FigureReader();
  const machines = new MachineReader();
  const simulations = new SimulationRunner();
  const previews = new Previews();

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

  async function take(id: number, order: WorkerOrder): Promise<AnswerOf[WorkerOrder['kind']]> {
    if (isReading(order)) return read(order);
    switch (order.kind) {
      case 'study':
        return studyRunner.study(order, (news) => {
          post({ kind: 'news', id, news });
        });
      case 'describe-fabric':
        return describeFabric(order);
      case 'machine':
        return showMachine(machines, order);
      case 'experiment-figure':
        return figures.draw(order, (news) => {
          post({ kind: 'news', id, news });
        });
      case 'describe-experiments':
        return describeExperiments(order);
      case 'run-experiment':
        return runKeptExperiment(order, (news) => {
          post({ kind: 'news', id, news });
        });
      case 'simulate':
        return simulations.simulate(order, (news) => {
          post({ kind: 'news', id, news });
        });
      case 'compare-mappers':
        return compareInThread(order, (news) => {
          post({ kind: 'news', id, news });
        });
      case 'preview':
        return previews.preview(order);
      case 'check-seed':
        return previews.checkSeed(order);
      case 'forget':
        studyRunner.forget(order.uri);
        reader.receiver.forget(order.uri);
        collectGarbage();
        return null;
    }
  }

  let last: Promise<void> = Promise.resolve();
  port.on('message', ({ id, order }: NumberedOrder) => {
    last = last.then(async () => {
      try {
        post({ kind: 'answer', id, answer: await take(id, order) });
      } catch (error) {
        post({ kind: 'fault', id, message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      }
    });
  });
}

/** What is answered without other orders in between. */
type ReadingOrder =
  | PlacementOrder
  | ExportOrder
  | ExplainOrder
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
    'improved',
    'lend-report',
    'reader',
    'source',
    'simulation-figure',
  ] as const),
]);

const isReading = (order: WorkerOrder): order is ReadingOrder => readingKinds.has(order.kind);
