/**
 * What stands about a `.place` file in the status bar, below `{}`: how many placements it has and what they lack, or what is being
 * worked out, with the command that helps there. Also tells `when` clauses whether anything is being worked out.
 */
import {
  commands,
  languages,
  LanguageStatusSeverity,
  l10n,
  Uri,
  window,
  DiagnosticSeverity,
  type Command,
  type Disposable,
  type LanguageStatusItem,
} from 'vscode';
import type { ReportsChanged } from '../server/protocol/messages.ts';
import type { Server } from './server.ts';
import { translateServerText } from './words.ts';

/** For `when` clauses: a file is being worked out. */
const workingContext = 'placewright.working';

type State = 'failed' | 'starting' | 'running';

export class StatusItem implements Disposable {
  readonly #item: LanguageStatusItem;
  /** What was told last of each file. */
  readonly #reports = new Map<string, ReportsChanged>();
  /** How far the placement is that is being worked out, by file. */
  readonly #progress = new Map<string, string>();
  readonly #subscriptions: readonly Pick<Disposable, 'dispose'>[];
  #state: State = 'starting';

  constructor(server: Server) {
    this.#item = languages.createLanguageStatusItem('placewright.status', { language: 'place' });
    this.#item.name = 'Placewright';
    const show = (): void => {
      this.#show();
    };
    this.#subscriptions = [
      this.#item,
      server.on('reportsChanged', (change) => {
        const key = uriKey(change.uri);
        this.#reports.set(key, change);
        if (!change.running) this.#progress.delete(key);
        const isWorking = [...this.#reports.values()].some(({ running }) => running);
        void commands.executeCommand('setContext', workingContext, isWorking);
        show();
      }),
      server.on('progress', ({ uri, placement, words }) => {
        this.#progress.set(uriKey(uri), `${placement}: ${translateServerText(words)}`);
        show();
      }),
      server.onRestart(() => {
        this.#reports.clear();
        this.#progress.clear();
        show();
      }),
      window.onDidChangeActiveTextEditor(show),
      languages.onDidChangeDiagnostics(show),
    ];
    server.ready.then(
      () => {
        this.#turn('running');
      },
      () => {
        this.#turn('failed');
      },
    );
    show();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #turn(state: State): void {
    this.#state = state;
    this.#show();
  }

  #show(): void {
    const document = window.activeTextEditor?.document;
    const uri = document?.languageId === 'place' ? document.uri : undefined;
    const reports = uri && this.#reports.get(uriKey(uri.toString()));
    const errors = uri === undefined ? 0 : errorCount(uri);
    this.#item.busy = this.#state === 'starting' || reports?.running === true;
    this.#item.severity =
      this.#state === 'failed' || errors > 0 ? LanguageStatusSeverity.Error : LanguageStatusSeverity.Information;
    const showOutput = command('showOutput', l10n.t('Show Output'));
    if (this.#state === 'failed') this.#say(l10n.t('The language server did not start'), '', showOutput);
    else if (this.#state === 'starting' || reports === undefined) this.#say(l10n.t('Starting'), '', showOutput);
    else if (reports.running) this.#sayProgress(reports.uri);
    else this.#sayPlacements(reports, errors);
  }

  #sayProgress(uri: string): void {
    const progress = this.#progress.get(uriKey(uri)) ?? l10n.t('waiting for other files');
    this.#say(l10n.t('Evaluating placements'), progress, command('finish', l10n.t('Stop and Keep the Best'), uri));
  }

  #sayPlacements({ uri, placements: { length: count } }: ReportsChanged, errors: number): void {
    const text = count === 1 ? l10n.t('1 placement') : l10n.t('{0} placements', count);
    const detail = errors === 0 ? '' : l10n.t('Errors: {0}', errors);
    const showPicture = command('showPlacement', l10n.t('Show Diagram'), uri);
    this.#say(text, detail, errors > 0 || count === 0 ? problemsCommand() : showPicture);
  }

  #say(text: string, detail: string, toDo: Command): void {
    this.#item.text = text;
    this.#item.detail = detail;
    this.#item.command = toDo;
  }
}

/** As editor and server both spell it. */
const uriKey = (uri: string): string => Uri.parse(uri).toString();

const errorCount = (uri: Uri): number =>
  languages.getDiagnostics(uri).filter(({ severity }) => severity === DiagnosticSeverity.Error).length;

const command = (name: string, title: string, ...given: readonly string[]): Command => ({
  command: `placewright.${name}`,
  title,
  arguments: [...given],
});

const problemsCommand = (): Command => ({ command: 'workbench.actions.view.problems', title: l10n.t('Show Problems') });
