/**
 * The panel of an experiment: which figure, of what, the figure on a canvas or as a table, and how its results stand. It
 * asks the host for one figure at a time and makes the files of it that are saved.
 */
import { nameOfMetric } from '../server/drawing/figures/curves.ts';
import { isToFigurePanel, type FromExperimentPanel, type ToExperimentPanel } from '../server/protocol/figurePanel.ts';
import {
  protocolVersion,
  type ExperimentAbout,
  type FigureChoice,
  type FigureTime,
  type ReplicationChoice,
} from '../server/protocol/messages.ts';
import { button, make, startToolkit } from './controls.ts';
import { FigureView } from './figureView.ts';
import { createNotice, statusWords, type NoticeAction, type Status } from './page.ts';
import { readTheme, watchTheme } from './theme.ts';

type Kind = FigureChoice['kind'];

/** What the buttons of the figures say. */
const kinds: readonly (readonly [kind: Kind, label: string, hint: string])[] = [
  ['curves', 'Results', 'Results: what was measured, with confidence intervals'],
  ['gantt', 'Jobs', 'Jobs of one replication over nodes and time'],
  ['moment', 'Machine', 'Machine at a moment of one replication'],
  ['timeline', 'Queue', 'Queue length and utilisation of one replication over time'],
];

/** What outlives the page: the editor throws it away when its tab is hidden. */
interface SavedState {
  readonly version: number;
  /** Whose panel it is: with it the host reconnects the panel after a restart of the window. */
  readonly uri?: string;
  readonly experiment?: string;
  readonly choice: FigureChoice;
  readonly mode: 'figure' | 'table';
}

const host = acquireVsCodeApi();
const post = (message: FromExperimentPanel): void => {
  host.postMessage(message);
};

let choice: FigureChoice = { kind: 'curves' };
let about: ExperimentAbout | undefined;
let shown: { readonly uri: string; readonly experiment: string } | undefined;
let progress: string | undefined;
/** What goes wrong elsewhere than in the answer: until the next answer. */
let fault: string | undefined;
let reasonOfNothing: string | undefined = 'Waiting for the language server …';
/** One figure is asked for at a time; of what is chosen meanwhile only the last one. */
let asked: FigureChoice | undefined;
/** How far the replication is that is simulated for it; '' where that is not known, undefined where none seems to be. */
let simulated: string | undefined;
/** The user has ended the last simulation. */
let isCancelled = false;
let isNewer = false;
let waitingSince: ReturnType<typeof setTimeout> | undefined;

startToolkit();
const title = make('h1');
const status = make('span', { class: 'status', role: 'status', 'aria-live': 'polite' });
const kindButtons = kinds.map(([kind, label, hint]) => {
  const element = make('button', { type: 'button', class: 'kind', title: hint, 'aria-label': hint }, label);
  element.addEventListener('click', () => {
    if (choice.kind !== kind) choose(choiceOf(kind));
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
});
const metric = choiceList('Metric', (index) => {
  const key = about?.metrics[index];
  if (key !== undefined) choose({ kind: 'curves', metric: key });
});
const point = choiceList('Point', (index) => {
  if (choice.kind !== 'curves') choose(withoutTime({ ...choice, point: index }));
});
const replication = make('input', { type: 'number', min: '1', step: '1', id: 'replication' });
replication.addEventListener('change', () => {
  const wanted = Math.min(Math.max(1, Math.round(replication.valueAsNumber || 1)), about?.replications ?? 1);
  replication.value = String(wanted);
  if (choice.kind !== 'curves') choose(withoutTime({ ...choice, replication: wanted }));
});
const replicationField = field('Replication', replication);
const slider = make('input', { type: 'range', min: '0', max: '1000', step: '1', id: 'moment' });
slider.addEventListener('input', () => {
  const { time } = about ?? {};
  if (time !== undefined) seek(time.begin + ((time.end - time.begin) * slider.valueAsNumber) / 1000);
});
const previous = button('‹ Change', '‹ Change before: the last moment at which a job started or ended', () => {
  seek(about?.time?.moment?.previous);
});
const next = button('Change ›', 'Change › behind: the next moment at which a job starts or ends', () => {
  seek(about?.time?.moment?.next);
});
const sliderField = field('Time', slider, previous, next);
sliderField.classList.add('wide');
const zoomButtons = [
  button('+', '+: half the time', () => {
    zoom(0.5, 0);
  }),
  button('−', '−: twice the time', () => {
    zoom(2, 0);
  }),
  button('‹ Earlier', '‹ Earlier by half of what is shown', () => {
    zoom(1, -0.5);
  }),
  button('Later ›', 'Later › by half of what is shown', () => {
    zoom(1, 0.5);
  }),
  button('All', 'All of the time', () => {
    if (choice.kind === 'gantt') choose(withoutTime(choice));
  }),
];
const reason = make('p', { class: 'reason' });
const notice = createNotice();
const group = make('div', { class: 'controls kinds', role: 'group', 'aria-label': 'Figure' }, ...kindButtons);
const options = make(
  'div',
  { class: 'options', role: 'group', 'aria-label': 'What is shown' },
  ...[metric.element, point.element, replicationField, sliderField, ...zoomButtons],
);
document
  .getElementById('placewright')!
  .replaceChildren(
    make('header', {}, make('div', { class: 'headline' }, title, status), group, view.toolbar),
    options,
    make('div', { class: 'body' }, reason, view.element, notice.element),
  );

/** A labelled element, and what stands behind it. */
function field(label: string, control: HTMLElement, ...behind: readonly HTMLElement[]): HTMLElement {
  return make('span', { class: 'field' }, make('label', { for: control.id }, label), control, ...behind);
}

interface ChoiceList {
  readonly element: HTMLElement;
  fill(labels: readonly string[], chosen: number): void;
}

function choiceList(label: string, chosen: (index: number) => void): ChoiceList {
  const list = make('select', { id: label.toLowerCase() });
  list.addEventListener('change', () => {
    chosen(list.selectedIndex);
  });
  let known = '';
  return {
    element: field(label, list),
    fill(labels, index) {
      // The same entries stay, so that an open list does not close.
      const all = labels.join('\n');
      if (all !== known) list.replaceChildren(...labels.map((one) => make('option', {}, one)));
      known = all;
      list.selectedIndex = index;
    },
  };
}

/** Another kind of figure of the same point and replication. */
function choiceOf(kind: Kind): FigureChoice {
  if (kind === 'curves') return { kind };
  return { kind, ...whichOf(choice) };
}

/** Kept while results are looked at. */
let lastWhich: ReplicationChoice = {};

function whichOf(of: FigureChoice): ReplicationChoice {
  if (of.kind === 'curves') return lastWhich;
  return {
    ...(of.point !== undefined && { point: of.point }),
    ...(of.replication !== undefined && { replication: of.replication }),
  };
}

/** Another replication has times of its own. */
const withoutTime = (of: Exclude<FigureChoice, { kind: 'curves' }>): FigureChoice => ({
  kind: of.kind,
  ...whichOf(of),
});

function seek(time: number | undefined): void {
  if (time !== undefined && choice.kind === 'moment') choose({ kind: 'moment', ...whichOf(choice), time });
}

/** What is shown of the time becomes so many times as long, and moves by a share of its length. */
function zoom(factor: number, move: number): void {
  const time = about?.time;
  if (choice.kind !== 'gantt' || time === undefined) return;
  const { from, to } = choice.between ?? { from: time.begin, to: time.end };
  const length = Math.min((to - from) * factor, time.end - time.begin);
  const middle = (from + to) / 2 + move * (to - from);
  const start = Math.min(Math.max(time.begin, middle - length / 2), time.end - length);
  choose({ kind: 'gantt', ...whichOf(choice), between: { from: start, to: start + length } });
}

function choose(wanted: FigureChoice): void {
  lastWhich = whichOf(choice);
  choice = wanted;
  save();
  ask();
  showControls();
}

function ask(): void {
  if (asked !== undefined) {
    isNewer = true;
    // Nobody waits for a replication that is no longer looked at.
    if (asked.kind !== 'curves' && !isOfSameReplication(asked, choice)) post({ kind: 'cancel' });
    return;
  }
  asked = choice;
  isNewer = false;
  isCancelled = false;
  post({ kind: 'figure', choice });
  // Most answers come at once; a long replication is simulated first.
  waitingSince = setTimeout(() => {
    simulated ??= '';
    showStatus();
  }, 400);
}

const isOfSameReplication = (one: FigureChoice, other: FigureChoice): boolean =>
  one.kind !== 'curves' &&
  other.kind !== 'curves' &&
  one.point === other.point &&
  one.replication === other.replication;

/** There is an answer, or there will be none. */
function endAsking(): void {
  asked = undefined;
  simulated = undefined;
  clearTimeout(waitingSince);
}

function receive(message: ToExperimentPanel): void {
  switch (message.kind) {
    case 'answer': {
      shown = { uri: message.uri, experiment: message.experiment };
      fault = undefined;
      endAsking();
      const { answer } = message;
      if (answer.kind === 'figure' && answer.version !== protocolVersion) {
        view.show(undefined);
        reasonOfNothing = 'The panel and the language server are of different versions. Reload the window.';
      } else if (answer.kind === 'figure') {
        ({ about } = answer);
        view.show(answer.figure);
        reasonOfNothing = undefined;
      } else if (!isNewer) {
        view.show(undefined);
        about = answer.about ?? about;
        reasonOfNothing = answer.reason;
      }
      save();
      showAll();
      if (isNewer) ask();
      break;
    }
    case 'changed':
      progress = undefined;
      ask();
      break;
    case 'progress':
      progress = message.text;
      showStatus();
      break;
    case 'simulated':
      simulated = message.text;
      showStatus();
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

function showAll(): void {
  title.textContent = shown === undefined ? 'Placewright' : `Experiment ${shown.experiment}`;
  reason.hidden = view.figure !== undefined;
  reason.textContent = reasonOfNothing ?? '';
  showControls();
  showStatus();
}

function showControls(): void {
  kindButtons.forEach((element, index) => {
    element.setAttribute('aria-pressed', String(kinds[index]?.[0] === choice.kind));
  });
  const { kind } = choice;
  const isReplication = kind !== 'curves';
  const counts = { metrics: about?.metrics.length ?? 0, points: about?.points.length ?? 0 };
  const visible = new Map<HTMLElement, boolean>([
    [metric.element, !isReplication && counts.metrics > 1],
    [point.element, isReplication && counts.points > 1],
    [replicationField, isReplication && (about?.replications ?? 0) > 1],
    [sliderField, kind === 'moment'],
    ...zoomButtons.map((element) => [element, kind === 'gantt'] as const),
  ]);
  for (const [element, isVisible] of visible) element.hidden = !isVisible;
  options.hidden = ![...visible.values()].includes(true);
  if (about !== undefined) fillControls(about);
}

function fillControls({ metrics, points, replications, time }: ExperimentAbout): void {
  if (choice.kind === 'curves') {
    metric.fill(metrics.map(nameOfMetric), Math.max(0, metrics.indexOf(choice.metric ?? '')));
    return;
  }
  point.fill(points, choice.point ?? 0);
  replication.max = String(replications);
  if (document.activeElement !== replication) replication.value = String(choice.replication ?? 1);
  if (time !== undefined) showTime(time);
}

function showTime({ begin, end, moment }: FigureTime): void {
  if (moment === undefined) return;
  previous.toggleAttribute('disabled', moment.previous === undefined);
  next.toggleAttribute('disabled', moment.next === undefined);
  slider.setAttribute('aria-valuetext', moment.words);
  // While it is dragged it is where the hand is.
  if (!isNewer && asked === undefined)
    slider.valueAsNumber = end > begin ? ((moment.at - begin) / (end - begin)) * 1000 : 0;
}

function setStatus(value: Status): void {
  status.dataset['status'] = value;
  status.textContent = statusWords[value];
}

const runIt: NoticeAction = {
  text: 'Run',
  act: () => {
    post({ kind: 'run' });
  },
};

const endIt: NoticeAction = {
  text: 'Cancel',
  act: () => {
    isCancelled = true;
    post({ kind: 'cancel' });
  },
};
const simulateIt: NoticeAction = { text: 'Simulate', act: ask };

/** Whether the results are of the text as it is; what is shown of one replication always is. */
function showStatus(): void {
  if (fault !== undefined) {
    setStatus('failed');
    notice.show({ text: fault });
    return;
  }
  if (progress !== undefined) {
    setStatus('working');
    notice.show({ text: `Running: ${progress}`, busy: true });
    return;
  }
  if (simulated !== undefined) {
    setStatus('working');
    if (choice.kind === 'curves') notice.show(undefined);
    else notice.show({ text: `Simulating${simulated === '' ? ' …' : `: ${simulated}`}`, busy: true, actions: [endIt] });
    return;
  }
  setStatus('fresh');
  if (choice.kind !== 'curves')
    notice.show(isCancelled ? { text: reasonOfNothing ?? '', actions: [simulateIt] } : undefined);
  else if (about === undefined) notice.show(undefined);
  else if (about.results === 'missing') notice.show({ text: 'There are no results yet.', actions: [runIt] });
  else if (about.stale) {
    setStatus('stale');
    notice.show({ text: 'The text or its files have changed since this was run.', actions: [runIt] });
  } else if (about.short === true) {
    notice.show({ text: 'These are the results of a short run.', actions: [{ ...runIt, text: 'Run all' }] });
  } else if (about.results === 'partial') {
    notice.show({
      text: 'It was ended before there were enough replications.',
      actions: [{ ...runIt, text: 'Go on' }],
    });
  } else notice.show(undefined);
}

/** For the name of a file: `turnaround`, `jobs-3-1` of point 3 and replication 1. */
function nameOfFigure(): string {
  if (choice.kind === 'curves') {
    return (choice.metric ?? about?.metrics[0] ?? 'results').replaceAll(/[^A-Za-z0-9]+/g, '-');
  }
  const label = kinds.find(([kind]) => kind === choice.kind)?.[1].toLowerCase() ?? choice.kind;
  return `${label}-${(choice.point ?? 0) + 1}-${choice.replication ?? 1}`;
}

function save(): void {
  const state: SavedState = { version: protocolVersion, ...shown, choice, mode: view.mode };
  host.setState(state);
}

const saved = host.getState() as SavedState | undefined;
if (saved?.version === protocolVersion) {
  choice = saved.choice;
  view.mode = saved.mode;
  if (saved.uri !== undefined && saved.experiment !== undefined)
    shown = { uri: saved.uri, experiment: saved.experiment };
}
watchTheme(() => {
  view.setTheme(readTheme());
});
window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (isToFigurePanel(event.data)) receive(event.data as ToExperimentPanel);
});
showAll();
ask();
