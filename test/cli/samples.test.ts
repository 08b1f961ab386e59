/**
 * Every sample through every command. What people read is held in golden files (`golden/`,
 * written anew by `vitest -u`), with the times masked; what programs read is checked by its shape.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { draw } from '../../server/entrypoints/cli/draw.ts';
import { exportPlacement } from '../../server/entrypoints/cli/export.ts';
import { run } from '../../server/entrypoints/cli/run.ts';
import type { Surroundings } from '../../server/entrypoints/cli/terminal.ts';
import { neverCancelled } from '../../server/model/cancellation.ts';
import { defaultStudySettings } from '../../server/study/report.ts';
import { root } from '../../tools/run.ts';
import { binary } from './binary.ts';
import { commandLine, type Outcome } from './commandLine.ts';

const cli = commandLine();
const built = binary();
const golden = join(import.meta.dirname, 'golden');

/** Files to open; those in samples/machines are for import, and the figures of papers have tests of their own (papers.test.ts). */
const samples = readdirSync(join(root, 'samples'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.place') && !/^(machines|papers)\b/.test(name))
  .sort();

interface PlacementJson {
  readonly name: string;
  readonly machine: string;
  readonly jobs: readonly {
    readonly name: string;
    readonly tasks: number;
    readonly allocator: string;
    readonly mapper: string;
    readonly nodes: number[];
    readonly mapping: number[];
  }[];
  readonly metrics: Record<string, number> & {
    readonly hotLinks: { load: number; busyShare?: number }[];
    readonly linkLoads: { load: number; host?: number }[];
  };
  readonly milliseconds: Record<string, number>;
}

interface RunJson {
  readonly diagnostics: readonly { readonly severity: string; readonly code: string; readonly message: string }[];
  readonly placements: readonly PlacementJson[];
}

const runToJson = async (sample: string): Promise<string> =>
  (await cli.run(['run', `samples/${sample}`, '--json', '--loads'])).out;

/**
 * A command in the process of the tests: hundreds of them would otherwise each wait for a process to start. Whatever is checked so of
 * all placements is checked of the first of each sample by a process as well.
 */
async function here<Request>(
  command: (request: Request, surroundings: Surroundings) => Promise<number>,
  request: Request,
): Promise<Outcome> {
  let [out, err] = ['', ''];
  const toOut = (text: string): void => void (out += text);
  const terminal = { out: toOut, data: toOut, err: (text: string) => void (err += text), progress: () => undefined };
  const code = await command(request, { terminal, cancellation: neverCancelled, isWatched: false });
  return { code, out, err };
}

const { hotLinkFactor } = defaultStudySettings;
/** What each sample's placements came to when they were first worked out: tests that only read it share one run. */
const results = new Map<string, string>();
async function resultOf(sample: string): Promise<string> {
  const known = results.get(sample) ?? (await runToJson(sample));
  results.set(sample, known);
  return known;
}
const runJson = async (sample: string): Promise<RunJson> => JSON.parse(await resultOf(sample)) as RunJson;

/** How quick a search was is never the same. */
const withoutSpeeds = (out: string): string => out.replace(/evaluations in .*; /g, 'evaluations; ');

/** JSON with 0 for what differs from run to run: times, and speeds that follow from them. */
const withoutTimes = (json: string): string =>
  json.replace(/"(allocate|map|evaluate|milliseconds|evaluationsPerSecond)":( ?)[\d.e+-]+/g, '"$1":$20');

/** `cg/nas-cg.place` → `nas-cg`. */
const stem = (sample: string): string => sample.replace(/^.*\//, '').replace(/\.place$/, '');

describe('samples', () => {
  it('are all here', () => {
    expect(samples).toContain('quickstart.place');
    expect(samples.length).toBeGreaterThanOrEqual(5);
  });

  it('open without errors, and with nothing to say but of hot links and unused ports', async () => {
    const { code, out, err } = await cli.run(['check', ...samples.map((sample) => `samples/${sample}`)]);
    expect(out).toBe('');
    expect(
      err
        .split('\n')
        .filter((line) => line !== '' && !/: (?:warning|information): .* \[(?:hot-link|unused-ports)\]$/.test(line)),
    ).toEqual([]);
    expect(code).toBe(0);
  });

  it('warn only where a change of the mapping is known that makes the placement better', async () => {
    const found: RunJson['diagnostics'][number][] = [];
    for (const sample of samples) found.push(...(await runJson(sample)).diagnostics);
    const warnings = found.filter(({ severity }) => severity === 'warning').map(({ message }) => message);
    expect(warnings.length).toBeLessThanOrEqual(4);
    expect(
      warnings.filter((message) => !/^(Swap|Move) .* for a better placement: heaviest link −/.test(message)),
    ).toEqual([]);
  });

  it.each(samples)('%s: run prints what it always printed', async (sample) => {
    const { out, err, code } = await cli.run(['run', `samples/${sample}`]);
    expect(code).toBe(0);
    await expect(`${withoutSpeeds(out)}\n--- stderr\n${err}`).toMatchFileSnapshot(
      join(golden, `${stem(sample)}.run.txt`),
    );
  });

  it.each(samples)('%s: run --json has the keys of the contract and consistent figures', async (sample) => {
    const { diagnostics, placements } = await runJson(sample);
    expect(diagnostics.every(({ code }) => code === 'hot-link' || code === 'unused-ports')).toBe(true);
    const hotLinks = diagnostics.filter(({ code }) => code === 'hot-link');
    expect(hotLinks.length).toBeLessThanOrEqual(placements.length);
    for (const { machine, jobs, metrics, milliseconds } of placements) {
      expect(Object.keys(milliseconds)).toEqual(['allocate', 'map', 'evaluate']);
      const slots = jobs.flatMap(({ mapping }) => mapping);
      expect(new Set(slots).size).toBe(slots.length);
      for (const { tasks, mapping } of jobs) expect(mapping).toHaveLength(tasks);
      // What crosses the links is every byte times its hops, but for links of nodes of a grid, which are no hops, and the insides of nodes.
      const counted = metrics.linkLoads.filter(({ host }) => machine !== 'gemini' || host === undefined);
      const loads = counted.map(({ load }) => load);
      const onLinks = (metrics['hopBytes'] ?? -1) - (metrics['insideHopBytes'] ?? 0);
      const difference = Math.abs(loads.reduce((sum, load) => sum + load, 0) - onLinks);
      // Sums of terabytes are rounded in their last digits.
      expect(difference).toBeLessThan(Math.max(5e-4, 8 * Number.EPSILON * onLinks));
      expect(Math.max(...loads)).toBe(metrics['maximumLinkLoad']);
      const hot = metrics.hotLinks.map(({ load, busyShare }) => busyShare ?? load);
      expect(hot).toEqual(hot.toSorted((a, b) => b - a));
    }
  });

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

  it.each(samples)('%s: the same bytes each time, but for the times', async (sample) => {
    const { out } = await here(run, { file: join(root, 'samples', sample), json: true, loads: true, hotLinkFactor });
    expect(withoutTimes(out)).toBe(withoutTimes(await resultOf(sample)));
  });

  it.each(samples)('%s: every placement exports and draws', async (sample) => {
    const file = join(root, 'samples', sample);
    // The mapping of the first is worked out anew; all else takes the result, which spares it the search.
    const kept = join(cli.scratch(), `${stem(sample)}.json`);
    writeFileSync(kept, await resultOf(sample));
    const fromKept = { file, from: kept, output: '-', hotLinkFactor };
    for (const [index, { name, jobs }] of (await runJson(sample)).placements.entries()) {
      const mapping = jobs.flatMap((job) => job.mapping);
      const vector =
        index === 0
          ? await cli.run(['export', file, name, '--format', 'vector'])
          : await here(exportPlacement, { ...fromKept, placement: name, format: 'vector' });
      expect(vector.out.replace(/^#.*\n/gm, '')).toBe(`${mapping.join('\n')}\n`);
      const rankfile = await here(exportPlacement, { ...fromKept, placement: name, format: 'rankfile' });
      expect(rankfile.out.match(/^rank \d+=\S+ slot=\S+$/gm)).toHaveLength(mapping.length);
      const picture = await here(draw, { ...fromKept, name });
      expect(picture.out).toMatch(/^(<\?xml[^>]*>\s*)?<svg[\s\S]*<\/svg>\s*$/);
      expect([vector.code, rankfile.code, picture.code]).toEqual([0, 0, 0]);
      if (index > 0) continue;
      const words = ['--from', kept, '-o', '-'];
      expect(await cli.run(['export', file, name, '--format', 'rankfile', ...words])).toEqual(rankfile);
      expect(await cli.run(['draw', file, name, ...words])).toEqual(picture);
    }
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
    const file = 'samples/cg/nas-cg.place';
    for (const words of [
      ['run', file],
      ['check', file],
      ['draw', file, 'tuned', '-o', '-'],
      ['list', 'mappers'],
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
    await expect(err === '' ? masked : `${masked}\n--- stderr\n${err}`).toMatchFileSnapshot(join(golden, name));
  });

  it('have no file that no test reads', () => {
    const read = [
      ...runs.map(([name]) => name),
      ...samples.map((sample) => `${stem(sample)}.run.txt`),
      // By experiment.test.ts: experiments keep their results beside their file.
      'jobs-over-time.experiment.txt',
      // By papers.test.ts.
      'papers.txt',
    ];
    expect(readdirSync(golden).filter((name) => !read.includes(name))).toEqual([]);
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
