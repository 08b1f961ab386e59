import { describe, expect, it } from 'vitest';
import { drawCurves } from '../../server/drawing/figures/curves.ts';
import { figureToCsv, type Figure } from '../../server/drawing/figures/figure.ts';
import { drawGantt } from '../../server/drawing/figures/gantt.ts';
import { drawMoment } from '../../server/drawing/figures/moment.ts';
import { renderFigure } from '../../server/drawing/figures/renderFigure.ts';
import { drawTimeline } from '../../server/drawing/figures/timeline.ts';
import { formatNumber } from '../../server/model/quantities.ts';
import { randomRun, resultOf, rowOf } from '../../server/drawing/testing/figures.ts';
import type { FromExperimentPanel } from '../../server/protocol/figurePanel.ts';
import type { ExperimentAbout, FigureChoice } from '../../server/protocol/figures.ts';
import { protocolVersion } from '../../server/protocol/messages.ts';
import { panelForTests } from './testing/panelForTests.ts';
import { type OpenOptions, type PanelPage } from './testing/panelPage.ts';

/** The panel of an experiment in a real browser, against a fake editor: what a user sees and what the host is asked. */

const host = panelForTests();

const allocators = ['rbs', 'gabl', 'first-fit'];
const rows = [0.001, 0.002, 0.003].flatMap((x) =>
  allocators.map((allocator, place) => rowOf({ x, allocator, mean: 1e5 * x * (place + 1), halfWidth: 7 })),
);
const curves = drawCurves({ result: resultOf(rows), metric: 'turnaround' });
const run = randomRun(4, { nodeCount: 64, jobCount: 60 });
const replication = { name: 'figure-4-1', about: 'rbs, replication 1', run, timeUnit: 'cycles' } as const;
const figures: Readonly<Record<FigureChoice['kind'], Figure>> = {
  curves,
  gantt: drawGantt(replication),
  moment: drawMoment({ ...replication, shape: [8, 8], time: 500 }),
  timeline: drawTimeline(replication),
};

const about: ExperimentAbout = {
  metrics: ['turnaround', 'averageHops'],
  points: ['rbs, arrivals.rate 0.001', 'gabl, arrivals.rate 0.001', 'first-fit, arrivals.rate 0.001'],
  replications: 20,
  results: 'complete',
  stale: false,
};
const time = { begin: 0, end: 1000, unit: 'cycles' } as const;

const uri = 'file:///a.place';
const open = (options: OpenOptions = {}) => host.open({ ...options, script: 'experiment.js' });

/** What the host answers to the last question. */
async function answer(
  panel: PanelPage,
  kind: FigureChoice['kind'],
  other: Partial<ExperimentAbout> = {},
): Promise<void> {
  const moment = { at: 500, words: '500 cycles', previous: 480, next: 530 };
  const times = kind === 'curves' ? {} : { time: kind === 'moment' ? { ...time, moment } : time };
  const all = { ...about, ...times, ...other };
  await panel.send({
    kind: 'answer',
    uri,
    name: 'figure-4-1',
    answer: { kind: 'figure', version: protocolVersion, figure: figures[kind], about: all },
  });
  await panel.settle();
}

const asked = async (panel: PanelPage): Promise<readonly FigureChoice[]> =>
  (await panel.sentOfExperiment()).flatMap((message) => (message.kind === 'figure' ? [message.choice] : []));

/** Opens the panel with one figure; the names of the buttons begin with what they say. */
async function show(kind: FigureChoice['kind'], options: OpenOptions = {}): Promise<PanelPage> {
  const panel = await open(options);
  await answer(panel, 'curves');
  if (kind === 'curves') return panel;
  await panel.page.locator('button.kind').nth(['curves', 'gantt', 'moment', 'timeline'].indexOf(kind)).click();
  await answer(panel, kind);
  return panel;
}

/** Whether anything is painted: how many colours there are. */
const colors = ({ page }: PanelPage): Promise<number> =>
  page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('canvas.figure')!;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });

describe('the figure', () => {
  it('is asked for at once, and shown with its words', async () => {
    const panel = await open();
    expect(await panel.page.locator('.reason').innerText()).toContain('Waiting for the language server');
    expect(await panel.sentOfExperiment()).toEqual([{ kind: 'figure', choice: { kind: 'curves' } }]);
    await answer(panel, 'curves');
    expect(await panel.page.getByRole('heading', { level: 1 }).innerText()).toBe('Experiment figure-4-1');
    expect(await panel.page.getByRole('img').getAttribute('aria-label')).toBe(curves.description);
    expect(await colors(panel)).toBeGreaterThan(20);
  });

  it.each(['gantt', 'moment', 'timeline'] as const)('of one replication is painted: %s', async (kind) => {
    const panel = await show(kind);
    expect(await asked(panel)).toEqual([{ kind: 'curves' }, { kind }]);
    expect(await panel.page.getByRole('img').getAttribute('aria-label')).toBe(figures[kind].description);
    expect(await colors(panel)).toBeGreaterThan(20);
    expect(await panel.page.locator('button.kind[aria-pressed=true]').count()).toBe(1);
  });

  it('fits its tab, wide or narrow', async () => {
    const panel = await open({ width: 600, height: 500 });
    await answer(panel, 'curves');
    const box = (await panel.page.locator('canvas.figure').boundingBox())!;
    expect([box.width <= 600, box.height <= 500, box.width > 400]).toEqual([true, true, true]);
    expect(await panel.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(600);
  });

  it('can be read as a table', async () => {
    const panel = await show('curves');
    await panel.pressTitle('toggle-table');
    const table = panel.page.getByRole('table');
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(curves.table.head);
    expect(await table.getByRole('row').nth(2).innerText()).toMatch(/0\.001\s+fcfs\s+gabl\s+200\s+7\s+20/);
    await panel.pressTitle('toggle-table');
    expect(await panel.page.getByRole('img').isVisible()).toBe(true);
  });
});

describe('what is shown is chosen', () => {
  it('by metric', async () => {
    const panel = await show('curves');
    await panel.page.getByLabel('Metric', { exact: true }).selectOption('Average hops');
    expect((await asked(panel)).at(-1)).toEqual({ kind: 'curves', metric: 'averageHops' });
  });

  it('by point and replication, which all figures of one share', async () => {
    const panel = await show('gantt');
    await panel.page.getByLabel('Point').selectOption(about.points[2]!);
    await answer(panel, 'gantt');
    await panel.page.getByRole('spinbutton', { name: 'Replication' }).fill('7');
    await panel.page.getByRole('spinbutton', { name: 'Replication' }).press('Enter');
    await answer(panel, 'gantt');
    await panel.page.locator('button.kind').nth(3).click();
    expect((await asked(panel)).slice(-3)).toEqual([
      { kind: 'gantt', point: 2 },
      { kind: 'gantt', point: 2, replication: 7 },
      { kind: 'timeline', point: 2, replication: 7 },
    ]);
  });

  it('by a slider of the time, from the keyboard too', async () => {
    const panel = await show('moment');
    const slider = panel.page.getByRole('slider', { name: 'Time' });
    expect([await slider.inputValue(), await slider.getAttribute('aria-valuetext')]).toEqual(['500', '500 cycles']);
    await slider.press('ArrowRight');
    expect((await asked(panel)).at(-1)).toEqual({ kind: 'moment', time: 501 });
    await answer(panel, 'moment');
    await panel.page.getByRole('button', { name: /^Change ›/ }).click();
    expect((await asked(panel)).at(-1)).toEqual({ kind: 'moment', time: 530 });
  });

  it('while an answer is on its way only the last choice is asked for', async () => {
    const panel = await show('moment');
    const slider = panel.page.getByRole('slider', { name: 'Time' });
    for (let step = 0; step < 5; step++) await slider.press('ArrowRight');
    expect(await asked(panel)).toHaveLength(3);
    await answer(panel, 'moment');
    expect((await asked(panel)).slice(2)).toEqual([
      { kind: 'moment', time: 501 },
      { kind: 'moment', time: 505 },
    ]);
  });

  it('while a replication is simulated: how far that is, until it is cancelled', async () => {
    const panel = await show('curves');
    await panel.page.locator('button.kind').nth(1).click();
    await panel.send({ kind: 'simulated', text: '1,200 of about 5,000 jobs' });
    const notice = panel.page.getByRole('group', { name: 'Notice' });
    expect(await notice.innerText()).toContain('Simulating: 1,200 of about 5,000 jobs');
    expect(await panel.page.locator('.status').textContent()).toBe('Working …');
    await notice.getByRole('button', { name: 'Cancel' }).click();
    expect((await panel.sentOfExperiment()).at(-1)).toEqual({ kind: 'cancel' });
    const reason = 'The simulation of this replication was cancelled.';
    const nothing = { kind: 'nothing', reason, about } as const;
    await panel.send({ kind: 'answer', uri, name: 'figure-4-1', answer: nothing });
    expect(await panel.page.locator('.reason').innerText()).toBe(reason);
    await notice.getByRole('button', { name: 'Simulate' }).click();
    expect((await asked(panel)).at(-1)).toEqual({ kind: 'gantt' });
  });

  it('and what is simulated for another replication is cancelled', async () => {
    const panel = await show('gantt');
    await panel.page.getByLabel('Point').selectOption(about.points[1]!);
    await panel.page.locator('button.kind').nth(3).click();
    expect((await panel.sentOfExperiment()).at(-1)).toEqual({ kind: 'figure', choice: { kind: 'gantt', point: 1 } });
    await panel.page.locator('button.kind').nth(0).click();
    expect((await panel.sentOfExperiment()).at(-1)).toEqual({ kind: 'cancel' });
    const nothing = { kind: 'nothing', reason: 'Cancelled.', about } as const;
    await panel.send({ kind: 'answer', uri, name: 'figure-4-1', answer: nothing });
    expect((await asked(panel)).at(-1)).toEqual({ kind: 'curves' });
    expect(await panel.page.getByRole('img').isVisible()).toBe(true);
  });

  it('by zooming into the time', async () => {
    const panel = await show('gantt');
    for (const name of ['+: half', '‹ Earlier', 'All: the whole']) {
      await panel.page.getByRole('button', { name }).click();
      await answer(panel, 'gantt');
    }
    expect((await asked(panel)).slice(2)).toEqual([
      { kind: 'gantt', between: { from: 250, to: 750 } },
      { kind: 'gantt', between: { from: 0, to: 500 } },
      { kind: 'gantt' },
    ]);
  });

  it('and found again when the tab was hidden', async () => {
    const panel = await show('moment');
    const state = await panel.savedState();
    expect(state).toMatchObject({ uri, name: 'figure-4-1', choice: { kind: 'moment' } });
    const again = await open({ state });
    expect(await asked(again)).toEqual([{ kind: 'moment' }]);
  });
});

describe('a job in the chart of jobs', () => {
  const tip = ({ page }: PanelPage) => page.locator('.figure-tip');
  const lineOf = (row: number): string => {
    const [job, submit] = figures.gantt.table.rows[row] as readonly number[];
    return `job\n${job}\nsubmit\n${formatNumber(submit!)} cycles\nstart`;
  };

  it('is told of where the pointer is', async () => {
    const panel = await show('gantt');
    const { boxes, rows } = figures.gantt.marks!;
    const mark = rows.length - 1;
    const [x, y, width, height] = boxes.slice(4 * mark) as [number, number, number, number];
    const canvas = panel.page.locator('canvas.figure');
    const scale = (await canvas.boundingBox())!.width / figures.gantt.width;
    const position = { x: (x + width / 2) * scale, y: (y + height / 2) * scale };
    await canvas.hover({ position });
    expect(await tip(panel).innerText()).toContain(lineOf(rows[mark]!));
    await panel.page.getByRole('heading', { level: 1 }).hover();
    expect(await tip(panel).isVisible()).toBe(false);
  });

  it('is told of from the keyboard, in the order of the table', async () => {
    const panel = await show('gantt');
    const canvas = panel.page.locator('canvas.figure');
    for (const [keys, row] of [
      [['ArrowRight'], 0],
      [['ArrowDown', 'ArrowRight'], 2],
      [['ArrowLeft'], 1],
      [['End'], figures.gantt.table.rows.length - 1],
      [['Home'], 0],
    ] as const) {
      for (const key of keys) await canvas.press(key);
      expect(await tip(panel).innerText()).toContain(lineOf(row));
    }
    expect(await tip(panel).getAttribute('aria-live')).toBe('polite');
    await canvas.press('Escape');
    expect(await tip(panel).isVisible()).toBe(false);
  });
});

describe('how results stand', () => {
  const standing = ({ page }: PanelPage) => page.getByRole('group', { name: 'Notice' });

  it.each([
    ['are out of date', { stale: true }, 'Out of date', 'the text or its files have changed'],
    ['are of a short run', { form: 'short' as const }, '', 'Results of a short run'],
    ['are of a middle run', { form: 'middle' as const }, '', 'Results of a middle run'],
    ['are not complete', { results: 'partial' as const }, '', 'Run stopped with too few'],
  ])('they %s: they stay, and can be run', async (_, other, word, words) => {
    const panel = await open();
    await answer(panel, 'curves', other);
    expect(await panel.page.locator('.status').textContent()).toBe(word);
    expect(await standing(panel).innerText()).toContain(words);
    expect(await panel.page.getByRole('img').isVisible()).toBe(true);
    await standing(panel).getByRole('button').click();
    expect((await panel.sentOfExperiment()).at(-1)).toEqual({ kind: 'run' });
  });

  it('there are none yet: a replication can be looked at all the same', async () => {
    const panel = await open();
    const reason = 'This experiment has not been run yet.';
    await panel.send({
      kind: 'answer',
      uri,
      name: 'figure-4-1',
      answer: { kind: 'nothing', reason, about: { ...about, results: 'missing' } },
    });
    expect(await panel.page.locator('.reason').innerText()).toBe(reason);
    await standing(panel).getByRole('button', { name: 'Run' }).click();
    expect((await panel.sentOfExperiment()).at(-1)).toEqual({ kind: 'run' });
    await panel.page.locator('button.kind').nth(1).click();
    await answer(panel, 'gantt', { results: 'missing' });
    expect(await panel.page.getByRole('img').isVisible()).toBe(true);
    expect(await standing(panel).isVisible()).toBe(false);
  });

  it('it is running: how far it is, and afterwards the new figure', async () => {
    const panel = await show('curves');
    await panel.send({ kind: 'progress', text: '40 of 120 replications, 3 min left' });
    expect(await standing(panel).innerText()).toContain('Running: 40 of 120 replications, 3 min left');
    await panel.send({ kind: 'changed' });
    expect(await asked(panel)).toHaveLength(2);
    await answer(panel, 'curves');
    expect(await standing(panel).isVisible()).toBe(false);
  });

  it('something went wrong: it is said, and the figure stays', async () => {
    const panel = await show('curves');
    await panel.send({ kind: 'failed', message: 'The server has ended.' });
    expect(await standing(panel).innerText()).toContain('The server has ended.');
    expect(await panel.page.getByRole('img').isVisible()).toBe(true);
  });

  it('the server is of another version: the window is to be loaded again', async () => {
    const panel = await open();
    const answered = { kind: 'figure', version: protocolVersion - 1, figure: curves, about } as const;
    await panel.send({ kind: 'answer', uri, name: 'figure-4-1', answer: answered });
    expect(await panel.page.locator('.reason').innerText()).toContain('Reload the window');
  });
});

describe('files', () => {
  const saved = async (panel: PanelPage) =>
    (await panel.sentOfExperiment()).find(
      (message): message is FromExperimentPanel & { kind: 'save' } => message.kind === 'save',
    );

  it.each([
    ['svg', renderFigure(curves)],
    ['csv', figureToCsv(curves)],
  ])('%s is what the command line writes', async (extension, data) => {
    const panel = await show('curves');
    await panel.saveAs({ Format: extension });
    await expect.poll(() => saved(panel)).toEqual({ kind: 'save', extension, data, name: 'turnaround' });
  });

  it('png is twice as large as the figure', async () => {
    const panel = await show('gantt');
    await panel.saveAs({ Format: 'png' });
    await expect.poll(() => saved(panel), { timeout: 20_000 }).toBeDefined();
    const { data, name } = (await saved(panel))!;
    const bytes = Buffer.from(data, 'base64');
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([
      2 * figures.gantt.width,
      2 * figures.gantt.height,
    ]);
    expect(name).toBe('jobs-1-1');
  });
});

describe('in every theme, axe-core finds nothing wrong with', () => {
  it.each(['curves', 'gantt', 'moment', 'timeline'] as const)('%s', async (kind) => {
    const panel = await show(kind);
    if (kind === 'timeline') await panel.pressTitle('toggle-table');
    expect(await panel.findings()).toEqual([]);
  });

  it('the form that saves a figure, at 400 and at 2,000 pixels', async () => {
    expect(await (await show('curves')).findingsOfForm()).toEqual([]);
  });
});
