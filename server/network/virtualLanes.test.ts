import { describe, expect, it } from 'vitest';
import { neverCancelled, WorkMeter } from '../model/cancellation.ts';
import { routersOfPorts, type LinkTable, type Machine } from '../model/machine.ts';
import { seededRandom } from '../model/random.ts';
import { LinkDependencies } from './linkDependencies.ts';
import { dependenciesOfSteps, followersTo, routeEndsOf } from './routeDependencies.ts';
import { DependencyNumbers, lanesOfRoutes } from './sharedLanes.ts';
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
    ['a ring by tables', ring('static'), { lanes: 2, rule: 'routes' }],
    [
      'a twisted torus',
      networkMachine('torus', { sides: [8, 4], options: { twist: 4 } }),
      { lanes: 2, rule: 'routes' },
    ],
    ['a HyperX axis by axis', routed('hyperx', { sides: [3, 4] }, 'dimension-order'), { lanes: 1, rule: 'none' }],
    ['a ring by DFSSSP', ring('dfsssp'), { lanes: 2, rule: 'routes' }],
  ] as const)('are enough for %s', (_, machine, expected) => {
    expect(lanesOf(machine)).toMatchObject(expected);
  });

  it.each([
    [{ k: 2, n: 3 }],
    [{ k: 4, n: 2 }],
    [{ levels: [3, 2, 4] }],
    [{ levels: [2, 3, 2, 2], parents: [3, 1, 2] }],
    [{ levels: [4, 3, 2], parents: [2, 3], parallel: [2, 1] }],
  ])('are not needed on a whole fat tree, minimally: its steps close no circle, %o', (options) => {
    const machine = networkMachine('fat-tree', { options });
    const { routing } = machine;
    const targets = [...new Set(routersOfPorts(machine.topology))];
    const meter = new WorkMeter(neverCancelled);
    const steps = { graph: routing.graph!, routing, sources: targets, targets, isAdaptive: true };
    const dependencies = dependenciesOfSteps(machine, steps, Infinity, meter);
    expect(dependencies).toBeDefined();
    expect(dependencies!.circle(meter)).toBeUndefined();
    expect(lanesOf(machine)).toEqual({ lanes: 1, rule: 'none' });
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

  it.each(['minimal', 'static', 'ecmp', 'dfsssp'])(
    'are one where only routes of a failed node close the ring: %s',
    (name) => {
      // On a ring of five, the links into and out of a switch follow each other only between its two neighbours.
      const ringOfFive = (nodes: readonly number[]): Machine =>
        networkMachine('switches', {
          count: 5,
          cables: Array.from({ length: 5 }, (_, from) => ({ from, to: (from + 1) % 5 })),
          hosts: 1,
          routing: { name, options: {} },
          faults: { cables: [], routers: [], nodes },
        });
      expect(lanesOf(ringOfFive([]))?.lanes).toBe(2);
      expect(lanesOf(ringOfFive([2]))).toEqual({ lanes: 1, rule: 'none' });
    },
  );

  it('answer nothing where they are cancelled', () => {
    const machine = routed('irregular', { count: 400, options: { links: 6, seed: 3 }, hosts: 1 }, 'minimal');
    expect(virtualLanesOf(machine, { isCancelled: () => true })).toBeUndefined();
  });
});

/** What follows what on random routes, none of which closes a circle alone. */
function randomFollowers(links: LinkTable, routes: number, seed: number): number[][] {
  const random = seededRandom(seed);
  const meter = new WorkMeter(neverCancelled);
  return Array.from({ length: routes }, () => {
    const pairs: number[] = [];
    for (let tried = 0; tried < 24; tried++) {
      const link = random.integer(links.routerLinkCount);
      const [first, end] = [links.firstLink[links.to[link]!]!, links.firstLink[links.to[link]! + 1]!];
      const next = first + random.integer(end - first);
      const both = new LinkDependencies(links);
      for (let at = 0; at < pairs.length; at += 2) both.add(pairs[at]!, pairs[at + 1]!);
      if (!both.add(link, next) || both.circle(meter) !== undefined) continue;
      pairs.push(link, next);
    }
    return pairs;
  });
}

describe('routes shared out among lanes', () => {
  it.each([1, 2, 3, 4, 5, 6])('have no circle on any of them, and no lane is empty: seed %i', (seed) => {
    const { links } = gridMachine('torus', [4, 3]).topology;
    const numbers = new DependencyNumbers(links);
    const lists = randomFollowers(links, 24, seed);
    const start = Int32Array.from([0, ...lists.map((list) => list.length / 2)]);
    for (let at = 1; at < start.length; at++) start[at] = start[at]! + start[at - 1]!;
    const dependency = Int32Array.from(
      lists.flatMap((list) =>
        Array.from({ length: list.length / 2 }, (_, at) => numbers.of(list[2 * at]!, list[2 * at + 1]!)),
      ),
    );
    const meter = new WorkMeter(neverCancelled);
    const laneOf = lanesOfRoutes(links, numbers, { start, dependency }, meter)!;
    const lanes = 1 + Math.max(...laneOf);
    expect(lanes).toBeGreaterThan(1);
    for (let lane = 0; lane < lanes; lane++) {
      const union = new LinkDependencies(links);
      const members = lists.filter((_, route) => laneOf[route] === lane);
      expect(members.length).toBeGreaterThan(0);
      for (const list of members) for (let at = 0; at < list.length; at += 2) union.add(list[at]!, list[at + 1]!);
      expect(union.circle(meter)).toBeUndefined();
    }
  });

  it('number pairs of links so that the second is known again', () => {
    const { links } = autonet().topology;
    const numbers = new DependencyNumbers(links);
    const seen = new Set<number>();
    for (let link = 0; link < links.routerLinkCount; link++) {
      for (let next = links.firstLink[links.to[link]!]!; next < links.firstLink[links.to[link]! + 1]!; next++) {
        const number = numbers.of(link, next);
        expect(numbers.nextOf(link, number)).toBe(next);
        seen.add(number);
      }
    }
    expect(seen.size).toBe(numbers.count);
  });

  it('follow each other by the trees of tables as by the routes one by one', () => {
    const machine = routed('irregular', { count: 24, options: { links: 4, seed: 3 }, hosts: 2 }, 'static');
    const alone = { ...machine.routing };
    Reflect.deleteProperty(alone, 'tables');
    const ends = routeEndsOf(machine);
    const [byTree, byRoute] = [followersTo(machine, ends), followersTo({ ...machine, routing: alone }, ends)];
    const setOf = (pairs: readonly number[]): readonly string[] =>
      [...new Set(pairs.flatMap((link, at) => (at % 2 === 0 ? [`${link} ${pairs[at + 1] ?? ''}`] : [])))].sort();
    for (const receiver of ends.receivers) {
      const tree = byTree(receiver);
      expect(setOf(tree)).toEqual(setOf(byRoute(receiver)));
      expect(setOf(tree)).toHaveLength(tree.length / 2);
    }
  });
});

describe('dependencies of links', () => {
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
