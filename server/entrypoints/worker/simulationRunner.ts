/** The thread of a simulation: simulates a placement, keeps what came of it, and draws that as often as it is looked at. */
import { intervalOf } from '../../drawing/figures/playback.ts';
import { channelName, type SimulationFigure } from '../../drawing/figures/simulation.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { countOf, formatNumber, formatShare, roughTime } from '../../model/quantities.ts';
import type { PlacementReport } from '../../model/report.ts';
import { cancelledCode } from '../../model/result.ts';
import { protocolVersion, type SimulationChoice, type SimulationFigureAnswer } from '../../protocol/messages.ts';
import { momentOf, type Simulation, type WaitingMessage } from '../../simulation/replay.ts';
import { prepareSimulation, runPrepared } from '../../study/simulate.ts';
import { cancellationOf } from '../cancelCell.ts';
import { readStudyFiles } from '../evaluation.ts';
import { drawSimulation, simulationFigure, simulationWords } from '../simulationFigures.ts';
import type { ExperimentNews, SimulateOrder, SimulationFigureOrder, SimulationOutcome } from '../workerMessages.ts';
import { ReportReceiver } from './reportChannel.ts';

/** The least time between two texts of the progress, milliseconds. */
const tellEvery = 200;

export class SimulationRunner {
  #kept: KeptSimulation | undefined;

  /** Simulates the report that comes through the port. What was kept before goes where there is something new. */
  async simulate(order: SimulateOrder, tell: (news: ExperimentNews) => void): Promise<SimulationOutcome> {
    const { uri, placement, checked, policy, cancelFlag, port } = order;
    const cancellation = cancellationOf(cancelFlag);
    const receiver = new ReportReceiver();
    receiver.connect(port);
    const report = receiver.find(uri, placement);
    port.close();
    const description = checked.experiments.simulations.get(placement);
    if (report === undefined || description === undefined) {
      return { ok: false, message: `Placement "${placement}" has not been worked out.` };
    }
    const files = await readStudyFiles(checked.fileUris, policy, undefined, cancellation);
    const began = performance.now();
    let toldAt = began;
    const progress = (cycle: number, share: number): void => {
      const now = performance.now();
      if (now - toldAt < tellEvery) return;
      toldAt = now;
      tell({ share, words: progressWords(cycle, share, (now - began) / 1000) });
    };
    const context = { cancellation, now: () => performance.now(), progress };
    const prepared = prepareSimulation(checked.program, files, report, description, context);
    const simulated = prepared.ok ? runPrepared(prepared.value, report, description, context) : prepared;
    if (!prepared.ok || !simulated.ok) {
      const { failure } = simulated.ok ? { failure: undefined } : simulated;
      return { ok: false, ...(failure?.code === cancelledCode ? {} : { message: failure?.message ?? '' }) };
    }
    const figure = simulationFigure(report, description, simulated.value.result);
    this.#kept = { figure, simulation: prepared.value.simulation };
    return { ok: true, words: simulationWords(figure), notices: simulated.value.notices };
  }

  figure({ choice, cancelFlag }: SimulationFigureOrder): SimulationFigureAnswer {
    if (this.#kept === undefined) return { kind: 'nothing', reason: 'It has not been simulated yet.' };
    return answerSimulation(this.#kept, choice, cancellationOf(cancelFlag));
  }
}

/** `1,200,000 cycles, 40 %, 12 s left`. */
function progressWords(cycle: number, share: number, seconds: number): string {
  const left = share > 0.01 && seconds > 1 ? [`${roughTime((seconds / share) * (1 - share))} left`] : [];
  return [`${formatNumber(cycle, 0)} cycles`, ...(share > 0 ? [formatShare(share)] : []), ...left].join(', ');
}

/** A simulation that has ended, and how to come to one of its moments again. */
interface KeptSimulation {
  readonly figure: SimulationFigure;
  readonly simulation: Simulation;
}

/**
 * What the panel is answered. Where a channel is asked about, the network is simulated once more to the end of the interval to
 * say who waits for it.
 */
function answerSimulation(
  { figure, simulation }: KeptSimulation,
  choice: SimulationChoice,
  cancellation: Cancellation,
): SimulationFigureAnswer {
  const { result, report } = figure;
  const { interval: length, intervals } = result.links;
  const drawn = drawSimulation(choice, figure);
  const common = { intervals, hasEnded: result.makespan !== undefined };
  if (choice.kind !== 'playback') return { kind: 'figure', version: protocolVersion, figure: drawn, about: common };
  const interval = intervalOf({ ...figure, ...(choice.interval !== undefined && { interval: choice.interval }) });
  const words = `cycles ${formatNumber(interval * length)} to ${formatNumber((interval + 1) * length)}`;
  const about = { ...common, moment: { interval, words } };
  if (choice.channel === undefined) return { kind: 'figure', version: protocolVersion, figure: drawn, about };
  const cycle = Math.min(result.cycles, (interval + 1) * length) - 1;
  const title = `${channelName(report.machine, choice.channel)}, cycle ${formatNumber(cycle)}`;
  const moment = momentOf(simulation, cycle, cancellation);
  const lines = moment.ok ? waitLines(report, moment.value, choice.channel) : [moment.failure.message];
  const waits = { channel: choice.channel, title, lines };
  return { kind: 'figure', version: protocolVersion, figure: drawn, about: { ...about, waits } };
}

/** Packets that are told of. */
const toldWaits = 40;

/** Who waits for a channel, who holds it, and what those wait for. */
function waitLines(report: PlacementReport, waiting: readonly WaitingMessage[], channel: number): readonly string[] {
  const { machine, jobs } = report;
  const nameOf = ({ job, from, to }: WaitingMessage): string =>
    job < 0 || from < 0 ? 'a packet of the background' : `${jobs[job]?.job.name ?? ''} ${from} → ${to}`;
  const asks = waiting.filter(({ wants }) => wants === channel);
  const holders = waiting.filter(({ holds }) => holds.includes(channel));
  const asking = asks.slice(0, toldWaits).map((one) => {
    const held = one.holds.at(-1);
    return `${nameOf(one)} waits${held === undefined ? ' at its node' : `, and holds ${channelName(machine, held)}`}`;
  });
  const more = asks.length > toldWaits ? [`and ${formatNumber(asks.length - toldWaits)} more`] : [];
  const held = holders.slice(0, toldWaits).map((one) => `held by ${nameOf(one)}, which waits for ${channelName(machine, one.wants)}`); // prettier-ignore
  const head = asks.length === 0 ? ['Nothing waits for it.'] : [`${countOf(asks.length, 'packet')} ${asks.length === 1 ? 'waits' : 'wait'} for it:`]; // prettier-ignore
  return [...head, ...asking, ...more, ...held];
}
