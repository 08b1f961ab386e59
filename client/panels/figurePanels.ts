/**
 * The panels of figures that are open, one for each experiment and for each simulated placement: what passes between them and
 * the server. What differs between the two is in `experimentKind` and `simulationKind`.
 */
import { commands, l10n, Uri, workspace, type CancellationToken, type Disposable } from 'vscode';
import {
  readExperimentChoice,
  readFromFigurePanel,
  readSimulationChoice,
  type FromFigurePanel,
  type ToFigurePanel,
} from '../../server/protocol/figurePanel.ts';
import type { FigureAnswer, FigureChoice, SimulationChoice } from '../../server/protocol/figures.ts';
import { LatestQuestion } from './latestQuestion.ts';
import { documentKey, nameKey, Panels, stringsIn, type Extension } from './panels.ts';
import { saveMade } from '../saving.ts';
import type { Server } from '../server.ts';
import { WebPage, type PageHost } from './webPage.ts';

/** Names the kinds of panels in `package.json` and in restored windows. */
const experimentPanelType = 'placewright.experiment';
const simulationPanelType = 'placewright.simulation';

/** What a panel shows figures of: an experiment or a placement of a file. */
export interface FigureSubject {
  readonly uri: string;
  readonly name: string;
}

type ToPage = ToFigurePanel<unknown, unknown>;
type Update = (subject: FigureSubject, message: ToPage) => void;

/** What differs between experiments and simulations. */
interface FigureKind<Choice> {
  readonly type: string;
  readonly script: 'experiment.js' | 'simulation.js';
  /** Before the name in the title of the tab. */
  readonly word: string;
  readonly runCommand: string;
  readonly cancelCommand: string;
  readonly readChoice: (data: unknown) => Choice | undefined;
  readonly ask: (
    server: Server,
    subject: FigureSubject,
    choice: Choice,
    token: CancellationToken,
  ) => Promise<FigureAnswer<unknown, unknown>>;
  /** Passes on what the server tells by itself. */
  readonly listen: (server: Server, update: Update) => readonly Disposable[];
}

const experimentKind: FigureKind<FigureChoice> = {
  type: experimentPanelType,
  script: 'experiment.js',
  word: l10n.t('Experiment'),
  runCommand: 'placewright.runExperiment',
  cancelCommand: 'placewright.cancelExperiment',
  readChoice: readExperimentChoice,
  ask: (server, { uri, name: experiment }, choice, token) =>
    server.ask('experimentFigure', { uri, experiment, choice }, token),
  listen: (server, update) => [
    server.on('experimentChanged', ({ uri, experiment, progress }) => {
      update(
        { uri, name: experiment },
        progress === undefined ? { kind: 'changed' } : { kind: 'progress', text: progress },
      );
    }),
    server.on('simulated', ({ uri, experiment, words }) => {
      update({ uri, name: experiment }, { kind: 'simulated', text: words });
    }),
  ],
};

const simulationKind: FigureKind<SimulationChoice> = {
  type: simulationPanelType,
  script: 'simulation.js',
  word: l10n.t('Simulation'),
  runCommand: 'placewright.simulatePlacement',
  cancelCommand: 'placewright.cancelSimulation',
  readChoice: readSimulationChoice,
  ask: (server, { uri, name: placement }, choice, token) =>
    server.ask('simulationFigure', { uri, placement, choice }, token),
  listen: (server, update) => [
    server.on('simulationChanged', ({ uri, placement, progress, fault }) => {
      const subject = { uri, name: placement };
      if (progress !== undefined) update(subject, { kind: 'progress', text: progress });
      else update(subject, { kind: 'changed', ...(fault !== undefined && { fault }) });
    }),
    // Its text says whether what is shown is out of date.
    server.on('reportsChanged', ({ uri, placements, running }) => {
      if (!running) for (const { name } of placements) update({ uri, name }, { kind: 'changed' });
    }),
  ],
};

/** Opens, updates and restores panels of one kind. */
class FigurePanels<Choice> extends Panels<FigureSubject, FigurePanel<Choice>> {
  constructor(extension: Extension, server: Server, kind: FigureKind<Choice>) {
    super(extension, server, {
      type: kind.type,
      titleOf: ({ name }) => `${kind.word} ${name}`,
      keyOf: ({ uri, name }) => nameKey(uri, name),
      readState: (state) => stringsIn(state, 'uri', 'name'),
      open: (host, shown) => new FigurePanel(host, shown, kind),
    });
    this.follow(
      ...kind.listen(server, (subject, message) => {
        this.get(subject)?.update(message);
      }),
      server.onRestart(() => {
        this.each((panel) => {
          panel.update({ kind: 'changed' });
        });
      }),
      // A figure is of the text as it is.
      workspace.onDidSaveTextDocument(({ uri }) => {
        this.each((panel) => {
          if (documentKey(panel.shown.uri) === uri.toString()) panel.update({ kind: 'changed' });
        });
      }),
    );
  }
}

export type ExperimentPanels = FigurePanels<FigureChoice>;
export type SimulationPanels = FigurePanels<SimulationChoice>;

export const experimentPanels = (extension: Extension, server: Server): ExperimentPanels =>
  new FigurePanels(extension, server, experimentKind);
export const simulationPanels = (extension: Extension, server: Server): SimulationPanels =>
  new FigurePanels(extension, server, simulationKind);

/** One panel: asks the server for the figures that its page asks for, and saves what it makes of them. */
class FigurePanel<Choice> {
  readonly shown: FigureSubject;
  readonly #page: WebPage<FromFigurePanel<Choice>, ToPage>;
  readonly #server: Server;
  readonly #kind: FigureKind<Choice>;
  readonly #question = new LatestQuestion();

  constructor(host: PageHost, shown: FigureSubject, kind: FigureKind<Choice>) {
    this.shown = shown;
    this.#server = host.server;
    this.#kind = kind;
    this.#page = new WebPage(host, {
      script: kind.script,
      read: (data) => readFromFigurePanel(data, kind.readChoice),
      receive: (message) => this.#receive(message),
      failed: (message) => ({ kind: 'failed', message }),
      closed: () => {
        this.#question.cancel();
      },
    });
    this.#page.keep([shown.uri]);
  }

  /** Asks what is to be saved of the figure. */
  openSaveForm(): void {
    this.#page.post({ kind: 'save-form' });
  }

  /** Its numbers in the place of the figure, or the figure again. */
  toggleTable(): void {
    this.#page.post({ kind: 'toggle-table' });
  }

  update(message: ToPage): void {
    this.#page.post(message);
  }

  async #receive(message: FromFigurePanel<Choice>): Promise<void> {
    const { uri, name } = this.shown;
    switch (message.kind) {
      case 'figure':
        await this.#answer(message.choice);
        break;
      case 'cancel':
        // What is simulated for a figure ends; the answer says so.
        this.#question.cancel();
        break;
      case 'run':
        await commands.executeCommand(this.#kind.runCommand, uri, name);
        break;
      case 'end':
        await commands.executeCommand(this.#kind.cancelCommand, uri, name);
        break;
      case 'save':
        await saveMade(this.shown, message);
        break;
    }
  }

  async #answer(choice: Choice): Promise<void> {
    this.#page.listens();
    // After a restart of the window the editor may not have read the document yet.
    await workspace.openTextDocument(Uri.parse(this.shown.uri));
    const answer = await this.#question.ask((token) => this.#kind.ask(this.#server, this.shown, choice, token));
    // A page that was hidden meanwhile has asked again.
    if (answer !== undefined) this.update({ kind: 'answer', ...this.shown, answer });
  }
}
