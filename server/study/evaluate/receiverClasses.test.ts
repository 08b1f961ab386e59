import { insideOfCores } from '../../model/nodeInside.ts';
import { describe, expect, it } from 'vitest';
import { addToHistogram, emptyHistogram } from '../../mapping/hopHistogram.ts';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import { asRouterId } from '../../model/identifiers.ts';
import { hopsBetweenNodes, type Machine } from '../../model/machine.ts';
import type { PlacedJob } from '../../model/placement.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { topologies } from '../../network/catalogue.ts';
import { solveHere } from '../../network/distances/equivalentSolver.ts';
import { KnownDistances } from '../../network/distances/knownDistances.ts';
import { linkClassesOf } from '../../network/linkClasses.ts';
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
import { endsOf, placeTasks } from './placedTasks.ts';
import { receiverClassesOf } from './receiverClasses.ts';

/** Two cores on each node of every network of the catalogue under both routings that search. */
const machines = topologies.flatMap(({ name, build }) =>
  exampleNetworks(name).flatMap(({ title, request }) =>
    [minimal, upDown].flatMap((routing): (readonly [string, Machine])[] => {
      const topology = valueOf(build(request));
      const found = routing.build(topology, {});
      if (!found.ok) return [];
      const nodeCount = topology.routerOfNode.length;
      const { linkClasses } = valueOf(linkClassesOf({}, topology));
      const machine: Machine = { name: 'm', topology, routing: found.value, hostsPerRouter: 1, socketsPerNode: 1, inside: insideOfCores([2]), figures: {}, nodeCount, coresPerNode: 2, slotCount: 2 * nodeCount, ...(linkClasses && { linkClasses }) }; // prettier-ignore
      return [[`${name} ${title} under ${routing.name}`, machine]];
    }),
  ),
);

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
  const right = jobOf(all.map((task) => [task, (task + 2) % slotCount, 5] as const), Int32Array.from(all)); // prettier-ignore
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

/** Every route walked, pair after pair. */
function walked({ topology, routing }: Machine, jobs: readonly PlacedJob[]): Float64Array {
  const { links, routerOfNode, hasHostLinks } = topology;
  const loads = new Float64Array(links.linkCount);
  eachPair(jobs, (from, to, bytes) => {
    const [start, end] = [asRouterId(routerOfNode[from]!), asRouterId(routerOfNode[to]!)];
    if (start !== end) routing.visitShares(start, end, (link, share) => (loads[link]! += bytes * share));
    if (!hasHostLinks) return;
    loads[links.routerLinkCount + 2 * from]! += bytes;
    loads[links.routerLinkCount + 2 * to + 1]! += bytes;
  });
  return loads;
}

function expectNear(found: ArrayLike<number>, expected: ArrayLike<number>): void {
  const apart = Array.from(expected, (value, index) => Math.abs(found[index]! - value) / Math.max(1, value));
  expect(Math.max(0, ...apart)).toBeLessThan(1e-12);
}

describe.each(machines)('%s', (_, machine) => {
  it('has the loads of every route walked, by classes of receivers and without them', () => {
    for (const [, jobs] of jobsOn(machine)) {
      const placed = placeTasks(machine, jobs);
      const expected = walked(machine, jobs);
      expectNear(linkLoadsOf(machine, placed, neverCancelled, 0)!, expected);
      expectNear(linkLoadsOf(machine, placed, neverCancelled)!, expected);
    }
  });

  it('counts hops and distances of even traffic as pair by pair', () => {
    for (const [, jobs] of jobsOn(machine)) {
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
      expect(histogram.pairs).toEqual(pairs);
      expect(histogram.bytes.subarray(1)).toEqual(bytes.subarray(1));
      expect(histogram.totalBytes).toBe(jobs.reduce((sum, { job }) => sum + job.traffic.bytes.reduce((all, one) => all + one, 0), 0)); // prettier-ignore
      expect(histogram.totalBytes - histogram.bytesWithinNodes).toBe(bytes.reduce((sum, one) => sum + one, 0));
      expectCoefficient(machine, jobs);
    }
  });

  it('names the heaviest flows of a link, asked at once or pair by pair', () => {
    for (const [, jobs] of jobsOn(machine)) {
      const placed = placeTasks(machine, jobs);
      const links = range(Math.min(4, machine.topology.links.linkCount));
      const uses = linkUsesOf(machine, links as never);
      const apart = uses.map((use) => {
        const one = { ...use };
        delete one.receivers;
        return one;
      });
      expect(flowsOver(uses, placed, 3, neverCancelled)).toEqual(flowsOver(apart, placed, 3, neverCancelled));
    }
  });
});

function expectCoefficient(machine: Machine, jobs: readonly PlacedJob[]): void {
  const context = { solve: solveHere, cancellation: neverCancelled, progress: ignoreProgress };
  const known = KnownDistances.of(machine)!;
  const found = mappingCoefficient(machine, jobs, known, context);
  if (!found.ok) {
    expect(found.failure.code).toBe('no-route');
    return;
  }
  const { routerOfNode, hasHostLinks } = machine.topology;
  let sum = 0;
  eachPair(jobs, (from, to, bytes) => {
    const [start, end] = [routerOfNode[from]!, routerOfNode[to]!];
    sum += bytes * ((start === end ? 0 : known.between(start, end)) + (hasHostLinks ? 2 : 0));
  });
  expectNear([found.value], [sum]);
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
  // prettier-ignore
  const rows = range(machine.slotCount).flatMap((from) => range(machine.slotCount).map((to) => [from, to, 3] as const));
  const even = jobOf(rows, Int32Array.from(range(machine.slotCount)));
  const ends = placeTasks(machine, [even]).map((job) => endsOf(machine, job));
  const noFlows = { from: new Int32Array(), to: new Int32Array(), amount: new Float64Array() };
  expect(receiverClassesOf(machine, ends, () => noFlows, 0)?.count).toBe(count);
});
