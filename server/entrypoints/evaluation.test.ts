import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { forwardingSamples } from '../interchange/testing/samples.ts';
import { readFabricFile } from './importFile.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileMemory, readStudyFiles } from './evaluation.ts';

let folder: string;
const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href;

const tree = 'SwitchName=leaf0 Nodes=n[0-3]\nSwitchName=leaf1 Nodes=n[4-7]\nSwitchName=top Switches=leaf[0-1]\n';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'placewright-study-files-'));
  await writeFile(join(folder, 'pair.csv'), '0,1\n2,0\n');
  await writeFile(join(folder, 'mapping.txt'), '1\n0\n');
  await writeFile(join(folder, 'words.txt'), 'no host!\n');
  await writeFile(join(folder, 'two words é.csv'), '0,1\n0,0\n');
  await writeFile(join(folder, 'topology.conf'), tree);
});
afterAll(() => rm(folder, { recursive: true }));

describe('readStudyFiles', () => {
  it('reads tables and mappings, each failure by itself', async () => {
    const files = await readStudyFiles(
      [
        { uri: uriOf('pair.csv'), kind: 'table' },
        { uri: uriOf('two words é.csv'), kind: 'table' },
        { uri: uriOf('none.csv'), kind: 'table' },
        { uri: uriOf('mapping.txt'), kind: 'given' },
        { uri: uriOf('words.txt'), kind: 'given' },
      ],
      {},
    );
    const table = files.table(uriOf('pair.csv'));
    expect(table.ok && Array.from(table.value.amount)).toEqual([1, 2]);
    expect(files.table(uriOf('two words é.csv')).ok).toBe(true);
    expect(files.table(uriOf('none.csv'))).toMatchObject({ failure: { code: 'file-not-found' } });
    expect(files.given({ uri: uriOf('mapping.txt') })).toMatchObject({ value: { slots: Int32Array.of(1, 0) } });
    expect(files.given({ uri: uriOf('words.txt') })).toMatchObject({
      failure: { message: expect.stringMatching(/^words\.txt:1: /) as string },
    });
    expect(files.table(uriOf('never-named.csv'))).toMatchObject({ failure: { code: 'file-unreadable' } });
  });

  it('reads packed files of every kind', async () => {
    const texts = {
      'map.gz': '1\n0\n',
      'xyz.gz': '0 1\n2 3\n',
      'fabric.gz': 'SwitchName=a Nodes=n[1-2]\n',
      'log.gz': '1 0 0 5 4 -1 -1 4 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n',
      'fdbs.gz': forwardingSamples['opensm-fdbs'] ?? '',
    };
    for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), gzipSync(text));
    // Two cores of one socket, as `lstopo` describes them, packed by xz.
    const hwloc =
      '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4ADdAF9dAB4dCecz99UoFPwV1AolJcPPUERWc9od355JnVCW8kJn2o2dOms5KWhRFnlLZbCUJD162cCD1wzT3FbgWsTmQWMP8iQmhLJtEgLUkgS17nDDWVKCGCz97cyYz3QAjsAAAAAa/wkVj9e6kQABe94BAAAAgo/JLLHEZ/sCAAAAAARZWg==';
    await writeFile(join(folder, 'node.xml.xz'), Buffer.from(hwloc, 'base64'));
    await writeFile(join(folder, 'cut.xz'), Buffer.from(hwloc, 'base64').subarray(0, 60));
    const files = await readStudyFiles(
      [
        { uri: uriOf('map.gz'), kind: 'given' },
        { uri: uriOf('xyz.gz'), kind: 'coordinates' },
        { uri: uriOf('fabric.gz'), kind: 'fabric', format: undefined },
        { uri: uriOf('fdbs.gz'), kind: 'forwarding', format: undefined },
        { uri: uriOf('log.gz'), kind: 'log' },
        { uri: uriOf('node.xml.xz'), kind: 'node' },
        { uri: uriOf('cut.xz'), kind: 'node' },
      ],
      {},
    );
    expect(files.given({ uri: uriOf('map.gz') })).toMatchObject({ value: { slots: Int32Array.of(1, 0) } });
    expect(files.coordinates(uriOf('xyz.gz'))).toMatchObject({ value: { dimensions: 2 } });
    expect(files.fabric(uriOf('fabric.gz'), undefined)).toMatchObject({ value: { routers: ['a'] } });
    expect(files.forwarding(uriOf('fdbs.gz'), undefined)).toMatchObject({ ok: true });
    expect(files.log(uriOf('log.gz'))).toMatchObject({ ok: true });
    expect(files.nodeShape(uriOf('node.xml.xz'))).toMatchObject({ value: { coresOfSockets: [2] } });
    expect(files.nodeShape(uriOf('cut.xz'))).toMatchObject({
      failure: {
        code: 'bad-node',
        message: expect.stringMatching(/^cut.xz is packed by xz, and it is damaged/) as string,
      },
    });
    expect(await readFabricFile(uriOf('fabric.gz'), {})).toMatchObject({ value: { routers: ['a'] } });
  });

  it('reads coordinates, and remembers them until their file changes or is no longer named', async () => {
    const memory = new FileMemory();
    const name = { uri: uriOf('xyz.txt'), kind: 'coordinates' as const };
    memory.need('text', [name]);
    const read = async () => (await readStudyFiles([name], {}, memory)).coordinates(name.uri);
    expect(await read()).toMatchObject({ failure: { code: 'file-not-found' } });
    await writeFile(join(folder, 'xyz.txt'), '0 1\n2 3\n');
    const first = await read();
    expect(first).toMatchObject({ value: { fileName: 'xyz.txt', dimensions: 2 } });
    expect(await read()).toBe(first);
    await writeFile(join(folder, 'xyz.txt'), '0 1 7\n2 3 7\n');
    expect(await read()).toMatchObject({ value: { dimensions: 3 } });
    memory.need('text', []);
    expect(memory.size).toBe(0);
  });

  it('remembers a table until its file changes or is no longer named', async () => {
    const memory = new FileMemory();
    const name = { uri: uriOf('changing.csv'), kind: 'table' as const };
    memory.need('text', [name]);
    const read = async () => (await readStudyFiles([name], {}, memory)).table(name.uri);
    await writeFile(join(folder, 'changing.csv'), '0,1\n2,0\n');
    const first = await read();
    expect(await read()).toBe(first);
    await writeFile(join(folder, 'changing.csv'), '0,1,0\n2,0,0\n0,0,0\n');
    expect(await read()).toMatchObject({ value: { size: 3 } });
    memory.need('text', []);
    expect(memory.size).toBe(0);
  });

  it('takes a table from an editor', async () => {
    const files = await readStudyFiles([{ uri: uriOf('pair.csv'), kind: 'table' }], {
      openTexts: new Map([[uriOf('pair.csv'), '0,9\n9,0']]),
    });
    const table = files.table(uriOf('pair.csv'));
    expect(table.ok && Array.from(table.value.amount)).toEqual([9, 9]);
  });
});

describe('traces', () => {
  const traceAt = (name: string) => ({ uri: uriOf(name), kind: 'trace' as const, format: undefined, options: {} });
  const read = async (name: string, memory?: FileMemory) =>
    (await readStudyFiles([traceAt(name)], {}, memory)).trace(uriOf(name), undefined, {});
  /** So many messages from rank 0 to rank 1, one file for each rank, one of them packed. */
  const writeRanks = async (messages: number): Promise<void> => {
    await mkdir(join(folder, 'ranks'), { recursive: true });
    await writeFile(join(folder, 'ranks', 'rank-0.txt'), `0 init\n${'0 send 1 0 8\n'.repeat(messages)}`);
    await writeFile(join(folder, 'ranks', 'rank-1.txt'), gzipSync(`1 init\n${'1 recv 0 0 8\n'.repeat(messages)}`));
  };

  it.each([
    ['a list of the files', 'ranks.txt'],
    ['a pattern', 'ranks/rank-*.txt'],
    ['a folder', 'ranks'],
  ])('of all ranks are named by %s, and read anew each time', async (_, name) => {
    await writeFile(join(folder, 'ranks.txt'), 'ranks/rank-0.txt\nranks/rank-1.txt\n');
    const memory = new FileMemory();
    await writeRanks(3);
    expect(await read(name, memory)).toMatchObject({
      value: { workload: { taskCount: 2, kinds: { length: 6 } }, warnings: [] },
    });
    await writeRanks(4);
    expect(await read(name, memory)).toMatchObject({ value: { workload: { kinds: { length: 8 } } } });
  });

  it('of one file are remembered until it changes', async () => {
    const memory = new FileMemory();
    await writeFile(join(folder, 'a.trace'), 's 0 1 0 8\nr 0 1 0 8\n');
    const first = await read('a.trace', memory);
    expect(first).toMatchObject({ ok: true });
    expect(await read('a.trace', memory)).toBe(first);
    await writeFile(join(folder, 'a.trace'), 's 0 1 0 8\nr 0 1 0 8\ns 0 1 0 9\nr 0 1 0 9\n');
    expect(await read('a.trace', memory)).toMatchObject({ value: { workload: { kinds: { length: 4 } } } });
  });

  it('are looked at, however large their file is', async () => {
    await writeFile(join(folder, 'huge.trace'), 's 0 1 0 8\n\u0000');
    await truncate(join(folder, 'huge.trace'), 2 ** 31);
    expect(await read('huge.trace')).toMatchObject({
      failure: { code: 'bad-trace', message: expect.stringMatching(/^huge\.trace: .*byte 10 is zero/) as string },
    });
  });

  it('that are packed and damaged, absent or no files of a format are refused', async () => {
    await writeFile(join(folder, 'cut.trace'), gzipSync('s 0 1 0 8\n'.repeat(99)).subarray(0, 30));
    await writeFile(join(folder, 'absent.txt'), 'ranks/none.txt\n');
    expect(await read('cut.trace')).toMatchObject({
      failure: {
        code: 'bad-trace',
        message: expect.stringMatching(/^cut\.trace is packed by gzip, and it is damaged/) as string,
      },
    });
    expect(await read('absent.txt')).toMatchObject({ failure: { code: 'file-not-found' } });
    expect(await read('none-*.txt')).toMatchObject({
      failure: {
        code: 'file-not-found',
        message: expect.stringContaining('No files none-*.txt in') as string,
      },
    });
  });
});

describe('machines of files', () => {
  const fabric = (name: string, format?: string) => ({ uri: uriOf(name), kind: 'fabric' as const, format });

  it('are read, by content or as the format that is named', async () => {
    const uri = uriOf('topology.conf');
    const named = [fabric('topology.conf'), fabric('topology.conf', 'slurm-block'), fabric('none.conf')];
    const files = await readStudyFiles(named, {});
    expect(files.fabric(uri, undefined)).toMatchObject({
      value: { format: 'slurm-tree', routers: { length: 3 }, nodes: { length: 8 }, cables: { length: 2 } },
    });
    expect(files.fabric(uri, 'slurm-block')).toMatchObject({
      failure: { code: 'bad-fabric', message: expect.stringMatching(/^topology\.conf/) as string },
    });
    expect(files.fabric(uriOf('none.conf'), undefined)).toMatchObject({ failure: { code: 'file-not-found' } });
    expect(files.nodeShape(uri)).toMatchObject({ failure: { code: 'file-unreadable' } });
  });

  it('have nodes as hwloc saw them', async () => {
    await writeFile(join(folder, 'bad.xml'), '<html></html>');
    const files = await readStudyFiles([{ uri: uriOf('bad.xml'), kind: 'node' }], {});
    expect(files.nodeShape(uriOf('bad.xml'))).toMatchObject({
      failure: { code: 'bad-node', message: expect.stringMatching(/^bad\.xml/) as string },
    });
  });

  it('are refused unread above 64 MiB', async () => {
    await writeFile(join(folder, 'huge.conf'), '');
    await truncate(join(folder, 'huge.conf'), 65 * 2 ** 20);
    const files = await readStudyFiles([fabric('huge.conf')], {});
    expect(files.fabric(uriOf('huge.conf'), undefined)).toMatchObject({
      failure: { code: 'file-too-large', message: expect.stringContaining('maximum is 64 MiB') as string },
    });
  });

  it('stay outside of a folder that is not trusted', async () => {
    const policy = { allowedRoots: [join(folder, 'elsewhere')] };
    const files = await readStudyFiles([fabric('topology.conf'), { uri: uriOf('pair.csv'), kind: 'node' }], policy);
    expect(files.fabric(uriOf('topology.conf'), undefined)).toMatchObject({ failure: { code: 'outside-workspace' } });
    expect(files.nodeShape(uriOf('pair.csv'))).toMatchObject({ failure: { code: 'outside-workspace' } });
  });

  it('are remembered until the file changes, but not past the fence', async () => {
    const memory = new FileMemory();
    const uri = uriOf('changing.conf');
    memory.need('text', [fabric('changing.conf')]);
    const read = async (policy = {}) =>
      (await readStudyFiles([fabric('changing.conf')], policy, memory)).fabric(uri, undefined);
    await writeFile(join(folder, 'changing.conf'), tree);
    const first = await read();
    expect(await read()).toBe(first);
    expect(await read({ allowedRoots: [join(folder, 'elsewhere')] })).toMatchObject({ ok: false });
    await writeFile(join(folder, 'changing.conf'), tree.replace('n[0-3]', 'n[0-3],login'));
    expect(await read()).toMatchObject({ value: { nodes: { length: 9 } } });
    memory.need('text', []);
    expect(memory.size).toBe(0);
  });
});
