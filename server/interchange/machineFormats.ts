import type { MachineFormatEntry } from './contract.ts';
import { adjacencyMatrixMarket } from './fabrics/adjacency.ts';
import { anynet } from './fabrics/anynet.ts';
import { cableCsv } from './fabrics/cableCsv.ts';
import { ibnetdiscover } from './fabrics/ibnetdiscover.ts';
import { ibnetdiscoverPorts } from './fabrics/ibnetdiscoverPorts.ts';
import { slurmBlock } from './fabrics/slurmBlock.ts';
import { slurmTree } from './fabrics/slurmTree.ts';
import { slurmYaml } from './fabrics/slurmYaml.ts';
import { topograph } from './fabrics/topograph.ts';

/**
 * Formats that networks are read from; the first that recognises a file reads it, so the most
 * particular stand first. `fabricFormats` of the model names the same ones.
 */
export const machineFormats: readonly MachineFormatEntry[] = [
  ibnetdiscover,
  ibnetdiscoverPorts,
  slurmTree,
  slurmBlock,
  slurmYaml,
  topograph,
  anynet,
  adjacencyMatrixMarket,
  cableCsv,
];
