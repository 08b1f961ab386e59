import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { complaintOf, fabricOf, pictureOf, warningsOf } from '../testing/fabrics.ts';

const switchRecord = (id: string, description: string, ...ports: string[]): string =>
  [`Switch\t36 "${id}"\t\t# "${description}" base port 0 lid 1 lmc 0`, ...ports, ''].join('\n');

const adapterRecord = (id: string, description: string, ...ports: string[]): string =>
  [`Ca\t1 "${id}"\t\t# "${description}"`, ...ports, ''].join('\n');

/** Two switches with two parallel cables and a host each, both ends told of. */
const whole = `#
# Topology file: generated on Wed May 13 14:36:33 2020
#
vendid=0x2c9
switchguid=0xa(a)
${switchRecord(
  'S-000a',
  'leaf1',
  '[1]\t"H-0001"[1](2) \t\t# "node01 HCA-1" lid 3 4xQDR',
  '[7]\t"S-000b"[8]\t\t# "leaf2" lid 2 4xQDR',
  '[8]\t"S-000b"[7]\t\t# "leaf2" lid 2 4xQDR',
)}
${switchRecord(
  'S-000b',
  'leaf2',
  '[1]\t"H-0003"[1](4) \t\t# "node02 HCA-1" lid 4 4xQDR',
  '[7]\t"S-000a"[8]\t\t# "leaf1" lid 1 4xQDR',
  '[8]\t"S-000a"[7]\t\t# "leaf1" lid 1 4xQDR',
)}
caguid=0x1
${adapterRecord('H-0001', 'node01 HCA-1', '[1](2) \t"S-000a"[1]\t\t# lid 3 lmc 0 "leaf1" lid 1 4xQDR')}
${adapterRecord('H-0003', 'node02 HCA-1', '[1](4) \t"S-000b"[1]\t\t# lid 4 lmc 0 "leaf2" lid 2 4xQDR')}`;

const wholePicture = { switches: 'leaf1 leaf2', cables: 'leaf1-leaf2 leaf1-leaf2', hosts: 'node01@leaf1 node02@leaf2' };

describe('ibnetdiscover', () => {
  it('reads every cable once, parallel ones apart, and keeps names', async () => {
    const fabric = await fabricOf(whole);
    expect(fabric.format).toBe('ibnetdiscover');
    expect(pictureOf(fabric)).toEqual(wholePicture);
    expect(fabric.warnings).toEqual([]);
  });

  it('knows GUIDs, LIDs and ports, from either end of a cable', async () => {
    const known = {
      addresses: [
        { guid: '000000000000000a', lid: 1 },
        { guid: '000000000000000b', lid: 2 },
      ],
      cables: [
        { from: 0, to: 1, fromPort: 7, toPort: 8, bandwidth: 4e9 },
        { from: 0, to: 1, fromPort: 8, toPort: 7, bandwidth: 4e9 },
      ],
      nodes: [
        { name: 'node01', router: 0, port: 1, address: { guid: '0000000000000002', lid: 3 }, bandwidth: 4e9 },
        { name: 'node02', router: 1, port: 1, address: { guid: '0000000000000004', lid: 4 }, bandwidth: 4e9 },
      ],
    };
    for (const text of [whole, whole.slice(0, whole.indexOf('caguid'))]) {
      expect(await fabricOf(text)).toMatchObject(known);
    }
    const descriptions = whole.replaceAll('"leaf1"', '"lid 99"').replaceAll(' lid 1 ', ' lid 0 ');
    expect((await fabricOf(descriptions)).addresses?.[0]).toEqual({ guid: '000000000000000a' });
  });

  const variants: [string, string][] = [
    ['spaces for tabs', whole.replaceAll('\t', '   ')],
    ['CRLF', whole.replaceAll('\n', '\r\n')],
    ['a line of standard error first', `ibwarn: [4711] mad_rpc: timed out\n${whole}`],
    [
      'the words of -g',
      whole.replace('vendid', 'Chassis 1 (guid 0x12)\nNon-Chassis Nodes\n\nvendid').replace('[7]\t', '[7][ext 3]\t'),
    ],
    ['one blank on the line between records', whole.replace('\n\n', '\n \n')],
    ['Hca for Ca', whole.replaceAll('Ca\t', 'Hca\t')],
    ['managed switches, by their own names', whole.replaceAll('"leaf1"', '"MF0;leaf1:MQM9701/U1"')],
  ];
  it.each(variants)('takes %s', async (_, text) => {
    expect(pictureOf(await fabricOf(text))).toEqual(wholePicture);
    expect((await fabricOf(text)).warnings).toEqual([]);
  });

  it('takes one end of a cable for the whole', async () => {
    const oneSided = whole.replace(/^\[.*"S-000a".*$/gm, '');
    expect(pictureOf(await fabricOf(oneSided))).toEqual(wholePicture);
  });

  it('calls switches by their ids where descriptions repeat, even with quotes and # in them', async () => {
    const same = whole.replaceAll('"leaf1"', '"4036 # "QDR""').replaceAll('"leaf2"', '"4036 # "QDR""');
    expect(pictureOf(await fabricOf(same)).switches).toBe('S-000a S-000b');
    expect(pictureOf(await fabricOf(whole.replaceAll('"leaf1"', '"4036 # "QDR""'))).switches).toBe(
      '4036 # "QDR" leaf2',
    );
  });

  it('leaves out ports cabled to their own switch, with the line', async () => {
    const text = whole.replace('[1]\t"H-0003"', '[35]\t"S-000b"[36]\t\t# "leaf2" lid 2 4xQDR\n[1]\t"H-0003"');
    expect(pictureOf(await fabricOf(text))).toEqual(wholePicture);
    expect(warningsOf(await fabricOf(text))).toEqual([
      expect.stringMatching(/^12: 1 port with a link to the same device, from this line on: skipped\./),
    ]);
  });

  it('keeps the first of two cables in one port', async () => {
    const text = `${whole}\n${adapterRecord('H-0005', 'node03 HCA-1', '[1](6)\t"S-000a"[1]\t# lid 5 "leaf1" lid 1 4xQDR')}`;
    expect(pictureOf(await fabricOf(text)).hosts).toBe(wholePicture.hosts);
    expect(warningsOf(await fabricOf(text)).join('\n')).toMatch(
      /^24: port 1 of 'S-000a' is already linked to port 1 of 'H-0001'\./m,
    );
  });

  it('says which widths and speeds there are', async () => {
    const mixed = whole.replace(/4xQDR/, '1xSDR');
    expect(warningsOf(await fabricOf(mixed)).join()).toMatch(
      /Links have different widths or speeds \(1 with 1xSDR, 3 with 4xQDR\)\./,
    );
  });

  it('reads a switch that only others mention, and says that the file may be cut off', async () => {
    const cut = whole.slice(0, whole.indexOf('Switch\t36 "S-000b"'));
    expect(pictureOf(await fabricOf(cut))).toEqual({ ...wholePicture, hosts: 'node01@leaf1' });
    expect(warningsOf(await fabricOf(cut)).join()).toMatch(
      /^7: 2 devices without a record, the first 'H-0001': known only from their links\./,
    );
  });
});

describe('hosts of an InfiniBand fabric', () => {
  /** One switch, an adapter per description, in ports 1, 2, …. */
  const attached = (...descriptions: string[]): string =>
    switchRecord(
      'S-1',
      'sw',
      ...descriptions.map((text, at) => `[${at + 1}]\t"H-${at + 1}"[1](1)\t# "${text}" lid 3 4xNDR`),
    ) +
    descriptions
      .map((text, at) => adapterRecord(`H-${at + 1}`, text, `[1](1)\t"S-1"[${at + 1}]\t# lid 3 "sw" lid 1 4xNDR`))
      .join('\n');

  const hosts: [string, string[], string, RegExp | undefined][] = [
    ['host and adapter', ['n1 HCA-1', 'n2 mlx5_0'], 'n1@sw n2@sw', undefined],
    ['one word', ['H00-0', 'H00-1'], 'H00-0@sw H00-1@sw', undefined],
    ['rails', ['n1 mlx5_1', 'n2 mlx5_0', 'n1 mlx5_0', 'n1 mlx5_10'], 'n2@sw n1@sw', /1 host with 3\)/],
    [
      'products',
      ['MT25408 ConnectX Mellanox Technologies', 'n1 HCA-1'],
      'H-1@sw n1@sw',
      /^4: NICs that count as a host each, named by id: 1\./,
    ],
    [
      'equal descriptions',
      ['n1 HCA-1', 'n1 HCA-1'],
      'H-1@sw H-2@sw',
      /NICs that count as a host each, named by id: 2\./,
    ],
    [
      'localhost',
      ['localhost mlx5_0', 'localhost mlx5_1'],
      'H-1@sw H-2@sw',
      /NICs that count as a host each, named by id: 2\./,
    ],
    [
      'SHARP',
      ['n1 HCA-1', 'Mellanox Technologies Aggregation Node'],
      'n1@sw',
      /1 adapter for SHARP inside switches \("Aggregation Node"\): skipped, not hosts\./,
    ],
    ['no description', ['', ''], 'H-1@sw H-2@sw', undefined],
  ];
  it.each(hosts)('%s', async (_, descriptions, expected, warning) => {
    const fabric = await fabricOf(attached(...descriptions).replaceAll(' # ""', ''));
    expect(pictureOf(fabric).hosts).toBe(expected);
    if (warning) expect(warningsOf(fabric).join('\n')).toMatch(warning);
    else expect(fabric.warnings).toEqual([]);
  });

  it('are attached by the first adapter by name, whatever the file lists first', async () => {
    const text =
      switchRecord(
        'S-1',
        'rail1',
        '[1]\t"H-1"[1](1)\t# "n1 mlx5_1" lid 3 4xNDR',
        '[9]\t"S-0"[9]\t# "rail0" lid 3 4xNDR',
      ) +
      switchRecord('S-0', 'rail0', '[1]\t"H-0"[1](1)\t# "n1 mlx5_0" lid 3 4xNDR') +
      adapterRecord('H-1', 'n1 mlx5_1') +
      adapterRecord('H-0', 'n1 mlx5_0');
    expect(pictureOf(await fabricOf(text)).hosts).toBe('n1@rail0');
  });

  it('on more ports than their switch has are refused, with the line', async () => {
    const text = switchRecord('S-1', 'sw', '[36]\t"H-1"[1]\t# "n1 HCA-1"', '[37]\t"H-2"[1]\t# "n2 HCA-1"');
    expect(await complaintOf(text)).toMatch(/:3: .*S-1.* has 36 ports .* port 37/);
  });

  it('hang on switches in ascending order of GUIDs, whatever the order of the file', async () => {
    const switches = ['S-00000b', 'S-00000A', 'S-000009'];
    const text = switches.map((id) => switchRecord(id, `sw-${id.slice(-1)}`)).join('');
    expect(pictureOf(await fabricOf(text)).switches).toBe('sw-9 sw-A sw-b');
  });

  it('come in the order of their switches', async () => {
    const fabric = await fabricOf(
      whole.replace(/Switch\t36 "S-000a"[^]*?\n\n/, '') +
        whole.slice(whole.indexOf('Switch'), whole.indexOf('Switch\t36 "S-000b"')),
    );
    expect(fabric.nodes.map(({ router }) => router)).toEqual([0, 1]);
  });

  it('without a cable are left out, with their line', async () => {
    const fabric = await fabricOf(`${attached('n1 HCA-1')}\n${adapterRecord('H-9', 'n9 HCA-1')}`);
    expect(pictureOf(fabric).hosts).toBe('n1@sw');
    expect(warningsOf(fabric)).toEqual([
      expect.stringMatching(/^6: 1 adapter without a link to a switch, from this line on: skipped\./),
    ]);
  });
});

describe('ibsim net files', () => {
  const net = `# The first port in the file is used as the SM port.
Switch\t8 "One"
[1]\t"Host A"[1]\tw=12
[3]\t"Two" [3]

switchguid=0x77
Switch 8 "Two"
[4]\t"Host B"[1] w=4

Hca\t2 "Host A"
[1]\t"One"[1]

Hca\t2 "Host B"
[2]\t"One"[2]
`;
  it('has free names, cables at one end, widths, hosts with two ports', async () => {
    const fabric = await fabricOf(net);
    expect(pictureOf(fabric)).toEqual({ switches: 'One Two', cables: 'One-Two', hosts: 'Host A@One Host B@Two' });
    expect(warningsOf(fabric)).toEqual([
      expect.stringMatching(/Links with unknown speed \(1 with 12x, 1 with 4x\) use the bandwidth of the machine\./),
      expect.stringMatching(/Hosts have different numbers of NICs \(1 host with 1, 1 host with 2\)\./),
    ]);
  });

  it('says what to do about include', async () => {
    expect(await complaintOf(`${net}\ninclude "more.net"\n`)).toMatch(/^file:16: .*includes another/);
  });

  it('wants a record of every name', async () => {
    expect(await complaintOf(net.replace('Switch 8 "Two"', 'Switch 8 "Three"'))).toMatch(
      /^file:4: 'Two' has no record/,
    );
  });
});

describe('what is left out of an InfiniBand file is told', () => {
  it('routers between subnets', async () => {
    const fabric = await fabricOf(
      'Switch 8 "S-a"\n[1] "R-b"[1]\n[2] "H-c"[1] # "n1 HCA-1"\n\nRt 2 "R-b"\n[1] "S-a"[1]\n',
    );
    expect(pictureOf(fabric)).toMatchObject({ switches: 'S-a', hosts: 'n1@S-a' });
    expect(warningsOf(fabric)).toContainEqual(
      "5: 1 router between subnets (Rt), the first 'R-b': skipped with their links.",
    );
  });

  it('a switch whose cables were cut off with the end of the file', async () => {
    const fabric = await fabricOf(whole.slice(0, whole.indexOf('\n[', whole.indexOf('Switch')) + 1));
    expect(warningsOf(fabric)).toEqual([expect.stringMatching(/1 switch without a link, the first 'S-000a'\./)]);
  });
});

describe('damaged InfiniBand files', () => {
  const complaints: [string, string, RegExp][] = [
    [
      'cut off before any switch',
      '#\ncaguid=0x1\nCa\t1 "H-1"\t\t# "n1 HCA-1"',
      /^file:3: The file contains no switch after 'H-1': it may be truncated, or list two directly linked NICs\./,
    ],
    [
      'cut off in a line',
      `${whole.slice(0, whole.indexOf('"S-000b"[7]'))}"S-00`,
      /^file:9: Invalid port line '\[8\]\ufffd"S-00'\./,
    ],
    ['a beginning that is missing', whole.slice(whole.indexOf('[1]')), /^file:1: .*beginning of the file is missing/],
  ];
  it.each(complaints)('%s', async (_, text, expected) => {
    expect(await complaintOf(text)).toMatch(expected);
  });

  it('counts lines that are neither record nor port', async () => {
    expect(warningsOf(await fabricOf(whole.replace('caguid=0x1', 'what is this\nand this')))).toEqual([
      expect.stringMatching(/^16: 2 lines without a record or a port, from this line on: skipped\./),
    ]);
  });
});

describe('ibnetdiscover -p', () => {
  const rows = `CA   134  1 0x7cfe9003003b4bde 4x EDR - SW  1719 10 0x7cfe9003009ce5b0 ( 'o0001 HCA-1' - 'ib-i1l1s01' )
CA   133  1 0x7cfe9003003b4b96 4x EDR - SW  1719 11 0x7cfe9003009ce5b0 ( 'o0002 HCA-1' - 'ib-i1l1s01' )
SW  1719 10 0x7cfe9003009ce5b0 4x EDR - CA   134  1 0x7cfe9003003b4bde ( 'ib-i1l1s01' - 'o0001 HCA-1' )
SW  1719  1 0x7cfe9003009ce5b0 4x EDR - SW  1516  1 0x7cfe900300b07320 ( 'ib-i1l1s01' - ' ib - l2s01 ' )
SW  1719 37 0x7cfe9003009ce5b0 4x ???                                    'ib-i1l1s01'
SW  1516  1 0x7cfe900300b07320 4x EDR - SW  1719  1 0x7cfe9003009ce5b0 ( ' ib - l2s01 ' - 'ib-i1l1s01' )
SW  1781 80 0x08c0eb0300add20e 4x SDR                                    spare one

`;
  it('reads cables, ports without a peer, and names with blanks or without quotes', async () => {
    const fabric = await fabricOf(rows);
    expect(fabric.format).toBe('ibnetdiscover-p');
    expect(pictureOf(fabric)).toEqual({
      switches: 'spare one ib-i1l1s01 ib - l2s01',
      cables: 'ib-i1l1s01-ib - l2s01',
      hosts: 'o0001@ib-i1l1s01 o0002@ib-i1l1s01',
    });
    expect(fabric.warnings).toEqual([]);
  });

  it('knows GUIDs, LIDs and ports', async () => {
    expect(await fabricOf(rows)).toMatchObject({
      addresses: [
        { guid: '08c0eb0300add20e', lid: 1781 },
        { guid: '7cfe9003009ce5b0', lid: 1719 },
        { guid: '7cfe900300b07320', lid: 1516 },
      ],
      cables: [{ from: 1, to: 2, fromPort: 1, toPort: 1 }],
      nodes: [
        { port: 10, address: { guid: '7cfe9003003b4bde', lid: 134 } },
        { port: 11, address: { guid: '7cfe9003003b4b96', lid: 133 } },
      ],
    });
  });

  it('knows an adapter by either of its ports', async () => {
    const two = `CA 5 1 0x0000000000100011 4x SDR - SW 2 1 0x0000000000200000 ( 'H1' - 'S1' )
CA 6 2 0x0000000000100012 4x SDR - SW 2 2 0x0000000000200000 ( 'H1' - 'S1' )`;
    expect(pictureOf(await fabricOf(two)).hosts).toBe('H1@S1');
    expect((await fabricOf(two)).nodes).toMatchObject([{ further: [{ router: 0, rail: 1, port: 2 }] }]);
  });

  it('says where a file is cut off', async () => {
    const end = rows.indexOf(' ( ', rows.indexOf('SW  1516  1 0x7cfe900300b07320 4x EDR'));
    expect(await complaintOf(rows.slice(0, end - 12))).toMatch(
      /^file:6: Invalid far end of a link '- SW  1719  1 0x7cfe'\./,
    );
    expect(await complaintOf(`${rows}SW  17`)).toMatch(/^file:9: Invalid port line 'SW  17'\./);
  });
});

describe('hosts with several adapters', async () => {
  const pod = readFileSync(new URL('../../../samples/fabrics/gb200.ibnetdiscover', import.meta.url), 'utf8');
  const railsOf = async (text: string): Promise<string[]> =>
    (await fabricOf(text)).nodes.map(({ name, router, adapter, rail = 0, further = [] }) =>
      [
        `${name}:`,
        ...[{ router, adapter, rail }, ...further].map(
          (each) => `${each.rail ?? 0}=${each.adapter ?? ''}@${each.router}`,
        ),
      ].join(' '),
    );
  const whole = await railsOf(pod);

  it('keep all of them, adapters of one name as one rail', async () => {
    expect(whole).toHaveLength(8);
    expect(whole[0]).toBe('a01-gb-c01: 0=HCA-1@0 1=HCA-2@1 2=HCA-5@2 3=HCA-6@3');
    expect(whole[7]).toBe('a02-gb-c04: 0=HCA-1@4 1=HCA-2@5 2=HCA-5@6 3=HCA-6@7');
    expect((await fabricOf(pod)).nodes[7]?.further?.[2]).toMatchObject({
      port: 4,
      bandwidth: 50e9,
      address: { lid: 42 },
    });
  });

  it('have holes where one is missing', async () => {
    const without = pod.replaceAll('a01-gb-c02 HCA-2', 'elsewhere HCA-1');
    expect(await railsOf(without)).toContain('a01-gb-c02: 0=HCA-1@0 2=HCA-5@2 3=HCA-6@3');
    expect(warningsOf(await fabricOf(without)).join()).toMatch(/\(1 host with 1, 1 host with 3, 7 hosts with 4\)/);
  });

  it('are found by the ports of their adapters where these have no name yet', async () => {
    const fresh = pod.replace(/a0[12]-gb-c0[34] HCA-\d/g, 'MT4129 ConnectX7   Mellanox Technologies');
    const found = await railsOf(fresh);
    expect(found).toHaveLength(8);
    const places = (rows: readonly string[]): string[] => rows.map((row) => row.replace(/^\S+ |=[^@]*/g, ''));
    expect(places(found)).toEqual(places(whole));
    expect(warningsOf(await fabricOf(fresh)).join()).toMatch(/NICs without a host name: 16\./);
  });

  it('are found by the GUID of their system', async () => {
    const alone = pod.replace(/a0\d-gb-c\d\d HCA-\d/g, 'MT4129 ConnectX7   Mellanox Technologies');
    expect(await railsOf(alone)).toHaveLength(32);
    // Digits of unit and tray; the last two tell adapters apart.
    const systems = alone.replace(/^sysimgguid=0x(e09d\w{10})\w\w$/gm, 'sysimgguid=0x$100');
    expect((await railsOf(systems)).map((row) => row.split(' ').length)).toEqual(Array.from({ length: 8 }, () => 5));
  });
});
