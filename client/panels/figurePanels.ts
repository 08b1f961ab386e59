/**
 * The panels of figures that are open, one for each experiment and for each simulated placement: what passes between them and
 * the server. What differs between the two is in `experimentKind` and `simulationKind`. The map of traffic is in `trafficPanels.ts`.
 */
import { commands, l10n, Uri, workspace, type CancellationToken, type Disposable, type TextDocument } from 'vscode';
import {
  readExperimentChoice,
  readFromFigurePanel,
  readSimulationChoice,
  type FromFigurePanel,
  type ToFigurePanel,
} from '../../server/protocol/figurePanel.ts';
import type { FigureAnswer, FigureChoice, SimulationChoice } from '../../server/protocol/figures.ts';
import type { ReportsChanged } from '../../server/protocol/messages.ts';
import { Panel } from './panel.ts';
import { documentKey, nameKey, Panels, stringsIn, type Extension } from './panels.ts';
import type { Server } from '../server.ts';
import type { PageHost } from './webPage.ts';

/** Names the kinds of panels in `package.json` and in restored windows. */
const experimentPanelType = 'placewright.experiment';
const simulationPanelType = 'placewright.simulation';

/** What a panel shows figures of: an experiment, or a placement or what else has traffic, of a file. */
export interface FigureSubject {
  readonly uri: string;
  readonly name: string;
}

type ToPage = ToFigurePanel<unknown, unknown>;
type Update = (subject: FigureSubject, message: ToPage) => void;

/** What panels of figures differ in. `Own`: what the page of one says beside what all of them say. */
interface FigurePanelKind<Subject, Choice, Own = never> {
  readonly script: 'experiment.js' | 'simulation.js' | 'traffic.js';
  readonly read: (data: unknown) => FromFigurePanel<Choice> | Own | undefined;
  readonly ask: (
    server: Server,
    subject: Subject,
    choice: Choice,
    token: CancellationToken,
  ) => Promise<FigureAnswer<unknown, unknown>>;
  /** Runs or simulates what is shown, and ends that. */
  readonly run: (subject: Subject) => Thenable<unknown>;
  readonly end: (subject: Subject, server: Server) => Thenable<unknown>;
}

/** What differs between experiments and simulations. */
interface FigureKind<Choice> extends FigurePanelKind<FigureSubject, Choice> {
  readonly type: string;
  /** Before the name in the title of the tab. */
  readonly word: string;
  /** Passes on what the server tells by itself. */
  readonly listen: (server: Server, update: Update) => readonly Disposable[];
  /** Reports of placements say whether what is shown is out of date. */
  readonly hasReports: boolean;
}

const experimentKind: FigureKind<FigureChoice> = {
  type: experimentPanelType,
  script: 'experiment.js',
  word: l10n.t('Experiment'),
  read: (data) => readFromFigurePanel(data, readExperimentChoice),
  run: ({ uri, name }) => commands.executeCommand('placewright.runExperiment', uri, name),
  end: ({ uri, name }) => commands.executeCommand('placewright.cancelExperiment', uri, name),
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
  hasReports: false,
};

const simulationKind: FigureKind<SimulationChoice> = {
  type: simulationPanelType,
  script: 'simulation.js',
  word: l10n.t('Simulation'),
  read: (data) => readFromFigurePanel(data, readSimulationChoice),
  run: ({ uri, name }) => commands.executeCommand('placewright.simulatePlacement', uri, name),
  end: ({ uri, name }) => commands.executeCommand('placewright.cancelSimulation', uri, name),
  ask: (server, { uri, name: placement }, choice, token) =>
    server.ask('simulationFigure', { uri, placement, choice }, token),
  listen: (server, update) => [
    server.on('simulationChanged', ({ uri, placement, progress, fault }) => {
      const subject = { uri, name: placement };
      if (progress !== undefined) update(subject, { kind: 'progress', text: progress });
      else update(subject, { kind: 'changed', ...(fault !== undefined && { fault }) });
    }),
  ],
  hasReports: true,
};

/** Opens, updates and restores panels of one kind. */
class FigurePanels<Choice> extends Panels<FigureSubject, FigurePanel<FigureSubject, Choice>> {
  constructor(extension: Extension, server: Server, kind: FigureKind<Choice>) {
    super(extension, server, {
      type: kind.type,
      titleOf: ({ name }) => `${kind.word} ${name}`,
      keyOf: ({ uri, name }) => nameKey(uri, name),
      readState: (state) => stringsIn(state, 'uri', 'name'),
      open: (host, shown) => new FigurePanel<FigureSubject, Choice>(host, shown, kind),
    });
    this.follow(
      ...kind.listen(server, (subject, message) => {
        this.get(subject)?.tell(message);
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
export class FigurePanel<Subject extends FigureSubject, Choice, Own = never, ToOwn = never> extends Panel<
  Subject,
  FromFigurePanel<Choice> | Own,
  ToPage | ToOwn
> {
  readonly #kind: FigurePanelKind<Subject, Choice, Own> & { readonly hasReports?: boolean };

  constructor(
    host: PageHost,
    shown: Subject,
    kind: FigurePanelKind<Subject, Choice, Own> & { readonly hasReports?: boolean },
  ) {
    super(host, shown, kind, [shown.uri]);
    this.#kind = kind;
  }

  /** Asks what is to be saved of the figure. */
  openSaveForm(): void {
    this.tell({ kind: 'save-form' });
  }

  /** Its numbers in the place of the figure, or the figure again. */
  toggleTable(): void {
    this.tell({ kind: 'toggle-table' });
  }

  tell(message: ToPage): void {
    this.page.post(message);
  }

  override refresh(): void {
    this.tell({ kind: 'changed' });
  }

  override reported({ uri, placements, running }: ReportsChanged): void {
    const isOfIt =
      documentKey(uri) === documentKey(this.shown.uri) && placements.some(({ name }) => name === this.shown.name);
    if (this.#kind.hasReports === true && !running && isOfIt) this.refresh();
  }

  /** A figure is of the text as it is. */
  override saved({ uri }: TextDocument): void {
    if (documentKey(this.shown.uri) === uri.toString()) this.refresh();
  }

  protected override async receive(message: FromFigurePanel<Choice> | Own): Promise<void> {
    // Who has messages of its own answers them itself.
    const own = message as FromFigurePanel<Choice>;
    switch (own.kind) {
      case 'figure':
        await this.answer(own.choice);
        break;
      case 'cancel':
        // What is simulated for a figure ends; the answer says so.
        this.question.cancel();
        break;
      case 'run':
        await this.#kind.run(this.shown);
        break;
      case 'end':
        await this.#kind.end(this.shown, this.server);
        break;
      case 'save':
        await this.save(this.shown.uri, this.shown.name, own);
        break;
    }
  }

  /** Answers with a figure; undefined where a page that was hidden meanwhile has asked again. */
  protected async answer(choice: Choice): Promise<FigureAnswer<unknown, unknown> | undefined> {
    this.page.listens();
    // After a restart of the window the editor may not have read the document yet.
    await workspace.openTextDocument(Uri.parse(this.shown.uri));
    const answer = await this.question.ask((token) => this.#kind.ask(this.server, this.shown, choice, token));
    if (answer !== undefined) this.tell({ kind: 'answer', ...this.shown, answer });
    return answer;
  }
}
