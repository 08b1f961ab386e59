/** The thread of a simulation: simulates a placement, keeps what came of it, and draws that as often as it is looked at. */
import { kindsOfSimulation } from '../../drawing/figures/catalogue.ts';
import type { Figure } from '../../drawing/figures/figure.ts';
import { drawPlayback, shownInterval, playbackFrame, playbackScene } from '../../drawing/figures/playback.ts';
import type { PlaybackScene } from '../../drawing/figures/playbackFigure.ts';
import { endOfFigure, type SimulationFigure } from '../../drawing/figures/simulation.ts';
import { neverCancelled, type Cancellation } from '../../model/cancellation.ts';
import { countOf, formatNumber, formatShare } from '../../model/quantities.ts';
import type { SimulationDescription } from '../../model/simulation.ts';
import { arrowText, progressText, secondsLeftAfter } from '../../model/words.ts';
import { channelName } from '../../network/names.ts';
import { encodePlayback } from '../../protocol/encoding.ts';
import {
  type EncodedPlayback,
  type SimulationAbout,
  type SimulationChoice,
  type SimulationFigureAnswer,
} from '../../protocol/figures.ts';
import { protocolVersion } from '../../protocol/messages.ts';
import { momentOf, type Simulation } from '../../simulation/replay.ts';
import { waitingAtCycle, type WaitingMessage } from '../../simulation/waitingMoments.ts';
import {
  fingerprintOfSimulation,
  prepareSimulation,
  runPrepared,
  type ReportCycle,
} from '../../performance/simulate.ts';
import { createStudyCache } from '../../study/cache.ts';
import { secondsOfSimulation } from '../../performance/simulationTime.ts';
import { reachedWords, simulatedTime, spanWords, resultUnits } from '../../performance/simulationWords.ts';
import { cancellationOf } from '../cancelCell.ts';
import { type FileMemory, readStudyFiles } from '../evaluation.ts';
import { drawSimulation, simulationFacts, simulationFigure, simulationWords } from '../simulationFigures.ts';
import type { ExperimentNews, Order, SimulationOutcome } from '../workerMessages.ts';
import type { keepSimulation, keptSimulation } from './keptSimulations.ts';
import { ReportReceiver } from './reportChannel.ts';

/** The least time between two texts of the progress, milliseconds. */
const tellEvery = 200;

/** A simulation that is expected to take less is run when its file is saved, seconds. */
const quickSeconds = 1;

/** Keeps simulations beside their files, and finds them there. */
export interface SimulationStore {
  readonly keep: typeof keepSimulation;
  readonly find: typeof keptSimulation;
}

export class SimulationRunner {
  readonly #store: SimulationStore | undefined;
  readonly #memory: FileMemory;
  readonly #cache = createStudyCache();
  #kept: KeptSimulation | undefined;

  constructor(store: SimulationStore | undefined, memory: FileMemory) {
    this.#store = store;
    this.#memory = memory;
  }

  /**
   * Simulates the report that comes through the port, or reads what was kept of it. What was kept here before goes where there is
   * something new.
   */
  async simulate(order: Order<'simulate'>, tell: (news: ExperimentNews) => void): Promise<SimulationOutcome> {
    const { uri, placement, checked, policy, port, mode, keptAt } = order;
    const receiver = new ReportReceiver();
    receiver.connect(port);
    const report = receiver.find(uri, placement);
    port.close();
    const description = checked.experiments.simulations.get(placement);
    const machine = checked.program.machines.get(report?.machine.name ?? '');
    if (report === undefined || description === undefined || machine === undefined) {
      if (mode === 'kept') return this.#restore(keptAt);
      return { ok: false, message: `Placement "${placement}" is not evaluated.` };
    }
    this.#memory.need('simulation', checked.fileUris);
    const files = await readStudyFiles(checked.fileUris, policy, this.#memory, neverCancelled);
    const context = { ...untilTheThreadEnds, progress: progressTo(tell, description), keepsMoments: true };
    const prepared = prepareSimulation(checked.program, files, report, description, { ...context, cache: this.#cache });
    this.#cache.endRun(true);
    if (!prepared.ok) return mode === 'kept' ? this.#restore(keptAt) : { ok: false, message: prepared.failure.message };
    const { simulation } = prepared.value;
    const fingerprint = fingerprintOfSimulation(report, description, prepared.value);
    if (mode === 'kept') return this.#restore(keptAt, { fingerprint, simulation });
    if (mode === 'quick' && secondsOfSimulation(prepared.value, neverCancelled) >= quickSeconds) return { ok: false };
    const simulated = runPrepared(prepared.value, report, description, context);
    if (!simulated.ok) return { ok: false, message: simulated.failure.message };
    const figure = simulationFigure(report, description, simulated.value);
    this.#kept = { figure, simulation };
    const { notices } = simulated.value;
    const words = { words: simulationWords(figure), notices, facts: simulationFacts(figure, simulated.value) };
    // What cannot be kept is there as long as the server.
    if (keptAt !== undefined) await this.#store?.keep(keptAt, { figure, fingerprint, ...words }, machine);
    return { ok: true, stale: false, ...words };
  }

  /** What is kept beside the file, which may be of something else than what would be simulated now. */
  #restore(
    path: string | undefined,
    now?: { readonly fingerprint: string; readonly simulation: Simulation },
  ): SimulationOutcome {
    const kept = path === undefined ? undefined : this.#store?.find(path);
    if (kept === undefined) return { ok: false };
    if (kept === 'damaged') return { ok: false, damaged: true };
    const { figure, words, notices, facts } = kept;
    const stale = kept.fingerprint !== now?.fingerprint;
    this.#kept = { figure, simulation: stale ? undefined : now.simulation };
    return { ok: true, stale, words, notices, facts };
  }

  figure({ choice, cancelFlag }: Order<'simulation-figure'>): SimulationFigureAnswer {
    if (this.#kept === undefined) return { kind: 'nothing', reason: 'Not simulated yet.' };
    return answerSimulation(this.#kept, choice, cancellationOf(cancelFlag));
  }
}

/** Whoever does not want a simulation any more ends its thread. */
const untilTheThreadEnds = { cancellation: neverCancelled, now: () => performance.now() };

function progressTo(tell: (news: ExperimentNews) => void, { network }: SimulationDescription): ReportCycle {
  const began = performance.now();
  let toldAt = began;
  return (cycle, share) => {
    const now = performance.now();
    if (now - toldAt < tellEvery) return;
    toldAt = now;
    const done = [reachedWords(network, cycle), ...(share > 0 ? [formatShare(share)] : [])];
    tell({ share, words: progressText(done, secondsLeftAfter(share, (now - began) / 1000)) });
  };
}

/** A simulation that has ended, and how to come to one of its moments again. */
interface KeptSimulation {
  readonly figure: SimulationFigure;
  /** Absent where it is of something that is no longer there. */
  readonly simulation: Simulation | undefined;
  /** What of a playback stays the same, once it was asked for. */
  scene?: PlaybackScene;
}

/**
 * What the panel is answered. Who waits for a channel at the end of an interval was kept while it was simulated; where that took too much
 * memory, the network is simulated once more up to there.
 */
function answerSimulation(
  kept: KeptSimulation,
  choice: SimulationChoice,
  cancellation: Cancellation,
): SimulationFigureAnswer {
  const { figure } = kept;
  const { result, report } = figure;
  const { interval: length, intervals } = result.links;
  const kinds = kindsOfSimulation(result.waits !== undefined);
  const common: SimulationAbout =
    result.makespan === undefined
      ? { kinds, intervals, results: 'partial', why: whyNotOver(figure) }
      : { kinds, intervals, results: 'complete' };
  const version = protocolVersion;
  // A panel may have been left with a figure of the simulation before.
  if (!kinds.includes(choice.kind)) return answerSimulation(kept, { kind: 'playback' }, cancellation);
  if (choice.kind !== 'playback')
    return { kind: 'figure', version, figure: drawSimulation(choice, figure), about: common };
  const interval = shownInterval({ ...figure, ...(choice.interval !== undefined && { interval: choice.interval }) });
  const end = Math.min(result.cycles, (interval + 1) * length);
  const words = spanWords(result, interval * length, end);
  const about = { ...common, moment: { interval, words } };
  const drawn = drawnPlayback(kept, interval, choice.scene);
  if (choice.channel === undefined) return { kind: 'figure', version, figure: drawn, about };
  const cycle = end - 1;
  const at = result.waits === undefined ? `cycle ${formatNumber(cycle)}` : `after ${simulatedTime(result, cycle)}`;
  const title = `${channelName(report.machine, choice.channel)}, ${at}`;
  const moment = waitingIn(kept, cycle, cancellation);
  const lines = typeof moment === 'string' ? [moment] : waitLines(figure, moment, choice.channel);
  return {
    kind: 'figure',
    version,
    figure: drawn,
    about: { ...about, waits: { channel: choice.channel, title, lines } },
  };
}

/** How it ended, and of a deadlock what ends it. */
function whyNotOver(figure: SimulationFigure): string {
  const words = endOfFigure(figure);
  return figure.help === undefined ? words : `${words} To fix it, ${figure.help}.`;
}

/** The whole figure, or for a panel that says which scene it has what it lacks. */
function drawnPlayback(kept: KeptSimulation, interval: number, known: string | undefined): Figure | EncodedPlayback {
  const request = { ...kept.figure, interval };
  if (known === undefined) return drawPlayback(request);
  const scene = (kept.scene ??= playbackScene(kept.figure, crypto.randomUUID()));
  return encodePlayback({ ...(known !== scene.key && { scene }), frame: playbackFrame(request) });
}

/** Who waited at the end of a cycle, or why that is not known. */
function waitingIn(
  { figure: { result }, simulation }: KeptSimulation,
  cycle: number,
  cancellation: Cancellation,
): readonly WaitingMessage[] | string {
  const kept = waitingAtCycle(result.moments ?? [], cycle);
  if (kept !== undefined) return kept;
  if (simulation === undefined) return 'Waiting packets of that time are not saved. Simulate again to see them.';
  const moment = momentOf(simulation, cycle, cancellation);
  return moment.ok ? moment.value : moment.failure.message;
}

/** Packets that are told of. */
const toldWaits = 40;

/** Who waits for a channel, who holds it, and what those wait for. */
function waitLines(
  { report: { machine, jobs }, result }: SimulationFigure,
  waiting: readonly WaitingMessage[],
  channel: number,
): readonly string[] {
  const { packet } = resultUnits(result);
  const nameOf = ({ job, from, to }: WaitingMessage): string =>
    job < 0 || from < 0 ? `a background ${packet}` : `${jobs[job]?.job.name ?? ''} ${arrowText(from, to)}`;
  const asks = waiting.filter(({ wants }) => wants === channel);
  const holders = waiting.filter(({ holds }) => holds.includes(channel));
  const asking = asks.slice(0, toldWaits).map((one) => {
    const held = one.holds.at(-1);
    return `${nameOf(one)} waits${held === undefined ? ' at its node' : `, holding ${channelName(machine, held)}`}`;
  });
  const more = asks.length > toldWaits ? [`and ${formatNumber(asks.length - toldWaits)} more`] : [];
  const held = holders
    .slice(0, toldWaits)
    .map((one) => `held by ${nameOf(one)}, which waits for ${channelName(machine, one.wants)}`);
  const head =
    asks.length === 0
      ? ['No packet waits for it.']
      : [`${countOf(asks.length, packet)} ${asks.length === 1 ? 'waits' : 'wait'} for it:`];
  return [...head, ...asking, ...more, ...held];
}
