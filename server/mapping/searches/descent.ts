import { type Cancellation, shouldFinish } from '../../model/cancellation.ts';
import type { Objective } from '../criteria/contract.ts';
import type { SearchRecorder } from '../searchRecorder.ts';
import { firstFreePlace } from './freePlaces.ts';

/**
 * Makes the best of all exchanges of tasks and moves into free places until none helps; of equal ones
 * the first. For criteria of which nothing is known but their objective: every step works out every
 * exchange anew. Ends with what it has where the search should finish. O(places²) looks per exchange made.
 */
export function descend(objective: Objective, recorder: SearchRecorder, cancellation: Cancellation): void {
  for (;;) {
    const best = bestExchange(objective, recorder, cancellation);
    if (best.effect >= 0) return;
    objective.exchange(best.place, best.other);
  }
}

/** Of those that were looked at before the search should finish. */
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
    const place = placeOfTask[task]!;
    recorder.tick();
    // A look may take a millisecond: the flows of two tasks, each with all links of its routes.
    for (let other = task + 1; other < placeOfTask.length; other++) {
      if (shouldFinish(cancellation)) return best;
      consider(place, placeOfTask[other]!);
    }
    for (const other of free) {
      if (shouldFinish(cancellation)) return best;
      consider(place, other);
    }
  }
  return best;
}
