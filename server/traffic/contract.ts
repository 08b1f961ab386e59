import type { Cancellation } from '../model/cancellation.ts';
import type { CatalogueEntry, OptionValues } from '../model/catalogue.ts';
import type { RandomSource } from '../model/random.ts';
import type { Result } from '../model/result.ts';
import type { Shape } from '../model/shape.ts';

/** Tasks at `offset` on the grid are partners; `weight` multiplies the bytes. */
export interface StencilOffset {
  readonly offset: readonly number[];
  readonly weight: number;
}

/** A stencil, built in or declared: every task sends to the task at each offset. */
export interface Stencil {
  readonly name: string;
  readonly dimensions: number;
  readonly offsets: readonly StencilOffset[];
}

export interface StencilEntry extends CatalogueEntry {
  readonly stencil: Stencil;
}

/** Receives each ordered pair of a pattern; repeated pairs add up, self pairs are dropped. */
export type AddPair = (from: number, to: number, weight: number) => void;

export interface PatternRequest {
  readonly taskCount: number;
  readonly grid?: Shape;
  readonly periodic: boolean;
  readonly random: RandomSource;
  /** Patterns of more than a few pairs per task look at it; absent: never cancelled. */
  readonly cancellation?: Cancellation;
  readonly options: OptionValues;
}

export interface PatternEntry extends CatalogueEntry {
  /** Pairs that `generate` adds, at most: compared with the pair limit before anything is allocated. */
  readonly pairBound: (request: PatternRequest) => number;
  /** Draws random numbers, so that its pairs depend on the seed. */
  readonly isRandom?: true;
  /** Fails where the pattern needs a task count it was not given: a square, a power of two. */
  readonly generate: (request: PatternRequest, add: AddPair) => Result<void>;
}
