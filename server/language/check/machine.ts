import type { Choice } from '../../model/catalogue.ts';
import { topologies } from '../../network/catalogue.ts';
import type { MachineDescription, TopologyEntry } from '../../network/contract.ts';
import type { DeclarationNode, PropertyNode } from '../tree.ts';
import { checkCables } from './cables.ts';
import { checkChoice } from './choices.ts';
import { checkFigures } from './figures.ts';
import { checkInside, countProperty, type Inside } from './inside.ts';
import { headOf, nameOf, propertiesOf } from './properties.ts';
import { checkRouting } from './routing.ts';
import type { Scope } from './scope.ts';
import { checkHosts, checkSize, checkStructure, measuredSize, requestOf } from './topology.ts';

/** How many nodes and cores a machine has, as far as its declaration says. */
export interface MachineSize {
  readonly nodes: number | undefined;
  readonly coresPerNode: number | undefined;
}

export interface CheckedMachine {
  /** Absent where something that it needs is missing or wrong. */
  readonly description: MachineDescription | undefined;
  readonly size: MachineSize;
}

/** Checks one machine. O(properties), and O(links) where a small network is tried out. */
export function checkMachine(scope: Scope, declaration: DeclarationNode): CheckedMachine {
  const properties = propertiesOf(scope, declaration);
  const node = properties.choice('topology');
  const { entry, choice } = node === undefined ? {} : checkChoice(scope, node, 'topology', topologies);
  const hosts = countProperty(scope, properties, 'hosts');
  const inside = checkInside(scope, properties);
  const routers = choice && entry ? routersOf(entry, choice) : undefined;
  const links = properties.all('link');
  const cables = checkCables(scope, links, entry, routers);
  const routing = checkRouting(scope, properties, entry, choice, routers);
  const figures = checkFigures(scope, properties);
  if (entry !== undefined) checkHosts(scope, properties, entry);
  const coresPerNode = coresOf(inside);
  if (choice === undefined || entry === undefined || hosts === 'wrong') {
    return { description: undefined, size: { nodes: undefined, coresPerNode } };
  }
  const request = requestOf(choice, hosts, cables);
  const measured = measuredSize(entry, request);
  const span = node ?? headOf(declaration);
  const fits = checkSize(scope, span, measured, coresPerNode);
  const cablesAreSound = cables.length === cableCount(links);
  if (fits && cablesAreSound) checkStructure(scope, span, entry, request, measured);
  const size = { nodes: measured?.nodes, coresPerNode };
  const parts = { topology: choice, cables, ...given('routing', routing), ...given('hosts', hosts), figures };
  const description = inside && { name: nameOf(declaration), ...parts, ...describeInside(inside) };
  return { description, size };
}

/** A property that a description has only where the text has it. */
const given = <Key extends string, Value>(key: Key, value: Value | undefined): Partial<Record<Key, Value>> =>
  value === undefined ? {} : ({ [key]: value } as Record<Key, Value>);

const describeInside = ({ sockets, cores, nodeFile }: Inside) => ({
  socketsPerNode: sockets,
  coresPerSocket: cores,
  ...given('nodeFile', nodeFile),
});

/** Cores of a node; undefined where they are wrong or stand in a file. */
const coresOf = (inside: Inside | undefined): number | undefined =>
  inside === undefined || inside.nodeFile !== undefined ? undefined : inside.sockets * inside.cores;

/** Cables as written, those that are wrong too. */
const cableCount = (links: readonly PropertyNode[]): number =>
  links.reduce((count, { content }) => count + (content.kind === 'link' ? content.to.length : 0), 0);

/** The routers of a topology, whatever hangs on them; undefined where only its file says so. */
const routersOf = (entry: TopologyEntry, choice: Choice): number | undefined =>
  measuredSize(entry, requestOf(choice, undefined, []))?.routers;
