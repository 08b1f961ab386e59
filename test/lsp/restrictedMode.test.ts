/** A workspace that is not trusted (Restricted Mode): files outside of it are not read, listed or watched, and none is written. */
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompletionItem, Hover } from 'vscode-languageserver/node';
import { ibnetdiscover } from '../../server/interchange/testing/smallFabric.ts';
import type { DescribeFabricAnswer } from '../../server/protocol/importPreview.ts';
import { clientOfFile, clientsOfTests } from './testing/languageClient.ts';

const client = clientOfFile({ trusted: false });
const others = clientsOfTests();

let outside: string;
beforeAll(() => {
  outside = mkdtempSync(join(tmpdir(), 'placewright-outside-'));
  writeFileSync(join(outside, 'secret.csv'), 'from,to,bytes\n0,1,5\n');
  writeFileSync(join(outside, 'machine.place'), 'machine m { topology torus 4 x 4 }\n');
  writeFileSync(join(outside, 'fabric.out'), ibnetdiscover);
  writeFileSync(join(outside, 'xyz.txt'), '0 0\n1 0\n2 0\n3 0\n');
});
afterAll(() => {
  rmSync(outside, { recursive: true, force: true });
});

const placementOf = (table: string): string => `machine m { topology torus 4 x 4 }
table t ${table}
job j { tasks 4  table t }
placement p { job j  machine m  map baseline }
`;

describe('files outside of the folders', () => {
  it('are refused until trust is granted', async () => {
    // Trust cannot be withdrawn: the other tests need another server.
    const distrusted = await others.start({ trusted: false });
    distrusted.write('sub/own.csv', 'from,to,bytes\n0,1,5\n');
    const own = await distrusted.open('own.place', placementOf('from "sub/own.csv"'));
    await distrusted.settled(own);
    const table = await distrusted.open('table.place', placementOf(`from "${join(outside, 'secret.csv')}"`));
    expect((await distrusted.problem(table, 'outside-workspace')).message).toContain('secret.csv');
    // What it refuses is told before its study has ended, and one that begins anew does not count.
    await distrusted.reports(table, (now) => now.revision === 1 && !now.running);
    for (const pattern of ['*.csv', 'none-*.csv', '']) {
      const many = await distrusted.open(
        `many${pattern.length}.place`,
        placementOf(`from "${join(outside, '/')}${pattern}"`),
      );
      const { message } = await distrusted.problem(many, 'outside-workspace');
      expect(message).toContain('is outside the opened folders');
    }
    const imported = await distrusted.open('import.place', `import "${join(outside, 'machine.place')}"\n`);
    expect((await distrusted.problem(imported, 'missing-import')).message).toContain('outside the opened folders');

    await distrusted.connection.sendNotification('placewright/trustGranted');
    await distrusted.settled(table, 2);
    await distrusted.diagnostics(imported, ({ diagnostics }) => diagnostics.length === 0);
  });

  it('are refused where they are coordinates', async () => {
    const uri = await client.open(
      'a.place',
      `job j { tasks 4  pattern ring  coordinates "${join(outside, 'xyz.txt')}" }\n`,
    );
    const found = await client.problem(uri, 'outside-workspace');
    expect(found.range.start).toEqual(client.position(uri, `"${outside}`));
  });

  it('are refused as machines, also through a link', async () => {
    symlinkSync(join(outside, 'fabric.out'), join(client.folder, 'fabric.out'));
    const uri = await client.open('main.place', 'machine real { topology from "fabric.out"  routing up-down }\n');
    const found = await client.problem(uri, 'outside-workspace');
    expect(found.range.start).toEqual(client.position(uri, 'from "fabric.out"'));
    const answer = await client.request<DescribeFabricAnswer>('placewright/describeFabric', {
      uri: pathToFileURL(join(outside, 'fabric.out')).href,
    });
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('outside') as string });
  });

  it('are not watched, and the message says why they are not read', async () => {
    const uri = await client.open(
      'a.place',
      'import "../outside.place"\ntable t from "../t.csv"\njob j { tasks 2  table t }\n',
    );
    const problem = await client.problem(uri, 'outside-workspace');
    expect(problem.message).toContain('Restricted Mode');
    await client.reports(uri, ({ running, revision }) => !running && revision === 1);
    await client.watching((names) => names.length > 0);
    expect(client.watched).toEqual(['a.place']);
  });

  it('are not offered while a path is typed', async () => {
    client.write('near.mtx', '');
    const uri = await client.open('paths.place', 'table t from "../"\ntable u from "/etc/"\n');
    const labels = async (place: string, shift: number): Promise<string[]> => {
      const items = await client.ask<CompletionItem[]>('textDocument/completion', uri, place, shift);
      return items.map(({ label }) => label);
    };
    expect(await labels('../', 3)).toEqual([]);
    expect(await labels('/etc/', 5)).toEqual([]);
    expect(await labels('"../', 1)).toEqual(['near.mtx']);
  });
});

it('comments of a text are shown as they are written', async () => {
  const uri = await client.open(
    'drawn.place',
    '/// ![i](https://example.com/x.png) and **bold**\nmachine drawn { topology torus 4 x 4 }\n',
  );
  const hover = JSON.stringify(await client.ask<Hover>('textDocument/hover', uri, 'drawn'));
  expect(hover).toContain('bold');
  expect(hover).not.toMatch(/\*\*bold|!\[/);
});

it('an experiment is not run, neither by a save nor when that is asked for', async () => {
  const text = `machine grid { topology mesh 4 x 4 }
stream calm {
  arrivals   exponential(mean 10)
  processors uniform(1, 8)
  service    exponential(mean 5)
  jobs       50 completed
}
experiment small { stream calm  machine grid  allocate rbs, mc1x1  seeds 1 .. 4 }
`;
  const uri = await client.open('main.place', text);
  await client.lenses(uri, (lenses) => lenses.some(({ command }) => command?.title === 'Run'));
  await client.save(uri);
  await client.runExperiment({ uri, experiment: 'small' });
  expect(await client.warnings()).toMatch(
    /Experiment "small" needs a trusted folder to save results \(Restricted Mode\)\. Trust the folder first\./,
  );
  expect(existsSync(join(client.folder, 'main.place.results'))).toBe(false);
});
