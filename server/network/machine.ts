import { neverCancelled, type Cancellation } from '../model/cancellation.ts';
import { findEntry } from '../model/catalogue.ts';
import {
  hasAllCables,
  tooLargeMachine,
  type Machine,
  type MachineFigures,
  type Routing,
  type Topology,
} from '../model/machine.ts';
import { slotKindOf } from '../model/nodeInside.ts';
import { cancelled, fail, succeed, type Result } from '../model/result.ts';
import { routings, topologies } from './catalogue.ts';
import {
  sizeWithRails,
  type MachineDescription,
  type MachineFiles,
  type RoutingEntry,
  type TopologyRequest,
  type TopologySize,
} from './contract.ts';
import { fabricOfMachine } from './fabricParts.ts';
import { withFaults } from './faults.ts';
import { withNames } from './names.ts';
import { insideOfNode, partsOfNode, slotsOfNode } from './nodeInside.ts';
import { usingRails, withRails } from './rails.ts';
import { tooManyRouters } from './routings/graphRouting.ts';
import { figuresOfCables, sideBySide } from './bundles.ts';
import { bundlesOf, classifyLinks, speaksOfPorts } from './linkClasses.ts';
import { minimal } from './routings/minimal.ts';
import { planesRouting } from './routings/planeRouting.ts';
import { tableRouting } from './routings/tableRouting.ts';
import { mostHostsOnOneRouter } from './topologies/argument.ts';
import { disconnection } from './topologies/cableGraph.ts';

/** For machines that rest on no file. */
export const noMachineFiles: MachineFiles = {
  fabric: (uri) => fail('missing-file', `${uri} was not read.`),
  forwarding: (uri) => fail('missing-file', `${uri} was not read.`),
  nodeShape: (uri) => fail('missing-file', `${uri} was not read.`),
};

/**
 * Builds the machine that a checked declaration describes. Sizes are compared with the limits
 * before anything is allocated, so a machine of 10^9 nodes is refused at once.
 * Fails with `cancelled`, `machine-too-large`, `not-evaluated-yet`, `unknown-topology`, `unknown-routing`,
 * or what the files, the topology and the routing say (`invalid-shape`, `routing-does-not-fit`, …). With
 * `partsAllowed` a network in several parts is no failure: such a machine can be looked at, and has no routes.
 */
export function buildMachine(
  description: MachineDescription,
  files = noMachineFiles,
  cancellation: Cancellation = neverCancelled,
  { partsAllowed = false } = {},
): Result<Machine> {
  const parts = partsOfNode(description, files);
  if (!parts.ok) return parts;
  const topology = topologyOf(description, files, partsAllowed);
  if (!topology.ok) return topology;
  const linkClasses = classifyLinks(figuresOfLinks(description), topology.value);
  if (!linkClasses.ok) return linkClasses;
  const isWhole = !partsAllowed || disconnection(topology.value) === undefined;
  const routing = isWhole
    ? buildRouting(description, topology.value, cancellation, files)
    : succeed(noRouting(description));
  if (!routing.ok) return routing;
  if (cancellation.isCancelled()) return cancelled();
  const { routerOfNode } = topology.value;
  const coresPerNode = slotsOfNode(parts.value);
  const machine: Machine = {
    name: description.name,
    topology: topology.value,
    routing: routing.value,
    hostsPerRouter: mostHostsOnOneRouter(routerOfNode),
    socketsPerNode: parts.value.sockets,
    inside: insideOfNode(parts.value, topology.value),
    figures: description.figures,
    ...linkClasses.value,
    nodeCount: routerOfNode.length,
    coresPerNode,
    slotCount: routerOfNode.length * coresPerNode,
  };
  return succeed(usingRails(machine, { kind: 'stripe' }));
}

/** The topology of a machine that is not too large, without what does not work. */
function topologyOf(description: MachineDescription, files: MachineFiles, partsAllowed: boolean): Result<Topology> {
  const { name, faults, rails, names } = description;
  // Whether what is left hangs together is asked once `without` has taken its part out.
  const request = topologyRequest(description, files, partsAllowed || faults !== undefined);
  if (!request.ok) return request;
  const refusal = machineSizeRefusal(description, files);
  if (refusal) return refusal;
  // Each rail has a copy of the network, and of its cables side by side.
  const isCopied = rails?.separate === true && choosesCables(description);
  const railed = topologyWithRails(description, request.value, isCopied);
  // Before `without`, which takes nodes out by name.
  const topology = railed.ok && names !== undefined ? withNames(railed.value, names) : railed;
  if (!topology.ok) return topology;
  const left = faultLeftOut(description, files, topology.value);
  if (left) return left;
  const isApart = choosesCables(description);
  const parallel = isApart && !isCopied ? withCablesApart(description, topology.value) : topology;
  if (!parallel.ok || faults === undefined) return parallel;
  // Cables side by side that are links of their own are one each.
  const bundles = isApart ? undefined : bundlesOf(description.figures, topology.value);
  return withFaults(name, parallel.value, faults, bundles, partsAllowed);
}

/** The topology as it is built, with the rails of its nodes. `isApart`: cables side by side become links of their own before. */
function topologyWithRails(
  description: MachineDescription,
  request: TopologyRequest,
  isApart: boolean,
): Result<Topology> {
  const built = buildTopology(description, request);
  const plain = built.ok && isApart ? withCablesApart(description, built.value) : built;
  return plain.ok && description.rails !== undefined ? withRails(plain.value, description.rails) : plain;
}

/** The topology with a link for each of several cables side by side. */
function withCablesApart({ figures }: MachineDescription, topology: Topology): Result<Topology> {
  const bundles = bundlesOf(figures, topology);
  return bundles === undefined ? succeed(topology) : sideBySide(topology, bundles);
}

/** A switch of another part of the file cannot be taken out of this one. O(switches) for each that is named. */
function faultLeftOut(
  { topology: { argument, format }, faults }: MachineDescription,
  files: MachineFiles,
  { names }: Topology,
): Result<never> | undefined {
  if (argument?.kind !== 'file' || faults === undefined) return undefined;
  const all = files.fabric(argument.uri, format);
  const other = faults.routers
    .filter((router) => typeof router === 'string')
    .find((router) => names?.routers.includes(router) === false && all.ok && all.value.routers.includes(router));
  return other === undefined
    ? undefined
    : fail(
        'no-such-switch',
        `Switch "${other}" is already left out: it is in another connected component. Remove it, or select that component with \`(part "${other}")\` after the file.`,
      );
}

/** Whether each of several cables side by side is a link of its own. */
const choosesCables = (description: Pick<MachineDescription, 'topology' | 'routing'>): boolean =>
  routingEntryOf(description)?.choosesCables === true;

/** What is said of the links of a machine: of each cable, where cables side by side are links of their own. */
const figuresOfLinks = (description: MachineDescription): MachineFigures =>
  choosesCables(description) ? figuresOfCables(description.figures) : description.figures;

function topologyRequest(
  description: MachineDescription,
  files: MachineFiles,
  partsAllowed = false,
): Result<TopologyRequest> {
  const { topology, cables, hosts, hostsOn, figures } = description;
  const { argument, options } = topology;
  const allowed: Pick<TopologyRequest, 'partsAllowed'> = partsAllowed ? { partsAllowed } : {};
  const ports: Pick<TopologyRequest, 'hasPorts'> = speaksOfPorts(figures) ? { hasPorts: true } : {};
  const on: Pick<TopologyRequest, 'hostsOn'> = hostsOn === undefined ? {} : { hostsOn };
  const request = { argument, options, cables, hosts, ...on, fabric: undefined, ...allowed, ...ports };
  const fabric = fabricOfMachine(description, files);
  if (fabric === undefined) return succeed(request);
  return fabric.ok ? succeed({ ...request, fabric: fabric.value }) : fabric;
}

/** How large a machine would be, without building it; undefined where its declaration does not say. O(1). */
export function measureMachine(
  description: MachineDescription,
  files = noMachineFiles,
): (TopologySize & { readonly slots: number }) | undefined {
  const inside = partsOfNode(description, files);
  const request = topologyRequest(description, files);
  if (!inside.ok || !request.ok) return undefined;
  const size = findEntry(topologies, description.topology.name)?.measure(request.value);
  return size && { ...sizeWithRails(size, description.rails), slots: size.nodes * slotsOfNode(inside.value) };
}

function machineSizeRefusal(description: MachineDescription, files: MachineFiles): ReturnType<typeof fail> | undefined {
  const size = measureMachine(description, files);
  const message = size && tooLargeMachine(`Machine \`${description.name}\``, size, slotKindOf(description));
  if (message !== undefined) return fail('machine-too-large', message);
  const routing = routingEntryOf(description);
  return size !== undefined && routing?.routerLimit !== undefined && size.routers > routing.routerLimit
    ? tooManyRouters(routing.name, description.topology.name, size.routers)
    : undefined;
}

function buildTopology(description: MachineDescription, request: TopologyRequest): Result<Topology> {
  const { name } = description.topology;
  const entry = findEntry(topologies, name);
  if (!entry) return fail('unknown-topology', `Unknown topology \`${name}\`.`);
  return entry.build(request);
}

/** How packets travel on a topology: as the declaration says, else as is usual there. Of no use where it was cancelled. */
export function buildRouting(
  description: Pick<MachineDescription, 'name' | 'topology' | 'routing'>,
  topology: Topology,
  cancellation: Cancellation = neverCancelled,
  files: Pick<MachineFiles, 'forwarding'> = noMachineFiles,
): Result<Routing> {
  const name = routingNameOf(description);
  // Axis after axis leads over cables that are missing: what is usual on grids does not serve there.
  const isBroken = description.routing === undefined && topology.shape !== undefined && !hasAllCables(topology);
  const entry = isBroken ? minimal : routingEntryOf(description);
  if (!entry) return fail('unknown-routing', `Unknown routing \`${name}\`.`);
  const { options = {}, argument, format } = description.routing ?? {};
  if (argument?.kind !== 'file') {
    const { planes } = topology;
    return planes === undefined
      ? entry.build(topology, options, cancellation)
      : planesRouting(topology, planes, (plane) => entry.build(plane, options, cancellation));
  }
  const dump = files.forwarding(argument.uri, format);
  return dump.ok ? entry.build(topology, options, cancellation, dump.value) : dump;
}

/** The routing of tables that were read from a file, once they have been laid over a topology. */
export const routingOfTables = (
  topology: Topology,
  { kind, tables, symmetric }: Pick<Required<Routing>, 'kind' | 'tables' | 'symmetric'>,
): Routing => tableRouting(topology, { kind, tables, symmetric });

/** Of a network in several parts. */
const noRouting = (description: Pick<MachineDescription, 'topology' | 'routing'>): Routing => ({
  kind: routingNameOf(description),
  singlePath: true,
  symmetric: true,
  hops: (from, to) => (from === to ? 0 : Infinity),
  route: () => undefined,
  stepsTo: () => undefined,
  visitShares: () => undefined,
  addLoads: () => undefined,
});

/** The routing that the declaration names, else that of its topology. */
const routingNameOf = ({ routing, topology }: Pick<MachineDescription, 'topology' | 'routing'>): string =>
  routing?.name ?? findEntry(topologies, topology.name)?.defaultRouting ?? 'minimal';

export const routingEntryOf = (
  description: Pick<MachineDescription, 'topology' | 'routing'>,
): RoutingEntry | undefined => findEntry(routings, routingNameOf(description));
