/** The whole in German: menus, lenses, the picture and the table of mappers, for who has the editor in that language. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import { root } from '../tools/run.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

let workbench: Workbench;
openWorkbench(
  'german',
  'nas-cg.place',
  (opened) => {
    workbench = opened;
  },
  {
    fill: async (folder) => {
      await cp(join(root, 'samples/cg'), folder, { recursive: true });
    },
    language: 'de',
  },
);

describe('in an editor in German, a user', () => {
  it('reads progress, lenses and the picture in German', async () => {
    await workbench.page.locator('.statusbar-item', { hasText: /nas-cg\.place wird platziert/ }).waitFor();
    await workbench.lens(/im Mittel/).waitFor();
    await workbench.lens(/^Bild zeigen$/).click();
    await workbench.canvas.waitFor();
    await workbench.page.locator('.tab', { hasText: /^Platzierung / }).waitFor();
    await workbench.panel.getByRole('heading', { name: 'Kennzahlen' }).waitFor();
    await workbench.screenshot('german-1-picture');
    expect(await workbench.findings(axe.source)).toEqual([]);
  });

  it('finds commands by their German names, and tries mappers', async () => {
    await workbench.page.locator('.view-line', { hasText: 'placement' }).first().click();
    await workbench.command('Placewright: Verfahren ausprobieren');
    const table = workbench.view;
    await table.getByRole('button', { name: 'Stopp: bisherige Ergebnisse behalten' }).waitFor();
    await table.getByRole('columnheader', { name: 'Verfahren' }).waitFor();
    await workbench.screenshot('german-2-mappers');
  });
});
