import { describe, expect, it } from 'vitest';
import { complaintOf, fabricOf, pictureOf, warningsOf } from '../testing/fabrics.ts';

describe('BookSim anynet', () => {
  it('reads links that stand at one end or at both, once each, and latencies not at all', async () => {
    const fabric = await fabricOf(
      'Router 4 Router 1 10 Node 7 node 2\nrouter 1 router 4 5 router 9\nnode 0 router 9 2\n',
    );
    expect(fabric.format).toBe('anynet');
    expect(pictureOf(fabric)).toEqual({
      switches: 'router1 router4 router9',
      cables: 'router1-router4 router1-router9',
      hosts: 'node7@router4 node2@router4 node0@router9',
    });
    expect(warningsOf(fabric)).toEqual([expect.stringMatching(/latency other than one cycle: 3\./)]);
  });

  it('leaves out a router linked to itself', async () => {
    const fabric = await fabricOf('router 0 router 1\nrouter 1 router 1 node 0\n');
    expect(pictureOf(fabric)).toEqual({
      switches: 'router0 router1',
      cables: 'router0-router1',
      hosts: 'node0@router1',
    });
    expect(warningsOf(fabric)).toEqual([
      expect.stringMatching(/^2: 1 router with a link to itself, the first here: these links are skipped\./),
    ]);
  });

  const complaints: [string, string, RegExp][] = [
    [
      'a node on two routers',
      'router 0 node 1\nrouter 1 node 1',
      /^file:2: Node 1 is linked to routers 1 and 0 \(line 1\)\./,
    ],
    ['two nodes', 'router 0 node 1\nnode 1 node 2', /^file:2: Link between two nodes\./],
    ['a word', 'router 0 node 1\nrouter 0 switch 2', /^file:2: Expected `router` or `node`, found 'switch'\./],
    ['a line cut off', 'router 0 node 1\nrouter 0 node', /^file:2: Expected a number after `node`, found ''\./],
  ];
  it.each(complaints)('refuses %s', async (_, text, expected) => {
    expect(await complaintOf(text)).toMatch(expected);
  });
});

const banner = '%%MatrixMarket matrix coordinate';
const square = { switches: '0 1 2', cables: '0-1 1-2 1-2', hosts: '' };

describe('adjacency', () => {
  const same: [string, string, string][] = [
    ['a CSV matrix', 'csv', '0,1,0\n1,0,2\n0,2,0\n'],
    ['an upper triangle', 'csv', '# switches\n0;1;0;\n0;0;2;\n0;0;0;\n'],
    ['a lower triangle with blanks', 'csv', '0 0 0\n1 0 0\n0 2 0'],
    ['a list of cables', 'csv', 'from,to,cables\n1,0,1\n1,2,2\n'],
    ['a list of both directions', 'csv', 'Source\tTarget\n0\t1\n1\t2\n1\t2\n2\t1\n2\t1\n'],
    ['Matrix Market, symmetric', 'matrix-market', `${banner} integer symmetric\n3 3 2\n2 1 1\n3 2 2\n`],
    ['Matrix Market, general', 'matrix-market', `${banner} integer general\n3 3 4\n1 2 1\n2 1 1\n2 3 2\n3 2 2\n`],
    ['Matrix Market, one triangle of general', 'matrix-market', `${banner} real general\n3 3 2\n1 2 1.0\n2 3 2\n`],
    [
      'a Matrix Market array',
      'matrix-market',
      '%%MatrixMarket matrix array integer symmetric\n3 3\n0\n1\n0\n0\n2\n0\n',
    ],
  ];
  it.each(same)('as %s', async (_, format, text) => {
    const fabric = await fabricOf(text);
    expect(fabric.format).toBe(format);
    const { cables, ...rest } = pictureOf(fabric);
    expect({ ...rest, cables: cables.split(' ').sort().join(' ') }).toEqual(square);
    expect(fabric.warnings).toEqual([]);
  });

  it('reads a pattern as one cable each', async () => {
    expect(pictureOf(await fabricOf(`${banner} pattern symmetric\n2 2 1\n2 1\n`)).cables).toBe('0-1');
  });

  it('keeps the names of a list, in the order of the file', async () => {
    const fabric = await fabricOf('from,to\nspine-b,leaf-1\nspine-a,leaf-1\n');
    expect(pictureOf(fabric)).toEqual({
      switches: 'spine-b leaf-1 spine-a',
      cables: 'spine-b-leaf-1 leaf-1-spine-a',
      hosts: '',
    });
  });

  it('tells which columns of a list are not read', async () => {
    const fabric = await fabricOf('from,speed,to,note,weight\na,5 GB/s,b,x,2\n');
    expect(pictureOf(fabric).cables).toBe('a-b');
    expect(warningsOf(fabric)).toEqual([
      "1: Skipped columns: 'note', 'weight'. For a weight, use the name cables, bandwidth or latency.",
    ]);
  });

  it('gives cables their bandwidth and latency', async () => {
    const fabric = await fabricOf(
      'from,to,cables,bandwidth,latency\na,b,2,100 Gbit/s,100 ns\nb,c,1,4xHDR,\na,b,1,25 GB/s,0\n',
    );
    expect(fabric.cables).toEqual([
      { from: 0, to: 1, bandwidth: 12.5e9, latency: 1e-7 },
      { from: 0, to: 1, bandwidth: 12.5e9, latency: 1e-7 },
      { from: 0, to: 1, bandwidth: 25e9, latency: 0 },
      { from: 1, to: 2, bandwidth: 25e9 },
    ]);
    expect(await complaintOf('from,to,speed\na,b,fast\n')).toMatch(
      /^file:2: Invalid bandwidth 'fast'. Examples: 25 GB\/s/,
    );
    expect(await complaintOf('from,to,speed\na,b,100\n')).toBe(
      "file:2: '100' has no unit. Write one, as in `100 Gbit/s` or `12.5 GB/s`.",
    );
    expect(await complaintOf('from,to,latency\na,b,1.5\n')).toMatch(/^file:2: '1.5' has no unit/);
    expect(await complaintOf('from,to,speed\na,b,25 Gi\n')).toMatch(/^file:2: '25 Gi' has no unit/);
    expect(await complaintOf('from,to,latency\na,b,5 parsecs\n')).toMatch(/^file:2: Invalid latency '5 parsecs'/);
  });

  it('hangs hosts on the switches that a line counts them of, and on no others', async () => {
    const fabric = await fabricOf('from,to,hosts\nleaf-1,spine,\nleaf-2,spine,\nleaf-1,,2\nleaf-2,,1\nspine,,0\n');
    expect(pictureOf(fabric)).toEqual({
      switches: 'leaf-1 spine leaf-2',
      cables: 'leaf-1-spine spine-leaf-2',
      hosts: 'leaf-1:0@leaf-1 leaf-1:1@leaf-1 leaf-2:0@leaf-2',
    });
    expect(fabric.nodesAreCounted).toBe(true);
    expect(warningsOf(fabric)).toEqual([]);
    const numbers = await fabricOf('from,to,hosts\n10,9,\n9,2,\n10,,1\n');
    expect(pictureOf(numbers)).toEqual({ switches: '2 9 10', cables: '9-10 2-9', hosts: '10:0@10' });
    expect((await fabricOf('from,to,hosts\n0,1,\n')).nodesAreCounted).toBeUndefined();
  });

  it.each([
    ['names', 'leaf1,spine1\nleaf1,spine2\nleaf2,spine1\n', 1],
    ['two names', 'leaf1,spine1\nleaf1,spine2\n', 1],
    ['the letters a and b', 'a,b\nb,c\nc,a\n', 1],
    ['numbers', '1,2\n2,3\n3,4\n', 3],
    ['names and speeds', 'leaf1;spine1;100G\nleaf2;spine1;100G\n', 1],
  ])('of cables without a header asks for it: %s', async (_, text, line) => {
    expect(await complaintOf(text)).toMatch(
      new RegExp(
        `^file:${line}: .*Write \`from,to\` above the first link. Optional columns: \`cables\`, \`bandwidth\``,
      ),
    );
  });

  it('of cables between a and b is read where its header has more columns', async () => {
    const fabric = await fabricOf('a,b,speed\nb,c,100 Gbit/s\nc,a,25G\n');
    expect(fabric.routers).toEqual(['b', 'c', 'a']);
    expect(fabric.cables.map(({ bandwidth }) => bandwidth)).toEqual([12.5e9, 3.125e9]);
  });

  it('reads names in quotes', async () => {
    expect(pictureOf(await fabricOf('from,to\n"rack 1, leaf ""a""",b\n')).switches).toBe('rack 1, leaf "a" b');
  });

  it('orders switches that are numbers by them', async () => {
    expect(pictureOf(await fabricOf('from,to\n10,9\n9,2\n')).switches).toBe('2 9 10');
  });

  it('leaves out cables to oneself, with the line', async () => {
    const fabric = await fabricOf('0,1\n1,3\n');
    expect(pictureOf(fabric).cables).toBe('0-1');
    expect(warningsOf(fabric)).toEqual([
      expect.stringMatching(/^2: 1 switch with a link to itself, the first here: these links are skipped\./),
    ]);
  });

  const complaints: [string, string, RegExp][] = [
    ['asymmetric', '0,1,1\n1,0,0\n0,0,0\n', /^file:1: Between 0 and 2: 1 cable in one direction, 0 in the other\./],
    ['different counts', '0,1\n2,0\n', /^file:1: Between 0 and 1: 1 cable in one direction, 2 in the other\./],
    [
      'a list of different counts',
      'from,to,cables\n0,1,2\n1,0,3\n',
      /^file:2: Between 0 and 1: 2 cables in one direction, 3 in the other\./,
    ],
    ['not square', '0,1,0\n1,0,2\n', /^file:2: .*square.* 2 x 3/],
    ['a short row', '0,1,0\n1,0\n', /^file:2: The row has 2 values, but the first row has 3\./],
    ['negative', '0,1\n-1,0\n', /^file:2: Column 1: Invalid number of cables '-1'/],
    ['fractions', '0,1.5\n1.5,0\n', /^file:1: Column 2: Invalid number of cables '1.5'/],
    ['a word', '0,1\nx,0\n', /^file:2: Column 1: Invalid number of cables 'x'/],
    [
      'absurd counts',
      '0,9999999999\n9999999999,0\n',
      /^file:1: Column 2: '9999999999' parallel links exceed the maximum 16777216\./,
    ],
    [
      'absurd sums',
      'from,to,cables\n0,1,8000000\n1,2,8000000\n',
      /^file:2: The file has more than 2,097,152 links between switches, the maximum\./,
    ],
    ['a list without an end', 'from,to\n0,1\n2,\n', /^file:3: .*does not name two switches/],
    ['a list without cables', 'from,to\n', /^file:1: The list has a header but no links\./],
    ['hosts of a cable', 'from,to,hosts\n0,1,4\n', /^file:2: A line defines either a link or a number of hosts\./],
    ['hosts of no switch', 'from,to,hosts\n0,1,\n,,4\n', /^file:3: The line names no switch/],
    ['hosts in words', 'from,to,hosts\n0,1,\n0,,four\n', /^file:3: Invalid number of hosts 'four'/],
    [
      'hosts counted twice',
      'from,to,hosts\n0,1,\n0,,4\n0,,2\n',
      /^file:4: Hosts of '0' are also counted on another line\./,
    ],
    ['absurd hosts', 'from,to,hosts\n0,1,\n0,,999999999\n', /^file:3: .*more than .* hosts/],
    ['rectangular Matrix Market', `${banner} integer general\n3 2 1\n1 2 1\n`, /^file:2: .*square.*3 x 2/],
    [
      'fractions of Matrix Market',
      `${banner} real symmetric\n2 2 1\n2 1 0.5\n`,
      /^file:3: Between 1 and 0: 0\.5 links\./,
    ],
    [
      'asymmetric Matrix Market',
      `${banner} real general\n3 3 4\n1 2 1\n2 1 1\n1 3 2\n3 2 1\n`,
      /^file:5: Between 0 and 2: 2 cables in one direction, 0 in the other\./,
    ],
    ['negative Matrix Market', `${banner} real symmetric\n2 2 1\n2 1 -1\n`, /^file:3: .*negative/],
    [
      'Matrix Market cut off',
      `${banner} real symmetric\n9 9 3\n2 1 1\n3 2 1\n`,
      /^file:4: The header declares 3 entries, but the file has 2\./,
    ],
  ];
  it.each(complaints)('refuses what is %s', async (_, text, expected) => {
    expect(await complaintOf(text)).toMatch(expected);
  });
});
