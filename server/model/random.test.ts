import { describe, expect, it } from 'vitest';
import { seededRandom, separateRandoms, shuffle } from './random.ts';

describe('a seeded source', () => {
  it('repeats itself for the same seed', () => {
    const draws = (seed: number): number[] => {
      const random = seededRandom(seed);
      return Array.from({ length: 50 }, () => random.integer(1000));
    };
    expect(draws(7)).toEqual(draws(7));
    expect(draws(7)).not.toEqual(draws(8));
  });

  it.each([0, 1, 2, 5])('draws evenly over neighbouring seeds in draw %i', (draw) => {
    const counts = [0, 0, 0];
    for (let seed = 0; seed < 3000; seed++) {
      const random = seededRandom(seed);
      for (let skipped = 0; skipped < draw; skipped++) random.integer(3);
      counts[random.integer(3)]! += 1;
    }
    // Five standard deviations of a fair draw: sqrt(3000 · 1/3 · 2/3) ≈ 25.8.
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(130);
  });

  it('is copied: both draw the same from there on, whatever the other has drawn', () => {
    const random = seededRandom(3);
    random.integer(10);
    const copy = random.copy();
    const drawn = Array.from({ length: 5 }, () => random.fraction());
    expect(Array.from({ length: 5 }, () => copy.fraction())).toEqual(drawn);
  });

  it('has separate ones beside it: what is drawn of one, or that there are more, changes no other', () => {
    const draws = (names: readonly string[], drawnBefore: number): number[] => {
      const sources = separateRandoms(5, names);
      for (let draw = 0; draw < drawnBefore; draw++) sources.arrivals!.fraction();
      return Array.from({ length: 20 }, () => sources.sizes!.integer(1000));
    };
    expect(draws(['arrivals', 'sizes'], 0)).toEqual(draws(['arrivals', 'sizes', 'roots'], 999));
    expect(draws(['arrivals', 'sizes'], 0)).not.toEqual(draws(['sizes'], 0));
    expect(draws(['arrivals', 'sizes'], 0)).not.toEqual(draws(['roots', 'arrivals', 'sizes'], 0));
  });

  it('shuffles into a permutation, each element anywhere', () => {
    const places = new Set<number>();
    for (let seed = 0; seed < 40; seed++) {
      const values = Int32Array.from([0, 1, 2, 3, 4]);
      shuffle(values, seededRandom(seed));
      expect(values.toSorted()).toEqual(Int32Array.from([0, 1, 2, 3, 4]));
      places.add(values.indexOf(0));
    }
    expect(places.size).toBe(5);
  });
});
