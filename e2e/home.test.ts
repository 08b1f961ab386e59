/** Where users begin, and where they look for what there is: the walkthrough, the quickstart, the view, the status. */
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../tools/run.ts';
import { openWorkbench, ownTheme, type Workbench } from './workbench.ts';

let folder: string;
let workbench: Workbench;
openWorkbench(
  'home',
  'quickstart.place',
  (opened, at) => {
    [workbench, folder] = [opened, at];
  },
  {
    fill: async (folder) => {
      for (const sample of ['rankfile.place', 'jobs-over-time.place', 'quickstart.place', 'fabrics', 'cg']) {
        await cp(join(root, 'samples', sample), join(folder, sample), { recursive: true });
      }
      await mkdir(join(folder, '.vscode'));
      const settings = { 'placewright.commandLine': join(root, 'dist/cli.cjs'), ...ownTheme };
      await writeFile(join(folder, '.vscode/settings.json'), JSON.stringify(settings));
      await writeFile(join(folder, 'broken.place'), 'machine small {\n  topology torus 4 x 4\n  cores many\n}\n');
    },
  },
);

const row = (text: string | RegExp) => workbench.page.locator('.pane-body .monaco-list-row', { hasText: text }).first();

describe('in the view of Placewright, a user', () => {
  it('finds what the folder declares, with the figures of files that are open', async () => {
    await workbench.lens(/on average/).waitFor();
    await workbench.page.locator('.activitybar .action-label[aria-label="Placewright"]').click();
    await row('first-try').getByText('1 hop on average').waitFor();
    await row('tonight').waitFor();
    await row('allocators').waitFor();
    expect(await row('first-try').getAttribute('aria-label')).toMatch(
      /^placement first-try: 1 hop on average.*, in quickstart\.place/,
    );
    await workbench.screenshot('home-1-view');
  });

  it('goes to a declaration by a click', async () => {
    await row('tonight').click();
    await workbench.page.locator('.tab.active', { hasText: 'rankfile.place' }).waitFor();
    await workbench.page.locator('.selected-text').first().waitFor();
    await row('tonight').getByText('on average').waitFor();
  });

  it('opens the picture by the button of the row', async () => {
    await row('first-try').hover();
    await row('first-try').locator('.action-label[aria-label^="Show Placement"]').click();
    await workbench.page.locator('.tab', { hasText: 'Placement first-try' }).waitFor();
    await workbench.canvas.waitFor();
    await workbench.screenshot('home-2-shown');
  });

  it('sees in the status bar what there is', async () => {
    await workbench.openFile('quickstart.place');
    await workbench.page.locator('#status\\.languageStatus').hover();
    await workbench.page.locator('.hover-language-status', { hasText: '1 placement' }).first().waitFor();
    await workbench.screenshot('home-3-status');
  });
});

describe('in the menu of tasks, a user', () => {
  it('has a file checked that is not open, and goes to what is wrong with it', async () => {
    await workbench.page.mouse.move(5, 5);
    const problem = workbench.problem('takes a whole number');
    const printed = workbench.page
      .locator('.terminal-wrapper.active .xterm-rows')
      .getByText('broken.place')
      .filter({ visible: true })
      .first();
    const isSeen = (thing: typeof problem): Promise<boolean> =>
      thing.waitFor({ timeout: 20_000 }).then(
        () => true,
        () => false,
      );
    let isListed = false;
    // A busy editor may end a task before it has looked at all that it printed, and may show its terminal behind another one.
    while (!isListed) {
      await workbench.command('Tasks: Run Task');
      // A task that was run before is in the first list.
      const task = workbench.choice('check broken.place');
      await workbench.choice('placewright').waitFor();
      if (!(await task.isVisible())) await workbench.choice('placewright').click();
      await task.click();
      if (!(await isSeen(printed))) continue;
      await workbench.screenshot('home-9-task');
      await workbench.page.keyboard.press('Control+Shift+M');
      isListed = await isSeen(problem);
    }
    await workbench.screenshot('home-9-task-problems');
    await workbench.problem('takes a whole number').dblclick();
    await workbench.page.locator('.tab.active', { hasText: 'broken.place' }).waitFor();
    await workbench.page.locator('#status\\.editor\\.selection', { hasText: 'Ln 3' }).waitFor();
    await workbench.command('View: Close Editor');
    await workbench.page.keyboard.press('Control+J');
  });
});

describe('a newcomer', () => {
  it('is shown the walkthrough', async () => {
    await workbench.page.mouse.move(5, 5);
    await workbench.command('Placewright: Open Walkthrough');
    await workbench.page.locator('.gettingStartedContainer', { hasText: 'Get Started with Placewright' }).waitFor();
    await workbench.page.getByText('nothing is written to your folders').waitFor();
    await workbench.screenshot('home-4-welcome');
  });

  it('opens the quickstart with its picture beside it, which writes nothing', async () => {
    const before = await readdir(folder);
    await workbench.page.locator('.gettingStartedContainer .monaco-button', { hasText: 'Open Quickstart' }).click();
    await workbench.page.locator('.tab', { hasText: 'Untitled-1' }).waitFor();
    await workbench.lens(/1 hop on average/).waitFor();
    await expect
      .poll(() => workbench.page.locator('.editor-group-container .tab', { hasText: 'Placement first-try' }).count())
      .toBe(2);
    await workbench.screenshot('home-5-quickstart');
    expect(await readdir(folder)).toEqual(before);
  });

  it('changes a number, and both steps are done', async () => {
    await workbench.word('64').dblclick();
    await workbench.page.keyboard.type('32');
    await workbench.lens(/1\.5 MiB hop-bytes/).waitFor();
    await workbench.page.locator('.tab', { hasText: 'Placement first-try' }).last().click();
    await workbench.canvas.last().waitFor();
    await workbench.screenshot('home-6-changed');
    await workbench.page.keyboard.press('Control+1');
    await workbench.command('Placewright: Open Walkthrough');
    await expect.poll(() => workbench.page.locator('.getting-started-step .codicon.complete').count()).toBe(2);
    await workbench.screenshot('home-7-done');
  });
});

describe('the view', () => {
  it.each(['Light Modern', 'Dark High Contrast', 'Light High Contrast'])('is seen in the theme %s', async (theme) => {
    await workbench.chooseTheme(theme);
    await expect
      .poll(() => workbench.page.locator('.monaco-workbench').getAttribute('class'))
      .toMatch(theme.startsWith('Light') ? /hc-light|vs(?!-dark)/ : /hc-black/);
    await row('first-try').waitFor();
    await workbench.screenshot(`home-8-${theme.toLowerCase().replaceAll(' ', '-')}`);
  });
});
