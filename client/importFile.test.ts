import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Uri, window } from 'vscode';
import type {
  DescribeFabricAnswer,
  DescribeFileParameters,
  DescribeTableAnswer,
} from '../server/protocol/importPreview.ts';
import type { MachineParameters } from '../server/protocol/messages.ts';
import { importMachine, importTable } from './importFile.ts';
import type { Server } from './server.ts';
import { fakeServer } from './testing/server.ts';
import { editor, env, reset, user } from './testing/vscode.ts';

let folder: string;
let asked: DescribeFileParameters[];
let machines: MachineParameters[];
beforeEach(async () => {
  reset();
  folder = await mkdtemp(join(tmpdir(), 'import-'));
  asked = [];
  machines = [];
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const inFolder = (name: string): Uri => Uri.file(join(folder, name));

/** A server that knows one file, with the text of the machine for each target. */
const server = (change: object = {}): Server => fakeServer({ answers: { describeFabric: describing(change) } });

const describing =
  (change: object = {}) =>
  (parameters: DescribeFileParameters): Promise<DescribeFabricAnswer> => {
    asked.push(parameters);
    return Promise.resolve({
      ok: true,
      format: 'slurm-tree',
      switches: 3,
      hosts: 1200,
      cables: 2,
      rows: [
        ['switches', '3, from the leaves up 2, 1'],
        ['routing', 'minimal'],
      ],
      warnings: [{ message: 'A word of all.' }, { line: 3, message: 'A port is down.' }],
      source: parameters.uri,
      suggestedTarget: inFolder('net.place').toString(),
      text: `machine net {} // ${parameters.target === undefined ? 'suggested' : 'elsewhere'}\n`,
      ...change,
    });
  };

const run = (from = server(), target?: Uri): Promise<void> =>
  importMachine(from, { show: (machine) => machines.push(machine) }, inFolder('net.conf'), target);

const tabs = (): unknown[] => window.tabGroups.all.flatMap((group) => group.tabs);

describe('what was understood', () => {
  it('is shown, with its warnings and the text that would be written, before anything is written', async () => {
    await run();
    expect(user.opened).toEqual([
      [
        'net.conf (slurm-tree)',
        'switches  3, from the leaves up 2, 1',
        'routing   minimal',
        'net.conf: warning: A word of all.',
        'net.conf:3: warning: A port is down.',
        '',
        'File to write, net.place or another name:',
        '',
        'machine net {} // suggested',
        '',
      ].join('\n'),
    ]);
    expect(user.picks).toEqual([['Write…', '2 warnings', 'Go to line 3']]);
  });

  it('leaves nothing where the user thinks better of it', async () => {
    await run();
    expect(await readdir(folder)).toEqual([]);
    expect([tabs(), editor.contents.size, user.suggested, user.messages, machines]).toEqual([[], 0, [], [], []]);
  });

  it('leaves nothing where the user names no file to write either', async () => {
    user.pick = 'Write…';
    await run();
    expect(user.suggested).toEqual(['net.place']);
    expect(await readdir(folder)).toEqual([]);
    expect([tabs(), editor.contents.size, machines]).toEqual([[], 0, []]);
  });

  it.each([
    ['as it was seen, where it was suggested', 'net.place', 'suggested', 1],
    ['with the way from there, elsewhere', 'other.place', 'elsewhere', 2],
  ])('is written %s', async (_, name, content, questions) => {
    user.pick = 'Write…';
    user.saveAs = join(folder, name);
    await run();
    expect(await readFile(join(folder, name), 'utf8')).toBe(`machine net {} // ${content}\n`);
    expect(await readdir(folder)).toEqual([name]);
    expect(asked).toHaveLength(questions);
    expect(tabs()).toEqual([]);
    expect(machines).toEqual([{ uri: inFolder(name).toString(), machine: 'net' }]);
    expect(user.messages).toEqual(['Imported 3 switches, 1,200 hosts, 2 warnings (slurm-tree) from net.conf.']);
  });

  it('goes to the lines of warnings, and asks again', async () => {
    user.picksFirst = ['Go to line 3'];
    await run();
    const [[command, source, options] = []] = user.commands;
    expect([command, String(source)]).toEqual(['vscode.open', inFolder('net.conf').toString()]);
    expect(options).toMatchObject({ selection: { start: { line: 2 } } });
    expect(user.picks).toHaveLength(2);
    expect(await readdir(folder)).toEqual([]);
  });

  it('lists a bounded number of warnings, and shows all of them', async () => {
    const warnings = Array.from({ length: 5000 }, (_, index) => ({ line: index + 1, message: 'A port is down.' }));
    await run(server({ warnings }));
    expect(user.picks[0]).toHaveLength(202);
    expect(user.opened[0]).toContain('net.conf:5000: warning: A port is down.');
  });

  it('is not asked about where a caller says what to write and where', async () => {
    await run(server(), inFolder('given.place'));
    expect(await readdir(folder)).toEqual(['given.place']);
    expect(user.picks).toEqual([]);
  });
});

describe('reading the file of a network', () => {
  it.each([
    ['asks the server to stop and writes nothing', describing()],
    ['is silent where the server says that it stopped', () => Promise.reject(new Error('stopped'))],
  ])('can be cancelled: %s', async (_what, describe) => {
    user.cancels = true;
    const tokens: unknown[] = [];
    const describeFabric = (parameters: DescribeFileParameters, token: unknown): Promise<unknown> => {
      tokens.push(token);
      return describe(parameters);
    };
    await run(fakeServer({ answers: { describeFabric } }), inFolder('out'));
    expect(user.cancellable).toEqual(['Placewright: reading net.conf']);
    expect(tokens).toEqual([{ isCancellationRequested: true }]);
    expect([user.messages, user.picks, user.opened]).toEqual([[], [], []]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('says why a file cannot be read, and shows no preview', async () => {
    const describeFabric = () => Promise.resolve({ ok: false, message: 'net.conf:3: It is no network.' });
    await expect(run(fakeServer({ answers: { describeFabric } }))).rejects.toThrow('net.conf:3: It is no network.');
    expect([user.picks, user.opened]).toEqual([[], []]);
  });
});

describe('a communication table', () => {
  const describeTable = (parameters: DescribeFileParameters): Promise<DescribeTableAnswer> => {
    asked.push(parameters);
    return Promise.resolve({
      ok: true,
      source: parameters.others === undefined ? parameters.uri : inFolder('cg.*.prof').toString(),
      format: 'npy',
      tasks: 1024,
      pairs: 1,
      rows: [['tasks', '1,024']],
      warnings: [{ message: 'One rank of many.' }],
      suggestedTarget: inFolder('cg.place').toString(),
      text: 'table cg from "cg.npy"\n\njob cg-1 {\n  tasks 1024\n  table cg\n}\n',
    });
  };

  it('is seen, written, and its job shown as a map', async () => {
    user.pick = 'Write…';
    user.saveAs = join(folder, 'cg.place');
    const shown: unknown[] = [];
    const from = fakeServer({ answers: { describeTable } });
    await importTable(from, { show: (subject) => shown.push(subject) }, inFolder('cg.npy'));
    expect(user.opened[0]).toContain('cg.npy: warning: One rank of many.');
    expect(await readFile(join(folder, 'cg.place'), 'utf8')).toContain('table cg from "cg.npy"');
    expect(shown).toEqual([{ uri: inFolder('cg.place').toString(), of: 'job', name: 'cg-1' }]);
    expect(user.messages).toEqual(['Imported 1,024 tasks, 1 pair, 1 warning (npy) from cg.npy.']);
  });

  const imported = (given?: unknown, target?: unknown) =>
    importTable(fakeServer({ answers: { describeTable } }), { show: () => undefined }, given, target);
  const uris = (...names: string[]) => names.map((name) => inFolder(name).toString());

  it('is of all the files that are picked, and named as they are together', async () => {
    user.opens = [join(folder, 'cg.0.prof'), join(folder, 'cg.1.prof')];
    await imported();
    const [uri, other] = uris('cg.0.prof', 'cg.1.prof');
    expect(asked).toEqual([{ uri, others: [other] }]);
    expect(user.openDialogs).toMatchObject([{ canSelectMany: true, canSelectFolders: false }]);
    expect(user.opened[0]?.split('\n')[0]).toMatch(/cg\.\*\.prof \(npy\)$/);
  });

  it('is of all that is selected where the explorer’s menu asks for one of them', async () => {
    const selected = [inFolder('a.prof'), inFolder('b.prof')];
    await imported(selected[1], selected);
    const [uri, other] = uris('a.prof', 'b.prof');
    expect(asked).toEqual([{ uri, others: [other] }]);
    expect([user.openDialogs, user.messages]).toEqual([[], []]);
  });

  it('may be a folder where the editor itself asks', async () => {
    env.remoteName = 'ssh-remote';
    await imported();
    expect(user.openDialogs).toMatchObject([{ canSelectMany: true, canSelectFiles: true, canSelectFolders: true }]);
    expect(asked).toEqual([]);
  });

  it.each([
    ['one file', () => inFolder('a.npy'), 1],
    ['several', () => [inFolder('a.prof'), inFolder('b.prof').toString()], 2],
  ])('is of what a caller names: %s', async (_, given, count) => {
    await imported(given());
    const [{ uri, others = [] } = { uri: '' }] = asked;
    expect([uri, ...others]).toEqual(count === 1 ? uris('a.npy') : uris('a.prof', 'b.prof'));
    expect(user.openDialogs).toEqual([]);
  });
});
