/** What the tests of the real editor run in: the embedded VS Code (code-server) of `e2e/`, and Chromium. */
import { createHash } from 'node:crypto';
import { readFile, writeFile, access, constants } from 'node:fs/promises';
import { resolve, delimiter, join } from 'node:path';
import { root, run } from './run.ts';

const directory = resolve(root, 'e2e');
const marker = resolve(directory, 'node_modules/.set-up');

/**
 * Installs what `e2e/package-lock.json` says, unless that is what is there. It is a package of its own: 600 MB that
 * only tests and `npm start` without a desktop VS Code need. Takes 40 s the first time.
 */
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

const chromiumNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Path of the Chromium that drives the tests, from CHROMIUM or the PATH. */
export async function findChromium(): Promise<string | undefined> {
  const given = process.env['CHROMIUM'];
  if (given !== undefined) return given;
  return findProgram(chromiumNames);
}

/** The first of these programs on the PATH. */
export async function findProgram(candidates: readonly string[]): Promise<string | undefined> {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of candidates) {
      const path = join(directory, name);
      const runs = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (runs) return path;
    }
  }
  return undefined;
}

/** Makes sure that there is a Chromium: installs Debian's where we may, else says how. */
export async function setUpChromium(): Promise<void> {
  if ((await findChromium()) !== undefined) return;
  const apt = await findProgram(['apt-get']);
  if (apt === undefined || process.getuid?.() !== 0) {
    throw new Error(
      'The tests of the real editor need Chromium. Install it with\n\n  sudo apt-get install --yes chromium\n\nor set CHROMIUM to the path of one.',
    );
  }
  await run(apt, ['update']);
  await run(apt, ['install', '--yes', '--no-install-recommends', 'chromium']);
}
