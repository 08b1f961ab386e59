import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../server/model/cancellation.ts';
import { defaultOptions, findEntry } from '../../server/model/catalogue.ts';
import { skeletons } from '../../server/simulation/workloads/catalogue.ts';
import { sendsOf } from '../../server/simulation/workloads/programs.ts';
import { sharedFolder, unpack } from './shared.ts';

const folder = join(sharedFolder(), 'data', 'comm', 'ompi-pml-monitoring');

interface Sum {
  readonly bytes: number;
  readonly messages: number;
}

/** Point-to-point messages (`E`) or those of collectives (`I`) of a profile of Open MPI, by `from to`. */
function measured(file: string, kind: 'E' | 'I'): Map<string, Sum> {
  const path = join(folder, file);
  const text = file.endsWith('.xz') ? unpack(path) : readFileSync(path, 'utf8');
  const sums = new Map<string, Sum>();
  for (const line of text.split('\n')) {
    const [word, from, to, bytes, messages] = line.split('\t');
    if (word !== kind) continue;
    sums.set(`${from} ${to}`, { bytes: Number.parseInt(bytes!, 10), messages: Number.parseInt(messages!, 10) });
  }
  return sums;
}

function sent(name: string, taskCount: number): Map<string, Sum> {
  const entry = findEntry(skeletons, name)!;
  const result = entry.build(taskCount, { ...defaultOptions(entry), class: 'W' }, neverCancelled);
  if (!result.ok) throw new Error(result.failure.message);
  const { rowStart, partner, bytes, messages } = sendsOf(result.value);
  const sums = new Map<string, Sum>();
  for (let from = 0; from < taskCount; from++) {
    for (let pair = rowStart[from]!; pair < rowStart[from + 1]!; pair++) {
      sums.set(`${from} ${partner[pair]!}`, { bytes: bytes[pair]!, messages: messages[pair]! });
    }
  }
  return sums;
}

describe('skeletons of class W send what was measured', () => {
  it.each([
    ['bt', 16, 'bt.W.16.prof'],
    ['bt', 64, 'bt.W.64.prof.xz'],
    ['cg', 16, 'cg.W.16.prof'],
    ['cg', 64, 'cg.W.64.prof.xz'],
    ['lu', 64, 'lu.W.64.prof.xz'],
    ['mg', 16, 'mg.W.16.prof'],
    ['mg', 64, 'mg.W.64.prof.xz'],
    ['sp', 16, 'sp.W.16.prof'],
  ] as const)('%s on %i tasks, every pair, to the byte', (name, taskCount, file) => {
    const profile = measured(file, 'E');
    expect(profile.size).toBeGreaterThan(40);
    expect(sent(name, taskCount)).toEqual(profile);
  });

  it('lu on 16 tasks, the task that was kept', () => {
    const profile = measured('lu.W.16.5.prof', 'E');
    const own = [...sent('lu', 16)].filter(([pair]) => pair.startsWith('5 '));
    expect(new Map(own)).toEqual(profile);
  });

  it('ft on 16 tasks: the all-to-alls, where no other collective goes', () => {
    const profile = measured('ft.W.16.prof', 'I');
    const pairs = [...sent('ft', 16)];
    expect(pairs).toHaveLength(16 * 15);
    for (const [pair, sum] of pairs) {
      const all = profile.get(pair)!;
      // Set-up, checks and timers add a few bytes along the edges of trees.
      expect(all.bytes - sum.bytes).toBeLessThan(1000);
      expect(all.messages).toBeGreaterThanOrEqual(sum.messages);
    }
    expect(pairs.filter(([pair, sum]) => profile.get(pair)!.bytes === sum.bytes).length).toBeGreaterThan(100);
  });

  it('ft on 64 tasks, more than it has planes: rows of two, columns of 32', () => {
    // The file has the bytes of both directions of a pair.
    const rows = readFileSync(join(folder, '..', 'treematch-mat', 'ft.W.64_size_all.mat'), 'utf8')
      .trim()
      .split('\n');
    const profile = rows.map((row) => row.trim().split(/\s+/).map(Number));
    const pairs = sent('ft', 64);
    for (let from = 0; from < 64; from++) {
      for (let to = 0; to < 64; to++) {
        const bytes = (pairs.get(`${from} ${to}`)?.bytes ?? 0) + (pairs.get(`${to} ${from}`)?.bytes ?? 0);
        const more = profile[from]![to]! - bytes;
        if (from !== to) expect([more >= 0 && more < 1000, from, to]).toEqual([true, from, to]);
      }
    }
  });

  // On 64 tasks Open MPI counts the keys with the collectives; 11 messages are those of pairs that no tree runs through.
  it.each([
    [16, 'is.W.16.prof', 'E', 0.06],
    [64, 'is.W.64.prof.xz', 'I', 0.35],
  ] as const)('is on %i tasks: as many keys, spread as evenly as theirs', (taskCount, file, kind, spread) => {
    const pairs = [...measured(file, kind).values()].filter(({ messages }) => messages === 11);
    expect(pairs.length).toBeGreaterThan(200);
    const keys = (11 * 4 * 2 ** 20) / taskCount ** 2;
    for (const { bytes } of pairs) expect(Math.abs(bytes / keys - 1)).toBeLessThan(spread);
    const mean = pairs.reduce((sum, { bytes }) => sum + bytes, 0) / pairs.length;
    expect(Math.abs(mean / keys - 1)).toBeLessThan(0.01);
  });
});
