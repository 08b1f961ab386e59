import { describe, expect, it } from 'vitest';
import { neverCancelled, workPerPoll } from '../model/cancellation.ts';
import { seededRandom } from '../model/random.ts';
import { Fingerprint, fingerprintOf } from '../numeric/fingerprint.ts';
import { fingerprintWithLooks } from './fingerprint.ts';

const random = seededRandom(11);
const words = Int32Array.from({ length: 3 * workPerPoll + 5 }, () => random.integer(2 ** 31));
const reals = Float64Array.from({ length: workPerPoll + 1 }, () => random.fraction());
const bytes = Uint8Array.from({ length: 1000 }, () => random.integer(256));

describe('the fingerprint of arrays', () => {
  it('is the same with looks at the cancellation, and where they come in parts', () => {
    const whole = fingerprintOf(words, reals, bytes);
    expect(fingerprintWithLooks([words, reals, bytes], neverCancelled)).toBe(whole);
    const parts = new Fingerprint();
    for (const part of [words.subarray(0, 1), words.subarray(1, 70_000), words.subarray(70_000), reals, bytes])
      parts.add(part);
    expect(parts.text).toBe(whole);
  });

  it('takes a byte for a word, as it was before bytes were read', () => {
    expect(fingerprintOf(bytes)).toBe(fingerprintOf(Int32Array.from(bytes)));
  });

  it.each([0, 1, words.length - 1])('is another where entry %i is', (index) => {
    const changed = words.slice();
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(fingerprintOf(changed)).not.toBe(fingerprintOf(words));
  });

  it('is none where it is cancelled meanwhile, at the next look', () => {
    let looks = 0;
    expect(fingerprintWithLooks([words, reals], { isCancelled: () => ++looks === 2 })).toBeUndefined();
    expect(looks).toBe(2);
  });
});
