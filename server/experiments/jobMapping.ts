/**
 * Where the processes of a stream's jobs go among the nodes that they were given, and how many hops those that talk are
 * apart. A job has one process a node.
 */
import { findEntry, type Choice } from '../model/catalogue.ts';
import type { Cancellation } from '../model/cancellation.ts';
import type { Job } from '../model/job.ts';
import type { Machine } from '../model/machine.ts';
import { seededRandom, watchedRandom } from '../model/random.ts';
import { cancelled, fail, quote, succeed, type Result } from '../model/result.ts';
import type { Shape } from '../model/shape.ts';
import { nodeOfSlot } from '../model/slots.ts';
import type { Traffic } from '../model/traffic.ts';
import { mappers } from '../mapping/catalogue.ts';
import type { MapperEntry } from '../mapping/contract.ts';
import { totalHops } from '../mapping/hopHistogram.ts';
import { intAt } from '../numeric/elements.ts';
import { largestDivisorUpToRoot, type JobTable } from '../scheduling/jobs.ts';
import type { PacketSource } from '../simulation/messages.ts';
import { stencilTraffic, tableTraffic } from '../traffic/build.ts';
import type { Stencil } from '../traffic/contract.ts';

/** Every process talks to those beside it in the grid of its job: left, right, down, up. */
const fivePoint: Stencil = {
  name: 'five-point',
  dimensions: 2,
  offsets: [
    { offset: [-1, 0], weight: 1 },
    { offset: [1, 0], weight: 1 },
    { offset: [0, -1], weight: 1 },
    { offset: [0, 1], weight: 1 },
  ],
};

/** Jobs of so many pairs together are remembered by their shape: about 12 bytes each. */
const mostRememberedPairs = 2 ** 22;
/** Draws of mappers are apart from those of what the job sends. */
const ownDraws = 0x6d617070;

/** One mapper at work on one machine; without one processes go to the nodes in the order of their numbers. */
export class JobMapper {
  /** Whether some mapping so far drew random numbers. */
  drewRandom = false;
  readonly #machine: Machine;
  readonly #entry: MapperEntry | undefined;
  readonly #choice: Choice | undefined;
  /** Jobs with the traffic of the stencil, by their shape. */
  readonly #jobs = new Map<string, Job>();
  #rememberedPairs = 0;

  private constructor(machine: Machine, choice: Choice | undefined, entry: MapperEntry | undefined) {
    this.#machine = machine;
    this.#choice = choice;
    this.#entry = entry;
  }

  /** Fails with `unknown-mapper`, and with `time-budget` where a search would end with a time, and so differ from run to run. */
  static of(machine: Machine, choice: Choice | undefined): Result<JobMapper> {
    if (choice === undefined) return succeed(new JobMapper(machine, undefined, undefined));
    const entry = findEntry(mappers, choice.name);
    if (entry === undefined) return fail('unknown-mapper', `Mapper ${quote(choice.name)} does not exist.`);
    for (const [option, value] of Object.entries(choice.options)) {
      if (typeof value !== 'object' || !('kind' in value) || value.kind !== 'seconds') continue;
      return fail(
        'time-budget',
        `\`map ${choice.name}\` has a time budget, so results would differ between runs. Write steps: \`${choice.name}(${option} 10000)\`.`,
      );
    }
    return succeed(new JobMapper(machine, choice, entry));
  }

  /** NodeId of each process of a job that sends what `source` says. Fails as the mapper does. */
  place(job: number, jobs: JobTable, nodes: Int32Array, source: PacketSource, stop: Cancellation): Result<Int32Array> {
    if (this.#entry === undefined) return succeed(nodes.toSorted());
    const traffic = packetTraffic(source, stop);
    if (!traffic.ok) return traffic;
    const slots = this.#map(
      streamedJob(`${job}`, processGrid(job, jobs), traffic.value),
      nodes,
      intAt(jobs.seed, job),
      stop,
    );
    return slots.ok ? succeed(slots.value.map((slot) => nodeOfSlot(this.#machine, slot))) : slots;
  }

  /**
   * Mean hops between the processes that talk, where the processes of a job make a stencil of five points of the squarest
   * shape (Bunde et al. 2014, section 5.2). NaN where nobody talks. Fails as the mapper does.
   */
  stencilHops(job: number, jobs: JobTable, nodes: Int32Array, stop: Cancellation): Result<number> {
    const [width, height] = stencilShape(job, jobs);
    const known = this.#jobWithStencil(width, height, stop);
    if (!known.ok) return known;
    const slots = this.#map(known.value, nodes, intAt(jobs.seed, job), stop);
    if (!slots.ok) return slots;
    const problem = { machine: this.#machine, job: known.value, allocation: nodes, slots: slots.value };
    const hops = totalHops(problem, slots.value, stop);
    return hops === undefined ? cancelled() : succeed(hops / known.value.traffic.partner.length);
  }

  #jobWithStencil(width: number, height: number, stop: Cancellation): Result<Job> {
    const key = `${width} x ${height}`;
    const known = this.#jobs.get(key);
    if (known !== undefined) return succeed(known);
    const traffic = stencilTraffic(fivePoint, [width, height], false, 1, stop);
    if (!traffic.ok) return traffic;
    const made = streamedJob(key, [width, height], traffic.value);
    this.#rememberedPairs += traffic.value.partner.length;
    if (this.#rememberedPairs > mostRememberedPairs) {
      this.#jobs.clear();
      this.#rememberedPairs = traffic.value.partner.length;
    }
    this.#jobs.set(key, made);
    return succeed(made);
  }

  /** The slot of each process. */
  #map(job: Job, nodes: Int32Array, seed: number, stop: Cancellation): Result<Int32Array> {
    const { coresPerNode } = this.#machine;
    const allocation = this.#entry === undefined ? nodes.toSorted() : nodes;
    const slots = allocation.map((node) => node * coresPerNode);
    if (this.#entry === undefined) return succeed(slots);
    const random = watchedRandom(seededRandom(seed ^ ownDraws));
    const answer = this.#entry.map(
      { machine: this.#machine, job, allocation, slots },
      {
        argument: this.#choice?.argument,
        options: this.#choice?.options ?? {},
        random,
        cancellation: stop,
        progress: () => undefined,
        givenFile: () => fail('does-not-apply', 'A mapping from a file needs a single job, not a stream.'),
        // Budgets are in steps.
        now: () => 0,
      },
    );
    this.drewRandom ||= random.used;
    return answer.ok ? succeed(answer.value.mapping) : answer;
  }
}

/** The shape of its stencil: the submesh that it asked for, else the squarest one. */
export function stencilShape(job: number, jobs: JobTable): readonly [width: number, height: number] {
  const [width, height] = [intAt(jobs.width, job), intAt(jobs.height, job)];
  if (height > 0) return [width, height];
  const processors = intAt(jobs.processors, job);
  const side = largestDivisorUpToRoot(processors);
  return [side, processors / side];
}

const streamedJob = (name: string, grid: Shape, traffic: Traffic): Job => ({
  name,
  taskCount: traffic.taskCount,
  grid,
  periodic: false,
  traffic,
});

/** As the patterns of a stream see it: a job that asked for no submesh has its processes in a row. */
function processGrid(job: number, jobs: JobTable): Shape {
  const [width, height] = [intAt(jobs.width, job), intAt(jobs.height, job)];
  return height > 0 ? [width, height] : [intAt(jobs.processors, job)];
}

/** A byte for each packet. O(packets). */
function packetTraffic(source: PacketSource, stop: Cancellation): Result<Traffic> {
  const { processCount, packetCount } = source;
  const [from, to] = [new Int32Array(packetCount), new Int32Array(packetCount)];
  let entry = 0;
  for (let process = 0; process < processCount; process++) {
    const packets = source.packetsOf(process);
    for (let index = 0; index < packets; index++) {
      from[entry] = process;
      to[entry++] = source.destinationOf(process, index);
    }
  }
  const amount = new Float64Array(packetCount).fill(1);
  return tableTraffic({ size: processCount, from, to, amount }, processCount, 1, stop);
}
