/** All formats of the house: of networks, forwarding tables, nodes, tables and traces, which are read, and of placements, which are written. */
import type { ExportFormatEntry } from './contract.ts';
import { ampi } from './exports/ampi.ts';
import { blueGene } from './exports/blueGene.ts';
import { cray } from './exports/cray.ts';
import { csv } from './exports/csv.ts';
import { deepspeed } from './exports/deepspeed.ts';
import { flux } from './exports/flux.ts';
import { gpus } from './exports/gpus.ts';
import { graphml } from './exports/graphml.ts';
import { graphviz } from './exports/graphviz.ts';
import { hydra } from './exports/hydra.ts';
import { intel } from './exports/intel.ts';
import { json } from './exports/json.ts';
import { kubernetes } from './exports/kubernetes.ts';
import { lsf } from './exports/lsf.ts';
import { pytorch } from './exports/pytorch.ts';
import { rankfile } from './exports/rankfile.ts';
import { scotch } from './exports/scotch.ts';
import { slurm } from './exports/slurm.ts';
import { slurmBlock, slurmTree } from './exports/slurmTopology.ts';
import { torchrun } from './exports/torchrun.ts';
import { vector } from './exports/vector.ts';

export { machineFormats } from './fabrics.ts';
export { forwardingReaders } from './forwarding.ts';
export { nodeFormats } from './nodes.ts';
export { tableFormats } from './table.ts';
export { traceReaders } from './traces.ts';

/** Formats that placements are written in. */
export const exportFormats: readonly ExportFormatEntry[] = [
  vector,
  rankfile,
  json,
  csv,
  slurm,
  hydra,
  intel,
  flux,
  cray,
  lsf,
  blueGene,
  ampi,
  scotch,
  gpus,
  torchrun,
  deepspeed,
  pytorch,
  kubernetes,
  slurmTree,
  slurmBlock,
  graphviz,
  graphml,
];
