import type { Cancellation } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import { quote, type Result } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { complain } from './lines.ts';
import { readSlurmLines } from './slurmLines.ts';
import { type SwitchDeclaration, treeFabric } from './tree.ts';

const name = 'slurm-tree';
const known = new Set(['switchname', 'switches', 'nodes', 'linkspeed', 'comment']);

/** One switch per line. O(names). */
function readSlurmTree(text: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const lines = readSlurmLines(text, fileName, cancellation);
  if (!lines.ok) return lines;
  const declarations: SwitchDeclaration[] = [];
  for (const { line, values } of lines.value) {
    const unknown = Array.from(values.keys()).find((key) => !known.has(key));
    if (unknown !== undefined) {
      return complain(
        fileName,
        line,
        `${quote(unknown)} is not of a tree; SwitchName, Switches, Nodes and LinkSpeed are.`,
      );
    }
    const switchName = values.get('switchname') ?? '';
    if (switchName === '') return complain(fileName, line, 'The line has no SwitchName.');
    const [switches = '', nodes = ''] = [values.get('switches'), values.get('nodes')];
    declarations.push({ name: switchName, line, switches, nodes });
  }
  if (declarations.length === 0) {
    return complain(fileName, 1, 'No switch is declared: a tree has lines `SwitchName=NAME Nodes=LIST`.');
  }
  return treeFabric(declarations, name, fileName);
}

export const slurmTree: MachineFormatEntry = {
  name,
  summary: 'Slurm `topology.conf` of the tree plugin',
  source: 'Slurm, topology.conf(5), topology/tree',
  details:
    'Switches in the order of the file, one cable from each to the one above: a file does not tell of parallel ones. `LinkSpeed` is left out of account.',
  options: [],
  recognizes: (text) => /^[ \t]*SwitchName[ \t]*=/im.test(text),
  largestText: 16 * 2 ** 20,
  read: readSlurmTree,
};
