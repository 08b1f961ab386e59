import { isDeepStrictEqual } from 'node:util';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { testContract, type Contract } from '../../model/testing/contract.ts';
import type { Traffic } from '../../model/traffic.ts';
import { buildMachine } from '../../network/machine.ts';
import { everyMachine } from '../../network/testing/everyMachine.ts';
import { gridDescription, gridMachine } from '../../network/testing/machines.ts';
import { autonet, unequalMachines } from '../../network/testing/networkMachines.ts';
import { annealObjective } from '../../optimisation/annealing/anneal.ts';
import { nearSites } from '../../optimisation/annealing/nearSites.ts';
import { randomStart, randomTraffic as evenTraffic } from '../../optimisation/annealing/testing/cores.ts';
import type { Objective } from '../../optimisation/objective.ts';
import { lowerBound } from '../../optimisation/bounds/lowerBound.ts';
import { descendNeighbourhood, PairsAndMoves } from '../../optimisation/descent/descend.ts';
import { leastExchangeDelta } from '../../optimisation/descent/testing/leastExchangeDelta.ts';
import { noTraffic, problemOn, randomTraffic, trafficOf } from '../../optimisation/testing/problems.ts';
import { searchProblemOf } from '../../optimisation/testing/searchProblem.ts';
import type { MappingProblem } from '../contract.ts';
import { leastValue } from '../testing/leastValue.ts';
import { criteria } from './catalogue.ts';
import { type CriterionEntry, prepareSearch } from './contract.ts';

/* The kernels of `optimisation` under every criterion of the catalogue. */

const context = { cancellation: neverCancelled, progress: ignoreProgress };
const additive = criteria.filter(({ siteCosts }) => siteCosts !== undefined);

/** These two alone need coordinates. */
const fits = ({ name }: CriterionEntry, { topology }: Machine): boolean =>
  !['traffic-distribution', 'even-hops'].includes(name) || topology.shape !== undefined;

function upDownTorus(shape: readonly number[], root: number): Machine {
  const built = buildMachine({ ...gridDescription('torus', shape), routing: { name: 'up-down', options: { root } } });
  if (!built.ok) throw new Error(built.failure.message);
  return built.value;
}

/** So many nodes, anywhere and in any order. */
function someNodes(machine: Machine, count: number, seed: number): Int32Array {
  const nodes = Int32Array.from({ length: machine.nodeCount }, (_, node) => node);
  shuffle(nodes, seededRandom(seed));
  return nodes.slice(0, count);
}

/** Of few tasks who talk much, little, very unevenly, all to one or not at all. */
const trafficKinds: readonly {
  readonly talk: string;
  readonly traffic: (taskCount: number, seed: number) => Traffic;
}[] = [
  { talk: 'a few pairs', traffic: (taskCount, seed) => randomTraffic(taskCount, taskCount - 1, seed) },
  { talk: 'almost all pairs', traffic: (taskCount, seed) => randomTraffic(taskCount, 5 * taskCount, seed, 3) },
  { talk: 'uneven amounts', traffic: (taskCount, seed) => randomTraffic(taskCount, 2 * taskCount, seed, 1e6, 0.25) },
  {
    talk: 'all to one',
    traffic: (taskCount, seed) =>
      trafficOf(
        taskCount,
        Array.from({ length: taskCount - 1 }, (_, task) => [task, taskCount - 1, 1 + ((task + seed) % 4)]),
      ),
  },
  { talk: 'one pair', traffic: (taskCount) => trafficOf(taskCount, [[taskCount - 1, 0, 6]]) },
  { talk: 'nobody', traffic: noTraffic },
];

const machines: readonly (readonly [string, Machine])[] = [
  ...everyMachine(),
  ...unequalMachines(),
  ['a full cube', gridMachine('hypercube', [3])],
  ['a full torus', gridMachine('torus', [4, 2])],
  ['a ring of nodes of three cores', gridMachine('torus', [3], { cores: 3 })],
  ['a mesh of two nodes per router', gridMachine('mesh', [2, 2], { hosts: 2 })],
  ['a full torus under up/down routing', upDownTorus([4, 2], 5)],
  ['a ring under up/down routing', upDownTorus([7], 3)],
];

/** Problems with few enough mappings to try all: with as many tasks as places, and with free ones. */
function smallProblems(machine: Machine): (readonly [string, MappingProblem])[] {
  const largest = Math.max(1, Math.floor(8 / machine.coresPerNode));
  const nodeCount = Math.min(machine.nodeCount, largest);
  return trafficKinds.map(({ talk, traffic }, seed) => {
    const nodes = someNodes(machine, nodeCount, seed);
    const placeCount = nodeCount * machine.coresPerNode;
    const taskCount = Math.max(2, Math.min(6, placeCount) - (seed % 2));
    return [talk, problemOn(machine, { taskCount, nodes, traffic: traffic(taskCount, seed) })];
  });
}

for (const criterion of additive) {
  testContract(`lower bound under ${criterion.name}`, ({ on, property }) => {
    for (const [what, machine] of machines) {
      for (const [talk, problem] of smallProblems(machine)) {
        on(`${what}, ${talk}`, () => {
          const core = prepareSearch(problem, criterion, context);
          property('is found where the criterion fits the machine', (look) => {
            look(core.ok === fits(criterion, machine), String(core.ok));
          });
          if (!core.ok) return;
          const { value, name } = lowerBound(core.value, machine, neverCancelled);
          property('is at most the least value of all mappings', (look) => {
            const least = leastValue(problem, criterion)!;
            look(value <= least, () => `${value} by ${name}, least ${least}`);
          });
        });
      }
    }
  });
}

/** As many tasks as slots, and two thirds as many, from a random start. */
const problems: readonly (readonly [string, MappingProblem])[] = everyMachine().flatMap(([what, machine]) =>
  [1, 0.7].map((share) => {
    const taskCount = Math.min(30, Math.ceil(share * machine.slotCount));
    const traffic = randomTraffic(taskCount, 3 * taskCount, 5, 50);
    return [`${taskCount} tasks on ${what}`, problemOn(machine, { taskCount, traffic })] as const;
  }),
);

function objectiveOf(criterion: CriterionEntry, problem: MappingProblem) {
  const made = criterion.objective(problem, context);
  if (!made.ok) throw new Error(made.failure.message);
  return made.value;
}

const startsOfAnneals = [
  { what: 'a torus', problem: problemOn(gridMachine('torus', [4, 5]), { traffic: evenTraffic(20, 4) }) },
  {
    what: 'a mesh with several cores and free places',
    problem: problemOn(gridMachine('mesh', [3, 3], { cores: 2 }), { taskCount: 14, traffic: evenTraffic(14, 4) }),
  },
  { what: 'switches', problem: problemOn(autonet(2), { traffic: evenTraffic(20, 3) }) },
];

for (const criterion of criteria) {
  testContract(`kernels under ${criterion.name}`, (contract) => {
    for (const [what, problem] of problems) {
      contract.on(what, () => {
        contract.property('every problem can be searched that the criterion fits', (look) => {
          look(criterion.objective(problem, context).ok === fits(criterion, problem.machine), 'or not');
        });
        if (fits(criterion, problem.machine)) checkDescent(contract, objectiveOf(criterion, problem), problem);
      });
    }
    for (const { what, problem } of startsOfAnneals.filter(({ problem }) => fits(criterion, problem.machine))) {
      contract.on(what, () => {
        checkAnnealing(contract, objectiveOf(criterion, problem), problem);
      });
    }
  });
}

function checkDescent(contract: Contract, objective: Objective, problem: MappingProblem): void {
  contract.property('descents end where no exchange helps', (look) => {
    objective.assign(randomStart(searchProblemOf(problem), 3));
    const before = objective.value;
    descendNeighbourhood(objective, new PairsAndMoves(objective, 'later'), { policy: 'best', stop: neverCancelled });
    look(leastExchangeDelta(objective) === 0, () => `an exchange of ${leastExchangeDelta(objective)} is left`);
    look(objective.value <= before, () => `${objective.value} after ${before}`);
  });
}

function checkAnnealing(contract: Contract, objective: Objective, problem: MappingProblem): void {
  const core = searchProblemOf(problem);
  const placeOfTask = randomStart(core);
  objective.assign(placeOfTask);
  const startValue = objective.value;
  const order = {
    placeOfTask,
    seed: 3,
    steps: 1500,
    from: startValue / 200,
    to: startValue / 5000,
    finalDescent: true,
  };
  const run = () => annealObjective(objective, core.graph, nearSites(core), order, neverCancelled);
  const outcome = run();
  contract.property('annealing ends below a random start, with its exact value, each time the same', (look) => {
    look(outcome.value < startValue, () => `${outcome.value} from ${startValue}`);
    look(new Set(outcome.placeOfTask).size === placeOfTask.length, 'places twice');
    objective.assign(outcome.placeOfTask);
    look(objective.recompute() === outcome.value, () => `${outcome.value}, not ${objective.recompute()}`);
    look(isDeepStrictEqual(run(), outcome), 'another outcome');
  });
}
