/** `Placewright: Export Mapping Vector…`: a placement in the format of a launcher or tool, seen before it is written. */
import { env, l10n, QuickPickItemKind, ViewColumn, window, type QuickPickItem, type Uri } from 'vscode';
import {
  commandWith,
  type CommandLine,
  type ExportAnswer,
  type ExportParameters,
} from '../server/protocol/messages.ts';
import { choosePlacement, type Focused, type Given } from './choosePlacement.ts';
import { showPreview } from './preview.ts';
import { besideDocument, chooseTarget, shownPath, saveAtomically } from './saving.ts';
import type { Server } from './server.ts';
import { translateServerText } from './words.ts';

type Exported = Extract<ExportAnswer, { ok: true }>;

/** What the command may be called with; what is absent is asked for. */
interface ExportGiven extends Given {
  readonly format?: unknown;
  readonly target?: unknown;
}

/**
 * Placement and format, then a look at what will be written, with the command line that uses it and what the launcher cannot do; then
 * the file, in one go. Callers who name a file are shown nothing.
 */
export async function exportMappingVector(
  server: Server,
  focused: Focused | undefined,
  given: ExportGiven,
): Promise<void> {
  const chosen = await choosePlacement(server, given, focused);
  if (chosen === undefined) return;
  const format = await chooseFormat(server, given.format);
  if (format === undefined) return;
  const first = await exportOrThrow(server, { ...chosen, format });
  const seen = given.target === undefined ? await agreedOn(server, { ...chosen, format }, first) : first;
  if (seen === undefined) return;
  const target = await chooseTarget(chosen.uri, seen.suggestedName, given.target);
  if (target === undefined) return;
  await saveAtomically(target, seen.text);
  offerExport(chosen.placement, target, seen);
}

async function exportOrThrow(server: Server, parameters: ExportParameters): Promise<Exported> {
  const answer = await server.ask('export', parameters);
  if (!answer.ok) throw new Error(translateServerText(answer.message));
  return answer;
}

async function chooseFormat(server: Server, given: unknown): Promise<string | undefined> {
  if (typeof given === 'string') return given;
  const formats = await server.ask('formats', {});
  const items = formats.map(({ name, summary }) => ({ label: name, detail: summary }));
  const placeHolder = l10n.t('Which format?');
  const picked = await window.showQuickPick(items, { title: 'Placewright', placeHolder, matchOnDetail: true });
  return picked?.label;
}

interface Choice extends QuickPickItem {
  readonly command?: CommandLine;
  /** What to export instead. */
  readonly parameters?: ExportParameters;
}

/** What the user has looked at and wants written; undefined where nothing is. Hosts can be named meanwhile. */
async function agreedOn(server: Server, asked: ExportParameters, first: Exported): Promise<Exported | undefined> {
  const viewColumn = window.activeTextEditor?.viewColumn ?? ViewColumn.One;
  const write: Choice = { label: l10n.t('Write…'), detail: l10n.t('Choose where to save; nothing is written yet') };
  const name: Choice = { label: l10n.t('Name Hosts…'), detail: l10n.t('With a pattern or a hostlist') };
  let [found, shown] = [first, asked];
  for (;;) {
    const target = besideDocument(asked.uri, found.suggestedName);
    const preview = await showPreview(target, exportPreviewText(target, found), viewColumn);
    try {
      const { commands, warnings } = found;
      const choices: readonly Choice[] = [
        write,
        ...commands.map((command) => ({
          label: l10n.t('Copy Command Line: {0}', command.of),
          detail: commandWith(command, shownPath(target)),
          command,
        })),
        name,
        ...otherJobs(found.jobs, shown),
        ...(warnings.length === 0 ? [] : [{ label: l10n.t('Warnings'), kind: QuickPickItemKind.Separator }]),
        ...warnings.map((warning) => ({ label: l10n.t('Warning'), detail: translateServerText(warning) })),
      ];
      const placeHolder = l10n.t('Write this file? Press Escape to cancel.');
      const title = `Placewright: ${asked.placement} (${asked.format})`;
      const picked = await window.showQuickPick(choices, { title, placeHolder, ignoreFocusOut: true });
      if (picked === undefined || picked === write) return picked && found;
      if (picked.command !== undefined) {
        await env.clipboard.writeText(commandWith(picked.command, shownPath(target)));
      } else if (picked === name) {
        const names = await askForNames(server, shown);
        if (names !== undefined) ({ found, shown } = names);
      } else if (picked.parameters !== undefined) {
        shown = picked.parameters;
        found = await exportOrThrow(server, shown);
      }
    } finally {
      await preview.close();
    }
  }
}

/** Each job of several by itself, and all of them where one is shown. */
function otherJobs(jobs: readonly string[], { job: shown, ...all }: ExportParameters): readonly Choice[] {
  if (jobs.length < 2) return [];
  const single = jobs
    .filter((job) => job !== shown)
    .map((job) => ({
      label: l10n.t('Job {0}', job),
      detail: l10n.t('This job alone, with ranks from 0'),
      parameters: { ...all, job },
    }));
  return shown === undefined ? single : [...single, { label: l10n.t('All Jobs'), parameters: all }];
}

/** The same with names for the hosts; undefined where the user gives none. */
async function askForNames(
  server: Server,
  asked: ExportParameters,
): Promise<{ readonly found: Exported; readonly shown: ExportParameters } | undefined> {
  const prompt = l10n.t(
    'nid%05d for node numbers, or a hostlist such as n[01-16]: one host per allocated node, or per node of the machine',
  );
  for (let value = ''; ;) {
    const names = await window.showInputBox({ title: 'Placewright', prompt, value, ignoreFocusOut: true });
    if (names === undefined || names === '') return undefined;
    const shown = { ...asked, names };
    const answer = await server.ask('export', shown);
    if (answer.ok) return { found: answer, shown };
    void window.showErrorMessage(translateServerText(answer.message));
    value = names;
  }
}

/** What the launcher cannot do, how the file is used, and then all of it. */
const exportPreviewText = (target: Uri, { text, commands, warnings }: Exported): string =>
  [
    ...warnings.map((warning) => `${translateServerText('warning')}: ${translateServerText(warning)}`),
    ...commands.map((command) => `${command.of}: ${commandWith(command, shownPath(target))}`),
    '',
    l10n.t('File to write, {0} or another name:', shownPath(target)),
    '',
    text,
  ].join('\n');

/** Says where the file is, and offers the command line that uses it there. */
function offerExport(placement: string, target: Uri, { warnings, commands }: Exported): void {
  const path = shownPath(target);
  const copies = commands.map((command) => ({
    label: l10n.t('Copy Command Line: {0}', command.of),
    line: commandWith(command, path),
  }));
  const labels = copies.map(({ label }) => label);
  const shown =
    warnings.length > 0
      ? window.showWarningMessage(
          l10n.t('Exported to {0}. {1}', path, warnings.map(translateServerText).join(' ')),
          ...labels,
        )
      : window.showInformationMessage(l10n.t('Exported placement "{0}" to {1}.', placement, path), ...labels);
  // Whoever called the command does not wait until the user has read it.
  void shown.then(async (pressed) => {
    const copied = copies.find(({ label }) => label === pressed);
    if (copied !== undefined) await env.clipboard.writeText(copied.line);
  });
}
