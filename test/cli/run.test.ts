/** What `run` says to people beyond the samples: shares, and searches that had no time for everything. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine } from './commandLine.ts';

const cli = commandLine();

async function run(text: string, ...words: readonly string[]) {
  const path = join(cli.scratch(), 'run.place');
  writeFileSync(path, text);
  return await cli.run(['run', path, ...words]);
}

describe('a share of a hot link', () => {
  it('that is there is never 0 %', async () => {
    const all = `machine m { topology mesh 201 }  job j { tasks 201  pattern all-to-one }
      placement p { job j  machine m  map baseline }`;
    const { code, out, err } = await run(all, '--hot-link-factor', '1.5');
    expect(code).toBe(0);
    expect(out).toMatch(/ under 1 % of it from task \d+ → 0, largest of 200 pairs/);
    expect(`${out}${err}`).not.toMatch(/\b0(\.\d)? % of it/);
  });
});

describe('mappers that `auto` did not try', () => {
  const text = (budget: string) => `machine m { topology torus 10 x 10 }  job j { tasks 100  pattern random }
    placement p { job j  machine m  map auto(budget ${budget}) }`;

  it('are named, with what would try them', async () => {
    expect((await run(text('1000'))).out).toMatch(
      /^ +not tried within 1,000 steps: .*\bgrasp\b.*; a time budget tries them$/m,
    );
    expect((await run(text('1 ms'))).out).toMatch(
      /^ +not tried within 1 ms: .*\bgrasp\b.*; a longer budget tries them$/m,
    );
  });

  it('stand in the JSON, from where the text has them again', async () => {
    const json = (await run(text('1000'), '--json')).out;
    const { placements } = JSON.parse(json) as { placements: { jobs: { search: Record<string, unknown> }[] }[] };
    expect(placements[0]?.jobs[0]?.search).toMatchObject({
      untried: expect.arrayContaining(['grasp']) as string[],
      budget: { kind: 'steps', amount: 1000 },
    });
    const kept = join(cli.scratch(), 'kept.json');
    writeFileSync(kept, json);
    expect((await run(text('1000'), '--from', kept)).out).toMatch(/not tried within 1,000 steps: .*grasp/);
    for (const broken of ['"untried":7', '"untried":[],"budget":null']) {
      writeFileSync(kept, json.replace(/"untried":\[.*?\],"budget":\{.*?\}/, broken));
      expect(await run(text('1000'), '--from', kept)).toMatchObject({
        code: 0,
        out: expect.not.stringMatching(/not tried/) as string,
      });
    }
  });
});
