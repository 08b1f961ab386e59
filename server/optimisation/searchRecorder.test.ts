import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import { convergencePoints } from '../model/searchRecord.ts';
import { SearchRecorder } from './searchRecorder.ts';

/** A recorder whose clock ticks once per look, and what it has told. */
function recording(unit: number) {
  let clock = 100;
  const reported: [number, string][] = [];
  const recorder = new SearchRecorder('hop-bytes', unit, {
    now: () => clock++,
    progress: (share, message) => reported.push([share, message]),
  });
  return { recorder, reported };
}

describe('the recorder of searches', () => {
  it('writes down when the best value fell, in the unit of the criterion', () => {
    const { recorder, reported } = recording(0.5);
    recorder.report(0);
    const taken = [9000, 9000, 7000, 8000, 6000].map((value) => {
      recorder.evaluations += 10;
      return recorder.improves(value);
    });
    recorder.report(0.25);
    recorder.evaluations += 5;
    expect(taken).toEqual([true, false, true, false, true]);
    expect(recorder.finish(6000, 'steps')).toEqual({
      criterion: 'hop-bytes',
      value: 3000,
      evaluations: 55,
      convergence: [
        { evaluations: 10, milliseconds: 1, value: 4500 },
        { evaluations: 30, milliseconds: 2, value: 3500 },
        { evaluations: 50, milliseconds: 3, value: 3000 },
      ],
      end: 'steps',
      milliseconds: 4,
    });
    expect(reported).toEqual([
      [0, 'hop-bytes'],
      [0.25, 'best 3,000 hop-bytes'],
    ]);
  });

  it('reports now and then while somebody asks whether to stop', () => {
    const { recorder, reported } = recording(1);
    recorder.improves(7000);
    const stop = recorder.reporting(neverCancelled, () => 0.5);
    for (let look = 0; look < 1600; look++) expect(stop.isCancelled()).toBe(false);
    expect(reported).toEqual(Array.from({ length: 3 }, () => [0.5, 'best 7,000 hop-bytes']));
  });

  it.each([1, 63, 64, 65, 1000, 12345])('keeps some of %d points, spread evenly, the first and the last', (count) => {
    const { recorder } = recording(1);
    for (let value = count; value > 0; value--) {
      recorder.evaluations++;
      recorder.improves(value);
    }
    const { convergence } = recorder.finish(1, 'steps');
    expect(convergence.length).toBeLessThanOrEqual(convergencePoints);
    expect(convergence.length).toBeGreaterThanOrEqual(Math.min(count, convergencePoints / 2));
    expect(convergence[0]!.value).toBe(count);
    expect(convergence.at(-1)).toMatchObject({ value: 1, evaluations: count });
    const steps = convergence.slice(1, -1).map((point, index) => convergence[index]!.value - point.value);
    expect(new Set(steps).size).toBeLessThanOrEqual(1);
  });
});
