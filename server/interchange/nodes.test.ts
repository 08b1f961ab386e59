import { describe, expect, it } from 'vitest';
import type { NodeShape } from '../model/fabric.ts';
import type { SystemNumbers } from '../model/nodeInside.ts';
import { readNodeShape } from './readers.ts';
import { isEmptySet, readCpuset } from './nodes/hwloc.ts';
import { nodeSamples } from './testing/samples.ts';

/** `P2 = 2 cores` and so on, in the XML of hwloc 3. */
const unit = (index: number): string => `<object type="PU" os_index="${index}"/>`;
const core = (...units: number[]): string => `<object type="Core">${units.map(unit).join('')}</object>`;
const pack = (...inside: string[]): string => `<object type="Package" os_index="0">${inside.join('')}</object>`;
const machine = (attributes: string, ...inside: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="3.0">
<object type="Machine" ${attributes}>
${inside.join('\n')}
</object>
<support name="custom.exported_support"/>
</topology>
`;

function read(content: string | Uint8Array): ReturnType<typeof readNodeShape> {
  return readNodeShape(typeof content === 'string' ? new TextEncoder().encode(content) : content, 'file');
}

/** `2 x 4`, `3 + 2`. */
const writtenSockets = (cores: readonly number[]): string =>
  new Set(cores).size === 1 ? `${cores.length} x ${cores[0] ?? 0}` : cores.join(' + ');

/** `2 x 4, 1 NUMA`, and the warnings. */
async function shapeOf(xml: string): Promise<[string, string]> {
  const result = await read(xml);
  if (!result.ok) throw new Error(result.failure.message);
  const { coresOfSockets, numaNodes, warnings } = result.value;
  return [`${writtenSockets(coresOfSockets)}, ${numaNodes} NUMA`, warnings.map(({ message }) => message).join(' ')];
}

const memory = '<object type="NUMANode" os_index="0" cpuset="0x3"/>';

describe('the inside of a node, from hwloc', () => {
  it.each<[string, string, SystemNumbers]>([
    [
      'by turns of the packages, with all threads of a core',
      machine('', pack(core(0, 12), core(2, 14)), pack(core(1, 13), core(3, 15))),
      [
        [
          [0, 12],
          [2, 14],
        ],
        [
          [1, 13],
          [3, 15],
        ],
      ],
    ],
    [
      'without those that are not allowed',
      machine('allowed_cpuset="0x0000000d"', pack(core(0, 1), core(2), core(4))),
      [[[0], [2]]],
    ],
    [
      'of units where no core is listed',
      machine('', pack(unit(8), unit(0)), pack(unit(2), unit(3))),
      [
        [[8], [0]],
        [[2], [3]],
      ],
    ],
  ])('has the numbers of the system: %s', async (_, xml, expected) => {
    const shape = await read(xml);
    expect(shape.ok && shape.value.systemNumbers).toEqual(expected);
  });

  const shapes: [string, string, string, RegExp][] = [
    [
      'two packages',
      machine('', memory, pack(core(0, 1), core(2, 3)), pack(core(4, 5), core(6, 7))),
      '2 x 2, 1 NUMA',
      /^$/,
    ],
    [
      'sockets of hwloc 1, NUMA in the tree of cores',
      `<topology><object type="Machine"><object type="NUMANode" cpuset="0x1"><object type="Socket"><object type="Cache" depth="3">${core(0)}</object></object></object></object></topology>`,
      '1 x 1, 1 NUMA',
      /^$/,
    ],
    [
      'memory below packages and groups',
      machine('', `<object type="Group">${pack(memory, core(0))}${pack(memory, core(1))}</object>`),
      '2 x 1, 2 NUMA',
      /^$/,
    ],
    [
      'memory of GPUs',
      machine('', memory, '<object type="NUMANode" os_index="255" cpuset="0x0"/>', pack(core(0))),
      '1 x 1, 1 NUMA',
      /without cores.*: 1;/,
    ],
    ['no package', machine('', core(0), core(1)), '1 x 2, 1 NUMA', /The file lists no package\./],
    [
      'no core',
      machine('', pack(unit(0), unit(1)), pack(unit(2), unit(3))),
      '2 x 2, 1 NUMA',
      /The file lists no core\./,
    ],
    ['unequal packages', machine('', pack(core(0), core(1), core(2)), pack(core(3), core(4))), '3 + 2, 1 NUMA', /^$/],
    ['a package without cores', machine('', pack(core(0)), pack()), '1 x 1, 1 NUMA', /without a usable core: 1/],
    [
      'units that are not allowed',
      machine('allowed_cpuset="0x0000000d"', pack(core(0, 1), core(2), core(4))),
      '1 x 2, 1 NUMA',
      /offline or not allowed: 1/,
    ],
    [
      'units that are offline',
      machine('allowed_cpuset="0xf...f" online_cpuset="0x1"', pack(core(0), core(1))),
      '1 x 1, 1 NUMA',
      /offline or not allowed: 1/,
    ],
    [
      'units beyond the first word',
      machine('allowed_cpuset="0x1,,0x2"', pack(core(1), core(64), core(65))),
      '1 x 2, 1 NUMA',
      /Cores offline or not allowed: 1; skipped\./,
    ],
    [
      'entities, which are not expanded',
      machine('', '<info name="a" value="&lt;&x;"/>', pack(core(0))),
      '1 x 1, 1 NUMA',
      /^$/,
    ],
  ];
  it.each(shapes)('%s', async (_, xml, expected, warning) => {
    const [shape, warnings] = await shapeOf(xml);
    expect(shape).toBe(expected);
    expect(warnings).toMatch(warning);
  });

  const whole = machine('', pack(core(0)));
  const complaints: [string, string | Uint8Array, RegExp][] = [
    [
      'cut off',
      whole.slice(0, whole.indexOf('<support')),
      /^file:6: The file ends before <\/topology>, opened on line 3\./,
    ],
    [
      'with tags that do not pair up',
      whole.replace('</object>', ''),
      /^file:8: Unexpected <\/topology>: <object> of line 4 is open\./,
    ],
    ['without objects', '<topology version="2.0"></topology>', /^file:1: The file has no object/],
    [
      'without a unit allowed',
      machine('allowed_cpuset="0x0"', pack(core(0))),
      /^file:3: The machine has no usable core\./,
    ],
    [
      'nested without end',
      `<topology>${'<object>'.repeat(2000)}${'</object>'.repeat(2000)}</topology>`,
      /^file:1: The file is nested more than 200 levels deep\./,
    ],
    ['no hwloc', 'SwitchName=a Nodes=b', /^file: The file does not describe a node\./],
    ['compressed', new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), /^file: The file is not plain text\./],
    ['empty', '', /^file: The file is empty/],
  ];
  it.each(complaints)('refuses what is %s', async (_, content, expected) => {
    const result = await read(content);
    expect(result.ok ? 'was read' : result.failure).toMatchObject({
      code: 'bad-node',
      message: expect.stringMatching(expected) as string,
    });
  });

  it('never throws at a file cut off anywhere', async () => {
    for (let at = 0; at < whole.length - 1; at++) expect((await read(whole.slice(0, at))).ok).toBe(false);
  });
});

describe('sets of hwloc', () => {
  it('are words of 32 bits, the last first', () => {
    const set = readCpuset('0xf0000000,,,,,,,0x00000101');
    expect(Array.from({ length: 300 }, (_, index) => index).filter(set)).toEqual([0, 8, 252, 253, 254, 255]);
  });

  it('may have no end, or not be given', () => {
    expect([0, 31, 32, 5000].map(readCpuset('0xf...f,0x1'))).toEqual([true, false, true, true]);
    expect(readCpuset(undefined)(7)).toBe(true);
  });

  it('may be empty', () => {
    expect(['0x0', '0x00000000,,0x0', '', '0x0,0x4', '0xf...f'].map(isEmptySet)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('GPUs and NICs inside a node', () => {
  const shapeOf = async (text: string): Promise<NodeShape> => {
    const result = await readNodeShape(new TextEncoder().encode(text), 'file');
    if (!result.ok) throw new Error(result.failure.message);
    return result.value;
  };
  const pathsOf = ({ devices = [], paths = [] }: NodeShape): string =>
    paths
      .map(
        ({ from, to, kind, links }) => `${devices[from]?.name ?? ''}-${devices[to]?.name ?? ''} ${kind}${links ?? ''}`,
      )
      .join(', ');

  it('are read of NCCL and of nvidia-smi alike', async () => {
    const [nccl, smi] = [await shapeOf(nodeSamples['nccl'] ?? ''), await shapeOf(nodeSamples['nvidia-smi'] ?? '')];
    expect(nccl).toMatchObject({ coresOfSockets: [16, 16], numaNodes: 2 });
    expect(smi).toMatchObject({ coresOfSockets: [32, 32], numaNodes: 2 });
    expect(pathsOf(nccl)).toBe('GPU0-mlx5_0 PIX, GPU0-GPU1 NV12, mlx5_0-GPU1 SYS');
    expect(pathsOf(smi)).toBe('GPU0-GPU1 NV12, GPU0-mlx5_0 PXB, GPU1-mlx5_0 SYS');
    expect([nccl, smi].map(({ warnings, countsThreads }) => [warnings, countsThreads])).toEqual([
      [[], true],
      [[], true],
    ]);
  });

  const smi = nodeSamples['nvidia-smi'] ?? '';
  const cpu = (inside: string, affinity = 'affinity="f"'): string =>
    `<system>\n<cpu numaid="0" ${affinity}>${inside}</cpu></system>`;
  const socketsOf = ({ devices = [] }: NodeShape): unknown =>
    devices.filter(({ kind }) => kind === 'gpu').map(({ socket }) => socket);
  /** A matrix of GPUs that reach each other over everything, with what stands behind their paths. */
  const matrixOf = (...tails: readonly string[]): string => {
    const names = tails.map((_, gpu) => `GPU${gpu}`);
    const row = (gpu: number): string => names.map((_, other) => (other === gpu ? ' X ' : 'SYS')).join('\t');
    const rows = tails.map((tail, gpu) => `GPU${gpu}\t${row(gpu)}\t${tail}\n`);
    return `\t${names.join('\t')}\tCPU Affinity\tNUMA Affinity\n${rows.join('')}`;
  };
  const gpuAt = (dev: number, links = ''): string =>
    `<pci busid="${dev}" class="0x038000"><gpu dev="${dev}">${links}</gpu></pci>`;
  it.each<[string, string, readonly number[], unknown]>([
    [
      'numbers of NUMA nodes are no positions: those of a DGX A100',
      matrixOf('48-63,176-191\t3', '48-63,176-191\t3', '16-31,144-159\t1', '112-127,240-255\t7', '80-95,208-223\t5'),
      [32, 32, 32, 32],
      [0, 0, 1, 2, 3],
    ],
    ['sets without numbers', matrixOf('8-15\tN/A', '0-7\tN/A', '8-15\tN/A'), [8, 8], [0, 1, 0]],
    ['numbers without sets', matrixOf('N/A\t6', 'N/A\t2', 'N/A\t6'), [0, 0], [0, 1, 0]],
    ['a set that another GPU of the NUMA node has', matrixOf('N/A\t6', '0-7\t2', '8-15\t6'), [8, 8], [0, 1, 0]],
    [
      'CPUs of which not every one has a GPU',
      `<system><cpu affinity="f">${gpuAt(0)}</cpu><cpu affinity="f0"></cpu><cpu affinity="f00">${gpuAt(1)}${gpuAt(2)}</cpu></system>`,
      [4, 4, 4],
      [0, 2, 2],
    ],
    [
      'CPUs with the same set, which are one socket',
      `<system><cpu affinity="f">${gpuAt(0)}</cpu><cpu affinity="f">${gpuAt(1)}</cpu><cpu affinity="f0">${gpuAt(2)}</cpu></system>`,
      [4, 4],
      [0, 0, 1],
    ],
  ])('GPUs are on the sockets of their processing units: %s', async (_, text, cores, sockets) => {
    const shape = await shapeOf(text);
    expect([shape.coresOfSockets, socketsOf(shape)]).toEqual([cores, sockets]);
    expect(shape.warnings.filter(({ message }) => message.includes('which socket'))).toEqual([]);
  });

  it('says of which GPUs the file does not tell the place', async () => {
    const shape = await shapeOf(matrixOf('0-7\t0', '8-15\t1', 'N/A\tN/A', 'N/A\tN/A'));
    expect(socketsOf(shape)).toEqual([0, 1, undefined, undefined]);
    expect(shape.warnings.map(({ message }) => message)).toEqual([
      "The file does not give the sockets of 2 GPUs, the first 'GPU2'. They are assigned to the sockets in order.",
    ]);
  });

  it('on Infinity Fabric reach each other over it, as RCCL writes it', async () => {
    const link = (target: number, count = 1): string => `<xgmi target="${target}" count="${count}" tclass="0x038000"/>`;
    const shape = await shapeOf(cpu(gpuAt(0, link(1)) + gpuAt(1, link(0) + link(2, 2)) + gpuAt(2, link(1, 2))));
    expect(pathsOf(shape)).toBe('GPU0-GPU1 NV1, GPU0-GPU2 PHB, GPU1-GPU2 NV2');
    expect(shape.warnings).toEqual([]);
  });

  it('on switches of NVLink reach all others there', async () => {
    const gpu = (dev: number): string =>
      `<pci busid="${dev}" class="0x0302"><gpu dev="${dev}"><nvlink target="s" count="18" tclass="0x068000"/></gpu></pci>`;
    expect(pathsOf(await shapeOf(cpu(gpu(0) + gpu(1))))).toBe('GPU0-GPU1 NV18');
  });

  it.each<[string, string, number, RegExp]>([
    [
      'no cores',
      smi.replace(/\d+-\d+,\d+-\d+/g, 'N/A'),
      2,
      /^file:2: The column `CPU Affinity` is empty, so the number of cores is unknown\./,
    ],
    [
      'no column of cores',
      '\tGPU0\tNIC0\nGPU0\tX\tSYS\nNIC0\tSYS\tX\n',
      1,
      /^file:2: The column `CPU Affinity` is missing/,
    ],
    [
      'a CPU without cores',
      cpu('', ''),
      1,
      /^file:2: The <cpu> has no `affinity`, so the number of cores is unknown\./,
    ],
  ])('%s: left to the machine', async (_, text, sockets, expected) => {
    const { coresOfSockets, coresUnknown } = await shapeOf(text);
    expect([coresOfSockets, coresUnknown]).toEqual([new Array(sockets).fill(0), expect.stringMatching(expected)]);
  });

  it.each<[string, string, RegExp]>([
    ['a matrix without its rows', smi.slice(0, 100), /^file:\d: The row .*(?:missing|values)/],
    ['a row that ends', smi.replace('SYS\t16-31,48-63\t1\t\tN/A', ''), /^file:3: The row has 2 values for 3 devices/],
    ['a path that is none', smi.replace('NV12', 'NVX'), /^file:2: Invalid path 'NVX'/],
    [
      'two paths for a pair',
      smi.replace('NV12', 'NV4'),
      /^file:2: The matrix is not symmetric: 'GPU0' to 'GPU1' is NV4, and back NV12\./,
    ],
    ['a device that is not itself', smi.replace(' X \tNV12', 'SYS\tNV12'), /^file:2: Unexpected X at 'GPU0'\./],
    [
      'a row of another device',
      smi.replace('\nGPU1', '\nGPU7'),
      /^file:3: The first line does not name the device 'GPU7'/,
    ],
    ['a row twice', smi.replace('\nGPU1', '\nGPU0'), /^file:3: 'GPU0' has two rows/],
    ['cores that are none', smi.replace('0-15,32-47', '9-5'), /^file:2: Invalid set of processing units '9-5'/],
    ['a file that was cut off', '<system>\n<cpu numaid="0" affinity="f">', /^file:2: The file ends before <\/cpu>/],
    ['a set of no units', cpu('', 'affinity="0000"'), /^file:2: The file lists no usable processing unit\./],
    ['a set that is none', cpu('', 'affinity="all"'), /^file:2: Invalid set of processing units 'all'/],
    ['a system without CPUs', '<system>\n<net/></system>', /^file:1: The system has no <cpu>/],
    [
      'graphs of NCCL',
      '<graphs version="1"></graphs>',
      /^file:1: This is the NCCL graph of rings and trees, not the node\./,
    ],
    ['tags that cross', '<system><cpu></system></cpu>', /^file:1: Unexpected <\/system>: <cpu> of line 1 is open\./],
    ['too many devices', cpu('<pci class="0x0302"/>'.repeat(1025)), /The node has 1025 devices\./],
    ['elements too deep', cpu('<pci>'.repeat(300)), /The file is nested more than 200 levels deep\./],
    ['a large file', `<system>${' '.repeat(4_200_000)}</system>`, /larger than 4 MiB/],
  ])('%s: refused', async (_, text, expected) => {
    const result = await readNodeShape(new TextEncoder().encode(text), 'file');
    expect(result.ok ? 'was read' : result.failure.message).toMatch(expected);
  });
});
