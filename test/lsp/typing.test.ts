/** What helps while a program is typed, over the wire as an editor asks for it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
import { DiagnosticTag } from 'vscode-languageserver/node';
import { serverForTests, type LanguageClientOverStdio } from './testing/languageClient.ts';

let client: LanguageClientOverStdio;
const servers = serverForTests((started) => {
  client = started;
});

const program = `machine small { topology torus 4 x 4 }
job heat { grid 4 x 4  stencil five-point }
job idle { tasks 4  pattern ring }
placement p { job heat  machine small  map grasp(iterations 5) }
`;

const labels = async (uri: string, place: string, shift: number, editor = client): Promise<string[]> => {
  const position = editor.position(uri, place, shift);
  const items = await editor.request<CompletionItem[]>('textDocument/completion', { textDocument: { uri }, position });
  return items.toSorted((a, b) => (a.sortText ?? '').localeCompare(b.sortText ?? '')).map(({ label }) => label);
};

it('offers the files of a folder, and those of the workspace to an import', async () => {
  mkdirSync(join(client.folder, 'machines'));
  client.write('machines/prism.place', 'machine prism { topology torus 4 x 4 }\n');
  client.write('traffic.mtx', '');
  const uri = await client.open('paths.place', 'import ""\nimport "machines/"\ntable t from ""\n');
  expect(await labels(uri, '""', 1)).toEqual(['machines/', 'machines/prism.place']);
  expect(await labels(uri, 'machines/', 9)).toEqual(['prism.place']);
  expect(await labels(uri, 'from ""', 6)).toEqual(['machines/', 'traffic.mtx']);
  await client.close(uri);
});

it('tells nothing of folders outside to somebody who is not trusted', async () => {
  const stranger = await servers.start({ trusted: false });
  stranger.write('near.mtx', '');
  const uri = await stranger.open('paths.place', 'table t from "../"\ntable u from "/etc/"\n');
  expect(await labels(uri, '../', 3, stranger)).toEqual([]);
  expect(await labels(uri, '/etc/', 5, stranger)).toEqual([]);
  expect(await labels(uri, '"../', 1, stranger)).toEqual(['near.mtx']);
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
  expect(help.activeParameter).toBe(help.signatures[0]?.parameters?.findIndex(({ label }) => help.signatures[0]?.label.slice(...(label as [number, number])).startsWith('iterations'))); // prettier-ignore
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
  const other = await client.open('user.place', 'import "unused.place"\nplacement q { job idle  machine small }\n');
  await client.diagnostics(uri, ({ diagnostics }) => diagnostics.every(({ code }) => code !== 'unused-declaration'));
  await client.close(other);
});

it('knows who uses a machine, and what a placement uses', async () => {
  client.write('machines.place', 'machine shared { topology torus 4 x 4 }\n');
  client.write('far.place', 'import "machines.place"\njob b { tasks 4 pattern ring }\nplacement far { job b machine shared }\n'); // prettier-ignore
  const uri = await client.open('uses.place', 'import "machines.place"\njob a { tasks 4 pattern ring }\nplacement near { job a machine shared }\n'); // prettier-ignore
  const [machine] = await client.ask<CallHierarchyItem[]>('textDocument/prepareCallHierarchy', uri, 'shared');
  const users = await client.request<CallHierarchyIncomingCall[]>('callHierarchy/incomingCalls', { item: machine });
  expect(users.map(({ from }) => from.name).toSorted()).toEqual(['far', 'near']);
  const used = await client.request<CallHierarchyOutgoingCall[]>('callHierarchy/outgoingCalls', {
    item: users.find(({ from }) => from.name === 'near')?.from,
  });
  expect(used.map(({ to }) => to.name)).toEqual(['a', 'shared']);
});
