/**
 * Jobs over an engine that knows single messages: each packet of a job is a message, and the next one of a node is handed over when
 * the one before has been sent. So streams run on every engine.
 */
import type { Cancellation } from '../model/cancellation.ts';
import { appendAll } from '../model/lists.ts';
import type { Machine } from '../model/machine.ts';
import { succeed, type Result } from '../model/result.ts';
import { endOfSlot } from '../model/slots.ts';
import { intAt, itemAt } from '../numeric/elements.ts';
import type {
  Deadlock,
  Figures,
  MessageAdvance,
  MessageNetwork,
  MessageObserver,
  StreamNetwork,
  Transmission,
  WaitingPacket,
} from './messages.ts';

interface JobUnderWay {
  readonly number: number;
  readonly transmission: Transmission;
  /** Packets that have not arrived. */
  left: number;
  readonly figures: { packets: number; hops: number; latency: number };
}

/** A process that has packets left to send. */
interface SendingProcess {
  readonly job: JobUnderWay;
  readonly process: number;
  sent: number;
}

export class JobsOverMessages implements StreamNetwork {
  readonly sent: number[] = [];
  readonly arrived: number[] = [];
  readonly completed: number[] = [];
  readonly #network: MessageNetwork;
  readonly #machine: Machine;
  readonly #bytesOf: (flits: number) => number;
  readonly #jobs = new Map<number, JobUnderWay>();
  #numbers = 0;
  /** Completed and not yet told. */
  #finished: number[] = [];
  /** By node: processes that wait for their turn, and whether the node has a message that is not sent yet. */
  readonly #waiting: SendingProcess[][];
  readonly #isSending: boolean[];
  // By number of a message.
  readonly #jobOfMessage: (JobUnderWay | undefined)[];
  readonly #senderOfMessage: number[] = [];

  /** `make` makes the network of messages, which tells the observer that it is given; `bytesOf` is the message of one packet. */
  static over(
    machine: Machine,
    bytesOf: (flits: number) => number,
    observer: MessageObserver,
    make: (observer: MessageObserver) => Result<MessageNetwork>,
  ): Result<JobsOverMessages> {
    const jobOfMessage: (JobUnderWay | undefined)[] = [];
    const made = make({
      ...observer,
      tellsSent: true,
      delivered: (message, created, arrived, hops, flits) => {
        const figures = jobOfMessage[message]?.figures;
        if (figures !== undefined) {
          figures.packets++;
          figures.hops += hops;
          figures.latency += arrived - created;
        }
        observer.delivered?.(message, created, arrived, hops, flits);
      },
    });
    return made.ok ? succeed(new JobsOverMessages(machine, made.value, bytesOf, jobOfMessage)) : made;
  }

  private constructor(
    machine: Machine,
    network: MessageNetwork,
    bytesOf: (flits: number) => number,
    jobOfMessage: (JobUnderWay | undefined)[],
  ) {
    this.#machine = machine;
    this.#network = network;
    this.#bytesOf = bytesOf;
    this.#jobOfMessage = jobOfMessage;
    this.#waiting = Array.from({ length: machine.nodeCount }, () => []);
    this.#isSending = this.#waiting.map(() => false);
  }

  get endpoints(): MessageNetwork['endpoints'] {
    return this.#network.endpoints;
  }

  get secondsPerCycle(): number | undefined {
    return this.#network.secondsPerCycle;
  }

  get now(): number {
    return this.#network.now;
  }

  get messagesUnderWay(): number {
    return this.#network.messagesUnderWay;
  }

  get deadlock(): Deadlock | undefined {
    const { deadlock } = this.#network;
    return deadlock && { ...deadlock, waits: deadlock.waits.map((wait) => this.#ofJob(wait)) };
  }

  waiting(): readonly WaitingPacket[] {
    return this.#network.waiting().map((wait) => this.#ofJob(wait));
  }

  send(from: number, to: number, bytes: number): number {
    const message = this.#network.send(from, to, bytes);
    this.#jobOfMessage[message] = undefined;
    return message;
  }

  sendAll(transmission: Transmission): number {
    const { source, nodeOfProcess } = transmission;
    const number = this.#numbers++;
    const job = { number, transmission, left: source.packetCount, figures: { packets: 0, hops: 0, latency: 0 } };
    this.#jobs.set(number, job);
    if (job.left === 0) this.#finished.push(number);
    const senders = source.senders ?? Array.from({ length: source.processCount }, (_, process) => process);
    for (const process of senders) {
      if (source.packetsOf(process) === 0) continue;
      const node = intAt(nodeOfProcess, process);
      itemAt(this.#waiting, node).push({ job, process, sent: 0 });
      if (this.#isSending[node] !== true) this.#sendNext(node);
    }
    return number;
  }

  figuresOf(transmission: number): Figures | undefined {
    return this.#jobs.get(transmission)?.figures;
  }

  advance(to: number, cancellation: Cancellation): MessageAdvance {
    for (const number of this.completed) this.#jobs.delete(number);
    this.sent.length = 0;
    this.arrived.length = 0;
    this.completed.length = 0;
    for (let why: MessageAdvance = 'events'; ;) {
      if (this.#finished.length + this.sent.length + this.arrived.length > 0) break;
      why = this.#network.advance(to, cancellation);
      if (why !== 'events') return why;
      for (const message of this.#network.arrived) this.#arrive(message);
      for (const message of this.#network.sent) {
        if (this.#jobOfMessage[message] === undefined) this.sent.push(message);
        else this.#sendNext(itemAt(this.#senderOfMessage, message));
      }
    }
    appendAll(
      this.completed,
      this.#finished.sort((one, other) => one - other),
    );
    this.#finished = [];
    return 'events';
  }

  #arrive(message: number): void {
    const job = this.#jobOfMessage[message];
    if (job === undefined) this.arrived.push(message);
    else if (--job.left === 0) this.#finished.push(job.number);
  }

  /** The process whose turn it is sends its next packet. What stays within the node arrives at once. */
  #sendNext(node: number): void {
    const waiting = itemAt(this.#waiting, node);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { job, process } = next;
      const { source, nodeOfProcess, flits } = job.transmission;
      const to = intAt(nodeOfProcess, source.destinationOf(process, next.sent++));
      if (next.sent < source.packetsOf(process)) waiting.push(next);
      if (to !== node) {
        const message = this.#network.send(this.#endpointOf(node), this.#endpointOf(to), this.#bytesOf(flits));
        this.#jobOfMessage[message] = job;
        this.#senderOfMessage[message] = node;
        this.#isSending[node] = true;
        return;
      }
      job.figures.packets++;
      if (--job.left === 0) this.#finished.push(job.number);
    }
    this.#isSending[node] = false;
  }

  /** What a node is to the network: the first of its slots, or of its ends, where it has several. */
  #endpointOf(node: number): number {
    if (this.#network.endpoints === 'nodes') return node;
    const slot = node * this.#machine.coresPerNode;
    return this.#network.endpoints === 'slots' ? slot : endOfSlot(this.#machine, slot);
  }

  #ofJob(wait: WaitingPacket): WaitingPacket {
    return { ...wait, transmission: this.#jobOfMessage[wait.transmission]?.number ?? wait.transmission };
  }
}
