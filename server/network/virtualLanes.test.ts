import { describe, expect, it } from 'vitest';
import { neverCancelled, WorkMeter } from '../model/cancellation.ts';
import type { Machine } from '../model/machine.ts';
import { seededRandom } from '../model/random.ts';
import { LinkDependencies, OrderedDependencies } from './linkDependencies.ts';
import { virtualLanesOf } from './virtualLanes.ts';
import { gridMachine } from './testing/machines.ts';
import { autonet, networkMachine, type Network } from './testing/networkMachines.ts';

const lanesOf = (machine: Machine) => virtualLanesOf(machine, neverCancelled);

const ring = (routing: string): Machine =>
  networkMachine('switches', {
    count: 8,
    cables: Array.from({ length: 8 }, (_, from) => ({ from, to: (from + 1) % 8 })),
    routing: { name: routing, options: {} },
  });

const routed = (kind: string, network: Network, routing: string): Machine =>
  networkMachine(kind, { ...network, routing: { name: routing, options: {} } });

describe('virtual lanes', () => {
  it.each([
    ['a mesh axis by axis', gridMachine('mesh', [4, 4]), { lanes: 1, rule: 'none' }],
    ['a torus axis by axis: Dally and Seitz 1987', gridMachine('torus', [4, 4]), { lanes: 2, rule: 'dateline' }],
    [
      'a torus of rings of three, where no way takes two links',
      gridMachine('torus', [3, 3]),
      { lanes: 1, rule: 'none' },
    ],
    ['Autonet, up and down', autonet(), { lanes: 1, rule: 'none' }],
    ['a fat tree, minimally', networkMachine('fat-tree', { options: { k: 4, n: 3 } }), { lanes: 1, rule: 'none' }],
    ['a fat tree, by D-Mod-K', routed('fat-tree', { options: { k: 4, n: 3 } }, 'fat-tree'), { lanes: 1, rule: 'none' }],
    [
      'a dragonfly: Kim et al. 2008, section 4.1',
      networkMachine('dragonfly', { options: { p: 2, a: 4, h: 2 } }),
      { lanes: 2, rule: 'groups' },
    ],
    [
      'a dragonfly under Valiant: the same',
      routed('dragonfly', { options: { p: 2, a: 4, h: 2 } }, 'valiant'),
      { lanes: 3, rule: 'groups' },
    ],
    [
      'a dragonfly under UGAL',
      routed('dragonfly', { options: { p: 2, a: 4, h: 2 } }, 'ugal'),
      { lanes: 3, rule: 'groups' },
    ],
    ['a ring, minimally: Duato 1993', ring('minimal'), { lanes: 2, rule: 'escape' }],
    ['a ring by Valiant', ring('valiant'), { lanes: 4, rule: 'halves' }],
    ['a ring by tables', ring('static'), { lanes: 2, rule: 'destinations' }],
    ['a ring by DFSSSP', ring('dfsssp'), { lanes: 2, rule: 'destinations' }],
  ] as const)('are enough for %s', (_, machine, expected) => {
    expect(lanesOf(machine)).toMatchObject(expected);
  });

  it.each(['minimal', 'static', 'ecmp', 'dfsssp'])('name a circle that routes really close, under %s', (name) => {
    const machine = routed('irregular', { count: 24, options: { links: 4, seed: 3 }, hosts: 1 }, name);
    const { links } = machine.topology;
    const found = lanesOf(machine);
    expect(found?.lanes).toBeGreaterThan(1);
    const circle = found?.circle ?? [];
    expect(circle.length).toBeGreaterThan(1);
    circle.forEach((link, at) => {
      expect(links.to[link]).toBe(links.from[circle[(at + 1) % circle.length]!]);
    });
  });

  it('answer nothing where they are cancelled', () => {
    const machine = routed('irregular', { count: 400, options: { links: 6, seed: 3 }, hosts: 1 }, 'minimal');
    expect(virtualLanesOf(machine, { isCancelled: () => true })).toBeUndefined();
  });
});

describe('dependencies of links', () => {
  it('are refused in exactly the groups that close a circle, as a search from nothing finds', () => {
    const { links } = gridMachine('torus', [4, 4]).topology;
    const random = seededRandom(4);
    const meter = new WorkMeter(neverCancelled);
    for (let round = 0; round < 20; round++) {
      const kept = new OrderedDependencies(links);
      const all: number[] = [];
      for (let group = 0; group < 40; group++) {
        const pairs: number[] = [];
        for (let pair = 0; pair < 4; pair++) {
          const link = random.integer(links.routerLinkCount);
          const router = links.to[link]!;
          pairs.push(
            link,
            links.firstLink[router]! + random.integer(links.firstLink[router + 1]! - links.firstLink[router]!),
          );
        }
        const plain = new LinkDependencies(links);
        for (const each of [all, pairs])
          for (let at = 0; at < each.length; at += 2) plain.add(each[at]!, each[at + 1]!);
        const circle = plain.circle(meter);
        const isKept = kept.addAll(pairs);
        expect(isKept).toBe(circle === undefined);
        if (isKept) all.push(...pairs);
        for (const [at, link] of (circle ?? []).entries()) {
          const next = circle![(at + 1) % circle!.length]!;
          expect(plain.add(link, next)).toBe(false);
        }
      }
    }
  });

  it('have the shortest circle through a link of theirs named', () => {
    const { links } = gridMachine('torus', [6, 6]).topology;
    const follows = new LinkDependencies(links);
    // Anything may follow anything but the way back: the shortest circles go round one square.
    for (let link = 0; link < links.routerLinkCount; link++) {
      const router = links.to[link]!;
      for (let next = links.firstLink[router]!; next < links.firstLink[router + 1]!; next++) {
        if (links.to[next] !== links.from[link]) follows.add(link, next);
      }
    }
    expect(follows.circle(new WorkMeter(neverCancelled))).toHaveLength(4);
  });
});
