import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { addToHistogram, emptyHistogram } from '../../mapping/hopHistogram.ts';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import { asRouterId } from '../../model/identifiers.ts';
import { hopsBetweenNodes, type Machine, type Topology } from '../../model/machine.ts';
import { insideOfCores } from '../../model/nodeInside.ts';
import type { PlacedJob } from '../../model/placement.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { testContract, type Contract } from '../../model/testing/contract.ts';
import { topologies } from '../../network/catalogue.ts';
import type { RoutingEntry } from '../../network/contract.ts';
import { solveHere } from '../../network/distances/equivalentSolver.ts';
import { KnownDistances } from '../../network/distances/knownDistances.ts';
import { classifyLinks } from '../../network/linkClasses.ts';
import { minimal } from '../../network/routings/minimal.ts';
import { upDown } from '../../network/routings/upDown.ts';
import { exampleNetworks } from '../../network/testing/exampleNetworks.ts';
import { detouredMachines, networkMachine } from '../../network/testing/networkMachines.ts';
import { valueOf } from '../../network/testing/routingContract.ts';
import { tableTraffic } from '../../traffic/build.ts';
import { tableOf } from '../testing/programs.ts';
import { flowsOver } from './causes.ts';
import { mappingCoefficient } from './evaluate.ts';
import { linkUsesOf } from './linkUse.ts';
import { linkLoadsOf } from './loads.ts';
import { flowEnds, placeTasks } from './placedTasks.ts';
import { receiverClassesOf } from './receiverClasses.ts';
import { casesOf } from '../../model/testing/thoroughness.ts';

/** Two cores on each node of a network of the catalogue; undefined where the routing cannot route it. */
function machineOf(topology: Topology, routing: RoutingEntry): Machine | undefined {
  const found = routing.build(topology, {});
  if (!found.ok) return undefined;
  const nodeCount = topology.routerOfNode.length;
  const { linkClasses } = valueOf(classifyLinks({}, topology));
  return {
    name: 'm',
    topology,
    routing: found.value,
    hostsPerRouter: 1,
    socketsPerNode: 1,
    inside: insideOfCores([2]),
    figures: {},
    nodeCount,
    coresPerNode: 2,
    slotCount: 2 * nodeCount,
    ...(linkClasses && { linkClasses }),
  };
}

function jobOf(rows: readonly (readonly [number, number, number])[], mapping: Int32Array): PlacedJob {
  const traffic = valueOf(tableTraffic(tableOf(rows, mapping.length), mapping.length, 1));
  const allocation = new Int32Array(new Set(mapping.map((slot) => slot >> 1)));
  return { job: { name: 'job', taskCount: mapping.length, periodic: false, traffic }, allocation, mapping };
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** All send all the same; each its right neighbours; half of the slots by chance; two jobs at once. */
function jobsOn({ slotCount }: Machine): readonly (readonly [string, readonly PlacedJob[]])[] {
  const all = range(slotCount);
  const evenRows = (count: number) => range(count).flatMap((from) => range(count).map((to) => [from, to, 3] as const));
  const even = jobOf(evenRows(slotCount), Int32Array.from(all));
  const right = jobOf(
    all.map((task) => [task, (task + 2) % slotCount, 5] as const),
    Int32Array.from(all),
  );
  const some = Int32Array.from(all);
  shuffle(some, seededRandom(slotCount));
  const half = jobOf(evenRows(Math.ceil(slotCount / 2)), some.slice(0, Math.ceil(slotCount / 2)));
  return [
    ['all to all', [even]],
    ['to the right', [right]],
    ['all to all on some', [half]],
    ['all to all and to the right', [even, right]],
  ];
}

/** Calls `visit` for every ordered pair of tasks in different nodes that talk. */
function eachPair(jobs: readonly PlacedJob[], visit: (from: number, to: number, bytes: number) => void): void {
  for (const { job, mapping } of jobs) {
    const { rowStart, partner, bytes } = job.traffic;
    for (let task = 0; task < job.taskCount; task++) {
      for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) {
        const [from, to] = [mapping[task]! >> 1, mapping[partner[pair]!]! >> 1];
        if (from !== to) visit(from, to, bytes[pair]!);
      }
    }
  }
}

/** Every route walked; the bytes of pairs of nodes of the same routers together. */
function walked({ topology, routing }: Machine, jobs: readonly PlacedJob[]): Float64Array {
  const { links, routerOfNode, routerCount, hasHostLinks } = topology;
  const loads = new Float64Array(links.linkCount);
  const between = new Map<number, number>();
  eachPair(jobs, (from, to, bytes) => {
    const pair = routerOfNode[from]! * routerCount + routerOfNode[to]!;
    between.set(pair, (between.get(pair) ?? 0) + bytes);
    if (!hasHostLinks) return;
    loads[links.routerLinkCount + 2 * from]! += bytes;
    loads[links.routerLinkCount + 2 * to + 1]! += bytes;
  });
  for (const [pair, bytes] of between) {
    const [start, end] = [asRouterId(Math.floor(pair / routerCount)), asRouterId(pair % routerCount)];
    if (start !== end) routing.visitShares(start, end, (link, share) => (loads[link]! += bytes * share));
  }
  return loads;
}

const isNear = (found: number, expected: number): boolean => Math.abs(found - expected) < 1e-12 * Math.max(1, expected);

function expectNear(found: ArrayLike<number>, expected: ArrayLike<number>): void {
  const apart = Array.from(expected, (value, index) => Math.abs(found[index]! - value) / Math.max(1, value));
  expect(Math.max(0, ...apart)).toBeLessThan(1e-12);
}

function checkLoads(contract: Contract, machine: Machine, jobs: readonly PlacedJob[]): void {
  contract.property('has the loads of every route walked, by classes of receivers and without them', (look) => {
    const placed = placeTasks(machine, jobs);
    const expected = walked(machine, jobs);
    for (const fewest of [0, undefined]) {
      linkLoadsOf(machine, placed, neverCancelled, fewest)!.forEach((load, link) => {
        look(isNear(load, expected[link]!), () => `link ${link}: ${load}, not ${expected[link]}`);
      });
    }
  });
}

function checkHistogram(contract: Contract, machine: Machine, jobs: readonly PlacedJob[]): void {
  contract.property('counts hops of even traffic as pair by pair', (look) => {
    const histogram = emptyHistogram();
    for (const { job, mapping } of jobs) addToHistogram(histogram, machine, job.traffic, mapping, neverCancelled);
    const pairs = histogram.pairs.map(() => 0);
    const bytes = histogram.bytes.map(() => 0);
    eachPair(jobs, (from, to, amount) => {
      const hops = hopsBetweenNodes(machine, from, to);
      pairs[hops]! += 1;
      bytes[hops]! += amount;
    });
    // Those in one node are no hops apart, as those of one router on a grid.
    const talking = jobs.reduce((sum, { job }) => sum + job.traffic.partner.length, 0);
    pairs[0]! += talking - pairs.reduce((sum, count) => sum + count, 0);
    for (const [hops, count] of pairs.entries()) {
      look(histogram.pairs[hops] === count, () => `${histogram.pairs[hops]} pairs of ${hops} hops, not ${count}`);
      if (hops === 0) continue;
      look(histogram.bytes[hops] === bytes[hops], () => `${histogram.bytes[hops]} bytes of ${hops} hops`);
    }
    const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
    const all = jobs.reduce((total, { job }) => total + sum(job.traffic.bytes), 0);
    look(histogram.totalBytes === all, () => `${histogram.totalBytes} bytes, not ${all}`);
    const beyond = histogram.totalBytes - histogram.bytesWithinNodes;
    look(beyond === bytes.reduce((total, one) => total + one, 0), () => `${beyond} bytes between nodes`);
  });
}

function checkCoefficient(contract: Contract, machine: Machine, jobs: readonly PlacedJob[]): void {
  contract.property('sums equivalent distances of even traffic as pair by pair', (look) => {
    const context = { solve: solveHere, cancellation: neverCancelled, progress: ignoreProgress };
    const known = KnownDistances.of(machine)!;
    const found = mappingCoefficient(machine, jobs, known, context);
    if (!found.ok) {
      look(found.failure.code === 'no-route', found.failure.code);
      return;
    }
    const { routerOfNode, hasHostLinks } = machine.topology;
    let sum = 0;
    eachPair(jobs, (from, to, bytes) => {
      const [start, end] = [routerOfNode[from]!, routerOfNode[to]!];
      sum += bytes * ((start === end ? 0 : known.between(start, end)) + (hasHostLinks ? 2 : 0));
    });
    look(isNear(found.value, sum), () => `${found.value}, not ${sum}`);
  });
}

function checkFlows(contract: Contract, machine: Machine, jobs: readonly PlacedJob[]): void {
  contract.property('names the heaviest flows of a link, asked at once or pair by pair', (look) => {
    const placed = placeTasks(machine, jobs);
    const links = range(Math.min(4, machine.topology.links.linkCount));
    const uses = linkUsesOf(machine, links as never);
    const apart = uses.map((use) => {
      const one = { ...use };
      delete one.receivers;
      return one;
    });
    const [together, alone] = [uses, apart].map((each) => flowsOver(each, placed, 3, neverCancelled)!);
    for (const link of links) look(isDeepStrictEqual(together![link], alone![link]), () => `link ${link}`);
  });
}

/** All pairs of two tasks for each node talk, so that large networks take long. */
const mostRouters = casesOf(36, Infinity);

for (const { name, build } of topologies) {
  for (const routing of [minimal, upDown]) {
    testContract(`classes of receivers on ${name} under ${routing.name}`, (contract) => {
      for (const { title, request } of exampleNetworks(name)) {
        const machine = machineOf(valueOf(build(request)), routing);
        if (machine === undefined || machine.topology.routerCount > mostRouters) continue;
        for (const [what, jobs] of jobsOn(machine)) {
          contract.on(`${title}, ${what}`, () => {
            for (const check of [checkLoads, checkHistogram, checkCoefficient, checkFlows])
              check(contract, machine, jobs);
          });
        }
      }
    });
  }
}

describe.each(detouredMachines())('%s', (_, machine) => {
  it('counts hops of even traffic by their shares', () => {
    const { slotCount, coresPerNode } = machine;
    const rows = range(slotCount).flatMap((from) => range(slotCount).map((to) => [from, to, 3] as const));
    const mapping = Int32Array.from(range(slotCount));
    const { job } = jobOf(rows, mapping);
    const histogram = emptyHistogram();
    addToHistogram(histogram, machine, job.traffic, mapping, neverCancelled);
    let hops = 0;
    for (const from of mapping) {
      for (const to of mapping) {
        const [one, other] = [Math.floor(from / coresPerNode), Math.floor(to / coresPerNode)];
        hops += hopsBetweenNodes(machine, one, other);
      }
    }
    expectNear([histogram.pairs.reduce((sum, pairs, at) => sum + pairs * at, 0)], [hops]);
  });
});

/** How many receivers stand for all, where all send to all. */
it.each([
  ['a torus', networkMachine('torus', { sides: [6, 4], routing: { name: 'minimal', options: {} } }), 1],
  [
    'a twisted torus',
    networkMachine('torus', { sides: [8, 4], options: { twist: 4 }, routing: { name: 'minimal', options: {} } }),
    1,
  ],
  [
    'a torus under up/down',
    networkMachine('torus', { sides: [4, 4, 4], routing: { name: 'up-down', options: { root: 21 } } }),
    10,
  ],
  [
    'a dragonfly of relative cables',
    networkMachine('dragonfly', { options: { p: 1, a: 4, h: 2, arrangement: 'relative' } }),
    4,
  ],
  ['a HyperX', networkMachine('hyperx', { sides: [4, 4], routing: { name: 'minimal', options: {} } }), 1],
  ['a mesh', networkMachine('mesh', { sides: [4, 4], routing: { name: 'minimal', options: {} } }), 3],
] as const)('%s has as few classes of receivers as its symmetry allows', (_, machine, count) => {
  const rows = range(machine.slotCount).flatMap((from) => range(machine.slotCount).map((to) => [from, to, 3] as const));
  const even = jobOf(rows, Int32Array.from(range(machine.slotCount)));
  const ends = placeTasks(machine, [even]).map((job) => flowEnds(machine, job));
  const noFlows = { from: new Int32Array(), to: new Int32Array(), amount: new Float64Array() };
  expect(receiverClassesOf(machine, ends, () => noFlows, 0)?.count).toBe(count);
});
