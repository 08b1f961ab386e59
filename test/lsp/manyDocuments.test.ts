import { describe, expect, it } from 'vitest';
import { serverForTests } from './testing/languageClient.ts';

const servers = serverForTests();

const text = (index: number): string => `import "machine.place"
table t from "t${index}.csv"
job j { tasks 16  table t }
placement p { job j  machine small  map rcb }
`;

describe('with many documents', () => {
  it('each file is watched once, and no more once nobody needs it', async () => {
    const client = await servers.start();
    client.write('machine.place', 'machine small { topology torus 4 x 4 }\n');
    const count = 40;
    const uris: string[] = [];
    for (let index = 0; index < count; index++) {
      client.write(`t${index}.csv`, `from,to,bytes\n0,1,${index + 1}\n`);
      uris.push(await client.open(`d${index}.place`, text(index)));
    }
    for (const uri of uris) await client.settled(uri);
    const wanted = [...Array(count).keys()].flatMap((index) => [`d${index}.place`, `t${index}.csv`]);
    await client.watching((names) => names.length === wanted.length + 1);
    expect([...client.watched].sort()).toEqual([...wanted, 'machine.place'].sort());
    // Every file was asked for once, however often its readers were studied.
    expect(client.registrations).toBe(wanted.length + 1);

    for (const uri of uris.slice(1)) await client.close(uri);
    await client.watching((names) => names.length === 3);
    expect([...client.watched].sort()).toEqual(['d0.place', 'machine.place', 't0.csv']);
    expect(client.registrations).toBe(wanted.length + 1);
  });
});

describe('in a folder that is not trusted', () => {
  it('nothing outside is watched, and the message says why it is not read', async () => {
    const client = await servers.start({ trusted: false });
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
});
