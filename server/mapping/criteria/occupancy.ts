/** Which task is at which place, both ways. */
interface Occupancy {
  readonly placeOfTask: Int32Array;
  /** −1 where a place is free. */
  readonly taskAtPlace: Int32Array;
}

/** Puts all tasks anew. O(places). */
export function putTasks(occupancy: Occupancy, placeOfTask: Int32Array): void {
  occupancy.placeOfTask.set(placeOfTask);
  occupancy.taskAtPlace.fill(-1);
  for (let task = 0; task < placeOfTask.length; task++) occupancy.taskAtPlace[placeOfTask[task]!] = task;
}

/** Swaps what two places hold; either may be free. */
export function exchangePlaces({ placeOfTask, taskAtPlace }: Occupancy, place: number, other: number): void {
  const task = taskAtPlace[place]!;
  const partner = taskAtPlace[other]!;
  taskAtPlace[place] = partner;
  taskAtPlace[other] = task;
  if (task >= 0) placeOfTask[task] = other;
  if (partner >= 0) placeOfTask[partner] = place;
}
