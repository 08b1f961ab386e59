import type { ArgumentValue } from '../server/model/catalogue.ts';
import { neverCancelled } from '../server/model/cancellation.ts';
import { asRouterId } from '../server/model/identifiers.ts';
import type { Machine, RouterFlows } from '../server/model/machine.ts';
import { seededRandom, shuffle } from '../server/model/random.ts';
import type { Cable, MachineDescription } from '../server/network/contract.ts';
import { buildMachine } from '../server/network/machine.ts';
import { median, timesOf, type Figure } from './measure.ts';

/** A machine of one-core nodes. */
function machineOf(topology: MachineDescription['topology'], cables: readonly Cable[] = [], hosts?: number): Machine {
  const machine = buildMachine({
    name: 'bench',
    topology,
    cables,
    ...(hosts === undefined ? {} : { hosts }),
    socketsPerNode: 1,
    coresPerSocket: 1,
    figures: {},
  });
  if (!machine.ok) throw new Error(machine.failure.message);
  return machine.value;
}

const numbers = (...values: number[]): ArgumentValue => ({ kind: 'numbers', numbers: values });

const torus = (): Machine => machineOf({ name: 'torus', argument: numbers(16, 16, 16), options: {} });
const fatTree = (): Machine => machineOf({ name: 'fat-tree', options: { k: 4, n: 5 } });

/** Switches of degree 6: three random rings through all of them. */
function randomSwitches(switches: number): Machine {
  const random = seededRandom(1);
  const order = Int32Array.from({ length: switches }, (_, router) => router);
  const cables: Cable[] = [];
  for (let ring = 0; ring < 3; ring++) {
    shuffle(order, random);
    order.forEach((from, place) => cables.push({ from, to: order[(place + 1) % switches]! }));
  }
  return machineOf({ name: 'switches', argument: numbers(switches), options: {} }, cables, 4);
}

/** Every router to every other. */
function denseFlows(routers: number): RouterFlows {
  const count = routers * (routers - 1);
  const flows = { from: new Int32Array(count), to: new Int32Array(count), amount: new Float64Array(count).fill(8) };
  let at = 0;
  for (let from = 0; from < routers; from++) {
    for (let to = 0; to < routers; to++) {
      if (from === to) continue;
      flows.from[at] = from;
      flows.to[at++] = to;
    }
  }
  return flows;
}

/** The peer: walk every route and add to every link of it. */
function walkRoutes({ routing }: Machine, flows: RouterFlows, loads: Float64Array): void {
  for (let flow = 0; flow < flows.from.length; flow++) {
    const amount = flows.amount[flow]!;
    routing.visitShares(asRouterId(flows.from[flow]!), asRouterId(flows.to[flow]!), (link, share) => {
      loads[link]! += amount * share;
    });
  }
}

/** Routers that have hosts, each to each: 8 bytes for every pair of hosts. */
function hostFlows({ topology, nodeCount }: Machine): RouterFlows {
  const hosts = new Int32Array(topology.routerCount);
  for (let node = 0; node < nodeCount; node++) hosts[topology.routerOfNode[node]!]! += 1;
  const flows = denseFlows(topology.routerCount);
  const amount = flows.amount.map((bytes, flow) => bytes * hosts[flows.from[flow]!]! * hosts[flows.to[flow]!]!);
  const used = Int32Array.from(amount.keys()).filter((flow) => amount[flow]! > 0);
  return {
    from: used.map((flow) => flows.from[flow]!),
    to: used.map((flow) => flows.to[flow]!),
    amount: Float64Array.from(used, (flow) => amount[flow]!),
  };
}

/** The routing's own way of adding loads, and walking every route, in one run. */
function timesOfLoads(machine: Machine, flows: RouterFlows): { added: number; walked: number } {
  const loads = new Float64Array(machine.topology.links.linkCount);
  const added = timesOf(3, () => {
    machine.routing.addLoads(flows, loads.fill(0), neverCancelled);
  });
  const walked = timesOf(1, () => {
    walkRoutes(machine, flows, loads.fill(0));
  });
  return { added: median(added), walked: median(walked) };
}

/** Milliseconds to build a network, choose its root and fill the whole table of hops. */
function hopTableTime(switches: number): number {
  const times = timesOf(3, () => {
    const { routing, topology } = randomSwitches(switches);
    for (let from = 0; from < topology.routerCount; from++) routing.hops(asRouterId(from), asRouterId(0));
  });
  return median(times);
}

/** Tables of hops: the smaller against the budget of the distances that rest on it, the larger against its growth. */
function hopTables(): Figure[] {
  const [small, large] = [hopTableTime(1024), hopTableTime(4096)];
  return [
    {
      what: '1,024 random switches built, with their table of hops, up-down',
      milliseconds: small,
      against: 'budget of their equivalent distances',
      againstMilliseconds: 5000,
    },
    {
      what: '4,096 of them',
      milliseconds: large,
      against: '16 times that, as pairs grow',
      againstMilliseconds: 16 * small,
    },
  ];
}

/** Every routing's way of adding loads against walking the routes, the torus against its budget too. */
export function linkLoads(): Figure[] {
  const large = torus();
  const cases = [
    { what: '4,096 x 4,096 on 16 x 16 x 16', machine: large, flows: denseFlows(large.topology.routerCount) },
    ...[
      { what: 'all to all on 1,024 random switches with 4 hosts each, up-down', machine: randomSwitches(1024) },
      { what: 'all to all on a fat tree of 1,024 nodes, minimal', machine: fatTree() },
    ].map((each) => ({ ...each, flows: hostFlows(each.machine) })),
  ];
  const figures: Figure[] = [];
  for (const { what, machine, flows } of cases) {
    const { added, walked } = timesOfLoads(machine, flows);
    if (machine === large) {
      figures.push({
        what: `link loads of ${what}`,
        milliseconds: added,
        against: 'budget',
        againstMilliseconds: 1000,
      });
    }
    figures.push({
      what: machine === large ? 'the same' : `link loads of ${what}`,
      milliseconds: added,
      against: 'walking every route',
      againstMilliseconds: walked,
    });
  }
  return [...figures, ...hopTables()];
}
