/**
 * One picture beside the text: what passes between its webview and the server, and the way from the picture to the
 * text.
 */
import { l10n } from 'vscode';
import type {
  ExplainParameters,
  OriginParameters,
  PlacementChange,
  PlacementProblem,
  PlacementSummary,
  PreviewAnswer,
  ProgressChanged,
  ReportsChanged,
  SceneParameters,
} from '../../server/protocol/messages.ts';
import type { FromPanel, MenuThing } from '../../server/protocol/panel.ts';
import type { PictureSelection, TrafficBrush } from '../../server/protocol/selections.ts';
import { PicturePanel } from './panel.ts';
import { documentKey } from './panels.ts';
import { writeChange } from '../writeChange.ts';
import type { PageHost } from './webPage.ts';

type Preview = Extract<PreviewAnswer, { kind: 'preview' }>;

/** What others want to know of a panel. */
interface PanelListener {
  /** The placement is shown as it is written again. */
  readonly previewEnded?: (shown: SceneParameters) => void;
  /** It shows another placement, or is locked. */
  readonly renamed?: () => void;
  /** Something else is selected in it, or nothing. */
  readonly selected?: (shown: SceneParameters) => void;
  /** The user wants no flows of the map of its traffic to be kept alone any more. */
  readonly trafficCleared?: (shown: SceneParameters) => void;
}

/** One picture beside the text: passes messages between its webview and the server. */
export class PlacementPanel extends PicturePanel<SceneParameters> {
  /** A thing that was to be selected before there was a picture. */
  #selectWanted: MenuThing | undefined;
  /** What the panel was last told of: of another report it gets the picture again, of another state it is told. */
  #known = '';
  /** Of the report whose picture it shows; undefined where it shows none, or one of a server that has ended since. */
  #revision: number | undefined;
  /** The same of the last picture, whatever has been said of it since. */
  #shownRevision: number | undefined;
  /** ` (2 of 3)`: its place among the placements of its file, see {@link placeAmong}; undefined before it is known. */
  #place: string | undefined;
  #problem: PlacementProblem | undefined;
  /** Of the placements above its own, when it got its picture. */
  #before: string | undefined;
  readonly #told: PanelListener;
  /** It shows its placement wherever the cursor of the text goes. */
  #isLocked = false;
  #selection: PictureSelection | undefined;
  #kept: { readonly brush: TrafficBrush; readonly words: string } | undefined;
  /** The change that it shows in the place of the placement as it is written. */
  #preview: { readonly change: PlacementChange; readonly answer: Preview } | undefined;

  constructor(host: PageHost, shown: SceneParameters, told: PanelListener = {}) {
    super(host, shown);
    this.#told = told;
  }

  get isLocked(): boolean {
    return this.#isLocked;
  }

  /** Shows another placement of its file, if that has a report, unless a change is being looked at or flows are kept. */
  async turnTo(placement: string): Promise<void> {
    const { uri } = this.shown;
    const placements = await this.server.ask('placements', { uri });
    const isThere = placements.some(({ name, state }) => name === placement && state !== 'missing');
    if (!isThere || this.isPreview || this.#isLocked || this.#kept !== undefined) return;
    this.shown = { uri, placement };
    this.#known = '';
    this.#shownRevision = undefined;
    this.#place = placeAmong(placements, placement);
    this.#told.renamed?.();
    await this.refresh();
  }

  /** Selects and explains a thing, as soon as there is a picture of it. */
  select(thing: MenuThing): void {
    const isThere = this.page.isListening && this.#revision !== undefined;
    this.#selectWanted = isThere ? undefined : thing;
    if (isThere) this.act({ action: 'explain', thing });
  }

  toggleLock(): void {
    this.#isLocked = !this.#isLocked;
    this.page.post({ kind: 'locked', isLocked: this.#isLocked });
    this.#told.renamed?.();
  }

  get isPreview(): boolean {
    return this.#preview !== undefined;
  }

  /** Shows what a change would come to, until it is ended or there is another picture. */
  preview(change: PlacementChange, answer: Preview): void {
    this.#preview = { change, answer };
    this.page.post(answer);
  }

  endPreview(): void {
    if (this.#preview === undefined) return;
    this.#preview = undefined;
    this.page.post({ kind: 'preview-end' });
    this.#told.previewEnded?.(this.shown);
  }

  /** What is selected in it. */
  get selection(): PictureSelection | undefined {
    return this.#selection;
  }

  /** It keeps the flows of a part of the map of its traffic alone, named by `words`; all again where there is no `brush`. */
  keepTraffic(brush: TrafficBrush | undefined, words: string): void {
    this.#kept = brush && { brush, words };
    this.page.post({ kind: 'keep-traffic', ...(brush && { brush }), words });
  }

  /** Follows the reports of the document: shows the new picture once there is one. */
  override async reported({ uri, placements }: ReportsChanged): Promise<void> {
    if (documentKey(uri) !== documentKey(this.shown.uri)) return;
    const summary = placements.find(({ name }) => name === this.shown.placement);
    this.#place = placeAmong(placements, this.shown.placement);
    if (summary?.status.kind === 'waiting') this.#tellStatus(summary.status);
    const known = stateOf(summary, placements);
    if (known !== this.#known) {
      const before = revisionsBefore(placements, this.shown.placement);
      const isSame = summary?.revision === this.#revision && before === (this.#before ?? before);
      this.#before = before;
      if (summary !== undefined && isSame) this.#tellStatusAgain(summary);
      else await this.refresh();
    }
    this.#known = known;
  }

  /** Follows the work on its placement. */
  progress({ progress, words }: ProgressChanged): void {
    this.#working(words, progress.search !== undefined);
  }

  /** The picture is the newest that there is; what is to be said of it has changed. */
  #tellStatusAgain({ state, status, problem }: PlacementSummary): void {
    this.#problem = problem;
    this.page.post({
      kind: 'standing',
      stale: state !== 'fresh',
      status,
      ...(problem === undefined ? {} : { problem }),
    });
    this.#tellStatus(status);
  }

  /**
   * Tells what is being done about its placement; of its progress what is known by now, for news may be long in coming.
   */
  #tellStatus(status: PlacementSummary['status']): void {
    if (status.kind === 'waiting') this.#working(l10n.t('queued'), false);
    if (status.kind === 'working') this.#working(status.progress.message, status.progress.search !== undefined);
  }

  #working(words: string, canFinish: boolean): void {
    const text = l10n.t('Evaluating {0}: {1}', `${this.shown.placement}${this.#place ?? ''}`, words);
    this.page.post({ kind: 'working', text, canFinish });
  }

  /**
   * Asks the server for the picture and shows it. The document may be open in a tab that was not looked at
   * yet, or in none: the editor has to read it first, so that the server knows it.
   */
  override async refresh(): Promise<void> {
    this.#revision = undefined;
    if (!this.page.isListening) return;
    // Where the file is gone the last picture stays.
    await this.hasOpened(this.shown.uri);
    // Opened in the middle of a study it has heard of no placements yet.
    this.#place ??= placeAmong(await this.server.ask('placements', { uri: this.shown.uri }), this.shown.placement);
    const { shown } = this;
    const answer = await this.server.ask('scene', shown);
    // It was turned to another placement meanwhile, which is asked for by itself.
    if (shown !== this.shown) return;
    this.#problem = answer.problem;
    if (answer.kind === 'scene') {
      const { revision, ...scene } = answer;
      this.#revision = revision;
      const isNewer = this.#shownRevision !== undefined && this.#shownRevision !== revision;
      this.#shownRevision = revision;
      this.page.post({ ...scene, uri: this.shown.uri });
      // What was seen was a change of the picture before.
      if (isNewer) this.endPreview();
      else if (this.#preview !== undefined) this.page.post(this.#preview.answer);
      if (this.#kept !== undefined) this.page.post({ kind: 'keep-traffic', ...this.#kept });
    } else this.page.post(answer);
    this.#tellStatus(answer.status);
    if (answer.kind === 'scene') this.shows();
    if (this.#selectWanted !== undefined) this.select(this.#selectWanted);
  }

  /** The editor has closed a document, which is to stay open so that it follows its file. */
  async reopen(): Promise<void> {
    await this.hasOpened(this.shown.uri);
  }

  protected override async receive(message: FromPanel): Promise<void> {
    switch (message.kind) {
      case 'ready':
        this.#tellAllAnew();
        await this.refresh();
        break;
      case 'reveal':
        await this.#revealText(message.target);
        break;
      case 'reveal-problem':
        await this.showProblem(this.#problem);
        break;
      case 'finish':
      case 'cancel':
      case 'run':
        this.#order(message.kind);
        break;
      case 'explain':
        await this.#explain(message.target);
        break;
      case 'keep-locked':
        this.#stayLocked();
        break;
      case 'selected':
        this.#selection = message.selection;
        this.#told.selected?.(this.shown);
        break;
      case 'traffic-cleared':
        this.#kept = undefined;
        this.#told.trafficCleared?.(this.shown);
        break;
      default:
        await this.#saveOrPreview(message);
    }
  }

  /** A page that has just begun knows of nothing, and nothing is selected in it. */
  #tellAllAnew(): void {
    this.tellAnew();
    if (this.#isLocked) this.page.post({ kind: 'locked', isLocked: true });
    this.#selection = undefined;
    this.#told.selected?.(this.shown);
  }

  /** As before a restart of the window. */
  #stayLocked(): void {
    if (!this.#isLocked) this.toggleLock();
  }

  /** About the study of its file; of its placement alone where that can be. */
  #order(order: 'finish' | 'cancel' | 'run'): void {
    const { uri } = this.shown;
    if (order === 'finish') this.server.tell('finish', this.shown);
    else if (order === 'cancel') this.server.tell('cancel', { uri });
    else this.server.tell('run', this.shown);
  }

  #saveOrPreview(message: Extract<FromPanel, { readonly kind: 'save' | `${string}preview${string}` }>): Promise<void> {
    switch (message.kind) {
      case 'save':
        return this.save(this.shown.uri, this.shown.placement, message);
      default:
        return this.#changePreview(message);
    }
  }

  /** What flows over a link, or between two tasks. Users who click on one link after another want the last one. */
  async #explain(target: ExplainParameters['target']): Promise<void> {
    const answer = await this.question.ask((token) => this.server.ask('explain', { ...this.shown, target }, token));
    if (answer !== undefined) this.page.post({ kind: 'explained', target, answer });
  }

  async #changePreview(message: Extract<FromPanel, { kind: `${string}preview${string}` }>): Promise<void> {
    if (message.kind === 'preview-improvement') await this.#previewImprovement(message);
    else if (message.kind === 'write-preview') await this.#writePreview();
    else this.endPreview();
  }

  async #previewImprovement({ link, index }: { readonly link: number; readonly index: number }): Promise<void> {
    const change = { kind: 'improvement', link, index } as const;
    const answer = await this.server.ask('preview', { ...this.shown, change });
    if (answer.kind === 'preview') this.preview(change, answer);
    else this.page.post({ kind: 'failed', message: answer.reason });
  }

  async #writePreview(): Promise<void> {
    if (this.#preview === undefined) return;
    const { text, isFault } = await writeChange(this.server, { ...this.shown, change: this.#preview.change });
    if (!isFault) this.endPreview();
    this.page.post({ kind: isFault ? 'failed' : 'said', message: text });
  }

  /** Shows the text behind a thing of the picture. */
  async #revealText(target: OriginParameters['target']): Promise<void> {
    const origin = await this.server.ask('origin', { ...this.shown, target });
    if (origin !== null) await this.showText(origin);
  }
}

/** ` (2 of 3)`; '' for one that stands alone, undefined for one that is not there. */
function placeAmong(placements: readonly PlacementSummary[], placement: string): string | undefined {
  const index = placements.findIndex(({ name }) => name === placement);
  if (index < 0) return undefined;
  return placements.length === 1 ? '' : ` ${l10n.t('({0} of {1})', index + 1, placements.length)}`;
}

/** What makes another picture, or another word about it. */
function stateOf(summary: PlacementSummary | undefined, all: readonly PlacementSummary[]): string {
  if (summary === undefined) return 'gone';
  const { state, revision, status } = summary;
  // While it is worked out nothing new can be fetched: progress is told by itself.
  const doing = status.kind === 'waiting' || status.kind === 'working' ? 'busy' : status.kind;
  return JSON.stringify([
    state,
    revision,
    doing,
    status.kind === 'failed' ? status.message : '',
    revisionsBefore(all, summary.name),
  ]);
}

/** Of the placements above it, with the first of which its figures may be compared. */
const revisionsBefore = (all: readonly PlacementSummary[], placement: string): string =>
  all
    .slice(
      0,
      all.findIndex(({ name }) => name === placement),
    )
    .map(({ revision }) => revision)
    .join(' ');
