import { seededRandom, shuffle } from '../../../model/random.ts';
import { gridMachine } from '../../../network/testing/machines.ts';
import type { MappingProblem, SearchCore } from '../../problem/searchProblem.ts';
import { problemOn, randomTraffic } from '../../testing/problems.ts';
import { leastSum } from '../../testing/exhaustive.ts';
import { searchProblemOf } from '../../testing/searchProblem.ts';

export interface SolvedProblem {
  readonly problem: MappingProblem;
  readonly core: SearchCore;
  /** The least hop-bytes of all mappings. */
  readonly least: number;
}

/**
 * Part of a torus, mesh or hypercube, whole or scattered, with shared nodes and free slots, and traffic thin to
 * dense.
 */
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
    const core = searchProblemOf(problem);
    yield { problem, core, least: leastSum(core) };
  }
}
