import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Location, Range } from 'vscode-languageserver-types';
import type { FormName, Remark } from '../../model/experiment.ts';
import type { Failure } from '../../model/result.ts';
import type { StudySummary, PlacementStatus } from '../../study/report.ts';
import type { CheckedProgram } from '../check.ts';
import type { Sources } from '../sources.ts';
import type { SyntaxTree, Span } from '../tree.ts';

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
  /** The editor can open entries of the reference: hovers link to them. */
  readonly hasReference?: boolean | undefined;
  /** What other files name, by kind and name; unknown until all files of the workspace were looked at. */
  readonly usedElsewhere?: ReadonlySet<string> | undefined;
  /** What is being done about each placement, by its name; a name that is not there is idle. */
  readonly status?: ReadonlyMap<string, PlacementStatus> | undefined;
  /** What is known of the experiments of the file, by name. */
  readonly experiments?: ReadonlyMap<string, ExperimentStanding> | undefined;
  /** The same of the simulations of placements; a name that is not there was never simulated. */
  readonly simulations?: ReadonlyMap<string, SimulationStanding> | undefined;
}

/** What is known of the simulation of a placement. */
export interface SimulationStanding {
  /** Of the last one, in one line. */
  readonly result?: string;
  /** Something that it depends on has changed since. */
  readonly isStale: boolean;
  readonly notices?: readonly string[];
  /** How far it is, in one line. */
  readonly running?: string;
  /** Why the last one failed. */
  readonly fault?: string;
  /** Something else is in the place of what was kept of the last one. */
  readonly isDamaged?: boolean;
  /** Its figures, with what was predicted of them. */
  readonly facts?: readonly SimulatedFact[];
}

/** A figure of a simulation in words; with what is known of it without one, and by how much that is off. */
export interface SimulatedFact {
  readonly label: string;
  readonly simulated: string;
  readonly predicted?: string;
  readonly error?: string;
}

/** What is known of an experiment beside its text. */
export interface ExperimentStanding {
  /** Of the last run, in one line. */
  readonly result?: string;
  /** Why rows of the last run failed, and what its replications said. */
  readonly notices?: readonly string[];
  /** Something that the result depends on has changed since. */
  readonly isStale: boolean;
  /** The last run was not cancelled. */
  readonly isComplete: boolean;
  /** It was a smaller run than the whole. */
  readonly form?: FormName;
  /** Something else is in the place of the results. */
  readonly isDamaged?: boolean;
  /** How far a run is, in one line. */
  readonly running?: string;
  /** About how long a run takes on one thread. */
  readonly seconds?: number;
  /** The same of the smaller runs that it has. */
  readonly formSeconds?: Readonly<Partial<Record<FormName, number>>>;
  /** Why it cannot be run. */
  readonly problem?: Failure;
  /** What is said of it though it can be run. */
  readonly remarks?: readonly Remark[];
  /** Why the last run did not end. */
  readonly fault?: string;
}

/** For features that ask about one place: `offset` counts UTF-16 units from the start of the document. */
export interface PositionInput extends ServiceInput {
  readonly offset: number;
}

/** The tree of the file; an empty one where the sources do not have it. */
export const treeOf = (input: ServiceInput): SyntaxTree => input.sources.files.get(input.uri)?.tree ?? emptyTree;

const emptyTree: SyntaxTree = { imports: [], declarations: [], length: 0 };

/** Offsets of a document as an editor's lines and characters. */
export function rangeOf(document: TextDocument, span: Span): Range {
  return { start: document.positionAt(span.start), end: document.positionAt(span.end) };
}

/** Whether an offset is in the span or just behind it, where a cursor that has typed it stands. */
export function touches(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}

/** A document of any file of the sources; undefined for a file that was not read. */
export function documentOf(sources: Sources, uri: string): TextDocument | undefined {
  const file = sources.files.get(uri);
  return file === undefined ? undefined : TextDocument.create(uri, 'place', 0, file.text);
}

/** A span of any file of the sources as a location; undefined for a file that was not read. */
export function locationOf(input: ServiceInput, uri: string, span: Span): Location | undefined {
  const document = uri === input.uri ? input.document : documentOf(input.sources, uri);
  return document === undefined ? undefined : { uri, range: rangeOf(document, span) };
}
