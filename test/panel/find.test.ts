import { describe, expect, it } from 'vitest';
import { drawScene } from '../../server/drawing/drawScene.ts';
import { fabricOf, fabricReport, torusReport, withTraffic } from '../../server/drawing/testing/fixtures.ts';
import { panelForTests } from './testing/panelForTests.ts';
import type { PanelPage } from './testing/panelPage.ts';
import { pixelOf } from './testing/pixels.ts';

/** Whatever stands in the picture is found by its name and reached by keys. */

const scene = drawScene(withTraffic(torusReport([8, 8], { jobs: [24, 30] }), [[0, 1, 2048]]));
const fabric = drawScene(fabricReport('from', { fabric: fabricOf(2, 3, 4), jobs: [10] }));
const host = panelForTests();

const pane = ({ page }: PanelPage) => page.getByRole('region', { name: 'Explanation' });
const spoken = ({ page }: PanelPage) => page.locator('.spoken');

describe('the box that finds', () => {
  it('goes from match to match, selects them and says how many there are', async () => {
    const panel = await host.open({ scene });
    const { page } = panel;
    await page.locator('canvas.scene').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('11');
    await panel.settle();
    expect(await page.locator('.count').innerText()).toBe('1 of 2');
    expect(await pane(panel).innerText()).toContain('job-0: 11');
    await page.keyboard.press('Enter');
    await panel.settle();
    expect(await pane(panel).innerText()).toContain('job-1: 11');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('scene pointing');
  });

  it.each([
    ['(3, 4)', 'Node 35 (3, 4)'],
    ['node 9', 'Node 9 (1, 1)'],
    ['job-1 0', 'Node 24 (0, 3)'],
  ])('understands %s', async (text, title) => {
    const panel = await host.open({ scene });
    await panel.page.getByRole('searchbox').fill(text);
    await panel.settle();
    expect(await pane(panel).innerText()).toContain(title);
  });

  it('finds hosts and switches by a part of their name, and says where it finds none', async () => {
    const panel = await host.open({ scene: fabric });
    const box = panel.page.getByRole('searchbox');
    await box.fill('host-7');
    await panel.settle();
    expect(await pane(panel).innerText()).toContain('host-7, node 7');
    await box.fill('leaf-');
    await panel.settle();
    expect(await panel.page.locator('.count').innerText()).toBe('1 of 3');
    expect(await spoken(panel).innerText()).toContain('leaf-0, 4 hosts');
    await box.fill('nowhere');
    expect(await panel.page.locator('.count').innerText()).toBe('none');
  });
});

describe('keys', () => {
  it('go from node to node and round the links of a node; Enter selects, and then goes to the text', async () => {
    const panel = await host.open({ scene });
    const { page } = panel;
    await page.locator('canvas.scene').focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    expect(await spoken(panel).innerText()).toContain('Node 9 (1, 1)');
    await page.keyboard.press('l');
    const first = await spoken(panel).innerText();
    expect(first).toContain('Link ');
    for (let press = 0; press < 3; press++) await page.keyboard.press('l');
    expect(await spoken(panel).innerText()).not.toBe(first);
    await page.keyboard.press('l');
    expect(await spoken(panel).innerText()).toBe(first);
    await page.keyboard.press('Enter');
    await panel.settle();
    expect((await panel.sent()).at(-1)).toMatchObject({ kind: 'explain', target: { kind: 'link' } });
    await page.keyboard.press('Enter');
    expect((await panel.sent()).at(-1)).toMatchObject({ kind: 'reveal', target: { kind: 'link' } });
    await page.keyboard.press('ArrowLeft');
    expect(await spoken(panel).innerText()).toContain('Node ');
  });

  it('go on from what was clicked; Enter goes to its text', async () => {
    const panel = await host.open({ scene });
    const { page } = panel;
    const at = await pixelOf(panel, scene, { x: scene.nodes.x[9]!, y: scene.nodes.y[9]! });
    await page.mouse.click(at.x, at.y);
    await page.keyboard.press('Enter');
    expect((await panel.sent()).at(-1)).toEqual({ kind: 'reveal', target: { kind: 'node', node: 9 } });
    await page.keyboard.press('l');
    expect(await spoken(panel).innerText()).toMatch(/^Link .*\b9\b/);
    await page.keyboard.press('ArrowRight');
    expect(await spoken(panel).innerText()).not.toContain('Node 0 ');
  });

  it('reach switches and hosts', async () => {
    const panel = await host.open({ scene: fabric });
    const { page } = panel;
    await page.locator('canvas.scene').focus();
    const seen = new Set<string>();
    for (const key of ['ArrowRight', ...Array<string>(6).fill('ArrowUp'), ...Array<string>(6).fill('ArrowRight')]) {
      await page.keyboard.press(key);
      seen.add((await spoken(panel).innerText()).split(',')[0]!);
    }
    expect([...seen].some((name) => name.startsWith('spine-'))).toBe(true);
    await page.keyboard.press('L');
    expect(await spoken(panel).innerText()).toContain('Link ');
  });
});

describe('a node that is clicked', () => {
  it('tells host, place and bytes, and whom it talks with; one partner alone comes out', async () => {
    const panel = await host.open({ scene });
    const { page } = panel;
    await page.getByRole('searchbox').fill('node 0');
    await panel.settle();
    expect((await panel.sent()).at(-1)).toEqual({ kind: 'explain', target: { kind: 'node', node: 0 } });
    const partners = [1, 8].map((node) => ({ node, sent: 1024 * node, received: 0, route: [] }));
    await panel.send({
      kind: 'explained',
      target: { kind: 'node', node: 0 },
      answer: { kind: 'partners', partners, partnerCount: 2 },
    });
    await panel.settle();
    const text = await pane(panel).innerText();
    for (const part of ['Coordinates\n(0, 0)', 'Sent to other nodes\n2 KiB', '2 partners', 'job-0 8 (node 8)'])
      expect(text).toContain(part);
    const one = pane(panel).getByRole('button', { name: 'job-0 8 (node 8)' });
    await one.click();
    expect(await one.getAttribute('aria-pressed')).toBe('true');
  });
});

describe('figures', () => {
  it('are four, and the others unfold', async () => {
    const panel = await host.open({ scene });
    const section = panel.page.locator('section', { hasText: 'Metrics' });
    expect(await section.locator('dd:visible').count()).toBe(4);
    await section.getByText('more').click();
    expect(await section.locator('dd:visible').count()).toBe(scene.figures.length);
    await panel.show(scene);
    expect(await section.locator('dd:visible').count()).toBe(scene.figures.length);
  });
});
