/**
 * The lists of slots of a placement that says `map given [0..7, 12]`, as they stand in the text: one for all jobs
 * without a mapper of their own, one for each job with a `given` mapper of its own. Changes of a mapping are written
 * into them entry by entry, so that everything else stays as the user has written it.
 */
import { appendAll } from '../../model/lists.ts';
import type { DeclarationNode, ListRange, ListValue, NamedNode, PropertyNode, Span } from '../tree.ts';

/** A task and the slot that it is to have; `job` is a position in the placement. */
interface TaskMove {
  readonly job: number;
  readonly task: number;
  readonly slot: number;
}

/** What replaces a part of the text. */
interface ListEdit extends Span {
  readonly text: string;
}

/** An entry of a list, counted from 0. */
interface Entry {
  readonly list: ListValue;
  readonly index: number;
}

/**
 * What has to be written so that the tasks get their slots; undefined where the slot of one of them stands in no list.
 * `jobs`: those of the placement, in order. O(items of the lists).
 */
export function givenListEdits(
  placement: DeclarationNode,
  jobs: readonly { readonly tasks: number }[],
  moves: readonly TaskMove[],
): readonly ListEdit[] | undefined {
  const slots = new Map<ListValue, Map<number, number>>();
  for (const move of moves) {
    const entry = slotEntry(placement, jobs, move);
    if (entry === undefined) return undefined;
    const ofList = slots.get(entry.list) ?? new Map<number, number>();
    slots.set(entry.list, ofList.set(entry.index, move.slot));
  }
  const edits: ListEdit[] = [];
  for (const [list, slotOf] of slots) {
    const ofList = listEdits(list, slotOf);
    if (ofList === undefined) return undefined;
    appendAll(edits, ofList);
  }
  return edits;
}

/** Where the slot of a task stands. A list of the placement goes on from one job to the next. */
function slotEntry(
  placement: DeclarationNode,
  jobs: readonly { readonly tasks: number }[],
  { job, task }: TaskMove,
): Entry | undefined {
  const named = jobsNamedBy(placement);
  const ownOf = (position: number): PropertyNode | undefined => mapProperty(named[position]?.own ?? []);
  const own = ownOf(job);
  const list = givenListIn(own ?? mapProperty(placement.properties));
  if (list === undefined) return undefined;
  if (own !== undefined) return { list, index: task };
  const before = jobs.slice(0, job).filter((_, position) => ownOf(position) === undefined);
  return { list, index: before.reduce((sum, { tasks }) => sum + tasks, task) };
}

/** The jobs of a placement as it names them, in order. */
export const jobsNamedBy = ({ properties }: DeclarationNode): readonly NamedNode[] =>
  properties.flatMap(({ word, content }) => (content.kind === 'names' && word.text !== 'machine' ? content.names : []));

export const mapProperty = (properties: readonly PropertyNode[]): PropertyNode | undefined =>
  properties.find(({ word }) => word.text === 'map');

function givenListIn(map: PropertyNode | undefined): ListValue | undefined {
  if (map?.content.kind !== 'choice') return undefined;
  const { name, argument } = map.content.choice;
  return name.text === 'given' && argument?.kind === 'list' ? argument : undefined;
}

/** Replaces the items that have entries with another slot; undefined where the list has no such entry. */
function listEdits({ items }: ListValue, slotOf: ReadonlyMap<number, number>): readonly ListEdit[] | undefined {
  const edits: ListEdit[] = [];
  let written = 0;
  let first = 0;
  for (const item of items) {
    if (item.kind === 'string') return undefined;
    const { from, to = from } = item;
    const end = first + to.value - from.value + 1;
    const inside = [...slotOf].filter(([index]) => first <= index && index < end).sort(([one], [other]) => one - other);
    if (inside.length > 0) {
      const changed = inside.map(([index, slot]): readonly [number, number] => [index - first, slot]);
      edits.push({ start: from.start, end: to.end, text: splitItem(item, changed) });
    }
    written += inside.length;
    first = end;
  }
  return written === slotOf.size ? edits : undefined;
}

/** `0..7` with its entry 3 as 9: `0..2, 9, 4..7`. The entries are in order. */
function splitItem({ from, to = from }: ListRange, changed: readonly (readonly [number, number])[]): string {
  const parts: string[] = [];
  let next = from.value;
  const writeUntil = (end: number): void => {
    if (next < end) parts.push(next === end - 1 ? `${next}` : `${next}..${end - 1}`);
  };
  for (const [index, slot] of changed) {
    writeUntil(from.value + index);
    parts.push(`${slot}`);
    next = from.value + index + 1;
  }
  writeUntil(to.value + 1);
  return parts.join(', ');
}
