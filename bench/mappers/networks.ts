/**
 * `auto` on nodes of many cores, on irregular switches and for graphs with hubs, beside the mappers of the
 * catalogue and Scotch: hop-bytes of seed 1, budgets of 1 s and 10 s.
 */
import type { WorkerPool } from '../../server/optimisation/workerPool.ts';
import type { MappingProblem } from '../../server/mapping/contract.ts';
import type { Job } from '../../server/model/job.ts';
import type { Machine } from '../../server/model/machine.ts';
import { seededRandom, shuffle } from '../../server/model/random.ts';
import { gridMachine } from '../../server/network/testing/machines.ts';
import { neighbourTraffic, problemOn } from '../../server/optimisation/testing/problems.ts';
import { tableTraffic } from '../../server/traffic/build.ts';
import { benchProblem } from './cases.ts';
import { format, hopBytes, run, runMapper } from './run.ts';
import { scotchMappings } from './scotch.ts';
import { manyCoreTargets, networkOf, randomSwitches } from './targets.ts';

const independentChains = ['blocked', 'grouping', 'drb', 'k-way'] as const;
const peerRuns = 11;

/** `npm run bench -- mappers:cores`: nodes of 16 and 32 cores. */
export function printManyCores(only: string | undefined, workerPool: WorkerPool): void {
  console.log(
    `\n| many cores | ${independentChains.join(' | ')} | Scotch best of 11 | 1 s | % | wall s | 10 s | % | wall s |`,
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  const ratios: number[][] = [[], []];
  for (const size of [512, 4096]) {
    for (const graph of ['st3dshuf', 'quot', 'rgg2']) {
      const { job } = benchProblem(`${graph}-${size}`, 'torus8');
      for (const [target, { machine, architecture }] of Object.entries(manyCoreTargets)) {
        const name = `cores: ${graph}-${size} on ${target}`;
        const made = size === taskRoom(target) && (only === undefined || name.includes(only)) && machine();
        if (!made) continue;
        const problem = onAllOf(made, job);
        const found = independentChains.map((independentChain) => runMapper(independentChain, problem).hopBytes);
        const least = Math.min(...found);
        const cells = [1, 10].flatMap((seconds, index) => {
          const { hopBytes: value, seconds: wall } = run(problem, { kind: 'seconds', amount: seconds }, 1, workerPool);
          ratios[index]!.push(value / least);
          return [format(value), percent(value / least), wall.toFixed(2)];
        });
        const peer = architecture === undefined ? '–' : peerBest(problem, architecture);
        console.log(`| ${[name, ...found.map(format), peer, ...cells].join(' | ')} |`);
      }
    }
  }
  for (const own of ratios) {
    if (own.length > 0) console.log(`median ${percent(median(own))} %, worst ${percent(Math.max(...own))} %`);
  }
}

/** `npm run bench -- mappers:hubs` and `mappers:irregular`: average hops. */
export function printPowerLaw(only: string | undefined, workerPool: WorkerPool): void {
  console.log(
    '\n| average hops | Scotch best | Scotch median | s a run | budget | ours | wall s | first | not tried |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |');
  const torus = gridMachine('torus', [16, 16, 16]);
  const switches = randomSwitches(256, 6, 16, 3);
  const rows: (readonly [string, Machine, () => Omit<Job, 'name'>, number])[] = [
    ...[1, 2, 3, 4, 5].flatMap((seed) =>
      [2, 4].map(
        (edges) =>
          [
            `hubs: 4,096, ${edges} edges each, seed ${seed}, on torus16`,
            torus,
            () => withHubs(4096, edges, seed),
            1,
          ] as const,
      ),
    ),
    ...['st3dshuf', 'quot', 'rgg2'].map(
      (graph) =>
        [
          `irregular: ${graph}-4096 on 256 switches`,
          switches,
          () => benchProblem(`${graph}-4096`, 'torus8').job,
          1,
        ] as const,
    ),
    ['irregular: hubs, 4,096, on 256 switches', switches, () => withHubs(4096, 2, 1), 1],
    ['hubs: 32,768, 2 edges each, on torus32', gridMachine('torus', [32, 32, 32]), () => withHubs(32_768, 2, 1), 10],
  ];
  for (const [name, machine, jobOf, seconds] of rows) {
    if (only !== undefined && !name.includes(only)) continue;
    const job = { name: 'job', ...jobOf() };
    const problem = onAllOf(machine, job);
    const bytes = job.traffic.bytes.reduce((sum, amount) => sum + amount, 0);
    const peer = scotchMappings(problem, seconds > 1 ? 2 : peerRuns);
    const values = (peer?.mappings ?? []).map((mapping) => hopBytes(problem, mapping) / bytes);
    const ours = run(problem, { kind: 'seconds', amount: seconds }, 1, workerPool);
    const { tried = [], untried = [] } = ours.answer.search ?? {};
    console.log(
      `| ${name} | ${Math.min(...values).toFixed(3)} | ${median(values).toFixed(3)} | ` +
        `${((peer?.seconds ?? Number.NaN) / values.length).toFixed(2)} | ${seconds} s | ${(ours.hopBytes / bytes).toFixed(3)} | ` +
        `${ours.seconds.toFixed(2)} | ${tried[0]?.name ?? ''} | ${untried.join(', ')} |`,
    );
  }
}

/** `npm run bench -- mappers:nested`: a grid on all nodes of a large fat tree. */
export function printNestedBoxes(only: string | undefined, workerPool: WorkerPool): void {
  const name = 'nested: 32 x 32 x 32 on 4,096 8-core nodes of fat-tree(k 16, n 3), 64 KiB a message';
  if (only !== undefined && !name.includes(only)) return;
  const machine = networkOf('fat-tree', { options: { k: 16, n: 3 }, cores: 8 });
  const grid = [32, 32, 32];
  const problem = problemOn(machine, { grid, traffic: neighbourTraffic(grid) });
  const { hopBytes: value, seconds, answer } = run(problem, { kind: 'seconds', amount: 10 }, 1, workerPool);
  console.log(
    `\n${name}: ${((value * 64) / 2 ** 20).toFixed(2)} GiB in ${seconds.toFixed(2)} s, ${answer.search?.chosen?.name ?? ''}`,
  );
}

/** Barabási and Albert 1999: every new task talks to so many that are there, those with many partners more likely. */
function withHubs(taskCount: number, edges: number, seed: number): Omit<Job, 'name'> {
  const random = seededRandom(seed);
  const ends: number[] = [];
  const from: number[] = [];
  const to: number[] = [];
  const join = (one: number, other: number): void => {
    from.push(one);
    to.push(other);
    ends.push(one, other);
  };
  for (let one = 0; one <= edges; one++) for (let other = 0; other < one; other++) join(one, other);
  for (let task = edges + 1; task < taskCount; task++) {
    const chosen = new Set<number>();
    while (chosen.size < edges) chosen.add(ends[random.integer(ends.length)]!);
    for (const other of chosen) join(task, other);
  }
  // The order in which they came says who is a hub.
  const names = Int32Array.from({ length: taskCount }, (_, task) => task);
  shuffle(names, random);
  const named = (tasks: readonly number[]): Int32Array => Int32Array.from(tasks, (task) => names[task]!);
  const amount = new Float64Array(from.length).fill(1);
  const traffic = tableTraffic({ size: taskCount, from: named(from), to: named(to), amount }, taskCount, 1);
  if (!traffic.ok) throw new Error(traffic.failure.message);
  return { taskCount, periodic: false, traffic: traffic.value };
}

function onAllOf(machine: Machine, job: Job): MappingProblem {
  return { ...problemOn(machine, { taskCount: job.taskCount, traffic: job.traffic }), job };
}

/** `fat tree 32 x 16` has room for 512 tasks. */
function taskRoom(target: string): number {
  const [nodes = 0, cores = 0] = (/(\d+) x (\d+)$/.exec(target) ?? []).slice(1).map(Number);
  return nodes * cores;
}

function peerBest(problem: MappingProblem, architecture: string): string {
  const peer = scotchMappings(problem, peerRuns, architecture);
  if (peer === undefined) return 'not installed';
  return format(Math.min(...peer.mappings.map((mapping) => hopBytes(problem, mapping))));
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const percent = (ratio: number): string => (100 * (ratio - 1)).toFixed(2);
