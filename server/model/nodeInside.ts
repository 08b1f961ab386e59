/**
 * The inside of a compute node: its slots by socket, and how far its GPUs are from each other and from the network adapters.
 * All nodes of a machine are alike. `network/nodeInside.ts` makes it of a declaration or a file.
 */
import { countOf } from './quantities.ts';
import type { RailUse } from './rails.ts';

/** What tasks run on: a slot is one of them. */
export const slotKinds = ['cores', 'gpus'] as const;
export type SlotKind = (typeof slotKinds)[number];

/** What tasks of a declaration run on: as `slots` says, else GPUs where it has some. */
export const slotKindOf = ({ slots, gpus }: { readonly slots?: SlotKind; readonly gpus?: unknown }): SlotKind =>
  slots ?? (gpus === undefined ? 'cores' : 'gpus');

/** GPUs that a node may have. */
export const mostGpus = 256;

/** What one slot is called. */
export const slotNoun = (slots: SlotKind | undefined): 'core' | 'GPU' => (slots === 'gpus' ? 'GPU' : 'core');

/** `12 cores`, `8 GPUs`. */
export const countOfSlots = (count: number, slots: SlotKind | undefined): string => countOf(count, slotNoun(slots));

export type GpuMaker = 'nvidia' | 'amd' | 'intel';

/** Cores of one socket, counted there from 0, the last included. */
export interface CoreRange {
  readonly socket: number;
  readonly first: number;
  readonly last: number;
}

/** The numbers of the operating system for the hardware threads of each core of each socket, ascending for a core. */
export type SystemNumbers = readonly (readonly (readonly number[])[])[];

export interface NodeInside {
  /** What each slot is. */
  readonly slots: SlotKind;
  /** Cores of each socket. */
  readonly coresOfSockets: readonly number[];
  /** Nobody says how many cores nodes have: `coresOfSockets` has one for each socket, to which no task is bound. */
  readonly coresUnstated?: true;
  /** Where a file says them. */
  readonly systemNumbers?: SystemNumbers;
  /** Socket of each slot of a node, by its number on the node. Cores stand socket by socket, GPUs in the order of their numbers. */
  readonly socketOfSlot: Int32Array;
  /** Cores beside each slot where slots are GPUs, counted on its socket, with the last of them; no two GPUs share one where there are enough. */
  readonly coresOfGpus?: readonly CoreRange[];
  /** Names of the GPUs, where slots are GPUs: as the file calls them, else `GPU0`, `GPU1`, …. */
  readonly gpus?: readonly string[];
  /** Maker of each GPU, where slots are GPUs and these are of several. */
  readonly makersOfGpus?: readonly (GpuMaker | undefined)[];
  /**
   * The rail next to each slot where nodes have several, see {@link nearestRails}; absent where they are dealt to all slots in order.
   */
  readonly railOfSlot?: Int32Array;
  /** Present where distances inside a node count. */
  readonly distances?: InsideDistances;
}

/** Distances between slots, by their class: each GPU is one of its own, cores of a socket are one. Hops, in multiples of {@link insideUnit}. */
export interface InsideDistances {
  readonly classCount: number;
  /** Class of each slot, by its number on the node. */
  readonly classOfSlot: Int32Array;
  /** At class · classes + class. Symmetric; 0 from a class to itself. */
  readonly between: Float64Array;
  /**
   * At class · rails + rail, to the adapter of that rail; to the nearest adapter where nodes have one link. Absent where nothing is
   * said of adapters: then the way to them counts nothing.
   */
  readonly toRails?: Float64Array;
}

/**
 * How two devices of a node reach each other, the nearest first, as NCCL and `nvidia-smi topo -m` tell them apart. Each is an eighth of a
 * hop farther than the one before, so that the farthest devices of a node are nearer than the nearest other node is. The order
 * is that of NCCL (src/graph/topo.h, PATH_NVL to PATH_SYS, and PATH_NET behind them).
 */
export const insideLevels = [
  { kind: 'NV', hops: 1 / 8, words: 'NVLink, NVSwitch or Infinity Fabric' },
  { kind: 'PIX', hops: 2 / 8, words: 'one PCIe bridge' },
  { kind: 'PXB', hops: 3 / 8, words: 'several PCIe bridges' },
  { kind: 'PHB', hops: 4 / 8, words: 'the PCIe host bridge' },
  { kind: 'NODE', hops: 5 / 8, words: 'host bridges of one NUMA node' },
  { kind: 'SYS', hops: 6 / 8, words: 'the connection between sockets or NUMA nodes' },
] as const;

/** Distances inside a node are multiples of this. */
export const insideUnit = 1 / 64;

/** Hops of a way of one kind. */
export const hopsOfKind = (kind: (typeof insideLevels)[number]['kind']): number =>
  insideLevels.find((level) => level.kind === kind)?.hops ?? 1;

/**
 * The rail that each slot is next to: slots that have the same nearest rails are dealt to them in their order, slot i of n to the
 * ⌊i · k / n⌋-th of k. O(slots · rails).
 */
export function nearestRails(toRails: Float64Array, railCount: number): Int32Array {
  const slotCount = toRails.length / railCount;
  const groups = new Map<string, { readonly rails: readonly number[]; readonly slots: number[] }>();
  for (let slot = 0; slot < slotCount; slot++) {
    const row = toRails.subarray(slot * railCount, (slot + 1) * railCount);
    const least = row.reduce((nearest, hops) => Math.min(nearest, hops), Infinity);
    const rails = Array.from(row.keys()).filter((rail) => row[rail] === least);
    const key = rails.join(' ');
    const group = groups.get(key) ?? { rails, slots: [] };
    groups.set(key, group);
    group.slots.push(slot);
  }
  const railOfSlot = new Int32Array(slotCount);
  for (const { rails, slots } of groups.values()) {
    for (const [index, slot] of slots.entries())
      railOfSlot[slot] = rails[Math.floor((index * rails.length) / slots.length)] ?? 0;
  }
  return railOfSlot;
}

/**
 * Hops between a slot of each class and the network, as tasks use the rails of their node: the nearest adapter, one of them, or the mean
 * of all. Undefined where that counts nothing. O(classes · rails).
 */
export function waysOut({
  inside: { distances, railOfSlot },
  rails,
}: {
  readonly inside: NodeInside;
  readonly rails?: { readonly use: RailUse };
}): Float64Array | undefined {
  const { classCount, toRails } = distances ?? {};
  if (classCount === undefined || toRails === undefined) return undefined;
  const railCount = toRails.length / classCount;
  return Float64Array.from({ length: classCount }, (_, one) => {
    const row = toRails.subarray(one * railCount, (one + 1) * railCount);
    if (rails?.use.kind === 'only') return row[Math.min(rails.use.rail, railCount - 1)] ?? 0;
    // A GPU is a class of its own.
    if (rails?.use.kind === 'own') return row[railOfSlot?.[one] ?? 0] ?? 0;
    return row.reduce((sum, hops) => sum + hops, 0) / railCount;
  });
}

/** The cores that the task on a slot may be bound to: the slot itself, or the cores beside the GPU. O(sockets). */
export function coresOfSlot({ coresOfGpus, coresOfSockets, socketOfSlot }: NodeInside, slot: number): CoreRange {
  const ofGpu = coresOfGpus?.[slot];
  if (ofGpu !== undefined) return ofGpu;
  const socket = socketOfSlot[slot] ?? 0;
  let core = slot;
  for (let before = 0; before < socket; before++) core -= coresOfSockets[before] ?? 0;
  return { socket, first: core, last: core };
}

/**
 * The slot of a node that is a core, counted on a socket, or through the node where that is −1; the GPU beside it where slots are GPUs. Undefined
 * where there is none. O(sockets + GPUs).
 */
export function slotOfCore(
  { coresOfGpus, coresOfSockets }: NodeInside,
  socket: number,
  core: number,
): number | undefined {
  let [own, rest] = [Math.max(0, socket), core];
  if (socket < 0) while (rest >= (coresOfSockets[own] ?? Infinity)) rest -= coresOfSockets[own++] ?? 0;
  if (rest >= (coresOfSockets[own] ?? 0)) return undefined;
  if (coresOfGpus === undefined) return coresOfSockets.slice(0, own).reduce((sum, cores) => sum + cores, rest);
  const gpu = coresOfGpus.findIndex(({ socket: of, first, last }) => of === own && first <= rest && rest <= last);
  return gpu < 0 ? undefined : gpu;
}

/** Nodes whose slots are cores and whose inside costs nothing: `coresOfSockets` says all of them. */
export function insideOfCores(coresOfSockets: readonly number[]): NodeInside {
  const socketOfSlot = Int32Array.from(
    coresOfSockets.flatMap((cores, socket) => new Array<number>(cores).fill(socket)),
  );
  return { slots: 'cores', coresOfSockets, socketOfSlot };
}

/** What a machine says so that each of its nodes holds so many tasks: the beginning of an advice. */
export function adviceOfRoom({ slots, coresOfSockets }: NodeInside, tasks: number): string {
  if (slots === 'gpus') return `write \`gpus ${tasks}\` in the machine`;
  const isAlike = coresOfSockets.every((cores) => cores === coresOfSockets[0]);
  return isAlike
    ? `write \`cores ${Math.ceil(tasks / coresOfSockets.length)}\` in the machine`
    : 'give the sockets of the machine more `cores`';
}

/** `2 x 8 cores (sockets x cores of each)`, `24 + 16 cores (of each socket)`. */
export function coresText({ coresOfSockets }: Pick<NodeInside, 'coresOfSockets'>): string {
  const [first = 1] = coresOfSockets;
  return coresOfSockets.every((cores) => cores === first)
    ? `${coresOfSockets.length} x ${first} cores (sockets x cores of each)`
    : `${coresOfSockets.join(' + ')} cores (of each socket)`;
}

/** `2 sockets of 16 cores`, `sockets of 24 + 16 cores`. */
export function socketsText(coresOfSockets: readonly number[]): string {
  const [first = 1] = coresOfSockets;
  return coresOfSockets.every((cores) => cores === first)
    ? `${countOf(coresOfSockets.length, 'socket')} of ${countOf(first, 'core')}`
    : `sockets of ${coresOfSockets.join(' + ')} cores`;
}
