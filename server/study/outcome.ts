import type { Allocation } from '../model/placement.ts';
import type { PlacementReport } from '../model/report.ts';
import type { StudyProblem } from './program.ts';

/** What came of one placement. */
export interface PlacementOutcome {
  readonly report?: PlacementReport;
  readonly problems: readonly StudyProblem[];
  /** Nodes of the jobs that got some, in their order; complete where there is a report. */
  readonly allocations: readonly Allocation[];
  readonly jobCount: number;
  readonly cancelled: boolean;
}
