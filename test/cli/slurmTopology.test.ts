import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine } from './commandLine.ts';

/** Slurm's tree and blocks of a machine's switches, and what comes of them when they are read again. */
const cli = commandLine();

interface Written {
  /** Without comments. */
  readonly lines: readonly string[];
  readonly header: string;
  readonly err: string;
  readonly code: number | null;
}

async function exported(
  machine: string,
  format: string,
  files: Readonly<Record<string, string>> = {},
): Promise<Written> {
  const folder = cli.scratch();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const file = join(folder, 'topology.place');
  writeFileSync(
    file,
    `machine m { ${machine} } job j { tasks 4  pattern ring } placement p { job j  machine m  map baseline }`,
  );
  const { code, out, err } = await cli.run(['export', file, 'p', '--format', format]);
  const all = out.trimEnd().split('\n');
  return {
    lines: all.filter((line) => !line.startsWith('#')),
    header: all.filter((line) => line.startsWith('#')).join('\n'),
    code,
    err,
  };
}

describe('slurm-tree', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'a tree of two tiers, its spines as one',
      'topology fat-tree(levels 3 x 2, parents 2)  names "n[08-13]"',
      [
        'SwitchName=switch-0 Nodes=n[08-10]',
        'SwitchName=switch-1 Nodes=n[11-13]',
        'SwitchName=switch-2 Switches=switch-[0-1]',
      ],
    ],
    ['one switch', 'topology cluster 4  names "a,b,c[7-8]"', ['SwitchName=switch-0 Nodes=a,b,c[7-8]']],
    [
      'a dragonfly by its groups',
      'topology dragonfly(p 1, a 2, h 1, g 3)  names "n[1-6]"',
      [
        'SwitchName=switch-0 Nodes=n1',
        'SwitchName=switch-1 Nodes=n2',
        'SwitchName=switch-2 Nodes=n3',
        'SwitchName=switch-3 Nodes=n4',
        'SwitchName=switch-4 Nodes=n5',
        'SwitchName=switch-5 Nodes=n6',
        'SwitchName=group-0 Switches=switch-[0-1]',
        'SwitchName=group-1 Switches=switch-[2-3]',
        'SwitchName=group-2 Switches=switch-[4-5]',
        'SwitchName=fabric Switches=group-[0-2]',
      ],
    ],
    [
      'rails of a node as one leaf',
      'topology fat-tree(levels 1 x 4, parents 2)  rails 2  rail-optimised  names "n[1-4]"',
      [
        'SwitchName=switch-0 Nodes=n[1-2]',
        'SwitchName=switch-2 Nodes=n[3-4]',
        'SwitchName=switch-4 Switches=switch-[0,2]',
      ],
    ],
  ])('says %s', async (_, machine, lines) => {
    const written = await exported(machine, 'slurm-tree');
    expect(written.lines, written.err).toEqual(lines);
    expect(written.err).not.toContain('warning');
    expect(written.header).toContain('TopologyPlugin=topology/tree');
  });

  it('has one switch above all of a network that is no tree, and says so', async () => {
    const { lines, err } = await exported(
      'topology switches 3 link 0 -- 1, 2 link 1 -- 2 hosts 2 names "n[1-6]"',
      'slurm-tree',
    );
    expect(lines.at(-1)).toBe('SwitchName=fabric Switches=switch-[0-2]');
    expect(err).toContain('`switches` is not a tree of switches. For Slurm, all its switches have the same distance.');
  });

  it('is refused where nodes are routers', async () => {
    const { code, err } = await exported('topology torus 4 x 4', 'slurm-tree');
    expect(code).toBe(1);
    expect(err).toMatch(/error: Nodes of `torus` are routers; Slurm's trees and blocks need switches with nodes\./);
  });

  it.each([
    ['as they are', 'Leaf.1', 'Leaf.2', 'Leaf.[1-2]'],
    ['by numbers where they differ in case alone', 'leaf', 'LEAF', 'switch-[0-1]'],
  ])('takes names of switches %s, and is read back', async (_, one, other, below) => {
    const tree = `SwitchName=${one} Nodes=n[1-2]\nSwitchName=${other} Nodes=n[3-4]\nSwitchName=top Switches=${one},${other}\n`;
    const { lines } = await exported('topology from "topology.conf"', 'slurm-tree', { 'topology.conf': tree });
    const top = below.startsWith('switch') ? 'switch-2' : 'top';
    const names = below.startsWith('switch') ? ['switch-0', 'switch-1'] : [one, other];
    expect(lines).toEqual([
      `SwitchName=${names[0]} Nodes=n[1-2]`,
      `SwitchName=${names[1]} Nodes=n[3-4]`,
      `SwitchName=${top} Switches=${below}`,
    ]);
    const again = await exported('topology from "again.conf" as slurm-tree', 'slurm-tree', {
      'again.conf': lines.join('\n'),
    });
    expect(again.lines).toEqual(lines);
  });
});

/** What topology.conf(5) asks of blocks, with nothing of the code that writes them: the sizes, and the nodes of each block. */
function blocksOf(lines: readonly string[]): {
  readonly sizes: readonly number[];
  readonly blocks: readonly string[][];
} {
  const names = new Set<string>();
  const blocks: string[][] = [];
  let sizes: readonly number[] = [];
  for (const line of lines) {
    const list = /^BlockSizes=(\d+(?:,\d+)*)$/.exec(line)?.[1];
    const [, name = '', nodes = ''] = /^BlockName=(\S+) Nodes=(\S+)$/.exec(line) ?? [];
    if (list !== undefined) {
      expect(sizes).toEqual([]);
      sizes = list.split(',').map(Number);
      continue;
    }
    // Names do not differ in case alone, and a block has nodes.
    expect(name, line).toMatch(/^[\w.-]+$/);
    expect(names.has(name.toLowerCase()), line).toBe(false);
    names.add(name.toLowerCase());
    blocks.push(namesIn(nodes));
  }
  return { sizes, blocks };
}

/** A hostlist of one range or several names. */
const namesIn = (list: string): string[] =>
  [...list.matchAll(/([^,[]+)(?:\[([^\]]+)\])?/g)].flatMap(([, stem = '', ranges]) =>
    ranges === undefined
      ? [stem]
      : ranges.split(',').flatMap((range) => {
          const [first = '', last = first] = range.split('-');
          return Array.from(
            { length: Number(last) - Number(first) + 1 },
            (_, at) => `${stem}${String(Number(first) + at).padStart(first.length, '0')}`,
          );
        }),
  );

describe('slurm-block', () => {
  it.each([
    ['a leaf', 'topology cluster 4  names "n[1-4]"', [4], 1],
    ['two tiers', 'topology fat-tree(levels 3 x 4, parents 2)  names "n[08-19]"', [3, 6, 12], 4],
    ['three tiers', 'topology fat-tree(levels 2 x 2 x 4, parents 1 x 2)  names "n[01-16]"', [2, 4, 8, 16], 8],
    ['five blocks', 'topology fat-tree(levels 4 x 5, parents 2)  names "n[01-20]"', [4, 8, 16], 5],
    ['a dragonfly', 'topology dragonfly(p 2, a 4, h 1, g 4)  names "n[01-32]"', [2, 4, 8, 16, 32], 16],
  ] as const)('is as topology.conf(5) has it: %s', async (_, machine, wanted, count) => {
    const written = await exported(machine, 'slurm-block');
    const { sizes, blocks } = blocksOf(written.lines);
    expect(sizes).toEqual(wanted);
    expect(blocks).toHaveLength(count);
    // Each block has at least the planning base block size, and no node is in two.
    expect(Math.min(...blocks.map((nodes) => nodes.length))).toBeGreaterThanOrEqual(sizes[0]!);
    expect(new Set(blocks.flat()).size).toBe(blocks.flat().length);
    // Successive sizes are a power of two larger than those before.
    for (const [at, size] of sizes.slice(1).entries()) expect(Math.log2(size / sizes[at]!) % 1).toBe(0);
    // NVIDIA topograph: [D, 2D … 2^k·D], k = ⌊log₂ N⌋.
    expect(sizes.at(-1)! / sizes[0]!).toBe(2 ** Math.floor(Math.log2(count)));
    expect(written.header).toContain('TopologyPlugin=topology/block');
    expect(written.header).toContain('topology.yaml');
  });

  it('is the domains of NVLink of the sample, and is read back', async () => {
    const file = join(cli.scratch(), 'blocks.conf');
    const { code, err } = await cli.run([
      'export',
      'samples/training.place',
      'nvl72-in-order',
      '--format',
      'slurm-block',
      '-o',
      file,
    ]);
    expect(code, err).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
      ...[1, 2, 3, 4].map((domain) => `BlockName=switch-${domain - 1} Nodes=nvl${domain}-tray[01-16]`),
      'BlockSizes=16,32,64',
    ]);
    const imported = await cli.run(['import', file, '--preview']);
    expect(imported.out).toMatch(/\(slurm-block\)\nswitches +5, .*\nhosts +64:/);
  });

  it.each([
    [
      'blocks of different sizes',
      'SwitchName=a Nodes=n[1-4]\nSwitchName=b Nodes=n[5-7]\nSwitchName=t Switches=a,b\n',
      ['BlockSizes=3,6'],
      /warning: Blocks have 3 to 4 nodes\./,
    ],
    [
      'switches with three blocks',
      'SwitchName=a1 Nodes=n1\nSwitchName=a2 Nodes=n2\nSwitchName=a3 Nodes=n3\nSwitchName=b1 Nodes=n4\nSwitchName=b2 Nodes=n5\nSwitchName=b3 Nodes=n6\nSwitchName=a Switches=a[1-3]\nSwitchName=b Switches=b[1-3]\nSwitchName=t Switches=a,b\n',
      ['BlockSizes=1,2,4'],
      /warning: Blocks of 2 nodes cross switches. The number of blocks per switch is not a power of two\./,
    ],
  ] as const)('warns of %s', async (_, tree, last, warning) => {
    const { lines, err } = await exported('topology from "topology.conf"', 'slurm-block', { 'topology.conf': tree });
    expect(lines.slice(-1)).toEqual(last);
    expect(err).toMatch(warning);
  });
});
