import { describe, expect, it } from 'vitest';
import { deepestRepeat, operationKind, WorkloadBuilder } from './workload.ts';

const { send, receive, compute, repeat } = operationKind;

function built(taskCount: number, write: (builder: WorkloadBuilder) => void) {
  const builder = new WorkloadBuilder(taskCount);
  write(builder);
  const result = builder.finished();
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

function refusal(taskCount: number, write: (builder: WorkloadBuilder) => void): string {
  const builder = new WorkloadBuilder(taskCount);
  write(builder);
  const result = builder.finished();
  return result.ok ? 'accepted' : `${result.failure.message} [${result.failure.code}]`;
}

describe('a workload that is written', () => {
  it('has its operations list by list, whichever order they were written in', () => {
    const workload = built(2, (builder) => {
      const first = builder.list(0);
      builder.send(1, 10, 1);
      const second = builder.list(1);
      builder.receive(0, 10, 1);
      builder.select(first);
      builder.repeat(3);
      builder.receive(1, 20, 2);
      builder.select(second);
      builder.repeat(3);
      builder.send(0, 20, 2);
      builder.end();
      builder.select(first);
      builder.compute(0.5);
      builder.end();
    });
    expect(workload).toEqual({
      taskCount: 2,
      taskOfList: Int32Array.of(0, 1),
      offsets: Int32Array.of(0, 4, 7),
      kinds: Uint8Array.of(send, repeat, receive, compute, receive, repeat, send),
      partners: Int32Array.of(1, 2, 1, 0, 0, 1, 0),
      tags: Int32Array.of(1, 0, 2, 0, 1, 0, 2),
      amounts: Float64Array.of(10, 3, 20, 0.5, 10, 3, 20),
    });
  });

  it.each([
    ['once', 1, [send, send]],
    ['never', 0, [send]],
    ['twice', 2, [repeat, send, send]],
  ])('leaves out what is said by no repetition: %s', (_, times, kinds) => {
    const workload = built(2, (builder) => {
      builder.list(0);
      builder.repeat(times);
      builder.send(1, 1, 0);
      builder.repeat(5);
      builder.repeat(7);
      builder.compute(0);
      builder.end();
      builder.end();
      builder.end();
      builder.send(1, 2, 0);
    });
    expect([...workload.kinds]).toEqual(kinds);
    expect([...workload.offsets]).toEqual([0, kinds.length, kinds.length]);
    if (times === 2) expect(workload.partners[0]).toBe(1);
  });

  it.each([
    ['one list after the other', false],
    ['in turns', true],
  ])('has very many operations %s, with a repetition of most of them', (_, isInTurns) => {
    const [lists, each] = [3, 70_000];
    const writeOne = (builder: WorkloadBuilder, list: number, at: number): void => {
      builder.select(list);
      if (at === 1 && list === 1) builder.repeat(4);
      if (at === 2) builder.repeat(1);
      builder.send((list + at) % lists, at, list);
      if (at === 3) builder.end();
      if (at === each - 2 && list === 1) builder.end();
    };
    const workload = built(lists, (builder) => {
      for (let list = 0; list < lists; list++) builder.list(list);
      for (let step = 0; step < lists * each; step++) {
        const list = isInTurns ? step % lists : Math.floor(step / each);
        writeOne(builder, list, isInTurns ? Math.floor(step / lists) : step % each);
      }
    });
    expect([...workload.offsets]).toEqual([0, each, 2 * each + 1, 3 * each + 1]);
    const repeated = each + 1;
    expect([workload.kinds[repeated], workload.partners[repeated], workload.amounts[repeated]]).toEqual([
      repeat,
      each - 2,
      4,
    ]);
    for (let list = 0; list < lists; list++) {
      const places = [...workload.kinds.keys()].slice(workload.offsets[list], workload.offsets[list + 1]);
      const sends = places.filter((place) => workload.kinds[place] === send);
      expect(sends.length).toBe(each);
      const isRight = (place: number, at: number) =>
        workload.partners[place] === (list + at) % lists &&
        workload.amounts[place] === at &&
        workload.tags[place] === list;
      expect(sends.every(isRight)).toBe(true);
    }
  });

  it.each([1, 2, 3, 4, 5])('ends as cancelled at look %i', (last) => {
    const builder = new WorkloadBuilder(2);
    for (let at = 0; at < 200_000; at++) {
      if (at < 2) builder.list(at);
      builder.select(at % 2);
      if (at < 2) builder.repeat(1);
      builder.send(0, 1, 0);
      if (at < 2) builder.end();
    }
    let looks = 0;
    const result = builder.finished({ isCancelled: () => ++looks === last });
    expect(looks).toBe(last);
    expect(result).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
  });

  it('counts what cannot be and names the first of it', () => {
    const beyond = refusal(4, (builder) => {
      builder.list(1);
      builder.send(2, 8, 0);
      builder.send(4, 8, 0);
      builder.receive(-1, 8, 0);
    });
    expect(beyond).toBe(
      'The workload cannot be: task 1 sends to task 4, and the tasks are 0 to 3, and 1 more like it. [bad-workload]',
    );
    const cases: readonly [string, (builder: WorkloadBuilder) => void][] = [
      [
        'task 0 sends to task 1 -1 bytes',
        (builder) => {
          builder.send(1, -1, 0);
        },
      ],
      [
        'task 0 receives from task 1 with tag 4294967296',
        (builder) => {
          builder.receive(1, 1, 2 ** 32);
        },
      ],
      [
        'computing takes NaN s',
        (builder) => {
          builder.compute(Number.NaN);
        },
      ],
      [
        'something is repeated 0.5 times',
        (builder) => {
          builder.repeat(0.5);
        },
      ],
      [
        'a repetition has no end',
        (builder) => {
          builder.repeat(2);
        },
      ],
      [
        'a repetition ends that has not begun',
        (builder) => {
          builder.end();
        },
      ],
      [
        `repetitions are nested deeper than ${deepestRepeat}`,
        (builder) => {
          for (let depth = 0; depth <= deepestRepeat; depth++) builder.repeat(2);
          for (let depth = 0; depth <= deepestRepeat; depth++) builder.end();
        },
      ],
    ];
    for (const [sentence, write] of cases) {
      const message = refusal(2, (builder) => {
        builder.list(0);
        write(builder);
      });
      expect(message).toContain(sentence);
    }
  });
});
