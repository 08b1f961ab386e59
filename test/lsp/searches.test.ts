import { describe, expect, it } from 'vitest';
import type { CodeLens } from 'vscode-languageserver/node';
import type { ExportAnswer, ReportsChanged, SceneAnswer } from '../../server/protocol/messages.ts';
import { serverForTests, type LanguageClientOverStdio } from './testing/languageClient.ts';

const textWith = (mapper: string): string => `machine small { topology torus 8 x 8 }
job heat { grid 8 x 8  stencil nine-point  bytes 1 KiB }
placement tuned { job heat  machine small  map ${mapper} }
`;

/** A search that nobody waits for: it takes hours, and finds its best values in the first seconds. */
const endless = 'grasp(criterion hop-bytes, iterations 1000000)';

let client: LanguageClientOverStdio;
serverForTests((started) => (client = started));

const stateOf = ({ placements }: ReportsChanged) => placements[0]?.state;

/** Presses the button of the progress bar once it shows a best value, and waits until nothing runs. */
async function cancelSearch(uri: string): Promise<ReportsChanged> {
  const token = await client.progressBegun(/^tuned: [\d.]+ KiB hop-bytes, −[\d.]+ %, /);
  await client.connection.sendNotification('window/workDoneProgress/cancel', { token });
  return client.reports(uri, ({ running }) => !running);
}

describe('a long search', () => {
  it('shows the best value so far, and leaves nothing behind when it is cancelled', async () => {
    const uri = await client.open('a.place', textWith(endless));
    const reports = await cancelSearch(uri);
    expect([stateOf(reports), reports.revision]).toEqual(['missing', 0]);
  });

  it('that is cancelled keeps the report before it, shown as stale, and the server at work', async () => {
    const uri = await client.open('a.place', textWith('rcb'));
    await client.settled(uri);
    await client.edit(uri, 'map rcb', `map ${endless}`);
    await client.save(uri);
    const reports = await cancelSearch(uri);
    expect([stateOf(reports), reports.revision]).toEqual(['stale', 1]);

    const scene = await client.request<SceneAnswer>('placewright/scene', { uri, placement: 'tuned' });
    expect(scene).toMatchObject({ kind: 'scene', stale: true });
    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    expect(lenses[0]?.command?.title).toContain('before the last edits');
    expect(JSON.stringify(await client.ask('textDocument/hover', uri, 'tuned {'))).toContain('text has changed since');
    const exported = await client.request<ExportAnswer>('placewright/export', {
      uri,
      placement: 'tuned',
      format: 'vector',
    });
    expect(exported).toMatchObject({ ok: true, warnings: [expect.stringContaining('text changed')] });

    await client.edit(uri, `map ${endless}`, 'map random-search(criterion hop-bytes)');
    await client.save(uri);
    await client.settled(uri, 2);
    expect(JSON.stringify(await client.ask('textDocument/hover', uri, 'map random'))).toContain('| Best value |');
  });
});
