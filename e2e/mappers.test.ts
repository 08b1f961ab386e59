/** Mappers are tried on a placement in the real editor, looked at in its picture, written and taken back: by keyboard alone. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openWorkbench, type Workbench } from './workbench.ts';

const text = `machine grid {
  topology  torus 8 x 8
  bandwidth 1 GB/s
}

job heat {
  grid    8 x 8
  stencil five-point
  bytes   64 KiB
}

placement plain {
  job     heat
  machine grid
  map     random
}
`;

let workbench: Workbench;
openWorkbench(
  'mappers',
  'main.place',
  (opened) => {
    workbench = opened;
  },
  {
    fill: async (folder) => {
      await writeFile(join(folder, 'main.place'), text);
    },
  },
);

/** The page of the view, at the bottom; the picture is in an editor. */
const table = (): FrameLocator => workbench.view;
const picture = (): FrameLocator => workbench.panel;
const row = (mapper: string) => table().getByRole('button', { name: mapper, exact: true });

describe('mappers that are tried', () => {
  it('fill a table from the lens above a placement', async () => {
    await workbench.lens(/Try mappers/).click();
    await row('as written (random)').waitFor();
    await table().locator('tr', { hasText: 'row-major' }).getByText('14 MiB').waitFor();
    await expect.poll(() => table().locator('progress').isHidden()).toBe(true);
    await workbench.screenshot('mappers-1-table');
  });

  it('are seen in the picture by Enter, and left by Escape', async () => {
    await row('row-major').focus();
    await workbench.page.keyboard.press('Enter');
    await picture().locator('.status[data-status="preview"]').waitFor();
    await workbench.screenshot('mappers-2-preview');
    expect(await workbench.text()).toContain('map     random');
    await workbench.page.keyboard.press('Escape');
    await expect.poll(() => workbench.page.locator('.tab', { hasText: 'Placement plain' }).count()).toBe(0);
    expect(await workbench.text()).toContain('map     random');
    expect(await workbench.page.locator('.tab.dirty').count()).toBe(0);
  });

  it('are written by a second Enter, and taken back by Undo', async () => {
    await row('row-major').focus();
    await workbench.page.keyboard.press('Enter');
    await picture().locator('.status[data-status="preview"]').waitFor();
    await workbench.page.keyboard.press('Enter');
    await expect.poll(() => workbench.text()).toContain('map     row-major');
    await table().getByText('Written: map row-major').waitFor();
    await workbench.screenshot('mappers-3-written');
    await workbench.word('grid').first().click();
    await workbench.page.keyboard.press('Control+Z');
    await expect.poll(() => workbench.text()).toContain('map     random');
  });
});

describe('cables that are lost', () => {
  it('are listed, the worst first, selected in the picture, and written into the machine', async () => {
    await workbench.page.locator('.view-line', { hasText: 'placement' }).click();
    await workbench.command('Placewright: Analyse Link Failures');
    await table().getByText('128 links analysed.').waitFor();
    await expect.poll(() => table().locator('progress').isHidden()).toBe(true);
    await workbench.screenshot('losses-1-table');
    const worst = table().locator('tbody button').first();
    const cable = await worst.innerText();
    await worst.focus();
    await workbench.page.keyboard.press('Enter');
    await picture().getByRole('region', { name: 'Explanation' }).waitFor();
    await table().getByText(`Press Enter to write `, { exact: false }).waitFor();
    await workbench.screenshot('losses-2-selected');
    await worst.focus();
    await workbench.page.keyboard.press('Enter');
    await expect.poll(() => workbench.text()).toContain(`  without ${cable}`);
    await table().getByText(`Written: without ${cable}`).waitFor();
    await workbench.page.locator('.view-line', { hasText: 'placement' }).click();
    await workbench.page.keyboard.press('Control+S');
    // The machine is another one: what is in the table is of the one before.
    await table().locator('.status[data-status="stale"]').waitFor({ state: 'attached' });
    await workbench.screenshot('losses-3-written');
  });
});
