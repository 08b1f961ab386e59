import type { Cancellation } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import { expandHostlist } from '../../model/hostlist.ts';
import { countOf } from '../../model/quantities.ts';
import { quote, type Result, succeed } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { FabricBuilder, badFabric, withWarnings } from './builder.ts';
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
import { type LabelledHost, labelledTree } from './labelledTree.ts';

/** Resources as Flux writes them: graphs in the JSON Graph Format, and R, the set of resources of an instance or a job. */

/**
 * Hosts of a graph of resources: vertices of type `node`, by their paths of containment. What contains them, racks and
 * the cluster, counts as switches. Undefined where the graph has none. Fails at a node without a path.
 */
function hostsOfGraph(graph: unknown, text: string, fileName: string): Result<LabelledHost[]> {
  const hosts: LabelledHost[] = [];
  for (const vertex of itemsOf(at(graph, 'nodes'))) {
    const metadata = at(vertex, 'metadata');
    if (metadata === undefined)
      return badFabric(
        fileName,
        lineOfWord(text, scalarText(at(vertex, 'id'))),
        `The vertex ${quote(scalarText(at(vertex, 'id')))} has no \`metadata\`. Add it, with the \`type\` of the vertex.`,
      );
    if (scalarText(at(metadata, 'type')) !== 'node') continue;
    const id = scalarText(at(vertex, 'id'));
    const path = scalarText(at(metadata, 'paths', 'containment'));
    const parts = path.split('/').slice(1);
    const own = parts.pop() ?? '';
    if (own === '' || parts.includes('') || parts.length > deepest) {
      return badFabric(
        fileName,
        lineOfWord(text, path || id),
        `The node ${quote(id)} has no path in \`paths.containment\`. Expected a path such as /cluster0/rack0/node0.`,
      );
    }
    const above = parts.map((name, level) => ({ name, key: `/${parts.slice(0, level + 1).join('/')}` })).reverse();
    const name = scalarText(at(metadata, 'name')) || own;
    hosts.push({ name, line: () => lineOfWord(text, path), above });
  }
  return succeed(hosts);
}

/** RFC 4. Edges say again what the paths of containment say. */
const graph: KnownMembers = {
  nodes: {
    ...passedOver('id', 'label'),
    metadata: passedOver(
      'type',
      'paths',
      'name',
      'basename',
      'exclusive',
      'id',
      'rank',
      'size',
      'uniq_id',
      'unit',
      'properties',
      'status',
      'ephemeral',
    ),
  },
  edges: 'any',
  ...passedOver('directed', 'type', 'label', 'metadata'),
};
/** RFC 20. Times and properties are of no use here. */
const resourceMembers: KnownMembers = {
  version: 'any',
  execution: {
    R_lite: passedOver('rank', 'children'),
    ...passedOver('nodelist', 'starttime', 'expiration', 'properties', 'nslots'),
  },
  scheduling: { graph, ...passedOver('writer') },
  attributes: 'any',
};

/** Racks in rows in halls in a cluster are four. */
const deepest = 32;

/** O(text). */
function readGraph(text: string, fileName: string): Result<Fabric> {
  const documents = readJson(text, fileName);
  if (!documents.ok) return documents;
  const hosts = hostsOfGraph(at(documents.value[0], 'graph'), text, fileName);
  if (!hosts.ok) return hosts;
  if (hosts.value.length === 0)
    return badFabric(fileName, lineOfWord(text, 'nodes'), 'The graph has no vertex of type `node`.');
  const fabric = containment(labelledTree(hosts.value, 'flux-jgf', fileName));
  return withWarnings(fabric, unknownInJson(text, documents.value, { graph }));
}

/** What every graph of Flux leaves out. */
function containment(fabric: Result<Fabric>): Result<Fabric> {
  if (!fabric.ok) return fabric;
  const message = 'Flux lists containers of nodes, not their links. Racks and clusters count as switches.';
  return succeed({ ...fabric.value, warnings: [...fabric.value.warnings, { message }] });
}

/** The nodes of R on one switch, or in the graph that a scheduler added. O(text). */
function readResources(text: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const documents = readJson(text, fileName);
  if (!documents.ok) return documents;
  const [resources] = documents.value;
  const version = scalarText(at(resources, 'version'));
  if (version !== '1')
    return badFabric(fileName, lineOfWord(text, 'version'), `Unknown version ${quote(version)} of R. Expected 1.`);
  const hosts = hostsOfGraph(at(resources, 'scheduling', 'graph'), text, fileName);
  if (!hosts.ok) return hosts;
  if (hosts.value.some(({ above }) => above.length > 0) && !cancellation.isCancelled())
    return withWarnings(
      containment(labelledTree(hosts.value, 'flux-r', fileName)),
      unknownInJson(text, documents.value, resourceMembers),
    );
  const list = itemsOf(at(resources, 'execution', 'nodelist'))
    .map(scalarText)
    .join(',');
  const names = expandHostlist(list);
  const line = lineOfWord(text, 'nodelist');
  if (!names.ok) return badFabric(fileName, line, names.failure);
  if (names.value.length === 0)
    return badFabric(fileName, line, 'The list `execution.nodelist` is empty. Add a node for each rank.');
  const ranks = countRanks(resources);
  if (typeof ranks === 'string')
    return badFabric(fileName, lineOfWord(text, ranks), `Invalid set of ranks ${quote(ranks)}. Example: 0-3,5.`);
  if (ranks !== names.value.length)
    return badFabric(
      fileName,
      line,
      `\`R_lite\` has ${countOf(ranks, 'rank')} but \`execution.nodelist\` has ${countOf(names.value.length, 'node')}. Write one node per rank.`,
    );
  const builder = new FabricBuilder();
  const router = builder.addRouter('flux');
  for (const name of new Set(names.value)) builder.addHost(name, router);
  const nodes = countOf(names.value.length, 'node');
  builder.warn(`R does not describe a network. One switch, 'flux', connects its ${nodes}.`, line);
  return withWarnings(succeed(builder.finish('flux-r', [0])), unknownInJson(text, documents.value, resourceMembers));
}

/** The ranks of all entries of `R_lite`; a set that is none where there is one. Sets of ranks are those of RFC 22. */
function countRanks(resources: unknown): number | string {
  let count = 0;
  for (const entry of itemsOf(at(resources, 'execution', 'R_lite'))) {
    const set = scalarText(at(entry, 'rank'));
    for (const range of set.replace(/^\[(.*)\]$/, '$1').split(',')) {
      const [, first = '', last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range) ?? [];
      if (first === '' || Number(last) < Number(first)) return set;
      count += Number(last) - Number(first) + 1;
    }
  }
  return count;
}

export const fluxGraph: MachineFormatEntry = {
  name: 'flux-jgf',
  summary: 'resource graph of Flux in the JSON Graph Format',
  source: 'Flux RFC 4 and flux-sched, resource graphs (JGF)',
  details:
    'Vertices of type `node` are hosts. Their containers in `paths.containment`, racks and the cluster, are a tree of switches.',
  options: [],
  recognizes: (text) => /^\s*\{/.test(text) && /"containment"\s*:/.test(text) && !/"R_lite"\s*:/.test(text),
  largestText: largestJson,
  read: readGraph,
};

export const fluxResources: MachineFormatEntry = {
  name: 'flux-r',
  summary: 'resource set R of Flux, version 1',
  source: 'Flux RFC 20, Resource Set Specification Version 1',
  details:
    'The nodes of `execution.nodelist` on one switch. If a scheduler added a graph, its containment is the tree of switches, as in `flux-jgf`.',
  options: [],
  recognizes: (text) => /^\s*\{/.test(text) && /"R_lite"\s*:/.test(text),
  largestText: largestJson,
  read: readResources,
};
