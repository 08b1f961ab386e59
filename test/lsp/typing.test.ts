/** Features for typing, requested as an editor does, and whole programs typed letter by letter. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  CodeAction,
  CompletionItem,
  DocumentHighlight,
  SelectionRange,
  SemanticTokens,
  SemanticTokensDelta,
  SignatureHelp,
  TextEdit,
} from 'vscode-languageserver/node';
import {
  DiagnosticSeverity,
  DiagnosticTag,
  MessageType,
  type LogMessageParams,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver/node';
import { messageText } from '../../server/language/service/testing/texts.ts';
import { clientOfFile } from './testing/languageClient.ts';

const client = clientOfFile();

const program = `machine small { topology torus 4 x 4 }
job heat { grid 4 x 4  stencil five-point }
job idle { tasks 4  pattern ring }
placement p { job heat  machine small  map grasp(iterations 5) }
`;

const labels = async (uri: string, place: string, shift: number): Promise<string[]> => {
  const position = client.position(uri, place, shift);
  const items = await client.request<CompletionItem[]>('textDocument/completion', { textDocument: { uri }, position });
  return items.toSorted((a, b) => (a.sortText ?? '').localeCompare(b.sortText ?? '')).map(({ label }) => label);
};

it('offers the files of a folder, and those of the workspace to an import', async () => {
  client.write('machines/prism.place', 'machine prism { topology torus 4 x 4 }\n');
  client.write('traffic.mtx', '');
  const uri = await client.open('paths.place', 'import ""\nimport "machines/"\ntable t from ""\n');
  expect(await labels(uri, '""', 1)).toEqual(['machines/', 'machines/prism.place']);
  expect(await labels(uri, 'machines/', 9)).toEqual(['prism.place']);
  expect(await labels(uri, 'from ""', 6)).toEqual(['machines/', 'traffic.mtx']);
});

it('offers nothing that only VS Code could do', async () => {
  const uri = await client.open('commands.place', 'machine m {  }\n');
  const position = client.position(uri, '{ ', 2);
  const items = await client.request<CompletionItem[]>('textDocument/completion', { textDocument: { uri }, position });
  expect(items.length).toBeGreaterThan(5);
  expect(items.filter(({ command }) => command !== undefined)).toEqual([]);
});

it('shows signatures, occurrences and what a selection grows by', async () => {
  const uri = await client.open('help.place', program);
  const textDocument = { uri };
  const help = await client.request<SignatureHelp>('textDocument/signatureHelp', {
    textDocument,
    position: client.position(uri, 'iterations 5', 11),
  });
  expect(help.signatures[0]?.label).toContain('grasp(');
  expect(help.activeParameter).toBe(
    help.signatures[0]?.parameters?.findIndex(({ label }) =>
      help.signatures[0]?.label.slice(...(label as [number, number])).startsWith('iterations'),
    ),
  );
  const highlights = await client.ask<DocumentHighlight[]>('textDocument/documentHighlight', uri, 'heat');
  expect(highlights.map(({ range }) => range.start.line)).toEqual([1, 3]);
  const [selection] = await client.request<SelectionRange[]>('textDocument/selectionRange', {
    textDocument,
    positions: [client.position(uri, 'heat', 1)],
  });
  expect(selection?.range).toEqual({ start: { line: 1, character: 4 }, end: { line: 1, character: 8 } });
  expect(selection?.parent?.range).toEqual({ start: { line: 1, character: 0 }, end: { line: 1, character: 43 } });
});

it('lays out a range, and what was typed', async () => {
  const uri = await client.open('layout.place', 'job  a {\ntasks 4\n\tpattern ring\n}\n');
  const about = { textDocument: { uri }, options: { tabSize: 4, insertSpaces: true } };
  const range = { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } };
  const edits = await client.request<TextEdit[]>('textDocument/rangeFormatting', { ...about, range });
  expect(edits.map(({ newText }) => newText)).toEqual(['\n    tasks 4']);
  const typed = await client.request<TextEdit[]>('textDocument/onTypeFormatting', {
    ...about,
    position: { line: 3, character: 1 },
    ch: '}',
  });
  expect(typed.map(({ newText }) => newText)).toEqual(['job a {', '\n    tasks 4', '\n    pattern ring']);
});

it('sends of the colours what has changed', async () => {
  const uri = await client.open('colours.place', program);
  const textDocument = { uri };
  const first = await client.request<SemanticTokens>('textDocument/semanticTokens/full', { textDocument });
  await client.edit(uri, 'torus', 'mesh');
  const delta = await client.request<SemanticTokensDelta>('textDocument/semanticTokens/full/delta', {
    textDocument,
    previousResultId: first.resultId,
  });
  const whole = await client.request<SemanticTokens>('textDocument/semanticTokens/full', { textDocument });
  const data = [...first.data];
  for (const { start, deleteCount, data: put = [] } of delta.edits) data.splice(start, deleteCount, ...put);
  expect(data).toEqual(whole.data);
  expect(delta.edits).toHaveLength(1);
  // An answer that the server has not kept: the whole.
  const lost = await client.request<SemanticTokens>('textDocument/semanticTokens/full/delta', {
    textDocument,
    previousResultId: 'nothing',
  });
  expect(lost.data).toEqual(whole.data);
  const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 9 } };
  const some = await client.request<SemanticTokens>('textDocument/semanticTokens/range', { textDocument, range });
  expect(some.data.length).toBeLessThan(whole.data.length / 2);
});

it('fades what nothing uses, until another file does', async () => {
  const uri = await client.open('unused.place', program);
  const faded = await client.problem(uri, 'unused-declaration');
  expect(faded).toMatchObject({ range: { start: client.position(uri, 'idle') }, tags: [DiagnosticTag.Unnecessary] });
  const [fix] = await client.request<CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri },
    range: faded.range,
    context: { diagnostics: [faded] },
  });
  expect(fix?.title).toBe('Remove the unused job `idle`');
  await client.open('user.place', 'import "unused.place"\nplacement q { job idle  machine small }\n');
  await client.diagnostics(uri, ({ diagnostics }) => diagnostics.every(({ code }) => code !== 'unused-declaration'));
});

it('knows who uses a machine, and what a placement uses', async () => {
  client.write('machines.place', 'machine shared { topology torus 4 x 4 }\n');
  client.write(
    'far.place',
    'import "machines.place"\njob b { tasks 4 pattern ring }\nplacement far { job b machine shared }\n',
  );
  const uri = await client.open(
    'uses.place',
    'import "machines.place"\njob a { tasks 4 pattern ring }\nplacement near { job a machine shared }\n',
  );
  const [machine] = await client.ask<CallHierarchyItem[]>('textDocument/prepareCallHierarchy', uri, 'shared');
  const users = await client.request<CallHierarchyIncomingCall[]>('callHierarchy/incomingCalls', { item: machine });
  expect(users.map(({ from }) => from.name).toSorted()).toEqual(['far', 'near']);
  const used = await client.request<CallHierarchyOutgoingCall[]>('callHierarchy/outgoingCalls', {
    item: users.find(({ from }) => from.name === 'near')?.from,
  });
  expect(used.map(({ to }) => to.name)).toEqual(['a', 'shared']);
});

/** Whatever is half there, the server answers and logs no fault. */
describe('samples of experiments and simulations, typed letter by letter', () => {
  const samples = new URL('../../samples/', import.meta.url);

  /** Letters between two times that features are asked for, and between two saves. */
  const [lettersPerQuestion, lettersPerSave] = [11, 293];
  const features = ['hover', 'completion', 'definition', 'references'];

  it.each([
    ['jobs-over-time.place', []],
    ['traces/halo.place', ['traces/halo.workload']],
  ])('%s', { timeout: 120_000 }, async (sample, files) => {
    const text = readFileSync(new URL(sample, samples), 'utf8');
    for (const file of files) client.write(file.replace(/.*\//, ''), readFileSync(new URL(file, samples)));
    client.write('typed.place', text);
    const uri = await client.open('typed.place', '');
    const textDocument = { uri };
    let position = { line: 0, character: 0 };
    for (let at = 0; at < text.length; at++) {
      const letter = text.charAt(at);
      const contentChanges = [{ range: { start: position, end: position }, text: letter }];
      await client.connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version: at + 2 },
        contentChanges,
      });
      position =
        letter === '\n'
          ? { line: position.line + 1, character: 0 }
          : { ...position, character: position.character + 1 };
      if (at % lettersPerQuestion === 0) {
        await Promise.all([
          ...features.map((feature) =>
            client.request(`textDocument/${feature}`, {
              textDocument,
              position,
              context: { includeDeclaration: true },
            }),
          ),
          client.request('textDocument/codeLens', { textDocument }),
          client.request('textDocument/documentSymbol', { textDocument }),
        ]);
      }
      if (at % lettersPerSave === 0) await client.save(uri);
    }
    await client.save(uri);
    await client.diagnostics(
      uri,
      ({ version, diagnostics }) =>
        version === text.length + 1 && diagnostics.every(({ severity }) => severity !== DiagnosticSeverity.Error),
    );
    const published = client.heard<PublishDiagnosticsParams>(
      'textDocument/publishDiagnostics',
      (one) => one.uri === uri,
    );
    expect(published.some(({ diagnostics }) => diagnostics.length > 0)).toBe(true);
    for (const diagnostic of published.flatMap(({ diagnostics }) => diagnostics)) {
      const {
        range: { start, end },
      } = diagnostic;
      expect(messageText(diagnostic)).toMatch(/\S/);
      expect([start.line, end.line].every((line) => line >= 0 && line < text.split('\n').length)).toBe(true);
      expect(start.line < end.line || start.character <= end.character).toBe(true);
    }
    const errors = client.heard<LogMessageParams>('window/logMessage', ({ type }) => type === MessageType.Error);
    expect(errors).toEqual([]);
  });
});
