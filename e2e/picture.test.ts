import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import UPNG from 'upng-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../tools/run.ts';
import { Workbench } from './workbench.ts';

/**
 * The first picture of the README is taken here, in the real editor. Its pixels depend on the fonts of the
 * machine, so what it shows is kept beside it as text and compared: where that has changed, the picture is old.
 * `UPDATE_DOCS=1` takes it anew.
 */
const picture = resolve(root, 'docs/pictures/editor.png');
const description = resolve(root, 'docs/pictures/editor.json');
const sample = 'cg/nas-cg.place';
const placement = 'in-order';

/** What the picture shows, in words; and digests of its file and of the placement's drawing. */
interface Facts {
  readonly program: string;
  readonly lens: string;
  readonly headline: string;
  readonly buttons: readonly string[];
  readonly explanation: readonly string[];
  readonly legend: readonly string[];
  readonly drawing: string;
}

/** In 96 colours, in which text on plain ground looks the same: a third of the bytes, all of which the package carries. */
function inFewColors(png: Buffer): Uint8Array {
  const image = UPNG.decode(new Uint8Array(png).buffer);
  return new Uint8Array(UPNG.encode(UPNG.toRGBA8(image), image.width, image.height, 96));
}

const digest = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const linesOf = (text: string): string[] => text.split(/\s*\n\s*/).filter((line) => line !== '');

let workbench: Workbench;
beforeAll(async () => {
  workbench = await Workbench.open(resolve(root, 'samples'), sample);
});
afterAll(async () => {
  await workbench.close();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await workbench.screenshot('picture-failed');
});

describe('the first picture of the README', () => {
  it('shows what is seen today', async () => {
    const facts = await compose();
    if (process.env['UPDATE_DOCS'] === '1') {
      await writeFile(picture, inFewColors(await workbench.page.screenshot()));
    }
    // Says which picture the description is of: test/docs/pictures.test.ts holds both against today's program.
    const described = { ...facts, picture: digest(await readFile(picture)) };
    if (process.env['UPDATE_DOCS'] === '1') {
      await writeFile(description, `${JSON.stringify(described, undefined, 2)}\n`);
    }
    expect(described, 'The picture is old: UPDATE_DOCS=1 takes it anew.').toEqual(
      JSON.parse(await readFile(description, 'utf8')),
    );
  });
});

/** The placement beside its picture, the maximum link load explained. */
async function compose(): Promise<Facts> {
  const { page, panel } = workbench;
  const lens = page.locator('.codelens-decoration', { hasText: 'on average' }).first();
  await lens.waitFor();
  await page.keyboard.press('Control+B');
  await workbench.word(placement).click();
  await workbench.command('Placewright: Show Placement');
  await workbench.canvas.waitFor();
  await workbench.command('Placewright: Toggle Diagram and Table');
  await panel.getByRole('table', { name: 'Links' }).getByRole('button', { name: 'Explain' }).first().click();
  await workbench.command('Placewright: Toggle Diagram and Table');
  await workbench.explanation.getByText('flows over this link').waitFor();
  // The links are painted in more colours than the page has: then the picture is there.
  await expect.poll(async () => (await workbench.colors()).length).toBeGreaterThan(9);
  await page.mouse.move(5, 5);
  const drawn = await promisify(execFile)(process.execPath, [
    resolve(root, 'dist/cli.cjs'),
    ...['draw', resolve(root, 'samples', sample), placement, '-o', '-'],
  ]);
  return {
    program: digest(await readFile(resolve(root, 'samples', sample), 'utf8')),
    lens: await lens.innerText(),
    headline: await panel.locator('.headline').innerText(),
    buttons: await panel
      .locator('.controls vscode-button')
      .evaluateAll((all) => all.map((each) => each.getAttribute('title') ?? '')),
    explanation: linesOf(await workbench.explanation.innerText()),
    legend: linesOf(await panel.locator('.legend').innerText()),
    drawing: digest(drawn.stdout),
  };
}
