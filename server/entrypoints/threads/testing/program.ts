/** A program that has its helpers at work and then has nothing more to do: it must end. */
import { waitForHelpers, inputsWith, squares } from './workloads.ts';
import { WorkQueue } from '../workQueue.ts';

const inputs = inputsWith(1);
const queue = new WorkQueue(new URL('helpers.ts', import.meta.url), 2);
const outcomes = queue.open(squares('do not end before they are stopped'), inputs).run([1, 2, 3, 4], {
  stop: { isCancelled: () => false },
  meanwhile: () => {
    waitForHelpers(inputs);
  },
});
process.stdout.write(outcomes.join(' '));
