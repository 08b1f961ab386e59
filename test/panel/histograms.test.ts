import { describe, expect, it } from 'vitest';
import { drawScene } from '../../server/drawing/drawScene.ts';
import type { Scene } from '../../server/drawing/scene.ts';
import { torusReport } from '../../server/drawing/testing/fixtures.ts';
import { machinePicture } from '../../server/drawing/machine.ts';
import { neverCancelled } from '../../server/model/cancellation.ts';
import { machineFigures } from '../../server/study/machineFigures.ts';
import { panelForTests } from './testing/panelForTests.ts';
import { type PanelPage } from './testing/panelPage.ts';
import { colorAt, pixelOf, type Point } from './testing/pixels.ts';

/** Histograms beside the picture, and what is kept of it by them. */

const host = panelForTests();

/** Of 16 bytes on one link, half of it on another, and little on two more. */
const report = torusReport([4, 4], {
  loads: [
    [0, 1, 1600],
    [5, 6, 800],
    [9, 10, 60],
    [10, 9, 60],
  ],
});
const hops = { pairs: Float64Array.of(2, 4, 3, 1), bytes: Float64Array.of(100, 400, 300, 200) };
const scene: Scene = drawScene({ ...report, hops });

/** The middle of the cable between two neighbours of a row. */
const cable = (from: number): Point => {
  const { x, y } = scene.nodes;
  return { x: (x[from]! + x[from + 1]!) / 2, y: y[from]! };
};

const bars = ({ page }: PanelPage, name: string) => page.locator('section.histogram', { hasText: name });
const told = (panel: PanelPage, name: string) => bars(panel, name).locator('p').innerText();

/** Whether the cable to the right of each of these nodes is painted. */
async function painted(panel: PanelPage, nodes: readonly number[]): Promise<boolean[]> {
  await panel.settle();
  const seen: boolean[] = [];
  for (const node of nodes) {
    const middle = await pixelOf(panel, scene, cable(node));
    const colors = await Promise.all(
      [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5].map((down) => colorAt(panel, { x: middle.x, y: middle.y + down })),
    );
    seen.push(colors.some((color) => color !== '#ffffff'));
  }
  return seen;
}

describe('links by load', () => {
  it('tell how many links carry how much, with the mean and where links are hot', async () => {
    const panel = await host.open({ scene, height: 1400 });
    expect(await told(panel, 'Links by load')).toBe('All: 4 links, 100 % of used links');
    expect(await bars(panel, 'Links by load').locator('.bin').count()).toBe(24);
    expect(await bars(panel, 'Links by load').locator('.line').allInnerTexts()).toEqual(['mean', 'hot']);
  });

  it.each([
    ['near one another', [8000, 300, 300, 300, 300, 300, 300, 300], undefined, true],
    ['near one another at the end', [1600, 1300, 1300], 1500, true],
    ['far apart', [1600, 300, 300], undefined, false],
  ])('names of lines lie neither on one another nor on lines: %s', async (_name, amounts, hotFrom, areTwo) => {
    const loads = amounts.map((amount, index) => [2 * index, 2 * index + 1, amount] as const);
    const { hotFrom: usual, ...rest } = torusReport([4, 4], { loads });
    const panel = await host.open({ scene: drawScene({ ...rest, hotFrom: hotFrom ?? usual }), height: 1400 });
    const boxes = async (selector: string): Promise<readonly DOMRect[]> =>
      bars(panel, 'Links by load')
        .locator(selector)
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect));
    const [names, lines, [title]] = [await boxes('.line > span'), await boxes('.line'), await boxes('h2')];
    expect(names).toHaveLength(2);
    const meet = (one: DOMRect, other: DOMRect): boolean =>
      one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
    expect(meet(names[0]!, names[1]!)).toBe(false);
    expect(names[0]!.top !== names[1]!.top).toBe(areTwo);
    names.forEach((name, index) => {
      expect(meet(name, lines[1 - index]!)).toBe(false);
      expect(name.top).toBeGreaterThanOrEqual(title!.bottom);
    });
  });

  it('keep the links of a range that is dragged over, until Escape', async () => {
    const panel = await host.open({ scene, height: 1400 });
    expect(await painted(panel, [0, 5, 9, 2])).toEqual([true, true, true, true]);
    const box = (await bars(panel, 'Links by load').locator('.bins').boundingBox())!;
    await panel.page.mouse.move(box.x + box.width * 0.4, box.y + 30);
    await panel.page.mouse.down();
    await panel.page.mouse.move(box.x + box.width * 0.6, box.y + 30, { steps: 4 });
    await panel.page.mouse.up();
    expect(await told(panel, 'Links by load')).toMatch(/^600 B to 1,000 B: 1 link, 25 % of used links$/);
    expect(await painted(panel, [0, 5, 9, 2])).toEqual([false, true, false, false]);
    await panel.page.keyboard.press('Escape');
    expect(await painted(panel, [0, 5, 9, 2])).toEqual([true, true, true, true]);
  });

  it('are chosen by keys as well, and of bars of unequal height small ones can be made out', async () => {
    const panel = await host.open({ scene, height: 1400 });
    const { page } = panel;
    await page.getByRole('slider', { name: 'Links by load, from' }).focus();
    await page.keyboard.press('End');
    expect(await told(panel, 'Links by load')).toContain('1 link, 25 %');
    expect(await painted(panel, [0, 5, 9])).toEqual([true, false, false]);
    await bars(panel, 'Links by load').getByRole('button', { name: 'All' }).click();
    expect(await painted(panel, [0, 5, 9])).toEqual([true, true, true]);
    const heightOf = async () =>
      (await bars(panel, 'Links by load').locator('.bin > span').nth(12).boundingBox())!.height;
    const linear = await heightOf();
    await bars(panel, 'Links by load').getByLabel('Bars').selectOption('logarithmic');
    expect(await heightOf()).toBeGreaterThan(linear);
  });
});

describe('bytes by hops', () => {
  it('ask for the flows of a range and bring their links out', async () => {
    const panel = await host.open({ scene, height: 1400 });
    expect(await told(panel, 'Bytes by hops')).toBe('All: 1,000 B, 100 %, of 10 pairs');
    const from = panel.page.getByRole('slider', { name: 'Bytes by hops, from' });
    await from.focus();
    await panel.page.keyboard.press('End');
    expect(await from.getAttribute('aria-valuetext')).toBe('3 hops');
    expect(await told(panel, 'Bytes by hops')).toBe('3 hops: 200 B, 20 %, of 1 pair');
    const target = { kind: 'hops', least: 3, most: 3 } as const;
    expect((await panel.sent()).at(-1)).toEqual({ kind: 'explain', target });
    const before = await colorAt(panel, await pixelOf(panel, scene, cable(9)));
    const { links } = scene;
    const entry = [...links.from.keys()].find((one) => links.from[one] === 9 && links.to[one] === 10)!;
    const answer = {
      kind: 'kept',
      pairs: 1,
      bytes: 200,
      links: [{ link: links.forwardLink[entry]!, share: 1 }],
      nodes: [9, 10],
    } as const;
    // An answer to an earlier question changes nothing.
    await panel.send({ kind: 'explained', target: { ...target, least: 1 }, answer });
    await panel.settle();
    expect(await colorAt(panel, await pixelOf(panel, scene, cable(9)))).toBe(before);
    await panel.send({ kind: 'explained', target, answer });
    await panel.settle();
    expect(await painted(panel, [9])).toEqual([true]);
    const faded = await colorAt(panel, await pixelOf(panel, scene, cable(0)));
    await panel.page.keyboard.press('Escape');
    await panel.settle();
    expect(await colorAt(panel, await pixelOf(panel, scene, cable(0)))).not.toBe(faded);
  });

  it('give way to what is selected in the picture', async () => {
    const panel = await host.open({ scene, height: 1400 });
    await panel.page.getByRole('slider', { name: 'Links by load, from' }).focus();
    await panel.page.keyboard.press('End');
    const at = await pixelOf(panel, scene, { x: scene.nodes.x[3]!, y: scene.nodes.y[3]! });
    await panel.page.mouse.click(at.x, at.y);
    await panel.settle();
    expect(await told(panel, 'Links by load')).toMatch(/^All/);
    expect(await painted(panel, [5])).toEqual([true]);
  });

  it('are not there for a machine by itself', async () => {
    const picture = machinePicture(report.machine, machineFigures(report.machine, neverCancelled));
    if (!picture.ok) throw new Error(picture.failure.message);
    const panel = await host.open({ scene: picture.value });
    expect(await panel.page.locator('section.histogram:visible').count()).toBe(0);
  });
});
