/** What takes long in a simulation: each engine under many, long and random messages, and what is made ready before it. */
import type { Cancellation } from '../../model/cancellation.ts';
import { findEntry } from '../../model/catalogue.ts';
import type { Job } from '../../model/job.ts';
import type { Machine } from '../../model/machine.ts';
import type { NetworkModel } from '../../model/networkModel.ts';
import { seededRandom } from '../../model/random.ts';
import { WorkloadBuilder, type TimedMessages, type Workload } from '../../model/workload.ts';
import type { MachineDescription } from '../../network/contract.ts';
import { buildMachine } from '../../network/machine.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { networkMachine } from '../../network/testing/networkMachines.ts';
import { paperCluster } from '../../queueing/testing/paperWorkloads.ts';
import { dependencyCircle } from '../../simulation/dependencies.ts';
import { measureRate, uniformDestination } from '../../simulation/rates.ts';
import { messageNetwork } from '../../simulation/engines.ts';
import { simulateWorkloads, type Simulation } from '../../simulation/replay.ts';
import { skeletons } from '../../simulation/workloads/catalogue.ts';
import { checkMatching, trafficWithMessages } from '../../simulation/workloads/programs.ts';
import { timedMessages } from '../../simulation/workloads/timed.ts';
import { fingerprintWithLooks } from '../../study/fingerprint.ts';
import { OfferedLoad } from '../saturation.ts';
import { workOfMessages } from '../simulationTime.ts';
import { messagesAtRate, workloadOfTraffic, type MessageList } from '../workloads.ts';

export type LongWork = readonly [name: string, work: (cancellation: Cancellation) => unknown];

const machineOf = (name: string, sides: readonly number[]): Machine => ({
  ...gridMachine(name, sides),
  figures: { bandwidth: 1e9, latency: 1e-7 },
});

const slotsOf = (count: number): readonly number[] => Array.from({ length: count }, (_, task) => task);
const slots = (count: number): Int32Array => Int32Array.from(slotsOf(count));

function written(tasks: number, write: (builder: WorkloadBuilder, task: number) => void): Workload {
  const builder = new WorkloadBuilder(tasks);
  for (let task = 0; task < tasks; task++) {
    builder.list(task);
    write(builder, task);
  }
  const workload = builder.finished();
  if (!workload.ok) throw new Error(workload.failure.message);
  return workload.value;
}

/** All tasks to all others, again and again. */
const allToAll = (tasks: number, bytes: number, rounds: number): Workload =>
  written(tasks, (builder, task) => {
    builder.repeat(rounds);
    for (let step = 1; step < tasks; step++) builder.send((task + step) % tasks, bytes, 0);
    for (let step = 1; step < tasks; step++) builder.receive((task + step) % tasks, bytes, 0);
    builder.end();
  });

/** Each task one message, across the machine. */
const across = (tasks: number, bytes: number): Workload =>
  written(tasks, (builder, task) => {
    builder.send((7 * task + 13) % tasks, bytes, 0);
  });

/** A ring with chords, on which shortest ways may go round in circles. */
const cables = [1, 5, 17, 60].flatMap((chord) =>
  slotsOf(256).map((from) => ({ from, to: (from + chord) % 256, count: 1 })),
);

const models: readonly NetworkModel[] = [
  {
    name: 'cut through',
    switching: 'cut-through',
    packet: 8,
    channels: 2,
    routing: 'adaptive',
    bubble: { packets: 2, here: true },
  },
  { name: 'stored', switching: 'store-and-forward', packet: 8, channels: 2 },
  { name: 'worms by headers', switching: 'wormhole' },
  { name: 'worms by flits', switching: 'wormhole', channels: 3, packet: 16, buffer: 4 },
  { name: 'flows', switching: 'flow' },
  { name: 'servers', switching: 'queueing' },
];

/** What is made ready before the first message of a simulation, and what is made of its records after the last. */
function largeWorks(): readonly LongWork[] {
  const large = { torus: machineOf('torus', [22, 22, 22]), mesh: machineOf('mesh', [22, 22, 22]) };
  const ofLarge = models.flatMap((model): readonly LongWork[] => {
    const { switching, name = '' } = model;
    if (switching === 'queueing') return [];
    const machine = switching === 'wormhole' ? large.mesh : large.torus;
    const nodes = machine.nodeCount;
    const simulation = {
      model,
      machine,
      seed: 1,
      jobs: [{ kind: 'causal' as const, workload: across(nodes, 4), slotOfTask: slots(nodes) }],
    };
    return [
      [`${name}, a network of 22 x 22 x 22`, (stop) => messageNetwork(model, machine, {}, seededRandom(1), stop)],
      [`${name}, one message of each node of 22 x 22 x 22`, (stop) => simulateWorkloads(simulation, stop)],
    ];
  });
  const { torus } = large;
  const messages = messagesAtOnce(1e6);
  const model: NetworkModel = { switching: 'cut-through' };
  const job = { kind: 'open', messages, slotOfTask: slots(2), speed: 1 } as const;
  const sends: MessageList = (visit) => {
    for (let message = 0; message < 1e6; message++) visit(0, 1, 64, 1);
  };
  const description: MachineDescription = {
    name: 'many',
    topology: { name: 'irregular', argument: { kind: 'numbers', numbers: [4096] }, options: {} },
    ...{ cables: [], socketsPerNode: 1, coresPerSocket: 1, figures: {} },
  };
  return [
    ...ofLarge,
    [
      'the bursts of a million messages',
      (stop) => OfferedLoad.of({ model, machine: torus, seed: 1, jobs: [job] }, stop),
    ],
    [
      'the work of a million messages',
      (stop) => workOfMessages(torus, model, [{ slotOfTask: slots(2), messages: sends }], undefined, stop),
    ],
    ['4,096 switches under up/down', (stop) => buildMachine(description, undefined, stop)],
  ];
}

/** Tasks in turns, as traces tell them. */
function inTurns(tasks: number, operations: number): WorkloadBuilder {
  const builder = new WorkloadBuilder(tasks);
  const lists = slotsOf(tasks).map((task) => builder.list(task));
  for (let operation = 0; operation < operations; operation++) {
    builder.select(lists[operation % tasks] ?? 0);
    builder.send((operation + 1) % tasks, 64, 0);
  }
  return builder;
}

function skeletonNamed(name: string): (typeof skeletons)[number] {
  const found = findEntry(skeletons, name);
  if (found === undefined) throw new Error(`There is no skeleton ${name}.`);
  return found;
}

const messagesAtOnce = (count: number): TimedMessages => ({
  taskCount: 2,
  times: new Float64Array(count),
  from: new Int32Array(count),
  to: new Int32Array(count).fill(1),
  bytes: new Float64Array(count).fill(64),
});

export function longWorks(): readonly LongWork[] {
  const works: LongWork[] = [];
  for (const model of models) {
    const machine =
      model.switching === 'queueing'
        ? paperCluster()
        : machineOf(model.switching === 'wormhole' ? 'mesh' : 'torus', [16, 16]);
    // Where messages begin and end.
    const nodes = machine.slotCount;
    const add = (what: string, simulation: Omit<Simulation, 'model' | 'machine' | 'seed'>): void => {
      const whole = { ...simulation, model, machine, seed: 1, untilCycle: 100_000 };
      works.push([`${model.name ?? ''}, ${what}`, (cancellation) => simulateWorkloads(whole, cancellation)]);
    };
    const causal = (workload: Workload) => ({
      kind: 'causal' as const,
      workload,
      slotOfTask: slots(workload.taskCount),
    });
    add('many short messages', { jobs: [causal(allToAll(nodes, 64, 50))] });
    add('long messages', { jobs: [causal(across(nodes, 1e6))] });
    add('few messages in a background', {
      jobs: [causal(allToAll(4, 64, 1e6))],
      background: { rate: 0.02, nodes: 'idle' },
    });
    works.push([
      `${model.name ?? ''}, a rate`,
      (cancellation) => {
        const sampling = { warmUp: 10_000, sample: 1000, samples: 30 };
        const traffic = { ends: nodes, destination: uniformDestination(nodes), bytes: 32, messagesPerCycle: 0.02 };
        const random = seededRandom(1);
        return measureRate(
          (observer) => messageNetwork(model, machine, observer, random.copy(), cancellation),
          traffic,
          sampling,
          random,
          cancellation,
        );
      },
    ]);
  }
  const chords = networkMachine('switches', {
    count: 256,
    hosts: 1,
    routing: { name: 'minimal', options: {} },
    cables,
  });
  const [torus, flow] = [machineOf('torus', [4, 4]), { switching: 'flow' } as const];
  const many = allToAll(600, 64, 1);
  const turns = inTurns(64, 1e6);
  const rows = Int32Array.from({ length: 701 }, (_, row) => 700 * row);
  const traffic = {
    taskCount: 700,
    rowStart: rows,
    partner: Int32Array.from({ length: 490_000 }, (_, pair) => pair % 700),
    bytes: new Float64Array(490_000).fill(1000),
  };
  const job: Job = { name: 'all', taskCount: 700, periodic: false, traffic, messages: 2, messageBytes: 500, rate: 100 };
  works.push(
    [
      'a million messages at one time',
      (cancellation) =>
        simulateWorkloads(
          {
            model: flow,
            machine: torus,
            seed: 1,
            jobs: [{ kind: 'open', messages: messagesAtOnce(1e6), slotOfTask: slots(2), speed: 1 }],
          },
          cancellation,
        ),
    ],
    [
      'many operations',
      (cancellation) =>
        simulateWorkloads(
          {
            model: flow,
            machine: machineOf('torus', [25, 24]),
            seed: 1,
            jobs: [{ kind: 'causal', workload: many, slotOfTask: slots(600) }],
          },
          cancellation,
        ),
    ],
    ['a program written in turns', (cancellation) => turns.finished(cancellation)],
    [
      'a program of very many operations',
      (cancellation) => skeletonNamed('is').build(512, { class: 'C' }, cancellation),
    ],
    [
      'the fingerprint of a program',
      (cancellation) => fingerprintWithLooks([many.kinds, many.partners, many.tags, many.amounts], cancellation),
    ],
    ['the traffic of a program', (cancellation) => trafficWithMessages(many, cancellation)],
    ['sends against receives', (cancellation) => checkMatching(many, cancellation)],
    [
      'times on an ideal network',
      (cancellation) => timedMessages(many, { latency: 1e-6, bandwidth: 1e9 }, cancellation),
    ],
    ['a job known by its traffic', (cancellation) => workloadOfTraffic(job, cancellation)],
    ['messages at a rate', (cancellation) => messagesAtRate(job, 1, 1, cancellation)],
    [
      'a circle of dependencies',
      (cancellation) => dependencyCircle(chords, { channels: 1, routing: 'adaptive', hasBubble: false }, cancellation),
    ],
  );
  return [...works, ...largeWorks()];
}
