/**
 * What every export for a launcher is written of: the slot, node, host, cores and GPU of each rank, and what launchers have in common. Ranks are
 * tasks, numbered through the jobs in their order.
 */
import { coresOfSlot, type CoreRange } from '../../model/nodeInside.ts';
import type { Machine } from '../../model/machine.ts';
import type { PlacedJob } from '../../model/placement.ts';
import type { Metrics, PlacementReport } from '../../model/report.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import { coreOfSlot, nodesOfSlots } from '../../model/slots.ts';
import { inOrderOfNames } from '../../network/names.ts';
import { searchEndTexts } from '../../model/words.ts';
import { metricValue, type PlacementMetric } from '../../model/metricEntry.ts';
import { placementMetric } from '../../model/metrics.ts';
import { commandWith, type CommandLine } from '../../model/commandLine.ts';
import type { ExportedText, ExportOptions } from '../contract.ts';
import { chooseHosts, faultOfRoom } from './hosts.ts';

export interface Launch {
  readonly report: PlacementReport;
  readonly machine: Machine;
  readonly rankCount: number;
  /** SlotId and NodeId of each rank. */
  readonly slotOfRank: Int32Array;
  readonly nodeOfRank: Int32Array;
  /** Nodes that ranks run on, ascending. */
  readonly nodes: readonly number[];
  /** The GPU of each rank by its number on the node; present where tasks run on GPUs. */
  readonly gpuOfRank?: Int32Array;
  /** How many cores each rank takes, its slot the first of them; present where some take more than one. */
  readonly coresOfRanks?: Int32Array;
}

/** A launch by the names of hosts. */
export interface NamedLaunch extends Launch {
  /** By NodeId, of every node that ranks run on. */
  readonly hosts: readonly (string | undefined)[];
  /** Names are made up: a remark for the file, as a sentence. */
  readonly remarks: readonly string[];
  /** Of the names, a sentence each. */
  readonly warnings: readonly string[];
}

/** The ranks of all jobs. Fails with `slot-used-twice`. O(ranks · log(ranks)). */
export function launchOf(report: PlacementReport): Result<Launch> {
  const { machine, jobs } = report;
  const rankCount = jobs.reduce((count, { mapping }) => count + mapping.length, 0);
  const slotOfRank = new Int32Array(rankCount);
  const coresOfRanks = jobs.some(({ needs }) => needs?.coresPerTask !== undefined)
    ? new Int32Array(rankCount).fill(1)
    : undefined;
  let rank = 0;
  for (const { mapping, needs } of jobs) {
    slotOfRank.set(mapping, rank);
    coresOfRanks?.fill(needs?.coresPerTask ?? 1, rank, rank + mapping.length);
    rank += mapping.length;
  }
  const fault = faultOfSlots(slotOfRank, machine.slotCount);
  if (fault !== undefined) return fail('slot-used-twice', fault);
  const nodeOfRank = nodesOfSlots(machine, slotOfRank);
  const nodes = Array.from(new Set(nodeOfRank)).sort((a, b) => a - b);
  const gpus = machine.inside.slots === 'gpus' && {
    gpuOfRank: slotOfRank.map((slot) => coreOfSlot(machine, slot)),
  };
  const cores = coresOfRanks && { coresOfRanks };
  return succeed({ report, machine, rankCount, slotOfRank, nodeOfRank, nodes, ...gpus, ...cores });
}

/** Most launchers would bind two ranks to one core and say nothing. */
function faultOfSlots(slotOfRank: Int32Array, slotCount: number): string | undefined {
  /** One more than the rank; 0 where there is none. */
  const rankOfSlot = new Int32Array(slotCount);
  for (let rank = 0; rank < slotOfRank.length; rank++) {
    const slot = slotOfRank[rank] ?? 0;
    const other = (rankOfSlot[slot] ?? 0) - 1;
    if (other >= 0) {
      return `Ranks ${other} and ${rank} share slot ${slot}. A launcher needs a core for each rank.`;
    }
    rankOfSlot[slot] = rank + 1;
  }
  return undefined;
}

/**
 * The ranks of all jobs by the names of their hosts. Fails with `bad-hosts` too, where names are not one for each node, and with
 * `host-too-small` where the file of the names says that a host has fewer slots than ranks are on it.
 */
export function namedLaunchOf(
  report: PlacementReport,
  { hosts, slotsOfHosts, wayToName = '' }: ExportOptions = {},
): Result<NamedLaunch> {
  const launch = launchOf(report);
  if (!launch.ok) return launch;
  const chosen = chooseHosts(report, hosts);
  if (!chosen.ok) return chosen;
  const { names, origin, doubt, warnings: doubts = [] } = chosen.value;
  const tooSmall = faultOfRoom(launch.value, names, slotsOfHosts);
  if (tooSmall !== undefined) return fail('host-too-small', tooSmall);
  if (origin !== 'placeholders') {
    const advised = doubts.map((sentence) => `${sentence} Give the real names${wayToName}.`);
    return succeed({ ...launch.value, hosts: names, warnings: advised, remarks: [] });
  }
  const example = names[0] ?? '';
  const remarks = [`Host names are placeholders: ${example} is node 0.`];
  const placeholders = `Host names are placeholders (${example} is node 0). Give the real names${wayToName}, one per allocated node or one per node of the machine.`;
  const warnings = [doubt === undefined ? placeholders : `${doubt} ${placeholders}`];
  return succeed({ ...launch.value, hosts: names, warnings, remarks });
}

/** The host of a rank. */
export const hostOfRank = ({ hosts, nodeOfRank }: NamedLaunch, rank: number): string =>
  hosts[nodeOfRank[rank] ?? 0] ?? '';

/**
 * The nodes as launchers count them that are told no hosts, with a warning where that is not the order of their numbers.
 * O(nodes · log(nodes)).
 */
export function byNames({ nodes, hosts }: NamedLaunch): {
  readonly nodes: readonly number[];
  readonly warnings: readonly string[];
} {
  const ordered = inOrderOfNames(nodes, (node) => hosts[node] ?? '');
  const at = ordered.findIndex((node, position) => node !== nodes[position]);
  if (at < 0) return { nodes, warnings: [] };
  const name = (node: number | undefined): string => hosts[node ?? 0] ?? '';
  return {
    nodes: ordered,
    warnings: [
      `Launchers sort hosts by name, so ${name(ordered[at])} is number ${at}, before ${name(nodes[at])}. The machine has the opposite order.`,
    ],
  };
}

/** Cores that a rank may be bound to, counted on its socket: one, those beside its GPU, or as many as a task needs, of each socket that it has some of. */
export function coresOfRank({ machine, slotOfRank, coresOfRanks }: Launch, rank: number): readonly CoreRange[] {
  const first = coreOfSlot(machine, slotOfRank[rank] ?? 0);
  const ranges: CoreRange[] = [];
  for (let slot = first; slot < first + (coresOfRanks?.[rank] ?? 1); slot++) {
    const range = coresOfSlot(machine.inside, slot);
    const before = ranges.at(-1);
    if (before?.socket === range.socket) ranges[ranges.length - 1] = { ...before, last: range.last };
    else ranges.push(range);
  }
  return ranges;
}

/** `3`, `0-7`. */
export const coreRangeText = ({ first, last }: CoreRange): string =>
  first === last ? String(first) : `${first}-${last}`;

/**
 * What a rank may be bound to by the numbers of the operating system, ascending: all hardware threads of its cores, where a file says
 * them. Else its cores counted through the node, sockets one after the other: logical numbers of hwloc, which those of the system mostly
 * are on nodes of one socket, see {@link doubtOfSystemNumbers}.
 */
export function processorsOfRank(launch: Launch, rank: number): readonly number[] {
  const { coresOfSockets, systemNumbers } = launch.machine.inside;
  const numbers = coresOfRank(launch, rank).flatMap(({ socket, first, last }) => {
    const known = systemNumbers?.[socket]?.slice(first, last + 1).flat();
    if (known !== undefined) return known;
    const before = coresOfSockets.slice(0, socket).reduce((sum, cores) => sum + cores, 0);
    return Array.from({ length: last - first + 1 }, (_, at) => before + first + at);
  });
  return numbers.sort((a, b) => a - b);
}

/** Whether ranks are to be bound at all: not to cores that nobody has stated, and a node of one core leaves nothing to choose. */
export const isBound = ({ machine }: Launch): boolean =>
  machine.inside.coresUnstated !== true && machine.coresPerNode > 1;

/** Ranks of each used node, ascending; by NodeId in ascending order. O(ranks). */
export function ranksOfNodes({ nodes, nodeOfRank }: Launch): ReadonlyMap<number, readonly number[]> {
  const ranks = new Map<number, number[]>(nodes.map((node) => [node, []]));
  for (const [rank, node] of nodeOfRank.entries()) ranks.get(node)?.push(rank);
  return ranks;
}

/** Consecutive ranks on one node. */
export interface Run {
  readonly node: number;
  readonly first: number;
  readonly count: number;
}

/** The ranks cut into runs on one node, in their order. O(ranks). */
export function nodeRuns({ nodeOfRank }: Launch): readonly Run[] {
  const runs: { node: number; first: number; count: number }[] = [];
  for (const [rank, node] of nodeOfRank.entries()) {
    const last = runs.at(-1);
    if (last?.node === node) last.count++;
    else runs.push({ node, first: rank, count: 1 });
  }
  return runs;
}

/** Runs on neighbouring nodes with as many ranks as each other: the first node, how many there are, and the ranks of each. */
export type RunBlock = readonly [node: number, nodes: number, ranks: number];

/** Runs as such blocks, the longest there are. `numberOf`: of a node, as the launcher counts them. O(runs). */
export function blocksOfRuns(runs: readonly Run[], numberOf: (node: number) => number): readonly RunBlock[] {
  const blocks: [node: number, nodes: number, ranks: number][] = [];
  for (const { node, count } of runs) {
    const number = numberOf(node);
    const last = blocks.at(-1);
    if (last?.[2] === count && last[0] + last[1] === number) last[1]++;
    else blocks.push([number, 1, count]);
  }
  return blocks;
}

/** Cores of the k-th rank of a node, where a launcher binds that alike on all nodes. */
export interface CommonBinding {
  /** Processors of each rank of the node with most ranks, see {@link processorsOfRank}. */
  readonly processors: readonly (readonly number[])[];
  /** Two nodes that differ: then the launcher cannot bind as the placement says. */
  readonly differing?: readonly [number, number];
}

/** What the nodes of a launch have in common where their ranks are counted on each node, ascending. O(ranks). */
export function commonBindingOf(launch: Launch): CommonBinding {
  const ranks = ranksOfNodes(launch);
  const [fullest = 0] = Array.from(ranks.keys()).sort((a, b) => ranks.get(b)!.length - ranks.get(a)!.length || a - b);
  const processors = ranks.get(fullest)!.map((rank) => processorsOfRank(launch, rank));
  for (const [node, own] of ranks) {
    const differs = own.some((rank, at) => processorsOfRank(launch, rank)[0] !== processors[at]?.[0]);
    if (differs) return { processors, differing: [fullest, node] };
  }
  return { processors };
}

/** A launcher that binds the k-th rank of every node alike, and two nodes whose ranks are on other cores. */
export const cannotBind = (launcher: string, [one, other]: readonly [number, number], { hosts }: NamedLaunch): string =>
  `${launcher} binds the k-th rank of every node alike; ${hosts[one] ?? ''} and ${hosts[other] ?? ''} use different cores. Ranks are on the right nodes, but not bound to cores.`;

/** Of launchers that take numbers of the operating system for cores. */
export function doubtOfSystemNumbers(launcher: string, { machine }: Launch): readonly string[] {
  const { systemNumbers, coresUnstated } = machine.inside;
  if (systemNumbers !== undefined || coresUnstated) return [];
  if (machine.socketsPerNode === 1 || machine.coresPerNode === 1) return [];
  return [
    `${launcher} needs the core numbers of the operating system; these count socket by socket. Compare them with \`hwloc-calc --li --po -I pu core:all\` on a node.`,
  ];
}

/** Most warnings of jobs that start as one program. */
export function doubtOfJobs(report: PlacementReport, what: string): readonly string[] {
  const { jobs } = report;
  if (jobs.length === 1) return [];
  return [
    `${what} starts one program, but ranks count through all jobs (${rangesOfJobs(jobs).join('; ')}). Start the jobs as one, separated by ':'.`,
  ];
}

/** `job a: ranks 0 to 15`, ranks being numbered through the jobs. */
function rangesOfJobs(jobs: readonly PlacedJob[]): string[] {
  let first = 0;
  return jobs.map(({ job }) => {
    const range = `job ${job.name}: ranks ${first} to ${first + job.taskCount - 1}`;
    first += job.taskCount;
    return range;
  });
}

/** `Open MPI 5: mpirun …`. */
const commandText = (command: CommandLine): string => `${command.of}: ${commandWith(command)}`;

/** Lines of one text of {@link linesOfRanks}. */
const linesPerText = 4096;

/** A line for each rank, many of them in one text: millions of short texts would take gigabytes. O(ranks). */
export function linesOfRanks(rankCount: number, lineOf: (rank: number) => string): readonly string[] {
  return Array.from({ length: Math.ceil(rankCount / linesPerText) }, (_, text) => {
    const first = text * linesPerText;
    const count = Math.min(linesPerText, rankCount - first);
    return Array.from({ length: count }, (_line, at) => lineOf(first + at)).join('\n');
  });
}

/** What a file for a launcher holds. */
interface LaunchFile {
  /** Each one line, or several with ends between them. */
  readonly lines: readonly string[];
  readonly commands: readonly CommandLine[];
  readonly warnings: readonly string[];
  /** Sentences that stand in the header alone. */
  readonly remarks?: readonly string[];
}

/** Each with an end behind it. Joined at once: to add the last one would make a second text of hundreds of megabytes. */
export const joinLines = (lines: readonly string[]): string => [...lines, ''].join('\n');

/** The text of a file below a header of `#` lines that says what it is of and how it is used. */
export function commented(
  report: PlacementReport,
  options: ExportOptions | undefined,
  { lines, commands, warnings, remarks = [] }: LaunchFile,
): ExportedText {
  const header = [...headerLines(report, options?.file), ...commands.map(commandText), ...remarks];
  return { text: joinLines([...header.map((line) => `# ${line}`), ...lines]), warnings, commands };
}

/** The text of a file that holds nothing but what is read. */
export const bare = ({ lines, commands, warnings }: LaunchFile): ExportedText => ({
  text: joinLines(lines),
  warnings,
  commands,
});

/** What tells two mappings of one seed apart. */
const headerMetrics = [placementMetric('hopBytes'), placementMetric('maximumLinkLoad')];

/** `hop-bytes 3072`: without a unit and not rounded, for programs. */
const exactly = (entry: PlacementMetric, metrics: Metrics): string =>
  `${(entry.label ?? entry.key).toLowerCase()} ${String(metricValue(entry, metrics))}`;

/**
 * What an exported mapping is of, so that a file says by itself what made it and whether another run would make it
 * again: for formats that have comments, without their marks. One line per job last. O(jobs).
 */
export function headerLines(report: PlacementReport, file: string | undefined): readonly string[] {
  const { name, machine, seed, metrics, jobs } = report;
  const of = file === undefined ? '' : ` of ${file.replace(/\s+/g, ' ')}`;
  const ranges = rangesOfJobs(jobs);
  return [
    `Placement ${name}${of} on machine ${machine.name}, by Placewright.`,
    [`seed ${seed}`, ...headerMetrics.map((metric) => exactly(metric, metrics))].join(', '),
    ...jobs.map(({ allocator, mapper, search }, index) => {
      const chosen = search?.chosen === undefined ? '' : `, which chose ${search.chosen.name}`;
      const made = `, allocate ${allocator}, map ${mapper}${chosen}`;
      const cutShort = search?.end === 'time' || search?.end === 'stopped' ? `: ${searchEndTexts[search.end]}` : '';
      return `${ranges[index] ?? ''}${made}${cutShort}`;
    }),
  ];
}
