/** Several files at once: the overview of a workspace, placements that can be compared, and watched files. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CodeLens, Command, Location, WorkspaceEdit, WorkspaceSymbol } from 'vscode-languageserver/node';
import { methodOf } from '../../server/protocol/calls.ts';
import type { ComparablePlacement, OverviewAnswer } from '../../server/protocol/messages.ts';
import { clientOfFile } from './testing/languageClient.ts';

const client = clientOfFile();

describe('a file that is opened through a linked folder', () => {
  it('is the file that others import: uses and renames are found in all of them, each once', async () => {
    client.write('lib/net.place', 'machine ring { topology torus 4 }\n');
    const main = `import "../lib/net.place"
job j { tasks 4  pattern ring }
placement p { job j  machine ring }
`;
    const importer = await client.open('sub/main.place', main);
    symlinkSync(join(client.folder, 'lib'), join(client.folder, 'liblink'));
    // Edited, so that the text on the disk has other places.
    const linked = await client.open('liblink/net.place', '\nmachine ring { topology torus 4 }\n');
    const about = { textDocument: { uri: linked }, position: { line: 1, character: 9 } };
    const lines = async (asked: object) =>
      (await client.request<Location[]>('textDocument/references', { ...asked, context: { includeDeclaration: true } }))
        .map(({ uri, range }) => `${uri} ${range.start.line}`)
        .toSorted();
    const expected = [`${linked} 1`, `${importer} 2`].toSorted();
    expect(await lines(about)).toEqual(expected);
    expect(await lines({ textDocument: { uri: importer }, position: { line: 2, character: 30 } })).toEqual(expected);
    const { changes = {} } = await client.request<WorkspaceEdit>('textDocument/rename', {
      ...about,
      newName: 'circle',
    });
    expect(Object.keys(changes).toSorted()).toEqual([linked, importer].toSorted());
    const symbols = await client.request<WorkspaceSymbol[]>('workspace/symbol', { query: 'ring' });
    expect(symbols.map(({ location }) => location.uri)).toEqual([linked]);
    const { entries } = await client.request<OverviewAnswer>(methodOf('overview'), {});
    expect(entries.filter(({ name }) => name === 'ring')).toHaveLength(1);
  });
});

describe('the overview of a workspace', () => {
  const overview = (): Promise<OverviewAnswer> => client.request(methodOf('overview'), {});
  const shown = async () =>
    (await overview()).entries.map(({ kind, name, words, state }) => [kind, name, words, state]);

  const machine = 'machine small { topology torus 4 x 4 }\n';
  const program = `import "machine.place"
job heat { grid 4 x 4  stencil five-point  bytes 64 KiB }
network fast { switching cut-through packet 8 flit 4 B }
placement first { job heat  machine small  map row-major  simulate fast }
placement wrong { job heat  machine small  map row-mayor }
experiment calm { stream nothing  machine small  allocate rbs  seeds 1 .. 2 }
job line { tasks 4  pattern ring  periodic }
`;

  it('is empty where there is no file', async () => {
    expect(await overview()).toEqual({ entries: [], isComplete: true });
  });

  it('has what closed files say, and of open ones what was worked out', async () => {
    client.write('machine.place', machine);
    const uri = client.write('main.place', program);
    expect(await shown()).toEqual([
      ['machine', 'small', 'topology torus 4 x 4', 'fresh'],
      ['job', 'heat', 'grid 4 x 4', 'fresh'],
      ['placement', 'first', 'map row-major', 'unknown'],
      ['placement', 'wrong', 'map row-mayor', 'unknown'],
      ['experiment', 'calm', '', 'unknown'],
      ['job', 'line', 'tasks 4', 'fresh'],
    ]);
    await client.open('main.place', program);
    await client.reports(uri, ({ running, revision }) => !running && revision > 0);
    const entries = await shown();
    expect(entries[0]).toEqual(['machine', 'small', 'topology torus 4 x 4', 'fresh']);
    expect(entries[1]).toEqual(['job', 'heat', '16 tasks, 3 MiB', 'fresh']);
    expect(entries[3]).toEqual(['placement', 'wrong', expect.stringContaining('row-mayor'), 'failed']);
    // `periodic` has no effect there, which is a warning.
    expect(entries[5]?.slice(1)).toEqual(['line', expect.stringMatching(/^4 tasks, /), 'fresh']);
    expect(entries[2]).toEqual(['placement', 'first', expect.stringMatching(/^1 hop on average/), 'fresh']);
    await client.edit(uri, 'row-major', 'random');
    expect((await shown())[2]).toEqual([
      'placement',
      'first',
      expect.stringMatching(/^1 hop on average.*before the last edits$/),
      'stale',
    ]);
  });

  it('says where each name stands, and which placements are simulated', async () => {
    const uri = client.write('main.place', program.replace('import "machine.place"\n', machine));
    const { entries } = await overview();
    expect(entries.filter(({ isSimulated }) => isSimulated).map(({ name }) => name)).toEqual(['first']);
    expect(entries.find(({ name }) => name === 'first')).toMatchObject({
      uri,
      range: { start: { line: 3, character: 10 }, end: { line: 3, character: 15 } },
    });
  });
});

describe('placements that can be compared', () => {
  const shared = `machine small { topology torus 4 x 4 }
machine other { topology torus 4 x 4 }
job heat { grid 4 x 4  stencil five-point  bytes 64 KiB }
job ocean { grid 2 x 2  stencil five-point  bytes 64 KiB }
`;
  const main = `import "shared.place"
placement first { job heat  machine small  map row-major }
placement second { job heat  machine small  map random }
placement elsewhere { job heat  machine other  map row-major }
placement alone { job ocean  machine small  map row-major }
`;
  const more = `import "shared.place"
placement third { job heat  machine small  map rcb }
`;

  async function opened(): Promise<{ uri: string; otherUri: string }> {
    client.write('shared.place', shared);
    const uri = await client.open('main.place', main);
    await client.reports(uri, ({ running, revision }) => !running && revision > 0);
    const otherUri = await client.open('more.place', more);
    await client.reports(otherUri, ({ running, revision }) => !running && revision > 0);
    return { uri, otherUri };
  }

  it('stand on one machine and have a job in common, in other files that are open too', async () => {
    const { uri, otherUri } = await opened();
    const ask = (parameters: object) =>
      client.request<readonly ComparablePlacement[]>(methodOf('comparablePlacements'), parameters);
    const withFirst = await ask({ uri, placement: 'first' });
    expect(withFirst.map((one) => [one.uri, one.name])).toEqual([
      [uri, 'first'],
      [uri, 'second'],
      [otherUri, 'third'],
    ]);
    expect(withFirst[0]).toMatchObject({ machine: 'small', jobs: ['heat'], state: 'fresh' });
    expect(withFirst[0]?.words).toMatch(/^1 hop on average/);
    expect((await ask({ uri })).map(({ name }) => name)).toEqual(['first', 'second', 'third']);
    expect((await ask({ uri, placement: 'alone' })).map(({ name }) => name)).toEqual(['alone']);
    expect(await ask({ uri, placement: 'nobody' })).toEqual([]);
    expect(await ask({ uri: 'file:///not-open.place' })).toEqual([]);
  });

  it('have a lens that compares them, and others have none', async () => {
    const { uri } = await opened();
    const lenses = await client.request<readonly CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    const comparing = lenses.flatMap(({ command }) => (command?.title === 'Compare' ? [command] : []));
    expect(comparing.map(({ command, arguments: given = [] }: Command) => [command, String(given[1])])).toEqual([
      ['placewright.comparePlacements', 'first'],
      ['placewright.comparePlacements', 'second'],
    ]);
  });
});

describe('with many documents', () => {
  const text = (index: number): string => `import "machine.place"
table t from "t${index}.csv"
job j { tasks 16  table t }
placement p { job j  machine small  map rcb }
`;

  it('each file is watched once, and no more once nobody needs it', async () => {
    client.write('machine.place', 'machine small { topology torus 4 x 4 }\n');
    const count = 40;
    const uris: string[] = [];
    for (let index = 0; index < count; index++) {
      client.write(`t${index}.csv`, `from,to,bytes\n0,1,${index + 1}\n`);
      uris.push(await client.open(`d${index}.place`, text(index)));
    }
    for (const uri of uris) await client.settled(uri);
    const wanted = [...Array(count).keys()].flatMap((index) => [`d${index}.place`, `t${index}.csv`]);
    await client.watching((names) => names.length === wanted.length + 1);
    expect([...client.watched].sort()).toEqual([...wanted, 'machine.place'].sort());
    // Every file was asked for once, however often its readers were studied.
    expect(client.registrations).toBe(wanted.length + 1);

    for (const uri of uris.slice(1)) await client.close(uri);
    await client.watching((names) => names.length === 3);
    expect([...client.watched].sort()).toEqual(['d0.place', 'machine.place', 't0.csv']);
    expect(client.registrations).toBe(wanted.length + 1);
  });
});
