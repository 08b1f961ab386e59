import type { Cancellation } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import { quote, type Result } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { type BlockDeclaration, blockFabric } from './tree.ts';
import { complain, linesOf } from './lines.ts';
import { readSlurmLines } from './slurmLines.ts';

const name = 'slurm-block';
const known = new Set(['blockname', 'blocksizes', 'nodes', 'comment']);

/** One block per line. O(names). */
function readSlurmBlock(text: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const lines = readSlurmLines(text, fileName, cancellation);
  if (!lines.ok) return lines;
  const blocks: BlockDeclaration[] = [];
  for (const { line, values } of lines.value) {
    const unknown = Array.from(values.keys()).find((key) => !known.has(key));
    if (unknown !== undefined) {
      return complain(fileName, line, `${quote(unknown)} is not of blocks; BlockName, Nodes and BlockSizes are.`);
    }
    const blockName = values.get('blockname');
    if (blockName === undefined) continue;
    blocks.push({ name: blockName, line, nodes: values.get('nodes') ?? '' });
  }
  return blocks.length === 0 ? noBlock(text, fileName) : blockFabric(blocks, name, fileName);
}

function noBlock(text: string, fileName: string): Result<Fabric> {
  for (const { line, content } of linesOf(text)) {
    if (!/^\s*#\s*BlockName\s*=/i.test(content)) continue;
    return complain(fileName, line, 'No block is declared, because the lines of blocks are comments: take the # away.');
  }
  return complain(fileName, 1, 'No block is declared: blocks have lines `BlockName=NAME Nodes=LIST`.');
}

export const slurmBlock: MachineFormatEntry = {
  name,
  summary: 'Slurm `topology.conf` of the block plugin',
  source: 'Slurm, topology.conf(5), topology/block',
  details:
    'A block is a switch with its nodes; one more switch, `between-blocks`, joins the blocks. `BlockSizes` is a rule of allocation and no part of the network.',
  options: [],
  recognizes: (text) => /^[ \t]*Block(?:Name|Sizes)[ \t]*=/im.test(text),
  largestText: 16 * 2 ** 20,
  read: readSlurmBlock,
};
