import { describe, expect, it } from 'vitest';
import { drawScene } from '../../server/drawing/drawScene.ts';
import { torusReport, withTraffic } from '../../server/drawing/testing/fixtures.ts';
import { trafficOfReport } from '../../server/entrypoints/traffic.ts';
import { neverCancelled } from '../../server/model/cancellation.ts';
import { readFromTrafficPanel, type TrafficAbout, type TrafficQuestion } from '../../server/protocol/trafficPanel.ts';
import { panelForTests } from './testing/panelForTests.ts';
import { type OpenOptions, type PanelPage } from './testing/panelPage.ts';
import { pixelOf } from './testing/pixels.ts';

/** The map of who sends how much to whom. */

const host = panelForTests();

const subject = { uri: 'file:///a.place', of: 'placement', name: 'first' } as const;
const small = withTraffic(torusReport([4, 4], { jobs: [16] }), [
  [0, 1, 1024],
  [0, 5, 4096],
  [3, 2, 65536],
  [5, 0, 512],
  [10, 11, 2048],
]);
/** 400 tasks: a cell is of seven. */
const large = withTraffic(
  torusReport([20, 20], { jobs: [400] }),
  Array.from({ length: 400 }, (_, task): [number, number, number] => [task, (task + 1) % 400, 1024]),
);

interface MapPage extends PanelPage {
  /** Answers what the page has asked for last, as the server would. */
  answer(more?: Partial<TrafficAbout>): Promise<void>;
  /** What it has asked for last. */
  asked(): Promise<TrafficQuestion>;
}

async function open(report = small, options: OpenOptions = {}): Promise<MapPage> {
  const panel = await host.open({ script: 'traffic.js', ...options });
  const asked = async (): Promise<TrafficQuestion> => {
    const question = (await panel.sentOfTraffic()).findLast(({ kind }) => kind === 'figure');
    // What the host would let pass.
    const read = readFromTrafficPanel(question);
    if (read?.kind !== 'figure') throw new Error('The page has asked for nothing that the host understands.');
    return read.choice;
  };
  const answer = async (more: Partial<TrafficAbout> = {}): Promise<void> => {
    const found = trafficOfReport({ ...report, name: 'first' }, await asked(), neverCancelled);
    if (found.kind !== 'figure') throw new Error(found.reason);
    await panel.send({ kind: 'answer', ...subject, answer: { ...found, about: { ...found.about, ...more } } });
    await panel.settle();
  };
  await answer();
  return Object.assign(panel, { answer, asked });
}

const press = (panel: PanelPage, name: string) =>
  panel.page.getByRole('button', { name, exact: false }).first().click();
const tip = ({ page }: PanelPage): Promise<string> => page.locator('.figure-tip').innerText();
const where = ({ page }: PanelPage): Promise<string> => page.locator('.where').innerText();
const brushes = async (panel: PanelPage) => (await panel.sentOfTraffic()).filter(({ kind }) => kind === 'brush');

/** The middle of a cell on the page. */
async function middleOf(panel: MapPage, report: typeof small, row: number, column: number) {
  const found = trafficOfReport(report, await panel.asked(), neverCancelled);
  if (found.kind !== 'figure') throw new Error(found.reason);
  const { grid, width } = found.figure;
  const box = (await panel.page.locator('canvas.figure').boundingBox())!;
  const scale = box.width / width;
  return {
    x: box.x + (grid!.left + (column + 0.5) * grid!.cellWidth) * scale,
    y: box.y + (grid!.top + (row + 0.5) * grid!.cellHeight) * scale,
  };
}

describe('the map of traffic', () => {
  it('says who sends how much to whom and how far, where the pointer is and where the keys go', async () => {
    const panel = await open();
    const { x, y } = await middleOf(panel, small, 0, 5);
    await panel.page.mouse.move(x, y);
    expect(await tip(panel)).toMatch(/from\s+0\s+to\s+5\s+bytes\s+4 KiB\s+pairs\s+1\s+hops\s+2/);
    await panel.page.mouse.move(1, 1);
    await panel.page.locator('canvas.figure').focus();
    await panel.page.keyboard.press('ArrowRight');
    expect(await tip(panel)).toMatch(/from\s+0\s+to\s+0\s+sends\s+nothing/);
    await panel.page.keyboard.press('ArrowRight');
    expect(await tip(panel)).toMatch(/from\s+0\s+to\s+1\s+bytes\s+1 KiB/);
    await panel.page.keyboard.press('Control+End');
    expect(await tip(panel)).toMatch(/from\s+15\s+to\s+15/);
    // Those who hear are told by keys alone.
    expect(await panel.page.locator('.figure-tip').getAttribute('aria-live')).toBe('polite');
  });

  it('is by task, node, switch or job, in several orders and scales, as asked', async () => {
    const panel = await open();
    await press(panel, 'Nodes');
    expect(await panel.asked()).toMatchObject({ kind: 'node' });
    await panel.answer();
    expect(await panel.page.getByRole('combobox', { name: 'Order' }).isVisible()).toBe(false);
    await press(panel, 'Tasks: one row');
    await panel.answer();
    await panel.page.getByRole('combobox', { name: 'Order' }).selectOption('node');
    await panel.answer();
    await panel.page.getByLabel('Scale').selectOption('logarithmic');
    expect(await panel.asked()).toMatchObject({ kind: 'task', order: 'node', scale: 'logarithmic' });
  });

  it('offers messages where they are known alone, and only tasks of what is placed nowhere', async () => {
    const panel = await open();
    expect(await panel.page.getByLabel('Amount').isVisible()).toBe(false);
    await press(panel, 'Tasks: one row');
    await panel.send({ kind: 'changed' });
    await panel.answer({ hasMessages: true, units: ['task'], isOrdered: false });
    expect(await panel.page.getByLabel('Amount').isVisible()).toBe(true);
    expect(await panel.page.getByRole('combobox', { name: 'Order' }).isVisible()).toBe(false);
    for (const kind of ['Nodes', 'Switches', 'Jobs']) {
      expect(await panel.page.getByRole('button', { name: kind }).isVisible(), kind).toBe(false);
    }
    expect(await panel.page.getByRole('button', { name: 'Show only these' }).isVisible()).toBe(false);
  });

  it('zooms into a block by a double click, by Enter and by plus, and back', async () => {
    const panel = await open(large);
    expect(await where(panel)).toContain('Each cell is 7 × 7 of 400 tasks');
    const { x, y } = await middleOf(panel, large, 2, 2);
    await panel.page.mouse.dblclick(x, y);
    expect(await panel.asked()).toMatchObject({
      block: { rows: { first: 14, last: 20 }, columns: { first: 14, last: 20 } },
    });
    await panel.answer();
    expect(await where(panel)).toContain('Shown: 7 × 7 of 400 tasks.');
    await panel.page.locator('canvas.figure').focus();
    await panel.page.keyboard.press('Backspace');
    expect((await panel.asked()).block).toBeUndefined();
    await panel.answer();
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('Enter');
    expect(await panel.asked()).toMatchObject({ block: { rows: { first: 0, last: 6 } } });
    await panel.answer();
    await press(panel, 'Zoom out');
    await panel.answer();
    expect((await panel.asked()).block).toBeUndefined();
  });

  it('has the picture keep the rectangle that is drawn with the pointer, and zooms into that', async () => {
    const panel = await open(large);
    const [from, to] = [await middleOf(panel, large, 1, 2), await middleOf(panel, large, 3, 5)];
    await panel.page.mouse.move(from.x, from.y);
    await panel.page.mouse.down();
    await panel.page.mouse.move(to.x, to.y, { steps: 4 });
    await panel.page.mouse.up();
    const block = { rows: { first: 7, last: 27 }, columns: { first: 14, last: 41 } };
    expect(await brushes(panel)).toEqual([
      {
        kind: 'brush',
        brush: { by: 'task', order: 'job', block },
        words: 'flows from tasks 7 to 27 to tasks 14 to 41',
        isRestored: false,
      },
    ]);
    expect(await where(panel)).toContain(
      'Flows in the diagram, from tasks 7 to 27 to tasks 14 to 41: 15 KiB of 15 pairs.',
    );
    await press(panel, 'Zoom into the block');
    expect(await panel.asked()).toMatchObject({ block });
    await panel.answer();
    await press(panel, 'All flows');
    expect((await brushes(panel)).at(-1)).toEqual({ kind: 'brush', words: '', isRestored: false });
  });

  it('has it keep what is drawn with Shift and the arrows, once, and a cell by Space; Escape takes it back', async () => {
    const panel = await open();
    await panel.page.locator('canvas.figure').focus();
    for (const key of ['ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowRight'])
      await panel.page.keyboard.press(key);
    await expect.poll(() => brushes(panel)).toHaveLength(1);
    expect(await brushes(panel)).toMatchObject([
      { brush: { block: { rows: { first: 0, last: 1 }, columns: { first: 0, last: 2 } } } },
    ]);
    await panel.page.keyboard.press('Space');
    await expect.poll(() => brushes(panel)).toHaveLength(2);
    expect((await brushes(panel))[1]).toMatchObject({ words: 'flows from task 1 to task 2' });
    await panel.page.keyboard.press('Escape');
    await expect.poll(() => brushes(panel)).toHaveLength(3);
    expect((await brushes(panel))[2]).not.toHaveProperty('brush');
  });

  it('forgets what is chosen when the picture does, and when rows and columns are others', async () => {
    const panel = await open();
    await panel.page.locator('canvas.figure').focus();
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.keyboard.press('Space');
    await expect.poll(() => where(panel)).toContain('Flows in the diagram');
    await panel.send({ kind: 'brush-cleared' });
    expect(await where(panel)).toBe('');
    await panel.page.keyboard.press('Space');
    await expect.poll(() => brushes(panel)).toHaveLength(2);
    await press(panel, 'Nodes');
    await panel.answer();
    expect((await brushes(panel)).at(-1)).not.toHaveProperty('brush');
    expect(await where(panel)).toBe('');
  });

  it('outlines the cells that have what is selected in the picture', async () => {
    const panel = await open();
    const overlay = (): Promise<string> =>
      panel.page.evaluate(() => document.querySelector<HTMLCanvasElement>('.figure-overlay')!.toDataURL());
    const before = await overlay();
    const target = { kind: 'node', node: 5 } as const;
    await panel.send({ kind: 'selected', selected: { target, words: 'flows of node 5' } });
    expect(await panel.asked()).toMatchObject({ marked: target });
    await panel.answer({ marked: [1, 3] });
    expect(await where(panel)).toContain('Outlined: 2 cells with flows of node 5.');
    expect(await overlay()).not.toBe(before);
    await panel.send({ kind: 'selected' });
    await panel.answer();
    expect(await overlay()).toBe(before);
  });

  it('goes on where it was left: what is shown, the block, and what the picture keeps', async () => {
    const first = await open(large);
    await first.page.locator('canvas.figure').focus();
    await first.page.keyboard.press('ArrowRight');
    await first.page.keyboard.press('Enter');
    await first.answer();
    await first.page.keyboard.press('ArrowRight');
    await first.page.keyboard.press('Space');
    await expect.poll(() => brushes(first)).toHaveLength(1);
    const state = await first.savedState();
    expect(state).toMatchObject({ ...subject, choice: { zooms: [{}] } });
    const again = await open(large, { state });
    expect(await again.asked()).toMatchObject({ block: { rows: { first: 0, last: 6 } } });
    expect(await brushes(again)).toMatchObject([{ isRestored: true, brush: { by: 'task' } }]);
    expect(await where(again)).toContain('Flows in the diagram');
  });

  it('has its numbers as a table, and is saved as SVG, PNG and CSV', async () => {
    const panel = await open();
    for (const format of ['svg', 'png', 'csv']) await panel.saveAs({ Format: format });
    await panel.page.waitForFunction(() => window.panelSent.filter(({ kind }) => kind === 'save').length === 3);
    const files = (await panel.sentOfTraffic()).filter((message) => message.kind === 'save');
    expect(files.map(({ name }) => name)).toEqual(['traffic-task', 'traffic-task', 'traffic-task']);
    const csv = files.find(({ extension }) => extension === 'csv');
    expect(csv?.data.split('\n').slice(0, 2)).toEqual(['from,to,bytes,pairs,hops', '0,1,1024,1,1']);
    await panel.pressTitle('toggle-table');
    await panel.page.getByRole('button', { name: 'bytes' }).click();
    expect(await panel.page.getByRole('row').nth(1).innerText()).toMatch(/^3\s+2\s+65,536/);
  });

  it('says that the text has changed, why there is no newer map, and what is being worked out', async () => {
    const panel = await open();
    await panel.send({ kind: 'changed' });
    await panel.answer({ stale: true });
    expect(await panel.page.getByRole('group', { name: 'Notice' }).innerText()).toContain(
      'Out of date. Save the file to update the heat map',
    );
    await panel.send({ kind: 'changed' });
    const location = { uri: subject.uri, range: { start: { line: 1, character: 0 }, end: { line: 1, character: 4 } } };
    await panel.answer({ stale: true, problem: { message: 'There is no machine "x".', location } });
    await panel.page.getByRole('button', { name: 'Go to the problem' }).click();
    expect((await panel.sentOfTraffic()).at(-1)).toEqual({ kind: 'reveal-problem' });
    await panel.send({ kind: 'changed' });
    await panel.send({
      kind: 'answer',
      ...subject,
      answer: { kind: 'nothing', reason: 'It is being worked out.', progress: '3 s left' },
    });
    expect(await panel.page.locator('.reason').innerText()).toBe('It is being worked out.');
    await panel.page.getByRole('button', { name: 'Cancel' }).click();
    expect((await panel.sentOfTraffic()).at(-1)).toEqual({ kind: 'end' });
  });
});

describe('in every theme', () => {
  it('has no fault that axe-core finds, and keeps within 270, 900 and 2,000 pixels', async () => {
    const panel = await open(large);
    await panel.page.locator('canvas.figure').focus();
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.keyboard.press('Shift+ArrowDown');
    for (const width of [270, 900, 2000]) {
      const asked = (await panel.sentOfTraffic()).length;
      await panel.page.setViewportSize({ width, height: 800 });
      await panel.settle();
      if ((await panel.sentOfTraffic()).length > asked) await panel.answer({ marked: [1, 2] });
      await panel.settle();
      expect(await panel.findings()).toEqual([]);
    }
    expect(await panel.findingsOfForm()).toEqual([]);
  });
});

describe('the picture of a placement', () => {
  const scene = drawScene(torusReport([4, 4], { jobs: [16] }));
  const brush = {
    by: 'task',
    order: 'job',
    block: { rows: { first: 0, last: 3 }, columns: { first: 4, last: 7 } },
  } as const;
  const pixels = ({ page }: PanelPage): Promise<string> =>
    page.evaluate(() => document.querySelector<HTMLCanvasElement>('canvas.scene')!.toDataURL());

  it('keeps the flows of a part of the map, says which, and takes that back', async () => {
    const panel = await host.open({ scene });
    const before = await pixels(panel);
    await panel.send({ kind: 'keep-traffic', brush, words: 'flows from tasks 0 to 3 to tasks 4 to 7' });
    const target = { kind: 'traffic', ...brush } as const;
    expect((await panel.sent()).at(-1)).toEqual({ kind: 'explain', target });
    const answer = {
      kind: 'kept',
      pairs: 4,
      bytes: 4096,
      links: [{ link: scene.links.forwardLink[0]!, share: 1 }],
      nodes: [0, 4],
    } as const;
    await panel.send({ kind: 'explained', target, answer });
    await panel.settle();
    const strip = panel.page.getByRole('group', { name: 'Selected flows' });
    expect(await strip.innerText()).toContain('Only flows from tasks 0 to 3 to tasks 4 to 7: 4 pairs, 4 KiB');
    expect(await pixels(panel)).not.toBe(before);
    await panel.page.getByRole('button', { name: 'Show all' }).click();
    await panel.settle();
    expect(await strip.isVisible()).toBe(false);
    expect((await panel.sent()).at(-1)).toEqual({ kind: 'traffic-cleared' });
    await panel.page.mouse.move(1, 1);
    await expect.poll(() => pixels(panel)).toBe(before);
  });

  it('tells what is selected in it, by a click and in a histogram, and that it keeps nothing of the map then', async () => {
    const panel = await host.open({ scene });
    await panel.send({ kind: 'keep-traffic', brush, words: 'flows' });
    const { x, y } = await pixelOf(panel, scene, { x: scene.nodes.x[5]!, y: scene.nodes.y[5]! });
    await panel.page.mouse.click(x, y);
    const sent = await panel.sent();
    expect(sent).toContainEqual({ kind: 'traffic-cleared' });
    expect(sent).toContainEqual({
      kind: 'selected',
      selection: { target: { kind: 'node', node: 5 }, words: 'flows of node 5 (1, 1)' },
    });
    await panel.page.keyboard.press('Escape');
    expect((await panel.sent()).at(-1)).toEqual({ kind: 'selected' });
  });
});
