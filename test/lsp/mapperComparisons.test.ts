/** Mappers tried on a placement in the editor: rows as they come, the picture of one, what is written, and what makes them stale. */
import { expect, it } from 'vitest';
import { methodOf } from '../../server/protocol/calls.ts';
import { decodeScene } from '../../server/protocol/encoding.ts';
import type { TriedMappers, TriedMappersCsvAnswer, TryMappersOptions } from '../../server/protocol/mapperComparison.ts';
import type { ChangeEditsAnswer, PreviewAnswer, SceneAnswer } from '../../server/protocol/messages.ts';
import { clientOfFile } from './testing/languageClient.ts';

const text = `machine grid { topology torus 4 x 4 bandwidth 1 GB/s }
job heat { grid 4 x 4 stencil five-point bytes 64 KiB }
placement plain {
  job     heat
  machine grid
  map     random
}
`;

const client = clientOfFile();

const placement = 'plain';
const ask = <Answer>(method: string, uri: string, more: object = {}): Promise<Answer> =>
  client.request<Answer>(`placewright/${method}`, { uri, placement, ...more });
const tableOf = (uri: string): Promise<TriedMappers | null> => ask('triedMappers', uri);

/** Waits until the table is as wanted, which the server tells whenever there is more in it. */
const until = (uri: string, isWanted: (table: TriedMappers) => boolean): Promise<TriedMappers> =>
  client.told<TriedMappers>(methodOf('triedMappersChanged'), (table) => table.uri === uri && isWanted(table));

async function begin(uri: string, options: Partial<TryMappersOptions> = {}): Promise<void> {
  await client.connection.sendNotification('placewright/tryMappers', {
    uri,
    placement,
    budget: 'quick',
    seeds: 1,
    ...options,
  });
}

async function tried(
  options: Partial<TryMappersOptions> = {},
  of = text,
): Promise<{ readonly uri: string; readonly table: TriedMappers }> {
  const uri = await client.open('main.place', of);
  await begin(uri, options);
  return { uri, table: await until(uri, ({ state }) => state === 'complete') };
}

const rowOf = ({ rows }: TriedMappers, mapper: string) => rows.find((row) => row.mapper === mapper);
const cellOf = (table: TriedMappers, mapper: string, key: string) =>
  rowOf(table, mapper)?.cells[table.columns.findIndex((column) => column.key === key)];

/** The text with what is to be written, as an editor would write it. */
function written(of: string, answer: ChangeEditsAnswer): string {
  if (!answer.ok) throw new Error(answer.message);
  const offset = ({ line, character }: { line: number; character: number }): number =>
    of
      .split('\n')
      .slice(0, line)
      .reduce((sum, { length }) => sum + length + 1, character);
  return answer.edits
    .toSorted((one, other) => offset(other.range.start) - offset(one.range.start))
    .reduce((now, { range, before, text: replacement }) => {
      const [start, end] = [offset(range.start), offset(range.end)];
      expect(now.slice(start, end)).toBe(before);
      return now.slice(0, start) + replacement + now.slice(end);
    }, of);
}

it('have a row each, the placement as it is written first, with changes against it, and a table for other programs', async () => {
  const { uri, table } = await tried();
  expect(table).toMatchObject({ subject: 'heat (16 tasks) on grid, seed 1', stale: false, share: 1 });
  expect(table.columns.map(({ key }) => key)).toEqual(
    expect.arrayContaining(['hopBytes', 'gap', 'maximumLinkLoad', 'congestionTime', 'milliseconds']),
  );
  expect(table.rows[0]).toMatchObject({ mapper: 'as written (random)', isWritten: true, state: 'placed' });
  expect(cellOf(table, 'row-major', 'hopBytes')).toMatchObject({
    text: '3 MiB',
    isBetter: true,
    change: expect.stringMatching(/^−\d+ %$/) as string,
  });
  expect(cellOf(table, 'row-major', 'gap')).toEqual({ value: 0, text: '0 %' });
  expect(cellOf(table, 'random', 'hopBytes')).toMatchObject({ change: '0 %', isBetter: false });
  expect(cellOf(table, 'row-major', 'maximumLinkLoad')?.detail).toMatch(/^\d+ → \d+$/);
  expect(table.notes).toEqual([expect.stringContaining('Lower bound: 3 MiB (edge).')]);
  // As the command line writes it.
  const answer = await ask<TriedMappersCsvAnswer>('triedMappersCsv', uri);
  if (!answer.ok) throw new Error(answer.message);
  expect(answer.suggestedName).toBe('main.plain.mappers.csv');
  expect(answer.text).toMatch(/^mapper,hopBytes,ratio,.*\r\n/);
  expect(answer.text).toContain('\r\nrow-major,3145728,1,');
});

it('that do not apply are told with the reason', async () => {
  const { table } = await tried({}, text.replace('torus 4 x 4', 'irregular 16(links 4)'));
  expect(rowOf(table, 'rcb')).toMatchObject({
    state: 'refused',
    words: expect.stringContaining('grid') as string,
    cells: [],
  });
  expect(rowOf(table, 'grasp')).toMatchObject({ state: 'placed' });
});

it('come one after the other, are stopped at once, and what is there stays', async () => {
  const uri = await client.open('main.place', text.replaceAll('4 x 4', '16 x 16'));
  await begin(uri, { budget: 'thorough' });
  const running = await until(
    uri,
    ({ state, rows }) => state === 'running' && rows.some((row) => row.state === 'running' && row.words !== ''),
  );
  expect(rowOf(running, 'as written (random)')).toMatchObject({ state: 'placed' });
  expect(running.rows.filter(({ state }) => state === 'waiting').length).toBeGreaterThan(5);
  // Others are not kept waiting meanwhile.
  expect(await ask<SceneAnswer>('scene', uri)).toMatchObject({ kind: 'scene' });
  expect(
    await ask<PreviewAnswer>('preview', uri, { change: { kind: 'mapper', mapper: 'as written (random)' } }),
  ).toMatchObject({ kind: 'preview' });
  await client.connection.sendNotification('placewright/stopMappers', { uri, placement });
  const stopped = (await tableOf(uri))!;
  expect(stopped.state).toBe('stopped');
  expect(rowOf(stopped, 'as written (random)')).toMatchObject({ state: 'placed' });
  expect(stopped.rows.some(({ state }) => state === 'running')).toBe(false);
});

it('are seen in the picture of the placement, with the figures of their rows, and written in the place of the one that it has, and back', async () => {
  const { uri, table } = await tried();
  const now = await ask<SceneAnswer>('scene', uri);
  const preview = await ask<PreviewAnswer>('preview', uri, { change: { kind: 'mapper', mapper: 'row-major' } });
  if (now.kind !== 'scene' || preview.kind !== 'preview') throw new Error('There is no picture.');
  const [before, then] = [decodeScene(now.scene), decodeScene(preview.scene)];
  expect(preview.title).toBe('map row-major');
  expect(then.placement).toBe(before.placement);
  expect(new Map(then.figures).get('Hop-bytes')).toBe(cellOf(table, 'row-major', 'hopBytes')?.text);
  expect(new Map(before.figures).get('Hop-bytes')).toBe(cellOf(table, 'as written (random)', 'hopBytes')?.text);
  expect(await ask<PreviewAnswer>('preview', uri, { change: { kind: 'mapper', mapper: 'nobody' } })).toEqual({
    kind: 'nothing',
    reason: '`nobody` has no mapping to show.',
  });
  const answer = await ask<ChangeEditsAnswer>('changeEdits', uri, { change: { kind: 'mapper', mapper: 'row-major' } });
  expect(answer).toMatchObject({ ok: true, uri, title: 'map row-major' });
  const after = written(text, answer);
  expect(after).toBe(text.replace('map     random', 'map     row-major'));
  await client.edit(uri, 'map     random', 'map     row-major');
  // The mapper is what was tried: another one in the text changes nothing of the table.
  expect(await tableOf(uri)).toMatchObject({ stale: false });
  const back = await ask<ChangeEditsAnswer>('changeEdits', uri, {
    change: { kind: 'mapper', mapper: 'as written (random)' },
  });
  expect(written(after, back)).toBe(text);
});

it('have a mean and a spread of several seeds, and the best of them is written with its seed', async () => {
  const { uri, table } = await tried({ seeds: 2 });
  expect(table.subject).toMatch(/seeds 1 to 2$/);
  expect(cellOf(table, 'random', 'hopBytes')?.detail).toMatch(/^± [\d.]+ [KM]iB$/);
  expect(rowOf(table, 'row-major')?.words).toBe('deterministic · same mapping as auto');
  const [, best = ''] = /^2 of 2 seeds, best (\d)$/.exec(rowOf(table, 'random')?.words ?? '') ?? [];
  expect(best).not.toBe('');
  const answer = await ask<ChangeEditsAnswer>('changeEdits', uri, { change: { kind: 'mapper', mapper: 'random' } });
  const after = written(text, answer);
  expect(after).toBe(best === '1' ? text : text.replace('map     random', `map     random\n  seed ${best}`));
  const preview = await ask<PreviewAnswer>('preview', uri, { change: { kind: 'mapper', mapper: 'random' } });
  if (preview.kind !== 'preview') throw new Error(preview.reason);
  // Read anew, the text has the mapping that was seen.
  const other = await client.open('other.place', after);
  await client.settled(other);
  const scene = await ask<SceneAnswer>('scene', other);
  if (scene.kind !== 'scene') throw new Error(scene.reason);
  expect(decodeScene(scene.scene).figures).toEqual(decodeScene(preview.scene).figures);
});

it('are written as slots where the seed decides more than the mapping', async () => {
  const random = text
    .replace('machine grid\n', 'machine grid\n  allocate random(count 16)\n')
    .replace('torus 4 x 4', 'torus 5 x 5');
  const { uri } = await tried({ seeds: 2 }, random);
  const answer = await ask<ChangeEditsAnswer>('changeEdits', uri, { change: { kind: 'mapper', mapper: 'random' } });
  expect(answer).toMatchObject({
    note: expect.stringContaining('The seed also changes nodes or traffic, so the slots are written.') as string,
  });
  expect(written(random, answer)).toMatch(/map {5}given \[[\d., ]+\]/);
});

it('are out of date when what they depend on changes, and nothing is written then', async () => {
  const { uri } = await tried();
  await client.edit(uri, '64 KiB', '32 KiB');
  await until(uri, ({ stale }) => stale);
  const change = { kind: 'mapper', mapper: 'row-major' };
  expect(await ask('changeEdits', uri, { change })).toMatchObject({
    ok: false,
    message: expect.stringContaining('Out of date. Save the file and try again.') as string,
  });
  expect(await ask('preview', uri, { change })).toMatchObject({ kind: 'nothing' });
  await client.edit(uri, '32 KiB', '64 KiB');
  await until(uri, ({ stale }) => !stale);
});

it.each([
  [
    'a placement with an error',
    text.replace('map     random', 'map     randm'),
    /Placement "plain" cannot be evaluated: There is no mapper `randm`\. Did you mean `random`\?/,
  ],
  [
    'a placement that does not fit',
    text.replace('torus 4 x 4', 'torus 2 x 2'),
    /16 tasks, but machine `grid` has 4 cores/,
  ],
])('are not tried on %s, and the table says why', async (_what, of, reason) => {
  const uri = await client.open('main.place', of);
  await begin(uri);
  const table = await until(uri, ({ state }) => state === 'failed');
  expect(table.reason).toMatch(reason);
});
