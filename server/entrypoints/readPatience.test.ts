import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as Files from './files.ts';

/** What comes of the file, piece by piece; a disk that does not answer gives none. */
let pieces: ((length: number) => void)[] = [];

const slowDisk = async (original: () => Promise<unknown>) => ({
  ...((await original()) as object),
  statfs: () => Promise.resolve({ type: 0 }),
  open: () =>
    Promise.resolve({
      stat: () =>
        Promise.resolve({ isDirectory: () => false, isFile: () => true, size: 8, mtimeMs: 0, ctimeMs: 0, ino: 1 }),
      read: () =>
        new Promise((done) =>
          pieces.push((bytesRead) => {
            done({ bytesRead });
          }),
        ),
      close: () => Promise.resolve(),
    }),
});

/** The module, read anew with that disk below it: tests before this one have read it with the true one. */
let readBytes: typeof Files.readBytes;
beforeAll(async () => {
  vi.resetModules();
  vi.doMock('node:fs/promises', slowDisk);
  ({ readBytes } = await import('./files.ts'));
});
afterAll(() => {
  vi.doUnmock('node:fs/promises');
  vi.resetModules();
});

beforeEach(() => {
  pieces = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const seconds = (count: number): Promise<unknown> => vi.advanceTimersByTimeAsync(1000 * count);

/** What a read has come to by now. */
function reading(cancellation = { isCancelled: () => false }) {
  const outcome = { value: 'waits' };
  void readBytes('/slow/a.csv', {}, { limit: 100, cancellation }).then((result) => {
    outcome.value = result.ok
      ? `${result.value.bytes?.length} bytes`
      : `${result.failure.code}: ${result.failure.message}`;
  });
  return outcome;
}

describe('a read of a disk that does not answer', () => {
  const gaveUp = 'file-unreadable: /slow/a.csv cannot be read: no data for 20 seconds.';

  it('is given up after 20 seconds', async () => {
    const outcome = reading();
    await seconds(19.9);
    expect(outcome.value).toBe('waits');
    await seconds(0.3);
    expect(outcome.value).toBe(gaveUp);
  });

  it('goes on for as long as something comes now and then', async () => {
    const outcome = reading();
    for (let piece = 0; piece < 3; piece++) {
      await seconds(15);
      pieces[piece]?.(2);
    }
    await seconds(15);
    expect(outcome.value).toBe('waits');
    pieces[3]?.(0);
    await seconds(0);
    expect(outcome.value).toBe('6 bytes');
  });

  it('is given up after the last piece as after none', async () => {
    const outcome = reading();
    await seconds(15);
    pieces[0]?.(2);
    await seconds(19.9);
    expect(outcome.value).toBe('waits');
    await seconds(0.3);
    expect(outcome.value).toBe(gaveUp);
  });

  it('ends at once where nobody wants it any more', async () => {
    let isCancelled = false;
    const outcome = reading({ isCancelled: () => isCancelled });
    await seconds(1);
    isCancelled = true;
    await seconds(0.1);
    expect(outcome.value).toMatch(/^cancelled: /);
  });
});
