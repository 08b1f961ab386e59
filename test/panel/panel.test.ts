import { describe, expect, it } from 'vitest';
import { drawScene } from '../../server/drawing/drawScene.ts';
import type { Scene } from '../../server/drawing/scene.ts';
import { renderSvg } from '../../server/drawing/renderSvg.ts';
import { torusReport, withTraffic } from '../../server/drawing/testing/fixtures.ts';
import type { FromPanel } from '../../server/protocol/panel.ts';
import { colorAt, pixelOf, type Point } from './testing/pixels.ts';
import { panelForTests } from './testing/panelForTests.ts';
import { darkTheme, highContrastTheme, lightTheme, type PanelPage } from './testing/panelPage.ts';

/** The panel in a real browser, against a fake editor: what a user sees and what the host is told. */

const loads = [
  [0, 1, 65536],
  [1, 0, 1024],
  [1, 2, 8192],
  [2, 3, 8192],
  [3, 4, 8192],
] as const;
const scene = drawScene(torusReport([8, 8], { jobs: [24, 30], loads }));

/** One job, in which task 1 sends to 0 and 3, and 2 to 1. */
const talking = drawScene(
  withTraffic(torusReport([4, 4]), [
    [1, 0, 2048],
    [1, 3, 1024],
    [2, 1, 1024],
  ]),
);

const host = panelForTests();

const revealed = async (panel: PanelPage): Promise<readonly FromPanel[]> =>
  (await panel.sent()).filter(({ kind }) => kind === 'reveal');

/** A point in node (x, y) of the plane beside its label. */
const corner = (x: number, y: number): Point => ({ x: x - 0.2, y: y - 0.2 });

describe('the picture', () => {
  it('shows jobs, free nodes and the load of each direction in their colours', async () => {
    // Large enough for a light lane to be wider than a pixel.
    const panel = await host.open({ scene, width: 1200, height: 900 });
    const at = async (world: Point) => colorAt(panel, await pixelOf(panel, scene, world));
    expect(await at(corner(0, 0))).toBe(scene.jobs[0]!.color);
    expect(await at(corner(2, 4))).toBe(scene.jobs[1]!.color);
    expect(await at(corner(7, 7))).toBe('#ffffff');
    // Right-hand traffic: the heavy way from 0 to 1 is drawn below the light way back.
    expect(await at({ x: 0.5, y: 0.058 })).toBe(scene.loadLegend.colors.at(-1));
    expect(await at({ x: 0.5, y: -0.058 })).toBe(scene.loadLegend.colors[0]);
  });

  it('tells its content to readers who cannot see it', async () => {
    const { page } = await host.open({ scene });
    const image = page.getByRole('img', { name: 'Placement first-try on machine test: torus 8 x 8' });
    expect(await image.getAttribute('aria-label')).toBe(scene.description);
    expect(await page.getByRole('complementary').innerText()).toContain('Average hops\n1.25');
  });

  it('explains what is under the pointer', async () => {
    const panel = await host.open({ scene });
    const { page } = panel;
    const node = await pixelOf(panel, scene, { x: 3, y: 4 });
    await page.mouse.move(node.x, node.y);
    expect(await page.getByRole('tooltip').innerText()).toBe('Node 35 (3, 4)\njob-1: 11');
    const link = await pixelOf(panel, scene, { x: 0.5, y: 0 });
    await page.mouse.move(link.x, link.y);
    expect(await page.getByRole('tooltip').innerText()).toBe(
      'Link job-0 0 (node 0) – job-0 1 (node 1)\njob-0 0 (node 0) → job-0 1 (node 1): 64 KiB, 100 % of the maximum\njob-0 1 (node 1) → job-0 0 (node 0): 1 KiB, 2 % of the maximum\nhot',
    );
    const nothing = await pixelOf(panel, scene, { x: 0.5, y: 0.5 });
    await page.mouse.move(nothing.x, nothing.y);
    expect(await page.getByRole('tooltip').count()).toBe(0);
  });

  describe('on a node, a way there, a way back and the stub of a wrap link', () => {
    const targets = [
      [
        { x: 3, y: 4 },
        { kind: 'node', node: 35 },
      ],
      [
        { x: 0.5, y: 0.06 },
        { kind: 'link', from: 0, to: 1 },
      ],
      [
        { x: 0.5, y: -0.058 },
        { kind: 'link', from: 1, to: 0 },
      ],
      [
        { x: -0.5, y: 1.06 },
        { kind: 'link', from: 15, to: 8 },
      ],
    ] as const;

    it.each<[string, (page: PanelPage['page'], point: Point) => Promise<void>]>([
      ['a double-click', (page, { x, y }) => page.mouse.dblclick(x, y)],
      [
        'Ctrl+click',
        async (page, { x, y }) => {
          await page.keyboard.down('Control');
          await page.mouse.click(x, y);
          await page.keyboard.up('Control');
        },
      ],
      [
        'a click and Enter',
        async (page, { x, y }) => {
          await page.mouse.click(x, y);
          await page.keyboard.press('Enter');
        },
      ],
      [
        'a click and the button "Go to text"',
        async (page, { x, y }) => {
          await page.mouse.click(x, y);
          await page.getByRole('button', { name: 'Go to text' }).click();
        },
      ],
    ])('%s goes to the text', async (_gesture, act) => {
      const panel = await host.open({ scene });
      for (const [index, [world]] of targets.entries()) {
        await act(panel.page, await pixelOf(panel, scene, world));
        const wanted = targets.slice(0, index + 1).map(([, target]) => ({ kind: 'reveal', target }));
        expect(await revealed(panel)).toEqual(wanted);
        await panel.page.keyboard.press('Escape');
        await panel.settle();
      }
    });

    it('a click selects, and asks for no text', async () => {
      const panel = await host.open({ scene });
      for (const [world] of targets) {
        const { x, y } = await pixelOf(panel, scene, world);
        await panel.page.mouse.click(x, y);
        await panel.page.keyboard.press('Delete');
        await panel.page.keyboard.press('+');
        await panel.settle();
        expect(await panel.page.getByRole('region', { name: 'Explanation' }).isVisible()).toBe(true);
        expect(await revealed(panel)).toEqual([]);
        for (const key of ['Escape', '0']) await panel.page.keyboard.press(key);
        await panel.settle();
        expect(await panel.page.getByRole('region', { name: 'Explanation' }).isVisible()).toBe(false);
      }
    });
  });

  it('says of a node what runs there and what it sends', async () => {
    const panel = await host.open({ scene: talking });
    const { x, y } = await pixelOf(panel, talking, { x: 1, y: 0 });
    await panel.page.mouse.click(x, y);
    const text = await panel.page.getByRole('region', { name: 'Explanation' }).innerText();
    expect(text).toMatch(/^Node 1 \(1, 0\)/);
    expect(text).toContain('job-0: 1');
    expect(text).toMatch(/Sent to other nodes\s+3 KiB/);
    expect(text).toMatch(/Received from other nodes\s+1 KiB/);
    expect(text).toContain('Route from job-0 1: Shift+click');
  });

  it('says of a free node that it is free', async () => {
    const panel = await host.open({ scene });
    const { x, y } = await pixelOf(panel, scene, { x: 7, y: 7 });
    await panel.page.mouse.click(x, y);
    expect(await panel.page.getByRole('region', { name: 'Explanation' }).innerText()).toContain('No tasks.');
  });

  it('reveals nothing when it is dragged', async () => {
    const panel = await host.open({ scene });
    const { x, y } = await pixelOf(panel, scene, { x: 3, y: 4 });
    await panel.page.mouse.move(x, y);
    await panel.page.mouse.down();
    await panel.page.mouse.move(x + 80, y + 30, { steps: 4 });
    await panel.page.mouse.up();
    await panel.settle();
    expect(await colorAt(panel, { x: x + 80 - 12, y: y + 30 - 12 })).toBe(scene.jobs[1]!.color);
    expect(await panel.sent()).toEqual([{ kind: 'ready' }]);
  });
});

describe('the view', () => {
  /** Which node the tooltip names in the middle of the canvas, however the view has moved. */
  async function nodeAt({ page }: PanelPage, { x, y }: Point): Promise<string> {
    await page.mouse.move(x + 1, y);
    await page.mouse.move(x, y);
    const tooltip = page.getByRole('tooltip');
    return (await tooltip.count()) === 0 ? 'nothing' : await tooltip.locator('strong').innerText();
  }

  it('is kept while the text changes, and fits again on demand', async () => {
    const panel = await host.open({ scene });
    const point = await pixelOf(panel, scene, { x: 6, y: 6 });
    await panel.page.mouse.move(point.x - 150, point.y - 150);
    await panel.page.mouse.wheel(0, -600);
    await panel.settle();
    const zoomed = await nodeAt(panel, point);
    expect(zoomed).not.toBe('Node 54 (6, 6)');
    await panel.show(drawScene(torusReport([8, 8], { jobs: [50] })));
    expect(await nodeAt(panel, point)).toBe(zoomed);
    await panel.page.getByRole('button', { name: 'Fit the whole diagram' }).click();
    await panel.settle();
    expect(await nodeAt(panel, point)).toBe('Node 54 (6, 6)');
  });

  it('fits again when the machine changes', async () => {
    const panel = await host.open({ scene });
    const other = drawScene(torusReport([4, 4]));
    await panel.page.getByRole('button', { name: 'Zoom in' }).click();
    await panel.show(other);
    expect(await nodeAt(panel, await pixelOf(panel, other, { x: 0, y: 3 }))).toBe('Node 12 (0, 3)');
  });

  it('fits again when the panel is resized', async () => {
    const panel = await host.open({ scene });
    await panel.page.setViewportSize({ width: 700, height: 500 });
    await panel.settle();
    expect(await nodeAt(panel, await pixelOf(panel, scene, { x: 7, y: 0 }))).toBe('Node 7 (7, 0)');
  });

  it('follows the keyboard', async () => {
    const panel = await host.open({ scene });
    const { page } = panel;
    const centre = await pixelOf(panel, scene, { x: 3.5, y: 3.5 });
    const node = await pixelOf(panel, scene, { x: 3, y: 3 });
    await page.locator('canvas.scene').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await panel.settle();
    expect(await nodeAt(panel, { x: node.x - 60, y: node.y - 60 })).toBe('Node 27 (3, 3)');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Shift+ArrowUp');
    for (let press = 0; press < 4; press++) await page.keyboard.press('+');
    await panel.settle();
    const zoom = 1.3 ** 4;
    const moved = { x: centre.x + (node.x - centre.x) * zoom, y: centre.y + (node.y - centre.y) * zoom };
    expect(await nodeAt(panel, moved)).toBe('Node 27 (3, 3)');
    await page.keyboard.press('0');
    await panel.settle();
    expect(await nodeAt(panel, node)).toBe('Node 27 (3, 3)');
  });

  it('comes back with the last picture after the editor threw the page away', async () => {
    const first = await host.open({ scene });
    const point = await pixelOf(first, scene, { x: 6, y: 6 });
    await first.page.getByRole('button', { name: 'Zoom in' }).click();
    await first.settle();
    const seen = await nodeAt(first, { x: point.x + 40, y: point.y + 40 });
    await first.page.waitForFunction(() => {
      const state = window.panelState as { view?: { transform?: unknown } } | undefined;
      return state?.view?.transform !== undefined;
    });
    const second = await host.open({ state: await first.savedState() });
    expect(await nodeAt(second, { x: point.x + 40, y: point.y + 40 })).toBe(seen);
    expect(await second.page.getByRole('status').first().innerText()).toBe('Working …');
    expect(
      await second.page.getByRole('group', { name: 'Notice' }).getByText('Waiting for the language server').isVisible(),
    ).toBe(true);
  });

  it('goes on from what its host was told, where the editor knows less', async () => {
    const first = await host.open({ scene });
    const point = await pixelOf(first, scene, { x: 6, y: 6 });
    // The picture itself would be too much for every move: the editor alone has it.
    await expect.poll(() => first.savedState()).toHaveProperty('message');
    const editors = await first.savedState();
    await first.page.getByRole('button', { name: 'Zoom in' }).click();
    await first.settle();
    const seen = await nodeAt(first, { x: point.x + 40, y: point.y + 40 });
    await expect.poll(async () => JSON.stringify(await first.leftState())).toContain('transform');
    const left = await first.leftState();
    expect((left as { readonly message?: unknown }).message).toBeUndefined();
    for (const state of [undefined, editors]) {
      const second = await host.open({ state, left });
      await second.show(scene);
      expect(await nodeAt(second, { x: point.x + 40, y: point.y + 40 })).toBe(seen);
    }
  });
});

describe('the tables', () => {
  async function openTables(shown: Scene): Promise<PanelPage> {
    const panel = await host.open({ scene: shown });
    await panel.pressTitle('toggle-table');
    return panel;
  }

  it('say in words what the picture shows', async () => {
    const { page } = await openTables(scene);
    const links = page.getByRole('table', { name: 'Directed links of test, by utilisation' });
    expect(await links.getByRole('row').nth(1).innerText()).toBe('0\t1\t64 KiB\t1 KiB\t100 %\thot\tExplain');
    const nodes = page.getByRole('table', { name: 'Nodes of test' });
    expect(await nodes.getByRole('row').count()).toBe(1 + 64);
    expect(await nodes.getByRole('row').nth(36).innerText()).toBe('35\t(3, 4)\tjob-1\t11\tRoute from');
    expect(await page.locator('canvas.scene').isVisible()).toBe(false);
  });

  it('go to the text by their buttons alone', async () => {
    const panel = await openTables(scene);
    await panel.page.getByRole('cell', { name: '64 KiB' }).click();
    expect(await revealed(panel)).toEqual([]);
    await panel.page
      .getByRole('table', { name: 'Links' })
      .getByRole('button', { name: '0', exact: true })
      .first()
      .click();
    await panel.page.getByRole('table', { name: 'Nodes' }).getByRole('button', { name: '5', exact: true }).focus();
    await panel.page.keyboard.press('Enter');
    expect(await revealed(panel)).toEqual([
      { kind: 'reveal', target: { kind: 'link', from: 0, to: 1 } },
      { kind: 'reveal', target: { kind: 'node', node: 5 } },
    ]);
  });

  it('turn pages, and stay on the page when the report changes', async () => {
    const large = drawScene(torusReport([15, 15]));
    const panel = await openTables(large);
    const nodes = panel.page.locator('section', { has: panel.page.getByRole('table', { name: 'Nodes' }) });
    await nodes.getByRole('button', { name: 'Next' }).click();
    await panel.show(large);
    expect(await nodes.getByText('Page 2 of 3').count()).toBe(1);
    expect(await nodes.getByRole('rowheader').first().innerText()).toBe('100');
    await nodes.getByRole('button', { name: 'Next' }).click();
    expect(await nodes.getByRole('row').count()).toBe(1 + 25);
    expect(await nodes.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  });

  it('give the picture back as it was', async () => {
    const panel = await openTables(scene);
    await panel.pressTitle('toggle-table');
    await panel.settle();
    expect(await colorAt(panel, await pixelOf(panel, scene, corner(0, 0)))).toBe(scene.jobs[0]!.color);
  });
});

describe('states of the panel', () => {
  const status = (panel: PanelPage): Promise<string> => panel.page.locator('.status').innerText();
  const notice = (panel: PanelPage) => panel.page.getByRole('group', { name: 'Notice' });

  it('waits, then says why there is nothing to see', async () => {
    const panel = await host.open();
    expect(await panel.page.locator('main').innerText()).toContain('Waiting for the language server');
    await panel.send({ kind: 'nothing', reason: 'Save the file to evaluate placement “night”.' });
    expect(await panel.page.getByText('Save the file to evaluate').isVisible()).toBe(true);
    expect(await panel.page.getByRole('button', { name: 'Fit the whole diagram' }).isDisabled()).toBe(true);
  });

  it('marks what is out of date, says why, and clears the mark', async () => {
    const panel = await host.open({ scene });
    expect(await status(panel)).toBe('');
    expect(await notice(panel).isVisible()).toBe(false);
    await panel.send({ kind: 'working', text: 'Evaluating best (2 of 2): 11.6 GiB', canFinish: false });
    expect(await status(panel)).toBe('Working …');
    await panel.show(scene, { stale: true });
    expect(await status(panel)).toBe('Out of date');
    expect(await notice(panel).innerText()).toContain('Out of date. Save the file to update the diagram');
    await panel.send({ kind: 'failed', message: 'The disk is full.' });
    expect(await notice(panel).innerText()).toBe('The disk is full.');
    await panel.show(scene);
    expect(await status(panel)).toBe('');
    await panel.send({ kind: 'standing', stale: true, status: { kind: 'idle' } });
    expect(await status(panel)).toBe('Out of date');
    expect(await notice(panel).innerText()).toContain('Out of date. Save the file to update the diagram');
    await panel.send({ kind: 'standing', stale: false, status: { kind: 'idle' } });
    expect(await status(panel)).toBe('');
    expect(await notice(panel).isVisible()).toBe(false);
  });

  it('follows a search, and ends it with its best or without', async () => {
    const panel = await host.open({ scene });
    const buttons = notice(panel).getByRole('button');
    await panel.send({ kind: 'working', text: 'Evaluating best: 3 %', canFinish: false });
    expect(await buttons.allInnerTexts()).toEqual(['Cancel']);
    await panel.send({
      kind: 'working',
      text: 'Evaluating best: 11.6 GiB hop-bytes, −34 %, 7 s left',
      canFinish: true,
    });
    expect(await notice(panel).innerText()).toContain('11.6 GiB hop-bytes, −34 %, 7 s left');
    await buttons.getByText('Stop and keep the best').focus();
    await panel.send({
      kind: 'working',
      text: 'Evaluating best: 11.5 GiB hop-bytes, −35 %, 6 s left',
      canFinish: true,
    });
    await panel.page.keyboard.press('Enter');
    await notice(panel).getByRole('button', { name: 'Cancel' }).click();
    expect((await panel.sent()).slice(1)).toEqual([{ kind: 'finish' }, { kind: 'cancel' }]);
  });

  it('says that a search was cancelled, and starts it again', async () => {
    const panel = await host.open({ scene });
    await panel.show(scene, { stale: true, status: { kind: 'cancelled' } });
    expect(await notice(panel).innerText()).toContain('Cancelled before the first result.');
    await notice(panel).getByRole('button', { name: 'Re-evaluate' }).click();
    expect((await panel.sent()).at(-1)).toEqual({ kind: 'run' });
  });

  it('says that a search was ended with the best until then, which is no old picture, and starts it again', async () => {
    const panel = await host.open({ scene });
    await panel.show(scene, { stale: false, status: { kind: 'stopped', milliseconds: 3210 } });
    expect(await notice(panel).innerText()).toContain('Search stopped after 3.21 s; best mapping so far shown.');
    expect(await status(panel)).toBe('');
    await notice(panel).getByRole('button', { name: 'Re-evaluate' }).click();
    expect((await panel.sent()).at(-1)).toEqual({ kind: 'run' });
  });

  const start = { line: 3, character: 0 };
  const problem = {
    message: 'cg.mtx:4: a row is missing.',
    location: { uri: 'file:///a.place', range: { start, end: start } },
  };

  it('shows the problem that keeps a picture old, and goes there', async () => {
    const panel = await host.open({ scene });
    await panel.show(scene, { stale: true, problem });
    expect(await notice(panel).innerText()).toContain(problem.message);
    await notice(panel).getByRole('button', { name: 'Go to the problem' }).click();
    expect((await panel.sent()).at(-1)).toEqual({ kind: 'reveal-problem' });
  });

  it('shows the problem where there is no picture at all', async () => {
    const panel = await host.open();
    await panel.send({ kind: 'nothing', reason: problem.message, status: { kind: 'failed', message: 'x' }, problem });
    expect(await panel.page.getByText(problem.message).count()).toBe(1);
    await panel.page.getByRole('button', { name: 'Go to the problem' }).click();
    expect((await panel.sent()).at(-1)).toEqual({ kind: 'reveal-problem' });
  });

  it('keeps the picture when the host has none any more', async () => {
    const panel = await host.open({ scene });
    await panel.send({ kind: 'nothing', reason: 'It has not been worked out yet.', status: { kind: 'idle' } });
    expect(await panel.page.locator('canvas.scene').isVisible()).toBe(true);
    expect(await status(panel)).toBe('Out of date');
    expect(await notice(panel).innerText()).toBe('It has not been worked out yet.');
  });

  it.each([900, 560, 400])('moves nothing when it grows old, %d pixels wide', async (width) => {
    const panel = await host.open({ scene, width });
    const box = () => panel.page.locator('canvas.scene').boundingBox();
    const before = await box();
    await panel.show(scene, { stale: true, problem });
    expect(await box()).toEqual(before);
    expect(await panel.page.locator('canvas.scene').evaluate((canvas) => getComputedStyle(canvas).opacity)).toBe('0.6');
    await panel.send({
      kind: 'working',
      text: 'Evaluating best (2 of 2): 11.6 GiB hop-bytes, −34 %',
      canFinish: true,
    });
    expect(await box()).toEqual(before);
    await panel.show(scene);
    expect(await box()).toEqual(before);
    expect(await panel.page.locator('canvas.scene').evaluate((canvas) => getComputedStyle(canvas).opacity)).toBe('1');
  });

  it('refuses scenes of another version', async () => {
    const panel = await host.open();
    await panel.show(scene, { version: 999 });
    expect(await panel.page.getByText('different versions').isVisible()).toBe(true);
  });

  it('shows text as text, whatever it holds', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const panel = await host.open({ scene: drawScene(torusReport([2, 2], { placement: name })) });
    expect(await panel.page.getByRole('heading', { level: 1 }).innerText()).toBe(name);
    expect(await panel.page.locator('main img').count()).toBe(0);
  });
});

describe('themes', () => {
  it.each([
    ['dark', darkTheme, '#1f1f1f', 'colorsOnDark'],
    ['high contrast', highContrastTheme, '#000000', 'colorsOnDark'],
    ['light', lightTheme, '#ffffff', 'colors'],
  ] as const)('are followed: %s', async (_name, theme, background, scale) => {
    const panel = await host.open({ scene, theme: theme === lightTheme ? darkTheme : lightTheme });
    await panel.setTheme(theme);
    expect(await colorAt(panel, await pixelOf(panel, scene, { x: 3.5, y: 3.5 }))).toBe(background);
    expect(await colorAt(panel, await pixelOf(panel, scene, { x: 0.5, y: 0.058 }))).toBe(
      scene.loadLegend[scale].at(-1),
    );
  });

  it('are followed when the editor changes nothing but the class of the page', async () => {
    const panel = await host.open({ scene });
    await panel.setTheme({ bodyClass: 'vscode-dark', variables: {} });
    const heavy = await pixelOf(panel, scene, { x: 0.5, y: 0.058 });
    expect(await colorAt(panel, heavy)).toBe(scene.loadLegend.colorsOnDark.at(-1));
  });
});

describe('saving', () => {
  /** Width, height and the colour of a pixel of a PNG, read by the browser itself. */
  function readPng({ page }: PanelPage, data: string): Promise<{ width: number; height: number; corner: number[] }> {
    return page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      return { width: bitmap.width, height: bitmap.height, corner: [...context.getImageData(2, 2, 1, 1).data] };
    }, data);
  }

  async function pngOf(panel: PanelPage): Promise<string> {
    await panel.page.waitForFunction(() => window.panelSent.some(({ kind }) => kind === 'save'));
    const message = (await panel.sent()).find(({ kind }) => kind === 'save');
    if (message?.kind !== 'save') throw new Error('unreachable: just waited for');
    return message.data;
  }

  const saved = async (panel: PanelPage) => {
    await panel.page.waitForFunction(() => window.panelSent.some(({ kind }) => kind === 'save'));
    const message = (await panel.sent()).at(-1);
    if (message?.kind !== 'save') throw new Error('unreachable: just waited for');
    expect(await panel.page.getByRole('dialog').isVisible()).toBe(false);
    return message;
  };

  it('saves an SVG of what is shown: as selected, in other colours, labelled otherwise, as wide as a column', async () => {
    const panel = await host.open({ scene });
    await panel.pressTitle('toggle-table');
    await panel.page.getByRole('button', { name: 'Explain' }).first().click();
    await panel.saveAs({
      Format: 'svg',
      Colours: 'dark',
      Page: 'width',
      Width: '3.5in',
      Legend: 'none',
      'Node labels': 'node',
    });
    const { data, extension, name } = await saved(panel);
    expect([extension, name]).toEqual(['svg', '']);
    expect(data).toContain('width="88.9mm"');
    expect(data).toContain('fill="#1f1f1f"');
    expect(data).toContain('id="routes"');
    expect(data).not.toContain('id="legend-0"');
  });

  it('saves visible part alone, and a PDF of a page', async () => {
    const panel = await host.open({ scene });
    await panel.page.getByRole('button', { name: 'Zoom in' }).click();
    await panel.saveAs({ Format: 'svg', Part: 'sight' });
    expect((await saved(panel)).data).toContain('clip-path="url(#view)"');
    await panel.saveAs({ Format: 'pdf', Page: 'a4', Part: 'all' });
    await expect.poll(async () => (await saved(panel)).extension).toBe('pdf');
    const pdf = Buffer.from((await saved(panel)).data, 'base64').toString('latin1');
    expect(/MediaBox \[0 0 595\.\d* 841\.\d*\]/.test(pdf)).toBe(true);
  });

  it('asks again for a width that is none, and leaves the selection on Escape', async () => {
    const panel = await host.open({ scene });
    await panel.saveAs({ Page: 'width', Width: '3 apples' });
    expect(await panel.page.getByRole('alert').innerText()).toContain('Invalid width. Write 30 mm to 5 m');
    await panel.page.keyboard.press('Escape');
    expect(await panel.page.getByRole('dialog').isVisible()).toBe(false);
    expect((await panel.sent()).some(({ kind }) => kind === 'save')).toBe(false);
  });

  it.each([['the form'], ['the command']])('sends a PNG of whole diagram with legend by %s', async (by) => {
    const panel = await host.open({ scene, theme: darkTheme });
    // Neither the zoom nor the size of the panel matters.
    await panel.page.getByRole('button', { name: 'Zoom in' }).click();
    if (by === 'the form') await panel.saveAs({ Format: 'png' });
    else await panel.send({ kind: 'act', action: 'save-png' });
    const data = await pngOf(panel);
    expect(Buffer.from(data, 'base64').subarray(1, 4).toString('latin1')).toBe('PNG');
    const { width, height, corner: color } = await readPng(panel, data);
    // Node half 0.29 units = 19 px; 8 nodes, their stubs and the names beyond are 9.82 units; twice the pixels.
    const picture = (9.82 * 19) / 0.29;
    expect(width).toBeCloseTo(2 * (28 + picture + 28 + 240 + 28), -1);
    expect(height).toBeCloseTo(2 * (28 + 56 + picture + 28), -1);
    expect(color).toEqual([0x1f, 0x1f, 0x1f, 255]);
  });

  it('makes SVG that the browser reads as XML', async () => {
    const { page } = await host.open();
    const svg = renderSvg(drawScene(torusReport([4, 4, 4], { jobs: [20, 30], placement: '<&"\'>' })));
    const parsed = await page.evaluate((text) => {
      const tree = new DOMParser().parseFromString(text, 'image/svg+xml');
      const title = tree.querySelector('title')?.textContent;
      return {
        error: tree.querySelector('parsererror')?.textContent,
        title,
        squares: tree.querySelectorAll('#nodes rect').length,
      };
    }, svg);
    expect(parsed).toEqual({ error: undefined, title: '<&"\'> on test', squares: 64 });
  });
});

describe('the keyboard', () => {
  it('reaches search, buttons and picture in order', async () => {
    const { page } = await host.open({ scene });
    const reached: string[] = [];
    for (let press = 0; press < 5; press++) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(
          () => document.activeElement?.getAttribute('aria-label') || document.activeElement?.tagName || '',
        ),
      );
    }
    expect(reached).toEqual([
      expect.anything(),
      'Zoom out (−)',
      'Zoom in (+)',
      'Fit the whole diagram (0)',
      expect.stringContaining(scene.placement),
    ]);
  });
});
