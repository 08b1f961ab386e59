import { TextDocument } from 'vscode-languageserver-textdocument';
import { TextEdit, type WorkspaceEdit } from 'vscode-languageserver-types';
import { URI } from 'vscode-uri';
import type { SourceFile } from '../sources.ts';
import type { StringValue } from '../tree.ts';
import { relativePath, resolvePath } from '../uris.ts';
import { marksOf } from './marks.ts';
import { rangeOf } from './ranges.ts';
import { filesOf, type Workspace } from './workspace.ts';

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
  for (const file of filesOf(workspace)) {
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
