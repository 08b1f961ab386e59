import type { Program } from '../study/program.ts';
import { checkNames } from './check/names.ts';
import { scopeOf, type Scope } from './check/scope.ts';
import { checkDeclarations } from './check/declarations.ts';
import { problemAt, withBlanks } from './codes.ts';
import { buildProgram, type FileNeed } from './program.ts';
import type { Sources } from './sources.ts';
import { symbolsOf, type Declared, type SymbolTable } from './symbols.ts';
import type { Problem } from './tree.ts';
import { fileNameOf } from './uris.ts';

export interface CheckedProgram {
  readonly program: Program;
  /** Of each file, by URI, in order of the text: of syntax, of imports and of meaning. */
  readonly problems: ReadonlyMap<string, readonly Problem[]>;
  readonly symbols: SymbolTable;
  /** Files that the program needs besides its sources. */
  readonly fileUris: readonly FileNeed[];
}

/** More problems of one file than this are counted, not shown. */
export const problemLimit = 200;

/**
 * Checks a file with all it imports, and makes a program of what has no error. What is shown
 * while typing is this. Pure; never throws. O(length of the texts), but sorting.
 */
export function checkSources(sources: Sources): CheckedProgram {
  const symbols = symbolsOf(sources);
  const problems = new Map<string, Problem[]>();
  const scopes = new Map<string, Scope>();
  for (const file of sources.files.values()) {
    const list = [...file.problems];
    problems.set(file.uri, list);
    scopes.set(file.uri, scopeOf(file.uri, symbols, list, file.text));
  }
  const scopeFor = (uri: string): Scope => scopes.get(uri) ?? scopeOf(uri, symbols, []);
  checkNames(symbols, sources, scopeFor);
  const declarations = checkDeclarations(sources, symbols, scopeFor);
  const { program, fileUris } = buildProgram(sources.root, symbols, declarations, soundness(problems));
  const warnings = errorsInImports(sources, problems);
  const shown = new Map<string, readonly Problem[]>();
  for (const [uri, list] of problems) {
    const text = sources.files.get(uri)?.text ?? '';
    const all = inOrder([...list, ...(warnings.get(uri) ?? [])]);
    shown.set(
      uri,
      all.map((problem) => withBlanks(problem, text)),
    );
  }
  return { program, problems: shown, symbols, fileUris };
}

/** A declaration is sound where no error lies within it. O(log errors) per question. */
function soundness(problems: ReadonlyMap<string, readonly Problem[]>): (declared: Declared) => boolean {
  const errors = new Map<string, readonly Problem[]>();
  for (const [uri, list] of problems) {
    errors.set(
      uri,
      list.filter(({ severity }) => severity === 'error').sort((a, b) => a.start - b.start),
    );
  }
  return ({ uri, node }) => {
    const list = errors.get(uri) ?? [];
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle]!.start < node.start) low = middle + 1;
      else high = middle;
    }
    return low === list.length || list[low]!.start >= node.end;
  };
}

function inOrder(problems: Problem[]): readonly Problem[] {
  problems.sort((a, b) => a.start - b.start || a.end - b.end);
  const last = problems[problemLimit];
  if (last === undefined) return problems;
  const message = `${problems.length - problemLimit} further problems of this file are not shown: mend these first.`;
  return [...problems.slice(0, problemLimit), problemAt(last, 'too-many-problems', message)];
}

interface FaultyFile {
  readonly uri: string;
  readonly errors: readonly Problem[];
}

/**
 * A warning at each import of a file that has errors of its own, or imports one that has:
 * else a placement would be left out and nothing in the open file would say why.
 * O(files × imports + problems).
 */
function errorsInImports(
  sources: Sources,
  problems: ReadonlyMap<string, readonly Problem[]>,
): ReadonlyMap<string, readonly Problem[]> {
  const faulty = new Map<string, FaultyFile>();
  for (const [uri, list] of problems) {
    const errors = list.filter(({ severity, code }) => severity === 'error' && code !== 'import-cycle');
    if (errors.length > 0) faulty.set(uri, { uri, errors });
  }
  const warnings = new Map<string, Problem[]>();
  for (const file of faulty.size === 0 ? [] : sources.files.values()) {
    const list: Problem[] = [];
    for (const { node, uri } of file.imports) {
      const found = firstFaulty(uri, file.uri, sources, faulty);
      if (found === undefined || node.path === undefined) continue;
      list.push(
        problemAt(node.path, 'errors-in-import', messageOf(node.path.text, uri, found), { severity: 'warning' }),
      );
    }
    warnings.set(file.uri, list);
  }
  return warnings;
}

function messageOf(path: string, imported: string, { uri, errors }: FaultyFile): string {
  const where = uri === imported ? `\`${path}\`` : `\`${fileNameOf(uri)}\`, which \`${path}\` imports,`;
  return `${where} has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}: ${errors[0]?.message ?? ''}`;
}

/** The nearest file with errors, from an imported one on; not the importing file itself. */
function firstFaulty(
  start: string,
  importing: string,
  sources: Sources,
  faulty: ReadonlyMap<string, FaultyFile>,
): FaultyFile | undefined {
  const seen = new Set([importing, start]);
  const waiting = start === importing ? [] : [start];
  for (const uri of waiting) {
    const found = faulty.get(uri);
    if (found !== undefined) return found;
    for (const next of sources.files.get(uri)?.imports ?? []) {
      if (!seen.has(next.uri)) waiting.push(next.uri);
      seen.add(next.uri);
    }
  }
  return undefined;
}
