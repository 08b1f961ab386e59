import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { Machine } from '../model/machine.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import type { RailUse } from '../model/rails.ts';
import { portsOfNode } from '../model/rails.ts';
import { endOfSlot } from '../model/slots.ts';
import { operationKind } from '../model/workload.ts';
import type { MachineDescription } from '../network/contract.ts';
import { endsOfLink } from '../network/links.ts';
import { asLinkId } from '../model/identifiers.ts';
import { buildMachine } from '../network/machine.ts';
import { usingRails } from '../network/rails.ts';
import { valueOf } from '../network/testing/routingContract.ts';
import { messageNetwork, possibleDeadlock, streamNetwork } from './engines.ts';
import type { MessageObserver } from './messages.ts';
import { portsAsNodes } from './rails.ts';
import { simulateWorkloads } from './replay.ts';
import { messageContract, streamContract } from './testing/messageContract.ts';

/** Two tiers of switches, 8 leaves with 2 hosts each, 4 cores. */
const tree = (more: Partial<MachineDescription> = {}): Machine =>
  valueOf(
    buildMachine({
      name: 'pod',
      topology: { name: 'fat-tree', options: { levels: [2, 8], parents: [4] } },
      routing: { name: 'up-down', options: {} },
      cables: [],
      socketsPerNode: 1,
      coresPerSocket: 4,
      figures: {},
      ...more,
    }),
  );
const single = tree();
const optimised = tree({ rails: { count: 2, optimised: true } });
const using = (use: RailUse, machine = optimised): Machine => usingRails(machine, use);

const engines: readonly NetworkModel[] = [
  { switching: 'wormhole', buffer: 4, packet: 8 },
  { switching: 'wormhole', channels: 2, packet: 8 },
  { switching: 'cut-through' },
  { switching: 'store-and-forward' },
  { switching: 'flow' },
];

/** The cycle in which a message has arrived that is sent alone, and the channels that it took. */
function alone(model: NetworkModel, machine: Machine, from: number, to: number, bytes: number) {
  const channels: number[] = [];
  const observer: MessageObserver = { crossed: (channel) => channels.push(channel) };
  const network = valueOf(messageNetwork(model, machine, observer));
  const message = network.send(from, to, bytes);
  while (network.messagesUnderWay > 0) network.advance(1e6, neverCancelled);
  expect(network.arrived).toEqual([message]);
  return { arrival: network.now, channels: [...new Set(channels)].sort((one, other) => one - other) };
}

describe.each(engines)('messages over rails, $switching', (model) => {
  // Parts of different rails share no link where each rail has its leaves, so that a message takes as long as half of it.
  it('that are striped take as long alone as half of them over one rail', () => {
    for (const [from, to, bytes] of [
      [0, 3, 256],
      [1, 14, 512],
      [5, 10, 64],
    ] as const) {
      const striped = alone(model, using({ kind: 'stripe' }), from, to, bytes);
      const half = alone(model, using({ kind: 'only', rail: 0 }), from, to, bytes / 2);
      expect(striped.arrival).toBe(half.arrival);
      // A single rail of the same network knows the same time.
      const ports = portsAsNodes(using({ kind: 'only', rail: 0 }));
      expect(alone(model, ports, from, to, bytes / 2).arrival).toBe(half.arrival);
    }
  });

  it('take the links of their rail', () => {
    const railsOf = (use: RailUse, from: number, to: number): Set<number | undefined> => {
      const machine = using(use);
      const { channels } = alone(model, machine, from, to, 256);
      const { routerLinkCount } = machine.topology.links;
      return new Set(
        channels
          .filter((channel) => channel >= routerLinkCount)
          .flatMap((channel) => Object.values(endsOfLink(machine, asLinkId(channel))))
          .flatMap((end) => (typeof end === 'object' ? [(end as { rail?: number }).rail] : [])),
      );
    };
    expect(railsOf({ kind: 'only', rail: 1 }, 0, 5)).toEqual(new Set([1]));
    expect(railsOf({ kind: 'stripe' }, 0, 5)).toEqual(new Set([0, 1]));
    // Cores 0 and 1 are next to rail 0, cores 2 and 3 to rail 1.
    const own = using({ kind: 'own' });
    expect(railsOf({ kind: 'own' }, endOfSlot(own, 2), endOfSlot(own, 4 * 5 + 3))).toEqual(new Set([1]));
    expect(railsOf({ kind: 'own' }, endOfSlot(own, 0), endOfSlot(own, 4 * 5 + 3))).toEqual(new Set([0, 1]));
  });

  it('of a byte go whole over the first rail, and none are lost', () => {
    const striped = alone(model, using({ kind: 'stripe' }), 0, 5, 1);
    expect(striped.arrival).toBe(alone(model, using({ kind: 'only', rail: 0 }), 0, 5, 1).arrival);
    expect(alone(model, using({ kind: 'stripe' }), 0, 5, 0).arrival).toBeGreaterThan(0);
  });
});

describe('nodes with rails', () => {
  it('have ports with the links that they have in the machine', () => {
    const ports = portsAsNodes(optimised);
    const { rails, links } = optimised.topology;
    expect(ports.nodeCount).toBe(rails!.routerOfPort.length);
    expect(ports.topology.links).toBe(links);
    const [first, second] = portsOfNode(rails!, 4);
    expect([ports.topology.routerOfNode[first!], ports.topology.routerOfNode[second!]]).toEqual([2, 3]);
    expect(portsAsNodes(single)).toBe(single);
  });

  it('are refused by servers, in a sentence', () => {
    const refused = messageNetwork({ switching: 'queueing' }, optimised);
    expect(refused.ok ? '' : refused.failure.message).toMatch(/several rails, but its servers model one NIC/);
  });

  it('have the deadlocks of the network between their ports', () => {
    expect(possibleDeadlock({ switching: 'wormhole' }, optimised)).toBeUndefined();
    const ring = tree({
      topology: { name: 'switches', options: {}, argument: { kind: 'numbers', numbers: [5] } },
      cables: [0, 1, 2, 3, 4].map((from) => ({ from, to: (from + 1) % 5 })),
      routing: { name: 'minimal', options: {} },
      rails: { count: 2 },
    });
    expect(possibleDeadlock({ switching: 'wormhole' }, ring)?.message).toContain('Possible deadlock');
  });

  it('send nothing from core to core of one node, whatever rails are next to them', () => {
    // Task 0 on core 0 sends to task 1 on core 3 of the same node, next to the other rail, and to task 2 on another one.
    const workload = {
      taskCount: 3,
      taskOfList: Int32Array.of(0, 1, 2),
      offsets: Int32Array.of(0, 2, 3, 4),
      kinds: Uint8Array.of(operationKind.send, operationKind.send, operationKind.receive, operationKind.receive),
      partners: Int32Array.of(1, 2, 0, 0),
      tags: Int32Array.of(0, 0, 0, 0),
      amounts: Float64Array.of(128, 128, 128, 128),
    };
    const slotOfTask = Int32Array.of(0, 3, 20);
    for (const use of [{ kind: 'own' }, { kind: 'stripe' }, { kind: 'only', rail: 1 }] as const) {
      const machine = using(use);
      const simulated = valueOf(
        simulateWorkloads(
          { model: { switching: 'cut-through' }, machine, jobs: [{ kind: 'causal', workload, slotOfTask }], seed: 1 },
          neverCancelled,
        ),
      );
      expect(simulated.makespan).toBeGreaterThan(0);
      expect(simulated.flits * 4).toBe(128);
      expect(simulated.jobs[0]!.packets).toBe(4);
    }
  });
});

for (const model of engines.filter(({ switching }) => switching !== 'flow')) {
  const packetsOf = (bytes: number): number => 2 * Math.max(1, Math.ceil(bytes / 2 / 32));
  messageContract({
    name: `striped messages, ${JSON.stringify(model)},`,
    machines: [
      ['a tree with a leaf for each rail', optimised],
      ['a tree with both rails on a leaf', tree({ rails: { count: 2 } })],
    ],
    make: (machine, observer) => valueOf(messageNetwork(model, machine, observer)),
    packetsOf,
    alone: 'the two parts of a message may share links',
    bytes: [2, 64, 640],
  });
}

streamContract(
  'striped over two rails',
  optimised,
  () => valueOf(streamNetwork({ switching: 'cut-through' }, optimised)),
  2,
);
