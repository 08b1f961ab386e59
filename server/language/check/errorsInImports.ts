import type { Sources } from '../sources.ts';
import { problemAt } from '../codes.ts';
import type { Problem } from '../tree.ts';
import { fileNameOf } from '../uris.ts';

interface FaultyFile {
  readonly uri: string;
  readonly errors: readonly Problem[];
}

/**
 * A warning at each import of a file that has errors of its own, or imports one that has:
 * else a placement would be left out and nothing in the open file would say why.
 * O(files × imports + problems).
 */
export function errorsInImports(
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
