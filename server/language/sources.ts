import { fail, shortened, type Result } from '../model/result.ts';
import { arrowText } from '../model/words.ts';
import { problemAt } from './codes.ts';
import { parseText, type Parsed } from './parse.ts';
import { parsePieces, type Pieces } from './pieces.ts';
import type { DeclarationNode, ImportNode, Problem, SyntaxTree } from './tree.ts';
import { normalUri, resolvePath, fileNameOf } from './uris.ts';

/** Reads the text of a file; the entrypoints decide what may be read and how much. */
export type ReadText = (uri: string) => Promise<Result<string>>;

/** Files that one file may reach by imports. */
const importLimit = 256;

interface Gathering {
  readonly read: ReadText;
  readonly previous: Sources | undefined;
  readonly files: Map<string, SourceFile>;
  readonly problems: Map<string, Problem[]>;
  /** Why a file cannot be read: it is not tried again. */
  readonly refused: Map<string, string>;
}

/**
 * Reads a file and all it imports, each once. An import that cannot be read is a problem at
 * the import; a cycle is one at each import that takes part in it; a root that cannot be read
 * is an empty file with one problem. Files whose text did not change keep the tree they have
 * in `previous`, and of others what did not change is not parsed again. Never rejects unless `read` does.
 */
export async function gatherSources(rootUri: string, read: ReadText, previous?: Sources): Promise<Sources> {
  const gathering: Gathering = { read, previous, files: new Map(), problems: new Map(), refused: new Map() };
  await gatherRoot(rootUri, gathering);
  let level = [...gathering.files.values()];
  while (level.length > 0) level = await gatherImports(level, rootUri, gathering);
  for (const { uri, problem } of importCycleProblems(rootUri, gathering.files)) addProblem(gathering, uri, problem);
  const files = new Map<string, SourceFile>();
  for (const [uri, file] of gathering.files) {
    const added = gathering.problems.get(uri) ?? [];
    files.set(uri, added.length === 0 ? file : { ...file, problems: [...file.problems, ...added] });
  }
  return { root: rootUri, files };
}

async function gatherRoot(uri: string, gathering: Gathering): Promise<void> {
  const text = await gathering.read(uri);
  gathering.files.set(uri, sourceFile(uri, text.ok ? text.value : '', gathering.previous));
  if (text.ok) return;
  const { code, message } = text.failure;
  addProblem(gathering, uri, { severity: 'error', code, message, start: 0, end: 0 });
}

/** Reads what the files of one level import; gives the files that are new. */
async function gatherImports(level: readonly SourceFile[], root: string, gathering: Gathering): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for (const file of level) {
    const imports: { node: ImportNode; uri: string }[] = [];
    for (const node of file.tree.imports) {
      const uri = uriOfImport(file.uri, node, root, gathering);
      if (uri === undefined) continue;
      const read = gathering.files.get(uri) ?? (await readImport(file.uri, node, uri, gathering));
      if (read === undefined) continue;
      if (!gathering.files.has(uri)) {
        gathering.files.set(uri, read);
        found.push(read);
      }
      imports.push({ node, uri });
    }
    gathering.files.set(file.uri, { ...file, imports });
  }
  return found;
}

function uriOfImport(from: string, node: ImportNode, root: string, gathering: Gathering): string | undefined {
  if (node.path === undefined) return undefined;
  const uri = resolvePath(from, node.path.text);
  if (uri === undefined) {
    const message = 'Name the file to import, relative to this one: `import "machines/cielo.place"`.';
    addProblem(gathering, from, problemAt(node.path, 'missing-import', message));
    return undefined;
  }
  return uri === normalUri(root) ? root : uri;
}

async function readImport(
  from: string,
  node: ImportNode,
  uri: string,
  gathering: Gathering,
): Promise<SourceFile | undefined> {
  const span = node.path ?? node;
  const known = gathering.refused.get(uri);
  if (known === undefined && gathering.files.size + gathering.refused.size >= importLimit) {
    const message = `At most ${importLimit} files can be imported. Import fewer, or join them.`;
    addProblem(gathering, from, problemAt(span, 'too-many-imports', message));
    return undefined;
  }
  const text = known === undefined ? await gathering.read(uri) : fail('missing-import', known);
  if (text.ok) return sourceFile(uri, text.value, gathering.previous);
  gathering.refused.set(uri, text.failure.message);
  const message = `\`${shortened(node.path?.text ?? uri)}\` cannot be imported: ${text.failure.message}`;
  addProblem(gathering, from, problemAt(span, 'missing-import', message));
  return undefined;
}

function sourceFile(uri: string, text: string, previous: Sources | undefined): SourceFile {
  const { parsed, pieces } = parsedFile(text, previous?.files.get(uri));
  return { uri, text, parsed, pieces, tree: parsed.tree, problems: parsed.problems, imports: [] };
}

/** The first text of a file is read as a whole; most files have no other. */
function parsedFile(text: string, known: SourceFile | undefined): Pick<SourceFile, 'parsed' | 'pieces'> {
  if (known === undefined) return { parsed: parseText(text), pieces: new Map() };
  return known.text === text ? known : parsePieces(text, known.pieces);
}

function addProblem(gathering: Gathering, uri: string, problem: Problem): void {
  const list = gathering.problems.get(uri);
  if (list === undefined) gathering.problems.set(uri, [problem]);
  else list.push(problem);
}

interface Step {
  readonly uri: string;
  /** The import that led on from this file. */
  node: ImportNode | undefined;
}

interface FoundProblem {
  readonly uri: string;
  readonly problem: Problem;
}

/**
 * A problem at every import that takes part in a cycle, so that whichever file is open shows
 * it, with the chain of files. Files imported twice without a cycle are no problem.
 * O(files + imports), but for the length of the chains.
 */
function importCycleProblems(root: string, files: ReadonlyMap<string, SourceFile>): readonly FoundProblem[] {
  const found = new Map<ImportNode, FoundProblem>();
  const finished = new Set<string>();
  const path: Step[] = [];

  const visit = (uri: string): void => {
    const start = path.findIndex((step) => step.uri === uri);
    if (start >= 0) {
      reportImportCycle(path.slice(start), found);
      return;
    }
    if (finished.has(uri)) return;
    const step: Step = { uri, node: undefined };
    path.push(step);
    for (const { node, uri: next } of files.get(uri)?.imports ?? []) {
      step.node = node;
      visit(next);
    }
    path.pop();
    finished.add(uri);
  };

  visit(root);
  return [...found.values()];
}

/** One problem per import of a cycle, each with the chain seen from its own file. */
function reportImportCycle(cycle: readonly Step[], found: Map<ImportNode, FoundProblem>): void {
  for (const [index, { uri, node }] of cycle.entries()) {
    if (node === undefined || found.has(node)) continue;
    const files = [...cycle.slice(index), ...cycle.slice(0, index + 1)].map((step) => fileNameOf(step.uri));
    const message = `Files import each other: ${arrowText(...files)}. Remove one of these imports.`;
    found.set(node, { uri, problem: problemAt(node.path ?? node, 'import-cycle', message) });
  }
}

/** The sources with another text of one file, whose imports are those that it had. */
export function withText(sources: Sources, uri: string, text: string): Sources {
  const before = sources.files.get(uri);
  if (before === undefined) return sources;
  const file = sourceFile(uri, text, sources);
  const ofImports = before.problems.filter((problem) => !before.parsed.problems.includes(problem));
  const imports = file.tree.imports.flatMap((node) =>
    before.imports
      .filter((known) => known.node.path?.text === node.path?.text)
      .slice(0, 1)
      .map(({ uri: read }) => ({ node, uri: read })),
  );
  const changed = { ...file, imports, problems: [...file.problems, ...ofImports] };
  return { ...sources, files: new Map([...sources.files, [uri, changed]]) };
}

/** One file of a program: its text, its tree, and what is wrong with either. */
export interface SourceFile {
  readonly uri: string;
  readonly text: string;
  readonly tree: SyntaxTree;
  /** What the parser gave: kept, so that an unchanged file is not read again. */
  readonly parsed: Parsed;
  /** The same in pieces, of a file that was edited: only what an edit changes is read again. */
  readonly pieces: Pieces;
  /** Of syntax and of imports. */
  readonly problems: readonly Problem[];
  /** Files it imports that were read, in order, with the statement. */
  readonly imports: readonly { readonly node: ImportNode; readonly uri: string }[];
}

/** A file with everything it imports; `root` is a key of `files`, which come breadth first. */
export interface Sources {
  readonly root: string;
  readonly files: ReadonlyMap<string, SourceFile>;
}

/** Names of all declarations of a kind, those with errors included, in the order of the texts. */
export const declaredNames = (sources: Sources, kind: DeclarationNode['kind']): readonly string[] =>
  [...sources.files.values()]
    .flatMap(({ tree }) => tree.declarations)
    .flatMap((declaration) => (declaration.kind === kind && declaration.name ? [declaration.name.text] : []));
