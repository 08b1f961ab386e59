import { findEntry } from '../model/catalogue.ts';
import { linkLimit, slotLimit, type Machine, type Routing, type Topology } from '../model/machine.ts';
import { fail, succeed, type Result } from '../model/result.ts';
import { routings, topologies } from './catalogue.ts';
import type { MachineDescription, TopologyEntry } from './contract.ts';

/**
 * Builds the machine that a checked declaration describes. Sizes are compared with the limits
 * before anything is allocated, so a machine of 10^9 nodes is refused at once.
 * Fails with `machine-too-large`, `not-evaluated-yet`, `unknown-topology`, `unknown-routing`,
 * or what the topology and the routing say (`invalid-shape`, `routing-does-not-fit`, …).
 */
export function buildMachine(description: MachineDescription): Result<Machine> {
  const refusal = sizeRefusal(description);
  if (refusal) return refusal;
  const topology = buildTopology(description);
  if (!topology.ok) return topology;
  const routing = buildRouting(description, topology.value);
  if (!routing.ok) return routing;
  const { name, hostsPerRouter, socketsPerNode, coresPerSocket, figures } = description;
  const nodeCount = topology.value.routerCount * hostsPerRouter;
  const coresPerNode = socketsPerNode * coresPerSocket;
  return succeed({
    name,
    topology: topology.value,
    routing: routing.value,
    hostsPerRouter,
    socketsPerNode,
    coresPerSocket,
    figures,
    nodeCount,
    coresPerNode,
    slotCount: nodeCount * coresPerNode,
  });
}

function sizeRefusal(description: MachineDescription): ReturnType<typeof fail> | undefined {
  const { name, topology, cables, hostsPerRouter, socketsPerNode, coresPerSocket } = description;
  const perRouter = [hostsPerRouter, socketsPerNode, coresPerSocket];
  if (!perRouter.every((count) => Number.isInteger(count) && count >= 1)) {
    return fail('invalid-count', `Machine \`${name}\` needs at least 1 host, 1 socket and 1 core, in whole numbers.`);
  }
  const size = findEntry(topologies, topology.name)?.measure?.(topology.argument, topology.options, cables);
  if (!size) return undefined;
  const slots = size.routers * hostsPerRouter * socketsPerNode * coresPerSocket;
  if (slots > slotLimit) {
    return fail(
      'machine-too-large',
      `Machine \`${name}\` has ${formatCount(size.routers * hostsPerRouter)} nodes with ${formatCount(slots)} cores; ` +
        `at most ${formatCount(slotLimit)} cores are possible: make it smaller.`,
    );
  }
  if (size.links > linkLimit) {
    return fail(
      'machine-too-large',
      `Machine \`${name}\` has ${formatCount(size.links)} directed links; ` +
        `at most ${formatCount(linkLimit)} are possible: make it smaller.`,
    );
  }
  return undefined;
}

function buildTopology(description: MachineDescription): Result<Topology> {
  const { name, argument, options } = description.topology;
  const entry = findEntry(topologies, name);
  if (!entry) return fail('unknown-topology', `There is no topology \`${name}\`.`);
  if (!entry.build) return notEvaluatedYet(description, `topology \`${name}\``);
  return entry.build(argument, options, description.cables);
}

function buildRouting(description: MachineDescription, topology: Topology): Result<Routing> {
  const name = description.routing?.name ?? defaultRoutingOf(topology.kind);
  const entry = findEntry(routings, name);
  if (!entry) return fail('unknown-routing', `There is no routing \`${name}\`.`);
  if (!entry.build) return notEvaluatedYet(description, `routing \`${name}\``);
  return entry.build(topology, description.routing?.options ?? {});
}

function defaultRoutingOf(kind: TopologyEntry['name']): string {
  return findEntry(topologies, kind)?.defaultRouting ?? 'minimal';
}

function notEvaluatedYet(description: MachineDescription, what: string): ReturnType<typeof fail> {
  return fail(
    'not-evaluated-yet',
    `Machine \`${description.name}\` uses ${what}, which this version knows but cannot evaluate yet.`,
  );
}

/** 4194304 as 4,194,304. */
const formatCount = (count: number): string => count.toLocaleString('en-US');
