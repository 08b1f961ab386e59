import { findEntry, type Choice } from '../../model/catalogue.ts';
import { tooLargeMachine, type MachineFigures, type QueuePairTime } from '../../model/machine.ts';
import { slotKindOf, type SlotKind } from '../../model/nodeInside.ts';
import { formatNumber } from '../../model/quantities.ts';
import { axisName } from '../../model/shape.ts';
import type { RailDescription } from '../../model/rails.ts';
import { topologies, routings } from '../../network/catalogue.ts';
import {
  machineWithNumber,
  type MachineDescription,
  type FaultDescription,
  type TopologyEntry,
  type TopologyRequest,
  type TopologySize,
  type Cable,
  sizeWithRails,
} from '../../network/contract.ts';
import { problemCodes, replace, type Fix, type ProblemCode } from '../codes.ts';
import { machineProperties } from '../placementSchema.ts';
import { countLimit } from '../propertyForms.ts';
import type { DeclarationNode, PropertyNode, Span, ChoiceNode, NumberValue } from '../tree.ts';
import { checkChoice } from './choices.ts';
import { declaredFaults } from './faults.ts';
import { exampleFix } from './options.ts';
import { linkFiguresOf, speedOfCables } from './linkFigures.ts';
import { checkInside, slotsPerNode } from './inside.ts';
import { checkHostNames, checkAttachedHosts, type Attached } from './hosts.ts';
import { numberOfOne } from './numbers.ts';
import { declarationHead, insertProperty, presentParts, Properties, sound, optionInParentheses } from './properties.ts';
import type { PhraseReader } from './phrase.ts';
import type { Scope } from './scope.ts';

/** How many nodes and cores, or GPUs where tasks run on those, a machine has, as far as its declaration says. */
export interface MachineSize {
  readonly nodes: number | undefined;
  readonly coresPerNode: number | undefined;
  /** What tasks run on; cores where that is left out. */
  readonly slots?: SlotKind;
}

export interface CheckedMachine {
  /** Absent where something that it needs is missing or wrong. */
  readonly description: MachineDescription | undefined;
  readonly size: MachineSize;
}

/** Checks one machine. O(properties), and O(links) where a small network is tried out. */
export function checkMachine(scope: Scope, declaration: DeclarationNode): CheckedMachine {
  const properties = new Properties(scope, declaration);
  const node = properties.choice('topology');
  const { entry, choice } = node === undefined ? {} : checkChoice(scope, node, 'topology', topologies);
  const inside = checkInside(properties);
  const routers = choice && entry ? topologyRouters(entry, choice) : undefined;
  const links = properties.all('link');
  const cables = checkCables(scope, links, entry, routers);
  const routing = checkRouting(properties, entry, choice, routers);
  const figures = checkMachineFigures(properties, entry, choice);
  if (entry !== undefined) refuseOfTopology(properties, entry);
  const coresPerNode = slotsPerNode(inside);
  const slots = { coresPerNode, ...(inside && { slots: slotKindOf(inside) }) };
  const asked = askedOf(entry, choice, checkAttachedHosts(properties, entry, routers), cables);
  const alone = asked && measuredSize(asked.entry, asked.request);
  const rails = checkRails(properties, entry);
  const measured = alone && sizeWithRails(alone, rails);
  const nodes = measured?.nodes;
  const faults = declaredFaults(properties, { switch: switchesWith(rails, routers), node: nodes });
  reportChangedRouting(properties, entry, faults);
  const names = checkHostNames(properties, nodes);
  if (asked === undefined) return { description: undefined, size: { nodes: undefined, ...slots } };
  const span = node ?? declarationHead(declaration);
  const fits = checkSize(scope, span, measured, slots);
  const cablesAreSound = cables.length === declaredCableCount(links);
  // A part that does not hang together may be just what is taken out.
  reportRemark(scope, span, asked);
  if (fits && cablesAreSound && faults === undefined)
    checkStructure(scope, { node, links, span }, asked.entry, asked.request, measured);
  const size = { nodes, ...slots };
  const { hosts, hostsOn } = asked.request;
  const parts = presentParts({
    topology: asked.choice,
    cables,
    routing,
    hosts,
    hostsOn,
    names,
    rails,
    faults,
    figures,
  });
  const description = inside && { name: properties.name, ...parts, ...inside };
  return { description, size };
}

/** Reports properties that machines of a topology cannot have. */
function refuseOfTopology(properties: Properties, entry: TopologyEntry): void {
  for (const { word, repeatable, ofTopologies } of machineProperties) {
    if (ofTopologies === undefined || entry[ofTopologies.have] === true) continue;
    const message = ofTopologies.says.replace('{topology}', entry.name);
    for (const property of properties.all(word).slice(0, repeatable === true ? undefined : 1))
      properties.scope.report(property.word, 'does-not-apply', message, { fix: replace(property, '') });
  }
}

/** What is asked of the entry of a topology; undefined where the declaration does not say it. */
function askedOf(
  entry: TopologyEntry | undefined,
  choice: Choice | undefined,
  attached: Attached | undefined,
  cables: TopologyRequest['cables'],
) {
  if (entry === undefined || choice === undefined || attached === undefined) return undefined;
  return { entry, choice, request: requestWithoutFile(choice, attached, cables) };
}

/** What the topology has to say of the machine. */
function reportRemark(
  scope: Scope,
  span: Span,
  { entry, request }: { readonly entry: TopologyEntry; readonly request: TopologyRequest },
): void {
  const remark = entry.remark?.(request);
  if (remark !== undefined) scope.report(span, 'unused-ports', remark, { severity: 'information' });
}

/** Dimension order is the routing of a grid only while no link fails; a job may even get faster by the other routing. */
function reportChangedRouting(
  properties: Properties,
  entry: TopologyEntry | undefined,
  faults: FaultDescription | undefined,
): void {
  const [first] = properties.all('without');
  if (first === undefined || entry?.defaultRouting !== dimensionOrder || properties.get('routing') !== undefined)
    return;
  const failsWhole = faults?.cables.some(({ cable }) => cable === undefined) === true;
  if (!failsWhole && (faults?.routers.length ?? 0) === 0) return;
  const message = `This machine uses routing \`minimal\`, because \`${dimensionOrder}\` cannot avoid a failed link. To compare, write \`routing minimal\` in the machine without failures too.`;
  const fix = insertProperty(properties.scope, properties.declaration, 'routing minimal');
  properties.scope.report(first.word, 'routing-changes', message, {
    severity: 'information',
    ...(fix && { otherFixes: [fix] }),
  });
}

/** Cables as written, those that are wrong too. */
const declaredCableCount = (links: readonly PropertyNode[]): number =>
  links.reduce((count, { content }) => count + (content.kind === 'link' ? content.to.length : 0), 0);

/** The routers of a topology, whatever hangs on them; undefined where only its file says so. */
const topologyRouters = (entry: TopologyEntry, choice: Choice): number | undefined =>
  measuredSize(entry, requestWithoutFile(choice, {}, []))?.routers;

/** A topology of up to this many directed links is built while typing, to see whether it can be. */
const typingLinkLimit = 2 ** 16;

/** What a topology would be made of. Its file is not read here. */
const requestWithoutFile = (
  { argument, options }: Choice,
  { hosts, hostsOn }: Attached,
  cables: TopologyRequest['cables'],
): TopologyRequest => ({ argument, options, cables, hosts, fabric: undefined, ...(hostsOn && { hostsOn }) });

/** How large the topology would be; undefined where only its file says so. */
function measuredSize(entry: TopologyEntry, request: TopologyRequest): TopologySize | undefined {
  return request.argument?.kind === 'file' ? undefined : entry.measure(request);
}

/** Switches of all copies of the network that rails have. */
const switchesWith = (rails: RailDescription | undefined, routers: number | undefined): number | undefined =>
  routers === undefined || rails?.separate !== true ? routers : routers * rails.count;

/** `rails`, `rail-optimised` and `rail-only`; undefined where nodes have one adapter, or something of it is wrong. */
function checkRails(properties: Properties, entry: TopologyEntry | undefined): RailDescription | undefined {
  const { scope } = properties;
  const count = properties.number('rails');
  const written = {
    rails: properties.get('rails'),
    optimised: properties.get('rail-optimised'),
    separate: properties.get('rail-only'),
  };
  if (entry !== undefined && !takesRails(scope, entry, written)) return undefined;
  const { optimised, separate } = written;
  if (optimised !== undefined && separate !== undefined) {
    const message = '`rail-only` and `rail-optimised` exclude each other: remove one.';
    scope.report(separate.word, 'does-not-apply', message, { fix: replace(separate, '') });
    return undefined;
  }
  const wiring = optimised ?? separate;
  if (wiring !== undefined && (count === undefined || count === 1)) {
    const message = `\`${wiring.word.text}\` has no effect without \`rails\` of 2 or more.`;
    scope.report(wiring.word, 'no-effect', message, { severity: 'warning', fix: replace(wiring, '') });
  }
  if (typeof count !== 'number') return undefined;
  return presentParts({ count, optimised: optimised && (true as const), separate: separate && (true as const) });
}

/** Whether nodes of a topology may have several rails, and wired so; reports where not. */
function takesRails(
  scope: Scope,
  entry: TopologyEntry,
  { rails, optimised, separate }: Readonly<Record<'rails' | 'optimised' | 'separate', PropertyNode | undefined>>,
): boolean {
  const rules = [
    [rails ?? optimised ?? separate, entry.name === 'cluster', 'whose nodes have one link'],
    [optimised, !hasTree(entry), 'which is not a tree of switches'],
    [separate, entry.defaultRouting === dimensionOrder, 'whose nodes are part of their routers'],
    [separate, entry.name === 'from', 'whose switches have names'],
  ] as const;
  for (const [property, isWrong, why] of rules) {
    if (property === undefined || !isWrong) continue;
    const message = `\`${property.word.text}\` does not fit \`topology ${entry.name}\`, ${why}: remove it.`;
    scope.report(property.word, 'does-not-apply', message, { fix: replace(property, '') });
    return false;
  }
  return true;
}

const hasTree = (entry: TopologyEntry): boolean => entry.linkGroups?.includes('tier') === true;

/** Compares the machine with the limits of the model before anything of that size is made. Whether it fits. */
function checkSize(
  scope: Scope,
  span: Span,
  measured: TopologySize | undefined,
  { coresPerNode = 1, slots }: Pick<MachineSize, 'coresPerNode' | 'slots'>,
): boolean {
  const { nodes, links } = measured ?? { nodes: 0, links: 0 };
  const message = tooLargeMachine('This machine', { nodes, slots: nodes * coresPerNode, links }, slots);
  if (message !== undefined) scope.report(span, 'machine-too-large', message);
  return message === undefined;
}

/**
 * Tries to build what has options or cables that may not go together: a network in two parts, a
 * fat tree with `k` and without `n`. A large one is left to the study. O(links), up to the limit.
 */
function checkStructure(
  scope: Scope,
  written: { readonly node: ChoiceNode | undefined; readonly links: readonly PropertyNode[]; readonly span: Span },
  entry: TopologyEntry,
  request: TopologyRequest,
  measured: TopologySize | undefined,
): void {
  // What a file holds is not known here.
  if (request.argument?.kind === 'file') return;
  const mayFail = entry.takesCables || entry.options.length > 0 || request.hostsOn !== undefined;
  // What has no size cannot be built, and says so at once.
  const isSmall = measured === undefined || Math.max(measured.links, measured.nodes) <= typingLinkLimit;
  if (!mayFail || !isSmall) return;
  const built = entry.build(request);
  if (built.ok) return;
  const { code, message, remedy } = built.failure;
  const cable = remedy === undefined ? undefined : addedCable(scope, remedy, written.links);
  const fix = code === 'missing-option' ? exampleFix(entry, written.node) : cable;
  const known = code in problemCodes ? (code as ProblemCode) : 'wrong-value';
  scope.report(written.span, known, message, { otherFixes: [fix] });
}

/** A cable on a line of its own behind the last one, as that one is indented. */
function addedCable({ text }: Scope, cable: string, links: readonly PropertyNode[]): Fix | undefined {
  const last = links.at(-1);
  if (last === undefined) return undefined;
  const before = text.slice(text.lastIndexOf('\n', last.start - 1) + 1, last.start);
  const between = /^\s*$/.test(before) ? `\n${before}` : ' ';
  return { title: `Write \`${cable}\``, start: last.end, end: last.end, text: between + cable };
}

/** Why there is no machine with one of the values of a number that is varied; undefined where there is one with each. */
export function faultOfVariedMachine(
  machine: MachineDescription,
  path: string,
  values: readonly number[],
): string | undefined {
  const { name } = machine.topology;
  const entry = findEntry(topologies, name);
  const option = entry?.options.find((one) => path === `machine.${one.name}`) ?? countOfMachine(path);
  if (entry === undefined || (option?.kind !== 'integer' && option?.kind !== 'number')) return undefined;
  const { minimum, maximum, kind } = option;
  const isRight = (value: number): boolean =>
    value >= minimum && value <= maximum && (kind === 'number' || Number.isInteger(value));
  const wrong = values.find((value) => !isRight(value));
  if (wrong !== undefined) {
    const numbers = kind === 'integer' ? 'whole numbers' : 'numbers';
    return `\`${path}\` cannot be ${wrong}: it takes ${numbers} from ${formatNumber(minimum)} to ${formatNumber(maximum)}.`;
  }
  const impossible = values.find((value) => {
    const { topology, cables, ...attached } = machineWithNumber(machine, path, value);
    return (
      topology.argument?.kind !== 'file' &&
      measuredSize(entry, requestWithoutFile(topology, attached, cables)) === undefined
    );
  });
  return impossible === undefined
    ? undefined
    : `\`${path}\` cannot be ${impossible}: \`topology ${name}\` does not exist with it.`;
}

/** `machine.cores`: what whole numbers it takes; undefined of what is no count. */
const countOfMachine = (path: string) =>
  ['machine.hosts', 'machine.sockets', 'machine.cores'].includes(path)
    ? ({ kind: 'integer', minimum: 1, maximum: countLimit } as const)
    : undefined;

const dimensionOrder = 'dimension-order';

/** Whether the routers of a topology stand in a grid of which its argument tells the sides. */
const hasCoordinates = ({ argument, linkGroups = [] }: TopologyEntry): boolean =>
  argument !== undefined && linkGroups.includes('axis');

/** The routing of a machine, checked against its topology; undefined where none is written or it is wrong. */
function checkRouting(
  properties: Properties,
  topology: TopologyEntry | undefined,
  topologyChoice: Choice | undefined,
  routers: number | undefined,
): Choice | undefined {
  const node = properties.choice('routing');
  if (node === undefined) return undefined;
  const { choice } = checkChoice(properties.scope, node, 'routing', routings);
  if (choice === undefined || topology === undefined) return choice;
  return fitsTopology(properties.scope, { node, choice }, topology, topologyChoice, routers) ? choice : undefined;
}

/** Whether a machine can be routed so in the place of its own routing; reports where not. */
export function checkRoutingOf(
  scope: Scope,
  written: { readonly node: ChoiceNode; readonly choice: Choice },
  { topology }: MachineDescription,
): boolean {
  const entry = findEntry(topologies, topology.name);
  return entry === undefined || fitsTopology(scope, written, entry, topology, topologyRouters(entry, topology));
}

/** Whether a routing is one of a topology; reports where not. What an order and a root name is reported and left. */
function fitsTopology(
  scope: Scope,
  { node, choice }: { readonly node: ChoiceNode; readonly choice: Choice },
  topology: TopologyEntry,
  topologyChoice: Choice | undefined,
  routers: number | undefined,
): boolean {
  if (choice.argument?.kind === 'file' && topology.argument?.kind !== 'file') {
    const message =
      `\`routing ${choice.name}\` needs a topology read from a file, not \`${topology.name}\`: ` +
      'write `topology from "FILE"`, or use `routing static`.';
    scope.report(node.name, 'does-not-apply', message);
    return false;
  }
  if (choice.name === dimensionOrder && !hasCoordinates(topology)) {
    const message =
      `\`${dimensionOrder}\` needs a topology with dimensions, not \`${topology.name}\`: ` +
      `remove it, or write \`routing ${topology.defaultRouting}\`.`;
    scope.report(node.name, 'does-not-apply', message, {
      fix: {
        title: `Change to \`${topology.defaultRouting}\``,
        start: node.start,
        end: node.end,
        text: topology.defaultRouting,
      },
    });
    return false;
  }
  if (topologyChoice !== undefined) checkOrder(scope, node, choice, dimensionsOf(topology, topologyChoice));
  checkRoot(scope, node, choice, routers);
  return true;
}

/** Axes that links may be named by: the sides of a shape, the number of a hypercube, those of the grid of a group. */
function dimensionsOf(topology: TopologyEntry, choice: Choice): number | undefined {
  const { argument } = choice;
  if (argument?.kind !== 'numbers') return topology.axes?.(choice);
  return topology.argument?.kind === 'shape' ? argument.numbers.length : argument.numbers[0];
}

function checkOrder(scope: Scope, node: ChoiceNode, choice: Choice, dimensions: number | undefined): void {
  const order = choice.options['order'];
  if (!Array.isArray(order) || dimensions === undefined) return;
  if (order.length === dimensions && order.every((axis: number) => axis < dimensions)) return;
  const axes = Array.from({ length: Math.min(dimensions, 16) }, (_, axis) => axisName(axis));
  const message = `\`order\` names each of the ${dimensions} axes once: ${axes.join(', ')}.`;
  scope.report(optionInParentheses(node, 'order') ?? node, 'wrong-dimensions', message);
}

function checkRoot(scope: Scope, node: ChoiceNode, choice: Choice, routers: number | undefined): void {
  const root = choice.options['root'];
  if (typeof root !== 'number' || routers === undefined || root < routers) return;
  const option = optionInParentheses(node, 'root');
  const message = `Root switch ${root} does not exist. Switches are 0 to ${formatNumber(routers - 1)}.`;
  if (option !== undefined) scope.report(option.values[0] ?? option, 'out-of-range', message);
}

/** Bandwidth, latency and the like of a machine; those that are wrong are reported and left out. */
function checkMachineFigures(
  properties: Properties,
  topology: TopologyEntry | undefined,
  topologyChoice: Choice | undefined,
): MachineFigures {
  const isGrid = topology?.linkGroups?.includes('axis') === true;
  const axes = topology && topologyChoice && isGrid ? dimensionsOf(topology, topologyChoice) : undefined;
  const links = linkFiguresOf(properties, { entry: topologyChoice && topology, axes });
  return {
    ...links,
    ...presentParts({
      memory: sound(properties.number('memory')),
      interface: sound(properties.number('interface')),
      switchTime: sound(properties.number('switch')),
      queuePair: queuePairOf(properties, topologyChoice),
    }),
  };
}

/** `queue-pair 1 us`, `queue-pair 1 KiB 2.95 us, 64 KiB 57.9 us`; undefined where it is absent or wrong. */
function queuePairOf(properties: Properties, topology: Choice | undefined): MachineFigures['queuePair'] | undefined {
  const property = properties.get('queue-pair');
  const { scope } = properties;
  const reader = properties.phrase(property);
  if (property === undefined || reader === undefined) return undefined;
  if (topology !== undefined && topology.name !== 'cluster') {
    const message = '`queue-pair` applies to `topology cluster` only. Remove it.';
    scope.report(property.word, 'no-effect', message, { severity: 'warning', fix: replace(property, '') });
  }
  const times: QueuePairTime[] = [];
  do {
    const time = queuePairTimeOf(scope, reader, times);
    if (time === undefined) return undefined;
    times.push(time);
  } while (reader.accept(','));
  return reader.finish() ? times : undefined;
}

const notNegative = { minimum: 0, maximum: Infinity };

/** `1 KiB 2.95 us`, behind smaller sizes; or, where nothing else is said, `1 us`. */
function queuePairTimeOf(
  scope: Scope,
  reader: PhraseReader,
  before: readonly QueuePairTime[],
): QueuePairTime | undefined {
  if (!reader.isSize) {
    const time = reader.amount('time', notNegative);
    if (time === undefined || (reader.done && before.length === 0)) return time && { bytes: 0, seconds: time.value };
    reader.fail();
    return undefined;
  }
  const size = reader.amount('size', notNegative);
  const time = reader.amount('time', notNegative);
  if (size === undefined || time === undefined) return undefined;
  if (size.value > (before.at(-1)?.bytes ?? -1)) return { bytes: size.value, seconds: time.value };
  scope.report(size, 'wrong-value', 'Sizes of `queue-pair` must ascend. Write the smaller size first.');
  return undefined;
}

/** The cables of `link 0 -- 2, 4, 9`: ends within the switches, none from a switch to itself. O(cables). */
function checkCables(
  scope: Scope,
  links: readonly PropertyNode[],
  topology: TopologyEntry | undefined,
  switches: number | undefined,
): readonly Cable[] {
  if (topology?.takesCables === false) return [];
  return links.flatMap((link) => declaredCables(scope, link, switches));
}

function declaredCables(scope: Scope, link: PropertyNode, switches: number | undefined): Cable[] {
  const { content } = link;
  if (content.kind !== 'link' || content.from === undefined) return [];
  const from = switchNumber(scope, content.from, switches);
  const speed = speedOfCables(scope, content.figures ?? []);
  const cables: Cable[] = [];
  for (const end of content.to) {
    const to = switchNumber(scope, end, switches);
    if (from === undefined || to === undefined) continue;
    if (from === to) {
      const message = `A link connects two different switches: ${from} is on both sides.`;
      scope.report(end, 'self-cable', message, { fix: withoutEnd(link, content.to, end) });
    } else cables.push({ from, to, ...speed });
  }
  return cables;
}

/** Takes one end out of `link 0 -- 1, 2` with its comma; the property where it is the only one. */
function withoutEnd(link: PropertyNode, ends: readonly NumberValue[], end: NumberValue): Fix {
  const at = ends.indexOf(end);
  const [before, after] = [ends[at - 1], ends[at + 1]];
  if (before !== undefined) return replace({ start: before.end, end: end.end }, '');
  return replace(after === undefined ? link : { start: end.start, end: after.start }, '');
}

function switchNumber(scope: Scope, node: NumberValue, switches: number | undefined): number | undefined {
  const all = { count: switches, most: Number.MAX_SAFE_INTEGER, are: 'the switches are' };
  const found = numberOfOne(scope, node, 'switch', all);
  return found?.isThere === true ? found.value : undefined;
}
