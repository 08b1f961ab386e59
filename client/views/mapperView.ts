/**
 * The view of mappers that are tried on a placement: what passes between its page, the server, the picture of the placement and
 * the text.
 */
import { l10n } from 'vscode';
import {
  readFromMapperPage,
  type FromMapperPage,
  type ToMapperPage,
  type TriedMappers,
  type TryMappersOptions,
} from '../../server/protocol/mapperComparison.ts';
import type { ChangeParameters, SceneParameters } from '../../server/protocol/messages.ts';
import type { FromTablePage, TableFile } from '../../server/protocol/tablePage.ts';
import type { Extension } from '../panels/panels.ts';
import type { PlacementPanels } from '../panels/placementPanels.ts';
import type { Server } from '../server.ts';
import { TableView } from './tableView.ts';
import { writeChange } from '../writeChange.ts';

type OwnMessage = Exclude<FromMapperPage, FromTablePage>;

/** A table that nothing is added to any more. */
interface KeptTable {
  readonly table: TriedMappers;
  readonly file?: TableFile;
}

/** The server keeps what was found of the placement that is shown, and of others. */
export class MapperView extends TableView<OwnMessage, ToMapperPage, KeptTable> {
  #options: TryMappersOptions = { budget: 'quick', seeds: 1 };
  /** Of an earlier window, until mappers are tried again. */
  #restored: KeptTable | undefined;

  constructor(extension: Extension, server: Server, panels: PlacementPanels) {
    super(extension, server, panels, {
      type: 'placewright.mappers',
      openContext: 'placewright.triesMappers',
      script: 'tryMappers.js',
      read: readFromMapperPage,
    });
    this.follow(
      server.on('triedMappersChanged', (table) => {
        if (!this.isShown(table)) return;
        this.post({ kind: 'table', table });
        if (table.state === 'complete' || table.state === 'stopped') void this.#keepTable(table);
      }),
      server.onRestart(() => {
        if (this.placement !== undefined && this.#restored === undefined) this.begin(this.placement);
      }),
      panels.onPreviewEnded((placement) => {
        if (this.isShown(placement)) this.post({ kind: 'previewed' });
      }),
    );
    this.goOn();
  }

  protected override begin(placement: SceneParameters): void {
    this.#restored = undefined;
    this.leave();
    this.server.tell('tryMappers', { ...placement, ...this.#options });
  }

  protected override stop(placement: SceneParameters): void {
    this.server.tell('stopMappers', placement);
  }

  protected override async isKnown(placement: SceneParameters): Promise<boolean> {
    const known = await this.server.ask('triedMappers', placement);
    return known !== null && !known.stale && known.state !== 'failed';
  }

  protected override async tell(): Promise<void> {
    const known = this.placement && (await this.server.ask('triedMappers', this.placement));
    const table = known ?? this.#restored?.table;
    this.post({ kind: 'table', ...(table && { table }) });
  }

  protected override async act(shown: SceneParameters, message: OwnMessage): Promise<void> {
    if (message.kind === 'try') {
      this.#options = { budget: message.budget, seeds: message.seeds };
      this.begin(shown);
    } else if (this.#restored !== undefined) {
      // The server has mappings of what it tried itself.
      const text = l10n.t('Results from before the window reload are read-only. Try again first.');
      this.post({ kind: 'said', text, isFault: true });
    } else if (message.kind === 'preview') await this.#preview(shown, message.mapper);
    else await this.#write({ ...shown, change: { kind: 'mapper', mapper: message.mapper } });
  }

  /** The picture is that of the placement again. */
  protected override leave(): boolean {
    const isLeft = this.placement !== undefined && this.panels.endPreview(this.placement);
    if (isLeft) this.post({ kind: 'previewed' });
    return isLeft;
  }

  protected override async file(shown: SceneParameters): Promise<TableFile> {
    const answer = await this.server.ask('triedMappersCsv', shown);
    if (answer.ok) return answer;
    if (this.#restored?.file !== undefined) return this.#restored.file;
    throw new Error(answer.message);
  }

  protected override restore(placement: SceneParameters, kept: KeptTable | undefined): void {
    const none = { subject: '', share: 1, columns: [], rows: [], notes: [], state: 'stopped' } as const;
    const table = { ...(kept?.table ?? { ...placement, ...this.#options, ...none }), stale: true, restored: true };
    this.#options = { budget: table.budget, seeds: table.seeds };
    this.#restored = { table, ...(kept?.file && { file: kept.file }) };
  }

  async #keepTable(table: TriedMappers): Promise<void> {
    const answer = await this.server.ask('triedMappersCsv', table);
    if (!this.isShown(table)) return;
    this.keep({ table, ...(answer.ok && { file: { text: answer.text, suggestedName: answer.suggestedName } }) });
  }

  async #preview(shown: SceneParameters, mapper: string): Promise<void> {
    const change = { kind: 'mapper', mapper } as const;
    const answer = await this.server.ask('preview', { ...shown, change });
    if (!this.isShown(shown)) return;
    if (answer.kind === 'nothing') {
      this.post({ kind: 'said', text: answer.reason, isFault: true });
      return;
    }
    this.panels.preview(shown, change, answer);
    this.post({ kind: 'previewed', mapper });
  }

  async #write(change: ChangeParameters): Promise<void> {
    const { text, isFault } = await writeChange(this.server, change);
    if (!isFault) this.leave();
    this.post({ kind: 'said', text, isFault });
  }
}
