import type { FabricWarning, NodeShape } from '../../model/fabric.ts';
import { type Result, succeed } from '../../model/result.ts';
import { isEmptySet, readCpuset } from './cpuset.ts';

/** An element `object` of hwloc's XML; `Socket` is the word of hwloc 1 for `Package`. */
export interface HwlocObject {
  readonly '@type'?: string;
  readonly '@os_index'?: string;
  readonly '@cpuset'?: string;
  readonly '@allowed_cpuset'?: string;
  readonly '@online_cpuset'?: string;
  readonly object?: readonly HwlocObject[];
}

/** What is counted of a tree of objects. */
interface Tally {
  /** Cores with a usable processing unit, per socket. */
  readonly coresOfSocket: number[];
  /** Usable processing units, per socket. */
  readonly unitsOfSocket: number[];
  /** Cores without one. */
  idleCores: number;
  numaNodes: number;
  /** NUMA nodes without cores: memory of GPUs or of expansion cards. */
  bareMemories: number;
}

type Usable = (index: number) => boolean;

/** Sockets, cores and NUMA nodes of a machine. O(objects). Fails with a sentence without its place. */
export function shapeOf(roots: readonly HwlocObject[]): Result<NodeShape, string> {
  const machine = roots[0];
  if (!machine) return { ok: false, failure: 'The file has no object: it was cut off, or is no hwloc file.' };
  const allowed = readCpuset(machine['@allowed_cpuset']);
  const online = readCpuset(machine['@online_cpuset']);
  const tally: Tally = { coresOfSocket: [], unitsOfSocket: [], idleCores: 0, numaNodes: 0, bareMemories: 0 };
  const sockets = socketsOf(machine);
  for (const socket of sockets.length > 0 ? sockets : [machine]) {
    const units = countUnits(socket, (index) => allowed(index) && online(index), tally);
    tally.unitsOfSocket.push(units);
  }
  countMemories(machine, tally);
  return summarise(tally, sockets.length);
}

/** All objects below one and itself, in the order of the file. */
function* descend(root: HwlocObject): Generator<HwlocObject> {
  const open = [root];
  for (let item = open.pop(); item; item = open.pop()) {
    yield item;
    for (const child of item.object?.toReversed() ?? []) open.push(child);
  }
}

function socketsOf(machine: HwlocObject): HwlocObject[] {
  return Array.from(descend(machine)).filter((item) => item['@type'] === 'Package' || item['@type'] === 'Socket');
}

/** Adds the socket's cores to the tally; returns its usable processing units. */
function countUnits(socket: HwlocObject, usable: Usable, tally: Tally): number {
  let cores = 0;
  for (const item of descend(socket)) {
    if (item['@type'] !== 'Core') continue;
    if (usableUnits(item, usable) > 0) cores++;
    else tally.idleCores++;
  }
  tally.coresOfSocket.push(cores);
  return usableUnits(socket, usable);
}

function usableUnits(root: HwlocObject, usable: Usable): number {
  let units = 0;
  for (const item of descend(root)) {
    if (item['@type'] === 'PU' && usable(Number(item['@os_index'] ?? 0))) units++;
  }
  return units;
}

function countMemories(machine: HwlocObject, tally: Tally): void {
  for (const item of descend(machine)) {
    if (item['@type'] !== 'NUMANode') continue;
    if (isEmptySet(item['@cpuset'] ?? '0x1')) tally.bareMemories++;
    else tally.numaNodes++;
  }
}

function summarise(tally: Tally, packages: number): Result<NodeShape, string> {
  const warnings: FabricWarning[] = [];
  const warn = (message: string): number => warnings.push({ message });
  const hasCores = tally.idleCores > 0 || tally.coresOfSocket.some((cores) => cores > 0);
  const counts = (hasCores ? tally.coresOfSocket : tally.unitsOfSocket).filter((cores) => cores > 0);
  if (counts.length === 0) {
    return { ok: false, failure: 'The machine has no core with a processing unit that is online and allowed.' };
  }
  if (packages === 0) warn('No package is listed: the machine counts as one socket.');
  if (!hasCores) warn('No core is listed: every processing unit counts as one.');
  const empty = tally.coresOfSocket.length - counts.length;
  if (empty > 0) warn(`Sockets without a usable core: ${empty}; left out.`);
  if (tally.idleCores > 0) warn(`Cores that are offline or not allowed: ${tally.idleCores}; left out.`);
  if (tally.bareMemories > 0)
    warn(`NUMA nodes without cores (memory of GPUs or cards): ${tally.bareMemories}; left out.`);
  const coresPerSocket = Math.min(...counts);
  if (counts.some((cores) => cores > coresPerSocket)) {
    warn(`Sockets have ${counts.join(', ')} cores: all count as having ${coresPerSocket}, the fewest.`);
  }
  return succeed({ sockets: counts.length, coresPerSocket, numaNodes: Math.max(1, tally.numaNodes), warnings });
}
