/** Takes the README's picture of the editor anew: `node tools/pictures.ts`, after `npm run build`. */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Workbench } from '../e2e/workbench.ts';
import { packagePath, packExtension } from './package.ts';
import { root } from './root.ts';

const pictures = resolve(root, 'docs/pictures');
const sample = 'cg/nas-cg.place';
const placement = 'in-order';
await mkdir(pictures, { recursive: true });

await packExtension();
const workbench = await Workbench.open(packagePath, resolve(root, 'samples'), sample);
try {
  await workbench.word(placement).click();
  await workbench.page.keyboard.press('Control+B');
  await workbench.command('Placewright: Show Placement');
  await workbench.choice(placement).click();
  await workbench.canvas.waitFor();
  // The links are painted in more colours than the page has: then the picture is there.
  while ((await workbench.colors()).length < 10) await workbench.page.waitForTimeout(100);
  await workbench.clickPatch('0,114,178,255');
  await workbench.page.waitForTimeout(500);
  await workbench.page.screenshot({ path: resolve(pictures, 'editor.png') });
} finally {
  await workbench.close();
}
