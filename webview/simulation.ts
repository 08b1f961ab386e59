/**
 * The panel of a simulated placement: its figures, the playback over the picture of the machine, and who waits for what at a
 * moment of it.
 */
import type { Figure } from '../server/drawing/figures/figure.ts';
import { simulationFigures, type SimulationKind } from '../server/drawing/figures/catalogue.ts';
import { Playback } from '../server/drawing/figures/playbackFigure.ts';
import { decodePlayback } from '../server/protocol/encoding.ts';
import type { EncodedPlayback, SimulationAbout, SimulationChoice } from '../server/protocol/figures.ts';
import { FigurePage } from './figure/figurePage.ts';
import { button, make } from './page/controls.ts';
import type { NoticeAction, PageStatus } from './page/frame.ts';
import { localised, t } from './page/words.ts';

/** Between the intervals of what is played, milliseconds. */
const playPause = 120;

/** Draws the intervals of the simulation that is shown. */
let playback: Playback | undefined;
/** The next interval is asked for as soon as one has been shown for a moment. */
let isPlaying = false;

const slider = make('input', { type: 'range', min: '0', max: '0', step: '1', id: 'interval' });
slider.addEventListener('input', () => {
  seekInterval(slider.valueAsNumber);
});
const previous = button('‹', t('‹ Previous interval'), () => {
  step(-1);
});
const next = button('›', t('› Next interval'), () => {
  step(1);
});
const play = button(t('Play'), t('Play all intervals'), () => {
  isPlaying = !isPlaying;
  page.showControls();
  if (isPlaying) step(1);
});
const label = make('label', { for: 'interval' }, t('Time'));
const waits = make('aside', {
  class: 'waits',
  tabindex: '-1',
  'aria-label': t('Waiting packets'),
  'aria-live': 'polite',
});

/** Made before there is a page. */
const simulateIt = (text: string): NoticeAction => ({
  text,
  act: () => {
    page.post({ kind: 'run' });
  },
});

const page: FigurePage<SimulationChoice, SimulationAbout, Figure | EncodedPlayback> = new FigurePage<
  SimulationChoice,
  SimulationAbout,
  Figure | EncodedPlayback
>({
  word: t('Simulation'),
  kinds: simulationFigures.map(({ name, label, hint }) => [name, localised(label), localised(hint)]),
  first: { kind: 'playback' },
  choiceOf: (kind) => ({ kind }),
  isOffered,
  questionOf: (choice) => (choice.kind === 'playback' ? { ...choice, scene: playback?.scene.key ?? '' } : choice),
  figureOf: (drawn) => ('encoded' in drawn ? playedBack(drawn) : drawn),
  // Who waits is simulated once more where it is not kept.
  isInVain: (asked) => asked.kind === 'playback' && asked.channel !== undefined,
  controls: [make('span', { class: 'field wide' }, label, slider, previous, play, next)],
  showControls: showSimulationControls,
  running: t('Simulating'),
  onFault: [simulateIt(t('Simulate'))],
  simulating: () => ({
    text: t('Simulating up to this interval …'),
    busy: true,
    actions: [page.action(t('Cancel'), { kind: 'cancel' })],
  }),
  status: simulationStatus,
  nameOfFigure: () => {
    const { moment: now } = page.about ?? {};
    return page.choice.kind === 'playback' && now !== undefined ? `playback-${now.interval}` : page.choice.kind;
  },
  chosen: () => {
    const { choice } = page;
    if (choice.kind !== 'playback' || choice.channel !== undefined) isPlaying = false;
  },
  answered: () => {
    // The page was left with a figure of another simulation.
    if (!isOffered(page.choice.kind)) page.choose({ kind: 'playback' });
    showWaits();
    if (isPlaying) setTimeout(playOn, playPause);
  },
  changed: () => {
    // Who waited is of the simulation before.
    if (page.choice.kind === 'playback') page.choice = { kind: 'playback', ...intervalShown() };
  },
  pressed: (row) => {
    const channel = playbackRowChannels()[row];
    const { choice } = page;
    if (choice.kind === 'playback' && typeof channel === 'number')
      page.choose({ ...choice, channel, ...intervalShown() });
  },
});
page.view.element.append(waits);
waits.hidden = true;
page.start();

function playedBack(encoded: EncodedPlayback): Figure {
  const { scene, frame } = decodePlayback(encoded);
  if (scene !== undefined) playback = new Playback(scene);
  if (playback === undefined) throw new Error(t('An interval has no diagram.'));
  return playback.figure(frame);
}

function isOffered(kind: SimulationKind): boolean {
  return page.about?.kinds.includes(kind) ?? true;
}

function intervalShown(): { readonly interval?: number } {
  const { moment: now } = page.about ?? {};
  return now === undefined ? {} : { interval: now.interval };
}

/** Another interval; who waits is asked anew by a click. */
function seekInterval(interval: number): void {
  if (page.choice.kind === 'playback') page.choose({ kind: 'playback', interval });
}

function step(by: number): void {
  const { moment: now, intervals = 1 } = page.about ?? {};
  const wanted = (now?.interval ?? 0) + by;
  if (now !== undefined && wanted >= 0 && wanted < intervals) seekInterval(wanted);
  // From the end it is played from the beginning.
  else if (isPlaying && intervals > 1 && by > 0 && page.choice.kind === 'playback' && page.isSettled) seekInterval(0);
}

/** Stops at the end. */
function playOn(): void {
  const { moment: now, intervals = 0 } = page.about ?? {};
  if (!isPlaying || now === undefined || !page.isSettled) return;
  if (now.interval + 1 < intervals) step(1);
  else isPlaying = false;
  page.showControls();
}

function showSimulationControls(): boolean {
  const { about, choice } = page;
  play.textContent = isPlaying ? t('Pause') : t('Play');
  const hint = isPlaying ? t('Pause here') : t('Play all intervals');
  play.setAttribute('aria-label', hint);
  play.title = hint;
  const now = about?.moment;
  if (about === undefined || now === undefined) return false;
  slider.max = String(Math.max(0, about.intervals - 1));
  slider.setAttribute('aria-valuetext', now.words);
  previous.toggleAttribute('disabled', now.interval === 0);
  next.toggleAttribute('disabled', now.interval >= about.intervals - 1);
  for (const control of [slider, play]) control.toggleAttribute('disabled', about.intervals < 2);
  // While it is dragged it is where the hand is.
  if (page.isSettled) slider.valueAsNumber = now.interval;
  return choice.kind === 'playback';
}

/** The number of the channel of each row of a playback. */
function playbackRowChannels(): readonly unknown[] {
  const { head, rows } = page.view.figure?.table ?? { head: [], rows: [] };
  const column = head.indexOf('channel');
  return rows.map((row) => row[column]);
}

function showWaits(): void {
  const found = page.about?.waits;
  waits.hidden = found === undefined;
  page.view.setAsked(found && playbackRowChannels().indexOf(found.channel));
  if (found === undefined) return;
  const close = make('button', { type: 'button', class: 'kind' }, t('Close'));
  close.addEventListener('click', () => {
    page.choose({ kind: 'playback', ...intervalShown() });
  });
  const lines = make('ul', {}, ...found.lines.map((line) => make('li', {}, line)));
  waits.replaceChildren(make('h2', {}, found.title), lines, close);
}

/** Whether the result is of the text as it is. */
function simulationStatus(): PageStatus {
  const { about } = page;
  if (about === undefined) return ['fresh'];
  if (about.results === 'missing') return ['fresh', { text: '', actions: [simulateIt(t('Simulate'))] }];
  if (about.stale === 'changed')
    return [
      'stale',
      {
        text: t('Out of date: the text or its files have changed since the simulation.'),
        actions: [simulateIt(t('Simulate again'))],
      },
    ];
  if (about.stale === 'gone')
    return ['stale', { text: t('The placement was removed, has no `simulate`, or has errors. See Problems.') }];
  if (about.results === 'partial') return ['failed', { text: about.why ?? '' }];
  return ['fresh'];
}
