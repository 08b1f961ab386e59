import { describe, expect, it } from 'vitest';
import { drawScene } from '../../server/drawing/drawScene.ts';
import type { Scene } from '../../server/drawing/scene.ts';
import { torusReport, type ReportOptions } from '../../server/drawing/testing/fixtures.ts';
import { encodeScene } from '../../server/protocol/encoding.ts';
import { protocolVersion } from '../../server/protocol/messages.ts';
import type { ComparedPlacement } from '../../server/protocol/comparePanel.ts';
import type { SavedView } from '../../webview/picture/view.ts';
import { bundleOf } from '../manifest/words.ts';
import { panelForTests } from './testing/panelForTests.ts';
import type { PanelPage } from './testing/panelPage.ts';

/** The panel in which placements stand side by side. */

const host = panelForTests();

/** A placement of one job on a torus, its tasks turned by so many nodes. */
function placed(placement: string, turn: number, options: ReportOptions = {}, side = 4): Scene {
  const tasks = side * side;
  const report = torusReport([side, side], { placement, jobs: [tasks], ...options });
  const [first] = report.jobs;
  const mapping = first!.mapping.map((slot) => (slot + turn) % tasks);
  return drawScene({ ...report, jobs: [{ ...first!, mapping }] });
}

const inOrder = placed('in-order', 0, {
  loads: [
    [0, 1, 800],
    [1, 2, 100],
    [5, 9, 100],
  ],
});
const turned = placed('turned', 1, {
  loads: [
    [0, 1, 400],
    [1, 2, 100],
    [5, 9, 300],
  ],
});
const third = placed('third', 2);

const message = (scene: Scene, more: Partial<ComparedPlacement> = {}): ComparedPlacement => ({
  uri: 'file:///a.place',
  placement: scene.placement,
  file: 'a.place',
  stale: false,
  scene: encodeScene(scene),
  ...more,
});

async function open(
  scenes: readonly ComparedPlacement[],
  options: Parameters<typeof host.open>[0] = {},
): Promise<PanelPage> {
  const panel = await host.open({ script: 'compare.js', width: 1200, height: 700, ...options });
  await panel.send({ kind: 'placements', version: protocolVersion, placements: scenes });
  await panel.settle();
  return panel;
}

const press = (panel: PanelPage, name: string) =>
  panel.page.getByRole('button', { name, exact: false }).first().click();

const both = [message(inOrder), message(turned)];

/** The pixels of every picture that is in sight, as one text each. */
const pixelsOf = ({ page }: PanelPage): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLCanvasElement>('canvas.scene')]
      .filter((canvas) => canvas.clientWidth > 0)
      .map((canvas) => canvas.toDataURL()),
  );

describe('placements side by side', () => {
  it('have their figures with the change against the first, and one scale for all', async () => {
    const { page } = await open(both);
    const cells = await page.locator('.cell').allInnerTexts();
    expect(cells).toHaveLength(2);
    expect(cells[0]).toMatch(/in-order[^]*Maximum link load\s+800 B\s*$/);
    expect(cells[1]).toMatch(/turned[^]*Maximum link load\s+400 B, −50 %/);
    expect(await page.locator('aside').innerText()).toContain(
      'One colour scale (bytes) for all diagrams; thresholds from in-order, maximum 800 B.',
    );
  });

  it('have their figures in German too', async () => {
    const { page } = await open(both, { words: { language: 'de', bundle: bundleOf('l10n/bundle.l10n.de.json') } });
    const cells = await page.locator('.cell').allInnerTexts();
    expect(cells[1]).toMatch(/turned[^]*Mittlere Schritte[^]*Größte Last einer Verbindung\s+400 B, −50 %/);
  });

  it('have one camera: what moves one moves all', async () => {
    // The same placement twice: pictures are alike as long as their views are.
    const panel = await open([message(inOrder), message(inOrder, { uri: 'file:///b.place' })]);
    const [left, right] = await pixelsOf(panel);
    expect(left).toBe(right);
    await panel.page.locator('canvas.scene').nth(1).focus();
    await panel.page.keyboard.press('+');
    await panel.page.keyboard.press('ArrowLeft');
    await panel.settle();
    const [movedLeft, movedRight] = await pixelsOf(panel);
    expect(movedLeft).not.toBe(left);
    expect(movedLeft).toBe(movedRight);
    await press(panel, 'Fit the whole diagram');
    await panel.settle();
    expect(await pixelsOf(panel)).toEqual([left, right]);
  });

  it('say of a task where it is in each, and Esc is the way back', async () => {
    // Of nine nodes one stands in the middle.
    const panel = await open([message(placed('in-order', 0, {}, 3)), message(placed('turned', 1, {}, 3))]);
    await panel.page.locator('canvas.scene').first().click();
    await panel.settle();
    const told = panel.page.locator('.notice');
    expect(await told.innerText()).toContain('job-0 4: in-order node 4, turned node 5');
    await panel.page.keyboard.press('Escape');
    expect(await told.isVisible()).toBe(false);
  });

  it('are refused on different machines, in words where the picture would stand', async () => {
    const { page } = await open([message(inOrder), message(placed('elsewhere', 0, { name: 'other' }))]);
    expect(await page.locator('.cell').nth(1).innerText()).toContain('Compare placements on the same machine.');
    await page.getByRole('button', { name: 'Difference: changes' }).click();
    expect(await page.locator('.reason').innerText()).toContain('Compare placements on the same machine.');
  });

  it('say which of them are out of date, and why one has no picture', async () => {
    const { page } = await open([
      message(inOrder, { stale: true }),
      { uri: 'file:///a.place', placement: 'third', file: 'a.place', stale: true, reason: 'Save the file.' },
    ]);
    expect(await page.getByRole('status').first().innerText()).toBe('Out of date');
    expect(await page.locator('.notice').innerText()).toContain('Out of date: in-order');
    expect(await page.locator('.cell').nth(1).innerText()).toContain('Save the file.');
  });
});

it('lays three dimensions out alike in all pictures, and shows one plane of each', async () => {
  const cube = (placement: string): Scene => drawScene(torusReport([4, 4, 4], { placement }));
  const panel = await open([message(cube('a')), message(cube('a'), { uri: 'file:///b.place' })]);
  const [all] = await pixelsOf(panel);
  await press(panel, 'Next plane');
  await panel.settle();
  const [left, right] = await pixelsOf(panel);
  expect(left).not.toBe(all);
  expect(left).toBe(right);
  await press(panel, 'Difference');
  await panel.settle();
  expect(await panel.page.locator('.planes output').innerText()).toBe('z = 0');
  expect(await panel.savedState()).toMatchObject({ choices: { plane: 0 } });
});

describe('the difference', () => {
  it('tells in its legend what the colours are in bytes, and what moved', async () => {
    const panel = await open(both);
    await press(panel, 'Difference');
    const legend = await panel.page.locator('aside').innerText();
    for (const words of [
      '−400 B',
      '+400 B',
      '1 link has less load, 1 more.',
      '16 of 16 tasks run on another node.',
      '800 B → 400 B, −50 %',
    ])
      expect(legend).toContain(words);
  });

  it('is of the two placements that are chosen, either way', async () => {
    const panel = await open([...both, message(third)]);
    await press(panel, 'Difference');
    await press(panel, 'Swap');
    expect(await panel.page.locator('aside').innerText()).toContain('400 B → 800 B, +100 %');
    await panel.page.getByLabel('After', { exact: true }).selectOption('third');
    expect(await panel.page.getByLabel('Before', { exact: true }).inputValue()).toBe('turned');
    expect(await panel.savedState()).toMatchObject({ mode: 'difference', before: 1, after: 2 });
  });

  it('is seen under the camera of an earlier page', async () => {
    const painted = ({ page }: PanelPage) =>
      page
        .locator('canvas.scene')
        .first()
        .evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
    const panel = await open(both);
    const fitted = await painted(panel);
    const scale = async () =>
      ((await panel.savedState()) as { readonly view?: SavedView } | undefined)?.view?.transform?.k;
    for (let times = 0; times < 3; times++) {
      const left = await scale();
      await press(panel, 'Zoom in (+)');
      // The page writes its camera a little later than it moves it.
      await expect.poll(scale, { timeout: 10_000 }).not.toBe(left);
    }
    await panel.settle();
    const before = await painted(panel);
    expect(before).not.toBe(fitted);
    const again = await open(both, { state: await panel.savedState() });
    await expect.poll(() => painted(again), { timeout: 10_000 }).toBe(before);
  });

  it('is saved as SVG, as PNG and as CSV', async () => {
    const panel = await open(both);
    await press(panel, 'Difference');
    await panel.saveAs({ Format: 'svg' });
    await panel.saveAs({ Format: 'png' });
    await panel.page.waitForFunction(() => window.panelSent.length >= 3);
    await press(panel, 'Table of changes');
    await panel.send({ kind: 'save-form' });
    const [, svg, png, csv] = await panel.sentOfComparison();
    expect(svg).toMatchObject({ kind: 'save', extension: 'svg', name: 'in-order.turned' });
    expect(svg?.kind === 'save' && svg.data).toContain('in-order → turned');
    expect(png?.kind === 'save' && png.data.startsWith('iVBORw0KGgo')).toBe(true);
    expect(csv?.kind === 'save' && csv.data).toBe(
      'from,to,bytes before,bytes after,change in bytes,change in per cent\n0,1,800,400,-400,-50\n5,9,100,300,200,200\n',
    );
  });

  it('hides its arrows when asked to', async () => {
    const panel = await open(both);
    await press(panel, 'Difference');
    await panel.settle();
    const [withArrows] = await pixelsOf(panel);
    await press(panel, 'Arrows');
    await panel.settle();
    expect(await pixelsOf(panel)).not.toEqual([withArrows]);
  });
});

describe('the table of changes', () => {
  const rows = ({ page }: PanelPage): Promise<string[]> =>
    page.locator('.tables tbody').first().locator('tr').allInnerTexts();

  it('begins with the largest change, and is sorted by its titles with the keyboard', async () => {
    const panel = await open(both);
    await press(panel, 'Table of changes');
    expect(await rows(panel)).toEqual([
      expect.stringMatching(/^0\s+1\s+800 B\s+400 B\s+−400 B\s+−50 %/),
      expect.stringMatching(/^5\s+9/),
    ]);
    await panel.page.getByRole('button', { name: 'After' }).focus();
    await panel.page.keyboard.press('Enter');
    expect(await panel.page.getByRole('columnheader', { name: 'After' }).getAttribute('aria-sort')).toBe('descending');
    await panel.page.keyboard.press('Enter');
    expect((await rows(panel))[0]).toMatch(/^5\s+9/);
    expect(await panel.page.getByRole('columnheader', { name: 'After' }).getAttribute('aria-sort')).toBe('ascending');
  });

  it('is filtered by what is typed, and has the tasks too', async () => {
    const panel = await open(both);
    await press(panel, 'Table of changes');
    await panel.page.getByLabel('Filter').fill('+');
    expect(await rows(panel)).toEqual([expect.stringMatching(/^5\s+9\s+100 B\s+300 B\s+\+200 B\s+\+200 %/)]);
    await panel.page.getByLabel('Filter').fill('');
    await panel.page.getByLabel('Rows', { exact: true }).selectOption('Tasks');
    const tasks = await rows(panel);
    expect(tasks).toHaveLength(16);
    expect(tasks[3]).toMatch(/job-0\s+3\s+node 3 \(3, 0\)\s+node 4 \(0, 1\)/);
  });

  it('shows a row in the picture', async () => {
    const panel = await open(both);
    await press(panel, 'Difference');
    await panel.settle();
    const [plain] = await pixelsOf(panel);
    await press(panel, 'Table of changes');
    await panel.page.getByRole('button', { name: 'Show' }).first().click();
    await panel.settle();
    expect(await panel.page.getByRole('button', { name: 'Difference: changes' }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    expect(await pixelsOf(panel)).not.toEqual([plain]);
  });
});

it('asks for other placements, and for the picture of one', async () => {
  const panel = await open(both);
  await press(panel, 'Choose');
  await panel.page.getByRole('button', { name: 'turned' }).click();
  expect(await panel.sentOfComparison()).toEqual([{ kind: 'ready' }, { kind: 'choose' }, { kind: 'show', index: 1 }]);
});

describe('in every theme', () => {
  it.each([
    [400, 'Side by side'],
    [400, 'Difference'],
    [400, 'Table of changes'],
    [2000, 'Side by side'],
    [2000, 'Difference'],
    [2000, 'Table of changes'],
  ])('axe-core finds nothing wrong at %s pixels: %s', async (width, view) => {
    const panel = await open([...both, message(third)], { width });
    await press(panel, view);
    await panel.settle();
    expect(await panel.findings()).toEqual([]);
  });

  it.each(['Side by side', 'Difference'])('axe-core finds nothing wrong with the form that saves: %s', async (view) => {
    const panel = await open(both);
    await press(panel, view);
    await panel.settle();
    expect(await panel.findingsOfForm()).toEqual([]);
  });
});
