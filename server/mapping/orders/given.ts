import { fail, succeed } from '../../model/result.ts';
import type { Result } from '../../model/result.ts';
import type { MapperEntry, MappingContext, MappingProblem } from '../contract.ts';

/** Scores a mapping that was made elsewhere. */
export const given: MapperEntry = {
  name: 'given',
  summary: 'A mapping made elsewhere: one slot per task, as a list or a file',
  source: 'Placewright',
  details:
    'Entry i is the slot of task i; slot = node · (sockets · cores) + core, so on one-core nodes it is the node. ' +
    'Slots must be allocated to the job and all different. With several jobs the list goes on with the next one.',
  argument: { kind: 'integer-list-or-file', summary: 'the slot of each task', required: true, minimum: 0 },
  options: [],
  complexity: 'O(n)',
  map: (problem, context) => {
    const numbers = givenNumbers(context);
    if (!numbers.ok) return numbers;
    const checked = checkGiven(problem, numbers.value);
    return checked.ok ? succeed({ mapping: checked.value, notes: [] }) : checked;
  },
};

function givenNumbers(context: MappingContext): Result<ArrayLike<number>> {
  const { argument } = context;
  if (argument?.kind === 'numbers') return succeed(argument.numbers);
  if (argument?.kind === 'file') return context.givenFile(argument.uri);
  return fail('missing-argument', 'map given needs the slot of each task: given [0..15] or given "mapping.txt".');
}

/** Checks length, range, allocation and repetition, and names the first task that is wrong. O(n). */
function checkGiven(problem: MappingProblem, numbers: ArrayLike<number>): Result<Int32Array> {
  const { job, machine, slots } = problem;
  if (numbers.length !== job.taskCount) {
    return fail(
      'given-length',
      `The given mapping has ${numbers.length} slots, but job \`${job.name}\` has ${job.taskCount} tasks: give one slot per task.`,
    );
  }
  const isFree = new Uint8Array(machine.slotCount);
  for (const slot of slots) isFree[slot] = 1;
  const holder = new Int32Array(machine.slotCount).fill(-1);
  const mapping = new Int32Array(job.taskCount);
  for (let task = 0; task < job.taskCount; task++) {
    const slot = numbers[task]!;
    if (!Number.isInteger(slot) || slot < 0 || slot >= machine.slotCount) return outOfRange(problem, task, slot);
    if (isFree[slot] === 0) return notAllocated(problem, task, slot);
    if (holder[slot] !== -1) return givenTwice(holder[slot]!, task, slot);
    holder[slot] = task;
    mapping[task] = slot;
  }
  return succeed(mapping);
}

const outOfRange = ({ machine }: MappingProblem, task: number, slot: number): Result<never> =>
  fail(
    'given-out-of-range',
    `Task ${task} is given slot ${slot}, but machine \`${machine.name}\` has slots 0 to ${machine.slotCount - 1}.`,
  );

function notAllocated({ machine, job, allocation }: MappingProblem, task: number, slot: number): Result<never> {
  const node = Math.floor(slot / machine.coresPerNode);
  if (allocation.includes(node)) {
    return fail(
      'given-not-free',
      `Task ${task} is given slot ${slot}, which an earlier job of this placement holds: give it a free slot.`,
    );
  }
  return fail(
    'given-not-allocated',
    `Task ${task} is given slot ${slot} on node ${node}, which is not allocated to job \`${job.name}\` ` +
      'or has no free core left: add it with `allocate nodes [...]`, or give the task another slot.',
  );
}

const givenTwice = (first: number, second: number, slot: number): Result<never> =>
  fail('given-twice', `Tasks ${first} and ${second} are both given slot ${slot}: give each task a slot of its own.`);
