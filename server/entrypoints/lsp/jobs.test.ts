import { describe, expect, it } from 'vitest';
import { JobQueue, Records } from './jobs.ts';

const uri = 'file:///a.place';

/** A queue whose jobs end when they are told to, and what happened to its jobs. */
function start(atOnce = 1, canInterrupt = true) {
  const events: string[] = [];
  const ends = new Map<string, (fault?: Error) => void>();
  const queue = new JobQueue<undefined>(
    {
      run: ({ name }) => {
        events.push(`${name} runs`);
        return new Promise((resolve, reject) => {
          ends.set(name, (fault) => {
            if (fault === undefined) resolve();
            else reject(fault);
          });
        });
      },
      ...(canInterrupt && { interrupt: ({ name }) => events.push(`${name} is interrupted`) }),
      failed: ({ name }, why) => events.push(`${name} failed: ${why}`),
      ended: ({ name }) => events.push(`${name} ended`),
    },
    atOnce,
  );
  const add = (...names: readonly string[]): void => {
    for (const name of names) queue.add(uri, name, undefined);
  };
  const end = async (name: string, fault?: Error): Promise<void> => {
    ends.get(name)?.(fault);
    await new Promise((done) => setTimeout(done));
  };
  return { queue, events, add, end };
}

describe('a queue of jobs', () => {
  it('runs one after the other, those that fail too', async () => {
    const { events, add, end } = start();
    add('a', 'b', 'c');
    await end('a');
    await end('b', new Error('no paper'));
    expect(events).toEqual(['a runs', 'a ended', 'b runs', 'b failed: no paper', 'b ended', 'c runs']);
  });

  it('runs several at once if it may', () => {
    const { events, add } = start(2);
    add('a', 'b', 'c');
    expect(events).toEqual(['a runs', 'b runs']);
  });

  it('removes a job that waits, and counts an interrupted one as ended at once', async () => {
    const { queue, events, add, end } = start();
    add('a', 'b', 'c');
    queue.cancel(queue.find(uri, 'b'));
    queue.cancel(queue.find(uri, 'a'));
    expect(queue.find(uri, 'a')).toBeUndefined();
    // Its thread was ended, which is no failure.
    await end('a', new Error('it was stopped'));
    expect(events).toEqual(['a runs', 'a is interrupted', 'a ended', 'c runs']);
  });

  it('counts a job that ends by its cell as running until then', () => {
    const { queue, add } = start(1, false);
    add('a');
    const job = queue.find(uri, 'a');
    queue.cancel(job);
    expect(queue.find(uri, 'a')).toBe(job);
    expect(new Int32Array(job!.cell.buffer)[0]).not.toBe(0);
  });

  it('holds jobs until their document is studied', () => {
    const { queue, events } = start();
    queue.add(uri, 'a', undefined, 'held');
    queue.add('file:///b.place', 'b', undefined, 'held');
    expect(queue.release(uri).map(({ name }) => name)).toEqual(['a']);
    expect(queue.release(uri)).toEqual([]);
    expect(events).toEqual([]);
  });

  it('runs nothing once it is stopped', async () => {
    const { queue, events, add, end } = start();
    add('a', 'b');
    await queue.stop();
    add('c');
    await end('a');
    expect(events).toEqual(['a runs', 'a is interrupted', 'a ended']);
  });
});

it('records are created when they are first needed, and go with their document', () => {
  const records = new Records((_, name) => [name]);
  expect(records.find(uri, 'a')).toBeUndefined();
  expect(records.of(uri, 'a')).toBe(records.of(uri, 'a'));
  expect(records.ofDocument(uri)).toEqual([['a']]);
  records.forget(uri);
  expect(records.ofDocument(uri)).toEqual([]);
});
