/**
 * What Node 20 lacks and our libraries use; imported first by every program that parses, for its effect.
 * Chevrotain 13 groups with `Object.groupBy`, which came with Node 21. Other editors and cluster
 * login nodes run Node 20 still.
 */
type GroupBy = (items: Iterable<unknown>, keyOf: (item: unknown, index: number) => PropertyKey) => object;

const objects = Object as { groupBy?: GroupBy };

objects.groupBy ??= (items, keyOf) => {
  const groups = Object.create(null) as Record<PropertyKey, unknown[]>;
  let index = 0;
  for (const item of items) (groups[keyOf(item, index++)] ??= []).push(item);
  return groups;
};
