import { describe, expect, it } from 'vitest';
import { drawScene } from '../../server/drawing/drawScene.ts';
import { laidOut, proportionOf } from '../../server/drawing/projections.ts';
import type { Scene } from '../../server/drawing/scene.ts';
import { autonetReport, fabricOf, fabricReport } from '../../server/drawing/testing/fixtures.ts';
import { panelForTests } from './testing/panelForTests.ts';
import { darkTheme, lightTheme, type PanelPage } from './testing/panelPage.ts';
import { colorAt, pixelOf, type Point } from './testing/pixels.ts';

/** Networks of switches in the panel: switches, their hosts, the insides of nodes. */

const host = panelForTests();

async function tooltipAt(panel: PanelPage, scene: Scene, world: Point): Promise<string> {
  const { x, y } = await pixelOf(panel, scene, world);
  await panel.page.mouse.move(x, y);
  return panel.page.getByRole('tooltip').innerText();
}

const router = ({ routers }: Scene, entry: number): Point => ({ x: routers.x[entry]!, y: routers.y[entry]! });
const node = ({ nodes }: Scene, entry: number): Point => ({ x: nodes.x[entry]!, y: nodes.y[entry]! });

describe('an irregular network', () => {
  const scene = drawScene(autonetReport({ hosts: 7, jobs: [30, 24], loads: [[6, 2, 4096]] }));
  const headerOf = (entry: number): Point => {
    const { x, y } = router(scene, entry);
    return { x: x - scene.routers.size[entry]! * 0.7, y: y - scene.routers.size[entry]! * 0.8 };
  };

  it('shows the hosts of a switch in the colours of their jobs, and tells of switch, host and host link', async () => {
    const panel = await host.open({ scene });
    expect(await colorAt(panel, await pixelOf(panel, scene, node(scene, 0)))).toBe(scene.jobs[0]!.color);
    expect(await tooltipAt(panel, scene, headerOf(6))).toBe('Switch 6, 7 hosts\nroot\njob-1: 7 nodes');
    expect(await tooltipAt(panel, scene, headerOf(4))).toBe(
      'Switch 4, 7 hosts\nlevel 1\njob-0: 2 nodes\njob-1: 5 nodes',
    );
    expect(await tooltipAt(panel, scene, node(scene, 30))).toBe('Node 30\njob-1: 0\non switch 4');
    const { x, y } = node(scene, 30);
    expect(await tooltipAt(panel, scene, { x, y: y - 0.2 })).toContain('Link node 30 – 4');
  });

  it('says which way is up', async () => {
    const panel = await host.open({ scene });
    const [from, to] = [router(scene, 2), router(scene, 6)];
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    expect(await tooltipAt(panel, scene, middle)).toMatch(
      /^Link 2 – 6\n.*\n6 → 2: 4 KiB, 100 % of the maximum\n(.*\n)?up is 2 → 6$/,
    );
  });

  it('goes to the text of a host from its link, and nowhere from a switch', async () => {
    const panel = await host.open({ scene });
    const { x, y } = node(scene, 30);
    const tick = await pixelOf(panel, scene, { x, y: y - 0.2 });
    await panel.page.mouse.dblclick(tick.x, tick.y);
    const header = await pixelOf(panel, scene, headerOf(4));
    await panel.page.mouse.dblclick(header.x, header.y);
    const sent = await panel.sent();
    expect(sent.filter(({ kind }) => kind === 'reveal')).toEqual([
      { kind: 'reveal', target: { kind: 'node', node: 30 } },
    ]);
    expect(sent.filter(({ kind }) => kind === 'explain')).toHaveLength(1);
  });

  it('has switches and host links in its tables', async () => {
    const panel = await host.open({ scene });
    const { page } = panel;
    await panel.pressTitle('toggle-table');
    const switches = page.getByRole('table', { name: 'Switches of autonet' });
    expect(await switches.getByRole('row').nth(5).innerText()).toBe('4\tlevel 1\t7\tjob-0: 2; job-1: 5');
    expect(await switches.getByRole('row').nth(7).innerText()).toBe('6\troot\t7\tjob-1: 7');
    const nodes = page.getByRole('table', { name: 'Nodes of autonet' });
    expect(await nodes.getByRole('row').nth(31).innerText()).toBe('30\t4\tjob-1\t0\tRoute from');
    const links = page.getByRole('table', { name: 'Links of autonet' });
    expect(await links.getByRole('row').nth(1).innerText()).toBe('2\t6\t0 B\t4 KiB\t100 %\t\tExplain');
    expect(await links.getByRole('button', { name: 'node 30', exact: true }).count()).toBe(1);
  });
});

describe('a fabric from a file', () => {
  const scene = drawScene(fabricReport('from', { fabric: fabricOf(6, 200, 32), jobs: [3000, 1700], loads: [] }));

  it('tints its switches with their jobs while the hosts are too small, and shows them when zoomed', async () => {
    const panel = await host.open({ scene });
    const leaf = router(scene, 10);
    expect(await colorAt(panel, await pixelOf(panel, scene, leaf))).toBe(scene.jobs[0]!.color);
    expect(await tooltipAt(panel, scene, leaf)).toContain('leaf-10, 32 hosts');
    const { x, y } = await pixelOf(panel, scene, node(scene, 320));
    await panel.page.mouse.move(x, y);
    for (let turn = 0; turn < 6; turn++) await panel.page.mouse.wheel(0, -500);
    await panel.settle();
    await panel.page.mouse.move(x + 1, y);
    const tooltip = panel.page.getByRole('tooltip');
    expect(await tooltip.innerText()).toMatch(/^host-320, node 320\njob-0: 320\non leaf-10$/);
  });
});

describe('a cluster of multi-core nodes', () => {
  const scene = drawScene(fabricReport('cluster', { numbers: [16], sockets: 4, cores: 4, jobs: [24, 64], loads: [] }));

  it('shows each core in the colour of its task', async () => {
    const panel = await host.open({ scene });
    // Node 1 runs the last 8 tasks of the first job on its first two sockets.
    const { x, y } = node(scene, 1);
    const half = scene.nodes.size[1]!;
    const at = (right: number, down: number): Point => ({ x: x + right * half, y: y + down * half });
    expect(await colorAt(panel, await pixelOf(panel, scene, at(-0.64, -0.64)))).toBe(scene.jobs[0]!.color);
    expect(await colorAt(panel, await pixelOf(panel, scene, at(0.64, 0.64)))).toBe(scene.jobs[1]!.color);
    expect(await tooltipAt(panel, scene, at(-0.65, -0.65))).toContain('socket 0, core 0: job-0 16');
    expect(await tooltipAt(panel, scene, at(0.65, 0.65))).toContain('socket 3, core 3: job-1 7');
  });

  it('shows all cores of a task that has several', async () => {
    const report = fabricReport('cluster', { numbers: [16], sockets: 4, cores: 4, jobs: [16], loads: [] });
    const jobs = report.jobs.map((placed) => ({
      ...placed,
      mapping: placed.mapping.map((_, task) => task * 4),
      needs: { coresPerTask: 4 },
    }));
    const hybrid = drawScene({ ...report, jobs });
    const panel = await host.open({ scene: hybrid });
    const { x, y } = node(hybrid, 0);
    const half = hybrid.nodes.size[0]!;
    const lastCore = { x: x + 0.65 * half, y: y + 0.65 * half };
    expect(await colorAt(panel, await pixelOf(panel, hybrid, lastCore))).toBe(hybrid.jobs[0]!.color);
    expect(await tooltipAt(panel, hybrid, lastCore)).toContain('socket 3, cores 0 to 3: job-0 3');
  });

  it('asks about the tasks of the cores that were clicked', async () => {
    const panel = await host.open({ scene });
    const half = scene.nodes.size[1]!;
    const core = (entry: number): Point => ({
      x: node(scene, entry).x + 0.65 * half,
      y: node(scene, entry).y + 0.65 * half,
    });
    const first = await pixelOf(panel, scene, core(0));
    await panel.page.mouse.click(first.x, first.y);
    const second = await pixelOf(panel, scene, core(1));
    await panel.page.keyboard.down('Shift');
    await panel.page.mouse.click(second.x, second.y);
    await panel.page.keyboard.up('Shift');
    expect((await panel.sent()).at(-1)).toEqual({
      kind: 'explain',
      target: { kind: 'tasks', from: { job: 0, task: 15 }, to: { job: 1, task: 7 } },
    });
  });
});

describe('a panel of any shape', () => {
  const scene = drawScene(fabricReport('from', { fabric: fabricOf(4, 30, 6), jobs: [90] }));
  const headerOf = (laid: Scene, entry: number): Point => {
    const { x, y } = router(laid, entry);
    return { x, y: y - laid.routers.size[entry]! * 0.8 };
  };

  const proportionIn = async ({ page }: PanelPage): Promise<number> => {
    const { width, height } = (await page.locator('canvas.scene').boundingBox())!;
    return proportionOf(width, height);
  };

  it.each([
    [700, 1100, 0.46],
    [900, 620, 1.3],
    [2000, 800, 2.6],
  ])('of %i by %i has its picture laid out for it', async (width, height, proportion) => {
    const panel = await host.open({ scene, width, height });
    const laid = laidOut(scene, { proportion: await proportionIn(panel) });
    expect(laid.proportion).toBeCloseTo(proportion, 1);
    for (const leaf of [0, 13, 29]) {
      expect(await tooltipAt(panel, laid, headerOf(laid, leaf))).toMatch(new RegExp(`^leaf-${leaf}, 6 hosts`));
    }
  });

  it('lays it out anew when it becomes another, and keeps what is selected', async () => {
    const panel = await host.open({ scene, width: 2000, height: 800 });
    const before = laidOut(scene, { proportion: await proportionIn(panel) });
    const { x, y } = await pixelOf(panel, before, node(before, 3));
    await panel.page.mouse.click(x, y);
    await panel.page.setViewportSize({ width: 700, height: 1100 });
    await panel.settle();
    await panel.settle();
    const laid = laidOut(scene, { proportion: await proportionIn(panel) });
    expect(await tooltipAt(panel, laid, headerOf(laid, 29))).toMatch(/^leaf-29, 6 hosts/);
    expect(await panel.page.locator('.explanation').innerText()).toContain('host-3');
  });

  it.each([
    ['dark', darkTheme],
    ['light', lightTheme],
  ] as const)('shows the cables of a dragonfly in a narrow panel as well, on %s', async (_name, theme) => {
    const report = fabricReport('dragonfly', { options: { p: 4, a: 8, h: 4 }, jobs: [30], loads: [[0, 7, 4096]] });
    const groups = drawScene(report);
    const panel = await host.open({ scene: groups, theme, width: 640, height: 620 });
    const laid = laidOut(groups, { proportion: await proportionIn(panel) });
    const { links } = laid;
    /** By how much the colours across the middle of a cable differ at most. */
    const contrast = async (link: number): Promise<number> => {
      const middle = await pixelOf(panel, laid, {
        x: (links.x1[link]! + links.x2[link]!) / 2,
        y: (links.y1[link]! + links.y2[link]!) / 2,
      });
      const colors = await Promise.all(
        [-3, -2, -1, 0, 1, 2, 3].map((down) => colorAt(panel, { ...middle, y: middle.y + down })),
      );
      const sums = colors.map((color) => [1, 3, 5].reduce((sum, at) => sum + parseInt(color.slice(at, at + 2), 16), 0));
      return Math.max(...sums) - Math.min(...sums);
    };
    const used = [...links.from.keys()].find((link) => links.forward[link]! > 0)!;
    expect(await contrast(used)).toBeGreaterThan(60);
  });

  it('leaves room for the names of groups beside them', async () => {
    const groups = drawScene(fabricReport('dragonfly', { options: { p: 2, a: 4, h: 2 }, jobs: [30] }));
    const panel = await host.open({ scene: groups, width: 700, height: 500 });
    const ink = await panel.page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas.scene')!;
      const { width, height } = canvas;
      const edge = (x: number): number =>
        new Set(new Uint32Array(canvas.getContext('2d')!.getImageData(x, 0, 1, height).data.buffer)).size;
      return [edge(1), edge(width - 2)];
    });
    expect(ink).toEqual([1, 1]);
  });
});
