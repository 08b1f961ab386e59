import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import { endsPerNode, hostHops, hopsBetweenNodes, receiverOf, senderOf, type Machine } from '../model/machine.ts';
import { portsOfNode, type RailUse } from '../model/rails.ts';
import { endOfSlot } from '../model/slots.ts';
import { seededRandom } from '../model/random.ts';
import type { MachineDescription } from './contract.ts';
import { machineFactsOf } from './facts.ts';
import { routings } from './catalogue.ts';
import { linkEnds, visitNodeShares } from './links.ts';
import { buildMachine } from './machine.ts';
import { endName } from './names.ts';
import { betweenPorts, classesOfNodes, machineOfFirstRail, usingRails } from './rails.ts';
import { valueOf } from './testing/routingContract.ts';

const tree = (more: Partial<MachineDescription> = {}): MachineDescription => ({
  name: 'pod',
  topology: { name: 'fat-tree', options: { levels: [2, 8], parents: [4] } },
  cables: [],
  socketsPerNode: 1,
  coresPerSocket: 8,
  figures: {},
  ...more,
});
const optimised = valueOf(buildMachine(tree({ rails: { count: 4, optimised: true } })));
const plain = valueOf(buildMachine(tree({ rails: { count: 4 } })));

/** Hosts with 4, 2 and 1 adapters: rail 1 is missing on the second, whose first is rail 0, and the third has rail 2 alone. */
const uneven = valueOf(
  buildMachine(
    { ...tree(), topology: { name: 'from', options: {}, argument: { kind: 'file', uri: 'net' } } },
    {
      nodeShape: () => ({ ok: false, failure: { code: 'x', message: '' } }),
      forwarding: () => ({ ok: false, failure: { code: 'x', message: '' } }),
      fabric: () => ({
        ok: true,
        value: {
          format: 'test',
          routers: ['a', 'b', 'c', 'd', 'top'],
          cables: [0, 1, 2, 3].map((from) => ({ from, to: 4, bandwidth: 50e9 })),
          nodes: [
            { name: 'n0', router: 0, adapter: 'm0', further: [1, 2, 3].map((rail) => ({ router: rail, rail, adapter: `m${rail}`, bandwidth: 25e9 })) }, // prettier-ignore
            { name: 'n1', router: 0, adapter: 'm0', further: [{ router: 2, rail: 2, adapter: 'm2' }] },
            { name: 'n2', router: 3, rail: 3 },
          ],
          warnings: [],
        },
      }),
    },
  ),
);

describe('nodes with several adapters', () => {
  it('have all rails on their switch, or rail r on leaf r of their block', () => {
    expect(plain.topology.rails?.count).toBe(4);
    expect(portsOfNode(plain.topology.rails!, 3).map((port) => plain.topology.rails!.routerOfPort[port])).toEqual([1, 1, 1, 1]); // prettier-ignore
    for (const node of [0, 7]) {
      const routers = portsOfNode(optimised.topology.rails!, node).map((port) => optimised.topology.rails!.routerOfPort[port]); // prettier-ignore
      expect(routers).toEqual([0, 1, 2, 3]);
    }
    expect(portsOfNode(optimised.topology.rails!, 8).map((port) => optimised.topology.rails!.routerOfPort[port])).toEqual([4, 5, 6, 7]); // prettier-ignore
    // Each leaf carries as many links of nodes in either wiring.
    for (const { topology } of [plain, optimised]) {
      const carried = new Int32Array(8);
      for (const router of topology.rails!.routerOfPort) carried[router]! += 1;
      expect([...carried]).toEqual(Array.from({ length: 8 }, () => 8));
      expect(topology.links.linkCount).toBe(topology.links.routerLinkCount + 2 * 64);
    }
  });

  it.each([
    [
      'blocks that the leaves do not fill',
      { rails: { count: 3, optimised: true } },
      'rails-do-not-fit',
      /8 leaves: make them a multiple of 3/,
    ],
    [
      'a torus',
      { topology: { name: 'torus', argument: { kind: 'numbers', numbers: [4, 4] }, options: {} }, rails: { count: 2 } },
      'does-not-apply',
      /topology torus/,
    ],
    [
      'a cluster',
      { topology: { name: 'cluster', argument: { kind: 'numbers', numbers: [4] }, options: {} }, rails: { count: 2 } },
      'does-not-apply',
      /switches 1/,
    ],
    [
      'no tree',
      { topology: { name: 'dragonfly', options: { p: 1, a: 2, h: 1, g: 3 } }, rails: { count: 2, optimised: true } },
      'does-not-apply',
      /needs a tree/,
    ],
  ] as const)('are refused on %s', (_, more, code, words) => {
    const built = buildMachine(tree(more));
    expect(built.ok ? '' : built.failure.code).toBe(code);
    expect(built.ok ? '' : built.failure.message).toMatch(words);
  });

  it('are told apart by the names of links', () => {
    const { routerLinkCount, linkCount } = uneven.topology.links;
    const names = Array.from({ length: linkCount - routerLinkCount }, (_, at) =>
      linkEnds(uneven, (routerLinkCount + at) as never),
    ) // prettier-ignore
      .filter((__, at) => at % 2 === 0)
      .map(({ from, to }) => `${endName(uneven, from)}-${endName(uneven, to)}`);
    expect(names).toEqual(['n0 m0-a', 'n1 m0-a', 'n2 rail 3-d', 'n0 m1-b', 'n0 m2-c', 'n0 m3-d', 'n1 m2-c']);
    expect(uneven.linkClasses?.classes[uneven.linkClasses.of![linkCount - 4]!]?.bandwidth).toBe(25e9);
  });

  it('are of one class where their rails are on the same switches', () => {
    expect([...classesOfNodes(uneven.topology)]).toEqual([0, 1, 2]);
    expect(new Set(classesOfNodes(optimised.topology)).size).toBe(2);
  });

  it('have the distances of striped messages as their facts', () => {
    // In a block of 8 all rails are 2 hops apart, else 4: of 15 others 7 are in the block.
    expect(machineFactsOf(optimised, neverCancelled)).toMatchObject({
      diameter: 4,
      meanDistance: (7 * 2 + 8 * 4) / 15,
    });
    // From n0: to n1 2 over both of its rails, to n2 over rail 3.
    expect(machineFactsOf(uneven, neverCancelled)).toMatchObject({ diameter: 4, meanDistance: (2 + 2 + 4) / 3 });
  });

  it.each(routings.map(({ name }) => name))(
    'are looked at under %s: facts tell of lanes between their switches',
    (name) => {
      const built = buildMachine(tree({ rails: { count: 4, optimised: true }, routing: { name, options: {} } }));
      if (!built.ok) {
        expect(built.failure.code).toMatch(/does-not|no-|missing-file/);
        return;
      }
      expect(machineFactsOf(built.value, neverCancelled).lanes).toEqual(
        machineFactsOf(betweenPorts(built.value), neverCancelled).lanes,
      );
    },
  );

  it('work while one of their switches does', () => {
    const without = (routers: readonly number[]) =>
      valueOf(buildMachine(tree({ rails: { count: 4, optimised: true }, faults: { cables: [], routers, nodes: [] } })));
    const cut = without([1]);
    expect(cut.topology.faults?.nodes.every((failed) => failed === 0)).toBe(true);
    const met: number[] = [];
    visitNodeShares(cut, 0, 8, (link, share) => link >= cut.topology.links.routerLinkCount && met.push(share));
    expect(met).toEqual(Array.from({ length: 6 }, () => 1 / 3));
    expect([...without([0, 1, 2, 3]).topology.faults!.nodes]).toEqual([
      ...new Uint8Array(8).fill(1),
      ...new Uint8Array(8),
    ]);
  });
});

const uses: readonly RailUse[] = [{ kind: 'stripe' }, { kind: 'own' }, { kind: 'only', rail: 2 }];
const cases = [optimised, plain, uneven].flatMap((machine) => uses.map((use) => ({ name: `${machine.topology.kind} of ${machine.name}, ${use.kind}`, machine: usingRails(machine, use) }))); // prettier-ignore

/** Ports of two ends of messages in pairs, written out from what the uses say of themselves. */
function pairsOf({ topology, rails: used }: Machine, from: number, to: number): [number, number][] {
  const rails = topology.rails!;
  const port = (node: number, rail: number): number => rails.portOfRail[node * rails.count + rail]!;
  const some = (node: number, rail: number): number => {
    const ports = portsOfNode(rails, node);
    return port(node, rail) < 0 ? ports[0]! : port(node, rail);
  };
  const { use } = used!;
  if (use.kind === 'own') {
    const of = (end: number): number => some(Math.floor(end / rails.count), end % rails.count);
    return [[of(from), of(to)]];
  }
  if (use.kind === 'only') return [[some(from, use.rail), some(to, use.rail)]];
  const common = Array.from({ length: rails.count }, (_, rail) => rail).filter((rail) => port(from, rail) >= 0 && port(to, rail) >= 0); // prettier-ignore
  return common.length > 0
    ? common.map((rail) => [port(from, rail), port(to, rail)])
    : [[portsOfNode(rails, from)[0]!, portsOfNode(rails, to)[0]!]];
}

describe.each(cases)('messages over rails: $name', ({ machine }) => {
  const network = betweenPorts(machine);
  const { links, rails } = machine.topology;
  const random = seededRandom(3);
  const count = machine.nodeCount * endsPerNode(machine);
  const pairs = Array.from({ length: 60 }, () => [random.integer(count), random.integer(count)] as const).filter(
    ([from, to]) => Math.floor(from / endsPerNode(machine)) !== Math.floor(to / endsPerNode(machine)),
  );

  it('load links as their parts do between ports', () => {
    const expected = new Float64Array(links.linkCount);
    const shares = new Float64Array(links.linkCount);
    for (const [from, to] of pairs) {
      const ways = pairsOf(machine, from, to);
      for (const [one, other] of ways) {
        expected[links.routerLinkCount + 2 * one]! += 1 / ways.length;
        expected[links.routerLinkCount + 2 * other + 1]! += 1 / ways.length;
        network.routing.visitShares(senderOf(network, one), receiverOf(network, other), (link, share) => (expected[link]! += share / ways.length)); // prettier-ignore
      }
      visitNodeShares(machine, from, to, (link, share) => (shares[link]! += share));
    }
    const loads = new Float64Array(links.linkCount);
    const flows = {
      from: Int32Array.from(pairs, ([from]) => senderOf(machine, from)),
      to: Int32Array.from(pairs, ([, to]) => receiverOf(machine, to)),
      amount: new Float64Array(pairs.length).fill(1),
    };
    machine.routing.addLoads(flows, loads, neverCancelled);
    expected.forEach((load, link) => {
      expect(loads[link]).toBeCloseTo(load, 9);
      expect(shares[link]).toBeCloseTo(load, 9);
    });
  });

  it('have as many hops as they load links, in the mean of their parts', () => {
    for (const [from, to] of pairs) {
      let [sum, parts, mean] = [0, 0, 0];
      visitNodeShares(machine, from, to, (_, share) => (sum += share));
      machine.routing.hopShares!(senderOf(machine, from), receiverOf(machine, to), (hops, share) => {
        parts += share;
        mean += hops * share;
      });
      expect(hopsBetweenNodes(machine, from, to)).toBeCloseTo(sum, 9);
      expect(parts).toBeCloseTo(1, 12);
      expect(mean + hostHops(machine)).toBeCloseTo(sum, 9);
    }
  });

  it('say one route where there is one, and nothing within a node', () => {
    for (const [from, to] of pairs.slice(0, 10)) {
      const route = machine.routing.route(senderOf(machine, from), receiverOf(machine, to));
      if (route === undefined) continue;
      const visited: number[] = [];
      visitNodeShares(machine, from, to, (link) => visited.push(link));
      expect([...route].sort()).toEqual(visited.sort());
    }
    visitNodeShares(machine, 0, 0, () => expect.fail());
    expect(rails!.count).toBe(4);
  });
});

describe('the rail next to a core', () => {
  it('is the one of its part of the node', () => {
    const own = usingRails(optimised, { kind: 'own' });
    expect(Array.from({ length: 9 }, (_, slot) => endOfSlot(own, slot))).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4]);
    const few = usingRails(uneven, { kind: 'own' });
    // Node 1 has rails 0 and 2, node 2 rail 3.
    expect([8, 11, 12, 16, 23].map((slot) => endOfSlot(few, slot))).toEqual([4, 4, 6, 11, 11]);
  });
});

describe('streams of jobs', () => {
  it('know the first rail alone', () => {
    const first = valueOf(machineOfFirstRail(usingRails(optimised, { kind: 'only', rail: 0 })));
    expect(first.topology.rails).toBeUndefined();
    expect(first.topology.links.linkCount).toBe(first.topology.links.routerLinkCount + 32);
    const refused = machineOfFirstRail(optimised);
    expect(refused.ok ? '' : refused.failure.message).toMatch(/without `rails`, or simulate placements/);
  });
});
