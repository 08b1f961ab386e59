import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import { gridMachine } from '../network/testing/machines.ts';
import { OfferedLoad } from './saturation.ts';

/** The load of messages of 8 flits at times in nanoseconds, from a node to its neighbour over a link that takes a flit in each. */
function loadOf(nanoseconds: readonly number[]): OfferedLoad {
  const machine = gridMachine('mesh', [2, 2], { figures: { bandwidth: 4e9 } });
  const count = nanoseconds.length;
  const messages = {
    taskCount: 2,
    times: Float64Array.from(nanoseconds, (time) => time * 1e-9),
    from: new Int32Array(count),
    to: new Int32Array(count).fill(1),
    bytes: new Float64Array(count).fill(32),
  };
  const job = { kind: 'open', messages, speed: 1, slotOfTask: Int32Array.of(0, 1) } as const;
  const load = OfferedLoad.of(
    { model: { switching: 'cut-through', packet: 8 }, machine, seed: 1, jobs: [job] },
    neverCancelled,
  );
  if (!load.ok) throw new Error(load.failure.message);
  return load.value;
}

const deliveredOf = (nanoseconds: readonly number[]): number => {
  const delivered = loadOf(nanoseconds).deliveredAt(1, neverCancelled);
  if (!delivered.ok) throw new Error(delivered.failure.message);
  return delivered.value;
};

/** Nine messages, one a nanosecond: 72 flits, whose burst is over after 16 ns, when most of them wait. */
const crowd = Array.from({ length: 9 }, (_, message) => message);
/** Messages behind the crowd, the first of them after a pause: the link is idle for half of the time. */
const calm = (pause: number): number[] => Array.from({ length: 16 }, (_, message) => 16 + pause + 20 * message);

describe('what has arrived by the ends of the bursts', () => {
  it.each([
    ['a pause shorter than the burst before it', [...crowd, ...calm(12)]],
    ['a pause shorter than 1 % of all', [...crowd, 500, 100_000]],
  ])('is nearly all where %s ends none', (_, messages) => {
    expect(deliveredOf(messages)).toBeGreaterThan(0.95);
  });

  it('is little where the crowd is a burst of its own', () => {
    expect(deliveredOf([...crowd, ...calm(17)])).toBeLessThan(0.4);
    expect(deliveredOf([...crowd, 1100, 100_000])).toBeLessThan(0.4);
  });
});
