/**
 * The panel of a simulated placement: its figures, the playback over the picture of the machine, and who waits for what at a
 * moment of it. It asks the host for one figure at a time.
 */
import { isToFigurePanel, type FromSimulationPanel, type ToSimulationPanel } from '../server/protocol/figurePanel.ts';
import { protocolVersion, type SimulationAbout, type SimulationChoice } from '../server/protocol/messages.ts';
import { button, make, startToolkit } from './controls.ts';
import { FigureView } from './figureView.ts';
import { createNotice, statusWords, type Notice, type NoticeAction, type Status } from './page.ts';
import { readTheme, watchTheme } from './theme.ts';

type Kind = SimulationChoice['kind'];

/** What the buttons of the figures say. */
const kinds: readonly (readonly [kind: Kind, label: string, hint: string])[] = [
  ['playback', 'Playback', 'Playback: the machine over time, links by how busy they were'],
  ['finish', 'Makespan', 'Makespan: when each task ended'],
  ['latency', 'Latency', 'Latency of packets, with percentiles'],
  ['time', 'Over time', 'Over time: traffic and latency'],
  ['links', 'Links', 'Links: how busy each was, and was predicted to be'],
];

/** What outlives the page: the editor throws it away when its tab is hidden. */
interface SavedState {
  readonly version: number;
  readonly uri?: string;
  readonly placement?: string;
  readonly choice: SimulationChoice;
  readonly mode: FigureView['mode'];
}

const host = acquireVsCodeApi();
const post = (message: FromSimulationPanel): void => {
  host.postMessage(message);
};

let choice: SimulationChoice = { kind: 'playback' };
let about: SimulationAbout | undefined;
let shown: { readonly uri: string; readonly placement: string } | undefined;
let progress: string | undefined;
let fault: string | undefined;
let isStale = false;
let reasonOfNothing: string | undefined = 'Waiting for the language server …';
/** One figure is asked for at a time; of what is chosen meanwhile only the last one. */
let asked: SimulationChoice | undefined;
let isNewer = false;
let isSlow = false;
let waitingSince: ReturnType<typeof setTimeout> | undefined;
/** The next interval is asked for as soon as one has been shown for a moment. */
let isPlaying = false;

startToolkit();
const title = make('h1');
const status = make('span', { class: 'status', role: 'status', 'aria-live': 'polite' });
const kindButtons = kinds.map(([kind, label, hint]) => {
  const element = make('button', { type: 'button', class: 'kind', title: hint, 'aria-label': hint }, label);
  element.addEventListener('click', () => {
    if (choice.kind !== kind) choose({ kind });
  });
  return element;
});
const view = new FigureView(readTheme(), {
  save: (extension, data) => {
    post({ kind: 'save', extension, data, name: nameOfFigure() });
  },
  failed: (message) => {
    fault = message;
    showStatus();
  },
  modeChanged: save,
  pressed: (row) => {
    const { head, rows } = view.figure?.table ?? { head: [], rows: [] };
    const channel = rows[row]?.[head.indexOf('channel')];
    if (choice.kind === 'playback' && typeof channel === 'number') choose({ ...choice, channel, ...intervalShown() });
  },
});
const slider = make('input', { type: 'range', min: '0', max: '0', step: '1', id: 'interval' });
slider.addEventListener('input', () => {
  seek(slider.valueAsNumber);
});
const previous = button('‹', '‹ Interval before', () => {
  step(-1);
});
const next = button('›', '› Interval behind', () => {
  step(1);
});
const play = button('Play', 'Play the intervals one after the other', () => {
  isPlaying = !isPlaying;
  showControls();
  if (isPlaying) step(1);
});
const moment = make('span', { class: 'faint' });
const options = make(
  'div',
  { class: 'options', role: 'group', 'aria-label': 'What is shown' },
  make(
    'span',
    { class: 'field wide' },
    make('label', { for: 'interval' }, 'Time'),
    slider,
    previous,
    play,
    next,
    moment,
  ),
);
const waits = make('aside', { class: 'waits', 'aria-label': 'Who waits', 'aria-live': 'polite' });
const reason = make('p', { class: 'reason' });
const notice = createNotice();
const group = make('div', { class: 'controls kinds', role: 'group', 'aria-label': 'Figure' }, ...kindButtons);
view.element.append(waits);
document
  .getElementById('placewright')!
  .replaceChildren(
    make('header', {}, make('div', { class: 'headline' }, title, status), group, view.toolbar),
    options,
    make('div', { class: 'body' }, reason, view.element, notice.element),
  );

const intervalShown = (): { readonly interval?: number } =>
  about?.moment === undefined ? {} : { interval: about.moment.interval };

/** Another interval; who waits is asked anew by a click. */
function seek(interval: number): void {
  if (choice.kind === 'playback') choose({ kind: 'playback', interval });
}

function step(by: number): void {
  const { moment: now, intervals = 1 } = about ?? {};
  const wanted = (now?.interval ?? 0) + by;
  if (now !== undefined && wanted >= 0 && wanted < intervals) seek(wanted);
  else if (isPlaying && intervals > 1 && by > 0 && choice.kind === 'playback' && asked === undefined) seek(0);
}

function choose(wanted: SimulationChoice): void {
  if (wanted.kind !== 'playback' || wanted.channel !== undefined) isPlaying = false;
  choice = wanted;
  save();
  ask();
  showControls();
}

function ask(): void {
  if (asked !== undefined) {
    isNewer = true;
    // Who waits is simulated once more: nobody waits for that any longer.
    if (asked.kind === 'playback' && asked.channel !== undefined) post({ kind: 'cancel' });
    return;
  }
  asked = choice;
  isNewer = false;
  post({ kind: 'figure', choice });
  waitingSince = setTimeout(() => {
    isSlow = true;
    showStatus();
  }, 400);
}

function receive(message: ToSimulationPanel): void {
  switch (message.kind) {
    case 'answer':
      endAsking();
      shown = { uri: message.uri, placement: message.placement };
      takeAnswer(message.answer);
      save();
      showAll();
      if (isNewer) ask();
      else if (isPlaying) setTimeout(playOn, 120);
      break;
    case 'changed':
      progress = undefined;
      fault = message.fault;
      // Who waited is of the simulation before.
      if (choice.kind === 'playback') choice = { kind: 'playback', ...intervalShown() };
      ask();
      showStatus();
      break;
    case 'progress':
      progress = message.text;
      fault = undefined;
      showStatus();
      break;
    case 'simulated':
      break;
    case 'failed':
      endAsking();
      if (isNewer) {
        ask();
        break;
      }
      fault = message.message;
      showStatus();
      break;
  }
}

function endAsking(): void {
  asked = undefined;
  isSlow = false;
  clearTimeout(waitingSince);
}

function takeAnswer(answer: Extract<ToSimulationPanel, { kind: 'answer' }>['answer']): void {
  if (answer.kind === 'nothing') {
    view.show(undefined);
    about = undefined;
    isStale = false;
    reasonOfNothing = answer.reason;
  } else if (answer.version !== protocolVersion) {
    view.show(undefined);
    reasonOfNothing = 'The panel and the language server are of different versions. Reload the window.';
  } else {
    ({ about } = answer);
    isStale = answer.stale === true;
    reasonOfNothing = undefined;
    view.show(answer.figure);
  }
}

/** Stops at the end. */
function playOn(): void {
  const { moment: now, intervals = 0 } = about ?? {};
  if (!isPlaying || now === undefined || asked !== undefined) return;
  if (now.interval + 1 < intervals) step(1);
  else isPlaying = false;
  showControls();
}

function showAll(): void {
  title.textContent = shown === undefined ? 'Placewright' : `Simulation ${shown.placement}`;
  reason.hidden = view.figure !== undefined;
  reason.textContent = reasonOfNothing ?? '';
  showControls();
  showWaits();
  showStatus();
}

function showControls(): void {
  kindButtons.forEach((element, index) => {
    element.setAttribute('aria-pressed', String(kinds[index]?.[0] === choice.kind));
  });
  options.hidden = choice.kind !== 'playback' || about === undefined;
  play.textContent = isPlaying ? 'Pause' : 'Play';
  const label = isPlaying ? 'Pause here' : 'Play the intervals one after the other';
  play.setAttribute('aria-label', label);
  play.title = label;
  const now = about?.moment;
  if (about === undefined || now === undefined) return;
  slider.max = String(Math.max(0, about.intervals - 1));
  slider.setAttribute('aria-valuetext', now.words);
  moment.textContent = now.words;
  previous.toggleAttribute('disabled', now.interval === 0);
  next.toggleAttribute('disabled', now.interval >= about.intervals - 1);
  // While it is dragged it is where the hand is.
  if (!isNewer && asked === undefined) slider.valueAsNumber = now.interval;
}

function showWaits(): void {
  const found = about?.waits;
  waits.hidden = found === undefined;
  if (found === undefined) return;
  const close = make('button', { type: 'button', class: 'kind' }, 'Close');
  close.addEventListener('click', () => {
    choose({ kind: 'playback', ...intervalShown() });
  });
  const lines = make('ul', {}, ...found.lines.map((line) => make('li', {}, line)));
  waits.replaceChildren(make('h2', {}, found.title), lines, close);
}

const simulateIt = (text: string): NoticeAction => ({
  text,
  act: () => {
    post({ kind: 'run' });
  },
});
const endIt: NoticeAction = {
  text: 'Cancel',
  act: () => {
    post({ kind: 'end' });
  },
};

/** Whether the result is of the text as it is. */
function showStatus(): void {
  const [value, said] = standing();
  status.dataset['status'] = value;
  status.textContent = statusWords[value];
  notice.show(said);
}

function standing(): readonly [Status, (Notice | undefined)?] {
  if (progress !== undefined) return ['working', { text: `Simulating: ${progress}`, busy: true, actions: [endIt] }];
  if (fault !== undefined) return ['failed', { text: fault, actions: [simulateIt('Simulate')] }];
  if (isSlow) return ['working', { text: 'Simulating once more to this moment …', busy: true, actions: [{ text: 'Cancel', act: () => { post({ kind: 'cancel' }); } }] }]; // prettier-ignore
  if (about === undefined) return ['fresh', shown && { text: 'There is no simulation of it yet.', actions: [simulateIt('Simulate')] }]; // prettier-ignore
  if (isStale) return ['stale', { text: 'What it depends on has changed since this was simulated.', actions: [simulateIt('Simulate again')] }]; // prettier-ignore
  if (!about.hasEnded) return ['failed', { text: 'Not all tasks have ended: the words below the figure say why.' }];
  return ['fresh'];
}

/** For the name of a file: `latency`, `playback-17`. */
function nameOfFigure(): string {
  const { moment: now } = about ?? {};
  return choice.kind === 'playback' && now !== undefined ? `playback-${now.interval}` : choice.kind;
}

function save(): void {
  const state: SavedState = { version: protocolVersion, ...shown, choice, mode: view.mode };
  host.setState(state);
}

const saved = host.getState() as SavedState | undefined;
if (saved?.version === protocolVersion) {
  choice = saved.choice;
  view.mode = saved.mode;
  if (saved.uri !== undefined && saved.placement !== undefined) shown = { uri: saved.uri, placement: saved.placement };
}
watchTheme(() => {
  view.setTheme(readTheme());
});
window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (isToFigurePanel(event.data)) receive(event.data as ToSimulationPanel);
});
showAll();
ask();
