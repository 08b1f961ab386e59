import { beforeEach, describe, expect, it } from 'vitest';
import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  DocumentSymbol,
  Hover,
  InlayHint,
  Location,
  SemanticTokens,
  TextEdit,
  WorkspaceEdit,
  WorkspaceSymbol,
} from 'vscode-languageserver/node';
import { clientOfFile } from './testing/languageClient.ts';

const quickstart = `machine small {
  topology torus 4 x 4
}

/// Heat equation.
job heat {
  grid    4 x 4
  stencil five-point
  bytes   64 KiB
}

placement first-try {
  job     heat
  machine small
  map     row-major
}
`;

const withMistakes = `machine small {
  topology torus 4 x 4
  bandwidth 3 Kb
}
job heat { grid 4 x 4  stencil fivepoint }
placement broken { job heet  machine small  map rcb }
`;

const client = clientOfFile();
let uri: string;

beforeEach(async () => {
  uri = await client.open('quickstart.place', quickstart);
  await client.settled(uri);
});

const markdownOf = (hover: Hover | null): string => JSON.stringify(hover?.contents ?? '');

describe('over stdio, the server', () => {
  it('finds no problem where there is none', async () => {
    expect(await client.diagnostics(uri, ({ version }) => version === 1)).toEqual([]);
  });

  it('publishes every mistake with the version of the text it was found in', async () => {
    const broken = await client.open('broken.place', withMistakes);
    const found = await client.diagnostics(broken, ({ diagnostics }) => diagnostics.length >= 3);
    expect(new Set(found.map(({ range }) => range.start.line))).toEqual(new Set([2, 4, 5]));
    expect(found.every(({ source, code }) => source === 'placewright' && typeof code === 'string')).toBe(true);

    await client.edit(broken, 'heet', 'heat');
    await client.edit(broken, 'fivepoint', 'five-point');
    await client.edit(broken, '3 Kb', '3 GB/s');
    expect(await client.diagnostics(broken, ({ version }) => version === 4)).toEqual([]);
    await client.close(broken);
    expect(await client.diagnostics(broken, ({ version }) => version === undefined)).toEqual([]);
  });

  it('offers the fix of a mistake', async () => {
    const broken = await client.open('misspelt.place', withMistakes);
    const [problem] = await client.diagnostics(broken, ({ diagnostics }) =>
      diagnostics.some(({ range }) => range.start.line === 4),
    );
    expect(problem).toBeDefined();
    const range = { start: client.position(broken, 'fivepoint'), end: client.position(broken, 'fivepoint', 9) };
    const actions = await client.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri: broken },
      range,
      context: { diagnostics: [] },
    });
    expect(actions.map(({ edit }) => edit?.changes?.[broken]?.[0]?.newText)).toContain('five-point');
    const [all] = await client.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri: broken },
      range,
      context: { diagnostics: [], only: ['source.fixAll'] },
    });
    expect(all?.edit?.changes?.[broken]?.map(({ newText }) => newText)).toEqual(['kB/s', 'five-point', 'heat']);
  });

  it('offers the file that an import was meant to name', async () => {
    client.write('prism.place', 'machine prism { topology torus 4 x 4 }\n');
    const importer = await client.open('misspelt-import.place', 'import "machines/prisn.place"\n');
    const problem = await client.problem(importer, 'missing-import');
    const about = { textDocument: { uri: importer }, range: problem.range, context: { diagnostics: [problem] } };
    const [fix] = await client.request<CodeAction[]>('textDocument/codeAction', about);
    expect(fix?.edit?.changes?.[importer]?.map(({ newText }) => newText)).toEqual(['"prism.place"']);
  });

  it('shows the metrics of a placement in its hover', async () => {
    const hover = await client.ask<Hover | null>('textDocument/hover', uri, 'first-try');
    // Every task of a 4 x 4 grid on a 4 x 4 torus is one hop from its neighbours.
    expect(markdownOf(hover)).toContain('Average hops | 1');
    expect(markdownOf(hover)).toContain('Hop-bytes');
  });

  it('explains a mapper from the catalogue', async () => {
    expect(markdownOf(await client.ask('textDocument/hover', uri, 'row-major'))).toContain('row-major');
  });

  it('shows the facts of a machine', async () => {
    expect(markdownOf(await client.ask('textDocument/hover', uri, 'small'))).toContain('16');
  });

  it('completes mappers after map', async () => {
    const items = await client.ask<CompletionItem[]>('textDocument/completion', uri, 'row-major');
    expect(items.map(({ label }) => label)).toEqual(expect.arrayContaining(['auto', 'rcb', 'row-major', 'random']));
  });

  it('completes allocators after allocate, with their options and the values of these, and explains them', async () => {
    const labels = async (text: string, needle: string): Promise<string[]> => {
      const opened = await client.open('allocators.place', quickstart.replace('map     row-major', text));
      const items = await client.ask<CompletionItem[]>('textDocument/completion', opened, needle, needle.length);
      await client.close(opened);
      return items.map(({ label }) => label);
    };
    expect(await labels('allocate ', 'allocate ')).toEqual(
      expect.arrayContaining(['rbs', 'gabl', 'mbs', 'paging', 'curve', 'mc1x1', 'first-fit', 'buddy-2d', 'ess']),
    );
    expect(await labels('allocate paging()', 'paging(')).toEqual(['size', 'index']);
    expect(await labels('allocate paging(index )', 'index ')).toEqual([
      'row-major',
      'shuffled-row-major',
      'snake',
      'shuffled-snake',
    ]);
    expect(await labels('allocate curve(order hilbert, )', 'hilbert, ')).toEqual(['fit']);
    const explained = await client.open(
      'explained.place',
      quickstart.replace('map     row-major', 'allocate paging(size 1, index snake)'),
    );
    const hoverOf = async (word: string): Promise<string> =>
      markdownOf(await client.ask('textDocument/hover', explained, word));
    expect(await hoverOf('paging')).toContain('Lo et al. 1997');
    expect(await hoverOf('size 1')).toContain('2^i');
    expect(await hoverOf('index snake')).toContain('order in which pages are taken');
  });

  it('goes from a use to the declaration, across files', async () => {
    client.write('machines.place', 'machine far { topology torus 4 x 4 }\n');
    const main = await client.open(
      'main.place',
      'import "machines.place"\njob j { tasks 4  pattern ring }\nplacement p { job j  machine far }\n',
    );
    const [location] = [await client.ask<Location | Location[]>('textDocument/definition', main, 'far')].flat();
    expect(location).toMatchObject({ uri: client.uri('machines.place'), range: { start: { line: 0, character: 8 } } });
  });

  it('finds and renames all uses', async () => {
    const places = await client.request<Location[]>('textDocument/references', {
      textDocument: { uri },
      position: client.position(uri, 'heat {'),
      context: { includeDeclaration: true },
    });
    expect(places.map(({ range }) => range.start.line)).toEqual([5, 12]);
    const edit = await client.request<WorkspaceEdit>('textDocument/rename', {
      textDocument: { uri },
      position: client.position(uri, 'heat {'),
      newName: 'warmth',
    });
    expect(edit.changes?.[uri]).toHaveLength(2);
    const refused = client.request('textDocument/rename', {
      textDocument: { uri },
      position: client.position(uri, 'heat {'),
      newName: '4 x 4',
    });
    await expect(refused).rejects.toThrow(
      /"4 x 4" is not a valid name\. Use letters, digits and _, with single hyphens between them\./,
    );
  });

  it('renames in files that are not open, and refuses a name that one of them has', async () => {
    client.write('shared.place', 'machine prism { topology torus 4 x 4 }\n');
    const importer = 'import "shared.place"\nmachine lens { topology torus 2 x 2 }\njob j { tasks 4  pattern ring }\n';
    const closed = client.write('importer.place', `${importer}placement p { job j  machine prism }\n`);
    const shared = await client.open('shared.place', 'machine prism { topology torus 4 x 4 }\n');
    const about = { textDocument: { uri: shared }, position: client.position(shared, 'prism') };
    const context = { includeDeclaration: true };
    const places = await client.request<Location[]>('textDocument/references', { ...about, context });
    expect(places.map((place) => place.uri).toSorted()).toEqual([closed, shared]);
    const edit = await client.request<WorkspaceEdit>('textDocument/rename', { ...about, newName: 'mirror' });
    expect(edit.changes?.[shared]).toHaveLength(1);
    expect(edit.changes?.[closed]?.map(({ range }) => range.start.line)).toEqual([3]);
    await expect(client.request('textDocument/rename', { ...about, newName: 'lens' })).rejects.toThrow(
      /There is a machine `lens` already in importer.place/,
    );
    const symbols = await client.request<WorkspaceSymbol[]>('workspace/symbol', { query: 'lens' });
    expect(symbols.map(({ name, location }) => [name, location.uri])).toEqual([['lens', closed]]);
    const files = [{ oldUri: shared, newUri: client.uri('machines/shared.place') }];
    const paths = await client.request<WorkspaceEdit>('workspace/willRenameFiles', { files });
    expect(paths.changes?.[closed]?.map(({ newText }) => newText)).toEqual(['machines/shared.place']);
  });

  it('shows no pictures that a comment names', async () => {
    const text = '/// ![i](https://example.com/x.png) and **bold**\nmachine drawn { topology torus 4 x 4 }\n';
    const drawn = await client.open('drawn.place', text);
    const trusted = markdownOf(await client.ask('textDocument/hover', drawn, 'drawn'));
    expect(trusted).toContain('**bold**');
    expect(trusted).not.toContain('![');
  });

  it('outlines, colours, folds and formats', async () => {
    const about = { textDocument: { uri } };
    const symbols = await client.request<DocumentSymbol[]>('textDocument/documentSymbol', about);
    expect(symbols.map(({ name }) => name)).toEqual(['small', 'heat', 'first-try']);
    const tokens = await client.request<SemanticTokens>('textDocument/semanticTokens/full', about);
    expect(tokens.data.length % 5).toBe(0);
    expect(tokens.data.length).toBeGreaterThan(0);
    expect(await client.request('textDocument/foldingRange', about)).toHaveLength(3);
    const untidy = await client.open('untidy.place', 'job   a{tasks 4\npattern   ring}\n');
    const edits = await client.request<TextEdit[]>('textDocument/formatting', {
      textDocument: { uri: untidy },
      options: { tabSize: 2, insertSpaces: true },
    });
    expect(edits[0]?.newText).toContain('job a {');
  });

  it('puts the cost of a placement above it, with commands that show and export it', async () => {
    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    expect(lenses.map(({ command }) => command?.command)).toEqual([
      'placewright.showPlacement',
      'placewright.showPlacement',
      'placewright.tryMappers',
      'placewright.exportMappingVector',
      'placewright.showTraffic',
      'placewright.loseCables',
      'placewright.showPlacement',
      'placewright.showMachine',
    ]);
    expect(lenses[0]?.command?.title).toContain('1 hop on average');
    expect(lenses[0]?.command?.arguments).toEqual([uri, 'first-try']);
  });

  it('says at map auto what it chose', async () => {
    const auto = await client.open('auto.place', quickstart.replace('row-major', 'auto'));
    await client.settled(auto);
    const hints = await client.request<InlayHint[]>('textDocument/inlayHint', {
      textDocument: { uri: auto },
      range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } },
    });
    expect(hints).toHaveLength(1);
    expect(hints[0]?.position.line).toBe(14);
  });
});
