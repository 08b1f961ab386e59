import { fail, type Result } from '../model/result.ts';
import { problemAt } from './codes.ts';
import { importCycleProblems } from './imports.ts';
import { parseText } from './parse.ts';
import type { SourceFile, Sources } from './sourceFile.ts';
import type { ImportNode, Problem } from './tree.ts';
import { normalUri, resolvePath } from './uris.ts';

/** Reads the text of a file; the doors decide what may be read and how much. */
export type ReadText = (uri: string) => Promise<Result<string>>;

export type { SourceFile, Sources } from './sourceFile.ts';

/** Files that one file may reach by imports. */
export const importLimit = 256;

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
 * in `previous`. Never rejects unless `read` does.
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
    const message = `At most ${importLimit} files can be imported: import fewer, or join them.`;
    addProblem(gathering, from, problemAt(span, 'too-many-imports', message));
    return undefined;
  }
  const text = known === undefined ? await gathering.read(uri) : fail('missing-import', known);
  if (text.ok) return sourceFile(uri, text.value, gathering.previous);
  gathering.refused.set(uri, text.failure.message);
  const message = `\`${node.path?.text ?? uri}\` cannot be imported: ${text.failure.message}`;
  addProblem(gathering, from, problemAt(span, 'missing-import', message));
  return undefined;
}

function sourceFile(uri: string, text: string, previous: Sources | undefined): SourceFile {
  const known = previous?.files.get(uri);
  const parsed = known?.text === text ? known.parsed : parseText(text);
  return { uri, text, parsed, tree: parsed.tree, problems: parsed.problems, imports: [] };
}

function addProblem(gathering: Gathering, uri: string, problem: Problem): void {
  const list = gathering.problems.get(uri);
  if (list === undefined) gathering.problems.set(uri, [problem]);
  else list.push(problem);
}
