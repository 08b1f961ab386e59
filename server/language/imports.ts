import { problemAt } from './codes.ts';
import type { SourceFile } from './sourceFile.ts';
import type { ImportNode, Problem } from './tree.ts';
import { fileNameOf } from './uris.ts';

interface Step {
  readonly uri: string;
  /** The import that led on from this file. */
  node: ImportNode | undefined;
}

export interface FoundProblem {
  readonly uri: string;
  readonly problem: Problem;
}

/**
 * A problem at every import that takes part in a cycle, so that whichever file is open shows
 * it, with the chain of files. Files imported twice without a cycle are no problem.
 * O(files + imports), but for the length of the chains.
 */
export function importCycleProblems(root: string, files: ReadonlyMap<string, SourceFile>): readonly FoundProblem[] {
  const found = new Map<ImportNode, FoundProblem>();
  const finished = new Set<string>();
  const path: Step[] = [];

  const visit = (uri: string): void => {
    const start = path.findIndex((step) => step.uri === uri);
    if (start >= 0) {
      reportCycle(path.slice(start), found);
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
function reportCycle(cycle: readonly Step[], found: Map<ImportNode, FoundProblem>): void {
  for (const [index, { uri, node }] of cycle.entries()) {
    if (node === undefined || found.has(node)) continue;
    const files = [...cycle.slice(index), ...cycle.slice(0, index + 1)].map((step) => fileNameOf(step.uri));
    const message = `Files import each other: ${files.join(' → ')}. Remove one of these imports.`;
    found.set(node, { uri, problem: problemAt(node.path ?? node, 'import-cycle', message) });
  }
}
