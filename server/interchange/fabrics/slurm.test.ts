import { describe, expect, it } from 'vitest';
import { partsOfFabric } from '../../network/fabricParts.ts';
import { complaintOf, fabricOf, pictureOf, warningsOf } from '../testing/fabrics.ts';

const tree = `# topology.conf
SwitchName=root Switches=leaf[1-2]
SWITCHNAME=leaf1 nodes=n[1-2] LinkSpeed=100  # left=part
SwitchName=leaf2 \\
  Nodes=n[3-4]
`;

describe('trees of Slurm', () => {
  it('are one cable from each switch to the one above it', async () => {
    const fabric = await fabricOf(tree);
    expect(fabric.format).toBe('slurm-tree');
    expect(pictureOf(fabric)).toEqual({
      switches: 'root leaf1 leaf2',
      cables: 'leaf1-root leaf2-root',
      hosts: 'n1@leaf1 n2@leaf1 n3@leaf2 n4@leaf2',
    });
    expect(fabric.tiers).toEqual([1, 0, 0]);
  });

  it('have tiers that count from the leaves, also where branches differ in length', async () => {
    const text = 'SwitchName=a Switches=b,c\nSwitchName=b Switches=d\nSwitchName=c Nodes=n1\nSwitchName=d Nodes=n2\n';
    expect((await fabricOf(text)).tiers).toEqual([2, 1, 0, 0]);
  });

  it('may have nodes on inner switches, and none at all', async () => {
    expect(pictureOf(await fabricOf('SwitchName=a Switches=b Nodes=x\nSwitchName=b Nodes=y')).hosts).toBe('x@a y@b');
    expect((await fabricOf('SwitchName=a Switches=b\nSwitchName=b')).nodes).toEqual([]);
  });

  it('keep a node below two switches with the first', async () => {
    const text = 'SwitchName=a Switches=b,c\nSwitchName=b Nodes=n[1-2]\nSwitchName=c Nodes=n[2-3]';
    expect(pictureOf(await fabricOf(text)).hosts).toBe('n1@b n2@b n3@c');
    expect(warningsOf(await fabricOf(text))).toEqual([expect.stringMatching(/^3: 1 node .*'n2' \(line 2\)/)]);
  });

  it('may be a forest, of which a machine takes a tree', async () => {
    const forest = await fabricOf(`${tree}\nSwitchName=alone Nodes=n9`);
    expect(pictureOf(forest).hosts).toBe('n1@leaf1 n2@leaf1 n3@leaf2 n4@leaf2 n9@alone');
    expect(warningsOf(forest)).toEqual([]);
    expect(partsOfFabric(forest)?.parts.map(({ switches, hosts }) => [switches, hosts])).toEqual([
      [3, 4],
      [1, 1],
    ]);
  });

  it('give a node to the deepest switch that lists it, whichever comes first', async () => {
    const [top, middle, leaf] = [
      'SwitchName=a Switches=b Nodes=n[1-4]',
      'SwitchName=b Switches=c Nodes=n[1-3]',
      'SwitchName=c Nodes=n[1-2]',
    ];
    for (const lines of [
      [top, middle, leaf],
      [leaf, middle, top],
      [middle, leaf, top],
    ]) {
      const fabric = await fabricOf(lines.join('\n'));
      expect(pictureOf(fabric).hosts.split(' ').sort().join(' ')).toBe('n1@c n2@c n3@b n4@a');
      expect(warningsOf(fabric)).toEqual([]);
    }
  });

  it('are read as scontrol prints them, with their levels', async () => {
    const printed = await fabricOf(
      'SwitchName=a Level=1 LinkSpeed=1 Nodes=n[1-2] Switches=b\nSwitchName=b Level=0 LinkSpeed=1 Nodes=n[1-2]\n',
    );
    expect(printed.format).toBe('scontrol');
    expect(pictureOf(printed)).toEqual({ switches: 'a b', cables: 'b-a', hosts: 'n1@b n2@b' });
    const block = await fabricOf('BlockName=b BlockIndex=0 Nodes=n[1-2] BlockSize=18\n');
    expect(pictureOf(block)).toEqual({ switches: 'b', cables: '', hosts: 'n1@b n2@b' });
  });

  const complaints: [string, string, RegExp][] = [
    [
      'two above one',
      `${tree}SwitchName=other Switches=leaf2`,
      /^file:6: .*'leaf2' is below 'other' and below 'root' \(line 2\): .*not a tree/,
    ],
    ['the same twice', 'SwitchName=a Switches=b,b\nSwitchName=b', /^file:1: Switch 'b' is listed twice below 'a'\./],
    ['itself', 'SwitchName=a Switches=a', /^file:1: .*below itself/],
    [
      'a circle',
      'SwitchName=t Nodes=n\nSwitchName=a Switches=b\nSwitchName=b Switches=a',
      /^file:2: Switch 'a' is in a cycle of switches: the network is not a tree\./,
    ],
    [
      'a circle alone',
      'SwitchName=a Switches=b\nSwitchName=b Switches=a',
      /^file:1: Switch 'a' is in a cycle of switches: the network is not a tree\./,
    ],
    [
      'a switch that is not declared',
      'SwitchName=a Switches=b[1-2]\nSwitchName=b1',
      /^file:1: Switch 'b2' below 'a' is not declared/,
    ],
    [
      'declared twice',
      'SwitchName=a Nodes=x\nSwitchName=a Nodes=y',
      /^file:2: Switch 'a' is already declared on line 1\./,
    ],
    ['ALL nodes', 'SwitchName=a Nodes=ALL', /^file:1: .*ALL/],
    ['ALL switches', 'SwitchName=a Switches=ALL', /^file:1: .*ALL/],
    ['a backwards range', 'SwitchName=a Nodes=n[4-1]', /^file:1: .*backwards/],
    ['a cut-off word', 'SwitchName=a Nodes=n1\nSwitchNa', /^file:2: Invalid word 'SwitchNa'\./],
    ['a cut-off bracket', 'SwitchName=a Nodes=n[1-', /^file:1: The bracket of 'n\[1-' is not closed\./],
    ['include', 'SwitchName=a Nodes=x\nInclude more.conf', /^file:2: .*includes another/],
    ['another key', 'SwitchName=a Ports=3', /^file:1: Unknown key 'ports'\./],
    ['a nameless switch', 'SwitchName=a Nodes=x\nNodes=y', /^file:2: .*no SwitchName/],
  ];
  it.each(complaints)('refuse %s', async (_, text, expected) => {
    expect(await complaintOf(text)).toMatch(expected);
  });
});

describe('blocks of Slurm', () => {
  it('are those of scontrol, which sums them up once more', async () => {
    const fabric = await fabricOf(
      'BlockName=g_b0 BlockIndex=0 Nodes=n[103,115] BlockSize=2\nBlockName=g_b1 BlockIndex=1 Nodes=n[120,152] BlockSize=2\nAggregatedBlock=g_b[0-1] BlockIndex=2 Nodes=n[103,115,120,152] BlockSize=4\n',
    );
    expect(pictureOf(fabric)).toEqual({
      switches: 'g_b0 g_b1 between-blocks',
      cables: 'g_b0-between-blocks g_b1-between-blocks',
      hosts: 'n103@g_b0 n115@g_b0 n120@g_b1 n152@g_b1',
    });
  });

  it('are switches, joined by one more', async () => {
    const fabric = await fabricOf('BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n3\nBlockSizes=1,2\n');
    expect(fabric.format).toBe('slurm-block');
    expect(pictureOf(fabric)).toEqual({
      switches: 'b1 b2 between-blocks',
      cables: 'b1-between-blocks b2-between-blocks',
      hosts: 'n1@b1 n2@b1 n3@b2',
    });
    expect(fabric.tiers).toEqual([0, 0, 1]);
    expect(warningsOf(fabric)).toEqual([expect.stringMatching(/^1: Blocks have no links between them\./)]);
  });

  it('are one switch where there is one', async () => {
    expect(pictureOf(await fabricOf('BlockName=b1 Nodes=n[1-2]'))).toEqual({
      switches: 'b1',
      cables: '',
      hosts: 'n1@b1 n2@b1',
    });
  });

  it('say where they are commented out', async () => {
    expect(await complaintOf('# one\n#BlockName=b1 Nodes=n[1-2]\nBlockSizes=2')).toMatch(
      /^file:2: The lines of all blocks are comments\./,
    );
    expect(await complaintOf('BlockSizes=2')).toMatch(/^file:1: The file declares no block\./);
  });

  it('refuse keys of other plugins', async () => {
    expect(await complaintOf('BlockName=b1 Switches=s1')).toMatch(/^file:1: Unknown key 'switches'\./);
  });
});

const yaml = `---
- topology: topo1
  cluster_default: false
  tree:
    switches:
      - switch: other
        nodes: m1
- topology: topo2
  cluster_default: true
  tree:
    switches:
      - switch: root
        children: s[1-2]
      - switch: s1
        nodes: node[01-02]
      - switch: s2
        nodes: node03
`;

describe('topology.yaml of Slurm', () => {
  it('gives the default topology of several', async () => {
    const fabric = await fabricOf(yaml);
    expect(fabric.format).toBe('slurm-yaml');
    expect(pictureOf(fabric)).toEqual({
      switches: 'root s1 s2',
      cables: 's1-root s2-root',
      hosts: 'node01@s1 node02@s1 node03@s2',
    });
    expect(fabric.tiers).toEqual([1, 0, 0]);
    expect(warningsOf(fabric)).toEqual(["8: The file has 2 topologies; 'topo2' is read. Skipped: 'topo1'."]);
  });

  it('gives the first where none is the default', async () => {
    expect(pictureOf(await fabricOf(yaml.replace('true', 'false'))).hosts).toBe('m1@other');
  });

  it('reads blocks, and numbers as they are written', async () => {
    const text =
      '- topology: t\n  block:\n    block_sizes: [1, 2]\n    blocks:\n      - block: 007\n        nodes: 0012\n';
    expect(pictureOf(await fabricOf(text))).toEqual({ switches: '007', cables: '', hosts: '0012@007' });
  });

  const complaints: [string, string, RegExp][] = [
    ['flat', '- topology: t\n  flat: true\n', /^file:2: .*`topology cluster N`/],
    [
      'a kind of another version',
      '- topology: t\n  ring:\n    rings: []\n',
      /^file:1: Expected a topology with `tree` or `block`, found 'ring'\./,
    ],
    ['no switches', '- topology: t\n  tree:\n    switches: []\n', /^file:2: .*no switches/],
    [
      'no tree',
      yaml.replace('children: s[1-2]', 'children: [s1, s1]'),
      /^file:12: Switch 's1' is listed twice below 'root'\./,
    ],
    ['cut off', `${yaml}      - switch: "s3`, /^file:18: The file is not YAML/],
    ['a bad hostlist', yaml.replace('node[01-02]', 'node[02-01]'), /^file:14: .*backwards/],
  ];
  it.each(complaints)('refuses %s', async (_, text, expected) => {
    expect(await complaintOf(text)).toMatch(expected);
  });
});

describe('models of topograph', () => {
  const model = `# comment
switches:
  core:
    labels:
      region: west
    switches:
    - sw1
    - sw[2-3]
blocks:
- switch: sw1
  nodes:
  - "[1101-1102]"
- switch: sw2
  nodes:
  - n1
`;
  it('are trees, whose racks without nodes are named from above alone', async () => {
    const fabric = await fabricOf(model);
    expect(fabric.format).toBe('topograph');
    expect(pictureOf(fabric)).toEqual({
      switches: 'core sw1 sw2 sw3',
      cables: 'sw1-core sw2-core sw3-core',
      hosts: '1101@sw1 1102@sw1 n1@sw2',
    });
  });

  it('say what is missing', async () => {
    expect(await complaintOf(model.replace('- switch: sw2\n', '- name: sw2\n'))).toMatch(
      /^file:13: The block has no `switch`\./,
    );
    expect(await complaintOf('switches:\n- core\nblocks:\n- a\n')).toMatch(
      /^file:1: Expected a mapping by switch name under `switches`\./,
    );
  });
});
