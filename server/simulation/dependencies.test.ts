import { describe, expect, it } from 'vitest';
import type { Machine } from '../model/machine.ts';
import { seededRandom } from '../model/random.ts';
import { neverCancelled } from '../model/cancellation.ts';
import { everyMachine } from '../network/testing/everyMachine.ts';
import { gridMachine } from '../network/testing/machines.ts';
import { networkMachine } from '../network/testing/networkMachines.ts';
import { dependencyCircle, type DependencyRules } from './dependencies.ts';
import type { FlitOptions } from './engines/flits/flitOptions.ts';
import { flitNetwork } from './engines/flits/flits.ts';
import { PacketRoutes } from './engines/packetRoutes.ts';

const rulesOf = (channels: number, routing: DependencyRules['routing'], hasBubble = false): DependencyRules => ({
  ...{ channels, routing, hasBubble },
});

interface Place {
  readonly queue: number;
  readonly state: number;
  /** Queue of a link that a worm holds last, of those that count, a packet that is switched as a whole alone; −1 for none. */
  readonly held: number;
}

/** Queues and, of each, those that a packet in it may ask for; escape channels alone where there are any. */
function plainDependencies(machine: Machine, rules: DependencyRules): Map<number, Set<number>> {
  const routes = new PacketRoutes(machine, rules);
  const linkQueues = routes.stations.linkCount * rules.channels;
  const follows = new Map<number, Set<number>>();
  const depend = (held: number, queue: number): void => {
    if (!follows.has(held)) follows.set(held, new Set());
    follows.get(held)!.add(queue);
  };
  /** What a packet may ask for, as queues; those that are entered by the rule of the bubble are complements. */
  const optionsAt = ({ queue, state }: Place, target: number): { option: number; state: number; counts: boolean }[] => {
    if (routes.find(queue, target, state)) return [];
    const found = [...routes.queues.subarray(0, routes.count)];
    const options = found.map((option, at) => ({ option, state: routes.states[at]!, counts: !routes.hasEscape }));
    return routes.hasEscape ? [...options, { option: routes.escape, state: 0, counts: true }] : options;
  };
  const follow = ({ held }: Place, { option, state, counts }: ReturnType<typeof optionsAt>[number]): Place => {
    const next = option < 0 ? ~option : option;
    // A bubble keeps a ring open that is entered by its rule.
    const isKeptOpen = rules.hasBubble && option >= 0 && isRing(machine, next, rules);
    if (counts && held !== -1 && !isKeptOpen) depend(held, next);
    return { queue: next, state, held: counts ? next : rules.hasBubble ? -1 : held };
  };
  for (let target = 0; target < machine.nodeCount; target++) {
    const others = Array.from({ length: machine.nodeCount }, (_, node) => node).filter((node) => node !== target);
    // Half-way round a ring either way.
    const pending = others.flatMap((node) =>
      [0, -1].map((coins): Place => ({ queue: linkQueues + node, state: routes.startOf(node, coins), held: -1 })),
    );
    const seen = new Set<string>();
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      const key = `${place.queue} ${place.state} ${place.held}`;
      if (seen.has(key)) continue;
      seen.add(key);
      for (const option of optionsAt(place, target)) pending.push(follow(place, option));
    }
  }
  return follows;
}

const isRing = ({ topology }: Machine, queue: number, { channels }: DependencyRules): boolean =>
  Math.floor(queue / channels) < topology.links.routerLinkCount && topology.wraps?.includes(true) === true;

/** Takes away what nothing follows until nothing changes: what is left has a circle. */
function hasCircle(follows: ReadonlyMap<number, ReadonlySet<number>>): boolean {
  const left = new Map([...follows].map(([queue, next]) => [queue, new Set(next)]));
  for (let changed = true; changed;) {
    changed = false;
    for (const [queue, next] of left) {
      for (const each of next) if (!left.has(each)) changed = next.delete(each) || changed;
      if (next.size === 0) changed = left.delete(queue) || changed;
    }
  }
  return left.size > 0;
}

const twistedTorus = networkMachine('torus', { sides: [8, 4], options: { twist: 4 } });

describe('circles of channels', () => {
  const machines: readonly (readonly [string, Machine])[] = [
    ...everyMachine(),
    ['a torus of 4 x 2', gridMachine('torus', [4, 2])],
    ['a torus of 3 x 3', gridMachine('torus', [3, 3])],
    ['switches in a ring, minimal routes', switchRing(6)],
    ['a mesh of 1 x 4', gridMachine('mesh', [1, 4])],
    ['a HyperX', networkMachine('hyperx', { sides: [3, 4] })],
    ['a twisted torus', twistedTorus],
    ...['static', 'dfsssp', 'ecmp'].flatMap((name): (readonly [string, Machine])[] => [
      [`${name} on a ring`, ringOfSwitches(5, name)],
      [
        `${name} on a fat tree`,
        networkMachine('fat-tree', { options: { k: 2, n: 3 }, routing: { name, options: {} } }),
      ],
    ]),
  ];
  it.each(machines)('are predicted where the dependencies have one, on %s', (_, machine) => {
    const wrong: unknown[] = [];
    for (const routing of ['deterministic', 'adaptive'] as const) {
      for (const channels of [1, 2, 3]) {
        const rules = rulesOf(channels, routing);
        const circle = dependencyCircle(machine, rules);
        if ((circle !== undefined) !== hasCircle(plainDependencies(machine, rules)))
          wrong.push({ routing, channels, circle });
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each(machines)('are ways that close, on %s', (_, machine) => {
    const { links } = machine.topology;
    for (const routing of ['deterministic', 'adaptive'] as const) {
      const circle = dependencyCircle(machine, rulesOf(1, routing)) ?? [];
      circle.forEach((link, index) => {
        expect(links.to[link]).toBe(links.from[circle[(index + 1) % circle.length]!]);
      });
      expect(new Set(circle).size).toBe(circle.length);
    }
  });

  it.each(['static', 'dfsssp', 'ecmp'])('are found where nodes have routes of their own: %s', (name) => {
    const ring = ringOfSwitches(7, name);
    const circle = dependencyCircle(ring, rulesOf(1, 'deterministic')) ?? [];
    expect(new Set(circle).size).toBe(7);
    circle.forEach((link, index) => {
      expect(ring.topology.links.to[link]).toBe(ring.topology.links.from[circle[(index + 1) % 7]!]);
    });
    const tree = networkMachine('fat-tree', { options: { k: 4, n: 3 }, routing: { name, options: {} } });
    expect(dependencyCircle(tree, rulesOf(1, 'deterministic'))).toBeUndefined();
  });

  it.each(['minimal', 'static'])('have no routes of failed nodes: %s', (name) => {
    const failed = (nodes: readonly number[]): Machine =>
      networkMachine('switches', {
        count: 5,
        cables: Array.from({ length: 5 }, (_, from) => ({ from, to: (from + 1) % 5 })),
        hosts: 1,
        routing: { name, options: {} },
        faults: { cables: [], routers: [], nodes },
      });
    expect(dependencyCircle(failed([]), rulesOf(1, 'adaptive'))).toHaveLength(5);
    expect(dependencyCircle(failed([2]), rulesOf(1, 'adaptive'))).toBeUndefined();
  });

  it('a bubble opens those of rings', () => {
    const torus = gridMachine('torus', [5, 4]);
    for (const [channels, routing] of [
      [1, 'deterministic'],
      [2, 'adaptive'],
    ] as const) {
      expect(dependencyCircle(torus, rulesOf(channels, routing))).toHaveLength(5);
      expect(dependencyCircle(torus, rulesOf(channels, routing, true))).toBeUndefined();
      expect(hasCircle(plainDependencies(torus, rulesOf(channels, routing, true)))).toBe(false);
    }
  });

  it.each([
    { name: 'a ring', machine: gridMachine('torus', [6]), routing: 'deterministic', deadlocks: true },
    { name: 'a mesh', machine: gridMachine('mesh', [3, 3]), routing: 'adaptive', deadlocks: true },
    {
      name: 'a mesh in dimension order',
      machine: gridMachine('mesh', [3, 3]),
      routing: 'deterministic',
      deadlocks: false,
    },
    { name: 'minimal routes on a ring of switches', machine: switchRing(6), routing: 'deterministic', deadlocks: true },
    {
      name: 'dfsssp on a ring of switches',
      machine: ringOfSwitches(6, 'dfsssp'),
      routing: 'deterministic',
      deadlocks: true,
    },
    { name: 'a twisted torus', machine: twistedTorus, routing: 'deterministic', deadlocks: true },
    {
      name: 'a HyperX',
      machine: networkMachine('hyperx', { sides: [3, 3] }),
      routing: 'deterministic',
      deadlocks: false,
    },
  ] as const)(
    'happen under load with one channel where they are predicted: $name',
    ({ machine, routing, deadlocks }) => {
      const options: FlitOptions = {
        ...{
          packing: { flitBytes: 4, packetFlits: 16 },
          channels: 1,
          buffer: 1,
          router: 0,
          link: 1,
          secondsPerCycle: undefined,
        },
        ...{ routing, select: 'first-free', arbiter: 'round-robin', ejection: 'multiple' },
      };
      const outcomes = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => {
        const made = flitNetwork(machine, options, seededRandom(seed));
        if (!made.ok) throw new Error(made.failure.message);
        const random = seededRandom(seed);
        for (let message = 0; message < 600; message++) {
          const from = random.integer(machine.nodeCount);
          made.value.send(from, (from + 1 + random.integer(machine.nodeCount - 1)) % machine.nodeCount, 64);
        }
        let why = 'events';
        while (why === 'events') why = made.value.advance(1e6, neverCancelled);
        return why;
      });
      expect(outcomes.includes('deadlock')).toBe(deadlocks);
      expect(dependencyCircle(machine, rulesOf(1, routing)) !== undefined).toBe(deadlocks);
    },
  );
});

/** Switches with several hosts in a ring. */
function ringOfSwitches(count: number, routing: string): Machine {
  const cables = Array.from({ length: count }, (_, from) => ({ from, to: (from + 1) % count }));
  return networkMachine('switches', { count, cables, hosts: 3, routing: { name: routing, options: {} } });
}

/** Switches in a ring under minimal routing. */
function switchRing(count: number): Machine {
  const cables = Array.from({ length: count }, (_, from) => ({ from, to: (from + 1) % count }));
  return networkMachine('switches', { count, cables, hosts: 1, routing: { name: 'minimal', options: {} } });
}
