import type { Fabric } from '../../model/fabric.ts';
import { quote, type Result } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { blockFabric, treeFabric } from './tree.ts';
import { complain } from './lines.ts';
import { type YamlItem, largestYaml, readYaml } from './yamlItems.ts';

const name = 'slurm-yaml';

/** The topology that is the cluster's default, else the first. O(text). */
function readSlurmYaml(text: string, fileName: string): Result<Fabric> {
  const document = readYaml(text, fileName);
  if (!document.ok) return document;
  const topologies = document.value.items().filter((item) => item.get('topology'));
  const chosen = topologies.find((item) => item.get('cluster_default')?.text() === 'true') ?? topologies[0];
  if (!chosen)
    return complain(fileName, document.value.line, 'The file lists no topology: `- topology: NAME` is expected.');
  const fabric = readTopology(chosen, fileName);
  if (!fabric.ok || topologies.length === 1) return fabric;
  const own = chosen.get('topology')?.text() ?? '';
  const others = topologies.filter((item) => item !== chosen).map((item) => quote(item.get('topology')?.text() ?? ''));
  const message = `Of ${topologies.length} topologies ${quote(own)} is read; left out: ${others.join(', ')}.`;
  return { ok: true, value: { ...fabric.value, warnings: [{ line: chosen.line, message }, ...fabric.value.warnings] } };
}

function readTopology(topology: YamlItem, fileName: string): Result<Fabric> {
  const [tree, block, flat] = [topology.get('tree'), topology.get('block'), topology.get('flat')];
  if (tree) return readTree(tree, fileName);
  if (block) return readBlocks(block, fileName);
  if (flat) {
    return complain(fileName, flat.line, 'A flat topology has no switches: write `topology cluster N` instead.');
  }
  const kinds = topology.entries().map(([key]) => key);
  const kind = kinds.find((key) => key !== 'topology' && key !== 'cluster_default');
  const found = kind === undefined ? '' : `, not ${quote(kind)}`;
  return complain(fileName, topology.line, `A topology with \`tree\` or \`block\` is read${found}.`);
}

function readTree(tree: YamlItem, fileName: string): Result<Fabric> {
  const switches = listOf(tree, 'switches', 'switch');
  if (switches.length === 0) return complain(fileName, tree.line, 'The tree lists no switches.');
  return treeFabric(
    switches.map((item) => ({
      name: item.get('switch')?.text() ?? '',
      line: item.line,
      switches: item.get('children')?.hostlist() ?? '',
      nodes: item.get('nodes')?.hostlist() ?? '',
    })),
    name,
    fileName,
  );
}

function readBlocks(block: YamlItem, fileName: string): Result<Fabric> {
  const blocks = listOf(block, 'blocks', 'block');
  if (blocks.length === 0) return complain(fileName, block.line, 'The block topology lists no blocks.');
  return blockFabric(
    blocks.map((item) => ({
      name: item.get('block')?.text() ?? '',
      line: item.line,
      nodes: item.get('nodes')?.hostlist() ?? '',
    })),
    name,
    fileName,
  );
}

/** Members of a sequence that name themselves by `key`. */
const listOf = (parent: YamlItem, list: string, key: string): YamlItem[] =>
  (parent.get(list)?.items() ?? []).filter((item) => item.get(key));

export const slurmYaml: MachineFormatEntry = {
  name,
  summary: 'Slurm `topology.yaml`',
  source: 'Slurm, topology.yaml(5)',
  details:
    'The topology with `cluster_default: true` is read, else the first. Trees and blocks are as in `slurm-tree` and `slurm-block`; a flat topology has no switches.',
  options: [],
  recognizes: (text) => /^(?:-[ \t]+)?topology[ \t]*:/m.test(text),
  largestText: largestYaml,
  read: readSlurmYaml,
};
