/** The view of what the opened folders declare: machines, jobs, placements and experiments, with what is known of each. */
import {
  EventEmitter,
  l10n,
  MarkdownString,
  Range,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
  workspace,
  type Disposable,
  type TreeDataProvider,
  type TreeView,
} from 'vscode';
import type { OverviewEntry } from '../server/protocol/messages.ts';
import type { Server } from './server.ts';
import { translateServerText } from './words.ts';

/** Names the view in package.json. */
const overviewView = 'placewright.overview';

type Kind = OverviewEntry['kind'];

/** All declarations of a kind. */
interface Group {
  readonly kind: Kind;
  readonly entries: readonly Entry[];
}

interface Entry extends OverviewEntry {
  /** Another of its kind has the same name: only the file tells them apart. */
  readonly isAmbiguous: boolean;
}

type Row = Group | Entry;

const isGroup = (row: Row): row is Group => 'entries' in row;

const kinds: readonly Kind[] = ['placement', 'experiment', 'machine', 'job'];

const icons: Readonly<Record<Kind, string>> = {
  machine: 'server',
  job: 'symbol-array',
  placement: 'circuit-board',
  experiment: 'beaker',
};

const titles = (): Readonly<Record<Kind, string>> => ({
  machine: l10n.t('Machines'),
  job: l10n.t('Jobs'),
  placement: l10n.t('Placements'),
  experiment: l10n.t('Experiments'),
});

const words = (): Readonly<Record<Kind, string>> => ({
  machine: l10n.t('machine'),
  job: l10n.t('job'),
  placement: l10n.t('placement'),
  experiment: l10n.t('experiment'),
});

/** Several changes within this time, in milliseconds, make one question, which has the folders listed. */
const refreshPause = 250;
/** The same where changes go on for long: while the user types, and while a search goes on. */
const longPause = 2000;

/** Asks the server while the view is in sight, and anew when files, texts or results have changed. */
export class OverviewTree implements TreeDataProvider<Row>, Disposable {
  readonly #server: Server;
  readonly #changed = new EventEmitter<undefined>();
  readonly #view: TreeView<Row>;
  readonly #subscriptions: readonly Pick<Disposable, 'dispose'>[];
  #refreshing: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(server: Server) {
    this.#server = server;
    const refresh = (): void => {
      this.refresh();
    };
    const files = workspace.createFileSystemWatcher('**/*.place');
    this.#view = window.createTreeView<Row>(overviewView, { treeDataProvider: this, showCollapseAll: true });
    this.#subscriptions = [
      files,
      files.onDidCreate(refresh),
      files.onDidChange(refresh),
      files.onDidDelete(refresh),
      server.on('reportsChanged', refresh),
      server.on('progress', () => {
        this.refresh(longPause);
      }),
      server.on('experimentChanged', refresh),
      server.onRestart(refresh),
      workspace.onDidChangeWorkspaceFolders(refresh),
      workspace.onDidChangeTextDocument(({ document }) => {
        if (document.languageId === 'place') this.refresh(longPause);
      }),
      this.#view.onDidChangeVisibility(refresh),
      this.#view,
      this.#changed,
    ];
  }

  dispose(): void {
    clearTimeout(this.#refreshing?.timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Shortly, and only while the view is in sight. */
  refresh(pause = refreshPause): void {
    const at = performance.now() + pause;
    if (this.#refreshing !== undefined && this.#refreshing.at <= at) return;
    clearTimeout(this.#refreshing?.timer);
    const ask = (): void => {
      this.#refreshing = undefined;
      if (this.#view.visible) this.#changed.fire(undefined);
    };
    this.#refreshing = { timer: setTimeout(ask, pause), at };
  }

  async getChildren(row?: Row): Promise<Row[]> {
    if (row !== undefined) return isGroup(row) ? [...row.entries] : [];
    await this.#server.ready;
    const { entries, isComplete } = await this.#server.ask('overview', {});
    this.#view.message = isComplete ? '' : l10n.t('The folder has more files than the overview reads.');
    return kinds.flatMap((kind) => {
      const own = entries.filter((entry) => entry.kind === kind);
      const counts = new Map<string, number>();
      for (const { name } of own) counts.set(name, (counts.get(name) ?? 0) + 1);
      const rows = own.map((entry) => ({ ...entry, isAmbiguous: counts.get(entry.name) !== 1 }));
      return own.length === 0 ? [] : [{ kind, entries: rows }];
    });
  }

  getTreeItem(row: Row): TreeItem {
    return isGroup(row) ? itemOfGroup(row) : treeItem(row);
  }
}

function itemOfGroup({ kind, entries }: Group): TreeItem {
  const item = new TreeItem(titles()[kind], TreeItemCollapsibleState.Expanded);
  item.id = kind;
  item.description = String(entries.length);
  return item;
}

function treeItem(entry: Entry): TreeItem {
  const { kind, name, uri, range, state, isAmbiguous } = entry;
  const item = new TreeItem(name, TreeItemCollapsibleState.None);
  const file = workspace.asRelativePath(Uri.parse(uri));
  item.id = JSON.stringify([kind, uri, name, range.start]);
  item.description = isAmbiguous ? `${file} · ${translateServerText(entry.words)}` : translateServerText(entry.words);
  item.tooltip = new MarkdownString()
    .appendText(`${words()[kind]} ${name}\n`)
    .appendText(`${translateServerText(entry.words)}\n${file}`);
  item.iconPath = iconOf(entry);
  item.contextValue = [kind, state, ...(entry.isSimulated ? ['simulated'] : [])].join(' ');
  item.accessibilityInformation = {
    label: l10n.t('{0} {1}: {2}, in {3}', words()[kind], name, translateServerText(entry.words), file),
  };
  item.command = { command: 'placewright.revealDeclaration', title: l10n.t('Go to Declaration'), arguments: [entry] };
  return item;
}

function iconOf({ kind, state }: OverviewEntry): ThemeIcon {
  if (state === 'working') return new ThemeIcon('sync~spin');
  if (state === 'failed') return new ThemeIcon('error', new ThemeColor('list.errorForeground'));
  return new ThemeIcon(icons[kind]);
}

/** What a command was called with by a row of the view: a declaration of a file. */
export function isEntry(given: unknown): given is Pick<OverviewEntry, 'uri' | 'name' | 'range' | 'kind'> {
  return (
    typeof given === 'object' &&
    given !== null &&
    'uri' in given &&
    'name' in given &&
    'range' in given &&
    'kind' in given
  );
}

/** Shows a declaration in the text, its name selected. */
export async function revealDeclaration({ uri, range }: Pick<OverviewEntry, 'uri' | 'range'>): Promise<void> {
  const { start, end } = range;
  const selection = new Range(start.line, start.character, end.line, end.character);
  await window.showTextDocument(Uri.parse(uri), { selection });
}
