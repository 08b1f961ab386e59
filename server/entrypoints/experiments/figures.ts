/** Figures of an experiment, the same for the panel and the command line. */
import { drawCurves } from '../../drawing/figures/curves.ts';
import type { Figure } from '../../drawing/figures/figure.ts';
import { choicesOverTime, drawExperimentOverTime } from '../../drawing/figures/overTime.ts';
import { choicesOfScatter, drawScatter } from '../../drawing/figures/scatter.ts';
import { drawGantt } from '../../drawing/figures/gantt.ts';
import { drawMoment } from '../../drawing/figures/moment.ts';
import { busiestMoment, changesAbout, streamTime, type ReplicationFigure } from '../../drawing/figures/replication.ts';
import { drawTimeline } from '../../drawing/figures/timeline.ts';
import { confidenceOf, mostOf, seedOf, type ExperimentPlan, type Point } from '../../experiments/plan.ts';
import type { ExperimentInputs } from '../../experiments/inputs.ts';
import type { PreparedExperiment } from '../../experiments/prepare.ts';
import type { ExperimentJson } from '../../experiments/results.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { countOf, formatNumber } from '../../model/quantities.ts';
import { cancelledCode, quote } from '../../model/result.ts';
import { writtenVaried } from '../../model/simulation.ts';
import type { ExperimentAbout, ExperimentFigureAnswer, FigureChoice } from '../../protocol/figures.ts';
import { protocolVersion } from '../../protocol/messages.ts';
import type { ShownResults } from './keptResults.ts';

/** Is told how far a simulation is: its share, 0 … 1, and a line about it. */
export type TellSimulation = (share: number, words: string) => void;

/** Milliseconds between two times that are told. */
const tellEvery = 100;

/** Draws an experiment. Keeps the replication that was simulated last: of one there are several figures, and many moments. */
export class ExperimentFigures {
  readonly #prepared: PreparedExperiment;
  readonly #timeUnit: ReplicationFigure['timeUnit'];
  #last: { readonly key: string; readonly figure: ReplicationFigure } | undefined;

  constructor({ stream }: ExperimentInputs, prepared: PreparedExperiment) {
    this.#prepared = prepared;
    this.#timeUnit = stream?.jobs.kind === 'log' && stream.service.kind !== 'network' ? 'seconds' : 'cycles';
  }

  /** One figure; a sentence where there is none. Simulates the replication that is asked for until `stop` says so. */
  draw(
    choice: FigureChoice,
    results: ShownResults | 'damaged' | undefined,
    stop: Cancellation,
    tell?: TellSimulation,
  ): ExperimentFigureAnswer {
    const about = this.#about(results);
    const nothing = (reason: string): ExperimentFigureAnswer => ({ kind: 'nothing', reason, about });
    if (choice.kind === 'curves') {
      if (results === 'damaged') return nothing(damagedResults);
      if (results === undefined)
        return nothing(`Experiment ${quote(this.#prepared.plan.name)} has no results yet. Run it first.`);
      const drawn = drawResults(results, choice.metric, this.#prepared.plan);
      return typeof drawn === 'string' ? nothing(drawn) : figureAnswer(drawn, about);
    }
    const { plan } = this.#prepared;
    const { point: index = 0, replication = 1 } = choice;
    const point = plan.points[index];
    if (point === undefined)
      return nothing(`The experiment has ${plan.points.length} points; point ${index + 1} does not exist.`);
    const most = mostOf(plan.replications);
    if (replication < 1 || replication > most)
      return nothing(`Replication ${replication} does not exist. Replications are 1 to ${most}.`);
    const traced = this.#trace(point, replication, stop, tell);
    if (typeof traced === 'string') return nothing(traced);
    return this.#drawReplication(choice, traced, about);
  }

  #drawReplication(
    choice: Exclude<FigureChoice, { kind: 'curves' }>,
    traced: ReplicationFigure,
    about: ExperimentAbout,
  ): ExperimentFigureAnswer {
    const { run, timeUnit } = traced;
    const [begin, end] = [run.beginTime, run.endTime];
    const time = { begin, end, unit: timeUnit };
    switch (choice.kind) {
      case 'gantt': {
        const between = choice.between && { between: choice.between };
        return figureAnswer(drawGantt({ ...traced, ...between }), { ...about, time });
      }
      case 'timeline':
        return figureAnswer(drawTimeline(traced), { ...about, time });
      case 'moment': {
        const at = Math.min(Math.max(choice.time ?? busiestMoment(run), begin), end);
        const { shape } = this.#prepared.machine.topology;
        const figure = drawMoment({ ...traced, ...(shape && { shape }), time: at });
        const moment = { at, words: streamTime(at, timeUnit), ...changesAbout(run, at) };
        return figureAnswer(figure, { ...about, time: { ...time, moment } });
      }
    }
  }

  /** The replication, or why there is none. */
  #trace(
    point: Point,
    replication: number,
    stop: Cancellation,
    tell: TellSimulation | undefined,
  ): ReplicationFigure | string {
    const { plan, traceReplication } = this.#prepared;
    const key = `${point.index} ${replication}`;
    if (this.#last?.key === key) return this.#last.figure;
    const progress = tell && this.#progressOf(tell);
    const traced = traceReplication(point, replication - 1, stop, { ...(progress && { progress }) });
    if (!traced.ok) return traced.failure.code === cancelledCode ? cancelledSimulation : traced.failure.message;
    const seed = seedOf(plan.replications, replication - 1);
    const which = `replication ${replication}${seed === replication ? '' : ` (seed ${seed})`}`;
    const about = [labelOfPoint(plan, point), which].filter((part) => part !== '').join(', ');
    const figure = { name: plan.name, about, run: traced.value.run, timeUnit: this.#timeUnit };
    this.#last = { key, figure };
    return figure;
  }

  /** Tells of jobs every now and then. */
  #progressOf(tell: TellSimulation): (completed: number) => void {
    const { jobsOfReplication: expected } = this.#prepared;
    const all = expected === undefined ? '' : ` of about ${countOf(expected, 'job')}`;
    let toldAt = performance.now();
    return (completed) => {
      if (performance.now() - toldAt < tellEvery) return;
      toldAt = performance.now();
      const count = all === '' ? countOf(completed, 'job') : formatNumber(completed);
      tell(expected === undefined ? 0 : Math.min(1, completed / expected), `${count}${all}`);
    };
  }

  #about(shown: ShownResults | 'damaged' | undefined): ExperimentAbout {
    const { plan } = this.#prepared;
    const results = shown === 'damaged' ? undefined : shown;
    return {
      metrics: results === undefined ? [] : figureMetrics(results.result),
      points: plan.points.map((point) => labelOfPoint(plan, point)),
      replications: mostOf(plan.replications),
      results: results === undefined ? 'missing' : results.result.complete ? 'complete' : 'partial',
      stale: results?.stale === true,
      ...(results?.form !== undefined && { form: results.form }),
    };
  }
}

const damagedResults = 'The saved results are damaged. Run the experiment again.';
const cancelledSimulation = 'The simulation of this replication was cancelled.';

const figureAnswer = (figure: Figure, about: ExperimentAbout): ExperimentFigureAnswer => ({
  kind: 'figure',
  version: protocolVersion,
  figure,
  about,
});

/** What there is a figure of. */
const figureMetrics = (result: ExperimentJson): readonly string[] => [
  ...Object.keys(result.rows[0]?.metrics ?? {}),
  ...choicesOverTime(result).map(({ name }) => name),
  ...choicesOfScatter(result).map(({ name }) => name),
];

function drawResults({ result, form }: ShownResults, asked: string | undefined, plan: ExperimentPlan): Figure | string {
  const choice = choicesOverTime(result).find(({ name, metric }) => name === asked || metric === asked);
  if (choice !== undefined) return drawExperimentOverTime({ result, choice, form });
  const scatter = choicesOfScatter(result).find(({ name, metric }) => name === asked || metric === asked);
  if (scatter !== undefined) return drawScatter({ result, choice: scatter, form });
  const known = figureMetrics(result);
  const metric = asked ?? known[0];
  if (metric === undefined || !known.includes(metric)) {
    return `Metric ${quote(asked ?? '')} has no results. Expected one of ${known.join(', ')}.`;
  }
  return drawCurves({ result, metric, confidence: confidenceOf(plan), form });
}

/** `rbs, fcfs, arrivals.rate 0.0009`: what a point has, of which there are others. All of it where it is the only one. */
export function labelOfPoint({ vary, points }: ExperimentPlan, point: Point): string {
  const keys = (['job', 'machine', 'routing', 'allocator', 'scheduler', 'mapper', 'pattern'] as const).filter(
    (key) => points.length === 1 || new Set(points.map((other) => other[key])).size > 1,
  );
  const names = keys.flatMap((key) => point[key] ?? []);
  const values = vary.map(({ path }, axis) => `${path} ${writtenVaried(path, point.values[axis] ?? Number.NaN)}`);
  return [...names, ...values].join(', ');
}
