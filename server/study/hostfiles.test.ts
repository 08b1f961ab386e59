import { describe, expect, it } from 'vitest';
import { mappers } from '../mapping/catalogue.ts';
import type { GivenFile } from '../model/given.ts';
import type { ReportedJob } from '../model/placement.ts';
import { gridDescription } from '../network/testing/machines.ts';
import { choiceOf, filesOf, jobOf, placementOf, programOf, run, sameAs } from './testing/programs.ts';

const machine = { ...gridDescription('torus', [3]), name: 'm', coresPerSocket: 4, names: 'n[1-3]' };
const nodes = choiceOf('nodes', {}, { kind: 'file', uri: 'hosts' });

/** Three hosts with a rank for each number of tasks. `isRoom`: as numbers of slots. */
function hostfile(counts: readonly number[], isRoom: boolean): GivenFile {
  const hostOfRank = Int32Array.from(counts.flatMap((count, host) => new Array<number>(count).fill(host)));
  const open = new Int32Array(hostOfRank.length).fill(-1);
  return {
    ...{ kind: 'hosts', hosts: ['n1', 'n2', 'n3'], hostOfRank, isRoom },
    ...{
      socketOfRank: open,
      coreOfRank: open,
      firstCoreOfRank: open,
      lastCoreOfRank: open,
      lineOfRank: hostOfRank.map((_, rank) => rank + 1),
    },
  };
}

/** Tasks on each node, of all jobs of a placement. */
const tasksOf = (jobs: readonly ReportedJob[]): number[] =>
  jobs.reduce(
    (counts, { mapping }) => {
      for (const slot of mapping) counts[Math.floor(slot / 4)]! += 1;
      return counts;
    },
    [0, 0, 0],
  );

/** Three hosts for at most 1, 4 and 2 tasks. */
const limited: readonly (readonly [what: string, file: GivenFile])[] = [
  ['numbers of slots', hostfile([1, 4, 2], true)],
  ['a line for each slot', hostfile([1, 4, 2], false)],
];

describe.each(limited)('the slots of a hostfile limit the tasks of its hosts: %s', (_, file) => {
  const files = filesOf({}, { hosts: file });
  const placed = (tasks: number, map = choiceOf('baseline'), more: readonly string[] = []) => {
    const jobs = [jobOf({ name: 'j', taskCount: tasks }), jobOf({ name: 'k', taskCount: 3 })];
    const placements = [
      placementOf({ name: 'p', machine: 'm', jobs: ['j', ...more], allocate: nodes, map }),
      placementOf({ name: 'q', machine: 'm', jobs: ['j', ...more], allocate: sameAs('p'), map }),
    ];
    return run(programOf([machine], jobs, placements), { files });
  };

  const free = mappers.filter(({ argument }) => argument?.required !== true);
  it.each(free)('by $name', ({ name }) => {
    const { placements, problems } = placed(7, choiceOf(name));
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(placements.map(({ jobs }) => tasksOf(jobs))).toEqual([
      [1, 4, 2],
      [1, 4, 2],
    ]);
  });

  it('of several jobs together', () => {
    for (const map of ['baseline', 'contention-free']) {
      const { placements } = placed(4, choiceOf(map), ['k']);
      for (const { jobs } of placements) expect(tasksOf(jobs)).toEqual([1, 4, 2]);
    }
  });

  it('and more tasks do not fit, which is said with both numbers', () => {
    const { placements, problems } = placed(8);
    expect(placements).toEqual([]);
    expect(problems[0]).toMatchObject({
      code: 'does-not-fit',
      message: expect.stringMatching(/^The file has 7 slots on 3 nodes; the job needs 8\. /) as string,
    });
  });
});

it('a result that is taken over puts no more tasks on a host than it has slots', () => {
  const placement = placementOf({ name: 'p', machine: 'm', jobs: ['j'], allocate: nodes, map: choiceOf('random') });
  const taken = (mapping: readonly number[]) => {
    const placedBefore = () => [{ name: 'j', nodes: [0, 1, 2], mapping }];
    return run(programOf([machine], [jobOf({ name: 'j', taskCount: mapping.length })], [placement]), {
      files: filesOf({}, { hosts: hostfile([1, 4, 2], true) }),
      placedBefore,
    });
  };
  expect(taken([0, 4, 8, 9]).placements.map(({ jobs }) => tasksOf(jobs))).toEqual([[1, 1, 2]]);
  expect(taken([0, 1, 4]).problems[0]).toMatchObject({
    code: 'not-placed-so',
    message: expect.stringMatching(/has 2 tasks on n1, .* 1 slot\./) as string,
  });
});

describe('a given mapping beside a hostfile', () => {
  const files = filesOf({}, { hosts: hostfile([1, 4, 2], true) });
  const placed = (numbers: readonly number[]) => {
    const map = choiceOf('given', {}, { kind: 'numbers', numbers });
    const placement = placementOf({ name: 'p', machine: 'm', jobs: ['j'], allocate: nodes, map });
    return run(programOf([machine], [jobOf({ name: 'j', taskCount: numbers.length })], [placement]), { files });
  };

  it('takes any slots of a node', () => {
    expect(placed([3, 7, 11, 10]).placements.map(({ jobs }) => tasksOf(jobs))).toEqual([[1, 1, 2]]);
  });

  it('puts no more tasks on a node than it has slots, which is said with both numbers', () => {
    const { placements, problems } = placed([0, 3, 4]);
    expect(placements).toEqual([]);
    const message =
      'The mapping has 2 tasks on n1, but the file of `allocate nodes` has 1 slot. Move tasks to other nodes.';
    expect(problems[0]).toMatchObject({ code: 'given-not-free', message });
  });
});

it('what the file holds and nobody reads is a warning, once', () => {
  const read = hostfile([1, 1, 1], true);
  const file: GivenFile = {
    ...read,
    warnings: [{ line: 2, message: 'Unknown key ‘frob’ of a host, 1 time: not read.' }],
  };
  const map = choiceOf('given', {}, { kind: 'file', uri: 'hosts' });
  const placement = placementOf({ name: 'p', machine: 'm', jobs: ['j'], allocate: nodes, map });
  const program = programOf([machine], [jobOf({ name: 'j', taskCount: 3 })], [placement]);
  expect(run(program, { files: filesOf({}, { hosts: file }) }).problems).toEqual([
    {
      severity: 'warning',
      code: 'mapping-file-warning',
      message: 'Line 2: Unknown key ‘frob’ of a host, 1 time: not read.',
      subject: { kind: 'placement', name: 'p', property: 'allocate' },
    },
  ]);
});

it('fewer cores than slots are said as cores', () => {
  const placement = placementOf({ name: 'p', machine: 'm', jobs: ['j'], allocate: nodes, map: choiceOf('baseline') });
  const files = filesOf({}, { hosts: hostfile([8, 1, 1], true) });
  const { problems } = run(programOf([machine], [jobOf({ name: 'j', taskCount: 9 })], [placement]), { files });
  expect(problems[0]).toMatchObject({
    code: 'does-not-fit',
    message: expect.stringMatching(/has 6 free cores on 3 nodes, and the job needs 9/) as string,
  });
});

it('numbers of slots limit the tasks of hosts also beside bindings, and a rankfile limits nothing', () => {
  const placement = placementOf({ name: 'p', machine: 'm', jobs: ['j'], allocate: nodes, map: choiceOf('baseline') });
  const bound = (isRoom: boolean): GivenFile => {
    const file = hostfile([1, 4, 2], isRoom);
    return file.kind === 'hosts'
      ? { ...file, coreOfRank: new Int32Array(7), firstCoreOfRank: new Int32Array(7) }
      : file;
  };
  const tasks = (isRoom: boolean) =>
    run(programOf([machine], [jobOf({ name: 'j', taskCount: 7 })], [placement]), {
      files: filesOf({}, { hosts: bound(isRoom) }),
    }).placements.map(({ jobs }) => tasksOf(jobs));
  expect(tasks(true)).toEqual([[1, 4, 2]]);
  expect(tasks(false)).toEqual([[4, 3, 0]]);
});

it('a list of hosts without numbers limits nothing', () => {
  const placement = placementOf({ name: 'p', machine: 'm', jobs: ['j'], allocate: nodes, map: choiceOf('baseline') });
  const files = filesOf({}, { hosts: hostfile([1, 1, 1], false) });
  const { placements } = run(programOf([machine], [jobOf({ name: 'j', taskCount: 12 })], [placement]), { files });
  expect(placements.map(({ jobs }) => tasksOf(jobs))).toEqual([[4, 4, 4]]);
});
