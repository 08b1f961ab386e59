import { expect, it } from 'vitest';
import { drawScene } from '../../server/drawing/drawScene.ts';
import { machinePicture } from '../../server/drawing/machine.ts';
import { fabricReport, torusReport } from '../../server/drawing/testing/fixtures.ts';
import { neverCancelled } from '../../server/model/cancellation.ts';
import { machineFigures } from '../../server/study/machineFigures.ts';
import { bundleOf } from '../manifest/words.ts';
import { panelForTests } from './testing/panelForTests.ts';

/** Pages in another language than English, in a real browser: what they say of their own, and what the server says to them. */

const host = panelForTests();
const german = { language: 'de', bundle: bundleOf('l10n/bundle.l10n.de.json') };
const loads = [
  [0, 1, 65536],
  [1, 2, 8192],
] as const;
const scene = drawScene(torusReport([8, 8], { jobs: [24, 30], loads }));

it('the picture speaks German: buttons, legend, figures, table, tooltip and what is wrong', async () => {
  const panel = await host.open({ words: german, scene });
  const { page } = panel;
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  expect(await page.locator('h2').allInnerTexts()).toEqual(
    expect.arrayContaining(['Kennzahlen', 'Jobs', 'Last der Verbindungen']),
  );
  const legend = await page.locator('aside').innerText();
  for (const words of [
    'Größte Last einer Verbindung',
    'Mittlere Schritte',
    '24 Aufgaben',
    'Keine heißen Verbindungen; maximale Last 64 KiB.',
    'freier Knoten',
  ])
    expect(legend, words).toContain(words);
  await panel.send({
    kind: 'standing',
    stale: true,
    status: { kind: 'failed', message: 'Evaluating placement "p".' },
  });
  await expect.poll(() => page.locator('.notice').innerText()).toContain('Platzierung „p“ wird ausgewertet.');
  if (process.env['SHOTS'] !== undefined) await page.screenshot({ path: `${process.env['SHOTS']}/german-picture.png` });
  await panel.pressTitle('toggle-table');
  await expect.poll(async () => (await page.locator('table caption').allInnerTexts()).join()).toContain('Knoten von ');
  expect((await page.locator('table thead').allInnerTexts()).join()).toMatch(/Von\s+Nach\s+Last →/);
});

it('a machine by itself speaks German: its figures, what they rest on, and the kinds of its cables', async () => {
  const { machine } = fabricReport('dragonfly', { options: { a: 4, h: 2, p: 2 } });
  const about = machinePicture(machine, machineFigures(machine, neverCancelled));
  if (!about.ok) throw new Error(about.failure.message);
  const { page } = await host.open({ words: german, scene: about.value, height: 1400 });
  const legend = await page.locator('aside').innerText();
  for (const words of [
    'Durchmesser',
    'Mittlerer Abstand',
    'Bisektion',
    'innerhalb von Gruppen',
    'zwischen Gruppen',
    'zu Rechnern',
    '1, verbunden',
  ])
    expect(legend, words).toContain(words);
  expect(legend).not.toMatch(/\b(of|the|between|all|at most|within)\b/);
});

it.each([
  ['tryMappers.js', 'Verfahren ausprobieren', 'Keine Platzierung gewählt.'],
  ['compare.js', 'Vergleichen', 'Wartet auf den Sprachserver …'],
  ['experiment.js', 'Placewright', 'Wartet auf den Sprachserver …'],
  ['simulation.js', 'Placewright', 'Wartet auf den Sprachserver …'],
] as const)('%s speaks German from the beginning', async (script, title, reason) => {
  const { page } = await host.open({ words: german, script });
  expect(await page.locator('h1').innerText()).toBe(title);
  expect(await page.locator('.reason').innerText()).toContain(reason);
  const names = await page
    .locator('button, vscode-button')
    .evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent));
  expect(names.filter((name) => /\b(the|of|Save|Show|Table)\b/.test(name))).toEqual([]);
});
