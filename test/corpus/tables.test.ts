import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTable } from '../../server/interchange/readers.ts';
import type { TableEntries } from '../../server/model/traffic.ts';
import { root } from '../../tools/run.ts';
import { binary } from '../cli/binary.ts';
import { hopBytesInOrder, readPlainly } from './plainReading.ts';
import { trafficFiles, unpack } from './shared.ts';

const cli = binary();

/** Square tables of real runs and tools; the coordinates of sphere3 are the one that is no table. */
const files = trafficFiles(/\.(csv|mtx|mat)$|^DMatrix/);
const tables = files.filter(({ inside }) => !inside.includes('_coord'));

function read(path: string): TableEntries {
  const result = readTable(readFileSync(path), basename(path));
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

/** What each task sends, and what it receives. */
function sumsOf({ size, from, to, amount }: TableEntries): { sent: number[]; received: number[] } {
  const sent = new Array<number>(size).fill(0);
  const received = new Array<number>(size).fill(0);
  for (const [at, value] of amount.entries()) {
    sent[from[at]!]! += value;
    received[to[at]!]! += value;
  }
  return { sent, received };
}

/** `from,to: amount` of the pairs that send something, in order. */
const sentBetween = ({ from, to, amount }: TableEntries): string[] =>
  Array.from(amount, (value, at) => ({ from: from[at]!, to: to[at]!, value }))
    .filter(({ value }) => value > 0)
    .sort((one, other) => one.from - other.from || one.to - other.to)
    .map(({ from, to, value }) => `${from},${to}: ${value}`);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe('tables of other tools', () => {
  it('are all here', () => {
    expect(tables.length).toBeGreaterThanOrEqual(20);
    expect(tables.map(({ inside }) => inside)).toContain('sst-scheduler/DMatrix4_5_2');
  });

  it.each(tables.map(({ inside, path }) => [inside, path] as const))(
    '%s: every sum agrees with a plain reading',
    (_, path) => {
      const entries = read(path);
      const plain = readPlainly(readFileSync(path, 'utf8'));
      const { sent, received } = sumsOf(entries);
      expect(entries.size).toBe(plain.size);
      expect(sum(sent)).toBeGreaterThan(0);
      const columns = plain.amounts.map((_, column) => sum(plain.amounts.map((row) => row[column]!)));
      for (const [task, row] of plain.amounts.entries()) {
        expect(sent[task]).toBeCloseTo(sum(row), 9);
        expect(received[task]).toBeCloseTo(columns[task]!, 9);
      }
    },
  );

  it('holds what the authors of CG measured, self messages included', () => {
    const path = tables.find(({ inside }) => inside === 'maplib/cg.64.p2p.size.csv')?.path ?? '';
    const { from, to, amount } = read(path);
    const own = amount.filter((_, at) => from[at] === to[at]);
    expect(own[0]).toBe(296_400_000);
  });

  it('refuses coordinates with advice', () => {
    const path = files.find(({ inside }) => inside.endsWith('sphere3_coord.mtx'))?.path ?? '';
    const result = readTable(readFileSync(path), 'sphere3_coord.mtx');
    expect(!result.ok && result.failure.message).toMatch(/^sphere3_coord\.mtx:\d+: .*square.*258 x 3/);
  });
});

/** The two sides of a torus that holds all tasks, as near to a square as it gets. */
function sidesFor(tasks: number): [number, number] {
  let side = Math.floor(Math.sqrt(tasks));
  while (tasks % side !== 0) side--;
  return [tasks / side, side];
}

describe('the whole way, from their file to figures', () => {
  it.each(tables.map(({ inside, path }) => [inside, path] as const))('%s: hop-bytes in order agree', (_, path) => {
    const plain = readPlainly(readFileSync(path, 'utf8'));
    const sides = sidesFor(plain.size);
    const file = join(cli.scratch(), 'corpus.place');
    writeFileSync(
      file,
      `machine torus { topology torus ${sides.join(' x ')} }
       table measured from "${path}"
       job job { tasks ${plain.size}  table measured }
       placement in-order { job job  machine torus  map baseline }
       placement best { job job  machine torus  map auto }`,
    );
    const { out, err, code } = cli.run(['run', file, '--json']);
    expect(err.split('\n').filter((line) => line !== '' && !line.includes('[hot-link]'))).toEqual([]);
    expect(code).toBe(0);
    const { placements } = JSON.parse(out) as { placements: { metrics: { hopBytes: number } }[] };
    const [inOrder, best] = placements.map(({ metrics }) => metrics.hopBytes);
    const expected = hopBytesInOrder(plain, sides);
    expect(Math.abs(inOrder! - expected)).toBeLessThanOrEqual(1e-12 * expected);
    expect(best).toBeLessThanOrEqual(inOrder!);
  });
});

describe('the matrix of the CG sample', () => {
  const profile = trafficFiles(/^cg\.W\.64\.prof\.xz$/)[0]?.path ?? '';
  const sample = join(root, 'samples/cg/cg.W.64.mtx');

  it('has the sums of the profile, pair by pair', () => {
    const measured = readTable(Buffer.from(unpack(profile)), 'cg.W.64.prof');
    if (!measured.ok) throw new Error(measured.failure.message);
    expect(measured.value.size).toBe(64);
    expect(sentBetween(measured.value)).toEqual(sentBetween(read(sample)));
  });

  it('adds E and I lines and nothing else', () => {
    let bytes = 0;
    for (const line of unpack(profile).split('\n')) {
      const [kind = '', , , amount = ''] = line.split('\t');
      if (kind === 'E' || kind === 'I') bytes += Number.parseInt(amount, 10);
    }
    expect(sum(sumsOf(read(sample)).sent)).toBe(bytes);
  });
});
