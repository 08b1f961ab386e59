import { describe, expect, it } from 'vitest';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import type { RouterId, NodeId } from '../../model/identifiers.ts';
import { fastestBandwidth, hopsBetweenNodes, type Machine } from '../../model/machine.ts';
import { seededRandom } from '../../model/random.ts';
import { testContract, type Contract } from '../../model/testing/contract.ts';
import { type MappingProblem, mappingCost } from '../../optimisation/problem/searchProblem.ts';
import { everyMachine } from '../../network/testing/everyMachine.ts';
import { noTraffic, problemOn, randomTraffic } from '../../optimisation/testing/problems.ts';
import { criteria } from './catalogue.ts';
import { type CriterionEntry, prepareSearch } from './contract.ts';
import type { Objective } from '../../optimisation/objective.ts';
import { hopBytes } from './additive.ts';
import { linkTime } from './linkTime.ts';
import { bandwidthOf } from '../../network/linkClasses.ts';
import { detouredMachines, unequalMachines } from '../../network/testing/networkMachines.ts';
import { maximumLoad } from './maximumLoad.ts';

const context = { cancellation: neverCancelled, progress: ignoreProgress };

/** Fewer tasks than slots, traffic that differs both ways. */
function trafficProblem(machine: Machine, unit = 1): MappingProblem {
  const taskCount = Math.ceil(0.7 * machine.slotCount);
  return problemOn(machine, { taskCount, traffic: randomTraffic(taskCount, 4 * taskCount, 3, 1000, unit) });
}

function objectiveOf(criterion: CriterionEntry, problem: MappingProblem): Objective {
  const objective = criterion.objective(problem, context);
  if (!objective.ok) throw new Error(objective.failure.message);
  return objective.value;
}

/** These two alone need coordinates. */
const needsAxes = ({ name }: CriterionEntry): boolean => ['traffic-distribution', 'even-hops'].includes(name);
const fits = (criterion: CriterionEntry, { topology }: Machine): boolean =>
  !needsAxes(criterion) || topology.shape !== undefined;

const machines = (): readonly (readonly [string, Machine])[] => [...everyMachine(), ...unequalMachines()];

function exchangeAtRandom(objective: Objective, times: number, check: (expected: number) => void): void {
  const random = seededRandom(12);
  const { placeCount } = objective.places;
  for (let time = 0; time < times; time++) {
    const place = random.integer(placeCount);
    const other = (place + 1 + random.integer(placeCount - 1)) % placeCount;
    const expected = objective.value + objective.exchangeDelta(place, other);
    objective.exchange(place, other);
    check(expected);
  }
}

const refuses = 'says what the machine lacks where it has no coordinates';

for (const criterion of criteria) {
  testContract(`objective of ${criterion.name}`, (contract) => {
    const detoured = criterion.name === 'equivalent' ? [] : detouredMachines();
    if (!needsAxes(criterion)) contract.notApplicable(refuses, 'it does without coordinates');
    for (const [what, machine] of [...machines(), ...detoured]) {
      contract.on(what, () => {
        if (fits(criterion, machine)) checkExchanges(contract, criterion, machine);
        else checkRefusal(contract, criterion, machine);
      });
    }
    contract.property('is 0 where nobody sends anything, whatever is exchanged', (look) => {
      const [, machine] = everyMachine()[0]!;
      const objective = objectiveOf(criterion, problemOn(machine, { taskCount: 9, traffic: noTraffic(9) }));
      exchangeAtRandom(objective, 10, () => {
        look(objective.value === 0, String(objective.value));
      });
    });
  });
}

function checkRefusal(contract: Contract, criterion: CriterionEntry, machine: Machine): void {
  contract.property(refuses, (look) => {
    const made = criterion.objective(trafficProblem(machine), context);
    look(!made.ok && made.failure.code === 'no-coordinates', 'is made');
  });
}

function checkExchanges(contract: Contract, criterion: CriterionEntry, machine: Machine): void {
  // Units of bytes: whole ones, quarters, and tenths, which binary numbers never meet.
  for (const unit of [1, 0.25, 0.1]) {
    const objective = objectiveOf(criterion, trafficProblem(machine, unit));
    contract.property('equals a sum from nothing after any exchanges', (look) => {
      exchangeAtRandom(objective, 60, (expected) => {
        const isExpected = objective.value === expected && objective.recompute() === expected;
        look(isExpected, () => `in ${unit} bytes: ${objective.value}, ${objective.recompute()}, not ${expected}`);
      });
    });
    const { placeOfTask, taskAtPlace, value } = objective;
    contract.property('knows the place of each task and the task of each place', (look) => {
      placeOfTask.forEach((place, task) => {
        look(taskAtPlace[place] === task, () => `task ${task} at ${place}`);
      });
      const taken = taskAtPlace.filter((task) => task >= 0).length;
      look(taken === placeOfTask.length, () => `${taken} places of ${placeOfTask.length} tasks`);
    });
    contract.property('has its value again where tasks come back', (look) => {
      const kept = placeOfTask.slice();
      objective.assign(kept.map((_place, task) => task));
      objective.assign(kept);
      look(objective.value === value, () => `${objective.value}, not ${value}`);
    });
  }
}

/** Σ bytes · hops over the ordered pairs, as reports have it. */
function hopBytesFrom({ machine, job }: MappingProblem, nodeOfTask: (task: number) => NodeId): number {
  const { rowStart, partner, bytes, taskCount } = job.traffic;
  let sum = 0;
  for (let task = 0; task < taskCount; task++) {
    for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) {
      sum += bytes[pair]! * hopsBetweenNodes(machine, nodeOfTask(task), nodeOfTask(partner[pair]!));
    }
  }
  return sum;
}

/** How long each link works by the routing's own sums, in bytes of the fastest link. */
function busyFrom({ machine, job }: MappingProblem, nodeOfTask: (task: number) => NodeId): Float64Array {
  const { rowStart, partner, bytes, taskCount } = job.traffic;
  const { routerOfNode, hasHostLinks, hasPorts, links } = machine.topology;
  const loads = new Float64Array(links.linkCount);
  for (let task = 0; task < taskCount; task++) {
    for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) {
      const [from, to] = [nodeOfTask(task), nodeOfTask(partner[pair]!)];
      if (from === to) continue;
      const ends = [routerOfNode[from]! as RouterId, routerOfNode[to]! as RouterId] as const;
      if (ends[0] !== ends[1]) {
        const flow = {
          from: Int32Array.of(ends[0]),
          to: Int32Array.of(ends[1]),
          amount: bytes.subarray(pair, pair + 1),
        };
        machine.routing.addLoads(flow, loads, neverCancelled);
      }
      if (!hasHostLinks && hasPorts !== true) continue;
      loads[links.routerLinkCount + 2 * from]! += bytes[pair]!;
      loads[links.routerLinkCount + 2 * to + 1]! += bytes[pair]!;
    }
  }
  const fastest = fastestBandwidth(machine) ?? 1;
  return loads.map((load, link) => load * (fastest / (bandwidthOf(machine, link) ?? fastest)));
}

const maximumLoadFrom: typeof hopBytesFrom = (problem, nodeOfTask) =>
  busyFrom(problem, nodeOfTask).reduce((most, time) => Math.max(most, time), 0);

const linkTimeFrom: typeof hopBytesFrom = (problem, nodeOfTask) =>
  busyFrom(problem, nodeOfTask).reduce((sum, time) => sum + time, 0);

for (const { criterion, expected } of [
  { criterion: hopBytes, expected: hopBytesFrom },
  { criterion: maximumLoad, expected: maximumLoadFrom },
  { criterion: linkTime, expected: linkTimeFrom },
]) {
  testContract(`objective of ${criterion.name} against reports`, ({ on, property }) => {
    for (const [what, machine] of machines()) {
      on(what, () => {
        const problem = trafficProblem(machine);
        const objective = objectiveOf(criterion, problem);
        exchangeAtRandom(objective, 40, () => undefined);
        const { placeOfTask, places, value, unit } = objective;
        const nodeOfTask = (task: number) => places.nodeOfSite[places.siteOfPlace[placeOfTask[task]!]!]! as NodeId;
        property('is what they say, to the byte where every pair has one route', (look) => {
          const [cost, told] = [value * unit, expected(problem, nodeOfTask)];
          const isOneRoute = machine.routing.singlePath && machine.linkClasses === undefined;
          const isExact = criterion === hopBytes || isOneRoute;
          look(isExact ? cost === told : Math.abs(cost / told - 1) < 5e-6, () => `${cost}, not ${told}`);
        });
      });
    }
  });
}

describe('a search problem', () => {
  it('is worth what its objective says', () => {
    for (const criterion of criteria.filter(({ siteCosts }) => siteCosts !== undefined)) {
      for (const [, machine] of machines().filter(([, one]) => fits(criterion, one))) {
        const problem = trafficProblem(machine, 0.5);
        const objective = objectiveOf(criterion, problem);
        const prepared = prepareSearch(problem, criterion, context);
        if (!prepared.ok) throw new Error(prepared.failure.message);
        expect(mappingCost(prepared.value, objective.placeOfTask)).toBe(objective.value);
        expect(prepared.value.weightUnit * prepared.value.costs.unit).toBe(objective.unit);
      }
    }
  });

  it('is not made under a criterion that is no sum', () => {
    const [, machine] = everyMachine()[0]!;
    expect(prepareSearch(trafficProblem(machine), maximumLoad, context)).toMatchObject({
      ok: false,
      failure: { code: 'not-additive', message: expect.stringContaining('hop-bytes') as string },
    });
  });
});
