import { describe, expect, it } from 'vitest';
import { succeed } from '../../model/result.ts';
import { asRouterId } from '../../model/identifiers.ts';
import type { Fabric } from '../../model/fabric.ts';
import type { LinkSpeed, Machine } from '../../model/machine.ts';
import type { FaultDescription } from '../../network/contract.ts';
import { buildMachine, noMachineFiles } from '../../network/machine.ts';
import { gridDescription } from '../../network/testing/machines.ts';
import { complaintOf, fabricOf, pictureOf, warningsOf } from '../testing/fabrics.ts';
import { fabricSamples as samples } from '../testing/samples.ts';

const sampleOf = (name: string): string => samples[name] ?? '';

/** The switches between the leaf of host 0 and that of each host, under the routing that the file has. */
function viaOf(fabric: Fabric, from: number): string[] {
  const topology = { name: 'from', argument: { kind: 'file', uri: 'x' }, options: {} } as const;
  const routing = { name: fabric.routing ?? 'minimal', options: {} };
  const built = buildMachine(
    { ...gridDescription('torus', [4]), name: 'm', topology, routing },
    { ...noMachineFiles, fabric: () => succeed(fabric) },
  );
  if (!built.ok) throw new Error(built.failure.message);
  const { tables } = built.value.routing;
  const { links, routerCount, routerOfNode } = built.value.topology;
  if (tables === undefined) throw new Error('no tables');
  return Array.from(routerOfNode, (to, node) => {
    const via: number[] = [];
    for (let at = routerOfNode[from]!; at !== to;) {
      at = links.to[links.firstLink[at]! + tables.port[(routerCount + node) * routerCount + at]!]!;
      if (at !== to) via.push(at);
    }
    return via.join(' ');
  });
}

/** Switches, cables by name, hosts by switch. */
describe('what is read', () => {
  it.each<[string, string, string, string]>([
    ['iblinkinfo', 'leaf1 spine', 'leaf1-spine', 'n01@leaf1 n02@leaf1'],
    ['omni-path', 'core1 S201A|edge L101A', '0-1 0-1', 'n01@edge L101A n02@edge L101A'],
    ['kubernetes', 's1 s3 s2', 's1-s3 s2-s3', 'n1@s1 n2@s2'],
    [
      'simgrid',
      'a-a_router b-b_router',
      'a-a_router-b-b_router',
      'a-0@a-a_router a-1@a-a_router a-2@a-a_router a-3@a-a_router b-1@b-b_router b-3@b-b_router',
    ],
    ['netq', 'leaf1 leaf2', 'leaf1-leaf2', 'n1@leaf2'],
    ['lldp', 'leaf1 spine1', 'leaf1-spine1', 'n01@leaf1'],
    ['flux-r', 'flux', '', 'n1@flux n2@flux'],
    ['flux-jgf', 'rack0 c0 rack1', 'rack0-c0 rack1-c0', 'n0@rack0 n1@rack1'],
    ['dot', 'spine1 leaf1 leaf2', 'spine1-leaf1 spine1-leaf2', 'n1@leaf1 n2@leaf2'],
  ])('of %s', async (name, switches, cables, hosts) => {
    const fabric = await fabricOf(sampleOf(name));
    const picture = pictureOf(fabric);
    expect(fabric.format).toBe(name);
    expect(picture.hosts).toBe(hosts);
    if (name === 'omni-path') expect(fabric.routers.join('|')).toBe(switches);
    else expect(picture).toEqual({ switches, cables, hosts });
  });

  it('has the speeds of cables and host links', async () => {
    const { nodes, cables } = await fabricOf(sampleOf('iblinkinfo'));
    expect(nodes.map(({ bandwidth }) => bandwidth)).toEqual([12.5e9, ((4 * 14.0625 * 64) / 66) * 1.25e8]);
    expect(cables).toEqual([{ from: 0, to: 1, fromPort: 3, toPort: 1, bandwidth: 12.5e9 }]);
    expect((await fabricOf(sampleOf('omni-path'))).nodes.map(({ bandwidth }) => bandwidth)).toEqual([12.5e9, 3.125e9]);
    const platform = await fabricOf(sampleOf('simgrid'));
    expect(platform.cables).toEqual([{ from: 0, to: 1, bandwidth: 1.25e9, latency: 1e-6 }]);
    expect(platform.nodes[0]).toMatchObject({ bandwidth: 1.25e8, latency: 5e-5 });
    expect((await fabricOf(sampleOf('dot'))).cables.map(({ bandwidth }) => bandwidth)).toEqual([undefined, 12.5e9]);
  });

  it('of iblinkinfo are LIDs and ports known', async () => {
    const { addresses, nodes } = await fabricOf(sampleOf('iblinkinfo'));
    expect(addresses).toEqual([
      { guid: '0000000000200001', lid: 2 },
      { guid: '0000000000200002', lid: 3 },
    ]);
    expect(nodes.map(({ port, address }) => [port, address])).toEqual([
      [1, { guid: '0000000000100003', lid: 7 }],
      [2, { guid: '0000000000100005', lid: 8 }],
    ]);
  });

  it('of iblinkinfo have the speed that is named', async () => {
    const { speeds, nodes, warnings } = await fabricOf(
      `Switch: 0x0002c902004ba0f8 MF0;ib0-is5200-a2:IS5200/L07/U1:
         145    1[  ] ==( 4X  10.0 Gbps (FDR10) Active/  LinkUp)==>     223   33[  ] "gpfs-a4-005-p HCA-1" ( )
         145    2[  ] ==( 4X  10.0 Gbps Active/  LinkUp)==>     224    1[  ] "gpfs-a4-006-p HCA-1" ( Could be FDR10 )
         145    3[  ] ==( 4X  30.5 Gbps Active/  LinkUp)==>     225    1[  ] "gpfs-a4-007-p HCA-1" ( )
         145   35[  ] ==( 4X  5.0 Gbps Active/  LinkUp)==>       2    1[  ] "Voltaire 4036E IO ib0gw-a2-001-m" ( )
`,
    );
    expect(speeds).toEqual(['4xFDR10', '4xQDR', '4x30.5 Gbps', '4xDDR'].map((speed) => ({ speed, cables: 1 })));
    expect(nodes.map(({ bandwidth }) => bandwidth)).toEqual([5e9, 4e9, undefined, 2e9]);
    expect(warnings.map(({ message }) => message).join()).toContain(
      'Links have different widths or speeds (1 with 4xFDR10, 1 with 4xQDR, 1 with 4xDDR).',
    );
  });

  it.each([
    ['by its description', '4    1[  ] "MF0;d32-03-1:MQM8700/U1"'],
    ['by its port', '4   40[  ] "d32-03-1"'],
  ])('of one switch in iblinkinfo: the switch beside it is known %s', async (_, other) => {
    const fabric = await fabricOf(
      `Switch: 0x08c0eb0300add04e Quantum Mellanox Technologies:
          10   20[  ] ==(                Down/ Polling)==>             [  ] "" ( )
          10   21[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>      40    1[  ] "node3 HCA-2" ( Could be 53.125 Gbps)
          10   22[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>      35    1[  ] "node4 HCA-2" ( Could be 53.125 Gbps)
          10   40[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>       ${other} ( )
          10   41[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>      23    1[  ] "Mellanox Technologies Aggregation Node" ( )
`,
    );
    expect(fabric.routers).toHaveLength(2);
    expect(fabric.cables).toHaveLength(1);
    expect(fabric.nodes.map(({ name }) => name)).toEqual(['node3', 'node4']);
  });

  it('of iblinkinfo with -l is what it is without', async () => {
    const rows = `0x0000000000100003 "     n01 mlx5_0"      7    1[  ] ==( 4X  25.78125 Gbps Active/  LinkUp)==>  0x0000000000200001      2    1[  ] "leaf1" ( )
0x0000000000100005 "     n02 mlx5_0"      8    1[  ] ==( 4X  14.0625 Gbps Active/  LinkUp)==>  0x0000000000200001      2    2[  ] "leaf1" ( )
0x0000000000200001 "          leaf1"      2    1[  ] ==( 4X  25.78125 Gbps Active/  LinkUp)==>  0x0000000000100003      7    1[  ] "n01 mlx5_0" ( )
0x0000000000200001 "          leaf1"      2    2[  ] ==( 4X  14.0625 Gbps Active/  LinkUp)==>  0x0000000000100005      8    1[  ] "n02 mlx5_0" ( )
0x0000000000200001 "          leaf1"      2    3[  ] ==( 4X  25.78125 Gbps Active/  LinkUp)==>  0x0000000000200002      3    1[  ] "spine" ( )
0x0000000000200002 "          spine"      3    1[  ] ==( 4X  25.78125 Gbps Active/  LinkUp)==>  0x0000000000200001      2    3[  ] "leaf1" ( )
0x0000000000200002 "          spine"      3    2[  ] ==(                Down/ Polling)==>             [  ] "" ( )
`;
    const [line, listed] = [await fabricOf(rows), await fabricOf(sampleOf('iblinkinfo'))];
    expect(pictureOf(line)).toEqual(pictureOf(listed));
    expect(line.nodes).toEqual(listed.nodes);
  });

  it('of SimGrid has fat trees, dragonflies and tori wired as SimGrid wires them', async () => {
    const cluster = (topology: string, parameters: string, last: number): ReturnType<typeof fabricOf> =>
      fabricOf(
        `<platform version="4.1"><cluster id="c" prefix="n" radical="0-${last}" suffix="" bw="1GBps" lat="1us" topology="${topology}" topo_parameters="${parameters}"/></platform>`,
      );
    const tree = await cluster('FAT_TREE', '2;2,3;1,2;1,2', 5);
    expect(tree.routers).toHaveLength(5);
    expect(tree.nodes.map(({ router }) => router)).toEqual([0, 0, 1, 1, 2, 2]);
    expect(tree.cables.map(({ from, to }) => `${from}-${to}`).join(' ')).toBe(
      '0-3 0-3 0-4 0-4 1-3 1-3 1-4 1-4 2-3 2-3 2-4 2-4',
    );
    const three = await cluster('FAT_TREE', '3;2,2,2;1,2,2;1,1,1', 7);
    expect(three.routers).toHaveLength(12);
    expect(three.cables.map(({ from, to }) => `${from}-${to}`).join(' ')).toBe(
      '0-4 0-5 1-4 1-5 2-6 2-7 3-6 3-7 4-8 4-10 5-9 5-11 6-8 6-10 7-9 7-11',
    );
    expect(three).toMatchObject({ tiers: [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2], routing: 'fat-tree', warnings: [] });
    expect(tree.warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^SimGrid orders parallel links of the fat/),
    ]);
    // D-mod-K: the way up to host d takes the link d mod 2 of a leaf, and ⌊d / 2⌋ mod 2 above.
    expect(viaOf(three, 0)).toEqual(['', '', '4', '5', '4 8 6', '5 9 7', '4 10 6', '5 11 7']);
    const dragonfly = await cluster('DRAGONFLY', '2,3;2,1;2,2;1', 7);
    expect(dragonfly.cables.map(({ from, to, bandwidth = 0 }) => `${from}-${to}*${bandwidth / 1e9}`).join(' ')).toBe(
      '0-1*2 0-2*1 1-3*1 2-3*2 1-4*3 4-5*2 4-6*1 5-7*1 6-7*2',
    );
    const torus = await cluster('TORUS', '3,1', 2);
    expect(torus.cables.map(({ from, to }) => `${from}-${to}`).join(' ')).toBe('0-1 1-2 2-0');
  });

  it('of dot are subgraphs, chains and kinds that nodes name', async () => {
    const fabric = await fabricOf('digraph { a [type=Switch]; b [type="switch"]; a -> {h1 h2}; a -> b -> h3; b -> a }');
    expect(pictureOf(fabric)).toEqual({ switches: 'a b', cables: 'a-b', hosts: 'h1@a h2@a h3@b' });
    expect(warningsOf(fabric)).toEqual([
      expect.stringMatching(
        /^1: 3 devices of unknown kind \(switch or host\): inferred from ports, names and neighbours \('h1' a host,/,
      ),
    ]);
  });

  it('tells of strange names and speeds on one line, without controls', async () => {
    const dot = await fabricOf(
      'graph { "a":"x\\ny" -- "b":"swp1"; "a":"x\\ny" -- "c":"swp\n1"; a [type=switch] b [type=switch] c [type=switch] }',
      'dot',
    );
    const ports = await fabricOf((samples['ibnetdiscover-p'] ?? '').replace('EDR', '\u0011DR'));
    const warnings = [...warningsOf(dot), ...warningsOf(ports)];
    expect(warnings).toHaveLength(2);
    for (const warning of warnings) expect(warning).toMatch(/^\P{Cc}+$/u);
  });

  /** Rebuilt after simgrid/simgrid#96. */
  it('of SimGrid are hosts by their `host_link`, each with the latency of half the backbone', async () => {
    const hosts = ['n0', 'n1', 'n2'].map(
      (id) =>
        `<host id="${id}" speed="1Gf"/><link id="${id}-link" bandwidth="125MBps" latency="50us"/><host_link id="${id}" up="${id}-link_UP" down="${id}-link_DOWN"/>`,
    );
    const zone = `<zone id="c0" routing="Cluster">${hosts.join('')}<router id="c0_router"/><backbone id="bb" bandwidth="1250MBps" latency="10us"/></zone>`;
    const fabric = await fabricOf(`<platform version="4.1">\n${zone}</platform>`);
    expect(pictureOf(fabric)).toEqual({
      switches: 'c0_router',
      cables: '',
      hosts: 'n0@c0_router n1@c0_router n2@c0_router',
    });
    for (const node of fabric.nodes) expect(node).toMatchObject({ bandwidth: 1.25e8, latency: 55e-6 });
    expect(fabric.warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/backbone\. Its bandwidth limits each host/),
    ]);
  });

  it('of SimGrid have the backbones of their clusters on their way, and bandwidths up and down', async () => {
    const clusters = ['a', 'b'].map(
      (id) =>
        `<cluster id="${id}" prefix="${id}" radical="0-1" suffix="" bw="1GBps" lat="1us" bb_bw="500MBps" bb_lat="6us"/>`,
    );
    const join =
      '<link id="w" bandwidth="10GBps" latency="100us"/><zoneRoute src="a" dst="b" gw_src="aa_router" gw_dst="bb_router"><link_ctn id="w"/></zoneRoute>';
    const fabric = await fabricOf(`<platform version="4.1"><zone id="z">${clusters.join('')}${join}</zone></platform>`);
    // As SimGrid says: 1 + 6 + 1 µs within a cluster, and 1 + 6 + 100 + 6 + 1 µs between the two.
    for (const node of fabric.nodes)
      expect(node).toMatchObject({ bandwidth: 5e8, latency: expect.closeTo(4e-6, 12) as number });
    expect(fabric.cables).toEqual([{ from: 0, to: 1, bandwidth: 5e8, latency: expect.closeTo(106e-6, 12) as number }]);
    const uneven =
      '<zone id="c" routing="Cluster"><host id="n"/><link id="u" bandwidth="1GBps"/><link id="d" bandwidth="2GBps"/><host_link id="n" up="u" down="d"/><router id="r"/></zone>';
    expect(warningsOf(await fabricOf(`<platform version="4.1">${uneven}</platform>`))).toEqual([
      'Host links with different directions: 1. The smaller bandwidth and the mean latency count.',
    ]);
  });

  /** Two links that all pairs share, and a host with two slow ones: after platforms of Batsim. */
  const viaHost = (more = ''): string => `<platform version="4.1"><zone id="z" routing="Full">
    ${['a', 'b', 'c', 'p'].map((id) => `<host id="${id}" speed="1Gf"/>`).join('')}
    ${['s1', 's2'].map((id) => `<link id="${id}" bandwidth="1GBps" latency="1us"/>`).join('')}
    ${['q1', 'q2', 'q3'].map((id) => `<link id="${id}" bandwidth="10MBps" latency="1ms"/>`).join('')}
    ${[
      ['a', 'b', 's1', 's2'],
      ['a', 'c', 's1'],
      ['c', 'b', 's2'],
      ['a', 'p', 'q1'],
      ['p', 'b', 'q2'],
    ]
      .map(
        ([from, to, ...links]) =>
          `<route src="${from}" dst="${to}">${links.map((id) => `<link_ctn id="${id}"/>`).join('')}</route>`,
      )
      .join('')}
    ${more}</zone></platform>`;
  const machineOf = (fabric: Fabric, faults?: FaultDescription) => {
    const built = buildMachine(
      {
        ...gridDescription('torus', [4]),
        name: 'm',
        topology: { name: 'from', argument: { kind: 'file', uri: 'x' }, options: {} },
        routing: { name: 'minimal', options: {} },
        ...(faults && { faults }),
      },
      { ...noMachineFiles, fabric: () => succeed(fabric) },
    );
    if (!built.ok) throw new Error(built.failure.message);
    return built.value;
  };

  /** Links of the route between two hosts: names of routers behind the first, and the bandwidth and latency of all links together. */
  const routeOf = ({ topology, routing }: Machine, from: string, to: string) => {
    const { names, routerOfNode, links, ownSpeeds } = topology;
    const [one, other] = [from, to].map((host) => asRouterId(routerOfNode[names!.nodes.indexOf(host)]!));
    const taken: { readonly name: string; readonly speed: LinkSpeed }[] = [];
    routing.visitShares(one!, other!, (link, share) => {
      expect(share).toBe(1);
      taken.push({ name: names!.routers[links.to[link]!]!, speed: ownSpeeds!.speeds[ownSpeeds!.of[link]!]! });
    });
    return {
      names: taken.map(({ name }) => name).join(' '),
      bandwidth: Math.min(...taken.map(({ speed }) => speed.bandwidth ?? Infinity)),
      microseconds: Math.round(taken.reduce((sum, { speed }) => sum + (speed.latency ?? 0), 0) * 1e9) / 1e3,
    };
  };

  it('of SimGrid pass hosts nothing on, where their file has a route for each pair', async () => {
    const whole = machineOf(await fabricOf(viaHost('<route src="c" dst="p"><link_ctn id="q3"/></route>')));
    // a to b over both shared links, not by way of p or c.
    expect(routeOf(whole, 'a', 'b')).toEqual({ names: 's1 s2 b', bandwidth: 1e9, microseconds: 2 });
    expect(routeOf(whole, 'a', 'c')).toEqual({ names: 's1 c', bandwidth: 1e9, microseconds: 1 });
    expect(routeOf(whole, 'a', 'p')).toEqual({ names: 'p', bandwidth: 1e7, microseconds: 1000 });
    const some = await fabricOf(viaHost());
    expect(some.warnings.map(({ message }) => message).join()).toMatch(
      /no route to each other.*'a', which SimGrid does not allow/,
    );
    expect(routeOf(machineOf(some), 'c', 'p').names).toBe('s1 a p');
  });

  const zoneOf = (routing: string, hosts: string, links: readonly string[], routes: readonly string[]): string =>
    `<platform version="4.1">\n<zone id="z" routing="${routing}">${hosts
      .split(' ')
      .map((id) => (id.startsWith('r') ? `<router id="${id}"/>` : `<host id="${id}"/>`))
      .join('')}${links
      .map((link) => link.split(' '))
      .map(([id, rate, time]) => `<link id="${id}" bandwidth="${rate}MBps" latency="${time}us"/>`)
      .join('')}\n${routes
      .map((route) => route.split(' '))
      .map(
        ([from, to, ...crossed]) =>
          `<route src="${from}" dst="${to}">${crossed.map((id) => `<link_ctn id="${id}"/>`).join('')}</route>\n`,
      )
      .join('')}</zone></platform>`;

  it('of SimGrid keep declared routes that are not the shortest over their links', async () => {
    const links = ['l1 100 1', 'l2 200 2', 'l3 300 4', 'u 50 8'];
    const text = zoneOf('Full', 'a b c', links, ['a b l1 l2 l3', 'a c l1 l3', 'b c u l3']);
    const machine = machineOf(await fabricOf(text));
    expect(routeOf(machine, 'a', 'b')).toEqual({ names: 'l1 l2 l3 b', bandwidth: 1e8, microseconds: 7 });
    expect(routeOf(machine, 'b', 'a')).toEqual({ names: 'l3 l2 l1 a', bandwidth: 1e8, microseconds: 7 });
    // b and l3 have a cable of the other route, which does not cross u.
    expect(routeOf(machine, 'b', 'c')).toEqual({ names: 'u l3 c', bandwidth: 5e7, microseconds: 12 });
    expect(warningsOf(await fabricOf(text)).join()).not.toMatch(/shortest/);
  });

  it('of SimGrid lead routes through hosts where the routing is Floyd or Dijkstra, over fewest links', async () => {
    const links = ['l1 100 1', 'l2 200 2', 'l3 300 4', 'l4 400 8', 'l5 500 16'];
    const routes = ['a b l1', 'b c l2', 'c d l3', 'a d l4 l5 l1 l3'];
    for (const routing of ['Floyd', 'Dijkstra', 'DijkstraCache']) {
      const fabric = await fabricOf(zoneOf(routing, 'a b c d', links, routes));
      expect(routeOf(machineOf(fabric), 'a', 'd')).toEqual({ names: 'l1 b c l3 d', bandwidth: 1e8, microseconds: 7 });
      expect(warningsOf(fabric).join()).not.toMatch(/does not allow|symmetrical/);
    }
  });

  it('of SimGrid is a torus routed in dimension order, where it is the whole platform', async () => {
    const torus = (sides: string, last: number, more = ''): Promise<Fabric> =>
      fabricOf(
        `<platform version="4.1"><zone id="w"><cluster id="c" prefix="n" radical="0-${last}" suffix="" bw="1GBps" lat="1us" topology="TORUS" topo_parameters="${sides}"/>${more}</zone></platform>`,
      );
    const machine = machineOf(await torus('4,3,2', 23));
    expect(routeOf(machine, 'n0', 'n10')).toEqual({ names: 'n1 n2 n10', bandwidth: 1e9, microseconds: 3 });
    expect(routeOf(machine, 'n10', 'n0')).toEqual({ names: 'n9 n8 n0', bandwidth: 1e9, microseconds: 3 });
    expect(routeOf(machine, 'n0', 'n23')).toEqual({ names: 'n3 n11 n23', bandwidth: 1e9, microseconds: 3 });
    expect(warningsOf(await torus('4,3,2', 23))).toEqual([]);
    for (const other of [await torus('20,20', 399), await torus('4', 3, '<host id="h"/>')]) {
      expect(other.routes).toBeUndefined();
      expect(warningsOf(other).join()).toMatch(
        /Dimension-order routes are read for a single torus of at most 256 hosts\./,
      );
    }
    expect(warningsOf(await torus('1', 0))).toEqual([]);
  });

  it('of SimGrid have no other route once a link of theirs has failed', async () => {
    const fabric = await fabricOf(
      zoneOf('Full', 'a b c', ['l1 100 1', 'l2 200 2', 'l3 300 4'], ['a b l1', 'b c l2', 'a c l3']),
    );
    const without = { cables: [{ from: 'a', to: 'b' }], routers: [], nodes: [] };
    expect(() => machineOf(fabric, without)).toThrow('What failed is on the only route of the file from a to b.');
    expect(machineOf(fabric, { ...without, cables: [], nodes: ['b'] }).nodeCount).toBe(3);
  });

  it('of several zones of SimGrid is told which routes are not the shortest', async () => {
    const inner = zoneOf(
      'Full',
      'a b c',
      ['l1 100 1', 'l2 200 2', 'l3 300 4'],
      ['a b l1 l2 l3', 'a c l1 l3', 'b c l3'],
    );
    const text = inner
      .replace(
        '<zone id="z"',
        '<zone id="world" routing="Full"><link id="w" bandwidth="1GBps"/><zone id="y"><host id="x"/></zone><zone id="z"',
      )
      .replace(
        '</zone></platform>',
        '</zone>\n<zoneRoute src="y" dst="z" gw_src="x" gw_dst="a"><link_ctn id="w"/></zoneRoute></zone></platform>',
      );
    expect(warningsOf(await fabricOf(text))).toContainEqual(
      '3: 1 route of the file is not the only minimal route. Messages take minimal routes.',
    );
  });

  it('of SimGrid are attributes that change times told of, those of the speed of hosts not', async () => {
    const text =
      '<platform version="4.1">\n<cluster id="c" prefix="n" radical="0-1" suffix="" bw="1GBps" lat="1us" speed="1Gf" limiter_link="1GBps" loopback_bw="1GBps"/>\n<zone id="z"><peer id="p" bw_in="1GBps" bw_out="1GBps" lat="1us" coordinates="1 2 3"/></zone></platform>';
    const told = warningsOf(await fabricOf(text)).filter((warning) => warning.includes('not read'));
    expect(told).toEqual([
      '2: Unknown attribute `limiter_link` of <cluster>, 1 time: not read.',
      '3: Unknown attribute `coordinates` of <peer>, 1 time: not read.',
    ]);
  });

  it('of SimGrid are bypass routes, and backbones without hosts on them, told of', async () => {
    const text = zoneOf('Full', 'a b', ['l1 100 1'], ['a b l1']).replace(
      '</zone>',
      '<bypassRoute src="a" dst="b"><link_ctn id="l1"/></bypassRoute><backbone id="bb" bandwidth="1GBps" latency="1us"/></zone>',
    );
    expect(warningsOf(await fabricOf(text))).toEqual(
      expect.arrayContaining([
        '4: Bypass routes: 1, skipped. Messages take the other routes.',
        '4: Backbone without a `host_link` in its zone: skipped.',
      ]),
    );
  });

  it('of SimGrid is an element that is not known told once, with its number and its first line', async () => {
    const text =
      '<platform version="4.1">\n<zone id="z" routing="Full"><host id="a"/><host id="b"/><link id="l" bandwidth="1GBps"/>\n<wormhole/><wormhole/><route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>';
    expect((await fabricOf(text)).warnings).toContainEqual({
      line: 3,
      message: 'Unknown element <wormhole>, 2 times: not read.',
    });
  });

  it('of lldpctl are answers by name, by `host`, and in the form json0', async () => {
    const answer = (peer: string): string =>
      `{"lldp": {"interface": {"swp1": {"chassis": {"${peer}": {"capability": [{"type": "Bridge", "enabled": true}]}}, "port": {"id": {"value": "swp2"}}}}}}`;
    const byName = await fabricOf(`{"leaf1": ${answer('spine1')}, "leaf2": ${answer('spine2')}}`);
    expect(pictureOf(byName).cables).toBe('leaf1-spine1 leaf2-spine2');
    const zero = `[{"host": "leaf1", "lldp": [{"interface": [{"name": "swp1", "chassis": [{"name": [{"value": "spine1"}], "capability": [{"type": "Router", "enabled": true}]}], "port": [{"id": [{"value": "swp2"}]}]}]}]}]`;
    expect(pictureOf(await fabricOf(zero)).cables).toBe('leaf1-spine1');
  });

  it.each([
    ['Bridge', 'leaf1 peer', ''],
    ['Router', 'leaf1 peer', ''],
    ['Station', 'leaf1', 'peer@leaf1'],
  ])('of lldpctl a neighbour with one cable that says %s alone is what it says', async (type, switches, hosts) => {
    const capability = `[{"type": "${type}", "enabled": true}, {"type": "Wlan", "enabled": true}]`;
    const answer = `{"leaf1": {"lldp": {"interface": {"A1": {"chassis": {"peer": {"capability": ${capability}}}, "port": {"id": {"value": "A2"}}}}}}}`;
    expect(pictureOf(await fabricOf(answer))).toMatchObject({ switches, hosts });
  });
});

const damagedFormats = Object.keys(samples).filter((name) =>
  /iblink|omni|scontrol|kube|simgrid|netq|lldp|flux|dot/.test(name),
);

describe('broken files', () => {
  it.each(damagedFormats)('of %s: cut off, in another encoding, with strange ends of lines', async (name) => {
    const text = sampleOf(name);
    expect(pictureOf(await fabricOf(text.replaceAll('\n', '\r\n'), name))).toEqual(pictureOf(await fabricOf(text)));
    expect(await complaintOf('', name)).toMatch(/empty/);
    expect(await complaintOf(new Uint8Array([0x50, 0x4b, 3, 4]), name)).toMatch(/zip archive/);
    expect(await complaintOf(new Uint8Array([0xff, 0xfe, 0x7b, 0]), name)).toMatch(/UTF-16/);
    expect(await complaintOf(new Uint8Array([0x7b, 0xe9, 0x7d]), name)).toMatch(/Line 1 is not UTF-8 text\./);
    expect(await complaintOf(new Uint8Array([1, 0]), name)).toMatch(/binary/);
    expect(await complaintOf('Once upon a time\n', name)).toMatch(/^file:1: /);
  });

  const nodesOf = (labels: string, more = ''): string =>
    `{"items":[{"kind":"Node","metadata":{"name":"n1","labels":{${labels}}}}${more}]}`;
  const level = (at: number, name: string): string => `"topology.kubernetes.io/network-level-${at}":"${name}"`;
  it.each<[string, readonly string[], string]>([
    [
      'topograph 1',
      ['fabric.topograph.run/tier-0', 'fabric.topograph.run/tier-1', 'fabric.topograph.run/tier-10'],
      'accelerator.topograph.run/domain',
    ],
    [
      'topograph shortly before',
      [
        'network.topology.nvidia.com/tier-0',
        'network.topology.nvidia.com/tier-1',
        'network.topology.nvidia.com/tier-2',
      ],
      'xclr.topology.nvidia.com/domain',
    ],
    [
      'topograph 0.x',
      ['leaf', 'spine', 'core'].map((role) => `network.topology.nvidia.com/${role}`),
      'network.topology.nvidia.com/accelerator',
    ],
    [
      'the first topograph',
      ['block', 'spine', 'datacenter'].map((role) => `network.topology.kubernetes.io/${role}`),
      'network.topology.kubernetes.io/accelerator',
    ],
  ])('of kubernetes: labels of %s, in any order', async (_, [leaf = '', spine = '', core = ''], accelerator) => {
    const node = (at: number): string =>
      `{"kind":"Node","metadata":{"name":"n${at}","labels":{"${core}":"c","${spine}":"s${at >> 1}","${leaf}":"l${at}","${accelerator}":"nvl0"}}}`;
    const fabric = await fabricOf(`{"items":[${[0, 1, 2, 3].map(node).join(',\n')}]}`);
    expect(pictureOf(fabric)).toEqual({
      switches: 'l0 s0 c l1 l2 s1 l3',
      cables: 'l0-s0 s0-c l1-s0 l2-s1 s1-c l3-s1',
      hosts: 'n0@l0 n1@l1 n2@l2 n3@l3',
    });
    expect(fabric.warnings.map(({ message }) => message)).toEqual([
      '1 domain for NVLink (accelerator labels): skipped, not a network level.',
    ]);
  });

  it('of kubernetes: one node without labels is left out and told', async () => {
    const text = nodesOf(level(1, 'a'), ',{"kind":"Node","metadata":{"name":"n2","labels":{}}}');
    expect((await fabricOf(text)).warnings.map(({ message }) => message)).toEqual([
      "1 node without a network label, the first 'n2': skipped.",
    ]);
  });

  it.each<[string, string, RegExp]>([
    [
      'iblinkinfo',
      '   2    1[  ] ==( 4X 10.0 Gbps Active/  LinkUp)==>  3    1[  ] "a" ( )\n',
      /^file:1: Port before the first switch or NIC\./,
    ],
    [
      'iblinkinfo',
      `${sampleOf('iblinkinfo')}   2    1[  ] ==( 4X 10`,
      /^file:12: Invalid port line '2    1\[  \] ==\( 4X 10'\./,
    ],
    [
      'iblinkinfo',
      'CA: n1:\n  0x1  7  1[  ] ==( 4X 10.0 Gbps Active/ LinkUp)==>  2 x',
      /^file:2: Invalid far end of a link '2 x'\./,
    ],
    ['iblinkinfo', 'CA: n1:\n  0x1  7  1[  ] ==( Down/ Polling)==>  [  ] "" ( )', /The file contains no switch/],
    ['omni-path', '100g;1;SW\n', /^file:1: Expected two ends of a link, each as port, SW or FI, and name\./],
    ['omni-path', '100g;x;SW;a;1;SW;b\n', /^file:1: Invalid port number 'x'/],
    ['omni-path', '100g;1;SW;;1;SW;b\n', /^file:1: One end of the link has no name/],
    ['omni-path', '100g;1;FI;a;1;FI;b\n', /The file contains no switch/],
    ['scontrol', 'SwitchName=a Level=1 Switches=b\n', /^file:1: Switch 'b' below 'a' is not declared/],
    ['scontrol', 'SwitchName=a Level=0 Nodes=n[1-\n', /^file:1: The bracket of 'n\[1-' is not closed\./],
    ['kubernetes', '{"items":[]}', /^file:1: The file has no object of kind Node\./],
    ['kubernetes', '{"items":[{"kind":"Node","metadata":{}}]}', /^file:1: A node has no `metadata.name`/],
    ['kubernetes', nodesOf(''), /The nodes have no switch labels\./],
    ['kubernetes', `${nodesOf(level(1, 'a'))}}`, /^file:1: The file is not JSON/],
    [
      'kubernetes',
      nodesOf(level(1, 'a'), `,\n{"kind":"Node","metadata":{"name":"n1","labels":{${level(1, 'a')}}}}`),
      /^file:1: Node 'n1': it is listed twice\./,
    ],
    [
      'kubernetes',
      nodesOf(
        `${level(1, 'a')},${level(2, 'b')}`,
        `,\n{"kind":"Node","metadata":{"name":"n2","labels":{${level(1, 'a')},${level(2, 'c')}}}}`,
      ),
      /^file:2: Node 'n2': its 'a' is below 'c', but below 'b' for other nodes: the network is not a tree\./,
    ],
    [
      'simgrid',
      '<platform version="4.1">\n<zone id="a">\n',
      /^file:2: The file ends before <\/zone>, opened on line 2\. It is truncated\./,
    ],
    ['simgrid', '<platform><zone></platform></zone>', /^file:1: Unexpected <\/platform>: <zone> of line 1 is open\./],
    [
      'simgrid',
      '<platform>\n<cluster id="c" radical="0-9" bw="fast"/></platform>',
      /^file:2: Invalid bandwidth 'fast'/,
    ],
    [
      'simgrid',
      '<platform>\n<cluster id="c" radical="0-9" bw="1Bps" lat="1 parsec"/></platform>',
      /^file:2: Invalid latency '1 parsec'/,
    ],
    [
      'simgrid',
      '<platform><cluster id="c" radical="9-0" bw="1Bps"/></platform>',
      /The range '9-0' in `radical` ends before it begins\./,
    ],
    ['simgrid', '<platform><cluster id="c" radical="0-999999999" bw="1Bps"/></platform>', /more than 1048576 hosts/],
    [
      'simgrid',
      '<platform><cluster id="c" radical="0-3" bw="1Bps" topology="FAT_TREE" topo_parameters="2;2"/></platform>',
      /Invalid parameters of a fat tree/,
    ],
    [
      'simgrid',
      '<platform><cluster id="c" radical="0-3" bw="1Bps" topology="TORUS" topo_parameters="2,3"/></platform>',
      /The torus has 6 hosts in its sides but 4 in `radical`\./,
    ],
    [
      'simgrid',
      '<platform><cluster id="c" radical="0-3" bw="1Bps" topology="DRAGONFLY" topo_parameters="1"/></platform>',
      /Invalid parameters of a dragonfly/,
    ],
    [
      'simgrid',
      '<platform><cluster id="c" radical="0-3" bw="1Bps" topology="RING"/></platform>',
      /Unknown cluster topology 'RING'\./,
    ],
    [
      'simgrid',
      '<platform><zone id="z"><router id="a"/><router id="b"/>\n<route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>',
      /^file:2: The link 'l' is used before its declaration\./,
    ],
    [
      'simgrid',
      '<platform><zone id="z"><router id="a"/>\n<route src="a" dst="b"></route></zone></platform>',
      /^file:2: The route ends at 'b'/,
    ],
    [
      'simgrid',
      '<platform><zone id="z"><router id="a"/>\n<host id="a"/></zone></platform>',
      /^file:2: 'a' is declared twice/,
    ],
    ['simgrid', `<platform>${'<zone>'.repeat(300)}`, /The file is nested more than 200 levels deep\./],
    ['netq', '[{"nodes":[{"name":"a"}],"links":[]}]', /^file:1: A device in `nodes` has no `id`\./],
    [
      'netq',
      '[{"nodes":[{"id":"a"}],\n"links":[{"id":"l","interfaces":[{"node":"a"}]}]}]',
      /^file:2: The link 'l' has 1 ends/,
    ],
    [
      'netq',
      '[{"nodes":[{"id":"a"}],\n"links":[{"id":"l","interfaces":[{"node":"a"},{"node":"b"}]}]}]',
      /^file:2: The link 'l' ends at 'b'/,
    ],
    ['netq', '[{"nodes":[', /^file:1: The file is not JSON: .* The file may be truncated\./],
    ['lldp', '{"lldp": {}}', /^file:1: The list `interface` of `lldp` is empty\./],
    ['lldp', '{"a": 1}', /^file:1: Expected `lldp` with `interface`; the file has no neighbours of a device\./],
    [
      'lldp',
      '{"lldp": {"interface": {\n"eth0": {"port": {}}}}}',
      /^file:2: The neighbour on 'eth0' of 'file' has neither/,
    ],
    ['lldp', '{"lldp": {"interface"\n', /^file:1: The file is not JSON/],
    ['flux-r', '{"version": 2, "execution": {"R_lite": []}}', /^file:1: Unknown version '2' of R\./],
    [
      'flux-r',
      '{"version": 1, "execution": {"R_lite": [],\n"nodelist": []}}',
      /^file:2: The list `execution\.nodelist` is empty\./,
    ],
    ['flux-r', '{"version": 1, "execution": {"R_lite": [],\n"nodelist": ["n[1-"]}}', /^file:2: .*not closed/],
    [
      'flux-r',
      '{"version": 1, "execution": {"R_lite": [], "nodelist": ["n[0-9999999]"]}}',
      /more than 1,048,576 names/,
    ],
    ['flux-jgf', '{"graph": {\n"nodes": []}}', /^file:2: The graph has no vertex of type `node`\./],
    [
      'flux-jgf',
      '{"graph": {"nodes": [\n{"id": "5", "metadata": {"type": "node"}}]}}',
      /^file:2: The node '5' has no path/,
    ],
    [
      'flux-jgf',
      '{"graph": {"nodes": [{"id": "5", "metadata": {"type": "node", "paths": {"containment": "/n"}}}]}}',
      /The nodes have no switch labels\./,
    ],
    ['dot', 'graph {\na -- \n', /^file:2: Expected a name\./],
    ['dot', 'graph {\na -- b', /^file:2: The graph has no closing `\}`\./],
    ['dot', 'graph {\na -- b [x="', /^file:2: Unexpected text '"'\./],
    ['dot', 'graph {\na -- b [x', /^file:2: The attributes have no closing `\]`\./],
    ['dot', 'graph {\na: -- b }', /^file:2: Expected a port after `:`\./],
    ['dot', 'graph { } graph { a -- b }', /^file:1: The file has several graphs\./],
    ['dot', `graph ${'{'.repeat(200)}`, /^file:1: The graph is nested more than 100 levels deep\./],
    ['dot', 'graph { }', /The file contains no switch: the graph needs an edge between two devices\./],
    [
      'dot',
      `graph { {${'a b c d '.repeat(1000)}} -- {${'e f g '.repeat(2000)}} }`,
      /The file has more than 2,097,152 links between switches, the maximum\./,
    ],
  ])('of %s: %s', async (name, text, expected) => {
    expect(await complaintOf(text, name)).toMatch(expected);
  });
});
