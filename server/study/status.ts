import type { SearchProgress } from '../model/cancellation.ts';
import { inOrderOfNeed, takesOverFrom } from './allocations.ts';
import { fingerprintOf, fingerprintOfText } from './fingerprint.ts';
import type { PlacementDescription, Program } from './program.ts';
import type { StudySettings } from './report.ts';

/** How far the evaluation of one placement is. */
export interface PlacementProgress {
  /** 0 … 1, of this placement alone. */
  readonly share: number;
  /** One short line: what is being done. */
  readonly message: string;
  /** How good the best mapping is by now; absent where nothing is searched, or nothing was found yet. */
  readonly search?: SearchProgress;
  /** Of this placement alone, estimated from the share and the time that it took; absent before there is a share. */
  readonly secondsLeft?: number;
}

/**
 * What is being done about a placement, or why nothing is. It says nothing of the report that there is: a
 * placement that is worked out again still has the one before.
 */
export type PlacementStatus =
  /** Nothing is going on: the report is the answer, or there is none because the text has errors. */
  | { readonly kind: 'idle' }
  /** Will be worked out: others go first. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'working'; readonly progress: PlacementProgress }
  /** The user ended it before there was an answer. */
  | { readonly kind: 'cancelled' }
  /** It could not be worked out: the first error that it depends on, or what stopped the computation. */
  | { readonly kind: 'failed'; readonly message: string };

export const idle: PlacementStatus = { kind: 'idle' };

/**
 * What each placement of a program depends on, as a short text by its name: its own declaration, its machine, its
 * jobs, the placement whose nodes it takes over, the settings, and the files that all of them name. Two texts of a
 * program with equal fingerprints give the same report of the placement. `versionOf` tells how often a file has
 * changed; what it holds is not looked at. O(program).
 */
export function placementFingerprints(
  program: Program,
  settings: StudySettings,
  versionOf: (uri: string) => number,
): ReadonlyMap<string, string> {
  const contentOf = (_key: string, value: unknown): unknown => {
    if (value instanceof Int32Array || value instanceof Float64Array) return fingerprintOf(value);
    const version = typeof value === 'string' ? versionOf(value) : 0;
    return version === 0 ? value : `${String(value)} version ${version}`;
  };
  const textOf = (value: unknown): string => fingerprintOfText(JSON.stringify([value], contentOf));
  const declared = new Map<unknown, string>();
  const fingerprintOfDeclaration = (declaration: unknown): string => {
    const known = declared.get(declaration) ?? textOf(declaration);
    declared.set(declaration, known);
    return known;
  };
  const fingerprintOfMachine = ({ machine }: PlacementDescription) =>
    fingerprintOfDeclaration(program.machines.get(machine));
  const fingerprintsOfJobs = ({ jobs }: PlacementDescription) =>
    jobs.map((name) => fingerprintOfDeclaration(program.jobs.get(name)));
  const found = new Map<string, string>();
  for (const placement of inOrderOfNeed(program.placements)) {
    const source = takesOverFrom(placement);
    const own = [placement, fingerprintOfMachine(placement), fingerprintsOfJobs(placement), settings];
    found.set(placement.name, textOf([own, source === undefined ? null : (found.get(source) ?? 'missing')]));
  }
  return found;
}
