/** `routing from "FILE"` for who writes it: the path completed, a link, a name mended, and the file followed on the disk. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { CodeAction, CompletionItem, Diagnostic, DocumentLink, Hover } from 'vscode-languageserver/node';
import { forwardingTables, ibnetdiscover } from '../../server/interchange/testing/smallFabric.ts';
import { serverForTests, type LanguageClientOverStdio } from './testing/languageClient.ts';

const text = (routes: string): string => `machine real {
  topology from "fabric.out"
  routing  from "${routes}"
}
job talk { tasks 4  pattern all-to-all  bytes 1 KiB }
placement one { job talk  machine real  map baseline }
`;

let client: LanguageClientOverStdio;
serverForTests((started) => {
  client = started;
});
beforeEach(() => {
  client.write('fabric.out', ibnetdiscover);
});

async function opened(routes: string, written = 'opensm.fdbs'): Promise<string> {
  client.write(written, forwardingTables(1));
  return client.open('main.place', text(routes));
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
    const uri = await opened('');
    const items = await client.ask<CompletionItem[]>('textDocument/completion', uri, 'routing  from "', 15);
    expect(items.map(({ label }) => label).slice(0, 2)).toEqual(['opensm.fdbs', 'fabric.out']);
    await client.edit(uri, 'from ""', 'from "opensm.fdbs"');
    const links = await client.request<DocumentLink[]>('textDocument/documentLink', { textDocument: { uri } });
    expect(links.map(({ target }) => target)).toEqual([client.uri('fabric.out'), client.uri('opensm.fdbs')]);
  });

  it('that is misspelt is mended by the name of a file beside it', async () => {
    const uri = await opened('opensm.fbds');
    const problem = await client.problem(uri, 'file-not-found');
    expect(problem.range.start).toEqual(client.position(uri, 'from "opensm.fbds"'));
    const actions = await actionsFor(uri, problem);
    expect(actions.map((action) => [action.title, action.isPreferred, textOf(action, uri)])).toEqual([
      ['Change to `"opensm.fdbs"`', true, '"opensm.fdbs"'],
    ]);
    expect(actions[0]!.diagnostics).toEqual([problem]);
  });

  it('is read again when it changes on the disk, and when it comes back', async () => {
    const uri = await opened('opensm.fdbs');
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
    const uri = await opened('something-else.txt');
    expect(await actionsFor(uri, await client.problem(uri, 'file-not-found'))).toEqual([]);
  });
});
