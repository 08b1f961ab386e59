/** `Placewright: Import Machine…`: a `.place` file that refers to the file of a network, once its reader has seen what was understood of that. */
import {
  commands,
  env,
  l10n,
  ProgressLocation,
  QuickPickItemKind,
  Range,
  Uri,
  ViewColumn,
  window,
  workspace,
  type QuickPickItem,
} from 'vscode';
import { previewLines, type DescribeFabricAnswer } from '../server/protocol/importPreview.ts';
import type { MachineParameters } from '../server/protocol/messages.ts';
import { showPreview } from './preview.ts';
import { asUri, mayWrite, shownPath, writeAtomically } from './saving.ts';
import type { Server } from './server.ts';
import { said } from './words.ts';

type Described = Extract<DescribeFabricAnswer, { ok: true }>;

/**
 * Picks the file of a network, shows what was understood of it and what would be written, asks where to save, writes a
 * `.place` file there that refers to it, opens that, and shows the machine beside it. `fabric` and `target` may be given
 * by a caller, who is not asked then. Whoever thinks better of it finds everything as it was.
 */
export async function importMachine(
  server: Server,
  machines: { readonly show: (machine: MachineParameters) => unknown },
  fabric?: unknown,
  target?: unknown,
): Promise<void> {
  const source = asUri(fabric) ?? (await chooseFabric());
  if (source === undefined) return;
  const found = await describeFabric(server, source);
  if (found === undefined) return;
  // Among the texts: a picture that is in front stays to be seen.
  const viewColumn = window.activeTextEditor?.viewColumn ?? ViewColumn.One;
  const given = asUri(target);
  if (given !== undefined && !(await mayWrite(given))) return;
  const place = given ?? (await chooseSeen(source, found, viewColumn));
  if (place === undefined) return;
  // What was seen is written; a large file is not read again.
  const isSeen = place.toString() === Uri.parse(found.suggestedTarget).toString();
  const described = isSeen ? found : await describeFabric(server, source, place);
  if (described === undefined) return;
  await writeAtomically(place, described.text);
  const document = await workspace.openTextDocument(place);
  await window.showTextDocument(document, { viewColumn });
  const machine = /^machine\s+([\w-]+)/m.exec(described.text)?.[1];
  if (machine !== undefined) machines.show({ uri: document.uri.toString(), machine });
  void window.showInformationMessage(l10n.t('Imported {0} from {1}.', describe(found), shownPath(source)));
}

/** Where to write, of a user who has looked at the preview; that is gone afterwards. */
async function chooseSeen(source: Uri, found: Described, viewColumn: ViewColumn): Promise<Uri | undefined> {
  const target = Uri.parse(found.suggestedTarget);
  const preview = await showPreview(target, previewText(source, target, found), viewColumn);
  try {
    return (await isAgreed(source, found)) ? await chooseTarget(found) : undefined;
  } finally {
    await preview.close();
  }
}

/** What the command line prints for `--preview`, then what would be written. */
const previewText = (source: Uri, target: Uri, found: Described): string =>
  [
    ...previewLines(shownPath(source), found, said),
    '',
    l10n.t('Will be written, to {0} or where you say:', shownPath(target)),
    '',
    found.text,
  ].join('\n');

interface Choice extends QuickPickItem {
  /** A line of the file that a warning is about, counted from 1; without one the item is to write. */
  readonly line?: number;
}

/** So many warnings can be gone to from the list; the preview has all of them. */
const mostListed = 200;

/** Whether to write, after as many looks at lines of the file as the user wants. Focus may go to the preview meanwhile. */
async function isAgreed(source: Uri, found: Described): Promise<boolean> {
  const warnings = found.warnings.flatMap(({ line, message }) => (line === undefined ? [] : [{ line, message }]));
  const title = `Placewright: ${describe(found)}`;
  const write: Choice = { label: l10n.t('Write…'), detail: l10n.t('Choose where; nothing is written yet') };
  const choices: readonly Choice[] = [
    write,
    ...(warnings.length === 0 ? [] : [{ label: warningsIn(found), kind: QuickPickItemKind.Separator }]),
    ...warnings.slice(0, mostListed).map(({ line, message }) => ({
      label: l10n.t('Go to line {0}', shown(line)),
      detail: message,
      line,
    })),
  ];
  const placeHolder = l10n.t('Is this the machine? Escape leaves everything as it was.');
  for (;;) {
    const picked = await window.showQuickPick(choices, { title, placeHolder, ignoreFocusOut: true });
    if (picked?.line === undefined) return picked === write;
    const selection = new Range(picked.line - 1, 0, picked.line - 1, 0);
    // Also of a file that is too large for extensions.
    await commands.executeCommand('vscode.open', source, { selection, preserveFocus: true });
  }
}

/**
 * What the file of a network holds, and the text of a `.place` file at the target. A large file takes a while:
 * a notification offers to cancel, and the answer is then undefined.
 */
function describeFabric(server: Server, source: Uri, target?: Uri): Thenable<Described | undefined> {
  const parameters = { uri: source.toString(), ...(target === undefined ? {} : { target: target.toString() }) };
  const title = l10n.t('Placewright: reading {0}', shownPath(source));
  return window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    async (_progress, token) => {
      try {
        const answer = await server.describeFabric(parameters, token);
        if (token.isCancellationRequested) return undefined;
        if (!answer.ok) throw new Error(answer.message);
        return answer;
      } catch (error) {
        if (token.isCancellationRequested) return undefined;
        throw error;
      }
    },
  );
}

async function chooseFabric(): Promise<Uri | undefined> {
  const [picked] = (await window.showOpenDialog({ title: l10n.t('Placewright: the file of a network') })) ?? [];
  return picked;
}

/** A place beside the fabric is suggested, so that both can be moved together. */
const chooseTarget = (found: Described): Thenable<Uri | undefined> =>
  window.showSaveDialog({
    defaultUri: Uri.parse(found.suggestedTarget),
    title: `Placewright: ${describe(found)}`,
    filters: { Placewright: ['place'] },
  });

function describe(found: Described): string {
  const { format, switches, hosts, warnings } = found;
  const counts = [
    switches === 1 ? l10n.t('1 switch') : l10n.t('{0} switches', shown(switches)),
    hosts === 1 ? l10n.t('1 host') : l10n.t('{0} hosts', shown(hosts)),
    ...(warnings.length === 0 ? [] : [warningsIn(found)]),
  ];
  return `${counts.join(', ')} (${format})`;
}

const warningsIn = ({ warnings }: Described): string =>
  warnings.length === 1 ? l10n.t('1 warning') : l10n.t('{0} warnings', shown(warnings.length));

const shown = (count: number): string => count.toLocaleString(env.language);
