/**
 * What each placement depends on as a short text, so that a report is known to be stale; and seeds, so that every step
 * has random numbers of its own.
 */
import { WorkMeter, workPerPoll, type Cancellation } from '../model/cancellation.ts';
import { seededRandom, type RandomSource } from '../model/random.ts';
import { Fingerprint, fingerprintOf, fingerprintOfText, type FingerprintedArray } from '../numeric/fingerprint.ts';
import { inOrderOfNeed, takesOverFrom, type PlacementDescription, type Program } from './program.ts';
import type { StudySettings } from './report.ts';

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

/** The fingerprint of arrays, which may be long; undefined where it was cancelled. */
export function fingerprintWithLooks(
  arrays: readonly FingerprintedArray[],
  cancellation: Cancellation,
): string | undefined {
  const meter = new WorkMeter(cancellation);
  const fingerprint = new Fingerprint();
  for (const array of arrays) {
    for (let begin = 0; begin < array.length; begin += workPerPoll) {
      fingerprint.add(array.subarray(begin, begin + workPerPoll));
      if (meter.isCancelledAfter(workPerPoll)) return undefined;
    }
  }
  return fingerprint.text;
}

/** A 32-bit number of a text, for seeds: FNV-1a with a final mix. O(length). */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x7feb352d);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x846ca68b);
  return hash ^ (hash >>> 16);
}

/** Steps that draw random numbers. Each has a stream of its own, so changing one leaves the others alone. */
type RandomStep = 'pattern' | 'allocate' | 'map';

/**
 * The stream of one step, from the seed of the placement. `of` tells jobs apart: their position
 * in the placement, or the name of the job for its traffic, which is then the same in every
 * placement with that seed.
 */
export const randomFor = (seed: number, step: RandomStep, of: number | string): RandomSource =>
  seededRandom(hashText(`${seed}/${step}/${of}`));
