/**
 * A thread that counts the work of the editor's features: how often blocks of our code run, which are bodies of functions,
 * loops and branches. The engine counts them exactly, so the same work gives nearly the same number on every machine. It
 * does so only for functions that it compiles after it was told to, which is why this is a thread of its own that reads
 * modules last. What a method of the language does by itself, such as `includes` of an array, counts as nothing: the
 * bench of keystrokes measures it.
 */
import { Session } from 'node:inspector/promises';
import { parentPort } from 'node:worker_threads';

/** Blocks that ran for a text, and for one of eight times as many parts. */
export interface CountedWork {
  readonly name: string;
  readonly small: number;
  readonly large: number;
}

const fewParts = 200;
const manyParts = 8 * fewParts;

const profiler = new Session();
profiler.connect();

/** Blocks that ran since it was asked last. */
async function blocksRun(): Promise<number> {
  const { result } = await profiler.post('Profiler.takePreciseCoverage');
  let sum = 0;
  for (const { url, functions } of result) {
    if (!url.includes('/server/')) continue;
    for (const { ranges } of functions) for (const { count } of ranges) sum += count;
  }
  return sum;
}

async function countWork(): Promise<readonly CountedWork[]> {
  await profiler.post('Profiler.enable');
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const { atCursor } = await import('./input.ts');
  const { growingTexts } = await import('./growingTexts.ts');
  const counted: CountedWork[] = [];
  for (const [name, text, ask, world] of growingTexts) {
    const workAt = async (count: number): Promise<number> => {
      const input = await atCursor(text(count), world(count));
      await blocksRun();
      ask(input);
      return blocksRun();
    };
    counted.push({ name, small: await workAt(fewParts), large: await workAt(manyParts) });
  }
  return counted;
}

parentPort?.postMessage(await countWork());
