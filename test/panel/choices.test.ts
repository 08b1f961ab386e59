import { describe, expect, it } from 'vitest';
import { drawScene } from '../../server/drawing/drawScene.ts';
import { laidOut } from '../../server/drawing/projections.ts';
import { loadStep, withScale } from '../../server/drawing/loadScale.ts';
import { torusReport, unequalReport } from '../../server/drawing/testing/fixtures.ts';
import { panelForTests } from './testing/panelForTests.ts';
import { darkTheme, highContrastTheme, type PanelPage } from './testing/panelPage.ts';
import { colorAt, pixelOf } from './testing/pixels.ts';

/** How the reader chooses to see a picture. */

const loads = [
  [0, 1, 65536],
  [1, 0, 1024],
  [1, 2, 8192],
  [2, 3, 8192],
] as const;
const plane = drawScene(torusReport([4, 4], { jobs: [10], loads }));
const cube = drawScene(torusReport([4, 4, 4], { jobs: [20, 30] }));

const host = panelForTests();

const choose = async (panel: PanelPage, list: string, option: string): Promise<void> => {
  await panel.page.getByRole('combobox', { name: list }).selectOption(option);
  await panel.settle();
};

describe('what stands in nodes', () => {
  it('is chosen, and the legend, links and the next picture go by it', async () => {
    const panel = await host.open({ scene: plane });
    const { page } = panel;
    const legend = page.getByRole('complementary');
    expect(await legend.innerText()).toContain('Node labels: tasks');
    await choose(panel, 'Node labels', 'coordinates');
    expect(await legend.innerText()).toContain('Node labels: coordinates');
    const link = await pixelOf(panel, plane, { x: 0.5, y: 0 });
    await page.mouse.move(link.x, link.y);
    expect(await page.getByRole('tooltip').innerText()).toContain('Link (0, 0) (task 0) – (1, 0) (task 1)');
    await panel.show(plane);
    expect(await page.getByRole('combobox', { name: 'Node labels' }).inputValue()).toBe('coordinates');
    expect(await page.getByRole('combobox', { name: 'Node labels' }).innerText()).not.toContain('hosts');
  });

  it('keeps the focus on what was chosen with', async () => {
    const panel = await host.open({ scene: plane });
    await panel.page.getByRole('combobox', { name: 'Node labels' }).focus();
    await panel.page.keyboard.press('ArrowDown');
    await panel.settle();
    expect(await panel.page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT');
  });
});

describe('the scale', () => {
  it('may end where the reader says, so that pictures can be compared', async () => {
    const panel = await host.open({ scene: plane, width: 1100, height: 800 });
    const { page } = panel;
    const field = page.getByRole('textbox', { name: 'maximum' });
    expect(await field.getAttribute('placeholder')).toBe('64 KiB');
    await field.fill('1 MiB');
    await field.press('Enter');
    await panel.settle();
    expect(await page.getByRole('complementary').innerText()).toContain('Scale maximum: 1 MiB.');
    const scaled = withScale(plane, { ...plane.loadLegend.scale, maximum: 2 ** 20 });
    const step = loadStep(65536, scaled.loadLegend.scale);
    expect(step).toBeLessThan(9);
    const at = await pixelOf(panel, plane, { x: 0.5, y: 0.058 });
    expect(await colorAt(panel, at)).toBe(plane.loadLegend.colors[step]);
    await field.fill('much');
    await field.press('Enter');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
  });

  it('may go by factors', async () => {
    const panel = await host.open({ scene: plane });
    await choose(panel, 'Scale', 'logarithmic');
    expect(await panel.page.getByRole('complementary').innerText()).toContain('Logarithmic scale');
  });
});

describe('links that are not all as fast', () => {
  const unequal = drawScene(unequalReport({ jobs: [6] }));
  const ends = (link: number): { x: number; y: number } => ({
    x: (unequal.links.x1[link]! + unequal.links.x2[link]!) / 2,
    y: (unequal.links.y1[link]! + unequal.links.y2[link]!) / 2,
  });
  const slow = unequal.links.from.findIndex((from, link) => from === 0 && unequal.links.to[link] === 3);

  it('are coloured by utilisation or by bytes, as the reader chooses; legend and histogram say by which', async () => {
    const panel = await host.open({ scene: unequal, height: 1400 });
    const legend = panel.page.getByRole('complementary');
    const bins = panel.page.locator('section.histogram', { hasText: 'Links by load' }).locator('.bin').last();
    expect(await legend.innerText()).toContain('Utilisation');
    expect(await legend.innerText()).toContain('100 % = 4 ms (bottleneck link)');
    expect(await bins.getAttribute('title')).toMatch(/^3\.833 ms to 4 ms: 1 link/);
    const middle = await pixelOf(panel, unequal, ends(slow));
    const hot = await colorAt(panel, { x: middle.x - 3, y: middle.y });
    await choose(panel, 'Colours', 'bytes');
    expect(await legend.innerText()).toContain('Link load in bytes');
    expect(await bins.getAttribute('title')).toMatch(/MiB to 9\.537 MiB: 1 link/);
    expect(await colorAt(panel, { x: middle.x - 3, y: middle.y })).not.toBe(hot);
    const field = panel.page.getByRole('textbox', { name: 'maximum' });
    await field.fill('2 ms');
    await field.press('Enter');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await choose(panel, 'Colours', 'capacity');
    await field.fill('8 ms');
    await field.press('Enter');
    expect(await legend.innerText()).toContain('Scale maximum: 8 ms.');
  });

  it('say both bytes and time where they are pointed at, and in the table', async () => {
    const panel = await host.open({ scene: unequal });
    const { x, y } = await pixelOf(panel, unequal, ends(slow));
    await panel.page.mouse.move(x, y);
    expect(await panel.page.getByRole('tooltip').innerText()).toContain('3.815 MiB, 4 ms: 100 % utilisation');
    await panel.pressTitle('toggle-table');
    const table = panel.page.getByRole('table', { name: 'Links' });
    expect(await table.locator('thead').innerText()).toMatch(/Load →\s+Load ←\s+Time →\s+Time ←\s+Utilisation\s+Hot/);
    const first = await table.locator('tbody tr').first().locator('th, td').allInnerTexts();
    expect(first.slice(0, 8)).toEqual(['0', '3', '3.815 MiB', '0 B', '4 ms', '0 s', '100 %', 'hot']);
  });

  it('leave nothing to choose where all are as fast', async () => {
    const panel = await host.open({ scene: plane });
    expect(await panel.page.getByRole('combobox', { name: 'Colours' }).count()).toBe(0);
    expect(await panel.page.getByRole('complementary').innerText()).not.toContain('capacity');
  });
});

describe('three dimensions', () => {
  it('stand as planes side by side, or in axonometry', async () => {
    const panel = await host.open({ scene: cube });
    const planes = panel.page.getByRole('group', { name: 'Planes' });
    expect(await planes.innerText()).toContain('all');
    await choose(panel, 'Planes', 'axonometric');
    const folded = laidOut(cube, { projection: 'axonometric' });
    const entry = folded.nodes.id.indexOf(63);
    expect(folded.nodes.x[entry]).not.toBe(cube.nodes.x[cube.nodes.id.indexOf(63)]);
    expect(folded.links.from.length).toBeLessThan(cube.links.from.length);
    await choose(panel, 'Planes', 'slices');
    expect(laidOut(folded, { projection: 'slices' })).toEqual(cube);
  });

  it('are gone through plane by plane, by button and by key', async () => {
    const panel = await host.open({ scene: cube });
    const { page } = panel;
    const planes = page.getByRole('group', { name: 'Planes' });
    await page.getByRole('button', { name: 'Next plane' }).click();
    expect(await planes.innerText()).toContain('z = 0');
    await page.locator('canvas.scene').focus();
    for (let press = 0; press < 5; press++) await page.keyboard.press(']');
    expect(await planes.innerText()).toContain('z = 3');
    await page.keyboard.press('[');
    expect(await planes.innerText()).toContain('z = 2');
    expect(await page.getByRole('slider', { name: 'Plane' }).getAttribute('aria-valuetext')).toBe('z = 2');
  });

  it('are not covered by what is said below the picture, which does not move for it', async () => {
    const panel = await host.open({ scene: drawScene(torusReport([4, 4, 4])) });
    const planes = panel.page.getByRole('group', { name: 'Planes' });
    const canvas = panel.page.locator('canvas.scene');
    const before = await canvas.boundingBox();
    await panel.send({ kind: 'standing', stale: true, status: { kind: 'failed', message: 'It has errors.' } });
    const notice = (await panel.page.locator('.notice').boundingBox())!;
    const { y, height } = (await planes.boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(notice.y);
    expect(await canvas.boundingBox()).toEqual(before);
  });

  it.each([320, 400, 700])('stand below the picture, in a panel of %i pixels', async (width) => {
    const panel = await host.open({ scene: drawScene(torusReport([4, 4, 4])), width });
    const picture = (await panel.page.locator('canvas.scene').boundingBox())!;
    const planes = (await panel.page.getByRole('group', { name: 'Planes' }).boundingBox())!;
    expect(planes.y).toBeGreaterThanOrEqual(picture.y + picture.height);
    expect(planes.x).toBeGreaterThan(0);
    expect(await panel.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

  it.each([
    ['dark', darkTheme],
    ['high contrast', highContrastTheme],
  ])('are gone through by a slider whose bar is not white on a %s theme', async (_name, theme) => {
    const { page } = await host.open({ scene: cube, theme });
    const shot = await page.getByRole('slider', { name: 'Plane' }).screenshot();
    const brightest = await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      // Its thumb stands at the left.
      const half = Math.floor(bitmap.width / 2);
      return context
        .getImageData(half, 0, half, bitmap.height)
        .data.reduce((most, value, at) => (at % 4 === 3 ? most : Math.max(most, value)), 0);
    }, shot.toString('base64'));
    expect(brightest).toBeGreaterThan(40);
    expect(brightest).toBeLessThan(160);
  });

  it('have no planes to choose from where the picture is flat', async () => {
    const { page } = await host.open({ scene: plane });
    expect(await page.getByRole('group', { name: 'Planes' }).count()).toBe(0);
  });
});
