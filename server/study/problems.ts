import type { Failure } from '../model/result.ts';
import type { StudyProblem, Subject } from './program.ts';
import type { Allocation } from '../model/placement.ts';
import type { PlacementReport } from '../model/report.ts';

/** The code of what the language knows and this version cannot evaluate; never an error. */
export const notEvaluatedYet = 'not-evaluated-yet';

/** A failure with the place it belongs to. */
export function problemAt(failure: Failure, subject: Subject, placement?: string): StudyProblem {
  const severity = failure.code === notEvaluatedYet ? 'information' : 'error';
  return { ...failure, severity, subject, ...(placement === undefined ? {} : { placement }) };
}

/** Problems in the order they were found, each once: a table that three jobs need is missing once. */
export class ProblemList {
  readonly #found = new Map<string, StudyProblem>();

  add(problem: StudyProblem): void {
    const { kind, name } = problem.subject;
    const key = JSON.stringify([kind, name, problem.code, problem.message]);
    if (!this.#found.has(key)) this.#found.set(key, problem);
  }

  all(): readonly StudyProblem[] {
    return [...this.#found.values()];
  }
}

/** What came of one placement. */
export interface PlacementOutcome {
  readonly report?: PlacementReport;
  readonly problems: readonly StudyProblem[];
  /** Nodes of the jobs by position, undefined for those that got none; complete where there is a report. */
  readonly allocations: readonly (Allocation | undefined)[];
  readonly jobCount: number;
  readonly cancelled: boolean;
}
