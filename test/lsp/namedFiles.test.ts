/** Files that a text names: completed, linked, read, watched, and errors in them reported where they are named. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  DiagnosticSeverity,
  type CodeAction,
  type CompletionItem,
  type Diagnostic,
  type DocumentLink,
  type Hover,
} from 'vscode-languageserver/node';
import { forwardingTables, ibnetdiscover } from '../../server/interchange/testing/smallFabric.ts';
import { clientOfFile } from './testing/languageClient.ts';

const client = clientOfFile();

/** Writes the file, and tells the server as the editor's watcher does. */
const changed = (name: string, content: string): Promise<void> => client.changedOnDisk(client.write(name, content));

describe('a file of coordinates', () => {
  const textWith = (file: string): string => `machine small { topology torus 4 }
job talk { tasks 3  pattern ring  coordinates "${file}" }
placement one { job talk  machine small  map baseline }
`;

  it('is read beside the document, linked, and named in the hover of the job', async () => {
    client.write('where/xyz.txt', '0 0\n1 0\n2 0\n');
    const uri = await client.open('a.place', textWith('where/xyz.txt'));
    await client.settled(uri);
    const links = await client.request<DocumentLink[]>('textDocument/documentLink', { textDocument: { uri } });
    expect(links.map(({ target }) => target)).toEqual([client.uri('where/xyz.txt')]);
    expect(JSON.stringify(await client.ask<Hover>('textDocument/hover', uri, 'talk {'))).toContain('`xyz.txt`');
  });

  it('that is not there is an error at its name, and is read once it appears', async () => {
    const uri = await client.open('a.place', textWith('xyz.txt'));
    const found = await client.problem(uri, 'file-not-found');
    expect(found.severity).toBe(DiagnosticSeverity.Error);
    expect(found.range.start).toEqual(client.position(uri, '"xyz.txt"'));
    await client.reports(uri, (now) => now.revision === 1 && !now.running);
    await changed('xyz.txt', '0\n1\n2\n');
    await client.settled(uri, 2);
    await client.diagnostics(uri, ({ diagnostics }) => diagnostics.length === 0);
  });

  it('is read again when it changes, and told with file and line where it is wrong', async () => {
    client.write('xyz.txt', '0\n1\n2\n');
    const uri = await client.open('a.place', textWith('xyz.txt'));
    await client.settled(uri);
    await changed('xyz.txt', '0\n1\ntwo\n');
    expect((await client.problem(uri, 'bad-coordinates')).message).toBe("xyz.txt:3: 'two' is not a number.");
    await changed('xyz.txt', '0\n1\n');
    expect((await client.problem(uri, 'missing-coordinates')).message).toMatch(/^xyz\.txt:2: /);
  });
});

/** A machine whose routes are in this file. */
const machineWith = (routes: string): string => `machine real {
  topology from "fabric.out"
  routing  from "${routes}"
}
job talk { tasks 4  pattern all-to-all  bytes 1 KiB }
placement one { job talk  machine real  map baseline }
`;

function openMachine(routes: string): Promise<string> {
  client.write('fabric.out', ibnetdiscover);
  client.write('opensm.fdbs', forwardingTables(1));
  return client.open('main.place', machineWith(routes));
}

const actionsFor = (uri: string, problem: Diagnostic): Promise<CodeAction[]> =>
  client.request('textDocument/codeAction', {
    textDocument: { uri },
    range: problem.range,
    context: { diagnostics: [problem] },
  });

const textOf = ({ edit }: CodeAction, uri: string): string | undefined => edit?.changes?.[uri]?.[0]?.newText;

describe('the file of `routing from`', () => {
  it('is completed, the likely one first, and is a link', async () => {
    const uri = await openMachine('');
    const items = await client.ask<CompletionItem[]>('textDocument/completion', uri, 'routing  from "', 15);
    expect(items.map(({ label }) => label).slice(0, 2)).toEqual(['opensm.fdbs', 'fabric.out']);
    await client.edit(uri, 'from ""', 'from "opensm.fdbs"');
    const links = await client.request<DocumentLink[]>('textDocument/documentLink', { textDocument: { uri } });
    expect(links.map(({ target }) => target)).toEqual([client.uri('fabric.out'), client.uri('opensm.fdbs')]);
  });

  it('that is misspelt is mended by the name of a file beside it', async () => {
    const uri = await openMachine('opensm.fbds');
    const problem = await client.problem(uri, 'file-not-found');
    expect(problem.range.start).toEqual(client.position(uri, 'from "opensm.fbds"'));
    const actions = await actionsFor(uri, problem);
    expect(actions.map((action) => [action.title, action.isPreferred, textOf(action, uri)])).toEqual([
      ['Change to `"opensm.fdbs"`', true, '"opensm.fdbs"'],
    ]);
    expect(actions[0]!.diagnostics).toEqual([problem]);
  });

  it('is read again when it changes on the disk, and when it comes back', async () => {
    const uri = await openMachine('opensm.fdbs');
    await client.settled(uri);
    await client.watching((names) => names.includes('opensm.fdbs'));
    const hover = async (): Promise<string> =>
      JSON.stringify(await client.ask<Hover>('textDocument/hover', uri, 'one {'));
    expect(await hover()).toContain('| Maximum link load | 4 KiB |');
    client.write('opensm.fdbs', forwardingTables(2));
    await client.changedOnDisk(client.uri('opensm.fdbs'));
    await client.settled(uri, 2);
    expect(await hover()).toContain('| Maximum link load | 3 KiB |');
    client.write('opensm.fdbs', 'no tables\n');
    await client.changedOnDisk(client.uri('opensm.fdbs'));
    await client.problem(uri, 'bad-forwarding');
    client.write('opensm.fdbs', forwardingTables(1));
    await client.changedOnDisk(client.uri('opensm.fdbs'));
    await client.diagnostics(uri, ({ diagnostics }) => !diagnostics.some(({ code }) => code === 'bad-forwarding'));
  });
});

describe('any other file that is not there', () => {
  it.each([
    ['table t from "data/trafic.csv"\njob j { tasks 2 table t }', 'data/traffic.csv', '"data/traffic.csv"'],
    ['job j { tasks 4 pattern ring bytes 1 KiB coordinates "place.txt" }', 'places.txt', '"places.txt"'],
  ])('is mended by the name of one of its folder: %s', async (declarations, file, mended) => {
    client.write(file, '0,1\n1,0\n');
    const machine = 'machine m { topology torus 2 x 2 }\nplacement p { job j machine m map row-major }\n';
    const uri = await client.open('main.place', `${declarations}\n${machine}`);
    const actions = await actionsFor(uri, await client.problem(uri, 'file-not-found'));
    expect(actions.map((action) => textOf(action, uri))).toEqual([mended]);
  });

  it('is left alone where no name is near', async () => {
    const uri = await openMachine('something-else.txt');
    expect(await actionsFor(uri, await client.problem(uri, 'file-not-found'))).toEqual([]);
  });
});

const stream = 'stream real { log "jobs.swf"  scale submit 0.5 }\n';

/** A job each hour: number, processors, and how long it runs. */
const lineOf = (job: number, processors: number, run = 1800): string =>
  `${job} ${job * 3600} 0 ${run} ${processors} -1 -1 -1 3600 -1 1 1 1 1 1 1 -1 -1`;
const log = ['; Version: 2.2', ...[1, 1, 2, 4, 16].map((processors, job) => lineOf(job, processors))].join('\n');

function openStream(content: string | Uint8Array | undefined): Promise<string> {
  if (content !== undefined) client.write('jobs.swf', content);
  return client.open('main.place', stream);
}

const hovered = async (uri: string): Promise<string> =>
  JSON.stringify(await client.ask<Hover>('textDocument/hover', uri, 'real {'));

describe('the log of a stream', () => {
  it.each([
    ['text', log],
    ['packed by gzip', gzipSync(log)],
  ])('is explained where the stream is named: %s', async (_, content) => {
    const uri = await openStream(content);
    await client.settled(uri);
    const shown = await hovered(uri);
    for (const part of ['5 in 2 hours', '4.8 on average, at most 16', '1,800 s on average', '6 processors busy']) {
      expect(shown).toContain(part);
    }
    expect(shown).toContain('`1 █▄▄ ▄ 16`');
    expect(await client.diagnostics(uri, () => true)).toEqual([]);
  });

  it('that is missing is told, and found when it appears', async () => {
    const uri = await openStream(undefined);
    const found = await client.problem(uri, 'file-not-found');
    expect(found.severity).toBe(DiagnosticSeverity.Error);
    expect(found.range.start).toEqual(client.position(uri, '"jobs.swf"'));
    await client.watching((names) => names.some((name) => name.includes('jobs.swf')));
    await client.changedOnDisk(client.write('jobs.swf', log));
    await client.diagnostics(uri, ({ diagnostics }) => diagnostics.length === 0);
  });

  it.each([
    ['17 fields', lineOf(7, 4).slice(0, -3), /1 line is refused: it has 17 fields instead of 18 \(line 7\)/],
    ['21 fields', `${lineOf(7, 4)} 1 2 3`, /1 line is refused: it has 21 fields instead of 18 \(line 7\)/],
    ['a word', lineOf(7, 4).replace('1800', 'long'), /field 4 \(run\) is not a number/],
  ])('with a line that has %s goes on without it, and says which', async (_, bad, message) => {
    const uri = await openStream(`${log}\n${bad}\n`);
    const found = await client.problem(uri, 'refused-lines');
    expect(found.severity).toBe(DiagnosticSeverity.Warning);
    expect(found.message).toMatch(message);
    expect(found.range.start).toEqual(client.position(uri, '"jobs.swf"'));
    expect(await hovered(uri)).toContain('5 in 2 hours');
  });

  it.each([
    ['no job at all', '; Version: 2.2\n', 'bad-log', /no jobs/],
    ['lines of another kind', 'a,b\n1,2\n', 'bad-log', /no job line of the Standard Workload Format/],
    ['a cut-off archive', gzipSync(log).subarray(0, 40), 'bad-log', /damaged/],
    ['jobs of unknown size', lineOf(1, -1), 'bad-stream', /its processors are unknown/],
  ])('that has %s is an error', async (_, content, code, message) => {
    const uri = await openStream(content);
    const found = await client.problem(uri, code);
    expect(found.severity).toBe(DiagnosticSeverity.Error);
    expect(found.message).toMatch(message);
  });
});
