import type { ServiceInput } from './input.ts';
import { figureWords } from './words.ts';

/** A placement that can be compared with another one: it stands on the same machine and has a job in common. */
export interface ComparablePlacement {
  readonly uri: string;
  readonly name: string;
  readonly machine: string;
  readonly jobs: readonly string[];
  /** What it costs, in one line; '' where that is not known. */
  readonly words: string;
  /** `stale`: the words are of an older text. */
  readonly state: 'fresh' | 'stale' | 'missing';
}

type Described = Pick<ComparablePlacement, 'machine' | 'jobs'>;

/** Whether tasks of a job of both run on one machine. */
const isComparable = (one: Described, other: Described): boolean =>
  one.machine === other.machine && one.jobs.some((job) => other.jobs.includes(job));

/** How many other placements of its program each one can be compared with. O(placements²) on one machine. */
export function comparableCounts({ checked }: Pick<ServiceInput, 'checked'>): ReadonlyMap<string, number> {
  const { placements } = checked.program;
  return new Map(
    placements.map((one) => [one.name, placements.filter((other) => other !== one && isComparable(one, other)).length]),
  );
}

/**
 * Placements that can be compared, of the first file and of others that are open: with the given one of the first
 * file, which is among them, or else with any. In the order of the files and of their texts.
 */
export function comparablePlacements(inputs: readonly ServiceInput[], placement?: string): ComparablePlacement[] {
  const all = inputs.flatMap(placementsOf);
  const given = all.find(({ uri, name }) => uri === inputs[0]?.uri && name === placement);
  if (placement !== undefined && given === undefined) return [];
  return all.filter((one) =>
    given === undefined
      ? all.some((other) => other !== one && isComparable(one, other))
      : one === given || isComparable(one, given),
  );
}

function placementsOf({ uri, checked, summary, stale }: ServiceInput): ComparablePlacement[] {
  return checked.program.placements.map(({ name, machine, jobs }) => {
    const outline = summary?.placements.find((one) => one.name === name);
    const state = outline === undefined ? 'missing' : stale?.has(name) === true ? 'stale' : 'fresh';
    return { uri, name, machine, jobs, words: outline === undefined ? '' : figureWords(outline), state };
  });
}
