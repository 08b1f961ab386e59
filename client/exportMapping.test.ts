import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExportParameters } from '../server/protocol/messages.ts';
import { exportMappingVector } from './exportMapping.ts';
import { fakeServer } from './testing/server.ts';
import { reset, user, window } from './testing/vscode.ts';

/** What the server was asked for. */
const asked: ExportParameters[] = [];
const server = fakeServer({
  answers: {
    formats: () => Promise.resolve([{ name: 'slurm', summary: 's', extension: '.hostfile' }]),
    export: (parameters: ExportParameters) => {
      asked.push(parameters);
      const { names = 'placeholders', job = 'all jobs' } = parameters;
      if (names === 'a b') return Promise.resolve({ ok: false, message: "Invalid host name 'a b'." });
      const commands = [{ of: 'Slurm', line: 'SLURM_HOSTFILE={file} srun PROGRAM' }];
      return Promise.resolve({
        ok: true,
        text: `${names}${parameters.placement === 'two' ? ` of ${job}` : ''}\n`,
        suggestedName: 'a.p.hostfile',
        warnings: ['It cannot bind.'],
        commands,
        jobs: parameters.placement === 'two' ? ['ocean', 'ice'] : ['heat'],
      });
    },
  },
});
const shown = { uri: 'file:///folder/a.place', placement: 'p', format: 'slurm' };

let folder: string;
beforeEach(async () => {
  reset();
  asked.length = 0;
  folder = await mkdtemp(join(tmpdir(), 'client-'));
  user.saveAs = join(folder, 'my hosts');
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const tabs = (): number => window.tabGroups.all.flatMap(({ tabs: own = [] }) => own).length;

describe('the export of a placement', () => {
  it('is shown whole before it is written, with the command line and what the launcher cannot do', async () => {
    user.picksFirst = ['Write…'];
    await exportMappingVector(server, undefined, shown);
    expect(user.opened).toEqual([
      [
        'warning: It cannot bind.',
        'Slurm: SLURM_HOSTFILE=a.p.hostfile srun PROGRAM',
        '',
        'File to write, a.p.hostfile or another name:',
        '',
        'placeholders\n',
      ].join('\n'),
    ]);
    expect(user.picks).toEqual([['Write…', 'Copy Command Line: Slurm', 'Name Hosts…', 'Warnings', 'Warning']]);
    expect(user.suggested).toEqual(['a.p.hostfile']);
    expect(await readFile(join(folder, 'my hosts'), 'utf8')).toBe('placeholders\n');
    expect(tabs()).toBe(0);
  });

  it('is not written where the user thinks better of it', async () => {
    await exportMappingVector(server, undefined, shown);
    expect(user.opened).toHaveLength(1);
    expect(user.suggested).toEqual([]);
    expect(tabs()).toBe(0);
  });

  it('has the names that the user gives to hosts, once they are names', async () => {
    user.picksFirst = ['Name Hosts…', 'Write…'];
    user.typed = ['a b', 'nid%05d'];
    await exportMappingVector(server, undefined, shown);
    expect(asked.map(({ names }) => names)).toEqual([undefined, 'a b', 'nid%05d']);
    expect(user.messages).toContain("Invalid host name 'a b'.");
    expect(user.opened.at(-1)).toContain('\nnid%05d\n');
    expect(await readFile(join(folder, 'my hosts'), 'utf8')).toBe('nid%05d\n');
  });

  it('leaves the command line on the clipboard, where the file is in quotes if a shell needs them', async () => {
    user.picksFirst = ['Copy Command Line: Slurm', 'Write…'];
    user.press = 'Copy Command Line: Slurm';
    await exportMappingVector(server, undefined, shown);
    await expect
      .poll(() => user.copied)
      .toEqual(['SLURM_HOSTFILE=a.p.hostfile srun PROGRAM', "SLURM_HOSTFILE='my hosts' srun PROGRAM"]);
    expect(user.messages).toContain('Exported to my hosts. It cannot bind.');
  });

  it('is of one job of several where the user chooses one, with the names of hosts that were given', async () => {
    user.picksFirst = ['Name Hosts…', 'Job ice', 'Write…'];
    user.typed = ['nid%05d'];
    await exportMappingVector(server, undefined, { ...shown, placement: 'two' });
    expect(user.picks.map((labels) => labels.filter((label) => /job/i.test(label)))).toEqual([
      ['Job ocean', 'Job ice'],
      ['Job ocean', 'Job ice'],
      ['Job ocean', 'All Jobs'],
    ]);
    expect(await readFile(join(folder, 'my hosts'), 'utf8')).toBe('nid%05d of ice\n');
  });
});
