/** Searches while their file is edited: what cancels them, and when an earlier result stands again without a new search. */
import { expect, it } from 'vitest';
import { methodOf } from '../../server/protocol/calls.ts';
import type { ProgressChanged, ReportsChanged } from '../../server/protocol/messages.ts';
import { clientOfFile } from './testing/languageClient.ts';

const textWith = (mapper: string): string => `machine small { topology torus 8 x 8 }
job noise { tasks 64  pattern random }
job other { grid 8 x 8  stencil five-point }
placement searched { job noise  machine small  map ${mapper} }
placement quick { job other  machine small  map rcb }
`;
/** A search that nobody waits for. */
const endless = 'auto(budget 60 s)';
const short = 'grasp(iterations 20)';

const client = clientOfFile();

const placementOf = ({ placements }: ReportsChanged, wanted: string) => placements.find(({ name }) => name === wanted);
/** How often the search of the placement has begun. */
const begun = (): number =>
  client.heard<ProgressChanged>(
    methodOf('progress'),
    ({ placement, progress }) => placement === 'searched' && progress.message === 'begins',
  ).length;

/** Opens a file, and waits until its search has found something. */
async function openSearching(): Promise<string> {
  const uri = await client.open('a.place', textWith(endless));
  await client.placementProgress(uri, 'searched', ({ progress }) => progress.search !== undefined);
  return uri;
}

async function openSettled(): Promise<string> {
  const uri = await client.open('a.place', textWith(short));
  await client.settled(uri);
  return uri;
}

const finish = (uri: string): Promise<void> =>
  client.connection.sendNotification('placewright/finish', { uri, placement: 'searched' });

/** Waits until the file is studied as it is now. */
const studied = (uri: string, revision: number): Promise<ReportsChanged> =>
  client.reports(uri, (now) => !now.running && now.revision >= revision);

async function editAndSave(uri: string, from: string, to: string): Promise<void> {
  await client.edit(uri, from, to);
  await client.save(uri);
}

it('goes on when another placement is edited, which is evaluated afterwards', async () => {
  const uri = await openSearching();
  await editAndSave(uri, 'map rcb', 'map row-major');
  await editAndSave(uri, 'stencil five-point', 'stencil nine-point');
  // Both saves have been handled once this is answered.
  const placements = await client.request<ReportsChanged['placements']>('placewright/placements', { uri });
  expect(placements.map(({ status }) => status.kind)).toEqual(['working', 'waiting']);
  await finish(uri);
  const now = await client.settled(uri);
  expect(placementOf(now, 'searched')).toMatchObject({ revision: 1, status: { kind: 'stopped' } });
  expect(placementOf(now, 'quick')).toMatchObject({ revision: 2, status: { kind: 'idle' } });
  expect(begun()).toBe(1);
});

it.each([
  ['in itself', 'map auto', 'map auot'],
  ['in its job', 'pattern random', 'pattern randm'],
  ['that hides it', 'torus 8 x 8 }', 'torus 8 x 8'],
])('goes on when a mistake is saved %s, and is there when that is mended', async (_where, right, wrong) => {
  const uri = await openSearching();
  await editAndSave(uri, right, wrong);
  await client.request('placewright/placements', { uri });
  await editAndSave(uri, wrong, right);
  await finish(uri);
  expect(placementOf(await client.settled(uri), 'searched')).toMatchObject({ status: { kind: 'stopped' } });
  expect(begun()).toBe(1);
});

it('is cancelled when its own text is edited', async () => {
  const uri = await openSearching();
  await editAndSave(uri, endless, short);
  await client.settled(uri);
  expect(begun()).toBe(2);
});

it('is cancelled when its placement is deleted', async () => {
  const uri = await openSearching();
  await editAndSave(uri, 'placement searched { job noise  machine small  map auto(budget 60 s) }\n', '');
  expect((await client.settled(uri)).placements.map(({ name }) => name)).toEqual(['quick']);
});

it.each([
  ['in its job', 'pattern random', 'pattern randm'],
  ['that hides it', 'torus 8 x 8 }', 'torus 8 x 8'],
])('has its result again once a mistake %s is mended, without a save', async (_where, right, wrong) => {
  const uri = await openSettled();
  for (let save = 2; save < 8; save++) {
    await editAndSave(uri, right, wrong);
    await studied(uri, save);
    await client.edit(uri, wrong, right);
  }
  expect(placementOf(await client.settled(uri), 'searched')).toMatchObject({ state: 'fresh', revision: 1 });
  await client.save(uri);
  await client.settled(uri, 8);
  expect(begun()).toBe(1);
});

it('has its earlier result again after an undo, without a save', async () => {
  const uri = await openSettled();
  await editAndSave(uri, short, 'grasp(iterations 21)');
  expect(placementOf(await client.settled(uri, 2), 'searched')).toMatchObject({ revision: 2 });
  await client.edit(uri, 'grasp(iterations 21)', short);
  expect(placementOf(await client.settled(uri, 3), 'searched')).toMatchObject({ state: 'fresh' });
  expect(begun()).toBe(2);
});

it('has its earlier result again after an undo that is saved, while the one after it runs', async () => {
  const uri = await openSettled();
  await editAndSave(uri, short, endless);
  await client.placementProgress(uri, 'searched', ({ progress }) => progress.search !== undefined);
  await editAndSave(uri, endless, short);
  expect(placementOf(await client.settled(uri, 2), 'searched')).toMatchObject({ state: 'fresh', revision: 1 });
  expect(begun()).toBe(2);
});
