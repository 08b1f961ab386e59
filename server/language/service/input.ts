import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { StudySummary } from '../../study/report.ts';
import type { PlacementStatus } from '../../study/status.ts';
import type { CheckedProgram } from '../check.ts';
import type { Sources } from '../sources.ts';
import type { SyntaxTree } from '../tree.ts';

/**
 * What every editor feature is given: one file, the sources it stands in, what the checker found
 * in them and, once a study has run, its results. `sources` has the text of `document` under `uri`.
 */
export interface ServiceInput {
  readonly uri: string;
  readonly document: TextDocument;
  readonly sources: Sources;
  readonly checked: CheckedProgram;
  /** The latest study, perhaps of a slightly older text: the caller decides whether to pass a stale one. */
  readonly summary?: StudySummary | undefined;
  /** Placements whose outline in `summary` is of an older text: what shows its numbers says so. */
  readonly stale?: ReadonlySet<string> | undefined;
  /** False where the user does not trust the folder: what its files say is shown as plain text. */
  readonly trusted?: boolean | undefined;
  /** What is being done about each placement, by its name; a name that is not there is idle. */
  readonly status?: ReadonlyMap<string, PlacementStatus> | undefined;
}

/** For features that ask about one place: `offset` counts UTF-16 units from the start of the document. */
export interface PositionInput extends ServiceInput {
  readonly offset: number;
}

/** The tree of the file; an empty one where the sources do not have it. */
export const treeOf = (input: ServiceInput): SyntaxTree => input.sources.files.get(input.uri)?.tree ?? emptyTree;

const emptyTree: SyntaxTree = { imports: [], declarations: [], length: 0 };
