/**
 * Pictures follow the cursor in the text: what it stands on is outlined in them, and a picture that is not locked goes along to
 * another placement of its file. The focus stays where it is, and no text is ever covered.
 */
import { window, workspace, type Disposable, type TextEditor } from 'vscode';
import type { ThingAtAnswer } from '../../server/protocol/messages.ts';
import type { CursorMessage } from '../../server/protocol/panel.ts';
import type { MachinePanels } from './machinePanels.ts';
import { documentKey } from './panels.ts';
import type { PlacementPanels } from './placementPanels.ts';
import type { Server } from '../server.ts';

const nowhere: CursorMessage = { kind: 'cursor', isHere: false };

/** The cursor rests for so many milliseconds before anybody is asked. */
const pause = 120;

export class CursorFollower implements Disposable {
  readonly #server: Pick<Server, 'ask' | 'output'>;
  readonly #placements: PlacementPanels;
  readonly #machines: MachinePanels;
  readonly #subscriptions: readonly Disposable[];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Grows with each question: an older answer is of a cursor that has moved on. */
  #asked = 0;

  constructor(server: Server, placements: PlacementPanels, machines: MachinePanels) {
    this.#server = server;
    this.#placements = placements;
    this.#machines = machines;
    const soon = (): void => {
      this.#followSoon();
    };
    this.#subscriptions = [
      window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === window.activeTextEditor && textEditor.document.languageId === 'place') soon();
      }),
      // A picture that has the focus goes on showing where the cursor was.
      window.onDidChangeActiveTextEditor((editor) => {
        if (editor !== undefined) soon();
      }),
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('placewright.picture.follow')) soon();
      }),
      // There may be another hot link, or a picture of the placement for the first time.
      server.on('reportsChanged', ({ running }) => {
        if (!running) soon();
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #followSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#follow().catch((error: unknown) => {
        this.#server.output.error(String(error));
      });
    }, pause);
  }

  async #follow(): Promise<void> {
    const asked = ++this.#asked;
    const all = [...this.#placements.all, ...this.#machines.all];
    const editor = window.activeTextEditor;
    const isFollowed = workspace.getConfiguration('placewright').get('picture.follow') !== false;
    if (!isFollowed || (editor !== undefined && editor.document.languageId !== 'place')) {
      for (const panel of all) panel.tellCursor(nowhere);
      return;
    }
    if (editor === undefined) return;
    for (const uri of new Set(all.map(({ shown }) => shown.uri))) {
      const answer = await this.#server.ask('thingAt', { uri, at: cursorPlace(editor, uri) });
      if (asked !== this.#asked) return;
      await this.#tell(uri, answer ?? {});
    }
  }

  /** What the cursor stands on, to the pictures of a file. */
  async #tell(uri: string, { placement, machine, things }: NonNullable<ThingAtAnswer>): Promise<void> {
    if (placement !== undefined) await this.#placements.goAlong({ uri, placement });
    for (const panel of this.#placements.all) {
      if (panel.shown.uri !== uri) continue;
      const isHere = panel.shown.placement === placement;
      // What is part of another placement is none of its business.
      panel.tellCursor({ kind: 'cursor', isHere, ...((isHere || placement === undefined) && things && { things }) });
    }
    for (const panel of this.#machines.all) {
      if (panel.shown.uri !== uri) continue;
      const isHere = panel.shown.machine === machine;
      if (isHere) this.#machines.bringForward(panel);
      panel.tellCursor({ kind: 'cursor', isHere, ...(isHere && things && { things }) });
    }
  }
}

/** The cursor; in the very words of the pictures where it is in their file. */
function cursorPlace({ document, selection }: TextEditor, uri: string) {
  const own = document.uri.toString();
  const { line, character } = selection.active;
  return { uri: documentKey(uri) === own ? uri : own, position: { line, character } };
}
