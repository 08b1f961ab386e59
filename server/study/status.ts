import type { SearchProgress } from '../model/cancellation.ts';

/** How far the evaluation of one placement is. */
export interface PlacementProgress {
  /** 0 … 1, of this placement alone. */
  readonly share: number;
  /** One short line: what is being done. */
  readonly message: string;
  /** How good the best mapping is by now; absent where nothing is searched, or nothing was found yet. */
  readonly search?: SearchProgress;
  /** Of this placement alone, estimated from the share and the time that it took; absent before there is a share. */
  readonly secondsLeft?: number;
}

/**
 * What is being done about a placement, or why nothing is. It says nothing of the report that there is: a
 * placement that is worked out again still has the one before.
 */
export type PlacementStatus =
  /** Nothing is going on: the report is the answer, or there is none because the text has errors. */
  | { readonly kind: 'idle' }
  /** Will be worked out: others go first. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'working'; readonly progress: PlacementProgress }
  /** The user ended it before there was an answer. */
  | { readonly kind: 'cancelled' }
  /** It could not be worked out: the first error that it depends on, or what stopped the computation. */
  | { readonly kind: 'failed'; readonly message: string };

export const idle: PlacementStatus = { kind: 'idle' };
