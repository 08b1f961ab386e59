/**
 * At which speed messages with times are too much for a network (Orduña et al. 2004, section 5.1: the stamps of traces are
 * divided until the network is saturated).
 *
 * A network is saturated where, at the end of a burst, less than a given share of its flits has arrived. A burst ends where nobody sends
 * for longer than it has lasted, and for at least 1 % of the whole time, so that calm intervals do not hide what happens
 * between them; and when its last message would have left its host were nothing in its way. Where there is no such pause all
 * messages are one burst.
 */
import { WorkMeter, type Cancellation } from '../model/cancellation.ts';
import { cancelled, fail, succeed, type Result } from '../model/result.ts';
import { nodeOfSlot } from '../model/slots.ts';
import { intAt, realAt } from '../numeric/elements.ts';
import { messageNetwork, packetsInModel } from '../simulation/engines.ts';
import { simulateWorkloads, type Simulation, type SimulatedJob } from '../simulation/replay.ts';
import type { TimeSeries } from '../simulation/recording.ts';

type OpenJob = Extract<SimulatedJob, { readonly kind: 'open' }>;

/** What was sent until the end of a burst. */
interface Burst {
  /** Seconds, at speed 1. */
  readonly end: number;
  /** Flits from the beginning of all on. */
  readonly offered: number;
}

/** Of the whole time: shorter pauses end no burst. */
const shortestPause = 0.01;

/** What is found out of a message, in entries of arrays. */
const workOfMessage = 4;

/** The bursts of a job; of no use where it was cancelled. Messages within a node are none of the network. O(messages). */
function burstsOf(
  { machine, model }: Simulation,
  { messages, slotOfTask }: OpenJob,
  secondsPerCycle: number,
  cancellation: Cancellation,
): readonly Burst[] {
  const meter = new WorkMeter(cancellation);
  const { times, from, to, bytes } = messages;
  const pause = shortestPause * ((times.at(-1) ?? 0) - (times[0] ?? 0));
  const bursts: Burst[] = [];
  const nodeOf = (task: number): number => nodeOfSlot(machine, intAt(slotOfTask, task));
  let [begin, end, offered] = [times[0] ?? 0, times[0] ?? 0, 0];
  for (let message = 0; message < times.length; message++) {
    if (meter.isCancelledAfter(workOfMessage)) break;
    const time = realAt(times, message);
    if (time - end > Math.max(pause, end - begin) && offered > 0) {
      bursts.push({ end, offered });
      begin = time;
    }
    end = Math.max(end, time);
    if (nodeOf(intAt(from, message)) === nodeOf(intAt(to, message))) continue;
    const { packets, flits } = packetsInModel(model, realAt(bytes, message));
    offered += packets * flits;
    end = Math.max(end, time + packets * flits * secondsPerCycle);
  }
  return offered === 0 ? [] : [...bursts, { end, offered }];
}

/** Flits that have arrived by a cycle: whole steps, and of the last one its share. */
function deliveredBy({ step, traffic }: TimeSeries, cycle: number): number {
  let flits = 0;
  for (let point = 0; point < traffic.length; point++) {
    const cycles = Math.min(step, cycle - point * step);
    if (cycles <= 0) break;
    flits += realAt(traffic, point) * cycles;
  }
  return flits;
}

/** One mapping of a job whose messages have times; with the bursts of these. */
export class OfferedLoad {
  readonly #simulation: Simulation;
  readonly #job: OpenJob;
  readonly #bursts: readonly Burst[];
  readonly #secondsPerCycle: number;

  private constructor(simulation: Simulation, job: OpenJob, bursts: readonly Burst[], secondsPerCycle: number) {
    this.#simulation = simulation;
    this.#job = job;
    this.#bursts = bursts;
    this.#secondsPerCycle = secondsPerCycle;
  }

  /** Fails with `no-times` where messages have none, or cycles are not related to seconds, with `cancelled`, and as the network does. */
  static of(simulation: Simulation, cancellation: Cancellation): Result<OfferedLoad> {
    const [job] = simulation.jobs;
    if (job?.kind !== 'open')
      return fail('no-times', '`replay saturation` needs send times. Add `rate`, or use a trace with times.');
    const network = messageNetwork(simulation.model, simulation.machine, undefined, undefined, cancellation);
    if (!network.ok) return network;
    const { secondsPerCycle } = network.value;
    if (secondsPerCycle === undefined) {
      return fail(
        'no-times',
        `Times in seconds need a link bandwidth. Add \`bandwidth\` to machine \`${simulation.machine.name}\`.`,
      );
    }
    const bursts = burstsOf(simulation, job, secondsPerCycle, cancellation);
    if (cancellation.isCancelled()) return cancelled();
    if (bursts.length === 0)
      return fail('no-times', 'No message uses the network, so nothing saturates it. Place tasks on several nodes.');
    return succeed(new OfferedLoad(simulation, job, bursts, secondsPerCycle));
  }

  /** The share of the flits of all bursts that has arrived by their ends. Fails as {@link simulateWorkloads} does. */
  deliveredAt(speed: number, cancellation: Cancellation): Result<number> {
    const cycleOf = ({ end }: Burst): number => Math.floor(end / speed / this.#secondsPerCycle);
    const last = this.#bursts.at(-1);
    if (last === undefined) return succeed(1);
    const ran = simulateWorkloads(
      { ...this.#simulation, jobs: [{ ...this.#job, speed }], figures: 'few', untilCycle: cycleOf(last) },
      cancellation,
    );
    if (!ran.ok) return ran;
    if (cancellation.isCancelled()) return cancelled();
    let behind = 0;
    for (const burst of this.#bursts) {
      behind += Math.max(0, burst.offered - deliveredBy(ran.value.overTime, cycleOf(burst)));
    }
    return succeed(1 - behind / last.offered);
  }
}

/** Speeds between which it is looked for: powers of this from 1 on. */
const stride = 2;
const mostStrides = 20;
/** How near the speed that is found is to the least one. */
const precision = 1.02;

/** What a speed must be too much for. */
export interface SaturationWanted {
  /** Less than this share of what is sent arrives. */
  readonly delivered: number;
  readonly mappings: 'all' | 'any';
}

/**
 * The least speed, up to 2 %, at which each of the loads, or any of them, delivers less than is wanted: faster ones are taken for
 * saturated too. Fails where none is found, and as a simulation does.
 */
export function saturationSpeed(
  loads: readonly OfferedLoad[],
  { delivered: share, mappings }: SaturationWanted,
  cancellation: Cancellation,
): Result<number> {
  // The one that decided last is asked first: most speeds are decided by it.
  const order = [...loads];
  const decides = mappings === 'any';
  const isSaturated = (speed: number): Result<boolean> => {
    for (const load of [...order]) {
      const delivered = load.deliveredAt(speed, cancellation);
      if (!delivered.ok) return delivered;
      if (delivered.value < share !== decides) continue;
      order.splice(0, order.length, load, ...order.filter((other) => other !== load));
      return succeed(decides);
    }
    return succeed(!decides);
  };
  let [low, high] = [1, 1];
  const first = isSaturated(1);
  if (!first.ok) return first;
  for (let strides = 0; ; strides++) {
    if (strides === mostStrides) {
      return fail(
        'no-saturation',
        `No rate factor from 2^-${mostStrides} to 2^${mostStrides} saturates the network with ${decides ? 'a' : 'every'} mapping.`,
      );
    }
    if (first.value) low /= stride;
    else high *= stride;
    const there = isSaturated(first.value ? low : high);
    if (!there.ok) return there;
    if (there.value !== first.value) break;
    if (first.value) high = low;
    else low = high;
  }
  while (high / low > precision) {
    const middle = Math.sqrt(low * high);
    const there = isSaturated(middle);
    if (!there.ok) return there;
    if (there.value) high = middle;
    else low = middle;
  }
  return succeed(Number(high.toPrecision(4)));
}
