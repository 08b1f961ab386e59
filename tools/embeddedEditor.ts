/**
 * Sets up the embedded VS Code (code-server) of `e2e/`. It is a package of its own: 600 MB that
 * only tests and `npm start` without a desktop VS Code need. Takes 40 s the first time.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { root } from './root.ts';
import { run } from './run.ts';

const directory = resolve(root, 'e2e');
const marker = resolve(directory, 'node_modules/.set-up');

/** Installs what `e2e/package-lock.json` says, unless that is what is there. */
export async function setUpEmbeddedEditor(): Promise<void> {
  const wanted = createHash('sha256')
    .update(await readFile(resolve(directory, 'package-lock.json')))
    .digest('hex');
  const present = await readFile(marker, 'utf8').catch(() => '');
  if (present === wanted) return;
  console.log('Setting up the embedded VS Code in e2e/ (once, about 600 MB) …');
  const quiet = ['--no-audit', '--no-fund'];
  await run('npm', ['ci', '--ignore-scripts', ...quiet], { cwd: directory });
  // code-server's own install scripts want a compiler and Kerberos headers; this is all that it needs here.
  const inner = resolve(directory, 'node_modules/code-server/lib/vscode');
  await run('npm', ['install', '--omit=dev', '--ignore-scripts', ...quiet], { cwd: inner });
  await run('npm', ['rebuild', '@vscode/spdlog', '@vscode/native-watchdog'], { cwd: inner });
  await writeFile(marker, wanted);
}
