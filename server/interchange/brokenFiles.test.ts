import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { Result } from '../model/result.ts';
import { fabricFormats, forwardingFormats, nodeFormats, tableFormats, traceFormats } from './catalogue.ts';
import { readFabric, readForwarding, readGiven, readNodeShape, readTable, readTrace } from './readers.ts';
import {
  brokenForwarding,
  brokenMappings,
  brokenNetworks,
  brokenNodes,
  brokenTables,
  brokenTraces,
  type Break,
  type BrokenFiles,
} from './testing/brokenFiles.ts';
import {
  fabricSamples,
  forwardingSamples,
  givenSamples,
  nodeSamples,
  tableSamples,
  traceSamples,
} from './testing/samples.ts';

/**
 * Broken files of every format that is read: each is refused with its name, the line or, where it has no lines, the byte, and the reason. The list of the
 * reasons, `testing/brokenFiles.txt`, is looked through by hand: a wrong reason in it is a fault.
 */
interface Kind {
  readonly kind: string;
  readonly names: readonly string[];
  readonly samples: Readonly<Record<string, string>>;
  readonly broken: BrokenFiles;
  readonly read: (bytes: Uint8Array, format: string) => Result<unknown> | Promise<Result<unknown>>;
}

/** A table is the sum of the messages: what matters to a replay alone, as who waits for what, is no reason to refuse one. */
const ofReplaysAlone = new Set([
  'a label that is none',
  'a label twice',
  'anybody',
  'any tag',
  'waits for nothing there is',
  'waits for itself',
]);
const brokenSums = Object.fromEntries(
  Object.entries(brokenTraces).map(([name, breaks]) => [name, breaks.filter(([what]) => !ofReplaysAlone.has(what))]),
);

/** What no line is to blame for: all calls of a trace send nothing that is read. */
const ofTheWhole = new Set(['a call that is not read']);

const namesOf = (entries: readonly { readonly name: string }[]): readonly string[] => entries.map(({ name }) => name);

const kinds: readonly Kind[] = [
  {
    kind: 'network',
    names: namesOf(fabricFormats),
    samples: fabricSamples,
    broken: brokenNetworks,
    read: (bytes, format) => readFabric(bytes, 'file', format, neverCancelled),
  },
  {
    kind: 'node',
    names: namesOf(nodeFormats),
    samples: nodeSamples,
    broken: brokenNodes,
    read: (bytes) => readNodeShape(bytes, 'file'),
  },
  {
    kind: 'forwarding tables',
    names: namesOf(forwardingFormats),
    samples: forwardingSamples,
    broken: brokenForwarding,
    read: (bytes) => readForwarding(bytes, 'file', undefined),
  },
  {
    kind: 'table',
    names: namesOf(tableFormats),
    samples: { ...traceSamples, ...tableSamples },
    broken: { ...brokenSums, ...brokenTables },
    read: (bytes, format) => readTable(bytes, 'file', neverCancelled, format),
  },
  {
    kind: 'trace',
    names: namesOf(traceFormats),
    samples: traceSamples,
    broken: brokenTraces,
    read: (bytes, format) => readTrace([{ name: 'file', chunks: () => [bytes] }], format, {}),
  },
  {
    kind: 'mapping',
    names: Object.keys(givenSamples),
    samples: givenSamples,
    broken: brokenMappings,
    read: (bytes) => readGiven(bytes, 'file', neverCancelled),
  },
];

/** Arrays of NumPy have a letter for each byte. */
const bytesOf = (text: string, format: string): Uint8Array =>
  format === 'npy' ? Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 0xff) : new TextEncoder().encode(text);

function brokenText(sample: string, [what, piece, instead, all]: Break): string {
  if (!sample.includes(piece)) throw new Error(`${what}: the sample has no ${JSON.stringify(piece)}.`);
  if (instead === null) return sample.slice(0, sample.indexOf(piece));
  return all === 'all' ? sample.replaceAll(piece, () => instead) : sample.replace(piece, () => instead);
}

/** What a user may name by mistake, whatever the format. */
const disguises: readonly (readonly [what: string, of: (bytes: Uint8Array) => Uint8Array])[] = [
  ['an empty file', () => new Uint8Array()],
  ['a zip archive', (bytes) => Uint8Array.from([0x50, 0x4b, 3, 4, ...bytes])],
  ['an archive of gzip, cut off', (bytes) => new Uint8Array(gzipSync(bytes)).subarray(0, 15)],
  ['a file of zeros', () => new Uint8Array(100)],
  ['UTF-16', (bytes) => Uint8Array.from([0xff, 0xfe, ...[...bytes].flatMap((byte) => [byte, 0])])],
  ['a web page', () => new TextEncoder().encode('<!DOCTYPE html>\n<html><body>404 Not Found</body></html>\n')],
];

async function reasonOf(reading: Result<unknown> | Promise<Result<unknown>>): Promise<string> {
  const result = await reading;
  return result.ok ? 'was read' : result.failure.message;
}

const formats = kinds.flatMap((kind) => kind.names.map((name) => [`${kind.kind} ${name}`, kind, name] as const));

describe.each(formats)('%s', (_, { samples, broken, read }, name) => {
  const sample = samples[name] ?? '';
  const breaks = broken[name] ?? [];

  it('is read as it should be, and with line ends of Windows', async () => {
    expect(await reasonOf(read(bytesOf(sample, name), name))).toBe('was read');
    if (name !== 'npy')
      expect(await reasonOf(read(bytesOf(sample.replaceAll('\n', '\r\n'), name), name))).toBe('was read');
  });

  it('has ten broken files at least', () => {
    expect(breaks.length).toBeGreaterThanOrEqual(6);
    expect(breaks.length + disguises.length).toBeGreaterThanOrEqual(10);
  });

  it.each(breaks.map((one) => [one[0], one] as const))('refuses %s', async (_what, one) => {
    const reason = await reasonOf(read(bytesOf(brokenText(sample, one), name), name));
    expect(reason).toMatch(/^file:\P{Cc}+$/u);
    if (!ofTheWhole.has(one[0])) expect(reason).toMatch(name === 'npy' ? /^file: byte \d+: / : /^file:\d+: /);
    if (name === 'npy') return;
    // With line ends of Windows, or the mark that its editors put before a text, the same line is wrong for the same reason.
    const text = brokenText(sample, one);
    const onWindows = text.replaceAll('\n', '\r\n');
    expect(await reasonOf(read(bytesOf(onWindows, name), name))).toBe(reason);
    expect(await reasonOf(read(bytesOf(`\u{feff}${text}`, name), name))).toBe(reason);
  });

  it.each(disguises)('refuses %s', async (_what, of) => {
    expect(await reasonOf(read(of(bytesOf(sample, name)), name))).toMatch(/^file:\P{Cc}+$/u);
  });
});

/** In the place of each word of a file. */
const strange = ['x', '-1', '1e99', '__proto__', 'constructor', 'NaN', 'w'.repeat(5000)];

/** Longer sentences are not read. */
const longestReason = 600;

describe.each(formats)('%s with another word anywhere', (_, { samples, read }, name) => {
  it('is read or refused in words for people, never by an exception', async () => {
    const sample = samples[name] ?? '';
    const odd: string[] = [];
    for (const { 0: word, index } of sample.matchAll(/[\w.-]+/g)) {
      for (const other of strange) {
        const text = sample.slice(0, index) + other + sample.slice(index + word.length);
        const result = await read(bytesOf(text, name), name);
        const reason = result.ok ? '' : result.failure.message;
        const said = other === 'NaN' ? reason.replaceAll('NaN', '') : reason;
        if (reason.length > longestReason || /\b(?:NaN|undefined|null|Infinity|function)\b|\[object/.test(said))
          odd.push(`${word} → ${other.slice(0, 20)}: ${reason.slice(0, 200)}`);
      }
    }
    expect(odd).toEqual([]);
  });
});

it('says the reasons that a reader would give', async () => {
  const lines: string[] = [];
  for (const [title, { samples, broken, read }, name] of formats) {
    const sample = samples[name] ?? '';
    lines.push(title);
    for (const one of broken[name] ?? [])
      lines.push(`  ${one[0]}: ${await reasonOf(read(bytesOf(brokenText(sample, one), name), name))}`);
    for (const [what, of] of disguises)
      lines.push(`  ${what}: ${await reasonOf(read(of(bytesOf(sample, name)), name))}`);
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('testing/brokenFiles.txt');
});
