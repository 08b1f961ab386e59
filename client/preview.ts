/** What a command is about to write, shown before it is written. */
import { l10n, TabInputText, Uri, window, workspace, type Disposable, type ViewColumn } from 'vscode';

const previewScheme = 'placewright-preview';
/** Tells previews of one file from each other: the editor keeps the text of a document for a while. */
let previewCount = 0;

/** Letters of a preview: longer texts are shown from their beginning. */
const mostLetters = 2 ** 20;

/** Shows a text that is in no file, plain, so that nothing in the editor or the server takes it for a program. */
export async function showPreview(
  target: Uri,
  whole: string,
  viewColumn: ViewColumn,
): Promise<{ readonly close: () => Promise<void> }> {
  const path = l10n.t('{0} (preview)', target.path);
  const uri = target.with({ scheme: previewScheme, path, query: String(++previewCount), fragment: '' });
  const text = whole.length > mostLetters ? `${whole.slice(0, mostLetters)}…\n` : whole;
  const provider: Disposable = workspace.registerTextDocumentContentProvider(previewScheme, {
    provideTextDocumentContent: (asked) => (asked.toString() === uri.toString() ? text : undefined),
  });
  const close = async (): Promise<void> => {
    const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
    await window.tabGroups.close(
      tabs.filter(({ input }) => input instanceof TabInputText && input.uri.toString() === uri.toString()),
    );
    provider.dispose();
  };
  try {
    const document = await workspace.openTextDocument(uri);
    // Kept, so that another file can be opened beside it.
    await window.showTextDocument(document, { viewColumn, preview: false, preserveFocus: true });
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}
