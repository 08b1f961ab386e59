import { countOf } from '../../model/quantities.ts';
import { intAt, itemAt } from '../../numeric/elements.ts';
import { sortedByKey } from '../../numeric/grouping.ts';
import type { GivenHosts, GivenNodes, GivenSource } from '../../model/given.ts';
import { asNodeId } from '../../model/identifiers.ts';
import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import { cancelled, fail, succeed, type Result } from '../../model/result.ts';
import { slotsOfCoordinates } from '../../network/givenCoordinates.ts';
import { inOrderOfNames, nodeName, nodesOfHosts } from '../../network/names.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { coresText, slotNoun, slotOfCore } from '../../model/nodeInside.ts';
import { nodeOfSlot } from '../../model/slots.ts';

/** Scores a mapping that was made elsewhere. */
export const given: MapperEntry = {
  name: 'given',
  summary: 'a mapping made elsewhere: one slot per task, as a list, or a file that tells where ranks run',
  source: 'Placewright',
  details:
    'Entry i is the slot of task i. Slot = node · (sockets · cores) + core; on one-core nodes it is the node. ' +
    'Slots must be allocated to the job and all different. With several jobs, the entries of the next job ' +
    'follow. The format of a file is detected, or named after `as`. Formats: such a list; an Open MPI rankfile; ' +
    'our own JSON and CSV; the host of each rank (one per line, hostfiles with `slots=N` or `:N`, with the cores ' +
    'of Hydra or LSF, the output of `srun -l hostname`, `mpirun --display-map`, `mpirun --report-bindings` or ' +
    '`flux job taskmap --to=hosts`); a map file of Blue Gene; a rank order of Cray MPICH; a task map of Flux; a ' +
    'mapping file of Scotch. If a file names only hosts or nodes, the ranks of a node use its free cores in ' +
    'order. A rank with several cores uses the first free one of them. Rank orders and task maps count the ' +
    'allocated nodes in the order of their names.',
  argument: {
    kind: 'integer-list-or-file',
    summary: 'the slot of each task',
    required: true,
    minimum: 0,
    describes: 'mapping',
  },
  options: [],
  complexity: 'O(n)',
  scaling: 'linear',
  takesGivenSlots: true,
  map: (problem, context) => {
    const { argument } = context;
    if (argument?.kind === 'numbers') return givenMappingAnswer(problem, argument.numbers, context.cancellation);
    if (argument?.kind === 'file') return mapFile(problem, context, argument);
    return fail(
      'missing-argument',
      '`map given` needs the slot of each task. Example: `given [0..15]` or `given "mapping.txt"`.',
    );
  },
};

function mapFile(problem: MappingProblem, context: MappingContext, source: GivenSource): Result<MappingAnswer> {
  const file = context.givenFile(source);
  if (!file.ok) return file;
  switch (file.value.kind) {
    case 'slots':
      return givenMappingAnswer(problem, file.value.slots, context.cancellation);
    case 'job':
      return givenMappingAnswer(problem, file.value.mapping, context.cancellation);
    case 'coordinates': {
      const slots = slotsOfCoordinates(problem.machine, file.value);
      return slots.ok ? givenMappingAnswer(problem, slots.value, context.cancellation) : slots;
    }
    case 'nodes': {
      const slots = slotsOfNumbers(problem, file.value);
      if (!slots.ok) return slots;
      const isOpen = problem.machine.coresPerNode > 1;
      return givenMappingAnswer(
        problem,
        slots.value,
        context.cancellation,
        isOpen ? [slotsInOrder(slotNoun(problem.machine.inside.slots))] : [],
      );
    }
    case 'hosts': {
      const slots = slotsOfRanks(problem, file.value);
      if (!slots.ok) return slots;
      const isOpen = problem.machine.coresPerNode > 1 && file.value.firstCoreOfRank.includes(-1);
      return givenMappingAnswer(
        problem,
        slots.value,
        context.cancellation,
        isOpen ? [slotsInOrder(slotNoun(problem.machine.inside.slots))] : [],
      );
    }
  }
}

const slotsInOrder = (noun: string): string =>
  `The file leaves ${noun}s open: the ranks of a host take its free ${noun}s in order.`;

/** Checks length, range, allocation and repetition, and names the first task that is wrong. O(n). */
function givenMappingAnswer(
  problem: MappingProblem,
  numbers: ArrayLike<number>,
  cancellation: Cancellation,
  notes: readonly string[] = [],
): Result<MappingAnswer> {
  const { job, machine, slots } = problem;
  if (numbers.length !== job.taskCount) return wrongLength(problem, numbers.length, 'slot');
  const meter = new WorkMeter(cancellation);
  const isFree = new Uint8Array(machine.slotCount);
  for (const slot of slots) {
    isFree[slot] = 1;
    if (meter.isCancelledAfter(1)) return cancelled();
  }
  /** One more than the task; 0 where there is none. */
  const holder = new Int32Array(machine.slotCount);
  const mapping = new Int32Array(job.taskCount);
  for (let task = 0; task < job.taskCount; task++) {
    const slot = numbers[task]!;
    if (!Number.isInteger(slot) || slot < 0 || slot >= machine.slotCount) return outOfRange(problem, task, slot);
    if (isFree[slot] === 0) return notAllocated(problem, task, slot);
    if (holder[slot] !== 0) return givenTwice(intAt(holder, slot) - 1, task, slot);
    holder[slot] = task + 1;
    mapping[task] = slot;
    if (meter.isCancelledAfter(1)) return cancelled();
  }
  return succeed({ mapping, notes });
}

/**
 * Slots of ranks that a file puts on hosts: the core that it names, else the next free one of the host that it
 * names for no other rank. O(ranks + slots). Fails with the line.
 */
function slotsOfRanks(problem: MappingProblem, file: GivenHosts): Result<Int32Array> {
  const { job } = problem;
  const ranks = file.isRoom ? Math.min(job.taskCount, file.hostOfRank.length) : file.hostOfRank.length;
  if (ranks !== job.taskCount) return wrongLength(problem, ranks, 'rank');
  const nodes = nodesOfRanks(problem, file);
  if (!nodes.ok) return nodes;
  const mapping = new Int32Array(ranks).fill(-1);
  const named = namedCores(problem, file);
  for (let rank = 0; rank < ranks; rank++) {
    if (intAt(named, rank) < 0) continue;
    const slot = namedSlot(problem, file, rank, intAt(nodes.value, rank));
    if (!slot.ok) return slot;
    mapping[rank] = slot.value;
  }
  const fault = takeFirstOfRanges(problem, file, nodes.value, mapping);
  if (fault !== undefined) return fault;
  const open = new OpenSlots(problem, mapping);
  for (let rank = 0; rank < ranks; rank++) {
    if (mapping[rank] !== -1) continue;
    const slot = open.take(intAt(nodes.value, rank));
    if (slot === undefined) return hostIsFull(problem, file, rank, intAt(nodes.value, rank));
    mapping[rank] = slot;
  }
  return succeed(mapping);
}

/**
 * Ranks with several cores in a row, as threads need them, take the first of these that is free; those with the fewest choose first. Where
 * none is free, they stay open. Answers what is wrong with the first core of a rank. O(ranks · cores).
 */
function takeFirstOfRanges(
  problem: MappingProblem,
  { socketOfRank, coreOfRank, firstCoreOfRank, lastCoreOfRank, lineOfRank }: GivenHosts,
  nodes: Int32Array,
  mapping: Int32Array,
): Result<never> | undefined {
  const { machine, slots } = problem;
  // Slots that are one for each node, or beside GPUs, are not chosen by cores.
  if (machine.coresPerNode === 1 || machine.inside.slots !== 'cores') return undefined;
  const hasRange = (rank: number): boolean => intAt(coreOfRank, rank) < 0 && intAt(firstCoreOfRank, rank) >= 0;
  const ranges = Int32Array.from(mapping.keys()).filter(hasRange);
  if (ranges.length === 0) return undefined;
  const isFree = new Uint8Array(machine.slotCount);
  for (const slot of slots) isFree[slot] = 1;
  for (const slot of mapping) if (slot >= 0) isFree[slot] = 0;
  const longest = machine.coresPerNode;
  const lengths = mapping.map((_, rank) =>
    Math.min(longest, intAt(lastCoreOfRank, rank) - intAt(firstCoreOfRank, rank)),
  );
  for (const rank of sortedByKey(ranges, lengths, longest + 1)) {
    const [socket, first] = [intAt(socketOfRank, rank), intAt(firstCoreOfRank, rank)];
    if (slotOfCore(machine.inside, socket, first) === undefined)
      return noSuchCore(problem, intAt(lineOfRank, rank), rank, socket, first);
    const base = intAt(nodes, rank) * machine.coresPerNode;
    for (let core = first; core <= intAt(lastCoreOfRank, rank); core++) {
      const onNode = slotOfCore(machine.inside, socket, core);
      if (onNode === undefined) break;
      if (isFree[base + onNode] === 0) continue;
      mapping[rank] = base + onNode;
      isFree[base + onNode] = 0;
      break;
    }
  }
  return undefined;
}

/**
 * Slots of ranks whose nodes a file numbers: the free cores of each node in the order of the ranks, or of their positions.
 * O(ranks · log(ranks) + slots).
 */
function slotsOfNumbers(problem: MappingProblem, file: GivenNodes): Result<Int32Array> {
  const { job, machine, allocation } = problem;
  const { counted, numbers, perNode = machine.coresPerNode } = file;
  if (numbers.length !== job.taskCount) return wrongLength(problem, numbers.length, 'rank');
  const named = inOrderOfNames([...allocation], (node) => nodeName(machine, asNodeId(node)));
  const mapping = new Int32Array(numbers.length);
  const open = new OpenSlots(problem, new Int32Array());
  const ranks = Int32Array.from(numbers.keys());
  const farthest = numbers.reduce((most, number) => Math.max(most, number), 0);
  for (const rank of counted === 'positions' ? sortedByKey(ranks, numbers, farthest + 1) : ranks) {
    const number = intAt(numbers, rank);
    const node = counted === 'machine' ? number : named[counted === 'job' ? number : Math.floor(number / perNode)];
    if (node === undefined || node >= machine.nodeCount) return noSuchNode(problem, rank, file);
    const slot = open.take(node);
    if (slot === undefined) return nodeIsFull(problem, rank, node);
    mapping[rank] = slot;
  }
  return succeed(mapping);
}

function noSuchNode({ machine, job, allocation }: MappingProblem, rank: number, file: GivenNodes): Result<never> {
  const number = intAt(file.numbers, rank);
  if (file.counted === 'machine') {
    return fail(
      'given-out-of-range',
      `Rank ${rank} is on node ${number}, but machine \`${machine.name}\` has nodes 0 to ${machine.nodeCount - 1}.`,
    );
  }
  const place =
    file.counted === 'job'
      ? `node ${number}`
      : `position ${number}, ${file.perNode ?? machine.coresPerNode} on a node,`;
  return fail(
    'given-out-of-range',
    `Rank ${rank} is on ${place} of those allocated, but job \`${job.name}\` has ${allocation.length} nodes.`,
  );
}

function nodeIsFull({ machine, allocation, job }: MappingProblem, rank: number, node: number): Result<never> {
  const name = nodeName(machine, asNodeId(node));
  if (!allocation.includes(node)) {
    return fail(
      'given-not-allocated',
      `Rank ${rank} is on ${name} (node ${node}), which is not allocated to job \`${job.name}\`. Add it with \`allocate nodes [...]\`.`,
    );
  }
  return fail(
    'given-not-free',
    `No free core for rank ${rank} on ${name}, which has ${machine.coresPerNode}. The file has too many ranks there, or another job uses its cores.`,
  );
}

/** The node of each rank of the job; only hosts that it uses must be of the machine. */
function nodesOfRanks(problem: MappingProblem, file: GivenHosts): Result<Int32Array> {
  const { job, machine, allocation } = problem;
  const hostOfRank = file.hostOfRank.subarray(0, job.taskCount);
  const used = Array.from(new Set(hostOfRank));
  const isCounted = file.hosts.some((host) => host.startsWith('+n'));
  const allocated = isCounted ? inOrderOfNames([...allocation], (node) => nodeName(machine, asNodeId(node))) : [];
  const names = used.map((host) => {
    const name = itemAt(file.hosts, host);
    const node = name.startsWith('+n') ? allocated[Number(name.slice(2))] : undefined;
    return node === undefined ? name : nodeName(machine, asNodeId(node));
  });
  const beyond = names.findIndex((name) => name.startsWith('+n'));
  if (beyond >= 0) {
    const line = intAt(file.lineOfRank, hostOfRank.indexOf(itemAt(used, beyond)));
    const message = `Line ${line}: ${itemAt(names, beyond)} is beyond the ${allocation.length} allocated nodes of job \`${job.name}\`, which count from 0.`;
    return fail('given-out-of-range', message);
  }
  const nodes = nodesOfHosts(machine, names, (at) => file.lineOfRank[hostOfRank.indexOf(itemAt(used, at))]);
  if (!nodes.ok) return nodes;
  const nodeOfHost = new Map(used.map((host, at) => [host, intAt(nodes.value, at)]));
  return succeed(hostOfRank.map((host) => nodeOfHost.get(host)!));
}

/** The core of each rank, −1 where the file leaves it open: several cores say which GPU is meant, and not which core. */
const namedCores = ({ machine }: MappingProblem, { coreOfRank, firstCoreOfRank }: GivenHosts): Int32Array =>
  machine.inside.slots === 'gpus' ? firstCoreOfRank : coreOfRank;

/** The slot of the core that the file names for a rank. */
function namedSlot(problem: MappingProblem, file: GivenHosts, rank: number, node: number): Result<number> {
  const { inside, coresPerNode } = problem.machine;
  const [socket, core] = [intAt(file.socketOfRank, rank), intAt(namedCores(problem, file), rank)];
  const onNode = slotOfCore(inside, socket, core);
  return onNode === undefined
    ? noSuchCore(problem, intAt(file.lineOfRank, rank), rank, socket, core)
    : succeed(node * coresPerNode + onNode);
}

/** Slots on which a task may begin and that no rank is on by name, node by node. O(slots). */
class OpenSlots {
  readonly #problem: Pick<MappingProblem, 'machine' | 'slots'>;
  readonly #isNamed: Uint8Array;
  /** By node, where its next slot stands among those of the problem; −1 of nodes that it does not have. */
  readonly #next: Int32Array;

  constructor({ machine, slots: free, firstSlots: slots = free }: MappingProblem, named: Int32Array) {
    this.#problem = { machine, slots };
    this.#isNamed = new Uint8Array(machine.slotCount);
    for (const slot of named) if (slot >= 0) this.#isNamed[slot] = 1;
    this.#next = new Int32Array(machine.nodeCount).fill(-1);
    // Slots of one node stand together.
    for (let place = slots.length - 1; place >= 0; place--)
      this.#next[nodeOfSlot(machine, intAt(slots, place))] = place;
  }

  /** The next one of a node, in the order of its cores; undefined where none is left. */
  take(node: number): number | undefined {
    const { machine, slots } = this.#problem;
    for (let place = this.#next[node] ?? -1; place >= 0 && place < slots.length; place++) {
      const slot = intAt(slots, place);
      if (nodeOfSlot(machine, slot) !== node) return undefined;
      this.#next[node] = place + 1;
      if (this.#isNamed[slot] === 0) return slot;
    }
    return undefined;
  }
}

const wrongLength = ({ job }: MappingProblem, count: number, what: string): Result<never> =>
  fail(
    'given-length',
    `The given mapping has ${count} ${what}${count === 1 ? '' : 's'}, but job \`${job.name}\` has ${countOf(job.taskCount, 'task')}: give one ${what} per task.`,
  );

const outOfRange = ({ machine }: MappingProblem, task: number, slot: number): Result<never> =>
  fail(
    'given-out-of-range',
    `Task ${task} is given slot ${slot}, but machine \`${machine.name}\` has slots 0 to ${machine.slotCount - 1}.`,
  );

function noSuchCore(
  { machine }: MappingProblem,
  line: number,
  rank: number,
  socket: number,
  core: number,
): Result<never> {
  const { name, inside } = machine;
  const where = socket < 0 ? `core ${core}` : `core ${core} of socket ${socket}`;
  const gpus = inside.slots === 'gpus' ? ', and no GPU beside it' : '';
  return fail(
    'given-out-of-range',
    `Line ${line}: rank ${rank} is on ${where}, but nodes of machine \`${name}\` have ${coresText(inside)}, counted from 0${gpus}.`,
  );
}

function hostIsFull({ machine, allocation, job }: MappingProblem, file: GivenHosts, rank: number, node: number) {
  const line = intAt(file.lineOfRank, rank);
  const host = itemAt(file.hosts, intAt(file.hostOfRank, rank));
  if (!allocation.includes(node)) {
    return fail(
      'given-not-allocated',
      `Line ${line}: rank ${rank} is on ${host} (node ${node}), which is not allocated to job \`${job.name}\`. Write \`allocate nodes\` with the same file.`,
    );
  }
  return fail(
    'given-not-free',
    `Line ${line}: no free ${slotNoun(machine.inside.slots)} for rank ${rank} on ${host}, which has ${machine.coresPerNode}. The file has too many ranks there, or another job uses them.`,
  );
}

function notAllocated({ machine, job, allocation }: MappingProblem, task: number, slot: number): Result<never> {
  const node = nodeOfSlot(machine, slot);
  if (allocation.includes(node)) {
    return fail('given-not-free', `Task ${task} has slot ${slot}, which an earlier job uses. Use a free slot.`);
  }
  return fail(
    'given-not-allocated',
    `Slot ${slot} of task ${task} is on node ${node}: not allocated to job \`${job.name}\`, or without a free ${slotNoun(machine.inside.slots)}. Add the node with \`allocate nodes [...]\`, or use another slot.`,
  );
}

const givenTwice = (first: number, second: number, slot: number): Result<never> =>
  fail('given-twice', `Tasks ${first} and ${second} both have slot ${slot}. Give each task its own slot.`);
