/** The panel of an experiment: curves of what it measured, and the replications that it is made of. */
import { nameOfMetric } from '../server/drawing/figures/curves.ts';
import type { ExperimentAbout, FigureChoice, FigureTime, ReplicationChoice } from '../server/protocol/figures.ts';
import { FigurePage } from './figure/figurePage.ts';
import { button, labelled, make, numberedList, type KindOfView } from './page/controls.ts';
import type { NoticeAction, PageStatus } from './page/frame.ts';
import { t } from './page/words.ts';

type Kind = FigureChoice['kind'];

const kinds: readonly KindOfView<Kind>[] = [
  ['curves', t('Results'), t('Results: metrics with confidence intervals')],
  ['gantt', t('Jobs'), t('Jobs of one replication over nodes and time')],
  ['moment', t('Machine'), t('Machine state of one replication at one time')],
  ['timeline', t('Queue'), t('Queue length and utilisation of one replication over time')],
];

/** The user has ended the simulation of the replication that is shown. */
let isCancelled = false;
/** Kept while results are looked at. */
let lastWhich: ReplicationChoice = {};

const metric = numberedList('metric', t('Metric'), (index) => {
  const key = page.about?.metrics[index];
  if (key !== undefined) page.choose({ kind: 'curves', metric: key });
});
const point = numberedList('point', t('Point'), (index) => {
  if (page.choice.kind !== 'curves') page.choose(withoutTime({ ...page.choice, point: index }));
});
const replication = make('input', { type: 'number', min: '1', step: '1', id: 'replication' });
replication.addEventListener('change', () => {
  const wanted = Math.min(Math.max(1, Math.round(replication.valueAsNumber || 1)), page.about?.replications ?? 1);
  replication.value = String(wanted);
  if (page.choice.kind !== 'curves') page.choose(withoutTime({ ...page.choice, replication: wanted }));
});
const replicationField = labelled(t('Replication'), replication);
const slider = make('input', { type: 'range', min: '0', max: '1000', step: '1', id: 'moment' });
slider.addEventListener('input', () => {
  const { time } = page.about ?? {};
  if (time !== undefined) seekTime(time.begin + ((time.end - time.begin) * slider.valueAsNumber) / 1000);
});
const previous = button(t('‹ Change'), t('‹ Change: previous job start or end'), () => {
  seekTime(page.about?.time?.moment?.previous);
});
const next = button(t('Change ›'), t('Change ›: next job start or end'), () => {
  seekTime(page.about?.time?.moment?.next);
});
const sliderField = labelled(t('Time'), slider, previous, next);
sliderField.classList.add('wide');
const zoomButtons = [
  button('+', t('+: half the time window'), () => {
    zoom(0.5, 0);
  }),
  button('−', t('−: twice the time window'), () => {
    zoom(2, 0);
  }),
  button(t('‹ Earlier'), t('‹ Earlier: by half a window'), () => {
    zoom(1, -0.5);
  }),
  button(t('Later ›'), t('Later ›: by half a window'), () => {
    zoom(1, 0.5);
  }),
  button(t('All'), t('All: the whole time range'), () => {
    if (page.choice.kind === 'gantt') page.choose(withoutTime(page.choice));
  }),
];
const runIt = (text: string): NoticeAction => page.action(text, { kind: 'run' });
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
  showControls: showExperimentControls,
  running: t('Running'),
  onFault: [],
  simulating: (words) =>
    page.choice.kind === 'curves'
      ? undefined
      : { text: t('Simulating{0}', words === '' ? ' …' : `: ${words}`), busy: true, actions: [endIt] },
  status: experimentStatus,
  nameOfFigure,
  chosen: (before) => {
    lastWhich = whichOf(before);
    isCancelled = false;
  },
});
page.start();

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

function seekTime(time: number | undefined): void {
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

function showExperimentControls(): boolean {
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
function experimentStatus(): PageStatus {
  const { about, choice } = page;
  if (choice.kind !== 'curves')
    return ['fresh', isCancelled ? { text: page.reasonOfNothing, actions: [simulateIt] } : undefined];
  if (about === undefined) return ['fresh'];
  if (about.results === 'missing') return ['fresh', { text: t('No results yet.'), actions: [runIt(t('Run'))] }];
  if (about.stale)
    return ['stale', { text: t('Out of date: the text or its files have changed.'), actions: [runIt(t('Run'))] }];
  if (about.form !== undefined)
    return ['fresh', { text: t('Results of a {0} run.', about.form), actions: [runIt(t('Run all'))] }];
  if (about.results === 'partial')
    return ['fresh', { text: t('Run stopped with too few replications.'), actions: [runIt(t('Resume'))] }];
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
