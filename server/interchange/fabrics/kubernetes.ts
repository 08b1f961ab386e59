import type { Fabric, FabricWarning } from '../../model/fabric.ts';
import { countOf } from '../../model/quantities.ts';
import { quote, type Result, succeed } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { at, itemsOf, largestJson, lineOfWord, membersOf, readJson, scalarText } from '../jsonText.ts';
import { oneLine, UnknownNames } from '../reading.ts';
import { badFabric, faultOfCount } from './builder.ts';
import { type LabelledHost, labelledTree } from './labelledTree.ts';

/** Tiers of topograph, counted from the node up, without end: of its version 1, and for a month before it. */
const tierLabel = /^(?:fabric\.topograph\.run|network\.topology\.nvidia\.com)\/tier-(\d{1,3})$/;

/** Labels of other names for the switches above a node, from the leaf up. */
const levels: readonly (readonly string[])[] = [
  ['leaf', 'block', 'spine', 'core', 'datacenter'].map((level) => `network.topology.nvidia.com/${level}`),
  ['block', 'spine', 'datacenter'].map((level) => `network.topology.kubernetes.io/${level}`),
  [1, 2, 3, 4].map((level) => `topology.kubernetes.io/network-level-${level}`),
  [3, 2, 1].map((layer) => `topology.k8s.aws/network-node-layer-${layer}`),
  ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'],
];

/** Domains of NVLink, which are not a level of the network, by today's names and those before. */
const accelerators = [
  'accelerator.topograph.run/domain',
  'xclr.topology.nvidia.com/domain',
  'network.topology.nvidia.com/accelerator',
  'network.topology.kubernetes.io/accelerator',
];

/** Parts of these domains. Knowingly not read. */
const subDomains = ['accelerator.topograph.run/sub-domain', 'xclr.topology.nvidia.com/sub-domain'];

/** Labels of these beginnings are of the network; all others say nothing of it. */
const ofNetworks =
  /^(?:(?:fabric|accelerator)\.topograph\.run\/|xclr\.topology\.|network\.topology\.|topology\.kubernetes\.io\/network-|topology\.k8s\.aws\/network-)/;
const knownLabels = new Set([...levels.flat(), ...accelerators, ...subDomains]);

/** What the labels of all nodes say. */
interface Reading {
  readonly unknown: UnknownNames;
  readonly hosts: LabelledHost[];
  readonly domains: Set<string>;
  usesZones: boolean;
}

/** `kubectl get nodes -o json`. O(text). */
function readNodes(text: string, fileName: string): Result<Fabric> {
  const documents = readJson(text, fileName);
  if (!documents.ok) return documents;
  const unknown = new UnknownNames();
  const reading: Reading = { unknown, hosts: [], domains: new Set(), usesZones: false };
  for (const document of documents.value) {
    for (const node of itemsOf(at(document, 'items') ?? document)) {
      const kind = scalarText(at(node, 'kind'));
      const fault = kind === 'Node' ? addNode(node, text, reading) : undefined;
      if (kind !== 'Node') unknown.add(`Object of kind ${quote(oneLine(kind))}`, () => lineOfWord(text, kind));
      if (fault !== undefined) return badFabric(fileName, 1, fault);
    }
  }
  const { hosts, domains, usesZones } = reading;
  if (hosts.length === 0) {
    return badFabric(fileName, 1, 'The file has no object of kind Node. Create it with `kubectl get nodes -o json`.');
  }
  const fabric = labelledTree(hosts, 'kubernetes', fileName);
  if (!fabric.ok) return fabric;
  const warnings: FabricWarning[] = [...fabric.value.warnings, ...unknown.warnings()];
  if (usesZones) warnings.push({ message: 'Nodes have no network labels. Zones and regions count as switches.' });
  if (domains.size > 0) {
    const count = countOf(domains.size, 'domain');
    warnings.push({ message: `${count} for NVLink (accelerator labels): skipped, not a network level.` });
  }
  return succeed({ ...fabric.value, warnings });
}

/** What is wrong with the node, if anything. */
function addNode(node: unknown, text: string, reading: Reading): string | undefined {
  const name = scalarText(at(node, 'metadata', 'name'));
  if (name === '') return 'A node has no `metadata.name`. Add it.';
  const labels = membersOf(at(node, 'metadata', 'labels'));
  const valueOf = (key: string): string => (Object.hasOwn(labels, key) ? scalarText(labels[key]) : '');
  for (const key of Object.keys(labels))
    if (ofNetworks.test(key) && !knownLabels.has(key) && !tierLabel.test(key))
      reading.unknown.add(`Unknown label ${quote(oneLine(key))}`, () => lineOfWord(text, key));
  const given = namesAbove(Object.keys(labels).filter((key) => valueOf(key) !== ''));
  if (given.some((key) => key.endsWith('/zone'))) reading.usesZones = true;
  for (const key of accelerators) if (valueOf(key) !== '') reading.domains.add(valueOf(key));
  const above = given.map((key) => ({
    key: `${key.slice(key.lastIndexOf('/') + 1)}:${valueOf(key)}`,
    name: valueOf(key),
  }));
  reading.hosts.push({ name, line: () => lineOfWord(text, name), above });
  return faultOfCount('hosts', reading.hosts.length);
}

/** Of labels with a value, those that name the switches above the node, from the leaf up. All are of one row; tiers come first. */
function namesAbove(labels: readonly string[]): readonly string[] {
  const tierOf = (key: string): number => Number(tierLabel.exec(key)?.[1] ?? -1);
  const today = labels.filter((key) => tierOf(key) >= 0).toSorted((one, other) => tierOf(one) - tierOf(other));
  const [first] = today;
  if (first !== undefined) {
    const prefix = first.slice(0, first.indexOf('/'));
    return today.filter((key) => key.startsWith(prefix));
  }
  const present = new Set(labels);
  const row = levels.find((keys) => keys.some((key) => present.has(key))) ?? [];
  return row.filter((key) => present.has(key));
}

export const kubernetesNodes: MachineFormatEntry = {
  name: 'kubernetes',
  summary: 'Kubernetes nodes with network labels, from `kubectl get nodes -o json`',
  source: 'NVIDIA/topograph, docs/k8s.md; Kubernetes, Well-Known Labels',
  details:
    'A tree by labels, from the leaf up. Labels: `fabric.topograph.run/tier-0`, `tier-1` and so on (topograph ' +
    'from version 1); `network.topology.nvidia.com/` leaf (block), spine, core (datacenter) (older topograph); ' +
    '`network.topology.kubernetes.io/` block, spine, datacenter; `topology.kubernetes.io/network-level-1` to 4; ' +
    '`topology.k8s.aws/network-node-layer-3` to 1. Without any of these: zone and region.',
  options: [],
  recognizes: (text) => /^\s*[[{]/.test(text) && /"kind"\s*:\s*"Node"/.test(text),
  largestText: largestJson,
  read: readNodes,
};
