import type { Cancellation } from '../../model/cancellation.ts';
import type { Objective } from '../criteria/contract.ts';
import type { SearchRecorder } from '../searchRecorder.ts';
import { firstFreePlace } from './freePlaces.ts';

/**
 * Makes the best of all exchanges of tasks and moves into free places until none helps; of equal ones
 * the first. For criteria of which nothing is known but their objective: every step works out every
 * exchange anew. False where it was cancelled. O(places²) looks per exchange made.
 */
export function descend(objective: Objective, recorder: SearchRecorder, cancellation: Cancellation): boolean {
  for (;;) {
    const best = bestExchange(objective, recorder, cancellation);
    if (best === undefined) return false;
    if (best.effect >= 0) return true;
    objective.exchange(best.place, best.other);
  }
}

function bestExchange(objective: Objective, recorder: SearchRecorder, cancellation: Cancellation) {
  const { placeOfTask } = objective;
  const best = { place: 0, other: 0, effect: 0 };
  const consider = (place: number, other: number): void => {
    recorder.evaluations++;
    const effect = objective.exchangeDelta(place, other);
    if (effect >= best.effect) return;
    best.place = place;
    best.other = other;
    best.effect = effect;
  };
  const free = Array.from(objective.places.nodeOfSite, (_, site) => firstFreePlace(objective, site)).filter(
    (place) => place >= 0,
  );
  for (let task = 0; task < placeOfTask.length; task++) {
    if (cancellation.isCancelled()) return undefined;
    const place = placeOfTask[task]!;
    for (let other = task + 1; other < placeOfTask.length; other++) consider(place, placeOfTask[other]!);
    for (const other of free) consider(place, other);
  }
  return best;
}
