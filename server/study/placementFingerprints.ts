import { inOrderOfNeed, takesOverFrom } from './allocations.ts';
import { fingerprintOf, fingerprintOfText } from './fingerprint.ts';
import type { PlacementDescription, Program } from './program.ts';
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
