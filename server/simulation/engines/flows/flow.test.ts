import { describe, expect, it } from 'vitest';
import { asNodeId } from '../../../model/identifiers.ts';
import { neverCancelled } from '../../../model/cancellation.ts';
import { hopsBetweenNodes, type Machine } from '../../../model/machine.ts';
import { seededRandom } from '../../../model/random.ts';
import { testContract } from '../../../model/testing/contract.ts';
import { everyMachine } from '../../../network/testing/everyMachine.ts';
import { relativeTimes } from '../../../network/linkClasses.ts';
import { axisBandwidths, gridMachine, withLinkTimes } from '../../../network/testing/machines.ts';
import { networkMachine } from '../../../network/testing/networkMachines.ts';
import { messageContract, story, type Sending } from '../../testing/messageContract.ts';
import { routesOf } from '../../routes.ts';
import { FlowNetwork, type FlowOptions } from './flow.ts';

const options: FlowOptions = {
  packing: { flitBytes: 4, packetFlits: 8 },
  router: 0,
  link: 1,
  secondsPerCycle: undefined,
};

/** Cycle in which each message arrives, by the order of sending. */
function arrivals(machine: Machine, sendings: readonly Sending[], more: Partial<FlowOptions> = {}): number[] {
  const network = new FlowNetwork(machine, { ...options, ...more });
  const ends: number[] = [];
  const indexOf = new Map<number, number>();
  for (let next = 0; next < sendings.length || network.messagesUnderWay > 0;) {
    for (; sendings[next]?.cycle === network.now; next++) {
      const { from, to, bytes } = sendings[next]!;
      indexOf.set(network.send(from, to, bytes), next);
    }
    network.advance(sendings[next]?.cycle ?? 1e9, neverCancelled);
    for (const message of network.arrived) ends[indexOf.get(message)!] = network.now;
  }
  return ends;
}

const sent = (from: number, to: number, flits: number, cycle = -1): Sending => ({ cycle, from, to, bytes: 4 * flits });

describe('flows that share channels', () => {
  const line = gridMachine('mesh', [5]);

  it.each([
    { name: 'alone', sendings: [sent(0, 4, 80)], ends: [4 + 79] },
    // Both over the link from 1 to 2: half each for 160 cycles.
    { name: 'of one length on one link', sendings: [sent(0, 2, 80), sent(1, 3, 80)], ends: [2 + 159, 2 + 159] },
    // Half each until the short one has left after 80 cycles, then all.
    { name: 'of two lengths', sendings: [sent(0, 2, 80), sent(1, 3, 40)], ends: [2 + 119, 2 + 79] },
    { name: 'with a later one', sendings: [sent(0, 2, 80), sent(1, 3, 40, 39)], ends: [2 + 119, 2 + 119] },
    { name: 'of one node, one after the other', sendings: [sent(0, 2, 80), sent(0, 3, 40)], ends: [2 + 79, 3 + 119] },
    { name: 'on different links', sendings: [sent(0, 1, 80), sent(3, 2, 80)], ends: [1 + 79, 1 + 79] },
  ])('$name', ({ sendings, ends }) => {
    expect(arrivals(line, sendings)).toEqual(ends);
  });

  it('share slower links of one axis by what these carry', () => {
    // A cycle is a flit over a link in x; links in y take two. Over one link of each axis 80 flits take 160 cycles.
    const grid = gridMachine('mesh', [3, 3], { figures: axisBandwidths(4e9, 2e9) });
    expect(arrivals(grid, [sent(0, 2, 80)])).toEqual([2 + 79]);
    expect(arrivals(grid, [sent(0, 4, 80)])).toEqual([2 + 159]);
    // Two flows share a link in y: a quarter of a flit a cycle each.
    expect(arrivals(grid, [sent(1, 7, 80), sent(0, 4, 80)])).toEqual([2 + 319, 2 + 319]);
  });

  it('have max-min shares: who is held up elsewhere leaves the rest to others', () => {
    // Three go to node 0, a third each; the one from 1 to 2 has two thirds of nothing else: all of its link.
    const star = networkMachine('switches', { count: 1, hosts: 6 });
    const ends = arrivals(star, [sent(1, 0, 48), sent(2, 0, 48), sent(3, 0, 48), sent(4, 5, 48)]);
    const alone = 2 + 47;
    expect(ends).toEqual([2 + 143, 2 + 143, 2 + 143, alone]);
  });

  it('have shares of which none can grow, whatever they share', () => {
    const random = seededRandom(4);
    for (const [, machine] of everyMachine()) {
      const routes = routesOf(machine);
      const flows = Array.from({ length: Math.min(8, machine.nodeCount) }, (_, from) => {
        const to = (from + 1 + random.integer(machine.nodeCount - 1)) % machine.nodeCount;
        const into = new Int32Array(64);
        return { from, to, route: into.subarray(0, routes.write(from, to, into, 0, 64)) };
      });
      // Flits in one long cycle: what has left when the first flow ends says the shares.
      const crossed: number[][] = [];
      const network = new FlowNetwork(
        machine,
        { ...options, packing: { flitBytes: 1, packetFlits: 1 } },
        { crossed: (...told) => crossed.push(told) },
      );
      const plain = plainShares(flows.map(({ route }) => route));
      // Flits in proportion to the shares: all flows end together.
      for (const [index, { from, to }] of flows.entries()) network.send(from, to, Math.round(plain[index]! * 55_440));
      const ends: number[] = [];
      while (network.messagesUnderWay > 0) {
        network.advance(1e9, neverCancelled);
        ends.push(...network.sent.map(() => network.now));
      }
      expect(new Set(ends)).toEqual(new Set([55_439]));
      expect(crossed.length).toBeGreaterThan(flows.length);
    }
  });

  it('forget what was sent: a node may send without end', () => {
    const network = new FlowNetwork(line, options);
    let most = 0;
    for (let message = 0; message < 5000; message++) {
      most = Math.max(most, network.send(0, 1, 32));
      if (message % 3 === 2) while (network.messagesUnderWay > 4) network.advance(1e9, neverCancelled);
    }
    expect(most).toBeLessThan(10);
  });
});

/** Cycle in which each message arrives: time goes from one beginning or end to the next, and all shares are worked out anew there. */
function plainFlows(machine: Machine, sendings: readonly Sending[]): number[] {
  const routes = routesOf(machine);
  const times = relativeTimes(machine);
  const capacityOf = (channel: number): number => 1 / (times?.[channel] || 1);
  const messages = sendings.map(({ cycle, from, to, bytes }) => {
    const into = new Int32Array(64);
    const route = into.subarray(0, routes.write(from, to, into, 0, 64));
    return {
      begin: cycle + 1,
      from,
      route,
      left: 8 * Math.max(1, Math.ceil(bytes / 32)),
      end: undefined as number | undefined,
    };
  });
  const hostLinks = machine.topology.hasHostLinks ? 2 : 0;
  for (let time = 0; messages.some(({ end }) => end === undefined);) {
    // The first of each node that has not ended.
    const under = messages.filter(
      (one, index) =>
        one.end === undefined &&
        one.begin <= time &&
        !messages.slice(0, index).some((other) => other.from === one.from && other.end === undefined),
    );
    const shares = plainShares(
      under.map(({ route }) => route),
      capacityOf,
    );
    const ends = under.map(({ left }, index) => time + left / shares[index]!);
    const next = Math.min(...ends, ...messages.flatMap(({ begin }) => (begin > time ? [begin] : [])));
    for (const [index, one] of under.entries()) {
      one.left -= (next - time) * shares[index]!;
      if (ends[index]! < next + 1e-7) one.end = next;
    }
    time = next;
  }
  return messages.map(({ end, route }) => Math.ceil(end! - 1e-6) - 1 + route.length - 2 + hostLinks);
}

/** Shares by raising all at once, a little at a time, until a channel is full. */
function plainShares(routes: readonly Int32Array[], capacityOf: (channel: number) => number = () => 1): number[] {
  const shares = routes.map(() => 0);
  const isFixed = routes.map(() => false);
  while (isFixed.includes(false)) {
    const channels = [...new Set(routes.flatMap((route) => [...route]))].map((channel) => {
      const on = routes.flatMap((route, index) => (route.includes(channel) ? [index] : []));
      const growing = on.filter((index) => !isFixed[index]);
      const used = on.reduce((sum, index) => sum + shares[index]!, 0);
      return { growing, step: growing.length === 0 ? Infinity : (capacityOf(channel) - used) / growing.length };
    });
    const step = Math.min(...channels.map((channel) => channel.step));
    isFixed.forEach((fixed, index) => (shares[index]! += fixed ? 0 : step));
    for (const channel of channels)
      if (channel.step <= step * (1 + 1e-12)) for (const index of channel.growing) isFixed[index] = true;
  }
  return shares;
}

testContract('flows against shares worked out anew each time', ({ on, property }) => {
  for (const [what, built] of everyMachine()) {
    // Each machine with links that are all as fast, and with others.
    for (let seed = 0; seed < 4; seed++) {
      on(`${what}, seed ${seed}`, () => {
        const random = seededRandom(seed);
        const machine = seed % 2 > 0 ? built : withLinkTimes(built, () => [1, 2, 3.5][random.integer(3)]!);
        const most = [60, 400, 4000][seed % 3]!;
        const sendings = Array.from({ length: 60 }, () => {
          const from = random.integer(machine.nodeCount);
          const to = (from + 1 + random.integer(machine.nodeCount - 1)) % machine.nodeCount;
          return sent(from, to, 8 * (1 + random.integer(most)), random.integer(most) - 1);
        }).sort((a, b) => a.cycle - b.cycle);
        const ends = arrivals(machine, sendings);
        property('arrive in the same cycles, whenever they begin and end', (look) => {
          plainFlows(machine, sendings).forEach((end, message) => {
            look(ends[message] === end, () => `message ${message}: ${ends[message]}, not ${end}`);
          });
        });
      });
    }
  }
});

messageContract({
  name: 'flows',
  machines: everyMachine(),
  make: (machine, observer) => new FlowNetwork(machine, { ...options, router: 1, link: 2 }, observer),
  packetsOf: () => 1,
  alone: (machine, from, to, bytes) =>
    hopsBetweenNodes(machine, asNodeId(from), asNodeId(to)) * 3 + 1 + 8 * Math.max(1, Math.ceil(bytes / 32)) - 1,
  bytes: [1, 32, 100],
});

it('flows tell nothing of packets', () => {
  const { deliveries } = story(
    (observer) => new FlowNetwork(gridMachine('mesh', [3]), options, observer),
    [sent(0, 2, 24)],
    1e6,
  );
  expect(deliveries).toEqual([[2 + 23, 0, 0, 2, 24]]);
});
