/** What the folders declare, for a view of them: from open and closed files, with what is known of each. */
import { describe, expect, it } from 'vitest';
import { overviewRequest, type OverviewAnswer } from '../../server/protocol/messages.ts';
import { serverForTests, type LanguageClientOverStdio } from './testing/languageClient.ts';

const servers = serverForTests();

const overview = (client: LanguageClientOverStdio): Promise<OverviewAnswer> => client.request(overviewRequest, {});
const shownOf = async (client: LanguageClientOverStdio) =>
  (await overview(client)).entries.map(({ kind, name, words, state }) => [kind, name, words, state]);

const machine = 'machine small { topology torus 4 x 4 }\n';
const program = `import "machine.place"
job heat { grid 4 x 4  stencil five-point  bytes 64 KiB }
network fast { switching cut-through packet 8 flit 4 B }
placement first { job heat  machine small  map row-major  simulate fast }
placement wrong { job heat  machine small  map row-mayor }
experiment calm { stream nothing  machine small  allocate rbs  seeds 1 .. 2 }
`;

describe('the overview of a workspace', () => {
  it('is empty where there is no file', async () => {
    const client = await servers.start();
    expect(await overview(client)).toEqual({ entries: [], isComplete: true });
  });

  it('has what closed files say, and of open ones what was worked out', async () => {
    const client = await servers.start();
    client.write('machine.place', machine);
    const uri = client.write('main.place', program);
    expect(await shownOf(client)).toEqual([
      ['machine', 'small', 'topology torus 4 x 4', 'fresh'],
      ['job', 'heat', 'grid 4 x 4', 'fresh'],
      ['placement', 'first', 'map row-major', 'unknown'],
      ['placement', 'wrong', 'map row-mayor', 'unknown'],
      ['experiment', 'calm', '', 'unknown'],
    ]);
    await client.open('main.place', program);
    await client.reports(uri, ({ running, revision }) => !running && revision > 0);
    const entries = await shownOf(client);
    expect(entries[0]).toEqual(['machine', 'small', 'topology torus 4 x 4', 'fresh']);
    expect(entries[1]).toEqual(['job', 'heat', '16 tasks, 3 MiB', 'fresh']);
    expect(entries[3]).toEqual(['placement', 'wrong', expect.stringContaining('row-mayor'), 'failed']);
    expect(entries[2]).toEqual(['placement', 'first', expect.stringMatching(/^1 hop on average/), 'fresh']);
    await client.edit(uri, 'row-major', 'random');
    expect((await shownOf(client))[2]).toEqual([
      'placement',
      'first',
      expect.stringMatching(/^1 hop on average.*before the last edits$/),
      'stale',
    ]);
  });

  it('says where each name stands, and which placements are simulated', async () => {
    const client = await servers.start();
    const uri = client.write('main.place', program.replace('import "machine.place"\n', machine));
    const { entries } = await overview(client);
    expect(entries.filter(({ isSimulated }) => isSimulated).map(({ name }) => name)).toEqual(['first']);
    expect(entries.find(({ name }) => name === 'first')).toMatchObject({
      uri,
      range: { start: { line: 3, character: 10 }, end: { line: 3, character: 15 } },
    });
  });
});
