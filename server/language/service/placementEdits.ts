/**
 * How another mapper, another seed or other slots are written into a placement, and another property into its machine, so that all
 * else stays as it is: what a user has looked at is taken over into the text.
 */
import type { Range } from 'vscode-languageserver-types';
import { succeed, type Result } from '../../model/result.ts';
import type { DeclarationNode } from '../tree.ts';
import { mapperEdit, mappersAsWritten, propertyBehind, seedEdit, type TextEdit } from '../writtenMappers.ts';
import { givenListEdits } from './givenList.ts';
import { documentOf, rangeOf, type ServiceInput } from './input.ts';

/** Pieces of one file to replace. */
export interface PlacementEdits {
  readonly uri: string;
  readonly edits: readonly {
    readonly range: Range;
    /** What stands there. */ readonly before: string;
    readonly text: string;
  }[];
}

/** What is to be written of a placement. */
export type PlacementWords =
  | { readonly kind: 'mapper'; readonly mapper: string; readonly seed?: number }
  /** The slots of all tasks, of one job behind the other. */
  | { readonly kind: 'slots'; readonly slots: readonly number[]; readonly seed?: number }
  /** Other slots of some tasks of these jobs. */
  | {
      readonly kind: 'moves';
      readonly jobs: readonly { readonly tasks: number }[];
      readonly moves: readonly { readonly job: number; readonly task: number; readonly slot: number }[];
      /** The slots of all tasks afterwards, where they stand in no list yet. */
      readonly slots: readonly number[];
    };

/** A longer list of slots is not written into a text: nobody would find anything in it any more. */
const mostSlots = 4096;

/** Fails with a sentence where it cannot be written. O(length of the text). */
export function placementEdits(
  input: ServiceInput,
  name: string,
  words: PlacementWords,
): Result<PlacementEdits, string> {
  return editsIn(input, 'placement', name, (text, node) => mappingEdits(text, node, words));
}

/** The same of another property of a machine: `without 3 -- 4`. The machine may stand in an imported file. */
export const machineEdits = (input: ServiceInput, name: string, property: string): Result<PlacementEdits, string> =>
  editsIn(input, 'machine', name, (text, node) => {
    const edit = propertyBehind(text, node, property);
    return edit.ok ? succeed([edit.value]) : edit;
  });

function editsIn(
  input: ServiceInput,
  kind: 'placement' | 'machine',
  name: string,
  edit: (text: string, node: DeclarationNode) => Result<readonly TextEdit[], string>,
): Result<PlacementEdits, string> {
  const declared = input.checked.symbols.lookup(kind, name);
  const text = declared && input.sources.files.get(declared.uri)?.text;
  const document = declared && (declared.uri === input.uri ? input.document : documentOf(input.sources, declared.uri));
  if (declared === undefined || text === undefined || document === undefined) {
    return { ok: false, failure: `Unknown ${kind} "${name}": the file has changed.` };
  }
  const edits = edit(text, declared.node);
  if (!edits.ok) return edits;
  return succeed({
    uri: declared.uri,
    edits: edits.value.map((edit) => ({
      range: rangeOf(document, edit),
      before: text.slice(edit.start, edit.end),
      text: edit.text,
    })),
  });
}

function mappingEdits(text: string, node: DeclarationNode, words: PlacementWords): Result<readonly TextEdit[], string> {
  const moved = words.kind === 'moves' ? givenListEdits(node, words.jobs, words.moves) : undefined;
  if (moved !== undefined) return succeed(moved);
  const mapper = words.kind === 'mapper' ? succeed(words.mapper) : givenText(words.slots);
  const edit = mapper.ok ? mapperEdit(text, node, mapper.value) : mapper;
  if (!edit.ok) return edit;
  const seed = words.kind === 'moves' || words.seed === undefined ? undefined : seedEdit(text, node, words.seed);
  if (seed === undefined) return succeed([edit.value]);
  return seed.ok ? succeed([edit.value, seed.value]) : seed;
}

/** `given [0..7, 12]`. */
function givenText(slots: readonly number[]): Result<string, string> {
  if (slots.length > mostSlots) {
    const failure = `It has ${slots.length} tasks; a list of more than ${mostSlots} slots is not inserted. Export the mapping, and write \`map given "FILE"\`.`;
    return { ok: false, failure };
  }
  const items: string[] = [];
  for (let first = 0, next = 1; first < slots.length; first = next, next++) {
    while (next < slots.length && slots[next] === slots[next - 1]! + 1) next++;
    items.push(next - first > 2 ? `${slots[first]}..${slots[next - 1]}` : slots.slice(first, next).join(', '));
  }
  return succeed(`given [${items.join(', ')}]`);
}

/** The mappers that the text gives the jobs of a placement, options included, each once; `usual` where it names none. */
export function writtenMappersOf(input: ServiceInput, name: string, usual: string): readonly string[] {
  const declared = input.checked.symbols.lookup('placement', name);
  const text = declared && input.sources.files.get(declared.uri)?.text;
  return declared === undefined || text === undefined
    ? [usual]
    : [...new Set(mappersAsWritten(text, declared.node, usual))];
}
