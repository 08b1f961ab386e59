import { asNodeId, asRouterId } from '../model/identifiers.ts';
import type { Machine } from '../model/machine.ts';
import type { MachineDescription } from '../network/contract.ts';
import { nodeName, routerName } from '../network/names.ts';
import type { MachineDetails } from './report.ts';
import type { Run } from './run.ts';

/** Names that are given as examples. */
const exampleCount = 3;

/** What the graph of a machine and its files add to its figures. O(routers). */
export function machineDetails({ files }: Run, description: MachineDescription, machine: Machine): MachineDetails {
  const { tiers, groups, names } = machine.topology;
  const { argument, format } = description.topology;
  const fabric = argument?.kind === 'file' ? files.fabric(argument.uri, format) : undefined;
  const node = description.nodeFile === undefined ? undefined : files.nodeShape(description.nodeFile);
  return {
    sockets: machine.socketsPerNode,
    coresPerSocket: machine.coresPerSocket,
    ...(tiers && { tiers: countsOf(tiers) }),
    ...(groups && { groups: countsOf(groups).length }),
    ...(fabric?.ok === true && { format: fabric.value.format }),
    ...(node?.ok === true && { numaNodes: node.value.numaNodes }),
    ...(names && { names: exampleNames(machine) }),
  };
}

/** How many routers are of tier or group 0, 1, …. */
function countsOf(numbers: Int32Array): readonly number[] {
  const counts: number[] = [];
  for (const number of numbers) counts[number] = (counts[number] ?? 0) + 1;
  return Array.from(counts, (count: number | undefined) => count ?? 0);
}

function exampleNames(machine: Machine): NonNullable<MachineDetails['names']> {
  const first = (count: number) => Array.from({ length: Math.min(count, exampleCount) }, (_, id) => id);
  return {
    routers: first(machine.topology.routerCount).map((id) => routerName(machine, asRouterId(id))),
    nodes: first(machine.nodeCount).map((id) => nodeName(machine, asNodeId(id))),
  };
}
