import { seededRandom, shuffle } from '../../../model/random.ts';
import type { Traffic } from '../../../model/traffic.ts';
import { gridMachine } from '../../../network/testing/machines.ts';
import { autonet, networkMachine } from '../../../network/testing/networkMachines.ts';
import { tableTraffic } from '../../../traffic/build.ts';
import type { MappingProblem, SearchCore } from '../../problem/searchProblem.ts';
import { hopByteCosts, longestAxisCosts, searchProblemOf } from '../../testing/searchProblem.ts';
import { neighbourTraffic, noTraffic, problemOn } from '../../testing/problems.ts';

/** Pairs at random, `degree` for each task on average, of 1 to `heaviest` bytes. */
export function randomTraffic(taskCount: number, degree: number, heaviest = 9): Traffic {
  const random = seededRandom(11);
  const pairs = (taskCount * degree) >> 1;
  const from = Int32Array.from({ length: pairs }, () => random.integer(taskCount));
  const traffic = tableTraffic(
    {
      size: taskCount,
      from,
      to: from.map((task) => (task + 1 + random.integer(taskCount - 1)) % taskCount),
      amount: Float64Array.from({ length: pairs }, () => 1 + Math.floor(random.fraction() * heaviest)),
    },
    taskCount,
    1,
  );
  if (!traffic.ok) throw new Error(traffic.failure.message);
  return traffic.value;
}

export function coreOf(problem: MappingProblem, costsOf = hopByteCosts): SearchCore {
  const { graph, weightUnit, places, costs } = searchProblemOf(problem, costsOf);
  return { graph, weightUnit, places, costs };
}

/** Tasks at random places, the same for the same seed. */
export function randomStart({ graph, places }: SearchCore, seed = 1): Int32Array {
  const all = Int32Array.from({ length: places.placeCount }, (_, place) => place);
  shuffle(all, seededRandom(seed));
  return all.slice(0, graph.taskCount);
}

/** A torus whose costs are the sums over axes that large grids have, and no table of offsets. */
function axesCore(): SearchCore {
  const sides = [5, 4];
  const core = coreOf(problemOn(gridMachine('torus', sides), { traffic: randomTraffic(20, 4), taskCount: 20 }));
  const ring = (side: number) =>
    Uint16Array.from({ length: side * side }, (_, pair) => {
      const straight = Math.abs(Math.floor(pair / side) - (pair % side));
      return Math.min(straight, side - straight);
    });
  const { siteCount, unit, maximum } = core.costs;
  return {
    ...core,
    costs: {
      kind: 'axes',
      siteCount,
      unit,
      maximum,
      sides,
      coordinates: Int32Array.from({ length: 40 }, (_, index) => {
        const site = index >> 1;
        return index % 2 === 0 ? site % 5 : Math.floor(site / 5);
      }),
      axisCosts: sides.map(ring),
    },
  };
}

/**
 * `hosts` nodes on each of five switches in a row, as many nodes on few routers have them; 2 for the links of hosts.
 */
function routersCore(hosts: number, cores: number): SearchCore {
  const cables = [0, 1, 2, 3].map((from) => ({ from, to: from + 1 }));
  const machine = networkMachine('switches', { count: 5, cables, hosts, cores });
  const taskCount = machine.nodeCount * cores - 3;
  const core = coreOf(problemOn(machine, { taskCount, traffic: randomTraffic(taskCount, 5) }));
  const { siteCount, unit, maximum } = core.costs;
  return {
    ...core,
    costs: {
      kind: 'routers',
      siteCount,
      unit,
      maximum,
      routerCount: 5,
      routerOfSite: core.places.routerOfSite,
      table: Uint8Array.from({ length: 25 }, (_, pair) => Math.abs(Math.floor(pair / 5) - (pair % 5))),
      between: 2,
    },
  };
}

const everyThird = Array.from({ length: 40 }, (_, index) => 3 * index);

/** Problems of every shape that the search has to live with, by what is special. */
export const annealingCores: readonly { readonly what: string; readonly core: SearchCore }[] = [
  { what: 'a full torus', core: coreOf(problemOn(gridMachine('torus', [6, 5, 4]), { grid: [10, 12] })) },
  {
    what: 'a scattered allocation',
    core: coreOf(problemOn(gridMachine('torus', [6, 5, 4]), { nodes: everyThird, traffic: randomTraffic(40, 6) })),
  },
  { what: 'a mesh with free places', core: coreOf(problemOn(gridMachine('mesh', [7, 7]), { grid: [5, 6] })) },
  {
    what: 'several cores per node, some free',
    core: coreOf(
      problemOn(gridMachine('torus', [4, 4], { cores: 3 }), { taskCount: 44, traffic: randomTraffic(44, 6) }),
    ),
  },
  {
    what: 'several nodes on a router',
    core: coreOf(problemOn(gridMachine('mesh', [3, 4], { hosts: 3 }), { grid: [6, 6] })),
  },
  {
    what: 'costs that are no sum over axes',
    core: coreOf(problemOn(gridMachine('torus', [5, 7]), { grid: [7, 5] }), longestAxisCosts),
  },
  { what: 'an irregular network', core: coreOf(problemOn(autonet(), { traffic: randomTraffic(70, 5) })) },
  { what: 'many nodes on few routers', core: routersCore(4, 1) },
  { what: 'many nodes of several cores on few routers', core: routersCore(2, 2) },
  { what: 'a sum over axes', core: axesCore() },
  {
    what: 'amounts beyond 32 bits',
    core: coreOf(problemOn(gridMachine('torus', [4, 4]), { traffic: randomTraffic(16, 4, 2 ** 40) })),
  },
  { what: 'one node for all tasks', core: coreOf(problemOn(gridMachine('mesh', [1], { cores: 6 }), { grid: [6] })) },
  {
    what: 'a table of zeros',
    core: coreOf(problemOn(gridMachine('torus', [4, 4]), { taskCount: 12, traffic: noTraffic(12) })),
  },
  { what: 'one task', core: coreOf(problemOn(gridMachine('torus', [4, 4]), { taskCount: 1 })) },
  { what: 'one place', core: coreOf(problemOn(gridMachine('mesh', [1]), { taskCount: 1 })) },
  {
    what: 'a task in the middle of all',
    core: coreOf(problemOn(gridMachine('torus', [8, 8]), { traffic: star(64) })),
  },
  {
    what: 'two grids that do not talk',
    core: coreOf(problemOn(gridMachine('torus', [6, 6]), { taskCount: 32, traffic: twice(neighbourTraffic([4, 4])) })),
  },
];

/** Everyone talks to task 0. */
function star(taskCount: number): Traffic {
  return {
    taskCount,
    rowStart: Int32Array.from({ length: taskCount + 1 }, (_, task) => Math.max(0, task - 1)),
    partner: new Int32Array(taskCount - 1),
    bytes: new Float64Array(taskCount - 1).fill(3),
  };
}

function twice({ taskCount, rowStart, partner, bytes }: Traffic): Traffic {
  return {
    taskCount: 2 * taskCount,
    rowStart: Int32Array.from([...rowStart, ...Array.from(rowStart.subarray(1), (start) => start + partner.length)]),
    partner: Int32Array.from([...partner, ...Array.from(partner, (task) => task + taskCount)]),
    bytes: Float64Array.from([...bytes, ...bytes]),
  };
}
