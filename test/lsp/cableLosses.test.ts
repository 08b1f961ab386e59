/** Cables that are lost, in the editor: the table with its figures, how it is stopped, and what is written into the machine. */
import { CancellationTokenSource } from 'vscode-jsonrpc';
import { expect, it } from 'vitest';
import { methodOf } from '../../server/protocol/calls.ts';
import type { CableLossesAnswer, CableLossesProgress, CableLossTable } from '../../server/protocol/cableLosses.ts';
import type { ChangeEditsAnswer, ReportsChanged } from '../../server/protocol/messages.ts';
import { clientOfFile } from './testing/languageClient.ts';

const torus = `machine torus {
  topology torus 4 x 4
  bandwidth 1 GB/s
}
job heat { grid 4 x 4  stencil five-point  bytes 64 KiB }
placement plain { job heat  machine torus  map row-major }
`;
const tree = `machine pair { topology mesh 2 }
job two { tasks 2  pattern ring  bytes 64 KiB }
placement plain { job two  machine pair }
`;

const client = clientOfFile();

const placement = 'plain';
const ask = (uri: string): Promise<CableLossesAnswer> => client.request('placewright/cableLosses', { uri, placement });

async function tableOf(of: string): Promise<{ readonly uri: string; readonly table: CableLossTable }> {
  const uri = await client.open('main.place', of);
  await client.settled(uri);
  const answer = await ask(uri);
  if (answer.kind === 'nothing') throw new Error(answer.reason);
  return { uri, table: answer };
}

it('have a row each, the worst first, with what the placement costs then', async () => {
  const { uri, table } = await tableOf(torus);
  expect(table.subject).toBe('on torus, dimension-order routing');
  // Split evenly over shortest routes, the nearest neighbours of the grid meet the others on the way.
  expect(table.baselines.map(({ title }) => title)).toEqual([
    'As placed, dimension-order routing',
    'No failure, minimal routing',
  ]);
  expect(table.columns.map(({ title }) => title)).toEqual(['Congestion time', 'Added hop-bytes']);
  expect(table.rows).toHaveLength(24);
  // Nothing goes round the edges.
  const [worst] = table.rows;
  expect(worst).toMatchObject({ cable: expect.stringMatching(/^\d+ -- \d+$/) as string, isBridge: false });
  expect(worst?.cells[0]).toMatchObject({ change: expect.stringMatching(/^\+\d+ %$/) as string, isBetter: false });
  expect(worst?.cells[0]?.detail).toMatch(/^\d+ → \d+$/);
  const costs = table.rows.map(({ cells }) => cells[0]?.value ?? Number.NaN);
  expect(costs).toEqual(costs.toSorted((one, other) => other - one));
  expect(table.notes.slice(1)).toEqual(['32 links analysed.', '8 without traffic.']);
  expect(table.csv.split('\r\n')).toHaveLength(24 + 2);
  expect(table.suggestedName).toBe('main.plain.losses.csv');
  const reports = await client.reports(uri, ({ running }: ReportsChanged) => !running);
  expect(table.revision).toBe(reports.placements.find(({ name }) => name === placement)?.revision);
});

it('stand first where nodes that talk are parted', async () => {
  const { table } = await tableOf(tree);
  expect(table.rows).toEqual([
    {
      cable: '0 -- 1',
      link: 0,
      isBridge: true,
      cells: [expect.objectContaining({ text: 'disconnects tasks' }), null],
    },
  ]);
  expect(table.columns[0]?.title).toBe('Max. link load');
  expect(table.notes).toContain('1 disconnect tasks.');
});

it('tell how far they are, end when they are cancelled, and hold up nothing else', async () => {
  const uri = await client.open('large.place', torus.replaceAll('4 x 4', '48 x 48').replace('row-major', 'random'));
  await client.settled(uri);
  const source = new CancellationTokenSource();
  const answer = client.connection.sendRequest<CableLossesAnswer>(
    'placewright/cableLosses',
    { uri, placement },
    source.token,
  );
  await client.told<CableLossesProgress>(methodOf('cableLossesProgress'), ({ uri: of }) => of === uri);
  expect(await client.request('placewright/scene', { uri, placement })).toMatchObject({ kind: 'scene' });
  source.cancel();
  expect(await answer).toEqual({ kind: 'nothing', reason: 'Stopped.' });
});

it('are refused with the reason where there is no report of the text', async () => {
  const uri = await client.open('broken.place', torus.replace('row-major', 'row-mayor'));
  await client.reports(uri, ({ running, revision }) => !running && revision > 0);
  expect(await ask(uri)).toMatchObject({ kind: 'nothing', reason: expect.stringContaining('row-mayor') as string });
  expect(await ask('file:///nowhere.place')).toEqual({
    kind: 'nothing',
    reason: 'The file of this placement is not open.',
  });
});

it('are written behind the last property of the machine, from where the next table has one cable less', async () => {
  const uri = await client.open('torus.place', torus);
  await client.settled(uri);
  const cable = '1 -- 5';
  expect(await client.request<ChangeEditsAnswer>('placewright/withoutCable', { uri, placement, cable })).toEqual({
    ok: true,
    uri: uri,
    title: 'without 1 -- 5',
    edits: [
      {
        range: { start: { line: 2, character: 18 }, end: { line: 2, character: 18 } },
        before: '',
        text: '\n  without 1 -- 5',
      },
    ],
  });
  await client.edit(uri, 'bandwidth 1 GB/s', 'bandwidth 1 GB/s\n  without 1 -- 5');
  await client.save(uri);
  await client.settled(uri, 2);
  expect(await ask(uri)).toMatchObject({
    notes: expect.arrayContaining(['31 links analysed.']) as string[],
  });
});
