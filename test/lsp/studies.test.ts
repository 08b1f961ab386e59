import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CodeAction, CodeLens } from 'vscode-languageserver/node';
import { decodeScene } from '../../server/protocol/encoding.ts';
import type {
  ExplainAnswer,
  ExplainTarget,
  ExportAnswer,
  FormatSummary,
  KeptAnswer,
  OriginAnswer,
  OriginParameters,
  PictureAnswer,
  ReportsChanged,
  SceneAnswer,
} from '../../server/protocol/messages.ts';
import { builtBundles } from '../builtOnce.ts';
import { clientOfFile } from './testing/languageClient.ts';

const text = `machine small { topology torus 4 x 4 }
table chain {
  0 -> 5 : 10
  1 -> 6 : 1000
  2 -> 7 : 10
  8 -> 9 : 10
}
job talk { tasks 16  table chain }
placement one {
  job     talk
  machine small
  map     baseline
}
`;

/** Many placements of many pairs: takes seconds where nothing cancels it. */
const enormous = `machine large { topology torus 16 x 16 x 16 }
job dense { tasks 300  pattern all-to-all }
${Array.from({ length: 100 }, (_, seed) => `placement slow-${seed} { job dense  machine large  map random  seed ${seed} }`).join('\n')}
`;

const client = clientOfFile();

const sceneOf = (uri: string, placement = 'one'): Promise<SceneAnswer> =>
  client.request('placewright/scene', { uri, placement });

const originOf = (uri: string, target: OriginParameters['target']): Promise<OriginAnswer> =>
  client.request('placewright/origin', { uri, placement: 'one', target });

const explanationOf = (uri: string, target: ExplainTarget, placement = 'one'): Promise<ExplainAnswer> =>
  client.request('placewright/explain', { uri, placement, target });

const stateOf = ({ placements }: ReportsChanged, name = 'one') => placements.find((one) => one.name === name)?.state;

describe('a study', () => {
  it('tells where the flows of so many hops go', async () => {
    const uri = await client.open('hops.place', text);
    await client.settled(uri);
    const answer = await client.request<SceneAnswer>('placewright/scene', { uri, placement: 'one' });
    if (answer.kind !== 'scene') throw new Error(answer.reason);
    const { hops } = decodeScene(answer.scene);
    const most = hops!.bytes.length - 1;
    const found = await client.request<KeptAnswer>('placewright/explain', {
      uri,
      placement: 'one',
      target: { kind: 'hops', least: most, most },
    });
    expect(found).toMatchObject({ kind: 'kept', bytes: hops!.bytes[most], pairs: hops!.pairs[most] });
    expect(Math.max(...found.links.map(({ share }) => share))).toBe(1);
    expect(found.nodes.length).toBeGreaterThan(0);
  });

  it('is of a program that the connection has read and checked: the computing thread has no parser', async () => {
    const bundles = await builtBundles();
    const hasParser = (bundle: string): boolean => {
      const text = readFileSync(join(bundles, bundle), 'utf8');
      const imported = [...text.matchAll(/"\.\/(shared-\w+\.js)"/g)].map(([, chunk]) => chunk!);
      return text.includes('chevrotain') || imported.some(hasParser);
    };
    expect([hasParser('server.js'), hasParser('worker.js')]).toEqual([true, false]);
  });

  it('runs when a document is opened, and its picture can be had', async () => {
    const uri = await client.open('a.place', text);
    await client.settled(uri);
    const answer = await sceneOf(uri);
    if (answer.kind !== 'scene') throw new Error(answer.reason);
    expect(answer.stale).toBe(false);
    const scene = decodeScene(answer.scene);
    expect(scene.nodes.id).toHaveLength(16);
    expect(scene.jobs.map(({ name }) => name)).toEqual(['talk']);
  });

  it('is stale while the text has moved on, and runs again on save', async () => {
    const uri = await client.open('a.place', text);
    await client.settled(uri);
    await client.edit(uri, '4 x 4', '8 x 2');
    await client.reports(uri, (now) => stateOf(now) === 'stale');
    const old = await sceneOf(uri);
    expect(old).toMatchObject({ kind: 'scene', stale: true });
    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    expect(lenses[0]?.command?.title).toContain('before the last edits');
    expect(JSON.stringify(await client.ask('textDocument/hover', uri, 'one {'))).toContain(
      'Out of date. Save the file to update',
    );

    await client.edit(uri, '8 x 2', '4 x 4');
    await client.settled(uri); // What is written is again what was worked out.

    await client.edit(uri, '4 x 4', '8 x 2');
    await client.save(uri);
    expect((await client.settled(uri, 2)).revision).toBe(2);
    expect(await sceneOf(uri)).toMatchObject({ kind: 'scene', stale: false });
  });

  it('keeps the last report of a placement that can no longer be evaluated', async () => {
    const uri = await client.open('a.place', text);
    await client.settled(uri);
    await client.edit(uri, 'map     baseline', 'map     nonsense');
    await client.save(uri);
    await client.reports(uri, (now) => now.revision === 2 && stateOf(now) === 'stale');
    expect(await sceneOf(uri)).toMatchObject({ kind: 'scene', stale: true });
    const answer = await client.request<ExportAnswer>('placewright/export', {
      uri,
      placement: 'one',
      format: 'vector',
    });
    if (!answer.ok) throw new Error(answer.message);
    expect(answer.warnings[0]).toContain('is out of date');
  });

  it('says why there is no picture of a placement that was never worked out', async () => {
    const uri = await client.open('a.place', text.replace('machine small\n', 'machine smaal\n'));
    await client.reports(uri, (now) => now.revision === 1);
    expect(await sceneOf(uri)).toMatchObject({ kind: 'nothing', reason: expect.stringContaining('one') as string });
  });

  it('runs again for open documents when an imported file is saved', async () => {
    client.write('machine.place', 'machine small { topology torus 4 x 4 }\n');
    const machine = await client.open('machine.place', 'machine small { topology torus 4 x 4 }\n');
    const rest = text.slice(text.indexOf('\n') + 1);
    const uri = await client.open('main.place', `import "machine.place"\n${rest}`);
    await client.settled(uri);
    await client.edit(machine, '4 x 4', '5 x 5');
    await client.reports(uri, (now) => stateOf(now) === 'stale');
    await client.save(machine);
    await client.settled(uri, 2);
    const answer = await sceneOf(uri);
    if (answer.kind !== 'scene') throw new Error(answer.reason);
    expect(decodeScene(answer.scene).nodes.id).toHaveLength(25);
  });

  it('runs again when a missing import appears', async () => {
    const rest = text.slice(text.indexOf('\n') + 1);
    const uri = await client.open('main.place', `import "machine.place"\n${rest}`);
    await client.problem(uri, 'missing-import');
    await client.reports(uri, (now) => now.revision === 1 && !now.running);
    const machine = client.write('machine.place', 'machine small { topology torus 4 x 4 }\n');
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: machine, type: 1 }],
    });
    await client.settled(uri, 2);
    await client.diagnostics(uri, ({ diagnostics }) => !diagnostics.some(({ code }) => code === 'missing-import'));
  });

  it('runs again when a table changes on the disk', async () => {
    const table = client.write('t.csv', 'from,to,bytes\n0,1,10\n');
    const program = text.replace(/table chain \{[^}]*\}/, 'table chain from "t.csv"');
    const uri = await client.open('a.place', program);
    await client.settled(uri);
    client.write('t.csv', 'from,to,bytes\n0,1,10\nx,2,3\n');
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: table, type: 2 }] });
    const found = await client.diagnostics(uri, ({ diagnostics }) =>
      diagnostics.some(({ severity }) => severity === 1),
    );
    expect(found.map(({ message }) => message)).toContainEqual(expect.stringContaining('t.csv:3'));
  });

  it('follows the settings', async () => {
    const uri = await client.open('a.place', text);
    await client.problem(uri, 'hot-link');
    await client.configure({ hotLinkFactor: 1000 });
    await client.diagnostics(uri, ({ diagnostics }) => diagnostics.every(({ code }) => code !== 'hot-link'));
  });

  it('of a document without a file runs after typing', async () => {
    const uri = await client.open('untitled:Untitled-1', text);
    await client.settled(uri);
    await client.edit(uri, '4 x 4', '5 x 5');
    expect((await client.settled(uri, 2)).revision).toBe(2);
  });

  it('is cancelled by the next save', async () => {
    const uri = await client.open('slow.place', enormous);
    await client.reports(uri, ({ running }) => running);
    await client.edit(uri, 'tasks 300  pattern all-to-all', 'tasks 2  pattern ring');
    await client.save(uri);
    const { revision } = await client.settled(uri);
    expect(revision).toBe(1); // The one for the first text never ended by itself.
  });

  it('shows its progress when it takes long, and stops when the user says so', async () => {
    const uri = await client.open('slow.place', enormous);
    const token = await client.progressBegun();
    await client.connection.sendNotification('window/workDoneProgress/cancel', { token });
    const reports = await client.reports(uri, ({ running }) => !running);
    expect(stateOf(reports, 'slow-99')).toBe('missing');
    expect(reports.revision).toBe(0);
  });
});

describe('what the editor asks for', () => {
  it('lists the export formats', async () => {
    const formats = await client.request<FormatSummary[]>('placewright/formats', {});
    expect(formats.map(({ name }) => name)).toEqual(expect.arrayContaining(['vector', 'json', 'rankfile']));
  });

  it('exports a mapping under a fitting name', async () => {
    const uri = await client.open('a.place', text);
    await client.settled(uri);
    const answer = await client.request<ExportAnswer>('placewright/export', {
      uri,
      placement: 'one',
      format: 'rankfile',
    });
    if (!answer.ok) throw new Error(answer.message);
    expect(answer.suggestedName).toBe('a.one.rankfile');
    expect(answer.text.match(/^rank \d+=/gm)).toHaveLength(16);
    expect(answer.warnings.join()).not.toContain('is out of date');
  });

  it('refuses a format it does not know, and names those it knows', async () => {
    const uri = await client.open('a.place', text);
    await client.settled(uri);
    const answer = await client.request<ExportAnswer>('placewright/export', { uri, placement: 'one', format: 'fax' });
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('rankfile') as string });
  });

  it('draws SVG', async () => {
    const uri = await client.open('a.place', text);
    await client.settled(uri);
    const answer = await client.request<PictureAnswer>('placewright/picture', { uri, placement: 'one' });
    expect(answer).toMatchObject({ ok: true, svg: expect.stringMatching(/^(<\?xml[^>]*>\s*)?<svg /) as string });
  });

  it('finds the text behind a node, a hot link and another link', async () => {
    const uri = await client.open('a.place', text);
    await client.settled(uri);
    expect((await originOf(uri, { kind: 'placement' }))?.range.start).toEqual(client.position(uri, 'one {'));
    expect((await originOf(uri, { kind: 'node', node: 3 }))?.range.start).toEqual(client.position(uri, 'map'));
    // Task 1 sends 1000 bytes to task 6 by way of node 2: its entry in the table is the cause.
    expect((await originOf(uri, { kind: 'link', from: 2, to: 1 }))?.range.start).toEqual(
      client.position(uri, '1 -> 6'),
    );
    expect((await originOf(uri, { kind: 'link', from: 12, to: 13 }))?.range.start).toEqual(
      client.position(uri, 'one {'),
    );
  });

  it('writes a change that helps into the list of slots, by a quick fix', async () => {
    const uri = await client.open('a.place', text.replace('baseline', 'given [0..15]'));
    const problem = await client.problem(uri, 'hot-link');
    // Its problems are told before a study has ended, and one that is saved over does not count.
    await client.settled(uri);
    const cost = async () => {
      const [lens] = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
      return lens?.command?.title.split(' · ')[1];
    };
    expect(await cost()).toBe('2.002 KiB hop-bytes');
    const about = { textDocument: { uri }, range: problem.range, context: { diagnostics: [problem] } };
    const [fix] = await client.request<CodeAction[]>('textDocument/codeAction', about);
    expect(fix?.title).toMatch(/^Swap tasks 1 and 2 in the given list: heaviest link as before, hop-bytes −48 %/);
    const edits = fix?.edit?.changes?.[uri] ?? [];
    for (const { newText } of edits) await client.edit(uri, '0..15', newText);
    await client.save(uri);
    await client.settled(uri, 2);
    // Task 1, which sends most, stands beside its partner now.
    expect(await cost()).toBe('1.035 KiB hop-bytes');
  });

  it('explains a link, two tasks, and what it has not got', async () => {
    const uri = await client.open('a.place', text);
    await client.settled(uri);
    const scene = await sceneOf(uri);
    if (scene.kind !== 'scene') throw new Error(scene.reason);
    // From 1 along x to 2, then up to 6: the 1000 bytes of task 1, and on the way up those of task 2.
    const tasks = await explanationOf(uri, { kind: 'tasks', from: { job: 0, task: 1 }, to: { job: 0, task: 6 } });
    if (tasks.kind !== 'routes') throw new Error(tasks.kind);
    expect(tasks).toMatchObject({ hops: 2, bytes: 1000, route: [{ share: 1 }, { share: 1 }] });
    const first = tasks.route[0]!.link;
    const link = await explanationOf(uri, { kind: 'link', link: first });
    expect(link).toMatchObject({
      kind: 'flows',
      link: first,
      load: 1000,
      flowCount: 1,
      flows: [{ job: 'talk', from: { task: 1 }, to: { task: 6 }, bytes: 1000, share: 1, route: tasks.route }],
    });
    expect(link.kind === 'flows' && link.improvements[0]).toMatch(/^swap tasks \d+ and \d+: this link −\d+ %/);
    expect(await explanationOf(uri, { kind: 'link', link: 4711 })).toMatchObject({
      kind: 'nothing',
      reason: 'Machine small has no link 4711.',
    });
    expect(await explanationOf(uri, { kind: 'link', link: 0 }, 'two')).toMatchObject({ kind: 'nothing' });
  });
});

describe('a document that is closed', () => {
  it('leaves nothing that anybody could ask for, and begins anew when it is opened again', async () => {
    const uri = await client.open('a.place', text);
    await client.settled(uri);
    expect(await sceneOf(uri)).toMatchObject({ kind: 'scene' });
    await client.close(uri);
    expect(await sceneOf(uri)).toMatchObject({ kind: 'nothing' });
    expect(
      await explanationOf(uri, { kind: 'tasks', from: { job: 0, task: 0 }, to: { job: 0, task: 5 } }),
    ).toMatchObject({
      kind: 'nothing',
    });
    await client.open('a.place', text);
    const reports = await client.settled(uri);
    expect(reports.placements.map(({ state }) => state)).toEqual(['fresh']);
  });
});
