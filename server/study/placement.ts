import { appendAll } from '../model/lists.ts';
import { intAt, itemAt } from '../numeric/elements.ts';
import { allocators } from '../allocation/catalogue.ts';
import { mappers } from '../mapping/catalogue.ts';
import { shareNodes } from '../mapping/contention/shares.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem } from '../mapping/contract.ts';
import { asNodeId } from '../model/identifiers.ts';
import { watchedRandom, type WatchedRandom } from '../model/random.ts';
import { countOf } from '../model/quantities.ts';
import { findEntry, type Choice, type CatalogueEntry } from '../model/catalogue.ts';
import type { Job } from '../model/job.ts';
import type { Machine } from '../model/machine.ts';
import type { Allocation, ReportedJob, Mapping } from '../model/placement.ts';
import type { PlacementReport } from '../model/report.ts';
import { cancelled, cancelledCode, fail, succeed, type Failure, type Result } from '../model/result.ts';
import type { Allocations } from './allocations.ts';
import { nodeName } from '../network/names.ts';
import { usingRails } from '../network/rails.ts';
import { knownDistances, warningsAt } from './machines.ts';
import { measure } from './measurePlaced.ts';
import { keyOfSource, type GivenSource } from '../model/given.ts';
import { type GivenFor, givenSlice, givenTo } from './givenSlice.ts';
import {
  studyProblem,
  allocateOf,
  mapperChoice,
  needsOf,
  type PlacementDescription,
  type StudyProblem,
} from './program.ts';
import type { PlacementOutcome } from './report.ts';
import type { PlacedBefore, Run } from './run.ts';
import { randomFor } from './fingerprint.ts';
import { nodeOfSlot } from '../model/slots.ts';
import { nodesOfReferences } from '../network/faults.ts';
import { FreeSlots } from './freeSlots.ts';
import { misfitOfNeeds, refusalOfNeeds, tooFewSlots, warningsOfSockets } from './taskNeeds.ts';

/**
 * Places the jobs one after another, later ones on the slots that earlier ones left, and measures the whole. Jobs with
 * an allocation of their own are placed before the others, and so are jobs with a mapper of their own where the others
 * are mapped at once. Never fails: what went wrong is among the problems of the outcome.
 */
export function place(
  run: Run,
  placement: PlacementDescription,
  declared: Machine,
  jobs: readonly Job[],
  earlier: Allocations,
): PlacementOutcome {
  const machine = placement.rails === undefined ? declared : usingRails(declared, placement.rails);
  const excluded = nodesOfReferences(machine, placement.exclude ?? []);
  const placing: Placing = {
    run,
    placement,
    machine,
    jobs,
    earlier,
    free: new FreeSlots(machine, excluded.ok ? excluded.value : undefined),
    allocations: jobs.map(() => undefined),
    rooms: jobs.map(() => undefined),
    placed: jobs.map(() => undefined),
    notes: [],
    milliseconds: { allocate: 0, map: 0, evaluate: 0 },
  };
  if (!excluded.ok) return placementOutcome(placing, undefined, { failure: excluded.failure, property: 'exclude' });
  const refused = refusalOfNeeds(placing);
  if (refused !== undefined) return placementOutcome(placing, undefined, refused);
  const before = run.context.placedBefore?.(placement.name);
  const order = orderOfJobs(placement, jobs.length);
  const shared = order.filter((position) => placement.own?.[position]?.map === undefined);
  // Tasks that need cores beside their slot can be kept apart only where one job is mapped after the other.
  const isAlike = shared.every((position) => needsOf(placement, position) === undefined);
  const mapTogether = shared.length > 1 && isAlike ? findEntry(mappers, placement.map.name)?.mapTogether : undefined;
  const wrong =
    before !== undefined
      ? placeAsBefore(placing, before)
      : mapTogether === undefined
        ? placeInTurn(placing, order)
        : (placeInTurn(
            placing,
            order.filter((position) => !shared.includes(position)),
          ) ??
          placeTogether(
            placing,
            shared.sort((one, other) => one - other),
            mapTogether,
          ));
  if (wrong !== undefined) return placementOutcome(placing, undefined, wrong);
  const report = measure({ ...placing, placed: placing.placed.filter((job) => job !== undefined) });
  return report === undefined ? placementOutcome(placing, undefined, 'cancelled') : placementOutcome(placing, report);
}

/** A placement in progress: the jobs placed so far, the slots that they leave, and the time it took. */
interface Placing {
  readonly run: Run;
  readonly placement: PlacementDescription;
  readonly machine: Machine;
  readonly jobs: readonly Job[];
  readonly earlier: Allocations;
  readonly free: FreeSlots;
  /** By position. */
  readonly allocations: (Allocation | undefined)[];
  /** By position: how many tasks each node may have, by NodeId, where a file limits that. */
  readonly rooms: (Int32Array | undefined)[];
  /** By position; complete once every job is mapped. */
  readonly placed: (ReportedJob | undefined)[];
  readonly notes: string[];
  readonly milliseconds: { allocate: number; map: number; evaluate: number };
}

/** Positions are those of the program's own list of jobs. */
const jobAt = ({ jobs }: Pick<Placing, 'jobs'>, position: number): Job => itemAt(jobs, position);

/** A failure and the property of the placement that it belongs to. */
interface Misplacement {
  readonly failure: Failure;
  readonly property: 'allocate' | 'map' | 'exclude' | 'cores-per-task';
  /** The job whose own choice it is. */
  readonly job?: number;
}

/** Positions of the jobs, those with nodes of their own first: else an earlier job could take them. */
function orderOfJobs({ own = [] }: PlacementDescription, count: number): readonly number[] {
  const positions = Array.from({ length: count }, (_, position) => position);
  const hasNodes = (position: number): boolean => own[position]?.allocate !== undefined;
  return [...positions.filter(hasNodes), ...positions.filter((position) => !hasNodes(position))];
}

function placementOutcome(
  placing: Placing,
  report?: PlacementReport,
  wrong?: Misplacement | 'cancelled',
): PlacementOutcome {
  const { allocations, jobs, placement } = placing;
  const cancelled = wrong === 'cancelled' || (wrong !== undefined && wrong.failure.code === cancelledCode);
  const problems =
    wrong === undefined || wrong === 'cancelled' || cancelled
      ? []
      : [
          studyProblem(
            wrong.failure,
            {
              kind: 'placement',
              name: placement.name,
              property: wrong.property,
              ...(wrong.job === undefined ? {} : { job: wrong.job }),
            },
            placement.name,
          ),
        ];
  const told = cancelled ? [] : [...problems, ...warningsOfSockets(placing), ...warningsOfFiles(placing)];
  return { ...(report === undefined ? {} : { report }), problems: told, allocations, jobCount: jobs.length, cancelled };
}

/** What files of nodes and mappings hold and nobody reads: once for each file, at the property that names it first. */
function warningsOfFiles({ placement, run }: Placing): readonly StudyProblem[] {
  const asked = new Set<string>();
  const { name, own = [] } = placement;
  const choices = [{ job: undefined, choices: placement }, ...own.map((choices, job) => ({ job, choices }))];
  return choices.flatMap(({ job, choices }) =>
    (['allocate', 'map'] as const).flatMap((property) => {
      const argument = choices[property]?.argument;
      if (argument?.kind !== 'file' || asked.has(keyOfSource(argument))) return [];
      asked.add(keyOfSource(argument));
      const file = run.files.given(argument);
      const subject = { kind: 'placement', name, property, ...(job === undefined ? {} : { job }) } as const;
      return warningsAt(subject, 'mapping-file-warning', (file.ok && file.value.warnings) || []);
    }),
  );
}

/** Takes nodes and slots as they were found before, where they are what this placement can have. */
function placeAsBefore(placing: Placing, before: readonly PlacedBefore[]): Misplacement | undefined {
  const { machine, jobs, free } = placing;
  const refuse = (message: string): Misplacement => ({ failure: { code: 'not-placed-so', message }, property: 'map' });
  if (before.map(({ name }) => name).join() !== jobs.map(({ name }) => name).join()) {
    return refuse('The mapping to reuse has other jobs.');
  }
  for (const [position, { name, nodes, mapping, search }] of before.entries()) {
    const job = jobAt(placing, position);
    const isNode = (node: number): boolean => Number.isInteger(node) && node >= 0 && node < machine.nodeCount;
    if (mapping.length !== job.taskCount || !nodes.every(isNode)) {
      return refuse(
        `The mapping to reuse does not fit job \`${name}\`: it has ${countOf(mapping.length, 'task')}, or invalid nodes.`,
      );
    }
    const allocation = Int32Array.from(nodes);
    /** Of each slot whether the job may have it, and whether no task has it yet. */
    const isOpen = new Uint8Array(machine.slotCount);
    for (const slot of free.on(allocation)) isOpen[slot] = 1;
    const takes = (slot: number): boolean => {
      const may = isOpen[slot] === 1;
      isOpen[slot] = 0;
      return may;
    };
    if (!mapping.every(takes)) {
      return refuse(`The mapping to reuse has duplicate slots, or slots outside job \`${name}\`.`);
    }
    placing.allocations[position] = allocation;
    placing.rooms[position] = roomOf(placing, position);
    // Jobs may have been placed in another order: of other jobs nobody knows which came first.
    const slots = Int32Array.from(mapping);
    const excess =
      excessOnNode(placing, position, slots, () => 0) ??
      misfitOfNeeds(placing, position, slots, (slot) => free.isFree(slot));
    if (excess !== undefined) return refuse(excess);
    recordMapped(placing, position, allocation, {
      mapping: slots,
      notes: [],
      ...(search === undefined ? {} : { search }),
    });
  }
  return undefined;
}

function placeInTurn(placing: Placing, order: readonly number[]): Misplacement | undefined {
  for (const [step, position] of order.entries()) {
    const wrong = placeJob(placing, position, step);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Allocates the jobs at these positions, and maps them at once. */
function placeTogether(
  placing: Placing,
  positions: readonly number[],
  mapTogether: NonNullable<MapperEntry['mapTogether']>,
): Misplacement | undefined {
  const { milliseconds } = placing;
  const { now } = placing.run.context;
  const started = now();
  const allocations = allocateTogether(placing, positions);
  const allocated = now();
  milliseconds.allocate += allocated - started;
  if (!allocations.ok) return { failure: allocations.failure, property: 'allocate' };
  for (const [index, position] of positions.entries()) placing.allocations[position] = allocations.value[index];
  const problems = problemsOn(placing, positions, allocations.value);
  const context = mappingContext(placing, placing.placement.map, 0, { step: 0, of: 1 });
  const mapped = mapTogether(problems, context);
  milliseconds.map += now() - allocated;
  if (!mapped.ok) return { failure: mapped.failure, property: 'map' };
  appendAll(placing.notes, mapped.value.notes);
  for (const [index, answer] of mapped.value.answers.entries()) {
    const drewRandom = context.random.used;
    recordMapped(placing, itemAt(positions, index), itemAt(allocations.value, index), answer, { drewRandom });
  }
  return undefined;
}

/**
 * Nodes of all jobs, each as if it were alone, so that they share what both may have. Where they
 * cannot all be held so, a later job gets what the earlier ones would leave in the order of their nodes.
 */
function allocateTogether(placing: Placing, positions: readonly number[]): Result<readonly Allocation[]> {
  const alone = allocateAll(placing, positions, placing.free, () => undefined);
  if (!alone.ok || shareNodes(problemsOn(placing, positions, alone.value), () => true).fits) return alone;
  const left = new FreeSlots(placing.machine);
  for (const placed of placing.placed) if (placed !== undefined) left.take(placed.mapping);
  return allocateAll(placing, positions, left, (allocation, taskCount, position) => {
    left.take(left.on(allocation, { room: placing.rooms[position] }).subarray(0, taskCount));
  });
}

function allocateAll(
  placing: Placing,
  positions: readonly number[],
  free: FreeSlots,
  reserve: (allocation: Allocation, taskCount: number, position: number) => void,
): Result<readonly Allocation[]> {
  const allocations: Allocation[] = [];
  for (const position of positions) {
    const { taskCount } = jobAt(placing, position);
    const allocation = allocateJob(placing, position, free);
    if (!allocation.ok) return { ok: false, failure: inJob(placing, position, allocation.failure) };
    reserve(allocation.value, taskCount, position);
    allocations.push(allocation.value);
  }
  return succeed(allocations);
}

const problemsOn = (
  placing: Placing,
  positions: readonly number[],
  allocations: readonly Allocation[],
): MappingProblem[] => {
  const { machine, jobs, free, run } = placing;
  return allocations.map((allocation, index) => ({
    machine,
    job: itemAt(jobs, itemAt(positions, index)),
    allocation,
    slots: free.on(allocation, { room: placing.rooms[itemAt(positions, index)] }, run.context.cancellation),
  }));
};

/** Allocates and maps one job; `step` counts the jobs placed before it. */
function placeJob(placing: Placing, position: number, step: number): Misplacement | undefined {
  const { run, placement, milliseconds } = placing;
  const own = placement.own?.[position];
  const { now } = run.context;
  const started = now();
  const allocation = allocateJob(placing, position, placing.free);
  const allocated = now();
  milliseconds.allocate += allocated - started;
  if (!allocation.ok) {
    const failure = inJob(placing, position, allocation.failure);
    return { failure, property: 'allocate', ...(own?.allocate === undefined ? {} : { job: position }) };
  }
  placing.allocations[position] = allocation.value;
  run.context.progress(step / placing.jobs.length, `mapping ${jobAt(placing, position).name}`);
  const mapped = mapJob(placing, position, allocation.value, step);
  milliseconds.map += now() - allocated;
  if (mapped.ok) return undefined;
  const failure = inJob(placing, position, mapped.failure);
  return { failure, property: 'map', ...(own?.map === undefined ? {} : { job: position }) };
}

function allocateJob(placing: Placing, position: number, free: FreeSlots): Result<Allocation> {
  const { placement, machine, run } = placing;
  const job = jobAt(placing, position);
  const { name, argument, options } = allocateOf(placement, position);
  const entry = requireEntry(allocators, name, 'allocator');
  if (!entry.ok) return entry;
  const room = roomOf(placing, position);
  placing.rooms[position] = room;
  const needs = needsOf(placement, position);
  return entry.value.allocate({
    machine,
    taskCount: job.taskCount,
    ...(job.grid === undefined ? {} : { grid: job.grid }),
    freeCores: free.tasksWithin({ room, needs }),
    ...(needs === undefined ? {} : { needs }),
    argument,
    options,
    random: randomFor(placement.seed, 'allocate', position),
    cancellation: run.context.cancellation,
    givenFile: (source) => givenTo(run.files, { placement: placement.name, jobs: placing.jobs, position }, source),
    allocationOf: (other) => placing.earlier.of(other, placement, position),
  });
}

/** More placements do not refer to one another in a row. */
const mostReferences = 64;

/** How many tasks of a job may run on each node, as its allocator reads it; also where it takes the nodes of another placement. */
function roomOf({ placement, machine, run, jobs }: Placing, position: number): Int32Array | undefined {
  let [of, choice] = [placement, allocateOf(placement, position)];
  for (let references = 0; choice.name === 'same-as' && references < mostReferences; references++) {
    const { argument } = choice;
    const other = run.program.placements.find(({ name }) => argument?.kind === 'name' && name === argument.name);
    if (other === undefined) return undefined;
    of = other;
    choice = allocateOf(other, position);
  }
  const { argument } = choice;
  const givenFile = (source: GivenSource) => givenTo(run.files, { placement: of.name, jobs, position }, source);
  return findEntry(allocators, choice.name)?.room?.({ machine, argument, givenFile });
}

function mapJob(placing: Placing, position: number, allocation: Allocation, step: number): Result<void> {
  const { placement, machine, run, free, jobs } = placing;
  const job = jobAt(placing, position);
  const choice = mapperChoice(placement, position);
  const entry = requireEntry(mappers, choice.name, 'mapper');
  if (!entry.ok) return entry;
  const needs = needsOf(placement, position);
  const slots = slotsFor(placing, position, allocation);
  if (run.context.cancellation.isCancelled()) return cancelled();
  if (slots.length < job.taskCount)
    return fail('does-not-fit', tooFewSlots(placing, position, { nodes: allocation.length, slots: slots.length }));
  const { takesGivenSlots = false } = entry.value;
  const offered = takesGivenSlots ? free.on(allocation, {}, run.context.cancellation) : slots;
  const context = mappingContext(placing, choice, position, { step, of: jobs.length });
  const answer = entry.value.map(
    { machine, job, allocation, slots: offered, ...(takesGivenSlots && needs !== undefined && { firstSlots: slots }) },
    { ...context, ...givenSlice(choice.argument, run.files, mappedAlike(placing, position)) },
  );
  if (!answer.ok) return answer;
  const { mapping } = answer.value;
  const takenOn = (node: number): number => free.tasksOn(node);
  const excess = takesGivenSlots
    ? (excessOnNode(placing, position, mapping, takenOn) ??
      misfitOfNeeds(placing, position, mapping, (slot) => free.isFree(slot)))
    : undefined;
  if (excess !== undefined) return fail('given-not-free', excess);
  const firstSlots = needs === undefined ? undefined : takesGivenSlots ? mapping : slots;
  recordMapped(placing, position, allocation, answer.value, { drewRandom: context.random.used, firstSlots });
  return succeed(undefined);
}

/** Slots on which tasks of the job may begin; with `tasks-per-node even` exactly as many as it has tasks. */
function slotsFor(
  { placement, run, free, jobs, rooms }: Placing,
  position: number,
  allocation: Allocation,
): Int32Array {
  const needs = needsOf(placement, position);
  const limits = { room: rooms[position], needs };
  if (needs?.tasksPerNode !== 'even') return free.on(allocation, limits, run.context.cancellation);
  // Nodes of a list may have failed, or be excluded or full.
  const usable = allocation.filter((node) => intAt(free.cores, node) > 0);
  const { taskCount } = itemAt(jobs, position);
  const [each, more] = [Math.floor(taskCount / usable.length), taskCount % usable.length];
  return free.on(usable, limits, run.context.cancellation, (place) => each + (place < more ? 1 : 0));
}

/**
 * Why a mapping puts more tasks on a node than the file of the nodes gives it slots, if it does. `takenOn`: tasks of other jobs that are on a
 * node before. O(nodes + tasks).
 */
function excessOnNode(
  { machine, rooms }: Placing,
  position: number,
  mapping: Mapping,
  takenOn: (node: number) => number,
): string | undefined {
  const room = rooms[position];
  if (room === undefined) return undefined;
  const tasks = new Int32Array(machine.nodeCount);
  for (const slot of mapping) tasks[nodeOfSlot(machine, slot)] = intAt(tasks, nodeOfSlot(machine, slot)) + 1;
  const node = tasks.findIndex((count, id) => count > 0 && takenOn(id) + count > intAt(room, id));
  if (node < 0) return undefined;
  const all = countOf(takenOn(node) + intAt(tasks, node), 'task');
  return `The mapping has ${all} on ${nodeName(machine, asNodeId(node))}, but the file of \`allocate nodes\` has ${countOf(intAt(room, node), 'slot')}. Move tasks to other nodes.`;
}

/** The jobs to which the same mapper is given, and where among them the one at `position` stands. */
function mappedAlike(placing: Placing, position: number): GivenFor {
  const { placement, jobs } = placing;
  const { name, own = [] } = placement;
  if (own[position]?.map !== undefined) return { placement: name, jobs: [jobAt(placing, position)], position: 0 };
  const isShared = (other: number): boolean => own[other]?.map === undefined;
  return {
    placement: name,
    jobs: jobs.filter((_, other) => isShared(other)),
    position: jobs.slice(0, position).filter((_, other) => isShared(other)).length,
  };
}

/** What a mapper gets for the job at `position`. */
function mappingContext(
  { run, placement, jobs }: Placing,
  { argument, options }: Choice,
  position: number,
  { step, of: steps }: { readonly step: number; readonly of: number },
): MappingContext & { readonly random: WatchedRandom } {
  const { files, context } = run;
  return {
    argument,
    givenFile: (source) => givenTo(files, { placement: placement.name, jobs, position }, source),
    options,
    random: watchedRandom(randomFor(placement.mapSeed ?? placement.seed, 'map', position)),
    cancellation: context.cancellationOfMapper?.(placement.name) ?? context.cancellation,
    now: context.now,
    ...(context.workerPool === undefined ? {} : { workerPool: context.workerPool }),
    equivalentDistances: (of) => knownDistances(context.cache, of),
    progress: (share, message, search) => {
      context.progress((step + share) / steps, message, search);
    },
  };
}

function recordMapped(
  placing: Placing,
  position: number,
  allocation: Allocation,
  answer: MappingAnswer,
  {
    drewRandom = false,
    firstSlots = answer.mapping,
  }: { readonly drewRandom?: boolean; readonly firstSlots?: Int32Array | undefined } = {},
): void {
  const { mapping, notes, search } = answer;
  const job = jobAt(placing, position);
  const room = placing.rooms[position];
  const needs = needsOf(placing.placement, position);
  placing.free.take(mapping, needs?.coresPerTask, placing.run.context.cancellation);
  placing.placed[position] = {
    job,
    allocation,
    mapping,
    ...(room === undefined ? {} : { room }),
    ...(needs === undefined ? {} : { needs, firstSlots }),
    allocator: allocateOf(placing.placement, position).name,
    mapper: mapperChoice(placing.placement, position).name,
    ...(drewRandom ? { drewRandom } : {}),
    ...(search === undefined ? {} : { search }),
  };
  appendAll(
    placing.notes,
    notes.map((note) => (placing.jobs.length > 1 ? `${job.name}: ${note}` : note)),
  );
}

/** The entry of that name, for programs that no checker has seen. */
function requireEntry<Entry extends CatalogueEntry>(
  catalogue: readonly Entry[],
  name: string,
  what: 'allocator' | 'mapper',
): Result<Entry> {
  const entry = findEntry(catalogue, name);
  return entry === undefined ? fail(`unknown-${what}`, `The ${what} \`${name}\` does not exist.`) : succeed(entry);
}

/** With several jobs the message says which one it is about. */
const inJob = (placing: Placing, position: number, failure: Failure): Failure =>
  placing.jobs.length > 1 && failure.code !== cancelledCode
    ? { code: failure.code, message: `Job \`${jobAt(placing, position).name}\`: ${failure.message}` }
    : failure;
