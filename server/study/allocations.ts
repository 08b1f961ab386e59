import { countOf } from '../model/quantities.ts';
import type { PlacementDescription } from './program.ts';
import { cancelled, fail, succeed, type Result } from '../model/result.ts';
import type { Allocation } from '../model/placement.ts';
import { fingerprintOf } from '../numeric/fingerprint.ts';
import type { PlacementOutcome } from './report.ts';

/** What the placements done so far were given, for those that take the `same-as` another. */
export class Allocations {
  readonly #done = new Map<string, { readonly machine: string; readonly outcome: PlacementOutcome }>();

  record({ name, machine }: PlacementDescription, outcome: PlacementOutcome): void {
    this.#done.set(name, { machine, outcome });
  }

  /**
   * The nodes of the job at `position` in placement `name`, or of its only job. Fails where that
   * placement is on another machine, has no such job, or could not be given nodes.
   */
  of(name: string, asking: PlacementDescription, position: number): Result<Allocation> {
    const found = this.#done.get(name);
    if (found === undefined) return fail('same-as-failed', `Placement \`${name}\` has no allocation to reuse.`);
    const { machine, outcome } = found;
    if (machine !== asking.machine) {
      return fail(
        'same-as-other-machine',
        `Placement \`${name}\` uses machine \`${machine}\`, not \`${asking.machine}\`. Reuse nodes from the same machine only.`,
      );
    }
    const allocation = outcome.jobCount === 1 ? outcome.allocations[0] : outcome.allocations[position];
    if (allocation !== undefined) return succeed(allocation);
    if (outcome.cancelled) return cancelled();
    if (position >= outcome.jobCount) {
      return fail(
        'same-as-too-few-jobs',
        `Placement \`${name}\` has ${countOf(outcome.jobCount, 'job')}, so job number ${position + 1} has no allocation.`,
      );
    }
    return fail('same-as-failed', `Placement \`${name}\` has errors and no allocation to reuse. Fix it first.`);
  }

  /** Content of what {@link of} can answer about a placement, for keys. */
  keyOf(name: string): string {
    const found = this.#done.get(name);
    if (found === undefined) return 'none';
    const { machine, outcome } = found;
    const codes = outcome.problems.map(({ code }) => code);
    return JSON.stringify([
      machine,
      outcome.jobCount,
      codes,
      outcome.allocations.map((nodes) => nodes && fingerprintOf(nodes)),
    ]);
  }
}
