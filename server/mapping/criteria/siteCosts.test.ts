import { describe, expect, it } from 'vitest';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import { findEntry } from '../../model/catalogue.ts';
import { fastestBandwidth, hopsBetweenNodes, type Machine } from '../../model/machine.ts';
import type { NodeId, RouterId } from '../../model/identifiers.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { distanceModels } from '../../network/catalogue.ts';
import { distanceTable } from '../../network/distances/distanceTable.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { bandwidthOf } from '../../network/linkClasses.ts';
import { visitNodeShares } from '../../network/links.ts';
import { networkMachine, unequalMachines } from '../../network/testing/networkMachines.ts';
import { placesOf, type Places } from '../../optimisation/problem/places.ts';
import { costBetween, type SiteCosts } from '../../optimisation/problem/siteCosts.ts';
import { everyMachine } from '../../network/testing/everyMachine.ts';
import { criteria } from './catalogue.ts';

const additive = criteria.filter(({ siteCosts }) => siteCosts !== undefined);
const context = { cancellation: neverCancelled, progress: ignoreProgress };

function costsOf(criterion: string, machine: Machine, places: Places) {
  return findEntry(additive, criterion)!.siteCosts!(machine, places, context);
}

/** Some of the nodes in some order, or all. */
function somePlaces(machine: Machine, share = 1): Places {
  const nodes = Int32Array.from({ length: machine.nodeCount }, (_, node) => node);
  if (share < 1) shuffle(nodes, seededRandom(4));
  return placesOf(
    machine,
    nodes.subarray(0, Math.ceil(share * nodes.length)).map((node) => node * machine.coresPerNode),
  );
}

/** What a criterion costs between two nodes, one by one, from the room of networks. */
function expectedCost(criterion: string, machine: Machine): (from: NodeId, to: NodeId) => number {
  if (criterion === 'hop-bytes') return (from, to) => hopsBetweenNodes(machine, from, to);
  if (criterion === 'link-time')
    return (from, to) => (timeOneWay(machine, from, to) + timeOneWay(machine, to, from)) / 2;
  const { routerOfNode, routerCount, hasHostLinks } = machine.topology;
  if (criterion === 'distance') {
    return (from, to) => machine.routing.hops(routerOfNode[from]! as RouterId, routerOfNode[to]! as RouterId);
  }
  const table = distanceTable(machine, findEntry(distanceModels, criterion)!);
  if (!table.ok) throw new Error(table.failure.message);
  const links = criterion === 'equivalent' && hasHostLinks ? 2 : 0;
  return (from, to) => (from === to ? 0 : links + table.value[routerOfNode[from]! * routerCount + routerOfNode[to]!]!);
}

/** What a byte takes over the links of its route, as a multiple of what it takes over the fastest link. */
function timeOneWay(machine: Machine, from: NodeId, to: NodeId): number {
  const fastest = fastestBandwidth(machine) ?? 1;
  let sum = 0;
  visitNodeShares(machine, from, to, (link, share) => {
    sum += (share * fastest) / (bandwidthOf(machine, link) ?? fastest);
  });
  return sum;
}

function expectCosts(criterion: string, machine: Machine, places: Places, costs: SiteCosts, looks: number): void {
  const expected = expectedCost(criterion, machine);
  const random = seededRandom(8);
  const { nodeOfSite, siteCount } = places;
  for (let look = 0; look < looks; look++) {
    const [from, to] = [random.integer(siteCount), random.integer(siteCount)];
    const cost = costBetween(costs, from, to);
    expect(cost * costs.unit).toBeCloseTo(expected(nodeOfSite[from]! as NodeId, nodeOfSite[to]! as NodeId), 5);
    expect(cost).toBeLessThanOrEqual(costs.maximum);
    expect(Number.isInteger(cost)).toBe(true);
    expect(costBetween(costs, to, from)).toBe(cost);
  }
  expect(costBetween(costs, 0, 0)).toBe(0);
}

describe.each(additive.map(({ name }) => name))('site costs of %s', (criterion) => {
  it.each([...everyMachine(), ...unequalMachines()])('are what the network says, in whole units: %s', (_, machine) => {
    for (const share of [1, 0.6]) {
      const places = somePlaces(machine, share);
      const costs = costsOf(criterion, machine, places);
      if (costs.ok) {
        expectCosts(criterion, machine, places, costs.value, 200);
      } else {
        expect(criterion).toMatch(/^(traffic-distribution|even-hops)$/);
        expect(machine.topology.shape).toBeUndefined();
        expect(costs.failure.code).toBe('no-coordinates');
      }
    }
  });

  it('answer that they were cancelled', () => {
    const machine = gridMachine('torus', [4, 4]);
    const cancellation = { isCancelled: () => true };
    const answer = findEntry(additive, criterion)!.siteCosts!(machine, somePlaces(machine), {
      ...context,
      cancellation,
    });
    expect(answer).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
  });
});

describe('site costs of more nodes than a table holds', () => {
  const torus = gridMachine('torus', [21, 20, 20]);
  const crowded = gridMachine('torus', [8, 8], { hosts: 130 });
  const cluster = networkMachine('dragonfly', { options: { p: 130, a: 4, h: 4, g: 17 } });

  it.each([
    { what: 'one table per axis of a grid', criterion: 'distance', machine: torus, kind: 'axes' },
    { what: 'a table of the routers of a grid', criterion: 'traffic-distribution', machine: crowded, kind: 'routers' },
    { what: 'a table of routers, and the links of hosts', criterion: 'hop-bytes', machine: cluster, kind: 'routers' },
  ])('are $what', ({ criterion, machine, kind }) => {
    const places = somePlaces(machine);
    const costs = costsOf(criterion, machine, places);
    if (!costs.ok) throw new Error(costs.failure.message);
    expect(costs.value.kind).toBe(kind);
    expectCosts(criterion, machine, places, costs.value, 2000);
  });

  it.each([
    { criterion: 'traffic-distribution', machine: torus },
    { criterion: 'distance', machine: gridMachine('torus', [8200]) },
  ])('are refused where nothing smaller would do: $criterion', ({ criterion, machine }) => {
    expect(costsOf(criterion, machine, somePlaces(machine))).toMatchObject({
      ok: false,
      failure: { code: 'too-many-nodes', message: expect.stringContaining('allocate fewer') as string },
    });
  });
});

describe('units of equivalent distances', () => {
  it('are as coarse as the distances allow', () => {
    const unitOn = (machine: Machine) => {
      const costs = costsOf('equivalent', machine, somePlaces(machine));
      return costs.ok ? costs.value.unit : costs.failure.code;
    };
    const [, autonet] = everyMachine().find(([what]) => what.startsWith('Autonet'))!;
    // Table 2 of Orduña et al. 2004 has 1.25 and whole numbers.
    expect(unitOn(autonet)).toBe(1 / 4);
    expect(unitOn(gridMachine('torus', [4, 4]))).toBe(1);
  });
});
