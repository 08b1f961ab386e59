/**
 * What the processes of a job send to one another: the communication patterns of Alsardia 2017, section 4.1, as packet
 * sources. A message is one packet. Every pattern may be sent several times over, one iteration after the other.
 */
import { drawSeed, type RandomSource } from '../model/random.ts';
import { volumeOf, type Shape } from '../model/shape.ts';
import { intAt, itemAt } from '../numeric/elements.ts';
import type { PacketSource } from './messages.ts';

/** The root sends to processes 0, 1, 2 … without itself. */
export function oneToAll(processCount: number, root: number, iterations = 1): PacketSource {
  const others = processCount - 1;
  return {
    processCount,
    packetCount: others * iterations,
    packetsOf: (process) => (process === root ? others * iterations : 0),
    senders: others * iterations > 0 ? [root] : [],
    destinationOf: (_, index) => withoutItself(root, index % others),
  };
}

/**
 * Whom a process of {@link allToAll} sends to first: `ascending` is 0, 1, 2 … without itself, the same for all, so that a hot
 * spot wanders; `ring` is p + 1, p + 2 … modulo the processes.
 */
export type AllToAllOrder = 'ascending' | 'ring';

/** Every process sends to each other one. */
export function allToAll(processCount: number, order: AllToAllOrder = 'ascending', iterations = 1): PacketSource {
  const others = processCount - 1;
  const inRing = (process: number, index: number): number => (process + 1 + (index % others)) % processCount;
  return {
    processCount,
    packetCount: processCount * others * iterations,
    packetsOf: () => others * iterations,
    destinationOf: order === 'ring' ? inRing : (process, index) => withoutItself(process, index % others),
  };
}

/** Destination `index` of a process that sends to 0, 1, 2 … without itself. */
const withoutItself = (process: number, index: number): number => (index < process ? index : index + 1);

/** So few senders are kept one by one: looking for them is quicker than an array for all processes. */
const fewMessages = 8;

/**
 * Messages between random pairs of different processes, each pair drawn anew and uniformly. A job of one process sends nothing.
 * O(messages) time to draw the senders, O(processes) memory: receivers are a function of sender and index.
 */
export function randomPairs(processCount: number, messages: number, random: RandomSource): PacketSource {
  const packetCount = processCount > 1 ? messages : 0;
  const sends =
    packetCount <= fewMessages
      ? fewSends(processCount, packetCount, random)
      : manySends(processCount, packetCount, random);
  const seed = drawSeed(random);
  return {
    processCount,
    packetCount,
    ...sends,
    destinationOf: (process, index) =>
      withoutItself(process, Math.floor((mixedThrice(seed, process, index) / 2 ** 32) * (processCount - 1))),
  };
}

type Sends = Pick<PacketSource, 'packetsOf' | 'senders'>;

function fewSends(processCount: number, messages: number, random: RandomSource): Sends {
  const senderOf: number[] = [];
  for (let message = 0; message < messages; message++) senderOf.push(random.integer(processCount));
  const packetsOf = (process: number): number => {
    let packets = 0;
    for (let message = 0; message < messages; message++) if (senderOf[message] === process) packets++;
    return packets;
  };
  const senders = messages < 2 ? senderOf : [...new Set(senderOf)].sort((a, b) => a - b);
  return { packetsOf, senders };
}

function manySends(processCount: number, messages: number, random: RandomSource): Sends {
  const sends = new Int32Array(processCount);
  for (let message = 0; message < messages; message++) {
    const sender = random.integer(processCount);
    sends[sender] = intAt(sends, sender) + 1;
  }
  return { packetsOf: (process) => intAt(sends, process) };
}

/** A number of 32 bits that depends on all bits of three: the finaliser of MurmurHash3, applied to one after the other. */
function mixedThrice(seed: number, process: number, index: number): number {
  return finalised(finalised(finalised(seed) ^ process) ^ index) >>> 0;
}

function finalised(value: number): number {
  let bits = (value + 0x9e3779b9) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/**
 * Every process sends to its neighbours in the job's own grid, where process = x + width·(y + height·z): left, right, up, down,
 * then along z. The grid does not wrap.
 */
export function nearNeighbour(sides: Shape, iterations = 1): PacketSource {
  const processCount = volumeOf(sides);
  const strides = sides.map((_, axis) => volumeOf(sides.slice(0, axis)));
  const { start, neighbours } = neighbourRows(sides, strides);
  const edges = sides.reduce((sum, side) => sum + ((side - 1) * processCount) / side, 0);
  return {
    processCount,
    packetCount: 2 * edges * iterations,
    packetsOf: (process) => (intAt(start, process + 1) - intAt(start, process)) * iterations,
    destinationOf: (process, index) => {
      const first = intAt(start, process);
      return intAt(neighbours, first + (index % (intAt(start, process + 1) - first)));
    },
  };
}

/** The neighbours of process p are `neighbours[start[p]] … neighbours[start[p + 1] − 1]`. O(processes · axes). */
function neighbourRows(sides: Shape, strides: readonly number[]) {
  const processCount = volumeOf(sides);
  const start = new Int32Array(processCount + 1);
  const neighbours = new Int32Array(2 * sides.length * processCount);
  let end = 0;
  for (let process = 0; process < processCount; process++) {
    for (let axis = 0; axis < sides.length; axis++) {
      const side = itemAt(sides, axis);
      const stride = itemAt(strides, axis);
      const position = ((process / stride) | 0) % side;
      // On x the lower neighbour is first (left, right), on the other axes the higher one (up, down: y grows upwards).
      const isLeftFirst = axis === 0;
      if (isLeftFirst && position > 0) neighbours[end++] = process - stride;
      if (position < side - 1) neighbours[end++] = process + stride;
      if (!isLeftFirst && position > 0) neighbours[end++] = process - stride;
    }
    start[process + 1] = end;
  }
  return { start, neighbours };
}

/** Which node of an allocation a process runs on: nodes by ascending NodeId (`row-major` on grids), or as they were allocated. */
export type ProcessOrder = 'row-major' | 'allocated';

/** NodeId of each process of a job, one process a node. O(n log n); O(n) where they are in order, as many allocators give them. */
export function nodesOfProcesses(allocated: Int32Array, order: ProcessOrder): Int32Array {
  if (order === 'allocated') return allocated;
  for (let process = 1; process < allocated.length; process++) {
    if (intAt(allocated, process - 1) > intAt(allocated, process)) return allocated.toSorted();
  }
  return allocated;
}
