/** Workloads whose helpers do what is right, or what may go wrong with a thread; `helpers.ts` beside it serves them. */
import type { Cancellation } from '../../../model/cancellation.ts';
import type { Workload } from '../workQueue.ts';

export interface Inputs {
  readonly addend: number;
  /** Shared memory. Cell 0: how many items helpers have begun. */
  readonly begun: Int32Array;
}

export const inputsWith = (addend: number): Inputs => ({
  addend,
  begun: new Int32Array(new SharedArrayBuffer(4)),
});

/** The calling thread waits for a helper to begin an item: else it might have done all before there is one. */
export function waitForHelpers({ begun }: Inputs): void {
  if (Atomics.wait(begun, 0, 0, 20_000) === 'timed-out') throw new Error('No helper has begun an item.');
}

type Numbers = Workload<Inputs, number, number>;

const squareOf = (item: number, addend: number): number => item * item + addend;

/** What the calling thread does, whatever its helpers are like. */
export const squares = (name: string): Numbers => ({
  name,
  prepare:
    ({ addend }) =>
    (item) =>
      squareOf(item, addend),
});

/** Item 3 and all after it fail, wherever they are done. */
export const failing: Numbers = {
  name: 'failing',
  prepare:
    ({ addend }) =>
    (item) => {
      if (item >= 3) throw new Error(`Item ${item} cannot be done.`);
      return squareOf(item, addend);
    },
};

/** Answers whether it was stopped; it does not end before. */
export const endless: Workload<Inputs, number, string> = {
  name: 'endless',
  prepare: () => (_, stop) => {
    while (!stop.isCancelled());
    return 'stopped';
  },
};

type DoNumber = (item: number, stop: Cancellation) => number;

const helperThat = (name: string, act: (right: DoNumber) => DoNumber): Numbers => ({
  name,
  prepare: ({ addend, begun }) => {
    const doItem = act((item) => squareOf(item, addend));
    return (item, stop) => {
      Atomics.add(begun, 0, 1);
      Atomics.notify(begun, 0);
      return doItem(item, stop);
    };
  },
});

export const helpersThat = {
  help: helperThat('help', (right) => right),
  throw: helperThat('throw', () => () => {
    throw new Error('A helper cannot do this.');
  }),
  exit: helperThat('exit', () => () => process.exit(7)),
  'answer once and exit': helperThat('answer once and exit', (right) => {
    let answered = 0;
    return (item, stop) => (answered++ === 0 ? right(item, stop) : process.exit(7));
  }),
  'do not end before they are stopped': helperThat('do not end before they are stopped', () => (_, stop) => {
    while (!stop.isCancelled());
    return Number.NaN;
  }),
  'cannot be understood': helperThat('cannot be understood', () => () => (() => 1) as unknown as number),
};
