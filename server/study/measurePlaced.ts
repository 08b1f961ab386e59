/**
 * What a placement costs, once all of its jobs are mapped: loads and hops, the waits of the queueing model, the mapping coefficient, and the
 * metrics that follow from those. Where routes depend on the traffic they are settled first.
 */
import { type Machine } from '../model/machine.ts';
import type { PlacedJob, ReportedJob } from '../model/placement.ts';
import type { Metrics, PlacementReport } from '../model/report.ts';
import { countOf } from '../model/quantities.ts';
import { cancelledCode } from '../model/result.ts';
import { equivalent } from '../network/distances/equivalent.ts';
import { solveHere } from '../network/distances/equivalentSolver.ts';
import { relativeTimes } from '../network/linkClasses.ts';
import { betweenPorts, usingRails } from '../network/rails.ts';
import { predictWaiting } from '../queueing/predict.ts';
import { clusterFigures } from '../queueing/servers.ts';
import { evaluate, mappingCoefficient } from './evaluate/evaluate.ts';
import { routerFlowsOf } from './evaluate/loads.ts';
import { placeTasks } from './evaluate/placedTasks.ts';
import { knownDistances } from './machines.ts';
import { withDerived } from './metrics/catalogue.ts';
import type { PlacementDescription } from './program.ts';
import type { Run } from './run.ts';

/** A placement whose jobs are all mapped. */
interface Placed {
  readonly run: Run;
  readonly placement: PlacementDescription;
  readonly machine: Machine;
  readonly placed: readonly ReportedJob[];
  /** What is told of the placement in words: more may be added. */
  readonly notes: string[];
  readonly milliseconds: { readonly allocate: number; readonly map: number; evaluate: number };
}

/** Undefined if cancelled. The time is that of evaluating loads: a pass over pairs of tasks, and what routes take. */
export function measure(mapped: Placed): PlacementReport | undefined {
  const { run, placement, notes, milliseconds, placed } = mapped;
  const { now, cancellation } = run.context;
  const started = now();
  const machine = settledMachine(mapped);
  if (machine === undefined) return undefined;
  const evaluation = evaluate(machine, placed, run.settings.hotLinkFactor, cancellation);
  if (evaluation === undefined) return undefined;
  const measured = withMappingCoefficient({ ...mapped, machine }, evaluation.metrics);
  const queued = measured && withQueueing(mapped, measured);
  if (queued === undefined) return undefined;
  const metrics = withDerived({
    machine,
    jobs: placed,
    linkLoads: evaluation.linkLoads,
    metrics: queued,
    cancellation,
  });
  if (cancellation.isCancelled()) return undefined;
  milliseconds.evaluate = now() - started;
  const { name, seed } = placement;
  const jobs = withExactSearch(placed, metrics);
  return { name, machine, seed, jobs, ...evaluation, metrics, notes, milliseconds };
}

const inPercent = (share: number): string => `${Number((100 * share).toFixed(1))} %`;

/** The machine with the routes that all traffic of a placement settles on, where they depend on it. Undefined if cancelled. */
function settledMachine({ machine, run, notes, placed }: Placed): Machine | undefined {
  const { cancellation } = run.context;
  const network = machine.rails?.network ?? machine.routing;
  if (network.settled === undefined) return machine;
  const flows = routerFlowsOf(machine, placeTasks(machine, placed, cancellation), cancellation);
  const routing = flows && network.settled(flows, relativeTimes(machine), cancellation);
  if (routing?.split === undefined) return undefined;
  const { minimal, gap, steps } = routing.split;
  notes.push(
    `\`${routing.kind}\` settled in ${countOf(steps, 'step')}: ${inPercent(minimal)} of the bytes between switches use minimal routes. The maximum link load is within ${inPercent(gap)} of the best split. Mappers used minimal routes only.`,
  );
  if (machine.rails === undefined) return { ...machine, routing };
  const { use } = machine.rails;
  return usingRails({ ...machine, rails: { use, network: routing } }, use);
}

/** How long messages wait, where the machine is a cluster that gives its figures and all jobs give their rates. */
function withQueueing({ run, placement, machine, placed }: Placed, metrics: Metrics): Metrics | undefined {
  const { figures, missing } = clusterFigures(machine);
  if (machine.topology.kind !== 'cluster' || missing.length > 0) return metrics;
  if (placed.some(({ job }) => job.rate === undefined)) return metrics;
  const chosen = placement.map.options['variation'];
  const variation = typeof chosen === 'number' ? chosen : poisson;
  const queueing = predictWaiting(machine, placed, figures, variation, run.context.cancellation);
  return queueing && { ...metrics, queueing };
}

/** Coefficient of variation of the times between the messages of a Poisson stream. */
const poisson = 1;

/** A search rounds equivalent distances so that its sums are exact; what it found is worth what the report says. */
function withExactSearch<Placed extends PlacedJob>(
  placed: readonly Placed[],
  { mappingCoefficient }: Metrics,
): readonly Placed[] {
  const [only] = placed;
  const search = placed.length === 1 ? only?.search : undefined;
  if (search?.criterion !== equivalent.name || mappingCoefficient === undefined) return placed;
  const exact = { ...search, value: mappingCoefficient };
  const convergence = search.convergence.map((point) =>
    point.value === search.value ? { ...point, value: mappingCoefficient } : point,
  );
  // Rounded distances may be larger than those they stand for, by as little.
  const bound = search.bound && { ...search.bound, value: Math.min(search.bound.value, mappingCoefficient) };
  return [{ ...only!, search: { ...exact, convergence, ...(bound === undefined ? {} : { bound }) } }];
}

/** Where pairs have several routes the coefficient takes equivalent distances. Undefined if cancelled. */
function withMappingCoefficient({ run, machine, notes, placed }: Placed, metrics: Metrics): Metrics | undefined {
  const { cache, cancellation, progress, solveDistances = solveHere } = run.context;
  const known = machine.routing.singlePath ? undefined : knownDistances(cache, betweenPorts(machine));
  if (known === undefined) return metrics;
  const coefficient = mappingCoefficient(machine, placed, known, { solve: solveDistances, cancellation, progress });
  if (coefficient.ok) return { ...metrics, mappingCoefficient: coefficient.value };
  if (coefficient.failure.code === cancelledCode) return undefined;
  notes.push(`No mapping coefficient: ${coefficient.failure.message}`);
  return metrics;
}
