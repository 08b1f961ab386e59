/** `Placewright: Import …`: a `.place` file that refers to the file of a network or of a communication table, once its reader has seen what was understood of that. */
import {
  commands,
  env,
  l10n,
  ProgressLocation,
  QuickPickItemKind,
  Range,
  UIKind,
  Uri,
  ViewColumn,
  window,
  workspace,
  type CancellationToken,
  type QuickPickItem,
} from 'vscode';
import {
  previewLines,
  type DescribeFabricAnswer,
  type DescribeFileParameters,
  type DescribeTableAnswer,
} from '../server/protocol/importPreview.ts';
import type { MachineParameters } from '../server/protocol/messages.ts';
import type { TrafficSubject } from '../server/protocol/trafficPanel.ts';
import { showPreview } from './preview.ts';
import { asUri, mayWrite, shownPath, saveAtomically } from './saving.ts';
import type { Server } from './server.ts';
import { translateServerText } from './words.ts';

type Described<Answer> = Extract<Answer, { readonly ok: true }>;

/** What the commands that import have of their own. */
interface Kind<Answer extends DescribeFabricAnswer | DescribeTableAnswer> {
  /** Of the dialog that asks for the file. */
  readonly title: string;
  /** Whether it may be a folder, or several files, one of each rank. */
  readonly isOfMany: boolean;
  /** Below the preview: whether this is what was meant. */
  readonly question: string;
  readonly ask: (parameters: DescribeFileParameters, token: CancellationToken) => Promise<Answer>;
  /** `3 switches`, `1,200 hosts`. */
  readonly counts: (found: Described<Answer>) => readonly string[];
  /** Beside the text that was written, what it declares. */
  readonly show: (uri: string, text: string) => void;
}

/** `Placewright: Import Machine…`: shows the picture of the machine in the end. */
export const importMachine = (
  server: Server,
  machines: { readonly show: (machine: MachineParameters) => unknown },
  fabric?: unknown,
  target?: unknown,
): Promise<void> =>
  importFile<DescribeFabricAnswer>(
    {
      title: l10n.t('Placewright: select a network file'),
      isOfMany: false,
      question: l10n.t('Import this machine? Press Escape to cancel.'),
      ask: (parameters, token) => server.ask('describeFabric', parameters, token),
      counts: ({ switches, hosts }) => [
        switches === 1 ? l10n.t('1 switch') : l10n.t('{0} switches', formatLocalNumber(switches)),
        hosts === 1 ? l10n.t('1 host') : l10n.t('{0} hosts', formatLocalNumber(hosts)),
      ],
      show(uri, text) {
        const machine = declaredName(text, 'machine');
        if (machine !== undefined) machines.show({ uri, machine });
      },
    },
    fabric,
    target,
  );

/**
 * `Placewright: Import Communication Table…`: of the explorer’s menu as well, which names what was clicked and all that is selected. Shows
 * the map of who sends to whom in the end, of the job that has the table.
 */
export const importTable = (
  server: Server,
  traffic: { readonly show: (subject: TrafficSubject) => unknown },
  table?: unknown,
  target?: unknown,
): Promise<void> => {
  const selected = Array.isArray(target) ? (target as readonly unknown[]) : undefined;
  return importFile<DescribeTableAnswer>(
    {
      title: l10n.t('Placewright: select a communication table, or one file per rank'),
      isOfMany: true,
      question: l10n.t('Import this traffic? Press Escape to cancel.'),
      ask: (parameters, token) => server.ask('describeTable', parameters, token),
      counts: ({ tasks, pairs }) => [
        tasks === 1 ? l10n.t('1 task') : l10n.t('{0} tasks', formatLocalNumber(tasks)),
        pairs === 1 ? l10n.t('1 pair') : l10n.t('{0} pairs', formatLocalNumber(pairs)),
      ],
      show(uri, text) {
        const name = declaredName(text, 'job');
        if (name !== undefined) traffic.show({ uri, of: 'job', name });
      },
    },
    selected ?? table,
    selected === undefined ? target : undefined,
  );
};

/** Of what a written text declares. */
const declaredName = (text: string, kind: string): string | undefined =>
  new RegExp(String.raw`^${kind}\s+([\w-]+)`, 'm').exec(text)?.[1];

/**
 * Picks a file, or several of one table, shows what was understood of it and what would be written, asks where to save, writes a `.place` file there
 * that refers to it, opens that, and shows what it declares. Source and target may be given by a caller, who is not asked
 * then. Whoever thinks better of it finds everything as it was.
 */
async function importFile<Answer extends DescribeFabricAnswer | DescribeTableAnswer>(
  kind: Kind<Answer>,
  given: unknown,
  target: unknown,
): Promise<void> {
  const files = givenSources(given) ?? (await chooseSources(kind));
  if (files === undefined) return;
  const found = await describeFiles(kind, files);
  if (found === undefined) return;
  const source = Uri.parse(found.source);
  const summary = summaryOf(kind, found);
  // Among the texts: a picture that is in front stays to be seen.
  const viewColumn = window.activeTextEditor?.viewColumn ?? ViewColumn.One;
  const wanted = asUri(target);
  if (wanted !== undefined && !(await mayWrite(wanted))) return;
  const place = wanted ?? (await chooseSeen(source, { found, summary, question: kind.question }, viewColumn));
  if (place === undefined) return;
  // What was seen is written; a large file is not read again.
  const isSeen = place.toString() === Uri.parse(found.suggestedTarget).toString();
  const described = isSeen ? found : await describeFiles(kind, files, place);
  if (described === undefined) return;
  await saveAtomically(place, described.text);
  const document = await workspace.openTextDocument(place);
  await window.showTextDocument(document, { viewColumn });
  kind.show(document.uri.toString(), described.text);
  void window.showInformationMessage(l10n.t('Imported {0} from {1}.', summary, shownPath(source)));
}

/** What a user looks at before anything is written. */
interface Seen {
  readonly found: Understood;
  /** `3 switches, 1,200 hosts, 2 warnings (slurm-tree)`. */
  readonly summary: string;
  readonly question: string;
}

type Understood = Pick<Described<DescribeFabricAnswer>, 'format' | 'rows' | 'warnings' | 'suggestedTarget' | 'text'>;

/** Where to write, of a user who has looked at the preview; that is gone afterwards. */
async function chooseSeen(source: Uri, seen: Seen, viewColumn: ViewColumn): Promise<Uri | undefined> {
  const target = Uri.parse(seen.found.suggestedTarget);
  const preview = await showPreview(target, importPreviewText(source, target, seen.found), viewColumn);
  try {
    return (await isAgreed(source, seen)) ? await chooseImportTarget(target, seen.summary) : undefined;
  } finally {
    await preview.close();
  }
}

/** What the command line prints for `--preview`, then what would be written. */
const importPreviewText = (source: Uri, target: Uri, found: Understood): string =>
  [
    ...previewLines(shownPath(source), found, translateServerText),
    '',
    l10n.t('File to write, {0} or another name:', shownPath(target)),
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
async function isAgreed(source: Uri, { found, summary, question }: Seen): Promise<boolean> {
  const warnings = found.warnings.flatMap(({ line, message }) => (line === undefined ? [] : [{ line, message }]));
  const title = `Placewright: ${summary}`;
  const write: Choice = { label: l10n.t('Write…'), detail: l10n.t('Choose where to save; nothing is written yet') };
  const choices: readonly Choice[] = [
    write,
    ...(warnings.length === 0 ? [] : [{ label: warningCount(found), kind: QuickPickItemKind.Separator }]),
    ...warnings.slice(0, mostListed).map(({ line, message }) => ({
      label: l10n.t('Go to line {0}', formatLocalNumber(line)),
      detail: message,
      line,
    })),
  ];
  for (;;) {
    const picked = await window.showQuickPick(choices, { title, placeHolder: question, ignoreFocusOut: true });
    if (picked?.line === undefined) return picked === write;
    const selection = new Range(picked.line - 1, 0, picked.line - 1, 0);
    // Also of a file that is too large for extensions.
    await commands.executeCommand('vscode.open', source, { selection, preserveFocus: true });
  }
}

/**
 * What the files hold, and the text of a `.place` file at the target. A large file takes a while: a notification offers
 * to cancel, and the answer is then undefined.
 */
function describeFiles<Answer extends DescribeFabricAnswer | DescribeTableAnswer>(
  { ask }: Kind<Answer>,
  [first, ...others]: Sources,
  target?: Uri,
): Thenable<Described<Answer> | undefined> {
  const parameters = {
    uri: first.toString(),
    ...(others.length === 0 ? {} : { others: others.map(String) }),
    ...(target === undefined ? {} : { target: target.toString() }),
  };
  const title = l10n.t('Placewright: reading {0}', shownPath(first));
  return window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    async (_progress, token) => {
      try {
        const answer = await ask(parameters, token);
        if (token.isCancellationRequested) return undefined;
        if (!answer.ok) throw new Error(answer.message);
        return answer as Described<Answer>;
      } catch (error) {
        if (token.isCancellationRequested) return undefined;
        throw error;
      }
    },
  );
}

/** One, but where each rank wrote one. */
type Sources = readonly [Uri, ...Uri[]];

/** What a caller named: a file, a folder or several files. */
function givenSources(given: unknown): Sources | undefined {
  const [first, ...others] = (Array.isArray(given) ? (given as readonly unknown[]) : [given]).flatMap(
    (one) => asUri(one) ?? [],
  );
  return first && [first, ...others];
}

/**
 * Asks for one, or several. A folder can be picked where the editor's own dialog asks, in a browser and for another computer; those of
 * Windows and Linux are either of files or of folders, and there all files of a folder are picked.
 */
async function chooseSources({ title, isOfMany }: Pick<Kind<DescribeTableAnswer>, 'title' | 'isOfMany'>) {
  const isOwnDialog = env.uiKind === UIKind.Web || env.remoteName !== undefined;
  const many = { canSelectMany: true, canSelectFiles: true, canSelectFolders: isOwnDialog };
  return givenSources(await window.showOpenDialog({ title, ...(isOfMany ? many : {}) }));
}

/** A place beside the file is suggested, so that both can be moved together. */
const chooseImportTarget = (suggested: Uri, summary: string): Thenable<Uri | undefined> =>
  window.showSaveDialog({
    defaultUri: suggested,
    title: `Placewright: ${summary}`,
    filters: { Placewright: ['place'] },
  });

function summaryOf<Answer extends DescribeFabricAnswer | DescribeTableAnswer>(
  { counts }: Kind<Answer>,
  found: Described<Answer>,
): string {
  const parts = [...counts(found), ...(found.warnings.length === 0 ? [] : [warningCount(found)])];
  return `${parts.join(', ')} (${found.format})`;
}

const warningCount = ({ warnings }: Understood): string =>
  warnings.length === 1 ? l10n.t('1 warning') : l10n.t('{0} warnings', formatLocalNumber(warnings.length));

const formatLocalNumber = (count: number): string => count.toLocaleString(env.language);
