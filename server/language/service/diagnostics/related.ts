import type { DiagnosticRelatedInformation } from 'vscode-languageserver-types';
import type { ProblemCode } from '../../codes.ts';
import type { Problem, Span } from '../../tree.ts';
import { treeOf, type ServiceInput } from '../input.ts';
import { markAt, type Mark } from '../marks.ts';
import { locationOf } from '../ranges.ts';
import { namedBy } from '../workspace.ts';

/** What the problem names itself, and where the other one stands of two things that must not both be there. */
export function relatedTo(input: ServiceInput, problem: Problem): DiagnosticRelatedInformation[] {
  const first = firstOf(input, problem);
  const places = [
    ...(problem.related ?? []),
    ...(first === undefined ? [] : [{ ...first, message: 'The first one is here.' }]),
  ];
  return places.flatMap(({ uri, span, message }) => {
    const location = locationOf(input, uri, span);
    return location === undefined ? [] : [{ location, message }];
  });
}

interface Place {
  readonly uri: string;
  readonly span: Span;
}

function firstOf(input: ServiceInput, problem: Problem): Place | undefined {
  const code = problem.code as ProblemCode;
  if (code !== 'duplicate-declaration' && code !== 'duplicate-property') return undefined;
  const mark = markAt(treeOf(input), problem.start);
  const first = mark && (code === 'duplicate-declaration' ? firstDeclaration(input, mark) : firstProperty(input, mark));
  return first;
}

function firstDeclaration({ checked }: ServiceInput, mark: Mark): Place | undefined {
  const named = namedBy(mark);
  const declared = named && checked.symbols.lookup(named.kind, named.name);
  return declared && { uri: declared.uri, span: declared.node.name ?? declared.node };
}

function firstProperty({ uri }: ServiceInput, mark: Mark): Place | undefined {
  if (mark.kind !== 'property') return undefined;
  const word = mark.property.word.text;
  const span = mark.declaration.properties.find((property) => property.word.text === word)?.word;
  return span && { uri, span };
}
