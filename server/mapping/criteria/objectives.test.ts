import { describe, expect, it } from 'vitest';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import type { RouterId, NodeId } from '../../model/identifiers.ts';
import { fastestBandwidth, hopsBetweenNodes, type Machine } from '../../model/machine.ts';
import { seededRandom } from '../../model/random.ts';
import { type MappingProblem, valueOf } from '../../optimisation/problem/searchProblem.ts';
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
const fits = ({ name }: CriterionEntry, { topology }: Machine): boolean =>
  !['traffic-distribution', 'even-hops'].includes(name) || topology.shape !== undefined;

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

describe.each(criteria.map((criterion) => [criterion.name, criterion] as const))('objective of %s', (_, criterion) => {
  // Units of bytes: whole ones, quarters, and tenths, which binary numbers never meet.
  const fitting = machines().filter(([, machine]) => fits(criterion, machine));

  it('says what the machine lacks where it has no coordinates', () => {
    const others = machines().filter(([, machine]) => !fits(criterion, machine));
    expect(fitting.length).toBeGreaterThan(4);
    for (const [, machine] of others) {
      const failure = { code: 'no-coordinates' };
      expect(criterion.objective(trafficProblem(machine), context)).toMatchObject({ ok: false, failure });
    }
  });

  const told =
    criterion.name === 'equivalent'
      ? fitting
      : [...fitting, ...detouredMachines().filter(([, machine]) => fits(criterion, machine))];

  it.each(told.flatMap(([what, machine]) => [1, 0.25, 0.1].map((unit) => ({ what, machine, unit }))))(
    'equals a sum from nothing after any exchanges: $what, amounts in $unit bytes',
    ({ machine, unit }) => {
      const objective = objectiveOf(criterion, trafficProblem(machine, unit));
      exchangeAtRandom(objective, 60, (expected) => {
        expect(objective.value).toBe(expected);
        expect(objective.recompute()).toBe(expected);
      });
      const { placeOfTask, taskAtPlace, value } = objective;
      expect(placeOfTask.every((place, task) => taskAtPlace[place] === task)).toBe(true);
      expect(taskAtPlace.filter((task) => task >= 0)).toHaveLength(placeOfTask.length);
      const kept = placeOfTask.slice();
      objective.assign(kept.map((_place, task) => task));
      objective.assign(kept);
      expect(objective.value).toBe(value);
    },
  );

  it('is 0 where nobody sends anything, whatever is exchanged', () => {
    const [, machine] = everyMachine()[0]!;
    const objective = objectiveOf(criterion, problemOn(machine, { taskCount: 9, traffic: noTraffic(9) }));
    exchangeAtRandom(objective, 10, () => {
      expect(objective.value).toBe(0);
    });
  });
});

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

describe.each(machines())('on %s', (_, machine) => {
  it('hop-bytes, the link time and the maximum load are what reports say, to the byte where every pair has one route', () => {
    const problem = trafficProblem(machine);
    for (const { criterion, expected } of [
      { criterion: hopBytes, expected: hopBytesFrom },
      { criterion: maximumLoad, expected: maximumLoadFrom },
      { criterion: linkTime, expected: linkTimeFrom },
    ]) {
      const objective = objectiveOf(criterion, problem);
      exchangeAtRandom(objective, 40, () => undefined);
      const { placeOfTask, places, value, unit } = objective;
      const nodeOfTask = (task: number) => places.nodeOfSite[places.siteOfPlace[placeOfTask[task]!]!]! as NodeId;
      if (criterion === hopBytes || (machine.routing.singlePath && machine.linkClasses === undefined)) {
        expect(value * unit).toBe(expected(problem, nodeOfTask));
      } else {
        expect((value * unit) / expected(problem, nodeOfTask)).toBeCloseTo(1, 5);
      }
    }
  });
});

describe('a search problem', () => {
  it('is worth what its objective says', () => {
    for (const criterion of criteria.filter(({ siteCosts }) => siteCosts !== undefined)) {
      for (const [, machine] of machines().filter(([, one]) => fits(criterion, one))) {
        const problem = trafficProblem(machine, 0.5);
        const objective = objectiveOf(criterion, problem);
        const prepared = prepareSearch(problem, criterion, context);
        if (!prepared.ok) throw new Error(prepared.failure.message);
        expect(valueOf(prepared.value, objective.placeOfTask)).toBe(objective.value);
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
