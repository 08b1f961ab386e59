import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import type { ForwardingDump } from '../../model/forwarding.ts';
import { asAddressId } from '../../model/identifiers.ts';
import type { Routing, Topology } from '../../model/machine.ts';
import { valueOf } from '../testing/routingContract.ts';
import { withFaults } from '../faults.ts';
import { fromFile } from '../topologies/from.ts';
import { fingerprintOfDump, fromTables } from './fromTables.ts';

/** Two leaves a and b with two hosts each on ports 1 and 2, below two spines c (port 3 of leaves) and d (port 4). */
const fabric: Fabric = {
  format: 'ibnetdiscover',
  routers: ['a', 'b', 'c', 'd'],
  addresses: ['a', 'b', 'c', 'd'].map((digit, at) => ({ guid: digit.padStart(16, '0'), lid: at + 1 })),
  nodes: [11, 12, 13, 14].map((lid, node) => ({
    name: `n${node}`,
    router: node >> 1,
    port: (node % 2) + 1,
    address: { guid: `1${lid}`.padStart(16, '0'), lid },
  })),
  cables: [
    { from: 0, to: 2, fromPort: 3, toPort: 1 },
    { from: 0, to: 3, fromPort: 4, toPort: 1 },
    { from: 1, to: 2, fromPort: 3, toPort: 2 },
    { from: 1, to: 3, fromPort: 4, toPort: 2 },
  ],
  warnings: [],
};

/** LIDs and the ports that they leave by: to hosts of the other leaf by c and d in turn. */
const tables: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  a: { 1: 0, 2: 3, 3: 3, 4: 4, 11: 1, 12: 2, 13: 3, 14: 4 },
  b: { 1: 4, 2: 0, 3: 3, 4: 4, 11: 3, 12: 4, 13: 1, 14: 2 },
  c: { 1: 1, 2: 2, 3: 0, 11: 1, 12: 1, 13: 2, 14: 2 },
  d: { 1: 1, 2: 2, 4: 0, 11: 1, 12: 1, 13: 2, 14: 2 },
};

type Changes = Readonly<Record<string, Readonly<Record<number, number>> | undefined>>;

/** The tables with changes: a port of 255 takes an entry out, an undefined table all of it. */
function dump(changes: Changes = {}, more: Partial<ForwardingDump> = {}): ForwardingDump {
  const kept = Object.entries({ ...tables, ...changes }).flatMap(([name, own]) =>
    own === undefined
      ? []
      : [{ name, own: Object.entries({ ...tables[name], ...own }).filter(([, port]) => port < 255) }],
  );
  const firstEntry = [0];
  for (const { own } of kept) firstEntry.push(firstEntry.at(-1)! + own.length);
  return {
    format: 'dump-fts',
    fileName: 'fts',
    switches: kept.map(({ name }, at) => ({ guid: name.padStart(16, '0'), name, line: 10 * at + 1 })),
    firstEntry: Int32Array.from(firstEntry),
    entries: Int32Array.from(kept.flatMap(({ own }) => own.map(([lid, port]) => 256 * Number(lid) + port))),
    targets: new Map(),
    warnings: [],
    ...more,
  };
}

function topologyOf(of: Fabric = fabric, hosts?: number): Topology {
  const request = { argument: undefined, options: {}, cables: [], hosts, fabric: of };
  return valueOf(fromFile.build(request));
}

function routing(given: ForwardingDump, topology = topologyOf(), options = {}): Routing {
  return valueOf(fromTables.build(topology, options, neverCancelled, given));
}

/** Names of the switches on the way from one node to another. */
function wayOf(found: Routing, from: number, to: number, topology = topologyOf()): string {
  const start = topology.routerOfNode[from]!;
  const links = found.route(asAddressId(start), asAddressId(4 + to)) ?? [];
  return [start, ...links.map((link) => topology.links.to[link]!)].map((router) => fabric.routers[router]).join('');
}

function refusal(given: ForwardingDump, topology = topologyOf(), options = {}): string {
  const built = fromTables.build(topology, options, neverCancelled, given);
  return built.ok ? 'was built' : `${built.failure.code}: ${built.failure.message}`;
}

describe('routing from tables', () => {
  it('takes the ways of the tables', () => {
    const found = routing(dump());
    expect([
      wayOf(found, 0, 1),
      wayOf(found, 0, 2),
      wayOf(found, 0, 3),
      wayOf(found, 3, 0),
      wayOf(found, 3, 1),
    ]).toEqual(['a', 'acb', 'adb', 'bca', 'bda']);
    expect(found.doubts).toEqual([]);
    expect(found.symmetric).toBe(false);
    // Between switches by their own LIDs: there over c, back over d. Nobody asks for the way from c to d.
    expect(found.route(asAddressId(0), asAddressId(1))).toEqual([0, 5]);
    expect(found.route(asAddressId(1), asAddressId(0))).toEqual([3, 6]);
    expect(found.hops(asAddressId(2), asAddressId(3))).toBe(Infinity);
  });

  it('sums loads as the ways are', () => {
    const topology = topologyOf();
    const found = routing(dump());
    const flows = { from: Int32Array.of(0, 0, 1), to: Int32Array.of(6, 7, 4), amount: Float64Array.of(5, 7, 11) };
    const loads = new Float64Array(topology.links.linkCount);
    found.addLoads(flows, loads, neverCancelled);
    const walked = new Float64Array(loads.length);
    flows.from.forEach((from, flow) => {
      for (const link of found.route(asAddressId(from), asAddressId(flows.to[flow]!)) ?? [])
        walked[link]! += flows.amount[flow]!;
    });
    expect(loads).toEqual(walked);
    expect(loads.reduce((sum, load) => sum + load)).toBe(2 * (5 + 7 + 11));
  });

  it('tells parallel cables apart by their ports', () => {
    const double = { ...fabric, cables: [...fabric.cables, { from: 0, to: 2, fromPort: 9, toPort: 8 }] };
    const topology = topologyOf(double);
    const port = (found: Routing): number => topology.subnet!.ports[found.route(asAddressId(0), asAddressId(6))![0]!]!;
    expect(port(routing(dump(), topology))).toBe(3);
    expect(port(routing(dump({ a: { 13: 9 } }), topology))).toBe(9);
  });

  it('finds switches by name, and hosts by ports, where the fabric has no GUIDs', () => {
    const nodes = fabric.nodes.map(({ name, router, port }) => ({ name, router, port: port ?? 0 }));
    const { format, routers, cables, warnings } = fabric;
    const bare = { format, routers, cables, warnings, nodes };
    expect(wayOf(routing(dump(), topologyOf(bare)), 0, 3)).toBe('adb');
    const nameless = dump({}, { switches: dump().switches.map((one) => ({ ...one, name: '' })) });
    expect(refusal(nameless, topologyOf(bare))).toMatch(/^foreign-forwarding: fts:1: .*has no GUIDs.*ibnetdiscover/);
  });

  it('takes LIDs from the tables where those of the fabric are of another day, and says so', () => {
    const nodes = fabric.nodes.map((node) => ({ ...node, address: { ...node.address, lid: 99 } }));
    const found = routing(dump(), topologyOf({ ...fabric, nodes }));
    expect(wayOf(found, 0, 3)).toBe('adb');
    expect(found.doubts).toEqual([{ message: expect.stringMatching(/^4 hosts with another LID/) as string }]);
  });

  it('leaves LIDs of others alone that leave by the port of a host', () => {
    const targets = new Map([[5, { guid: '00000000000000ff', name: 'gone' }]]);
    const { nodes } = fabric;
    const unknown = { ...fabric, nodes: nodes.map((node) => ({ ...node, address: { guid: node.address!.guid! } })) };
    const found = routing(dump({ a: { 5: 1 } }, { targets }), topologyOf(unknown));
    expect(found.doubts).toEqual([]);
  });

  it('sends to the first of several LIDs of a port, or to the one that is asked for', () => {
    // LIDs 20 and 21 are host n3, of which the second goes over c.
    const several = dump({
      a: { 14: 255, 20: 4, 21: 3 },
      b: { 14: 255, 20: 2, 21: 2 },
      c: { 20: 2, 21: 2 },
      d: { 20: 2, 21: 2 },
    });
    const nodes = fabric.nodes.map((node, at) => (at === 3 ? { ...node, address: { lid: 20 } } : node));
    const topology = topologyOf({ ...fabric, nodes });
    const first = routing(several, topology);
    expect(wayOf(first, 0, 3)).toBe('adb');
    expect(first.doubts).toEqual([
      { message: expect.stringMatching(/^Ports have up to 2 LIDs \(LMC\).*`path 1`/) as string },
    ]);
    expect(refusal(several, topology, { path: 1 })).toMatch(
      /^no-such-path: No path 1 to host 'n0': its port has one LID/,
    );
    const every = dump(
      Object.fromEntries(
        Object.keys(tables).map((name) => [
          name,
          Object.fromEntries([11, 12, 13, 14].flatMap((lid) => [[lid + 10, tables[name]![lid === 13 ? 13 : lid]!]])),
        ]),
      ),
    );
    expect(wayOf(routing(every, topologyOf(), { path: 1 }), 0, 3)).toBe('adb');
    expect(refusal(every, topologyOf(), { path: 2 })).toMatch(/^no-such-path: .* its port has 2 LIDs, paths 0 to 1/);
  });

  it('passes tables of switches over that the fabric lacks, and says so', () => {
    const found = routing(dump({ e: { 11: 1 } }));
    expect(found.doubts).toEqual([
      { line: 41, message: expect.stringMatching(/^Skipped the tables of 1 switch .*'e' \(0x0{15}e\)/) as string },
    ]);
  });

  it.each<[string, ForwardingDump, RegExp]>([
    [
      'of other switches',
      dump({}, { switches: dump().switches.map((one) => ({ ...one, guid: `f${one.guid.slice(1)}` })) }),
      /^foreign-forwarding: fts:1: The fabric has no switch of these tables \(4 switches.*another fabric\.$/,
    ],
    [
      'without an entry',
      dump({ c: { 13: 255 } }),
      /^broken-forwarding: fts:21: The table of switch 'c' has no entry for host 'n2' \(LID 13\)\. Dump/,
    ],
    [
      'without a table',
      dump({ c: undefined }),
      /^broken-forwarding: fts: No table of switch 'c', which is on the route to host 'n0'.* Of 8 ways .* 2 are broken/,
    ],
    [
      'in a loop',
      dump({ c: { 13: 1 } }),
      /^broken-forwarding: fts:1: Forwarding loop for host 'n2' \(LID 13\): a, c, a\. Dump/,
    ],
    [
      'out of an empty port',
      dump({ a: { 13: 9 } }),
      /^broken-forwarding: fts:1: .*'a' sends packets for host 'n2' \(LID 13\) to port 9, which has no link/,
    ],
    [
      'to another host',
      dump({ a: { 13: 2 } }),
      /^broken-forwarding: .*'a' sends packets for host 'n2' \(LID 13\) to port 2/,
    ],
    ['kept by a switch', dump({ c: { 13: 0 } }), /^broken-forwarding: .*'c' sends packets for host 'n2'/],
    [
      'of a host without a LID',
      dump({ b: { 13: 255 } }),
      /^broken-forwarding: fts: The table of switch 'b' has no entry with the port of host 'n2'/,
    ],
  ])('is refused with tables %s', (_, given, expected) => {
    expect(refusal(given)).toMatch(expected);
  });

  it('needs ports and hosts of the file', () => {
    const plain = {
      ...fabric,
      cables: fabric.cables.map(({ from, to }) => ({ from, to })),
      nodes: fabric.nodes.map(({ name, router }) => ({ name, router })),
    };
    expect(refusal(dump(), topologyOf(plain))).toMatch(/^routing-does-not-fit: .*ibnetdiscover/);
    expect(refusal(dump(), topologyOf({ ...fabric, nodes: [] }, 2))).toMatch(/^routing-does-not-fit/);
    const unread = fromTables.build(topologyOf(), {}, neverCancelled);
    expect(!unread.ok && unread.failure.code).toBe('missing-file');
  });

  it('asks for new tables once something has failed, and for no way to what does not work', () => {
    const without = (faults: object): Topology =>
      valueOf(withFaults('m', topologyOf(), { cables: [], routers: [], nodes: [], ...faults }));
    expect(refusal(dump(), without({ cables: [{ from: 0, to: 2 }] }))).toMatch(
      /^broken-forwarding: .*'c' sends packets for host 'n0' \(LID 11\) to port 1.*`routing static`/,
    );
    expect(refusal(dump({ b: { 13: 255 } }), without({ nodes: [2] }))).toBe('was built');
  });

  it('has a fingerprint that changes with its content', () => {
    expect(fingerprintOfDump(dump())).toBe(fingerprintOfDump(dump()));
    expect(fingerprintOfDump(dump({ c: { 13: 1 } }))).not.toBe(fingerprintOfDump(dump()));
  });
});
