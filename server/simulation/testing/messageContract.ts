import { describe, expect, it } from 'vitest';
import { neverCancelled, type Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { seededRandom } from '../../model/random.ts';
import type { MessageAdvance, MessageNetwork, MessageObserver } from '../messages.ts';

/** An engine as the contract knows it. */
export interface MessageEngine {
  readonly name: string;
  readonly machines: readonly (readonly [string, Machine])[];
  readonly make: (machine: Machine, observer: MessageObserver) => MessageNetwork;
  /** Packets of a message. */
  readonly packetsOf: (bytes: number) => number;
  /** Cycles from the making of the first packet to the arrival of the last one where nothing else is sent; absent where not exact. */
  readonly alone?: (machine: Machine, from: number, to: number, bytes: number) => number;
  /** Bytes of messages to try. */
  readonly bytes: readonly number[];
}

export interface Sending {
  readonly cycle: number;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

/** What is told of a run: by cycle what was sent and arrived, and what the observer heard, in a canonical order. */
export interface Story {
  readonly cycles: readonly (readonly [number, readonly number[], readonly number[]])[];
  readonly deliveries: readonly (readonly number[])[];
  readonly crossings: readonly (readonly number[])[];
  readonly left: number;
  readonly why: MessageAdvance;
}

/** How a run is cut into calls of `advance`. */
export interface Cut {
  /** At most so many cycles a call. */
  readonly step?: number;
  readonly cancellation?: Cancellation;
}

/** Sends what is due at the end of its cycle (from −1 on) and goes on until everything has arrived, or to the cycle `end`. */
export function story(
  make: (observer: MessageObserver) => MessageNetwork,
  sendings: readonly Sending[],
  end: number,
  { step = Infinity, cancellation = neverCancelled }: Cut = {},
): Story {
  const deliveries: number[][] = [];
  const crossings: number[][] = [];
  const network = make({
    delivered: (message, created, arrived, hops, flits) => deliveries.push([arrived, message, created, hops, flits]),
    crossed: (channel, start, cycles, message) => crossings.push([start, channel, cycles, message]),
  });
  const cycles: [number, number[], number[]][] = [];
  let next = 0;
  let why: MessageAdvance = 'reached';
  while (why !== 'deadlock' && network.now < end && (next < sendings.length || network.messagesUnderWay > 0)) {
    for (; sendings[next]?.cycle === network.now; next++) {
      const { from, to, bytes } = sendings[next]!;
      network.send(from, to, bytes);
    }
    why = network.advance(Math.min(end, sendings[next]?.cycle ?? end, network.now + step), cancellation);
    if (why === 'events') cycles.push([network.now, [...network.sent], [...network.arrived]]);
  }
  const inOrder = (a: number[], b: number[]): number =>
    a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]! || a[3]! - b[3]!;
  const left = network.messagesUnderWay;
  return { cycles, deliveries: deliveries.sort(inOrder), crossings: crossings.sort(inOrder), left, why };
}

/** Random messages within some hundred cycles, in the order of their times. */
export function someSendings({ nodeCount }: Machine, bytes: readonly number[], seed: number, count = 60): Sending[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const from = random.integer(nodeCount);
    const to = (from + 1 + random.integer(nodeCount - 1)) % nodeCount;
    return { cycle: random.integer(200) - 1, from, to, bytes: bytes[random.integer(bytes.length)]! };
  }).sort((a, b) => a.cycle - b.cycle);
}

/** Two of three polls say so. */
function nowAndThen(): Cancellation {
  let polls = 0;
  return { isCancelled: () => polls++ % 3 > 0 };
}

const end = 1e7;

/** What every engine of messages keeps. */
export function messageContract(engine: MessageEngine): void {
  const { name, machines, make, alone, bytes } = engine;
  describe(`${name} keeps the contract of messages`, () => {
    describe.each(machines)('on %s', (_, machine) => {
      const run = (sendings: readonly Sending[], cut?: Cut): Story =>
        story((observer) => make(machine, observer), sendings, end, cut);

      if (alone)
        it('a message alone takes exactly what it must', () => {
          const wrong: unknown[] = [];
          for (let from = 0; from < machine.nodeCount; from += 2) {
            for (let to = from % 3; to < machine.nodeCount; to += 3) {
              if (from === to) continue;
              const length = bytes[(from + to) % bytes.length]!;
              const { cycles } = run([{ cycle: -1, from, to, bytes: length }]);
              const arrival = cycles.find(([, , arrived]) => arrived.length > 0)?.[0];
              if (arrival !== alone(machine, from, to, length)) wrong.push({ from, to, length, arrival });
            }
          }
          expect(wrong).toEqual([]);
        });

      const sendings = someSendings(machine, bytes, 7);
      const whole = run(sendings);

      it('what is sent arrives, each message and each packet once', () => {
        const count = (index: 1 | 2): number => whole.cycles.reduce((sum, cycle) => sum + cycle[index].length, 0);
        expect([count(1), count(2), whole.left]).toEqual([sendings.length, sendings.length, 0]);
        const packets = sendings.reduce((sum, each) => sum + engine.packetsOf(each.bytes), 0);
        expect(whole.deliveries).toHaveLength(packets);
        expect(whole.deliveries.filter(([arrived, , created]) => arrived! < created!)).toEqual([]);
      });

      it('a channel carries one thing after the other', () => {
        const free = new Map<number, number>();
        const early = whole.crossings.filter(([start, channel, cycles]) => {
          const isEarly = start! < (free.get(channel!) ?? 0);
          free.set(channel!, start! + cycles!);
          return isEarly;
        });
        expect(early).toEqual([]);
      });

      it('happens alike however the time is cut into calls, and goes on after each cancellation', () => {
        expect(run(sendings, { step: 1 })).toEqual(whole);
        expect(run(sendings, { step: 7, cancellation: nowAndThen() })).toEqual(whole);
      });
    });
  });
}
