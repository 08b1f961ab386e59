import type { Word } from '../tree.ts';
import { reportUnknown } from './choices.ts';
import type { CheckedPlacement } from './placement.ts';
import type { Scope } from './scope.ts';

/** A placement as far as `same-as` looks at it. */
export interface SameAsPlacement {
  readonly scope: Scope;
  readonly name: string;
  readonly checked: CheckedPlacement;
}

/**
 * Checks every `same-as`: the placement exists, is another one, leads to no cycle, runs on the
 * same machine and has a job at each position. O(length of chains).
 */
export function checkSameAs(placements: ReadonlyMap<string, SameAsPlacement>): void {
  for (const placement of placements.values()) {
    const target = placement.checked.sameAs;
    if (target !== undefined) checkTarget(placement, target, placements);
  }
}

function checkTarget(placement: SameAsPlacement, target: Word, placements: ReadonlyMap<string, SameAsPlacement>): void {
  const { scope, name, checked } = placement;
  const other = placements.get(target.text);
  if (other === undefined) {
    reportUnknown(
      scope,
      target,
      'placement',
      [...placements.keys()].filter((candidate) => candidate !== name),
    );
    return;
  }
  const chain = chainFrom(name, placements);
  if (chain !== undefined) {
    const message =
      chain.length === 2
        ? 'A placement cannot take its own allocation: name another one.'
        : `Placements take their allocation from each other: ${chain.join(' → ')}. Give one of them an allocation of its own.`;
    scope.report(target, 'same-as-cycle', message);
    return;
  }
  const { machine } = other.checked;
  if (machine !== undefined && checked.machine !== undefined && machine.node !== checked.machine.node) {
    const message = `\`${target.text}\` runs on \`${machine.name}\`, not on \`${checked.machine.name}\`: nodes can be shared on one machine only.`;
    scope.report(target, 'does-not-apply', message);
    return;
  }
  const jobs = other.checked.jobs.length;
  if (jobs > 1 && jobs < checked.jobs.length) {
    const message = `\`${target.text}\` allocates for ${jobs} jobs, and there are ${checked.jobs.length} here.`;
    scope.report(target, 'does-not-apply', message);
  }
}

/** The names from a placement back to itself, or undefined where it is on no cycle. */
function chainFrom(start: string, placements: ReadonlyMap<string, SameAsPlacement>): readonly string[] | undefined {
  const chain = [start];
  const seen = new Set(chain);
  for (;;) {
    const next = placements.get(chain.at(-1) ?? '')?.checked.sameAs?.text;
    if (next === undefined) return undefined;
    if (next === start) return [...chain, start];
    if (seen.has(next)) return undefined; // a cycle further on, reported there
    seen.add(next);
    chain.push(next);
  }
}
