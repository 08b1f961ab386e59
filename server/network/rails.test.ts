import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import { endsPerNode, hostHops, hopsBetweenNodes, receiverOf, senderOf, type Machine } from '../model/machine.ts';
import { portsOfNode, type RailUse } from '../model/rails.ts';
import { endOfSlot } from '../model/slots.ts';
import { seededRandom } from '../model/random.ts';
import type { MachineDescription } from './contract.ts';
import { machineFactsOf } from './facts.ts';
import { routings } from './catalogue.ts';
import { endsOfLink, visitNodeShares } from './links.ts';
import { buildMachine } from './machine.ts';
import { channelName, endName } from './names.ts';
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
const torusOfNodes: Partial<MachineDescription> = {
  topology: { name: 'torus', argument: { kind: 'numbers', numbers: [4, 2] }, options: {} },
  hosts: 2,
};
const optimised = valueOf(buildMachine(tree({ rails: { count: 4, optimised: true } })));
const plain = valueOf(buildMachine(tree({ rails: { count: 4 } })));

const onTorus = valueOf(buildMachine(tree({ ...torusOfNodes, rails: { count: 4 } })));
const separate = valueOf(buildMachine(tree({ rails: { count: 4, separate: true } })));
const separateOf = (name: string, more: Partial<MachineDescription> = {}): Machine =>
  valueOf(buildMachine(tree({ rails: { count: 4, separate: true }, routing: { name, options: {} }, ...more })));

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
            {
              name: 'n0',
              router: 0,
              adapter: 'm0',
              further: [1, 2, 3].map((rail) => ({ router: rail, rail, adapter: `m${rail}`, bandwidth: 25e9 })),
            },
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
    expect(portsOfNode(plain.topology.rails!, 3).map((port) => plain.topology.rails!.routerOfPort[port])).toEqual([
      1, 1, 1, 1,
    ]);
    for (const node of [0, 7]) {
      const routers = portsOfNode(optimised.topology.rails!, node).map(
        (port) => optimised.topology.rails!.routerOfPort[port],
      );
      expect(routers).toEqual([0, 1, 2, 3]);
    }
    expect(
      portsOfNode(optimised.topology.rails!, 8).map((port) => optimised.topology.rails!.routerOfPort[port]),
    ).toEqual([4, 5, 6, 7]);
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
      /multiple of 3 leaves, found 8. Use a multiple of 3/,
    ],
    [
      'a torus whose rails have networks of their own',
      { ...torusOfNodes, rails: { count: 2, separate: true } },
      'does-not-apply',
      /`rail-only` does not fit `topology torus`, whose nodes are part of their routers/,
    ],
    [
      'routes that depend on loads, over networks of their own',
      { rails: { count: 2, separate: true }, routing: { name: 'ugal', options: {} } },
      'routing-does-not-fit',
      /`routing ugal` conflicts with `rail-only`/,
    ],
    [
      'nodes without a common rail that works',
      { rails: { count: 2, separate: true }, faults: { cables: [], routers: [0, 13], nodes: [] } },
      'disconnected',
      /Nodes 0 and 2 have no common rail left/,
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
      endsOfLink(uneven, (routerLinkCount + at) as never),
    )
      .filter((__, at) => at % 2 === 0)
      .map(({ from, to }) => `${endName(uneven, from)}-${endName(uneven, to)}`);
    expect(names).toEqual(['n0 m0-a', 'n1 m0-a', 'n2 rail 3-d', 'n0 m1-b', 'n0 m2-c', 'n0 m3-d', 'n1 m2-c']);
    expect(channelName(uneven, routerLinkCount + 13)).toBe('c → n1 m2');
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

describe('rails with networks of their own', () => {
  const bytesOn = (machine: Machine, flows: readonly (readonly [number, number, number])[]): Float64Array => {
    const loads = new Float64Array(machine.topology.links.linkCount);
    const rows = {
      from: Int32Array.from(flows, ([from]) => senderOf(machine, from)),
      to: Int32Array.from(flows, ([, to]) => receiverOf(machine, to)),
      amount: Float64Array.from(flows, ([, , amount]) => amount),
    };
    machine.routing.addLoads(rows, loads, neverCancelled);
    return loads;
  };
  const switches = (count: number, rails: number): Machine =>
    valueOf(
      buildMachine({
        ...tree({ rails: { count: rails, separate: true } }),
        topology: { name: 'switches', argument: { kind: 'numbers', numbers: [1] }, options: {} },
        hosts: count,
      }),
    );

  it('are so many switches, as in an NVL72, each with a link to every node', () => {
    const nvl72 = switches(72, 18);
    const { routerCount, links, rails } = nvl72.topology;
    expect([routerCount, links.routerLinkCount, links.linkCount]).toEqual([18, 0, 2 * 18 * 72]);
    expect([...rails!.routerOfPort].filter((router) => router === 17)).toHaveLength(72);
    // 36 bytes from node 3 to node 70: 2 on each of the 18 links out of the one and into the other.
    const loads = bytesOn(nvl72, [[3, 70, 36]]);
    expect(loads.filter((load) => load === 2)).toHaveLength(2 * 18);
    expect(loads.reduce((sum, load) => sum + load, 0)).toBe(72);
    expect(machineFactsOf(nvl72, neverCancelled)).toMatchObject({
      routers: 18,
      cables: 0,
      diameter: 2,
      meanDistance: 2,
    });
    const own = usingRails(nvl72, { kind: 'own' });
    // From rail 2 of node 0 to rail 5 of node 1: over rail 5 of both.
    const met: string[] = [];
    visitNodeShares(own, 2, 18 + 5, (link) => met.push(endName(own, endsOfLink(own, link).to)));
    expect(met).toEqual(['5', 'node 1 rail 5']);
  });

  it('are copies of a tree that no cable joins', () => {
    const { topology, routing } = separate;
    const { plane } = topology.planes!;
    expect(plane.routerCount).toBe(12);
    expect(topology.routerCount).toBe(48);
    expect(topology.links.routerLinkCount).toBe(4 * plane.links.routerLinkCount);
    const network = betweenPorts(separate).routing;
    // Leaf 0 of rail 0 and leaf 1 of rail 0, and leaf 1 of rail 1.
    expect([network.hops(0 as never, 1 as never), network.hops(0 as never, 13 as never)]).toEqual([2, Infinity]);
    expect(routing.kind).toBe('minimal');
    // 16 bytes from the first leaf to the second: 4 on each rail, 1 on each of four ways up and down.
    const loads = bytesOn(separate, [[0, 2, 16]]);
    const ofRouters = loads.subarray(0, topology.links.routerLinkCount);
    expect(ofRouters.filter((load) => load === 1)).toHaveLength(4 * 8);
    expect(ofRouters.reduce((sum, load) => sum + load, 0)).toBe(32);
    expect(machineFactsOf(separate, neverCancelled)).toMatchObject({ diameter: 4, cables: 4 * 32 });
  });

  it('lose what fails on one of them, and the parts of messages take the others', () => {
    // Leaf 0 of rail 1 is router 12: nodes 0 and 1 have three rails.
    const broken = separateOf('minimal', { faults: { cables: [], routers: [12], nodes: [] } });
    const loads = bytesOn(broken, [[0, 2, 12]]);
    expect(loads.reduce((sum, load) => sum + load, 0)).toBe(12 * 4);
    expect(loads.filter((load) => load === 4)).toHaveLength(6);
    const only = usingRails(broken, { kind: 'only', rail: 1 });
    expect(bytesOn(only, [[0, 2, 12]])).toEqual(bytesOn(usingRails(broken, { kind: 'only', rail: 0 }), [[0, 2, 12]]));
    expect([...broken.topology.faults!.nodes].every((failed) => failed === 0)).toBe(true);
  });

  it('route each as the network alone does', () => {
    for (const name of ['minimal', 'up-down', 'static', 'ecmp', 'dfsssp', 'fat-tree', 'valiant']) {
      const alone = valueOf(buildMachine(tree({ routing: { name, options: {} } })));
      const copied = separateOf(name);
      const random = seededRandom(9);
      const flows = Array.from({ length: 40 }, () => [random.integer(16), random.integer(16), 4] as const).filter(
        ([from, to]) => from !== to,
      );
      const [one, all] = [bytesOn(alone, flows), bytesOn(usingRails(copied, { kind: 'only', rail: 2 }), flows)];
      const { routerLinkCount } = alone.topology.links;
      // The hash of a flow is of its addresses on the copy.
      expect([...all.subarray(2 * routerLinkCount, 3 * routerLinkCount)]).toEqual([
        ...one.subarray(0, routerLinkCount),
      ]);
    }
  });
});

describe('rails on a torus', () => {
  it('are links of nodes, which are no hops', () => {
    const { topology } = onTorus;
    expect(topology.links.linkCount).toBe(topology.links.routerLinkCount + 2 * 4 * 16);
    expect(machineFactsOf(onTorus, neverCancelled)).toEqual({
      ...machineFactsOf(valueOf(buildMachine(tree(torusOfNodes))), neverCancelled),
    });
    // 8 bytes from node 0 to the node of the next router: 2 out of each port, 8 over the cable, 2 into each port.
    const met: number[] = [];
    visitNodeShares(onTorus, 0, 2, (_, share) => met.push(8 * share));
    expect(met.sort()).toEqual([2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
    expect(hopsBetweenNodes(onTorus, 0, 2)).toBe(1);
    expect(hopsBetweenNodes(onTorus, 0, 1)).toBe(0);
  });
});

const uses: readonly RailUse[] = [{ kind: 'stripe' }, { kind: 'own' }, { kind: 'only', rail: 2 }];
const ofEachRail = ['up-down', 'static', 'ecmp', 'valiant'].map((name) => separateOf(name));
const cases = [optimised, plain, uneven, onTorus, separate, ...ofEachRail].flatMap((machine) =>
  uses.map((use) => ({
    name: `${machine.topology.kind} of ${machine.name}, ${machine.routing.kind}, ${use.kind}`,
    machine: usingRails(machine, use),
  })),
);

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
    // On networks of their own the receiver's rail is that of both.
    return topology.planes === undefined
      ? [[of(from), of(to)]]
      : [[some(Math.floor(from / rails.count), to % rails.count), of(to)]];
  }
  if (use.kind === 'only') return [[some(from, use.rail), some(to, use.rail)]];
  const common = Array.from({ length: rails.count }, (_, rail) => rail).filter(
    (rail) => port(from, rail) >= 0 && port(to, rail) >= 0,
  );
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
        network.routing.visitShares(
          senderOf(network, one),
          receiverOf(network, other),
          (link, share) => (expected[link]! += share / ways.length),
        );
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
      // Links of nodes are no hops on a torus.
      const isHop = (link: number): boolean => hostHops(machine) > 0 || link < links.routerLinkCount;
      visitNodeShares(machine, from, to, (link, share) => (sum += isHop(link) ? share : 0));
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
    expect(refused.ok ? '' : refused.failure.message).toMatch(/Remove `rails`, or simulate placements/);
  });
});
