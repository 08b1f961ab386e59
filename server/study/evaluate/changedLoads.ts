/** What the heaviest links carry after a change of a placement, without measuring the whole placement again. */
import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import { neverCancelled, WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import type { SlotId, LinkId } from '../../model/identifiers.ts';
import type { JobTask, Occupancy } from './placedTasks.ts';
import type { Machine } from '../../model/machine.ts';
import { visitNodeShares } from '../../network/links.ts';
import type { Traffic } from '../../model/traffic.ts';
import { endOfSlot } from '../../model/slots.ts';

/** One task goes to a slot; the one that sits there, if any, takes its place. */
export interface Change {
  readonly moved: JobTask;
  readonly slot: SlotId;
  readonly displaced: JobTask | undefined;
}

/** The loads of a placement as it is, with its hot links, those that work longest first. */
export interface Loads {
  readonly linkLoads: Float64Array;
  /** What a byte takes on each link; absent where it takes the same on all. */
  readonly times?: Float64Array;
  readonly hotLinks: readonly { readonly link: LinkId; readonly load: number }[];
}

/** Link loads once a change is made. */
export interface LoadsAfter {
  /**
   * The largest of those links that the change makes heavier, as the bytes over the fastest link that take as long; 0 where it
   * makes none so.
   */
  readonly raised: number;
  /** The largest of all links that hops count, in bytes. */
  readonly maximum: number;
}

/** Works out the heaviest links after changes, one after another. */
export class ChangedLoads {
  readonly #machine: Machine;
  readonly #before: Loads;
  /** As before but for the links in `#altered`, while a change is looked at. */
  readonly #after: Float64Array;
  readonly #isAltered: Uint8Array;
  readonly #altered: LinkId[] = [];
  /** For the last change. */
  linksVisited = 0;

  /** O(links). */
  constructor(machine: Machine, loads: Loads) {
    this.#machine = machine;
    this.#before = loads;
    this.#after = loads.linkLoads.slice();
    this.#isAltered = new Uint8Array(loads.linkLoads.length);
  }

  /**
   * The heaviest links once the change is made: the routes of the flows it moves are taken out and
   * put in again. The heaviest link that is left alone is among the hot ones, or all are looked
   * through. O(links of the routes of moved flows); undefined where these are more than `limit`.
   */
  of(change: Change, flows: MovedFlows, limit: number): LoadsAfter | undefined {
    this.linksVisited = 0;
    flows.visit(change, (bytes, from, to, newFrom, newTo) => {
      if (this.linksVisited > limit) return;
      this.#add(from, to, -bytes);
      this.#add(newFrom, newTo, bytes);
    });
    const found = this.linksVisited > limit ? undefined : this.#heaviest();
    this.#undo();
    return found;
  }

  /** From slot to slot. */
  #add(from: number, to: number, bytes: number): void {
    const machine = this.#machine;
    visitNodeShares(machine, endOfSlot(machine, from), endOfSlot(machine, to), (link, share) => {
      this.linksVisited++;
      if (this.#isAltered[link] === 0) {
        this.#isAltered[link] = 1;
        this.#altered.push(link);
      }
      this.#after[link] = realAt(this.#after, link) + bytes * share;
    });
  }

  #heaviest(): LoadsAfter {
    const { linkLoads } = this.#before;
    let raised = 0;
    let heaviest = 0;
    for (const link of this.#altered) {
      const load = realAt(this.#after, link);
      const time = load * this.#timeOf(link);
      if (load > heaviest) heaviest = load;
      if (load > realAt(linkLoads, link) && time > raised) raised = time;
    }
    return {
      raised,
      maximum: this.#before.times === undefined ? Math.max(heaviest, this.#heaviestLeftAlone()) : this.#heaviestOfAll(),
    };
  }

  /** Hot links are those that work longest, and the heaviest need not be among them. O(links). */
  #heaviestOfAll(): number {
    const { hasPorts, links } = this.#machine.topology;
    const counted = hasPorts === true ? links.routerLinkCount : links.linkCount;
    return this.#after.subarray(0, counted).reduce((most, load) => Math.max(most, load), 0);
  }

  #heaviestLeftAlone(): number {
    const hot = this.#before.hotLinks.find(({ link }) => this.#isAltered[link] === 0);
    if (hot !== undefined) return hot.load;
    let maximum = 0;
    for (const [link, load] of this.#before.linkLoads.entries()) {
      if (load > maximum && this.#isAltered[link] === 0) maximum = load;
    }
    return maximum;
  }

  #timeOf(link: number): number {
    return this.#before.times === undefined ? 1 : realAt(this.#before.times, link);
  }

  #undo(): void {
    for (const link of this.#altered) {
      this.#after[link] = realAt(this.#before.linkLoads, link);
      this.#isAltered[link] = 0;
    }
    this.#altered.length = 0;
  }
}

/** What some tasks of a job are sent, by receiver. */
type Received = ReadonlyMap<number, { readonly sender: number[]; readonly bytes: number[] }>;

/** A flow whose way a change alters: its bytes, the slots of its tasks before, and behind. */
type VisitMoved = (bytes: number, from: number, to: number, newFrom: number, newTo: number) => void;

/** A task with the slot that it goes to. */
interface Move extends JobTask {
  readonly slot: number;
}

/** The flows of tasks that are moved. */
export class MovedFlows {
  readonly #occupancy: Occupancy;
  readonly #received: readonly Received[];

  /** Gathers what the tasks of `changes` are sent; leaves off where cancelled. One pass over the pairs of their jobs. */
  constructor(occupancy: Occupancy, changes: readonly Change[], cancellation = neverCancelled) {
    this.#occupancy = occupancy;
    const wanted = occupancy.jobs.map(() => new Set<number>());
    for (const { moved, displaced } of changes) {
      itemAt(wanted, moved.job).add(moved.task);
      if (displaced !== undefined) itemAt(wanted, displaced.job).add(displaced.task);
    }
    this.#received = occupancy.jobs.map(({ placed }, job) =>
      receivedBy(placed.job.traffic, itemAt(wanted, job), cancellation),
    );
  }

  /** How many flows {@link visit} would visit, those between two moved tasks counted twice. */
  countOf({ moved, displaced }: Change): number {
    return this.#degreeOf(moved) + (displaced === undefined ? 0 : this.#degreeOf(displaced));
  }

  /** Visits every flow that a moved task sends or is sent, each once. */
  visit({ moved, slot, displaced }: Change, visit: VisitMoved): void {
    const first: Move = { ...moved, slot };
    const second: Move | undefined = displaced && { ...displaced, slot: this.#occupancy.slotOf(moved) };
    this.#visitTask(first, second, visit);
    if (second !== undefined) this.#visitTask(second, first, visit);
  }

  #visitTask(move: Move, other: Move | undefined, visit: VisitMoved): void {
    const { mapping, job } = itemAt(this.#occupancy.jobs, move.job).placed;
    const { rowStart, partner, bytes } = job.traffic;
    const beside = other?.job === move.job ? other : undefined;
    const before = intAt(mapping, move.task);
    for (let pair = intAt(rowStart, move.task); pair < intAt(rowStart, move.task + 1); pair++) {
      const receiver = intAt(partner, pair);
      const to = intAt(mapping, receiver);
      visit(realAt(bytes, pair), before, to, move.slot, receiver === beside?.task ? beside.slot : to);
    }
    const received = itemAt(this.#received, move.job).get(move.task);
    if (received === undefined) return;
    for (const [index, sender] of received.sender.entries()) {
      // What the other moved task sends is visited with that one.
      if (sender === beside?.task) continue;
      visit(itemAt(received.bytes, index), intAt(mapping, sender), before, intAt(mapping, sender), move.slot);
    }
  }

  #degreeOf({ job, task }: JobTask): number {
    const { rowStart } = itemAt(this.#occupancy.jobs, job).placed.job.traffic;
    return (
      intAt(rowStart, task + 1) - intAt(rowStart, task) + (itemAt(this.#received, job).get(task)?.sender.length ?? 0)
    );
  }
}

function receivedBy(
  { taskCount, rowStart, partner, bytes }: Traffic,
  wanted: ReadonlySet<number>,
  cancellation: Cancellation,
): Received {
  const received = new Map([...wanted].map((task) => [task, { sender: [] as number[], bytes: [] as number[] }]));
  if (wanted.size === 0) return received;
  const isWanted = new Uint8Array(taskCount);
  for (const task of wanted) isWanted[task] = 1;
  const meter = new WorkMeter(cancellation);
  for (let sender = 0; sender < taskCount; sender++) {
    for (let pair = intAt(rowStart, sender); pair < intAt(rowStart, sender + 1); pair++) {
      if (isWanted[intAt(partner, pair)] === 0) continue;
      const row = received.get(intAt(partner, pair))!;
      row.sender.push(sender);
      row.bytes.push(realAt(bytes, pair));
    }
    if (meter.isCancelledAfter(1 + intAt(rowStart, sender + 1) - intAt(rowStart, sender))) break;
  }
  return received;
}
