/**
 * Where tasks are in a placement: the nodes of each job's tasks (`placeTasks`), and the task on each slot
 * (`Occupancy`).
 */
import { intAt, itemAt } from '../../numeric/elements.ts';
import { evenBytesOverRouters, tasksOnPlaces, type TasksOnPlaces } from '../../traffic/evenTraffic.ts';
import { nodeAddresses } from '../../mapping/hopHistogram.ts';
import { inStretches, neverCancelled } from '../../model/cancellation.ts';
import { receiverOf, senderOf, type Machine } from '../../model/machine.ts';
import type { PlacedJob } from '../../model/placement.ts';
import { endsOfSlots, nodesOfSlots } from '../../model/slots.ts';
import type { SlotId, TaskId } from '../../model/identifiers.ts';

/** Where the tasks of one job run, ready for loops over its traffic. */
export interface PlacedTasks {
  /** Index of the job in the placement. */
  readonly job: number;
  /** NodeId of each task, and where its messages begin and end: its node, unless tasks have rails of their own. */
  readonly node: Int32Array;
  readonly end: Int32Array;
  /** RouterId of each task; its node's first one where the node has several. */
  readonly router: Int32Array;
  readonly placed: PlacedJob;
}

/** Leaves off where cancelled, when nobody asks for them any more. O(tasks). */
export function placeTasks(
  machine: Machine,
  jobs: readonly PlacedJob[],
  cancellation = neverCancelled,
): readonly PlacedTasks[] {
  const { routerOfNode } = machine.topology;
  return jobs.map((placed, job) => {
    const node = nodesOfSlots(machine, placed.mapping, cancellation);
    const router = new Int32Array(node.length);
    inStretches(node.length, cancellation, (begin, end) => {
      for (let task = begin; task < end; task++) router[task] = intAt(routerOfNode, intAt(node, task));
    });
    return { job, node, end: endsOfSlots(machine, placed.mapping, node), router, placed };
  });
}

/** A job with the addresses from which and to which its tasks send. */
export interface Ends extends Pick<PlacedTasks, 'node' | 'placed'> {
  readonly sender: Int32Array;
  readonly receiver: Int32Array;
  /** Tasks with the same send each other nothing through the network: that of their router, or of their node. */
  readonly router: Int32Array;
  /** Present where every task sends every other the same, between routers: then bytes, and the tasks on each. */
  readonly even?: { readonly bytes: number; readonly routers: TasksOnPlaces };
}

/**
 * Where nodes of one router have routes of their own, flows are not added up over the router. Leaves off where cancelled. O(tasks), O(pairs)
 * where all may be the same.
 */
export function flowEnds(
  machine: Machine,
  { node, end, router, placed }: PlacedTasks,
  cancellation = neverCancelled,
): Ends {
  const bytes = evenBytesOverRouters(machine, placed.job.traffic);
  const even = bytes === undefined ? {} : { even: { bytes, routers: tasksOnPlaces(router) } };
  if (machine.routing.byNode === undefined) return { sender: router, receiver: router, router, node, placed, ...even };
  const sender = nodeAddresses(end, (id) => senderOf(machine, id), cancellation) ?? router;
  const receiver = nodeAddresses(end, (id) => receiverOf(machine, id), cancellation) ?? router;
  // Over rails two nodes of one router may be apart, and routes have the links of nodes.
  const place = machine.rails === undefined ? router : node;
  return { sender, receiver, router: place, node, placed };
}

/** A task of one of the placement's jobs. */
export interface JobTask {
  readonly job: number;
  readonly task: TaskId;
}

/** Who sits where in a placement, and which nodes each job may use. */
export class Occupancy {
  readonly machine: Machine;
  readonly jobs: readonly PlacedTasks[];
  /** 1 + the task's number counted through all jobs, by slot; 0 where the slot is free. */
  readonly #occupant: Int32Array;
  readonly #firstOfJob: readonly number[];
  /** By job, made when first asked for: 1 at the nodes of its allocation. */
  readonly #allocated = new Map<number, Uint8Array>();
  /** Of jobs whose tasks may not begin on every slot. */
  readonly #firstSlots = new Map<number, Uint8Array>();

  /** Leaves off where cancelled, when nobody asks any more. O(slots + tasks). */
  constructor(machine: Machine, jobs: readonly PlacedTasks[], cancellation = neverCancelled) {
    this.machine = machine;
    this.jobs = jobs;
    this.#occupant = new Int32Array(machine.slotCount);
    const firstOfJob: number[] = [];
    let count = 0;
    for (const { placed } of jobs) {
      firstOfJob.push(count);
      const { mapping, needs: { coresPerTask = 1 } = {} } = placed;
      const first = count + 1;
      inStretches(mapping.length, cancellation, (begin, end) => {
        for (let task = begin; task < end; task++) {
          const slot = intAt(mapping, task);
          for (let core = slot; core < slot + coresPerTask; core++) this.#occupant[core] = first + task;
        }
      });
      count += mapping.length;
    }
    this.#firstOfJob = firstOfJob;
  }

  occupantOf(slot: SlotId): JobTask | undefined {
    const number = intAt(this.#occupant, slot) - 1;
    if (number < 0) return undefined;
    const job = this.#firstOfJob.findLastIndex((first) => first <= number);
    return { job, task: (number - itemAt(this.#firstOfJob, job)) as TaskId };
  }

  nodeOf({ job, task }: JobTask): number {
    return intAt(itemAt(this.jobs, job).node, task);
  }

  slotOf({ job, task }: JobTask): SlotId {
    return intAt(itemAt(this.jobs, job).placed.mapping, task) as SlotId;
  }

  /** Whether a task of the job may begin on a slot, all of whose cores no task has. O(cores of a task). */
  mayBegin(job: number, slot: SlotId): boolean {
    const { placed } = itemAt(this.jobs, job);
    const { coresPerTask = 1 } = placed.needs ?? {};
    if (this.#occupant.subarray(slot, slot + coresPerTask).some((occupant) => occupant !== 0)) return false;
    if (placed.firstSlots === undefined) return true;
    let first = this.#firstSlots.get(job);
    if (first === undefined) {
      first = new Uint8Array(this.machine.slotCount);
      for (const each of placed.firstSlots) first[each] = 1;
      this.#firstSlots.set(job, first);
    }
    return first[slot] === 1;
  }

  /** Whether tasks of two jobs may take each other's place, as far as their cores go. */
  needAlike(one: number, other: number): boolean {
    const cores = (job: number): number => itemAt(this.jobs, job).placed.needs?.coresPerTask ?? 1;
    return one === other || (cores(one) === 1 && cores(other) === 1 && this.#isOpen(one) && this.#isOpen(other));
  }

  #isOpen(job: number): boolean {
    return itemAt(this.jobs, job).placed.firstSlots === undefined;
  }

  /** Whether one more task of the job may run on the node, if it has a free slot. O(slots of the node). */
  hasRoom(job: number, node: number): boolean {
    const { room } = itemAt(this.jobs, job).placed;
    return room === undefined || this.#tasksOn(node) < intAt(room, node);
  }

  #tasksOn(node: number): number {
    const { coresPerNode } = this.machine;
    const occupants = this.#occupant.subarray(node * coresPerNode, (node + 1) * coresPerNode);
    // The cores of a task follow one another.
    return occupants.reduce(
      (count, occupant, at) => (occupant === 0 || occupant === occupants[at - 1] ? count : count + 1),
      0,
    );
  }

  /** Whether the node is of the job's allocation. */
  mayUse(job: number, node: number): boolean {
    let nodes = this.#allocated.get(job);
    if (nodes === undefined) {
      nodes = new Uint8Array(this.machine.nodeCount);
      for (const id of itemAt(this.jobs, job).placed.allocation) nodes[id] = 1;
      this.#allocated.set(job, nodes);
    }
    return nodes[node] === 1;
  }
}
