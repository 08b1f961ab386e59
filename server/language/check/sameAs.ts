import { replace } from '../codes.ts';
import type { Word } from '../tree.ts';
import { reportUnknown } from './choices.ts';
import type { CheckedPlacement } from './placement.ts';
import type { Scope } from './scope.ts';

/** A placement as far as `same-as` looks at it. */
export interface SameAsPlacement {
  readonly scope: Scope;
  readonly checked: CheckedPlacement;
}

type Placements = ReadonlyMap<string, SameAsPlacement>;

/** Names of a cycle that a message shows. */
const shownNames = 8;

/**
 * Checks every `same-as`: the placement exists, is another one, leads to no cycle, runs on the
 * same machine and has a job at each position. O(placements).
 */
export function checkSameAs(placements: Placements, names: readonly string[]): void {
  const cycles = cyclesOf(placements);
  for (const [name, { scope, checked }] of placements) {
    const target = checked.sameAs;
    if (target === undefined) continue;
    const other = placements.get(target.text);
    const cycle = cycles.get(name);
    if (other === undefined) reportUnknown(scope, target, 'placement', names);
    else if (cycle !== undefined) reportCycle(scope, checked, name, cycle);
    else checkTarget(scope, target, checked, other.checked);
  }
}

/** A placement's place on a cycle of names. */
interface OnCycle {
  readonly cycle: readonly string[];
  readonly start: number;
}

function reportCycle(
  scope: Scope,
  { sameAs: target, sameAsNode: node }: CheckedPlacement,
  name: string,
  on: OnCycle,
): void {
  const { cycle, start } = on;
  if (target === undefined) return;
  const chain = Array.from(
    { length: Math.min(cycle.length, shownNames) },
    (_, step) => cycle[(start + step) % cycle.length],
  );
  const rest = cycle.length > shownNames ? ['…', name] : [name];
  const message =
    cycle.length === 1
      ? 'A placement cannot take its own allocation: name another one.'
      : `Placements take their allocation from each other: ${[...chain, ...rest].join(' → ')}. Give one of them an allocation of its own.`;
  scope.report(target, 'same-as-cycle', message, { otherFixes: node === undefined ? [] : [replace(node, 'all')] });
}

function checkTarget(scope: Scope, target: Word, placement: CheckedPlacement, other: CheckedPlacement): void {
  const { machine } = other;
  if (machine !== undefined && placement.machine !== undefined && machine.node !== placement.machine.node) {
    const message = `\`${target.text}\` runs on \`${machine.name}\`, not on \`${placement.machine.name}\`: nodes can be shared on one machine only.`;
    scope.report(target, 'does-not-apply', message);
    return;
  }
  if (other.jobs.length > 1 && other.jobs.length < placement.jobs.length) {
    const message = `\`${target.text}\` allocates for ${other.jobs.length} jobs, and there are ${placement.jobs.length} here.`;
    scope.report(target, 'does-not-apply', message);
  }
}

/** The placements on cycles. */
function cyclesOf(placements: Placements): ReadonlyMap<string, OnCycle> {
  const cycles = new Map<string, OnCycle>();
  const seen = new Set<string>();
  for (const first of placements.keys()) {
    const path: string[] = [];
    let next: string | undefined = first;
    while (next !== undefined && !seen.has(next)) {
      seen.add(next);
      path.push(next);
      next = placements.get(next)?.checked.sameAs?.text;
    }
    // The walk ended at a name of its own path: from there on it is a cycle.
    const closes = next === undefined ? -1 : path.indexOf(next);
    if (closes < 0) continue;
    const cycle = path.slice(closes);
    for (const [start, name] of cycle.entries()) cycles.set(name, { cycle, start });
  }
  return cycles;
}
