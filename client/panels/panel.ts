/** One panel beside the text: what all panels have, what those with a picture have besides, and the way from a panel to the text. */
import {
  CancellationTokenSource,
  OverviewRulerLane,
  Range,
  Selection,
  TabInputText,
  TextEditorRevealType,
  ThemeColor,
  Uri,
  ViewColumn,
  window,
  workspace,
  type CancellationToken,
  type TextDocument,
  type TextEditor,
  type WebviewPanel,
} from 'vscode';
import type { OriginAnswer, PlacementProblem, ReportsChanged } from '../../server/protocol/messages.ts';
import {
  readFromPanel,
  type CursorMessage,
  type FromPanel,
  type PanelAction,
  type ToPanel,
} from '../../server/protocol/panel.ts';
import type { SavedFile } from '../../server/protocol/savedFile.ts';
import { saveMade } from '../saving.ts';
import type { Server } from '../server.ts';
import { WebPage, type PageHost, type PageKind } from './webPage.ts';

/** What every page is told when its panel could not do what it asked for. */
interface Failed {
  readonly kind: 'failed';
  readonly message: string;
}

/** `From` is what its page says, `To` what it is told. */
export abstract class Panel<Subject, From, To> {
  shown: Subject;
  protected readonly server: Server;
  protected readonly page: WebPage<From, To | Failed>;
  protected readonly question = new LatestQuestion();
  readonly #panel: WebviewPanel;

  /** `documents`: the server goes on following them while the panel is open. */
  constructor(
    host: PageHost,
    shown: Subject,
    kind: Pick<PageKind<From, To>, 'script' | 'read'>,
    documents: readonly string[],
  ) {
    this.shown = shown;
    this.server = host.server;
    this.#panel = host.panel;
    this.page = new WebPage(host, {
      ...kind,
      receive: (message) => this.receive(message),
      failed: (message) => ({ kind: 'failed', message }),
      closed: () => {
        this.question.cancel();
        this.closed?.();
      },
    });
    this.page.keep(documents);
  }

  /** There may be something newer to show. */
  abstract refresh(): Promise<void> | void;
  /** There are reports of a file. */
  reported?(change: ReportsChanged): Promise<void> | void;
  /** A text was saved. */
  saved?(document: TextDocument): void;

  protected abstract receive(message: From): Promise<void>;
  /** The user has closed it. */
  protected closed?(): void;

  protected setTitle(title: string): void {
    this.#panel.title = title;
  }

  /** Has the editor read a document, which may be open in no tab; false where it is gone. Then the server says what it makes of that. */
  protected async hasOpened(uri: string): Promise<boolean> {
    try {
      await workspace.openTextDocument(Uri.parse(uri));
      return true;
    } catch (error) {
      this.server.output.warn(String(error));
      return false;
    }
  }

  /** Asks where to write what the page has made. */
  protected save(uri: string, name: string, made: SavedFile): Promise<void> {
    return saveMade({ uri, name }, made);
  }

  protected async showProblem(problem: PlacementProblem | undefined): Promise<void> {
    if (problem?.location !== undefined) await this.showText(problem.location);
  }

  /**
   * The cursor goes to a piece of text, and its lines light up for a moment. The focus stays in the panel
   * and nothing is selected, so that no key can change the program.
   */
  protected async showText(text: NonNullable<OriginAnswer>): Promise<void> {
    const document = await workspace.openTextDocument(Uri.parse(text.uri));
    const viewColumn = columnFor(this.#panel, document);
    const editor =
      window.visibleTextEditors.find((visible) => visible.document === document) ??
      (await window.showTextDocument(document, { viewColumn, preserveFocus: true }));
    const { start, end } = text.range;
    const range = document.validateRange(new Range(start.line, start.character, end.line, end.character));
    editor.selection = new Selection(range.start, range.start);
    editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport);
    light(editor, range);
  }
}

/** A panel with a picture, of a placement or of a machine: what the editor's cursor, buttons and menus tell it. */
export abstract class PicturePanel<Subject extends { readonly uri: string }> extends Panel<
  Subject,
  FromPanel,
  ToPanel
> {
  /** Told again to a page that was hidden meanwhile. */
  #cursor: CursorMessage | undefined;
  /** Asked for before there was a picture. */
  #wanted: PanelAction | undefined;

  constructor(host: PageHost, shown: Subject) {
    super(host, shown, { script: 'panel.js', read: readFromPanel }, [shown.uri]);
  }

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

/** What a panel asks the server one at a time: a newer question ends what is worked out for the one before. */
class LatestQuestion {
  #asked: CancellationTokenSource | undefined;

  /** What is worked out for the question ends; an answer that comes all the same says so. */
  cancel(): void {
    this.#asked?.cancel();
  }

  /** The answer; undefined where another question was asked meanwhile, or where it has failed for having been cancelled. */
  async ask<Answer>(question: (token: CancellationToken) => Promise<Answer>): Promise<Answer | undefined> {
    this.cancel();
    const asked = new CancellationTokenSource();
    this.#asked = asked;
    try {
      const answer = await question(asked.token);
      return this.#asked === asked ? answer : undefined;
    } catch (error) {
      if (!asked.token.isCancellationRequested) throw error;
      return undefined;
    } finally {
      if (this.#asked === asked) this.#asked = undefined;
      asked.dispose();
    }
  }
}

/** Where the document has a tab already, else a column that does not cover the picture. */
function columnFor(panel: WebviewPanel, document: TextDocument): ViewColumn {
  const group = window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof TabInputText && input.uri.toString() === document.uri.toString()),
  );
  if (group !== undefined) return group.viewColumn;
  return panel.viewColumn === ViewColumn.One ? ViewColumn.Beside : ViewColumn.One;
}

/** How long the text behind a thing lights up. */
const flashMilliseconds = 2000;

const flash = window.createTextEditorDecorationType({
  isWholeLine: true,
  backgroundColor: new ThemeColor('editor.rangeHighlightBackground'),
  borderColor: new ThemeColor('editor.rangeHighlightBorder'),
  overviewRulerColor: new ThemeColor('editorOverviewRuler.rangeHighlightForeground'),
  overviewRulerLane: OverviewRulerLane.Full,
});

/** Puts out the light that is on. */
let putOut = (): void => undefined;

/** Lights lines up for a moment, without selecting them. */
function light(editor: TextEditor, range: Range): void {
  putOut();
  editor.setDecorations(flash, [range]);
  const timer = setTimeout(() => {
    putOut();
  }, flashMilliseconds);
  putOut = () => {
    clearTimeout(timer);
    editor.setDecorations(flash, []);
  };
}
