import { describe, expect, it } from 'vitest';
import { seededRandom, type RandomSource } from '../../model/random.ts';
import { operationKind, type Workload, WorkloadBuilder } from '../../model/workload.ts';
import {
  checkMatching,
  Cursors,
  fingerprintOfWorkload,
  sendsOf,
  workloadTraffic,
  trafficWithMessages,
  unmatchedOf,
} from './programs.ts';
import { unrolled } from './testing/idealRun.ts';

function built(taskCount: number, write: (builder: WorkloadBuilder) => void): Workload {
  const builder = new WorkloadBuilder(taskCount);
  write(builder);
  const result = builder.finished();
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

/** Lists with operations and repetitions inside repetitions, in no order. */
function randomWorkload(random: RandomSource): Workload {
  return built(5, (builder) => {
    const body = (depth: number): void => {
      for (let left = random.integer(5); left > 0; left--) {
        const kind = random.integer(5);
        const [partner, bytes, tag] = [random.integer(5), random.integer(3) * 100, random.integer(2)];
        if (kind === 0) builder.compute(bytes);
        else if (kind === 1) builder.receive(partner, bytes, tag);
        else if (kind === 2 && depth < 4) {
          builder.repeat(random.integer(4));
          body(depth + 1);
          builder.end();
        } else builder.send(partner, bytes, tag);
      }
    };
    for (let list = 0; list < 8; list++) {
      builder.list(random.integer(5));
      body(0);
    }
  });
}

describe('cursors', () => {
  it('run through lists as if their repetitions were written out, each list for itself', () => {
    const random = seededRandom(11);
    for (let round = 0; round < 200; round++) {
      const workload = randomWorkload(random);
      const cursors = new Cursors(workload);
      const programs = Array.from(workload.taskOfList, (_, list) => unrolled(workload, list));
      const places = programs.map(() => 0);
      // In turns, so that what one list does cannot disturb another.
      for (let running = true; running;) {
        running = false;
        for (const [list, program] of programs.entries()) {
          const at = cursors.operation(list);
          const event = program[places[list]!];
          if (event === undefined) expect(at).toBe(-1);
          else {
            running = true;
            const { kinds, partners, tags, amounts } = workload;
            expect({ kind: kinds[at], partner: partners[at], tag: tags[at], amount: amounts[at] }).toEqual(event);
            places[list]! += 1;
            cursors.next(list);
          }
        }
      }
    }
  });
});

describe('the sums of a workload', () => {
  it('are those of its sends one by one', () => {
    const random = seededRandom(12);
    for (let round = 0; round < 100; round++) {
      const workload = randomWorkload(random);
      const plain = new Map<string, { bytes: number; messages: number }>();
      for (const [list, task] of workload.taskOfList.entries()) {
        for (const { kind, partner, amount } of unrolled(workload, list)) {
          if (kind !== operationKind.send) continue;
          const sum = plain.get(`${task} ${partner}`) ?? { bytes: 0, messages: 0 };
          plain.set(`${task} ${partner}`, { bytes: sum.bytes + amount, messages: sum.messages + 1 });
        }
      }
      const { rowStart, partner, bytes, messages } = sendsOf(workload);
      const sums = new Map<string, { bytes: number; messages: number }>();
      for (let task = 0; task < 5; task++) {
        for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) {
          sums.set(`${task} ${partner[pair]!}`, { bytes: bytes[pair]!, messages: messages[pair]! });
          if (pair > rowStart[task]!) expect(partner[pair]).toBeGreaterThan(partner[pair - 1]!);
        }
      }
      expect(sums).toEqual(plain);
      const traffic = workloadTraffic(workload);
      const kept = [...plain].filter(([key, sum]) => key[0] !== key[2] && sum.bytes > 0);
      expect(traffic.bytes).toHaveLength(kept.length);
      expect(traffic.bytes.every((value) => value > 0)).toBe(true);
      const { program, ...others } = trafficWithMessages(workload);
      expect(others.traffic).toEqual(traffic);
      expect([...program.counts]).toEqual(
        kept.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum.messages),
      );
    }
  });

  it('tell the largest message, and for how long the busiest list computes and sends', () => {
    const { traffic, program } = trafficWithMessages(
      built(3, (builder) => {
        builder.list(0);
        builder.repeat(10);
        builder.send(1, 1e6, 0);
        builder.send(1, 3e6, 1);
        builder.compute(0.01);
        builder.end();
        builder.list(1);
        builder.send(2, 5, 0);
        builder.send(1, 9e9, 0);
        builder.list(2);
        builder.receive(1, 5, 0);
      }),
    );
    expect([...traffic.bytes]).toEqual([4e7, 5]);
    // To the own task a message takes no time, and is none of the traffic.
    expect(program).toEqual({ counts: Float64Array.of(20, 1), largestBytes: 3e6, seconds: 0.14 });
  });

  it('look whether they are cancelled, once for some ten thousand operations or pairs, and end at once when they are', () => {
    const tasks = 400;
    const workload = built(tasks, (builder) => {
      for (let task = 0; task < tasks; task++) {
        builder.list(task);
        for (let step = 0; step < tasks; step++) builder.send((task + step) % tasks, 8, 0);
      }
    });
    const looksOf = (mostLooks: number): number => {
      let looks = 0;
      trafficWithMessages(workload, { isCancelled: () => ++looks >= mostLooks });
      return looks;
    };
    const all = looksOf(Infinity);
    expect(all).toBeGreaterThan((2 * tasks * tasks) / 20_000);
    // Each of its sums finds it again.
    expect(looksOf(1)).toBeLessThan(all / 4);
  });
});

describe('sends and receives', () => {
  it('match by sender, receiver, tag and bytes, over repetitions', () => {
    const workload = built(2, (builder) => {
      builder.list(0);
      builder.repeat(6);
      builder.send(1, 8, 3);
      builder.end();
      builder.list(1);
      builder.repeat(2);
      builder.repeat(3);
      builder.receive(0, 8, 3);
      builder.end();
      builder.end();
    });
    expect(checkMatching(workload)).toEqual({ ok: true, value: undefined });
  });

  it.each([
    [
      8,
      4,
      '1 message is never received, and 1 receive waits for messages that are never sent. First: 8 bytes with tag 3 from task 0 to task 1, sent and not received.',
    ],
    [8, 3, 'accepted'],
  ])('that do not match are counted, with the first of them: %i bytes, tag %i', (bytes, tag, message) => {
    const workload = built(2, (builder) => {
      builder.list(0);
      builder.send(1, 8, 3);
      builder.list(1);
      builder.receive(0, bytes, tag);
    });
    const result = checkMatching(workload);
    expect(result.ok ? 'accepted' : result.failure.message).toBe(message);
  });

  it('are counted by differences, however many kinds of messages there are', () => {
    const workload = built(2, (builder) => {
      builder.list(0);
      for (let bytes = 0; bytes < 5000; bytes++) builder.send(1, bytes, 0);
      builder.list(1);
      for (let bytes = 4999; bytes >= 10; bytes--) builder.receive(0, bytes, 0);
      builder.repeat(2000);
      builder.receive(0, 1, 1);
      builder.end();
    });
    const first = { from: 0, to: 1, tag: 0, bytes: 0, surplus: 1 };
    expect(unmatchedOf(workload)).toEqual({ sends: 10, receives: 2000, first });
  });
});

it('a workload has the fingerprint of its operations', () => {
  const one = (bytes: number): Workload =>
    built(2, (builder) => {
      builder.list(0);
      builder.send(1, bytes, 0);
    });
  expect(fingerprintOfWorkload(one(8))).toBe(fingerprintOfWorkload(one(8)));
  expect(fingerprintOfWorkload(one(8))).not.toBe(fingerprintOfWorkload(one(9)));
});
