import type { Cancellation } from '../model/cancellation.ts';
import { seededRandom } from '../model/random.ts';
import { anneal } from './annealing/anneal.ts';
import { annealGroups, type GroupOrder } from './annealing/groups.ts';
import type { AnnealOrder, AnnealOutcome } from './annealing/chain.ts';
import type { Annealing } from './annealing/annealing.ts';
import type { DenseProblem } from './dense/denseProblem.ts';
import { improveDense, type DenseOrder, type DenseResult } from './dense/tabuSearch.ts';
import { embed, type EmbeddingPlan } from './embedding/embed.ts';
import { partitionOntoPlaces } from './partitioning/dualBisection.ts';
import { placesByParts } from './partitioning/placesByParts.ts';
import type { SearchCore } from './problem/searchProblem.ts';

/**
 * Who does the stints of a search: the calling thread alone, or several threads that the doors
 * keep. What a stint comes to depends on its materials and on nothing else, so the outcomes are
 * the same whoever does them, and in the order of the stints.
 */
export interface Crew {
  /** How many stints are done at a time; for budgets in time, never for what is done. */
  readonly threads: number;
  /** Hands out what all stints of one search share. */
  open(materials: StintMaterials): Shift;
}

export interface Shift {
  /**
   * Does all stints; where `stop` says so each ends at once with the best it has. The calling thread does
   * `meanwhile` before it takes a stint itself: what no other thread can do.
   */
  run(stints: readonly Stint[], stop: Cancellation, meanwhile?: () => void): readonly StintOutcome[];
  close(): void;
}

/** All in the calling thread. */
export const crewOfOne: Crew = {
  threads: 1,
  open: (materials) => ({
    run: (stints, stop, meanwhile) => {
      meanwhile?.();
      return stints.map((stint) => doStint(materials, stint, stop));
    },
    close: () => undefined,
  }),
};

/** What all stints of one search share. Plain data, so that it crosses threads. */
export interface StintMaterials {
  readonly core: SearchCore;
  readonly plan?: EmbeddingPlan;
  readonly dense?: DenseProblem;
  readonly annealing?: Annealing;
}

/** A piece of a search that any thread can do; plain data as well. */
export type Stint =
  | { readonly kind: 'embed'; readonly variant: number }
  /** `joined`: on the places that annealing works with. */
  | { readonly kind: 'drb' | 'k-way'; readonly seed: number; readonly joined: boolean }
  | { readonly kind: 'dense'; readonly order: DenseOrder }
  | { readonly kind: 'anneal'; readonly order: AnnealOrder }
  | { readonly kind: 'groups'; readonly order: GroupOrder };

/** What came of it; nothing where it was stopped before it had anything. */
export interface StintOutcome {
  readonly placeOfTask?: Int32Array;
  readonly dense?: DenseResult;
  readonly annealed?: AnnealOutcome;
}

/** What a stint comes to depends on the materials and the stint alone, unless it is stopped. */
export function doStint(materials: StintMaterials, stint: Stint, stop: Cancellation): StintOutcome {
  const { core, plan, dense, annealing } = materials;
  switch (stint.kind) {
    case 'embed':
      return mapped(plan && embed(core, plan, stint.variant, stop));
    case 'drb':
    case 'k-way': {
      const on = stint.joined ? annealing?.core : core;
      const make = stint.kind === 'drb' ? partitionOntoPlaces : placesByParts;
      return mapped(on && make(on, seededRandom(stint.seed), stop));
    }
    case 'dense':
      return dense === undefined ? {} : { dense: improveDense(dense, stint.order, stop) };
    case 'anneal':
      return annealing === undefined ? {} : { annealed: anneal(annealing, stint.order, stop) };
    case 'groups':
      return annealing === undefined ? {} : { annealed: annealGroups(annealing, stint.order, stop) };
  }
}

const mapped = (placeOfTask: Int32Array | undefined): StintOutcome =>
  placeOfTask === undefined ? {} : { placeOfTask };
