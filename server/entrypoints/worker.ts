/**
 * A thread beside the language server. It takes one order after the other. The server starts several of it: one
 * computes, and only the shared flag of a study reaches it meanwhile; one reads what was computed; one reads
 * the file of a network or runs an experiment, and ends; one simulates what figures of experiments show.
 */
import { MessagePort, parentPort, workerData } from 'node:worker_threads';
import { serveReplications } from './experiments.ts';
import { describeExperiments, runKeptExperiment } from './worker/experimentRunner.ts';
import { FigureReader } from './worker/figureReader.ts';
import { describeFabric, Reader } from './worker/reader.ts';
import { collectGarbage } from './worker/reportChannel.ts';
import { StudyRunner } from './worker/studyRunner.ts';
import type { AnswerOf, NumberedOrder, WorkerMessage, WorkerOrder } from './workerMessages.ts';

// A thread that helps with replications has a port for what it answers.
if (workerData instanceof MessagePort) serveReplications();
else takeOrders();

function takeOrders(): void {
  const port = parentPort;
  if (port === null) throw new Error('worker.cjs is started by server.cjs, in a thread of its own.');

  const post = (message: WorkerMessage): void => {
    port.postMessage(message);
  };
  const studyRunner = new StudyRunner();
  const reader = new Reader();
  const figures = new FigureReader();

  async function take(id: number, order: WorkerOrder): Promise<AnswerOf[WorkerOrder['kind']]> {
    switch (order.kind) {
      case 'study':
        return studyRunner.study(order, (news) => {
          post({ kind: 'news', id, news });
        });
      case 'reader':
        studyRunner.sender.connect(order.port);
        return null;
      case 'source':
        reader.receiver.connect(order.port);
        return null;
      case 'scene':
        return reader.scene(order);
      case 'picture':
        return reader.picture(order);
      case 'export':
        return reader.export(order);
      case 'explain':
        return reader.explain(order);
      case 'describe-fabric':
        return describeFabric(order);
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
