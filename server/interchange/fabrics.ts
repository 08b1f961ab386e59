import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import type { Fabric } from '../model/fabric.ts';
import { formatNumber } from '../model/quantities.ts';
import { quote, type Result, fail } from '../model/result.ts';
import type { MachineFormatEntry } from './contract.ts';
import { adjacencyMatrixMarket } from './fabrics/adjacency.ts';
import { anynet } from './fabrics/anynet.ts';
import { faultOfCount } from './fabrics/builder.ts';
import { cableCsv } from './fabrics/cableCsv.ts';
import { ibnetdiscover, ibnetdiscoverPorts } from './fabrics/ibnetdiscover.ts';
import { iblinkinfo } from './fabrics/iblinkinfo.ts';
import { omniPath } from './fabrics/omniPath.ts';
import { dot } from './fabrics/dot.ts';
import { lldp } from './fabrics/lldp.ts';
import { netq } from './fabrics/netq.ts';
import { simgrid } from './fabrics/simgrid.ts';
import { fluxGraph, fluxResources } from './fabrics/flux.ts';
import { kubernetes } from './fabrics/kubernetes.ts';
import { scontrol, slurmBlock, slurmTree, slurmYaml } from './fabrics/slurm.ts';
import { topograph } from './fabrics/topograph.ts';
import { decodeText, ending } from './reading.ts';

/**
 * Reads a network from another tool's file: in the format named, or in the first of the catalogue
 * that recognises the content. A fabric may be without hosts or in several parts: that is for the
 * topology to say. Fails with `bad-fabric` and one sentence that begins with the
 * file's name and, where it has one, the line. O(bytes), but for names that stand for many.
 */
export function readFabric(
  bytes: Uint8Array,
  fileName: string,
  format: string | undefined,
  cancellation: Cancellation = neverCancelled,
): Result<Fabric> {
  const text = decodeText(bytes);
  if (!text.ok) return fail('bad-fabric', `${fileName}: ${text.failure}`);
  const entry = findFormat(text.value, format);
  if (!entry.ok) return fail('bad-fabric', `${fileName}: ${entry.failure}`);
  const { name, largestText = Infinity, read } = entry.value;
  if (text.value.length > largestText) {
    const most = formatNumber(largestText / 2 ** 10, 0);
    return fail('bad-fabric', `${fileName}: The file is larger than the ${most} KiB that are read of \`${name}\`.`);
  }
  return ending(cancellation, () => {
    const fabric = read(text.value, fileName, cancellation);
    if (!fabric.ok) return fabric;
    const excess = excessOf(fabric.value);
    return excess === undefined ? fabric : fail('bad-fabric', `${fileName}: ${excess}`);
  });
}

function findFormat(text: string, format: string | undefined): Result<MachineFormatEntry, string> {
  const refuse = (failure: string): Result<MachineFormatEntry, string> => ({ ok: false, failure });
  const formats = machineFormats.map(({ name }) => name).join(', ');
  if (format !== undefined) {
    const named = machineFormats.find((entry) => entry.name === format);
    if (named !== undefined) return { ok: true, value: named };
    return refuse(`There is no format ${quote(format)} of networks; there are ${formats}.`);
  }
  const found = machineFormats.find((entry) => entry.recognizes(text));
  if (found !== undefined) return { ok: true, value: found };
  const advice = adviceOnOtherFiles(text);
  if (advice !== undefined) return refuse(advice);
  return refuse(`The file is in no format of networks that is read here (${formats}); \`as FORMAT\` names one.`);
}

const excessOf = ({ nodes, routers, cables }: Fabric): string | undefined =>
  faultOfCount('switches', routers.length) ??
  faultOfCount('hosts', nodes.length) ??
  faultOfCount('cables', cables.length);

/** Files that stand beside those that describe networks, and what to do instead. */
const others: readonly { readonly shape: RegExp; readonly advice: string }[] = [
  {
    shape: /^[ \t]*Unicast lids \[|^[ \t]*(?:\w+:[ \t]*)?Switch 0x[0-9a-f]+[ \t]*$/im,
    advice:
      'These are forwarding tables, not the fabric: write `routing from "FILE"`, and `topology from` the output of ibnetdiscover.',
  },
  {
    shape: /<topology[\s>]/,
    advice: 'This is an hwloc file: it describes the inside of a node; write `node from "FILE"` instead.',
  },
  {
    shape: /<graphml[\s>]/,
    advice: 'GraphML is not read: write the cables as CSV, one `from,to` per line under that header.',
  },
  {
    shape: /^\s*topology\s*=\s*\w+\s*;|^\s*(?:LPGROUPS|PARAMS)\b|^topology:[ \t]*\[|^\s*schema_version:/m,
    advice:
      'This is a configuration of a simulator, whose network is given by parameters: write it as `topology` of the machine.',
  },
  {
    shape: /<system[\s>]|<graphs[\s>]/,
    advice: 'This is a topology of NCCL: it describes the inside of a node; write `node from "FILE"` instead.',
  },
  {
    shape: /^apiVersion:|^kind:[ \t]*(?:List|Node)\b/m,
    advice: 'This is YAML of Kubernetes, which is read as JSON: `kubectl get nodes -o json`.',
  },
  {
    shape: /^\s*[[{]/,
    advice:
      'The JSON is of no tool that is read here: write the cables as CSV, one `from,to` per line under that header.',
  },
];

/** What to do with a file of a kind that is known and not read; undefined for any other. */
const adviceOnOtherFiles = (text: string): string | undefined => others.find(({ shape }) => shape.test(text))?.advice;

/**
 * Formats that networks are read from; the first that recognises a file reads it, so the most
 * particular stand first. `fabricFormats` of the model names the same ones.
 */
export const machineFormats: readonly MachineFormatEntry[] = [
  ibnetdiscover,
  ibnetdiscoverPorts,
  iblinkinfo,
  omniPath,
  scontrol,
  slurmTree,
  slurmBlock,
  slurmYaml,
  topograph,
  kubernetes,
  simgrid,
  netq,
  lldp,
  fluxResources,
  fluxGraph,
  dot,
  anynet,
  adjacencyMatrixMarket,
  cableCsv,
];
