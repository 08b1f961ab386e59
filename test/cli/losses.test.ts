import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine } from './commandLine.ts';

const cli = commandLine();

/** A ring in which the messages of two neighbours go the other way round, once their cable has failed. */
function file(machine: string): string {
  const path = join(cli.scratch(), 'lost.place');
  writeFileSync(
    path,
    `machine ring { ${machine} }
table pair { 0 -> 1 : 1000  1 -> 2 : 500 }
job pair { tasks 3  table pair }
placement p { job pair machine ring map given [0, 1, 2] }
`,
  );
  return path;
}

const ring = 'topology torus 4  bandwidth 1000 B/s';

describe('failures', () => {
  it('have their old name too', async () => {
    expect(await cli.run(['losses', file(ring), 'p'])).toEqual(await cli.run(['failures', file(ring), 'p']));
  });

  it('prints which cable hurts most, and where it is felt', async () => {
    expect(await cli.run(['failures', file(ring), 'p'])).toEqual({
      code: 0,
      err: '',
      out: `Placement p: congestion time 1 s before any failure, with dimension-order routing.
After a link failure packets use minimal routing. All rows are compared with the first.
4 links analysed; 2 carry no traffic.

Without                 Congestion time  Change  Over    Hop-bytes
none (dimension-order)              1 s
none (minimal)                      1 s    +0 %
0 -- 1                              1 s    +0 %  0 → 3  +1.953 KiB
1 -- 2                              1 s    +0 %  0 → 1    +1,000 B
`,
    });
  });

  it('tells a cable that cannot be spared, and loads where the machine has no bandwidth', async () => {
    const { out } = await cli.run(['failures', file('topology mesh 4  routing minimal'), 'p', '--top', '1']);
    expect(out).toBe(`Placement p: maximum link load 1,000 B before any failure, with minimal routing.
3 links analysed; 1 carries no traffic, and 2 disconnect tasks.

Without         Max. link load  Change  Over               Hop-bytes
none (minimal)         1,000 B
0 -- 1                                  disconnects tasks
and 1 link more
`);
  });

  it('prints all of it for programs', async () => {
    const { out } = await cli.run(['failures', file(ring), 'p', '--json', '--top', '1']);
    expect(JSON.parse(out)).toMatchObject({
      placement: 'p',
      machine: 'ring',
      asPlaced: { maximumLoad: 1000, congestionTime: 1, routing: 'dimension-order' },
      routing: 'minimal',
      before: { maximumLoad: 1000, congestionTime: 1 },
      idle: 2,
      losses: [
        { from: 0, to: 1, maximumLoad: 1000, increase: 0, heaviest: { from: 0, to: 3 }, isBridge: false },
        { from: 1, to: 2, addedHopBytes: 1000 },
      ],
    });
    expect((await cli.run(['failures', file(ring), 'p', '--csv'])).out).toBe(
      `from,to,maximumLoad,congestionTime,increase,heaviest,addedHopBytes,bridge,cable,sideBySide
0,1,1000,1,0,0 → 3,2000,no,,1
1,2,1000,1,0,0 → 1,1000,no,,1
`.replaceAll('\n', '\r\n'),
    );
  });

  it.each([
    [
      'a count that is none',
      ['--top', '0'],
      2,
      /option '--top <count>' argument '0' is invalid\. Expected a whole number from 1\./,
    ],
    ['a placement that is not there', [], 2, /q/],
  ])('refuses %s', async (_what, words, code, message) => {
    const outcome = await cli.run(['failures', file(ring), words.length === 0 ? 'q' : 'p', ...words]);
    expect(outcome.code).toBe(code);
    expect(outcome.err).toMatch(message);
  });
});
