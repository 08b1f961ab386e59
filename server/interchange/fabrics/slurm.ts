import type { Cancellation } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import { quote, type Result, succeed } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { faultOfCount, badFabric, withWarnings, largestYaml } from './builder.ts';
import { textLines, withoutComment } from '../reading.ts';
import { type SwitchDeclaration, treeFabric, type BlockDeclaration, blockFabric } from './tree.ts';
import { type KnownMembers, passedOver } from '../jsonText.ts';
import type { YamlItem } from './yamlItems.ts';

/**
 * The files in which Slurm keeps the topology of a cluster: `topology.conf` of the tree plugin and of the block plugin,
 * and `topology.yaml`, which holds several of either. What a tree or blocks mean as a network says `tree.ts`.
 */

const treeKeys = new Set(['switchname', 'switches', 'nodes', 'linkspeed', 'level', 'comment']);

/** One switch per line. O(names). */
const readSlurmTree = (text: string, fileName: string, cancellation: Cancellation): Result<Fabric> =>
  readSwitchLines(text, 'slurm-tree', fileName, cancellation);

function readSwitchLines(text: string, format: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const lines = readSlurmLines(text, fileName, cancellation);
  if (!lines.ok) return lines;
  const declarations: SwitchDeclaration[] = [];
  for (const { line, values } of lines.value) {
    const unknown = Array.from(values.keys()).find((key) => !treeKeys.has(key));
    if (unknown !== undefined) {
      return badFabric(
        fileName,
        line,
        `Unknown key ${quote(unknown)}. Expected SwitchName, Switches, Nodes, LinkSpeed or Level.`,
      );
    }
    const switchName = values.get('switchname') ?? '';
    if (switchName === '') return badFabric(fileName, line, 'The line has no SwitchName. Add it.');
    const [switches = '', nodes = ''] = [values.get('switches'), values.get('nodes')];
    declarations.push({ name: switchName, line, switches, nodes });
  }
  if (declarations.length === 0) {
    return badFabric(fileName, 1, 'The file declares no switch. Write lines `SwitchName=NAME Nodes=LIST`.');
  }
  return treeFabric(declarations, format, fileName);
}

const levelLine = /^[ \t]*SwitchName[ \t]*=\S+[ \t]+Level=/im;

export const scontrol: MachineFormatEntry = {
  name: 'scontrol',
  summary: 'tree of switches, as `scontrol show topology` prints it',
  source: 'Slurm, scontrol(1), show topology',
  details:
    'As in `slurm-tree`. Every switch lists the nodes of all switches below it; a node belongs to the deepest one. `Level` and `LinkSpeed` are ignored. Any user can run the command.',
  options: [],
  recognizes: (text) => levelLine.test(text),
  largestText: 16 * 2 ** 20,
  read: (text, fileName, cancellation) => readSwitchLines(text, 'scontrol', fileName, cancellation),
};

export const slurmTreeConf: MachineFormatEntry = {
  name: 'slurm-tree',
  summary: 'Slurm `topology.conf` of the tree plugin',
  source: 'Slurm, topology.conf(5), topology/tree',
  details:
    'Switches are in file order, with one link from each to its parent. The file does not contain parallel ' +
    'links. Several top switches are separate trees. `LinkSpeed` is ignored.',
  options: [],
  recognizes: (text) => /^[ \t]*SwitchName[ \t]*=/im.test(text) && !levelLine.test(text),
  largestText: 16 * 2 ** 20,
  read: readSlurmTree,
};

/**
 * `scontrol show topology` adds the index of a block and its size. It also prints lines `AggregatedBlock=b[0-1]` for each of the larger
 * `BlockSizes`, which sum blocks up and say nothing new.
 */
const blockKeys = new Set([
  ...['blockname', 'blocksizes', 'nodes', 'comment', 'blockindex', 'blocksize'],
  'aggregatedblock',
]);

/** One block per line. O(names). */
function readSlurmBlock(text: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const lines = readSlurmLines(text, fileName, cancellation);
  if (!lines.ok) return lines;
  const blocks: BlockDeclaration[] = [];
  for (const { line, values } of lines.value) {
    const unknown = Array.from(values.keys()).find((key) => !blockKeys.has(key));
    if (unknown !== undefined) {
      return badFabric(fileName, line, `Unknown key ${quote(unknown)}. Expected BlockName, Nodes or BlockSizes.`);
    }
    const fault = faultOfSizes(values.get('blocksizes'));
    if (fault !== undefined) return badFabric(fileName, line, fault);
    const blockName = values.get('blockname');
    if (blockName === undefined) continue;
    blocks.push({ name: blockName, line, nodes: values.get('nodes') ?? '' });
  }
  return blocks.length === 0 ? noBlock(text, fileName) : blockFabric(blocks, 'slurm-block', fileName);
}

/** topology.conf(5): the first is that of a block, and each of the others a power of two times the one before it. */
function faultOfSizes(list: string | undefined): string | undefined {
  if (list === undefined) return undefined;
  const words = list.split(',');
  const wrong = words.find((word) => !/^[1-9]\d{0,8}$/.test(word));
  if (wrong !== undefined) return `Invalid number of nodes ${quote(wrong)} in BlockSizes.`;
  const sizes = words.map(Number);
  const odd = sizes.findIndex((size, at) => at > 0 && !isPowerAboveOne(size / sizes[at - 1]!));
  if (odd < 0) return undefined;
  return `BlockSizes ${sizes[odd]!} is not a power of two times ${sizes[odd - 1]!}, the previous size. Slurm rejects such sizes.`;
}

const isPowerAboveOne = (value: number): boolean => value > 1 && Number.isInteger(Math.log2(value));

function noBlock(text: string, fileName: string): Result<Fabric> {
  for (const { line, content } of textLines(text)) {
    if (!/^\s*#\s*BlockName\s*=/i.test(content)) continue;
    return badFabric(fileName, line, 'The lines of all blocks are comments. Remove the #.');
  }
  return badFabric(fileName, 1, 'The file declares no block. Write lines `BlockName=NAME Nodes=LIST`.');
}

export const slurmBlockConf: MachineFormatEntry = {
  name: 'slurm-block',
  summary: 'Slurm `topology.conf` of the block plugin',
  source: 'Slurm, topology.conf(5), topology/block',
  details:
    'A block is a switch with its nodes; one more switch, `between-blocks`, connects the blocks. `BlockSizes` is an allocation rule, not a part of the network. `AggregatedBlock` lines from `scontrol` are ignored too.',
  options: [],
  recognizes: (text) => /^[ \t]*Block(?:Name|Sizes)[ \t]*=/im.test(text),
  largestText: 16 * 2 ** 20,
  read: readSlurmBlock,
};

/** topology.yaml(5). Sizes of blocks are rules of allocation. */
const yamlKeys: KnownMembers = {
  ...passedOver('topology', 'cluster_default', 'flat'),
  tree: { switches: passedOver('switch', 'children', 'nodes') },
  block: { block_sizes: 'any', blocks: passedOver('block', 'nodes') },
};

/** The topology that is the cluster's default, else the first. O(text). */
async function readSlurmYaml(text: string, fileName: string): Promise<Result<Fabric>> {
  const { readYaml, unknownInYaml } = await import('./yamlItems.ts');
  const document = readYaml(text, fileName);
  if (!document.ok) return document;
  const topologies = document.value.items().filter((item) => item.get('topology'));
  const chosen = topologies.find((item) => item.get('cluster_default')?.text() === 'true') ?? topologies[0];
  if (!chosen) return badFabric(fileName, document.value.line, 'The file lists no topology. Write `- topology: NAME`.');
  const fabric = withWarnings(readTopology(chosen, fileName), unknownInYaml(document.value, yamlKeys));
  if (!fabric.ok || topologies.length === 1) return fabric;
  const own = chosen.get('topology')?.text() ?? '';
  const others = topologies.filter((item) => item !== chosen).map((item) => quote(item.get('topology')?.text() ?? ''));
  const message = `The file has ${topologies.length} topologies; ${quote(own)} is read. Skipped: ${others.join(', ')}.`;
  return { ok: true, value: { ...fabric.value, warnings: [{ line: chosen.line, message }, ...fabric.value.warnings] } };
}

function readTopology(topology: YamlItem, fileName: string): Result<Fabric> {
  const [tree, block, flat] = [topology.get('tree'), topology.get('block'), topology.get('flat')];
  if (tree) return readTree(tree, fileName);
  if (block) return readBlocks(block, fileName);
  if (flat) {
    return badFabric(fileName, flat.line, 'A flat topology has no switches. Write `topology cluster N` instead.');
  }
  const kinds = topology.entries().map(([key]) => key);
  const kind = kinds.find((key) => key !== 'topology' && key !== 'cluster_default');
  const found = kind === undefined ? '' : `, found ${quote(kind)}`;
  return badFabric(fileName, topology.line, `Expected a topology with \`tree\` or \`block\`${found}.`);
}

function readTree(tree: YamlItem, fileName: string): Result<Fabric> {
  const switches = itemsWithKey(tree, 'switches', 'switch');
  if (switches.length === 0) return badFabric(fileName, tree.line, 'The tree lists no switches.');
  return treeFabric(
    switches.map((item) => ({
      name: item.get('switch')?.text() ?? '',
      line: item.line,
      switches: item.get('children')?.hostlist() ?? '',
      nodes: item.get('nodes')?.hostlist() ?? '',
    })),
    'slurm-yaml',
    fileName,
  );
}

function readBlocks(block: YamlItem, fileName: string): Result<Fabric> {
  const blocks = itemsWithKey(block, 'blocks', 'block');
  if (blocks.length === 0) return badFabric(fileName, block.line, 'The block topology lists no blocks.');
  return blockFabric(
    blocks.map((item) => ({
      name: item.get('block')?.text() ?? '',
      line: item.line,
      nodes: item.get('nodes')?.hostlist() ?? '',
    })),
    'slurm-yaml',
    fileName,
  );
}

/** Members of a sequence that name themselves by `key`. */
const itemsWithKey = (parent: YamlItem, list: string, key: string): YamlItem[] =>
  (parent.get(list)?.items() ?? []).filter((item) => item.get(key));

export const slurmYaml: MachineFormatEntry = {
  name: 'slurm-yaml',
  summary: 'Slurm `topology.yaml`',
  source: 'Slurm, topology.yaml(5)',
  details:
    'Uses the topology with `cluster_default: true`, else the first. Trees and blocks are as in `slurm-tree` and `slurm-block`; a flat topology has no switches.',
  options: [],
  recognizes: (text) =>
    /^-[ \t]+topology[ \t]*:/m.test(text) ||
    (/^topology[ \t]*:/m.test(text) && /^[ \t]+(?:tree|block|flat)[ \t]*:/m.test(text)),
  largestText: largestYaml,
  read: readSlurmYaml,
};

/** A line of a Slurm configuration: `SwitchName=leaf1 Nodes=n[1-8]`, by its keys in small letters. */
interface SlurmLine {
  readonly line: number;
  readonly values: ReadonlyMap<string, string>;
}

/**
 * The lines of a `topology.conf`: keys in any case, `#` comments, a backslash at the end of a line
 * joins the next one. Fails at a word that is no `Key=value`, and at `Include`.
 */
function readSlurmLines(text: string, fileName: string, cancellation: Cancellation): Result<SlurmLine[]> {
  const read: SlurmLine[] = [];
  let joined = '';
  let firstLine = 0;
  for (const { line, content } of textLines(text, cancellation)) {
    if (joined === '') firstLine = line;
    const bare = withoutComment(content).trimEnd();
    if (bare.endsWith('\\')) {
      joined += `${bare.slice(0, -1)} `;
      continue;
    }
    const words = (joined + bare).trim();
    joined = '';
    if (words === '') continue;
    const values = readValues(words);
    if (!values.ok) return badFabric(fileName, firstLine, values.failure);
    read.push({ line: firstLine, values: values.value });
    const excess = faultOfCount('switches', read.length);
    if (excess !== undefined) return badFabric(fileName, firstLine, excess);
  }
  return succeed(read);
}

function readValues(text: string): Result<Map<string, string>, string> {
  const values = new Map<string, string>();
  if (/^include\s/i.test(text)) {
    return { ok: false, failure: 'The file includes another file, which is not read. Merge the files.' };
  }
  for (const word of text.split(/\s+/)) {
    const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(word) ?? [];
    if (key === '')
      return { ok: false, failure: `Invalid word ${quote(word)}. Expected \`Key=value\`. The file may be truncated.` };
    values.set(key.toLowerCase(), value.replace(/^"(.*)"$/, '$1'));
  }
  return succeed(values);
}
