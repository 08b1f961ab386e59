import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WorkerHandle } from './workerHandle.ts';

const brittle = new URL('./testing/brittleWorker.ts', import.meta.url);

describe('the handle of the computing thread', () => {
  let reported: string[];
  let worker: WorkerHandle;
  let started: number;
  beforeEach(() => {
    reported = [];
    started = 0;
    const events = {
      report: (message: string) => void reported.push(message),
      started: () => {
        started++;
      },
    };
    worker = new WorkerHandle(brittle, events, 32);
  });
  afterEach(async () => {
    await worker.stop();
  });

  const send = (uri: string) => worker.send({ kind: 'forget', uri });

  it('answers orders', async () => {
    expect(await Promise.all([send('a'), send('b')])).toEqual([null, null]);
    expect(reported).toEqual([]);
  });

  it('fails one order where the worker had a fault, and asks the same worker again', async () => {
    await expect(send('fault')).rejects.toThrow('mistaken');
    expect(await send('a')).toBeNull();
    expect(reported).toEqual([]);
  });

  it.each([
    { how: 'end', says: 'code 7' },
    { how: 'throw', says: 'out of paper' },
    { how: 'hoard', says: 'out of memory in one thread' },
  ])(
    'fails open orders where the worker is lost ($how), says so once, and starts another at once',
    async ({ how, says }) => {
      await send('a');
      const lost = [send(how), send('a')];
      const outcomes = await Promise.allSettled(lost);
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(reported).toHaveLength(1);
      expect(reported[0]).toContain(says);
      expect(started).toBe(2);
      expect(outcomes[0]).toMatchObject({ reason: { message: expect.stringContaining(says) as string } });
      expect(await send('a')).toBeNull();
    },
  );

  it('does not start again by itself what died before it answered anything', async () => {
    await expect(send('end')).rejects.toThrow('code 7');
    expect(started).toBe(1);
    expect(await send('a')).toBeNull();
    expect(started).toBe(2);
  });

  it('fails open orders where the worker cannot even be started', async () => {
    const missing = new WorkerHandle(new URL('./testing/none.ts', import.meta.url), {
      report: (message) => void reported.push(message),
    });
    await expect(missing.send({ kind: 'forget', uri: 'a' })).rejects.toThrow();
    expect(reported).toHaveLength(1);
  });
});
