import { CodeActionKind, TextEdit, type CodeAction, type Range } from 'vscode-languageserver-types';
import { checkSources } from '../check.ts';
import { parseText } from '../parse.ts';
import { withText } from '../sources.ts';
import type { Fix, Problem } from '../tree.ts';
import { diagnosticOf, problemsOfPlacement, changeSentence, reportedChange } from './diagnostics.ts';
import { tryMappersCommand } from './codeLens.ts';
import { givenListEdits } from './givenList.ts';
import { type ServiceInput, rangeOf } from './input.ts';

/** The kind under which editors ask for all fixes at once, as on saving. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.place`;

/** What an editor asks for. */
interface CodeActionContext {
  /** The kinds that are asked for, with all below them; quick fixes where it is left out. */
  readonly only?: readonly string[] | undefined;
  /** Whether it has the commands of our extension. */
  readonly hasCommands?: boolean;
}

/**
 * The fixes of the problems that touch a range, the preferred one of each problem first; where the editor asks for it,
 * one action that mends all of the file that can be mended.
 */
export function codeActions(
  input: ServiceInput,
  range: Range,
  { only, hasCommands = false }: CodeActionContext = {},
): CodeAction[] {
  if (only === undefined) return quickFixes(input, range, hasCommands);
  const isWanted = (kind: string): boolean => only.some((wanted) => kind === wanted || kind.startsWith(`${wanted}.`));
  return [
    ...(isWanted(CodeActionKind.QuickFix) ? quickFixes(input, range, hasCommands) : []),
    ...(isWanted(fixAllKind) ? allFixes(input) : []),
  ];
}

const quickFixes = (input: ServiceInput, range: Range, hasCommands: boolean): CodeAction[] => [
  ...problemsIn(input, range).flatMap((problem) => fixesOf(input, problem)),
  ...changesOfMappings(input, range),
  ...(hasCommands ? otherMappers(input, range) : []),
];

/** What is wrong with the text in a range. */
export const problemsIn = (input: ServiceInput, range: Range): readonly Problem[] =>
  touching(input, range, fileProblems(input));

function touching({ document }: ServiceInput, range: Range, problems: readonly Problem[]): readonly Problem[] {
  const start = document.offsetAt(range.start);
  const end = document.offsetAt(range.end);
  return problems.filter((problem) => problem.start <= end && start <= problem.end);
}

const fileProblems = ({ checked, uri }: ServiceInput): readonly Problem[] => checked.problems.get(uri) ?? [];

/** The fixes of a problem, the preferred one first. */
export function fixesOf(input: ServiceInput, problem: Problem): CodeAction[] {
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

/**
 * Of each placement in the range whose slots stand in a list: the change that the problem reports, written into the
 * list.
 */
function changesOfMappings(input: ServiceInput, range: Range): CodeAction[] {
  const { document, uri, checked, summary, stale } = input;
  return (summary?.placements ?? []).flatMap((outline): CodeAction[] => {
    // Figures of an older text say nothing of the slots that are written now.
    if (stale?.has(outline.name) === true) return [];
    const [problem] = touching(input, range, problemsOfPlacement(input, outline));
    if (problem === undefined) return [];
    const change = reportedChange(outline);
    const declared = checked.symbols.lookup('placement', outline.name);
    if (change === undefined || declared === undefined) return [];
    const edits = givenListEdits(declared.node, outline.jobs, change.improvement.moves);
    if (edits === undefined) return [];
    return [
      {
        title: changeSentence(change.improvement, 'in the given list'),
        kind: CodeActionKind.QuickFix,
        isPreferred: change.isBetter,
        diagnostics: [diagnosticOf(input, problem)],
        edit: { changes: { [uri]: edits.map((edit) => TextEdit.replace(rangeOf(document, edit), edit.text)) } },
      },
    ];
  });
}

/** Of each placement in the range that something is said of, such as its heaviest link: to try other mappers on it. */
const otherMappers = (input: ServiceInput, range: Range): CodeAction[] =>
  (input.summary?.placements ?? []).flatMap((outline): CodeAction[] => {
    const [problem] = touching(input, range, problemsOfPlacement(input, outline));
    if (problem === undefined || !input.checked.symbols.lookup('placement', outline.name)) return [];
    const title = 'Try other mappers …';
    const command = { title, command: tryMappersCommand, arguments: [input.uri, outline.name] };
    return [{ title, kind: CodeActionKind.QuickFix, diagnostics: [diagnosticOf(input, problem)], command }];
  });

/** Fixes that are tried one after the other, where all together would make other errors. */
const mostTried = 16;

/**
 * One action of every preferred fix that can be made together with those before it; none where there is nothing to do. It never leaves
 * more errors than there were: two good fixes can be one bad one together, and a fix of syntax brings errors to light.
 */
function allFixes(input: ServiceInput): CodeAction[] {
  const problems = fileProblems(input).filter(({ fix }) => fix !== undefined);
  const syntax = new Set<Problem>(input.sources.files.get(input.uri)?.parsed.problems);
  const [all, behindSyntax] = [problems, problems.filter((problem) => !syntax.has(problem))].map((some) =>
    withoutOverlaps(some.flatMap(({ fix }) => fix ?? [])),
  ) as [readonly Fix[], readonly Fix[]];
  const fixes = [all, behindSyntax].find((some) => isNoWorse(input, some)) ?? oneByOne(input, all.slice(0, mostTried));
  if (fixes.length === 0) return [];
  const edit = { changes: { [input.uri]: fixes.map((fix) => editOf(input, fix)) } };
  return [{ title: 'Make all preferred fixes of this file', kind: fixAllKind, edit }];
}

/** Each fix that makes nothing worse together with those before it. */
const oneByOne = (input: ServiceInput, fixes: readonly Fix[]): readonly Fix[] =>
  fixes.reduce<readonly Fix[]>((taken, fix) => (isNoWorse(input, [...taken, fix]) ? [...taken, fix] : taken), []);

/** In the order of the text, without those that touch one before. */
function withoutOverlaps(fixes: readonly Fix[]): readonly Fix[] {
  const taken: Fix[] = [];
  for (const fix of fixes.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (fix.start > (taken.at(-1)?.end ?? -1)) taken.push(fix);
  }
  return taken;
}

/** Whether a text has no more problems of syntax, and no more errors, with the fixes than without. O(text) each time. */
function isNoWorse({ document, uri, sources, checked }: ServiceInput, fixes: readonly Fix[]): boolean {
  if (fixes.length === 0) return false;
  const text = document.getText();
  const parts: string[] = [];
  let end = 0;
  for (const fix of fixes) {
    parts.push(text.slice(end, fix.start), fix.text);
    end = fix.end;
  }
  const mended = parts.join('') + text.slice(end);
  if (parseText(mended).problems.length > parseText(text).problems.length) return false;
  const errorsIn = ({ problems }: Pick<typeof checked, 'problems'>): number =>
    (problems.get(uri) ?? []).filter(({ severity }) => severity === 'error').length;
  return errorsIn(checkSources(withText(sources, uri, mended))) <= errorsIn(checked);
}
