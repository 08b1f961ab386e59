/** What a simulation found, as plain data: the JSON of docs/reference/json-runs.md and the CSV of docs/reference/csv.md. */
import type { CsvCell } from '../model/csv.ts';
import { asLinkId } from '../model/identifiers.ts';
import type { LinkEnd, PlacementReport } from '../model/report.ts';
import { endsOfLink } from '../network/links.ts';
import { channelEnds, namesOfEnds } from '../network/names.ts';
import { itemAt, realAt } from '../numeric/elements.ts';
import type { WaitingTask } from '../simulation/runningPrograms.ts';
import { busiestChannels, nodeThroughput } from '../performance/channelUse.ts';
import { simulatedServers, type SimulatedServer } from '../performance/serverUse.ts';
import type { Prediction, SimulatedPlacement, SimulationEnd } from '../performance/simulate.ts';
import { whyNotComplete } from '../performance/simulationWords.ts';

/** Keys, units and order are a contract; null stands for what there is not. */
export interface SimulationJson {
  readonly placement: string;
  readonly machine: string;
  readonly network: string;
  readonly end: SimulationEnd;
  /** Why it did not come to its end, and what to do, in a sentence; null where it did. */
  readonly why: string | null;
  /** Cycles that were simulated. */
  readonly cycles: number;
  readonly makespan: { readonly cycles: number; readonly seconds: number | null } | null;
  /** Cycle in which each task ended, job after job. */
  readonly finish: readonly (number | null)[];
  /** Cycle in which the last task of each job ended, its packets that arrived, and their mean latency in cycles. */
  readonly jobs: readonly {
    readonly job: string;
    readonly finish: number | null;
    readonly packets: number;
    readonly latency: number | null;
  }[];
  /** Messages at a rate keep a link busy for longer than they are sent: the figures of the latency are null then. */
  readonly saturated: boolean;
  /** Cycles. */
  readonly latency: LatencyJson;
  /** Flits that arrived at a node in a cycle, over all nodes and cycles. */
  readonly throughput: number;
  /**
   * Share of the time that each channel was busy, the busiest first; those that nothing crossed are left out. `predicted` is what its
   * load alone says of it; null where that predicts no time.
   */
  readonly linkUtilisation: readonly (ChannelJson & {
    readonly utilisation: number;
    readonly predicted: number | null;
  })[];
  /** Of a cluster: visits of each kind of server, seconds waited in all, and the share of the time that the busiest works. */
  readonly waits?: readonly {
    readonly server: string;
    readonly visits: number;
    readonly seconds: number;
    readonly busiest: number;
  }[];
  /** Of a cluster: the servers that messages came to, the busiest first. */
  readonly servers?: readonly ServerJson[];
  readonly predictions: readonly Prediction[];
  readonly deadlock: DeadlockJson | null;
  /** Tasks that have not ended, and what they wait for. */
  readonly waiting: readonly WaitingTask[];
  readonly notices: readonly string[];
}

interface ServerJson extends Omit<SimulatedServer, 'waited' | 'predicted'> {
  /** Waited there, summed over all visits. */
  readonly seconds: number;
  /** The share of the time that the queueing model says that it works; null where it says nothing. */
  readonly predicted: number | null;
}

interface LatencyJson {
  readonly count: number;
  readonly mean: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly maximum: number | null;
  /** `count` packets took `from` ≤ cycles < `to`; bins without any are left out. */
  readonly histogram: readonly { readonly from: number; readonly to: number; readonly count: number }[];
}

interface ChannelJson {
  readonly from: LinkEnd;
  readonly to: LinkEnd;
  /** What the fabric's file calls the ends, if it names them. */
  readonly fromName?: string;
  readonly toName?: string;
}

interface DeadlockJson {
  readonly since: number;
  /** Each waits for a channel that the next one holds, the last for one of the first. */
  readonly circle: readonly {
    readonly packet: number;
    /** The tasks that it travels between, counted over all jobs; null of the background. */
    readonly task: number | null;
    readonly partner: number | null;
    readonly holds: readonly ChannelJson[];
    readonly wants: ChannelJson;
  }[];
}

const known = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** O(tasks + channels + bins), of a cluster with its pairs and servers. */
export function simulationToJson(
  report: PlacementReport,
  network: string,
  simulated: SimulatedPlacement,
): SimulationJson {
  const { end, result, predictedBusy, predictions, isSaturated, notices } = simulated;
  const { name, machine, jobs } = report;
  const { makespan, finish, latency, secondsPerCycle, waits, deadlock, waiting, cycles } = result;
  const channel = (id: number): ChannelJson => {
    const ends = endsOfLink(machine, asLinkId(id));
    return { ...ends, ...namesOfEnds(machine, ends) };
  };
  const figure = (value: number): number | null => (latency.count === 0 || isSaturated ? null : known(value));
  return {
    placement: name,
    machine: machine.name,
    network,
    end,
    why: whyNotComplete(report, simulated) ?? null,
    cycles,
    makespan:
      makespan === undefined
        ? null
        : { cycles: makespan, seconds: secondsPerCycle === undefined ? null : makespan * secondsPerCycle },
    finish: Array.from(finish, known),
    jobs: result.jobs.map((one, position) => ({
      job: itemAt(jobs, position).job.name,
      finish: one.finish ?? null,
      packets: one.packets,
      latency: known(one.latency),
    })),
    saturated: isSaturated,
    latency: {
      count: latency.count,
      mean: figure(latency.mean),
      p50: figure(latency.p50),
      p95: figure(latency.p95),
      p99: figure(latency.p99),
      maximum: figure(latency.maximum),
      histogram: [...latency.counts.entries()]
        .filter(([, count]) => count > 0)
        .map(([bin, count]) => ({ from: realAt(latency.edges, bin), to: realAt(latency.edges, bin + 1), count })),
    },
    throughput: nodeThroughput(result, machine.nodeCount),
    linkUtilisation: busiestChannels(result).map(({ channel: id, utilisation }) => {
      const busy = predictedBusy?.[id];
      return { ...channel(id), utilisation, predicted: busy === undefined ? null : busy / Math.max(1, cycles) };
    }),
    ...(waits && {
      waits: waits.server.map((server, kind) => ({
        server,
        visits: realAt(waits.visits, kind),
        seconds: realAt(waits.waited, kind) * (secondsPerCycle ?? 0),
        busiest: realAt(waits.busiest, kind) / Math.max(1, cycles),
      })),
      servers: simulatedServers(report, result).map(({ waited, predicted = null, ...server }) => ({
        ...server,
        ...{ seconds: waited.seconds, predicted },
      })),
    }),
    predictions,
    deadlock:
      deadlock === undefined
        ? null
        : {
            since: deadlock.since,
            circle: deadlock.waits.map(({ packet, task, partner, holds, wants }) => ({
              packet,
              ...(task < 0 ? { task: null, partner: null } : { task, partner }),
              holds: holds.map(channel),
              wants: channel(wants),
            })),
          },
    waiting,
    notices,
  };
}

/** The columns of `simulate --csv`: docs/reference/csv.md. */
export const simulationColumns = [
  ...[
    'placement',
    'machine',
    'network',
    'mapper',
    'end',
    'cycles',
    'makespan',
    'seconds',
    'predictedMakespan',
    'packets',
  ],
  ...['latency', 'p50', 'p95', 'p99', 'maximumLatency', 'throughput', 'busiestLink', 'utilisation'],
] as const;

/** A line of that table. Cells without a number are empty. O(channels · log channels). */
export function simulationRecord(
  { name, machine, jobs }: PlacementReport,
  network: string,
  { end, result, predictedCycles, isSaturated }: SimulatedPlacement,
): readonly CsvCell[] {
  const { makespan, latency, secondsPerCycle, cycles } = result;
  const [busiest] = busiestChannels(result);
  const mappers = [...new Set(jobs.map(({ mapper }) => mapper))].join(' ');
  const seconds = makespan === undefined || secondsPerCycle === undefined ? undefined : makespan * secondsPerCycle;
  const figures = [latency.mean, latency.p50, latency.p95, latency.p99, latency.maximum];
  return [
    ...[name, machine.name, network, mappers, end, cycles, makespan, seconds, predictedCycles, latency.count],
    ...figures.map((figure) => (latency.count === 0 || isSaturated ? null : known(figure))),
    nodeThroughput(result, machine.nodeCount),
    ...(busiest === undefined
      ? [null, null]
      : [channelEnds(machine, busiest.channel).join(' -> '), busiest.utilisation]),
  ];
}
