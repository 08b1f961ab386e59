import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import type { Job } from '../../model/job.ts';
import type { Machine } from '../../model/machine.ts';
import { seededRandom } from '../../model/random.ts';
import { cancelledCode } from '../../model/result.ts';
import { testContract } from '../../model/testing/contract.ts';
import type { MappingProblem } from '../contract.ts';
import { contextFor } from '../testing/problems.ts';
import { neighbourTraffic } from '../../optimisation/testing/problems.ts';
import { contentionFree, mapJobs } from './contentionFree.ts';
import { mapTogether, problemsOf, tasksPerNode } from './testing/paperWorkloads.ts';
import {
  fixedWorkload,
  kilobyte,
  megabyte,
  mixedWorkload,
  paperCluster,
  patternJob,
} from '../../queueing/testing/paperWorkloads.ts';

const cluster = paperCluster();
const grid = (name: string, sides: readonly number[], bytes: number): Job => {
  const traffic = neighbourTraffic(sides);
  const scaled = { ...traffic, bytes: traffic.bytes.map(() => bytes) };
  return { name, taskCount: traffic.taskCount, periodic: false, traffic: scaled, messageBytes: bytes, rate: 10 };
};

/** Workloads of every kind: one job and many, that share all nodes or some, and fill them or not. */
const workloads: readonly (readonly [name: string, problems: readonly MappingProblem[]])[] = [
  ...([1, 3, 4, 5, 6] as const).map(
    (number) => [`Mixed_${number}`, problemsOf(cluster, mixedWorkload(`Mixed_${number}`))] as const,
  ),
  ...(['all-to-all', 'one-to-all', 'all-to-one', 'linear'] as const).map(
    (pattern) => [`all jobs ${pattern}`, problemsOf(cluster, fixedWorkload(pattern))] as const,
  ),
  ['one all-to-all', problemsOf(cluster, [patternJob('job', 'all-to-all', 64, 1, 64 * kilobyte)])],
  ['a large all-to-all that does not divide', problemsOf(cluster, [patternJob('job', 'all-to-all', 50, 1, megabyte)])],
  ['a grid of large messages', problemsOf(cluster, [grid('grid', [10, 10], megabyte)])],
  ['grids on one-core nodes', problemsOf(paperCluster(40, 1, 1), [grid('a', [4, 5], megabyte), grid('b', [20], 4096)])],
  [
    'nodes that overlap, where the first job mapped must leave the other its only node',
    [
      ...problemsOf(cluster, [patternJob('roomy', 'all-to-all', 40, 1, megabyte)], [0, 1, 2]),
      ...problemsOf(cluster, [patternJob('narrow', 'linear', 8, 1, kilobyte)], [1]),
    ],
  ],
  [
    'the same job twice on a full node',
    problemsOf(paperCluster(1), Array(2).fill(patternJob('half', 'ring', 8, 1, megabyte)) as Job[]),
  ],
];

const together = new Map(workloads.map(([, problems]) => [problems, mapTogether(problems)]));
const togetherOf = (problems: readonly MappingProblem[]) => together.get(problems) ?? mapTogether(problems);

/** Those in which a job of large messages has several tasks on a node, and so on its sockets. */
const crowding = workloads
  .map(([name]) => name)
  .filter(
    (name) =>
      !['Mixed_1', 'one all-to-all', 'a large all-to-all that does not divide'].includes(name) &&
      name !== 'grids on one-core nodes',
  );

/** The most tasks on a node that the notes of a job promise; undefined where they say that there is no limit. */
function limitIn(notes: readonly string[]): number | undefined {
  const text = notes.join(' ');
  if (text.includes('No limit per node')) return undefined;
  const found = /raised to (\d+)/.exec(text) ?? /At most (\d+) tasks on a node/.exec(text);
  if (found === null) throw new Error(`These notes say nothing of a limit: ${text}`);
  return Number(found[1]);
}

/** Tasks of a job on each socket of each node. */
function tasksPerSocket({ nodeCount, socketsPerNode, inside }: Machine, mapping: Int32Array): number[][] {
  const counts = Array.from({ length: nodeCount }, () => new Array<number>(socketsPerNode).fill(0));
  for (const slot of mapping) {
    const socket = Math.floor(slot / inside.coresOfSockets[0]!);
    counts[Math.floor(socket / socketsPerNode)]![socket % socketsPerNode]! += 1;
  }
  return counts;
}

for (const [name, problems] of workloads) {
  testContract(`jobs mapped together: ${name}`, ({ property, notApplicable }) => {
    const { machine } = problems[0]!;
    const { answers } = togetherOf(problems);

    property('stay on their nodes, each task on a core of its own', (look) => {
      const taken = new Set<number>();
      for (const [position, { mapping }] of answers.entries()) {
        const { job, slots } = problems[position]!;
        look(mapping.length === job.taskCount, () => `${mapping.length} of ${job.taskCount} tasks`);
        const offered = new Set(slots);
        for (const slot of mapping) {
          look(offered.has(slot) && !taken.has(slot), () => `${job.name}: ${slot}`);
          taken.add(slot);
        }
      }
    });

    property('have at most as many tasks on a node as their threshold says', (look) => {
      for (const { mapping, notes } of answers) {
        const most = Math.max(...tasksPerNode(machine, mapping));
        look(most <= (limitIn(notes) ?? machine.coresPerNode), () => `${most} tasks, ${notes.join(' ')}`);
        look(new RegExp(`(: |to )${most} on `).test(notes.at(-1) ?? ''), () => `${most} tasks, ${notes.join(' ')}`);
      }
    });

    const ownSockets = 'use different sockets for large messages while there are any';
    if (!crowding.includes(name)) notApplicable(ownSockets, 'no job of large messages has several tasks on a node');
    property(ownSockets, (look) => {
      const taken = new Set(answers.flatMap(({ mapping }) => [...mapping]));
      const cores = machine.inside.coresOfSockets[0]!;
      const isFull = (node: number, socket: number) => {
        const first = node * machine.coresPerNode + socket * cores;
        return Array.from({ length: cores }, (__, core) => first + core).every((slot) => taken.has(slot));
      };
      for (const { mapping, notes } of answers) {
        if (!notes[0]!.startsWith('Messages are large')) continue;
        for (const [node, counts] of tasksPerSocket(machine, mapping).entries()) {
          if (Math.max(...counts) < 2) continue;
          // Whatever socket the job left out has been filled by others.
          const isCrowded = counts.some((count, socket) => count === 0 && !isFull(node, socket));
          look(!isCrowded, () => `node ${node}: ${counts.join(' ')}`);
        }
      }
    });

    property('come out the same whatever the seed', (look) => {
      for (const seed of [2, 77]) {
        const again = mapJobs(problems, contextFor(contentionFree, { random: seededRandom(seed) }));
        look(again.ok && isDeepStrictEqual(again.value.answers, answers), `seed ${seed}`);
      }
    });
  });
}

describe('jobs mapped together', () => {
  it('reach limits below the cores of a node in several of these workloads', () => {
    const reached = workloads.filter(([, problems]) =>
      togetherOf(problems).answers.some(({ mapping, notes }) => {
        const { machine } = problems[0]!;
        const limit = limitIn(notes) ?? machine.coresPerNode;
        return limit < machine.coresPerNode && Math.max(...tasksPerNode(machine, mapping)) === limit;
      }),
    );
    expect(reached.map(([name]) => name)).toEqual([
      ...['Mixed_1', 'Mixed_3', 'Mixed_4', 'Mixed_5', 'Mixed_6'],
      ...['all jobs linear', 'one all-to-all', 'a large all-to-all that does not divide', 'a grid of large messages'],
    ]);
  });

  it('keep smaller messages off the sockets of large ones while others are free', () => {
    const machine = paperCluster(1);
    const jobs = [patternJob('medium', 'ring', 3, 1, 4096), patternJob('large', 'ring', 3, 1, megabyte)];
    const sockets = mapTogether(problemsOf(machine, jobs)).answers.map(({ mapping }) =>
      [...mapping].map((slot) => Math.floor(slot / 4)),
    );
    expect(sockets).toEqual([
      [3, 3, 3],
      [0, 1, 2],
    ]);
  });

  it('answer that they were cancelled, whenever the mapper looks', () => {
    const [, problems] = workloads[0]!;
    let looks = 0;
    mapTogether(problems, { cancellation: { isCancelled: () => looks++ < 0 } });
    expect(looks).toBeGreaterThan(4);
    for (let allowed = 0; allowed < looks; allowed++) {
      let left = allowed;
      const cancellation = { isCancelled: () => left-- <= 0 };
      expect(mapJobs(problems, contextFor(contentionFree, { cancellation }))).toMatchObject({
        ok: false,
        failure: { code: cancelledCode },
      });
    }
  });

  it('say which job finds no room', () => {
    const jobs = [patternJob('first', 'ring', 200, 1, 1), patternJob('second', 'ring', 60, 1, megabyte)];
    const answer = mapJobs(problemsOf(cluster, jobs), contextFor(contentionFree, { cancellation: neverCancelled }));
    expect(answer).toMatchObject({ ok: false, failure: { code: 'does-not-fit' } });
    if (!answer.ok) expect(answer.failure.message).toMatch(/^Job `second` has 60 tasks, .* 56 free cores/);
  });
});

describe('what the paper says of its workloads', () => {
  const spread = (jobs: readonly Job[]) =>
    mapTogether(problemsOf(cluster, jobs)).answers.map(({ mapping }) => tasksPerNode(cluster, mapping));

  it('Mixed_1 to Mixed_4: the all-to-all is dealt out as by Cyclic, four tasks on a node', () => {
    for (const name of ['Mixed_1', 'Mixed_2', 'Mixed_3', 'Mixed_4'] as const) {
      expect(spread(mixedWorkload(name))[0]).toEqual(new Array(16).fill(4));
    }
  });

  it('Bcast/Scatter: no threshold, receivers near their sender as by Blocked', () => {
    const counts = spread(fixedWorkload('one-to-all'));
    expect(counts.map((perNode) => perNode.filter((tasks) => tasks > 0))).toEqual(new Array(8).fill([16, 16]));
  });

  it('All-to-All: contention between the jobs is severe, and every job is kept together as by Blocked', () => {
    const { notes, answers } = mapTogether(problemsOf(cluster, fixedWorkload('all-to-all')));
    expect(notes[0]).toMatch(/^Contention between the jobs is severe: .* 31 others/);
    for (const { mapping } of answers) {
      expect(tasksPerNode(cluster, mapping).filter((tasks) => tasks > 0)).toEqual([16, 16]);
    }
  });

  it('Linear: some messages stay within their node, some go out', () => {
    for (const { mapping } of mapTogether(problemsOf(cluster, fixedWorkload('linear'))).answers) {
      const nodes = [...mapping].map((slot) => Math.floor(slot / 16));
      const within = nodes.filter((node, task) => task > 0 && node === nodes[task - 1]).length;
      expect(within).toBeGreaterThan(0);
      expect(within).toBeLessThan(31);
    }
  });

  it('Linear: a chain goes on where it has begun; one that would keep memories too busy has a task on each socket', () => {
    const { answers } = mapTogether(problemsOf(cluster, fixedWorkload('linear')));
    const counts = answers.map(({ mapping }) => tasksPerNode(cluster, mapping).filter((tasks) => tasks > 0));
    // 500 messages of 2 MB a second, then 100 and 10, which find 12 idle cores on each node.
    expect(counts.slice(0, 2)).toEqual([Array(8).fill(4), Array(8).fill(4)]);
    expect(counts.slice(2, 4)).toEqual([
      [12, 12, 8],
      [12, 12, 8],
    ]);
    for (const { mapping, notes } of answers.slice(0, 2)) {
      expect(new Set([...mapping].map((slot) => Math.floor(slot / 4))).size).toBe(32);
      expect(notes[1]).toMatch(/^At most 4 tasks on a node, spread over its sockets \(rule 4\)/);
    }
  });

  it('a job that is spread out goes to empty nodes while there are any', () => {
    const { answers } = mapTogether(problemsOf(cluster, fixedWorkload('linear')));
    const nodes = answers
      .slice(0, 2)
      .flatMap(({ mapping }) => [...new Set([...mapping].map((slot) => Math.floor(slot / 16)))]);
    expect(new Set(nodes).size).toBe(16);
  });

  it('a job is spread out where its messages then wait less, whatever servers another job has overloaded', () => {
    const overloading = patternJob('overloading', 'linear', 32, 900, 2 * megabyte);
    const job = patternJob('job', 'linear', 32, 300, 2 * megabyte);
    const [alone] = mapTogether(problemsOf(cluster, [job])).answers;
    const [, beside] = mapTogether(problemsOf(cluster, [overloading, job])).answers;
    expect(alone!.notes[1]).toMatch(/^At most 4 tasks on a node, spread over its sockets/);
    expect(beside!.notes[1]).toBe(alone!.notes[1]);
  });

  it('one sender of large messages, or one receiver, keeps the others near', () => {
    for (const pattern of ['one-to-all', 'all-to-one'] as const) {
      for (const { mapping } of mapTogether(problemsOf(cluster, fixedWorkload(pattern))).answers)
        expect(tasksPerNode(cluster, mapping).filter((tasks) => tasks > 0)).toEqual([16, 16]);
    }
  });

  it('a job that fits into a node with all partners has no threshold', () => {
    const [answer] = mapTogether(problemsOf(cluster, [patternJob('job', 'all-to-all', 16, 10, megabyte)])).answers;
    expect(tasksPerNode(cluster, answer!.mapping)[0]).toBe(16);
    expect(answer!.notes[1]).toMatch(/^No limit per node: a task and its 15 partners/);
  });

  it('the idle mean is taken anew for every job', () => {
    // The first fills 12 of 16 cores everywhere; of the second's 8 tasks no node holds one with 7 partners then.
    const jobs = [
      patternJob('first', 'ring', 192, 1, megabyte),
      patternJob('second', 'all-to-all', 8, 1, 64 * kilobyte),
    ];
    const [, alone] = mapTogether(problemsOf(cluster, [jobs[1]!, jobs[1]!])).answers;
    expect(alone!.notes[1]).toMatch(/^No limit/);
    const [, second] = mapTogether(problemsOf(cluster, jobs)).answers;
    expect(second!.notes[1]).toMatch(
      /^At most 8 tasks on a node \(equation 22\): 7 partners are more than fit beside a task on 4 idle/,
    );
  });
});

describe('notes', () => {
  const notesOf = (job: Job, machine = cluster) => mapTogether(problemsOf(machine, [job]));

  it('say class, adjacency, demand, threshold with its equation, and tasks per node', () => {
    const { notes, answers } = notesOf(patternJob('job', 'all-to-all', 64, 1, 64 * kilobyte));
    expect(answers[0]!.notes).toMatchInlineSnapshot(`
      [
        "Messages are medium (between 2 KiB and 1 MiB: 64 KiB); 63 partners per task; the job sends 252.3 MiB/s (equation 13).",
        "At most 4 tasks on a node (equation 22): 63 partners are more than fit beside a task on 16 idle cores, and on 16 nodes waiting at interface and memory is least (1.184 µs, equation 14).",
        "Tasks per node: 4 on 16 nodes.",
      ]
    `);
    expect(notes).toMatchInlineSnapshot(`
      [
        "Queueing model: mean wait 3.305 µs per message, 541.5 ns for memory. Maximum server utilisation 2 %.",
      ]
    `);
  });

  it("say which figures are the paper's, and that a rate was assumed", () => {
    const { rate, ...job } = patternJob('job', 'ring', 8, 5, kilobyte);
    expect(rate).toBe(5);
    const { notes, answers } = notesOf(job, { ...cluster, figures: { interface: 2e9 } });
    expect(notes).toEqual([
      'The machine does not define `memory 4 GB/s` and `switch 100 ns`; the values of Soryani et al. (2013) are used.',
    ]);
    expect(answers[0]!.notes[0]).toMatch(/no `rate` is given, one message a second to each partner was taken\.$/);
  });

  it('say that a threshold had to be raised', () => {
    // 17 tasks want to be 9 to a node; 16 and 1 cores hold them only as 16 and 1.
    const machine = paperCluster(2);
    const job = patternJob('job', 'all-to-all', 17, 1, megabyte);
    const slots = Int32Array.from({ length: 17 }, (_, slot) => slot);
    const problem = { machine, job, allocation: Int32Array.of(0, 1), slots };
    const [answer] = mapTogether([problem]).answers;
    expect(answer!.notes[1]).toMatch(/^At most 9 tasks .* it was raised to 16\.$/);
    expect(tasksPerNode(machine, answer!.mapping)).toEqual([16, 1]);
  });
});
