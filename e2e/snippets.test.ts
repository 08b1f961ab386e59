/** Declarations by completion and Tab in the real editor: what a newcomer does with an empty file. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completion } from '../server/language/service/languageService.ts';
import { atCursor } from '../server/language/service/testing/input.ts';
import { errorsIn, expand, stopsIn } from '../server/language/service/testing/snippets.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const snippets = new Map(
  completion(await atCursor('|')).map(({ label, textEdit }) => [label, textEdit?.newText ?? ''] as const),
);

/** They name a file that is not there. */
const ofFiles = ['machine-from', 'table-from', 'import'];

/** So long a list has to open by itself, milliseconds: where one did, the next Tab would take a suggestion. */
const pause = 250;

/** No name is a part of another one: files are opened by parts of their names. */
const fileOf = (label: string): string => `with-${label}.place`;
const overJob = 'job-typed-over.place';
const overMachine = 'machine-typed-over.place';
const inBody = 'property.place';

let folder: string;
let workbench: Workbench;
openWorkbench(
  'snippets',
  'first.place',
  (opened, at) => {
    [workbench, folder] = [opened, at];
  },
  {
    fill: async (folder) => {
      for (const name of ['first.place', overJob, overMachine, ...[...snippets.keys()].map(fileOf)])
        await writeFile(join(folder, name), '');
      await writeFile(join(folder, inBody), 'machine m {\n  hosts 2 \n}\n');
    },
  },
);

/** Opens an empty file and takes a snippet there. */
async function take(label: string, file: string): Promise<void> {
  const { page } = workbench;
  await workbench.openFile(file);
  await page.locator('.editor-instance .view-line').first().click();
  await page.keyboard.type(label, { delay: 40 });
  await list()
    .and(page.locator('.focused', { hasText: label }))
    .waitFor();
  await page.keyboard.press('Enter');
}

const list = () => workbench.page.locator('.suggest-widget.visible .monaco-list-row');

const suggested = (label: string) => list().and(workbench.page.locator('.focused', { hasText: label }));

async function expectSaved(file: string, text: string | RegExp): Promise<void> {
  await workbench.page.keyboard.press('Control+S');
  const saved = expect.poll(() => readFile(join(folder, file), 'utf8'));
  await (typeof text === 'string' ? saved.toBe(text) : saved.toMatch(text));
}

describe('Tab through a snippet in an empty file', () => {
  it.each([...snippets].filter(([label]) => label !== 'import'))(
    'leaves %s as it was offered',
    async (label, snippet) => {
      const { page } = workbench;
      await take(label, fileOf(label));
      const stops = stopsIn(snippet).filter(({ usual }) => usual !== undefined);
      for (const { choices } of stops) {
        if (choices === undefined) await page.waitForTimeout(pause);
        else await expect.poll(() => list().count()).toBeGreaterThan(0);
        if (choices === undefined) expect(await list().count(), `suggestions at a placeholder of ${label}`).toBe(0);
        if (label === 'machine' && choices !== undefined) await workbench.screenshot('snippets-topologies');
        await page.keyboard.press('Tab');
      }
      const text = expand(snippet).replaceAll('\t', '  ');
      await expectSaved(fileOf(label), text);
      expect(await errorsIn(text)).toEqual([]);
      if (!ofFiles.includes(label)) expect(await page.locator('.squiggly-error').count()).toBe(0);
      await workbench.screenshot(`snippets-${label}`);
    },
  );

  it('chooses a file to import', async () => {
    const { page } = workbench;
    await take('import', fileOf('import'));
    await list().first().waitFor();
    await page.keyboard.press('Tab');
    await expectSaved(fileOf('import'), /^import "[\w-]+\.place"$/);
  });

  it('takes what is typed over a placeholder', async () => {
    const { page } = workbench;
    await take('job', overJob);
    for (const words of ['wave', '8 x 8', 'nine', '8 MiB']) {
      await page.keyboard.type(words, { delay: 50 });
      await page.waitForTimeout(pause);
      await page.keyboard.press('Tab');
    }
    await expectSaved(overJob, 'job wave {\n  grid    8 x 8\n  stencil nine-point\n  bytes   8 MiB\n}');
  });

  it('takes the topology whose name was begun', async () => {
    const { page } = workbench;
    await take('machine', overMachine);
    for (const words of ['big', 'dragonfly-p', '2']) {
      await page.keyboard.type(words, { delay: 50 });
      await page.waitForTimeout(pause);
      await page.keyboard.press('Tab');
    }
    await expectSaved(
      overMachine,
      'machine big {\n  topology dragonfly-plus(p 4, leaves 4, spines 4, h 4, g 5)\n  cores    2\n}',
    );
  });
});

describe('Tab through the snippet of a property', () => {
  it('leaves it as it was offered', async () => {
    const { page } = workbench;
    await workbench.openFile(inBody);
    await page.locator('.editor-instance .view-line', { hasText: 'hosts' }).click();
    await page.keyboard.press('End');
    for (const word of ['topology', 'fat-tree']) {
      await page.keyboard.type(word.slice(0, 4), { delay: 40 });
      await suggested(word).waitFor();
      await page.keyboard.press('Enter');
    }
    for (let stop = 0; stop < 2; stop++) {
      await page.waitForTimeout(pause);
      expect(await list().count()).toBe(0);
      await page.keyboard.press('Tab');
    }
    await expectSaved(inBody, 'machine m {\n  hosts 2 topology fat-tree(k 4, n 3)\n}\n');
  });
});
