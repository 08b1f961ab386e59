import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { endless, failing, helpersThat, inputsWith, squares, waitForHelpers } from './testing/workloads.ts';
import { WorkQueue } from './workQueue.ts';

const program = new URL('testing/helpers.ts', import.meta.url);
const items = Array.from({ length: 8 }, (_, item) => item);
const alone = items.map((item) => item * item + 5);

describe('a queue of work', () => {
  const made: WorkQueue[] = [];
  const queueOf = (threads: number, path: URL | undefined = program): WorkQueue => {
    const queue = new WorkQueue(path, threads - 1);
    made.push(queue);
    return queue;
  };
  afterEach(async () => {
    await Promise.all(made.splice(0).map((queue) => queue.stop()));
  });

  const behaviours = Object.keys(helpersThat) as (keyof typeof helpersThat)[];
  const cases = behaviours.flatMap((behaviour) => [1, 2, 3].map((threads) => ({ behaviour, threads })));
  it.each(cases)('gives the same with $threads threads that $behaviour, time and again', ({ behaviour, threads }) => {
    const queue = queueOf(threads);
    for (let round = 0; round < 2; round++) {
      const inputs = inputsWith(5);
      const session = queue.open(squares(behaviour), inputs);
      const hasHelpers = threads > 1 && (round === 0 || !behaviour.includes('exit'));
      const meanwhile = (): void => {
        if (hasHelpers) waitForHelpers(inputs);
      };
      expect(session.run(items, { stop: neverCancelled, meanwhile })).toEqual(alone);
      expect(session.run(items.slice(0, 1), { stop: neverCancelled })).toEqual(alone.slice(0, 1));
      expect(session.run([], { stop: neverCancelled })).toEqual([]);
      session.close();
    }
  });

  it('starts threads again that have ended', async () => {
    const queue = queueOf(2);
    const run = (name: string): void => {
      const inputs = inputsWith(5);
      const meanwhile = (): void => {
        waitForHelpers(inputs);
      };
      expect(queue.open(squares(name), inputs).run(items, { stop: neverCancelled, meanwhile })).toEqual(alone);
    };
    run('exit');
    await expect.poll(() => queue.running, { timeout: 20_000, interval: 5 }).toBe(0);
    run('help');
  });

  it.each([
    { what: 'a program that is not there', queue: () => queueOf(2, new URL('none.ts', import.meta.url)) },
    { what: 'no program', queue: () => new WorkQueue(undefined, 3) },
    { what: 'helpers that do not know the work', queue: () => queueOf(2), name: 'unknown' },
  ])('is done by the calling thread with $what', ({ queue, name = 'help' }) => {
    const session = queue().open(squares(name), inputsWith(5));
    expect(session.run(items, { stop: neverCancelled })).toEqual(alone);
  });

  it('counts its threads with the calling one', () => {
    expect([queueOf(1).threads, queueOf(3).threads, new WorkQueue(undefined, 3).threads]).toEqual([1, 3, 1]);
  });

  it.each([1, 2, 3])('throws with %i threads what the first item that fails throws', (threads) => {
    const session = queueOf(threads).open(failing, inputsWith(5));
    expect(() => session.run([0, 1, 5, 3, 4], { stop: neverCancelled })).toThrow('Item 5 cannot be done.');
    expect(session.run([2, 1], { stop: neverCancelled })).toEqual([9, 6]);
  });

  it.each([1, 2, 3])('ends all items with %i threads when it is stopped', (threads) => {
    const queue = queueOf(threads);
    let looks = 0;
    const stop = { isCancelled: () => looks++ > 100_000 };
    const outcomes = queue.open(endless, inputsWith(5)).run(items, { stop });
    expect(outcomes).toEqual(items.map(() => 'stopped'));
    // The others are free again.
    const inputs = inputsWith(5);
    const meanwhile = (): void => {
      if (threads > 1) waitForHelpers(inputs);
    };
    expect(queue.open(squares('help'), inputs).run(items, { stop: neverCancelled, meanwhile })).toEqual(alone);
  });

  it.each([1, 2, 3])('tells with %i threads of each outcome once', (threads) => {
    const inputs = inputsWith(5);
    const told = new Map<number, unknown>();
    const queue = queueOf(threads);
    const session = queue.open(squares('help'), inputs);
    const outcomes = session.run(items, {
      stop: neverCancelled,
      meanwhile: () => {
        if (threads > 1) waitForHelpers(inputs);
      },
      finished: (position, outcome) => {
        expect(told.has(position)).toBe(false);
        told.set(position, outcome);
      },
    });
    expect(items.map((position) => told.get(position))).toEqual(outcomes);
    expect(outcomes).toEqual(alone);
  });

  it('runs one within another', () => {
    const queue = queueOf(2);
    const [outer, inner] = [inputsWith(5), inputsWith(7)];
    let found: readonly number[] = [];
    const meanwhile = (): void => {
      waitForHelpers(outer);
      found = queue.open(squares('help'), inner).run(items, { stop: neverCancelled });
    };
    expect(queue.open(squares('help'), outer).run(items, { stop: neverCancelled, meanwhile })).toEqual(alone);
    expect(found).toEqual(alone.map((value) => value + 2));
  });

  it('calls nobody before the calling thread has worked alone for a while, and tells how far it is', () => {
    const inputs = inputsWith(5);
    const shares: number[] = [];
    const session = queueOf(3).open(squares('help'), inputs);
    session.run(items, { stop: neverCancelled, aloneFor: Infinity, progress: (share) => shares.push(share) });
    expect(Atomics.load(inputs.begun, 0)).toBe(0);
    expect(shares).toEqual(items.map((item) => (item + 1) / items.length));
  });

  it('has no thread after it was stopped', async () => {
    const queue = queueOf(3);
    const inputs = inputsWith(5);
    const meanwhile = (): void => {
      waitForHelpers(inputs);
    };
    queue.open(squares('help'), inputs).run(items, { stop: neverCancelled, meanwhile });
    expect(queue.running).toBe(2);
    await queue.stop();
    expect(queue.running).toBe(0);
  });

  it('does not keep a process alive that has nothing more to do', () => {
    const path = fileURLToPath(new URL('testing/program.ts', import.meta.url));
    expect(execFileSync(process.execPath, [path], { encoding: 'utf8', timeout: 60_000 })).toBe('2 5 10 17');
  });
});
