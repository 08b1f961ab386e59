import { intAt, itemAt } from '../../../numeric/elements.ts';
import type { SlotId } from '../../../model/identifiers.ts';
import type { Flow } from '../../../model/report.ts';
import type { JobTask, Occupancy } from './slotOccupancy.ts';
import type { Machine } from '../../../model/machine.ts';
import { groupStarts } from '../../../numeric/grouping.ts';

/** One task goes to a slot; the one that sits there, if any, takes its place. */
export interface Change {
  readonly moved: JobTask;
  readonly slot: SlotId;
  readonly displaced: JobTask | undefined;
}

/** Nodes near the partner that are tried for each end of a flow. */
const nodesPerEnd = 16;
/** Slots tried of a node with many cores: a free one and then occupied ones. */
const slotsPerNode = 3;

/** Finds changes of a placement that bring the two ends of a flow together. */
export class ChangeFinder {
  readonly #occupancy: Occupancy;
  readonly #firstNode: Int32Array;

  constructor(occupancy: Occupancy) {
    this.#occupancy = occupancy;
    const { topology } = occupancy.machine;
    // Nodes of one router follow one another.
    this.#firstNode = groupStarts(topology.routerOfNode, topology.routerCount);
  }

  /**
   * For both ends of each flow: slots of the end's job near the other end. No change is listed
   * twice, none leaves a job's allocation; at most 2 · nodesPerEnd · slotsPerNode for each flow.
   */
  changesFor(flows: readonly Flow[]): readonly Change[] {
    const changes = new Map<number, Change>();
    for (const { job, from, to } of flows) {
      for (const [task, partner] of [
        [from, to],
        [to, from],
      ] as const) {
        for (const change of this.#bringTo({ job, task }, { job, task: partner })) {
          changes.set(this.#keyOf(change), change);
        }
      }
    }
    return [...changes.values()];
  }

  #bringTo(moved: JobTask, partner: JobTask): Change[] {
    const occupancy = this.#occupancy;
    const home = occupancy.nodeOf(moved);
    const accepts = (node: number): boolean => node !== home && occupancy.mayUse(moved.job, node);
    const nodes = nodesNear(occupancy.machine, this.#firstNode, occupancy.nodeOf(partner), accepts, nodesPerEnd);
    return nodes.flatMap((node) => this.#slotsOf(node, home).map((change) => ({ moved, ...change })));
  }

  /** Slots of the node to go to: the first free one, then those of tasks that may take the other place. */
  #slotsOf(node: number, home: number): Omit<Change, 'moved'>[] {
    const { coresPerNode } = this.#occupancy.machine;
    let free: Omit<Change, 'moved'> | undefined;
    const occupied: Omit<Change, 'moved'>[] = [];
    for (let core = 0; core < coresPerNode && occupied.length < slotsPerNode; core++) {
      const slot = (node * coresPerNode + core) as SlotId;
      const displaced = this.#occupancy.occupantOf(slot);
      if (displaced === undefined) free ??= { slot, displaced };
      else if (this.#occupancy.mayUse(displaced.job, home)) occupied.push({ slot, displaced });
    }
    return free === undefined ? occupied : [free, ...occupied.slice(0, slotsPerNode - 1)];
  }

  /** The same for a swap and the swap the other way round. */
  #keyOf({ moved, slot, displaced }: Change): number {
    const own = this.#occupancy.slotOf(moved);
    const { slotCount } = this.#occupancy.machine;
    return displaced === undefined || own < slot ? own * slotCount + slot : slot * slotCount + own;
  }
}

/** How far from a node its neighbourhood reaches, in hops between routers. */
const reach = 2;
/** Routers that are looked at before the search ends: switches have many neighbours. */
const routersLookedAt = 64;
/** Nodes of one router that are offered, so that one full switch does not hide the next. */
const nodesPerRouter = 8;

/**
 * Nodes near a node, the nearest first, itself included: at most `limit` of those that `accepts`.
 * Breadth first over the cables. O(routers looked at · degree).
 */
function nodesNear(
  machine: Machine,
  firstNode: Int32Array,
  node: number,
  accepts: (node: number) => boolean,
  limit: number,
): readonly number[] {
  const { firstLink, to } = machine.topology.links;
  const start = intAt(machine.topology.routerOfNode, node);
  const hops = new Map([[start, 0]]);
  const queue = [start];
  const found = accepts(node) ? [node] : [];
  for (let next = 0; next < queue.length && found.length < limit; next++) {
    const router = itemAt(queue, next);
    const end = Math.min(intAt(firstNode, router + 1), intAt(firstNode, router) + nodesPerRouter);
    for (let other = intAt(firstNode, router); other < end && found.length < limit; other++) {
      if (other !== node && accepts(other)) found.push(other);
    }
    const distance = hops.get(router)!;
    if (distance === reach) continue;
    for (
      let link = intAt(firstLink, router);
      link < intAt(firstLink, router + 1) && queue.length < routersLookedAt;
      link++
    ) {
      if (hops.has(intAt(to, link))) continue;
      hops.set(intAt(to, link), distance + 1);
      queue.push(intAt(to, link));
    }
  }
  return found;
}
