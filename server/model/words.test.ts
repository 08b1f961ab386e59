import { describe, expect, it } from 'vitest';
import { arrowText, changeOrAsBefore, changeText, progressText, secondsLeftAfter, taskText } from './words.ts';

const jobs = [{ job: { name: 'cg', taskCount: 4 } }, { job: { name: 'lu', taskCount: 8 } }];

describe('words that all share', () => {
  it.each([
    [arrowText(3, 'leaf-1'), '3 → leaf-1'],
    [arrowText('a', 'b', 'a'), 'a → b → a'],
    [taskText(jobs.slice(0, 1), 3), 'task 3'],
    [taskText(jobs, 5), 'task 1 of lu'],
    [changeText(-0.384), '−38 %'],
    [changeText(0.004), '+0.4 %'],
    [changeText(12.34), '+1,234 %'],
    [changeText(-0.0001), '0 %'],
    [changeOrAsBefore(0.0001), 'as before'],
    [changeOrAsBefore(0.2), '+20 %'],
    [progressText(['10 cycles', '40 %'], 12), '10 cycles, 40 %, 12 s left'],
    [progressText(['10 cycles'], undefined), '10 cycles'],
  ])('%s', (written, expected) => {
    expect(written).toBe(expected);
  });

  it('tell the time left once enough is done', () => {
    expect(secondsLeftAfter(0.25, 3)).toBe(9);
    expect([secondsLeftAfter(0.25, 0.5), secondsLeftAfter(0.005, 10)]).toEqual([undefined, undefined]);
  });
});
