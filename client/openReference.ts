/** The command that opens the reference: pages of `docs/reference`, which the build copies into `dist/`. */
import { commands, l10n, languages, Uri, window, workspace, type ExtensionContext, type QuickPickItem } from 'vscode';
import type { Server } from './server.ts';

interface PageItem extends QuickPickItem {
  readonly page: string;
}

/**
 * Opens a page, at an anchor where one is given. Without a page: the entry of the diagnostic under the cursor, else that of the
 * word, else the page that the user picks.
 */
export async function openReference(
  context: ExtensionContext,
  server: Server,
  page?: unknown,
  anchor?: unknown,
): Promise<void> {
  const folder = Uri.joinPath(context.extensionUri, 'dist', 'reference');
  const target =
    typeof page === 'string' && /^[a-z-]+$/.test(page)
      ? { page, anchor: typeof anchor === 'string' ? anchor : undefined }
      : (referenceOfDiagnostic() ?? (await referenceOfCursor(server)) ?? (await pickPage(folder)));
  if (target === undefined) return;
  const uri = Uri.joinPath(folder, `${target.page}.md`).with({ fragment: target.anchor ?? '' });
  await commands.executeCommand('markdown.showPreview', uri);
}

/** The code of a diagnostic of ours at the cursor. Its link in the editor's own views would open no command. */
function referenceOfDiagnostic(): { readonly page: string; readonly anchor: string } | undefined {
  const { activeTextEditor: editor } = window;
  if (editor?.document.languageId !== 'place') return undefined;
  const found = languages
    .getDiagnostics(editor.document.uri)
    .find(({ source, range }) => source === 'placewright' && range.contains(editor.selection.active));
  return typeof found?.code === 'string' ? { page: 'diagnostics', anchor: found.code } : undefined;
}

async function referenceOfCursor(
  server: Server,
): Promise<{ readonly page: string; readonly anchor?: string } | undefined> {
  const { activeTextEditor: editor } = window;
  if (editor?.document.languageId !== 'place') return undefined;
  const { line, character } = editor.selection.active;
  const uri = editor.document.uri.toString();
  return (await server.ask('referenceAt', { uri, position: { line, character } })) ?? undefined;
}

async function pickPage(folder: Uri): Promise<{ readonly page: string; readonly anchor?: string } | undefined> {
  // A folder of an extension in a browser cannot be listed, so the first page says which there are.
  const index = new TextDecoder().decode(await workspace.fs.readFile(Uri.joinPath(folder, 'index.md')));
  const items = pagesIn(index);
  const placeHolder = l10n.t('Page of the reference');
  return window.showQuickPick(items, { title: 'Placewright', placeHolder, matchOnDetail: true });
}

/** Every page that a row of a table links to, with what the row says of it: `| [Title](page.md) | content |`. */
const pagesIn = (index: string): readonly PageItem[] =>
  index.split('\n').flatMap((row) => {
    if (!row.startsWith('| [')) return [];
    const detail = withoutLinks(row.split(' | ').at(-1) ?? '').replace(/ \|$/, '');
    const links = row.matchAll(/\[([^\]]+)\]\(([a-z-]+)\.md\)/g);
    return Array.from(links, ([, label = '', page = '']) => ({ label: label.replaceAll('`', ''), detail, page }));
  });

const withoutLinks = (markdown: string): string => markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
