/**
 * `npm start`: builds, and opens `samples/` in VS Code with the extension: the VS Code on the
 * PATH, else the embedded one in the browser, until Ctrl-C. `--embedded` asks for that one.
 */
import { resolve } from 'node:path';
import { startEditor } from '../e2e/editor.ts';
import { buildBundles } from './build.ts';
import { findProgram } from './chromium.ts';
import { setUpEmbeddedEditor } from './embeddedEditor.ts';
import { packagePath, packExtension } from './package.ts';
import { root } from './root.ts';
import { run } from './run.ts';

const samples = resolve(root, 'samples');

async function openDesktop(code: string): Promise<void> {
  console.log(`Opening samples/ with ${code} …`);
  await run(code, ['--new-window', `--extensionDevelopmentPath=${root}`, samples]);
}

async function openEmbedded(): Promise<void> {
  await setUpEmbeddedEditor();
  await packExtension();
  const editor = await startEditor({ vsix: packagePath });
  const stopped = new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void editor.stop().then(done));
  });
  console.log(`\nPlacewright runs in the browser at\n\n  ${editor.addressOf(samples)}\n\nPress Ctrl-C to stop it.`);
  await stopped;
}

await buildBundles();
const code = process.argv.includes('--embedded') ? undefined : await findProgram(['code']);
await (code === undefined ? openEmbedded() : openDesktop(code));
