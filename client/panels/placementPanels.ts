/** All pictures that are open, one `PlacementPanel` for each placement. */
import { EventEmitter, l10n, Uri, window, workspace, type TextDocument } from 'vscode';
import type {
  PlacementChange,
  PreviewAnswer,
  ReportsChanged,
  SceneParameters,
} from '../../server/protocol/messages.ts';
import type { MenuThing } from '../../server/protocol/panel.ts';
import { documentKey, nameKey, Panels, stringsIn, type Extension } from './panels.ts';
import { PlacementPanel } from './placementPanel.ts';
import type { Server } from '../server.ts';

/** Names the kind of panel in `package.json` (`when` clauses, activation) and in restored windows. */
const placementPanelType = 'placewright.placement';

/** The open pictures, one per placement: opens, updates and restores them. */
export class PlacementPanels extends Panels<SceneParameters, PlacementPanel> {
  /** The first placement of each file that has a report; undefined where its picture was shown by itself. */
  readonly #first = new Map<string, SceneParameters | undefined>();
  /** Pictures that were opened to show a change alone. */
  readonly #opened = new Set<PlacementPanel>();
  readonly #previewEnded = new EventEmitter<SceneParameters>();
  /** The picture of a placement shows it as it is written again. */
  readonly onPreviewEnded = this.#previewEnded.event;
  readonly #selected = new EventEmitter<SceneParameters>();
  readonly #trafficCleared = new EventEmitter<SceneParameters>();
  readonly #openedOne = new EventEmitter<undefined>();
  /** Something else is selected in the picture of a placement, or it is closed. */
  readonly onSelected = this.#selected.event;
  /** The picture of a placement keeps no flows of the map of its traffic any more. */
  readonly onTrafficCleared = this.#trafficCleared.event;
  /** There is a picture more. */
  readonly onOpened = this.#openedOne.event;

  constructor(extension: Extension, server: Server) {
    super(extension, server, {
      type: placementPanelType,
      titleOf: placementTitle,
      keyOf: ({ uri, placement }) => nameKey(uri, placement),
      readState: (state) => stringsIn(state, 'uri', 'placement'),
      open: (host, shown) =>
        new PlacementPanel(host, shown, {
          previewEnded: (ended) => {
            this.#previewEnded.fire(ended);
          },
          renamed: () => {
            this.#name();
          },
          selected: (of) => {
            this.#selected.fire(of);
          },
          trafficCleared: (of) => {
            this.#trafficCleared.fire(of);
          },
        }),
    });
    this.follow(
      this.#previewEnded,
      this.#selected,
      this.#trafficCleared,
      this.#openedOne,
      server.on('reportsChanged', (change) => {
        this.#reported(change);
      }),
      // A tab may come to be seen before its file has a report, or after.
      window.onDidChangeVisibleTextEditors(() => {
        this.#showFirst();
      }),
      server.on('progress', (change) => {
        this.get(change)?.progress(change);
      }),
      // The editor closes what no tab shows. A document with a picture stays open, so that it follows its file.
      workspace.onDidCloseTextDocument(({ uri }: TextDocument) => {
        const closed = uri.toString();
        this.each((panel) => (documentKey(panel.shown.uri) === closed ? panel.reopen() : undefined));
      }),
    );
  }

  /** Shows what a change would come to in the picture of its placement, which is opened where it is not. */
  preview(shown: SceneParameters, change: PlacementChange, answer: Extract<PreviewAnswer, { kind: 'preview' }>): void {
    const isNew = this.get(shown) === undefined;
    const panel = this.show(shown);
    if (isNew) this.#opened.add(panel);
    panel.preview(change, answer);
  }

  /** The picture is as it was before; false where it showed no change. */
  endPreview(shown: SceneParameters): boolean {
    const panel = this.get(shown);
    if (panel?.isPreview !== true) return false;
    panel.endPreview();
    if (this.#opened.delete(panel)) this.close(shown);
    return true;
  }

  /**
   * The cursor of the text has come to a placement: its picture comes forward. Where it has none, the only picture of the file
   * that is not locked goes along, if the placement has a report.
   */
  async goAlong(shown: SceneParameters): Promise<void> {
    const open = this.get(shown);
    if (open !== undefined) {
      this.bringForward(open);
      return;
    }
    const document = documentKey(shown.uri);
    const free = this.all.filter((panel) => documentKey(panel.shown.uri) === document && !panel.isLocked);
    const [only] = free;
    if (only !== undefined && free.length === 1) await only.turnTo(shown.placement);
  }

  /** Selects a thing in the picture of a placement, which is opened where it is not. */
  select(shown: SceneParameters, thing: MenuThing): void {
    this.show(shown).select(thing);
  }

  #reported({ uri, placements: [first] }: ReportsChanged): void {
    const key = documentKey(uri);
    if (first === undefined || first.revision === 0 || this.#first.has(key)) return;
    this.#first.set(key, { uri, placement: first.name });
    this.#showFirst();
  }

  /** For who has chosen so: shows the first picture of each file in sight, once. */
  #showFirst(): void {
    if (workspace.getConfiguration('placewright').get('picture.show') !== 'withFile') return;
    for (const { document } of window.visibleTextEditors) {
      const key = document.uri.toString();
      const first = this.#first.get(key);
      if (first === undefined) continue;
      this.#first.set(key, undefined);
      const hasPicture = this.all.some(({ shown }) => documentKey(shown.uri) === key);
      if (!hasPicture) this.show(first);
    }
  }

  protected override opened(): void {
    this.#openedOne.fire(undefined);
    this.#name();
  }

  protected override closed(panel: PlacementPanel): void {
    this.#opened.delete(panel);
    this.#previewEnded.fire(panel.shown);
    this.#selected.fire(panel.shown);
    this.#name();
  }

  /** Placements of the same name in several files have the name of the file in the title of their tab. */
  #name(): void {
    for (const panel of this.all) {
      const { placement, uri } = panel.shown;
      const alike = this.all.filter(({ shown }) => shown.placement === placement);
      const file = Uri.parse(uri).path.replace(/^.*\//, '');
      const title = alike.length > 1 ? `${placementTitle(panel.shown)} (${file})` : placementTitle(panel.shown);
      this.setTitle(panel, panel.isLocked ? l10n.t('{0}, locked', title) : title);
    }
  }
}

const placementTitle = ({ placement }: SceneParameters): string => l10n.t('Placement {0}', placement);
