import { describe, expect, it } from 'vitest';
import type { PlacementReport } from '../model/report.ts';
import { loadStep } from './loadScale.ts';
import { drawScene } from './drawScene.ts';
import { sceneLinkEnds } from './labels.ts';
import { loadNotes, numberNotes } from './legendLayout.ts';
import { labelSizeOnScreen, leastText, routerLabelOf } from './routers.ts';
import { hostFlag, hotFlag, stubFlag, upFlag, type Scene } from './scene.ts';
import { laidOut } from './projections.ts';
import { forEachCable, isTick, strokeLanes, strokeStyles, widestTick } from './strokes.ts';
import { autonetReport, fabricOf, fabricReport, hypercubeReport, meshReport, torusReport } from './testing/fixtures.ts';

interface DrawnCable {
  readonly ends: string;
  readonly forward: number;
  readonly backward: number;
  readonly flags: number;
}

function cablesOf({ links }: Scene): DrawnCable[] {
  const cables: DrawnCable[] = [];
  forEachCable(links, (link) => {
    cables.push({
      ends: `${links.from[link]!}-${links.to[link]!}`,
      forward: links.forward[link]!,
      backward: links.backward[link]!,
      flags: links.flags[link]!,
    });
  });
  return cables;
}

const cable = (scene: Scene, ends: string): DrawnCable | undefined =>
  cablesOf(scene).find((each) => each.ends === ends);

describe('cables of a scene', () => {
  it('carry the loads of both directions', () => {
    const scene = drawScene(
      torusReport([4, 4], {
        loads: [
          [0, 1, 100],
          [1, 0, 30],
          [5, 9, 7],
        ],
      }),
    );
    expect(cable(scene, '0-1')).toMatchObject({ forward: 100, backward: 30 });
    expect(cable(scene, '5-9')).toMatchObject({ forward: 7, backward: 0 });
    expect(cable(scene, '2-3')).toMatchObject({ forward: 0, backward: 0, flags: 0 });
  });

  it('are hot where either direction is', () => {
    const scene = drawScene(
      torusReport([4, 4], {
        loads: [
          [0, 1, 1],
          [4, 5, 1],
          [8, 9, 1],
          [6, 5, 100],
        ],
      }),
    );
    expect(cable(scene, '5-6')!.flags).toBe(hotFlag);
    expect(cable(scene, '0-1')!.flags).toBe(0);
  });

  const counts: readonly (readonly [string, PlacementReport, number, number])[] = [
    ['torus 4 x 4', torusReport([4, 4]), 32, 8],
    ['torus with a side of 2: one cable, no wrap', torusReport([2, 4]), 12, 2],
    ['torus with a side of 1', torusReport([1, 4]), 4, 1],
    ['mesh', meshReport([4, 4]), 24, 0],
    ['torus 3 x 3 x 3: stubs between planes', torusReport([3, 3, 3]), 81, 18 + 27],
    ['hypercube 5', hypercubeReport(5), 80, 0],
    ['torus 3 x 3 x 3 x 3: stubs between blocks', torusReport([3, 3, 3, 3]), 324, 54 + 162],
    ['an irregular network: 15 cables and 10 hosts', autonetReport(), 25, 0],
    ['one router', torusReport([1]), 0, 0],
  ];

  it.each(counts)('are all there, once: %s', (_name, report, expected, stubbed) => {
    const scene = drawScene(report);
    const cables = cablesOf(scene);
    expect(cables).toHaveLength(expected);
    expect(new Set(cables.map(({ ends, flags }) => `${ends} ${flags & hostFlag}`)).size).toBe(expected);
    expect(cables.filter(({ flags }) => flags & stubFlag)).toHaveLength(stubbed);
    expect(scene.links.from).toHaveLength(expected + stubbed);
  });

  it('together carry what the links carry', () => {
    const report = torusReport([5, 4, 3]);
    const drawn = cablesOf(drawScene(report)).reduce((sum, { forward, backward }) => sum + forward + backward, 0);
    expect(drawn).toBe(report.linkLoads.reduce((sum, load) => sum + load, 0));
  });

  it('start and end at their routers, stubs at one of them', () => {
    const { nodes, links } = drawScene(torusReport([4, 3]));
    const placeOf = (router: number): string => {
      const entry = nodes.id.indexOf(router);
      return `${nodes.x[entry]!} ${nodes.y[entry]!}`;
    };
    links.flags.forEach((flags, link) => {
      const start = `${links.x1[link]!} ${links.y1[link]!}` === placeOf(links.from[link]!);
      const end = `${links.x2[link]!} ${links.y2[link]!}` === placeOf(links.to[link]!);
      expect([start, end].filter(Boolean)).toHaveLength(flags & stubFlag ? 1 : 2);
    });
  });
});

describe('nodes of a scene', () => {
  it('run the tasks that the mapping gave them', () => {
    const { nodes } = drawScene(torusReport([2, 2], { cores: 4, jobs: [5, 3] }));
    const tasks = (entry: number) => [...nodes.task.slice(nodes.taskStart[entry], nodes.taskStart[entry + 1])];
    expect([...nodes.id].map((_, entry) => tasks(entry))).toEqual([[0, 1, 2, 3], [4, 0, 1, 2], [], []]);
    expect([...nodes.job]).toEqual([0, 1, -1, -1]);
    expect([...nodes.taskJob]).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
  });

  it('of one router share its square', () => {
    const { nodes, links } = drawScene(torusReport([3, 3], { hosts: 5 }));
    expect(nodes.id).toHaveLength(45);
    const router = 4;
    const link = links.from.indexOf(router);
    for (let host = 0; host < 5; host++) {
      const entry = nodes.id.indexOf(router * 5 + host);
      expect(Math.abs(nodes.x[entry]! - links.x1[link]!) + nodes.size[entry]!).toBeLessThan(0.5);
      expect(Math.abs(nodes.y[entry]! - links.y1[link]!) + nodes.size[entry]!).toBeLessThan(0.5);
    }
    const places = new Set(Array.from(nodes.x, (x, entry) => `${x} ${nodes.y[entry]!}`));
    expect(places.size).toBe(45);
  });

  it('know the coordinates of their router', () => {
    const { nodes } = drawScene(torusReport([3, 4], { hosts: 2 }));
    const entry = nodes.id.indexOf(2 * (1 + 3 * 2));
    expect([...nodes.coordinates.slice(2 * entry, 2 * entry + 2)]).toEqual([1, 2]);
    expect(drawScene(autonetReport()).nodes.coordinateCount).toBe(0);
  });
});

describe('switches and hosts of a scene', () => {
  /** Bytes on every link that tell its two routers. */
  const autonet = drawScene(
    autonetReport({
      hosts: 3,
      jobs: [12, 9],
      loads: [
        [6, 2, 600],
        [2, 6, 200],
        [9, 0, 90],
      ],
    }),
  );
  const entryOf = ({ links }: Scene, from: number, to: number, flag = 0): number =>
    links.from.findIndex(
      (each, link) => each === from && links.to[link] === to && (links.flags[link]! & hostFlag) === flag,
    );

  it('runs cables up to the root, whichever way they are numbered', () => {
    const { links } = autonet;
    const up = entryOf(autonet, 2, 6);
    expect(entryOf(autonet, 6, 2)).toBe(-1);
    expect([links.forward[up], links.backward[up], links.flags[up]! & upFlag]).toEqual([200, 600, upFlag]);
    const other = entryOf(autonet, 9, 0);
    expect(links.forward[other]).toBe(90);
    // Both at the third level: the lower label is up.
    expect(entryOf(autonet, 9, 5)).toBeGreaterThanOrEqual(0);
    links.flags.forEach((flags) => {
      expect((flags & (upFlag | hostFlag)) !== 0).toBe(true);
    });
  });

  it('names links so that the engine finds them again', () => {
    const report = autonetReport();
    const { links } = drawScene(report);
    const { topology } = report.machine;
    links.forwardLink.forEach((link, entry) => {
      const [from, to] = [links.from[entry]!, links.to[entry]!];
      if ((links.flags[entry]! & hostFlag) !== 0) expect(link).toBe(topology.links.routerLinkCount + 2 * from);
      else expect([topology.links.from[link], topology.links.to[link]]).toEqual([from, to]);
      expect(links.forward[entry]).toBe(report.linkLoads[link]);
      expect(links.backward[entry]).toBe(report.linkLoads[links.backwardLink[entry]!]);
    });
    const all = [...links.forwardLink, ...links.backwardLink].sort((one, other) => one - other);
    expect(all).toEqual([...report.linkLoads.keys()]);
  });

  it('stands parallel cables side by side', () => {
    const cables = [0, 1, 2].map(() => ({ from: 0, to: 1 }));
    const { links } = drawScene(fabricReport('switches', { numbers: [2], cables }));
    const lines = [0, 1, 2].map((link) => ({
      x1: links.x1[link]!,
      y1: links.y1[link]!,
      x2: links.x2[link]!,
      y2: links.y2[link]!,
    }));
    const places = lines.map(({ x1, y1 }) => `${x1.toFixed(3)} ${y1.toFixed(3)}`);
    expect(new Set(places).size).toBe(3);
    const directions = lines.map(({ x1, y1, x2, y2 }) => Math.atan2(y2 - y1, x2 - x1).toFixed(3));
    expect(new Set(directions).size).toBe(1);
  });

  it('leads host links of a row to the switch, and of a frame to a tick above the host', () => {
    const row = drawScene(fabricReport('fat-tree', { options: { k: 2, n: 2 } }));
    const frame = autonet;
    for (const scene of [row, frame]) {
      const { links, nodes, routers } = scene;
      const link = links.flags.findIndex((flags) => (flags & hostFlag) !== 0);
      const [node, router] = [links.from[link]!, links.to[link]!];
      expect(links.x1[link]).toBeCloseTo(nodes.x[node]!);
      if (routers.framed[router] === 1) {
        expect(links.x2[link]).toBeCloseTo(nodes.x[node]!);
        expect(links.y2[link]).toBeLessThan(nodes.y[node]! - nodes.size[node]!);
      } else expect([links.x2[link], links.y2[link]]).toEqual([routers.x[router], routers.y[router]]);
    }
  });

  it('keeps the names of a file', () => {
    const { nodes, routers } = drawScene(fabricReport('from', { fabric: fabricOf(2, 3, 2) }));
    expect(routers.names).toEqual(['leaf-0', 'leaf-1', 'leaf-2', 'spine-0', 'spine-1']);
    expect(nodes.names[3]).toBe('host-3');
    expect([...nodes.router]).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it('puts every task on its core', () => {
    const { nodes } = drawScene(fabricReport('cluster', { numbers: [3], sockets: 2, cores: 2, jobs: [3, 4] }));
    expect([...nodes.taskCore]).toEqual([0, 1, 2, 3, 0, 1, 2]);
    expect([...nodes.taskJob]).toEqual([0, 0, 0, 1, 1, 1, 1]);
  });

  it('draws thinner lines where they are dense, and never on a grid', () => {
    expect(drawScene(torusReport([8, 8])).lineScale).toBe(1);
    expect(autonet.lineScale).toBe(1);
    expect(drawScene(fabricReport('from', { fabric: fabricOf(16, 60, 8) })).lineScale).toBeLessThan(0.5);
  });
});

describe('the frame of a scene', () => {
  it('encloses everything drawn', () => {
    const { bounds, nodes, links } = drawScene(torusReport([4, 4, 4]));
    for (const x of [...nodes.x, ...links.x1, ...links.x2]) {
      expect(x).toBeGreaterThanOrEqual(bounds.left);
      expect(x).toBeLessThanOrEqual(bounds.right);
    }
    for (const y of [...nodes.y, ...links.y1, ...links.y2]) {
      expect(y).toBeGreaterThanOrEqual(bounds.top);
      expect(y).toBeLessThanOrEqual(bounds.bottom);
    }
  });

  it('is the same for the same report', () => {
    expect(drawScene(torusReport([4, 4]))).toEqual(drawScene(torusReport([4, 4])));
  });
});

describe('words of a scene', () => {
  it('describe machine, jobs and load for a reader who cannot see it', () => {
    const loads = [
      [0, 1, 2048],
      [1, 2, 2048],
      [4, 5, 2048],
      [5, 6, 10240],
    ] as const;
    const { description } = drawScene(torusReport([4, 4], { jobs: [10], name: 'small', loads }));
    expect(description).toBe(
      'Placement first-try on machine small: torus 4 x 4, 16 nodes, dimension-order routing. ' +
        'It places 1 job: job-0 (10 tasks, 10 nodes allocated). ' +
        'Messages travel 1.25 hops on average; maximum link load, from 5 to 6: 10 KiB, ' +
        '2.5 times the mean of used links. 1 link is hot.',
    );
  });

  it('tell of switches, their tiers or groups, the root and host links', () => {
    const start = 'Placement first-try on machine ';
    expect(drawScene(autonetReport({ loads: [] })).description).toContain(
      `${start}autonet: switches of 10 switches, 10 nodes, up-down routing from root 6.`,
    );
    expect(drawScene(autonetReport()).figures).toContainEqual(['Root of up/down', '6']);
    const tree = fabricReport('fat-tree', { options: { k: 4, n: 3 }, loads: [] });
    expect(drawScene(tree).description).toContain(': fat-tree of 48 switches in 3 tiers, 64 nodes, minimal routing.');
    const dragonfly = fabricReport('dragonfly', { options: { p: 1, a: 2, h: 1 }, loads: [] });
    expect(drawScene(dragonfly).description).toContain('of 6 switches in 3 groups');
  });

  it('say so where nothing travels', () => {
    const { description, loadLegend } = drawScene(torusReport([4, 4], { loads: [] }));
    expect(description).toContain('No traffic on any link.');
    expect(loadLegend.marks).toEqual([{ share: 0, label: '0' }]);
  });

  it('say what the numbers of switches are wherever they are drawn, enlarged on screen too', () => {
    const scene = drawScene(autonetReport({ hosts: 2 }));
    const label = routerLabelOf(scene, 0);
    const scale = (0.9 * leastText) / label.size;
    expect(labelSizeOnScreen(scene, 0, label, scale)).toBeGreaterThan(leastText);
    expect(numberNotes(scene, scale)).toContain('Switch labels: switch numbers');
    expect(numberNotes(scene, scale, true)).toContain('Switch labels: switch numbers');
    expect(numberNotes(scene, scale / 20)).toEqual([]);
  });

  it('name the load scale in bytes: the mean of the used links and where they are hot', () => {
    const loads = [
      [0, 1, 65536],
      [1, 2, 1024],
      [2, 3, 1024],
    ] as const;
    const { loadLegend, figures } = drawScene(torusReport([4, 4], { loads }));
    expect(loadLegend.marks).toEqual([
      { share: 0, label: '0' },
      { share: 0.4, label: 'mean 22 KiB' },
      { share: 0.6, label: 'hot 44 KiB' },
    ]);
    expect(figures).toContainEqual(['Maximum link load', '64 KiB']);
  });

  it.each([
    ['a torus without traffic', torusReport([4, 4], { loads: [] }), ['No traffic on any link.']],
    [
      'a mesh whose links are all equal',
      meshReport([3, 1], {
        loads: [
          [0, 1, 8],
          [1, 0, 8],
          [1, 2, 8],
          [2, 1, 8],
        ],
      }),
      ['No hot links; maximum link load 8 B.', 'Each direction is drawn on its right-hand side.'],
    ],
    [
      'a torus with a hot link',
      torusReport([4, 4], {
        loads: [
          [0, 1, 90],
          [1, 2, 10],
          [2, 3, 10],
        ],
      }),
      [
        'Scale maximum: 90 B.',
        'Hot links are drawn thicker.',
        'Each direction is drawn on its right-hand side.',
        'Arrow stub: wrap-around link to the labelled node.',
      ],
    ],
    [
      'up/down routing',
      autonetReport({ loads: [[6, 2, 8]] }),
      [
        'No hot links; maximum link load 8 B.',
        'Each direction is drawn on its right-hand side.',
        'Arrows point up to the root.',
      ],
    ],
  ])('say below the load scale what is true of %s', (_name, report, notes) => {
    expect(loadNotes(drawScene(report))).toEqual(notes);
  });

  it('paint links that are all equal as calm ones, and only hot ones warm and wide', () => {
    const equal = drawScene(torusReport([2, 1], { loads: [[0, 1, 1e9]] }));
    expect(loadStep(1e9, equal.loadLegend.scale)).toBe(3);
    const scene = drawScene(torusReport([8, 8]));
    const styles = strokeStyles(scene);
    const widest = Math.max(...styles.filter(({ hot }) => !hot).map(({ width }) => width));
    const narrowest = Math.min(...styles.filter(({ hot }) => hot).map(({ width }) => width));
    expect(narrowest).toBeGreaterThan(1.5 * widest);
    const { hotFrom, maximum } = scene.loadLegend.scale;
    expect(maximum).toBeGreaterThan(hotFrom);
    scene.links.forward.forEach((load, link) => {
      const lanes: number[] = [];
      strokeLanes(scene, link, (style) => lanes.push(style));
      if (load > 0) expect(styles[lanes[0]!]!.hot).toBe(load >= hotFrom);
    });
  });
});

/** Every cable carries something both ways. */
const withLoads = ({ links }: Scene): Pick<Scene, 'links'> => ({
  links: { ...links, forward: links.forward.map(() => 1), backward: links.backward.map(() => 1) },
});

describe('rails', () => {
  const report = fabricReport('fat-tree', { options: { k: 4, n: 2 }, jobs: [8], rails: { count: 2, optimised: true } });
  const scene = drawScene(report);
  const hosts = [...scene.links.flags.keys()].filter((entry) => (scene.links.flags[entry]! & hostFlag) !== 0);

  it('are links of their own: from each adapter of each node to its switch, with what goes over it', () => {
    const { topology } = report.machine;
    const ports = topology.rails!.nodeOfPort.length;
    expect(hosts).toHaveLength(ports);
    for (const entry of hosts) {
      const { from, to, rail, forward, backward, forwardLink } = scene.links;
      const port = topology.rails!.portOfRail[from[entry]! * 2 + rail![entry]!]!;
      const link = topology.links.routerLinkCount + 2 * port;
      expect(to[entry]).toBe(topology.rails!.routerOfPort[port]);
      expect(forwardLink[entry]).toBe(link);
      expect([forward[entry], backward[entry]]).toEqual([report.linkLoads[link], report.linkLoads[link + 1]]);
    }
    expect(new Set(hosts.map((entry) => sceneLinkEnds(scene, entry).join(' – '))).size).toBe(ports);
    expect(sceneLinkEnds(scene, hosts[1]!)).toEqual(['node 0 rail 1', '1']);
    expect(scene.links.rail!.filter((rail) => rail < 0)).toHaveLength(scene.links.from.length - ports);
    expect(drawScene(fabricReport('fat-tree', { options: { k: 4, n: 2 } })).links.rail).toBeUndefined();
  });

  it('of few nodes are lines to the switches above, among which the nodes are dealt', () => {
    const { nodes, routers, links } = scene;
    expect(hosts.some((entry) => isTick(scene, entry))).toBe(false);
    expect(routers.framed.every((framed) => framed === 0)).toBe(true);
    for (const entry of hosts)
      expect([links.x2[entry], links.y2[entry]]).toEqual([routers.x[links.to[entry]!], routers.y[links.to[entry]!]]);
    // The eight nodes of two leaves stand below these two, none beneath another.
    const places = [...nodes.x].slice(0, 8);
    expect(new Set(places).size).toBe(8);
    const [left, right] = [routers.x[0]!, routers.x[1]!];
    expect(places.filter((x) => Math.abs(x - left) < Math.abs(x - right))).toHaveLength(4);
  });

  it('of many nodes are ticks side by side on top of their node, wherever they lead', () => {
    const many = drawScene(
      fabricReport('fat-tree', { options: { k: 16, n: 2 }, rails: { count: 4, optimised: true } }),
    );
    const own = [...many.links.from.keys()].filter((entry) => isTick(many, entry) && many.links.from[entry] === 5);
    expect(own.map((entry) => many.links.rail![entry])).toEqual([0, 1, 2, 3]);
    const across = own.map((entry) => many.links.x1[entry]!);
    expect(across).toEqual([...across].sort((one, other) => one - other));
    expect(across.at(-1)! - across[0]!).toBeLessThan(2 * many.nodes.size[5]!);
    expect(new Set(own.map((entry) => many.links.to[entry])).size).toBe(4);
  });

  it.each([1, 2, 4, 8])('of %i have the lanes of each to itself, no wider than its room', (count) => {
    const rails = { count, optimised: true } as const;
    const many = drawScene(fabricReport('fat-tree', { options: { k: 16, n: 2 }, rails, jobs: [32], loads: [] }));
    const { links } = withLoads(many);
    const drawn = { ...many, links };
    const own = [...links.from.keys()].filter((entry) => isTick(drawn, entry) && links.from[entry] === 5);
    const lanes = own.map((entry) => {
      const at: number[] = [];
      strokeLanes(drawn, entry, (_style, x1) => at.push(x1));
      return at.sort((one, other) => one - other);
    });
    expect(lanes.map(({ length }) => length)).toEqual(own.map(() => 2));
    const edges = lanes.flat();
    expect(edges).toEqual([...edges].sort((one, other) => one - other));
    const nearest = Math.min(...edges.slice(1).map((x, index) => x - edges[index]!));
    if (many.rails !== undefined) expect(widestTick(drawn)).toBeLessThan(nearest);
    else expect(widestTick(drawn)).toBe(Infinity);
  });

  it('stay what they are where the room is another one', () => {
    const narrow = laidOut(scene, { proportion: 0.5 });
    expect(narrow.links.rail).toEqual(scene.links.rail);
    expect([...narrow.links.from]).toEqual([...scene.links.from]);
    expect(hosts.every((entry) => isTick(narrow, entry))).toBe(true);
    expect(laidOut(narrow, { proportion: scene.proportion }).links).toEqual(scene.links);
  });
});
