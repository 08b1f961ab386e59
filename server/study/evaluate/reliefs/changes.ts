import type { SlotId } from '../../../model/identifiers.ts';
import type { Flow } from '../../../model/report.ts';
import { firstNodes, nodesNear } from './neighbourhood.ts';
import type { JobTask, Seats } from './seats.ts';

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
  readonly #seats: Seats;
  readonly #firstNode: Int32Array;

  constructor(seats: Seats) {
    this.#seats = seats;
    this.#firstNode = firstNodes(seats.machine);
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
    const seats = this.#seats;
    const home = seats.nodeOf(moved);
    const accepts = (node: number): boolean => node !== home && seats.mayUse(moved.job, node);
    const nodes = nodesNear(seats.machine, this.#firstNode, seats.nodeOf(partner), accepts, nodesPerEnd);
    return nodes.flatMap((node) => this.#slotsOf(node, home).map((change) => ({ moved, ...change })));
  }

  /** Slots of the node to go to: the first free one, then those of tasks that may take the other place. */
  #slotsOf(node: number, home: number): Omit<Change, 'moved'>[] {
    const { coresPerNode } = this.#seats.machine;
    let free: Omit<Change, 'moved'> | undefined;
    const occupied: Omit<Change, 'moved'>[] = [];
    for (let core = 0; core < coresPerNode && occupied.length < slotsPerNode; core++) {
      const slot = (node * coresPerNode + core) as SlotId;
      const displaced = this.#seats.occupantOf(slot);
      if (displaced === undefined) free ??= { slot, displaced };
      else if (this.#seats.mayUse(displaced.job, home)) occupied.push({ slot, displaced });
    }
    return free === undefined ? occupied : [free, ...occupied.slice(0, slotsPerNode - 1)];
  }

  /** The same for a swap and the swap the other way round. */
  #keyOf({ moved, slot, displaced }: Change): number {
    const own = this.#seats.slotOf(moved);
    const { slotCount } = this.#seats.machine;
    return displaced === undefined || own < slot ? own * slotCount + slot : slot * slotCount + own;
  }
}
