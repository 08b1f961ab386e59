import { expect, it } from 'vitest';
import { neverCancelled, WorkMeter } from '../model/cancellation.ts';
import { WorkloadBuilder } from '../model/workload.ts';
import type { MessageNetwork } from './messages.ts';
import { type ProgramMessage, RunningPrograms } from './runningPrograms.ts';

/** Task 0 sends `count` messages that look alike to task 1, which receives them in `lists` lists. */
function running(count: number, lists: number) {
  const builder = new WorkloadBuilder(2);
  for (let message = 0; message < count; message++) {
    builder.list(0);
    builder.send(1, 64, 7);
  }
  for (let list = 0; list < lists; list++) {
    builder.list(1);
    for (let message = list; message < count; message += lists) builder.receive(0, 64, 7);
  }
  const built = builder.finished(neverCancelled);
  if (!built.ok) throw new Error(built.failure.message);
  const sent: ProgramMessage[] = [];
  let ended = 0;
  const steps = {
    send: (_from: number, _to: number, _bytes: number, message: ProgramMessage) => void sent.push(message),
    listEnded: (task: number) => void (ended += task),
  };
  const meter = new WorkMeter(neverCancelled);
  const network = { now: 0, secondsPerCycle: undefined } as MessageNetwork;
  const programs = new RunningPrograms(
    [{ workload: built.value, firstTask: 0 }],
    network,
    Int32Array.of(0, 1),
    steps,
    meter,
  );
  programs.run(meter);
  return {
    /** How many lists of the receiver have ended once these messages, by their order of sending, are there too. */
    endedAfter: (...numbers: readonly number[]): number => {
      for (const number of numbers) {
        const message = sent.find((one) => one.number === number)!;
        programs.arrived(message.key, number);
        programs.run(meter);
      }
      return ended;
    },
  };
}

it('gives the first receive the message that was sent first, whichever arrives first', () => {
  const { endedAfter } = running(2, 2);
  // The second list waits for the second message.
  expect(endedAfter(1)).toBe(1);
  expect(endedAfter(0)).toBe(2);
});

it('lets nobody receive a message before those that were sent earlier', () => {
  const { endedAfter } = running(4, 1);
  expect(endedAfter(3, 1, 2)).toBe(0);
  expect(endedAfter(0)).toBe(1);
});
