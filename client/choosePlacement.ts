/**
 * Which placement, experiment or document a command is about: the one it was called with, the one in sight, or the one the
 * user picks.
 */
import { commands, l10n, Uri, window, workspace, type DocumentSymbol } from 'vscode';
import type { ExperimentParameters } from '../server/protocol/figures.ts';
import type { MachineParameters, SceneParameters } from '../server/protocol/messages.ts';
import { readTrafficSubject, type TrafficSubject } from '../server/protocol/trafficPanel.ts';
import type { Server } from './server.ts';

/** What a command was called with; menus pass a `Uri`, code lenses a string. */
export interface Given {
  readonly uri?: unknown;
  readonly placement?: unknown;
}

/** What the panel with the focus shows: always of a file, and of one declaration of it or of several. */
export interface Focused {
  readonly uri: string;
  readonly placement?: string;
  readonly machine?: string;
  readonly experiment?: string;
}

/**
 * The placement a command is about: the given one, else that of the picture in front, else the one the cursor stands
 * in, else the only one of the document, else the one the user picks. Undefined where there is none, which the user has
 * then been told, or where the user picks none.
 */
export async function choosePlacement(
  server: Server,
  given: Given,
  focused?: Focused,
): Promise<SceneParameters | undefined> {
  if (given.uri === undefined && focused?.placement !== undefined)
    return { uri: focused.uri, placement: focused.placement };
  const uri = requestedDocument(given.uri, focused);
  if (uri === undefined) return undefined;
  if (typeof given.placement === 'string') return { uri, placement: given.placement };
  const placements = await server.ask('placements', { uri });
  if (placements.length === 0) {
    void window.showInformationMessage(l10n.t('This file declares no placement yet. Type "placement" for a start.'));
    return undefined;
  }
  const [only] = placements;
  if (placements.length === 1 && only !== undefined) return { uri, placement: only.name };
  const names = new Set(placements.map(({ name }) => name));
  const here = await declarationAtCursor(uri, (name) => names.has(name));
  if (here !== undefined) return { uri, placement: here };
  const items = placements.map(({ name, range, state }) => ({
    label: name,
    description: [lineWords(range.start.line), ...(state === 'fresh' ? [] : [stateWords()[state]])].join(', '),
  }));
  const picked = await window.showQuickPick(items, { title: 'Placewright', placeHolder: l10n.t('Which placement?') });
  return picked === undefined ? undefined : { uri, placement: picked.label };
}

const lineWords = (line: number): string => l10n.t('line {0}', line + 1);

const stateWords = () => ({ stale: l10n.t('as last saved'), missing: l10n.t('not evaluated') });

/** Name of the declaration that the cursor stands in, among those wanted. */
export async function declarationAtCursor(
  uri: string,
  isWanted: (name: string) => boolean,
): Promise<string | undefined> {
  const editor = window.activeTextEditor;
  if (editor?.document.uri.toString() !== Uri.parse(uri).toString()) return undefined;
  const symbols = await commands.executeCommand<readonly DocumentSymbol[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    editor.document.uri,
  );
  const cursor = editor.selection.active;
  return symbols?.find(({ name, range }) => isWanted(name) && range.contains(cursor))?.name;
}

/**
 * The document a command is about: the given one, else that of the picture in front, else the `.place` file in
 * front or in sight. Undefined where there is none; then the user has been told.
 */
export function requestedDocument(given: unknown, shown?: Focused): string | undefined {
  if (typeof given === 'string') return given;
  if (given instanceof Uri) return given.toString();
  if (shown !== undefined) return shown.uri;
  const isPlace = ({ document }: { readonly document: { readonly languageId: string } }): boolean =>
    document.languageId === 'place';
  const [editor] = [
    ...[window.activeTextEditor].filter((active) => active !== undefined),
    ...window.visibleTextEditors,
  ].filter(isPlace);
  if (editor !== undefined) return editor.document.uri.toString();
  void window.showInformationMessage(l10n.t('No .place file is open. Open one to show or export its placements.'));
  return undefined;
}

/**
 * The machine that a command is about: the given one, else the only one of the document and what it imports, else the one the
 * cursor stands in, else the one that the user picks. Undefined where there is none, which the user has then been told, or where
 * the user picks none.
 */
export async function chooseMachine(
  server: Pick<Server, 'ask'>,
  { uri: givenUri, machine }: Pick<Given, 'uri'> & { readonly machine?: unknown },
  focused?: Focused,
): Promise<MachineParameters | undefined> {
  const uri = requestedDocument(givenUri, focused);
  if (uri === undefined) return undefined;
  if (typeof machine === 'string') return { uri, machine };
  const machines = await server.ask('machines', { uri });
  const [only] = machines;
  if (only === undefined) {
    void window.showInformationMessage(l10n.t('This file declares no machine yet. Type "machine" for a start.'));
    return undefined;
  }
  if (machines.length === 1) return { uri, machine: only.name };
  const names = new Set(machines.map(({ name }) => name));
  const here = await declarationAtCursor(uri, (name) => names.has(name));
  if (here !== undefined) return { uri, machine: here };
  const items = machines.map(({ name, range, uri: declaredIn }) => ({
    label: name,
    description: isSameUri(declaredIn, uri)
      ? lineWords(range.start.line)
      : workspace.asRelativePath(Uri.parse(declaredIn)),
  }));
  const picked = await window.showQuickPick(items, { title: 'Placewright', placeHolder: l10n.t('Which machine?') });
  return picked === undefined ? undefined : { uri, machine: picked.label };
}

const isSameUri = (one: string, other: string): boolean => Uri.parse(one).toString() === Uri.parse(other).toString();

/**
 * The experiment that a command is about: the given one, else the only one of the document, else the one the cursor stands in,
 * else the one that the user picks. Undefined where there is none, which the user has then been told, or where the user picks none.
 */
export async function chooseExperiment(
  server: Pick<Server, 'ask'>,
  { uri: givenUri, experiment }: Pick<Given, 'uri'> & { readonly experiment?: unknown },
  focused?: Focused,
): Promise<ExperimentParameters | undefined> {
  if (givenUri === undefined && focused?.experiment !== undefined)
    return { uri: focused.uri, experiment: focused.experiment };
  const uri = requestedDocument(givenUri, focused);
  if (uri === undefined) return undefined;
  if (typeof experiment === 'string') return { uri, experiment };
  const experiments = await server.ask('experiments', { uri });
  const [only] = experiments;
  if (only === undefined) {
    void window.showInformationMessage(l10n.t('This file declares no experiment yet. Type "experiment" for a start.'));
    return undefined;
  }
  if (experiments.length === 1) return { uri, experiment: only.name };
  const names = new Set(experiments.map(({ name }) => name));
  const here = await declarationAtCursor(uri, (name) => names.has(name));
  if (here !== undefined) return { uri, experiment: here };
  const items = experiments.map(({ name, range }) => ({ label: name, description: lineWords(range.start.line) }));
  const picked = await window.showQuickPick(items, { title: 'Placewright', placeHolder: l10n.t('Which experiment?') });
  return picked === undefined ? undefined : { uri, experiment: picked.label };
}

/**
 * What has the traffic that a command is about: the given placement, job or table, else the placement of the picture in front, else
 * what of the document the cursor stands in or is alone, else what the user picks. Undefined where there is nothing, which the user
 * has then been told, or where the user picks nothing.
 */
export async function chooseTraffic(
  server: Pick<Server, 'ask'>,
  { uri: givenUri, name, of }: Pick<Given, 'uri'> & { readonly name?: unknown; readonly of?: unknown },
  focused?: Focused,
): Promise<TrafficSubject | undefined> {
  if (givenUri === undefined && focused?.placement !== undefined)
    return { uri: focused.uri, of: 'placement', name: focused.placement };
  const uri = requestedDocument(givenUri, focused);
  if (uri === undefined) return undefined;
  if (typeof name === 'string') return readTrafficSubject({ uri, of: of ?? 'placement', name });
  const subjects = await server.ask('trafficSubjects', { uri });
  const [only] = subjects;
  if (only === undefined) {
    void window.showInformationMessage(l10n.t('This file declares no job yet. Type "job" for a start.'));
    return undefined;
  }
  if (subjects.length === 1) return { uri, of: only.of, name: only.name };
  const names = new Set(subjects.map((subject) => subject.name));
  const here = await declarationAtCursor(uri, (one) => names.has(one));
  const found = subjects.find((subject) => subject.name === here);
  if (found !== undefined) return { uri, of: found.of, name: found.name };
  const words = { placement: l10n.t('placement'), job: l10n.t('job'), table: l10n.t('table') };
  const items = subjects.map((subject) => ({
    label: subject.name,
    description: `${words[subject.of]}, ${lineWords(subject.range.start.line)}`,
    subject,
  }));
  const picked = await window.showQuickPick(items, { title: 'Placewright', placeHolder: l10n.t('Which traffic?') });
  return picked && { uri, of: picked.subject.of, name: picked.subject.name };
}
