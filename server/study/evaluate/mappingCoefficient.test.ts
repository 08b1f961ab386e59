import { describe, expect, it } from 'vitest';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import type { PlacedJob } from '../../model/placement.ts';
import { seededRandom } from '../../model/random.ts';
import { distanceTable } from '../../network/distances/distanceTable.ts';
import { equivalent } from '../../network/distances/equivalent.ts';
import { KnownDistances } from '../../network/distances/knownDistances.ts';
import type { SolveDistances } from '../../network/distances/contract.ts';
import { solveHere } from '../../network/distances/equivalentSolver.ts';
import {
  autonetCables,
  randomCables,
  switchesDescription,
  upDownFrom,
} from '../../network/distances/testing/networks.ts';
import { buildMachine } from '../../network/machine.ts';
import { gridDescription } from '../../network/testing/machines.ts';
import { tableTraffic } from '../../traffic/build.ts';
import { choiceOf, placementOf, programOf, run, tableJob, tableOf } from '../testing/programs.ts';
import { createStudyCache } from '../study.ts';
import { mappingCoefficient } from './evaluate.ts';

const built = (...[description]: Parameters<typeof buildMachine>): Machine => {
  const machine = buildMachine(description);
  if (!machine.ok) throw new Error(machine.failure.message);
  return machine.value;
};

type Row = readonly [number, number, number];

function placed(mapping: readonly number[], rows: readonly Row[]): PlacedJob {
  const traffic = tableTraffic(tableOf(rows, mapping.length), mapping.length, 1);
  if (!traffic.ok) throw new Error(traffic.failure.message);
  const job = { name: 'job', taskCount: mapping.length, periodic: false, traffic: traffic.value };
  return { job, allocation: new Int32Array(), mapping: Int32Array.from(mapping) };
}

const context = (solve: SolveDistances = solveHere) => ({
  solve,
  cancellation: neverCancelled,
  progress: ignoreProgress,
});

function coefficientOf(machine: Machine, jobs: readonly PlacedJob[]): number {
  const coefficient = mappingCoefficient(machine, jobs, KnownDistances.of(machine)!, context());
  if (!coefficient.ok) throw new Error(coefficient.failure.message);
  return coefficient.value;
}

describe('mappingCoefficient', () => {
  const autonet = built({ ...switchesDescription(10, autonetCables, upDownFrom(6)), hosts: 2, coresPerSocket: 2 });
  // Slots 0 and 1 are node 0, 2 and 3 node 1, both on switch 0; slots 4n … are switch n.
  it.each([
    { what: 'within a node', from: 0, to: 1, expected: 0 },
    { what: 'two nodes of one switch: their host links', from: 1, to: 2, expected: 2 },
    { what: 'neighbours', from: 0, to: 8, expected: 3 },
    { what: 'switches 6 and 9: 5/4 and the host links', from: 24, to: 38, expected: 3.25 },
    { what: 'switches 9 and 6', from: 38, to: 24, expected: 3.25 },
  ])('$what', ({ from, to, expected }) => {
    expect(coefficientOf(autonet, [placed([from, to], [[0, 1, 1]])])).toBe(expected);
    expect(
      coefficientOf(autonet, [
        placed(
          [from, to],
          [
            [0, 1, 40],
            [1, 0, 2],
          ],
        ),
      ]),
    ).toBe(42 * expected);
  });

  it.each([
    { what: 'random switches', machine: () => built({ ...switchesDescription(30, randomCables(30, 5, 3)), hosts: 2 }) },
    {
      what: 'a torus under minimal routing',
      machine: () => built({ ...gridDescription('torus', [4, 5, 3]), routing: { name: 'minimal', options: {} } }),
    },
    {
      what: 'a mesh under up-down',
      machine: () => built({ ...gridDescription('mesh', [6, 4]), routing: { name: 'up-down', options: {} } }),
    },
  ])('is the sum over the table of distances: $what', ({ machine: make }) => {
    const machine = make();
    const { routerCount, routerOfNode, hasHostLinks } = machine.topology;
    const table = distanceTable(machine, equivalent);
    if (!table.ok) throw new Error(table.failure.message);
    const random = seededRandom(4);
    const mapping = Array.from({ length: 40 }, () => random.integer(machine.slotCount));
    const rows = Array.from({ length: 200 }, (): Row => [random.integer(40), random.integer(40), random.integer(99)]);
    let expected = 0;
    for (const [from, to, bytes] of rows) {
      const nodes = [mapping[from]!, mapping[to]!];
      if (nodes[0] === nodes[1]) continue;
      const [own, other] = nodes.map((node) => routerOfNode[node]!) as [number, number];
      expected += bytes * (table.value[own * routerCount + other]! + (hasHostLinks ? 2 : 0));
    }
    expect(coefficientOf(machine, [placed(mapping, rows)]) / expected).toBeCloseTo(1, 12);
  });

  it('works a distance out once, and only those that are needed', () => {
    const machine = built(switchesDescription(40, randomCables(40, 4, 1)));
    const known = KnownDistances.of(machine)!;
    const counts: number[] = [];
    const counting: SolveDistances = (circuits, wanted, ...more) => {
      counts.push(wanted.valueCount);
      return solveHere(circuits, wanted, ...more);
    };
    const job = (rows: readonly Row[]) => [placed([5, 20, 33], rows)];
    mappingCoefficient(
      machine,
      job([
        [0, 1, 1],
        [1, 0, 5],
        [0, 2, 1],
      ]),
      known,
      context(counting),
    );
    mappingCoefficient(
      machine,
      job([
        [2, 0, 1],
        [1, 2, 1],
      ]),
      known,
      context(counting),
    );
    mappingCoefficient(machine, job([[2, 1, 1]]), known, context(counting));
    expect(counts).toEqual([2, 1]);
  });

  it('stops when it is cancelled, at any look, and can be asked again', () => {
    const machine = built(switchesDescription(20, randomCables(20, 4, 1)));
    const jobs = [
      placed(
        [1, 7, 19],
        [
          [0, 1, 3],
          [1, 2, 4],
        ],
      ),
    ];
    const known = KnownDistances.of(machine)!;
    const attempt = (isCancelled: () => boolean) =>
      mappingCoefficient(machine, jobs, known, { ...context(), cancellation: { isCancelled } });
    for (let allowed = 0; allowed < 4; allowed++) {
      let left = allowed;
      expect(attempt(() => left-- <= 0)).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
    }
    expect(attempt(() => false)).toEqual({ ok: true, value: coefficientOf(machine, jobs) });
  });
});

describe('a study', () => {
  const autonet = { ...switchesDescription(10, autonetCables, upDownFrom(6)), name: 'autonet' };
  const ring: readonly Row[] = Array.from({ length: 10 }, (_, task) => [task, (task + 1) % 10, 1]);
  const program = (machine: Partial<typeof autonet>, mapper: string) =>
    programOf(
      [{ ...autonet, ...machine }],
      [tableJob('ring', 10, ring)],
      [placementOf({ name: 'p', machine: machine.name ?? 'autonet', jobs: ['ring'], map: choiceOf(mapper) })],
    );

  it('reports the coefficient of Autonet with root 6', () => {
    const [report] = run(program({}, 'baseline')).placements;
    // Around Table 2: 1 + 1 + 2 + 2 + 3 + 2 + 2 + 1 + 2 + 1, and two host links each.
    expect(report!.metrics.mappingCoefficient).toBe(17 + 20);
  });

  it('keeps the distances of a machine while it stands in the file, under any name and with any figures', () => {
    const cache = createStudyCache();
    let solved = 0;
    const solveDistances: SolveDistances = (...all) => {
      solved++;
      return solveHere(...all);
    };
    const study = (machine: Partial<typeof autonet>, mapper: string) =>
      run(program(machine, mapper), { cache, solveDistances }).placements[0]!.metrics.mappingCoefficient;
    expect(study({}, 'baseline')).toBe(37);
    for (let save = 0; save < 6; save++) study({}, 'baseline');
    expect(study({ name: 'other', figures: { bandwidth: 1000 } }, 'baseline')).toBe(37);
    expect(solved).toBe(1);
    study({ routing: upDownFrom(0) }, 'baseline');
    expect(solved).toBe(2);
  });

  it('says nothing of a placement that was cancelled among the distances', () => {
    const study = run(program({}, 'baseline'), { solveDistances: () => undefined });
    expect(study).toMatchObject({ placements: [], problems: [] });
  });
});
