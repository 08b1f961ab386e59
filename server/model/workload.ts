/**
 * What each task of a job does, in order: the program that a replay plays back on a network. Skeletons of benchmarks, traces
 * and collectives are made into it.
 *
 * Lists of operations in typed arrays, with repetitions, so that an iteration is written once. A task has one list, or
 * several where it does things independently of each other; lists of a task tell each other by messages to their own task,
 * which take no time.
 */
export interface Workload {
  readonly taskCount: number;
  /** The task of each list; every task has at least one. */
  readonly taskOfList: Int32Array;
  /** Operations of list l are `offsets[l]` … `offsets[l + 1] − 1`. */
  readonly offsets: Int32Array;
  /** {@link operationKind} of each operation. */
  readonly kinds: Uint8Array;
  /** Of a send the task it goes to, of a receive the one it comes from; of a repetition how many operations after it are repeated. */
  readonly partners: Int32Array;
  /** Messages match by sender, receiver, tag and bytes, in the order in which they were sent. */
  readonly tags: Int32Array;
  /** Of a send or receive bytes, of computing seconds, of a repetition how many times. */
  readonly amounts: Float64Array;
}

/**
 * `send` is over when its last packet is made, `receive` when the message is there as a whole. A non-blocking receive is
 * nothing: the wait for it is the receive.
 */
export const operationKind = { send: 0, receive: 1, compute: 2, repeat: 3 } as const;

/** Messages that are sent at their times, whatever was received. In the order of their times. */
export interface TimedMessages {
  readonly taskCount: number;
  /** Seconds from the beginning, ascending. */
  readonly times: Float64Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly bytes: Float64Array;
}
