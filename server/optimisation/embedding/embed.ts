import { appendAll } from '../../model/lists.ts';
import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import { type Cancellation, WorkMeter } from '../../model/cancellation.ts';
import { type SearchCore, mappingCost, type SearchProblem } from '../problem/searchProblem.ts';
import { emptyBisection, bisectTasks, type SiteCut, siteTreeOf, type SiteTree } from './coordinateBisection.ts';
import { transformed, type Coordinates, normalised } from './coordinates.ts';
import { type RandomSource, shuffle } from '../../model/random.ts';
import { wholePower, normalDeviate } from '../../numeric/elementary.ts';
import { axpy, dot } from '../../numeric/vectors.ts';
import { boxPlaces, canGrowBox, compactPlaces } from './placeSites.ts';
import { siteCoordinatesOf } from './siteCoordinates.ts';
import { graphCoordinates, smoothAxis } from './graphCoordinates.ts';
import type { GridPositions } from './grids/gridProduct.ts';
import { taskGridOf } from './grids/taskGrid.ts';
import { embeddingParameters } from './parameters.ts';

/**
 * One variant of an embedding: bisects the tasks in each of its turns, and refines the best. Variants
 * have nothing to do with each other. Where it is cancelled, the best so far; undefined where there
 * is none. O(turns · (n log n + edges)) and what its refinement costs.
 */
export function embed(
  core: SearchCore,
  plan: EmbeddingPlan,
  variant: number,
  cancellation: Cancellation,
): Int32Array | undefined {
  const chosen = plan.variants[variant];
  if (chosen === undefined) return undefined;
  const tasks = itemAt(plan.tasks, chosen.tasks);
  const sites = itemAt(plan.sites, chosen.sites);
  const bisection = emptyBisection(sites.tree);
  let best: ValuedMapping | undefined;
  for (const turn of chosen.turns) {
    if (cancellation.isCancelled()) return best?.placeOfTask;
    const placeOfTask = new Int32Array(core.graph.taskCount);
    bisectTasks(bisection, transformed(tasks.coordinates, turn), placeOfTask);
    const value = mappingCost(core, placeOfTask);
    if (best === undefined || value < best.value) best = { placeOfTask, value };
  }
  return best && refineEmbedding(core, sites, best, cancellation).placeOfTask;
}

/** What all variants of an embedding share. Plain data, so that it crosses threads. */
export interface EmbeddingPlan {
  readonly tasks: readonly TaskSpace[];
  readonly sites: readonly SiteSpace[];
  readonly variants: readonly EmbeddingVariant[];
}

/** Where sites stand and how they are halved. Plain data. */
interface SiteSpace {
  readonly coordinates: Coordinates;
  readonly tree: SiteTree;
}

/** Some turns of one space of tasks against one of sites, of which the best is refined. */
interface EmbeddingVariant {
  readonly name: string;
  /** Indices into the plan. */
  readonly tasks: number;
  readonly sites: number;
  readonly turns: readonly AxisMatrix[];
}

export const variantCount = (plan: EmbeddingPlan): number => plan.variants.length;

/** `landmarks`, `grid`, … for notes and records. */
export const variantName = (plan: EmbeddingPlan, variant: number): string => plan.variants[variant]?.name ?? '';

/**
 * Prepares the embedding of a job: coordinates of tasks and sites, and which turns each variant
 * tries. Undefined if cancelled. O(landmarks · edges + sites log² sites).
 */
export function embeddingPlan(
  problem: SearchProblem,
  random: RandomSource,
  cancellation: Cancellation,
): EmbeddingPlan | undefined {
  const sites = siteSpacesOf(problem, cancellation);
  const tasks = sites && taskSpacesOf(problem, itemAt(sites, 0).coordinates.length, cancellation);
  if (sites === undefined || tasks === undefined) return undefined;
  const variants = tasks.flatMap((space, index) =>
    Array.from({ length: index === 0 ? embeddingParameters.variantsOfFirst : 1 }, (_, number): EmbeddingVariant => {
      const own = siteSpaceFor(sites, space.aligned, number);
      return {
        name: `${space.name}, ${itemAt(sites, own).name}${number === 0 ? '' : `, turn ${number + 1}`}`,
        tasks: index,
        sites: own,
        turns: turnsOf(space, itemAt(sites, own).coordinates, number === 0, random),
      };
    }),
  );
  return { tasks, sites, variants };
}

/** First what mostly suits: grids cut in the middle, what has no planes in gaps, both in a box; then the others. */
function siteSpaceFor(sites: readonly NamedSpace[], aligned: boolean, number: number): number {
  const cut = aligned && number === 0 ? 'even' : 'gap';
  const wanted = number === 1 ? 'ball' : 'box';
  const found = sites.findIndex((space) => space.choice === wanted && space.cut === cut);
  return found < 0 ? sites.findIndex((space) => space.cut === cut) : found;
}

interface NamedSpace extends SiteSpace {
  readonly name: string;
  /** How the places were chosen where there are more than tasks. */
  readonly choice: 'ball' | 'box';
  readonly cut: SiteCut;
}

/** One place per task, near each other, halved in gaps and evenly. */
function siteSpacesOf(problem: SearchProblem, cancellation: Cancellation): NamedSpace[] | undefined {
  const spaces: NamedSpace[] = [];
  const { siteOfPlace } = problem.places;
  const choices = canGrowBox(problem) ? (['ball', 'box'] as const) : (['ball'] as const);
  for (const choice of choices) {
    const used = choice === 'ball' ? compactPlaces(problem, cancellation) : boxPlaces(problem, cancellation);
    const sites = used && Int32Array.from(new Set(used.map((place) => intAt(siteOfPlace, place))));
    const coordinates = sites && siteCoordinatesOf(problem, sites, cancellation);
    if (used === undefined || coordinates === undefined) return undefined;
    for (const cut of ['gap', 'even'] as const) {
      const tree = siteTreeOf(problem.places, used, coordinates, cut, cancellation);
      if (tree === undefined) return undefined;
      const name = `${choices.length > 1 ? `${choice}, ` : ''}${cut === 'gap' ? 'cuts in gaps' : 'even cuts'}`;
      spaces.push({ coordinates, tree, name, choice, cut });
    }
  }
  return spaces;
}

function turnsOf(
  { aligned, coordinates }: TaskSpace,
  sites: Coordinates,
  first: boolean,
  random: RandomSource,
): AxisMatrix[] {
  const draw = aligned ? randomExchange : randomRotation;
  const turns = Array.from({ length: embeddingParameters.turnsPerVariant }, () =>
    draw(sites.length, coordinates.length, random),
  );
  return first ? [noExchange(sites.length, coordinates.length), ...turns.slice(1)] : turns;
}

/** `matrix[to][from]`: which weighted sum of a task's axes goes along each axis of the sites. */
type AxisMatrix = readonly (readonly number[] | Float64Array)[];

/** By this share every axis takes the next ones with it, so that tasks of one plane are cut apart along another. */
const tilt = 1e-4;

/**
 * Axes kept as they are, exchanged and mirrored at random: for tasks whose axes have a meaning. Where
 * the sites have more axes than the tasks, axes are used again.
 */
function randomExchange(siteAxes: number, taskAxes: number, random: RandomSource): AxisMatrix {
  const order = unexchanged(taskAxes);
  shuffle(order, random);
  return Array.from({ length: siteAxes }, (_, row) =>
    tiltedRow(order, row % taskAxes).map((value) => (random.integer(2) === 0 ? value : -value)),
  );
}

/** Axis a of the tasks along axis a of the sites. */
const noExchange = (siteAxes: number, taskAxes: number): AxisMatrix =>
  Array.from({ length: siteAxes }, (_, row) => tiltedRow(unexchanged(taskAxes), row % taskAxes));

const unexchanged = (axes: number): number[] => Array.from({ length: axes }, (_, axis) => axis);

/** Axis `order[first]`, with very little of the next ones. */
function tiltedRow(order: readonly number[], first: number): number[] {
  const row = order.map(() => 0);
  for (let step = 0; step < order.length; step++)
    row[itemAt(order, (first + step) % order.length)] = wholePower(tilt, step);
  return row;
}

/**
 * A random turn of the tasks' space: rows are unit vectors, each at right angles to those before it
 * while there is room for that.
 */
function randomRotation(siteAxes: number, taskAxes: number, random: RandomSource): AxisMatrix {
  const rows: Float64Array[] = [];
  while (rows.length < siteAxes) {
    const block = rows.slice(rows.length - (rows.length % taskAxes));
    const row = Float64Array.from({ length: taskAxes }, () => normalDeviate(random));
    for (const other of block) axpy(-dot(row, other), other, row);
    const length = Math.sqrt(dot(row, row));
    if (length > 1e-6) rows.push(row.map((value) => value / length));
  }
  return rows;
}

/** Coordinates for all tasks. Plain data. */
interface TaskSpace {
  readonly name: string;
  readonly coordinates: Coordinates;
  /** The axes mean something, so they are exchanged and mirrored but not turned. */
  readonly aligned: boolean;
}

/** The job's own coordinates and grid first, then those that its graph gives. Undefined if cancelled. */
function taskSpacesOf(problem: SearchProblem, siteAxes: number, cancellation: Cancellation): TaskSpace[] | undefined {
  const { job, graph } = problem;
  const spaces: TaskSpace[] = [];
  if (job.coordinates !== undefined) {
    const { dimensions, values } = job.coordinates;
    const own = Array.from({ length: dimensions }, (_, axis) =>
      Float64Array.from({ length: job.taskCount }, (__, task) => realAt(values, task * dimensions + axis)),
    );
    spaces.push({ name: 'coordinates', coordinates: normalised(own), aligned: true });
  }
  const grid = taskGridOf(problem, cancellation);
  if (grid !== undefined) appendAll(spaces, gridSpaces(grid));
  const axes = Math.min(embeddingParameters.mostAxes, Math.max(embeddingParameters.fewestAxes, siteAxes));
  const found = graphCoordinates(graph, axes, cancellation);
  if (found === undefined) return undefined;
  const coordinates = found.length === 0 ? [new Float64Array(graph.taskCount)] : found;
  spaces.push({ name: 'landmarks', coordinates, aligned: false });
  return spaces;
}

/** A grid as it is and, where it wraps, with each ring laid flat so that partners across the seam are near. */
function gridSpaces({ sides, wraps, positions }: GridPositions): TaskSpace[] {
  const flat = positions.map((along) => Float64Array.from(along));
  const grid = { name: 'grid', coordinates: flat, aligned: true };
  if (!wraps.includes(true)) return [grid];
  const laid = flat.map((along, axis) => {
    const last = itemAt(sides, axis) - 1;
    return wraps[axis] ? along.map((position) => Math.min(2 * position, 2 * (last - position) + 1)) : along;
  });
  return [{ name: 'grid laid flat', coordinates: laid, aligned: true }, grid];
}

/** A mapping and what it costs, in units. */
interface ValuedMapping {
  readonly placeOfTask: Int32Array;
  readonly value: number;
}

/** Smoothing rounds before each bisection: first the shape of the whole, then what is near. */
const schedule: readonly number[] = [30, 20, 14, 10, 7, 5, 4, 3, 2, 2, 1, 1];

/**
 * Improves a mapping as analytic placement of circuits does (Kleinhans et al. 1991, GORDIAN):
 * tasks start from where their sites stand, move towards their partners, and are bisected onto the
 * sites again, with less and less smoothing. The best of these and of the start; where it is
 * cancelled, the best so far. O(rounds · edges + bisections · n log n).
 */
export function refineEmbedding(
  core: SearchCore,
  { coordinates, tree }: SiteSpace,
  start: ValuedMapping,
  cancellation: Cancellation,
): ValuedMapping {
  const { graph, places } = core;
  const bisection = emptyBisection(tree);
  const points = coordinates.map(() => new Float64Array(graph.taskCount));
  const meter = new WorkMeter(cancellation);
  const spare = new Float64Array(graph.taskCount);
  const placeOfTask = start.placeOfTask.slice();
  let best = start;
  let gainless = 0;
  for (const rounds of affordable(graph.partner.length * coordinates.length)) {
    for (const [axis, values] of points.entries()) {
      if (cancellation.isCancelled()) return best;
      const ofSite = itemAt(coordinates, axis);
      for (let task = 0; task < values.length; task++) {
        values[task] = realAt(ofSite, intAt(places.siteOfPlace, intAt(placeOfTask, task)));
      }
      if (!smoothAxis(graph, values, rounds, spare, meter)) return best;
    }
    bisectTasks(bisection, points, placeOfTask);
    const value = mappingCost(core, placeOfTask);
    if (value < best.value) best = { placeOfTask: placeOfTask.slice(), value };
    gainless = value > best.value ? gainless + 1 : 0;
    if (gainless === embeddingParameters.patience) break;
  }
  return best;
}

/**
 * The schedule, with fewer rounds where a round is dear; no bisections at all where even one round each is too much.
 */
function affordable(edgeVisitsPerRound: number): readonly number[] {
  const all = schedule.reduce((sum, rounds) => sum + rounds, 0) * edgeVisitsPerRound;
  if (all <= embeddingParameters.edgeVisitsOfSmoothing) return schedule;
  const share = embeddingParameters.edgeVisitsOfSmoothing / all;
  const fewer = schedule.map((rounds) => Math.max(1, Math.floor(rounds * share)));
  return fewer.slice(0, Math.floor(embeddingParameters.edgeVisitsOfSmoothing / edgeVisitsPerRound));
}
