/** All formats: of files that are read, by what they describe, and of placements that are written. No other list of formats exists. */
import type { CatalogueEntry, FileContent } from '../model/catalogue.ts';
import type {
  ExportFormatEntry,
  ForwardingFormatEntry,
  MachineFormatEntry,
  MappingFormatEntry,
  NodeFormatEntry,
  TableFormatEntry,
  TraceFormatEntry,
} from './contract.ts';
import { csvMatrix, edgeList } from './csv.ts';
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
import { adjacencyMatrixMarket } from './fabrics/adjacency.ts';
import { anynet } from './fabrics/anynet.ts';
import { cableCsv } from './fabrics/cableCsv.ts';
import { dot } from './fabrics/dot.ts';
import { fluxGraph, fluxResources } from './fabrics/flux.ts';
import { ibnetdiscover, ibnetdiscoverPorts } from './fabrics/ibnetdiscover.ts';
import { iblinkinfo } from './fabrics/iblinkinfo.ts';
import { kubernetesNodes } from './fabrics/kubernetes.ts';
import { lldp } from './fabrics/lldp.ts';
import { netq } from './fabrics/netq.ts';
import { omniPath } from './fabrics/omniPath.ts';
import { simgridPlatform } from './fabrics/simgrid.ts';
import { scontrol, slurmBlockConf, slurmTreeConf, slurmYaml } from './fabrics/slurm.ts';
import { topograph } from './fabrics/topograph.ts';
import { dumpFts, opensmFdbs, opensmLfts } from './forwarding.ts';
import {
  blueGeneMap,
  crayRankOrder,
  fluxTaskMap,
  hostLines,
  placementJson,
  rankTable,
  scotchMapping,
  slotVector,
} from './mappingFormats.ts';
import { matrixMarket } from './matrixMarket.ts';
import { hwloc } from './nodes/hwloc.ts';
import { ncclTopology } from './nodes/ncclTopology.ts';
import { nvidiaSmi } from './nodes/nvidiaSmi.ts';
import { metis, scotchGraph } from './tables/graphs.ts';
import { npy } from './tables/npy.ts';
import { pmlMonitoring } from './tables/pmlMonitoring.ts';
import { summedTrace } from './tables/summedTrace.ts';
import { treematch } from './tables/treematch.ts';
import { dimemas } from './traces/dimemas.ts';
import { dumpi2ascii } from './traces/dumpi.ts';
import { fsin } from './traces/fsin.ts';
import { goal } from './traces/goal.ts';
import { otf2Print } from './traces/otf2Print.ts';
import { simgridTrace } from './traces/simgrid.ts';
import { vef } from './traces/vef.ts';
import { workloadText } from './traces/workloadText.ts';

// The first format that recognises a file reads it: those that recognise the fewest files are first in each list.

export const fabricFormats: readonly MachineFormatEntry[] = [
  ibnetdiscover,
  ibnetdiscoverPorts,
  iblinkinfo,
  omniPath,
  scontrol,
  slurmTreeConf,
  slurmBlockConf,
  slurmYaml,
  topograph,
  kubernetesNodes,
  simgridPlatform,
  netq,
  lldp,
  fluxResources,
  fluxGraph,
  dot,
  anynet,
  adjacencyMatrixMarket,
  cableCsv,
];

export const forwardingFormats: readonly ForwardingFormatEntry[] = [dumpFts, opensmLfts, opensmFdbs];

export const nodeFormats: readonly NodeFormatEntry[] = [hwloc, ncclTopology, nvidiaSmi];

export const mappingFormats: readonly MappingFormatEntry[] = [
  crayRankOrder,
  fluxTaskMap,
  scotchMapping,
  blueGeneMap,
  slotVector,
  placementJson,
  rankTable,
  hostLines,
];

export const traceFormats: readonly TraceFormatEntry[] = [
  workloadText,
  goal,
  simgridTrace,
  otf2Print,
  dumpi2ascii,
  vef,
  fsin,
  dimemas,
];

export const tableFormats: readonly TableFormatEntry[] = [
  matrixMarket,
  npy,
  pmlMonitoring,
  scotchGraph,
  metis,
  treematch,
  ...traceFormats.map(summedTrace),
  edgeList,
  csvMatrix,
];

/** The formats of files that are read: the words after `from "FILE" as`. */
export const fileFormats: Readonly<Record<FileContent, readonly CatalogueEntry[]>> = {
  table: tableFormats,
  trace: traceFormats,
  network: fabricFormats,
  routing: forwardingFormats,
  node: nodeFormats,
  mapping: mappingFormats,
};

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
