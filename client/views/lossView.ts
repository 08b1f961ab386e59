/**
 * The view of what a placement costs once a cable has failed: what passes between its page, the server, the picture of the placement
 * and the text.
 */
import { CancellationTokenSource } from 'vscode';
import {
  readFromLossPage,
  type FromLossPage,
  type ShownLosses,
  type ToLossPage,
} from '../../server/protocol/cableLosses.ts';
import type { ReportsChanged, SceneParameters } from '../../server/protocol/messages.ts';
import type { FromTablePage, TableFile } from '../../server/protocol/tablePage.ts';
import { documentKey, type Extension } from '../panels/panels.ts';
import type { PlacementPanels } from '../panels/placementPanels.ts';
import type { Server } from '../server.ts';
import { TableView } from './tableView.ts';
import { writeEdits } from '../writeChange.ts';

type OwnMessage = Exclude<FromLossPage, FromTablePage>;

/** What is found is here: the server answers once, with the whole table. */
export class LossView extends TableView<OwnMessage, ToLossPage, ShownLosses> {
  #shown: ShownLosses | undefined;
  /** Of what is under way. */
  #asked: CancellationTokenSource | undefined;

  constructor(extension: Extension, server: Server, panels: PlacementPanels) {
    super(extension, server, panels, {
      type: 'placewright.losses',
      openContext: 'placewright.losesCables',
      script: 'cableLosses.js',
      read: readFromLossPage,
    });
    this.follow(
      server.on('cableLossesProgress', ({ uri, placement, share }) => {
        if (this.#shown?.state === 'running' && this.isShown({ uri, placement })) this.#set({ share });
      }),
      server.on('reportsChanged', (change) => {
        this.#reported(change);
      }),
      server.onRestart(() => {
        if (this.#shown?.state === 'running') void this.begin(this.#shown);
      }),
      { dispose: () => this.#asked?.cancel() },
    );
    this.goOn();
  }

  protected override isKnown({ uri, placement }: SceneParameters): boolean {
    const shown = this.#shown;
    if (shown?.uri !== uri || shown.placement !== placement) return false;
    return shown.state === 'running' || (shown.state === 'complete' && !shown.stale);
  }

  protected override async begin({ uri, placement }: SceneParameters): Promise<void> {
    this.#asked?.cancel();
    const asked = new CancellationTokenSource();
    this.#asked = asked;
    this.#shown = { uri, placement, state: 'running', share: 0, stale: false };
    this.tell();
    const answer = await this.server.ask('cableLosses', { uri, placement }, asked.token).catch((error: unknown) => ({
      kind: 'nothing' as const,
      reason: error instanceof Error ? error.message : String(error),
    }));
    // Else it was stopped, or begun anew.
    if (this.#asked !== asked) return;
    this.#asked = undefined;
    if (answer.kind === 'losses') this.#set({ state: 'complete', share: 1, table: answer });
    else this.#set({ state: 'failed', reason: answer.reason });
    this.keep(this.#shown);
  }

  protected override stop(): void {
    if (this.#asked === undefined) return;
    this.#asked.cancel();
    this.#asked = undefined;
    this.#set({ state: 'stopped' });
  }

  protected override tell(): void {
    this.post({ kind: 'table', ...(this.#shown && { shown: this.#shown }) });
  }

  protected override async act(placement: SceneParameters, message: OwnMessage): Promise<void> {
    switch (message.kind) {
      case 'try':
        await this.begin(placement);
        break;
      case 'show':
        this.#select(placement, message.cable);
        break;
      case 'write':
        await this.#write(placement, message.cable);
        break;
    }
  }

  /** A cable that is selected in the picture stays so. */
  protected override leave(): boolean {
    return false;
  }

  protected override file(): TableFile | undefined {
    const table = this.#shown?.table;
    return table && { text: table.csv, suggestedName: table.suggestedName };
  }

  protected override restore(placement: SceneParameters, kept: ShownLosses | undefined): void {
    this.#shown = { ...(kept ?? { ...placement, state: 'stopped', share: 1 }), stale: true, restored: true };
  }

  #reported({ uri, placements }: ReportsChanged): void {
    const shown = this.#shown;
    // Revisions are those of one server: of an earlier window's nothing is known.
    if (shown?.table === undefined || shown.restored === true || documentKey(uri) !== documentKey(shown.uri)) return;
    const summary = placements.find(({ name }) => name === shown.placement);
    const stale = summary?.revision !== shown.table.revision || summary.state !== 'fresh';
    if (stale !== shown.stale) this.#set({ stale });
  }

  #set(change: Partial<ShownLosses>): void {
    if (this.#shown === undefined) return;
    this.#shown = { ...this.#shown, ...change };
    this.tell();
  }

  #select(shown: SceneParameters, cable: string): void {
    const row = this.#shown?.table?.rows.find((one) => one.cable === cable);
    if (row === undefined) return;
    this.panels.select(shown, { kind: 'link', link: row.link });
    this.post({ kind: 'selected', cable });
  }

  async #write({ uri, placement }: SceneParameters, cable: string): Promise<void> {
    const { text, isFault } = await writeEdits(await this.server.ask('withoutCable', { uri, placement, cable }));
    this.post({ kind: 'said', text, isFault });
  }
}
