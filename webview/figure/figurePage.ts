/**
 * The page of a panel of figures: which figure, the figure on a canvas or as a table, and how what it shows stands. It asks the host for one
 * figure at a time and makes the files of it that are saved. What an experiment and a simulated placement have of their
 * own is in `experiment.ts` and `simulation.ts`.
 */
import type { Figure } from '../../server/drawing/figures/figure.ts';
import { isToFigurePanel, type FromFigurePanel, type ToFigurePanel } from '../../server/protocol/figurePanel.ts';
import { protocolVersion } from '../../server/protocol/messages.ts';
import { kindButtons, make, type KindOfView } from '../page/controls.ts';
import {
  Frame,
  otherVersion,
  waitingForServer,
  type Notice,
  type NoticeAction,
  type PageStatus,
} from '../page/frame.ts';
import { readTheme, watchTheme } from '../page/theme.ts';
import { localised, t } from '../page/words.ts';
import { FigureView } from './figureView.ts';
import type { GridActions } from './gridControl.ts';

/** What pages of figures differ in. */
export interface FigureSubject<Choice extends { readonly kind: string }, About, Drawn> {
  /** Before the name in the heading. */
  readonly word: string;
  readonly kinds: readonly KindOfView<Choice['kind']>[];
  /** What is chosen at first. */
  readonly first: Choice;
  /** The choice of another kind, beside the one that holds. */
  readonly choiceOf: (kind: Choice['kind'], now: Choice) => Choice;
  /** What is asked for where that is chosen; as it is where this is left out. */
  readonly questionOf?: (choice: Choice) => Choice;
  /** The figure that an answer has. */
  readonly figureOf: (drawn: Drawn) => Figure;
  /** Nobody waits any longer for what is simulated for a figure once another one is wanted. */
  readonly isInVain: (asked: Choice, wanted: Choice) => boolean;
  /** Elements that choose more than the kind. */
  readonly controls: readonly HTMLElement[];
  /** Brings them to what is chosen and known; false where none of them is of use. */
  readonly showControls: () => boolean;
  /** What is told while it is run or simulated: `Simulating`. */
  readonly running: string;
  /** What can be done where that has failed. */
  readonly onFault: readonly NoticeAction[];
  /** What is told where one figure takes long; `words` say how far it is, where that is known. */
  readonly simulating: (words: string) => Notice | undefined;
  /** Where nothing is under way. */
  readonly status: () => PageStatus;
  /** For the name of a file. */
  readonly nameOfFigure: () => string;
  /** Something else is chosen than before. */
  readonly chosen?: (before: Choice) => void;
  readonly answered?: (about: About | undefined) => void;
  /** There may be other results; the figure is asked for anew. */
  readonly changed?: () => void;
  /** A mark of this row of the table was clicked. */
  readonly pressed?: (row: number) => void;
  /** Of a page whose figures are heat maps. */
  readonly grid?: GridActions;
  /** Kinds that there are of what is shown; all where it is left out. */
  readonly isOffered?: (kind: Choice['kind']) => boolean;
}

/** What outlives the page. */
interface SavedState<Choice> {
  /** Whose page it is: with it the host connects the panel again after a restart of the window. */
  readonly uri?: string;
  readonly name?: string;
  readonly of?: string;
  readonly choice: Choice;
  readonly mode: FigureView['mode'];
}

/** Most answers come at once; when one has taken so many milliseconds that is said. */
const slow = 400;

/** `Own`: what only this page says to its host. */
export class FigurePage<Choice extends { readonly kind: string }, About, Drawn = Figure, Own = never> {
  choice: Choice;
  about: About | undefined;
  readonly view: FigureView;
  /** Why there is no figure. */
  reasonOfNothing = waitingForServer;
  readonly #subject: FigureSubject<Choice, About, Drawn>;
  readonly #frame = new Frame<FromFigurePanel<Choice> | Own, ToFigurePanel<About, Drawn>, SavedState<Choice>>(
    (data): data is ToFigurePanel<About, Drawn> => isToFigurePanel(data),
  );
  readonly #kindButtons: ReturnType<typeof kindButtons<Choice['kind']>>;
  readonly #options: HTMLElement;
  #shown: { readonly uri: string; readonly name: string; readonly of?: string } | undefined;
  #progress: string | undefined;
  /** What goes wrong elsewhere than in the answer. */
  #fault: string | undefined;
  /** One figure is asked for at a time; of what is chosen meanwhile only the last one. */
  #asked: Choice | undefined;
  #isNewer = false;
  /** How far the figure is that is asked for; '' where that is not known, undefined while it does not take long. */
  #simulated: string | undefined;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(subject: FigureSubject<Choice, About, Drawn>) {
    const { kinds, controls } = subject;
    this.#subject = subject;
    this.choice = subject.first;
    this.#kindButtons = kindButtons(t('Chart'), kinds, (kind) => {
      if (this.choice.kind !== kind) this.choose(subject.choiceOf(kind, this.choice));
    });
    this.view = new FigureView(readTheme(), {
      save: (extension, data) => {
        this.post({ kind: 'save', extension, data, name: subject.nameOfFigure() });
      },
      failed: (message) => {
        this.#fault = message;
        this.showStatus();
      },
      modeChanged: () => {
        this.#save();
      },
      ...(subject.pressed && { pressed: subject.pressed }),
      ...(subject.grid && { grid: subject.grid }),
    });
    this.#options = make('div', { class: 'options', role: 'group', 'aria-label': t('Displayed data') }, ...controls);
    this.#frame.fill({
      header: [this.#kindButtons.element],
      between: [this.#options],
      body: [this.view.element],
    });
  }

  /** Goes on where the page was left, and asks for its figure. */
  start(): void {
    const saved = this.#frame.load();
    if (saved !== undefined) {
      this.choice = saved.choice;
      this.view.mode = saved.mode;
      const { uri, name, of } = saved;
      if (uri !== undefined && name !== undefined) this.#shown = { uri, name, ...(of !== undefined && { of }) };
    }
    watchTheme(() => {
      this.view.setTheme(readTheme());
    });
    this.#frame.listen((message) => {
      this.#receive(message);
    });
    this.#showAll();
    this.ask();
  }

  /** Nothing is asked for, so that controls may follow what is shown. */
  get isSettled(): boolean {
    return this.#asked === undefined;
  }

  post(message: FromFigurePanel<Choice> | Own): void {
    this.#frame.post(message);
  }

  /** A button of a notice that tells the host something. */
  action(text: string, message: FromFigurePanel<Choice> | Own): NoticeAction {
    return this.#frame.action(text, message);
  }

  choose(wanted: Choice): void {
    const before = this.choice;
    this.choice = wanted;
    this.#subject.chosen?.(before);
    this.#save();
    this.ask();
    this.showControls();
  }

  /** What is chosen is there after a reload, though nothing is asked for. */
  remember(): void {
    this.#save();
  }

  ask(): void {
    if (this.#asked !== undefined) {
      this.#isNewer = true;
      if (this.#subject.isInVain(this.#asked, this.choice)) this.post({ kind: 'cancel' });
      return;
    }
    this.#asked = this.choice;
    this.#isNewer = false;
    this.post({ kind: 'figure', choice: this.#subject.questionOf?.(this.choice) ?? this.choice });
    this.#waiting = setTimeout(() => {
      this.#simulated ??= '';
      this.showStatus();
    }, slow);
  }

  showControls(): void {
    this.#kindButtons.press(this.choice.kind, this.#subject.isOffered);
    this.#options.hidden = !this.#subject.showControls();
  }

  showStatus(): void {
    this.#frame.setStatus(this.#status());
  }

  #receive(message: ToFigurePanel<About, Drawn>): void {
    switch (message.kind) {
      case 'answer':
        this.#answered(message);
        break;
      case 'changed':
        // What runs is said until the answer says that it has ended, so that its Cancel button does not go and come under the pointer.
        if (message.fault !== undefined) this.#progress = undefined;
        this.#fault = message.fault;
        this.#subject.changed?.();
        this.ask();
        this.showStatus();
        break;
      case 'progress':
        this.#progress = message.text;
        this.#fault = undefined;
        this.showStatus();
        break;
      case 'save-form':
        this.view.openSaveForm();
        break;
      case 'toggle-table':
        this.view.toggleTable();
        break;
      case 'simulated':
        this.#simulated = message.text;
        this.showStatus();
        break;
      case 'failed':
        this.#endAsking();
        if (this.#isNewer) {
          this.ask();
          break;
        }
        this.#progress = undefined;
        this.#fault = message.message;
        this.showStatus();
        break;
    }
  }

  #answered({ uri, name, of, answer }: Extract<ToFigurePanel<About, Drawn>, { readonly kind: 'answer' }>): void {
    this.#endAsking();
    this.#shown = { uri, name, ...(of !== undefined && { of }) };
    this.#progress = answer.progress;
    if (answer.kind === 'figure' && answer.version !== protocolVersion) {
      this.view.show(undefined);
      this.reasonOfNothing = otherVersion;
    } else if (answer.kind === 'figure') {
      this.about = answer.about;
      this.view.show(this.#subject.figureOf(answer.figure));
    } else if (!this.#isNewer) {
      this.about = answer.about;
      this.view.show(undefined);
      this.reasonOfNothing = answer.reason;
    }
    this.#save();
    this.#showAll();
    if (this.#isNewer) this.ask();
    else this.#subject.answered?.(this.about);
  }

  /** There is an answer, or there will be none. */
  #endAsking(): void {
    this.#asked = undefined;
    this.#simulated = undefined;
    clearTimeout(this.#waiting);
  }

  #showAll(): void {
    this.#frame.setTitle(this.#shown === undefined ? 'Placewright' : `${this.#subject.word} ${this.#shown.name}`);
    const isThere = this.view.figure !== undefined;
    this.view.element.hidden = !isThere;
    this.#frame.setReason(isThere ? undefined : this.reasonOfNothing);
    this.showControls();
    this.showStatus();
  }

  #status(): PageStatus {
    const { running, onFault, simulating, status } = this.#subject;
    if (this.#progress !== undefined)
      return [
        'working',
        {
          text: `${running}: ${localised(this.#progress)}`,
          busy: true,
          actions: [this.action(t('Cancel'), { kind: 'end' })],
        },
      ];
    if (this.#fault !== undefined) {
      // Where there is no figure, the answer says why in its place.
      const isSaid = this.view.figure === undefined && this.#fault === this.reasonOfNothing;
      return ['failed', { text: isSaid ? '' : this.#fault, actions: onFault }];
    }
    if (this.#simulated !== undefined) return ['working', simulating(this.#simulated)];
    return this.#shown === undefined ? ['fresh'] : status();
  }

  #save(): void {
    const { choice, view } = this;
    this.#frame.save({ ...this.#shown, choice, mode: view.mode });
  }
}
