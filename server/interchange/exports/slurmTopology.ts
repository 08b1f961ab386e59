/**
 * What Slurm is told of the network above its nodes, so that its jobs get nodes beside each other: a tree of switches for `topology/tree`, or blocks
 * of nodes for `topology/block`. Both are of the whole machine, whatever runs on it.
 */
import { hostlistOf } from '../../model/hostlist.ts';
import type { Machine } from '../../model/machine.ts';
import { countOf, formatNumber } from '../../model/quantities.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import { inOrderOfNames } from '../../network/names.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { commented, namedLaunchOf } from './launch.ts';
import { groupNames, switchLevelsOf } from '../../network/switchLevels.ts';

const topologyConf = { options: [], extension: '.conf', fileName: 'topology.conf' } as const;

/** Where Slurm looks for the file. */
const reconfigure = {
  of: 'Slurm',
  line: 'install -m 644 {file} /etc/slurm/topology.conf && scontrol reconfigure',
};

export const slurmTree: ExportFormatEntry = {
  ...topologyConf,
  name: 'slurm-tree',
  summary: 'Slurm `topology.conf` of the tree plugin: the switches with the nodes and switches below each',
  source: 'Slurm topology.conf(5), topology/tree',
  details:
    'Contains every node with a host name, below its leaf. Switches of one level that reach each other below the next level count as one, with the name of the first: a tree has one parent per switch. Without a common top switch, `fabric` is added. Machines without separate switches (torus, mesh, hypercube) are rejected.',
  write: (report, options) => {
    const launch = namedLaunchOf(report, options);
    if (!launch.ok) return launch;
    const { machine, hosts, warnings, remarks } = launch.value;
    const tree = switchTree(machine, hosts);
    if (!tree.ok) return tree;
    const isDragonfly = machine.topology.groups !== undefined;
    const plugin = `TopologyPlugin=topology/tree${isDragonfly ? ', TopologyParam=Dragonfly' : ''} in slurm.conf. ${otherFile}`;
    const doubts = [...warnings, ...doubtOfTree(machine)];
    return succeed(
      commented(report, options, {
        lines: switchLines(tree.value),
        commands: [reconfigure],
        warnings: doubts,
        remarks: [plugin, ...remarks],
      }),
    );
  },
};

export const slurmBlock: ExportFormatEntry = {
  ...topologyConf,
  name: 'slurm-block',
  summary: 'Slurm `topology.conf` of the block plugin: the nodes of each leaf, or NVLink domain, as a block',
  source: 'Slurm topology.conf(5), topology/block; NVIDIA/topograph, Topograph with SLURM',
  details:
    'A block is a leaf of the tree, or an NVLink domain below the leaves. Blocks below one switch are ' +
    'consecutive. `BlockSizes` are the smallest block size and its doublings, up to the number of blocks, as in ' +
    'topograph.',
  write: (report, options) => {
    const launch = namedLaunchOf(report, options);
    if (!launch.ok) return launch;
    const { machine, hosts, warnings, remarks } = launch.value;
    const tree = switchTree(machine, hosts);
    if (!tree.ok) return tree;
    const blocks = walked(tree.value);
    const { leaves } = blocks;
    const smallest = leaves.reduce((least, { nodes }) => Math.min(least, nodes.length), Infinity);
    const lines = [
      ...leaves.map(({ name, nodes }) => `BlockName=${name} Nodes=${hostlistOf(nodes)}`),
      `BlockSizes=${powersUpTo(leaves.length)
        .map((blocksOfSize) => blocksOfSize * smallest)
        .join(',')}`,
    ];
    const doubts = [...warnings, ...doubtOfTree(machine), ...doubtOfSizes(blocks, smallest)];
    const plugin = `TopologyPlugin=topology/block in slurm.conf, from Slurm 23.11. ${otherFile}`;
    return succeed(
      commented(report, options, { lines, commands: [reconfigure], warnings: doubts, remarks: [plugin, ...remarks] }),
    );
  },
};

/** topology.conf(5) of Slurm 25.05. */
const otherFile = 'Slurm ignores this file if a topology.yaml is in the same folder.';

/** A switch of Slurm's tree. */
interface TreeSwitch {
  readonly name: string;
  /** Host names, in their order; none where switches are below it. */
  readonly nodes: string[];
  /** Names of those below it. */
  readonly below: Set<string>;
}

/** Levels from the leaves up, the highest one switch; those below one switch follow one another in no order. */
type Tree = readonly ReadonlyMap<string, TreeSwitch>[];

/** Fails with `no-switches` where nodes are routers. O(levels · nodes · log(nodes)). */
function switchTree(machine: Machine, hosts: readonly (string | undefined)[]): Result<Tree> {
  const { kind, hasHostLinks } = machine.topology;
  if (!hasHostLinks) {
    return fail(
      'no-switches',
      `Nodes of \`${kind}\` are routers; Slurm's trees and blocks need switches with nodes. Use \`TopologyPlugin=topology/3d_torus\`, or no plugin.`,
    );
  }
  const levels = switchLevelsOf(machine);
  const nameOf = groupNames(machine, isSlurmName);
  const named = Array.from(hosts.keys()).filter((node) => hosts[node] !== undefined);
  const tree: Map<string, TreeSwitch>[] = [];
  const switchAt = (level: number, name: string): TreeSwitch => {
    const known = (tree[level] ??= new Map<string, TreeSwitch>());
    const found = known.get(name) ?? { name, nodes: [], below: new Set<string>() };
    known.set(name, found);
    return found;
  };
  for (const node of inOrderOfNames(named, (one) => hosts[one]!)) {
    const above = levels.flatMap((groups) => groups[node] ?? []).map(nameOf);
    for (const [level, name] of above.entries()) {
      if (level === 0) switchAt(level, name).nodes.push(hosts[node]!);
      else switchAt(level, name).below.add(above[level - 1]!);
    }
  }
  // No job spans two trees.
  const covered = new Set(tree.flatMap((level) => Array.from(level.values(), ({ below }) => [...below]).flat()));
  const names = tree.flatMap((level) => [...level.keys()]);
  const roots = names.filter((name) => !covered.has(name));
  let root = 'fabric';
  while (names.includes(root)) root += '-root';
  const highest = tree.length;
  if (roots.length > 1) for (const name of roots) switchAt(highest, root).below.add(name);
  return succeed(tree);
}

/** What Slurm takes for a name, and not for a list of names; no two may differ in case alone. */
const isSlurmName = (name: string): boolean => /^[A-Za-z0-9][\w.-]*$/.test(name);

const switchLines = (tree: Tree): readonly string[] =>
  tree.flatMap((level) =>
    Array.from(level.values(), ({ name, nodes, below }) => {
      const under = nodes.length > 0 ? `Nodes=${hostlistOf(nodes)}` : `Switches=${hostlistOf([...below])}`;
      return `SwitchName=${name} ${under}`;
    }),
  );

/** Why Slurm knows less of the network than there is to know. */
function doubtOfTree({ topology: { tiers, groups, kind, routerCount } }: Machine): readonly string[] {
  if (tiers !== undefined || groups !== undefined || routerCount === 1) return [];
  return [`\`${kind}\` is not a tree of switches. For Slurm, all its switches have the same distance.`];
}

/** The leaves as a walk through the tree meets them, and of each switch above them which it has: from, and up to before. */
function walked(tree: Tree): {
  readonly leaves: readonly TreeSwitch[];
  readonly spans: readonly (readonly [number, number])[];
} {
  const leaves: TreeSwitch[] = [];
  const spans: (readonly [number, number])[] = [];
  const switches = new Map(tree.flatMap((level) => [...level]));
  const visit = (one: TreeSwitch): void => {
    const first = leaves.length;
    if (one.nodes.length > 0) leaves.push(one);
    for (const name of one.below) visit(switches.get(name)!);
    if (one.below.size > 0) spans.push([first, leaves.length]);
  };
  for (const root of tree.at(-1)?.values() ?? []) visit(root);
  return { leaves, spans };
}

/** Nodes that Slurm leaves out of its plans, and sizes of blocks that reach across switches. */
function doubtOfSizes({ leaves, spans }: ReturnType<typeof walked>, smallest: number): readonly string[] {
  const largest = leaves.reduce((most, { nodes }) => Math.max(most, nodes.length), 0);
  const uneven = `Blocks have ${smallest} to ${largest} nodes. Slurm plans with ${countOf(smallest, 'node')} for each.`;
  const across = powersUpTo(leaves.length).find((size) =>
    spans.some(
      ([from, to]) => Math.floor(from / size) < Math.floor((to - 1) / size) && (from % size > 0 || to % size > 0),
    ),
  );
  return [
    ...(largest > smallest ? [uneven] : []),
    ...(across === undefined
      ? []
      : [
          `Blocks of ${formatNumber(across * smallest)} nodes cross switches. The number of blocks per switch is not a power of two.`,
        ]),
  ];
}

/** 1, 2, 4, … */
const powersUpTo = (most: number): readonly number[] =>
  Array.from({ length: Math.floor(Math.log2(most)) + 1 }, (_, power) => 2 ** power);
