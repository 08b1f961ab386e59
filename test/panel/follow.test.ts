import { describe, expect, it } from 'vitest';
import { pictureOf } from '../../server/drawing/drawScene.ts';
import { torusReport } from '../../server/drawing/testing/fixtures.ts';
import type { MenuContext } from '../../server/protocol/panel.ts';
import { pixelOf, colorAt } from './testing/pixels.ts';
import { panelForTests } from './testing/panelForTests.ts';
import { darkTheme, type PanelPage } from './testing/panelPage.ts';

/** The picture follows the text, its title buttons and its menus: what a user sees, and what the host is told. */

const first = torusReport([8, 8], {
  placement: 'first-try',
  jobs: [24, 30],
  loads: [
    [0, 1, 65536],
    [1, 2, 8192],
  ],
});
const better = torusReport([8, 8], {
  placement: 'better',
  jobs: [24, 30],
  loads: [
    [0, 1, 32768],
    [1, 2, 8192],
  ],
});
const drawn = pictureOf(better, first);
if (!drawn.ok) throw new Error(drawn.failure.message);
const scene = drawn.value;

const host = panelForTests();

const lit = (panel: PanelPage) => panel.page.locator('.lit');

/** What the editor would be told of the menu at the focus or pointer. */
const menu = (panel: PanelPage): Promise<MenuContext> =>
  panel.page.evaluate(
    () => JSON.parse(document.querySelector('canvas.scene')!.getAttribute('data-vscode-context')!) as MenuContext,
  );

const transform = async (panel: PanelPage): Promise<unknown> => {
  await panel.page.waitForTimeout(600);
  return ((await panel.savedState()) as { readonly view: unknown }).view;
};

describe('the cursor of the text', () => {
  it('outlines and names what it stands on, and moves nothing that is in sight', async () => {
    const panel = await host.open({ scene, width: 1200, height: 900 });
    const before = await transform(panel);
    const { x, y } = await pixelOf(panel, scene, { x: 3, y: 4 });
    const size = scene.nodes.size[0]!;
    const corner = await pixelOf(panel, scene, { x: 3 - size, y: 4 });
    await panel.send({ kind: 'cursor', isHere: true, things: { kind: 'nodes', first: 35, last: 35 } });
    await panel.settle();
    expect(await lit(panel).innerText()).toBe('In the text: node 35');
    expect(await panel.page.getByRole('heading', { level: 1 }).getAttribute('class')).toBe('here');
    expect(await transform(panel)).toEqual(before);
    const overlay = await panel.page.evaluate(
      ([left, top]) => {
        const canvas = document.querySelector<HTMLCanvasElement>('canvas.highlight')!;
        const { x: offsetX, y: offsetY } = canvas.getBoundingClientRect();
        const ratio = devicePixelRatio;
        return [
          ...canvas.getContext('2d')!.getImageData((left! - offsetX) * ratio, (top! - offsetY) * ratio, 1, 1).data,
        ];
      },
      [corner.x - 2, corner.y],
    );
    expect(overlay[3]).toBe(255);
    await panel.send({ kind: 'cursor', isHere: false });
    await panel.settle();
    expect(await lit(panel).isVisible()).toBe(false);
    expect(await colorAt(panel, { x, y })).toBeDefined();
  });

  it('brings what is out of sight just into sight', async () => {
    const panel = await host.open({ scene, width: 1200, height: 900 });
    for (let step = 0; step < 8; step++) await panel.page.getByRole('button', { name: 'Zoom in' }).click();
    const before = (await transform(panel)) as { readonly transform: { readonly k: number; readonly x: number } };
    await panel.send({ kind: 'cursor', isHere: true, things: { kind: 'nodes', first: 0, last: 0 } });
    await panel.settle();
    const after = (await transform(panel)) as typeof before;
    expect(after.transform.k).toBe(before.transform.k);
    expect(after.transform.x).not.toBe(before.transform.x);
    // At the margin, not in the middle.
    expect(scene.nodes.x[0]! * after.transform.k + after.transform.x).toBeCloseTo(24, 3);
  });

  it('lights nothing that is selected already, and nothing of another placement', async () => {
    const panel = await host.open({ scene, width: 1200, height: 900 });
    const { x, y } = await pixelOf(panel, scene, { x: 3, y: 4 });
    await panel.page.mouse.click(x, y);
    await panel.send({ kind: 'cursor', isHere: true, things: { kind: 'nodes', first: 35, last: 35 } });
    await panel.settle();
    expect(await lit(panel).isVisible()).toBe(false);
    await panel.page.keyboard.press('Escape');
    await panel.settle();
    expect(await lit(panel).innerText()).toBe('In the text: node 35');
    await panel.send({ kind: 'cursor', isHere: true, things: { kind: 'jobs', jobs: ['gone'] } });
    await panel.settle();
    expect(await lit(panel).isVisible()).toBe(false);
  });

  it('is forgotten by a picture that is locked, which says so and says it again after a restart', async () => {
    const panel = await host.open({ scene });
    await panel.send({ kind: 'locked', isLocked: true });
    expect(await panel.page.getByText('locked', { exact: true }).isVisible()).toBe(true);
    await panel.page.waitForTimeout(600);
    const again = await host.open({ state: await panel.savedState() });
    expect(await again.sent()).toContainEqual({ kind: 'keep-locked' });
  });
});

describe('the figures', () => {
  it('show their change against the first placement, and which that is', async () => {
    const { page } = await host.open({ scene, theme: darkTheme });
    const text = await page.getByRole('complementary').innerText();
    expect(text).toMatch(/Maximum link load\n32 KiB\s+−50 %/);
    expect(text).toContain('Change from first-try, the baseline placement of these jobs.');
  });

  it.each([270, 330, 400])('fit into %i pixels', async (width) => {
    const { page } = await host.open({ scene, width, height: 900 });
    const beyond = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('aside dt, aside dd, aside p')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth)
        .map((one) => one.textContent),
    );
    expect(beyond).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
});

describe('the legend', () => {
  it('tells of numbers in nodes where some are drawn', async () => {
    const panel = await host.open({ scene, width: 1200, height: 900 });
    const aside = panel.page.getByRole('complementary');
    expect(await aside.innerText()).toContain('Node labels: tasks');
    await panel.page.setViewportSize({ width: 640, height: 260 });
    await panel.settle();
    expect(await aside.innerText()).not.toContain('Numbers in nodes');
  });
});

describe('the menu', () => {
  it('of a node, of a link and of the ground says what they are', async () => {
    const panel = await host.open({ scene, width: 1200, height: 900 });
    const at = async (x: number, y: number) => {
      const pixel = await pixelOf(panel, scene, { x, y });
      await panel.page.mouse.click(pixel.x, pixel.y, { button: 'right' });
      return menu(panel);
    };
    expect(await at(3, 4)).toMatchObject({
      webviewSection: 'placewright.node',
      preventDefaultContextMenuItems: true,
      placewrightThing: { kind: 'node', node: 35 },
      placewrightName: 'node 35',
      placewrightCoordinates: '(3, 4)',
    });
    const link = await at(0.5, 0);
    expect(link).toMatchObject({ webviewSection: 'placewright.link', placewrightThing: { kind: 'link' } });
    expect(link.placewrightName).toMatch(/node [01].* → .*node [01]/);
    expect(await at(0.5, 0.5)).toMatchObject({ webviewSection: 'placewright.ground', placewrightName: '' });
  });

  it('by keys is that of where the keys are, or of what is selected', async () => {
    const panel = await host.open({ scene, width: 1200, height: 900 });
    const { x, y } = await pixelOf(panel, scene, { x: 3, y: 4 });
    await panel.page.mouse.click(x, y);
    await panel.page.keyboard.press('Shift+F10');
    expect(await menu(panel)).toMatchObject({ placewrightThing: { kind: 'node', node: 35 } });
    await panel.page.locator('canvas.scene').focus();
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.keyboard.press('Shift+F10');
    expect(await menu(panel)).toMatchObject({ placewrightThing: { kind: 'node', node: 36 } });
  });

  it('explains, goes to the text, previews and keeps only the flows of a thing', async () => {
    const panel = await host.open({ scene });
    const thing = { kind: 'node', node: 0 } as const;
    await panel.send({ kind: 'act', action: 'explain', thing });
    await panel.settle();
    expect(await panel.page.getByRole('region', { name: 'Explanation' }).innerText()).toContain('Node 0');
    await panel.send({ kind: 'act', action: 'reveal', thing });
    const link = scene.links.forwardLink[0]!;
    await panel.send({ kind: 'act', action: 'improve', thing: { kind: 'link', link } });
    await panel.send({ kind: 'act', action: 'go-to-text' });
    await panel.send({ kind: 'act', action: 'clear' });
    await panel.send({ kind: 'act', action: 'go-to-text' });
    await panel.send({ kind: 'act', action: 'save-csv' });
    const sent = await panel.sent();
    expect(sent).toContainEqual({ kind: 'reveal', target: { kind: 'node', node: 0 } });
    expect(sent).toContainEqual({ kind: 'preview-improvement', link, index: 0 });
    expect(sent).toContainEqual({ kind: 'reveal', target: { kind: 'placement' } });
    expect(sent.at(-1)).toMatchObject({ kind: 'save', extension: 'csv', name: 'links' });
  });

  it('keeps only the flows of a link: other cables are not painted', async () => {
    const panel = await host.open({ scene, width: 1200, height: 900 });
    const other = await pixelOf(panel, scene, { x: 1.5, y: 0.058 });
    const painted = await colorAt(panel, other);
    const place = scene.links.from.findIndex((from, entry) => from === 0 && scene.links.to[entry] === 1);
    await panel.send({ kind: 'act', action: 'keep', thing: { kind: 'link', link: scene.links.forwardLink[place]! } });
    await panel.settle();
    expect(await colorAt(panel, other)).not.toBe(painted);
    expect(await colorAt(panel, other)).toBe('#ffffff');
    await panel.send({ kind: 'act', action: 'toggle-table' });
    expect(await panel.page.getByRole('table').first().isVisible()).toBe(true);
  });
});
