import { TextDocument } from 'vscode-languageserver-textdocument';
import { TextEdit, type Range, type WorkspaceEdit } from 'vscode-languageserver-types';
import { URI } from 'vscode-uri';
import { fail, succeed, type Result } from '../../model/result.ts';
import { checkSources } from '../check.ts';
import type { Sources, SourceFile } from '../sources.ts';
import { symbolsOf } from '../symbols.ts';
import { isWord } from '../tokens.ts';
import type { Span, StringValue } from '../tree.ts';
import { fileNameOf, relativePath, resolvePath } from '../uris.ts';
import { entryFor } from './catalogues.ts';
import { treeOf, type PositionInput, rangeOf } from './input.ts';
import { markAt, marksOf } from './marks.ts';
import {
  declarationAt,
  isBoundTo,
  isSameFile,
  namedBy,
  namedPlaces,
  programsReading,
  shownPlaces,
  workspaceText,
  withTexts,
  type Declaration,
  type Places,
  type Workspace,
  workspaceFiles,
} from './workspace.ts';

/** The name at the offset and its range, where it is one that a file declares; else undefined. */
export function prepareRename(input: PositionInput): { range: Range; placeholder: string } | undefined {
  const mark = markAt(treeOf(input), input.offset);
  const named = mark === undefined ? undefined : namedBy(mark);
  if (mark === undefined || named === undefined) return undefined;
  return { range: rangeOf(input.document, mark.span), placeholder: named.name };
}

/**
 * Edits of every file of the workspace that names the declaration at the offset, open or not. Refused with a sentence
 * where a program would not mean the same afterwards: the name is taken, or is no name, or is a word that the language
 * reads otherwise at one of the places. Every program that reads an edited file is checked before and after.
 * Codes: `no-name`, `no-word`, `name-taken`, `too-many-files`, `breaks-program`.
 */
export async function rename(
  workspace: Workspace,
  uri: string,
  offset: number,
  newName: string,
): Promise<Result<WorkspaceEdit>> {
  const declaration = declarationAt(workspace, uri, offset);
  if (declaration === undefined) {
    return fail('no-name', 'Only declared names can be renamed.');
  }
  if (newName === declaration.name) return succeed({ changes: {} });
  const refusal = renameRefusal(workspace, declaration, newName);
  if (refusal !== undefined) return refusal;
  const places = namedPlaces(workspace, declaration);
  const broken = await breakageOf(workspace, declaration, places, newName);
  if (broken !== undefined) return broken;
  const changes: Record<string, TextEdit[]> = {};
  for (const [file, spans] of shownPlaces(workspace, places)) {
    const document = TextDocument.create(file, 'place', 0, workspaceText(workspace, file) ?? '');
    changes[file] = spans.map((span) => TextEdit.replace(rangeOf(document, span), newName));
  }
  return succeed({ changes });
}

/** What is wrong with the name itself, or with who has it already. */
function renameRefusal(workspace: Workspace, declaration: Declaration, newName: string): Result<never> | undefined {
  const { kind, uri } = declaration;
  if (!isWord(newName)) {
    return fail(
      'no-word',
      `"${newName}" is not a valid name. Use letters, digits and _, with single hyphens between them.`,
    );
  }
  if (kind === 'stencil' && entryFor('stencil', newName) !== undefined) {
    return fail('name-taken', `\`${newName}\` is a built-in stencil. Choose another name.`);
  }
  if (!workspace.isComplete) {
    return fail('too-many-files', 'The open folders have too many files to find every use. Open a smaller folder.');
  }
  for (const program of programsReading(workspace, [uri])) {
    const taken = symbolsOf(program).lookup(kind, newName);
    if (taken === undefined) continue;
    const where = isSameFile(workspace, taken.uri, uri) ? 'there' : `in ${fileNameOf(taken.uri)}`;
    const reader =
      program.root === uri || program.root === taken.uri ? '' : `, and ${fileNameOf(program.root)} reads both`;
    return fail('name-taken', `There is a ${kind} \`${newName}\` already ${where}${reader}: choose another name.`);
  }
  return undefined;
}

/**
 * Works the edit out on all programs that it touches; a sentence where one of them is not the same program afterwards.
 */
async function breakageOf(
  workspace: Workspace,
  declaration: Declaration,
  places: Places,
  newName: string,
): Promise<Result<never> | undefined> {
  const texts = new Map<string, string>();
  for (const [uri, spans] of places) texts.set(uri, replaced(workspaceText(workspace, uri) ?? '', spans, newName));
  const before = programsReading(workspace, places.keys());
  const after = await withTexts(
    workspace,
    texts,
    before.map(({ root }) => root),
  );
  const refused = (file: string, why: string): Result<never> =>
    fail('breaks-program', `\`${declaration.name}\` cannot be called \`${newName}\`: ${fileNameOf(file)} ${why}`);
  for (const program of before) {
    const next = after.programs.get(program.root)!;
    const { kind, name, uri: home } = declaration;
    const use = [...places.keys()].find((uri) => !isSameFile(workspace, uri, home) && program.files.has(uri));
    if (
      use !== undefined &&
      symbolsOf(program).lookup(kind, name) !== undefined &&
      !isBoundTo(workspace, program, declaration)
    ) {
      return refused(program.root, `means another ${kind} by the name in ${fileNameOf(use)}.`);
    }
    for (const [uri, spans] of places) {
      const renamed = new Set(spans.map(({ start }) => start));
      if (renamedWords(program, uri, renamed, newName) !== renamedWords(next, uri, new Set(), newName)) {
        return refused(uri, `would change its meaning: \`${newName}\` is a keyword there.`);
      }
    }
    const error = newErrorOf(program, next);
    if (error !== undefined) return refused(error.uri, `would have an error: ${error.message}`);
  }
  return undefined;
}

/** What the words of a file are, those at `renamed` with their new name: the same before and after. */
function renamedWords(program: Sources, uri: string, renamed: ReadonlySet<number>, newName: string): string {
  const tree = program.files.get(uri)?.tree;
  return (tree === undefined ? [] : marksOf(tree))
    .map((mark) => {
      const named = namedBy(mark);
      const name = renamed.has(mark.span.start) ? newName : named?.name;
      return `${mark.kind} ${named?.kind ?? ''} ${name ?? ''}`;
    })
    .join('\n');
}

/** An error of `after` that `before` has not as often, by file and code. */
function newErrorOf(before: Sources, after: Sources): { readonly uri: string; readonly message: string } | undefined {
  const known = new Map<string, number>();
  const keyOf = (uri: string, code: string): string => `${code} ${uri}`;
  for (const { uri, code } of sourceErrors(before)) known.set(keyOf(uri, code), (known.get(keyOf(uri, code)) ?? 0) + 1);
  return sourceErrors(after).find(({ uri, code }) => {
    const left = (known.get(keyOf(uri, code)) ?? 0) - 1;
    known.set(keyOf(uri, code), left);
    return left < 0;
  });
}

const sourceErrors = (sources: Sources) =>
  [...checkSources(sources).problems].flatMap(([uri, problems]) =>
    problems.filter(({ severity }) => severity === 'error').map(({ code, message }) => ({ uri, code, message })),
  );

/** A text with all spans, which are in order, replaced by one word. */
function replaced(text: string, spans: readonly Span[], word: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const span of spans) {
    parts.push(text.slice(end, span.start), word);
    end = span.end;
  }
  parts.push(text.slice(end));
  return parts.join('');
}

/** A file or folder that gets another name or place, by normal URI. */
export interface FileRename {
  readonly from: string;
  readonly to: string;
}

/**
 * What the paths of all files must say after files or folders are renamed: imports, tables, fabrics, mappings. Paths
 * that need no change, and those that no string can hold, are left alone.
 */
export function fileRenames(workspace: Workspace, renames: readonly FileRename[]): WorkspaceEdit {
  const changes: Record<string, TextEdit[]> = {};
  for (const file of workspaceFiles(workspace)) {
    const document = TextDocument.create(file.uri, 'place', 0, file.text);
    const edits = marksOf(file.tree).flatMap((mark) => {
      const path = mark.kind === 'string' ? newPath(file, mark.value, renames) : undefined;
      if (mark.kind !== 'string' || path === undefined) return [];
      const { start, text } = mark.value;
      return [TextEdit.replace(rangeOf(document, { start: start + 1, end: start + 1 + text.length }), path)];
    });
    if (edits.length > 0) changes[file.uri] = edits;
  }
  return { changes };
}

/** The path that a string must hold; undefined where it may stay as it is. */
function newPath({ uri }: SourceFile, { text }: StringValue, renames: readonly FileRename[]): string | undefined {
  const target = isPath(text) ? resolvePath(uri, text) : undefined;
  if (target === undefined) return undefined;
  const home = afterRenames(uri, renames);
  const wanted = afterRenames(target, renames);
  if (resolvePath(home, text) === wanted) return undefined;
  const path = text.startsWith('/') ? URI.parse(wanted).path : relativePath(home, wanted);
  return path === undefined || /["\n\r]/.test(path) ? undefined : path;
}

/** Lists of hosts are strings too: `"nid[01000-01511]"`. */
const isPath = (text: string): boolean => !/[[\],]/.test(text);

function afterRenames(uri: string, renames: readonly FileRename[]): string {
  for (const { from, to } of renames) {
    if (uri === from) return to;
    if (uri.startsWith(`${from}/`)) return to + uri.slice(from.length);
  }
  return uri;
}
