import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { NodeShape } from '../model/fabric.ts';
import { readNodeShape } from './readers.ts';

const read = (text: string): ReturnType<typeof readNodeShape> => readNodeShape(new TextEncoder().encode(text), 'file');

async function shapeOf(text: string): Promise<NodeShape> {
  const result = await read(text);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

/** `GPU0-GPU1 NV2`, for each pair. */
const pathsOf = ({ devices = [], paths = [] }: NodeShape): string =>
  paths
    .map(({ from, to, kind, links }) => `${devices[from]?.name ?? ''}-${devices[to]?.name ?? ''} ${kind}${links ?? ''}`)
    .join(', ');

/** Names, addresses and sockets. */
const namesOf = ({ devices = [] }: NodeShape): string =>
  devices.map(({ name, address, socket }) => `${name} ${address ?? ''} ${socket ?? '-'}`).join(', ');

const core = (unit: number): string => `<object type="Core"><object type="PU" os_index="${unit}"/></object>`;
const bridge = (kind: '0-1' | '1-1', ...inside: string[]): string =>
  `<object type="Bridge" bridge_type="${kind}">${inside.join('')}</object>`;
const pci = (bus: string, type: string, ...systems: [number, string][]): string => {
  const below = systems.map(
    ([number, name], at) => `<object type="OSDev" gp_index="2${at}${bus}" name="${name}" osdev_type="${number}"/>`,
  );
  return `<object type="PCIDev" gp_index="1${bus}" pci_busid="0000:${bus}:00.0" pci_type="${type} [10de:15f9] [10de:116b] a1">${below.join('')}</object>`;
};
/** Two packages of two cores, on lines 3 and 4, with what hangs on them and on the machine; without its end. */
const node = (version: string, first: string, second = '', rest = ''): string => {
  const packages = [first, second].map(
    (inside, at) => `<object type="Package" nodeset="0x${at + 1}">${core(2 * at)}${core(2 * at + 1)}${inside}</object>`,
  );
  return `<topology${version}>\n<object type="Machine" nodeset="0x3">\n${packages.join('\n')}${rest}</object>\n`;
};
const v1 = (...inside: [string, string?, string?]): string => `${node('', ...inside)}</topology>`;
const v3 = (...inside: [string, string?, string?]): string => `${node(' version="3.0"', ...inside)}</topology>`;
const [one, two] = [pci('01', '0302'), pci('02', '0302')];

describe('GPUs and NICs of hwloc', () => {
  it('of a POWER8 with four Tesla P100 are read of the file that hwloc tests itself with', async () => {
    const file = new URL('../../samples/fabrics/power8-gpus.hwloc.xml', import.meta.url);
    const shape = await shapeOf(readFileSync(file, 'utf8'));
    expect(shape).toMatchObject({ coresOfSockets: [4, 4], numaNodes: 2, warnings: [] });
    expect(namesOf(shape)).toBe('GPU0 0002:01:00.0 0, GPU1 0003:01:00.0 0, GPU2 000a:01:00.0 1, GPU3 000b:01:00.0 1');
    expect(pathsOf(shape)).toBe(
      'GPU0-GPU1 NV2, GPU0-GPU2 SYS, GPU0-GPU3 SYS, GPU1-GPU2 SYS, GPU1-GPU3 SYS, GPU2-GPU3 NV2',
    );
  });

  it.each<[string, string, string]>([
    [
      'each once, in the order of PCI',
      v3(pci('3b', '0302', [12, 'cuda0'], [12, 'nvml0']) + pci('1b', '0300', [12, 'opencl0d0'])),
      'GPU0 0000:1b:00.0 0, GPU1 0000:3b:00.0 0',
    ],
    [
      'of hwloc 1 and 2, whose types are numbers',
      v1(
        ['5opencl0d0', '1rsmi0', '1card0', '4dma0']
          .map((text, at) => pci(`0${at}`, '0300', [Number(text[0]), text.slice(1)]))
          .join(''),
      ),
      'GPU0 0000:00:00.0 0, GPU1 0000:01:00.0 0, GPU2 0000:02:00.0 0',
    ],
    [
      'of hwloc 3, whose types are bits',
      v3(pci('01', '0300', [4, 'card0']) + pci('02', '0207', [48, 'mlx5_0']) + pci('03', '0200', [16, 'eth0'])),
      'GPU0 0000:01:00.0 0, mlx5_0 0000:02:00.0 0',
    ],
    [
      'by their class alone',
      v3(pci('01', '0380') + pci('02', '1200') + pci('03', '0300')),
      'GPU0 0000:01:00.0 0, GPU1 0000:02:00.0 0',
    ],
    [
      'on Ethernet where there is nothing better',
      v1(pci('01', '0200', [2, 'eth0']), pci('02', '0200', [2, 'eth1'])),
      'eth0 0000:01:00.0 0, eth1 0000:02:00.0 1',
    ],
    ['on no socket where they hang on the machine', v1('', '', one), 'GPU0 0000:01:00.0 -'],
    ['of files without PCI', v3(''), ''],
  ])('%s', async (_, text, expected) => {
    expect(namesOf(await shapeOf(text))).toBe(expected);
  });

  it('of the class VGA are GPUs where a graphics driver has them, but for the video chips of boards', async () => {
    const card = (bus: string, model: string, ...drivers: [number, string][]): string =>
      pci(bus, '0300', ...drivers).replace('[10de:15f9]', `[${model}]`);
    const shape = await shapeOf(
      v1(
        card('05', '1a03:2000', [1, 'card0'], [1, 'controlD64']) +
          card('13', '1002:66a1', [1, 'card1'], [1, 'renderD128'], [1, 'controlD65']) +
          card('23', '1002:66a1', [1, 'renderD129']),
        card('33', '1002:515e', [1, 'card3'], [1, 'renderD130']) +
          card('43', '1af4:1050', [1, 'card4'], [1, 'renderD131']) +
          card('53', '10de:2684', [1, 'card5']) +
          card('63', '10de:2684') +
          card('73', '102b:0532'),
      ),
    );
    expect(namesOf(shape)).toBe('GPU0 0000:13:00.0 0, GPU1 0000:23:00.0 0, GPU2 0000:53:00.0 1');
    expect(shape.warnings.map(({ message }) => message)).toContain(
      '1 graphics card without a driver: not counted as GPUs. The first is 0000:63:00.0.',
    );
  });

  it('are told apart by their makers where these are several', async () => {
    const made = (bus: string, maker: string): string => pci(bus, '0302').replace('[10de:15f9]', `[${maker}:15f9]`);
    const makersIn = async (...gpus: string[]) => (await shapeOf(v1(gpus.join('')))).devices?.map(({ maker }) => maker);
    expect(await makersIn(made('01', '1002'), made('02', '10DE'), made('03', '8086'), made('04', '1a03'))).toEqual([
      'amd',
      'nvidia',
      'intel',
      undefined,
    ]);
    expect(await makersIn(one, two)).toEqual([undefined, undefined]);
  });

  it('are next to the cores that the object has which they hang on', async () => {
    const group = `<object type="Group">${core(7)}${bridge('0-1', one)}</object>`;
    const { devices } = await shapeOf(v1('', group));
    expect(devices).toEqual([
      { kind: 'gpu', name: 'GPU0', socket: 1, cores: { first: 2, count: 1 }, address: '0000:01:00.0' },
    ]);
  });

  it.each<[string, string, string]>([
    [
      'ports of one switch',
      v1(bridge('0-1', bridge('1-1', bridge('1-1', bridge('1-1', one), bridge('1-1', two))))),
      'PIX',
    ],
    ['one slot', v1(bridge('0-1', bridge('1-1', one, two))), 'PIX'],
    [
      'two switches in a row',
      v1(bridge('0-1', bridge('1-1', bridge('1-1', bridge('1-1', one), bridge('1-1', bridge('1-1', two)))))),
      'PXB',
    ],
    ['one host bridge', v1(bridge('0-1', bridge('1-1', one), bridge('1-1', two))), 'PHB'],
    ['host bridges of one socket', v1(bridge('0-1', one) + bridge('0-1', two)), 'NODE'],
    [
      'a group that has the same memory',
      v1(`${bridge('0-1', one)}<object type="Group" nodeset="0x1">${bridge('0-1', two)}</object>`),
      'NODE',
    ],
    ['two sockets', v1(bridge('0-1', one), bridge('0-1', two)), 'SYS'],
  ])('reach each other over %s', async (_, text, expected) => {
    const shape = await shapeOf(text);
    expect(pathsOf(shape)).toBe(`GPU0-GPU1 ${expected}`);
    expect(shape.warnings[0]?.message).toMatch(/The file lists no NVLink or Infinity Fabric between its 2 GPUs\./);
  });

  const gpus = pci('01', '0302', [12, 'nvml0']) + pci('02', '0302', [12, 'nvml1']);
  const switches = pci('61', '0680') + pci('62', '0680');
  /** Values in two parts, as hwloc writes them. The matrix begins on line 5. */
  const matrix = (name: string, keys: string, values: string, count = 2, attributes = ''): string => {
    const half = values.indexOf(' ', values.length / 3) + 1;
    const parts = [values.slice(0, half), values.slice(half)].map((part) => `<u64values>${part}</u64values>`).join('');
    return `${node(' version="3.0"', gpus, switches)}<distances2hetero nbobjs="${count}" name="${name}"${attributes}>\n<indexes>${keys}</indexes>\n${parts}</distances2hetero>\n</topology>`;
  };
  const nvlink = (values: string, keys = 'OSDev:2001 OSDev:2002', count = 2): string =>
    matrix('NVLinkBandwidth', keys, values, count);

  it.each<[string, string, string]>([
    ['NVLinks of the first generation', nvlink('1000000 40000 40000 1000000 '), 'NV2'],
    ['NVLinks of later ones', nvlink('1000000 100000 100000 1000000 '), 'NV4'],
    [
      'Infinity Fabric between GPUs, whose type is said once',
      matrix('XGMIBandwidth', '2001 2002 ', '0 100000 100000 0 ', 2, ' type="OSDev"'),
      'NV4',
    ],
    [
      'switches, which are one fabric',
      nvlink('0 0 50000 0 0 0 0 75000 50000 0 0 0 0 75000 0 0', 'PCIDev:101 PCIDev:102 PCIDev:161 PCIDev:162', 4),
      'NV2',
    ],
    [
      'a socket, which they do not talk through',
      nvlink('0 40000 40000 0', 'PCIDev:101 Core:5').replace('"Core">', '"Core" gp_index="5">'),
      'NODE',
    ],
  ])('reach each other over %s', async (_, text, expected) => {
    const shape = await shapeOf(text);
    expect(pathsOf(shape)).toBe(`GPU0-GPU1 ${expected}`);
    expect(shape.warnings).toEqual([]);
  });

  it('reach each other over PCI where matrices are of something else', async () => {
    const shape = await shapeOf(matrix('NUMALatency', 'nothing', 'at all'));
    expect(pathsOf(shape)).toBe('GPU0-GPU1 NODE');
    expect(shape.warnings).toHaveLength(1);
  });

  it.each<[string, string, RegExp]>([
    ['an address that is none', v1(pci('zz', '0302')), /^file:3: Invalid PCI address '0000:zz:00.0'/],
    ['two devices of one address', v1(one, one), /^file:4: The PCI address 0000:01:00\.0 is also on line 3\./],
    [
      'a device without a class',
      v1(pci('01', '')),
      /^file:3: The PCI device 0000:01:00\.0 has no class in its `pci_type` '\[10de:15f9\] \[10de:116b\] a1'\./,
    ],
    ['a type that is none', v1(pci('01', '0302', [-1, 'x'])), /^file:3: Invalid device type '-1'/],
    [
      'a matrix that was cut off',
      nvlink('1000000 40000 '),
      /^file:5: The matrix NVLinkBandwidth with 2 objects has 2 values, not 4\./,
    ],
    [
      'fewer objects than it says',
      nvlink('0 1 1 0 ', 'OSDev:2001'),
      /^file:5: The matrix NVLinkBandwidth lists 1 object but declares 2\./,
    ],
    [
      'objects that are not there',
      nvlink('0 1 1 0 ', 'OSDev:2001 OSDev:9'),
      /^file:5: The matrix NVLinkBandwidth names the unknown object 'OSDev:9'\./,
    ],
    ['bandwidths that are none', nvlink('0 -1 x 0 '), /^file:5: Invalid bandwidth '-1' in the matrix NVLinkBandwidth/],
    ['a matrix without end', nvlink('', '', 99_999), /^file:5: The matrix NVLinkBandwidth has '99999' objects\./],
    [
      'devices without end',
      v1(
        Array.from({ length: 1025 }, (_, at) => one.replace('0000:', `${at.toString(16).padStart(4, '0')}:`)).join(''),
      ),
      /^file:1: The node has 1025 devices\./,
    ],
    ['a large file', `<topology>${' '.repeat(4_200_000)}</topology>`, /^file: The file is larger than 4 MiB/],
  ])('%s: refused', async (_, text, expected) => {
    const result = await read(text);
    expect(result.ok ? 'was read' : result.failure.message).toMatch(expected);
  });
});
