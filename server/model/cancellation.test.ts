import { describe, expect, it } from 'vitest';
import { WorkMeter, workPerPoll } from './cancellation.ts';

function counting() {
  const counted = { looks: 0, isOver: false, isCancelled: () => (counted.looks++, counted.isOver) };
  return counted;
}

describe('a meter of work', () => {
  it.each([1, 7, workPerPoll / 4, workPerPoll])('looks once for so much work, done in steps of %d', (step) => {
    const cancellation = counting();
    const meter = new WorkMeter(cancellation);
    const steps = Math.ceil((10 * workPerPoll) / step);
    for (let done = 0; done < steps; done++) expect(meter.isCancelledAfter(step)).toBe(false);
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
