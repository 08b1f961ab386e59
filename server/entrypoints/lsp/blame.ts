import { spanOfSubject } from '../../language/subject.ts';
import type { Declared } from '../../language/symbols.ts';
import type { DeclarationNode, Problem } from '../../language/tree.ts';
import { locationOf } from '../../language/service/ranges.ts';
import type { PlacementProblem } from '../../protocol/messages.ts';
import type { StudyProblem } from '../../study/program.ts';
import type { Analysis } from './analyses.ts';
import { inputOf } from './inputs.ts';
import type { Studies } from './studies.ts';

/**
 * The error that keeps a placement from being worked out: the first in its own text, then those of its study, then
 * those of what it names, and of what that names; else the first of the document, which may have swallowed it.
 * Undefined where there is none. O(problems + text of the declarations).
 */
export function problemOfPlacement(analysis: Analysis, studies: Studies, name: string): PlacementProblem | undefined {
  const { failure, summary } = studies.stateOf(analysis.uri);
  const studied = summary?.problems ?? [];
  const needed = declarationsNeeded(analysis, name);
  for (const declared of needed) {
    const found = errorWithin(analysis, declared);
    if (found !== undefined) return locate(analysis, studies, found.message, { uri: declared.uri, span: found });
    const wrong = studied.find((problem) => isAbout(problem, declared.node, name));
    if (wrong !== undefined) {
      return locate(analysis, studies, wrong.message, spanOfSubject(analysis.checked, wrong.subject));
    }
  }
  const first = analysis.checked.problems.get(analysis.uri)?.find(({ severity }) => severity === 'error');
  if (first !== undefined && !studies.isSound(analysis, name)) {
    return locate(analysis, studies, first.message, { uri: analysis.uri, span: first });
  }
  return failure === undefined ? undefined : { message: failure };
}

/** The placement, what it names, what that names, and so on; nearest first. */
function declarationsNeeded({ checked, sources }: Analysis, name: string): readonly Declared[] {
  const placement = checked.symbols.lookup('placement', name);
  const needed = new Set<Declared>(placement === undefined ? [] : [placement]);
  for (const { uri, node } of needed) {
    const text = sources.files.get(uri)?.text.slice(node.start, node.end) ?? '';
    // A table is a list of numbers, perhaps a long one: what it holds names nothing.
    const words = node.kind === 'table' ? [] : (text.match(/[a-z][\w-]*/gi) ?? []);
    for (const word of new Set(words)) {
      for (const kind of ['machine', 'job', 'table', 'stencil', 'placement'] as const) {
        const found = checked.symbols.lookup(kind, word);
        if (found !== undefined) needed.add(found);
      }
    }
  }
  return [...needed];
}

const errorWithin = ({ checked }: Analysis, { uri, node }: Declared): Problem | undefined =>
  checked.problems
    .get(uri)
    ?.find(({ severity, start, end }) => severity === 'error' && node.start <= start && end <= node.end);

const isAbout = ({ placement, subject }: StudyProblem, { kind, name }: DeclarationNode, asked: string): boolean =>
  placement === undefined
    ? subject.kind === kind && subject.name === name?.text
    : placement === asked && kind === 'placement';

function locate(
  analysis: Analysis,
  studies: Studies,
  message: string,
  place: { readonly uri: string; readonly span: { readonly start: number; readonly end: number } } | undefined,
): PlacementProblem {
  const location = place && locationOf(inputOf(analysis, studies), place.uri, place.span);
  return location === undefined ? { message } : { message, location };
}
