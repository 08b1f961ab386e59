import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Uri } from 'vscode';
import { importMachine } from './importFile.ts';
import { exportMappingVector } from './exportMapping.ts';
import { savePictureSvg } from './saving.ts';
import { fakeServer } from './testing/server.ts';
import { reset, user } from './testing/vscode.ts';

/** Commands that another extension calls with the name of a file. */

const server = fakeServer({
  answers: {
    export: () => Promise.resolve({ ok: true, text: 'new', suggestedName: 'x', warnings: [], commands: [] }),
    picture: () => Promise.resolve({ ok: true, svg: 'new' }),
    describeFabric: () =>
      Promise.resolve({
        ok: true,
        format: 'f',
        switches: 1,
        hosts: 2,
        cables: 0,
        rows: [],
        warnings: [],
        suggestedTarget: '',
        text: 'new',
      }),
  },
});
const shown = { uri: 'file:///a.place', placement: 'p' };

const commands: readonly (readonly [string, (target: Uri) => Promise<void>])[] = [
  ['export', (target) => exportMappingVector(server, undefined, { ...shown, format: 'json', target })],
  ['picture', (target) => savePictureSvg(server, shown, target)],
  // It opens what it wrote, which there is no editor for here.
  [
    'import',
    (target) => importMachine(server, { show: () => undefined }, Uri.file('/net.conf'), target).catch(() => undefined),
  ],
];

let folder: string;
beforeEach(async () => {
  reset();
  folder = await mkdtemp(join(tmpdir(), 'client-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe.each(commands)('the command of the %s', (_name, run) => {
  it('writes a file that was not there without a question', async () => {
    await run(Uri.file(join(folder, 'out')));
    expect(await readFile(join(folder, 'out'), 'utf8')).toBe('new');
    expect(user.messages.filter((message) => message.includes('Replace'))).toEqual([]);
    expect(await readdir(folder)).toEqual(['out']);
  });

  it.each([
    ['leaves', undefined, 'old'],
    ['replaces', 'Replace', 'new'],
  ])('asks about one that is there, and %s it as the user says', async (_verb, press, content) => {
    await writeFile(join(folder, 'out'), 'old');
    user.press = press;
    await run(Uri.file(join(folder, 'out')));
    expect(await readFile(join(folder, 'out'), 'utf8')).toBe(content);
    expect(user.messages[0]).toBe('out exists already. Replace it?');
  });
});
