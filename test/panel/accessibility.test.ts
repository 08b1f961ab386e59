import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import { drawScene } from '../../server/drawing/drawScene.ts';
import { torusReport } from '../../server/drawing/testing/fixtures.ts';
import { panelForTests } from './testing/panelForTests.ts';
import {
  darkTheme,
  highContrastLightTheme,
  highContrastTheme,
  lightTheme,
  type PanelPage,
} from './testing/panelPage.ts';

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
      await panel.send({ kind: 'working', text: 'Working out best: 11.6 GiB', canFinish: true });
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
      await panel.page.getByRole('button', { name: 'Table' }).click();
    },
  ],
];

async function findings({ page }: PanelPage): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      rules: { 'label-content-name-mismatch': { enabled: true } },
    }),
  );
  return violations.map(
    ({ id, nodes }) => `${id}, ${nodes.length} times: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
  );
}

describe.each([
  ['light', lightTheme],
  ['dark', darkTheme],
  ['high contrast dark', highContrastTheme],
  ['high contrast light', highContrastLightTheme],
])('in a theme that is %s, axe-core finds nothing wrong with', (_name, theme) => {
  it.each(states)('%s', async (_state, bring) => {
    const panel = await host.open({ theme });
    await bring(panel);
    expect(await findings(panel)).toEqual([]);
  });
});
