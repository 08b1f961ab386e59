import type { RouteGraph } from '../../model/machine.ts';

/** The steps of a graph of routes turned round: those that lead to each state, by where they come from. O(steps). */
export function stepsBackwards({
  stateCount,
  firstStep,
  stepTo,
}: RouteGraph): Pick<RouteGraph, 'firstStep' | 'stepTo'> {
  const first = new Int32Array(stateCount + 1);
  for (const state of stepTo) first[state + 1]! += 1;
  for (let state = 0; state < stateCount; state++) first[state + 1]! += first[state]!;
  const next = first.slice();
  const origin = new Int32Array(stepTo.length);
  for (let state = 0; state < stateCount; state++) {
    for (let step = firstStep[state]!; step < firstStep[state + 1]!; step++) {
      origin[next[stepTo[step]!]!++] = state;
    }
  }
  return { firstStep: first, stepTo: origin };
}
