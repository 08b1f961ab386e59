import type { Traffic } from '../../../model/traffic.ts';
import type { Change } from './changes.ts';
import type { JobTask, Seats } from './seats.ts';

/** What some tasks of a job are sent, by receiver. */
type Received = ReadonlyMap<number, { readonly sender: number[]; readonly bytes: number[] }>;

/** A flow whose way a change alters: its bytes, its nodes before, and behind. */
export type VisitMoved = (bytes: number, from: number, to: number, newFrom: number, newTo: number) => void;

/** A task with the node that it leaves and the one that it goes to. */
interface Move extends JobTask {
  readonly node: number;
}

/** The flows of tasks that are moved. */
export class MovedFlows {
  readonly #seats: Seats;
  readonly #received: readonly Received[];

  /** Gathers what the tasks of `changes` are sent. One pass over the pairs of their jobs. */
  constructor(seats: Seats, changes: readonly Change[]) {
    this.#seats = seats;
    const wanted = seats.jobs.map(() => new Set<number>());
    for (const { moved, displaced } of changes) {
      wanted[moved.job]!.add(moved.task);
      if (displaced !== undefined) wanted[displaced.job]!.add(displaced.task);
    }
    this.#received = seats.jobs.map(({ placed }, job) => receivedBy(placed.job.traffic, wanted[job]!));
  }

  /** How many flows {@link visit} would visit, those between two moved tasks counted twice. */
  countOf({ moved, displaced }: Change): number {
    return this.#degreeOf(moved) + (displaced === undefined ? 0 : this.#degreeOf(displaced));
  }

  /** Visits every flow that a moved task sends or is sent, each once. */
  visit({ moved, slot, displaced }: Change, visit: VisitMoved): void {
    const { machine } = this.#seats;
    const first: Move = { ...moved, node: Math.floor(slot / machine.coresPerNode) };
    const second: Move | undefined = displaced && { ...displaced, node: this.#seats.nodeOf(moved) };
    this.#visitTask(first, second, visit);
    if (second !== undefined) this.#visitTask(second, first, visit);
  }

  #visitTask(move: Move, other: Move | undefined, visit: VisitMoved): void {
    const { node, placed } = this.#seats.jobs[move.job]!;
    const { rowStart, partner, bytes } = placed.job.traffic;
    const beside = other?.job === move.job ? other : undefined;
    const before = node[move.task]!;
    for (let pair = rowStart[move.task]!; pair < rowStart[move.task + 1]!; pair++) {
      const receiver = partner[pair]!;
      const to = node[receiver]!;
      visit(bytes[pair]!, before, to, move.node, receiver === beside?.task ? beside.node : to);
    }
    const received = this.#received[move.job]!.get(move.task);
    if (received === undefined) return;
    for (const [index, sender] of received.sender.entries()) {
      // What the other moved task sends is visited with that one.
      if (sender === beside?.task) continue;
      visit(received.bytes[index]!, node[sender]!, before, node[sender]!, move.node);
    }
  }

  #degreeOf({ job, task }: JobTask): number {
    const { rowStart } = this.#seats.jobs[job]!.placed.job.traffic;
    return rowStart[task + 1]! - rowStart[task]! + (this.#received[job]!.get(task)?.sender.length ?? 0);
  }
}

function receivedBy({ taskCount, rowStart, partner, bytes }: Traffic, wanted: ReadonlySet<number>): Received {
  const received = new Map([...wanted].map((task) => [task, { sender: [] as number[], bytes: [] as number[] }]));
  if (wanted.size === 0) return received;
  const isWanted = new Uint8Array(taskCount);
  for (const task of wanted) isWanted[task] = 1;
  for (let sender = 0; sender < taskCount; sender++) {
    for (let pair = rowStart[sender]!; pair < rowStart[sender + 1]!; pair++) {
      if (isWanted[partner[pair]!] === 0) continue;
      const row = received.get(partner[pair]!)!;
      row.sender.push(sender);
      row.bytes.push(bytes[pair]!);
    }
  }
  return received;
}
