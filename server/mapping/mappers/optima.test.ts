import { expect, it } from 'vitest';
import type { Machine } from '../../model/machine.ts';
import { seededRandom } from '../../model/random.ts';
import { testContract } from '../../model/testing/contract.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { autonet, networkMachine } from '../../network/testing/networkMachines.ts';
import { mappers } from '../catalogue.ts';
import type { MappingProblem } from '../contract.ts';
import { criteria } from '../criteria/catalogue.ts';
import { contractOptions, criteriaOf } from '../testing/contractOptions.ts';
import { leastValue } from '../testing/leastValue.ts';
import { contextFor } from '../testing/problems.ts';
import { problemOn, randomTraffic } from '../../optimisation/testing/problems.ts';

/** Every mapper that takes a criterion. */
const searches = mappers.filter((entry) => criteriaOf(entry).length > 0);

/** What a search is given of everything it counts: enough for eight tasks. */
const plenty = 200;

/** So many entries between random tasks on a machine, or some of its nodes; the seed is the number of entries. */
function small(machine: Machine, taskCount: number, entries: number, nodes?: readonly number[]): MappingProblem {
  const traffic = randomTraffic(taskCount, entries, entries, 20);
  return problemOn(machine, { taskCount, traffic, ...(nodes && { nodes }) });
}

const problems: readonly { what: string; problem: MappingProblem }[] = [
  { what: '8 tasks, all talking, on a full torus', problem: small(gridMachine('torus', [4, 2]), 8, 60) },
  { what: '8 tasks, few talking, on a cube', problem: small(gridMachine('hypercube', [3]), 8, 14) },
  {
    what: '6 tasks on 7 scattered nodes',
    problem: small(gridMachine('torus', [5, 5]), 6, 18, [3, 24, 7, 11, 20, 1, 13]),
  },
  { what: '5 tasks on 4 nodes of 2 cores', problem: small(gridMachine('mesh', [2, 2], { cores: 2 }), 5, 12) },
  { what: '6 tasks on 3 routers of 2 hosts', problem: small(gridMachine('mesh', [3], { hosts: 2 }), 6, 20) },
  { what: '7 tasks on workstations of Autonet', problem: small(autonet(2), 7, 25, [0, 1, 4, 9, 11, 15, 19]) },
  {
    what: '6 tasks on 3 nodes of 2 cores, all alike',
    problem: small(networkMachine('cluster', { count: 3, cores: 2 }), 6, 18),
  },
  { what: '6 tasks on a fat tree', problem: small(networkMachine('fat-tree', { options: { k: 2, n: 3 } }), 6, 22) },
];

/** What a search comes down to; undefined where the criterion does not fit the machine. */
function found(entry: (typeof searches)[number], problem: MappingProblem, criterion: string): number | undefined {
  const answer = entry.map(
    problem,
    contextFor(entry, { options: contractOptions(entry, { criterion }, plenty), random: seededRandom(2) }),
  );
  return answer.ok ? answer.value.search!.value : undefined;
}

for (const criterion of criteria) {
  testContract(`optimum under ${criterion.name}`, ({ on, property, notApplicable }) => {
    // Trying all mappings under a criterion that is no sum takes the longest.
    const affordable = problems.filter(({ problem }) => criterion.siteCosts !== undefined || problem.job.taskCount < 7);
    const refuses = 'is refused by every search where the criterion does not fit the machine';
    if (!['traffic-distribution', 'even-hops'].includes(criterion.name)) notApplicable(refuses, 'it fits all machines');
    for (const { what, problem } of affordable) {
      on(what, () => {
        const least = leastValue(problem, criterion);
        property(least === undefined ? refuses : 'is reached by every search', (look) => {
          for (const entry of searches) {
            const reached = found(entry, problem, criterion.name);
            look(reached === least, () => `${entry.name}: ${reached}, not ${least}`);
          }
        });
      });
    }
  });
}

it.each(['distance', 'traffic-distribution'])('the optimum of 9 tasks on 3 x 3 is reached under %s', (name) => {
  const problem = small(gridMachine('torus', [3, 3]), 9, 40);
  const least = leastValue(
    problem,
    criteria.find((criterion) => criterion.name === name)!,
  );
  for (const entry of searches) expect([entry.name, found(entry, problem, name)]).toEqual([entry.name, least]);
});
