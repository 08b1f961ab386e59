/**
 * What helps to understand a fault, as one document that the user reads before it goes anywhere: versions, settings, what was asked
 * of the server and how long that took, the log. Nothing is sent. Texts of files are in it only where the user says so.
 */
import { env, l10n, Uri, version, window, workspace, type ExtensionContext } from 'vscode';
import type { Server } from './server.ts';

/** Absent in a browser. */
const node = (globalThis as { readonly process?: Partial<typeof process> & Pick<typeof process, 'versions'> }).process;

/** Of the log, the last characters. */
const mostLog = 20_000;
/** Of each file. */
const mostText = 100_000;

/** `Placewright: Collect Diagnostics…` */
export async function collectDiagnostics(context: ExtensionContext, server: Server): Promise<void> {
  const without = { label: l10n.t('Without texts'), detail: l10n.t('Versions, settings, request times, counts') };
  const withTexts = {
    label: l10n.t('With the log and the texts of open .place files'),
    detail: l10n.t('The log contains file names; with tracing on, more of them'),
  };
  const placeHolder = l10n.t('What should the report include? You can review it before sharing.');
  const picked = await window.showQuickPick([without, withTexts], { title: 'Placewright', placeHolder });
  if (picked === undefined) return;
  const report = {
    ...(await collectReport(context, server)),
    ...(picked === withTexts && { log: await logOf(context), texts: openTexts() }),
  };
  const content = `${JSON.stringify(report, undefined, 2)}\n`;
  await window.showTextDocument(await workspace.openTextDocument({ language: 'json', content }));
}

async function collectReport(context: ExtensionContext, server: Server): Promise<object> {
  const { version: own } = context.extension.packageJSON as { readonly version: string };
  const open = workspace.textDocuments.filter(({ languageId }) => languageId === 'place');
  return {
    versions: { placewright: own, editor: version, node: node?.versions.node ?? 'none', language: env.language },
    system: {
      platform: node?.platform ?? 'browser',
      architecture: node?.arch ?? 'unknown',
      remote: env.remoteName ?? 'none',
    },
    trusted: workspace.isTrusted,
    settings: workspace.getConfiguration().get('placewright'),
    folders: workspace.workspaceFolders?.length ?? 0,
    documents: await Promise.all(
      open.map(async (document) => {
        // A server that does not answer is what this may be about.
        const placements = await answerWithin(server.ask('placements', { uri: document.uri.toString() }));
        return {
          lines: document.lineCount,
          unsaved: document.isDirty,
          placements: placements?.map(({ state, status }) => ({ state, status: status.kind })) ?? 'no answer',
        };
      }),
    ),
    requests: server.requests(),
  };
}

/** How long an answer is waited for, milliseconds. */
const patience = 3000;

function answerWithin<Answer>(asked: Thenable<Answer>): Promise<Answer | undefined> {
  return new Promise((done) => {
    const timer = setTimeout(() => {
      done(undefined);
    }, patience);
    const end = (answer?: Answer): void => {
      clearTimeout(timer);
      done(answer);
    };
    asked.then(end, () => {
      end();
    });
  });
}

async function logOf({ logUri }: ExtensionContext): Promise<string> {
  try {
    const bytes = await workspace.fs.readFile(Uri.joinPath(logUri, 'Placewright.log'));
    return new TextDecoder().decode(bytes).slice(-mostLog);
  } catch (error) {
    return String(error);
  }
}

const openTexts = (): readonly object[] =>
  workspace.textDocuments
    .filter(({ languageId }) => languageId === 'place')
    .map((document) => ({ file: workspace.asRelativePath(document.uri), text: document.getText().slice(0, mostText) }));
