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
): Map<string, Problem[]> {
  const warnings = new Map<string, Problem[]>();
  for (const file of sources.files.values()) {
    for (const { node, uri } of file.imports) {
      if (node.path === undefined || uri === file.uri) continue;
      const errors = (problems.get(uri) ?? []).filter(({ severity }) => severity === 'error');
      const [first] = errors;
      if (first === undefined || first.code === 'import-cycle') continue;
      const count = errors.length === 1 ? 'an error' : `${errors.length} errors`;
      const message = `\`${node.path.text}\` has ${count}: ${first.message}`;
      const list = warnings.get(file.uri) ?? [];
      list.push(problemAt(node.path, 'errors-in-import', message, { severity: 'warning' }));
      warnings.set(file.uri, list);
    }
  }
  return warnings;
}
