import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DiagnosticSeverity, type DocumentLink, FileChangeType, type Hover } from 'vscode-languageserver/node';
import { serverForTests, type LanguageClientOverStdio } from './testing/languageClient.ts';

const textWith = (file: string): string => `machine small { topology torus 4 }
job talk { tasks 3  pattern ring  coordinates "${file}" }
placement one { job talk  machine small  map baseline }
`;

let client: LanguageClientOverStdio;
const servers = serverForTests((started) => (client = started));

/** Writes the file, and tells the server as the editor's watcher does. */
const changed = (name: string, content: string): Promise<void> =>
  client.connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: client.write(name, content), type: FileChangeType.Changed }],
  });

describe('a file of coordinates', () => {
  it('is read beside the document, linked, and named in the hover of the job', async () => {
    mkdirSync(join(client.folder, 'where'));
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

describe('in a workspace that is not trusted', () => {
  it('coordinates from outside of it are refused', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'placewright-outside-'));
    writeFileSync(join(outside, 'xyz.txt'), '0\n1\n2\n');
    const distrusted = await servers.start({ trusted: false });
    try {
      const uri = await distrusted.open('a.place', textWith(join(outside, 'xyz.txt')));
      const found = await distrusted.problem(uri, 'outside-workspace');
      expect(found.range.start).toEqual(distrusted.position(uri, `"${outside}`));
    } finally {
      rmSync(outside, { recursive: true });
    }
  });
});
