import type { Choice } from '../../model/catalogue.ts';
import { linkLimit, slotLimit, type MachineFigures } from '../../model/machine.ts';
import { topologies } from '../../network/catalogue.ts';
import type {
  Cable,
  MachineDescription,
  TopologyEntry,
  TopologyRequest,
  TopologySize,
} from '../../network/contract.ts';
import { replace } from '../codes.ts';
import { propertyOf } from '../properties.ts';
import type { DeclarationNode, Span } from '../tree.ts';
import { checkCables } from './cables.ts';
import { checkChoice } from './choices.ts';
import { expectationOf } from './expectations.ts';
import { integerValue } from './numbers.ts';
import { headOf, nameOf, propertiesOf, type Properties } from './properties.ts';
import { quantityValue } from './quantities.ts';
import { checkRouting } from './routing.ts';
import { countOf, formatCount, type Scope } from './scope.ts';

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

/** Checks one machine. O(properties). */
export function checkMachine(scope: Scope, declaration: DeclarationNode): CheckedMachine {
  const properties = propertiesOf(scope, declaration);
  const node = properties.choice('topology');
  const { entry, choice } = node === undefined ? {} : checkChoice(scope, node, 'topology', topologies);
  const routers = choice && entry ? routersOf(entry, choice) : undefined;
  const counts = countsOf(scope, properties);
  const cables = checkCables(scope, properties.all('link'), entry, routers);
  const measured = choice && entry?.measure?.(requestOf(choice, counts.hosts, cables));
  const routing = checkRouting(scope, properties, entry, choice, routers);
  const figures = figuresOf(scope, properties);
  if (entry && !entry.takesHosts) reportHosts(scope, properties, entry);
  const size = sizeOf(measured?.nodes ?? product(routers, counts.hosts), counts);
  checkSize(scope, node ?? headOf(declaration), measured, size);
  const { hosts, sockets, cores } = counts;
  if (choice === undefined || hosts === undefined || sockets === undefined || cores === undefined) {
    return { description: undefined, size };
  }
  const inside = { socketsPerNode: sockets, coresPerSocket: cores };
  const given = properties.get('hosts') === undefined ? {} : { hosts };
  const description = { name: nameOf(declaration), topology: choice, cables, ...given, ...inside, figures };
  return { description: routing === undefined ? description : { ...description, routing }, size };
}

/** 1 where it is not written, undefined where it is wrong. */
interface Counts {
  readonly hosts: number | undefined;
  readonly sockets: number | undefined;
  readonly cores: number | undefined;
}

const countsOf = (scope: Scope, properties: Properties): Counts => ({
  hosts: countProperty(scope, properties, 'hosts'),
  sockets: countProperty(scope, properties, 'sockets'),
  cores: countProperty(scope, properties, 'cores'),
});

const product = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a * b;

const sizeOf = (nodes: number | undefined, { sockets, cores }: Counts): MachineSize => ({
  nodes,
  coresPerNode: product(sockets, cores),
});

const requestOf = (
  { argument, options }: Choice,
  hosts: number | undefined,
  cables: readonly Cable[],
): TopologyRequest => ({ argument, options, cables, hosts, fabric: undefined });

/** The routers of a topology: what it measures itself, or the number after its name. */
function routersOf(entry: TopologyEntry, choice: Choice): number | undefined {
  const measured = entry.measure?.(requestOf(choice, undefined, [])).routers;
  if (measured !== undefined) return measured;
  const counts = entry.argument?.kind === 'integer' && choice.argument?.kind === 'numbers';
  return counts ? choice.argument.numbers[0] : undefined;
}

function countProperty(scope: Scope, properties: Properties, word: 'hosts' | 'sockets' | 'cores'): number | undefined {
  if (properties.get(word) === undefined) return 1;
  const value = properties.value(word);
  const form = propertyOf('machine', word)?.content;
  if (value === undefined || form?.form !== 'integer') return undefined;
  return integerValue(scope, value, expectationOf('machine', word), form);
}

function figuresOf(scope: Scope, properties: Properties): MachineFigures {
  const figure = (word: string, kind: 'rate' | 'time'): number | undefined => {
    const value = properties.value(word);
    return value && quantityValue(scope, value, kind, expectationOf('machine', word));
  };
  const bandwidth = figure('bandwidth', 'rate');
  const latency = figure('latency', 'time');
  const memory = figure('memory', 'rate');
  const networkInterface = figure('interface', 'rate');
  const switchTime = figure('switch', 'time');
  return {
    ...(bandwidth === undefined ? {} : { bandwidth }),
    ...(latency === undefined ? {} : { latency }),
    ...(memory === undefined ? {} : { memory }),
    ...(networkInterface === undefined ? {} : { interface: networkInterface }),
    ...(switchTime === undefined ? {} : { switchTime }),
  };
}

function reportHosts(scope: Scope, properties: Properties, { name }: TopologyEntry): void {
  const hosts = properties.get('hosts');
  if (hosts === undefined) return;
  const message = `\`hosts\` does not fit \`topology ${name}\`, which says itself how many compute nodes there are: remove it.`;
  scope.report(hosts.word, 'does-not-apply', message, { fix: replace(hosts, '') });
}

/** Compares the machine with the limits of the model before anything of that size is made. */
function checkSize(scope: Scope, span: Span, measured: TopologySize | undefined, size: MachineSize): void {
  const { nodes, coresPerNode } = size;
  if (nodes === undefined || coresPerNode === undefined) return;
  const slots = nodes * coresPerNode;
  if (slots > slotLimit) {
    const message =
      `This machine has ${countOf(nodes, 'node')} with ${countOf(slots, 'core')}; ` +
      `at most ${formatCount(slotLimit)} cores are possible: make it smaller.`;
    scope.report(span, 'machine-too-large', message);
    return;
  }
  const links = measured?.links ?? 0;
  if (links <= linkLimit) return;
  const message = `This machine has ${formatCount(links)} directed links; at most ${formatCount(linkLimit)} are possible: make it smaller.`;
  scope.report(span, 'machine-too-large', message);
}
