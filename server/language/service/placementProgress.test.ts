import { describe, expect, it } from 'vitest';
import type { PlacementProgress } from '../../study/report.ts';
import { placementProgress } from './words.ts';

const searching = (value: number, first: number): PlacementProgress => ({
  share: 0.2,
  message: 'auto',
  search: { criterion: 'hop-bytes', value, first },
});

describe('how far a placement is', () => {
  it.each<[what: string, progress: PlacementProgress, words: string]>([
    ['names what is done', { share: 0, message: 'mapping cg' }, 'mapping cg'],
    ['says the share where nothing tells the time', { share: 0.257, message: 'mapping cg' }, 'mapping cg, 25 %'],
    ['shows the best value', searching(3 * 2 ** 30, 3 * 2 ** 30), '3 GiB hop-bytes, 20 %'],
    ['and what it took off', searching(2 * 2 ** 30, 3 * 2 ** 30), '2 GiB hop-bytes, −33.3 %, 20 %'],
    ['and the time', { ...searching(1, 2), secondsLeft: 7.2 }, '1 B hop-bytes, −50 %, 8 s left'],
    ['never no time', { share: 1, message: 'auto', secondsLeft: 0 }, 'auto, 1 s left'],
    ['minutes', { share: 0.1, message: 'auto', secondsLeft: 400 }, 'auto, 7 min left'],
    ['nothing taken off nothing', searching(0, 0), '0 B hop-bytes, 20 %'],
  ])('%s', (_what, progress, words) => {
    expect(placementProgress(progress)).toBe(words);
  });
});
