/**
 * A thread beside the language server. It takes one order after the other. The server starts several of it: one
 * computes, and only the shared flag of a study reaches it meanwhile; one reads what was computed; one reads
 * the file of a network or runs an experiment, and ends; one simulates what figures of experiments show; one draws machines; one for each placement that is simulated keeps what came of it; one tries
 * mappers, and one shows what they came to.
 */
import { MessagePort, parentPort, workerData } from 'node:worker_threads';
import { serveReplications } from './experiments/running.ts';
import { nodePlatform } from './node.ts';
import { installPlatform } from './platform.ts';
import { programs } from './programs.ts';
import { describeExperiments, runKeptExperiment } from './worker/experimentRunner.ts';
import { FigureReader } from './worker/figureReader.ts';
import { keepSimulation, keptSimulation } from './worker/keptSimulations.ts';
import { takeOrders } from './worker/orders.ts';

installPlatform(nodePlatform);
programs.helper = new URL('helper.js', import.meta.url);
programs.replications = new URL(import.meta.url);

// A thread that helps with replications has a port for what it answers.
if (workerData instanceof MessagePort) serveReplications();
else serveOrders();

function serveOrders(): void {
  const port = parentPort;
  if (port === null) throw new Error('worker.js is started by server.js, in a thread of its own.');
  takeOrders({
    post: (message) => {
      port.postMessage(message);
    },
    listen: (take) => {
      port.on('message', take);
    },
    experiments: (memory) => {
      const figures = new FigureReader(memory);
      return {
        'describe-experiments': (order) => describeExperiments(order, memory),
        'run-experiment': runKeptExperiment,
        'experiment-figure': (order, tell) => figures.draw(order, tell),
      };
    },
    simulations: { keep: keepSimulation, find: keptSimulation },
  });
}
