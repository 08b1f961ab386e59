import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine } from './commandLine.ts';

/** Mappings that launchers report or read, up to the CSV that says where each rank is. */
const cli = commandLine();

interface Given {
  readonly tasks: number;
  /** Names of the four hosts. */
  readonly names?: string;
  readonly cores?: number;
  readonly file?: string;
  /** Behind `map given "FILE"`. */
  readonly as?: string;
  readonly allocate?: string;
}

/** `host socket core` of each rank, or what is wrong. */
async function placesOf(
  text: string,
  { tasks, names = '"n1", "n2", "n3", "n4"', cores = 8, file = 'map.txt', as = '', allocate = '' }: Given,
): Promise<readonly string[] | string> {
  const folder = cli.scratch();
  writeFileSync(join(folder, file), text);
  const place = join(folder, 'given.place');
  writeFileSync(
    place,
    `machine m { topology torus 4  names ${names}  sockets 2  cores ${cores} }
job j { tasks ${tasks}  pattern ring }
placement p { job j  machine m  ${allocate} map given "${file}" ${as} }`,
  );
  const out = join(folder, 'out.csv');
  const { code, err } = await cli.run(['export', place, 'p', '--format', 'csv', '-o', out]);
  if (code !== 0) return err;
  const [head = '', ...rows] = readFileSync(out, 'utf8').trim().split('\n');
  const columns = ['host', 'socket', 'core'].map((column) => head.split(',').indexOf(column));
  return rows.map((row) => columns.map((column) => row.split(',')[column]).join(' '));
}

describe('rankfiles', () => {
  it.each([
    ['with blanks', 'rank 0 = n1 slot = 0\nrank 1 = n2 slot = 1\n', ['n1 0 0', 'n2 0 1']],
    ['with domains', 'rank 0=n1.example.com slot=0\nrank 1=n2.example.com slot=1\n', ['n1 0 0', 'n2 0 1']],
    ['without slots', 'rank 0=n1\nrank 1=n2\n', ['n1 0 0', 'n2 0 0']],
    ['that count hosts', 'rank 0=+n0 slot=0\nrank 1=+n1 slot=1\n', ['n1 0 0', 'n2 0 1']],
    ['with comments of several lines', '/* one\n   two */\nrank 0=n1 slot=0\nrank 1=n2 slot=1\n', ['n1 0 0', 'n2 0 1']],
  ])('%s are read as PRRTE reads them', async (_, text, expected) => {
    expect(await placesOf(text, { tasks: 2 })).toEqual(expected);
  });

  it('count the nodes of the allocation', async () => {
    const given = { tasks: 2, allocate: 'allocate nodes ["n3", "n2"]' };
    expect(await placesOf('rank 0=+n0 slot=0\nrank 1=+n1 slot=1\n', given)).toEqual(['n2 0 0', 'n3 0 1']);
    expect(await placesOf('rank 0=+n0 slot=0\nrank 1=+n2 slot=1\n', given)).toMatch(
      /Line 2: \+n2 is beyond the 2 allocated nodes/,
    );
    expect(
      await placesOf('rank 0=+n0 slot=0\nrank 1=+n1 slot=1\n', { tasks: 2, allocate: 'allocate nodes "map.txt"' }),
    ).toMatch(/'\+n0' counts allocated hosts/);
  });

  it('with ranges put each rank on its socket, on the first core of the range that is free', async () => {
    const hybrid = 'rank 0=n1 slot=1:0-2\nrank 1=n1 slot=0:0-2\nrank 2=n1 slot=13-25\n';
    expect(await placesOf(hybrid, { tasks: 3, cores: 13 })).toEqual(['n1 1 0', 'n1 0 0', 'n1 1 1']);
    const shared = 'rank 0=n1 slot=0-7\nrank 1=n1 slot=0-1\nrank 2=n1 slot=0-1\nrank 3=n1 slot=0-1\n';
    expect(await placesOf(shared, { tasks: 4 })).toEqual(['n1 0 2', 'n1 0 0', 'n1 0 1', 'n1 0 3']);
    expect(await placesOf('rank 0=n1 slot=2:0-2\n', { tasks: 1 })).toMatch(
      /Line 1: rank 0 is on core 0 of socket 2, but/,
    );
  });

  it('have names of hosts with or without domain', async () => {
    const names = '"n1.a.org", "n2.a.org", "n3.a.org", "n3.b.org"';
    expect(await placesOf('n1\nn2.a.org\n', { tasks: 2, names })).toEqual(['n1.a.org 0 0', 'n2.a.org 0 0']);
    expect(await placesOf('n1\nn3\n', { tasks: 2, names })).toMatch(/Unknown host 'n3'/);
    expect(await placesOf('n1\nn2.b.org\n', { tasks: 2, names })).toMatch(/Unknown host 'n2.b.org'/);
  });
});

describe('formats', () => {
  it('are named after the file where its content does not tell', async () => {
    const order = '2,0,1,3\n';
    expect(await placesOf(order, { tasks: 4 })).toEqual(['n1 0 2', 'n1 0 0', 'n1 0 1', 'n1 0 3']);
    expect(await placesOf(order, { tasks: 4, as: 'as cray' })).toEqual(['n1 0 1', 'n1 0 2', 'n1 0 0', 'n1 0 3']);
    expect(await placesOf(order, { tasks: 4, as: 'as cary' })).toMatch(/format of mappings.*`cray`/);
    expect(
      await placesOf('n3\nn2\n', { tasks: 2, as: 'as hosts', allocate: 'allocate nodes "map.txt" as hosts' }),
    ).toEqual(['n3 0 0', 'n2 0 0']);
  });
});

describe('reports of launchers', () => {
  it('say where ranks ran', async () => {
    expect(await placesOf('n1: 0-3\nn2: 4-7\n', { tasks: 8 })).toEqual([
      ...[0, 1, 2, 3].map((core) => `n1 0 ${core}`),
      ...[0, 1, 2, 3].map((core) => `n2 0 ${core}`),
    ]);
    const four = `[n1:49718] MCW rank 0 bound to socket 0[core 0[hwt 0]]: [B/././././././.][./././././././.]
[n2:49719] MCW rank 1 bound to socket 1[core 8[hwt 0]]: [./././././././.][B/././././././.]
`;
    const five = '[n1:493053] Rank 0 bound to package[0][core:0]\n[n2:493053] Rank 1 bound to package[1][core:8]\n';
    for (const text of [four, five]) expect(await placesOf(text, { tasks: 2 })).toEqual(['n1 0 0', 'n2 1 0']);
  });
});
