import { describe, expect, it } from 'vitest';
import type { ArgumentValue } from '../../model/catalogue.ts';
import type { Machine } from '../../model/machine.ts';
import { seededRandom } from '../../model/random.ts';
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

/** What every runnable allocator promises; the catalogue's entries go through it by themselves. */
export function describeAllocatorContract(entry: AllocatorEntry): void {
  const needsCoordinates = irregular.filter((machine) => !accepts(entry, machine));
  if (needsCoordinates.length > 0) describeRefusals(entry, needsCoordinates);
  const everyMachine = [...machines, ...irregular];
  const accepted = everyMachine.filter((machine) => accepts(entry, machine));
  it(`${entry.name} works on at least one of the grids`, () => {
    expect(machines.some((machine) => accepts(entry, machine))).toBe(true);
  });
  describe.each(accepted.map((machine, index) => ({ index, machine, name: nameOf(machine) })))(
    `${entry.name} on $name`,
    ({ machine, index }) => {
      const anyNodes = [...Array(machine.nodeCount).keys()];
      const given: RequestOptions = { seed: index + 1, ...argumentFor(entry, anyNodes) };
      const run = (taskCount: number, more: RequestOptions = {}) =>
        entry.allocate(requestFor(entry, machine, taskCount, { ...given, ...more }));

      it('gives nodes of the machine, each once, that hold the tasks', () => {
        for (const taskCount of [1, 2, 7, machine.coresPerNode, machine.slotCount]) {
          const allocation = run(taskCount);
          if (allocation.ok) expectHolds(allocation.value, machine, taskCount, undefined);
          else expect(allocation.failure.code).toBe('does-not-fit');
        }
        expect(run(1).ok).toBe(true);
      });

      it('counts only free cores', () => {
        const random = seededRandom(11);
        for (let trial = 0; trial < 20; trial++) {
          const freeCores = Int32Array.from({ length: machine.nodeCount }, () =>
            random.integer(machine.coresPerNode + 1),
          );
          const taskCount = 1 + random.integer(machine.slotCount);
          const allocation = run(taskCount, { freeCores });
          if (allocation.ok) expectHolds(allocation.value, machine, taskCount, freeCores);
          else expect(allocation.failure.code).toBe('does-not-fit');
        }
      });

      it('says with numbers that a job does not fit', () => {
        const tooMany = machine.slotCount + 1;
        expect(run(tooMany)).toMatchObject({ ok: false, failure: { code: 'does-not-fit' } });
        const full = run(1, { freeCores: new Int32Array(machine.nodeCount) });
        expect(full.ok ? '' : full.failure.message).toMatch(/0 free cores.*needs 1\b/);
      });

      it('gives the same nodes for the same seed', () => {
        expect(run(machine.coresPerNode)).toEqual(run(machine.coresPerNode));
      });

      it('leaves the free cores as they were', () => {
        const request = requestFor(entry, machine, 1, given);
        const before = [...request.freeCores];
        entry.allocate(request);
        expect([...request.freeCores]).toEqual(before);
      });
    },
  );
}

/** What an allocator may say of a machine that it cannot work on. */
const refusals = ['no-coordinates', 'wrong-dimensions', 'does-not-apply'];

/** Whether it has an answer for a machine; those that need coordinates refuse all machines without. */
function accepts(entry: AllocatorEntry, machine: Machine): boolean {
  const anyNodes = [...Array(machine.nodeCount).keys()];
  const allocation = entry.allocate(requestFor(entry, machine, 1, argumentFor(entry, anyNodes)));
  return allocation.ok || !refusals.includes(allocation.failure.code);
}

function describeRefusals(entry: AllocatorEntry, refused: readonly Machine[]): void {
  it(`${entry.name} says on every machine without coordinates that it needs them`, () => {
    expect(refused).toEqual(irregular);
    for (const machine of refused) {
      const message = new RegExp(`\\ballocate ${entry.name}\\b.* not ${machine.topology.kind}`);
      const refusal = { code: 'no-coordinates', message: expect.stringMatching(message) as string };
      expect(entry.allocate(requestFor(entry, machine, 1))).toMatchObject({ ok: false, failure: refusal });
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

function expectHolds(
  allocation: Int32Array,
  machine: Machine,
  taskCount: number,
  freeCores: Int32Array | undefined,
): void {
  expect(new Set(allocation).size).toBe(allocation.length);
  let cores = 0;
  for (const node of allocation) {
    expect(node).toBeGreaterThanOrEqual(0);
    expect(node).toBeLessThan(machine.nodeCount);
    cores += freeCores ? freeCores[node]! : machine.coresPerNode;
  }
  expect(cores).toBeGreaterThanOrEqual(taskCount);
}

const nameOf = ({ topology, nodeCount, coresPerNode }: Machine): string =>
  `a ${topology.kind} of ${nodeCount} nodes with ${coresPerNode} cores`;
