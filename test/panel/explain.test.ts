import { describe, expect, it } from 'vitest';
import { drawScene } from '../../server/drawing/drawScene.ts';
import { torusReport } from '../../server/drawing/testing/fixtures.ts';
import type { ExplainAnswer, ExplainTarget, ExplainParameters } from '../../server/protocol/messages.ts';
import type { FromPanel } from '../../server/protocol/panel.ts';
import { panelForTests } from './testing/panelForTests.ts';
import { lightTheme, type PanelPage } from './testing/panelPage.ts';
import { colorAt, pixelOf, type Point } from './testing/pixels.ts';

/** Selecting links and tasks: what the host is asked, and how its answer is shown. */

const loads = [
  [0, 1, 65536],
  [1, 2, 8192],
] as const;
const scene = drawScene(torusReport([8, 8], { jobs: [24, 30], loads }));
const { links } = scene;

/** LinkId of the way from one router to another. */
function linkId(from: number, to: number): number {
  const there = links.from.findIndex((router, link) => router === from && links.to[link] === to);
  if (there >= 0) return links.forwardLink[there]!;
  return links.backwardLink[links.from.findIndex((router, link) => router === to && links.to[link] === from)]!;
}

const link: ExplainTarget = { kind: 'link', link: linkId(0, 1) };
const flows: ExplainAnswer = {
  kind: 'flows',
  link: linkId(0, 1),
  load: 65536,
  timesMean: 7.5,
  flowCount: 12,
  flows: [
    {
      job: 'job-0',
      from: { job: 0, task: 0 },
      to: { job: 0, task: 2 },
      bytes: 49152,
      share: 0.75,
      route: [linkId(0, 1), linkId(1, 2)].map((each) => ({ link: each, share: 1 })),
    },
    {
      job: 'job-0',
      from: { job: 0, task: 0 },
      to: { job: 0, task: 9 },
      bytes: 16384,
      share: 0.25,
      route: [linkId(0, 1), linkId(1, 9)].map((each) => ({ link: each, share: 1 })),
    },
  ],
  improvements: ['Exchange tasks 0 and 9 of job-0: 48 KiB instead of 64 KiB.'],
};

const host = panelForTests();

async function click(panel: PanelPage, world: Point, modifiers: 'Shift'[] = []): Promise<void> {
  const { x, y } = await pixelOf(panel, scene, world);
  for (const key of modifiers) await panel.page.keyboard.down(key);
  await panel.page.mouse.click(x, y);
  for (const key of modifiers) await panel.page.keyboard.up(key);
  await panel.settle();
}

const asked = async (panel: PanelPage): Promise<readonly ExplainParameters['target'][]> =>
  (await panel.sent()).flatMap((message: FromPanel) =>
    message.kind === 'explain' && message.target.kind !== 'node' ? [message.target] : [],
  );

const pane = ({ page }: PanelPage) => page.getByRole('region', { name: 'Explanation' });

async function answer(panel: PanelPage, target: ExplainTarget, content: ExplainAnswer): Promise<void> {
  await panel.send({ kind: 'explained', target, answer: content });
  await panel.settle();
}

const focus = lightTheme.variables['--vscode-focusBorder'];
const lanes = { there: { x: 0.5, y: 0.06 }, back: { x: 0.5, y: -0.06 } };

describe('a selected link', () => {
  it.each([
    ['there', linkId(0, 1)],
    ['back', linkId(1, 0)],
  ] as const)('is asked about in the direction that was clicked: %s', async (lane, expected) => {
    const panel = await host.open({ scene });
    await click(panel, lanes[lane]);
    expect(await asked(panel)).toEqual([{ kind: 'link', link: expected }]);
    expect(await pane(panel).innerText()).toContain('Asking');
  });

  it('lists load, flows and what would relieve it in a real table', async () => {
    const panel = await host.open({ scene });
    await click(panel, lanes.there);
    await answer(panel, link, flows);
    const text = await pane(panel).innerText();
    expect(text).toContain('Link job-0 0 (node 0) → job-0 1 (node 1)');
    expect(text).toContain('64 KiB');
    expect(text).toContain('7.5');
    expect(text).toContain('Exchange tasks 0 and 9 of job-0');
    const table = pane(panel).getByRole('table', { name: '12 flows over this link, largest first, 2 of 12 shown' });
    expect(await table.getByRole('row').nth(1).innerText()).toBe('job-0 0 → job-0 2\t48 KiB\t75 %');
    expect(await pane(panel).getAttribute('aria-live')).toBe('polite');
  });

  it('says of a small share that it is one, not that it is nothing', async () => {
    const panel = await host.open({ scene });
    await click(panel, lanes.there);
    await answer(panel, link, { ...flows, flows: flows.flows.map((flow) => ({ ...flow, share: 0.0004 })) });
    expect(await pane(panel).getByRole('row').nth(1).innerText()).toMatch(/\tunder 1 %$/);
  });

  it('brings out the routes of its flows, and one flow alone on demand', async () => {
    const panel = await host.open({ scene });
    const onward = await pixelOf(panel, scene, { x: 1.5, y: 0.06 });
    const aside = await pixelOf(panel, scene, { x: 0.94, y: 0.4 });
    const elsewhere = await pixelOf(panel, scene, { x: 5.5, y: 5 });
    const plain = await colorAt(panel, elsewhere);
    await click(panel, lanes.there);
    await answer(panel, link, flows);
    // The browser blends the line with what it lies on, by a step of a colour.
    expect(await colorAt(panel, await pixelOf(panel, scene, { x: 0.4, y: 0.06 }))).toMatch(/^#005[ef]b[78]$/);
    expect(await colorAt(panel, elsewhere)).not.toBe(plain);
    const [strong, weak] = [await colorAt(panel, onward), await colorAt(panel, aside)];
    expect(blueness(strong)).toBeGreaterThan(blueness(weak));
    expect(blueness(weak)).toBeGreaterThan(40);
    const only = pane(panel).getByRole('button', { name: 'job-0 0 → job-0 9' });
    await only.click();
    await panel.settle();
    expect(await only.getAttribute('aria-pressed')).toBe('true');
    expect(blueness(await colorAt(panel, onward))).toBeLessThan(blueness(weak) / 4);
    expect(await colorAt(panel, aside)).toBe(focus);
  });

  it.each(['Escape', 'Clear', 'nothing'])('is let go by %s', async (by) => {
    const panel = await host.open({ scene });
    const before = await colorAt(panel, await pixelOf(panel, scene, { x: 5.5, y: 5 }));
    await click(panel, lanes.there);
    await answer(panel, link, flows);
    if (by === 'Escape') await panel.page.keyboard.press('Escape');
    else if (by === 'Clear') await pane(panel).getByRole('button', { name: 'Clear' }).click();
    else await click(panel, { x: 4.5, y: 4.5 });
    await panel.settle();
    expect(await pane(panel).count()).toBe(0);
    expect(await colorAt(panel, await pixelOf(panel, scene, { x: 5.5, y: 5 }))).toBe(before);
  });

  it('says why where there is nothing to explain', async () => {
    const panel = await host.open({ scene });
    await click(panel, lanes.back);
    const target: ExplainTarget = { kind: 'link', link: linkId(1, 0) };
    await answer(panel, target, { kind: 'nothing', reason: 'The file has changed: save it.' });
    expect(await pane(panel).innerText()).toContain('The file has changed: save it.');
  });

  it('passes over an answer to an earlier question', async () => {
    const panel = await host.open({ scene });
    await click(panel, lanes.there);
    await click(panel, lanes.back);
    await answer(panel, link, flows);
    expect(await pane(panel).innerText()).toContain('Link job-0 1 (node 1) → job-0 0 (node 0)');
    expect(await pane(panel).innerText()).toContain('Asking');
  });

  it('is asked about again when the report changes, and forgotten with another placement', async () => {
    const panel = await host.open({ scene });
    await click(panel, lanes.there);
    await answer(panel, link, flows);
    await panel.show(scene);
    expect(await asked(panel)).toEqual([link, link]);
    await panel.show(drawScene(torusReport([8, 8], { placement: 'other', loads })));
    expect(await pane(panel).count()).toBe(0);
    expect(await asked(panel)).toHaveLength(2);
  });
});

/** How much more blue than red a colour is. */
function blueness(color: string): number {
  return Number.parseInt(color.slice(5, 7), 16) - Number.parseInt(color.slice(1, 3), 16);
}

describe('two selected tasks', () => {
  const pair: ExplainTarget = { kind: 'tasks', from: { job: 0, task: 0 }, to: { job: 0, task: 9 } };
  const routes: ExplainAnswer = {
    kind: 'routes',
    hops: 2,
    bytes: 16384,
    route: [
      { link: linkId(0, 1), share: 0.5 },
      { link: linkId(1, 9), share: 0.5 },
      { link: linkId(0, 8), share: 0.5 },
      { link: linkId(8, 9), share: 0.5 },
    ],
  };

  it('are asked about: click, then Shift+click', async () => {
    const panel = await host.open({ scene });
    await click(panel, { x: 0, y: 0 });
    expect(await pane(panel).innerText()).toContain('Shift+click another node');
    await click(panel, { x: 1, y: 1 }, ['Shift']);
    expect(await asked(panel)).toEqual([pair]);
  });

  it('show their routes with hops and shares', async () => {
    const panel = await host.open({ scene });
    await click(panel, { x: 0, y: 0 });
    await click(panel, { x: 1, y: 1 }, ['Shift']);
    await answer(panel, pair, routes);
    const text = await pane(panel).innerText();
    expect(text).toContain('job-0 0 → job-0 9');
    expect(text).toMatch(/Hops\s+2/);
    const table = pane(panel).getByRole('table', { name: 'Routes and share of bytes per link' });
    expect(await table.getByRole('row').nth(3).innerText()).toBe('job-0 0 (node 0) → job-0 8 (node 8)\t50 %');
    for (const world of [
      { x: 0.5, y: 0.06 },
      { x: 0.5, y: 1.06 },
    ]) {
      expect(blueness(await colorAt(panel, await pixelOf(panel, scene, world)))).toBeGreaterThan(60);
    }
  });

  it('keep the first when a third is chosen', async () => {
    const panel = await host.open({ scene });
    await click(panel, { x: 0, y: 0 });
    await click(panel, { x: 1, y: 1 }, ['Shift']);
    await click(panel, { x: 3, y: 0 }, ['Shift']);
    expect((await asked(panel)).at(-1)).toEqual({ kind: 'tasks', from: { job: 0, task: 0 }, to: { job: 0, task: 3 } });
  });

  it('are not asked about where a node runs none', async () => {
    const panel = await host.open({ scene });
    await click(panel, { x: 0, y: 0 });
    await click(panel, { x: 7, y: 7 }, ['Shift']);
    expect(await asked(panel)).toEqual([]);
  });
});

describe('the tables', () => {
  it('select by keyboard without going to the text', async () => {
    const panel = await host.open({ scene });
    const { page } = panel;
    await panel.pressTitle('toggle-table');
    await page.getByRole('table', { name: 'Links' }).getByRole('button', { name: 'Explain' }).first().focus();
    await page.keyboard.press('Enter');
    const row = (node: number) =>
      page
        .getByRole('table', { name: 'Nodes' })
        .getByRole('row')
        .nth(node + 1);
    await row(0).getByRole('button', { name: 'Route from' }).focus();
    await page.keyboard.press('Enter');
    await row(9).getByRole('button', { name: 'Route to' }).focus();
    await page.keyboard.press('Enter');
    expect(await asked(panel)).toEqual([link, { kind: 'tasks', from: { job: 0, task: 0 }, to: { job: 0, task: 9 } }]);
    expect((await panel.sent()).filter(({ kind }) => kind === 'reveal')).toEqual([]);
    expect(await row(63).getByRole('button', { name: 'Route' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await row(0).getByRole('button', { name: 'Route from' }).count()).toBe(1);
  });
});
