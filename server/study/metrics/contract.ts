import type { Cancellation } from '../../model/cancellation.ts';
import type { PlacementReport } from '../../model/report.ts';

/** What a metric may be worked out from: a placement that is mapped and whose loads are summed. */
export interface MeasuredPlacement extends Pick<PlacementReport, 'machine' | 'jobs' | 'linkLoads' | 'metrics'> {
  readonly cancellation: Cancellation;
}

/**
 * Works a metric out once a placement is mapped, where its row says `isDerived`. Undefined where the placement has none;
 * of no use where it was cancelled.
 */
export type DerivedMeasure = (placement: MeasuredPlacement) => number | undefined;
