/** Members of group g are `members[start[g]] … members[start[g + 1] − 1]`, ascending. */
export interface Groups {
  readonly start: Int32Array;
  readonly members: Int32Array;
}

/** Gathers indices by the group that each has, 0 … groupCount − 1: a counting sort. O(length + groups). */
export function gather(groupOf: Int32Array, groupCount: number): Groups {
  const start = new Int32Array(groupCount + 1);
  for (const group of groupOf) start[group + 1]!++;
  for (let group = 0; group < groupCount; group++) start[group + 1]! += start[group]!;
  const next = start.slice();
  const members = new Int32Array(groupOf.length);
  for (let index = 0; index < members.length; index++) members[next[groupOf[index]!]!++] = index;
  return { start, members };
}
