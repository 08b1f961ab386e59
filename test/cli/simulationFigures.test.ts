import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { unbalancedTags } from '../../server/drawing/testing/figures.ts';
import { commandLine } from './commandLine.ts';

/** Figures of simulated placements, by `draw` and by `simulate -o`: what their panel shows, as files. */

const text = `machine grid { topology torus 4 x 4 }
job cg { tasks 16 pattern all-to-all bytes 64 B }
network fast { switching cut-through packet 8 flit 4 B channels 2 queue 4 packets routing adaptive bubble 2 }
placement quick { job cg machine grid map row-major simulate fast }
placement other { job cg machine grid map random simulate fast }
placement still { job cg machine grid map row-major }
machine lab { topology cluster 4 sockets 2 cores 2 memory 4 GB/s interface 1 GB/s switch 100 ns queue-pair 1 KiB 2.95 us, 64 KiB 57.9 us, 512 KiB 343.8 us, 1 MiB 687.6 us }
job all { tasks 16 pattern all-to-all bytes 64 KiB rate 20/s messages 5 }
placement queues { job all machine lab map blocked simulate queueing replay open }
`;

const cli = commandLine();
const run = (...words: readonly string[]) => cli.run(words, cli.scratch());
const file = (name: string): string => readFileSync(join(cli.scratch(), name), 'utf8');

beforeAll(() => {
  writeFileSync(join(cli.scratch(), 'a.place'), text);
});

describe('draw of a simulated placement', () => {
  it.each([
    ['playback', 'from,to,busy,waiting,"busy in all, by link loads",channel'],
    ['finish', 'job,task,finish'],
    ['latency', 'from,below,packets,share,share up to here'],
    ['time', 'from,to,traffic,latency'],
    ['links', 'from,to,busy,busy at most,waiting,waiting at most,predicted,error'],
  ])('writes %s as SVG, PDF and numbers, the same as simulate -o', async (figure, head) => {
    expect(await run('draw', 'a.place', 'quick', '--figure', figure, '-o', `${figure}.svg`, '--force')).toEqual({
      code: 0,
      out: '',
      err: expect.any(String) as string,
    });
    expect(unbalancedTags(file(`${figure}.svg`))).toEqual([]);
    expect((await run('draw', 'a.place', 'quick', '--figure', figure, '-o', `${figure}.csv`, '--force')).code).toBe(0);
    expect(file(`${figure}.csv`).split('\n')[0]).toBe(head);
    const { code, out } = await run(
      'simulate',
      'a.place',
      'quick',
      '--figure',
      figure,
      '-o',
      `${figure}-2.svg`,
      '--force',
    );
    expect([code, out]).toEqual([0, expect.stringContaining('Makespan')]);
    expect(file(`${figure}-2.svg`)).toBe(file(`${figure}.svg`));
    expect((await run('draw', 'a.place', 'quick', '--figure', figure, '-o', `${figure}.pdf`, '--force')).code).toBe(0);
    expect(file(`${figure}.pdf`).slice(0, 5)).toBe('%PDF-');
  });

  it('has the columns in its files that are documented', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/reference/csv.md'), 'utf8');
    for (const figure of ['playback', 'finish', 'latency', 'time', 'links', 'servers']) {
      const placement = figure === 'servers' ? 'queues' : 'quick';
      const { out } = await run('simulate', 'a.place', placement, '--figure', figure, '-o', 'of-figure.csv', '--force');
      expect(out).toContain('Makespan');
      const [head = ''] = file('of-figure.csv').split('\n');
      const columns = head.split(/,(?=[^ ])/).map((name) => name.replaceAll('"', ''));
      const told = new RegExp(`^- \`${figure}\`: (.*(?:\\n  .*)*)`, 'm').exec(page)?.[1] ?? '';
      const named = [...told.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
      expect(
        named.filter((name) => columns.includes(name!)),
        figure,
      ).toEqual(columns);
    }
  });

  it('writes the servers of a cluster, with what was predicted of each', async () => {
    const head = 'server,node,socket,core,messages,busy,predicted,error,waited,waited by a message';
    expect((await run('draw', 'a.place', 'queues', '--figure', 'servers', '-o', 'servers.csv', '--force')).code).toBe(
      0,
    );
    const [first, ...rows] = file('servers.csv').trimEnd().split('\n');
    expect(first).toBe(head);
    const memories = rows.filter((row) => row.startsWith('memory,'));
    expect(memories).toHaveLength(8);
    for (const row of memories) {
      const [busy = 0, predicted = 0] = row.split(',').slice(5, 7).map(Number);
      expect(busy).toBeGreaterThan(0);
      expect(predicted).toBeGreaterThan(0);
    }
    expect(
      (await run('simulate', 'a.place', 'queues', '--figure', 'servers', '-o', 'servers.svg', '--force')).code,
    ).toBe(0);
    expect(unbalancedTags(file('servers.svg'))).toEqual([]);
    expect(file('servers.svg')).toContain('queues: server utilisation');
  });

  it.each([
    ['quick', 'servers', 'its packets use links', 'playback, finish, latency, time, links'],
    ['queues', 'links', 'its `switching queueing` has servers', 'playback, finish, latency, time, servers'],
  ])('of %s has no figure %s, and says which there are', async (placement, figure, why, kinds) => {
    for (const command of ['draw', 'simulate']) {
      const { code, out, err } = await run(command, 'a.place', placement, '--figure', figure, '-o', 'none.svg');
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain(`No chart ${figure} for placement '${placement}': ${why}`);
      expect(err).toContain(`Expected one of ${kinds}.`);
    }
    expect(existsSync(join(cli.scratch(), 'none.svg'))).toBe(false);
  });

  it.each(['playback', 'traffic'])('draws %s as wide as a column of a journal', async (figure) => {
    const { code, out } = await run('draw', 'a.place', 'quick', '--figure', figure, '--width', '84mm', '-o', '-');
    expect([code, /<svg[^>]* width="([^"]+)"/.exec(out)?.[1]]).toEqual([0, '84mm']);
  });

  it('draws the playback at a cycle', async () => {
    expect(
      (await run('draw', 'a.place', 'quick', '--figure', 'playback', '--time', '0', '-o', 'first.svg', '--force')).code,
    ).toBe(0);
    expect(file('first.svg')).toMatch(/quick at cycles 0 to [\d,]+</);
  });

  it.each([
    [
      ['draw', 'a.place', 'still', '--figure', 'links', '-o', 'x.svg'],
      "Placement 'still' has no `simulate`. Add `simulate NETWORK`.",
    ],
    [
      ['draw', 'a.place', 'quick', '--figure', 'links', '--time', '3', '-o', 'x.svg'],
      '--time needs --figure playback.',
    ],
    [['simulate', 'a.place', 'quick', '--figure', 'links'], '--figure needs -o FILE. Example: `-o links.svg`.'],
    [['simulate', 'a.place', 'quick', '--time', '3'], '--time needs -o FILE. Example: `-o playback.svg`.'],
    [['simulate', 'a.place', 'quick', '--time', '-3', '-o', 'x.svg'], '--time must be a cycle from 0.'],
    [['simulate', 'a.place', '-o', 'x.svg'], '-o needs one placement. Name one of quick, other, queues.'],
  ])('says what cannot be: %j', async (words, message) => {
    const { code, out, err } = await run(...words);
    // Before anything is simulated.
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)]);
  });
});
