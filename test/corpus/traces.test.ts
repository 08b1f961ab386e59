import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TraceFile } from '../../server/interchange/contract.ts';
import { namesInList, readTableFiles, readTrace } from '../../server/interchange/readers.ts';
import type { TableEntries } from '../../server/model/traffic.ts';
import { sendsOf } from '../../server/simulation/workloads/programs.ts';
import { sharedFolder, unpack, unpackBytes } from './shared.ts';

const folder = join(sharedFolder(), 'data', 'comm');

function file(path: string): TraceFile {
  const bytes = path.endsWith('.xz') ? new TextEncoder().encode(unpack(path)) : new Uint8Array(readFileSync(path));
  return { name: basename(path), chunks: () => [bytes] };
}

const sum = (values: Iterable<number>): number => Array.from(values).reduce((total, value) => total + value, 0);

function readTableOf(files: readonly TraceFile[]): TableEntries {
  const result = readTableFiles(files, undefined);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

/** The file without the lines that match. */
function without({ name, chunks }: TraceFile, lines: RegExp): TraceFile {
  const text = Buffer.concat([...chunks()]).toString();
  const kept = text.split('\n').filter((line) => !lines.test(line));
  return { name, chunks: () => [new TextEncoder().encode(kept.join('\n'))] };
}

/** A folder with what is in an archive, by Debian's own programs. */
function unpackTar(path: string): string {
  const into = mkdtempSync(join(tmpdir(), 'placewright-corpus-'));
  const { status } = spawnSync('tar', ['--extract', '--directory', into], { input: unpackBytes(path) });
  if (status !== 0) throw new Error(`tar cannot unpack ${path}.`);
  return into;
}

/** Files of a folder whose names match, in the order of the numbers in them. */
const filesIn = (inside: string, name: RegExp): string[] =>
  readdirSync(join(folder, inside))
    .filter((one) => name.test(one))
    .sort(new Intl.Collator('en', { numeric: true }).compare)
    .map((one) => join(folder, inside, one));

/** Real traces: files, tasks, messages, bytes, and what the readers say of them. */
const traces: readonly (readonly [string, string[], number, number, readonly string[]])[] = [
  ['GOAL', filesIn('goal', /binary_tree/), 32, 31, []],
  ['otf2-print, ping-pong', filesIn('otf2/otf2-print', /ping-pong/), 2, 16, []],
  ['otf2-print, stencil', filesIn('otf2/otf2-print', /stencil4d/), 32, 512 + 3 * 32 * 5, []],
  // Point to point, collectives of ten ranks, and those of four pairs; two ranks are communicators of their own.
  ['otf2-print, ten ranks', filesIn('otf2/otf2-print', /10ranks/), 10, 488 + 12 * (90 + 28 + 90) + 4 * 9 + 4 * 76, []],
  ['dumpi2ascii, test trace', filesIn('dumpi/ascii', /^testtrace/), 4, 20, []],
  ['dumpi2ascii, all to all', filesIn('dumpi/ascii', /^dumpi-2019/), 4, 80, []],
  ['SimGrid, two ranks', filesIn('simgrid-ti', /^actions[01]/), 2, 3, []],
  ['SimGrid, uneven all-to-all', filesIn('simgrid-ti', /alltoallv/), 3, 6, []],
  ['SimGrid, waiting for all', filesIn('simgrid-ti', /waitall/), 3, 3, []],
  ['VEF, dummy', filesIn('vef', /dummy/), 4, 8, []],
  ['VEF, ResNet50', filesIn('vef', /resnet50/), 4, 0, []],
];

describe('real traces', () => {
  it.each(traces)('%s: everything that is sent is received', (_, paths, tasks, messages, warnings) => {
    const result = readTrace(paths.map(file), undefined, {});
    if (!result.ok) throw new Error(result.failure.message);
    expect(result.value.warnings).toEqual(warnings);
    expect(result.value.workload.taskCount).toBe(tasks);
    const { rowStart, partner, messages: counts } = sendsOf(result.value.workload);
    let others = 0;
    for (let task = 0; task < tasks; task++) {
      for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) {
        if (partner[pair] !== task) others += counts[pair]!;
      }
    }
    if (messages > 0) expect(others).toBe(messages);
    else expect(others).toBeGreaterThan(10_000);
  });

  it('SimGrid, the list of one file per rank', () => {
    const list = join(folder, 'simgrid-ti', 'smpi_replay.txt');
    const names = namesInList(new Uint8Array(readFileSync(list)))!;
    expect(names).toHaveLength(32);
    const result = readTrace(
      names.map((name) => file(join(folder, 'simgrid-ti', name))),
      'simgrid',
      {},
    );
    if (!result.ok) throw new Error(result.failure.message);
    expect(result.value.warnings).toEqual([]);
    expect(result.value.workload.taskCount).toBe(32);
  });

  // What programs sent, by an independent reader; and how many lines each collective operation has.
  it.each<[string, number, number, Readonly<Record<string, number>>]>([
    ['cg', 33_664, 186_533_888, { bcast: 64, barrier: 64, reduce: 64 }],
    ['mg', 18_240, 157_479_936, { barrier: 384, bcast: 448, allreduce: 5632, reduce: 64 }],
    ['comd', 2304, 104_595_456, { barrier: 320, bcast: 64, allreduce: 960 }],
    ['lulesh', 9396, 13_330_368, { barrier: 64, allreduce: 256, reduce: 64 }],
  ])('SMPI, %s on 64 ranks: %i messages of %i bytes, and collective operations', (name, messages, bytes, lines) => {
    const unpacked = unpackTar(join(folder, 'smpi', `${name}.64.ti.tar.xz`));
    try {
      const inside = join(unpacked, name);
      const names = namesInList(new Uint8Array(readFileSync(join(inside, `${name}.ti`))))!;
      const files = names.map((rank) => file(join(inside, rank)));
      const whole = readTrace(files, undefined, {});
      if (!whole.ok) throw new Error(whole.failure.message);
      expect(whole.value.warnings).toEqual([]);
      const sends = sendsOf(whole.value.workload);
      // A tree of 64 ranks has 63 messages, and all of them talk in six rounds.
      const trees = ((lines['bcast'] ?? 0) + (lines['reduce'] ?? 0)) / 64;
      const rounds = (lines['barrier'] ?? 0) + (lines['allreduce'] ?? 0);
      expect(sum(sends.messages)).toBe(messages + 63 * trees + 6 * rounds);

      const summed = readTableOf(files);
      expect(sum(summed.amount)).toBe(sum(sends.bytes));
      const collective = /^\d+ (bcast|barrier|reduce|allreduce) /;
      const alone = files.map((one) => without(one, collective));
      expect(sum(readTableOf(alone).amount)).toBe(bytes);
    } finally {
      rmSync(unpacked, { recursive: true });
    }
  });

  it.each(['BigFFT', 'MultiGrid'])('dumpi2ascii of one rank of %s tells that the others are missing', (name) => {
    const result = readTrace(filesIn('dumpi/ascii', new RegExp(name)).map(file), undefined, {});
    if (!result.ok) throw new Error(result.failure.message);
    const { taskCount } = result.value.workload;
    expect(result.value.warnings[0]).toBe(
      `The trace is incomplete: ${taskCount - 1} of ${taskCount} ranks have no events, the first is rank 1.`,
    );
    expect(result.value.warnings[1]).toMatch(
      / are never received, and .* wait for messages that are never sent\. First: /,
    );
    expect(result.value.warnings).toHaveLength(2);
  });

  it('that are cut off anywhere end with a sentence, or with what is missing', () => {
    for (const [, [path = '']] of traces) {
      const { name, chunks } = file(path);
      const [bytes = new Uint8Array()] = [...chunks()];
      for (const share of [0.1, 0.37, 0.5, 0.93]) {
        const cut = bytes.subarray(0, Math.floor(bytes.length * share));
        const result = readTrace([{ name, chunks: () => [cut] }], undefined, {});
        if (!result.ok) expect(result.failure.code).toBe('bad-trace');
      }
    }
  });
});
