import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { experimentToCsv, experimentToJson } from '../../experiments/results.ts';
import { runExperiment, type ExperimentResult, type FinishedReplication } from '../../experiments/run.ts';
import { poolOfOneThread } from '../../experiments/testing/pool.ts';
import { planOf, queue as queueOfCustomers, environment } from '../../experiments/testing/queues.ts';
import { readProgram } from '../cli/program.ts';
import type { FileMemory } from '../evaluation.ts';
import { readStandardInput } from '../cli/terminal.ts';
import { readExperiment } from './reading.ts';
import { replicationsOnThreads } from './running.ts';
import { endlessQueues, queues } from '../threads/testing/replications.ts';
import { WorkQueue } from '../threads/workQueue.ts';

const plan = planOf({ allocators: ['plain', 'slow', 'broken'], quoted: [] });
const answerOf = (result: ExperimentResult): string =>
  `${JSON.stringify(experimentToJson(result))}\n${experimentToCsv(result)}`;
const alone = answerOf(runExperiment(plan, poolOfOneThread(plan, queueOfCustomers), environment));

describe('replications on several threads', () => {
  const made: WorkQueue[] = [];
  const queueOf = (threads: number): WorkQueue => {
    const queue = new WorkQueue(new URL('../threads/testing/replicationHelpers.ts', import.meta.url), threads - 1);
    made.push(queue);
    return queue;
  };
  afterEach(async () => {
    await Promise.all(made.splice(0).map((queue) => queue.stop()));
  });

  it.each([1, 2, 3])('give the same bytes with %i, each told of once', (threads) => {
    const pool = replicationsOnThreads(queueOf(threads), queues, plan);
    for (let round = 0; round < 2; round++) {
      const recorded: string[] = [];
      const record = ({ point, seed }: FinishedReplication): void => void recorded.push(`${point} ${seed}`);
      expect(answerOf(runExperiment(plan, pool, { ...environment, record }))).toBe(alone);
      expect(new Set(recorded).size).toBe(recorded.length);
    }
    pool.close();
  });

  it.each([1, 3])('that do not end by themselves are cancelled with %i, and nothing of them is kept', (threads) => {
    const begun = new Int32Array(new SharedArrayBuffer(4));
    const pool = replicationsOnThreads(queueOf(threads), endlessQueues, { plan, begun });
    // Cancelled when as many have begun as there are threads; those that never come end the test all the same.
    const end = Date.now() + 60_000;
    const cancellation = { isCancelled: () => Atomics.load(begun, 0) >= threads || Date.now() > end };
    const stopped = runExperiment(plan, pool, {
      ...environment,
      cancellation,
      record: () => expect.unreachable(),
    });
    expect(stopped.complete).toBe(false);
    expect(stopped.points.every(({ replications }) => replications.length === 0)).toBe(true);
    // No thread begins another one only to see that nobody wants it.
    expect(Atomics.load(begun, 0)).toBe(threads);
    pool.close();
  });
});

describe('experiments of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'placewright-log-'));
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('that share a log read it once', async () => {
    const experiments = ['a', 'b', 'c'].map(
      (name) => `experiment ${name} { stream s machine m allocate rbs replications 1 }`,
    );
    const path = join(folder, 'a.place');
    const log = join(folder, 'jobs.swf');
    writeFileSync(log, `1 0 0 25 2${' -1'.repeat(13)}\n`);
    writeFileSync(path, `machine m { topology mesh 4 x 4 }\nstream s { log "jobs.swf" }\n${experiments.join('\n')}\n`);
    const program = await readProgram(path, { read: readStandardInput });
    if ('failure' in program) throw new Error(program.failure.message);
    const read = (name: string, memory?: FileMemory) =>
      readExperiment(program.checked, name, program.policy, { memory });
    const first = await read('a', program.memory);
    expect(first.ok && first.value.log?.jobCount).toBe(1);
    rmSync(log);
    const second = await read('b', program.memory);
    expect(second.ok && first.ok && second.value.log === first.value.log).toBe(true);
    expect((await read('c')).ok).toBe(false);
  });
});
