import type { Cancellation } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import type { SearchProblem } from '../problem/searchProblem.ts';
import { compactPlaces } from './compactPlaces.ts';
import type { Coordinates } from './coordinates.ts';
import { type AxisMatrix, noExchange, randomExchange, randomRotation } from './rotations.ts';
import type { SiteSpace } from './settle.ts';
import { siteCoordinatesOf } from './siteCoordinates.ts';
import { siteTreeOf } from './siteTree.ts';
import { type TaskSpace, taskSpacesOf } from './taskSpaces.ts';

/** What all variants of an embedding share. Plain data, so that it crosses threads. */
export interface EmbeddingPlan {
  readonly tasks: readonly TaskSpace[];
  readonly sites: readonly SiteSpace[];
  readonly variants: readonly EmbeddingVariant[];
}

/** Some turns of one space of tasks against one of sites, of which the best is settled. */
export interface EmbeddingVariant {
  readonly name: string;
  /** Indices into the plan. */
  readonly tasks: number;
  readonly sites: number;
  readonly turns: readonly AxisMatrix[];
}

const turnsPerVariant = 12;
/** Variants for the space of tasks that promises most; the others have one each. */
const variantsOfFirst = 3;

/**
 * Prepares the embedding of a job: coordinates of tasks and sites, and which turns each variant
 * tries. Undefined where it was cancelled. O(landmarks · edges + sites log² sites).
 */
export function embeddingPlan(
  problem: SearchProblem,
  random: RandomSource,
  cancellation: Cancellation,
): EmbeddingPlan | undefined {
  const site = siteSpaceOf(problem, cancellation);
  const tasks = site && taskSpacesOf(problem, site.coordinates.length, cancellation);
  if (tasks === undefined) return undefined;
  const variants = tasks.flatMap((space, index) =>
    Array.from({ length: index === 0 ? variantsOfFirst : 1 }, (_, number) => ({
      name: number === 0 ? space.name : `${space.name}, ${ordinal(number + 1)} turn`,
      tasks: index,
      sites: 0,
      turns: turnsOf(space, site.coordinates, number === 0, random),
    })),
  );
  return { tasks, sites: [site], variants };
}

function siteSpaceOf(problem: SearchProblem, cancellation: Cancellation): SiteSpace | undefined {
  const coordinates = siteCoordinatesOf(problem, cancellation);
  const used = coordinates && compactPlaces(problem, cancellation);
  const tree = used && siteTreeOf(problem.places, used, coordinates, cancellation);
  return tree && { coordinates, tree };
}

const ordinal = (number: number): string => (number === 2 ? 'second' : 'third');

function turnsOf(
  { aligned, coordinates }: TaskSpace,
  sites: Coordinates,
  first: boolean,
  random: RandomSource,
): AxisMatrix[] {
  const draw = aligned ? randomExchange : randomRotation;
  const turns = Array.from({ length: turnsPerVariant }, () => draw(sites.length, coordinates.length, random));
  return first ? [noExchange(sites.length, coordinates.length), ...turns.slice(1)] : turns;
}
