/** What tests of traces share: files in memory, and the messages of what was read of them. */
import { expect } from 'vitest';
import type { OptionValues } from '../../model/catalogue.ts';
import { operationKind, type Workload } from '../../model/workload.ts';
import { traceOptions } from '../../simulation/workloads/catalogue.ts';
import { checkMatching } from '../../simulation/workloads/programs.ts';
import { stuckLists, unrolled } from '../../simulation/workloads/testing/idealRun.ts';
import type { Trace, TraceFile } from '../contract.ts';
import { readTrace } from '../readers.ts';

export const defaults = Object.fromEntries(
  traceOptions.flatMap((option) => (option.default === undefined ? [] : [[option.name, option.default]])),
) as OptionValues;

/** A file that comes in chunks of so many bytes. */
function inChunks(name: string, text: string, size = 7): TraceFile {
  const bytes = new TextEncoder().encode(text);
  return {
    name,
    *chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
  };
}

export const whole = (text: string, name = 'a.trace'): TraceFile => ({
  name,
  chunks: () => [new TextEncoder().encode(text)],
});

export function read(text: string | readonly TraceFile[], format?: string, options: OptionValues = {}): Trace {
  const files = typeof text === 'string' ? [inChunks('a.trace', text)] : text;
  const result = readTrace(files, format, { ...defaults, ...options });
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

export function refusal(text: string, format?: string): string {
  const result = readTrace([inChunks('a.trace', text)], format, defaults);
  return result.ok ? 'accepted' : `${result.failure.message} [${result.failure.code}]`;
}

const words = ['send', 'receive', 'compute'];
/** What a list does, in words: `send 1 8 #3`, without tags of zero. */
const told = (workload: Workload, list: number): string[] =>
  unrolled(workload, list).map(({ kind, partner, tag, amount }) =>
    kind === operationKind.compute
      ? `compute ${amount}`
      : `${words[kind]!} ${partner} ${amount}${tag === 0 ? '' : ` #${tag}`}`,
  );
export const everything = (workload: Workload): string[][] =>
  Array.from(workload.taskOfList, (_, list) => told(workload, list));

export function expectRuns(workload: Workload): void {
  expect(checkMatching(workload)).toEqual({ ok: true, value: undefined });
  expect(stuckLists(workload)).toEqual([]);
}
