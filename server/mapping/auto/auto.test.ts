import { describe, expect, it } from 'vitest';
import { gridMachine } from '../../network/testing/machines.ts';
import { seededRandom } from '../../model/random.ts';
import { autoMapper, chosenByAuto } from './auto.ts';
import { mappers } from '../catalogue.ts';
import { addToProfile, emptyProfile, hopBytesOf } from '../hopProfile.ts';
import { fail } from '../../model/result.ts';
import { neverCancelled } from '../../model/cancellation.ts';
import { contextFor, mapWith, neighbourTraffic, noTraffic, problemOn } from '../testing/problems.ts';
import type { MappingProblem } from '../contract.ts';

const auto = mappers.find(({ name }) => name === 'auto')!;
const candidates = mappers.filter(({ name, map }) => map !== undefined && name !== 'auto' && name !== 'given');

function costOf({ machine, job }: MappingProblem, mapping: Int32Array): number {
  const profile = emptyProfile();
  addToProfile(profile, machine, job.traffic, mapping, neverCancelled);
  return hopBytesOf(profile);
}

describe('map auto', () => {
  it('keeps the fewest hop-bytes of all mappers and says what each cost', () => {
    const machine = gridMachine('torus', [7, 6, 5]);
    for (const seed of [1, 2, 3]) {
      const random = seededRandom(seed);
      const nodes = Array.from({ length: machine.nodeCount }, (_, node) => node).filter(() => random.fraction() < 0.6);
      const problem = problemOn(machine, { grid: [4, 3, 4], nodes: nodes });
      const alone = candidates.map((entry) => ({
        name: entry.name,
        cost: costOf(problem, mapWith(entry, problem).mapping),
      }));
      const best = alone.toSorted((a, b) => a.cost - b.cost)[0]!;
      const answer = mapWith(auto, problem);
      expect(costOf(problem, answer.mapping)).toBe(best.cost);
      expect(chosenByAuto(answer.notes)).toBe(best.name);
      for (const { name, cost } of alone)
        expect(answer.notes[0]).toMatch(new RegExp(`${name}:? ${cost.toLocaleString('en-US')}`));
    }
  });

  it('prefers the earlier of equal mappers', () => {
    const problem = problemOn(gridMachine('torus', [4, 4]), { taskCount: 16, traffic: noTraffic(16) });
    expect(chosenByAuto(mapWith(auto, problem).notes)).toBe('baseline');
  });

  it('reports its progress up to the end', () => {
    const shares: number[] = [];
    const traffic = neighbourTraffic([16]);
    mapWith(auto, problemOn(gridMachine('torus', [4, 4]), { taskCount: 16, traffic }), {
      progress: (share) => shares.push(share),
    });
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect([shares[0], shares.at(-1)]).toEqual([0, 1]);
  });

  it('passes on why no mapper accepts the problem', () => {
    const refusing = { ...candidates[0]!, map: () => fail('too-odd', 'This problem is too odd.') };
    const problem = problemOn(gridMachine('torus', [4]));
    expect(autoMapper([refusing]).map!(problem, contextFor(auto))).toEqual(fail('too-odd', 'This problem is too odd.'));
  });
});
