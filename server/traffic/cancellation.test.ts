import { describe, expect, it } from 'vitest';
import type { Cancellation } from '../model/cancellation.ts';
import { findEntry } from '../model/catalogue.ts';
import { seededRandom } from '../model/random.ts';
import { cancelledCode, type Result } from '../model/result.ts';
import type { Traffic } from '../model/traffic.ts';
import { patternTraffic, stencilTraffic, tableTraffic } from './build.ts';
import { patterns, stencils } from './catalogue.ts';

type Build = (cancellation: Cancellation) => Result<Traffic>;

const table = {
  size: 300,
  from: Int32Array.from({ length: 90_000 }, (_, entry) => entry % 300),
  to: Int32Array.from({ length: 90_000 }, (_, entry) => Math.floor(entry / 300)),
  amount: new Float64Array(90_000).fill(1),
};

const builds: readonly { readonly what: string; readonly build: Build }[] = [
  {
    what: 'a stencil',
    build: (cancellation) =>
      stencilTraffic(findEntry(stencils, 'twenty-seven-point')!.stencil, [40, 24, 20], false, 1, cancellation),
  },
  {
    what: 'all-to-all',
    build: (cancellation) => {
      const request = { taskCount: 300, periodic: false, random: seededRandom(1), options: {}, cancellation };
      return patternTraffic(findEntry(patterns, 'all-to-all')!, request, 1);
    },
  },
  { what: 'a table', build: (cancellation) => tableTraffic(table, 300, 1, cancellation) },
];

describe.each(builds)('traffic of $what', ({ build }) => {
  it('is given up at whichever look it is cancelled', () => {
    let looks = 0;
    expect(build({ isCancelled: () => (looks++, false) }).ok).toBe(true);
    expect(looks).toBeGreaterThan(4);
    for (let allowed = 0; allowed < looks; allowed++) {
      let left = allowed;
      const given = build({ isCancelled: () => left-- <= 0 });
      expect(given).toMatchObject({ ok: false, failure: { code: cancelledCode } });
    }
  });
});
