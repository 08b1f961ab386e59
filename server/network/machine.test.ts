import { describe, expect, it } from 'vitest';
import { asLinkId, asRouterId } from '../model/identifiers.ts';
import { slotLimit } from '../model/machine.ts';
import type { MachineDescription } from './contract.ts';
import { endsOfLink } from './links.ts';
import { buildMachine } from './machine.ts';
import { hasHostNames, hostNames, nodesOfHosts, routerName } from './names.ts';
import { gridDescription, gridMachine } from './testing/machines.ts';

const small = gridDescription('mesh', [4, 4]);

describe('buildMachine', () => {
  it('counts nodes, cores and slots', () => {
    expect(gridMachine('torus', [4, 3], { hosts: 2, sockets: 2, cores: 8 })).toMatchObject({
      nodeCount: 24,
      coresPerNode: 16,
      slotCount: 384,
    });
  });

  it('uses the default routing of the topology where the machine names none', () => {
    const { name, topology, cables, socketsPerNode, coresPerSocket, figures } = small;
    const silent = { name, topology, cables, socketsPerNode, coresPerSocket, figures };
    expect(buildMachine(silent)).toMatchObject({ ok: true, value: { routing: { kind: 'dimension-order' } } });
  });

  it('builds the largest machine and refuses one core more', () => {
    expect(gridMachine('mesh', [1024], { hosts: 64, cores: 256 }).slotCount).toBe(slotLimit);
    expect(buildMachine(gridDescription('mesh', [1025], { hosts: 64, cores: 256 })).ok).toBe(false);
  });

  it('has room for all cores of Fugaku, and says what the limit is for', () => {
    const fugaku = buildMachine(gridDescription('torus', [24, 23, 24, 2, 3, 2], { cores: 48 }));
    expect(fugaku).toMatchObject({ ok: true, value: { nodeCount: 158_976, slotCount: 7_630_848 } });
    const more = buildMachine(gridDescription('torus', [24, 23, 24, 2, 3, 2], { cores: 112 }));
    expect(more).toMatchObject({ ok: false, failure: { code: 'machine-too-large' } });
    expect(more.ok ? '' : more.failure.message).toMatch(/17,805,312 cores; the maximum is 16,777,216 cores/);
  });

  const refused: { what: string; description: MachineDescription; code: string; message: RegExp }[] = [
    {
      what: '10^9 nodes',
      description: gridDescription('torus', [1000, 1000, 1000]),
      code: 'machine-too-large',
      message: /1,000,000,000 nodes .* at most 4,194,304 nodes/,
    },
    {
      what: 'a product beyond every number',
      description: gridDescription('mesh', new Array<number>(40).fill(1e300)),
      code: 'machine-too-large',
      message: /at most 4,194,304 nodes/,
    },
    {
      what: 'a hypercube of a million dimensions',
      description: gridDescription('hypercube', [1e6]),
      code: 'machine-too-large',
      message: /at most/,
    },
    {
      what: 'too many links',
      description: gridDescription('hypercube', [21]),
      code: 'machine-too-large',
      message: /44,040,192 directed links; at most 16,777,216/,
    },
    {
      what: 'too many cores on few routers',
      description: gridDescription('torus', [4], { hosts: 1e6, cores: 1e6 }),
      code: 'machine-too-large',
      message: /4,000,000 nodes with 4,000,000,000,000 cores/,
    },
    {
      what: 'too many sides of 1',
      description: gridDescription('mesh', new Array<number>(33).fill(1)),
      code: 'machine-too-large',
      message: /at most 32 dimensions/,
    },
    {
      what: 'a side of 0',
      description: gridDescription('torus', [4, 0]),
      code: 'invalid-shape',
      message: /torus 4 x 4/,
    },
    { what: 'no sides', description: gridDescription('torus', []), code: 'invalid-shape', message: /whole sides/ },
    {
      what: 'half a core',
      description: gridDescription('torus', [4], { cores: 0.5 }),
      code: 'invalid-count',
      message: /at least 1 host/,
    },
    {
      what: 'an unknown topology',
      description: gridDescription('moebius', [4]),
      code: 'unknown-topology',
      message: /moebius/,
    },
    {
      what: 'an unknown routing',
      description: { ...gridDescription('torus', [4]), routing: { name: 'adaptive', options: {} } },
      code: 'unknown-routing',
      message: /adaptive/,
    },
  ];

  it.each(refused)('refuses $what: $code', ({ description, code, message }) => {
    const built = buildMachine(description);
    expect(built.ok ? built.value : built.failure.code).toBe(code);
    expect(built.ok ? '' : built.failure.message).toMatch(message);
  });
});

describe('names of a declaration', () => {
  const grid = gridDescription('torus', [4, 2]);
  const named = (names: string, more: object = {}) => buildMachine({ ...grid, names, ...more });
  const built = (names: string, more?: object) => {
    const machine = named(names, more);
    if (!machine.ok) throw new Error(machine.failure.message);
    return machine.value;
  };

  it.each([
    ['n[08-14],login', ['n08', 'n09', 'n10', 'n11', 'n12', 'n13', 'n14', 'login']],
    ['r[1-2]n[1-4]', ['r1n1', 'r1n2', 'r1n3', 'r1n4', 'r2n1', 'r2n2', 'r2n3', 'r2n4']],
    ['nid%05d', Array.from({ length: 8 }, (_, node) => `nid0000${node}`)],
  ])('%s are those of the nodes in the order of their numbers, and routers keep theirs', (names, expected) => {
    const machine = built(names);
    expect(hostNames(machine)).toEqual(expected);
    expect(hasHostNames(machine)).toBe(true);
    expect(nodesOfHosts(machine, [expected[7]!, expected[2]!])).toEqual({ ok: true, value: Int32Array.of(7, 2) });
    expect(routerName(machine, asRouterId(3))).toBe('3');
  });

  it('are what `without` takes nodes out by, and not switches or roots', () => {
    const none = { cables: [], routers: [], nodes: [] };
    expect(Array.from(built('n[1-8]', { faults: { ...none, nodes: ['n[2-3]'] } }).topology.faults!.nodes)).toEqual([
      0, 1, 1, 0, 0, 0, 0, 0,
    ]);
    const failure = { code: 'no-such-switch', message: expect.stringContaining('numbers only') as string };
    expect(named('n[1-8]', { faults: { ...none, routers: ['n1'] } })).toMatchObject({ ok: false, failure });
  });

  it.each([
    ['n[1-7]', "There are 7 names in 'n[1-7]', and the machine has 8 nodes: name each in the order of their numbers."],
    ['n[1-7],n3', "Two nodes are called 'n3' in 'n[1-7],n3'."],
    ['n[1-', /is not closed/],
    ['n[1-7],a b', /Invalid host name/],
    ['n%x', /Write %d or %05d/],
    ['n[1-1000000000]', /1,048,576 names/],
  ])('are refused where they do not fit: %s', (names, message) => {
    expect(named(names)).toMatchObject({
      ok: false,
      failure: {
        code: 'names-do-not-fit',
        message: typeof message === 'string' ? message : (expect.stringMatching(message) as string),
      },
    });
  });
});

describe('endsOfLink', () => {
  it('names routers by number', () => {
    const machine = gridMachine('mesh', [3]);
    const ends = [0, 1, 2, 3].map((link) => endsOfLink(machine, asLinkId(link)));
    expect(ends).toEqual([
      { from: 0, to: 1 },
      { from: 1, to: 2 },
      { from: 1, to: 0 },
      { from: 2, to: 1 },
    ]);
  });

  it('names nodes on links of their own as hosts', () => {
    const machine = gridMachine('mesh', [2], { hosts: 2 });
    const withHostLinks = { ...machine, topology: { ...machine.topology, hasHostLinks: true } };
    expect(endsOfLink(withHostLinks, asLinkId(2 + 2 * 3))).toEqual({ from: { host: 3 }, to: 1 });
    expect(endsOfLink(withHostLinks, asLinkId(2 + 2 * 3 + 1))).toEqual({ from: 1, to: { host: 3 } });
  });
});
