import type { Allocation } from '../model/placement.ts';
import type { PlacementReport } from '../model/report.ts';
import type { StudyProblem } from './program.ts';

/** What came of one placement. */
export interface PlacementOutcome {
  readonly report?: PlacementReport;
  readonly problems: readonly StudyProblem[];
  /** Nodes of the jobs by position, undefined for those that got none; complete where there is a report. */
  readonly allocations: readonly (Allocation | undefined)[];
  readonly jobCount: number;
  readonly cancelled: boolean;
}
