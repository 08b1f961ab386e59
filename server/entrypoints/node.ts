/** Node as the platform of a program: its files, its threads, and all cores of the machine. */
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MessageChannel, MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { Readable, pipeline } from 'node:stream';
import { createGunzip, gunzipSync } from 'node:zlib';
import { fail, succeed } from '../model/result.ts';
import type { LossPool } from '../study/cableLosses.ts';
import type { StudyContext } from '../study/study.ts';
import {
  folderOf,
  liesWithin,
  listFolder,
  listPlaceFiles,
  realUri,
  pieces,
  readBytes,
  scratchFile,
  sizeOfFile,
} from './files.ts';
import { damagedPacked, packedTooLarge, type Platform, type Threads } from './platform.ts';
import { programs } from './programs.ts';
import { lossesOnThreads, poolOfThreads, solveOnThreads } from './threads/workloads.ts';
import { WorkQueue } from './threads/workQueue.ts';

let queue: WorkQueue | undefined;

/**
 * What every study is given, whoever asks for it: a clock, in milliseconds, and as many threads as the machine runs at
 * a time.
 */
export function clockAndThreads(): Required<Pick<StudyContext, 'now' | 'solveDistances' | 'workerPool'>> {
  const ofAllCores = allCores();
  return {
    now: () => performance.now(),
    solveDistances: solveOnThreads(ofAllCores),
    workerPool: poolOfThreads(ofAllCores),
  };
}

/** Tries the losses of cables on as many threads. */
export const lossPool = (): LossPool => lossesOnThreads(allCores());

const allCores = (): WorkQueue => (queue ??= new WorkQueue(programs.helper, availableParallelism() - 1));

let collect: (() => void) | undefined;

function runGarbageCollector(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}

const threads: Threads = {
  start: (program, heapLimit) => {
    const limits = heapLimit === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapLimit } };
    const worker = new Worker(program, limits);
    return {
      postMessage: (message, transfer) => {
        worker.postMessage(
          message,
          transfer.filter((port) => port instanceof MessagePort),
        );
      },
      on: (event: string, listener: (value: never) => void) =>
        worker.on(event, (value: unknown) => {
          listener(value as never);
        }),
      terminate: () => worker.terminate(),
    };
  },
  channel: () => new MessageChannel(),
  receive: (port) => (port instanceof MessagePort ? receiveMessageOnPort(port) : undefined),
  collectGarbage: runGarbageCollector,
};

export const nodePlatform: Platform = {
  files: { readBytes, pieces, sizeOfFile, listFolder, listPlaceFiles, realUri, liesWithin, folderOf },
  threads,
  gunzip: (bytes, most) => {
    try {
      return Promise.resolve(succeed(gunzipSync(bytes, { maxOutputLength: most })));
    } catch (error) {
      const isLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
      return Promise.resolve(fail('bad-log', isLarge ? packedTooLarge(most) : damagedPacked));
    }
  },
  gunzipped: (packed) => {
    const unpacking = createGunzip();
    // Errors of the one reach the other, and who reads that.
    pipeline(Readable.fromWeb(packed as Parameters<typeof Readable.fromWeb>[0]), unpacking, () => undefined);
    return Readable.toWeb(unpacking);
  },
  scratchFile,
  studyEnvironment: clockAndThreads,
  lossPool,
};
