import type { Cancellation } from '../../model/cancellation.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { valueOf } from '../problem/value.ts';
import { bisectionOf, bisectTasks } from './bisectTasks.ts';
import { transformed } from './coordinates.ts';
import type { EmbeddingPlan } from './embeddingPlan.ts';
import { settle, type ValuedMapping } from './settle.ts';

export const variantCount = (plan: EmbeddingPlan): number => plan.variants.length;

/** `landmarks`, `grid`, … for notes and records. */
export const variantName = (plan: EmbeddingPlan, variant: number): string => plan.variants[variant]?.name ?? '';

/**
 * One variant of an embedding: bisects the tasks in each of its turns, and settles the best. Variants
 * have nothing to do with each other. Where it is cancelled, the best so far; undefined where there
 * is none. O(turns · (n log n + edges)) and what settling costs.
 */
export function embed(
  core: SearchCore,
  plan: EmbeddingPlan,
  variant: number,
  cancellation: Cancellation,
): Int32Array | undefined {
  const chosen = plan.variants[variant];
  if (chosen === undefined) return undefined;
  const tasks = plan.tasks[chosen.tasks]!;
  const sites = plan.sites[chosen.sites]!;
  const bisection = bisectionOf(sites.tree);
  let best: ValuedMapping | undefined;
  for (const turn of chosen.turns) {
    if (cancellation.isCancelled()) return best?.placeOfTask;
    const placeOfTask = new Int32Array(core.graph.taskCount);
    bisectTasks(bisection, transformed(tasks.coordinates, turn), placeOfTask);
    const value = valueOf(core, placeOfTask);
    if (best === undefined || value < best.value) best = { placeOfTask, value };
  }
  return best && settle(core, sites, best, cancellation).placeOfTask;
}
