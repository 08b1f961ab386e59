/** What tests of samples share: which there are, what each came to, and what is the same in each run. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../tools/run.ts';
import { commandLine } from './commandLine.ts';

const golden = join(import.meta.dirname, 'golden');
export const goldenFile = (name: string): string => join(golden, name);

/** Files to open; those in samples/machines are for import, and the figures of papers have tests of their own (papers.test.ts). */
export const samples: readonly string[] = readdirSync(join(root, 'samples'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.place') && !/^(machines|papers)\b/.test(name))
  .sort();

/** Machines of real size, and searches that take seconds, are in samples.slow.test.ts alone. */
export const long: ReadonlySet<string> = new Set([
  'broken.place',
  'cg/nas-cg.place',
  'gpu-nodes.place',
  'long-context.place',
  'rankfile.place',
  'speeds.place',
  'supercomputers.place',
  'training.place',
]);
export const short: readonly string[] = samples.filter((sample) => !long.has(sample));

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

export interface RunJson {
  readonly diagnostics: readonly { readonly severity: string; readonly code: string; readonly message: string }[];
  readonly placements: readonly PlacementJson[];
}

/** How quick a search was is never the same. */
export const withoutSpeeds = (out: string): string => out.replace(/evaluations in .*; /g, 'evaluations; ');

/** JSON with 0 for what differs from run to run: times, and speeds that follow from them. */
export const withoutTimes = (json: string): string =>
  json.replace(/"(allocate|map|evaluate|milliseconds|evaluationsPerSecond)":( ?)[\d.e+-]+/g, '"$1":$20');

/** `cg/nas-cg.place` → `nas-cg`. */
export const stem = (sample: string): string => sample.replace(/^.*\//, '').replace(/\.place$/, '');

/** Tests of some samples, each of which is worked out once for all of them. To be called by each file of tests. */
export function testsOfSamples(some: readonly string[]) {
  const cli = commandLine();
  const results = new Map<string, string>();

  const runToJson = async (sample: string): Promise<string> =>
    (await cli.run(['run', `samples/${sample}`, '--json', '--loads'])).out;
  async function resultOf(sample: string): Promise<string> {
    const known = results.get(sample) ?? (await runToJson(sample));
    results.set(sample, known);
    return known;
  }
  const runJson = async (sample: string): Promise<RunJson> => JSON.parse(await resultOf(sample)) as RunJson;
  /** The result in a file, which spares commands the search. */
  async function keptResult(sample: string): Promise<string> {
    const path = join(cli.scratch(), `${stem(sample)}.json`);
    // The loads of links are most of it, and no command reads them.
    const text = JSON.stringify(await runJson(sample), (key, value: unknown) =>
      key === 'linkLoads' ? undefined : value,
    );
    writeFileSync(path, text);
    return path;
  }

  /** What holds of every sample. */
  function haveConsistentResults(): void {
    it.each(some)('%s: run --json has the keys of the contract and consistent figures', async (sample) => {
      const { diagnostics, placements } = await runJson(sample);
      expect(diagnostics.every(({ code }) => ['hot-link', 'unused-ports', 'routing-changes'].includes(code))).toBe(
        true,
      );
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
  }

  /** Exports and draws the first placement of each sample as its result has it. */
  function exportAndDraw(): void {
    it.each(some)('%s: a placement is exported and drawn', async (sample) => {
      const file = `samples/${sample}`;
      const from = ['--from', await keptResult(sample), '-o', '-'];
      for (const { name, jobs } of (await runJson(sample)).placements.slice(0, 1)) {
        const mapping = jobs.flatMap((job) => job.mapping);
        const vector = await cli.run(['export', file, name, '--format', 'vector', ...from]);
        expect(vector.out.replace(/^#.*\n/gm, '')).toBe(`${mapping.join('\n')}\n`);
        const rankfile = await cli.run(['export', file, name, '--format', 'rankfile', ...from]);
        expect(rankfile.out.match(/^rank \d+=\S+ slot=\S+$/gm)).toHaveLength(mapping.length);
        const picture = await cli.run(['draw', file, name, ...from]);
        expect(picture.out).toMatch(/^(<\?xml[^>]*>\s*)?<svg[\s\S]*<\/svg>\s*$/);
        expect([vector.code, rankfile.code, picture.code]).toEqual([0, 0, 0]);
      }
    });
  }

  /** What people read, with how quick searches were masked. */
  function printAsAlways(): void {
    it.each(some)('%s: run prints what it always printed', async (sample) => {
      const { out, err, code } = await cli.run(['run', `samples/${sample}`]);
      expect(code).toBe(0);
      const text = `${withoutSpeeds(out)}\n--- stderr\n${err}`;
      await expect(text).toMatchFileSnapshot(goldenFile(`${stem(sample)}.run.txt`));
    });
  }

  return { cli, runToJson, resultOf, runJson, haveConsistentResults, exportAndDraw, printAsAlways };
}
