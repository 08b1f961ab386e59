import { ownEntry } from '../reading.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import { quote, type Result } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { badFabric, faultOfCount, withWarnings } from './builder.ts';
import type { DeviceKind } from './devices.ts';
import {
  at,
  itemsOf,
  largestJson,
  lineOfWord,
  readJson,
  scalarText,
  type KnownMembers,
  passedOver,
  unknownInJson,
} from '../jsonText.ts';
import { LinkList } from './linkList.ts';

const kinds: Readonly<Record<string, DeviceKind>> = { switch: 'switch', host: 'adapter', server: 'adapter' };

/** How devices are drawn is of no use here. */
const drawn = passedOver('auto_tier', 'default_tier', 'layout', 'node_type', 'parent', 'size', 'tier', 'src', 'target');
const ends = { id: 'any', interfaces: { interface: 'any', node: 'any' }, ...drawn } as const;
const device = { id: 'any', name: 'any', device_type: 'any', ...drawn } as const;
const known: KnownMembers = {
  nodes: { ...device, compounded_nodes: device },
  links: { ...ends, compounded_links: ends },
};

/** Graphs of NetQ: `nodes` in tiers, of which each is made of devices, and `links` of which each is made of cables. O(text). */
function readNetq(text: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const documents = readJson(text, fileName);
  if (!documents.ok) return documents;
  const links = new LinkList();
  for (const graph of documents.value.flatMap(itemsOf)) {
    const names = new Map<string, string>();
    for (const node of compoundParts(at(graph, 'nodes'), 'compounded_nodes')) {
      const id = scalarText(at(node, 'id'));
      const name = scalarText(at(node, 'name')) || id;
      if (id === '') return badFabric(fileName, lineOfWord(text, 'nodes'), 'A device in `nodes` has no `id`. Add it.');
      names.set(id, name);
      links.mention(name, ownEntry(kinds, scalarText(at(node, 'device_type')).toLowerCase()), 1);
    }
    for (const cable of compoundParts(at(graph, 'links'), 'compounded_links')) {
      if (cancellation.isCancelled()) break;
      const fault = addCable(cable, names, links);
      if (fault !== undefined) return badFabric(fileName, lineOfWord(text, scalarText(at(cable, 'id'))), fault);
    }
  }
  const fabric = links.fabric('netq', fileName, 'all its devices are hosts. Export the topology of the whole network.');
  return withWarnings(fabric, unknownInJson(text, documents.value, known));
}

/** The items of a list, or the parts that they are made of. */
function* compoundParts(list: unknown, compounded: string): Generator {
  for (const item of itemsOf(list)) {
    const parts = itemsOf(at(item, compounded));
    if (parts.length > 0) yield* parts;
    else yield item;
  }
}

/** What is wrong with the cable, if anything. */
function addCable(cable: unknown, names: ReadonlyMap<string, string>, links: LinkList): string | undefined {
  const id = quote(scalarText(at(cable, 'id')));
  const ends = itemsOf(at(cable, 'interfaces')).map((end) => {
    const node = scalarText(at(end, 'node'));
    return { node, name: names.get(node) ?? '', port: scalarText(at(end, 'interface')) };
  });
  const [one, other, third] = ends;
  if (!one || !other || third) return `The link ${id} has ${ends.length} ends in \`interfaces\`. Expected two.`;
  const stray = ends.find(({ name }) => name === '');
  if (stray) return `The link ${id} ends at ${quote(stray.node)}, which is missing in \`nodes\`. Add it.`;
  links.link(one, other, '', 1);
  return faultOfCount('cables', links.size / 2);
}

export const netq: MachineFormatEntry = {
  name: 'netq',
  summary: 'graph of an Ethernet fabric of NVIDIA NetQ, in JSON',
  source: 'NVIDIA NetQ, topology graph; NVIDIA/topograph',
  details:
    'Devices of type `switch` are switches and those of type `host` are hosts, both by name. A link may contain several physical links.',
  options: [],
  recognizes: (text) => /^\s*[[{]/.test(text) && /"compounded_(?:nodes|links)"\s*:/.test(text),
  largestText: largestJson,
  read: readNetq,
};
