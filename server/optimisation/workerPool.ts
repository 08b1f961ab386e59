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
 * Who does the work items of a search: the calling thread alone, or several threads that the entrypoints
 * keep. What a work item comes to depends on its inputs and on nothing else, so the outcomes are
 * the same whoever does them, and in the order of the work items.
 */
export interface WorkerPool {
  /** How many work items are done at a time; for budgets in time, never for what is done. */
  readonly threads: number;
  /** Hands out what all work items of one search share. */
  open(inputs: WorkItemInputs): PoolSession;
}

export interface PoolSession {
  /**
   * Does all work items; where `stop` says so each ends at once with the best it has. The calling thread does
   * `meanwhile` before it takes a work item itself: what no other thread can do.
   */
  run(workItems: readonly WorkItem[], stop: Cancellation, meanwhile?: () => void): readonly WorkItemOutcome[];
  close(): void;
}

/** All in the calling thread. */
export const singleThreadPool: WorkerPool = {
  threads: 1,
  open: (inputs) => ({
    run: (workItems, stop, meanwhile) => {
      meanwhile?.();
      return workItems.map((workItem) => doWorkItem(inputs, workItem, stop));
    },
    close: () => undefined,
  }),
};

/** What all work items of one search share. Plain data, so that it crosses threads. */
export interface WorkItemInputs {
  readonly core: SearchCore;
  readonly plan?: EmbeddingPlan;
  readonly dense?: DenseProblem;
  readonly annealing?: Annealing;
}

/** A piece of a search that any thread can do; plain data as well. */
export type WorkItem =
  | { readonly kind: 'embed'; readonly variant: number }
  /** `joined`: on the places that annealing works with. */
  | { readonly kind: 'drb' | 'k-way'; readonly seed: number; readonly joined: boolean }
  | { readonly kind: 'dense'; readonly order: DenseOrder }
  | { readonly kind: 'anneal'; readonly order: AnnealOrder }
  | { readonly kind: 'groups'; readonly order: GroupOrder };

/** What came of it; nothing where it was stopped before it had anything. */
export interface WorkItemOutcome {
  readonly placeOfTask?: Int32Array;
  readonly dense?: DenseResult;
  readonly annealed?: AnnealOutcome;
}

/** What a work item comes to depends on the inputs and the work item alone, unless it is stopped. */
export function doWorkItem(inputs: WorkItemInputs, workItem: WorkItem, stop: Cancellation): WorkItemOutcome {
  const { core, plan, dense, annealing } = inputs;
  switch (workItem.kind) {
    case 'embed':
      return outcomeOfMapping(plan && embed(core, plan, workItem.variant, stop));
    case 'drb':
    case 'k-way': {
      const on = workItem.joined ? annealing?.core : core;
      const make = workItem.kind === 'drb' ? partitionOntoPlaces : placesByParts;
      return outcomeOfMapping(on && make(on, seededRandom(workItem.seed), stop));
    }
    case 'dense':
      return dense === undefined ? {} : { dense: improveDense(dense, workItem.order, stop) };
    case 'anneal':
      return annealing === undefined ? {} : { annealed: anneal(annealing, workItem.order, stop) };
    case 'groups':
      return annealing === undefined ? {} : { annealed: annealGroups(annealing, workItem.order, stop) };
  }
}

const outcomeOfMapping = (placeOfTask: Int32Array | undefined): WorkItemOutcome =>
  placeOfTask === undefined ? {} : { placeOfTask };
