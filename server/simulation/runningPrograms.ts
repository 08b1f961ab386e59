/**
 * The lists of operations of causal jobs while they are played back: each does its sends, receives and computing in order, and waits
 * where it has to. Messages belong to receives by sender, receiver, tag and bytes, and of these the first receive to the message that was sent
 * first, whichever arrives first: messages do not overtake (MPI 4.1, section 3.5). What carries the messages stands outside.
 */
import type { WorkMeter } from '../model/cancellation.ts';
import { operationKind, type Workload } from '../model/workload.ts';
import { byteAt, intAt, itemAt, realAt } from '../numeric/elements.ts';
import { IndexedHeap } from '../numeric/heap.ts';
import type { MessageNetwork } from './messages.ts';
import { Cursors, forEachOperation, MessageKinds, workOfKind } from './workloads/programs.ts';

/** The program of a job, and the number of its first task among those of all jobs. */
export interface Program {
  readonly workload: Workload;
  readonly firstTask: number;
}

/** A message of a program: the list that sends it, what it is (sender, receiver, tag and bytes), and its number among those that are the same. */
export interface ProgramMessage {
  readonly list: number;
  readonly key: number;
  readonly number: number;
}

/** What comes of operations. Tasks are counted over all jobs. */
export interface ProgramSteps {
  /** A list sends to a task at another end of the network, and goes on after {@link RunningPrograms.sent}. */
  readonly send: (from: number, to: number, bytes: number, message: ProgramMessage) => void;
  /** A list of the task is done with all. */
  readonly listEnded: (task: number) => void;
}

/** A task that is not done, and the send or receive that it stands at. Tasks are counted over all jobs. */
export interface WaitingTask {
  readonly task: number;
  readonly for: 'receive' | 'send';
  readonly partner: number;
  readonly tag: number;
  readonly bytes: number;
  /** Which operation of its list that is, from 1, as they are written: a repetition counts once. */
  readonly operation: number;
}

/** Lists and messages of one program, which share numbers with those of the others. */
interface RunningProgram extends Program {
  readonly cursors: Cursors;
  /** Of its operations, which messages they are: by sender, receiver, tag and bytes. */
  readonly keyOf: Int32Array;
  readonly firstList: number;
}

const none = -1;

/** No cycle after this one is simulated: twice as many are still counted exactly. */
export const lastCycle = 2 ** 52;

/** An operation may hand over a message whose way is worked out first, which takes as long as so many entries of an array that are read. */
const workOfOperation = 128;

export class RunningPrograms {
  /** Messages of programs from one end of the network to another, repetitions counted. */
  readonly messageCount: number;
  readonly #programs: readonly RunningProgram[];
  readonly #network: MessageNetwork;
  /** The place of each task within which nothing is sent. */
  readonly #placeOfTask: Int32Array;
  readonly #steps: ProgramSteps;
  readonly #programOfList: Int32Array;
  /** Cycle at whose end the computing of a list is over, negative, since the heap has the largest first. */
  readonly #due: Float64Array;
  readonly #computing: IndexedHeap;
  /** Of each key: messages sent, receives begun, and how many messages from the first on are there. */
  readonly #sent: Float64Array;
  readonly #asked: Float64Array;
  readonly #whole: Float64Array;
  /** By key the messages that are there before one that was sent earlier. */
  readonly #early = new Map<number, Set<number>>();
  /** The message for which a list waits. */
  readonly #wanted: Float64Array;
  /** Of each key the first list that waits for one. */
  readonly #waiter: Int32Array;
  readonly #nextWaiter: Int32Array;
  readonly #ready: number[] = [];

  /** Of no use where the meter has found it cancelled. O(operations). */
  constructor(
    programs: readonly Program[],
    network: MessageNetwork,
    placeOfTask: Int32Array,
    steps: ProgramSteps,
    meter: WorkMeter,
  ) {
    this.#network = network;
    this.#placeOfTask = placeOfTask;
    this.#steps = steps;
    const running: RunningProgram[] = [];
    const programOfList: number[] = [];
    let keys = 0;
    let messages = 0;
    for (const { workload, firstTask } of programs) {
      const own = messageKeys(workload, keys, meter);
      if (own === undefined) break;
      keys = own.end;
      messages += this.#messagesBetweenPlaces(workload, firstTask, meter);
      const { keyOf } = own;
      running.push({ workload, cursors: new Cursors(workload), keyOf, firstTask, firstList: programOfList.length });
      for (let list = 0; list < workload.taskOfList.length; list++) programOfList.push(running.length - 1);
    }
    const lists = programOfList.length;
    this.messageCount = messages;
    this.#programs = running;
    this.#programOfList = Int32Array.from(programOfList);
    this.#due = new Float64Array(lists);
    this.#computing = new IndexedHeap(this.#due);
    this.#sent = new Float64Array(keys);
    this.#asked = new Float64Array(keys);
    this.#whole = new Float64Array(keys);
    this.#wanted = new Float64Array(lists);
    this.#waiter = new Int32Array(keys).fill(none);
    this.#nextWaiter = new Int32Array(lists).fill(none);
    for (let list = 0; list < lists; list++) this.#ready.push(list);
  }

  /** The end of the cycle in which the next computing is over; infinite where no list computes. */
  get nextTime(): number {
    return this.#computing.count === 0 ? Infinity : -realAt(this.#due, this.#computing.top);
  }

  /** Lists whose computing is over by now are ready. */
  endComputing(): void {
    const { now } = this.#network;
    while (this.nextTime <= now) {
      const list = this.#computing.top;
      this.#computing.remove(list);
      this.#goOn(list);
    }
  }

  /** The message of a list has left: the list is ready. */
  sent(list: number): void {
    this.#goOn(list);
  }

  /** A message is there: the list that waits for it is ready. O(lists that wait for such a one). */
  arrived(key: number, number: number): void {
    if (number === realAt(this.#whole, key)) this.#allAreThere(key, number + 1);
    else this.#early.set(key, (this.#early.get(key) ?? new Set()).add(number));
    let before = none;
    for (let list = intAt(this.#waiter, key); list !== none; list = intAt(this.#nextWaiter, list)) {
      if (this.#wanted[list] === number) {
        const next = intAt(this.#nextWaiter, list);
        if (before === none) this.#waiter[key] = next;
        else this.#nextWaiter[before] = next;
        this.#goOn(list);
        return;
      }
      before = list;
    }
  }

  /** All messages of the key before this one are there, and those behind it that came early. */
  #allAreThere(key: number, upTo: number): void {
    let whole = upTo;
    const early = this.#early.get(key);
    while (early?.delete(whole) === true) whole++;
    if (early?.size === 0) this.#early.delete(key);
    this.#whole[key] = whole;
  }

  /** Whether a message is there. */
  #isThere(key: number, number: number): boolean {
    return number < realAt(this.#whole, key) || this.#early.get(key)?.has(number) === true;
  }

  /** Lets the lists that are ready do operations until each waits or has ended; false where it was cancelled. */
  run(meter: WorkMeter): boolean {
    const ready = this.#ready;
    for (let next = 0; next < ready.length; next++) {
      if (!this.#runList(ready[next] ?? none, meter)) return false;
    }
    ready.length = 0;
    return true;
  }

  /** Tasks that stand at a send or a receive. O(lists). */
  waitingTasks(): readonly WaitingTask[] {
    const found: WaitingTask[] = [];
    for (const { workload, cursors, firstTask } of this.#programs) {
      const { taskOfList, offsets, kinds, partners, tags, amounts } = workload;
      for (let list = 0; list < taskOfList.length; list++) {
        const at = cursors.operation(list);
        if (at < 0 || byteAt(kinds, at) === operationKind.compute) continue;
        found.push({
          task: firstTask + intAt(taskOfList, list),
          for: byteAt(kinds, at) === operationKind.send ? 'send' : 'receive',
          partner: firstTask + intAt(partners, at),
          tag: intAt(tags, at),
          bytes: realAt(amounts, at),
          operation: at - intAt(offsets, list) + 1,
        });
      }
    }
    return found;
  }

  #messagesBetweenPlaces(workload: Workload, firstTask: number, meter: WorkMeter): number {
    const { taskOfList, kinds, partners } = workload;
    let count = 0;
    const visit = (list: number, at: number, times: number): void => {
      if (byteAt(kinds, at) !== operationKind.send) return;
      const [from, to] = [firstTask + intAt(taskOfList, list), firstTask + intAt(partners, at)];
      if (intAt(this.#placeOfTask, from) !== intAt(this.#placeOfTask, to)) count += times;
    };
    forEachOperation(workload, visit, meter);
    return count;
  }

  /** What the list stood at is done. */
  #goOn(list: number): void {
    const { cursors, firstList } = this.#programOf(list);
    cursors.next(list - firstList);
    this.#ready.push(list);
  }

  #programOf(list: number): RunningProgram {
    return itemAt(this.#programs, intAt(this.#programOfList, list));
  }

  #runList(list: number, meter: WorkMeter): boolean {
    const { workload, cursors, keyOf, firstTask, firstList } = this.#programOf(list);
    const { kinds, partners, amounts, taskOfList } = workload;
    const own = list - firstList;
    const task = firstTask + intAt(taskOfList, own);
    for (;;) {
      if (meter.isCancelledAfter(workOfOperation)) return false;
      const at = cursors.operation(own);
      if (at < 0) {
        this.#steps.listEnded(task);
        return true;
      }
      switch (byteAt(kinds, at)) {
        case operationKind.send: {
          const to = firstTask + intAt(partners, at);
          const key = intAt(keyOf, at);
          const number = realAt(this.#sent, key);
          this.#sent[key] = number + 1;
          if (intAt(this.#placeOfTask, task) !== intAt(this.#placeOfTask, to)) {
            this.#steps.send(task, to, realAt(amounts, at), { list, key, number });
            return true;
          }
          this.arrived(key, number);
          break;
        }
        case operationKind.receive: {
          const key = intAt(keyOf, at);
          const wanted = realAt(this.#asked, key);
          this.#asked[key] = wanted + 1;
          if (!this.#isThere(key, wanted)) {
            this.#wait(list, key, wanted);
            return true;
          }
          break;
        }
        default: {
          const seconds = realAt(amounts, at);
          const cycles = Math.min(Math.round(seconds / (this.#network.secondsPerCycle ?? 1)), 2 * lastCycle);
          if (cycles > 0) {
            this.#due[list] = -(this.#network.now + cycles);
            this.#computing.add(list);
            return true;
          }
        }
      }
      cursors.next(own);
    }
  }

  /** Behind those that wait for the same. */
  #wait(list: number, key: number, wanted: number): void {
    this.#nextWaiter[list] = none;
    this.#wanted[list] = wanted;
    let before = intAt(this.#waiter, key);
    if (before === none) {
      this.#waiter[key] = list;
      return;
    }
    while (intAt(this.#nextWaiter, before) !== none) before = intAt(this.#nextWaiter, before);
    this.#nextWaiter[before] = list;
  }
}

/**
 * Numbers from `first` on of messages that are told apart by sender, receiver, tag and bytes, for each operation, and the
 * number behind the last; undefined where it was cancelled.
 */
function messageKeys(
  workload: Workload,
  first: number,
  meter: WorkMeter,
): { readonly keyOf: Int32Array; readonly end: number } | undefined {
  const { taskOfList, kinds, partners, tags, amounts } = workload;
  const keyOf = new Int32Array(kinds.length).fill(none);
  const found = new MessageKinds(kinds.length);
  const isWhole = forEachOperation(
    workload,
    (list, at) => {
      const kind = byteAt(kinds, at);
      if (kind === operationKind.compute) return;
      const [own, other] = [intAt(taskOfList, list), intAt(partners, at)];
      const [from, to] = kind === operationKind.send ? [own, other] : [other, own];
      keyOf[at] = first + found.numberOf(from, to, intAt(tags, at), realAt(amounts, at));
    },
    meter,
    workOfKind,
  );
  return isWhole ? { keyOf, end: first + found.count } : undefined;
}
