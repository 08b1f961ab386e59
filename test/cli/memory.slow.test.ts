/** Small programs that ask for large things: what is too much is refused with a sentence, and the process stays below 2 GB. */
import { appendFileSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dense, densePlacements, largeTorus, measuring, numbersTo, torusOf } from './measured.ts';

const { measured, scratch } = measuring();

const wideStencil = `stencil s { dimensions 2 ${numbersTo(15)
  .map((step) => `offset (${step + 1}, 0)`)
  .join(' ')} }
job j { grid 2048 x 2048 stencil s }
machine m { topology torus 2048 x 2048 }
placement p { job j machine m map blocked }
`;

describe('memory', () => {
  it.each([
    {
      what: 'dense jobs, one of which fits',
      program: [...dense, ...densePlacements('map blocked')].join('\n'),
      says: /placement `p1` needs.*1\.50 GiB: job `j1` 733 MiB, job `j0`.*\[too-much-memory\]/i,
    },
    { what: 'a wide stencil on a large grid', program: wideStencil, says: /job `j` 736 MiB.*\[too-much-memory\]/ },
    {
      what: 'twenty large machines',
      program: numbersTo(20)
        .map((side) => `machine m${side} { topology mesh 2048 x ${2029 + side} }`)
        .join('\n'),
      says: /Machine `m\d+` needs.*\[too-much-memory\]/,
    },
  ])('$what: below 2 GB', ({ program, says }) => {
    expect(program.length).toBeLessThan(2500);
    const { code, err, peak } = measured(program, 'run', 'a.place');
    expect(peak).toBeLessThan(2e9);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(says) as string });
  });

  it('is that of one placement where many are printed as text', () => {
    const placements = numbersTo(6).map((at) => `placement q${at} { job j machine m map blocked }`);
    const { code, out, peak } = measured(torusOf(1024) + placements.join('\n'), 'run', 'a.place');
    expect(code).toBe(0);
    expect(out.match(/^Placement /gm)).toHaveLength(8);
    // One takes 4e8.
    expect(peak).toBeLessThan(6e8);
  });

  it('is enough for a picture of four million nodes in blocks', () => {
    const { code, out, peak } = measured(largeTorus, 'draw', 'a.place', 'p', '-o', '-');
    expect(code).toBe(0);
    expect(peak).toBeLessThan(2e9);
    expect(out).toContain('Each of 16,384 squares is 256 nodes. Block 16 x 16 of 2048 x 2048.');
    expect(out.length).toBeLessThan(2 ** 25);
  });

  it('is enough for a picture of a tree of 262,144 hosts in blocks', () => {
    const tree = `job j { tasks 4096 pattern ring }
machine m { topology fat-tree(levels 64 x 64 x 64) }
placement p { job j machine m map blocked }
`;
    const { code, out, peak } = measured(tree, 'draw', 'a.place', 'p', '-o', '-');
    expect(code).toBe(0);
    expect(peak).toBeLessThan(1.5e9);
    expect(out).toContain('Each of 4,161 squares is at most 64 nodes.');
    expect(out.length).toBeLessThan(2 ** 23);
  });

  it('is not taken for a picture that nobody could look at', () => {
    const network = `job j { tasks 4096 pattern ring }
machine m { topology irregular 8192(links 8) hosts 64 }
placement p { job j machine m map blocked }
`;
    const { code, err, out, peak } = measured(network, 'draw', 'a.place', 'p', '-o', '-');
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: expect.stringContaining('[too-large-to-draw]') as string,
    });
    expect(peak).toBeLessThan(1.5e9);
  });

  it('does not grow with the text of a trace, of one file or of one for each rank', () => {
    const ranks = 16;
    const filler = `# ${'-'.repeat(2000)}\n`.repeat(8192);
    const directory = mkdtempSync(join(scratch(), 'ranks-'));
    for (let rank = 0; rank < ranks; rank++) {
      const [to, from] = [(rank + 1) % ranks, (rank + ranks - 1) % ranks];
      const lines = [`${rank} init`, `${rank} send ${to} 0 8`, `${rank} recv ${from} 0 8`];
      writeFileSync(join(directory, `rank-${rank}.txt`), `${lines.join('\n')}\n${filler}`);
    }
    const whole = join(directory, 'whole.tit');
    for (let rank = 0; rank < ranks; rank++) appendFileSync(whole, readFileSync(join(directory, `rank-${rank}.txt`)));
    const size = statSync(whole).size;
    expect(size).toBeGreaterThan(2.6e8);
    const replaying = (source: string): string =>
      `machine m { topology torus 4 x 4 } job j { tasks 16 ${source} } placement p { job j machine m map row-major }`;
    const small = measured(replaying('pattern ring'), 'run', 'a.place');
    for (const name of [`${directory}/rank-*.txt`, whole]) {
      const { code, err, peak } = measured(replaying(`trace "${name}" as simgrid`), 'run', 'a.place');
      expect({ code, err }).toMatchObject({ code: 0 });
      // Besides what the program itself takes, and what is not collected yet.
      expect(peak - small.peak).toBeLessThan(size);
    }
  });

  it.each([
    {
      side: 2048,
      most: 2e9,
      words: ['run', 'a.place', '--json', '--loads'],
      placement: (text: string) => (JSON.parse(text) as { placements: object[] }).placements[0],
    },
    {
      side: 1024,
      most: 1e9,
      words: ['export', 'a.place', 'p', '--format', 'json', '-o', '-'],
      placement: (text: string) => JSON.parse(text) as object,
    },
  ])('is enough for the JSON of $side x $side tasks: $words', ({ side, most, words, placement }) => {
    const { code, out, peak } = measured(torusOf(side), ...words);
    expect(code).toBe(0);
    expect(peak).toBeLessThan(most);
    const written = placement(out) as { jobs: { mapping: number[] }[]; metrics: object; notes: string[] };
    expect(written.jobs[0]!.mapping).toHaveLength(side ** 2);
    expect(written.metrics).not.toHaveProperty('linkLoads');
    expect(written.notes.at(-1)).toContain(`${(4 * side ** 2).toLocaleString('en-US')} links are not listed`);
  });
});
