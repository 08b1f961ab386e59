import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Range } from 'vscode-languageserver-types';
import { countOf, formatBytes } from '../../model/quantities.ts';
import { stoppedText } from '../../output/comparisonCsv.ts';
import type { StudySummary } from '../../study/report.ts';
import type { SourceFile } from '../sources.ts';
import type { DeclarationNode } from '../tree.ts';
import { rangeOf, type ServiceInput } from './input.ts';
import { figureWords, placementProgress, slotsText } from './words.ts';
import { isShown, type Workspace } from './workspace.ts';

/** The kinds of declarations that users look for by themselves, in the order of their work. */
const overviewKinds = ['machine', 'job', 'placement', 'experiment'] as const;
type OverviewKind = (typeof overviewKinds)[number];

/** How what is known of a declaration stands; machines and jobs of a sound text are always `fresh`. */
export type OverviewState = 'fresh' | 'stale' | 'unknown' | 'working' | 'failed';

/** One declaration of a workspace, with what is known of it in one line. */
export interface OverviewEntry {
  readonly kind: OverviewKind;
  readonly name: string;
  readonly uri: string;
  /** Of the name. */
  readonly range: Range;
  readonly words: string;
  readonly state: OverviewState;
  /** A placement that says `simulate`. */
  readonly isSimulated: boolean;
}

/** Entries at most: a view of more helps nobody. */
const mostEntries = 5000;

/**
 * What the files of a workspace declare, by file and in the order of the text; what studies and runs found is known of files that
 * are open, whose inputs `openInput` has. O(declarations).
 */
export function workspaceOverview(
  workspace: Workspace,
  openInput: (uri: string) => ServiceInput | undefined,
): OverviewEntry[] {
  const entries: OverviewEntry[] = [];
  for (const [root, { files }] of workspace.programs) {
    const file = files.get(root);
    if (file === undefined || !isShown(workspace, root)) continue;
    const input = openInput(root);
    const document = TextDocument.create(root, 'place', 0, file.text);
    for (const declaration of file.tree.declarations) {
      const { name } = declaration;
      const kind = overviewKinds.find((one) => one === declaration.kind);
      if (kind === undefined || name === undefined) continue;
      const isSimulated = kind === 'placement' && declaration.properties.some(({ word }) => word.text === 'simulate');
      const known = errorIn(declaration, input) ??
        knownOf(kind, name.text, input) ?? { words: declarationSummary(file, declaration), state: stateOfText(kind) };
      entries.push({ kind, name: name.text, uri: root, range: rangeOf(document, name), ...known, isSimulated });
      if (entries.length === mostEntries) return entries;
    }
  }
  return entries;
}

/** Of what has to be worked out, a text by itself says nothing. */
const stateOfText = (kind: OverviewKind): OverviewState => (kind === 'machine' || kind === 'job' ? 'fresh' : 'unknown');

type Known = Pick<OverviewEntry, 'words' | 'state'>;

/** The first error in the text of a declaration that is open. */
function errorIn({ start, end }: DeclarationNode, input: ServiceInput | undefined): Known | undefined {
  const error = input?.checked.problems
    .get(input.uri)
    ?.find((problem) => problem.severity === 'error' && start <= problem.start && problem.end <= end);
  return error && { words: error.message, state: 'failed' };
}

function knownOf(kind: OverviewKind, name: string, input: ServiceInput | undefined): Known | undefined {
  if (input === undefined) return undefined;
  switch (kind) {
    case 'machine':
      return machineWords(name, input.summary);
    case 'job':
      return jobWords(name, input.summary);
    case 'placement':
      return placementState(name, input);
    case 'experiment':
      return ofExperiment(name, input);
  }
}

function machineWords(name: string, summary: StudySummary | undefined): Known | undefined {
  const facts = summary?.machines.find((machine) => machine.name === name);
  if (facts === undefined) return undefined;
  return { words: `${countOf(facts.nodes, 'node')}, ${slotsText(facts)}`, state: 'fresh' };
}

function jobWords(name: string, summary: StudySummary | undefined): Known | undefined {
  const facts = summary?.jobs.find((job) => job.name === name);
  return facts && { words: `${countOf(facts.tasks, 'task')}, ${formatBytes(facts.bytes)}`, state: 'fresh' };
}

function placementState(name: string, { summary, stale, status }: ServiceInput): Known | undefined {
  const now = status?.get(name);
  if (now?.kind === 'working') return { words: placementProgress(now.progress), state: 'working' };
  if (now?.kind === 'waiting') return { words: 'waiting to be placed', state: 'working' };
  if (now?.kind === 'failed') return { words: now.message, state: 'failed' };
  const outline = summary?.placements.find((placement) => placement.name === name);
  if (outline === undefined) return undefined;
  const words =
    now?.kind === 'stopped' ? `${figureWords(outline)} · ${stoppedText(now.milliseconds)}` : figureWords(outline);
  return stale?.has(name) === true
    ? { words: `${words} · before the last edits`, state: 'stale' }
    : { words, state: 'fresh' };
}

function ofExperiment(name: string, { experiments }: ServiceInput): Known | undefined {
  const standing = experiments?.get(name);
  if (standing === undefined) return undefined;
  const { running, problem, fault, result, isStale } = standing;
  if (running !== undefined) return { words: running, state: 'working' };
  const wrong = problem?.message ?? fault;
  if (wrong !== undefined) return { words: wrong, state: 'failed' };
  if (result === undefined) return { words: 'not run yet', state: 'unknown' };
  return isStale ? { words: `${result} · before the last changes`, state: 'stale' } : { words: result, state: 'fresh' };
}

/** What the text says of a machine, a job or a placement that nothing else is known of: the property that tells most. */
function declarationSummary({ text }: SourceFile, { properties }: DeclarationNode): string {
  const telling = ['topology', 'grid', 'tasks', 'trace', 'map', 'skeleton'];
  const property = telling.flatMap((word) => properties.find((one) => one.word.text === word) ?? [])[0];
  return property === undefined ? '' : text.slice(property.start, property.end).replace(/\s+/g, ' ').slice(0, 80);
}
