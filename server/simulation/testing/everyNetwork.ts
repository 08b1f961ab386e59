/**
 * Every engine on every topology under every routing of the catalogue: all messages arrive, every flit is counted on every link of its
 * route, a message alone takes what the formula says, and a deadlock that was not predicted does not come.
 */
import { neverCancelled } from '../../model/cancellation.ts';
import { hopsBetweenNodes, receiverOf, senderOf, type Machine } from '../../model/machine.ts';
import type { NetworkModel } from '../../model/networkModel.ts';
import { succeed, type Result } from '../../model/result.ts';
import { testContract, type Contract } from '../../model/testing/contract.ts';
import { routings, topologies } from '../../network/catalogue.ts';
import type { MachineFiles, RoutingEntry, TopologyEntry } from '../../network/contract.ts';
import { buildMachine, noMachineFiles } from '../../network/machine.ts';
import { pathServers, serviceTime } from '../../queueing/servers.ts';
import { exampleNetworks, type ExampleNetwork } from '../../network/testing/exampleNetworks.ts';
import { messageNetwork, possibleDeadlock } from '../engines.ts';
import { defaultServerOptions } from '../engines/servers/servers.ts';
import type { MessageNetwork } from '../messages.ts';

/** Flits of every message, which is one packet. */
const flits = 8;
const bytes = 4 * flits;

const cycles = (amount: number) => ({ unit: 'cycles', amount }) as const;

/** How messages are carried, and what one alone takes over so many links, those of hosts included. */
interface Way {
  readonly model: NetworkModel;
  readonly alone: (links: number, machine: Machine) => number;
  /** Whether an engine tells of a channel once for every flit that crosses it; others tell of messages as wholes. */
  readonly countsFlits: boolean;
}

/** Queues are longer than links, so that worms alone never stop. */
const common = { packet: flits, flit: 4, router: cycles(2), link: cycles(3) } as const;
const cutThrough = (links: number): number => links * (2 + 3) + 2 + flits - 1;

const worms = (more: Partial<NetworkModel>): Way => ({
  model: { ...common, switching: 'wormhole', buffer: 5, ...more },
  alone: cutThrough,
  countsFlits: true,
});

const packets = (switching: 'cut-through' | 'store-and-forward', more: Partial<NetworkModel>): Way => ({
  model: { ...common, switching, queue: 2, ...more },
  alone: switching === 'cut-through' ? cutThrough : (links) => links * (2 + 3 + flits - 1) + 2 + flits - 1,
  countsFlits: true,
});

/** The service times of all servers on the way from node to node, in nanoseconds. */
function servedAlone(_: number, machine: Machine): number {
  const { figures } = defaultServerOptions(machine);
  const service = pathServers.reduce((sum, server) => sum + serviceTime(server, bytes, figures), 0);
  return Math.ceil(service * 1e9 - 1e-6) - 1;
}

const ways: Readonly<Record<string, Way>> = {
  'worms by headers': {
    model: { switching: 'wormhole', packet: flits, flit: 4, router: cycles(3), buffer: 1 },
    // Routed before every channel, those from a node and to a node too.
    alone: (links, { topology }) => (links + (topology.hasHostLinks ? 0 : 2)) * (3 + 1) + flits - 1,
    countsFlits: false,
  },
  'worms, one channel': worms({ channels: 1 }),
  'worms, two channels': worms({ channels: 2 }),
  'worms, three channels': worms({ channels: 3 }),
  'adaptive worms, one channel': worms({ channels: 1, routing: 'adaptive' }),
  'adaptive worms, two channels': worms({ channels: 2, routing: 'adaptive' }),
  'adaptive worms, three channels': worms({ channels: 3, routing: 'adaptive' }),
  'cut through, one channel': packets('cut-through', { channels: 1 }),
  'cut through, two channels': packets('cut-through', { channels: 2 }),
  'cut through, adaptive': packets('cut-through', { routing: 'adaptive' }),
  'stored, one channel': packets('store-and-forward', { channels: 1 }),
  'stored, adaptive': packets('store-and-forward', { routing: 'adaptive' }),
  flow: { model: { ...common, switching: 'flow' }, alone: cutThrough, countsFlits: false },
  servers: { model: { switching: 'queueing' }, alone: servedAlone, countsFlits: false },
};

const isOneSwitch = ({ topology }: Machine): boolean => topology.routerCount === 1;

/** What does not run, and what the user is told to do. */
const refusals: readonly { readonly where: (machine: Machine, way: Way) => boolean; readonly told: RegExp }[] = [
  {
    where: ({ routing }) => ['valiant', 'ugal'].includes(routing.kind),
    told: /uses intermediate nodes\. Write `routing minimal`/,
  },
  {
    where: (machine, { model }) => model.switching === 'queueing' && !isOneSwitch(machine),
    told: /needs one switch; .*\. Use `topology cluster\(N\)`, or another `switching`/,
  },
];

/** A machine of an example, under a routing of the catalogue. Fails where the routing cannot route it. */
function machineOf(topology: TopologyEntry, { request }: ExampleNetwork, routing: RoutingEntry): Result<Machine> {
  const { argument, options, cables, hosts, fabric } = request;
  const files: MachineFiles = fabric ? { ...noMachineFiles, fabric: () => succeed(fabric) } : noMachineFiles;
  return buildMachine(
    {
      name: topology.name,
      topology: {
        name: topology.name,
        options,
        ...(fabric ? { argument: { kind: 'file', uri: 'test' } } : argument && { argument }),
      },
      routing: { name: routing.name, options: {} },
      cables,
      ...(hosts !== undefined && { hosts }),
      ...{ socketsPerNode: 1, coresPerSocket: 1, figures: {} },
    },
    files,
  );
}

/** The networks of a topology that a routing can route, of up to so many nodes. */
const legalMachines = (
  topology: TopologyEntry,
  routing: RoutingEntry,
  mostNodes: number,
): readonly (readonly [string, Machine])[] =>
  exampleNetworks(topology.name).flatMap((example) => {
    const built = machineOf(topology, example, routing);
    const isSmall = built.ok && built.value.nodeCount >= 3 && built.value.nodeCount <= mostNodes;
    return isSmall ? [[example.title, built.value] as const] : [];
  });

/** Machines of up to so many nodes, by topology and routing. */
export const everyNetwork = (mostNodes: number) =>
  topologies.flatMap((topology) =>
    routings
      .map((routing) => [topology.name, routing.name, legalMachines(topology, routing, mostNodes)] as const)
      .filter(([, , machines]) => machines.length > 0),
  );

/** Pairs of nodes: some of every distance and both ways. */
function pairsOf({ nodeCount }: Machine): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  for (let from = 0; from < nodeCount; from++) {
    for (let step = 1; step < nodeCount; step += 1 + (nodeCount >> 2)) pairs.push([from, (from + step) % nodeCount]);
  }
  return pairs;
}

interface Run {
  readonly network: MessageNetwork;
  /** Of each message that arrived: cycles from its making to its arrival, and links between routers. */
  readonly took: Map<number, number>;
  readonly hops: Map<number, number>;
  /** Flits, or messages, that crossed each channel. */
  readonly crossings: Float64Array;
}

function started({ model, countsFlits }: Way, machine: Machine): Result<Run> {
  const { links } = machine.topology;
  const took = new Map<number, number>();
  const hops = new Map<number, number>();
  const crossings = new Float64Array(links.routerLinkCount + 2 * machine.nodeCount);
  const made = messageNetwork(model, machine, {
    crossed: (channel, _, busy) => (crossings[channel]! += countsFlits ? busy : 1),
    delivered: (message, created, arrived, links) => {
      took.set(message, arrived - created);
      hops.set(message, links);
    },
  });
  return made.ok ? succeed({ network: made.value, took, hops, crossings }) : made;
}

/** Until everything has arrived or nothing moves. */
function finished(network: MessageNetwork): boolean {
  while (network.messagesUnderWay > 0) {
    if (network.advance(network.now + 1e6, neverCancelled) !== 'events') return false;
  }
  return true;
}

/** Flits by link that the static prediction has of the pairs. */
function expectedCrossings(machine: Machine, { countsFlits }: Way): Float64Array {
  const pairs = pairsOf(machine);
  const loads = new Float64Array(machine.topology.links.routerLinkCount);
  const flows = {
    from: Int32Array.from(pairs, ([from]) => senderOf(machine, from)),
    to: Int32Array.from(pairs, ([, to]) => receiverOf(machine, to)),
    amount: new Float64Array(pairs.length).fill(countsFlits ? flits : 1),
  };
  machine.routing.addLoads(flows, loads, neverCancelled);
  return loads;
}

const sumOf = (values: Float64Array): number => values.reduce((sum, each) => sum + each, 0);

const properties = {
  refusal: 'is refused, with what to do, only where no engine can carry the messages',
  alone: 'a message alone takes what the formula says, over as many links as its route has',
  sum: 'all links carry as many flits as the routes say',
  links: 'each link carries as many flits as the only routes say',
  arrives: 'everything arrives, but for deadlocks that were predicted',
} as const;

/** Starts a network on a machine; undefined where it is refused. */
function checkStarted(contract: Contract, way: Way, machine: Machine): Run | undefined {
  const made = started(way, machine);
  contract.property(properties.refusal, (look) => {
    const refusal = refusals.find(({ where }) => where(machine, way));
    const message = made.ok ? '' : made.failure.message;
    look(refusal === undefined ? message === '' : refusal.told.test(message), () => `"${message}"`);
  });
  return made.ok ? made.value : undefined;
}

/** Messages one after the other. */
function checkAlone(contract: Contract, way: Way, machine: Machine, { network, took, hops, crossings }: Run): void {
  const { routing } = machine;
  contract.property(properties.alone, (look) => {
    for (const [from, to] of pairsOf(machine)) {
      const message = network.send(from, to, bytes);
      finished(network);
      const links = hopsBetweenNodes(machine, from, to);
      const expected = [way.alone(links, machine), routing.hops(senderOf(machine, from), receiverOf(machine, to))];
      const found = [took.get(message), hops.get(message)];
      look(String(found) === String(expected), () => `${from}-${to}: ${found.join()}, not ${expected.join()}`);
    }
  });
  const expected = expectedCrossings(machine, way);
  const found = crossings.slice(0, expected.length);
  contract.property(properties.sum, (look) => {
    // Several routes share what crosses their links, by turns or by load; all of it together is the same.
    if (expected.length === 0) return;
    look(Math.abs(sumOf(found) - sumOf(expected)) < 1e-6, () => `${sumOf(found)}, not ${sumOf(expected)}`);
  });
  contract.property(properties.links, (look) => {
    if (!routing.singlePath || way.model.routing === 'adaptive') return;
    found.forEach((count, link) => {
      look(count === expected[link], () => `link ${link}: ${count}, not ${expected[link]}`);
    });
  });
}

/** Messages that are sent all at once. */
function checkTogether(contract: Contract, way: Way, machine: Machine, { network }: Run): void {
  contract.property(properties.arrives, (look) => {
    for (const [from, to] of pairsOf(machine)) network.send(from, to, bytes);
    const hasArrived = finished(network);
    const isPredicted = possibleDeadlock(way.model, machine) !== undefined;
    look(hasArrived || (isPredicted && network.deadlock !== undefined), 'stands still');
  });
}

/** Every engine on such machines. */
export function testEveryNetwork(networks: ReturnType<typeof everyNetwork>): void {
  for (const [name, way] of Object.entries(ways)) {
    testContract(`every network: ${name}`, (contract) => {
      if (way.model.routing === 'adaptive') contract.notApplicable(properties.links, 'packets choose their links');
      if (way.model.switching === 'queueing') {
        for (const property of [properties.sum, properties.links]) {
          contract.notApplicable(property, 'clusters of servers have no links between switches');
        }
      }
      for (const [topology, routing, machines] of networks) {
        for (const [example, machine] of machines) {
          contract.on(`${topology} ${example} under ${routing}`, () => {
            const run = checkStarted(contract, way, machine);
            if (run === undefined) return;
            checkAlone(contract, way, machine, run);
            const together = started(way, machine);
            if (together.ok) checkTogether(contract, way, machine, together.value);
          });
        }
      }
    });
  }
}
