/**
 * The whole way by the keyboard alone, from an empty file to a rankfile; then what is on the screen, judged by axe-core
 * in four themes, in a narrow and in a wide window, and with machines of ten thousand nodes.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import { openWorkbench, ownTheme, type Workbench } from './workbench.ts';

/** What is typed, declaration by declaration. */
const declarations = [
  ['machine small {', 'topology torus 4 x 4'],
  ['job heat {', 'grid 4 x 4', 'stencil five-point', 'bytes 64 KiB'],
  ['placement first-try {', 'job heat', 'machine small', 'map random'],
];

const large = `machine cube { topology torus 22 x 22 x 22 }
job all { grid 22 x 22 x 22 stencil seven-point bytes 64 KiB }
placement large { job all machine cube map row-major }
`;

const hosts = `machine tree { topology fat-tree(levels 22 x 22 x 22) }
job all { grid 22 x 22 x 22 stencil seven-point bytes 64 KiB }
placement fabric { job all machine tree map baseline }
`;

let folder: string;
let workbench: Workbench;
openWorkbench(
  'keyboard',
  'mine.place',
  (opened, at) => {
    [workbench, folder] = [opened, at];
  },
  {
    fill: async (folder) => {
      await writeFile(join(folder, 'mine.place'), '');
      // Whether a brace is closed for who types depends on how far the editor is with its colours: here it is typed.
      await mkdir(join(folder, '.vscode'));
      // What is suggested comes when it comes, and is not taken.
      const suggestions = {
        'editor.acceptSuggestionOnEnter': 'off',
        'editor.acceptSuggestionOnCommitCharacter': false,
      };
      const settings = { 'editor.autoClosingBrackets': 'never', ...suggestions, ...ownTheme };
      await writeFile(join(folder, '.vscode/settings.json'), JSON.stringify(settings));
      await writeFile(join(folder, 'large.place'), large);
      await writeFile(join(folder, 'hosts.place'), hosts);
    },
    newPage: true,
  },
);

const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8').catch(() => '');

describe('by the keyboard alone, a user', () => {
  it('has an empty file indented by two when the editor starts with it', async () => {
    await workbench.page.locator('#status\\.editor\\.indentation', { hasText: 'Spaces: 2' }).waitFor();
  });

  it('writes a program into an empty file', async () => {
    const { keyboard } = workbench.page;
    await keyboard.press('Control+1');
    for (const [head = '', ...properties] of declarations) {
      await keyboard.type(head);
      for (const property of properties) {
        await keyboard.press('Escape');
        await keyboard.press('Enter');
        await keyboard.type(property);
      }
      await keyboard.press('Escape');
      await keyboard.press('Enter');
      await keyboard.type('}');
      await keyboard.press('Enter');
    }
    await keyboard.press('Control+S');
    await expect.poll(() => read('mine.place')).toContain('map random');
    await workbench.lens(/on average/).waitFor();
  });

  it('opens the picture, goes to it and asks what runs on a node', async () => {
    const { keyboard } = workbench.page;
    await keyboard.press('Control+Home');
    await workbench.commandByKeys('Placewright: Show Placement');
    await workbench.canvas.waitFor();
    await keyboard.press('Control+2');
    await expect.poll(() => workbench.focus()).toBe('panel');
    await workbench.focusByTab('canvas.scene');
    await keyboard.press('ArrowRight');
    await keyboard.press('Enter');
    await workbench.explanation
      .getByText(/heat \d+/)
      .first()
      .waitFor();
    await workbench.screenshot('keyboard-1-picture');
  });

  it('exports a rankfile', async () => {
    const { keyboard } = workbench.page;
    await keyboard.press('Control+1');
    await workbench.commandByKeys('Placewright: Export Mapping Vector…');
    await workbench.choice('rankfile').waitFor();
    await keyboard.type('rankfile');
    await keyboard.press('Enter');
    await workbench.choice('Write…').waitFor();
    await workbench.page.getByText('mpirun -np 16 --map-by rankfile:file=mine.first-try.rankfile').first().waitFor();
    await workbench.screenshot('keyboard-1-export');
    await keyboard.press('Enter');
    await workbench.acceptSuggestedFile('mine.first-try.rankfile');
    await expect.poll(async () => (await read('mine.first-try.rankfile')).match(/^rank \d+=/gm)?.length).toBe(16);
  });
});

describe('axe-core finds nothing wrong with the picture', () => {
  it.each(['Dark Modern', 'Light Modern', 'Dark High Contrast', 'Light High Contrast'])('in %s', async (theme) => {
    await workbench.chooseTheme(theme);
    await workbench.canvas.waitFor();
    expect(await workbench.findings(axe.source)).toEqual([]);
    await workbench.screenshot(`keyboard-2-${theme.toLowerCase().replaceAll(' ', '-')}`);
  });
});

describe('the picture', () => {
  it.each([
    [900, 700],
    [3900, 1200],
  ])('fits a window of %i x %i pixels', async (width, height) => {
    await workbench.page.setViewportSize({ width, height });
    await expect.poll(() => workbench.panelOverflow()).toBe(0);
    await workbench.screenshot(`keyboard-3-${width}`);
  });

  it.each([
    ['large.place', 'Placement large', '10,648 nodes'],
    ['hosts.place', 'Placement fabric', '10,648'],
  ])('of %s shows ten thousand nodes', async (file, title, words) => {
    await workbench.page.setViewportSize({ width: 1400, height: 850 });
    await workbench.page.keyboard.press('Control+1');
    await workbench.openFile(file);
    await workbench.lens(/on average/).waitFor();
    await workbench.commandByKeys('Placewright: Show Placement');
    await workbench.page.locator('.tab.active', { hasText: title }).waitFor();
    await expect.poll(() => workbench.canvas.last().getAttribute('aria-label')).toContain(words);
    await workbench.screenshot(`keyboard-4-${file.replace('.place', '')}`);
  });
});
