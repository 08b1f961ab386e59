import { intAt, itemAt } from '../numeric/elements.ts';

/** Messages that all senders together have under way at most, some 300 bytes each. */
const mostUnderWay = 2 ** 20;
/** Of many senders each may have so many. */
const leastOfSender = 256;

/**
 * Holds senders back that have much under way until some of it has arrived, so that memory is bounded however much they send: nodes of
 * worms and of flows take over whatever they are handed. What is under way arrives whatever receivers do, so that nobody waits for ever
 * for this alone.
 */
export class HeldSenders {
  readonly #most: number;
  readonly #underWay: Int32Array;
  /** By sender what is held back of it, the first one first. */
  readonly #held = new Map<number, number[]>();

  constructor(senders: number) {
    this.#most = Math.max(leastOfSender, Math.floor(mostUnderWay / Math.max(1, senders)));
    this.#underWay = new Int32Array(senders);
  }

  /** One more message of the sender is under way. */
  handed(sender: number): void {
    this.#underWay[sender] = intAt(this.#underWay, sender) + 1;
  }

  /** Whether the sender may send on; else `what` of it is held back until {@link arrived} returns it. */
  mayGoOn(sender: number, what: number): boolean {
    if (intAt(this.#underWay, sender) < this.#most) return true;
    const held = this.#held.get(sender);
    if (held === undefined) this.#held.set(sender, [what]);
    else held.push(what);
    return false;
  }

  /** A message of the sender has arrived: what was held back and goes on now, or undefined. */
  arrived(sender: number): number | undefined {
    this.#underWay[sender] = intAt(this.#underWay, sender) - 1;
    const held = this.#held.get(sender);
    if (held === undefined) return undefined;
    const first = itemAt(held, 0);
    if (held.length === 1) this.#held.delete(sender);
    else held.shift();
    return first;
  }
}
