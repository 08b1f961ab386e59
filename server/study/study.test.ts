import { describe, expect, it } from 'vitest';
import { mappers } from '../mapping/catalogue.ts';
import { endsOfLink } from '../network/links.ts';
import { gridDescription } from '../network/testing/machines.ts';
import type { PlacementReport } from '../model/report.ts';
import type { StudyReport } from './report.ts';
import { createStudyCache } from './study.ts';
import {
  slotsFile,
  choiceOf,
  filesOf,
  gridJob,
  jobOf,
  numbers,
  placementOf,
  programOf,
  run,
  sameAs,
  tableJob,
} from './testing/programs.ts';
import { randomFor } from './fingerprint.ts';

const torus = gridDescription('torus', [4, 4], { name: 'small' });
const at = { name: 'first-try', machine: 'small' };

/** The only placement of a study that went well. */
function only(report: StudyReport): PlacementReport {
  expect(report.problems).toEqual([]);
  expect(report.placements).toHaveLength(1);
  return report.placements[0]!;
}

describe('golden studies', () => {
  it('heat on a 4 x 4 torus, one task per node: 48 pairs of 1 hop', () => {
    const heat = gridJob('heat', [4, 4], 'five-point', { bytes: 65536 });
    const { metrics, jobs, linkLoads } = only(
      run(programOf([torus], [heat], [placementOf({ ...at, jobs: ['heat'] })])),
    );
    expect([...jobs[0]!.mapping]).toEqual([...Array(16).keys()]);
    // 2 · 4 · 3 cables are used of 32, each both ways.
    expect(metrics).toEqual({
      averageHops: 1,
      hopVariance: 0,
      maximumHops: 1,
      hopBytes: 48 * 65536,
      weightedHops: 1,
      mappingCoefficient: 48 * 65536,
      maximumLinkLoad: 65536,
      meanLinkLoad: 49152,
      interNodeBytes: 48 * 65536,
      congestionTime: undefined,
    });
    expect(linkLoads).toHaveLength(64);
  });

  it('periodic heat on the same torus: every link carries one message', () => {
    const heat = gridJob('heat', [4, 4], 'five-point', { bytes: 65536, messages: 3, periodic: true });
    const { metrics, linkLoads, hotLinks } = only(
      run(programOf([torus], [heat], [placementOf({ ...at, jobs: ['heat'] })])),
    );
    expect(new Set(linkLoads)).toEqual(new Set([3 * 65536]));
    expect(metrics).toMatchObject({ averageHops: 1, hopBytes: 64 * 3 * 65536, meanLinkLoad: 3 * 65536 });
    expect(hotLinks).toEqual([]);
  });

  it('periodic heat on a 4 x 4 mesh: the wraps are 3 hops', () => {
    const mesh = gridDescription('mesh', [4, 4], { name: 'small', figures: { bandwidth: 1e9 } });
    const heat = gridJob('heat', [4, 4], 'five-point', { periodic: true });
    const { metrics } = only(run(programOf([mesh], [heat], [placementOf({ ...at, jobs: ['heat'] })])));
    // 48 pairs of 1 hop and 16 of 3: mean 1.5, variance (48 · 0.25 + 16 · 2.25) / 64.
    expect(metrics).toMatchObject({ averageHops: 1.5, hopVariance: 0.75, maximumHops: 3, hopBytes: 96 });
    expect(metrics.congestionTime).toBe(2e-9);
  });

  it('pairs in one node have 0 hops and count in the mean', () => {
    const nodes = gridDescription('torus', [2], { name: 'small', sockets: 2, cores: 2 });
    const all = jobOf({ name: 'job', taskCount: 8, bytes: 10 });
    const { metrics, linkLoads } = only(run(programOf([nodes], [all], [placementOf(at)])));
    // 56 pairs, 24 within the nodes; the two links carry 160 bytes each way.
    expect(metrics).toMatchObject({ averageHops: 32 / 56, hopBytes: 320, interNodeBytes: 320, maximumLinkLoad: 160 });
    expect([...linkLoads]).toEqual([160, 160]);
  });

  it('nodes on one router of a torus are 0 hops apart, and still are different nodes', () => {
    const hosts = gridDescription('torus', [2], { name: 'small', hosts: 2 });
    const all = jobOf({ name: 'job', taskCount: 4 });
    const { metrics } = only(run(programOf([hosts], [all], [placementOf(at)])));
    expect(metrics).toMatchObject({ averageHops: 8 / 12, interNodeBytes: 12, hopBytes: 8 });
  });

  it('a hot link names its load and its heaviest flows', () => {
    // All send to task 0 in a line of nodes: link k+1 -> k carries what k+1 … 7 send.
    const line = gridDescription('mesh', [8], { name: 'small' });
    const gather = tableJob(
      'job',
      8,
      [1, 2, 3, 4, 5, 6, 7].map((from) => [from, 0, from] as const),
    );
    const report = only(run(programOf([line], [gather], [placementOf(at)]), { settings: { hotLinkFactor: 1.45 } }));
    // Loads 28 27 25 22 18 13 7: mean 20.
    expect(report.hotLinks).toHaveLength(0);
    const exactly = only(run(programOf([line], [gather], [placementOf(at)]), { settings: { hotLinkFactor: 1.4 } }));
    expect(exactly.hotLinks.map(({ load }) => load)).toEqual([28]);
    const again = only(run(programOf([line], [gather], [placementOf(at)]), { settings: { hotLinkFactor: 1.3 } }));
    const ends = again.hotLinks.map(({ link, load, timesMean }) => ({
      ...endsOfLink(again.machine, link),
      load,
      timesMean,
    }));
    expect(ends).toEqual([
      { from: 1, to: 0, load: 28, timesMean: 1.4 },
      { from: 2, to: 1, load: 27, timesMean: 1.35 },
    ]);
    expect(again.hotLinks[1]!.flows.map(({ from, bytes }) => [from, bytes])).toEqual([
      [7, 7],
      [6, 6],
      [5, 5],
      [4, 4],
      [3, 3],
    ]);
  });

  it('a job without traffic has zeros everywhere', () => {
    const silent = tableJob('job', 16, []);
    const { metrics, hotLinks } = only(run(programOf([torus], [silent], [placementOf(at)])));
    expect(new Set(Object.values(metrics))).toEqual(new Set([0, undefined]));
    expect(hotLinks).toEqual([]);
  });
});

describe('several jobs on one machine', () => {
  const nodes = gridDescription('mesh', [4], { name: 'small', cores: 2 });
  const jobs = [jobOf({ name: 'first', taskCount: 3 }), jobOf({ name: 'second', taskCount: 5 })];
  const both = { ...at, jobs: ['first', 'second'], map: choiceOf('baseline') };

  it('later jobs take the cores that earlier ones left', () => {
    const report = only(run(programOf([nodes], jobs, [placementOf(both)])));
    expect(report.jobs.map(({ mapping }) => [...mapping])).toEqual([
      [0, 1, 2],
      [3, 4, 5, 6, 7],
    ]);
    expect(report.jobs.map(({ allocation }) => [...allocation])).toEqual([
      [0, 1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('a given mapping goes on from one job to the next', () => {
    const given = (slots: readonly number[]) =>
      run(programOf([nodes], jobs, [placementOf({ ...both, map: choiceOf('given', {}, numbers(...slots)) })]));
    expect(only(given([7, 6, 5, 4, 3, 2, 1, 0])).jobs.map(({ mapping }) => [...mapping])).toEqual([
      [7, 6, 5],
      [4, 3, 2, 1, 0],
    ]);
    expect(given([7, 6, 5, 4, 3, 2, 1]).problems).toMatchObject([
      { code: 'given-length', subject: { kind: 'placement', name: 'first-try', property: 'map' } },
    ]);
    expect(given([7, 6, 5, 4, 5, 2, 1, 0]).problems).toMatchObject([{ code: 'given-not-free' }]);
  });

  it('a given file goes on from one job to the next', () => {
    const map = choiceOf('given', {}, { kind: 'file', uri: 'map.txt' });
    const files = filesOf({}, { 'map.txt': slotsFile([7, 6, 5, 4, 3, 2, 1, 0]) });
    const report = only(run(programOf([nodes], jobs, [placementOf({ ...both, map })]), { files }));
    expect(report.jobs.map(({ mapping }) => [...mapping])).toEqual([
      [7, 6, 5],
      [4, 3, 2, 1, 0],
    ]);
  });

  it('each takes over the nodes of the job at its position, or of the only one', () => {
    const crowd = programOf(
      [nodes],
      [...jobs, jobOf({ name: 'small', taskCount: 1 })],
      [
        placementOf(both),
        placementOf({ ...both, name: 'again', allocate: sameAs('first-try') }),
        placementOf({ ...at, name: 'single', jobs: ['small'], allocate: choiceOf('nodes', {}, numbers(2)) }),
        placementOf({ ...at, name: 'both-on-one', jobs: ['small', 'small'], allocate: sameAs('single') }),
        placementOf({ ...at, name: 'too-many', jobs: ['small', 'small', 'small'], allocate: sameAs('first-try') }),
      ],
    );
    const { placements, problems } = run(crowd);
    const nodesOf = Object.fromEntries(
      placements.map(({ name, jobs: placed }) => [name, placed.map(({ allocation }) => [...allocation])]),
    );
    expect(nodesOf).toEqual({
      'first-try': [
        [0, 1, 2, 3],
        [1, 2, 3],
      ],
      again: [
        [0, 1, 2, 3],
        [1, 2, 3],
      ],
      single: [[2]],
      'both-on-one': [[2], [2]],
    });
    expect(problems.map(({ placement, code }) => [placement, code])).toEqual([['too-many', 'same-as-too-few-jobs']]);
  });

  it('says which job does not fit', () => {
    const crowd = [...jobs, jobOf({ name: 'third', taskCount: 2 })];
    const { placements, problems } = run(
      programOf([nodes], crowd, [placementOf({ ...both, jobs: ['first', 'second', 'third'] })]),
    );
    expect(placements).toEqual([]);
    expect(problems).toMatchObject([{ code: 'does-not-fit', severity: 'error', subject: { property: 'allocate' } }]);
    expect(problems[0]!.message).toMatch(/^Job `third`: /);
  });
});

describe('seeds', () => {
  const machine = gridDescription('torus', [6, 6], { name: 'small' });
  const randomly = (overrides: object) =>
    placementOf({ ...at, allocate: choiceOf('random', { count: 20 }), map: choiceOf('random'), ...overrides });
  const job = jobOf({ name: 'job', taskCount: 16, source: { kind: 'pattern', choice: choiceOf('random') } });
  const study = (overrides: object) => only(run(programOf([machine], [job], [randomly(overrides)])));

  it('the same program gives the same report', () => {
    const asData = ({ machine: { name: machineName }, ...report }: PlacementReport) => ({ ...report, machineName });
    expect(asData(study({}))).toEqual(asData(study({})));
  });

  it('another seed gives another allocation and mapping', () => {
    const [one, other] = [study({}).jobs[0]!, study({ seed: 2 }).jobs[0]!];
    expect(one.allocation).not.toEqual(other.allocation);
    expect(one.mapping).not.toEqual(other.mapping);
  });

  it('each step and each job draws from a stream of its own', () => {
    const streams = (['allocate', 'map', 'pattern'] as const).flatMap((step) =>
      [0, 1].map((position) => Array.from({ length: 4 }, () => randomFor(1, step, position).integer(1 << 30)).join()),
    );
    expect(new Set(streams).size).toBe(streams.length);
  });

  it('random traffic follows the seed, and is the same job where the seed is the same', () => {
    const placements = [1, 2, 1].map((seed, index) => randomly({ name: `p${index}`, seed }));
    const [one, two, again] = run(programOf([machine], [job], placements)).placements.map(({ jobs }) => jobs[0]!.job);
    expect(again).toBe(one);
    expect(two!.traffic).not.toEqual(one!.traffic);
  });

  it('another mapper leaves the allocation and the traffic as they were', () => {
    const allocated = mappers
      .filter(({ name }) => name !== 'given')
      .map(({ name }) => study({ map: choiceOf(name) }).jobs[0]!);
    for (const { allocation, job: built } of allocated) {
      expect(allocation).toEqual(allocated[0]!.allocation);
      expect(built.traffic).toEqual(allocated[0]!.job.traffic);
    }
  });
});

describe('facts', () => {
  it('of jobs and machines, used or not', () => {
    const heat = gridJob('heat', [4, 4], 'five-point', { bytes: 2 });
    const { jobs, machines, problems } = run(programOf([torus], [heat], []));
    expect(problems).toEqual([]);
    expect(jobs).toEqual([{ name: 'heat', tasks: 16, pairs: 48, bytes: 96, meanDegree: 3, maximumDegree: 4 }]);
    expect(machines).toMatchObject([{ name: 'small', nodes: 16, cables: 32, diameter: 4, bisection: 8 }]);
  });
});

describe('reports that are not kept', () => {
  it('go to the watcher, whole, and to nobody else; nodes are still taken over', () => {
    const heat = gridJob('heat', [4, 4], 'five-point', { bytes: 65536 });
    const placements = [
      placementOf({ ...at, jobs: ['heat'], allocate: sameAs('second') }),
      placementOf({ ...at, name: 'second', jobs: ['heat'] }),
    ];
    const program = programOf([torus], [heat], placements);
    const told = new Map<string, PlacementReport | undefined>();
    const cache = createStudyCache();
    const watcher = {
      begun: () => undefined,
      progressed: () => undefined,
      described: () => undefined,
      ended: (name: string, { report }: { readonly report?: PlacementReport }) => told.set(name, report),
    };
    const { placements: none, problems } = run(program, { watcher, keepsNoReports: true, cache });
    expect([none, problems, cache.placements.size]).toEqual([[], [], 0]);
    const kept = run(program).placements;
    expect([...told.keys()].sort()).toEqual(kept.map(({ name }) => name).sort());
    for (const report of kept) {
      expect(told.get(report.name)).toMatchObject({ jobs: report.jobs, metrics: report.metrics });
    }
  });
});

describe('searches on machines with several rails', () => {
  const tree = { ...torus, topology: { name: 'fat-tree', options: { levels: [2, 4], parents: [2] } } };
  const machines = [
    ['a torus', { ...gridDescription('torus', [4, 3], { name: 'small', hosts: 2, cores: 6 }), rails: { count: 3 } }],
    [
      'a tree for each rail',
      { ...tree, routing: { name: 'minimal', options: {} }, coresPerSocket: 6, rails: { count: 3, separate: true } },
    ],
  ] as const;
  const uses = [{ kind: 'stripe' }, { kind: 'own' }, { kind: 'only', rail: 1 }] as const;
  const cases = machines.flatMap(([title, machine]) => uses.map((rails) => ({ title, machine, rails })));

  it.each(cases)('know what $rails.kind costs on $title', ({ machine, rails }) => {
    const job = jobOf({
      name: 'job',
      taskCount: 20,
      source: { kind: 'pattern', choice: choiceOf('tree') },
      bytes: 64,
    });
    for (const map of ['grasp', 'tabu']) {
      const placement = placementOf({ ...at, jobs: ['job'], map: choiceOf(map), rails });
      const { jobs, metrics } = only(run(programOf([machine], [job], [placement])));
      expect(jobs[0]!.search!.value / metrics.hopBytes).toBeCloseTo(1, 9);
    }
  });
});
