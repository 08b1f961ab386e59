import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { Uri, workspace } from 'vscode';
import { openReference } from './openReference.ts';
import { fakeServer } from './testing/server.ts';
import { extensionContext, Position, Range, reset, Selection, user } from './testing/vscode.ts';

const server = fakeServer({ answers: { referenceAt: () => Promise.resolve(answer) } });
let answer: { readonly page: string; readonly anchor?: string } | null;
beforeEach(() => {
  reset();
  answer = null;
  vi.spyOn(workspace.fs, 'readFile').mockImplementation(() => readFile(resolve('docs/reference/index.md')));
});

const opened = (): readonly string[] => user.commands.map(([command, uri]) => `${String(command)} ${String(uri)}`);
const preview = 'markdown.showPreview file:///extension/dist/reference/';

const putCursor = (): void => {
  const cursor = new Position(1, 2);
  const document = { uri: Uri.parse('file:///a.place'), languageId: 'place' };
  user.activeEditor = { document, selection: new Selection(cursor, cursor) };
};

it('opens the entry that a link names', async () => {
  await openReference(extensionContext(), server, 'diagnostics', 'unknown-name');
  expect(opened()).toEqual([`${preview}diagnostics.md#unknown-name`]);
});

it('opens the entry of the word under the cursor', async () => {
  putCursor();
  answer = { page: 'mappers', anchor: 'mapper-rcb' };
  await openReference(extensionContext(), server);
  expect(opened()).toEqual([`${preview}mappers.md#mapper-rcb`]);
});

it('asks for a page where there is none, and opens no other file', async () => {
  putCursor();
  user.pick = 'CSV';
  await openReference(extensionContext(), server, '../../package');
  expect(user.picks[0]).toHaveLength(25);
  expect(user.picks[0]).toContain('network');
  expect(opened()).toEqual([`${preview}csv.md`]);
  user.pick = undefined;
  await openReference(extensionContext(), server);
  expect(opened()).toHaveLength(1);
});

it('opens the entry of the diagnostic under the cursor rather than that of its word', async () => {
  putCursor();
  answer = { page: 'mappers' };
  const range = new Range(1, 0, 1, 9);
  user.problems = [
    { severity: 0, source: 'other', code: 'spelling', range },
    { severity: 0, source: 'placewright', code: 'unknown-name', range },
  ];
  await openReference(extensionContext(), server);
  expect(opened()).toEqual([`${preview}diagnostics.md#unknown-name`]);
});
