import { CompletionItemKind, type CompletionItem } from 'vscode-languageserver-types';
import { fileNameOf, normalUri, relativePath, resolvePath } from '../../uris.ts';
import type { PositionInput, ServiceInput } from '../input.ts';
import { contextAt, type Context } from './context.ts';
import { askAgain } from './items.ts';

/** A file or folder that lies in a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** What lies round a file, which only who may read folders knows. */
export interface FolderListing {
  readonly entries: readonly FolderEntry[];
  /** URIs of the `.place` files of the workspace, where an import is written. */
  readonly placeFiles?: readonly string[];
}

/** The folder that must be listed to complete the path at the offset; undefined where no path is written. */
export function folderAt({
  uri,
  document,
  offset,
}: Pick<PositionInput, 'uri' | 'document' | 'offset'>):
  { readonly folder: string; readonly isImport: boolean } | undefined {
  const context = contextAt(document.getText(), offset);
  if (context.kind !== 'string' || context.of.inList) return undefined;
  const folder = resolvePath(uri, `${writtenFolder(context.written)}.`);
  return folder === undefined ? undefined : { folder, isImport: context.of.word === 'import' };
}

/** The path as far as its last slash, which belongs to it. */
export const writtenFolder = (written: string): string => written.slice(0, written.lastIndexOf('/') + 1);

/** How the names of files end that are read behind a word. */
const fitting: Readonly<Record<string, RegExp>> = {
  import: /\.place$/i,
  table: /\.(?:mtx|csv|tsv|npy|npz|txt|json|dat|comm)(?:\.[gx]z)?$/i,
  topology: /\.(?:txt|out|xml|yaml|yml|conf|topo|lst|json|ibnetdiscover|dot|graphml)(?:\.[gx]z)?$/i,
  routing: /fts|lft|fdbs|\.dump$/i,
  node: /\.xml$/i,
  trace: /\.(?:goal|txt|csv|log|prv|vef|bin|otf2|dumpi|trace)(?:\.[gx]z)?$/i,
  log: /\.swf(?:\.[gx]z)?$/i,
  coordinates: /\.(?:txt|csv|dat|xyz)$/i,
  map: /\.(?:txt|csv|map|rankfile|json|dat)$/i,
  allocate: /\.(?:txt|hosts|hostfile|nodes|lst)$/i,
};

/**
 * Folders first, then files that fit the word, then the others; of an import also the files of the workspace that lie
 * elsewhere. Hidden names are left out until a dot is typed.
 */
export function pathItems(
  input: PositionInput,
  { of, written }: Extract<Context, { kind: 'string' }>,
  { entries, placeFiles = [] }: FolderListing,
): CompletionItem[] {
  const { document, offset } = input;
  const quote = /^[^\r\n"]*"/.test(document.getText().slice(offset)) ? '' : '"';
  const folder = writtenFolder(written);
  const typed = written.slice(folder.length);
  const own = resolvePath(input.uri, folder + '.') === resolvePath(input.uri, '.') ? fileNameOf(input.uri) : undefined;
  const fits = (name: string): boolean => fitting[of.word]?.test(name) === true;
  const shown = entries
    .filter(({ name }) => name !== own && !/["\r\n]/.test(name) && (typed.startsWith('.') || !isHidden(name)))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  const files = shown.filter(({ isFolder }) => !isFolder);
  return [
    ...shown.filter(({ isFolder }) => isFolder).map(({ name }) => folderItem(name)),
    ...files.filter(({ name }) => fits(name)).map(({ name }) => fileItem(name, quote)),
    ...(folder === '' ? pathsElsewhere(input, placeFiles).map((path) => fileItem(path, quote)) : []),
    ...(of.word === 'import' ? [] : files.filter(({ name }) => !fits(name)).map(({ name }) => fileItem(name, quote))),
  ];
}

/** Results of experiments, in the folder that is beside their file, are no input of anything. */
const isHidden = (name: string): boolean => name.startsWith('.') || name.endsWith('.place.results');

/** Paths of files that do not lie beside this one. */
const pathsElsewhere = ({ uri }: ServiceInput, files: readonly string[]): readonly string[] =>
  files.flatMap((file) => {
    const path = file === normalUri(uri) ? undefined : relativePath(uri, file);
    return path?.includes('/') === true && !path.includes('"') ? [path] : [];
  });

const folderItem = (name: string): CompletionItem => ({
  label: `${name}/`,
  kind: CompletionItemKind.Folder,
  command: askAgain,
});

const fileItem = (path: string, quote: string): CompletionItem => ({
  label: path,
  kind: CompletionItemKind.File,
  insertText: path + quote,
});

/** Names that a machine gives its hosts, of those that have any: what a list of nodes may name. */
export function hostItems(input: PositionInput, quoteFollows: boolean): CompletionItem[] {
  const machine = placementMachineAt(input);
  const machines = (input.summary?.machines ?? []).filter(({ name }) => machine === undefined || name === machine);
  return machines.flatMap(({ name, details }) =>
    (details?.hostNames ?? []).map((host) => ({
      label: host,
      kind: CompletionItemKind.Value,
      detail: `host of ${name}`,
      insertText: quoteFollows ? host : `${host}"`,
    })),
  );
}

/** Names for so many nodes; in double quotes, of which one stands there already or both. */
export function hostListItems(nodes: number, quotes?: 'open' | 'closed'): CompletionItem[] {
  const width = String(nodes).length;
  const lists = [
    [`node[${'1'.padStart(width, '0')}-${nodes}]`, `a name for each of ${nodes} nodes`],
    [`node%0${width}d`, 'the numbers of the nodes, from 0'],
  ] as const;
  return lists.map(([label, detail]) => ({
    label,
    kind: CompletionItemKind.Value,
    detail,
    insertText: (quotes === undefined ? '"' : '') + label + (quotes === 'closed' ? '' : '"'),
  }));
}

/** The machine of the placement round the offset. */
function placementMachineAt({ sources, uri, offset }: PositionInput): string | undefined {
  const declaration = sources.files.get(uri)?.tree.declarations.findLast(({ start }) => start <= offset);
  const content = declaration?.properties.find(({ word }) => word.text === 'machine')?.content;
  return content?.kind === 'names' ? content.names[0]?.text : undefined;
}
