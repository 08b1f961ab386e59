/**
 * What a program takes of memory, before it is taken: the plan that adds it up, and estimates for machines, jobs and
 * placements.
 */
import { mappers } from '../mapping/catalogue.ts';
import { tableSiteLimit } from '../optimisation/problem/siteCosts.ts';
import { findEntry, type Choice } from '../model/catalogue.ts';
import type { Machine } from '../model/machine.ts';
import { seededRandom } from '../model/random.ts';
import { fail, type Failure } from '../model/result.ts';
import type { MachineDescription, TopologySize } from '../network/contract.ts';
import { knownDistanceLimit } from '../network/distances/knownDistances.ts';
import { hopRowMemory } from '../network/routings/graphRouting.ts';
import { routingEntryOf } from '../network/machine.ts';
import { jobCollectives, skeletons } from '../simulation/workloads/catalogue.ts';
import { collectivePairBound } from '../simulation/workloads/collectiveTraffic.ts';
import { trainingPairBound } from '../simulation/workloads/trainingTraffic.ts';
import { patterns } from '../traffic/catalogue.ts';
import type { PatternRequest } from '../traffic/contract.ts';
import { pairLimit } from '../traffic/pairs.ts';
import {
  mapperChoice,
  type JobDescription,
  type PlacementDescription,
  type Program,
  type StudyFiles,
} from './program.ts';

/**
 * Bytes that one program may take, by the estimates below. What runs beside it (the runtime, the text,
 * memory that was let go but not yet collected) comes on top: the process stays below 2 GB.
 */
export const memoryLimit = 1.5 * 2 ** 30;

const tooMuchMemory = 'too-much-memory';

/** Something that a program keeps in memory until its study is over. */
export interface Claim {
  /** Claims of one key are one thing, which is counted once. */
  readonly key: string;
  /** As the message names it: "job `heat`". */
  readonly what: string;
  readonly bytes: number;
}

const nothing: Claim = { key: '', what: 'nothing', bytes: 0 };

/**
 * Adds up what a program takes before it is taken. Claims depend on the program alone, never on what a
 * cache holds, so that the same program is refused or not on every run.
 */
export class MemoryPlan {
  readonly #claims = new Map<string, Claim>();
  #held = 0;

  /** Takes all the claims, or none where they and `passing`, which is let go afterwards, are too much. */
  claim(subject: string, claims: readonly Claim[], passing: Claim = nothing): Failure | undefined {
    const fresh = new Map(claims.filter(({ key }) => !this.#claims.has(key)).map((claim) => [claim.key, claim]));
    const sum = [...fresh.values()].reduce((bytes, claim) => bytes + claim.bytes, 0);
    const needed = this.#held + sum + passing.bytes;
    if (needed > memoryLimit) return tooMuch(subject, needed, [...this.#claims.values(), ...fresh.values(), passing]);
    for (const [key, claim] of fresh) this.#claims.set(key, claim);
    this.#held += sum;
    return undefined;
  }
}

/** How many of the largest claims a message names. */
const namedClaims = 3;

function tooMuch(subject: string, needed: number, claims: readonly Claim[]): Failure {
  const most = claims
    .filter(({ bytes }) => bytes >= needed / 20)
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, namedClaims)
    .map(({ what, bytes }) => `${what} ${formatSize(bytes)}`)
    .join(', ');
  return fail(
    tooMuchMemory,
    `${subject} needs about ${formatSize(needed)} of memory, including memory in use; the limit is ${formatSize(memoryLimit)}: ${most}. Use fewer tasks or nodes, or several files.`,
  ).failure;
}

const formatSize = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toPrecision(3)} GiB` : `${Math.ceil(bytes / 2 ** 20)} MiB`;

/** Per directed link, router and node of a topology, measured on the largest tori with room to spare. */
const topologyBytes = { perLink: 12, perRouter: 16, perNode: 8 };
/** Per directed link of a routing that searches a graph of states, in both directions. */
const graphBytesPerLink = 40;

/** What a machine keeps: its links, its nodes, and the hops between routers where its routing tabulates them. */
export function machineClaim(
  key: string,
  { routers, nodes, links }: TopologySize,
  description: MachineDescription,
): Claim {
  const table = isTabulated(description) ? Math.min(2 * routers ** 2, hopRowMemory) + graphBytesPerLink * links : 0;
  const { perLink, perRouter, perNode } = topologyBytes;
  return {
    key,
    what: `machine \`${description.name}\``,
    bytes: perLink * links + perRouter * routers + perNode * nodes + table,
  };
}

const isTabulated = (description: MachineDescription): boolean => routingEntryOf(description)?.searchesGraph === true;

/** Of a job's traffic: per ordered pair its partner and its bytes, per task where its pairs begin. */
const trafficBytes = { perPair: 12, perTask: 4 };
/** More while it is made: the sender of each pair, and what a task sends to each other. */
const makingBytes = { perPair: 4, perTask: 12 };
/** A list that does not come in the order of its senders stands in memory twice while it is sorted. */
const bytesPerTablePair = 32;

/** Partners of a task of a skeleton, those with all-to-all messages left out. */
const partnersOfSkeletons = 64;

const hasAllPairs = ({ name }: Choice): boolean =>
  findEntry(skeletons, name)?.options.some((option) => option.name === 'all-to-all') === true;

function pairsOfCollective({ name, argument, options }: Choice, taskCount: number): number {
  const entry = findEntry(jobCollectives, name);
  const size = argument?.kind === 'numbers' ? argument.numbers.length : taskCount;
  return entry === undefined ? 0 : collectivePairBound(entry, size, options);
}

const pairsOfPattern = (
  { name, options }: Choice,
  job: Pick<PatternRequest, 'taskCount' | 'grid' | 'periodic'>,
): number => findEntry(patterns, name)?.pairBound({ ...job, random: seededRandom(0), options }) ?? 0;

/** The ordered pairs that the traffic of a job has at most; 0 where another limit refuses it. */
export function maximumPairs({ source, taskCount, grid, periodic }: JobDescription, files: StudyFiles): number {
  const pairs = ((): number => {
    switch (source.kind) {
      case 'stencil':
        return taskCount * source.stencil.offsets.length;
      case 'pattern':
        return pairsOfPattern(source.choice, { taskCount, ...(grid && { grid }), periodic });
      case 'table':
        return source.entries.from.length;
      case 'table-file': {
        const table = files.table(source.uri, source.format);
        return table.ok ? table.value.from.length : 0;
      }
      case 'trace': {
        const trace = files.trace(source.uri, source.format, source.options);
        return trace.ok ? trace.value.workload.kinds.length : 0;
      }
      case 'collective':
        return pairsOfCollective(source.choice, taskCount);
      case 'parallelism':
        return trainingPairBound(taskCount, source.step);
      case 'skeleton':
        // Those that send all to all have all pairs, others partners in a few directions.
        return hasAllPairs(source.choice) ? taskCount ** 2 : partnersOfSkeletons * taskCount;
    }
  })();
  return pairs > pairLimit ? 0 : pairs;
}

function jobClaim(key: string, description: JobDescription, files: StudyFiles): Claim {
  const isTable = 'entries' in description.source || 'uri' in description.source;
  const perPair = isTable ? bytesPerTablePair : trafficBytes.perPair;
  const bytes = perPair * maximumPairs(description, files) + trafficBytes.perTask * description.taskCount;
  return { key, what: `job \`${description.name}\``, bytes };
}

/** Of a report, per directed link and per task and node that it has. */
const reportBytes = { perLink: 8, perTask: 12, perNode: 4 };
/** While a placement is made and measured. */
const passingBytes = { perLink: 12, perTask: 40, perSlot: 24 };

/** What a placement keeps: its report. */
function reportClaim(placement: PlacementDescription, size: TopologySize, tasks: number): Claim {
  const { perLink, perTask, perNode } = reportBytes;
  return {
    key: `placement ${placement.name}`,
    what: `the report of \`${placement.name}\``,
    bytes: perLink * size.links + perTask * tasks + perNode * size.nodes * placement.jobs.length,
  };
}

/** What a placement takes only while its jobs are made, and then while it is worked out: by its mapper, and for the link loads. */
function passingClaim(
  placement: PlacementDescription,
  size: TopologySize & { readonly slots: number },
  jobs: readonly { readonly tasks: number; readonly pairs: number }[],
): Claim {
  const { perLink, perTask, perSlot } = passingBytes;
  // Jobs are mapped one after another, each by a mapper of its own perhaps.
  const costs = jobs.map(({ pairs }, position) => {
    const mapper = mapperChoice(placement, position).name;
    return { mapper, bytes: (findEntry(mappers, mapper)?.bytesPerPair ?? 0) * pairs };
  });
  const most = costs.reduce((one, other) => (other.bytes > one.bytes ? other : one), {
    mapper: placement.map.name,
    bytes: 0,
  });
  // A search tabulates what a byte between two nodes costs, in two bytes each.
  const table = most.bytes > 0 ? 2 * Math.min(size.nodes, tableSiteLimit) ** 2 : 0;
  const tasks = jobs.reduce((sum, job) => sum + job.tasks, 0);
  const making = jobs.reduce(
    (sum, job) => Math.max(sum, makingBytes.perPair * job.pairs + makingBytes.perTask * job.tasks),
    0,
  );
  return {
    key: `evaluating ${placement.name}`,
    what: `evaluating \`${placement.name}\` with mapper \`${most.mapper}\``,
    bytes: Math.max(making, perLink * size.links + perTask * tasks + perSlot * size.slots + most.bytes + table),
  };
}

/** Equivalent distances between all routers, where pairs have several routes: of a grid, those from one router. */
function distancesClaim(key: string, { name, topology, routing }: Machine): Claim {
  const { routerCount, wraps } = topology;
  const pairs = routing.singlePath || wraps !== undefined ? routerCount : routerCount ** 2 / 2;
  return {
    key: `distances ${key}`,
    what: `the equivalent distances of machine \`${name}\``,
    bytes: 8 * Math.min(pairs, knownDistanceLimit),
  };
}

/** What of a run says what placements take. */
interface Planned {
  readonly program: Program;
  readonly files: StudyFiles;
  readonly memory: MemoryPlan;
  readonly context: { readonly keepsNoReports?: true };
}

/** What a placement needs beside its machine: its jobs, distances and report, and what it lets go again. */
export function placementRefusal(
  { program, files, memory, context }: Planned,
  placement: PlacementDescription,
  machine: Machine,
  machineKey: string,
): Failure | undefined {
  const jobs = placement.jobs.flatMap((name) => program.jobs.get(name) ?? []);
  const sizes = jobs.map((job) => ({ tasks: job.taskCount, pairs: maximumPairs(job, files) }));
  const { nodeCount: nodes, slotCount: slots, topology } = machine;
  const size = { routers: topology.routerCount, nodes, slots, links: topology.links.linkCount };
  const tasks = sizes.reduce((sum, job) => sum + job.tasks, 0);
  const claims = [
    ...jobs.map((job) => jobClaim(trafficKey(job, placement.seed), job, files)),
    distancesClaim(machineKey, machine),
  ];
  const [report, passing] = [reportClaim(placement, size, tasks), passingClaim(placement, size, sizes)];
  const subject = `Placement \`${placement.name}\``;
  return context.keepsNoReports
    ? memory.claim(subject, claims, { ...passing, bytes: passing.bytes + report.bytes })
    : memory.claim(subject, [...claims, report], passing);
}

/** Traffic that draws random numbers is another one under each seed. */
function trafficKey({ name, source }: JobDescription, seed: number): string {
  const isRandom = source.kind === 'pattern' && findEntry(patterns, source.choice.name)?.isRandom === true;
  return isRandom ? `job ${name} seed ${seed}` : `job ${name}`;
}
