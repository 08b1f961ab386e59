import { describe, expect, it } from 'vitest';
import { machinePicture } from '../../server/drawing/machine.ts';
import type { Scene } from '../../server/drawing/scene.ts';
import { fabricOf, fabricReport, torusReport } from '../../server/drawing/testing/fixtures.ts';
import { neverCancelled } from '../../server/model/cancellation.ts';
import type { Machine } from '../../server/model/machine.ts';
import { machineFigures } from '../../server/study/machineFigures.ts';
import { panelForTests } from './testing/panelForTests.ts';
import { pixelOf } from './testing/pixels.ts';

/** Machines by themselves in the panel. */

const host = panelForTests();

function sceneOf(machine: Machine, fabric?: Parameters<typeof machineFigures>[2]): Scene {
  const picture = machinePicture(machine, machineFigures(machine, neverCancelled, fabric), fabric);
  if (!picture.ok) throw new Error(picture.failure.message);
  return picture.value;
}

const fabric = { ...fabricOf(2, 4, 3), sparePorts: [3, 3, 3, 3, 0, 2] };
const named = sceneOf(fabricReport('from', { fabric, name: 'prism' }).machine, fabric);
const torus = sceneOf(torusReport([4, 4], { name: 'sheet' }).machine);

describe('a machine by itself', () => {
  it('shows its figures, degrees, kinds of cables and hosts in the place of jobs and loads', async () => {
    const { page } = await host.open({ scene: named, height: 900 });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('prism');
    const aside = page.getByRole('complementary');
    expect(await aside.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Metrics',
      'Switch degree',
      'Links',
      'Hosts',
    ]);
    const text = (await aside.innerText()).replaceAll(/\s+/g, ' ');
    for (const part of [
      'Hosts 12',
      'Switches 6',
      'Spare ports 14 on 5 switches',
      'Components 1, connected',
      'host-0, host-1, host-2, host-3, host-4 … host-11: 12 in the table',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/task|hot|load/i);
    const rows = page.getByRole('table').getByRole('row');
    expect((await rows.allInnerTexts()).map((row) => row.split(/\s+/))).toEqual([
      ['Links', 'Switches'],
      ['2', '4'],
      ['4', '2'],
    ]);
  });

  it('says what is under the pointer and explains a cable without asking the host', async () => {
    const panel = await host.open({ scene: torus });
    const { links } = torus;
    const link = [...links.flags.keys()].find((entry) => links.flags[entry] === 0)!;
    const middle = { x: (links.x1[link]! + links.x2[link]!) / 2, y: (links.y1[link]! + links.y2[link]!) / 2 };
    const at = await pixelOf(panel, torus, middle);
    await panel.page.mouse.move(at.x, at.y);
    expect(await panel.page.getByRole('tooltip').innerText()).toMatch(/^Link .*\nlink: along [xy]\nalike: 16 links$/);
    await panel.page.mouse.click(at.x, at.y);
    await panel.settle();
    expect(await panel.page.getByRole('region', { name: 'Explanation' }).innerText()).toMatch(/Link\s+along [xyz]/);
    expect((await panel.sent()).map(({ kind }) => kind)).toEqual(['ready']);
    await panel.page.keyboard.press('Escape');
    expect(await panel.page.getByRole('region', { name: 'Explanation' }).count()).toBe(0);
  });

  it('has tables of cables, hosts and switches, and is left to its host by its own name', async () => {
    const panel = await host.open({ scene: named, width: 1400 });
    await panel.pressTitle('toggle-table');
    const table = (name: string) => panel.page.getByRole('table', { name });
    expect(await table('Links of prism').getByRole('row').nth(1).innerText()).toMatch(
      /^leaf-0\s+spine-0\s+between switches/,
    );
    expect(await table('Nodes of prism').getByRole('row').nth(2).innerText()).toMatch(/^1\s+host-1\s+leaf-0/);
    expect(await table('Switches of prism').getByRole('row').first().innerText()).toMatch(
      /Nodes\s+Links\s+Spare ports$/,
    );
    await table('Nodes of prism').getByRole('button', { name: 'Show' }).first().click();
    expect(await panel.page.getByRole('region', { name: 'Explanation' }).innerText()).toMatch(/on\s+leaf-0/);
    await expect
      .poll(() => panel.savedState())
      .toMatchObject({ uri: 'file:///a.place', machine: 'prism', placement: '' });
  });

  it('tells why no job runs on one in several parts, with a way to the text', async () => {
    const panel = await host.open();
    const problem = {
      message: 'Switch leaf-2 is not connected',
      location: { uri: 'file:///a.place', range: { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } } },
    };
    await panel.show(named, { problem });
    expect(await panel.page.getByRole('group', { name: 'Notice' }).innerText()).toContain('leaf-2 is not connected');
    await panel.page.getByRole('button', { name: 'Go to the problem' }).click();
    expect((await panel.sent()).at(-1)).toEqual({ kind: 'reveal-problem' });
  });

  it('has no fault that axe-core finds in any theme, at 400 and at 2,000 pixels', async () => {
    const panel = await host.open({ width: 2000, height: 900 });
    for (const width of [2000, 400]) {
      await panel.page.setViewportSize({ width, height: 900 });
      await panel.show(named);
      expect(await panel.findings()).toEqual([]);
    }
    expect(await panel.findingsOfForm()).toEqual([]);
  });
});
