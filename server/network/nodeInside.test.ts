import { describe, expect, it } from 'vitest';
import type { DevicePath, NodeDevice, NodeShape } from '../model/fabric.ts';
import type { Machine } from '../model/machine.ts';
import { coresOfSlot, insideLevels, nearestRails, slotOfCore, waysOut } from '../model/nodeInside.ts';
import { succeed, type Result } from '../model/result.ts';
import { endOfSlot, insideHopsOf, socketOfSlot } from '../model/slots.ts';
import type { GpuDescription, MachineDescription } from './contract.ts';
import { buildMachine, noMachineFiles } from './machine.ts';
import { usingRails } from './rails.ts';

const description: MachineDescription = {
  name: 'test',
  topology: { name: 'fat-tree', options: { levels: [2, 2], parents: [2] } },
  cables: [],
  socketsPerNode: 2,
  coresPerSocket: 8,
  figures: {},
};

function built(more: Partial<MachineDescription>, shape?: NodeShape): Machine {
  const made = build(more, shape);
  if (!made.ok) throw new Error(made.failure.message);
  return made.value;
}

const build = (more: Partial<MachineDescription>, shape?: NodeShape): Result<Machine> =>
  buildMachine(
    { ...description, ...more },
    shape === undefined ? noMachineFiles : { ...noMachineFiles, nodeShape: () => succeed(shape) },
  );

/** In eighths of a hop, slot by slot of one node. */
const eighths = (machine: Machine): number[][] => {
  const hops = insideHopsOf(machine)!;
  const slots = Array.from({ length: machine.coresPerNode }, (_, slot) => slot);
  return slots.map((one) => slots.map((other) => 8 * hops(one, other)));
};

describe('sockets of unequal cores', () => {
  const machine = built({ coresOfSockets: [3, 1, 2] });

  it('have their own cores, node after node', () => {
    expect([machine.socketsPerNode, machine.coresPerNode, machine.slotCount]).toEqual([3, 6, 24]);
    expect(Array.from({ length: 12 }, (_, slot) => socketOfSlot(machine, slot))).toEqual([
      0, 0, 0, 1, 2, 2, 3, 3, 3, 4, 5, 5,
    ]);
  });

  it.each([
    [0, { socket: 0, first: 0, last: 0 }],
    [2, { socket: 0, first: 2, last: 2 }],
    [3, { socket: 1, first: 0, last: 0 }],
    [5, { socket: 2, first: 1, last: 1 }],
  ])('slot %i is a core of its socket, and back', (slot, core) => {
    expect(coresOfSlot(machine.inside, slot)).toEqual(core);
    expect(slotOfCore(machine.inside, core.socket, core.first)).toBe(slot);
    expect(slotOfCore(machine.inside, -1, slot)).toBe(slot);
  });

  it('have no core beyond their last', () => {
    expect(
      [
        [0, 3],
        [1, 1],
        [3, 0],
        [-1, 6],
      ].map(([socket, core]) => slotOfCore(machine.inside, socket!, core!)),
    ).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('are apart where distances inside a node count', () => {
    expect(insideHopsOf(machine)).toBeUndefined();
    const counted = built({ coresOfSockets: [2, 1], countsInside: true });
    expect(eighths(counted)).toEqual([
      [0, 0, 6],
      [0, 0, 6],
      [6, 6, 0],
    ]);
  });

  it('use the rails of their own socket', () => {
    const own = usingRails(built({ coresOfSockets: [3, 1], rails: { count: 2 } }), { kind: 'own' });
    expect([0, 1, 2, 3, 4].map((slot) => endOfSlot(own, slot))).toEqual([0, 0, 0, 1, 2]);
  });
});

describe('GPUs of a declaration', () => {
  const gpus = (
    count: number,
    links: GpuDescription['links'] = [],
    allLinks?: number,
  ): Partial<MachineDescription> => ({
    gpus: { count, links, ...(allLinks !== undefined && { allLinks }) },
  });

  it.each<[string, Partial<MachineDescription>, number[]]>([
    ['meet at host bridges of a socket, and between sockets', gpus(4), [0, 5, 6, 6]],
    ['share a PCIe switch with one adapter', { ...gpus(4), rails: { count: 2 } }, [0, 2, 6, 6]],
    ['are all as near over NVSwitch', gpus(4, [], 12), [0, 1, 1, 1]],
    [
      'are the nearer the more links they have',
      gpus(3, [
        { from: 0, to: 1, links: 2 },
        { from: 0, to: 2, links: 4 },
      ]),
      [0, 2, 1],
    ],
    [
      'reach others over one between',
      gpus(4, [
        { from: 0, to: 1, links: 1 },
        { from: 1, to: 2, links: 1 },
      ]),
      [0, 1, 2, 6],
    ],
    ['take PCI where links lead round', gpus(2, [{ from: 0, to: 1, links: 1 }]), [0, 1]],
    ['count single links among all', gpus(3, [{ from: 0, to: 1, links: 4 }], 2), [0, 1, 2]],
  ])('%s', (_, more, expected) => {
    expect(eighths(built(more))[0]).toEqual(expected);
  });

  it('are nearer inside than any other node is', () => {
    expect(insideLevels.every(({ hops }, at) => hops < 1 && hops > (insideLevels[at - 1]?.hops ?? 0))).toBe(true);
  });

  it('cost nothing where the declaration says so', () => {
    expect(insideHopsOf(built({ ...gpus(4), countsInside: false }))).toBeUndefined();
  });

  const four = { ...gpus(4), rails: { count: 2 } };
  it.each([
    ['own', { kind: 'own' } as const, [2, 2, 2, 2]],
    ['only one', { kind: 'only', rail: 1 } as const, [6, 6, 2, 2]],
    ['all', { kind: 'stripe' } as const, [4, 4, 4, 4]],
  ])('have a way to their adapters: %s', (_, use, expected) => {
    const machine = usingRails(built(four), use);
    expect(Array.from(waysOut(machine)!, (hops) => 8 * hops)).toEqual(expected);
    // Between two nodes both ways count.
    expect(8 * insideHopsOf(machine)!(1, 4)).toBe(expected[1]! + expected[0]!);
  });

  it('are beside cores of their socket, which no two share', () => {
    const { inside } = built(gpus(4));
    expect([0, 1, 2, 3].map((gpu) => coresOfSlot(inside, gpu))).toEqual([
      { socket: 0, first: 0, last: 3 },
      { socket: 0, first: 4, last: 7 },
      { socket: 1, first: 0, last: 3 },
      { socket: 1, first: 4, last: 7 },
    ]);
    expect([0, 3, 4].map((core) => slotOfCore(inside, 1, core))).toEqual([2, 2, 3]);
  });
});

/** Two sockets; GPUs 1 and 3 on the first; the second adapter is far from all. */
const devices: NodeDevice[] = [
  { kind: 'gpu', name: 'GPU0', socket: 1 },
  { kind: 'nic', name: 'mlx5_0', socket: 0 },
  { kind: 'gpu', name: 'GPU1', socket: 0 },
  { kind: 'nic', name: 'eth0', socket: 0 },
  { kind: 'nic', name: 'mlx5_1', socket: 1 },
];
const paths: DevicePath[] = [
  { from: 0, to: 1, kind: 'SYS' },
  { from: 0, to: 2, kind: 'NV', links: 12 },
  { from: 0, to: 3, kind: 'SYS' },
  { from: 0, to: 4, kind: 'PIX' },
  { from: 1, to: 2, kind: 'PXB' },
  { from: 1, to: 3, kind: 'NODE' },
  { from: 1, to: 4, kind: 'SYS' },
  { from: 2, to: 3, kind: 'NODE' },
  { from: 2, to: 4, kind: 'SYS' },
  { from: 3, to: 4, kind: 'SYS' },
];
const shape: NodeShape = { coresOfSockets: [4, 2], numaNodes: 2, devices, paths, warnings: [] };

describe('GPUs of a file', () => {
  const file = { nodeFile: 'node', slots: 'gpus' } as const;

  it('are slots with the names and the sockets that it tells', () => {
    const { inside, coresPerNode } = built(file, shape);
    expect([coresPerNode, inside.gpus, Array.from(inside.socketOfSlot)]).toEqual([2, ['GPU0', 'GPU1'], [1, 0]]);
    expect(coresOfSlot(inside, 0)).toEqual({ socket: 1, first: 0, last: 1 });
  });

  it('use the adapters nearest to a GPU as rails, each the one next to it', () => {
    const machine = usingRails(built({ ...file, rails: { count: 2 } }, shape), { kind: 'own' });
    expect([0, 1].map((slot) => endOfSlot(machine, slot))).toEqual([1, 0]);
    expect(Array.from(waysOut(machine)!, (hops) => 8 * hops)).toEqual([2, 3]);
  });

  it('go to the nearest adapter where nodes have one link', () => {
    expect(Array.from(waysOut(built(file, shape))!, (hops) => 8 * hops)).toEqual([2, 3]);
  });

  it('are no slots unless the machine says so', () => {
    const { coresPerNode, inside } = built({ nodeFile: 'node' }, shape);
    expect([coresPerNode, inside.slots, inside.gpus]).toEqual([6, 'cores', undefined]);
  });

  it('are beside cores of their sockets alone where `cores` leaves some out', () => {
    const near = devices.map((device) => ({ ...device, socket: 0, cores: { first: 2, count: 2 } }));
    const coresFor = (more: Partial<MachineDescription>) => {
      const { inside } = built({ ...file, ...more }, { ...shape, devices: near });
      return [inside.coresOfSockets, coresOfSlot(inside, 0), coresOfSlot(inside, 1)];
    };
    expect(coresFor({})).toEqual([[4, 2], { socket: 0, first: 2, last: 2 }, { socket: 0, first: 3, last: 3 }]);
    expect(coresFor({ coresInFile: [2] })).toEqual([
      [2, 2],
      { socket: 0, first: 0, last: 0 },
      { socket: 0, first: 1, last: 1 },
    ]);
  });

  it.each<[string, readonly number[], Partial<NodeShape>, readonly number[] | RegExp]>([
    ['one number, of all sockets', [2], {}, [2, 2]],
    ['a number of each', [3, 1], {}, [3, 1]],
    [
      'of sockets of which the file says nothing',
      [24, 16, 8],
      { coresOfSockets: [0], coresUnknown: 'Why.' },
      [24, 16, 8],
    ],
    ['of as many as the file has', [24], { coresOfSockets: [0, 0], coresUnknown: 'Why.' }, [24, 24]],
    [
      'more than there are',
      [4],
      {},
      /^cores-beside-file: `cores` of machine `test` gives socket 1 4 cores; the file of `node` has only 2/,
    ],
    [
      'other sockets',
      [1, 1, 1],
      {},
      /^cores-beside-file: `cores` .* for 3 sockets; the file of `node` has 2. Give as many, or one for all/,
    ],
    [
      'nothing where the file says nothing',
      [],
      { coresOfSockets: [0], coresUnknown: 'n.xml:3: Why.' },
      /^bad-node: n.xml:3: Why./,
    ],
  ])('`cores` beside a file: %s', (_, cores, more, expected) => {
    const coresInFile = cores.length === 0 ? {} : { coresInFile: cores };
    const result = build({ nodeFile: 'node', ...coresInFile }, { ...shape, ...more });
    if (expected instanceof RegExp)
      expect(result.ok ? 'was built' : `${result.failure.code}: ${result.failure.message}`).toMatch(expected);
    else expect(result.ok && result.value.inside.coresOfSockets).toEqual(expected);
  });

  it.each<[string, Partial<MachineDescription>, NodeShape | undefined, RegExp]>([
    ['a file without any', file, { ...shape, devices: [] }, /no-gpus.*file that has GPUs/],
    ['a declaration without any', { slots: 'gpus' }, undefined, /no-gpus.*Add `gpus`/],
    [
      'too many',
      file,
      { ...shape, devices: Array.from({ length: 257 }, () => devices[0]!), paths: [] },
      /bad-node.*257 GPUs per node; the maximum is 256/,
    ],
    [
      'too many sockets to be apart',
      { socketsPerNode: 1025, countsInside: true },
      undefined,
      /invalid-count.*1,025 sockets/,
    ],
  ])('are refused: %s', (_, more, file, expected) => {
    const result = build(more, file);
    expect(result.ok ? 'was built' : `${result.failure.code} ${result.failure.message}`).toMatch(expected);
  });
});

describe('rails next to slots', () => {
  it.each<[number[][], number[]]>([
    [
      [
        [1, 2],
        [1, 2],
        [2, 1],
      ],
      [0, 0, 1],
    ],
    [
      [
        [1, 1],
        [1, 1],
      ],
      [0, 1],
    ],
    [
      [
        [3, 1, 1],
        [3, 1, 1],
        [3, 1, 1],
        [0, 1, 1],
      ],
      [1, 1, 2, 0],
    ],
  ])('are the nearest, equal ones dealt in order: %j', (rows, expected) => {
    expect(Array.from(nearestRails(Float64Array.from(rows.flat()), rows[0]!.length))).toEqual(expected);
  });
});
