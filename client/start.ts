/**
 * The client: what runs in the editor's extension host, on a computer and in a browser alike. It starts the language server and shows
 * what that sends; the README of this folder says where the parts are.
 */
import { l10n, window, workspace, type Disposable, type ExtensionContext, type TextEditor } from 'vscode';
import { registerCommands } from './commands.ts';
import { ComparePanels } from './panels/comparePanels.ts';
import { CursorFollower } from './panels/cursorFollower.ts';
import { experimentPanels, simulationPanels } from './panels/figurePanels.ts';
import { MachinePanels } from './panels/machinePanels.ts';
import { LossView } from './views/lossView.ts';
import { MapperView } from './views/mapperView.ts';
import { OverviewTree } from './overviewTree.ts';
import { forgetOldPages } from './panels/pageMemory.ts';
import { PlacementPanels } from './panels/placementPanels.ts';
import { createServer, type CreateClient, type DocumentSchemes, type Server } from './server.ts';
import { StatusItem } from './statusItem.ts';
import { TrafficPanels } from './panels/trafficPanels.ts';

/** What activation answers with, for tests and other extensions. */
export interface PlacewrightApi {
  /** Ends when the language server answers; fails where it could not be started. */
  readonly ready: Promise<void>;
}

let server: Server | undefined;

/** What differs between an editor on a computer and one in a browser. */
interface Environment {
  readonly createClient: CreateClient;
  readonly schemes: DocumentSchemes;
  /** What there is on a computer alone. */
  readonly more?: (server: Server) => readonly Disposable[];
}

/** Starts the server and does not wait for it. */
export function startExtension(
  context: ExtensionContext,
  { createClient, schemes, more = () => [] }: Environment,
): PlacewrightApi {
  const started = createServer(context, createClient, schemes);
  server = started;
  forgetOldPages(context.workspaceState);
  const panels = new PlacementPanels(context, started);
  const experiments = experimentPanels(context, started);
  const simulations = simulationPanels(context, started);
  const machines = new MachinePanels(context, started);
  const mappers = new MapperView(context, started, panels);
  const losses = new LossView(context, started, panels);
  const comparisons = new ComparePanels(context, started, (shown) => {
    panels.show(shown);
  });
  const traffic = new TrafficPanels(context, started, panels);
  const overview = new OverviewTree(started);
  context.subscriptions.push(
    panels,
    experiments,
    simulations,
    machines,
    mappers,
    losses,
    comparisons,
    traffic,
    overview,
    new StatusItem(started),
    new CursorFollower(started, panels, machines),
    ...more(started),
    ...registerCommands(context, started, {
      panels,
      comparisons,
      experiments,
      simulations,
      machines,
      mappers,
      losses,
      traffic,
      overview,
    }),
    workspace.onDidGrantWorkspaceTrust(() => {
      started.tell('trustGranted', {});
    }),
  );
  window.visibleTextEditors.forEach(indentAsConfigured);
  const ready = started.start();
  ready.catch((error: unknown) => {
    void window.showErrorMessage(l10n.t("Placewright's language server did not start: {0}", String(error)));
  });
  return { ready };
}

/**
 * VS Code makes the model of a text that is open when it starts before it knows our defaults, and tells it nothing when they come: of
 * those it says that no setting changed for the language. A text that has no indentation of its own gets what the settings say.
 */
export function indentAsConfigured(editor: Pick<TextEditor, 'document' | 'options'>): void {
  const { uri, languageId } = editor.document;
  if (languageId !== 'place' || /^[ \t]+\S/m.test(editor.document.getText())) return;
  const configured = workspace.getConfiguration('editor', { uri, languageId });
  const [tabSize, insertSpaces] = [configured.get<number>('tabSize'), configured.get<boolean>('insertSpaces')];
  if (tabSize === undefined || insertSpaces === undefined) return;
  if (editor.options.tabSize !== tabSize || editor.options.insertSpaces !== insertSpaces)
    editor.options = { tabSize, insertSpaces, indentSize: 'tabSize' };
}

export async function stopExtension(): Promise<void> {
  await server?.stop();
}
