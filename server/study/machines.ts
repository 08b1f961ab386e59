import { leastOf } from '../model/lists.ts';
import { countOf, formatNumber, rootsText } from '../model/quantities.ts';
/**
 * The machines of a program: built or taken from the cache (`buildMachines`), described for hovers (`machineFacts`),
 * with the problems of their declarations and files, and of networks that placements name on them.
 */
import type { FabricWarning } from '../model/fabric.ts';
import type { ForwardingDump } from '../model/forwarding.ts';
import { linkLimit, slotLimit, type Machine } from '../model/machine.ts';
import { socketsText } from '../model/nodeInside.ts';
import { cancelledCode, type Result, type Failure } from '../model/result.ts';
import type { MachineDescription, MachineFiles } from '../network/contract.ts';
import { fingerprintOfDump } from '../network/routings/fromTables.ts';
import { fabricOfMachine } from '../network/fabricParts.ts';
import { machineFactsOf } from '../network/facts.ts';
import { buildMachine, measureMachine } from '../network/machine.ts';
import type { StudyCache } from './cache.ts';
import { fingerprintOfText, fingerprintOf } from '../numeric/fingerprint.ts';
import { machineClaim } from './memory.ts';
import type { InsideFacts, MachineFacts, MachineDetails } from './report.ts';
import type { Run } from './run.ts';
import { asNodeId, asRouterId } from '../model/identifiers.ts';
import { arrowText } from '../model/words.ts';
import { nodeName, routerName } from '../network/names.ts';
import { studyProblem, type StudyProblem, type Subject } from './program.ts';
import { possibleDeadlock, unsimulatedLatency } from '../simulation/engines.ts';
import { usingRails } from '../network/rails.ts';
import { KnownDistances } from '../network/distances/knownDistances.ts';

/** Everything a machine depends on, as text: its declaration and what its files hold. */
export function machineKey({ files, context }: Run, description: MachineDescription): string {
  const { topology, nodeFile } = description;
  const fabric = topology.argument?.kind === 'file' ? files.fabric(topology.argument.uri, topology.format) : undefined;
  const node = nodeFile === undefined ? undefined : files.nodeShape(nodeFile);
  const text = (held: unknown): string => fingerprintOfText(JSON.stringify(held));
  return JSON.stringify([
    description,
    contentHash(context.cache, fabric, text),
    contentHash(context.cache, tablesOf(files, description), fingerprintOfDump),
    node,
  ]);
}

/** The forwarding tables that a machine is routed by, where its declaration names a file of them. */
function tablesOf(files: MachineFiles, { routing }: MachineDescription): Result<ForwardingDump> | undefined {
  return routing?.argument?.kind === 'file' ? files.forwarding(routing.argument.uri, routing.format) : undefined;
}

/** A fabric can have thousands of cables: what a file holds is hashed once for each time it is read. */
function contentHash<Held extends object>(
  { fingerprints }: StudyCache,
  read: Result<Held> | undefined,
  hash: (held: Held) => string,
): string | undefined {
  if (read === undefined) return undefined;
  const held = read.ok ? read.value : read.failure;
  const content = fingerprints.get(held) ?? (read.ok ? hash(read.value) : JSON.stringify(held));
  fingerprints.set(held, content);
  return content;
}

/**
 * All machines of the program, by name. One that cannot be built is reported here, once.
 */
export function buildMachines(run: Run): ReadonlyMap<string, Result<Machine>> {
  const built = new Map<string, Result<Machine>>();
  for (const [name, description] of run.program.machines) {
    const key = machineKey(run, description);
    const machine = memoryRefusal(run, description, key) ?? rememberedMachine(run, description, key);
    built.set(name, machine);
    if (machine.ok) keepDistances(run.context.cache, machine.value);
    if (!machine.ok && machine.failure.code === cancelledCode) continue;
    for (const problem of problemsOfMachine(run, description, machine)) run.problems.add(problem);
  }
  return built;
}

/** A machine whose declaration says how large it is must fit in memory beside those before it. */
function memoryRefusal(
  { files, memory }: Run,
  description: MachineDescription,
  key: string,
): Result<never> | undefined {
  const size = measureMachine(description, files);
  // What is above the limits of a machine is refused with those.
  if (size === undefined || size.slots > slotLimit || size.links > linkLimit) return undefined;
  const failure = memory.claim(`Machine \`${description.name}\``, [machineClaim(key, size, description)]);
  return failure && { ok: false, failure };
}

function rememberedMachine({ files, context }: Run, description: MachineDescription, key: string): Result<Machine> {
  const { machines } = context.cache;
  const machine = machines.get(key) ?? buildMachine(description, files, context.cancellation);
  if (machine.ok || machine.failure.code !== cancelledCode) machines.set(key, machine);
  return machine;
}

/** Facts for hovers of every machine that stands; fewer where the run is cancelled. */
export function machineFacts(run: Run, machines: ReadonlyMap<string, Result<Machine>>): readonly MachineFacts[] {
  const { cache, cancellation } = run.context;
  const facts: MachineFacts[] = [];
  for (const [name, machine] of machines) {
    if (!machine.ok) continue;
    const description = run.program.machines.get(name)!;
    const key = machineKey(run, description);
    const known = cache.machineFacts.get(key) ?? factsWithDetails(run, description, machine.value);
    if (cancellation.isCancelled()) return facts;
    cache.machineFacts.set(key, known);
    for (const problem of problemsOfRouting(description, known)) run.problems.add(problem);
    facts.push(known);
  }
  return facts;
}

const factsWithDetails = (run: Run, description: MachineDescription, machine: Machine): MachineFacts => ({
  ...machineFactsOf(machine, run.context.cancellation),
  details: machineDetails(run, description, machine),
});

/** Names that are given as examples. */
const exampleCount = 3;
/** Hosts whose names are offered where a node may be written. */
const mostHostNames = 4096;

/** What the graph of a machine and its files add to its figures. O(routers). */
function machineDetails({ files }: Run, description: MachineDescription, machine: Machine): MachineDetails {
  const { tiers, groups, names } = machine.topology;
  const fabric = fabricOfMachine(description, files);
  const node = description.nodeFile === undefined ? undefined : files.nodeShape(description.nodeFile);
  const tables = tablesOf(files, description);
  return {
    inside: insideFacts(machine),
    ...(tiers && { tiers: countsByNumber(tiers) }),
    ...(groups && { groups: countsByNumber(groups).length }),
    ...(fabric?.ok === true && { format: fabric.value.format }),
    ...(tables?.ok === true && { tablesFormat: tables.value.format }),
    ...(node?.ok === true && { numaNodes: node.value.numaNodes }),
    ...(names && { names: machineNames(machine, exampleCount) }),
    ...(names && { hostNames: machineNames(machine, mostHostNames).nodes }),
  };
}

/** What a node is made of, and how far apart that is. O(slots + classes²). */
function insideFacts({ inside }: Pick<Machine, 'inside'>): InsideFacts {
  const { coresOfSockets, gpus, distances, railOfSlot } = inside;
  const { classCount = 0, between = new Float64Array(), toRails } = distances ?? {};
  const rails = (toRails?.length ?? 0) / Math.max(1, classCount);
  const near =
    toRails &&
    Array.from({ length: classCount }, (_, gpu) => leastOf(toRails.subarray(gpu * rails, (gpu + 1) * rails)));
  return {
    sockets: socketsText(coresOfSockets),
    ...(gpus && { gpus }),
    ...(classCount > 1 && { between: leastMeanMost(between.filter((hops) => hops > 0)) }),
    ...(near && { toAdapters: leastMeanMost(near) }),
    ...(gpus && railOfSlot && { railOfGpu: Array.from(railOfSlot) }),
  };
}

/** The least, the mean and the most. */
function leastMeanMost(values: ArrayLike<number>): readonly [number, number, number] {
  let [least, sum, most] = [Infinity, 0, 0];
  for (const value of Array.from(values))
    [least, sum, most] = [Math.min(least, value), sum + value, Math.max(most, value)];
  return values.length === 0 ? [0, 0, 0] : [least, sum / values.length, most];
}

/** How many routers are of tier or group 0, 1, …. */
function countsByNumber(numbers: Int32Array): readonly number[] {
  const counts: number[] = [];
  for (const number of numbers) counts[number] = (counts[number] ?? 0) + 1;
  return Array.from(counts, (count: number | undefined) => count ?? 0);
}

function machineNames(machine: Machine, most: number): NonNullable<MachineDetails['names']> {
  const first = (count: number) => Array.from({ length: Math.min(count, most) }, (_, id) => id);
  return {
    routers: first(machine.topology.routerCount).map((id) => routerName(machine, asRouterId(id))),
    nodes: first(machine.nodeCount).map((id) => nodeName(machine, asNodeId(id))),
  };
}

/** Warnings about one file that are shown; further ones are counted. */
const shownWarnings = 5;

/** What is wrong with a machine, where its declaration causes it, and what its files leave in doubt. */
function problemsOfMachine(
  run: Run,
  description: MachineDescription,
  machine: Result<Machine>,
): readonly StudyProblem[] {
  const warnings = [
    ...fabricWarnings(run, description),
    ...forwardingWarnings(run, description, machine),
    ...nodeWarnings(run, description),
  ];
  if (machine.ok) return warnings;
  const property = propertyToBlame(run, description, machine.failure);
  return [studyProblem(machine.failure, machineSubject(description, property)), ...warnings];
}

const machineSubject = ({ name }: MachineDescription, property: string): Subject => ({
  kind: 'machine',
  name,
  property,
});

const routingCodes = new Set([
  'unknown-root',
  'roots-apart',
  'foreign-forwarding',
  'broken-forwarding',
  'no-such-path',
  'conflicting-options',
  'unknown-routing',
  'too-many-routers',
  'routing-does-not-fit',
  'invalid-axis-order',
]);

const railCodes = new Set(['does-not-apply', 'rails-do-not-fit']);

/** Of what is taken out, and of what is left. */
const faultCodes = new Set([
  'no-such-switch',
  'no-such-cable',
  'no-such-host',
  'bad-hostlist',
  'out-of-range',
  'disconnected',
  'no-hosts',
]);

/** Whether the file of the forwarding tables cannot be read, and that of the fabric can. */
function isTablesFault(files: MachineFiles, description: MachineDescription): boolean {
  if (fabricOfMachine(description, files)?.ok === false) return false;
  return tablesOf(files, description)?.ok === false;
}

/** What can go wrong with one property alone. */
const propertyOfCode: ReadonlyMap<string, 'cores' | 'names'> = new Map([
  ['cores-beside-file', 'cores'],
  ['names-do-not-fit', 'names'],
]);

/** The property that a machine cannot be built for: of the file of its nodes, its routing, what does not work or its topology. */
function propertyToBlame(
  { files }: Run,
  description: MachineDescription,
  { code }: Failure,
): 'node' | 'cores' | 'routing' | 'hosts' | 'names' | 'rails' | 'without' | 'topology' {
  const { nodeFile, routing, hosts, faults, rails } = description;
  const own = propertyOfCode.get(code);
  if (own !== undefined) return own;
  if (nodeFile !== undefined && (!files.nodeShape(nodeFile).ok || code === 'no-gpus' || code === 'bad-node'))
    return 'node';
  if (isTablesFault(files, description)) return 'routing';
  if (routing !== undefined && routingCodes.has(code)) return 'routing';
  if (faults !== undefined && faultCodes.has(code)) return 'without';
  // The file itself has hosts.
  if (rails !== undefined && railCodes.has(code)) return 'rails';
  return code === 'does-not-apply' && hosts !== undefined ? 'hosts' : 'topology';
}

function fabricWarnings({ files }: Run, description: MachineDescription): readonly StudyProblem[] {
  const fabric = fabricOfMachine(description, files);
  if (fabric?.ok !== true) return [];
  const { warnings, routing, format } = fabric.value;
  const isOther = routing !== undefined && description.routing === undefined;
  const advice = `Traffic uses all shortest paths; ${format} uses others. Write \`routing ${routing ?? ''}\`.`;
  const all = isOther ? [...warnings, { message: advice }] : warnings;
  return warningsAt(machineSubject(description, 'topology'), 'fabric-warning', all);
}

/** Of the file, and of what came of it on this fabric. */
function forwardingWarnings(
  { files }: Run,
  description: MachineDescription,
  machine: Result<Machine>,
): readonly StudyProblem[] {
  const tables = tablesOf(files, description);
  if (tables?.ok !== true) return [];
  const { routing, rails: { network } = {} } = machine.ok ? machine.value : {};
  const doubts = [...tables.value.warnings, ...((network ?? routing)?.doubts ?? [])];
  return warningsAt(machineSubject(description, 'routing'), 'forwarding-warning', doubts);
}

function nodeWarnings({ files }: Run, description: MachineDescription): readonly StudyProblem[] {
  if (description.nodeFile === undefined) return [];
  const node = files.nodeShape(description.nodeFile);
  if (!node.ok) return [];
  const { warnings, countsThreads } = node.value;
  const all =
    countsThreads && description.coresInFile === undefined ? [...warnings, { message: threadsAreCounted }] : warnings;
  return warningsAt(machineSubject(description, 'node'), 'node-warning', all);
}

const threadsAreCounted =
  'Processing units count as cores. With several threads per core, write the number of cores per socket behind `cores`.';

const problemsOfRouting = (description: MachineDescription, facts: MachineFacts): readonly StudyProblem[] => [
  ...problemsOfRoots(description, facts),
  ...problemsOfLanes(description, facts),
];

/** Switches that are named of a circle. */
const shownSwitches = 6;

/**
 * Tables that lead packets in a circle with one lane, which switches do not keep from it by themselves: those of tori, dragonflies and
 * adaptive networks do, DFSSSP brings its lanes along, and Ethernet drops what waits.
 */
function problemsOfLanes(description: MachineDescription, { routing, lanes }: MachineFacts): readonly StudyProblem[] {
  if (lanes?.circle === undefined || lanes.rule !== 'routes' || !tablesOfOneLane.includes(routing)) return [];
  const { circle } = lanes;
  const [first = ''] = circle;
  const shown = circle.length > shownSwitches ? [...circle.slice(0, shownSwitches), '…', first] : [...circle, first];
  const length = circle.length > shownSwitches ? ` (${countOf(circle.length, 'link')})` : '';
  const need = lanes.lanes === undefined ? 'several' : formatNumber(lanes.lanes);
  const [tables, help] =
    routing === 'from'
      ? [
          'these forwarding tables',
          'OpenSM `dfsssp` and `lash` also need virtual lanes, which dump files do not contain.',
        ]
      : [`\`${routing}\``, '`dfsssp` assigns virtual lanes; `up-down` needs one.'];
  return [
    {
      severity: 'warning',
      code: 'possible-deadlock',
      message:
        `Possible deadlock with ${tables}: cyclic channel dependency ${arrowText(...shown)}${length}. ` +
        `Needs ${need} virtual lanes, with routes spread over them. ${help}`,
      subject: machineSubject(description, description.routing === undefined ? 'topology' : 'routing'),
    },
  ];
}

/** Routings by tables that know nothing of lanes. */
const tablesOfOneLane: readonly string[] = ['static', 'fat-tree', 'from'];

/** Up/down routing from fewer roots than the network has: they carry what all could. */
function problemsOfRoots(
  description: MachineDescription,
  { roots = [], idleRoots }: MachineFacts,
): readonly StudyProblem[] {
  if (idleRoots === undefined) return [];
  const others =
    idleRoots === 1 ? '1 other top-level switch is not a root' : `${idleRoots} other top-level switches are not roots`;
  return [
    {
      severity: 'warning',
      code: 'single-root',
      message: `\`up-down\` uses only ${rootsText(roots)}; ${others}. Write \`routing up-down\` without \`root\` to use all.`,
      subject: machineSubject(description, description.routing === undefined ? 'topology' : 'routing'),
    },
  ];
}

/** The first few warnings of a file, the last of them with how many more there are. */
export function warningsAt(
  subject: Subject,
  code: string,
  warnings: readonly FabricWarning[],
): readonly StudyProblem[] {
  const more = warnings.length - shownWarnings;
  return warnings.slice(0, shownWarnings).map(({ line, message }, index) => {
    const place = line === undefined ? '' : `Line ${line}: `;
    const rest = more > 0 && index === shownWarnings - 1 ? `And ${more} more of this file.` : '';
    return { severity: 'warning', code, message: `${place}${message}${rest}`, subject };
  });
}

/**
 * The equivalent distances of a machine that earlier runs have worked out, and a place for more;
 * undefined where the routing does not tell its routes. They depend on routes and cables alone, so
 * a machine that has got more cores or another name finds its own again.
 */
export function knownDistances(cache: StudyCache, machine: Machine): KnownDistances | undefined {
  const key = routesKey(cache, machine);
  if (key === undefined) return undefined;
  const known = cache.distances.get(key) ?? KnownDistances.of(machine);
  if (known !== undefined) cache.distances.set(key, known);
  return known;
}

/** Says that the distances of a machine are still of use: placements that have not changed do not ask for them. */
function keepDistances(cache: StudyCache, machine: Machine): void {
  const key = routesKey(cache, machine);
  if (key !== undefined) cache.distances.get(key);
}

/** O(steps), once for each time that a machine is built. */
function routesKey({ fingerprints }: StudyCache, { topology, routing }: Machine): string | undefined {
  const { graph } = routing;
  if (graph === undefined) return undefined;
  const { from, to, routerLinkCount } = topology.links;
  const { routerOf, startOf, firstStep, stepLink, stepTo } = graph;
  const ends = [from.subarray(0, routerLinkCount), to.subarray(0, routerLinkCount)];
  const content = fingerprints.get(graph) ?? fingerprintOf(...ends, routerOf, startOf, firstStep, stepLink, stepTo);
  fingerprints.set(graph, content);
  return JSON.stringify([routing.kind, routing.symmetric, topology.kind, topology.shape, content]);
}

/** What each placement's network may come to, and what it leaves out. Of a cancelled run those that were found. */
export function problemsOfNetworks(run: Run, machines: ReadonlyMap<string, Result<Machine>>): readonly StudyProblem[] {
  const { program, context } = run;
  const problems: StudyProblem[] = [];
  for (const { name, machine: machineName, rails } of program.placements) {
    const network = program.networks?.get(name);
    const description = program.machines.get(machineName);
    const machine = machines.get(machineName);
    if (network === undefined || description === undefined || machine?.ok !== true) continue;
    const { switching, channels, routing, bubble } = network;
    const key = JSON.stringify([machineKey(run, description), rails, switching, channels, routing, bubble]);
    const declared = machine.value;
    const used = rails === undefined ? declared : usingRails(declared, rails);
    const risk = context.cache.networkRisks.get(key) ?? {
      message: possibleDeadlock(network, used, context.cancellation)?.message,
    };
    if (context.cancellation.isCancelled()) return problems;
    context.cache.networkRisks.set(key, risk);
    const of = { subject: { kind: 'placement', name, property: 'simulate' }, placement: name } as const;
    const latency = unsimulatedLatency(network, used);
    if (latency !== undefined)
      problems.push({ code: 'latency-not-simulated', message: latency, severity: 'warning', ...of });
    if (risk.message !== undefined)
      problems.push({ code: 'possible-deadlock', message: risk.message, severity: 'warning', ...of });
  }
  return problems;
}
