/**
 * A page with a table of things to choose from, of mappers that are tried or of cables that are lost: headline, buttons, progress,
 * table and notice. What a row stands for, and what there is to be said of the table, is in `tryMappers.ts` and `cableLosses.ts`.
 */
import type { FromTablePage, TableSaid } from '../../server/protocol/tablePage.ts';
import { button, make } from '../page/controls.ts';
import type { Frame, PageStatus } from '../page/frame.ts';
import { localised, t } from '../page/words.ts';
import { ChooserTable, type Chooser, type ChooserShown } from './chooserTable.ts';

/** What pages differ in. */
interface TablePageKind extends Omit<Chooser, 'moved'> {
  /** In the headline where no placement is chosen. */
  readonly name: string;
  /** Names the buttons for screen readers. */
  readonly controlsName: string;
  readonly progressName: string;
  /** What the buttons do, in a sentence each. */
  readonly hints: { readonly again: string; readonly stop: string; readonly write: string };
  /** Before the buttons. */
  readonly options: readonly HTMLElement[];
  readonly begin: () => void;
  /** Writes the row that has the keyboard. */
  readonly write: (name: string) => void;
  readonly frame: Pick<Frame<FromTablePage, never, never>, 'post' | 'fill' | 'setTitle' | 'setStatus' | 'setReason'>;
}

/** What a page shows; `chosen` where a placement is. */
export interface TablePageShown {
  readonly chosen?: {
    readonly placement: string;
    readonly subject: string;
    readonly isBusy: boolean;
    /** 0 … 1. */
    readonly share: number;
    readonly isStale: boolean;
  };
  /** Instead of a table. */
  readonly whyEmpty: string;
  readonly table?: ChooserShown;
  /** The row that the picture shows. */
  readonly pressed: string | undefined;
  readonly status: PageStatus;
}

export class TablePage {
  readonly chooser: ChooserTable;
  /** What was done last, or could not be. */
  said: TableSaid | undefined;
  readonly #kind: TablePageKind;
  readonly #again: HTMLElement;
  readonly #stop: HTMLElement;
  readonly #write: HTMLElement;
  readonly #files: readonly HTMLElement[];
  readonly #progress: HTMLProgressElement;
  #shown: TablePageShown | undefined;

  constructor(kind: TablePageKind) {
    const { hints, frame } = kind;
    const { post } = frame;
    this.#kind = kind;
    this.chooser = new ChooserTable({
      ...kind,
      moved: () => {
        this.#showControls();
      },
    });
    this.#again = button(t('Try again'), hints.again, () => {
      kind.begin();
    });
    this.#stop = button(t('Stop'), hints.stop, () => {
      post({ kind: 'stop' });
    });
    this.#write = button(t('Write'), hints.write, () => {
      if (this.chooser.current !== undefined) kind.write(this.chooser.current);
    });
    const copy = button(t('Copy'), t('Copy the table as CSV'), () => {
      post({ kind: 'copy' });
    });
    const save = button(t('Save'), t('Save the table as CSV'), () => {
      post({ kind: 'save' });
    });
    this.#files = [copy, save];
    const controls = make(
      'div',
      { class: 'controls options tried-controls', role: 'group', 'aria-label': kind.controlsName },
      ...[...kind.options, this.#again, this.#stop, this.#write, copy, save],
    );
    this.#progress = make('progress', {
      max: '1',
      value: '0',
      'aria-label': kind.progressName,
      class: 'tried-progress',
    });
    frame.fill({ header: [controls], body: [this.#progress, this.chooser.element] });
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') post({ kind: 'leave' });
    });
  }

  show(shown: TablePageShown): void {
    this.#shown = shown;
    const { chosen, table, whyEmpty, pressed, status } = shown;
    const { frame, name } = this.#kind;
    frame.setTitle(chosen?.placement ?? name, localised(chosen?.subject ?? ''));
    frame.setStatus(status);
    frame.setReason(table === undefined ? whyEmpty : undefined);
    this.chooser.element.hidden = table === undefined;
    this.#showControls();
    if (table !== undefined) this.chooser.show(table, pressed);
  }

  #showControls(): void {
    const { chosen, table } = this.#shown ?? {};
    const isBusy = chosen?.isBusy === true;
    const rows = table?.rows.filter(({ cells }) => cells.length > 0) ?? [];
    this.#progress.hidden = !isBusy;
    this.#progress.value = chosen?.share ?? 0;
    this.#stop.toggleAttribute('disabled', !isBusy);
    this.#again.toggleAttribute('disabled', chosen === undefined || isBusy);
    for (const file of this.#files) file.toggleAttribute('disabled', rows.length === 0);
    const isChosen = rows.some(({ name }) => name === this.chooser.current);
    this.#write.toggleAttribute('disabled', chosen?.isStale === true || !isChosen);
  }
}

/** Whether the table is of the placement as it is; undefined where it is. */
export function statusOfOldTable(
  { stale, restored }: { readonly stale: boolean; readonly restored?: boolean },
  hasChanged: string,
  begin: () => void,
): PageStatus | undefined {
  if (!stale) return undefined;
  const text = restored === true ? t('Results from before the window reload.') : hasChanged;
  return ['stale', { text, actions: [{ text: t('Try again'), act: begin }] }];
}
