/** Samples of experiments and simulations, typed letter by letter: whatever is half there, the server answers and logs no fault. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  DiagnosticSeverity,
  MessageType,
  type LogMessageParams,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver/node';
import { messageText } from '../../server/language/service/testing/texts.ts';
import { serverForTests } from './testing/languageClient.ts';

const servers = serverForTests();
const samples = new URL('../../samples/', import.meta.url);

/** Letters between two times that features are asked for, and between two saves. */
const [lettersPerQuestion, lettersPerSave] = [11, 293];
const features = ['hover', 'completion', 'definition', 'references'];

it.each([
  ['jobs-over-time.place', []],
  ['traces/halo.place', ['traces/halo.workload']],
])('%s', { timeout: 120_000 }, async (sample, files) => {
  const client = await servers.start();
  const logged: string[] = [];
  client.connection.onNotification('window/logMessage', ({ type, message }: LogMessageParams) => {
    if (type === MessageType.Error) logged.push(message);
  });
  const text = readFileSync(new URL(sample, samples), 'utf8');
  for (const file of files) client.write(file.replace(/.*\//, ''), readFileSync(new URL(file, samples)));
  client.write('typed.place', text);
  const uri = await client.open('typed.place', '');
  const published: PublishDiagnosticsParams[] = [];
  client.connection.onNotification('textDocument/publishDiagnostics', (told: PublishDiagnosticsParams) => {
    if (told.uri === uri) published.push(told);
  });
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
      letter === '\n' ? { line: position.line + 1, character: 0 } : { ...position, character: position.character + 1 };
    if (at % lettersPerQuestion === 0) {
      await Promise.all([
        ...features.map((feature) =>
          client.request(`textDocument/${feature}`, { textDocument, position, context: { includeDeclaration: true } }),
        ),
        client.request('textDocument/codeLens', { textDocument }),
        client.request('textDocument/documentSymbol', { textDocument }),
      ]);
    }
    if (at % lettersPerSave === 0) await client.save(uri);
  }
  await client.save(uri);
  const isWhole = ({ version, diagnostics }: PublishDiagnosticsParams): boolean =>
    version === text.length + 1 && diagnostics.every(({ severity }) => severity !== DiagnosticSeverity.Error);
  await expect.poll(() => published.some(isWhole), { timeout: 60_000 }).toBe(true);
  expect(published.some(({ diagnostics }) => diagnostics.length > 0)).toBe(true);
  for (const diagnostic of published.flatMap(({ diagnostics }) => diagnostics)) {
    const { range: { start, end } } = diagnostic; // prettier-ignore
    expect(messageText(diagnostic)).toMatch(/\S/);
    expect([start.line, end.line].every((line) => line >= 0 && line < text.split('\n').length)).toBe(true);
    expect(start.line < end.line || start.character <= end.character).toBe(true);
  }
  expect(logged).toEqual([]);
});
