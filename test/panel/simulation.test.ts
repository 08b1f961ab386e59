import { describe, expect, it } from 'vitest';
import {
  kindsOfSimulation,
  simulationKinds as kinds,
  type SimulationKind as Kind,
} from '../../server/drawing/figures/catalogue.ts';
import { figureToCsv } from '../../server/drawing/figures/figure.ts';
import { drawPlayback, playbackFrame, playbackScene } from '../../server/drawing/figures/playback.ts';
import { renderFigure } from '../../server/drawing/figures/renderFigure.ts';
import { torusReport } from '../../server/drawing/testing/fixtures.ts';
import { simulationOf, withServers } from '../../server/drawing/testing/simulation.ts';
import { drawSimulation } from '../../server/entrypoints/simulationFigures.ts';
import { encodePlayback } from '../../server/protocol/encoding.ts';
import type { SimulationAbout, SimulationChoice, SimulationFigureAnswer } from '../../server/protocol/figures.ts';
import { protocolVersion } from '../../server/protocol/messages.ts';
import { panelForTests } from './testing/panelForTests.ts';
import { type OpenOptions, type PanelPage } from './testing/panelPage.ts';

/** The panel of a simulated placement in a real browser, against a fake editor: what a user sees and what the host is asked. */

const host = panelForTests();

const simulated = simulationOf(torusReport([4, 4]));
const figures = Object.fromEntries(
  kinds.map((kind) => [
    kind,
    drawSimulation(
      { kind, ...(kind === 'playback' && { interval: 3 }) },
      kind === 'servers' ? withServers(simulated) : simulated,
    ),
  ]),
);
const ofPackets = kindsOfSimulation(false);
const missing = { kinds: ofPackets, intervals: 0, results: 'missing' } as const;
const uri = 'file:///a.place';

async function send(panel: PanelPage, answer: SimulationFigureAnswer): Promise<void> {
  await panel.send({ kind: 'answer', uri, name: 'fast', answer });
  await panel.settle();
}

/** What the host answers to the last question. */
async function answer(panel: PanelPage, kind: Kind, about: Partial<SimulationAbout> = {}): Promise<void> {
  const moment = kind === 'playback' ? { moment: { interval: 3, words: 'cycles 300 to 400' } } : {};
  const kindsOf = kindsOfSimulation(kind === 'servers');
  const all = { kinds: kindsOf, intervals: 8, results: 'complete' as const, ...moment, ...about };
  await send(panel, { kind: 'figure', version: protocolVersion, figure: figures[kind]!, about: all });
}

async function show(kind: Kind, options: OpenOptions = {}): Promise<PanelPage> {
  const panel = await host.open({ ...options, script: 'simulation.js' });
  await answer(panel, 'playback', { kinds: kindsOfSimulation(kind === 'servers') });
  if (kind === 'playback') return panel;
  await panel.page.locator('button.kind').nth(kinds.indexOf(kind)).click();
  await answer(panel, kind);
  return panel;
}

const asked = async (panel: PanelPage): Promise<readonly SimulationChoice[]> =>
  (await panel.sentOfSimulation()).flatMap((message) =>
    message.kind === 'figure' ? [withoutScene(message.choice)] : [],
  );

function withoutScene(choice: SimulationChoice): SimulationChoice {
  if (choice.kind !== 'playback') return choice;
  const { kind, interval, channel } = choice;
  return { kind, ...(interval !== undefined && { interval }), ...(channel !== undefined && { channel }) };
}
const notice = ({ page }: PanelPage) => page.getByRole('group', { name: 'Notice' });

describe('the figures of a simulation', () => {
  it.each(kinds)('are painted and described: %s', async (kind) => {
    const panel = await show(kind);
    expect((await asked(panel)).at(-1)).toEqual({ kind });
    expect(await panel.page.getByRole('img').getAttribute('aria-label')).toBe(figures[kind]!.description);
    expect(await panel.page.getByRole('heading', { level: 1 }).innerText()).toBe('Simulation fast');
    await panel.pressTitle('toggle-table');
    expect(await panel.page.getByRole('columnheader').allInnerTexts()).toEqual(figures[kind]!.table.head);
  });

  it('say below the figure what it says, where its letters are too small', async () => {
    const panel = await show('finish');
    const words = panel.page.locator('.figure-words');
    for (const [width, isSmall] of [
      [400, true],
      [1200, false],
    ] as const) {
      await panel.page.setViewportSize({ width, height: 900 });
      await expect.poll(() => words.isVisible()).toBe(isSmall);
    }
    expect(await words.textContent()).toBe(figures['finish']!.description);
  });

  it.each([
    ['of packets', 'playback', ['Playback', 'Makespan', 'Latency', 'Over time', 'Links']],
    ['of servers', 'servers', ['Playback', 'Makespan', 'Latency', 'Over time', 'Servers']],
  ] as const)('are those that there are of a simulation %s', async (_, kind, tabs) => {
    const panel = await show(kind);
    expect(await panel.page.locator('button.kind:visible').allInnerTexts()).toEqual(tabs);
  });

  it('are those of packets where a cluster with servers was looked at before', async () => {
    const panel = await show('servers');
    await panel.send({ kind: 'changed' });
    await answer(panel, 'playback');
    expect((await asked(panel)).at(-1)).toEqual({ kind: 'playback' });
    expect(await panel.page.getByRole('button', { pressed: true }).allInnerTexts()).toEqual(['Playback']);
  });

  it.each([
    ['svg', renderFigure(figures['links']!)],
    ['csv', figureToCsv(figures['links']!)],
  ])('are saved as the command line writes them: %s', async (extension, data) => {
    const panel = await show('links');
    await panel.saveAs({ Format: extension });
    await expect
      .poll(async () => (await panel.sentOfSimulation()).at(-1))
      .toEqual({ kind: 'save', extension, data, name: 'links' });
  });
});

describe('the playback', () => {
  it('goes through time by slider, buttons and keys', async () => {
    const panel = await show('playback');
    const slider = panel.page.getByRole('slider', { name: 'Time' });
    expect([await slider.inputValue(), await slider.getAttribute('aria-valuetext')]).toEqual([
      '3',
      'cycles 300 to 400',
    ]);
    await slider.press('ArrowRight');
    await answer(panel, 'playback', { moment: { interval: 4, words: 'cycles 400 to 500' } });
    await panel.page.getByRole('button', { name: '‹ Previous interval' }).click();
    expect((await asked(panel)).slice(1)).toEqual([
      { kind: 'playback', interval: 4 },
      { kind: 'playback', interval: 3 },
    ]);
  });

  it('is walked through by keys from the link that was asked about', async () => {
    const panel = await show('playback');
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await panel.page.locator('canvas.figure').press(key);
    };
    await press('ArrowRight', 'ArrowRight', 'Enter');
    await answer(panel, 'playback', { waits: { channel: 1, title: '0 → 1', lines: ['No packet waits for it.'] } });
    await press('ArrowRight', 'Enter');
    expect((await asked(panel)).at(-1)).toMatchObject({ channel: figures['playback']!.table.rows[2]!.at(-1) });
  });

  it('keeps the link outlined that is told of, until that is closed', async () => {
    const panel = await show('playback');
    const isOutlined = () =>
      panel.page.locator('canvas.figure-overlay').evaluate((overlay: HTMLCanvasElement) => {
        const { data } = overlay.getContext('2d')!.getImageData(0, 0, overlay.width, overlay.height);
        return data.some((value) => value > 0);
      });
    expect(await isOutlined()).toBe(false);
    await answer(panel, 'playback', { waits: { channel: 1, title: '0 → 1', lines: ['No packet waits for it.'] } });
    expect(await isOutlined()).toBe(true);
    await panel.page.getByRole('button', { name: 'Close' }).click();
    await answer(panel, 'playback');
    expect(await isOutlined()).toBe(false);
  });

  it('is sent its picture once, then what an interval adds', async () => {
    const panel = await host.open({ script: 'simulation.js' });
    const scenes = async () =>
      (await panel.sentOfSimulation()).flatMap((message) =>
        message.kind === 'figure' && message.choice.kind === 'playback' ? [message.choice.scene] : [],
      );
    const scene = playbackScene(simulated, 'a');
    const shown = async (interval: number, isFirst: boolean): Promise<string | null> => {
      const frame = playbackFrame({ ...simulated, interval });
      const figure = encodePlayback({ ...(isFirst && { scene }), frame });
      const about = {
        kinds: ofPackets,
        intervals: 8,
        results: 'complete',
        moment: { interval, words: frame.when },
      } as const;
      await send(panel, { kind: 'figure', version: protocolVersion, figure, about });
      return panel.page.getByRole('img').getAttribute('aria-label');
    };
    expect(await shown(0, true)).toBe(drawPlayback({ ...simulated, interval: 0 }).description);
    await panel.page.getByRole('slider', { name: 'Time' }).press('ArrowRight');
    expect(await shown(1, false)).toBe(drawPlayback({ ...simulated, interval: 1 }).description);
    expect(await scenes()).toEqual(['', 'a']);
    await panel.saveAs({ Format: 'csv' });
    const data = figureToCsv(drawPlayback({ ...simulated, interval: 1 }));
    expect((await panel.sentOfSimulation()).at(-1)).toMatchObject({ kind: 'save', data, name: 'playback-1' });
  });

  it('plays to the end by itself, until it is paused', async () => {
    const panel = await show('playback');
    await panel.page.getByRole('button', { name: 'Play all intervals' }).click();
    for (const interval of [4, 5]) {
      await expect.poll(async () => (await asked(panel)).at(-1)).toEqual({ kind: 'playback', interval });
      await answer(panel, 'playback', { moment: { interval, words: '' } });
    }
    await expect.poll(async () => (await asked(panel)).at(-1)).toEqual({ kind: 'playback', interval: 6 });
    await panel.page.getByRole('button', { name: 'Pause here' }).click();
    await answer(panel, 'playback', { moment: { interval: 6, words: '' } });
    await panel.page.waitForTimeout(300);
    expect((await asked(panel)).at(-1)).toEqual({ kind: 'playback', interval: 6 });
  });

  it.each([
    [
      'a click',
      async ({ page }: PanelPage, position: { x: number; y: number }) =>
        page.locator('canvas.figure').click({ position }),
    ],
    [
      'the keyboard',
      async ({ page }: PanelPage) => {
        for (const key of ['ArrowRight', 'Enter']) await page.locator('canvas.figure').press(key);
      },
    ],
  ])('says by %s who waits for a link', async (_, press) => {
    const panel = await show('playback');
    const { marks, table, width } = figures['playback']!;
    const mark = marks!.rows.indexOf(0);
    const [x, y, w, h] = marks!.boxes.slice(4 * mark) as [number, number, number, number];
    const scale = (await panel.page.locator('canvas.figure').boundingBox())!.width / width;
    await press(panel, { x: (x + w / 2) * scale, y: (y + h / 2) * scale });
    const channel = table.rows[0]!.at(-1) as number;
    expect((await asked(panel)).at(-1)).toEqual({ kind: 'playback', interval: 3, channel });
    await answer(panel, 'playback', {
      waits: { channel, title: '0 → 1, cycle 399', lines: ['1 packet waits for it:', 'cg 3 → 4 waits'] },
    });
    const aside = panel.page.getByRole('complementary', { name: 'Waiting packets' });
    expect(await aside.innerText()).toContain('cg 3 → 4 waits');
    await aside.getByRole('button', { name: 'Close' }).click();
    await answer(panel, 'playback');
    expect(await aside.isVisible()).toBe(false);
  });
});

describe('how the simulation stands', () => {
  it('there is none yet: it can be simulated, tells how far it is, and can be cancelled', async () => {
    const panel = await host.open({ script: 'simulation.js' });
    await send(panel, { kind: 'nothing', reason: 'Not simulated yet.', about: missing });
    expect(await panel.page.locator('.reason').innerText()).toBe('Not simulated yet.');
    await notice(panel).getByRole('button', { name: 'Simulate' }).click();
    expect((await panel.sentOfSimulation()).at(-1)).toEqual({ kind: 'run' });
    await panel.send({ kind: 'progress', text: '1,200,000 cycles, 40 %, 12 s left' });
    expect(await notice(panel).innerText()).toContain('Simulating: 1,200,000 cycles, 40 %, 12 s left');
    await notice(panel).getByRole('button', { name: 'Cancel' }).click();
    expect((await panel.sentOfSimulation()).at(-1)).toEqual({ kind: 'end' });
    await panel.send({ kind: 'changed' });
    await answer(panel, 'playback');
    expect(await panel.page.getByRole('img').isVisible()).toBe(true);
    expect(await notice(panel).isVisible()).toBe(false);
  });

  it.each([
    [
      'out of date',
      { stale: 'changed' },
      'Out of date',
      'Out of date: the text or its files have changed since the simulation',
    ],
    ['of a placement that is gone', { stale: 'gone' }, 'Out of date', 'The placement was removed'],
    ['not at an end', { results: 'partial', why: 'Deadlock at cycle 11.' }, 'Failed', 'Deadlock at cycle 11'],
  ] as const)('it is %s: the figure stays', async (_, about, word, words) => {
    const panel = await host.open({ script: 'simulation.js' });
    await answer(panel, 'playback', about);
    expect(await panel.page.locator('.status').textContent()).toBe(word);
    expect(await notice(panel).innerText()).toContain(words);
    expect(await panel.page.getByRole('img').isVisible()).toBe(true);
  });

  it('it waits behind others: the answer says so', async () => {
    const panel = await host.open({ script: 'simulation.js' });
    await send(panel, { kind: 'nothing', reason: 'Its figures come.', about: missing, progress: 'queued' });
    expect(await notice(panel).innerText()).toContain('Simulating: queued');
    await notice(panel).getByRole('button', { name: 'Cancel' }).click();
    expect((await panel.sentOfSimulation()).at(-1)).toEqual({ kind: 'end' });
  });

  it('it waits behind others, where the page has waited for its answer before: the same button now cancels the simulation', async () => {
    const panel = await host.open({ script: 'simulation.js' });
    await notice(panel).getByText('Simulating up to this interval').waitFor();
    await send(panel, { kind: 'nothing', reason: 'Its figures come.', about: missing, progress: 'queued' });
    await notice(panel).getByRole('button', { name: 'Cancel' }).click();
    expect((await panel.sentOfSimulation()).at(-1)).toEqual({ kind: 'end' });
  });

  it('it waits while reports change: the button to cancel it stays the same, so that no click is lost', async () => {
    const panel = await host.open({ script: 'simulation.js' });
    const waiting = {
      kind: 'nothing',
      reason: 'Its figures come.',
      about: missing,
      progress: 'queued',
    } as const;
    await send(panel, waiting);
    const cancel = await notice(panel).getByRole('button', { name: 'Cancel' }).elementHandle();
    await panel.send({ kind: 'changed' });
    expect(await cancel.isVisible()).toBe(true);
    await send(panel, waiting);
    expect(await cancel.isVisible()).toBe(true);
    await panel.send({ kind: 'changed' });
    await send(panel, { kind: 'nothing', reason: 'It was cancelled.', about: missing });
    expect(await notice(panel).innerText()).not.toContain('queued');
  });

  it('there is The placement was removed: nothing is offered', async () => {
    const panel = await host.open({ script: 'simulation.js' });
    await send(panel, { kind: 'nothing', reason: 'The text does not say how.' });
    expect(await notice(panel).isVisible()).toBe(false);
  });

  it('it failed: why is said, once', async () => {
    const panel = await show('playback');
    const fault = 'Network `fast`: worms need one channel.';
    await panel.send({ kind: 'changed', fault });
    expect(await notice(panel).innerText()).toContain('worms need one channel');
    await send(panel, { kind: 'nothing', reason: fault, about: missing });
    expect(await panel.page.getByText('worms need one channel').count()).toBe(1);
    expect(await notice(panel).getByRole('button', { name: 'Simulate' }).isVisible()).toBe(true);
  });

  it('it is found again when the tab was hidden', async () => {
    const panel = await show('latency');
    const state = await panel.savedState();
    expect(state).toMatchObject({ uri, name: 'fast', choice: { kind: 'latency' } });
    expect(await asked(await host.open({ script: 'simulation.js', state }))).toEqual([{ kind: 'latency' }]);
  });
});

describe('in every theme, axe-core finds nothing wrong with', () => {
  it.each(kinds)('%s', async (kind) => {
    const panel = await show(kind);
    if (kind === 'playback')
      await answer(panel, kind, { waits: { channel: 0, title: '0 → 1', lines: ['Nothing waits.'] } });
    expect(await panel.findings()).toEqual([]);
  });

  it('the form that saves a figure, at 400 and at 2,000 pixels', async () => {
    expect(await (await show('finish')).findingsOfForm()).toEqual([]);
  });
});
