/** The samples that take long through every command, and every sample once more: what holds of the others alone is in samples.test.ts. */
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';
import { binary } from './binary.ts';
import { long, samples, short, testsOfSamples, withoutSpeeds, withoutTimes } from './sampleResults.ts';

const built = binary();
const { cli, runToJson, resultOf, runJson, haveConsistentResults, exportAndDraw, printAsAlways } = testsOfSamples([
  ...long,
]);

describe('samples', () => {
  it('open without errors, and with nothing to say but of hot links, unused ports and changed routings', async () => {
    const { code, out, err } = await cli.run(['check', ...samples.map((sample) => `samples/${sample}`)]);
    expect(out.replace(/^samples\/.*\.place: no problems found\.\n/gm, '')).toBe('');
    expect(
      err
        .split('\n')
        .filter(
          (line) =>
            line !== '' && !/: (?:warning|information): .* \[(?:hot-link|unused-ports|routing-changes)\]$/.test(line),
        ),
    ).toEqual([]);
    expect(code).toBe(0);
  });

  printAsAlways();
  haveConsistentResults();
  exportAndDraw();

  // Those that take long come out the same as their golden files say.
  it.each(short)('%s: the same bytes each time, but for the times', async (sample) => {
    expect(withoutTimes(await runToJson(sample))).toBe(withoutTimes(await resultOf(sample)));
  });

  it.each(short)('%s: an export places as a result does', async (sample) => {
    const [first] = (await runJson(sample)).placements;
    const { code, out } = await cli.run(['export', `samples/${sample}`, first?.name ?? '', '--format', 'vector']);
    const mapping = first?.jobs.flatMap((job) => job.mapping) ?? [];
    expect([code, out.replace(/^#.*\n/gm, '')]).toEqual([0, `${mapping.join('\n')}\n`]);
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
      ['run', file, '--placement', 'in-order'],
      ['check', file],
      ['draw', file, 'in-order', '-o', '-'],
      ['list', 'mappers'],
    ]) {
      const [older, newer] = [built.run(words, root, asOnNode20), await cli.run(words)];
      expect({ ...older, out: withoutSpeeds(older.out) }).toEqual({ ...newer, out: withoutSpeeds(newer.out) });
    }
  });
});
