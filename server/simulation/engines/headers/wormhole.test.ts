import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../../model/cancellation.ts';
import { gridMachine } from '../../../network/testing/machines.ts';
import { networkMachine } from '../../../network/testing/networkMachines.ts';
import type { PacketSource } from '../../messages.ts';
import { oneToAll } from '../../patterns.ts';
import {
  bytesAfter,
  flitByFlit,
  headerEvents,
  testHeaderDeadlocks,
  testRandomHeaders,
} from '../../testing/headerRuns.ts';
import { firstNodes, inOrder, recorder, wormholeContract } from '../../testing/networkContract.ts';
import { wormhole } from './wormhole.ts';

wormholeContract('header events', headerEvents);
wormholeContract('flit by flit', flitByFlit);

// Quick forms of wormhole.slow.test.ts.
testRandomHeaders(30);
testHeaderDeadlocks(40);

describe('header events', () => {
  it('find a deadlock while other packets go on', () => {
    // Routers 0 … 4 are a ring under minimal routing; 5 and 6 hang beside it and talk to each other for a million cycles.
    const cables = [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 0],
      [0, 5],
      [5, 6],
    ].map(([from, to]) => ({ from: from!, to: to! }));
    const machine = networkMachine('switches', {
      count: 7,
      cables,
      hosts: 1,
      routing: { name: 'minimal', options: {} },
    });
    const network = headerEvents(machine, { routing: 3, buffer: 1 });
    const around: PacketSource = {
      processCount: 5,
      packetCount: 500,
      packetsOf: () => 100,
      destinationOf: (process) => (process + 2) % 5,
    };
    const beside: PacketSource = {
      processCount: 2,
      packetCount: 200_000,
      packetsOf: () => 100_000,
      destinationOf: (process) => 1 - process,
    };
    network.send({ source: beside, nodeOfProcess: Int32Array.of(5, 6), flits: 8 });
    network.send({ source: around, nodeOfProcess: firstNodes(5), flits: 8 });
    expect(network.advance(1e9, neverCancelled)).toBe('deadlock');
    expect(network.total.packets).toBeGreaterThan(1000);
    expect(network.packetsUnderWay).toBeGreaterThan(4);
    expect(network.deadlock!.since).toBeLessThan(1000);
  });

  it('take long packets, a long delay and many cycles', () => {
    const machine = gridMachine('mesh', [3]);
    const { deliveries, observe } = recorder();
    const network = headerEvents(machine, { routing: 70_000, buffer: 1 }, observe);
    network.advance(2 ** 40, neverCancelled);
    network.send({ source: oneToAll(3, 0), nodeOfProcess: firstNodes(3), flits: 3 });
    network.send({ source: oneToAll(3, 2), nodeOfProcess: firstNodes(3), flits: 2 ** 20 });
    while (network.packetsUnderWay > 0) network.advance(2 ** 41, neverCancelled);
    const latency = (hops: number, flits: number): number => (hops + 2) * 70_001 + flits - 1;
    const ends = inOrder(deliveries).map(({ end }) => end - 2 ** 40);
    expect(ends.slice(0, 1)).toEqual([latency(1, 3)]);
    expect(ends).toContain(latency(2, 2 ** 20));
    expect(ends).toHaveLength(4);
  });

  it('need no more memory for a hundred thousand packets than for ten thousand', () => {
    const network = headerEvents(gridMachine('mesh', [4, 4]), { routing: 3, buffer: 1 });
    const few = bytesAfter(network, 10_000);
    expect(few).toBeGreaterThan(1000);
    expect(bytesAfter(network, 100_000)).toBe(few);
    expect(network.total.packets).toBe(110_000);
  });

  it.each([
    { options: { routing: -1, buffer: 1 }, message: /must be 0 to/ },
    { options: { routing: 1.5, buffer: 1 }, message: /must be 0 to/ },
    { options: { routing: 2 ** 21, buffer: 1 }, message: /must be 0 to/ },
    { options: { routing: 3, buffer: 0 }, message: /must hold 1 to/ },
    { options: { routing: 3, buffer: Number.NaN }, message: /must hold 1 to/ },
  ])('refuse $options', ({ options, message }) => {
    const network = wormhole(gridMachine('mesh', [2]), options);
    expect(network).toMatchObject({ ok: false, failure: { code: 'invalid-count' } });
    expect(!network.ok && network.failure.message).toMatch(message);
  });
});
