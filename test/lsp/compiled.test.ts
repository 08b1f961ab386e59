import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { clientsOfTests } from './testing/languageClient.ts';

const servers = clientsOfTests();
const folder = mkdtempSync(join(tmpdir(), 'placewright-compiled-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Without what the tests keep of all that they start. */
const environment = { NODE_COMPILE_CACHE: '' };

describe('what is compiled of a server', () => {
  // It is kept when the server ends, which is behind each test.
  it.each([
    ['is kept', 0],
    ['is used', 1],
  ])('%s', async (_what, least) => {
    expect(readdirSync(folder)).toHaveLength(least);
    const client = await servers.start({ words: [`--compiled=${folder}`], environment });
    const uri = await client.open('a.place', 'machine m { topology torus 4 x }\n');
    expect(await client.diagnostics(uri, ({ diagnostics }) => diagnostics.length > 0)).not.toEqual([]);
  });

  it('is one file for each of its own', () => {
    const files = readdirSync(folder, { recursive: true });
    expect(files.length).toBeGreaterThan(3);
  });

  it('need not be kept', async () => {
    const client = await servers.start({ words: ['--compiled=/dev/null/nowhere'], environment });
    expect(client.process.exitCode).toBeNull();
  });
});
