/**
 * The inside of the nodes of a machine, of its declaration or of the file of `node`: what slots are, on which sockets, how far
 * apart, and which network adapter is next to each.
 */
import type { DevicePath, NodeDevice, NodeShape } from '../model/fabric.ts';
import type { Topology } from '../model/machine.ts';
import {
  hopsOfKind,
  insideOfCores,
  insideUnit,
  mostGpus,
  nearestRails,
  slotKindOf,
  type CoreRange,
  type InsideDistances,
  type NodeInside,
  type SystemNumbers,
} from '../model/nodeInside.ts';
import { countOf, formatNumber } from '../model/quantities.ts';
import { fail, succeed, type Result } from '../model/result.ts';
import { intAt, itemAt, realAt } from '../numeric/elements.ts';
import type { GpuDescription, MachineDescription, MachineFiles } from './contract.ts';

/** Sockets whose distances are kept. */
const mostSockets = 1024;

/** What is said of a node, before it is known how it hangs on the network. */
export interface NodeParts {
  readonly sockets: number;
  /** Cores of each socket, or of each of all. */
  readonly cores: number | readonly number[];
  readonly coresUnstated?: true;
  readonly systemNumbers?: SystemNumbers;
  readonly slots: NodeInside['slots'];
  readonly gpus: readonly NodeDevice[];
  readonly nics: readonly NodeDevice[];
  /** How two of them reach each other, GPUs first, then NICs; undefined where nobody says. */
  readonly path: (one: number, other: number) => Path | undefined;
  readonly countsInside: boolean;
}

type Path = Pick<DevicePath, 'kind' | 'links'>;

/** Slots of each node, known before anything of that size is made. */
export const slotsOfNode = ({ slots, sockets, cores, gpus }: NodeParts): number => {
  if (slots === 'gpus') return gpus.length;
  return typeof cores === 'number' ? sockets * cores : cores.reduce((sum, own) => sum + own, 0);
};

/**
 * What a declaration and its file say of a node. Fails with `invalid-count`, `no-gpus` and what the file says. O(devices²).
 */
export function partsOfNode(
  description: MachineDescription,
  files: Pick<MachineFiles, 'nodeShape'>,
): Result<NodeParts> {
  const { name, nodeFile, hosts = 1, coresPerSocket } = description;
  const cores = description.coresOfSockets ?? coresPerSocket;
  const sockets = description.coresOfSockets?.length ?? description.socketsPerNode;
  if (![hosts, sockets].concat(cores).every((count) => Number.isInteger(count) && count >= 1)) {
    return fail('invalid-count', `Machine \`${name}\` needs at least 1 host, 1 socket and 1 core (whole numbers).`);
  }
  const slots = slotKindOf(description);
  const how = { slots, countsInside: description.countsInside ?? slots === 'gpus' };
  const { coresUnstated } = description;
  if (nodeFile === undefined)
    return partsOfDeclaration(description, { sockets, cores, ...(coresUnstated && { coresUnstated }), ...how });
  const shape = files.nodeShape(nodeFile);
  return shape.ok ? partsOfFile(description, shape.value, how) : shape;
}

function partsOfDeclaration(
  { name, gpus, rails }: MachineDescription,
  sizes: Omit<NodeParts, 'gpus' | 'nics' | 'path'>,
): Result<NodeParts> {
  const { sockets, slots, countsInside } = sizes;
  if (slots === 'gpus' && gpus === undefined) {
    return noGpus(name, 'Add `gpus` with their number');
  }
  if (slots === 'cores' && countsInside && sockets > mostSockets) {
    return fail(
      'invalid-count',
      `Machine \`${name}\` has ${formatNumber(sockets)} sockets per node; \`inside counted\` supports at most ${mostSockets}. Remove \`inside counted\`.`,
    );
  }
  const devices = gpus && declaredDevices(gpus, sockets, rails?.count);
  return succeed({ ...sizes, ...(devices ?? { gpus: [], nics: [], path: () => undefined }) });
}

const noGpus = (machine: string, why: string): Result<never> =>
  fail('no-gpus', `\`slots gpus\` of machine \`${machine}\` needs GPUs. ${why}, or remove \`slots gpus\`.`);

function partsOfFile(
  { name, coresInFile }: MachineDescription,
  shape: NodeShape,
  how: Pick<NodeParts, 'slots' | 'countsInside'>,
): Result<NodeParts> {
  const cores = coresOfFile(name, coresInFile, shape);
  if (!cores.ok) return cores;
  const { paths = [] } = shape;
  // Which of its cores a device is next to is not known where tasks may not run on all.
  const devices = (shape.devices ?? []).map(({ cores: near, ...device }) =>
    coresInFile === undefined && near !== undefined ? { ...device, cores: near } : device,
  );
  const [gpus, nics] = [devices.filter(({ kind }) => kind === 'gpu'), devices.filter(({ kind }) => kind === 'nic')];
  if (how.slots === 'gpus' && gpus.length === 0) return noGpus(name, 'Use a `node` file that has GPUs');
  if (gpus.length > mostGpus) {
    return fail(
      'bad-node',
      `Machine \`${name}\` has ${countOf(gpus.length, 'GPU')} per node; the maximum is ${formatNumber(mostGpus)}.`,
    );
  }
  const order = [...gpus, ...nics].map((device) => devices.indexOf(device));
  const known = new Map(paths.map((path) => [path.from * devices.length + path.to, path]));
  const path = (one: number, other: number): Path | undefined => {
    const [from, to] = [itemAt(order, one), itemAt(order, other)];
    return known.get(Math.min(from, to) * devices.length + Math.max(from, to));
  };
  // Where the file counts threads, those of the cores that `cores` says are not known, but the first of each is.
  const systemNumbers = shape.systemNumbers?.map((own, socket) => own.slice(0, itemAt(cores.value, socket)));
  const numbers = systemNumbers && { systemNumbers };
  return succeed({ sockets: cores.value.length, cores: cores.value, ...numbers, ...how, gpus, nics, path });
}

/** Cores of each socket: as the file has them, or those of them that `cores` leaves to tasks. */
function coresOfFile(
  name: string,
  written: readonly number[] | undefined,
  { coresOfSockets, coresUnknown }: NodeShape,
): Result<readonly number[]> {
  if (written === undefined)
    return coresUnknown === undefined ? succeed(coresOfSockets) : fail('bad-node', coresUnknown);
  const [first = 1] = written;
  const chosen = written.length === 1 ? coresOfSockets.map(() => first) : written;
  // A file that knows of no cores may know next to which of several sockets its GPUs are, and else says nothing of sockets.
  if (coresUnknown !== undefined && (coresOfSockets.length === 1 || chosen.length === coresOfSockets.length)) {
    return succeed(chosen);
  }
  const refuse = (message: string): Result<never> => fail('cores-beside-file', message);
  if (chosen.length !== coresOfSockets.length) {
    return refuse(
      `\`cores\` of machine \`${name}\` has values for ${countOf(chosen.length, 'socket')}; the file of \`node\` has ${formatNumber(coresOfSockets.length)}. Give as many, or one for all.`,
    );
  }
  const socket = chosen.findIndex((count, at) => count > itemAt(coresOfSockets, at));
  if (socket < 0) return succeed(chosen);
  return refuse(
    `\`cores\` of machine \`${name}\` gives socket ${socket} ${countOf(itemAt(chosen, socket), 'core')}; the file of \`node\` has only ${formatNumber(itemAt(coresOfSockets, socket))}. Reduce the number.`,
  );
}

/**
 * GPUs and NICs of a declaration: both dealt to the sockets in order, and to each other, each NIC beside its GPUs below one PCIe bridge, as in
 * DGX systems and their like; what is on one socket else meets at its host bridges.
 */
function declaredDevices(
  { count, allLinks, links }: GpuDescription,
  sockets: number,
  rails: number | undefined,
): Pick<NodeParts, 'gpus' | 'nics' | 'path'> {
  const nicCount = rails ?? 0;
  const socketOf = (index: number, all: number): number => Math.floor((index * sockets) / all);
  const gpus = Array.from({ length: count }, (_, gpu): NodeDevice => ({
    kind: 'gpu',
    name: `GPU${gpu}`,
    socket: socketOf(gpu, count),
  }));
  const nics = Array.from({ length: nicCount }, (_, nic): NodeDevice => ({
    kind: 'nic',
    name: `NIC${nic}`,
    socket: socketOf(nic, nicCount),
  }));
  const devices = [...gpus, ...nics];
  // The bridge of a device: as many bridges as there are of the fewer.
  const bridges = Math.min(count, nicCount);
  const bridgeOf = (device: number): number =>
    device < count ? Math.floor((device * bridges) / count) : Math.floor(((device - count) * bridges) / nicCount);
  const direct = new Map(
    links.map((link) => [Math.min(link.from, link.to) * count + Math.max(link.from, link.to), link.links]),
  );
  const path = (one: number, other: number): Path => {
    const [from, to] = [Math.min(one, other), Math.max(one, other)];
    const own = to < count ? (direct.get(from * count + to) ?? allLinks) : undefined;
    if (own !== undefined) return { kind: 'NV', links: own };
    if (bridges > 0 && bridgeOf(from) === bridgeOf(to)) return { kind: 'PIX' };
    return { kind: itemAt(devices, from).socket === itemAt(devices, to).socket ? 'NODE' : 'SYS' };
  };
  return { gpus, nics, path };
}

/** The inside of nodes on a topology, which knows how many rails they have. O(slots + GPUs³ + classes · rails). */
export function insideOfNode(parts: NodeParts, { rails }: Pick<Topology, 'rails'>): NodeInside {
  const { sockets, cores, coresUnstated, systemNumbers, slots, countsInside } = parts;
  const coresOfSockets = typeof cores === 'number' ? new Array<number>(sockets).fill(cores) : cores;
  const known = { ...(coresUnstated && { coresUnstated }), ...(systemNumbers && { systemNumbers }) };
  if (slots === 'gpus') return { ...insideOfGpus(parts, coresOfSockets, rails), ...known };
  const inside = { ...insideOfCores(coresOfSockets), ...known };
  const railOfSlot = railsOfCores(inside, rails?.count ?? 1);
  const distances = countsInside ? { distances: betweenSockets(inside) } : {};
  return { ...inside, ...(railOfSlot && { railOfSlot }), ...distances };
}

function insideOfGpus(parts: NodeParts, coresOfSockets: readonly number[], rails: Topology['rails']): NodeInside {
  const { sockets, gpus, countsInside } = parts;
  // Where the file does not say it, they are dealt in order, which its reader tells.
  const socketOfSlot = Int32Array.from(gpus, ({ socket }, gpu) => socket ?? Math.floor((gpu * sockets) / gpus.length));
  const toRails = distancesToRails(parts, rails);
  const railOfSlot = toRails && rails && nearestRails(toRails, rails.count);
  const classOfSlot = Int32Array.from(gpus.keys());
  const distances: InsideDistances = {
    classCount: gpus.length,
    classOfSlot,
    between: betweenGpus(parts),
    ...(toRails && { toRails }),
  };
  return {
    slots: 'gpus',
    coresOfSockets,
    socketOfSlot,
    coresOfGpus: coresBeside(gpus, socketOfSlot, coresOfSockets),
    gpus: gpus.map(({ name }) => name),
    ...(gpus.some(({ maker }) => maker !== undefined) && { makersOfGpus: gpus.map(({ maker }) => maker) }),
    ...(railOfSlot && { railOfSlot }),
    ...(countsInside && { distances }),
  };
}

/**
 * Cores of its socket for each GPU: those beside it where the file says which, else all, dealt in order to the GPUs that have the same.
 * GPUs share a core only where there are fewer cores than GPUs.
 */
function coresBeside(
  gpus: readonly NodeDevice[],
  socketOfSlot: Int32Array,
  coresOfSockets: readonly number[],
): readonly CoreRange[] {
  const near = gpus.map(({ cores }, gpu) => {
    const socket = intAt(socketOfSlot, gpu);
    return { socket, first: 0, count: itemAt(coresOfSockets, socket), ...cores };
  });
  const keys = near.map(({ socket, first, count }) => `${socket} ${first} ${count}`);
  return near.map(({ socket, first, count }, gpu) => {
    const alike = keys.filter((key) => key === keys[gpu]).length;
    const index = keys.slice(0, gpu).filter((key) => key === keys[gpu]).length;
    const start = Math.floor((index * count) / alike);
    const end = Math.max(start + 1, Math.floor(((index + 1) * count) / alike));
    return { socket, first: first + start, last: first + end - 1 };
  });
}

/** Where sockets have as many rails each, those of a socket are dealt to its cores; undefined where rails are dealt to all cores. */
function railsOfCores({ coresOfSockets, socketOfSlot }: NodeInside, rails: number): Int32Array | undefined {
  const each = rails / coresOfSockets.length;
  if (rails === 1 || !Number.isInteger(each)) return undefined;
  let [socket, index] = [-1, 0];
  return socketOfSlot.map((own) => {
    index = own === socket ? index + 1 : 0;
    socket = own;
    return own * each + Math.floor((index * each) / itemAt(coresOfSockets, own));
  });
}

/** Cores of a socket share its caches and its memory and are 0 apart. */
function betweenSockets({ coresOfSockets, socketOfSlot }: NodeInside): InsideDistances {
  const classCount = coresOfSockets.length;
  const between = new Float64Array(classCount ** 2).fill(hopsOfKind('SYS'));
  for (let socket = 0; socket < classCount; socket++) between[socket * classCount + socket] = 0;
  return { classCount, classOfSlot: socketOfSlot, between };
}

const rounded = (hops: number): number => Math.round(hops / insideUnit) * insideUnit;

/**
 * Direct links of GPUs count less the more there are side by side, and lead on over other GPUs; where PCI is nearer it is taken. The widest
 * of the node are an eighth of a hop long, those with half as many links two eighths. Floyd and Warshall, O(GPUs³).
 */
function betweenGpus({ gpus, path }: NodeParts): Float64Array {
  const count = gpus.length;
  const between = new Float64Array(count ** 2).fill(Infinity);
  const overPci = new Float64Array(count ** 2).fill(hopsOfKind('SYS'));
  const pairs = Array.from(
    { length: count ** 2 },
    (_, pair) => [Math.floor(pair / count), pair % count] as const,
  ).filter(([one, other]) => one !== other);
  const widest = pairs.reduce((most, [one, other]) => Math.max(most, path(one, other)?.links ?? 0), 1);
  for (const [one, other] of pairs) {
    const { kind, links = 1 } = path(one, other) ?? { kind: 'SYS' };
    if (kind === 'NV') between[one * count + other] = rounded((hopsOfKind('NV') * widest) / links);
    else overPci[one * count + other] = hopsOfKind(kind);
  }
  for (let by = 0; by < count; by++) {
    for (let one = 0; one < count; one++) {
      for (let other = 0; other < count; other++) {
        const way = realAt(between, one * count + by) + realAt(between, by * count + other);
        if (way < realAt(between, one * count + other)) between[one * count + other] = way;
      }
    }
  }
  for (let pair = 0; pair < between.length; pair++)
    between[pair] = Math.min(realAt(between, pair), realAt(overPci, pair));
  for (let gpu = 0; gpu < count; gpu++) between[gpu * count + gpu] = 0;
  return between;
}

/**
 * From each GPU to the adapter of each rail; to its nearest adapter where nodes have one link, which stands for all of them. Undefined
 * where nothing is said of adapters.
 */
function distancesToRails({ gpus, nics, path }: NodeParts, rails: Topology['rails']): Float64Array | undefined {
  if (nics.length === 0) return undefined;
  const far = (gpu: number, nic: number): number => hopsOfKind(path(gpu, gpus.length + nic)?.kind ?? 'SYS');
  const nicsOfRails = adaptersOfRails(nics, rails, (nic) =>
    gpus.reduce((least, _, gpu) => Math.min(least, far(gpu, nic)), Infinity),
  );
  return Float64Array.from(
    gpus.flatMap((_, gpu) =>
      nicsOfRails.map((own) => own.reduce((least, nic) => Math.min(least, far(gpu, nic)), Infinity)),
    ),
  );
}

/**
 * The adapters of a node that each rail is: those of its names where the network has names; else the file's in their order, of more than
 * there are rails the ones nearest to a GPU; rails beyond the last are the first again.
 */
function adaptersOfRails(
  nics: readonly NodeDevice[],
  rails: Topology['rails'],
  nearest: (nic: number) => number,
): readonly (readonly number[])[] {
  const all = Array.from(nics.keys());
  if (rails === undefined) return [all];
  const named = Array.from({ length: rails.count }, (_, rail) => {
    const name = rails.adapters?.[intAt(rails.portOfRail, rail)] ?? '';
    return nics.findIndex((nic) => nic.name === name);
  });
  if (named.every((nic) => nic >= 0)) return named.map((nic) => [nic]);
  const chosen = all
    .toSorted((one, other) => nearest(one) - nearest(other) || one - other)
    .slice(0, rails.count)
    .toSorted((one, other) => one - other);
  return Array.from({ length: rails.count }, (_, rail) => [itemAt(chosen, rail % chosen.length)]);
}
