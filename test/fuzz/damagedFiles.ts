/**
 * Damaged files of every format of networks, insides of nodes, tables and mappings: read, or refused in one sentence that
 * begins with the name of the file. A few of them are in the quick suite, many in the slow one.
 */
import { describe, expect, it } from 'vitest';
import {
  fabricFormats,
  forwardingFormats,
  nodeFormats,
  tableFormats,
  traceFormats,
} from '../../server/interchange/catalogue.ts';
import {
  readFabric,
  readForwarding,
  readGiven,
  readNodeShape,
  readTable,
  readTrace,
} from '../../server/interchange/readers.ts';
import type { Trace } from '../../server/interchange/contract.ts';
import {
  fabricSamples,
  forwardingSamples,
  givenSamples,
  nodeSamples,
  tableSamples,
  traceSamples,
} from '../../server/interchange/testing/samples.ts';
import { neverCancelled } from '../../server/model/cancellation.ts';
import type { Fabric, NodeShape } from '../../server/model/fabric.ts';
import type { ForwardingDump } from '../../server/model/forwarding.ts';
import { seededRandom } from '../../server/model/random.ts';
import type { Result } from '../../server/model/result.ts';
import type { TableEntries } from '../../server/model/traffic.ts';
import { damage } from './damage.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What must hold of every fabric, whatever it was read from. */
function faultOfFabric({ routers, nodes, cables, tiers, warnings }: Fabric): string | undefined {
  const isSwitch = (id: number): boolean => Number.isInteger(id) && id >= 0 && id < routers.length;
  if (!nodes.every(({ router }) => isSwitch(router))) return 'a host hangs on no switch';
  if (!cables.every(({ from, to }) => isSwitch(from) && isSwitch(to) && from !== to)) return 'a cable has a wrong end';
  if (tiers !== undefined && tiers.length !== routers.length) return 'tiers are missing';
  const figures = [...nodes, ...cables].flatMap(({ bandwidth = 1, latency = 0 }) => [bandwidth > 0 ? 0 : -1, latency]);
  if (!figures.every((figure) => figure >= 0 && Number.isFinite(figure))) return 'a figure is no number';
  return warnings.every(({ message }) => /^\P{Cc}+$/u.test(message)) ? undefined : 'a warning has several lines';
}

function faultOfNode({
  coresOfSockets,
  coresUnknown,
  numaNodes,
  devices = [],
  paths = [],
}: NodeShape): string | undefined {
  const isCount = (count: number): boolean => Number.isInteger(count) && count > 0;
  // Where cores are not known they are 0, and the reason has its place in the file.
  const areCores =
    coresUnknown === undefined ? coresOfSockets.every(isCount) : coresOfSockets.every((count) => count === 0);
  if (coresOfSockets.length === 0 || !areCores || !isCount(numaNodes)) return 'a count is wrong';
  if (coresUnknown !== undefined && !/^file:\P{Cc}+$/u.test(coresUnknown)) return coresUnknown;
  const pairs = (devices.length * (devices.length - 1)) / 2;
  if (paths.length !== pairs || paths.some(({ from, to }) => from >= to || to >= devices.length))
    return 'paths are wrong';
  return undefined;
}

function faultOfTables({ switches, firstEntry, entries }: ForwardingDump): string | undefined {
  if (switches.length === 0 || firstEntry.length !== switches.length + 1) return 'there are no tables';
  if (firstEntry.at(-1) !== entries.length) return 'entries are lost';
  return entries.some((entry) => entry < 256 || entry >= 256 * 0xc000) ? 'a LID is wrong' : undefined;
}

interface Sample {
  readonly sample: string;
  readonly seed: number;
  readonly encode?: (text: string) => Uint8Array;
}

async function tryFormat<Value>(
  filesPerFormat: number,
  { sample, seed, encode = bytesOf }: Sample,
  read: (bytes: Uint8Array) => Result<Value> | Promise<Result<Value>>,
  faultOf: (value: Value) => string | undefined,
): Promise<void> {
  const random = seededRandom(seed);
  const bad: string[] = [];
  const counts = { read: 0, refused: 0 };
  for (let count = 0; count < filesPerFormat; count++) {
    const text = damage([sample, sample, sample.replaceAll('\n', '\r\n')], random);
    const result = await read(encode(text));
    counts[result.ok ? 'read' : 'refused']++;
    const fault = result.ok
      ? faultOf(result.value)
      : /^file:\P{Cc}+$/u.test(result.failure.message)
        ? undefined
        : result.failure.message;
    if (fault !== undefined) bad.push(`${JSON.stringify(text)}: ${fault}`);
  }
  expect(bad.slice(0, 3)).toEqual([]);
  // Damage that is always refused, or never, shows nothing of the reader.
  expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(filesPerFormat / 250);
}

/** A letter for each byte, as samples of what is no text are written. */
const bytesOfLetters = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 0xff);

function faultOfTable({ size, from, to, amount, messages, warnings = [] }: TableEntries): string | undefined {
  const isTask = (task: number): boolean => task >= 0 && task < size;
  if (![...from, ...to].every(isTask)) return 'a task is beyond the table';
  if (![...amount, ...(messages ?? [])].every((each) => each >= 0 && each <= 2 ** 53)) return 'an amount is wrong';
  if (from.length !== amount.length || to.length !== amount.length) return 'entries are lost';
  return warnings.every((text) => /^\P{Cc}+$/u.test(text)) ? undefined : 'a warning has several lines';
}

/** Traces are tables as well: their messages are summed. */
const samplesOfTables: Readonly<Record<string, string>> = { ...traceSamples, ...tableSamples };

/** Amounts of the lists of a trace are whole, and the ends of its messages are tasks. */
function faultOfTrace({ workload, warnings }: Trace): string | undefined {
  const { taskCount, taskOfList } = workload;
  if (![...taskOfList].every((task) => task >= 0 && task < taskCount)) return 'a list is of no task';
  return warnings.every((text) => /^\P{Cc}+$/u.test(text)) ? undefined : 'a warning has several lines';
}

/** So many damaged files of every format. */
export function testDamagedFiles(files: number): void {
  // As many files as are wanted take as long as they take.
  const timeout = 3_600_000;
  describe('damaged files of networks', () => {
    it.each(fabricFormats.map(({ name }): [string] => [name]))(
      '%s',
      async (name) => {
        const read = (bytes: Uint8Array): Promise<Result<Fabric>> => readFabric(bytes, 'file', name, neverCancelled);
        await tryFormat(files, { sample: fabricSamples[name] ?? '', seed: 7 + name.length }, read, faultOfFabric);
      },
      timeout,
    );
  });

  describe('damaged files of nodes', () => {
    it.each(nodeFormats.map(({ name }): [string] => [name]))(
      '%s',
      async (name) => {
        const read = (bytes: Uint8Array): Promise<Result<NodeShape>> => readNodeShape(bytes, 'file');
        await tryFormat(files, { sample: nodeSamples[name] ?? '', seed: 3 }, read, faultOfNode);
      },
      timeout,
    );
  });

  describe('damaged files of forwarding tables', () => {
    it.each(forwardingFormats.map(({ name }): [string] => [name]))(
      '%s',
      async (name) => {
        const read = (bytes: Uint8Array): Result<ForwardingDump> => readForwarding(bytes, 'file', undefined);
        await tryFormat(files, { sample: forwardingSamples[name] ?? '', seed: 5 }, read, faultOfTables);
      },
      timeout,
    );
  });

  describe('damaged tables', () => {
    it.each(tableFormats.map(({ name }): [string] => [name]))(
      '%s',
      async (name) => {
        const sample = samplesOfTables[name] ?? '';
        const read = (bytes: Uint8Array): Result<TableEntries> => readTable(bytes, 'file', neverCancelled, name);
        const encode = name === 'npy' ? bytesOfLetters : bytesOf;
        await tryFormat(files, { sample, seed: 11 + name.length, encode }, read, faultOfTable);
      },
      timeout,
    );
  });

  describe('damaged traces', () => {
    it.each(traceFormats.map(({ name }): [string] => [name]))(
      '%s',
      async (name) => {
        const read = (bytes: Uint8Array): Result<Trace> =>
          readTrace([{ name: 'file', chunks: () => [bytes] }], name, {});
        await tryFormat(files, { sample: traceSamples[name] ?? '', seed: 17 + name.length }, read, faultOfTrace);
      },
      timeout,
    );
  });

  describe('damaged mappings', () => {
    it.each(Object.entries(givenSamples))(
      '%s',
      async (name, sample) => {
        const read = (bytes: Uint8Array) => readGiven(bytes, 'file');
        await tryFormat(files, { sample, seed: 13 + name.length }, read, () => undefined);
      },
      timeout,
    );
  });
}
