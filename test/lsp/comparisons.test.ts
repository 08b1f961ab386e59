/** Which placements can be compared, of one file and of others that are open. */
import { describe, expect, it } from 'vitest';
import type { CodeLens, Command } from 'vscode-languageserver/node';
import { comparablePlacementsRequest, type ComparablePlacement } from '../../server/protocol/messages.ts';
import { serverForTests, type LanguageClientOverStdio } from './testing/languageClient.ts';

const servers = serverForTests();

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

async function opened(): Promise<{ client: LanguageClientOverStdio; uri: string; otherUri: string }> {
  const client = await servers.start();
  client.write('shared.place', shared);
  const uri = await client.open('main.place', main);
  await client.reports(uri, ({ running, revision }) => !running && revision > 0);
  const otherUri = await client.open('more.place', more);
  await client.reports(otherUri, ({ running, revision }) => !running && revision > 0);
  return { client, uri, otherUri };
}

describe('placements that can be compared', () => {
  it('stand on one machine and have a job in common, in other files that are open too', async () => {
    const { client, uri, otherUri } = await opened();
    const ask = (parameters: object) =>
      client.request<readonly ComparablePlacement[]>(comparablePlacementsRequest, parameters);
    const withFirst = await ask({ uri, placement: 'first' });
    expect(withFirst.map((one) => [one.uri, one.name])).toEqual([[uri, 'first'], [uri, 'second'], [otherUri, 'third']]); // prettier-ignore
    expect(withFirst[0]).toMatchObject({ machine: 'small', jobs: ['heat'], state: 'fresh' });
    expect(withFirst[0]?.words).toMatch(/^1 hop on average/);
    expect((await ask({ uri })).map(({ name }) => name)).toEqual(['first', 'second', 'third']);
    expect((await ask({ uri, placement: 'alone' })).map(({ name }) => name)).toEqual(['alone']);
    expect(await ask({ uri, placement: 'nobody' })).toEqual([]);
    expect(await ask({ uri: 'file:///not-open.place' })).toEqual([]);
  });

  it('have a lens that compares them, and others have none', async () => {
    const { client, uri } = await opened();
    const lenses = await client.request<readonly CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    const comparing = lenses.flatMap(({ command }) => (command?.title === 'Compare' ? [command] : []));
    expect(comparing.map(({ command, arguments: given = [] }: Command) => [command, String(given[1])])).toEqual([
      ['placewright.comparePlacements', 'first'],
      ['placewright.comparePlacements', 'second'],
    ]);
  });
});
