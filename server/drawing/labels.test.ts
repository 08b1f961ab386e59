import { expect, it } from 'vitest';
import { formatRanges } from './labels.ts';

it('shortens runs of numbers', () => {
  expect(formatRanges([0, 1, 2, 5, 7, 8])).toBe('0–2, 5, 7–8');
});
