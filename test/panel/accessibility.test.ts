import { describe, expect, it } from 'vitest';
import { drawScene } from '../../server/drawing/drawScene.ts';
import { torusReport } from '../../server/drawing/testing/fixtures.ts';
import { panelForTests } from './testing/panelForTests.ts';
import type { PanelPage } from './testing/panelPage.ts';

/** What axe-core finds in the panel, in each kind of theme and state: nothing. */

const host = panelForTests();

/** Several pages of nodes, two jobs and free nodes. */
const scene = drawScene(torusReport([15, 15], { jobs: [100, 30] }));

const states: readonly (readonly [string, (panel: PanelPage) => Promise<unknown>])[] = [
  ['nothing to show', (panel) => panel.send({ kind: 'nothing', reason: 'Save the file.' })],
  ['a picture', (panel) => panel.show(scene)],
  ['a picture that is out of date', (panel) => panel.show(scene, { stale: true })],
  [
    'a search',
    async (panel) => {
      await panel.show(scene);
      await panel.send({ kind: 'working', text: 'Evaluating best: 11.6 GiB', canFinish: true });
    },
  ],
  [
    'a selected node',
    async (panel) => {
      await panel.show(scene);
      await panel.page.getByRole('img').click();
      await panel.settle();
    },
  ],
  [
    'tables',
    async (panel) => {
      await panel.show(scene);
      await panel.pressTitle('toggle-table');
    },
  ],
];

describe('in every theme, axe-core finds nothing wrong with', () => {
  it.each(states)('%s', async (_state, bring) => {
    const panel = await host.open();
    await bring(panel);
    expect(await panel.findings()).toEqual([]);
  });

  it('the form that saves the picture, at 400 and at 2,000 pixels', async () => {
    const panel = await host.open({ scene });
    expect(await panel.findingsOfForm()).toEqual([]);
  });
});

describe('the form, by keys alone,', () => {
  /** What has the focus, as it is read out. */
  const focused = ({ page }: PanelPage): Promise<string> =>
    page.evaluate(() => {
      const active = document.activeElement;
      if (active instanceof HTMLSelectElement || active instanceof HTMLInputElement)
        return active.labels?.[0]?.firstChild?.textContent ?? '';
      return active?.getAttribute('aria-label') ?? active?.getAttribute('title') ?? active?.textContent ?? '';
    });

  async function tabTo(panel: PanelPage, wanted: RegExp): Promise<void> {
    for (let presses = 0; presses < 40; presses++) {
      if (wanted.test(await focused(panel))) return;
      await panel.page.keyboard.press('Tab');
    }
    throw new Error(`Tab never came to ${wanted.source}; last it was at ${await focused(panel)}.`);
  }

  async function openForm(panel: PanelPage): Promise<void> {
    await tabTo(panel, /^Fit the whole/);
    await panel.pressTitle('save');
  }

  it('is opened, gone through from field to field, and saves what was chosen', async () => {
    const panel = await host.open({ scene });
    await openForm(panel);
    const { keyboard } = panel.page;
    const passed: string[] = [];
    while (!(await focused(panel)).startsWith('Save …')) {
      const field = await focused(panel);
      passed.push(field);
      if (field === 'Format' || field === 'Legend') await keyboard.press('ArrowDown');
      await keyboard.press('Tab');
    }
    expect(passed).toEqual(['Format', 'Colours', 'Page', 'Legend', 'Node labels', 'Part']);
    await keyboard.press('Enter');
    await expect.poll(async () => (await panel.sent()).at(-1)).toMatchObject({ kind: 'save', extension: 'pdf' });
    await panel.page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('is left by Escape, which leads back to where the reader was and saves nothing', async () => {
    const panel = await host.open({ scene });
    await openForm(panel);
    await panel.page.keyboard.press('Escape');
    await panel.page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await focused(panel)).toMatch(/^Fit the whole/);
    expect((await panel.sent()).some(({ kind }) => kind === 'save')).toBe(false);
  });

  it('says in words that are read out what is wrong with a width, and stays', async () => {
    const panel = await host.open({ scene });
    await openForm(panel);
    const { page } = panel;
    const { keyboard } = page;
    await tabTo(panel, /^Page$/);
    await keyboard.press('ArrowDown');
    await tabTo(panel, /^Width$/);
    await keyboard.press('Control+A');
    await keyboard.type('wide');
    await keyboard.press('Enter');
    await page.getByRole('alert').getByText('Invalid width').waitFor();
    expect(await focused(panel)).toBe('Width');
    expect(await page.getByRole('textbox', { name: 'Width' }).getAttribute('aria-invalid')).toBe('true');
  });
});
