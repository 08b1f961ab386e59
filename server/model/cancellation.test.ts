import { describe, expect, it } from 'vitest';
import { inStretches, WorkMeter, workPerPoll } from './cancellation.ts';

function counting() {
  const counted = { looks: 0, isOver: false, isCancelled: () => (counted.looks++, counted.isOver) };
  return counted;
}

describe('a meter of work', () => {
  it.each([1, 7, workPerPoll / 4, workPerPoll])('looks once for so much work, done in steps of %d', (step) => {
    const cancellation = counting();
    const meter = new WorkMeter(cancellation);
    const steps = Math.ceil((10 * workPerPoll) / step);
    let cancelled = 0;
    for (let done = 0; done < steps; done++) cancelled += meter.isCancelledAfter(step) ? 1 : 0;
    expect(cancelled).toBe(0);
    expect(cancellation.looks).toBe(Math.floor(steps / Math.ceil(workPerPoll / step)));
  });

  it('looks after every step that is longer', () => {
    const cancellation = counting();
    const meter = new WorkMeter(cancellation);
    for (let done = 0; done < 5; done++) meter.isCancelledAfter(3 * workPerPoll);
    expect(cancellation.looks).toBe(5);
  });

  it('says that it was cancelled once it has looked, not before', () => {
    const cancellation = counting();
    const meter = new WorkMeter(cancellation);
    cancellation.isOver = true;
    expect(meter.isCancelledAfter(workPerPoll - 1)).toBe(false);
    expect(meter.isCancelledAfter(1)).toBe(true);
  });
});

describe('work in stretches', () => {
  it('is done for every index once, with a look before each stretch', () => {
    const cancellation = counting();
    const length = 3 * workPerPoll + 5;
    const done: [number, number][] = [];
    expect(inStretches(length, cancellation, (begin, end) => done.push([begin, end]))).toBe(true);
    expect(done).toEqual([0, 1, 2, 3].map((part) => [part * workPerPoll, Math.min(length, (part + 1) * workPerPoll)]));
    expect(cancellation.looks).toBe(4);
  });

  it('leaves the rest undone where it was cancelled', () => {
    const cancellation = counting();
    let count = 0;
    const work = (): void => {
      count++;
      cancellation.isOver = count === 2;
    };
    expect(inStretches(9 * workPerPoll, cancellation, work)).toBe(false);
    expect(count).toBe(2);
  });
});
