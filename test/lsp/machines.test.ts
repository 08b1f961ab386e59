/** Machines that rest on other tools' files: read, watched, refused, imported. */
import { describe, expect, it } from 'vitest';
import { DiagnosticSeverity, type Hover } from 'vscode-languageserver/node';
import { decodeScene } from '../../server/protocol/encoding.ts';
import type { DescribeFabricAnswer, DescribeTableAnswer } from '../../server/protocol/importPreview.ts';
import type { ExportAnswer, MachineAnswer, MachineSummary, SceneAnswer } from '../../server/protocol/messages.ts';
import { hwlocNode, ibnetdiscover, slurmTree } from '../../server/interchange/testing/smallFabric.ts';
import { clientOfFile } from './testing/languageClient.ts';

const text = `machine real {
  topology from "fabric.out"
  node     from "node.xml"
  routing  up-down
}
job talk { tasks 8  pattern all-to-all  bytes 1 KiB }
placement one { job talk  machine real  map baseline }
`;

const client = clientOfFile();

function opened(fabric: string | undefined, place = text): Promise<string> {
  if (fabric !== undefined) client.write('fabric.out', fabric);
  client.write('node.xml', hwlocNode);
  return client.open('main.place', place);
}

describe('a machine from ibnetdiscover', () => {
  it('is worked out with the names of its file', async () => {
    const uri = await opened(ibnetdiscover);
    await client.settled(uri);
    const answer = await client.request<SceneAnswer>('placewright/scene', { uri, placement: 'one' });
    if (answer.kind !== 'scene') throw new Error(answer.reason);
    expect(decodeScene(answer.scene).nodes.id).toHaveLength(4);
    const hover = JSON.stringify(await client.ask<Hover>('textDocument/hover', uri, 'real {'));
    for (const part of ['`fabric.out` (ibnetdiscover)', '4 with 8 cores', 'leaf-0', 'n001', '1 socket of 2 cores']) {
      expect(hover).toContain(part);
    }
    const exported = await client.request<ExportAnswer>('placewright/export', {
      uri,
      placement: 'one',
      format: 'rankfile',
    });
    if (!exported.ok) throw new Error(exported.message);
    expect(exported.text).toContain('rank 7=n004 slot=1');
    expect(exported.warnings).toEqual([]);
  });

  it('that was cut off is told at `topology`, with the line', async () => {
    const uri = await opened(ibnetdiscover.slice(0, ibnetdiscover.indexOf('"n002 HCA-1"')));
    const found = await client.problem(uri, 'fabric-warning');
    expect(found.severity).toBe(DiagnosticSeverity.Warning);
    expect(found.message).toMatch(/^Line \d+: .*may be truncated\.$/);
    expect(found.range.start).toEqual(client.position(uri, 'from "fabric.out"'));
  });

  it('that is broken is an error at `topology`, with file and line', async () => {
    const uri = await opened(ibnetdiscover.replace('[20]\t"S-0002c90200000400"[1]', '[20]\t"S-0002c90200000400'));
    const found = await client.problem(uri, 'bad-fabric');
    expect(found.severity).toBe(DiagnosticSeverity.Error);
    expect(found.message).toMatch(/^fabric\.out:14: /);
    expect(found.range.start).toEqual(client.position(uri, 'from "fabric.out"'));
  });

  it('that is not there is an error, and is read once it appears', async () => {
    const uri = await opened(undefined);
    const found = await client.problem(uri, 'file-not-found');
    expect(found.range.start).toEqual(client.position(uri, 'from "fabric.out"'));
    await client.reports(uri, (now) => now.revision === 1 && !now.running);
    await client.changedOnDisk(client.write('fabric.out', ibnetdiscover));
    await client.settled(uri, 2);
    await client.diagnostics(uri, ({ diagnostics }) => !diagnostics.some(({ code }) => code === 'file-not-found'));
  });

  it('is worked out again when its file changes, and as another format', async () => {
    const uri = await opened(ibnetdiscover);
    await client.settled(uri);
    await client.changedOnDisk(client.write('fabric.out', slurmTree));
    await client.settled(uri, 2);
    const hover = JSON.stringify(await client.ask<Hover>('textDocument/hover', uri, 'real {'));
    expect(hover).toContain('`fabric.out` (slurm-tree)');
    await client.edit(uri, '"fabric.out"', '"fabric.out" as ibnetdiscover');
    await client.save(uri);
    expect((await client.problem(uri, 'bad-fabric')).message).toMatch(/^fabric\.out/);
  });

  it('with hosts that the file has already is told at `hosts`', async () => {
    const uri = await opened(ibnetdiscover, text.replace('routing', 'hosts 2 routing'));
    const found = await client.problem(uri, 'does-not-apply');
    expect(found.range.start).toEqual(client.position(uri, '2 routing'));
  });

  it('has an error at `node` where that file is none', async () => {
    const uri = await opened(ibnetdiscover, text.replace('node.xml', 'fabric.out'));
    const found = await client.problem(uri, 'bad-node');
    expect(found.range.start).toEqual(client.position(uri, 'from "fabric.out"\n  routing'));
  });
});

describe('a machine whose packets may wait for one another in a circle', () => {
  const ring = (routing: string): string => `machine ring {
  topology switches 5
  link 0 -- 1, 4
  link 1 -- 2
  link 2 -- 3
  link 3 -- 4
  hosts 1
  routing ${routing}
}
`;

  it('is warned of at its routing, with the links, until it is routed without danger', async () => {
    const uri = await opened(undefined, ring('static'));
    const found = await client.problem(uri, 'possible-deadlock');
    expect(found.severity).toBe(DiagnosticSeverity.Warning);
    const start = client.position(uri, 'static');
    expect(found.range).toEqual({ start, end: { ...start, character: start.character + 'static'.length } });
    expect(found.message).toMatch(
      /^Possible deadlock with `static`: cyclic channel dependency 0 → 1 → 2 → 3 → 4 → 0\./,
    );
    const hover = JSON.stringify(await client.ask<Hover>('textDocument/hover', uri, 'ring {'));
    expect(hover).toContain('| Virtual lanes | 2: routes shared out among them |');
    await client.edit(uri, 'routing static', 'routing up-down');
    await client.save(uri);
    await client.diagnostics(uri, ({ diagnostics }) => diagnostics.length === 0);
    const safe = JSON.stringify(await client.ask<Hover>('textDocument/hover', uri, 'ring {'));
    expect(safe).toContain('| Virtual lanes | 1, deadlock-free |');
  });
});

describe('importing a machine', () => {
  const ask = (parameters: object) => client.request<DescribeFabricAnswer>('placewright/describeFabric', parameters);

  it('describes the file, and writes a text that the server then reads', async () => {
    await opened(ibnetdiscover);
    const target = client.uri('machines/my net.place');
    const answer = await ask({ uri: client.uri('fabric.out'), target });
    if (!answer.ok) throw new Error(answer.message);
    expect(answer).toMatchObject({
      format: 'ibnetdiscover',
      switches: 4,
      hosts: 4,
      cables: 4,
      suggestedTarget: client.uri('fabric.place'),
      warnings: [],
    });
    expect(answer.rows.map(([word, words]) => `${word} ${words.split(/[:,]/, 1)[0]}`)).toEqual([
      'switches 4',
      'hosts 4',
      'cables 4',
      'routing minimal',
    ]);
    expect(answer.text).toContain('topology from "../fabric.out"');
    const uri = await client.open('machines/my net.place', answer.text);
    await client.reports(uri, (now) => now.revision === 1 && !now.running);
    const hover = JSON.stringify(await client.ask<Hover>('textDocument/hover', uri, 'fabric {'));
    expect(hover).toContain('4 switches, 4 hosts, 4 cables');
    expect(hover).toContain('routing minimal');
  });

  it('has the text of a file beside it to look at, where no target is named', async () => {
    await opened(ibnetdiscover);
    const answer = await ask({ uri: client.uri('fabric.out') });
    expect(answer).toMatchObject({ text: expect.stringContaining('topology from "fabric.out"') as string });
  });

  it('says on which line a file of a known format is wrong', async () => {
    await opened('SwitchName=leaf Nodes=a\nSwitchName=top Switches=[leaf\n');
    const answer = await ask({ uri: client.uri('fabric.out') });
    expect(answer).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^fabric\.out:2: The bracket/) as string,
    });
  });

  it('says why there is nothing to import', async () => {
    await opened('to be or not to be\n');
    const answer = await ask({ uri: client.uri('fabric.out') });
    expect(answer).toMatchObject({ ok: false, message: expect.stringMatching(/^fabric\.out: .*format/) as string });
    expect(await ask({ uri: 'untitled:Untitled-1' })).toMatchObject({ ok: false });
  });
});

describe('importing a communication table', () => {
  const ask = (parameters: object) => client.request<DescribeTableAnswer>('placewright/describeTable', parameters);

  it('describes the file, and writes a job whose traffic can be shown', async () => {
    await opened(undefined);
    client.write('sums.csv', 'from,to,bytes,messages,note\n0,1,2048,2,x\n1,2,1024,1,y\n2,2,8,1,z\n');
    const target = client.uri('jobs/sums.place');
    const answer = await ask({ uri: client.uri('sums.csv'), target });
    if (!answer.ok) throw new Error(answer.message);
    expect(answer).toMatchObject({
      format: 'edge-list',
      tasks: 3,
      pairs: 2,
      suggestedTarget: client.uri('sums.place'),
    });
    expect(answer.rows).toEqual([
      ['tasks', '3'],
      ['pairs', '2 of 6 send'],
      ['bytes', '3 KiB'],
      ['messages', '3'],
      ['skipped', 'messages of 1 task to itself'],
    ]);
    expect(answer.warnings).toHaveLength(1);
    expect(answer.text).toContain('table sums from "../sums.csv"\n');
    const uri = await client.open('jobs/sums.place', answer.text);
    await client.reports(uri, (now) => now.revision === 1 && !now.running);
    const question = { kind: 'task', order: 'job', amount: 'bytes', scale: 'linear' };
    const map = await client.request('placewright/traffic', { uri, of: 'job', name: 'sums', question });
    expect(map).toMatchObject({ kind: 'figure' });
  });

  it.each([
    ['is no table', 'to be or not to be\n', /^bad\.txt:?.*/],
    ['is cut off', '%%MatrixMarket matrix coordinate integer general\n3 3 4\n1 2 5000\n', /^bad\.txt/],
    ['is empty', '', /^bad\.txt/],
  ])('says what is wrong with a file that %s', async (_, content, message) => {
    await opened(undefined);
    client.write('bad.txt', content);
    expect(await ask({ uri: client.uri('bad.txt') })).toMatchObject({
      ok: false,
      message: expect.stringMatching(message) as string,
    });
  });
});

describe('a machine by itself', () => {
  const shown = (uri: string, machine = 'real') =>
    client.request<MachineAnswer>('placewright/machine', { uri, machine });

  it('is shown with its hosts, spare ports and and where it is declared', async () => {
    const uri = await opened(ibnetdiscover);
    const answer = await shown(uri);
    if (answer.kind !== 'scene') throw new Error(answer.reason);
    expect(answer.declared).toEqual({
      uri,
      range: { start: { line: 0, character: 8 }, end: { line: 0, character: 12 } },
    });
    const scene = decodeScene(answer.scene);
    expect(scene.nodes.names).toEqual(['n001', 'n002', 'n003', 'n004']);
    expect(scene.figures).toContainEqual(['Spare ports', '132 on 4 switches']);
    expect(scene.about?.notes).toContain('The file contains 8 × 4xQDR.');
  });

  it('follows the text and its file without a save, and says what is wrong with it and where', async () => {
    const uri = await opened(ibnetdiscover);
    await client.edit(uri, 'routing  up-down', 'routing  up-dawn');
    const wrong = await shown(uri);
    expect(wrong).toMatchObject({ kind: 'nothing', problem: { location: { uri } } });
    expect(wrong.problem?.message).toContain('up-dawn');
    await client.edit(uri, 'up-dawn', 'minimal');
    expect(await shown(uri)).toMatchObject({ kind: 'scene' });
    client.write('fabric.out', slurmTree);
    const answer = await shown(uri);
    if (answer.kind !== 'scene') throw new Error(answer.reason);
    expect(decodeScene(answer.scene).about?.kind).toContain('slurm-tree');
    expect(await shown(uri, 'nobody')).toMatchObject({
      kind: 'nothing',
      reason: expect.stringContaining('"nobody"') as string,
    });
  });

  it('in several parts is shown, with what is wrong', async () => {
    const uri = await opened(undefined, 'machine m {\n  topology mesh 4\n  without 1 -- 2\n}\n');
    const answer = await shown(uri, 'm');
    expect(answer).toMatchObject({
      kind: 'scene',
      problem: { message: expect.stringContaining('not connected') as string },
    });
    expect(answer.problem?.location?.range.start.line).toBe(1);
  });

  it('of a file in several parts is the largest, and what is left out is told', async () => {
    const uri = await opened('from,to\na,b\nc,d\n', text.replace('routing  up-down', 'hosts 1'));
    const answer = await shown(uri);
    if (answer.kind !== 'scene') throw new Error(answer.reason);
    expect(decodeScene(answer.scene).figures).toContainEqual([
      'Skipped',
      '1 part of the file with 2 switches and 0 hosts',
    ]);
  });

  it('is listed with those that are imported', async () => {
    const other = client.write('other.place', 'machine theirs { topology torus 2 x 2 }\n');
    const uri = await opened(undefined, 'import "other.place"\nmachine own { topology torus 4 x 4 }\n');
    const machines = await client.request<MachineSummary[]>('placewright/machines', { uri });
    expect(machines.map(({ name }) => name)).toEqual(['own', 'theirs']);
    expect(await shown(uri, 'theirs')).toMatchObject({ kind: 'scene', declared: { uri: other } });
  });
});
