import { describe, expect, it } from 'vitest';
import type { PlacementReport } from '../model/report.ts';
import type { MachineDescription } from '../network/contract.ts';
import type { JobDescription, PlacementDescription } from './program.ts';
import { createStudyCache } from './study.ts';
import { choiceOf, jobOf, numbers, placementOf, programOf, run, sameAs } from './testing/programs.ts';
import { infiniHostTimes } from '../queueing/servers.ts';

const cluster = (nodes: number, sockets: number, cores: number): MachineDescription => ({
  name: 'lab',
  topology: { name: 'cluster', argument: { kind: 'numbers', numbers: [nodes] }, options: {} },
  cables: [],
  socketsPerNode: sockets,
  coresPerSocket: cores,
  figures: { memory: 4e9, interface: 1e9, switchTime: 100e-9, queuePair: infiniHostTimes },
});
const pattern = (name: string, of: string, taskCount: number, more: Partial<JobDescription> = {}) =>
  jobOf({ name, taskCount, source: { kind: 'pattern', choice: choiceOf(of) }, ...more });
const night = (overrides: Partial<PlacementDescription> = {}) =>
  placementOf({
    name: 'night',
    machine: 'lab',
    jobs: ['scatter', 'shuffle'],
    map: choiceOf('contention-free'),
    ...overrides,
  });

/** A cluster of 16 nodes, and two jobs that share it. */
const lab = cluster(16, 4, 4);
const kibibyte = 1024;
const scatter = pattern('scatter', 'one-to-all', 64, { bytes: 64 * kibibyte, rate: 100, messages: 2000 });
const shuffle = pattern('shuffle', 'all-to-all', 64, { bytes: 2048 * kibibyte, rate: 10, messages: 2000 });

/** The only placement of a study that went well. */
function only({ placements, problems }: ReturnType<typeof run>): PlacementReport {
  expect(problems).toEqual([]);
  expect(placements).toHaveLength(1);
  return placements[0]!;
}

const nodesUsed = ({ machine, jobs }: PlacementReport) =>
  jobs.map(({ mapping }) => new Set(mapping.map((slot) => Math.floor(slot / machine.coresPerNode))));

describe('jobs that are mapped together', () => {
  it('`night` of the language: both jobs on all nodes, the larger messages first', () => {
    const report = only(run(programOf([lab], [scatter, shuffle], [night()])));
    expect(report.jobs.map(({ job }) => job.name)).toEqual(['scatter', 'shuffle']);
    expect(report.jobs.map(({ allocation }) => [...allocation])).toEqual([
      [...Array(16).keys()],
      [...Array(16).keys()],
    ]);
    expect(new Set(report.jobs.flatMap(({ mapping }) => [...mapping])).size).toBe(128);
    // Shuffle comes first and takes four nodes whole.
    expect(nodesUsed(report).map((nodes) => [...nodes])).toEqual([
      [4, 5, 6, 7],
      [0, 1, 2, 3],
    ]);
    expect(report.notes).toEqual([
      expect.stringMatching(/^Contention between the jobs is severe: the tasks of a job send to 31.99 others/),
      expect.stringMatching(/^Queueing model: overloaded server/),
      expect.stringMatching(/^scatter: Messages are medium \(.*64 KiB\); 0\.9844 partners per task/),
      expect.stringMatching(/^scatter: No limit per node/),
      'scatter: Tasks per node: 16 on 4 nodes.',
      expect.stringMatching(/^shuffle: Messages are large \(.*2 MiB\); 63 partners per task/),
      expect.stringMatching(/^shuffle: No limit per node/),
      'shuffle: Tasks per node: 16 on 4 nodes.',
    ]);
  });

  it('come out the same, whichever is named first', () => {
    const mappings = (jobs: readonly string[]) =>
      new Map(
        only(run(programOf([lab], [scatter, shuffle], [night({ jobs })]))).jobs.map(({ job, mapping }) => [
          job.name,
          mapping,
        ]),
      );
    expect(mappings(['shuffle', 'scatter'])).toEqual(mappings(['scatter', 'shuffle']));
  });

  it('one job gets what it gets among none', () => {
    const report = only(run(programOf([lab], [shuffle], [night({ jobs: ['shuffle'] })])));
    expect(nodesUsed(report)[0]!.size).toBe(16);
    expect(report.notes.some((note) => note.startsWith('At most 4 tasks on a node'))).toBe(true);
  });

  it('say which job the machine has no room for', () => {
    const jobs = [scatter, shuffle, pattern('third', 'ring', 129)];
    const { placements, problems } = run(programOf([lab], jobs, [night({ jobs: jobs.map(({ name }) => name) })]));
    expect(placements).toEqual([]);
    expect(problems).toMatchObject([{ code: 'does-not-fit', subject: { name: 'night', property: 'allocate' } }]);
    expect(problems[0]!.message).toMatch(/^Job `third`: The machine has 128 free cores on 8 nodes, .* 129/);
  });

  it('say nothing of a mapper or allocator that there is not, but that', () => {
    const { problems } = run(programOf([lab], [scatter, shuffle], [night({ allocate: choiceOf('nowhere') })]));
    expect(problems).toMatchObject([{ code: 'unknown-allocator', subject: { property: 'allocate' } }]);
  });
});

describe('nodes of jobs that are mapped together', () => {
  const nodes = cluster(6, 1, 4);
  const jobs = [pattern('first', 'ring', 8, { bytes: 4096 }), pattern('second', 'ring', 12, { bytes: 2 ** 20 })];
  const both = (overrides: Partial<PlacementDescription>) => night({ jobs: ['first', 'second'], ...overrides });
  const allocationsOf = (placement: PlacementDescription, ...earlier: readonly PlacementDescription[]) => {
    const { placements, problems } = run(programOf([nodes], jobs, [...earlier, placement]));
    expect(problems).toEqual([]);
    return placements.at(-1)!.jobs.map(({ allocation }) => [...allocation]);
  };

  it('are shared where both fit', () => {
    expect(allocationsOf(both({ allocate: choiceOf('nodes', {}, numbers(5, 3, 1, 0, 2)) }))).toEqual([
      [5, 3, 1, 0, 2],
      [5, 3, 1, 0, 2],
    ]);
  });

  it('are others for the second where they cannot be shared', () => {
    // Drawn alone, 2 of 6 nodes and 3 of 6 with one seed often meet; together they need five.
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const [first, second] = allocationsOf(both({ allocate: choiceOf('random'), seed }));
      expect(first).toHaveLength(2);
      expect(second).toHaveLength(3);
      expect(second!.filter((node) => first!.includes(node))).toEqual([]);
    }
  });

  it('are those of another placement where that is asked for', () => {
    const other = placementOf({ ...both({}), name: 'other', map: choiceOf('baseline') });
    // In turn the second job gets the nodes with a core that the first has left.
    expect(allocationsOf(both({ allocate: sameAs('other') }), other)).toEqual([
      [0, 1, 2, 3, 4, 5],
      [2, 3, 4, 5],
    ]);
  });

  it('are held by none where one finds no room', () => {
    const allocate = choiceOf('nodes', {}, numbers(0, 1, 2, 3));
    const { placements, problems } = run(programOf([nodes], jobs, [both({ allocate })]));
    expect(placements).toEqual([]);
    expect(problems).toMatchObject([{ code: 'does-not-fit', subject: { property: 'allocate' } }]);
    expect(problems[0]!.message).toMatch(/^Job `second`: /);
  });
});

describe('a run of jobs that are mapped together', () => {
  const program = programOf([lab], [scatter, shuffle], [night()]);

  it('is remembered, and done anew where a rate changes', () => {
    const cache = createStudyCache();
    const first = only(run(program, { cache }));
    expect(only(run(program, { cache }))).toBe(first);
    const faster = { ...scatter, rate: 200 };
    expect(only(run(programOf([lab], [faster, shuffle], [night()]), { cache }))).not.toBe(first);
  });

  it('ends where it is cancelled, with neither report nor problem', () => {
    let looks = 0;
    run(program, { cancellation: { isCancelled: () => looks++ < 0 } });
    for (const allowed of [0, looks >> 3, looks >> 2, looks >> 1]) {
      let left = allowed;
      const { problems, placements } = run(program, { cancellation: { isCancelled: () => left-- <= 0 } });
      expect({ problems, placements }).toEqual({ problems: [], placements: [] });
    }
  });

  it('says how far it is, from 0 to 1 and never backwards', () => {
    const shares: number[] = [];
    const messages: string[] = [];
    run(program, {
      progress: (share, message) => {
        shares.push(share);
        messages.push(message);
      },
    });
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
    expect(messages).toEqual(expect.arrayContaining(['night: mapping shuffle', 'night: mapping scatter']));
  });
});

describe('jobs with choices of their own', () => {
  const line: MachineDescription = { ...cluster(8, 1, 1), name: 'lab' };
  const four = (name: string) => pattern(name, 'linear', 4);
  const mixed = (overrides: Partial<PlacementDescription>) =>
    placementOf({ name: 'mixed', machine: 'lab', jobs: ['a', 'b'], map: choiceOf('baseline'), ...overrides });
  const study = (overrides: Partial<PlacementDescription>) =>
    run(programOf([line], [four('a'), four('b'), four('c')], [mixed(overrides)]));
  const nodesOf = ({ jobs }: PlacementReport) => jobs.map(({ job, allocation }) => [job.name, [...allocation]]);

  it('get their own nodes before the others choose, and keep their order in the report', () => {
    const report = only(study({ own: [{}, { allocate: choiceOf('nodes', {}, numbers(0, 1, 2, 3)) }] }));
    expect(nodesOf(report)).toEqual([
      ['a', [4, 5, 6, 7]],
      ['b', [0, 1, 2, 3]],
    ]);
    expect(report.jobs.map(({ allocator, mapper }) => [allocator, mapper])).toEqual([
      ['all', 'baseline'],
      ['nodes', 'baseline'],
    ]);
  });

  it('are mapped by their own mapper, and a list of the placement is for the others', () => {
    const given = (...slots: readonly number[]) => choiceOf('given', {}, numbers(...slots));
    const report = only(study({ map: given(7, 6, 5, 4), own: [{ map: given(0, 2, 1, 3) }, {}] }));
    expect(report.jobs.map(({ mapping }) => [...mapping])).toEqual([
      [0, 2, 1, 3],
      [7, 6, 5, 4],
    ]);
  });

  it('are placed before those that are mapped at once', () => {
    const own = [{}, { map: choiceOf('baseline') }, {}];
    const three = mixed({ jobs: ['a', 'b', 'c'], own, map: choiceOf('contention-free') });
    const report = only(run(programOf([cluster(12, 1, 1)], [four('a'), four('b'), four('c')], [three])));
    expect([...report.jobs[1]!.mapping]).toEqual([0, 1, 2, 3]);
    const slots = report.jobs.flatMap(({ mapping }) => [...mapping]);
    expect(new Set(slots).size).toBe(12);
    expect(report.jobs.map(({ mapper }) => mapper)).toEqual(['contention-free', 'baseline', 'contention-free']);
  });

  it('that cannot be had are told of at the job', () => {
    const { problems } = study({ own: [{}, { allocate: choiceOf('nodes', {}, numbers(0, 1)) }] });
    expect(problems).toMatchObject([
      { code: 'does-not-fit', placement: 'mixed', subject: { kind: 'placement', property: 'allocate', job: 1 } },
    ]);
    expect(problems[0]!.message).toContain('Job `b`');
  });

  it('leave their nodes to the job at the same position of a placement that takes them over', () => {
    const { placements } = run(
      programOf(
        [line],
        [four('a'), four('b')],
        [
          mixed({ own: [{}, { allocate: choiceOf('nodes', {}, numbers(0, 1, 2, 3)) }] }),
          mixed({ name: 'same', allocate: sameAs('mixed') }),
        ],
      ),
    );
    expect(nodesOf(placements[1]!)).toEqual(nodesOf(placements[0]!));
  });
});
