import type { Cancellation } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import type { SearchProblem } from '../problem/searchProblem.ts';
import { boxPlaces, canGrowBox } from './boxPlaces.ts';
import { compactPlaces } from './compactPlaces.ts';
import type { Coordinates } from './coordinates.ts';
import { type AxisMatrix, noExchange, randomExchange, randomRotation } from './rotations.ts';
import type { SiteSpace } from './settle.ts';
import { siteCoordinatesOf } from './siteCoordinates.ts';
import { type SiteCut, siteTreeOf } from './siteTree.ts';
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
      const own = siteSpaceFor(sites, space.aligned, number);
      return {
        name: `${space.name}, ${sites[own]!.name}${number === 0 ? '' : `, turn ${number + 1}`}`,
        tasks: index,
        sites: own,
        turns: turnsOf(space, sites[own]!.coordinates, number === 0, random),
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
    const sites = used && Int32Array.from(new Set(used.map((place) => siteOfPlace[place]!)));
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
  const turns = Array.from({ length: turnsPerVariant }, () => draw(sites.length, coordinates.length, random));
  return first ? [noExchange(sites.length, coordinates.length), ...turns.slice(1)] : turns;
}
