/**
 * Who sends how much to whom: a sparse matrix over ordered pairs of tasks in compressed
 * sparse rows. Rows are senders. Within a row partners ascend; there is no diagonal and no
 * zero, so every stored entry is a pair that counts.
 */
export interface Traffic {
  readonly taskCount: number;
  /** Length taskCount + 1. */
  readonly rowStart: Int32Array;
  /** TaskId of the receiver; length = pair count. */
  readonly partner: Int32Array;
  /** w(i, j) in bytes, > 0 and finite; length = pair count. */
  readonly bytes: Float64Array;
}

export type TableUnit = 'bytes' | 'messages' | 'packets';

/** Entries as a file or an inline table gives them: any order, repeated pairs add up. */
export interface TableEntries {
  /** Tasks the source declares (a matrix's order), or 1 + the largest index where it declares none. */
  readonly size: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Finite and ≥ 0, checked by the reader. */
  readonly amount: Float64Array;
  /** Messages of each entry, where the source counts them beside the bytes; then `amount` is bytes. */
  readonly messages?: Float64Array;
  /** What the source holds and is not read, a sentence each. */
  readonly warnings?: readonly string[];
}
