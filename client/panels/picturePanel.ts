/** What panels with a picture have in common, of a placement or of a machine: what the editor's cursor, buttons and menus tell them. */
import type { CursorMessage, FromPanel, PanelAction, ToPanel } from '../../server/protocol/panel.ts';
import type { WebPage } from './webPage.ts';

export abstract class PicturePanel {
  protected abstract readonly page: WebPage<FromPanel, ToPanel>;
  /** Told again to a page that was hidden meanwhile. */
  #cursor: CursorMessage | undefined;
  /** Asked for before there was a picture. */
  #wanted: PanelAction | undefined;

  /** Where the cursor is in the text. */
  tellCursor(message: CursorMessage): void {
    if (JSON.stringify(message) === JSON.stringify(this.#cursor)) return;
    this.#cursor = message;
    this.page.post(message);
  }

  /** Has the page do something that a button of the editor or a menu stands for; as soon as it shows a picture. */
  act(action: PanelAction): void {
    this.#wanted = this.page.isListening ? undefined : action;
    this.page.post({ kind: 'act', ...action });
  }

  /** To a page that listens from now on. */
  protected tellAnew(): void {
    this.page.listens();
    if (this.#cursor !== undefined) this.page.post(this.#cursor);
  }

  /** There is a picture. */
  protected shows(): void {
    if (this.#wanted !== undefined) this.act(this.#wanted);
  }
}
