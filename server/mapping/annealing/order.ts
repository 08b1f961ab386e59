import type { Region } from './chain.ts';

/** A stint of annealing; plain data, so that any thread can do it. */
export interface AnnealOrder {
  /** Where the tasks are. Not written. */
  readonly placeOfTask: Int32Array;
  /** Any integer; the same order gives the same outcome on every machine. */
  readonly seed: number;
  /** Trials, those that turn out not to be worth evaluating included. */
  readonly steps: number;
  /** Temperatures of the first and the last trial, in whole units of cost; they fall geometrically. */
  readonly from: number;
  readonly to: number;
  /**
   * Ends in a local optimum and never above its start. Without it the outcome is where the chain is at its end,
   * which is what the next epoch goes on from.
   */
  readonly settle: boolean;
  /** Left out where all sites take part. */
  readonly region?: Region;
}

/** What came of it. */
export interface AnnealOutcome {
  readonly placeOfTask: Int32Array;
  /** In whole units, as `valueOf` counts it. */
  readonly value: number;
  /** Exchanges whose effect was worked out. */
  readonly evaluations: number;
  readonly accepted: number;
}
