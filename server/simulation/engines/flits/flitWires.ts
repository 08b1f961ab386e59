/**
 * Links that carry flits: when each can take one, what is under way, and what an observer hears of it. With links of equal speed, which take a
 * flit in every cycle, all flits are equally long under way, so that they stand in one line; with others there is a line for each speed.
 */
import { intAt, itemAt, realAt } from '../../../numeric/elements.ts';
import type { MessageObserver } from '../../messages.ts';
import { DelayLine } from '../../pending.ts';
import { linkWords } from './flitRecords.ts';
import { flitCycles, isFreeAt, nextFree } from '../flitTimes.ts';

const { shift, runPacket, runStart, runLength } = linkWords;

/** What is needed to build the wires of a network. */
export interface WireOptions {
  readonly linkCount: number;
  /** Flits that the queues of all links hold together. */
  readonly places: number;
  /** Cycles of a link. */
  readonly link: number;
  /** Cycles of a flit by link; undefined where it is 1 on all. */
  readonly times: Float64Array | undefined;
}

export class FlitWires {
  /** Of flits under way, which land in the order of these lines. */
  readonly lines: readonly DelayLine[] = [];
  readonly #times: Float64Array | undefined;
  /** By link: from when on it can take another flit, and which line its flits stand in. */
  readonly #free: Float64Array | undefined;
  readonly #lineOf: Int32Array = new Int32Array(0);
  readonly #first: DelayLine;

  constructor({ linkCount, places, link, times }: WireOptions) {
    const kinds = [...new Set(times === undefined ? [1] : Array.from(times, flitCycles))];
    this.lines = kinds.map((cycles) => {
      const delay = link + cycles - 1;
      return new DelayLine(Math.min(linkCount * delay, places) + 1, delay);
    });
    this.#first = itemAt(this.lines, 0);
    this.#times = times;
    if (times === undefined) return;
    this.#free = new Float64Array(linkCount);
    this.#lineOf = Int32Array.from(times, (time) => kinds.indexOf(flitCycles(time)));
  }

  /** Cycle in which the next flit lands, Infinity where none is under way. */
  get due(): number {
    let due = this.#first.due;
    for (const line of this.lines) due = Math.min(due, line.due);
    return due;
  }

  /** Whether a link can take a flit in a cycle. */
  canTake(link: number, now: number): boolean {
    return this.#free === undefined || isFreeAt(realAt(this.#free, link), now);
  }

  /** A flit is sent into a channel; how many cycles it keeps its link busy. */
  send(link: number, channel: number, now: number): number {
    const free = this.#free;
    if (free === undefined || this.#times === undefined) {
      this.#first.push(channel);
      return 1;
    }
    itemAt(this.lines, intAt(this.#lineOf, link)).push(channel);
    const next = nextFree(realAt(free, link), now, realAt(this.#times, link));
    free[link] = next;
    return flitCycles(next - now);
  }

  /** All flits of a cycle have been sent. */
  seal(now: number): void {
    for (const line of this.lines) line.seal(now);
  }
}

/** Tells of flits of one packet that go over a link without a gap as of one crossing. */
export class CrossingRuns {
  readonly #links: Int32Array;
  readonly #tell: NonNullable<MessageObserver['crossed']>;
  readonly #messageOf: (packet: number) => number;

  constructor(links: Int32Array, tell: NonNullable<MessageObserver['crossed']>, messageOf: (packet: number) => number) {
    this.#links = links;
    this.#tell = tell;
    this.#messageOf = messageOf;
  }

  /** A flit of a packet goes over a link, which is busy for so many cycles. */
  add(link: number, packet: number, now: number, cycles: number): void {
    const links = this.#links;
    const record = link << shift;
    const length = intAt(links, record + runLength);
    const tick = now | 0;
    if (length > 0 && links[record + runPacket] === packet && links[record + runStart] === ((tick - length) | 0)) {
      links[record + runLength] = length + cycles;
      return;
    }
    this.end(link, now);
    links[record + runPacket] = packet;
    links[record + runStart] = tick;
    links[record + runLength] = cycles;
  }

  /** What has gone over a link last is over. */
  end(link: number, now: number): void {
    const links = this.#links;
    const record = link << shift;
    const length = intAt(links, record + runLength);
    if (length === 0) return;
    const start = now - ((now - intAt(links, record + runStart)) >>> 0);
    this.#tell(link, start, length, this.#messageOf(intAt(links, record + runPacket)));
    links[record + runLength] = 0;
  }
}
