/**
 * Samples through the commands. What people read is held in golden files (`golden/`, written anew by `vitest -u`), with the times
 * masked; what programs read is checked by its shape. What takes long is in samples.slow.test.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';
import { binary } from './binary.ts';
import {
  goldenFile,
  long,
  type RunJson,
  samples,
  short,
  stem,
  testsOfSamples,
  withoutSpeeds,
  withoutTimes,
} from './sampleResults.ts';

const built = binary();
const { cli, runJson, haveConsistentResults, exportAndDraw, printAsAlways } = testsOfSamples(short);

describe('samples', () => {
  it('are all here', () => {
    expect(samples).toContain('quickstart.place');
    expect(samples.length).toBeGreaterThanOrEqual(5);
    expect(short.length).toBe(samples.length - long.size);
  });

  it('of the readme are found without problems, and that is said', async () => {
    const said = { code: 0, out: 'samples/quickstart.place: no problems found.\n', err: '' };
    expect(await cli.run(['check', 'samples/quickstart.place'])).toEqual(said);
  });

  it('open without errors where they have experiments, which no result tells of', async () => {
    const { code, out, err } = await cli.run(['check', 'samples/jobs-over-time.place']);
    expect([code, out, err.trimEnd().split('\n')]).toEqual([0, '', [expect.stringMatching(/ \[hot-link\]$/)]]);
  });

  it('warn only where a change of the mapping is known that makes the placement better', async () => {
    const found: RunJson['diagnostics'][number][] = [];
    for (const sample of short) found.push(...(await runJson(sample)).diagnostics);
    const warnings = found.filter(({ severity }) => severity === 'warning').map(({ message }) => message);
    expect(warnings.length).toBeLessThanOrEqual(4);
    expect(warnings.filter((message) => !/^(Swap|Move) .* for a better placement: /.test(message))).toEqual([]);
  });

  haveConsistentResults();
  printAsAlways();
  exportAndDraw();

  it('tell which allocator and mapper each job had', async () => {
    const { placements } = await runJson('multi-job.place');
    const chosen = placements.find(({ name }) => name === 'scheduled')?.jobs;
    expect(chosen?.map(({ name, allocator, mapper }) => [name, allocator, mapper])).toEqual([
      ['weather', 'nodes', 'rcb'],
      ['statistics', 'nodes', 'row-major'],
    ]);
    expect(chosen?.map(({ nodes }) => [nodes[0], nodes.length])).toEqual([
      [0, 16],
      [16, 8],
    ]);
  });

  it('come out the same in a file as on standard output', async () => {
    const target = join(cli.scratch(), 'picture.svg');
    const toFile = await cli.run(['draw', 'samples/quickstart.place', 'first-try', '-o', target]);
    expect(toFile).toEqual({ code: 0, out: '', err: '' });
    const { out } = await cli.run(['draw', 'samples/quickstart.place', 'first-try', '-o', '-']);
    // A file says whether it was edited.
    expect(readFileSync(target, 'utf8').replace(/<!-- placewright-digest \w+ -->\n$/, '')).toBe(out);
  });

  it('run on Node 20, which lacks much of what Node 24 has', async () => {
    const lacking = [
      'delete Object.groupBy; delete Map.groupBy; delete Promise.withResolvers; delete Array.fromAsync;',
      'for (const name of ["union", "intersection", "difference", "isSubsetOf"]) delete Set.prototype[name];',
      'for (const name of ["map", "filter", "take", "toArray", "flatMap", "some", "find"]) delete Iterator.prototype[name];',
    ].join('');
    const asOnNode20 = ['--import', `data:text/javascript,${encodeURIComponent(lacking)}`];
    const file = 'samples/quickstart.place';
    for (const words of [
      ['run', file],
      ['draw', file, 'first-try', '-o', '-'],
    ]) {
      const [older, newer] = [built.run(words, root, asOnNode20), await cli.run(words)];
      expect({ ...older, out: withoutSpeeds(older.out) }).toEqual({ ...newer, out: withoutSpeeds(newer.out) });
    }
  });
});

describe('golden outputs', () => {
  const runs: [string, string[]][] = [
    ['quickstart.json.txt', ['run', 'samples/quickstart.place', '--json']],
    ['quickstart.rankfile', ['export', 'samples/quickstart.place', 'first-try', '--format', 'rankfile']],
    ['quickstart.export.json.txt', ['export', 'samples/quickstart.place', 'first-try', '--format', 'json']],
    ['quickstart.distances.txt', ['distances', 'samples/quickstart.place', 'small']],
    [
      'quickstart.distances.json.txt',
      ['distances', 'samples/quickstart.place', 'small', '--model', 'traffic-distribution', '--json'],
    ],
    ['autonet.equivalent.txt', ['distances', 'samples/autonet.place', 'autonet', '--model', 'equivalent']],
    ['multi-job.packed.rankfile', ['export', 'samples/multi-job.place', 'packed', '--format', 'rankfile']],
    ['multi-job.packed.vector.txt', ['export', 'samples/multi-job.place', 'packed', '--format', 'vector']],
    ['nas-cg.one-placement.txt', ['run', 'samples/cg/nas-cg.place', '--placement', 'in-order']],
    [
      'nas-cg.hot-link-factor.txt',
      ['run', 'samples/cg/nas-cg.place', '--placement', 'in-order', '--hot-link-factor', '9'],
    ],
    ['help.txt', ['--help']],
    ['help-run.txt', ['run', '--help']],
    ['help-export.txt', ['export', '--help']],
    ['help-compare.txt', ['compare', '--help']],
    ['help-experiment.txt', ['experiment', '--help']],
    ['help-sweep.txt', ['sweep', '--help']],
  ];
  it.each(runs)('%s', async (name, words) => {
    const { out, err, code } = await cli.run(words);
    expect(code).toBe(0);
    const masked = withoutTimes(out);
    await expect(err === '' ? masked : `${masked}\n--- stderr\n${err}`).toMatchFileSnapshot(goldenFile(name));
  });

  it('have no file that no test reads', () => {
    const read = [
      ...runs.map(([name]) => name),
      ...samples.map((sample) => `${stem(sample)}.run.txt`),
      // By experiment.test.ts: experiments keep their results beside their file.
      'jobs-over-time.experiment.txt',
      // By papers.slow.test.ts.
      'papers.txt',
    ];
    expect(readdirSync(goldenFile('.')).filter((name) => !read.includes(name))).toEqual([]);
  });
});

describe('equivalent distances', () => {
  it('are the hops where there is one route per pair', async () => {
    const words = ['distances', 'samples/quickstart.place', 'small', '--json', '--model'];
    const table = async (model: string): Promise<unknown> =>
      (JSON.parse((await cli.run([...words, model])).out) as { table: unknown }).table;
    expect(await table('equivalent')).toEqual(await table('hops'));
  });

  it('says what the table is of', async () => {
    const { out } = await cli.run(['distances', 'samples/quickstart.place', 'small', '--json']);
    const { table, ...rest } = JSON.parse(out) as { table: number[][] };
    expect(rest).toEqual({ machine: 'small', model: 'hops', size: 16 });
    expect(table.map((row) => row.length)).toEqual(new Array(16).fill(16));
  });
});
