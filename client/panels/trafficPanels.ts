/** The panels with the map of who sends how much to whom: of placements, and of jobs and tables that are placed nowhere. */
import { commands, l10n, Uri, type TextDocument } from 'vscode';
import type { ReportsChanged, SceneParameters } from '../../server/protocol/messages.ts';
import type { FromFigurePanel, ToFigurePanel } from '../../server/protocol/figurePanel.ts';
import type { TrafficBrush } from '../../server/protocol/selections.ts';
import {
  readFromTrafficPanel,
  readTrafficSubject,
  type FromTrafficPanel,
  type ToTrafficPanel,
  type TrafficAbout,
  type TrafficAnswer,
  type TrafficQuestion,
  type TrafficSubject,
} from '../../server/protocol/trafficPanel.ts';
import { FigurePanel } from './figurePanels.ts';
import { documentKey, Panels, type Extension } from './panels.ts';
import type { PlacementPanels } from './placementPanels.ts';
import type { Server } from '../server.ts';
import type { PageHost } from './webPage.ts';

/** Names the kind of panel in `package.json` and in restored windows. */
const trafficPanelType = 'placewright.traffic';

/** Opens, updates and restores the maps, and has maps and pictures of placements follow one another. */
export class TrafficPanels extends Panels<TrafficSubject, TrafficPanel> {
  constructor(extension: Extension, server: Server, pictures: PlacementPanels) {
    super(extension, server, {
      type: trafficPanelType,
      titleOf: ({ uri, name }) => l10n.t('Traffic {0} ({1})', name, Uri.parse(uri).path.replace(/^.*\//, '')),
      keyOf: ({ uri, of, name }) => JSON.stringify([documentKey(uri), of, name]),
      readState: readTrafficSubject,
      open: (host, shown) => new TrafficPanel(host, shown, pictures),
    });
    const mapOf = ({ uri, placement }: SceneParameters): TrafficPanel | undefined =>
      this.get({ uri, of: 'placement', name: placement });
    this.follow(
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

type Own = Exclude<FromTrafficPanel, FromFigurePanel<TrafficQuestion>>;
type ToOwn = Exclude<ToTrafficPanel, ToFigurePanel<never, never>>;

/** One panel: its page asks for maps, and it tells the picture of its placement what to keep. */
class TrafficPanel extends FigurePanel<TrafficSubject, TrafficQuestion, Own, ToOwn> {
  readonly #pictures: PlacementPanels;
  /** Of the placement, as it was told last. */
  #known = '';
  #problem: TrafficAbout['problem'];
  #brush: { readonly brush: TrafficBrush; readonly words: string } | undefined;

  constructor(host: PageHost, shown: TrafficSubject, pictures: PlacementPanels) {
    super(host, shown, {
      script: 'traffic.js',
      read: readFromTrafficPanel,
      ask: (server, subject, question, token) => server.ask('traffic', { ...subject, question }, token),
      run: ({ uri }) => commands.executeCommand('placewright.run', uri),
      end: ({ uri }, server) => {
        server.tell('cancel', { uri });
        return Promise.resolve();
      },
    });
    this.#pictures = pictures;
  }

  /** Whatever is saved may be imported by the file of a job. */
  override saved({ languageId }: TextDocument): void {
    if (languageId === 'place' && this.shown.of !== 'placement') this.refresh();
  }

  /** Follows the reports of the document. */
  override reported({ uri, placements, running }: ReportsChanged): void {
    if (documentKey(uri) !== documentKey(this.shown.uri)) return;
    if (this.shown.of !== 'placement') {
      if (!running) this.refresh();
      return;
    }
    const summary = placements.find(({ name }) => name === this.shown.name);
    const known = JSON.stringify(
      summary && [summary.state, summary.revision, summary.status.kind, summary.problem?.message],
    ) as string | undefined;
    if ((known ?? 'gone') === this.#known) return;
    this.#known = known ?? 'gone';
    this.refresh();
  }

  /** What is selected in the picture of the placement. */
  tellSelected(): void {
    const selected = this.#picture?.selection;
    this.page.post({ kind: 'selected', ...(selected && { selected }) });
  }

  /** The picture keeps everything again. */
  brushCleared(): void {
    this.#brush = undefined;
    this.page.post({ kind: 'brush-cleared' });
  }

  /** A picture that is there keeps what is chosen. */
  keepInPicture(): void {
    if (this.#brush !== undefined) this.#picture?.keepTraffic(this.#brush.brush, this.#brush.words);
  }

  get #picture() {
    const { uri, of, name } = this.shown;
    return of === 'placement' ? this.#pictures.get({ uri, placement: name }) : undefined;
  }

  protected override closed(): void {
    this.#keep(undefined, '', false);
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

  protected override async receive(message: FromTrafficPanel): Promise<void> {
    if (message.kind === 'brush') this.#keep(message.brush, message.words, !message.isRestored);
    else if (message.kind === 'reveal-problem') await this.showProblem(this.#problem);
    else await super.receive(message);
  }

  protected override async answer(question: TrafficQuestion): Promise<TrafficAnswer | undefined> {
    const isNew = !this.page.isListening;
    const answer = (await super.answer(question)) as TrafficAnswer | undefined;
    if (answer === undefined) return undefined;
    this.#problem = answer.about?.problem;
    if (isNew) this.tellSelected();
    return answer;
  }
}
