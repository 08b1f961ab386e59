/** The panels with the map of who sends how much to whom: of placements, and of jobs and tables that are placed nowhere. */
import { commands, l10n, Uri, workspace, type WebviewPanel } from 'vscode';
import type { ReportsChanged, SceneParameters } from '../../server/protocol/messages.ts';
import type { TrafficBrush } from '../../server/protocol/selections.ts';
import {
  readFromTrafficPanel,
  readTrafficSubject,
  type FromTrafficPanel,
  type ToTrafficPanel,
  type TrafficAnswer,
  type TrafficQuestion,
  type TrafficSubject,
} from '../../server/protocol/trafficPanel.ts';
import { LatestQuestion } from './latestQuestion.ts';
import { documentKey, Panels, type Extension } from './panels.ts';
import type { PlacementPanels } from './placementPanels.ts';
import { showText } from './placementPanel.ts';
import { saveMade } from '../saving.ts';
import type { Server } from '../server.ts';
import { WebPage, type PageHost } from './webPage.ts';

/** Names the kind of panel in `package.json` and in restored windows. */
const panelType = 'placewright.traffic';

/** Opens, updates and restores the maps, and has maps and pictures of placements follow one another. */
export class TrafficPanels extends Panels<TrafficSubject, TrafficPanel> {
  constructor(extension: Extension, server: Server, pictures: PlacementPanels) {
    super(extension, server, {
      type: panelType,
      titleOf: ({ uri, name }) => l10n.t('Traffic {0} ({1})', name, Uri.parse(uri).path.replace(/^.*\//, '')),
      keyOf: ({ uri, of, name }) => JSON.stringify([documentKey(uri), of, name]),
      readState: readTrafficSubject,
      open: (host, shown) => new TrafficPanel(host, shown, pictures),
    });
    const mapOf = ({ uri, placement }: SceneParameters): TrafficPanel | undefined =>
      this.get({ uri, of: 'placement', name: placement });
    this.follow(
      server.on('reportsChanged', (change) => {
        this.each((panel) => {
          panel.update(change);
        });
      }),
      // Whatever is saved may be imported by the file of a job.
      workspace.onDidSaveTextDocument(({ languageId }) => {
        if (languageId !== 'place') return;
        this.each((panel) => {
          if (panel.shown.of !== 'placement') panel.askAgain();
        });
      }),
      server.onRestart(() => {
        this.each((panel) => {
          panel.askAgain();
        });
      }),
      pictures.onSelected((shown) => {
        mapOf(shown)?.tellSelected();
      }),
      pictures.onTrafficCleared((shown) => {
        mapOf(shown)?.brushCleared();
      }),
      pictures.onOpened(() => {
        this.each((panel) => {
          panel.keepInPicture();
        });
      }),
    );
  }
}

/** One panel: asks the server for the maps that its page asks for, and tells the picture of its placement what to keep. */
class TrafficPanel {
  readonly shown: TrafficSubject;
  readonly #panel: WebviewPanel;
  readonly #server: Server;
  readonly #pictures: PlacementPanels;
  readonly #page: WebPage<FromTrafficPanel, ToTrafficPanel>;
  readonly #question = new LatestQuestion();
  /** Of the placement, as it was told last. */
  #known = '';
  #problem: Extract<TrafficAnswer, { kind: 'figure' }>['about']['problem'];
  #brush: { readonly brush: TrafficBrush; readonly words: string } | undefined;

  constructor(host: PageHost, shown: TrafficSubject, pictures: PlacementPanels) {
    this.shown = shown;
    this.#panel = host.panel;
    this.#server = host.server;
    this.#pictures = pictures;
    this.#page = new WebPage(host, {
      script: 'traffic.js',
      read: readFromTrafficPanel,
      receive: (message) => this.#receive(message),
      failed: (message) => ({ kind: 'failed', message }),
      closed: () => {
        this.#question.cancel();
        this.#keep(undefined, '', false);
      },
    });
    this.#page.keep([shown.uri]);
  }

  /** Asks what is to be saved of the map. */
  openSaveForm(): void {
    this.#page.post({ kind: 'save-form' });
  }

  /** Its numbers in the place of the map, or the map again. */
  toggleTable(): void {
    this.#page.post({ kind: 'toggle-table' });
  }

  /** There may be another map. */
  askAgain(): void {
    this.#page.post({ kind: 'changed' });
  }

  /** Follows the reports of the document. */
  update({ uri, placements, running }: ReportsChanged): void {
    if (documentKey(uri) !== documentKey(this.shown.uri)) return;
    if (this.shown.of !== 'placement') {
      if (!running) this.askAgain();
      return;
    }
    const summary = placements.find(({ name }) => name === this.shown.name);
    const known = JSON.stringify(
      summary && [summary.state, summary.revision, summary.status.kind, summary.problem?.message],
    ) as string | undefined;
    if ((known ?? 'gone') === this.#known) return;
    this.#known = known ?? 'gone';
    this.askAgain();
  }

  /** What is selected in the picture of the placement. */
  tellSelected(): void {
    const selected = this.#picture?.selection;
    this.#page.post({ kind: 'selected', ...(selected && { selected }) });
  }

  /** The picture keeps everything again. */
  brushCleared(): void {
    this.#brush = undefined;
    this.#page.post({ kind: 'brush-cleared' });
  }

  /** A picture that is there keeps what is chosen. */
  keepInPicture(): void {
    if (this.#brush !== undefined) this.#picture?.keepTraffic(this.#brush.brush, this.#brush.words);
  }

  get #picture() {
    const { uri, of, name } = this.shown;
    return of === 'placement' ? this.#pictures.get({ uri, placement: name }) : undefined;
  }

  /** `opens`: the picture is shown where it is not. */
  #keep(brush: TrafficBrush | undefined, words: string, opens: boolean): void {
    if (this.shown.of !== 'placement') return;
    const { uri, name } = this.shown;
    const before = this.#brush;
    this.#brush = brush && { brush, words };
    if (brush === undefined) {
      if (before !== undefined) this.#picture?.keepTraffic(undefined, '');
    } else if (opens && this.#picture === undefined) this.#pictures.show({ uri, placement: name });
    else this.keepInPicture();
  }

  async #receive(message: FromTrafficPanel): Promise<void> {
    switch (message.kind) {
      case 'figure':
        await this.#answer(message.choice);
        break;
      case 'cancel':
        this.#question.cancel();
        break;
      case 'run':
        await commands.executeCommand('placewright.run', this.shown.uri);
        break;
      case 'end':
        this.#server.tell('cancel', { uri: this.shown.uri });
        break;
      case 'brush':
        this.#keep(message.brush, message.words, !message.isRestored);
        break;
      case 'reveal-problem':
        if (this.#problem?.location !== undefined) await showText(this.#panel, this.#problem.location);
        break;
      case 'save':
        await saveMade(this.shown, message);
        break;
    }
  }

  async #answer(question: TrafficQuestion): Promise<void> {
    const isNew = !this.#page.isListening;
    this.#page.listens();
    // After a restart of the window the editor may not have read the document yet.
    await workspace.openTextDocument(Uri.parse(this.shown.uri));
    const answer = await this.#question.ask((token) => this.#server.ask('traffic', { ...this.shown, question }, token));
    // A page that was hidden meanwhile has asked again.
    if (answer === undefined) return;
    this.#problem = answer.about?.problem;
    this.#page.post({ kind: 'answer', ...this.shown, answer });
    if (isNew) this.tellSelected();
  }
}
