import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import { asRouterId } from '../model/identifiers.ts';
import { nodeWorks, routerWorks, type Machine, type Routing, type Topology } from '../model/machine.ts';
import { seededRandom } from '../model/random.ts';
import { routings, topologies } from './catalogue.ts';
import { testContract, type Contract } from '../model/testing/contract.ts';
import type { FaultDescription, TopologyEntry } from './contract.ts';
import { machineFactsOf } from './facts.ts';
import { bandwidthOf } from './linkClasses.ts';
import { withFaults } from './faults.ts';
import { componentsOf } from './topologies/cableGraph.ts';
import { buildMachine } from './machine.ts';
import { minimal } from './routings/minimal.ts';
import { detourRouters, exampleNetworks } from './testing/exampleNetworks.ts';
import { gridDescription, gridMachine } from './testing/machines.ts';
import { networkMachine, unequalFabric } from './testing/networkMachines.ts';
import { valueOf } from './testing/routingContract.ts';
import { casesOf } from '../model/testing/thoroughness.ts';

const nothing: FaultDescription = { cables: [], routers: [], nodes: [] };
const torus = gridMachine('torus', [4, 4], { hosts: 2 }).topology;
const broken = (faults: Partial<FaultDescription>, topology: Topology = torus) =>
  withFaults('test', topology, { ...nothing, ...faults });

/** Faults of a topology that leave the rest in one part, of many draws. */
function faultsThatLeaveOnePart(topology: Topology): readonly Topology[] {
  const { routerCount, links } = topology;
  const random = seededRandom(11);
  return Array.from({ length: casesOf(40, 100) }, () => {
    const link = random.integer(links.routerLinkCount);
    const cables = [{ from: links.from[link]!, to: links.to[link]! }];
    const result = broken({ cables, routers: routerCount > 4 ? [random.integer(routerCount)] : [] }, topology);
    return result.ok ? [result.value] : [];
  }).flat();
}

/** Checks every example of a topology that can spare something. */
function testWithFaults({ name, build }: TopologyEntry): void {
  testContract(`topology ${name} with something taken out`, (contract) => {
    for (const { title, request } of exampleNetworks(name)) {
      contract.on(title, () => {
        const topology = valueOf(build(request));
        const drawn = topology.links.routerLinkCount === 0 ? [] : faultsThatLeaveOnePart(topology);
        checkLeft(contract, topology, drawn);
        if (topology.routerCount <= casesOf(detourRouters, Infinity)) checkRouted(contract, drawn.slice(0, 1));
        if (topology.routerCount <= casesOf(detourRouters, 48))
          checkFailures(contract, topology, title.includes(shortDetours) ? 2 : Infinity);
      });
    }
  });
}

function checkLeft(contract: Contract, topology: Topology, drawn: readonly Topology[]): void {
  const { routerCount, links } = topology;

  contract.property('keeps numbers', (look) => {
    for (const left of drawn) {
      const isKept = left.routerCount === routerCount && String(left.shape) === String(topology.shape);
      look(isKept && String(left.routerOfNode) === String(topology.routerOfNode), () => told(left));
    }
  });

  contract.property('has no link to or from what is out of order', (look) => {
    for (const left of drawn) {
      const isWorking = [...left.links.from, ...left.links.to].every((router) => routerWorks(left, router));
      const linkCount = links.routerLinkCount - 2 * left.faults!.cables;
      look(isWorking && left.links.routerLinkCount === linkCount, () => told(left));
    }
  });

  contract.property('leaves all that works in one part', (look) => {
    for (const left of drawn) {
      const { of, count } = componentsOf(left.links, left.faults!.routers);
      const isOne = [...of].every((component, router) => component === (routerWorks(left, router) ? 0 : -1));
      look(count === 1 && isOne, () => told(left));
    }
  });
}

/** Four groups of two: some have no way round a failure but over two global links, which is shorter than local, global, local. */
const shortDetours = '"a":2,"h":2,"g":4,"arrangement":"circulant"';

/** A failure changes the routes of the pairs alone that lost a route. It makes none shorter than before, or than `leastHops`. */
function checkFailures(contract: Contract, topology: Topology, leastHops: number): void {
  const { links, routerCount } = topology;
  const cables = Array.from({ length: links.routerLinkCount }, (_, link) => ({
    from: links.from[link]!,
    to: links.to[link]!,
  }));
  const failures = [
    ...cables.filter(({ from, to }) => from < to).map((cable) => ({ cables: [cable] })),
    ...Array.from({ length: routerCount }, (_, router) => ({ routers: [router] })),
  ].filter((_, place) => place % casesOf(5, 2) === 0);
  contract.property(
    'has routes under minimal that a failure neither shortens nor changes where it took none',
    (look) => {
      const routing = valueOf(minimal.build(topology, {}));
      const before = pairsOf(new Set(topology.routerOfNode)).map((pair) => ({
        pair,
        route: sharesOf(topology, routing, pair),
      }));
      for (const failure of failures) {
        const left = broken(failure, topology);
        if (!left.ok) continue;
        const after = valueOf(minimal.build(left.value, {}));
        for (const { pair, route } of before) {
          if (!pair.every((router) => routerWorks(left.value, router))) continue;
          const [hops, now] = [routing, after].map((one) => one.hops(asRouterId(pair[0]), asRouterId(pair[1]))) as [
            number,
            number,
          ];
          const isKept = takes(route, failure) || sharesOf(left.value, after, pair).text === route.text;
          look(
            now >= Math.min(hops, leastHops) && isKept,
            () => `${JSON.stringify(failure)}, ${pair.join('-')}: ${hops}, then ${now}`,
          );
        }
      }
    },
  );
}

/** The links between routers that a flow takes, and the share of each as a text. */
interface RouteOfPair {
  readonly links: readonly (readonly [from: number, to: number])[];
  readonly text: string;
}

function sharesOf({ links }: Topology, routing: Routing, [from, to]: readonly [number, number]): RouteOfPair {
  const taken: (readonly [number, number])[] = [];
  const shares: string[] = [];
  routing.visitShares(asRouterId(from), asRouterId(to), (link, share) => {
    const [start, end] = [links.from[link]!, links.to[link]!];
    taken.push([start, end]);
    shares.push(`${start}-${end} ${Math.round(share * 1e9)}`);
  });
  return { links: taken, text: shares.sort().join() };
}

/** Whether a flow takes something that fails. */
const takes = ({ links }: RouteOfPair, { cables = [], routers = [] }: Partial<FaultDescription>): boolean =>
  links.some(
    (ends) =>
      ends.some((end) => routers.includes(end)) ||
      cables.some(({ from, to }) => ends.includes(from as number) && ends.includes(to as number)),
  );

const told = ({ faults }: Topology): string =>
  JSON.stringify(faults, (_, value: unknown) => (value instanceof Uint8Array ? value.join() : value));

function checkRouted(contract: Contract, drawn: readonly Topology[]): void {
  contract.property('is routed between all nodes that work, and only over what is left', (look) => {
    for (const left of drawn) {
      const working = new Set([...left.routerOfNode].filter((_router, node) => nodeWorks(left, node)));
      for (const routing of routings) {
        const built = routing.build(left, {});
        if (!built.ok) continue;
        for (const [from, to] of pairsOf(working)) {
          const arriving = arrivals(left, built.value, from, to);
          look(Math.abs(arriving - 1) < 1e-9, () => `${told(left)} under ${routing.name}, ${from}-${to}: ${arriving}`);
        }
      }
    }
  });
}

/** All pairs of two different nodes. */
const pairsOf = (nodes: ReadonlySet<number>): (readonly [number, number])[] =>
  [...nodes].flatMap((from) => [...nodes].filter((to) => to !== from).map((to) => [from, to] as const));

/** What of a flow arrives, following its shares over the links that are left; not a number where it takes any other. */
function arrivals({ links }: Topology, routing: Routing, from: number, to: number): number {
  let arriving = 0;
  routing.visitShares(asRouterId(from), asRouterId(to), (link, share) => {
    if (link >= links.routerLinkCount) arriving = NaN;
    if (links.to[link] === to) arriving += share;
    if (links.from[link] === to) arriving -= share;
  });
  return arriving;
}

// A lone switch has nothing that it could spare.
const sparing = topologies.filter(({ name }) => name !== 'cluster');
for (const entry of sparing) testWithFaults(entry);

describe('what is taken out', () => {
  it('is all parallel cables between two, or those that are named by their number', () => {
    const pair = networkMachine('switches', {
      count: 2,
      hosts: 1,
      cables: Array.from({ length: 3 }, () => ({ from: 0, to: 1 })),
    }).topology;
    const cable = { from: 1, to: 0 };
    const numbered = (...numbers: number[]) =>
      broken({ cables: numbers.map((number) => ({ ...cable, cable: number })) }, pair);
    expect(valueOf(numbered(2)).links.routerLinkCount).toBe(4);
    expect([...valueOf(numbered(2)).faults!.lastCables!]).toEqual([1, 3, 1, 3]);
    expect(valueOf(numbered(3, 1)).links.routerLinkCount).toBe(2);
    // Numbers stay where another was taken out before.
    const second = valueOf(numbered(1));
    expect([...valueOf(broken({ cables: [{ ...cable, cable: 2 }] }, second)).faults!.lastCables!]).toEqual([3, 3]);
    expect(broken({ cables: [{ ...cable, cable: 1 }] }, second)).toMatchObject({ failure: { code: 'no-such-cable' } });
    expect(broken({ cables: [cable] }, pair)).toMatchObject({ failure: { code: 'disconnected' } });
    expect(broken({ cables: [cable, cable] }, pair)).toMatchObject({
      failure: { code: 'no-such-cable', message: expect.stringMatching(/No link connects 1 and 0/) as string },
    });
  });

  it('takes the nodes of a switch along, and switches that only idle nodes hang on', () => {
    const left = valueOf(broken({ routers: [5] }));
    expect([...left.faults!.nodes.keys()].filter((node) => !nodeWorks(left, node))).toEqual([10, 11]);
    const line = gridMachine('mesh', [4]).topology;
    const cut = valueOf(broken({ cables: [{ from: 2, to: 3 }], nodes: [3] }, line));
    expect(routerWorks(cut, 3)).toBe(false);
  });

  it('may be named as the file names it', () => {
    const fabric = networkMachine('from', { fabric: unequalFabric }).topology;
    const { routers, nodes } = fabric.names!;
    const host = nodes.at(-1)!;
    const left = valueOf(broken({ nodes: [host] }, fabric));
    expect(nodeWorks(left, nodes.length - 1)).toBe(false);
    expect(broken({ routers: ['nobody'] }, fabric)).toMatchObject({
      failure: { code: 'no-such-switch', message: expect.stringContaining(routers[0]!) as string },
    });
    expect(broken({ nodes: [`${host}x`] }, fabric)).toMatchObject({ failure: { code: 'no-such-host' } });
  });

  it.each([
    ['a switch that is not there', { routers: [16] }, 'out-of-range', /0 to 15/],
    ['a node that is not there', { nodes: [32] }, 'out-of-range', /0 to 31/],
    ['a cable that is not there', { cables: [{ from: 0, to: 2 }] }, 'no-such-cable', /connects 0 and 2/],
    ['a switch without a name', { routers: ['leaf'] }, 'no-such-switch', /numbers only/],
    ['a name that is no hostlist', { nodes: ['n[1-'] }, 'bad-hostlist', /./],
    [
      'every node',
      { nodes: Array.from({ length: 32 }, (_, node) => node) },
      'no-hosts',
      /`without` removes every node/,
    ],
    [
      'all cables of a router whose nodes work',
      { cables: [1, 4, 3, 12].map((to) => ({ from: 0, to })) },
      'disconnected',
      /Switch 0 is not connected to 1–15 without what is taken out: .*`without switch`/,
    ],
  ])('refuses %s', (_what, faults, code, message) => {
    expect(broken(faults)).toMatchObject({
      ok: false,
      failure: { code, message: expect.stringMatching(message) as string },
    });
  });
});

describe('a machine with faults', () => {
  const { name, topology, cables, socketsPerNode, coresPerSocket, figures } = gridDescription('torus', [4, 4]);
  const silent = { name, topology, cables, socketsPerNode, coresPerSocket, figures };
  const faults = { ...nothing, cables: [{ from: 0, to: 1 }] };

  it('is routed by the shortest ways that are left where coordinates tell no longer', () => {
    const machine = valueOf(buildMachine({ ...silent, faults }));
    expect(machine.routing.kind).toBe('minimal');
    expect(machine.routing.hops(asRouterId(0), asRouterId(1))).toBe(3);
    expect(valueOf(buildMachine({ ...silent, faults: { ...nothing, nodes: [3] } })).routing.kind).toBe(
      'dimension-order',
    );
  });

  it('refuses dimension-order over a missing cable', () => {
    expect(buildMachine({ ...gridDescription('torus', [4, 4]), faults })).toMatchObject({
      failure: { code: 'routing-does-not-fit', message: expect.stringContaining('routing minimal') as string },
    });
  });

  it('may be whole only without a part that does not hang together', () => {
    const parted = {
      count: 4,
      hosts: 1,
      cables: [
        { from: 0, to: 1 },
        { from: 1, to: 2 },
      ],
    };
    expect(() => networkMachine('switches', parted)).toThrow('disconnected');
    expect(networkMachine('switches', { ...parted, faults: { ...nothing, routers: [3] } }).nodeCount).toBe(4);
  });

  it('measures the distances of the nodes that work, and has no bisection of a formula', () => {
    const line = networkMachine('switches', {
      count: 3,
      hosts: 1,
      cables: [
        { from: 0, to: 1 },
        { from: 1, to: 2 },
      ],
      faults: { ...nothing, nodes: [2] },
    });
    expect(machineFactsOf(line, neverCancelled)).toMatchObject({
      diameter: 3,
      meanDistance: 3,
      bisection: undefined,
      faults: { routers: 0, nodes: 1, cables: 0 },
    });
  });
});

it('what is known of each link stays with it', () => {
  const cables = [
    { from: 0, to: 1, bandwidth: 1e9 },
    { from: 1, to: 2, bandwidth: 2e9 },
    { from: 0, to: 2, bandwidth: 3e9 },
  ];
  const whole = networkMachine('switches', { count: 3, hosts: 1, cables });
  const machine = networkMachine('switches', {
    count: 3,
    hosts: 1,
    cables,
    faults: { ...nothing, cables: [{ from: 0, to: 1 }] },
  });
  const speeds = ({ topology: { links }, ...rest }: Machine) =>
    Array.from(links.from, (from, link) => `${from}-${links.to[link]}: ${bandwidthOf({ ...rest }, link)}`);
  expect(speeds(machine)).toEqual(speeds(whole).filter((words) => !/^(0-1|1-0)/.test(words)));
});
