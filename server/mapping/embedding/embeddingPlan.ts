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
  const sites = siteSpacesOf(problem, cancellation);
  const tasks = sites && taskSpacesOf(problem, sites[0]!.coordinates.length, cancellation);
  if (sites === undefined || tasks === undefined) return undefined;
  const variants = tasks.flatMap((space, index) =>
    Array.from({ length: index === 0 ? variantsOfFirst : 1 }, (_, number): EmbeddingVariant => {
      const even = space.aligned && number !== 1;
      return {
        name: `${space.name}, ${even ? 'even cuts' : 'cuts in gaps'}${number === 0 ? '' : `, turn ${number + 1}`}`,
        tasks: index,
        sites: even ? 1 : 0,
        turns: turnsOf(space, sites[0]!.coordinates, number === 0, random),
      };
    }),
  );
  return { tasks, sites, variants };
}

/** One place per task, halved in gaps and evenly. */
function siteSpacesOf(problem: SearchProblem, cancellation: Cancellation): SiteSpace[] | undefined {
  const used = compactPlaces(problem, cancellation);
  const sites = used && Int32Array.from(new Set(used.map((place) => problem.places.siteOfPlace[place]!)));
  const coordinates = sites && siteCoordinatesOf(problem, sites, cancellation);
  if (used === undefined || coordinates === undefined) return undefined;
  const spaces: SiteSpace[] = [];
  for (const cut of ['gap', 'even'] as const) {
    const tree = siteTreeOf(problem.places, used, coordinates, cut, cancellation);
    if (tree === undefined) return undefined;
    spaces.push({ coordinates, tree });
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
  const turns = Array.from({ length: turnsPerVariant }, () => draw(sites.length, coordinates.length, random));
  return first ? [noExchange(sites.length, coordinates.length), ...turns.slice(1)] : turns;
}
