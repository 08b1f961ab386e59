/**
 * Messages of nodes with several rails, over an engine that knows one link of a node: `portsAsNodes` is the machine whose nodes are the
 * ports of another, and `RailMessages` cuts every message into the parts that go from port to port. Links have the same numbers in both.
 */
import { appendAll } from '../model/lists.ts';
import type { Cancellation } from '../model/cancellation.ts';
import { nodeOfPort, nodeWorks, type Machine } from '../model/machine.ts';
import type { Rails } from '../model/rails.ts';
import { succeed, type Result } from '../model/result.ts';
import { portsBetween } from '../network/rails.ts';
import { intAt, itemAt } from '../numeric/elements.ts';
import type { Deadlock, MessageAdvance, MessageNetwork, MessageObserver, WaitingPacket } from './messages.ts';

/** The machine whose nodes are the ports of one with several rails; itself where nodes have one adapter. O(ports). */
export function portsAsNodes(machine: Machine): Machine {
  const { rails: used, topology, ...alone } = machine;
  const { rails, names, faults, ...rest } = topology;
  if (used === undefined || rails === undefined) return machine;
  const ports = rails.routerOfPort.length;
  const ofNodes = Array.from({ length: ports }, (_, port) => nodeOfPort(topology, port));
  return {
    ...alone,
    topology: {
      ...rest,
      routerOfNode: rails.routerOfPort,
      ...(names && { names: { ...names, nodes: ofNodes.map((node) => names.nodes[node] ?? '') } }),
      ...(faults && {
        faults: { ...faults, nodes: Uint8Array.from(ofNodes, (node) => (nodeWorks(topology, node) ? 0 : 1)) },
      }),
    },
    routing: used.network,
    hostsPerRouter: mostPorts(rails, topology.routerCount),
    nodeCount: ports,
    ...{ socketsPerNode: 1, coresPerSocket: 1, coresPerNode: 1, slotCount: ports },
  };
}

function mostPorts({ routerOfPort }: Rails, routerCount: number): number {
  const counts = new Int32Array(routerCount);
  for (const router of routerOfPort) counts[router] = intAt(counts, router) + 1;
  return counts.reduce((most, count) => Math.max(most, count), 0);
}

/** A message whose parts are under way. */
interface Whole {
  /** Parts that have not left their sender, and that have not arrived. */
  unsent: number;
  underWay: number;
}

/**
 * Messages between ends of a machine (`endOfSlot`) as messages between ports. A message is sent when its last part is, and has
 * arrived when its last part has; packets are told of with the number of the whole.
 */
export class RailMessages implements MessageNetwork {
  readonly endpoints = 'ends';
  readonly sent: number[] = [];
  readonly arrived: number[] = [];
  readonly #network: MessageNetwork;
  readonly #portsOf: ReturnType<typeof portsBetween>;
  readonly #wholes: Whole[] = [];
  /** Numbers that no message has. */
  readonly #free: number[] = [];
  /** By number of the network between ports. */
  readonly #wholeOfPart: number[];
  #underWay = 0;

  /** `make` makes the network between ports, which tells the observer that it is given. */
  static over(
    machine: Machine,
    observer: MessageObserver,
    make: (observer: MessageObserver) => Result<MessageNetwork>,
  ): Result<MessageNetwork> {
    const wholeOfPart: number[] = [];
    const whole = (part: number): number => itemAt(wholeOfPart, part);
    const { crossed, waited, delivered, tellsSent } = observer;
    const made = make({
      ...(crossed && {
        crossed: (channel, start, cycles, part) => {
          crossed(channel, start, cycles, whole(part));
        },
      }),
      ...(waited && {
        waited: (channel, start, cycles, part) => {
          waited(channel, start, cycles, whole(part));
        },
      }),
      ...(delivered && {
        delivered: (part, created, arrived, hops, flits) => {
          delivered(whole(part), created, arrived, hops, flits);
        },
      }),
      ...(tellsSent !== undefined && { tellsSent }),
    });
    return made.ok ? succeed(new RailMessages(machine, made.value, wholeOfPart)) : made;
  }

  private constructor(machine: Machine, network: MessageNetwork, wholeOfPart: number[]) {
    this.#network = network;
    this.#portsOf = portsBetween(machine);
    this.#wholeOfPart = wholeOfPart;
  }

  get secondsPerCycle(): number | undefined {
    return this.#network.secondsPerCycle;
  }

  get now(): number {
    return this.#network.now;
  }

  get messagesUnderWay(): number {
    return this.#underWay;
  }

  get deadlock(): Deadlock | undefined {
    const { deadlock } = this.#network;
    return deadlock && { ...deadlock, waits: deadlock.waits.map((wait) => this.#ofWhole(wait)) };
  }

  send(from: number, to: number, bytes: number): number {
    const { from: senders, to: receivers, count } = this.#portsOf(from, to);
    // A message of fewer bytes than there are rails has no part on some of them.
    const parts = Math.max(1, Math.min(count, Math.ceil(bytes)));
    const each = Math.floor(bytes / parts);
    const message = this.#free.pop() ?? this.#wholes.length;
    this.#wholes[message] = { unsent: parts, underWay: parts };
    // What is left over goes with the first parts, a byte each.
    for (let part = 0, left = bytes - parts * each; part < parts; part++, left--) {
      const own = each + Math.max(0, Math.min(1, left));
      this.#wholeOfPart[this.#network.send(intAt(senders, part), intAt(receivers, part), own)] = message;
    }
    this.#underWay++;
    return message;
  }

  advance(to: number, cancellation: Cancellation): MessageAdvance {
    appendAll(this.#free, this.arrived);
    this.sent.length = 0;
    this.arrived.length = 0;
    for (;;) {
      const advance = this.#network.advance(to, cancellation);
      if (advance !== 'events') return advance;
      for (const part of this.#network.sent) {
        const message = itemAt(this.#wholeOfPart, part);
        if (--itemAt(this.#wholes, message).unsent === 0) this.sent.push(message);
      }
      for (const part of this.#network.arrived) {
        const message = itemAt(this.#wholeOfPart, part);
        if (--itemAt(this.#wholes, message).underWay === 0) this.arrived.push(message);
      }
      this.#underWay -= this.arrived.length;
      if (this.sent.length + this.arrived.length === 0) continue;
      this.sent.sort((one, other) => one - other);
      this.arrived.sort((one, other) => one - other);
      return 'events';
    }
  }

  waiting(): readonly WaitingPacket[] {
    return this.#network.waiting().map((wait) => this.#ofWhole(wait));
  }

  #ofWhole(wait: WaitingPacket): WaitingPacket {
    return { ...wait, transmission: itemAt(this.#wholeOfPart, wait.transmission) };
  }
}
