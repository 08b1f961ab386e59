/** The whole in German: menus, lenses, the picture and the table of mappers, for who has the editor in that language. */
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { packagePath } from '../tools/package.ts';
import { root } from '../tools/run.ts';
import { Workbench } from './workbench.ts';

let folder: string;
let workbench: Workbench;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pw-de-')));
  await cp(join(root, 'samples/cg'), folder, { recursive: true });
  workbench = await Workbench.open(packagePath, folder, 'nas-cg.place', { language: 'de' });
});

afterAll(async () => {
  await workbench.close();
  await rm(folder, { recursive: true, force: true });
});

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await workbench.screenshot('german-failed');
});

describe('in an editor in German, a user', () => {
  it('reads lenses and the picture in German', async () => {
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
    await table.getByRole('button', { name: 'Anhalten: was da ist, bleibt' }).waitFor();
    await table.getByRole('columnheader', { name: 'Verfahren' }).waitFor();
    await workbench.screenshot('german-2-mappers');
  });
});
