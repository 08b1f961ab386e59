import { ignoreProgress, neverCancelled } from '../../../model/cancellation.ts';
import { seededRandom, shuffle } from '../../../model/random.ts';
import { gridMachine } from '../../../network/testing/machines.ts';
import type { MappingProblem } from '../../../mapping/contract.ts';
import { hopBytes } from '../../../mapping/criteria/distance.ts';
import { prepareSearch } from '../../../mapping/criteria/prepare.ts';
import type { SearchCore } from '../../problem/searchProblem.ts';
import { leastValue } from '../../../mapping/testing/exhaustive.ts';
import { problemOn, randomTraffic } from '../../../mapping/testing/problems.ts';

/** What a search for the fewest hop-bytes works on. */
export function coreOf(problem: MappingProblem): SearchCore {
  const core = prepareSearch(problem, hopBytes, { cancellation: neverCancelled, progress: ignoreProgress });
  if (!core.ok) throw new Error(core.failure.message);
  return core.value;
}

export interface SolvedProblem {
  readonly problem: MappingProblem;
  readonly core: SearchCore;
  /** The least hop-bytes of all mappings. */
  readonly least: number;
}

/** Part of a torus, mesh or hypercube, whole or scattered, with shared nodes and free slots, and traffic thin to dense. */
export function* randomSolvedProblems(seed: number, rounds: number): Iterable<SolvedProblem> {
  const random = seededRandom(seed);
  const shapes = [[5], [6], [3, 3], [2, 4], [4, 4], [2, 2, 3], [3, 3, 3]];
  for (let round = 0; round < rounds; round++) {
    const kind = ['torus', 'mesh'][random.integer(2)]!;
    const cores = 1 + random.integer(2);
    const machine = gridMachine(kind, shapes[random.integer(shapes.length)]!, { cores, hosts: 1 + random.integer(2) });
    const nodes = Int32Array.from({ length: machine.nodeCount }, (_, node) => node);
    if (random.integer(2) === 0) shuffle(nodes, random);
    const taskCount = Math.min(2 + random.integer(5), machine.slotCount);
    const needed = Math.ceil(taskCount / cores);
    const traffic = randomTraffic(taskCount, 1 + random.integer(5 * taskCount), random.integer(1000));
    const problem = problemOn(machine, { taskCount, nodes: nodes.slice(0, needed + random.integer(2)), traffic });
    yield { problem, core: coreOf(problem), least: leastValue(problem, hopBytes)! };
  }
}
