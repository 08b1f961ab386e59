import { expect, it } from 'vitest';
import { seededRandom } from '../../model/random.ts';
import { AbsenceAspiration } from './tabu.ts';
import { randomAssignment } from '../../optimisation/dense/denseSearch.ts';
import { TabuSearch, type Diversification } from '../../optimisation/dense/tabuSearch.ts';
import { gridOnGrid } from '../../optimisation/dense/testing/instances.ts';

/** Pairs of task and site that a search of a grid on itself has met within some rounds of 2 n² steps. */
function pairsMet(due: Diversification | undefined, rounds: number): number {
  const { problem } = gridOnGrid(4, 4);
  const random = seededRandom(6);
  const search = new TabuSearch(problem, randomAssignment(problem, random), random, due);
  const met = new Set<string>();
  for (let step = 0; step < rounds * 2 * 16 * 16; step++) {
    search.advance();
    search.table.siteOfTask.forEach((site, task) => met.add(`${task} on ${site}`));
  }
  return met.size;
}

it('brings every task to every site in the end', () => {
  expect(pairsMet(new AbsenceAspiration(16, 16), 3)).toBe(16 * 16);
});

it('does more than the search does by itself', () => {
  expect(pairsMet(new AbsenceAspiration(16, 16), 2)).toBeGreaterThan(pairsMet(undefined, 2));
});
