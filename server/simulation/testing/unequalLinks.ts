import { seededRandom } from '../../model/random.ts';
import type { Machine } from '../../model/machine.ts';
import { everyMachine } from '../../network/testing/everyMachine.ts';
import { withLinkTimes } from '../../network/testing/machines.ts';
import { relativeTimes } from '../../network/linkClasses.ts';
import { routesOf } from '../routes.ts';

/** Every machine, with links that take one, two, three or five times as long as the fastest, drawn at random. */
export const unequalMachines = (): readonly (readonly [string, Machine])[] =>
  everyMachine().map(([name, machine]) => {
    const random = seededRandom(5);
    return [`${name} with unequal links`, withLinkTimes(machine, () => [1, 2, 3, 5][random.integer(4)]!)];
  });

interface Alone {
  readonly packets: number;
  readonly flits: number;
  readonly router: number;
  readonly link: number;
  readonly isStored?: boolean;
}

/**
 * Cycles from the making of the first of so many packets to the arrival of the last one, alone on its one route: every flit crosses each link
 * when it is there and the one before it has crossed. Straight from that, flit by flit.
 */
export function cyclesAlone(machine: Machine, from: number, to: number, options: Alone): number {
  const { packets, flits, router, link, isStored = false } = options;
  const { hasHostLinks } = machine.topology;
  const channels = new Int32Array(256);
  const length = routesOf(machine).write(from, to, channels, 0, 256);
  const times = relativeTimes(machine)!;
  const crossed = [...channels.subarray(hasHostLinks ? 0 : 1, hasHostLinks ? length : length - 1)].map(
    (channel) => times[channel]!,
  );
  // The way out takes a flit a cycle.
  const free = [...crossed, 1].map(() => 0);
  let last = 0;
  for (let packet = 0; packet < packets; packet++) {
    let there = new Array<number>(flits).fill(0);
    for (const [place, time] of [...crossed, 1].entries()) {
      let before = Math.max(free[place]!, there[isStored ? flits - 1 : 0]! + router);
      // A header alone is routed, and the others follow it.
      there = there.map((ready) => (before = Math.max(before, ready) + time));
      free[place] = before;
      last = before - 1;
      there = there.map((end) => end + link - 1);
    }
  }
  return last;
}
