import { succeed } from '../../model/result.ts';
import { type ReadText, type SourceFile, type Sources, gatherSources } from '../sources.ts';
import { symbolsOf } from '../symbols.ts';
import type { DeclarationKind, DeclarationNode, Span, SyntaxTree } from '../tree.ts';
import { markAt, marksOf, type Mark } from './marks.ts';

/**
 * The `.place` files of a workspace together: what one name means in all of them. A file by itself knows what it
 * imports, but not who imports it; renaming there would break the others. Nothing here touches files: `read` does.
 */
export interface Workspace {
  /** Every file as the root of a program, with all that it imports, by normal URI. One text is parsed once for all. */
  readonly programs: ReadonlyMap<string, Sources>;
  /** False where there are more files than are looked at. */
  readonly isComplete: boolean;
  readonly read: ReadText;
  /** All URIs of a file that has several, as by links of the disk: by each of them, first the one that is shown. */
  readonly sameFiles?: ReadonlyMap<string, readonly string[]>;
}

const urisOfFile = ({ sameFiles }: Workspace, uri: string): readonly string[] => sameFiles?.get(uri) ?? [uri];

/** Whether this is the URI of its file that is shown. */
export const isShown = (workspace: Workspace, uri: string): boolean => urisOfFile(workspace, uri)[0] === uri;

/** Whether both are one file. */
export const isSameFile = (workspace: Workspace, one: string, other: string): boolean =>
  urisOfFile(workspace, one).includes(other);

/** A declared thing by kind and name: kinds are spaces of names of their own. */
export interface Named {
  readonly kind: DeclarationKind;
  readonly name: string;
}

/** The same for the same thing. */
export const namedKey = ({ kind, name }: Named): string => `${kind} ${name}`;

/** One declaration of one file. */
export interface Declaration extends Named {
  readonly uri: string;
  readonly node: DeclarationNode;
}

/** What a mark names, at its declaration or at a use of it; undefined for any other mark. */
export function namedBy(mark: Mark): Named | undefined {
  if (mark.kind === 'reference') return { kind: mark.target, name: mark.name.text };
  if (mark.kind !== 'declared' || mark.declaration.name === undefined) return undefined;
  return { kind: mark.declaration.kind, name: mark.declaration.name.text };
}

/**
 * Reads each of `roots` as a program; texts that stand in `previous` already are not parsed again. O(length of the
 * texts).
 */
export async function gatherWorkspace(
  roots: readonly string[],
  read: ReadText,
  previous?: Workspace,
  isComplete = true,
): Promise<Workspace> {
  const parsed = parsedFilesOf(previous);
  const programs = new Map<string, Sources>();
  for (const root of roots) programs.set(root, await gatherOne(root, read, parsed));
  return { programs, isComplete, read };
}

/** The programs of these roots as they would be with other texts. */
export async function withTexts(
  workspace: Workspace,
  texts: ReadonlyMap<string, string>,
  roots: readonly string[],
): Promise<Workspace> {
  const known = parsedFilesOf(workspace);
  const read: ReadText = (uri) => {
    const text = texts.get(uri) ?? known.get(uri)?.text;
    return text === undefined ? workspace.read(uri) : Promise.resolve(succeed(text));
  };
  return { ...(await gatherWorkspace(roots, read, workspace, workspace.isComplete)), ...sameFilesOf(workspace) };
}

const sameFilesOf = ({ sameFiles }: Workspace): Pick<Workspace, 'sameFiles'> =>
  sameFiles === undefined ? {} : { sameFiles };

async function gatherOne(root: string, read: ReadText, parsed: Map<string, SourceFile>): Promise<Sources> {
  const sources = await gatherSources(root, read, { root, files: parsed });
  for (const [uri, file] of sources.files) parsed.set(uri, file);
  return sources;
}

function parsedFilesOf(workspace: Workspace | undefined): Map<string, SourceFile> {
  const parsed = new Map<string, SourceFile>();
  for (const { files } of workspace?.programs.values() ?? []) {
    for (const [uri, file] of files) parsed.set(uri, file);
  }
  return parsed;
}

/** The text of a file that any program reads. */
export function workspaceText({ programs }: Workspace, uri: string): string | undefined {
  const own = programs.get(uri)?.files.get(uri);
  if (own !== undefined) return own.text;
  for (const { files } of programs.values()) {
    const file = files.get(uri);
    if (file !== undefined) return file.text;
  }
  return undefined;
}

/** Every file that any program reads, once. */
export const workspaceFiles = (workspace: Workspace): readonly SourceFile[] =>
  [...parsedFilesOf(workspace).values()].filter(({ uri }) => isShown(workspace, uri));

/** Programs that read at least one of these files, their root included. */
export const programsReading = (workspace: Workspace, uris: Iterable<string>): readonly Sources[] => {
  const wanted = Array.from(uris).flatMap((uri) => urisOfFile(workspace, uri));
  return [...workspace.programs.values()].filter(({ files }) => wanted.some((uri) => files.has(uri)));
};

/**
 * The declaration that the name at an offset stands for: as the file by itself reads it or, where it leaves the name to
 * those that import it, as the first of them does. Undefined where nothing is named or the name is declared nowhere.
 */
export function declarationAt(workspace: Workspace, uri: string, offset: number): Declaration | undefined {
  const own = workspace.programs.get(uri);
  const tree = own?.files.get(uri)?.tree;
  const mark = tree && markAt(tree, offset);
  const named = mark && namedBy(mark);
  if (own === undefined || named === undefined) return undefined;
  if (mark?.kind === 'declared') return { ...named, uri, node: mark.declaration };
  for (const program of [own, ...programsReading(workspace, [uri])]) {
    const declared = symbolsOf(program).lookup(named.kind, named.name);
    if (declared !== undefined) return { ...named, uri: declared.uri, node: declared.node };
  }
  return undefined;
}

/** Whether a program takes the name for this declaration. */
export function isBoundTo(workspace: Workspace, program: Sources, { kind, name, uri, node }: Declaration): boolean {
  const declared = symbolsOf(program).lookup(kind, name);
  if (declared === undefined) return false;
  return isSameFile(workspace, declared.uri, uri) && declared.node.start === node.start;
}

/** Spans by the file they stand in. */
export type Places = ReadonlyMap<string, readonly Span[]>;

/** Of a file that has several URIs, the places of the one that is shown. */
export const shownPlaces = (workspace: Workspace, places: Places): Places =>
  new Map([...places].filter(([uri]) => isShown(workspace, uri)));

/**
 * Where a declaration is named in all programs that take the name for it, the declaration itself first, by each URI of a file. O(length of the
 * texts).
 */
export function namedPlaces(workspace: Workspace, declaration: Declaration): Places {
  const places = new Map<string, Map<number, Span>>();
  const add = (file: string, span: Span): void => {
    for (const uri of urisOfFile(workspace, file)) {
      const spans = places.get(uri) ?? new Map<number, Span>();
      places.set(uri, spans.set(span.start, span));
    }
  };
  add(declaration.uri, declaration.node.name ?? declaration.node);
  const uses = usesInTree(declaration);
  for (const program of programsReading(workspace, [declaration.uri])) {
    if (!isBoundTo(workspace, program, declaration)) continue;
    for (const { uri, tree } of program.files.values()) {
      for (const span of uses(tree)) add(uri, span);
    }
  }
  return new Map([...places].map(([uri, spans]) => [uri, [...spans.values()].sort((a, b) => a.start - b.start)]));
}

/** The uses of a name in a tree; many programs share one tree, which is looked through once. */
function usesInTree({ kind, name }: Named): (tree: SyntaxTree) => readonly Span[] {
  const known = new Map<SyntaxTree, readonly Span[]>();
  return (tree) => {
    const found =
      known.get(tree) ??
      marksOf(tree).flatMap((mark) =>
        mark.kind === 'reference' && mark.target === kind && mark.name.text === name ? [mark.span] : [],
      );
    known.set(tree, found);
    return found;
  };
}
