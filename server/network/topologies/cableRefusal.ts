import { fail } from '../../model/result.ts';
import type { Cable } from '../contract.ts';

/**
 * Refuses cables whose ends are not two different routers, naming the first: `out-of-range` or
 * `self-cable`. `nameOf` says what users call a router. O(cables).
 */
export function cableRefusal(
  cables: readonly Cable[],
  routerCount: number,
  nameOf: (router: number) => string = String,
): ReturnType<typeof fail> | undefined {
  for (const { from, to } of cables) {
    const stranger = [from, to].find((end) => !isBelow(end, routerCount));
    if (stranger !== undefined) {
      const known = routerCount === 1 ? 'the only switch is 0' : `the switches are 0 to ${routerCount - 1}`;
      return fail('out-of-range', `The cable ${from} -- ${to} ends at switch ${stranger}, and ${known}.`);
    }
    if (from === to) {
      return fail('self-cable', `A cable joins two different switches: ${nameOf(from)} stands on both sides of one.`);
    }
  }
  return undefined;
}

/** Whether a number is an index of a list of `count`. */
export const isBelow = (index: number, count: number): boolean =>
  Number.isInteger(index) && index >= 0 && index < count;
