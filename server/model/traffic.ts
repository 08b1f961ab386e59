import { traceFormats } from './workload.ts';

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

/**
 * The formats that tables are read in: `table NAME from "FILE" as FORMAT`. Their readers are the catalogue of table formats in
 * `server/interchange`, which a test holds against this list; the names stand down here because the language checks them and
 * reads no files.
 */
export const tableFormatNames: readonly { readonly name: string; readonly summary: string }[] = [
  {
    name: 'matrix-market',
    summary: 'a square matrix in Matrix Market form, coordinate or array; indices count from 1',
  },
  { name: 'npy', summary: 'a square array of NumPy, as `numpy.save` writes it' },
  { name: 'pml-monitoring', summary: 'profiles of Open MPI (`pml_monitoring`), one file or one of each rank' },
  { name: 'scotch', summary: 'a graph of Scotch (`.grf`); edge weights are what either side sends' },
  { name: 'metis', summary: 'a graph of METIS, Chaco or KaHIP; edge weights are what either side sends' },
  { name: 'treematch', summary: 'a square matrix of TreeMatch (`.mat`), with blanks between and behind amounts' },
  ...traceFormats.map(({ name, summary }) => ({ name, summary: `${summary}: messages added up` })),
  {
    name: 'edge-list',
    summary: 'pairs under `from,to,bytes[,messages]`, or without header sender, receiver, bytes and messages',
  },
  {
    name: 'csv',
    summary: 'a square matrix with or without names of rows and columns; commas, semicolons, tabs or blanks',
  },
];
