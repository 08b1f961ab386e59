import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { run } from './run.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Path of the Chromium that drives the tests, from CHROMIUM or the PATH. */
export async function findChromium(): Promise<string | undefined> {
  const given = process.env['CHROMIUM'];
  if (given !== undefined) return given;
  return findProgram(names);
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
