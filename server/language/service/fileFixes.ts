/**
 * Fixes of paths that lead nowhere: of imports to files of the workspace, of all others to files of the same folder. Which files there
 * are only who may read folders knows.
 */
import { CodeActionKind, TextEdit, type CodeAction, type Diagnostic, type Range } from 'vscode-languageserver-types';
import { replace } from '../codes.ts';
import { nearest } from '../suggestions.ts';
import type { Problem, Span } from '../tree.ts';
import { fileNameOf, normalUri, relativePath, resolvePath } from '../uris.ts';
import { fixesOf, problemsIn } from './codeActions.ts';
import { writtenFolder, type FolderEntry } from './completion/paths.ts';
import { rangeOf, treeOf, type ServiceInput } from './input.ts';
import { marksOf } from './marks.ts';

/** Imports in the range whose file cannot be read. */
export function missingImports(input: ServiceInput, range: Range): readonly Problem[] {
  return problemsIn(input, range).filter(({ code }) => code === 'missing-import');
}

/** Of each such import, the file of the workspace that was most likely meant: by its name, wherever it lies. */
export function importFixes(input: ServiceInput, problems: readonly Problem[], files: readonly string[]): CodeAction[] {
  const text = input.document.getText();
  const candidates = files
    .filter((uri) => uri !== normalUri(input.uri))
    .map((uri) => ({ name: fileNameOf(uri), path: relativePath(input.uri, uri) }));
  return problems.flatMap((problem) => {
    const written = text.slice(problem.start + 1, problem.end - 1);
    const names = new Set(candidates.map(({ name }) => name));
    const name = nearest(written.slice(written.lastIndexOf('/') + 1), names);
    const paths = candidates.flatMap((candidate) => (candidate.name === name ? (candidate.path ?? []) : []));
    const path = nearest(written, paths) ?? paths[0];
    if (path === undefined || path === written || path.includes('"')) return [];
    return fixesOf(input, { ...problem, fix: replace(problem, `"${path}"`) });
  });
}

/** A path that is written in the text, in quotes. */
interface WrittenPath extends Span {
  readonly text: string;
  /** URI of the folder in which its file lies, if there is one. */
  readonly folder: string;
}

/** Paths on the lines of the range, where the editor shows that a file is not there: of a table that is said at its name. */
export function missingFiles(
  input: ServiceInput,
  range: Range,
  shown: readonly Pick<Diagnostic, 'code'>[],
): readonly WrittenPath[] {
  if (!shown.some(({ code }) => code === notFound)) return [];
  const from = input.document.offsetAt({ line: range.start.line, character: 0 });
  const to = input.document.offsetAt({ line: range.end.line + 1, character: 0 });
  return marksOf(treeOf(input)).flatMap((mark) => {
    if (mark.kind !== 'string') return [];
    const { start, end, text } = mark.value;
    const folder = resolvePath(input.uri, `${writtenFolder(text)}.`);
    return start <= to && from <= end && folder !== undefined ? [{ start, end, text, folder }] : [];
  });
}

const notFound = 'file-not-found';

/** The file of the same folder that was most likely meant. */
export function fileFixes(
  input: ServiceInput,
  path: WrittenPath,
  entries: readonly FolderEntry[],
  shown: readonly Diagnostic[],
): CodeAction[] {
  const folder = writtenFolder(path.text);
  const written = path.text.slice(folder.length);
  const names = entries.flatMap(({ name, isFolder }) => (isFolder || /["\r\n]/.test(name) ? [] : [name]));
  const name = names.includes(written) ? undefined : nearest(written, names);
  if (name === undefined) return [];
  const fix = replace(path, `"${folder}${name}"`);
  return [
    {
      title: fix.title,
      kind: CodeActionKind.QuickFix,
      isPreferred: true,
      diagnostics: shown.filter(({ code }) => code === notFound),
      edit: { changes: { [input.uri]: [TextEdit.replace(rangeOf(input.document, fix), fix.text)] } },
    },
  ];
}
