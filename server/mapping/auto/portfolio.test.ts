import { describe, expect, it } from 'vitest';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import { SearchRecorder } from '../../optimisation/searchRecorder.ts';
import type { MapperEntry } from '../contract.ts';
import { autoParameters } from './parameters.ts';
import { isProvenBest, noBound, rankedCandidates, takeCandidate, type Portfolio } from './portfolio.ts';
import { SearchBudget } from './searchBudget.ts';
import { earlyStarts, untriedOf } from './starts.ts';

const context = { cancellation: neverCancelled, progress: ignoreProgress, now: () => 0 };

/** A portfolio of a graph with so many edges a task on so many places of so many sites, before anything was tried. */
function portfolioOf({ degrees = [2, 2, 2, 2], placeCount = 4, siteCount = 4, criterion = 'hop-bytes' } = {}) {
  const rowStart = Int32Array.from([0, ...degrees.map((_, task) => sum(degrees.slice(0, task + 1)))]);
  const graph = { taskCount: degrees.length, rowStart, partner: new Int32Array(sum(degrees)) };
  return {
    search: { graph, places: { placeCount, siteCount } },
    recorder: new SearchRecorder(criterion, 1, context),
    searchBudget: new SearchBudget({ kind: 'steps', amount: 1000 }, context),
    parameters: autoParameters,
    bound: noBound,
    candidates: [],
    answered: new Set<string>(),
    best: { placeOfTask: new Int32Array(degrees.length), value: Infinity },
  } as unknown as Portfolio;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const candidate = (name: string, value: number) => ({
  name,
  value,
  placeOfTask: Int32Array.of(value),
  milliseconds: 0,
});

describe('candidates', () => {
  it('are ranked by what they cost; of equal ones the earlier is the best', () => {
    const portfolio = portfolioOf();
    for (const [name, value] of [
      ['a', 7],
      ['b', 5],
      ['c', 5],
      ['d', 9],
    ] as const) {
      takeCandidate(portfolio, candidate(name, value));
    }
    expect(rankedCandidates(portfolio).map(({ name }) => name)).toEqual(['b', 'c', 'a', 'd']);
    expect(portfolio.best).toMatchObject({ value: 5, placeOfTask: Int32Array.of(5) });
    expect(portfolio.recorder.best).toBe(5);
  });

  it('end the search once one costs as little as anything can', () => {
    const portfolio = portfolioOf();
    portfolio.bound = { ...noBound, value: 5 };
    takeCandidate(portfolio, candidate('a', 6));
    expect(isProvenBest(portfolio)).toBe(false);
    takeCandidate(portfolio, candidate('b', 5));
    expect(isProvenBest(portfolio)).toBe(true);
  });
});

describe('mappers that were not tried', () => {
  const entries = (...names: string[]): MapperEntry[] => names.map((name) => ({ name }) as MapperEntry);
  const catalogue = { quick: entries('blocked', 'cyclic'), searches: entries('tabu') };

  it('are those that have not answered, in the order in which they would have been', () => {
    const portfolio = portfolioOf();
    for (const name of ['blocked', 'k-way']) portfolio.answered.add(name);
    expect(untriedOf(portfolio, catalogue)).toEqual(['cyclic', 'drb', 'tabu']);
  });

  it('are not those of another criterion', () => {
    expect(untriedOf(portfolioOf({ criterion: 'distance' }), catalogue)).toEqual(['blocked', 'cyclic', 'tabu']);
  });

  it('are none where nothing is left to gain', () => {
    const portfolio = portfolioOf();
    takeCandidate(portfolio, candidate('blocked', 0));
    expect(untriedOf(portfolio, catalogue)).toEqual([]);
  });
});

describe('what other threads make first', () => {
  const star = Array.from({ length: 1000 }, (_, task) => (task === 0 ? 999 : 1));

  it.each([
    {
      where: 'nodes of several cores',
      portfolio: portfolioOf({ placeCount: 8 }),
      joined: true,
      early: 'parts of nodes',
    },
    { where: 'several nodes on a router', portfolio: portfolioOf(), joined: true, early: 'parts of routers' },
    { where: 'tasks with hubs', portfolio: portfolioOf({ degrees: star }), joined: false, early: 'halves' },
    { where: 'nothing of that', portfolio: portfolioOf(), joined: false, early: 'nothing' },
  ])('$where: $early', ({ portfolio, joined, early }) => {
    expect(earlyStarts(portfolio, joined)).toBe(early);
  });
});
