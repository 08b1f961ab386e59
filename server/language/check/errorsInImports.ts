import type { Sources } from '../sources.ts';
import { problemAt } from '../codes.ts';
import type { Problem } from '../tree.ts';

/**
 * A warning at each import of a file that has errors of its own, or imports one that has:
 * else a placement would be left out and nothing in the open file would say why.
 */
export function errorsInImports(
  sources: Sources,
  problems: ReadonlyMap<string, readonly Problem[]>,
): ReadonlyMap<string, readonly Problem[]> {
  const errors = new Map<string, readonly Problem[]>();
  for (const [uri, list] of problems) {
    errors.set(
      uri,
      list.filter(({ severity, code }) => severity === 'error' && code !== 'import-cycle'),
    );
  }
  const warnings = new Map<string, Problem[]>();
  for (const file of sources.files.values()) {
    const list: Problem[] = [];
    for (const { node, uri } of file.imports) {
      const found = uri === file.uri ? [] : (errors.get(uri) ?? []);
      const [first] = found;
      if (first === undefined || node.path === undefined) continue;
      const count = found.length === 1 ? 'an error' : `${found.length} errors`;
      const message = `\`${node.path.text}\` has ${count}: ${first.message}`;
      list.push(problemAt(node.path, 'errors-in-import', message, { severity: 'warning' }));
    }
    warnings.set(file.uri, list);
  }
  return warnings;
}
