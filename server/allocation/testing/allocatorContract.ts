import type { ArgumentValue } from '../../model/catalogue.ts';
import type { Machine } from '../../model/machine.ts';
import { seededRandom } from '../../model/random.ts';
import type { Result } from '../../model/result.ts';
import { testContract, type Contract, type Look } from '../../model/testing/contract.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { machinesWithoutCoordinates } from '../../network/testing/networkMachines.ts';
import type { AllocatorEntry } from '../contract.ts';
import { requestFor, type RequestOptions } from './requests.ts';

const machines: readonly Machine[] = [
  gridMachine('torus', [8, 8]),
  gridMachine('torus', [4, 4, 4], { hosts: 2, sockets: 2, cores: 4 }),
  gridMachine('mesh', [5, 3], { cores: 3 }),
  gridMachine('hypercube', [4], { hosts: 3 }),
  gridMachine('torus', [1]),
];

const irregular = machinesWithoutCoordinates().map(([, machine]) => machine);

const properties = {
  grids: 'works on at least one of the grids',
  refuses: 'says on every machine without coordinates that it needs them',
  holds: 'gives nodes of the machine, each once, that hold the tasks',
  one: 'finds a node for one task',
  free: 'counts only free cores',
  numbers: 'says with numbers that a job does not fit',
  again: 'gives the same nodes for the same seed',
  unchanged: 'leaves the free cores as they were',
} as const;

/** What every runnable allocator promises; the catalogue's entries go through it by themselves. */
export function testAllocatorContract(entry: AllocatorEntry): void {
  testContract(`allocator ${entry.name}`, (contract) => {
    contract.property(properties.grids, (look) => {
      look(
        machines.some((machine) => accepts(entry, machine)),
        'refuses all',
      );
    });
    const refused = irregular.filter((machine) => !accepts(entry, machine));
    if (refused.length > 0) checkRefusals(contract, entry, refused);
    else contract.notApplicable(properties.refuses, 'it does without coordinates');
    for (const [index, machine] of [...machines, ...irregular].filter((each) => accepts(entry, each)).entries()) {
      contract.on(nameOf(machine), () => {
        checkAllocations(contract, entry, machine, index + 1);
      });
    }
  });
}

function checkAllocations(contract: Contract, entry: AllocatorEntry, machine: Machine, seed: number): void {
  const anyNodes = [...Array(machine.nodeCount).keys()];
  const given: RequestOptions = { seed, ...argumentFor(entry, anyNodes) };
  const run = (taskCount: number, more: RequestOptions = {}) =>
    entry.allocate(requestFor(entry, machine, taskCount, { ...given, ...more }));
  /** Looks whether nodes hold the tasks, or are said not to. */
  const lookAt = (look: Look, allocation: Result<Int32Array>, taskCount: number, freeCores?: Int32Array): void => {
    const wrong = allocation.ok
      ? wrongWith(allocation.value, machine, taskCount, freeCores)
      : allocation.failure.code === 'does-not-fit'
        ? undefined
        : allocation.failure.code;
    look(wrong === undefined, () => `${taskCount} tasks: ${wrong}`);
  };

  contract.property(properties.holds, (look) => {
    for (const taskCount of [1, 2, 7, machine.coresPerNode, machine.slotCount]) {
      lookAt(look, run(taskCount), taskCount);
    }
  });

  contract.property(properties.one, (look) => {
    look(run(1).ok, 'does not fit');
  });

  contract.property(properties.free, (look) => {
    const random = seededRandom(11);
    for (let trial = 0; trial < 20; trial++) {
      const freeCores = Int32Array.from({ length: machine.nodeCount }, () => random.integer(machine.coresPerNode + 1));
      const taskCount = 1 + random.integer(machine.slotCount);
      lookAt(look, run(taskCount, { freeCores }), taskCount, freeCores);
    }
  });

  contract.property(properties.numbers, (look) => {
    const tooMany = run(machine.slotCount + 1);
    look(!tooMany.ok && tooMany.failure.code === 'does-not-fit', 'too many tasks fit');
    const full = run(1, { freeCores: new Int32Array(machine.nodeCount) });
    const message = full.ok ? 'fits' : full.failure.message;
    look(/0 free cores.*needs 1\b/.test(message), message);
  });

  contract.property(properties.again, (look) => {
    const [first, second] = [run(machine.coresPerNode), run(machine.coresPerNode)];
    const isSame = first.ok && second.ok && first.value.join() === second.value.join();
    look(isSame || (!first.ok && !second.ok), 'others');
  });

  contract.property(properties.unchanged, (look) => {
    const request = requestFor(entry, machine, 1, given);
    const before = String(request.freeCores);
    entry.allocate(request);
    look(String(request.freeCores) === before, () => String(request.freeCores));
  });
}

/** What an allocator may say of a machine that it cannot work on. */
const refusals = ['no-coordinates', 'wrong-dimensions', 'does-not-apply'];

/** Whether it has an answer for a machine; those that need coordinates refuse all machines without. */
function accepts(entry: AllocatorEntry, machine: Machine): boolean {
  const anyNodes = [...Array(machine.nodeCount).keys()];
  const allocation = entry.allocate(requestFor(entry, machine, 1, argumentFor(entry, anyNodes)));
  return allocation.ok || !refusals.includes(allocation.failure.code);
}

function checkRefusals(contract: Contract, entry: AllocatorEntry, refused: readonly Machine[]): void {
  contract.property(properties.refuses, (look) => {
    look(refused.length === irregular.length, () => `refuses ${refused.map(nameOf).join(', ')}`);
    for (const machine of refused) {
      const answer = entry.allocate(requestFor(entry, machine, 1));
      const { code, message } = answer.ok ? { code: '', message: 'allocates' } : answer.failure;
      const isNamed = new RegExp(`\\ballocate ${entry.name}\\b.* found .topology ${machine.topology.kind}.`).test(
        message,
      );
      look(code === 'no-coordinates' && isNamed, () => `${nameOf(machine)}: ${code} ${message}`);
    }
  });
}

function argumentFor(entry: AllocatorEntry, anyNodes: readonly number[]): RequestOptions {
  const argument: ArgumentValue | undefined =
    entry.argument?.kind === 'node-list-or-file'
      ? { kind: 'numbers', numbers: anyNodes }
      : entry.argument?.kind === 'placement'
        ? { kind: 'name', name: 'other' }
        : undefined;
  return argument ? { argument, others: { other: anyNodes } } : {};
}

/** What is wrong with nodes for so many tasks. */
function wrongWith(
  allocation: Int32Array,
  machine: Machine,
  taskCount: number,
  freeCores: Int32Array | undefined,
): string | undefined {
  const nodes = allocation.join(' ');
  if (new Set(allocation).size < allocation.length) return `nodes twice: ${nodes}`;
  if (allocation.some((node) => node < 0 || node >= machine.nodeCount)) return `other nodes: ${nodes}`;
  const cores = allocation.reduce((sum, node) => sum + (freeCores?.[node] ?? machine.coresPerNode), 0);
  return cores < taskCount ? `${cores} cores: ${nodes}` : undefined;
}

const nameOf = ({ topology, nodeCount, coresPerNode }: Machine): string =>
  `a ${topology.kind} of ${nodeCount} nodes with ${coresPerNode} cores`;
