/**
 * How reports come from the computing thread to the reading one, and what frees their memory. A report is plain data
 * except for its machine, whose routing has functions: those are made again where they are asked for. A machine or a
 * job that several reports of a document share is sent once. `ReportSender` is one end, `ReportReceiver` the other.
 */
import { inStretches, type Cancellation } from '../../model/cancellation.ts';
import type { Job } from '../../model/job.ts';
import type { Machine, Routing } from '../../model/machine.ts';
import type { RailUse } from '../../model/rails.ts';
import type { PlacementReport } from '../../model/report.ts';
import type { Traffic } from '../../model/traffic.ts';
import type { MachineDescription } from '../../network/contract.ts';
import { buildRouting, routingOfTables } from '../../network/machine.ts';
import { usingRails } from '../../network/rails.ts';
import { platform, sharedMemory, type Port } from '../platform.ts';

/** A machine as plain data. */
export interface MachineMessage {
  readonly machine: Omit<Machine, 'routing' | 'rails'>;
  /** How its rails are used, where it has several; `routing` is that between ports then. */
  readonly rails?: RailUse;
  readonly routing: Pick<
    Routing,
    'kind' | 'hierarchy' | 'graph' | 'byNode' | 'tables' | 'singlePath' | 'symmetric' | 'split'
  >;
  /** Its packets go by way of others. */
  readonly hasDetours: boolean;
  readonly description: Pick<MachineDescription, 'name' | 'topology' | 'routing'>;
}

interface ReportMessage {
  readonly report: Omit<PlacementReport, 'machine' | 'jobs'>;
  /** Numbers of its machine and of its jobs. */
  readonly machine: number;
  readonly jobs: readonly (Omit<PlacementReport['jobs'][number], 'job'> & { readonly job: number })[];
  /** Those that no report of the document, as they were sent so far, has. */
  readonly newMachine?: MachineMessage;
  readonly newJobs: ReadonlyMap<number, Job>;
}

type ChannelMessage =
  | { readonly kind: 'report'; readonly uri: string; readonly message: ReportMessage }
  /** Placements of other names are gone. */
  | { readonly kind: 'declared'; readonly uri: string; readonly names: ReadonlySet<string> };

/** The computing thread's end: knows what the other end has. */
export class ReportSender {
  #port: Port | undefined;
  readonly #numbers = new WeakMap<object, number>();
  #nextNumber = 1;
  /** The last report that was sent of each placement, by document. */
  readonly #sent = new Map<string, Map<string, PlacementReport>>();

  /** To another reading thread, which has nothing yet. */
  connect(port: Port): void {
    this.#port?.close();
    this.#port = port;
    port.unref();
    this.#sent.clear();
  }

  /** Answers whether there was anything to send: the same report is sent once. */
  send(uri: string, report: PlacementReport, description: MachineDescription): boolean {
    const sent = this.#sent.get(uri) ?? new Map<string, PlacementReport>();
    if (sent.get(report.name) === report) return false;
    this.#sent.set(uri, sent);
    const there = new Set<object>(
      [...sent.values()].flatMap(({ machine, jobs }) => [machine, ...jobs.map(({ job }) => job)]),
    );
    const { machine, jobs, ...rest } = report;
    const message: ReportMessage = {
      report: rest,
      machine: this.#numberOf(machine),
      jobs: jobs.map(({ job, ...placed }) => ({ ...placed, job: this.#numberOf(job) })),
      ...(there.has(machine) ? {} : { newMachine: machineMessage(machine, description) }),
      newJobs: new Map(jobs.filter(({ job }) => !there.has(job)).map(({ job }) => [this.#numberOf(job), job])),
    };
    sent.set(report.name, report);
    this.#post({ kind: 'report', uri, message });
    return true;
  }

  /** The text has these placements: what was sent of others goes. */
  declare(uri: string, names: ReadonlySet<string>): void {
    const sent = this.#sent.get(uri);
    for (const name of sent === undefined ? [] : [...sent.keys()]) if (!names.has(name)) sent?.delete(name);
    this.#post({ kind: 'declared', uri, names });
  }

  /** The document was closed. The other end was told before, but perhaps before the last report. */
  forget(uri: string): void {
    this.declare(uri, new Set());
    this.#sent.delete(uri);
  }

  #post(message: ChannelMessage): void {
    this.#port?.postMessage(message);
  }

  #numberOf(shared: object): number {
    const number = this.#numbers.get(shared) ?? this.#nextNumber++;
    this.#numbers.set(shared, number);
    return number;
  }
}

export function machineMessage(whole: Machine, description: MachineDescription): MachineMessage {
  const { routing, rails, ...machine } = whole;
  const { kind, hierarchy, graph, byNode, tables, singlePath, symmetric, split } = rails?.network ?? routing;
  const isOfFile = description.routing?.argument?.kind === 'file';
  return {
    machine,
    ...(rails && { rails: rails.use }),
    routing: {
      kind,
      singlePath,
      symmetric,
      ...(hierarchy === undefined ? {} : { hierarchy }),
      ...(graph === undefined ? {} : { graph }),
      ...(byNode === undefined ? {} : { byNode }),
      // What was read from a file cannot be worked out again; other tables are, where a route is asked for.
      ...(tables !== undefined && isOfFile && { tables }),
      ...(split === undefined ? {} : { split }),
    },
    hasDetours: (rails?.network ?? routing).hopShares !== undefined,
    description: {
      name: description.name,
      topology: description.topology,
      ...(description.routing === undefined ? {} : { routing: description.routing }),
    },
  };
}

interface Received {
  readonly report: PlacementReport;
  readonly machine: number;
  readonly jobs: readonly number[];
}

/** The reading thread's end: the last report of every placement of every open document. */
export class ReportReceiver {
  #port: Port | undefined;
  readonly #received = new Map<string, Map<string, Received>>();

  /** From another computing thread: it numbers machines and jobs in its own way, and sends all of them again. */
  connect(port: Port): void {
    this.#takeAll();
    this.#port?.close();
    this.#port = port;
    for (const reports of this.#received.values()) {
      for (const [name, { report }] of reports)
        reports.set(name, { report, machine: 0, jobs: report.jobs.map(() => 0) });
    }
    port.on('message', (message) => {
      this.#take(message as ChannelMessage);
    });
    port.unref();
  }

  find(uri: string, placement: string): PlacementReport | undefined {
    // What the other thread sent before it told of it has arrived, though perhaps not been handled yet.
    this.#takeAll();
    return this.#received.get(uri)?.get(placement)?.report;
  }

  forget(uri: string): void {
    this.#takeAll();
    this.#received.delete(uri);
  }

  #takeAll(): void {
    while (this.#port !== undefined) {
      const next = platform().threads.receive(this.#port) as { message: ChannelMessage } | undefined;
      if (next === undefined) return;
      this.#take(next.message);
    }
  }

  #take(message: ChannelMessage): void {
    const reports = this.#received.get(message.uri) ?? new Map<string, Received>();
    if (message.kind === 'declared') {
      for (const name of [...reports.keys()]) if (!message.names.has(name)) reports.delete(name);
      if (reports.size === 0) this.#received.delete(message.uri);
      return;
    }
    this.#received.set(message.uri, reports);
    for (const { traffic } of message.message.newJobs.values()) takeShared(traffic.bytes.byteLength);
    const received = reportOf(message.message, [...reports.values()]);
    if (received !== undefined) reports.set(received.report.name, received);
  }
}

function reportOf(
  { report, machine, jobs, newMachine, newJobs }: ReportMessage,
  others: readonly Received[],
): Received | undefined {
  const found =
    newMachine === undefined
      ? others.find((other) => other.machine === machine)?.report.machine
      : machineFromMessage(newMachine);
  const jobOf = (number: number): Job | undefined => {
    const known = newJobs.get(number);
    if (known !== undefined) return known;
    const other = others.find((candidate) => candidate.jobs.includes(number));
    return other?.report.jobs[other.jobs.indexOf(number)]?.job;
  };
  const placed = jobs.flatMap(({ job: number, ...rest }) => {
    const job = jobOf(number);
    return job === undefined ? [] : [{ ...rest, job }];
  });
  if (found === undefined || placed.length < jobs.length) return undefined;
  return { report: { ...report, machine: found, jobs: placed }, machine, jobs: jobs.map(({ job }) => job) };
}

/** The machine again. Its routes are worked out when the first of them is asked for: a picture needs none. */
export function machineFromMessage({ machine, routing, hasDetours, rails, description }: MachineMessage): Machine {
  let built: Routing | undefined;
  const routes = (): Routing => {
    if (built !== undefined) return built;
    const { kind, tables, symmetric } = routing;
    if (tables !== undefined) return (built = routingOfTables(machine.topology, { kind, tables, symmetric }));
    const answer = buildRouting(description, machine.topology);
    if (!answer.ok) throw new Error(`Machine ${machine.name} has lost its routes: ${answer.failure.message}`);
    built = routing.split === undefined ? answer.value : answer.value.withSplit?.(routing.split);
    return (built ??= answer.value);
  };
  const whole: Machine = {
    ...machine,
    routing: {
      ...routing,
      hops: (from, to) => routes().hops(from, to),
      route: (from, to) => routes().route(from, to),
      stepsTo: (router) => routes().stepsTo(router),
      visitShares: (from, to, visit) => {
        routes().visitShares(from, to, visit);
      },
      addLoads: (flows, loads, cancellation) => {
        routes().addLoads(flows, loads, cancellation);
      },
      ...(hasDetours && {
        hopShares: (from, to, visit) => routes().hopShares?.(from, to, visit),
        weigh: (weights) => routes().weigh?.(weights) ?? (() => NaN),
      }),
    },
  };
  return rails === undefined ? whole : usingRails(whole, rails);
}

/**
 * Traffic in memory that all threads see, so that reports carry it without a copy. Leaves off where cancelled. O(pairs), once for each job.
 */
export function shareTraffic(traffic: Traffic, cancellation: Cancellation): Traffic {
  const { taskCount, rowStart, partner, bytes } = traffic;
  takeShared(rowStart.byteLength + partner.byteLength + bytes.byteLength);
  const shared = {
    rowStart: new Int32Array(sharedMemory(rowStart.byteLength)),
    partner: new Int32Array(sharedMemory(partner.byteLength)),
    bytes: new Float64Array(sharedMemory(bytes.byteLength)),
  };
  copyInto(shared.rowStart, rowStart, cancellation);
  copyInto(shared.partner, partner, cancellation);
  copyInto(shared.bytes, bytes, cancellation);
  return { taskCount, ...shared };
}

function copyInto<Values extends Int32Array | Float64Array>(
  target: Values,
  values: Values,
  cancellation: Cancellation,
): void {
  inStretches(values.length, cancellation, (begin, end) => {
    target.set(values.subarray(begin, end), begin);
  });
}

/**
 * Bytes of shared memory that are taken between two collections of garbage. JavaScript collects when its own heap
 * grows, and memory that threads share does not count there: what holds hundreds of megabytes of it may stay for ever in
 * a thread that has little else to do.
 */
const bytesBetweenCollections = 128 * 2 ** 20;

let taken = 0;

/** Frees what is not reachable, where that can be asked for. Takes as long as this thread's own heap is large: some ten milliseconds. */
export function collectGarbage(): void {
  taken = 0;
  platform().threads.collectGarbage();
}

/** So much shared memory is about to be held. */
function takeShared(bytes: number): void {
  taken += bytes;
  if (taken > bytesBetweenCollections) {
    collectGarbage();
    taken = bytes;
  }
}
