/** The state of placements as an editor is told of it: while they are computed, when the text changes, and when they fail. */
import { describe, expect, it } from 'vitest';
import type { CodeLens, Hover } from 'vscode-languageserver/node';
import type {
  ExplainAnswer,
  ExportAnswer,
  PictureAnswer,
  PlacementSummary,
  ReportsChanged,
  SceneAnswer,
} from '../../server/protocol/messages.ts';
import { clientOfFile } from './testing/languageClient.ts';

const head = `machine small { topology torus 8 x 8 }
job heat { grid 8 x 8  stencil nine-point  bytes 1 KiB }
job other { grid 8 x 8  stencil five-point }
job noise { tasks 64  pattern random }
`;
/** A search that nobody waits for; of traffic that no bound says it is the best for. */
const endless = 'auto(budget 20 s)';
const placement = (name: string, mapper: string, job = 'heat'): string =>
  `placement ${name} { job ${job}  machine small  map ${mapper} }\n`;
/** The search stands first: what takes no time must not wait for it. */
const mixed =
  head + placement('long', endless, 'noise') + placement('quick', 'rcb') + placement('third', 'rcb', 'other');

const client = clientOfFile();

const of = ({ placements }: ReportsChanged, name: string): PlacementSummary | undefined =>
  placements.find((one) => one.name === name);
const sceneOf = (uri: string, name: string): Promise<SceneAnswer> =>
  client.request('placewright/scene', { uri, placement: name });
const isSearching = (now: ReportsChanged): boolean => of(now, 'long')?.status.kind === 'working';
/** Whether the search still runs, asked of the server itself. */
async function searches(uri: string): Promise<boolean> {
  const placements = await client.request<PlacementSummary[]>('placewright/placements', { uri });
  return placements.some(({ status }) => status.kind === 'working');
}

describe('while a search runs', () => {
  it('what takes no time is there at once, though it stands behind it', async () => {
    const uri = await client.open('a.place', mixed);
    const now = await client.reports(uri, (reports) => of(reports, 'third')?.state === 'fresh' && isSearching(reports));
    expect(of(now, 'quick')).toMatchObject({ state: 'fresh', revision: 1, status: { kind: 'idle' } });
    expect(of(now, 'long')).toMatchObject({ state: 'missing', revision: 0 });
    expect(await sceneOf(uri, 'quick')).toMatchObject({ kind: 'scene', stale: false, status: { kind: 'idle' } });
    expect(await sceneOf(uri, 'long')).toMatchObject({ kind: 'nothing', status: { kind: 'working' } });
    const hover = await client.ask<Hover>('textDocument/hover', uri, 'quick {');
    expect(JSON.stringify(hover)).toContain('Average hops');
    expect(await searches(uri)).toBe(true);
  });

  it('pictures, exports and explanations of another file are answered', async () => {
    const done = await client.open('done.place', head + placement('quick', 'rcb'));
    await client.settled(done);
    const uri = await client.open('a.place', mixed);
    await client.reports(uri, isSearching);
    const parameters = { uri: done, placement: 'quick' };
    expect(await sceneOf(done, 'quick')).toMatchObject({ kind: 'scene', stale: false });
    expect(await client.request<PictureAnswer>('placewright/picture', parameters)).toMatchObject({ ok: true });
    const exported = { ...parameters, format: 'rankfile' };
    // What is to be done is said as the editor has it, not as the command line.
    const named = expect.stringMatching(/^Host names are placeholders .* with "Name Hosts…", one per/) as unknown;
    expect(await client.request<ExportAnswer>('placewright/export', exported)).toMatchObject({
      ok: true,
      warnings: [named],
      text: expect.stringMatching(/^# Placement quick of done\.place on machine small,/) as unknown,
    });
    const link = { ...parameters, target: { kind: 'link', link: 0 } };
    expect(await client.request<ExplainAnswer>('placewright/explain', link)).toMatchObject({ kind: 'flows' });
    expect(await searches(uri)).toBe(true);
  });

  it('its best value is told, and it can be ended with that', async () => {
    const uri = await client.open('a.place', mixed);
    const told = await client.placementProgress(uri, 'long', ({ progress }) => progress.search !== undefined);
    expect(told.words).toMatch(/^[\d.]+ [KM]?i?B hop-bytes/);
    const bar = await client.progressBegun(/^long: [\d.]+ [KM]?i?B hop-bytes/);
    expect(bar).toBeDefined();
    await client.connection.sendNotification('placewright/finish', { uri, placement: 'long' });
    const now = await client.settled(uri);
    const kept = { kind: 'stopped', milliseconds: expect.any(Number) as number };
    expect(of(now, 'long')).toMatchObject({ state: 'fresh', revision: 1, status: kept });
    expect(await sceneOf(uri, 'long')).toMatchObject({ kind: 'scene', stale: false, status: kept });
    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    const titles = lenses.flatMap(({ command }) => command?.title ?? []);
    expect(titles).toContainEqual(expect.stringMatching(/hop-bytes.* · stopped after [\d.]+ m?s$/));
    const hover = await client.ask<Hover>('textDocument/hover', uri, 'long {');
    expect(JSON.stringify(hover)).toMatch(/after [\d.]+ m?s: stopped by hand: the best until then/);
  });

  it('what was ended with its best stays so when the file is saved, and is searched again when that is asked for', async () => {
    const uri = await client.open('a.place', mixed);
    await client.placementProgress(uri, 'long', ({ progress }) => progress.search !== undefined);
    await client.connection.sendNotification('placewright/finish', { uri, placement: 'long' });
    const ended = await client.settled(uri);
    await client.save(uri);
    const saved = await client.settled(uri, ended.revision + 1);
    expect(of(saved, 'long')).toMatchObject({ state: 'fresh', revision: 1, status: { kind: 'stopped' } });

    await client.connection.sendNotification('placewright/run', { uri, placement: 'quick' });
    const other = await client.settled(uri, saved.revision + 1);
    expect(of(other, 'long')).toMatchObject({ status: { kind: 'stopped' } });

    await client.connection.sendNotification('placewright/run', { uri });
    const again = await client.reports(uri, isSearching);
    expect(of(again, 'long')).toMatchObject({ state: 'fresh', revision: 1 });
    // A save in the meantime takes nothing back.
    await client.save(uri);
    await client.placementProgress(uri, 'long', ({ progress }) => progress.search !== undefined);
    expect(await searches(uri)).toBe(true);
    await client.connection.sendNotification('placewright/cancel', { uri });
    const cancelled = await client.reports(uri, ({ running }) => !running);
    expect(of(cancelled, 'long')).toMatchObject({ state: 'fresh', revision: 1, status: { kind: 'stopped' } });
  });

  it('one of several can be ended, and the others go on', async () => {
    const uri = await client.open(
      'a.place',
      head + placement('first', endless, 'noise') + placement('long', endless, 'noise'),
    );
    await client.placementProgress(uri, 'first', ({ progress }) => progress.search !== undefined);
    await client.connection.sendNotification('placewright/finish', { uri, placement: 'first' });
    const now = await client.reports(uri, isSearching);
    expect(of(now, 'first')).toMatchObject({ state: 'fresh' });
    await client.connection.sendNotification('placewright/finish', { uri });
    await client.settled(uri);
  });

  it('cancelling it says so, keeps what was done, and it can be started again', async () => {
    const uri = await client.open('a.place', mixed);
    await client.reports(uri, isSearching);
    await client.connection.sendNotification('placewright/cancel', { uri });
    const now = await client.reports(uri, (reports) => of(reports, 'long')?.status.kind === 'cancelled');
    expect(now.running).toBe(false);
    expect(of(now, 'quick')).toMatchObject({ state: 'fresh', status: { kind: 'idle' } });
    expect(await sceneOf(uri, 'long')).toMatchObject({ kind: 'nothing', status: { kind: 'cancelled' } });
    await client.connection.sendNotification('placewright/run', { uri });
    const again = await client.reports(uri, isSearching);
    expect(of(again, 'quick')).toMatchObject({ state: 'fresh', revision: 1 });
  });
});

describe('what an edit makes stale', () => {
  const text = head + placement('one', 'rcb') + placement('two', 'rcb', 'other') + placement('three', 'row-major');
  const stateOf = async (uri: string) => {
    const placements = await client.request<PlacementSummary[]>('placewright/placements', { uri });
    return placements.map(({ state }) => state).join(' ');
  };

  it.each<[what: string, from: string, to: string, states: string]>([
    ['a comment', 'job other', '// Note.\njob other', 'fresh fresh fresh'],
    ['a blank', 'machine small', 'machine  small', 'fresh fresh fresh'],
    ['a job that one of them uses', 'stencil five-point', 'stencil five-point bytes 2', 'fresh stale fresh'],
    ['the mapper of one', 'map row-major', 'map baseline', 'fresh fresh stale'],
    ['the machine of all', 'torus 8 x 8', 'torus 16 x 4', 'stale stale stale'],
    ['a new declaration', 'job other', 'job third { tasks 2  pattern ring }\njob other', 'fresh fresh fresh'],
    ['an error in a job', 'stencil five-point', 'stencil five-pint', 'fresh stale fresh'],
  ])('%s', async (_what, from, to, states) => {
    const uri = await client.open('a.place', text);
    await client.settled(uri);
    await client.edit(uri, from, to);
    expect(await stateOf(uri)).toBe(states);
    await client.edit(uri, to, from);
    expect(await stateOf(uri)).toBe('fresh fresh fresh');
  });

  it('a renamed job concerns those that use it', async () => {
    const uri = await client.open('a.place', text);
    await client.settled(uri);
    await client.edit(uri, 'job other', 'job renamed');
    await client.edit(uri, 'job other  machine', 'job renamed  machine');
    expect(await stateOf(uri)).toBe('fresh stale fresh');
  });

  it('placements that take nodes over follow the one they take them from', async () => {
    const uri = await client.open(
      'a.place',
      head + placement('one', 'rcb\n allocate random') + placement('two', 'rcb\n allocate same-as one'),
    );
    await client.settled(uri);
    await client.edit(uri, 'allocate random', 'allocate random(count 64)');
    expect(await stateOf(uri)).toBe('stale stale');
  });

  it('is told with all that a picture has to say of it, so that a keystroke asks for no picture', async () => {
    const uri = await client.open('a.place', text);
    await client.settled(uri);
    expect(await sceneOf(uri, 'one')).toMatchObject({ revision: 1 });
    await client.edit(uri, 'map rcb', 'map nonsense');
    const now = await client.reports(uri, (reports) => of(reports, 'one')?.state === 'stale');
    const [one, two] = [of(now, 'one'), of(now, 'two')];
    expect(one).toMatchObject({ revision: 1, status: { kind: 'failed' }, problem: { location: { uri } } });
    expect(one?.problem?.message).toContain('nonsense');
    expect(two).toMatchObject({ state: 'fresh', revision: 1, status: { kind: 'idle' } });
    expect(two).not.toHaveProperty('problem');
  });

  it('never gives a new report the number of an older one: not where the placement was gone in between', async () => {
    const uri = await client.open('a.place', head + placement('one', 'rcb'));
    await client.settled(uri);
    await client.edit(uri, 'placement one', 'placement two');
    await client.save(uri);
    await client.settled(uri, 2);
    await client.edit(uri, 'placement two', 'placement one');
    await client.edit(uri, 'map rcb', 'map row-major');
    await client.save(uri);
    const one = of(await client.settled(uri, 3), 'one');
    expect([one?.revision, await sceneOf(uri, 'one')]).toMatchObject([2, { revision: 2 }]);
  });
});

describe('a file that something else writes on the disk', () => {
  it.each(['before', 'after'])('is studied again once the editor has taken it over, told %s that', async (told) => {
    const before = head + placement('one', 'rcb');
    const after = before.replace('8 x 8', '16 x 4');
    client.write('a.place', before);
    const uri = await client.open('a.place', before);
    await client.settled(uri);
    client.write('a.place', after);
    if (told === 'before') await client.changedOnDisk(uri);
    await client.edit(uri, '8 x 8', '16 x 4');
    if (told === 'after') await client.changedOnDisk(uri);
    expect(of(await client.settled(uri, 2), 'one')?.revision).toBe(2);
  });
});

describe('a placement that cannot be worked out', () => {
  it.each<[what: string, text: string, says: string, line: number]>([
    ['an error of its own', head + placement('one', 'nonsense'), 'nonsense', 4],
    ['an error of its job', head.replace('nine-point', 'nine-pint') + placement('one', 'rcb'), 'nine-pint', 1],
    ['what its study finds', head + placement('one', 'given "none.txt"'), 'none.txt', 4],
    ['an error before it', `machine small { topology torus 8 x 8 \n${head.slice(38)}${placement('one', 'rcb')}`, '', 0],
  ])('names %s and where it stands', async (_what, text, says, line) => {
    const uri = await client.open('a.place', text);
    await client.reports(uri, ({ running, revision }) => !running && revision === 1);
    const answer = await sceneOf(uri, 'one');
    expect(answer).toMatchObject({ kind: 'nothing', status: { kind: 'failed' }, problem: { location: { uri } } });
    expect(answer.problem?.message).toContain(says);
    expect(answer.kind === 'nothing' && answer.reason).toContain(answer.problem?.message);
    expect(answer.problem?.location?.range.start.line).toBe(line);
  });

  it('names it beside the picture of an older text', async () => {
    const uri = await client.open('a.place', head + placement('one', 'rcb'));
    await client.settled(uri);
    await client.edit(uri, 'map rcb', 'map nonsense');
    const answer = await sceneOf(uri, 'one');
    expect(answer).toMatchObject({ kind: 'scene', stale: true, problem: { location: { uri } } });
    expect(answer.problem?.message).toContain('nonsense');
  });
});

describe('a long search', () => {
  const textWith = (mapper: string): string => `machine small { topology torus 8 x 8 }
job heat { grid 8 x 8  stencil nine-point  bytes 1 KiB }
placement tuned { job heat  machine small  map ${mapper} }
`;

  /** A search that nobody waits for: it takes hours, and finds its best values in the first seconds. */
  const hours = 'grasp(criterion hop-bytes, iterations 1000000)';

  const stateOf = ({ placements }: ReportsChanged) => placements[0]?.state;

  /** Presses the button of the progress bar once it shows a best value, and waits until nothing runs. */
  async function cancelSearch(uri: string): Promise<ReportsChanged> {
    const token = await client.progressBegun(/^tuned: [\d.]+ KiB hop-bytes, −[\d.]+ %, /);
    await client.connection.sendNotification('window/workDoneProgress/cancel', { token });
    return client.reports(uri, ({ running }) => !running);
  }

  it('shows the best value so far, and leaves nothing behind when it is cancelled', async () => {
    const uri = await client.open('a.place', textWith(hours));
    const reports = await cancelSearch(uri);
    expect([stateOf(reports), reports.revision]).toEqual(['missing', 0]);
  });

  it('that is cancelled keeps the report before it, shown as stale, and the server at work', async () => {
    const uri = await client.open('a.place', textWith('rcb'));
    await client.settled(uri);
    await client.edit(uri, 'map rcb', `map ${hours}`);
    await client.save(uri);
    const reports = await cancelSearch(uri);
    expect([stateOf(reports), reports.revision]).toEqual(['stale', 1]);

    const scene = await client.request<SceneAnswer>('placewright/scene', { uri, placement: 'tuned' });
    expect(scene).toMatchObject({ kind: 'scene', stale: true });
    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    expect(lenses[0]?.command?.title).toContain('before the last edits');
    expect(JSON.stringify(await client.ask('textDocument/hover', uri, 'tuned {'))).toContain(
      'Out of date. Save the file to update',
    );
    const exported = await client.request<ExportAnswer>('placewright/export', {
      uri,
      placement: 'tuned',
      format: 'vector',
    });
    expect(exported).toMatchObject({
      ok: true,
      warnings: [
        expect.stringContaining('Result of placement "tuned" is out of date. Save the file and export again.'),
      ],
    });

    await client.edit(uri, `map ${hours}`, 'map random-search(criterion hop-bytes)');
    await client.save(uri);
    await client.settled(uri, 2);
    expect(JSON.stringify(await client.ask('textDocument/hover', uri, 'map random'))).toContain('| Best value |');
  });
});
