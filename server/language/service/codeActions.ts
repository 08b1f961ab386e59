import { CodeActionKind, TextEdit, type CodeAction, type Range } from 'vscode-languageserver-types';
import { parseText } from '../parse.ts';
import type { Fix, Problem } from '../tree.ts';
import { diagnosticOf } from './diagnostics.ts';
import type { ServiceInput } from './input.ts';
import { rangeOf } from './ranges.ts';

/** The kind under which editors ask for all fixes at once, as on saving. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.place`;

/**
 * The fixes of the problems that touch a range, the preferred one of each problem first; where the editor asks for it, one
 * action that mends all of the file that can be mended. `only`: the kinds that are asked for, with all below them.
 */
export function codeActions(input: ServiceInput, range: Range, only?: readonly string[]): CodeAction[] {
  if (only === undefined) return quickFixes(input, range);
  const isWanted = (kind: string): boolean => only.some((wanted) => kind === wanted || kind.startsWith(`${wanted}.`));
  return [
    ...(isWanted(CodeActionKind.QuickFix) ? quickFixes(input, range) : []),
    ...(isWanted(fixAllKind) ? allFixes(input) : []),
  ];
}

function quickFixes(input: ServiceInput, range: Range): CodeAction[] {
  const start = input.document.offsetAt(range.start);
  const end = input.document.offsetAt(range.end);
  return problemsOf(input)
    .filter((problem) => problem.start <= end && start <= problem.end)
    .flatMap((problem) => fixesOf(input, problem));
}

const problemsOf = ({ checked, uri }: ServiceInput): readonly Problem[] => checked.problems.get(uri) ?? [];

function fixesOf(input: ServiceInput, problem: Problem): CodeAction[] {
  const { fix, otherFixes = [] } = problem;
  return [...(fix === undefined ? [] : [fix]), ...otherFixes].map((each) => ({
    title: each.title,
    kind: CodeActionKind.QuickFix,
    isPreferred: each === fix,
    diagnostics: [diagnosticOf(input, problem)],
    edit: { changes: { [input.uri]: [editOf(input, each)] } },
  }));
}

const editOf = ({ document }: ServiceInput, fix: Fix): TextEdit => TextEdit.replace(rangeOf(document, fix), fix.text);

/** One action of every preferred fix that can be made together with those before it; none where there is nothing to do. */
function allFixes(input: ServiceInput): CodeAction[] {
  const problems = problemsOf(input).filter(({ fix }) => fix !== undefined);
  const syntax = new Set<Problem>(input.sources.files.get(input.uri)?.parsed.problems);
  const fixes = [problems, problems.filter((problem) => !syntax.has(problem))]
    .map((some) => apart(some.flatMap(({ fix }) => fix ?? [])))
    .find((some) => some.length > 0 && readsNoWorse(input.document.getText(), some));
  if (fixes === undefined) return [];
  const edit = { changes: { [input.uri]: fixes.map((fix) => editOf(input, fix)) } };
  return [{ title: 'Make all preferred fixes of this file', kind: fixAllKind, edit }];
}

/** In the order of the text, without those that touch one before. */
function apart(fixes: readonly Fix[]): readonly Fix[] {
  const taken: Fix[] = [];
  for (const fix of fixes.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (fix.start > (taken.at(-1)?.end ?? -1)) taken.push(fix);
  }
  return taken;
}

/** Whether a text has no more errors of syntax with the fixes than without: two good fixes can be one bad one together. */
function readsNoWorse(text: string, fixes: readonly Fix[]): boolean {
  const parts: string[] = [];
  let end = 0;
  for (const fix of fixes) {
    parts.push(text.slice(end, fix.start), fix.text);
    end = fix.end;
  }
  const mended = parts.join('') + text.slice(end);
  return parseText(mended).problems.length <= parseText(text).problems.length;
}
