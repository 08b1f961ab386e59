import { CodeActionKind, TextEdit, type CodeAction, type Range } from 'vscode-languageserver-types';
import type { Problem } from '../tree.ts';
import { diagnosticOf } from './diagnostics.ts';
import type { ServiceInput } from './input.ts';
import { rangeOf } from './ranges.ts';

/** The fixes of the problems that touch a range, each the preferred one of its problem. */
export function codeActions(input: ServiceInput, range: Range): CodeAction[] {
  const start = input.document.offsetAt(range.start);
  const end = input.document.offsetAt(range.end);
  const problems = input.checked.problems.get(input.uri) ?? [];
  return problems
    .filter((problem) => problem.start <= end && start <= problem.end)
    .flatMap((problem) => fixOf(input, problem));
}

function fixOf(input: ServiceInput, problem: Problem): CodeAction[] {
  const { fix } = problem;
  if (fix === undefined) return [];
  const edit = TextEdit.replace(rangeOf(input.document, fix), fix.text);
  return [
    {
      title: fix.title,
      kind: CodeActionKind.QuickFix,
      isPreferred: true,
      diagnostics: [diagnosticOf(input, problem)],
      edit: { changes: { [input.uri]: [edit] } },
    },
  ];
}
