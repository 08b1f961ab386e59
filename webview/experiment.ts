/** The panel of an experiment: curves of what it measured, and the replications that it is made of. */
import { nameOfMetric } from '../server/drawing/figures/curves.ts';
import type { ExperimentAbout, FigureChoice, FigureTime, ReplicationChoice } from '../server/protocol/figures.ts';
import { FigurePage, type FigureKind, type Standing } from './figure/figurePage.ts';
import { button, make } from './page/controls.ts';
import type { NoticeAction } from './page/notice.ts';
import { t } from './page/words.ts';

type Kind = FigureChoice['kind'];

const kinds: readonly FigureKind<Kind>[] = [
  ['curves', t('Results'), t('Results: what was measured, with confidence intervals')],
  ['gantt', t('Jobs'), t('Jobs of one replication over nodes and time')],
  ['moment', t('Machine'), t('Machine at a moment of one replication')],
  ['timeline', t('Queue'), t('Queue length and utilisation of one replication over time')],
];

/** The user has ended the simulation of the replication that is shown. */
let isCancelled = false;
/** Kept while results are looked at. */
let lastWhich: ReplicationChoice = {};

const metric = choiceList(t('Metric'), (index) => {
  const key = page.about?.metrics[index];
  if (key !== undefined) page.choose({ kind: 'curves', metric: key });
});
const point = choiceList(t('Point'), (index) => {
  if (page.choice.kind !== 'curves') page.choose(withoutTime({ ...page.choice, point: index }));
});
const replication = make('input', { type: 'number', min: '1', step: '1', id: 'replication' });
replication.addEventListener('change', () => {
  const wanted = Math.min(Math.max(1, Math.round(replication.valueAsNumber || 1)), page.about?.replications ?? 1);
  replication.value = String(wanted);
  if (page.choice.kind !== 'curves') page.choose(withoutTime({ ...page.choice, replication: wanted }));
});
const replicationField = field(t('Replication'), replication);
const slider = make('input', { type: 'range', min: '0', max: '1000', step: '1', id: 'moment' });
slider.addEventListener('input', () => {
  const { time } = page.about ?? {};
  if (time !== undefined) seek(time.begin + ((time.end - time.begin) * slider.valueAsNumber) / 1000);
});
const previous = button(t('‹ Change'), t('‹ Change before: the last moment at which a job started or ended'), () => {
  seek(page.about?.time?.moment?.previous);
});
const next = button(t('Change ›'), t('Change › behind: the next moment at which a job starts or ends'), () => {
  seek(page.about?.time?.moment?.next);
});
const sliderField = field(t('Time'), slider, previous, next);
sliderField.classList.add('wide');
const zoomButtons = [
  button('+', t('+: half the time'), () => {
    zoom(0.5, 0);
  }),
  button('−', t('−: twice the time'), () => {
    zoom(2, 0);
  }),
  button(t('‹ Earlier'), t('‹ Earlier by half of what is shown'), () => {
    zoom(1, -0.5);
  }),
  button(t('Later ›'), t('Later › by half of what is shown'), () => {
    zoom(1, 0.5);
  }),
  button(t('All'), t('All of the time'), () => {
    if (page.choice.kind === 'gantt') page.choose(withoutTime(page.choice));
  }),
];
const runIt: NoticeAction = {
  text: t('Run'),
  act: () => {
    page.post({ kind: 'run' });
  },
};
const endIt: NoticeAction = {
  text: t('Cancel'),
  act: () => {
    isCancelled = true;
    page.post({ kind: 'cancel' });
  },
};
const simulateIt: NoticeAction = {
  text: t('Simulate'),
  act: () => {
    isCancelled = false;
    page.ask();
  },
};

const page: FigurePage<FigureChoice, ExperimentAbout> = new FigurePage<FigureChoice, ExperimentAbout>({
  word: t('Experiment'),
  kinds,
  first: { kind: 'curves' },
  figureOf: (figure) => figure,
  // Another kind of figure of the same point and replication.
  choiceOf: (kind, now) => (kind === 'curves' ? { kind } : { kind, ...whichOf(now) }),
  isInVain: (asked, wanted) => asked.kind !== 'curves' && !isOfSameReplication(asked, wanted),
  controls: [metric.element, point.element, replicationField, sliderField, ...zoomButtons],
  showControls,
  running: t('Running'),
  onFault: [],
  simulating: (words) =>
    page.choice.kind === 'curves'
      ? undefined
      : { text: t('Simulating{0}', words === '' ? ' …' : `: ${words}`), busy: true, actions: [endIt] },
  standing,
  nameOfFigure,
  chosen: (before) => {
    lastWhich = whichOf(before);
    isCancelled = false;
  },
});
page.start();

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
  if (time !== undefined && page.choice.kind === 'moment')
    page.choose({ kind: 'moment', ...whichOf(page.choice), time });
}

/** What is shown of the time becomes so many times as long, and moves by a share of its length. */
function zoom(factor: number, move: number): void {
  const time = page.about?.time;
  if (page.choice.kind !== 'gantt' || time === undefined) return;
  const { from, to } = page.choice.between ?? { from: time.begin, to: time.end };
  const length = Math.min((to - from) * factor, time.end - time.begin);
  const middle = (from + to) / 2 + move * (to - from);
  const start = Math.min(Math.max(time.begin, middle - length / 2), time.end - length);
  page.choose({ kind: 'gantt', ...whichOf(page.choice), between: { from: start, to: start + length } });
}

const isOfSameReplication = (one: FigureChoice, other: FigureChoice): boolean =>
  one.kind !== 'curves' &&
  other.kind !== 'curves' &&
  one.point === other.point &&
  one.replication === other.replication;

function showControls(): boolean {
  const { about, choice } = page;
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
  if (about !== undefined) fillControls(about);
  return [...visible.values()].includes(true);
}

function fillControls({ metrics, points, replications, time }: ExperimentAbout): void {
  const { choice } = page;
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
  if (page.isSettled) slider.valueAsNumber = end > begin ? ((moment.at - begin) / (end - begin)) * 1000 : 0;
}

/** Whether the results are of the text as it is; what is shown of one replication always is. */
function standing(): Standing {
  const { about, choice } = page;
  if (choice.kind !== 'curves')
    return ['fresh', isCancelled ? { text: page.reasonOfNothing, actions: [simulateIt] } : undefined];
  if (about === undefined) return ['fresh'];
  if (about.results === 'missing') return ['fresh', { text: t('There are no results yet.'), actions: [runIt] }];
  if (about.stale)
    return ['stale', { text: t('The text or its files have changed since this was run.'), actions: [runIt] }];
  if (about.form !== undefined)
    return [
      'fresh',
      { text: t('These are the results of a {0} run.', about.form), actions: [{ ...runIt, text: t('Run all') }] },
    ];
  if (about.results === 'partial')
    return [
      'fresh',
      { text: t('It was ended before there were enough replications.'), actions: [{ ...runIt, text: t('Go on') }] },
    ];
  return ['fresh'];
}

/** For the name of a file: `turnaround`, `jobs-3-1` of point 3 and replication 1. */
function nameOfFigure(): string {
  const { about, choice } = page;
  if (choice.kind === 'curves') {
    return (choice.metric ?? about?.metrics[0] ?? 'results').replaceAll(/[^A-Za-z0-9]+/g, '-');
  }
  const label = kinds.find(([kind]) => kind === choice.kind)?.[1].toLowerCase() ?? choice.kind;
  return `${label}-${(choice.point ?? 0) + 1}-${choice.replication ?? 1}`;
}
