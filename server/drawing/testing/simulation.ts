/** Simulated placements for tests of figures: results as an engine gives them, made up. */
import type { PlacementReport } from '../../model/report.ts';
import { seededRandom } from '../../model/random.ts';
import type { SimulationResult } from '../../simulation/simulationResult.ts';
import type { SimulationFigure } from '../figures/simulation.ts';

/** Every link is busy as its load says, and twice as long in the first half; the run takes `cycles`. */
export function simulationOf(report: PlacementReport, { intervals = 8, cycles = 800 } = {}): SimulationFigure {
  const { topology, nodeCount } = report.machine;
  const channels = topology.links.routerLinkCount + 2 * nodeCount;
  const heaviest = Math.max(1, report.metrics.maximumLinkLoad);
  const [utilisation, queues] = [new Uint8Array(intervals * channels), new Uint8Array(intervals * channels)];
  const busy = new Float64Array(channels);
  for (let interval = 0; interval < intervals; interval++) {
    const ease = interval < intervals / 2 ? 1 : 0.5;
    for (let channel = 0; channel < channels; channel++) {
      const share = ((report.linkLoads[channel] ?? 0) / heaviest) * ease;
      utilisation[interval * channels + channel] = Math.round(255 * share);
      queues[interval * channels + channel] = share > 0.9 ? 20 : 0;
      busy[channel]! += (share * cycles) / intervals;
    }
  }
  const random = seededRandom(3);
  const tasks = report.jobs.reduce((sum, { job }) => sum + job.taskCount, 0);
  const result: SimulationResult = {
    cycles,
    makespan: cycles - 1,
    carried: 'packet',
    flits: 3200,
    hops: 1600,
    finish: Float64Array.from({ length: tasks }, (_, task) =>
      task === 0 ? cycles - 1 : Math.round(cycles * (0.6 + 0.3 * random.fraction())),
    ),
    latency: {
      ...{ count: 400, mean: 23.5, p50: 20, p95: 61, p99: 90, maximum: 120 },
      edges: Float64Array.from({ length: 10 }, (_, bin) => 2 ** bin),
      counts: Float64Array.from([0, 0, 0, 20, 180, 140, 60, 0, 0]),
    },
    overTime: {
      step: 10,
      traffic: Float64Array.from({ length: 80 }, (_, at) => 4 + Math.sin(at / 5)),
      latency: Float64Array.from({ length: 80 }, (_, at) => (at > 30 && at < 35 ? Number.NaN : 20 + at / 4)),
    },
    links: { interval: cycles / intervals, intervals, channels, utilisation, queues, busy },
    jobs: report.jobs.map(() => ({ finish: cycles - 1, packets: 400, latency: 23.5 })),
    deadlock: undefined,
    waiting: [],
    secondsPerCycle: 1e-9,
  };
  return {
    report,
    result,
    about: 'network torus-2010, causal',
    predictedBusy: report.linkLoads.map((load) => (0.6 * cycles * load) / heaviest),
    predictedCycles: 0.6 * cycles,
  };
}

/** The same, ended by a circle of the first four links that follow one another. */
export function deadlocked(figure: SimulationFigure, circle: readonly number[]): SimulationFigure {
  const waits = circle.map((channel, packet) => ({
    ...{ packet, transmission: packet, task: packet, partner: (packet + 2) % circle.length, holds: [channel] },
    wants: circle[(packet + 1) % circle.length]!,
  }));
  const waiting = [{ task: 0, for: 'receive', partner: 3, tag: 0, bytes: 64, operation: 1 }] as const;
  const ended = { makespan: undefined, deadlock: { since: 42, waits }, waiting };
  return { ...figure, result: { ...figure.result, ...ended } };
}

/**
 * The same between servers, of which two worked: the memory of node 2 on 400 messages for three quarters of the time, each of which waited 10 cycles,
 * and the port into node 1 on 100 for half of it.
 */
export function withServers({ report, result, about }: SimulationFigure): SimulationFigure {
  const { nodeCount, slotCount, socketsPerNode } = report.machine;
  const firsts = [0, 2 * slotCount, 4 * slotCount, 4 * slotCount + 2 * nodeCount];
  const memory = 4 * slotCount + 4 * nodeCount;
  const [queuePair = 0, processing = 0, port = 0, between = 0] = firsts;
  const cache = memory + nodeCount * socketsPerNode;
  const only = (ofMemory: number, ofPort: number): Float64Array => {
    const values = new Float64Array(cache + nodeCount * socketsPerNode);
    [values[memory + 2 * socketsPerNode], values[port + 3]] = [ofMemory, ofPort];
    return values;
  };
  const { cycles } = result;
  const firstOf = { queuePair, processing, port, switch: between, memory, cache };
  const each = { firstOf, visits: only(400, 100), waited: only(4000, 0), busy: only(0.75 * cycles, 0.5 * cycles) };
  const waits = {
    ...{ server: ['port', 'memory'] as const, visits: Float64Array.of(100, 400), waited: Float64Array.of(0, 4000) },
    ...{ busiest: Float64Array.of(0.5 * cycles, 0.75 * cycles), each },
  };
  return { report, about, result: { ...result, carried: 'message', waits } };
}
