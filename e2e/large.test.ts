/** Machines of ten thousand nodes in the real editor: placements beside one another, the map of their traffic, hosts of a tree. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorkbench, type Workbench } from './workbench.ts';

const cube = `machine cube { topology torus 22 x 22 x 22 }
job all { grid 22 x 22 x 22  stencil seven-point  bytes 64 KiB }
placement in-order { job all  machine cube  map row-major }
placement by-chance { job all  machine cube  map random }
`;

const tree = `machine tree { topology fat-tree(levels 22 x 22 x 22) }
`;

let workbench: Workbench;
openWorkbench(
  'large',
  'cube.place',
  (opened) => {
    workbench = opened;
  },
  {
    fill: async (folder) => {
      await writeFile(join(folder, 'cube.place'), cube);
      await writeFile(join(folder, 'tree.place'), tree);
    },
  },
);

describe('on a torus of 22 x 22 x 22 nodes, a user', () => {
  it('has two placements side by side, and sees what changes from one to the other', async () => {
    const { panel } = workbench;
    await workbench.lens(/^Compare$/).click();
    await expect.poll(() => panel.locator('.cell').count()).toBe(2);
    await panel
      .locator('.cell', { hasText: 'by-chance' })
      .getByText(/\+[\d,]+ %/)
      .first()
      .waitFor();
    await workbench.screenshot('large-1-side-by-side');
    await panel.getByRole('button', { name: 'Difference: changes' }).click();
    await panel.getByText(/^10,6\d\d of 10,648 tasks run on another node\.$/).waitFor();
    await workbench.screenshot('large-2-difference');
    await panel.getByRole('button', { name: 'Table of changes' }).click();
    await panel.getByRole('columnheader', { name: 'In per cent' }).waitFor();
    await workbench.screenshot('large-3-changes');
  });

  it('has the map of the traffic of 10,648 tasks, and goes into it by keys', async () => {
    const { panel, page } = workbench;
    await workbench.command('View: Close All Editors');
    await workbench.openFile('cube.place');
    await workbench.lens(/^Show traffic$/).click();
    const map = panel.locator('canvas.figure.grid');
    await map.waitFor();
    await map.focus();
    for (const key of ['ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    // A cell stands for a hundred and more tasks.
    await expect.poll(() => panel.locator('.figure-tip').innerText()).toMatch(/from\s+\d+ to \d+/);
    const whole = await panel.locator('.figure-tip').innerText();
    await workbench.screenshot('large-4-traffic');
    await page.keyboard.press('+');
    await expect.poll(() => panel.locator('.figure-tip').innerText()).not.toBe(whole);
    await workbench.screenshot('large-5-traffic-nearer');
  });
});

describe('of a fat tree with 10,648 hosts, a user', () => {
  it('sees the machine with its figures', async () => {
    const { panel } = workbench;
    await workbench.command('View: Close All Editors');
    await workbench.openFile('tree.place');
    await workbench.lens(/^Show machine$/).click();
    await workbench.canvas.waitFor();
    await expect.poll(() => workbench.canvas.getAttribute('aria-label')).toContain('10,648');
    await panel.getByText('Bisection', { exact: true }).waitFor();
    await expect.poll(async () => (await workbench.colors()).length).toBeGreaterThan(3);
    await workbench.screenshot('large-6-hosts');
  });
});
