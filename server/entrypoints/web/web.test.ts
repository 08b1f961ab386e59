/** What a browser does in another way than Node, without a browser; e2e/web.test.ts is with one. */
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileQuestion } from '../../protocol/messages.ts';
import type { Port, Threads } from '../platform.ts';
import type { NumberedOrder } from '../workerMessages.ts';
import { filesOfEditor, webEnvironment, type AskEditor } from './files.ts';
import { webThreads, type FromThread, type ToThread } from './threads.ts';

const uri = 'memory:/project/traffic.csv';

describe('files of an editor in a browser', () => {
  const asked: FileQuestion[] = [];
  const filesThat = (answer: unknown) =>
    filesOfEditor(((question: FileQuestion) => {
      asked.push(question);
      return Promise.resolve(answer);
    }) as unknown as AskEditor);
  beforeEach(() => {
    asked.length = 0;
  });

  it.each([
    [{ kind: 'missing' }, 'file-not-found', 'File /project/traffic.csv not found.'],
    [{ kind: 'folder' }, 'not-a-file', '/project/traffic.csv is a folder. Expected a file.'],
    [
      { kind: 'too-large', size: 3 * 2 ** 20 },
      'file-too-large',
      '/project/traffic.csv has 3.0 MiB. The maximum is 2 MiB.',
    ],
    [
      { kind: 'unreadable', reason: 'no network' },
      'file-unreadable',
      '/project/traffic.csv cannot be read: no network.',
    ],
  ])('say why they cannot be read: %j', async (answer, code, message) => {
    const read = await filesThat(answer).readBytes(uri, {}, { limit: 2 ** 21 });
    expect(read).toEqual({ ok: false, failure: { code, message } });
  });

  it('are not asked for what the editor has open, nor for what lies outside of folders that are not trusted', async () => {
    const files = filesThat({ kind: 'content', stamp: '1:3', bytes: new Uint8Array(3) });
    const openTexts = new Map([[uri, '0,1']]);
    expect(await files.readBytes(uri, { openTexts }, { limit: 9 })).toMatchObject({ value: { stamp: undefined } });
    for (const root of ['memory:/other', 'memory:/wor', 'file:/work']) {
      const refused = await files.readBytes(uri, { allowedRoots: [root] }, { limit: 9 });
      expect(refused).toMatchObject({ failure: { code: 'outside-workspace' } });
    }
    expect(asked).toEqual([]);
    const read = await files.readBytes(uri, { allowedRoots: ['memory:/project/'] }, { limit: 9, unlessStamp: '0:3' });
    expect(read).toMatchObject({ value: { stamp: '1:3' } });
    expect(asked).toEqual([{ kind: 'read', uri, limit: 9, unlessStamp: '0:3' }]);
  });
});

describe('what gzip has packed', () => {
  const packed = gzipSync('jobs '.repeat(1000));
  it.each([
    ['whole', packed, 5000, { ok: true }],
    ['too large', packed, 4999, { failure: { message: expect.stringContaining('the maximum size') as string } }],
    ['cut off', packed.subarray(0, 20), 5000, { failure: { message: expect.stringContaining('damaged') as string } }],
  ])('is unpacked in a browser as on Node: %s', async (_, bytes, most, wanted) => {
    const unpacked = await webEnvironment.gunzip(bytes, most);
    expect(unpacked).toMatchObject(wanted);
    if (unpacked.ok) expect(new TextDecoder().decode(unpacked.value)).toBe('jobs '.repeat(1000));
  });
});

/** A worker that keeps what it is told. */
class FakeWorker {
  static readonly started: FakeWorker[] = [];
  readonly told: ToThread[] = [];
  isEnded = false;
  onmessage: ((event: { readonly data: FromThread }) => void) | null = null;
  onerror: ((event: { readonly message?: string }) => void) | null = null;

  constructor() {
    FakeWorker.started.push(this);
  }

  postMessage(message: ToThread): void {
    this.told.push(message);
  }

  says(data: FromThread): void {
    this.onmessage?.({ data });
  }

  terminate(): void {
    this.isEnded = true;
  }
}

describe('threads of a browser', () => {
  let threads: Threads;
  beforeEach(() => {
    vi.stubGlobal('Worker', FakeWorker);
    FakeWorker.started.length = 0;
    threads = webThreads((question) => Promise.resolve(`answer to ${String(question)}`));
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const startThread = () => {
    const thread = threads.start('https://example.org/dist/webWorker.js');
    return { thread, worker: FakeWorker.started.at(-1)! };
  };
  const withPort = (id: number, port: Port) => ({ id, order: { kind: 'source', port } }) as unknown as NumberedOrder;
  const numberOf = (told: ToThread | undefined): number =>
    told?.kind === 'message' && told.token !== undefined ? told.token.port : Number.NaN;

  it('are told nothing before they listen, and then all in its order', () => {
    const { thread, worker } = startThread();
    thread.postMessage('first', []);
    thread.postMessage('second', []);
    expect(worker.told).toEqual([]);
    worker.says({ kind: 'ready' });
    expect(worker.told.map((told) => told.kind === 'message' && told.message)).toEqual(['first', 'second']);
  });

  it('get what came through a port with its end, and what comes later before what is told later', () => {
    const [sending, reading] = [startThread(), startThread()];
    sending.worker.says({ kind: 'ready' });
    reading.worker.says({ kind: 'ready' });
    const { port1, port2 } = threads.channel();
    sending.thread.postMessage(withPort(1, port1), [port1]);
    const port = numberOf(sending.worker.told[0]);
    sending.worker.says({ kind: 'port', port, message: 'early' });
    reading.thread.postMessage(withPort(2, port2), [port2]);
    sending.worker.says({ kind: 'port', port, message: 'late' });
    reading.thread.postMessage('what the report says', []);
    const end = numberOf(reading.worker.told[0]);
    expect(reading.worker.told).toEqual([
      { kind: 'message', message: { id: 2, order: { kind: 'source' } }, token: { port: end, waiting: ['early'] } },
      { kind: 'port', port: end, message: 'late' },
      { kind: 'message', message: 'what the report says', token: undefined },
    ]);
  });

  it('are answered what they ask, and told of where they fail', async () => {
    const { thread, worker } = startThread();
    const faults: unknown[] = [];
    thread.on('error', (fault) => faults.push(fault));
    worker.says({ kind: 'ready' });
    worker.says({ kind: 'ask', id: 7, question: 'size' });
    await vi.waitFor(() => {
      expect(worker.told).toEqual([{ kind: 'answer', id: 7, answer: 'answer to size' }]);
    });
    worker.onerror?.({ message: 'out of memory' });
    expect(faults).toEqual([new Error('out of memory')]);
    await thread.terminate();
    expect(worker.isEnded).toBe(true);
  });
});
