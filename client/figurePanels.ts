/**
 * The panels of figures that are open, one for each experiment and for each simulated placement: what passes between them and
 * the server. What differs between the two is in `experimentKind` and `simulationKind`.
 */
import {
  CancellationTokenSource,
  commands,
  l10n,
  Uri,
  ViewColumn,
  window,
  workspace,
  type CancellationToken,
  type Disposable,
  type WebviewPanel,
} from 'vscode';
import {
  readExperimentChoice,
  readFromFigurePanel,
  readSimulationChoice,
  type FromFigurePanel,
  type ToFigurePanel,
} from '../server/protocol/figurePanel.ts';
import type { FigureAnswer, FigureChoice, SimulationChoice } from '../server/protocol/messages.ts';
import { saveFigure } from './saving.ts';
import type { Server } from './server.ts';
import { loadWebPage } from './webPage.ts';

/** Names the kinds of panels in `package.json` and in restored windows. */
export const experimentPanelType = 'placewright.experiment';
export const simulationPanelType = 'placewright.simulation';

/** What a panel shows figures of: an experiment or a placement of a file. */
export interface FigureSubject {
  readonly uri: string;
  readonly name: string;
}

type ToPage = ToFigurePanel<unknown, unknown>;
type Update = (subject: FigureSubject, message: ToPage) => void;

/** What differs between experiments and simulations. */
interface PanelKind<Choice> {
  readonly type: string;
  readonly script: 'experiment.js' | 'simulation.js';
  /** Before the name in the title of the tab. */
  readonly word: string;
  readonly runCommand: string;
  readonly cancelCommand: string;
  readonly readChoice: (data: unknown) => Choice | undefined;
  readonly ask: (server: Server, subject: FigureSubject, choice: Choice, token: CancellationToken) => Promise<FigureAnswer<unknown, unknown>>; // prettier-ignore
  /** Passes on what the server tells by itself. */
  readonly listen: (server: Server, update: Update) => readonly Disposable[];
}

const experimentKind: PanelKind<FigureChoice> = {
  type: experimentPanelType,
  script: 'experiment.js',
  word: l10n.t('Experiment'),
  runCommand: 'placewright.runExperiment',
  cancelCommand: 'placewright.cancelExperiment',
  readChoice: readExperimentChoice,
  ask: (server, { uri, name: experiment }, choice, token) =>
    server.experimentFigure({ uri, experiment, choice }, token),
  listen: (server, update) => [
    server.onExperimentChanged(({ uri, experiment, progress }) => {
      update({ uri, name: experiment }, progress === undefined ? { kind: 'changed' } : { kind: 'progress', text: progress }); // prettier-ignore
    }),
    server.onSimulated(({ uri, experiment, words }) => {
      update({ uri, name: experiment }, { kind: 'simulated', text: words });
    }),
  ],
};

const simulationKind: PanelKind<SimulationChoice> = {
  type: simulationPanelType,
  script: 'simulation.js',
  word: l10n.t('Simulation'),
  runCommand: 'placewright.simulatePlacement',
  cancelCommand: 'placewright.cancelSimulation',
  readChoice: readSimulationChoice,
  ask: (server, { uri, name: placement }, choice, token) => server.simulationFigure({ uri, placement, choice }, token),
  listen: (server, update) => [
    server.onSimulationChanged(({ uri, placement, progress, fault }) => {
      const subject = { uri, name: placement };
      if (progress !== undefined) update(subject, { kind: 'progress', text: progress });
      else update(subject, { kind: 'changed', ...(fault !== undefined && { fault }) });
    }),
    // Its text says whether what is shown is out of date.
    server.onReportsChanged(({ uri, placements, running }) => {
      if (!running) for (const { name } of placements) update({ uri, name }, { kind: 'changed' });
    }),
  ],
};

/** Opens, updates and restores panels of one kind. */
export class FigurePanels<Choice> implements Disposable {
  readonly #extensionUri: Uri;
  readonly #server: Server;
  readonly #kind: PanelKind<Choice>;
  readonly #panels = new Map<string, FigurePanel<Choice>>();
  readonly #subscriptions: readonly Disposable[];

  constructor(extensionUri: Uri, server: Server, kind: PanelKind<Choice>) {
    this.#extensionUri = extensionUri;
    this.#server = server;
    this.#kind = kind;
    this.#subscriptions = [
      ...kind.listen(server, (subject, message) => {
        this.#panels.get(keyOf(subject))?.update(message);
      }),
      server.onRestart(() => {
        for (const panel of this.#panels.values()) panel.update({ kind: 'changed' });
      }),
      // A figure is of the text as it is.
      workspace.onDidSaveTextDocument(({ uri }) => {
        for (const panel of this.#panels.values()) {
          if (Uri.parse(panel.subject.uri).toString() === uri.toString()) panel.update({ kind: 'changed' });
        }
      }),
      window.registerWebviewPanelSerializer(kind.type, {
        deserializeWebviewPanel: (panel, state: unknown) => {
          const subject = subjectIn(state);
          if (subject === undefined) panel.dispose();
          else this.#adopt(panel, subject);
          return Promise.resolve();
        },
      }),
    ];
  }

  /** Shows figures beside the text; a panel that is open comes to the front. */
  show(subject: FigureSubject): void {
    const open = this.#panels.get(keyOf(subject));
    if (open !== undefined) {
      open.reveal();
      return;
    }
    const column = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    const title = `${this.#kind.word} ${subject.name}`;
    this.#adopt(window.createWebviewPanel(this.#kind.type, title, column), subject);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const panel of this.#panels.values()) panel.dispose();
  }

  #adopt(webviewPanel: WebviewPanel, subject: FigureSubject): void {
    const kept = this.#server.keep(subject.uri);
    const panel = new FigurePanel(webviewPanel, this.#extensionUri, subject, this.#server, this.#kind);
    this.#panels.set(keyOf(subject), panel);
    webviewPanel.onDidDispose(() => {
      panel.cancel();
      kept.dispose();
      this.#panels.delete(keyOf(subject));
    });
  }
}

export type ExperimentPanels = FigurePanels<FigureChoice>;
export type SimulationPanels = FigurePanels<SimulationChoice>;

export const experimentPanels = (extensionUri: Uri, server: Server): ExperimentPanels =>
  new FigurePanels(extensionUri, server, experimentKind);
export const simulationPanels = (extensionUri: Uri, server: Server): SimulationPanels =>
  new FigurePanels(extensionUri, server, simulationKind);

const keyOf = ({ uri, name }: FigureSubject): string => `${Uri.parse(uri).toString()}#${name}`;

/** What a page that was open says that it showed. */
function subjectIn(state: unknown): FigureSubject | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const { uri, name } = state as Readonly<Record<string, unknown>>;
  return typeof uri === 'string' && typeof name === 'string' ? { uri, name } : undefined;
}

/** One panel: asks the server for the figures that its page asks for, and saves what it makes of them. */
class FigurePanel<Choice> {
  readonly subject: FigureSubject;
  readonly #panel: WebviewPanel;
  readonly #server: Server;
  readonly #kind: PanelKind<Choice>;
  /** Ends what is simulated for the last question. */
  #asked: CancellationTokenSource | undefined;
  /** The page has asked for something, so it listens. */
  #listening = false;

  constructor(panel: WebviewPanel, extensionUri: Uri, subject: FigureSubject, server: Server, kind: PanelKind<Choice>) {
    this.subject = subject;
    this.#panel = panel;
    this.#server = server;
    this.#kind = kind;
    loadWebPage(panel, extensionUri, {
      script: kind.script,
      receive: (data) => this.#receive(data),
      failed: (message) => {
        this.update({ kind: 'failed', message });
      },
    });
  }

  reveal(): void {
    this.#panel.reveal(undefined, true);
  }

  dispose(): void {
    this.#panel.dispose();
  }

  update(message: ToPage): void {
    if (this.#listening) void this.#panel.webview.postMessage(message);
  }

  /** What is simulated for a figure ends; the answer says so. */
  cancel(): void {
    this.#asked?.cancel();
  }

  async #receive(data: unknown): Promise<void> {
    const message: FromFigurePanel<Choice> | undefined = readFromFigurePanel(data, this.#kind.readChoice);
    const { uri, name } = this.subject;
    switch (message?.kind) {
      case undefined:
        this.#server.output.warn('A message of the panel was passed over: it is none that the editor knows.');
        break;
      case 'figure':
        await this.#answer(message.choice);
        break;
      case 'cancel':
        this.cancel();
        break;
      case 'run':
        await commands.executeCommand(this.#kind.runCommand, uri, name);
        break;
      case 'end':
        await commands.executeCommand(this.#kind.cancelCommand, uri, name);
        break;
      case 'save':
        await saveFigure(this.subject, message);
        break;
    }
  }

  async #answer(choice: Choice): Promise<void> {
    this.#listening = true;
    // After a restart of the window the editor may not have read the document yet.
    await workspace.openTextDocument(Uri.parse(this.subject.uri));
    this.#asked?.cancel();
    const asked = new CancellationTokenSource();
    this.#asked = asked;
    try {
      const answer = await this.#kind.ask(this.#server, this.subject, choice, asked.token);
      // A page that was hidden meanwhile has asked again.
      if (this.#asked === asked) this.update({ kind: 'answer', ...this.subject, answer });
    } finally {
      if (this.#asked === asked) this.#asked = undefined;
      asked.dispose();
    }
  }
}
