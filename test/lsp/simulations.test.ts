/** Simulations of placements in the editor: lenses, runs with their progress, figures of what came of them, and what makes them stale. */
import { existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CodeLens, Hover } from 'vscode-languageserver/node';
import { messageText } from '../../server/language/service/testing/texts.ts';
import { Playback } from '../../server/drawing/figures/playbackFigure.ts';
import { methodOf } from '../../server/protocol/calls.ts';
import { decodePlayback } from '../../server/protocol/encoding.ts';
import type {
  FigureAnswer,
  SimulationAbout,
  SimulationChanged,
  SimulationChoice,
  SimulationFigureAnswer,
} from '../../server/protocol/figures.ts';
import { clientOfFile, clientsOfTests } from './testing/languageClient.ts';

const text = `machine grid { topology torus 4 x 4 bandwidth 1 GB/s }
job cg { tasks 16 skeleton cg(class S, iterations 1) }
network fast { switching cut-through packet 8 flit 4 B channels 2 queue 4 packets routing adaptive bubble 2 }
placement quick { job cg machine grid map row-major simulate fast }
placement still { job cg machine grid map row-major }
`;
const lineOfPlacement = 3;
/** Of minutes. */
const long = text.replace('class S, iterations 1', 'class B, iterations 50');

const client = clientOfFile();
const others = clientsOfTests();

const placement = 'quick';

/** Titles of the lenses above the placement, once they are as wanted. */
async function lenses(
  uri: string,
  isWanted: (titles: readonly string[]) => boolean,
  of = client,
): Promise<readonly string[]> {
  const titlesOf = (found: readonly CodeLens[]): readonly string[] =>
    found.filter(({ range }) => range.start.line === lineOfPlacement).map(({ command }) => command?.title ?? '');
  return titlesOf(await of.lenses(uri, (found) => isWanted(titlesOf(found))));
}

/** Lenses of the placement itself, behind its figures. */
const itsOwn: ReadonlySet<string> = new Set([
  'Show picture',
  'Try mappers',
  'Export mapping',
  'Compare',
  'Show traffic',
  'Link failures',
]);
const ofSimulation = ([, ...behind]: readonly string[]): readonly string[] =>
  behind.filter((title) => !itsOwn.has(title) && !title.startsWith('routing '));

const isPlaced = ([first = '']: readonly string[]): boolean => /hops? on average/.test(first);
const simulate = (uri: string) => client.connection.sendNotification('placewright/simulate', { uri, placement });
const figureOf = (uri: string, choice: SimulationChoice) =>
  client.request<FigureAnswer<SimulationAbout>>('placewright/simulationFigure', { uri, placement, choice });

async function simulated(): Promise<string> {
  const uri = await client.open('main.place', text);
  await lenses(uri, isPlaced);
  await simulate(uri);
  await lenses(uri, (now) => now.includes('Simulate again'));
  return uri;
}

it('a placement whose packets may come to a deadlock says so where it names its network', async () => {
  const uri = await client.open('risk.place', text.replace('routing adaptive bubble 2', 'routing adaptive'));
  expect(await client.problem(uri, 'possible-deadlock')).toMatchObject({ severity: 2, range: { start: { line: 3 } } });
});

it('is ordered by a lens, and its makespan stands there afterwards until the text changes', async () => {
  const uri = await client.open('main.place', text);
  expect(ofSimulation(await lenses(uri, isPlaced))).toEqual(['Simulate']);
  expect(await figureOf(uri, { kind: 'finish' })).toMatchObject({
    kind: 'nothing',
    reason: expect.stringContaining('not been simulated') as string,
  });
  await simulate(uri);
  const result = ofSimulation(await lenses(uri, (now) => now.includes('Simulate again')))[0];
  expect(result).toMatch(/^makespan [\d,]+ cycles \([\d.]+ [mµ]s\), 95 % of packets within [\d,]+$/);
  await client.edit(uri, 'packet 8', 'packet 16');
  expect(await lenses(uri, (now) => now.includes('Simulate'))).toContain(`${result ?? ''} · before the last changes`);
  expect(await figureOf(uri, { kind: 'finish' })).toMatchObject({ about: { stale: 'changed' } });
  await client.edit(uri, 'packet 16', 'packet 8');
  expect(await figureOf(uri, { kind: 'finish' })).not.toHaveProperty('about.stale');
  await client.edit(uri, 'row-major', 'random');
  expect(await figureOf(uri, { kind: 'finish' })).toMatchObject({ about: { stale: 'changed' } });
  await client.edit(uri, 'placement quick', 'placement renamed');
  expect(await figureOf(uri, { kind: 'finish' })).toMatchObject({ about: { stale: 'gone' } });
});

it('waits for its placement, which is still being worked out, and then begins', async () => {
  const uri = await client.open(
    'main.place',
    text.replace('map row-major simulate', 'map grasp(iterations 10000) simulate'),
  );
  await lenses(uri, ([first = '']) => /^(waiting to be placed|placing)/.test(first));
  await simulate(uri);
  const waiting = await lenses(uri, (now) =>
    now.some((title) => title.includes('after the evaluation of the placement')),
  );
  expect(waiting).not.toContain('Simulate');
  await lenses(uri, (now) => now.includes('Simulate again'));
});

it('has figures, and says who waits for a link at a moment', async () => {
  const uri = await simulated();
  for (const [kind, columns] of [
    ['finish', ['job', 'task', 'finish']],
    ['latency', ['from', 'below', 'packets', 'share', 'share up to here']],
    ['time', ['from', 'to', 'traffic', 'latency']],
    ['links', ['from', 'to', 'busy', 'busy at most', 'waiting', 'waiting at most', 'predicted', 'error']],
    ['playback', ['from', 'to', 'busy', 'waiting', 'busy in all, by link loads', 'channel']],
  ] as const) {
    const answer = await figureOf(uri, { kind });
    if (answer.kind !== 'figure') throw new Error(answer.reason);
    expect(answer.figure.table.head).toEqual(columns);
    expect(answer.figure.table.rows.length).toBeGreaterThan(10);
    expect(answer.about.results).toBe('complete');
    expect(answer.about.kinds).toContain(kind);
  }
  // A panel may ask for what there was of a cluster before.
  const other = await figureOf(uri, { kind: 'servers' });
  expect(other).toMatchObject({ kind: 'figure', about: { moment: { interval: expect.any(Number) as number } } });
  const playback = await figureOf(uri, { kind: 'playback' });
  if (playback.kind !== 'figure') throw new Error(playback.reason);
  const { rows, head } = playback.figure.table;
  const longest = [...rows].sort((one, other) => Number(other[3]) - Number(one[3]))[0]!;
  const channel = longest[head.indexOf('channel')] as number;
  const { interval } = playback.about.moment!;
  const answer = await figureOf(uri, { kind: 'playback', interval, channel });
  if (answer.kind !== 'figure') throw new Error(answer.reason);
  expect(answer.about.moment?.interval).toBe(interval);
  expect(answer.about.waits).toMatchObject({
    channel,
    title: expect.stringContaining(`${longest[0]} → ${longest[1]}, cycle`) as string,
  });
  expect(answer.about.waits!.lines[0]).toMatch(/waits? for it[.:]$/);
});

it('is played back in parts where it is asked so: what stays the same comes once', async () => {
  const uri = await simulated();
  const ask = async (interval: number, scene: string) => {
    const choice: SimulationChoice = { kind: 'playback', interval, scene };
    const answer = await client.request<SimulationFigureAnswer>('placewright/simulationFigure', {
      uri,
      placement,
      choice,
    });
    if (answer.kind !== 'figure' || !('encoded' in answer.figure)) throw new Error('It is not in parts.');
    return decodePlayback(answer.figure);
  };
  const { scene, frame } = await ask(0, '');
  if (scene === undefined) throw new Error('There is no scene.');
  const playback = new Playback(scene);
  const later = await ask(3, scene.key);
  expect(later.scene).toBeUndefined();
  for (const [interval, part] of [
    [0, frame],
    [3, later.frame],
  ] as const) {
    const whole = await figureOf(uri, { kind: 'playback', interval });
    expect(whole).toMatchObject({ figure: JSON.parse(JSON.stringify(playback.figure(part))) as object });
  }
  expect((await ask(3, 'of another one')).scene).toEqual(scene);
});

it('is asked for by a save where it takes less than a second, and lies beside the file for another server', async () => {
  client.write('main.place', text);
  const uri = await client.open('main.place', text);
  expect(await lenses(uri, isPlaced)).toContain('Simulate');
  await client.save(uri);
  const words = ofSimulation(await lenses(uri, (now) => now.includes('Simulate again')))[0]!;
  const answer = await figureOf(uri, { kind: 'playback' });
  const other = await others.start();
  const again = await other.open(uri, text);
  expect(await lenses(again, (now) => now.includes(words), other)).toContain('Simulate again');
  const figure = { uri: again, placement, choice: { kind: 'playback' } };
  expect(await other.request('placewright/simulationFigure', figure)).toEqual(answer);
  if (answer.kind !== 'figure') throw new Error(answer.reason);
  const waits = { ...figure, choice: { kind: 'playback', channel: 3 } };
  expect(await other.request('placewright/simulationFigure', waits)).toMatchObject({
    about: { waits: { channel: 3 } },
  });
  const hover = await other.ask<Hover>('textDocument/hover', again, 'quick');
  expect(JSON.stringify(hover)).toMatch(/\| Makespan \| [\d,]+ cycles \([^|]*\) \| [\d,]+ cycles \| [−+][\d.]+ % \|/);
  expect(JSON.stringify(await other.ask<Hover>('textDocument/hover', again, 'simulate'))).toContain(
    '50, 95, 99 % of them within',
  );
  await other.edit(again, 'row-major', 'random');
  await other.save(again);
  await lenses(again, (now) => !now.includes(words), other);
});

it('of another text is out of date when it is found beside the file; that it is damaged is told', async () => {
  client.write('main.place', text);
  const uri = await client.open('main.place', text);
  await client.save(uri);
  const words = ofSimulation(await lenses(uri, (now) => now.includes('Simulate again')))[0]!;
  await client.close(uri);
  await client.open('main.place', text.replace('row-major', 'random'));
  expect(await lenses(uri, (now) => ofSimulation(now).length > 1)).toContain(`${words} · before the last changes`);
  expect(await figureOf(uri, { kind: 'finish' })).toMatchObject({ kind: 'figure', about: { stale: 'changed' } });
  await client.close(uri);
  const path = join(client.folder, 'main.place.results', 'quick.simulation');
  writeFileSync(path, readFileSync(path).subarray(0, -7));
  await client.open('main.place', text);
  expect(ofSimulation(await lenses(uri, (now) => now.includes('Simulation unreadable')))).toEqual([
    'Simulation unreadable',
    'Simulate',
  ]);
  expect(await figureOf(uri, { kind: 'finish' })).toMatchObject({
    ...{ kind: 'nothing', about: { results: 'missing' } },
    reason: expect.stringContaining(
      'The saved simulation of placement "quick" is damaged. Simulate it again.',
    ) as string,
  });
  await client.save(uri);
  expect(await lenses(uri, (now) => now.includes('Simulate again'))).not.toContain('Simulation unreadable');
});

it('that takes long is not asked for by a save', async () => {
  const uri = await client.open('main.place', long);
  await lenses(uri, isPlaced);
  await client.save(uri);
  await client.told<SimulationChanged>(methodOf('simulationChanged'));
  expect(client.heard(methodOf('simulationChanged'))).toEqual([{ uri, placement }]);
  expect(ofSimulation(await lenses(uri, isPlaced))).toEqual(['Simulate']);
});

it('of a long one tells how far it is, and is cancelled without a result', async () => {
  const uri = await client.open('main.place', long);
  await lenses(uri, isPlaced);
  await simulate(uri);
  const running = await lenses(uri, (now) => now.some((title) => /^simulating: [\d,]+ cycles, [\d.]+ %/.test(title)));
  expect(running).toContain('Cancel');
  await client.told<SimulationChanged>(methodOf('simulationChanged'), ({ progress = '' }) =>
    /cycles, .* left$/.test(progress),
  );
  // Nobody else waits for it.
  expect((await client.lenses(uri)).length).toBeGreaterThan(4);
  await client.connection.sendNotification('placewright/cancelSimulation', { uri, placement });
  expect(ofSimulation(await lenses(uri, (now) => now.includes('Simulate')))).toEqual(['Simulate']);
  expect(client.heard(methodOf('simulationChanged')).at(-1)).toEqual({ uri, placement });
});

it('waits for others, which the panel is told when it opens, and can be cancelled before it begins', async () => {
  const uri = await client.open(
    'main.place',
    `${long}placement second { job cg machine grid map row-major simulate fast }\n`,
  );
  await lenses(uri, isPlaced);
  const second = { uri, placement: 'second' };
  /** Waits for what is told of the second one. */
  const told = (progress?: string) =>
    client.told<SimulationChanged>(
      methodOf('simulationChanged'),
      (change) => change.placement === 'second' && change.progress === progress,
    );
  const ask = () =>
    client.request<SimulationFigureAnswer>('placewright/simulationFigure', { ...second, choice: { kind: 'finish' } });
  await simulate(uri);
  await lenses(uri, (now) => now.includes('Cancel'));
  await client.connection.sendNotification('placewright/simulate', second);
  // It may have to be placed first.
  await told('queued');
  expect(await ask()).toMatchObject({
    reason: expect.stringContaining('being simulated') as string,
    progress: 'queued',
  });
  await client.connection.sendNotification('placewright/cancelSimulation', second);
  expect(await told()).toEqual(second);
  const answer = await ask();
  expect(answer).toMatchObject({ reason: expect.stringContaining('was cancelled') as string });
  expect(answer).not.toHaveProperty('progress');
});

it('ends with its document, and nothing is kept of it', async () => {
  client.write('main.place', long);
  const uri = await client.open('main.place', long);
  await lenses(uri, isPlaced);
  await simulate(uri);
  await lenses(uri, (now) => now.includes('Cancel'));
  const asked = figureOf(uri, { kind: 'playback' });
  await client.close(uri);
  expect(await asked).toMatchObject({ kind: 'nothing' });
  await client.open('main.place', long);
  expect(ofSimulation(await lenses(uri, isPlaced))).toEqual(['Simulate']);
  expect(existsSync(join(client.folder, 'main.place.results'))).toBe(false);
});

it('of a trace that is cut off or gone since is out of date, and is not simulated anew', async () => {
  const ring = readFileSync(new URL('../../samples/traces/halo.workload', import.meta.url), 'utf8');
  const traced = text.replace(
    'tasks 16 skeleton cg(class S, iterations 1)',
    'tasks 4 trace "ring.workload" as workload',
  );
  const trace = client.write('ring.workload', ring);
  const uri = await client.open('main.place', traced);
  await lenses(uri, isPlaced);
  await simulate(uri);
  const words = ofSimulation(await lenses(uri, (now) => now.includes('Simulate again')))[0]!;
  for (const isGone of [false, true]) {
    if (isGone) unlinkSync(join(client.folder, 'ring.workload'));
    else client.write('ring.workload', ring.slice(0, 500));
    await client.changedOnDisk(trace);
    await lenses(uri, (now) => now.includes(`${words} · before the last changes`));
    await client.diagnostics(uri, ({ diagnostics }) =>
      diagnostics.some((told) => messageText(told).includes('ring.workload')),
    );
    await simulate(uri);
    expect(await lenses(uri, (now) => now.includes('Not simulated'))).toContain('Simulate');
    expect(await figureOf(uri, { kind: 'finish' })).toMatchObject({ kind: 'figure', about: { stale: 'changed' } });
  }
});

it('cannot be of a placement that is not worked out as it stands, or says nothing of a simulation', async () => {
  const uri = await client.open('main.place', text);
  await lenses(uri, isPlaced);
  await client.edit(uri, 'row-major simulate', 'random simulate');
  await simulate(uri);
  expect(await lenses(uri, (now) => now.includes('Not simulated'))).toContain('Simulate');
  expect(await figureOf(uri, { kind: 'links' })).toMatchObject({
    reason: expect.stringContaining('Placement "quick" is out of date. Save the file, then simulate.') as string,
  });
  await client.connection.sendNotification('placewright/simulate', { uri, placement: 'still' });
  const answer = client.request('placewright/simulationFigure', { uri, placement: 'still', choice: { kind: 'links' } });
  expect(await answer).toMatchObject({
    kind: 'nothing',
    reason: expect.stringContaining('Placement "still" has no `simulate`. Add `simulate NETWORK`.') as string,
  });
});

it('that ends in a deadlock draws its circle', async () => {
  const ring = `machine ring { topology torus 4 }
job turn { tasks 4 table around bytes 4 kB }
table around {
  unit messages
  0 -> 2 : 1
  1 -> 3 : 1
  2 -> 0 : 1
  3 -> 1 : 1
}
network worms { switching wormhole }
placement quick { job turn machine ring map row-major simulate worms }
`;
  const uri = await client.open('main.place', ring);
  await client.settled(uri);
  await simulate(uri);
  await client.told<SimulationChanged>(methodOf('simulationChanged'), ({ progress }) => progress === undefined);
  const answer = await figureOf(uri, { kind: 'playback' });
  expect(answer.kind === 'figure' && answer.figure.description).toMatch(
    /quick at cycles 0 to 12, on ring, network worms\./,
  );
  // Below the figure stands what ends it.
  expect(answer.about?.why).toMatch(
    /Deadlock at cycle 11: cyclic dependency of 4 packets\. To fix it, write `channels 2` in the network\./,
  );
});
