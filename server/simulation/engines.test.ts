import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import { seededRandom } from '../model/random.ts';
import { paperCluster } from '../queueing/testing/paperWorkloads.ts';
import { gridMachine } from '../network/testing/machines.ts';
import { messageNetwork } from './engines.ts';
import type { MessageObserver } from './messages.ts';

const wormhole: NetworkModel = { switching: 'wormhole', router: { unit: 'cycles', amount: 3 }, buffer: 1, packet: 8 };

function made(model: NetworkModel, kind = 'mesh', sides = [5], observer: MessageObserver = {}) {
  const network = messageNetwork(model, gridMachine(kind, sides), observer);
  if (!network.ok) throw new Error(network.failure.message);
  return network.value;
}

describe('messages over header events', () => {
  it('are sent in the cycle after they were handed over, and arrive with their last packet', () => {
    const network = made(wormhole);
    network.send(0, 1, 64);
    expect(network.advance(100, neverCancelled)).toBe('events');
    expect([network.now, network.sent]).toEqual([0, [0]]);
    // Two packets of 8 flits: 19 and 37 as worked out by hand for the engine itself.
    expect(network.advance(100, neverCancelled)).toBe('events');
    expect([network.now, network.arrived, network.messagesUnderWay]).toEqual([37, [0], 0]);
    expect(network.advance(100, neverCancelled)).toBe('reached');
    expect(network.now).toBe(100);
  });

  it('of a node go in the order in which they were handed over, not in turns', () => {
    const network = made(wormhole);
    const arrivals: number[] = [];
    for (const bytes of [96, 32]) network.send(0, 1, bytes);
    while (network.messagesUnderWay > 0) {
      network.advance(1000, neverCancelled);
      arrivals.push(...network.arrived);
    }
    expect(arrivals).toEqual([0, 1]);
  });

  it('without a packet length are one worm, a header and as many flits as they need', () => {
    const flits: number[] = [];
    const network = made({ switching: 'wormhole', buffer: 1 }, 'mesh', [5], {
      delivered: (...told) => flits.push(told[4]),
    });
    for (const bytes of [0, 1, 4, 33]) network.send(0, 1, bytes);
    while (network.messagesUnderWay > 0) network.advance(1000, neverCancelled);
    expect(flits).toEqual([1, 2, 2, 10]);
  });

  it('tell who owned which channel and who waited for it', () => {
    const crossed: number[][] = [];
    const waited: number[][] = [];
    const network = made(wormhole, 'mesh', [5], {
      crossed: (...told) => crossed.push(told),
      waited: (...told) => waited.push(told),
    });
    network.send(0, 2, 32);
    network.send(1, 2, 32);
    while (network.messagesUnderWay > 0) network.advance(1000, neverCancelled);
    // The second message asks at 7; its tail enters the ejection channel at 12 + 7. Links 0 and 1 lead on from routers 0 and 1.
    expect(waited).toEqual([[1, 11, 8, 0]]);
    expect(crossed.filter(([channel]) => channel === 1)).toEqual([
      [1, 7, 12, 1],
      [1, 19, 12, 0],
    ]);
  });

  it('find four worms that wait for one another in a ring', () => {
    const network = made({ ...wormhole, router: { unit: 'cycles', amount: 0 }, buffer: 2 }, 'torus', [4]);
    for (let node = 0; node < 4; node++) network.send(node, (node + 2) % 4, 32);
    let why = network.advance(1000, neverCancelled);
    while (why === 'events') why = network.advance(1000, neverCancelled);
    expect(why).toBe('deadlock');
    expect(network.deadlock?.waits.map(({ transmission }) => transmission)).toEqual([0, 1, 2, 3]);
    expect(network.waiting()).toHaveLength(4);
  });

  it('of cores go through the servers of a cluster', () => {
    const model: NetworkModel = { switching: 'queueing', serviceVariation: 1, cache: 8e9 };
    const network = messageNetwork(model, paperCluster(2), {}, seededRandom(1));
    if (!network.ok) throw new Error(network.failure.message);
    expect([network.value.endpoints, network.value.secondsPerCycle]).toEqual(['slots', 1e-9]);
    network.value.send(0, 31, 1024);
    while (network.value.messagesUnderWay > 0) network.value.advance(1e9, neverCancelled);
    expect(network.value.arrived).toEqual([0]);
    expect(messageNetwork(model, gridMachine('mesh', [4]))).toMatchObject({
      ok: false,
      failure: { code: 'bad-network' },
    });
  });

  it.each([
    [{ ...wormhole, link: { unit: 'cycles', amount: 2 } }, /one channel/],
    [{ ...wormhole, router: { unit: 'seconds', amount: 1e-9 } }, /no `bandwidth`/],
  ] satisfies [NetworkModel, RegExp][])('refuse %o', (model, message) => {
    const network = messageNetwork(model, gridMachine('mesh', [4]));
    expect(network).toMatchObject({ ok: false, failure: { code: 'bad-network' } });
    expect(network.ok ? '' : network.failure.message).toMatch(message);
  });
});
