/** Allocators whose nodes are named: `nodes` in the text or in a file, `same-as` by another placement. */
import { expandHostlist } from '../../model/hostlist.ts';
import { fail, quote, succeed, type Result } from '../../model/result.ts';
import { asNodeId } from '../../model/identifiers.ts';
import { nodeWorks, type Machine } from '../../model/machine.ts';
import { nodeName, nodesOfHosts } from '../../network/names.ts';
import { slotsOfCoordinates } from '../../network/givenCoordinates.ts';
import type { GivenSource } from '../../model/given.ts';
import { intAt } from '../../numeric/elements.ts';
import { nodeOfSlot } from '../../model/slots.ts';
import type { AllocationRequest, AllocatorEntry } from '../contract.ts';
import { plainCountOf, holdingAllocation } from '../capacity.ts';
import type { Allocation } from '../../model/placement.ts';

export const nodes: AllocatorEntry = {
  name: 'nodes',
  summary: 'the listed nodes, in the order listed',
  source: 'Placewright',
  details:
    'Node id = router · hosts + host. Write host names in double quotes, several as a Slurm hostlist: `["nid[01000-01015]", "n07", 12]`. Names are from the fabric file, otherwise `node0000`, `node0001`, …. A file can be a hostlist, a hostfile of Open MPI or MPICH, one name per line, a rankfile or our JSON. Repeated names count once. Slot counts in a hostfile, or one line per slot, limit the tasks of each host. Listed nodes without a free core stay in the list and get no task.',
  argument: {
    kind: 'node-list-or-file',
    summary: 'the nodes: `[0..63, "n[070-079]"]` or a file of host names',
    required: true,
    minimum: 0,
    describes: 'mapping',
  },
  options: [],
  allocate(request) {
    const listed = wantedNodes(request);
    if (!listed.ok) return listed;
    const room = roomOfFile(request);
    const slots = room?.reduce((sum, own) => sum + own, 0) ?? Infinity;
    // With fewer slots in the file no machine would be large enough.
    if (slots < request.taskCount) {
      return fail(
        'does-not-fit',
        `The file has ${plainCountOf(slots, 'slot')} on ${plainCountOf(listed.value.length, 'node')}; the job needs ${request.taskCount}. Add slots to its hosts, or use fewer tasks.`,
      );
    }
    return holdingAllocation(
      request,
      listed.value,
      room === undefined ? 'The list of nodes' : 'The file, with the slots that it gives each host,',
    );
  },
  room: roomOfFile,
};

/**
 * The slots that a hostfile gives each node: `slots=4`, `n1:4`, or a line for each slot, as PBS writes them. Files that name each host once
 * and say no number limit nothing.
 */
function roomOfFile({
  machine,
  argument,
  givenFile,
}: Pick<AllocationRequest, 'machine' | 'argument' | 'givenFile'>): Int32Array | undefined {
  const file = argument?.kind === 'file' ? givenFile(argument) : undefined;
  if (file?.ok !== true || file.value.kind !== 'hosts') return undefined;
  const { hosts, hostOfRank, firstCoreOfRank, isRoom } = file.value;
  // A rankfile says which cores ranks have, not how many a host has for them: unless it gives numbers, as Hydra's `n1:2 binding=user:0,1`.
  if (!isRoom && firstCoreOfRank.some((core) => core >= 0)) return undefined;
  const nodes = nodesOfHosts(machine, hosts);
  if (!nodes.ok || (!isRoom && hostOfRank.length === hosts.length)) return undefined;
  const room = new Int32Array(machine.nodeCount);
  for (const host of hostOfRank) room[intAt(nodes.value, host)] = intAt(room, intAt(nodes.value, host)) + 1;
  return room;
}

function wantedNodes(request: AllocationRequest): Result<Int32Array> {
  const { argument, machine } = request;
  switch (argument?.kind) {
    case 'numbers':
      return listedNodes(argument.numbers, machine);
    case 'nodes':
      return namedNodes(request, argument.items);
    case 'file':
      return nodesOfFile(request, argument);
    default:
      return fail('missing-argument', 'The nodes are missing. Example: `allocate nodes [0..63]`.');
  }
}

/** Numbers and hostlists, in their order. */
function namedNodes({ machine }: AllocationRequest, items: readonly (number | string)[]): Result<Int32Array> {
  const parts: (number | readonly string[])[] = [];
  for (const item of items) {
    const part = typeof item === 'number' ? succeed(item) : expandHostlist(item);
    if (!part.ok) return fail('bad-hostlist', part.failure);
    parts.push(part.value);
  }
  const found = nodesOfHosts(
    machine,
    parts.flatMap((part) => (typeof part === 'number' ? [] : part)),
  );
  if (!found.ok) return found;
  const wanted: number[] = [];
  let next = 0;
  for (const part of parts) {
    if (typeof part === 'number') {
      wanted.push(part);
      continue;
    }
    const end = next + part.length;
    for (const node of found.value.subarray(next, end)) wanted.push(node);
    next = end;
  }
  return listedNodes(wanted, machine);
}

/** Each node once, as the file first names it. */
function nodesOfFile({ machine, givenFile }: AllocationRequest, source: GivenSource): Result<Int32Array> {
  const file = givenFile(source);
  if (!file.ok) return file;
  switch (file.value.kind) {
    case 'hosts': {
      const counted = file.value.hosts.find((host) => host.startsWith('+'));
      if (counted !== undefined) {
        return fail(
          'bad-mapping-file',
          `${quote(counted)} counts allocated hosts without naming them. Write the host names.`,
        );
      }
      const named = nodesOfHosts(machine, file.value.hosts);
      return named.ok ? succeed(Int32Array.from(new Set(named.value))) : named;
    }
    case 'slots':
      return listedNodes(file.value.slots, machine);
    case 'nodes':
      if (file.value.counted === 'machine') return listedNodes(new Set(file.value.numbers), machine);
      return fail(
        'bad-mapping-file',
        'The file counts allocated nodes without naming them. Use a file with host names.',
      );
    case 'coordinates': {
      const places = slotsOfCoordinates(machine, file.value);
      return places.ok ? listedNodes(new Set(places.value.map((slot) => nodeOfSlot(machine, slot))), machine) : places;
    }
    case 'job':
      return listedNodes(file.value.nodes, machine);
  }
}

export const sameAs: AllocatorEntry = {
  name: 'same-as',
  summary: 'the nodes that another placement was given, to compare mappers on them',
  source: 'Placewright',
  details: 'Each job uses the nodes of the job at the same position in the other placement.',
  argument: { kind: 'placement', summary: 'the other placement', required: true },
  options: [],
  allocate(request) {
    if (request.argument?.kind !== 'name') {
      return fail('missing-argument', 'The placement is missing. Example: `allocate same-as first-try`.');
    }
    const { name } = request.argument;
    const allocation = request.allocationOf(name);
    if (!allocation.ok) return allocation;
    const listed = listedNodes(allocation.value, request.machine);
    return listed.ok ? holdingAllocation(request, listed.value, `The allocation of \`${name}\``) : listed;
  },
};

/**
 * Node ids as listed, in that order. Fails with `no-such-node`, `broken-node` or `duplicate-node` at the first wrong one.
 */
function listedNodes(listed: Iterable<number>, machine: Machine): Result<Allocation> {
  const { nodeCount, topology } = machine;
  const seen = new Uint8Array(nodeCount);
  for (const node of listed) {
    if (!Number.isInteger(node) || node < 0 || node >= nodeCount) {
      return fail('no-such-node', `Unknown node ${node}: the nodes are 0 to ${nodeCount - 1}.`);
    }
    if (!nodeWorks(topology, node)) {
      const name = nodeName(machine, asNodeId(node));
      return fail(
        'broken-node',
        `Node ${name} has failed (\`without\` of machine \`${machine.name}\`). Use another node.`,
      );
    }
    if (seen[node] === 1) return fail('duplicate-node', `Node ${node} is listed twice. Remove one.`);
    seen[node] = 1;
  }
  return succeed(Int32Array.from(listed));
}
