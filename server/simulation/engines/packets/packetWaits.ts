/**
 * Who waits for whom in a network of packet events: for the picture of a moment, and to find deadlocks. Asks the kernel, as it is at the end
 * of a cycle, and changes nothing.
 */
import { largestOf } from '../../../model/lists.ts';
import { byteAt } from '../../../numeric/elements.ts';
import type { Deadlock, WaitingPacket } from '../../messages.ts';
import type { PacketKernel } from './packetMemory.ts';

const none = -1;

/** What the first packet of a queue does: those of `Head` in the kernel that wait. */
const asks = 1;
const sleeps = 2;
const granted = 3;

export interface PacketNetworkSize {
  /** Queues of links; those of nodes come behind them. */
  readonly linkQueues: number;
  readonly queueCount: number;
  readonly nodeCount: number;
}

/** All first packets that wait, by their number. */
export function waitingInKernel(kernel: PacketKernel, size: PacketNetworkSize): readonly WaitingPacket[] {
  const waits: WaitingPacket[] = [];
  for (let queue = 0; queue < size.queueCount; queue++) {
    const what = kernel.headOf(queue);
    if (what === sleeps || what === asks || what === granted) {
      waits.push(packetWait(kernel, size, queue, wantedBy(kernel, queue)));
    }
  }
  return waits.sort((a, b) => a.packet - b.packet);
}

/** Whether packets wait for one another in a circle, so that none of them can ever move. */
export const hasDeadlock = (kernel: PacketKernel, size: PacketNetworkSize): boolean =>
  stuckQueues(kernel, size).includes(1);

/** One circle of packets that wait for one another. There is a deadlock. */
export function deadlockOf(kernel: PacketKernel, size: PacketNetworkSize): Deadlock {
  const stuck = stuckQueues(kernel, size);
  // A walk from one stuck packet to what is in its way ends in a circle.
  const seen = new Map<number, number>();
  const walk: { readonly queue: number; readonly wanted: number }[] = [];
  let queue = stuck.indexOf(1);
  while (queue !== none && !seen.has(queue)) {
    seen.set(queue, walk.length);
    kernel.countOptions(queue);
    const wanted = kernel.blockerOf(0);
    walk.push({ queue, wanted });
    queue = wanted;
  }
  const circle = walk.slice(seen.get(queue) ?? 0);
  const waits = circle.map((each) => packetWait(kernel, size, each.queue, each.wanted));
  const lowest = waits.reduce((best, { packet }, index) => (packet < (waits[best]?.packet ?? 0) ? index : best), 0);
  const since = largestOf(circle.map((each) => kernel.firstSinceOf(each.queue)));
  return { since, waits: [...waits.slice(lowest), ...waits.slice(0, lowest)] };
}

/** Queue whose packets are in the way of the first packet of another one: what it has been given, else its last option. */
function wantedBy(kernel: PacketKernel, queue: number): number {
  if (kernel.headOf(queue) === granted) return kernel.grantedTo(queue);
  return kernel.blockerOf(kernel.countOptions(queue) - 1);
}

function packetWait(
  kernel: PacketKernel,
  { linkQueues, nodeCount }: PacketNetworkSize,
  queue: number,
  wanted: number,
): WaitingPacket {
  return {
    packet: kernel.serialOfFirst(queue) * nodeCount + kernel.nodeOfFirst(queue),
    transmission: kernel.messageOfFirst(queue),
    holds: queue < linkQueues ? [kernel.linkOf(queue)] : [],
    wants: kernel.channelOf(wanted),
    since: kernel.firstSinceOf(queue),
  };
}

/**
 * 1 for each queue whose first packet can never move again: it sleeps, and whatever it may ask for has no room and a first packet
 * of the same kind. O(queues · options) for each round that finds one that can move.
 */
function stuckQueues(kernel: PacketKernel, { queueCount, linkQueues }: PacketNetworkSize): Uint8Array {
  const stuck = Uint8Array.from({ length: queueCount }, (_, queue) => (kernel.headOf(queue) === sleeps ? 1 : 0));
  for (let isStable = false; !isStable;) {
    isStable = true;
    for (let queue = 0; queue < queueCount; queue++) {
      if (stuck[queue] === 0 || !canPacketMove(kernel, queue, stuck, linkQueues)) continue;
      stuck[queue] = 0;
      isStable = false;
    }
  }
  return stuck;
}

/** Of a queue whose first packet sleeps. */
function canPacketMove(kernel: PacketKernel, queue: number, stuck: Uint8Array, linkQueues: number): boolean {
  for (let each = 0, count = kernel.countOptions(queue); each < count; each++) {
    const isWayOut = kernel.optionOf(each) >= linkQueues;
    if (isWayOut || kernel.optionHasRoom(each) !== 0 || byteAt(stuck, kernel.blockerOf(each)) === 0) return true;
  }
  return false;
}
