import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { defaultOptions } from '../../model/catalogue.ts';
import { type TimedMessages, type Workload, WorkloadBuilder } from '../../model/workload.ts';
import { skeletons } from './catalogue.ts';
import { sendsOf } from './programs.ts';
import { timedMessages } from './timed.ts';

const ideal = { latency: 0.5, bandwidth: 100 };

function built(taskCount: number, write: (builder: WorkloadBuilder) => void): Workload {
  const builder = new WorkloadBuilder(taskCount);
  write(builder);
  const result = builder.finished();
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

function timed(workload: Workload): TimedMessages {
  const result = timedMessages(workload, ideal, neverCancelled);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

describe('messages on an ideal network', () => {
  it('leave one after the other, arrive later, and are waited for', () => {
    const workload = built(3, (builder) => {
      builder.list(0);
      builder.compute(1);
      builder.send(1, 100, 0); // 1 … 2, there at 2.5
      builder.send(2, 50, 0); // 2 … 2.5, there at 3
      builder.receive(1, 10, 0);
      builder.send(2, 10, 1); // 3.1, after the answer
      builder.list(1);
      builder.receive(0, 100, 0);
      builder.send(0, 10, 0); // 2.5 … 2.6, there at 3.1
      builder.list(2);
      builder.receive(0, 50, 0);
      builder.receive(0, 10, 1);
      builder.send(2, 5, 0);
      builder.receive(2, 5, 0);
      builder.send(0, 1, 9); // 3.2 + 0.5
      builder.list(0);
      builder.receive(2, 1, 9);
    });
    const { times, from, to, bytes } = timed(workload);
    expect([...from]).toEqual([0, 0, 1, 0, 2]);
    expect([...to]).toEqual([1, 2, 0, 2, 0]);
    expect([...bytes]).toEqual([100, 50, 10, 10, 1]);
    [1, 2, 2.5, 3.1, 3.7].forEach((time, index) => {
      expect(times[index]).toBeCloseTo(time, 12);
    });
  });

  it.each(skeletons.map((entry) => [entry.name, entry] as const))(
    'of the skeleton %s are all of them, ascending, with calm intervals where it pauses',
    (_, entry) => {
      const of = (pause: number): TimedMessages => {
        const options = { ...defaultOptions(entry), class: 'W', iterations: 2, pause };
        const workload = entry.build(16, options, neverCancelled);
        if (!workload.ok) throw new Error(workload.failure.message);
        const messages = timed(workload.value);
        const { rowStart, partner, messages: counts } = sendsOf(workload.value);
        let others = 0;
        for (let task = 0; task < 16; task++) {
          for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) {
            if (partner[pair] !== task) others += counts[pair]!;
          }
        }
        expect(messages.times).toHaveLength(others);
        expect(messages.times.every((time, index) => index === 0 || time >= messages.times[index - 1]!)).toBe(true);
        return messages;
      };
      const [busy, calm] = [of(0), of(1e6)];
      expect(calm.times.at(-1)! - busy.times.at(-1)!).toBeGreaterThan(0.9e6);
    },
  );

  it('have no times where a program waits for ever', () => {
    const workload = built(2, (builder) => {
      builder.list(0);
      builder.receive(1, 8, 0);
      builder.list(1);
    });
    const result = timedMessages(workload, ideal, neverCancelled);
    expect(result.ok ? '' : result.failure.message).toBe('1 of 2 programs wait for messages that are never sent.');
  });

  it('are not more than memory is for, and stop when cancelled', () => {
    const many = built(2, (builder) => {
      builder.list(0);
      builder.repeat(1e9);
      builder.send(1, 8, 0);
      builder.end();
    });
    const result = timedMessages(many, ideal, neverCancelled);
    expect(result.ok ? '' : result.failure.code).toBe('workload-too-large');
    const endless = built(1, (builder) => {
      builder.list(0);
      builder.repeat(1e15);
      builder.send(0, 8, 0);
      builder.receive(0, 8, 0);
      builder.end();
    });
    const refused = timedMessages(endless, ideal, neverCancelled);
    expect(refused.ok ? '' : refused.failure.message).toMatch(
      /^The workload has .*operations; the maximum for send times is 1,073,741,824/,
    );
    const stopped = timedMessages(
      built(1, (builder) => {
        builder.list(0);
        builder.compute(1);
      }),
      ideal,
      { isCancelled: () => true },
    );
    expect(stopped.ok ? '' : stopped.failure.code).toBe('cancelled');
  });
});
