import { itemAt } from '../../numeric/elements.ts';
import type { LinkTable } from '../../model/machine.ts';
import { fail } from '../../model/result.ts';
import { componentOfVertices, connectedComponents } from '../../numeric/breadthFirst.ts';

/** Components that a message names before it says how many more there are. */
const namedComponents = 4;
/** Routers or ranges of routers that it names of each. */
const namedMembers = 6;

/** Component of each router, numbered in the order of their first routers. O(routers + links). */
export function componentsOf({ firstLink, to }: LinkTable): { readonly of: Int32Array; readonly count: number } {
  const components = connectedComponents(firstLink, to);
  return { of: componentOfVertices(components), count: components.count };
}

/**
 * Refuses a network in several parts and names them, switches without hosts too: whether a lone
 * switch is spare or its cable was forgotten, only the user knows.
 */
export function disconnection(
  links: LinkTable,
  names: readonly string[] | undefined,
): ReturnType<typeof fail> | undefined {
  const { of, count } = componentsOf(links);
  if (count <= 1) return undefined;
  const parts = membersByComponent(of, Math.min(count, namedComponents));
  const [first = '', second = ''] = parts.map((members) => nameMembers(members, names));
  const [one, other] = [itemAt(itemAt(parts, 0), 0), itemAt(itemAt(parts, 1), 0)];
  const remedy = names
    ? 'add the missing cables to the file, or keep one part of it.'
    : `add the missing cables, such as \`link ${one} -- ${other}\`.`;
  if (count === 2) {
    const subject = itemAt(parts, 0).length === 1 ? `Switch ${first} is` : `Switches ${first} are`;
    return fail('disconnected', `${subject} not connected to ${second}: ${remedy}`);
  }
  const listed = parts.map((members) => nameMembers(members, names)).join('; ');
  const more = count > namedComponents ? `; and ${count - namedComponents} more` : '';
  return fail('disconnected', `No cable joins these ${count} parts of the network: ${listed}${more}: ${remedy}`);
}

function membersByComponent(componentOf: Int32Array, count: number): readonly (readonly number[])[] {
  const members = Array.from({ length: count }, (): number[] => []);
  componentOf.forEach((component, router) => members[component]?.push(router));
  return members;
}

/** `0–3, 7`, or `leaf-0, leaf-1 and 6 more` where a file names the routers. */
function nameMembers(members: readonly number[], names: readonly string[] | undefined): string {
  const words = names ? members.map((router) => names[router] ?? String(router)) : rangesOf(members);
  const shown = words.slice(0, namedMembers).join(', ');
  return words.length > namedMembers ? `${shown} and ${words.length - namedMembers} more` : shown;
}

/** [0, 1, 2, 3, 7] as `0–3`, `7`. */
function rangesOf(members: readonly number[]): string[] {
  const ranges: string[] = [];
  let start = 0;
  for (let index = 1; index <= members.length; index++) {
    if (members[index] === itemAt(members, index - 1) + 1) continue;
    const [low, high] = [itemAt(members, start), itemAt(members, index - 1)];
    if (high - low >= 2) ranges.push(`${low}–${high}`);
    else ranges.push(...members.slice(start, index).map(String));
    start = index;
  }
  return ranges;
}
