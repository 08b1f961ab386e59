import { describe, expect, it } from 'vitest';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import { findEntry } from '../../model/catalogue.ts';
import { fastestBandwidth, hopsBetweenNodes, type Machine } from '../../model/machine.ts';
import type { NodeId, RouterId } from '../../model/identifiers.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { testContract, type Contract } from '../../model/testing/contract.ts';
import { distanceModels } from '../../network/catalogue.ts';
import { distanceTable } from '../../network/distances/distanceTable.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { bandwidthOf } from '../../network/linkClasses.ts';
import { visitNodeShares } from '../../network/links.ts';
import { networkMachine, unequalMachines } from '../../network/testing/networkMachines.ts';
import { groupPlaces, type Places } from '../../optimisation/problem/places.ts';
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
  return groupPlaces(
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

function checkCosts(
  contract: Contract,
  machine: Machine,
  costs: SiteCosts,
  { criterion, places, looks }: { readonly criterion: string; readonly places: Places; readonly looks: number },
): void {
  const expected = expectedCost(criterion, machine);
  const random = seededRandom(8);
  const { nodeOfSite, siteCount } = places;
  contract.property('are what the network says, in whole units, the same both ways', (look) => {
    for (let nth = 0; nth < looks; nth++) {
      const [from, to] = [random.integer(siteCount), random.integer(siteCount)];
      const cost = costBetween(costs, from, to);
      const told = expected(nodeOfSite[from]! as NodeId, nodeOfSite[to]! as NodeId);
      look(Math.abs(cost * costs.unit - told) < 5e-6, () => `${from}-${to}: ${cost * costs.unit}, not ${told}`);
      look(Number.isInteger(cost) && cost <= costs.maximum, () => `${from}-${to}: ${cost} of ${costs.maximum}`);
      look(costBetween(costs, to, from) === cost, () => `${from}-${to}: ${cost} one way`);
    }
    look(costBetween(costs, 0, 0) === 0, 'a site from itself');
  });
}

const refuses = 'say that they need coordinates';

for (const { name: criterion } of additive) {
  testContract(`site costs of ${criterion}`, (contract) => {
    const needsAxes = /^(traffic-distribution|even-hops)$/.test(criterion);
    if (!needsAxes) contract.notApplicable(refuses, 'they do without');
    for (const [what, machine] of [...everyMachine(), ...unequalMachines()]) {
      for (const share of [1, 0.6]) {
        contract.on(`${what}, ${share} of its nodes`, () => {
          const places = somePlaces(machine, share);
          const costs = costsOf(criterion, machine, places);
          if (costs.ok) checkCosts(contract, machine, costs.value, { criterion, places, looks: 200 });
          if (costs.ok && !(needsAxes && machine.topology.shape === undefined)) return;
          contract.property(refuses, (look) => {
            look(!costs.ok && needsAxes && costs.failure.code === 'no-coordinates', 'or not');
          });
        });
      }
    }
    contract.property('answer that they were cancelled', (look) => {
      const machine = gridMachine('torus', [4, 4]);
      const cancellation = { isCancelled: () => true };
      const { siteCosts } = findEntry(additive, criterion)!;
      const answer = siteCosts!(machine, somePlaces(machine), { ...context, cancellation });
      look(!answer.ok && answer.failure.code === 'cancelled', 'are made');
    });
  });
}

describe('site costs of more nodes than a table holds', () => {
  const torus = gridMachine('torus', [21, 20, 20]);
  const crowded = gridMachine('torus', [8, 8], { hosts: 130 });
  const cluster = networkMachine('dragonfly', { options: { p: 130, a: 4, h: 4, g: 17 } });

  for (const { what, criterion, machine, kind } of [
    { what: 'one table per axis of a grid', criterion: 'distance', machine: torus, kind: 'axes' },
    { what: 'a table of the routers of a grid', criterion: 'traffic-distribution', machine: crowded, kind: 'routers' },
    { what: 'a table of routers, and the links of hosts', criterion: 'hop-bytes', machine: cluster, kind: 'routers' },
  ]) {
    testContract(`site costs of more nodes than a table holds: ${what}`, (contract) => {
      const places = somePlaces(machine);
      const costs = costsOf(criterion, machine, places);
      if (!costs.ok) throw new Error(costs.failure.message);
      contract.property('are of the least kind', (look) => {
        look(costs.value.kind === kind, costs.value.kind);
      });
      checkCosts(contract, machine, costs.value, { criterion, places, looks: 2000 });
    });
  }

  it.each([
    { criterion: 'traffic-distribution', machine: torus },
    { criterion: 'distance', machine: gridMachine('torus', [8200]) },
  ])('are refused where nothing smaller would do: $criterion', ({ criterion, machine }) => {
    expect(costsOf(criterion, machine, somePlaces(machine))).toMatchObject({
      ok: false,
      failure: { code: 'too-many-nodes', message: expect.stringContaining('Allocate fewer') as string },
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
