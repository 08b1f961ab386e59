import type { Subject } from '../study/program.ts';
import type { CheckedProgram } from './check.ts';
import { spanOfNames } from './check/placement.ts';
import type { DeclarationNode, PropertyNode, Span } from './tree.ts';

/**
 * Where the text says what a study's problem is about: the property's value, else the name of
 * the declaration. A property that is not written falls back to the name; undefined where
 * nothing of that name is declared.
 */
export function spanOfSubject(
  checked: CheckedProgram,
  subject: Subject,
): { readonly uri: string; readonly span: Span } | undefined {
  const declared = checked.symbols.lookup(subject.kind, subject.name);
  if (declared === undefined) return undefined;
  const { node, uri } = declared;
  const words = subject.property === 'job' || subject.property === 'jobs' ? ['job', 'jobs'] : [subject.property];
  const own = subject.job === undefined ? undefined : ownOf(node, subject.job);
  const property = [...(own ?? []), ...node.properties].find(({ word }) => words.includes(word.text));
  if (property !== undefined) return { uri, span: spanOfContent(property) };
  return { uri, span: node.name ?? node.keyword };
}

/** What the job at a position chose for itself. */
const ownOf = ({ properties }: DeclarationNode, job: number): readonly PropertyNode[] | undefined =>
  properties
    .flatMap(({ content }) => (content.kind === 'names' ? [content.names] : []))
    .find((names) => names[job]?.own)?.[job]?.own;

/** What stands after the word of a property; the whole of it where nothing does. */
function spanOfContent(property: PropertyNode): Span {
  const { content } = property;
  switch (content.kind) {
    case 'choice':
      return content.choice;
    case 'value':
      return spanOfAll([content.value, ...(content.further ?? []), content.parentheses]) ?? property.word;
    case 'choices':
      return spanOfAll(content.choices) ?? property.word;
    case 'names':
      return spanOfNames(content.names) ?? property.word;
    case 'phrase':
    case 'quoted':
    case 'flag':
    case 'link':
    case 'offset':
      return property;
  }
}

/** From the first to the last of those that there are. */
function spanOfAll(parts: readonly (Span | undefined)[]): Span | undefined {
  const first = parts.find((part) => part !== undefined);
  const last = parts.findLast((part) => part !== undefined);
  return first === undefined || last === undefined ? undefined : { start: first.start, end: last.end };
}
