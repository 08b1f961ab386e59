/** Declarations that nothing names: shown faded, with a fix that takes them out. */
import {
  CodeActionKind,
  DiagnosticSeverity,
  DiagnosticTag,
  TextEdit,
  type CodeAction,
  type Diagnostic,
  type Range,
} from 'vscode-languageserver-types';
import type { DeclarationKind, DeclarationNode, SyntaxTree } from '../tree.ts';
import { diagnosticSource } from './diagnostics.ts';
import { rangeOf, touches, treeOf, type ServiceInput } from './input.ts';
import { marksOf } from './marks.ts';
import { isSameFile, namedBy, namedKey, programsReading, type Workspace } from './workspace.ts';

const unusedCode = 'unused-declaration';

/** What others name; placements and experiments are what a file is for. */
const usable: ReadonlySet<DeclarationKind> = new Set(['machine', 'job', 'stencil', 'table', 'stream', 'network']);

const referencedNames = (tree: SyntaxTree): ReadonlySet<string> =>
  new Set(
    marksOf(tree).flatMap((mark) => {
      const named = mark.kind === 'reference' ? namedBy(mark) : undefined;
      return named === undefined ? [] : [namedKey(named)];
    }),
  );

/**
 * Declarations of the file that it does not use itself. None of a file that only declares machines, jobs and the like
 * for others, and none while it has an error, which may be a use that is misspelt. O(length of the tree).
 */
export function unusedHere(input: ServiceInput): readonly DeclarationNode[] {
  const tree = treeOf(input);
  const isUsed = tree.declarations.some(({ kind }) => kind === 'placement' || kind === 'experiment');
  if (!isUsed || input.checked.problems.get(input.uri)?.some(({ severity }) => severity === 'error') === true)
    return [];
  const names = referencedNames(tree);
  return tree.declarations.filter(
    ({ kind, name }) => usable.has(kind) && name !== undefined && !names.has(namedKey({ kind, name: name.text })),
  );
}

/** What other files of the workspace name of all that can be declared, by kind and name: of those that read the file. */
export function usesElsewhere(workspace: Workspace, uri: string): ReadonlySet<string> {
  const uses = new Set<string>();
  const seen = new Set<SyntaxTree>();
  for (const { files } of programsReading(workspace, [uri])) {
    for (const { uri: other, tree } of files.values()) {
      if (isSameFile(workspace, other, uri) || seen.has(tree)) continue;
      seen.add(tree);
      for (const name of referencedNames(tree)) uses.add(name);
    }
  }
  return uses;
}

/** Those that no file of the workspace uses; none while it is not known what the others use. */
function unusedDeclarations(input: ServiceInput): readonly DeclarationNode[] {
  const { usedElsewhere } = input;
  if (usedElsewhere === undefined) return [];
  return unusedHere(input).filter(({ kind, name }) => !usedElsewhere.has(namedKey({ kind, name: name?.text ?? '' })));
}

const unusedDiagnostic = ({ document }: ServiceInput, { kind, name, keyword }: DeclarationNode): Diagnostic => ({
  range: rangeOf(document, name ?? keyword),
  severity: DiagnosticSeverity.Hint,
  tags: [DiagnosticTag.Unnecessary],
  code: unusedCode,
  source: diagnosticSource,
  message: `Nothing uses the ${kind} \`${name?.text ?? ''}\`.`,
});

export const unusedDiagnostics = (input: ServiceInput): Diagnostic[] =>
  unusedDeclarations(input).map((node) => unusedDiagnostic(input, node));

/** Takes an unused declaration out, with its documentation and the empty line below. */
export function unusedFixes(input: ServiceInput, range: Range): CodeAction[] {
  const { document, uri } = input;
  const start = document.offsetAt(range.start);
  return unusedDeclarations(input)
    .filter(({ name }) => name !== undefined && touches(name, start))
    .map((node) => ({
      title: `Remove the unused ${node.kind} \`${node.name?.text ?? ''}\``,
      kind: CodeActionKind.QuickFix,
      diagnostics: [unusedDiagnostic(input, node)],
      edit: { changes: { [uri]: [TextEdit.del(rangeOf(document, wholeDeclaration(document.getText(), node)))] } },
    }));
}

function wholeDeclaration(text: string, node: DeclarationNode) {
  const above = /(?:^|(?<=[\r\n]))(?:[ \t]*\/\/\/[^\r\n]*(?:\r\n|\r|\n))*[ \t]*$/.exec(text.slice(0, node.start));
  const below = /^[ \t]*(?:(?:\r\n|\r|\n)[ \t]*){0,2}/.exec(text.slice(node.end));
  return { start: node.start - (above?.[0].length ?? 0), end: node.end + (below?.[0].length ?? 0) };
}
