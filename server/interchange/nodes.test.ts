import { describe, expect, it } from 'vitest';
import { readNodeShape, isEmptySet, readCpuset } from './nodes.ts';

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

/** `2 x 4, 1 NUMA`, and the warnings. */
function shapeOf(xml: string): [string, string] {
  const result = read(xml);
  if (!result.ok) throw new Error(result.failure.message);
  const { sockets, coresPerSocket, numaNodes, warnings } = result.value;
  return [`${sockets} x ${coresPerSocket}, ${numaNodes} NUMA`, warnings.map(({ message }) => message).join(' ')];
}

const memory = '<object type="NUMANode" os_index="0" cpuset="0x3"/>';

describe('the inside of a node, from hwloc', () => {
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
    ['no package', machine('', core(0), core(1)), '1 x 2, 1 NUMA', /No package is listed/],
    ['no core', machine('', pack(unit(0), unit(1)), pack(unit(2), unit(3))), '2 x 2, 1 NUMA', /No core is listed/],
    [
      'unequal packages',
      machine('', pack(core(0), core(1), core(2)), pack(core(3), core(4))),
      '2 x 2, 1 NUMA',
      /Sockets have 3, 2 cores: all count as having 2/,
    ],
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
      /: 1; left out/,
    ],
    [
      'entities, which are not expanded',
      machine('', '<info name="a" value="&lt;&x;"/>', pack(core(0))),
      '1 x 1, 1 NUMA',
      /^$/,
    ],
  ];
  it.each(shapes)('%s', (_, xml, expected, warning) => {
    const [shape, warnings] = shapeOf(xml);
    expect(shape).toBe(expected);
    expect(warnings).toMatch(warning);
  });

  const whole = machine('', pack(core(0)));
  const complaints: [string, string | Uint8Array, RegExp][] = [
    ['cut off', whole.slice(0, whole.indexOf('<support')), /^file:6: .*cut off.*lstopo/],
    ['with tags that do not pair up', whole.replace('</object>', ''), /^file: The XML is damaged/],
    ['without objects', '<topology version="2.0"></topology>', /^file: The file has no object/],
    [
      'without a unit allowed',
      machine('allowed_cpuset="0x0"', pack(core(0))),
      /^file: .*no core with a processing unit/,
    ],
    [
      'nested without end',
      `<topology>${'<object>'.repeat(2000)}${'</object>'.repeat(2000)}</topology>`,
      /^file: The XML is damaged/,
    ],
    ['no hwloc', 'SwitchName=a Nodes=b', /^file: The file does not describe a node; read is hwloc/],
    ['compressed', new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), /^file: .*compressed with xz: unpack it first/],
    ['empty', '', /^file: The file is empty/],
  ];
  it.each(complaints)('refuses what is %s', (_, content, expected) => {
    const result = read(content);
    expect(result.ok ? 'was read' : result.failure).toMatchObject({
      code: 'bad-node',
      message: expect.stringMatching(expected) as string,
    });
  });

  it('never throws at a file cut off anywhere', () => {
    for (let at = 0; at < whole.length - 1; at++) expect(read(whole.slice(0, at)).ok).toBe(false);
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
