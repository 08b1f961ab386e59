import type { Cancellation } from '../../model/cancellation.ts';
import type { Mapping } from '../../model/placement.ts';
import type { Traffic } from '../../model/traffic.ts';
import type { MappingProblem } from '../contract.ts';
import { addToProfile, emptyProfile } from '../hopProfile.ts';

/**
 * Hops of all ordered pairs that communicate, together: the average hops of Bunde et al. 2014 (section
 * 4.5) times a constant. Every pair counts once, however many bytes it sends. Undefined where it was
 * cancelled. O(pairs).
 */
export function totalHops(
  { machine, job }: MappingProblem,
  mapping: Mapping,
  cancellation: Cancellation,
): number | undefined {
  const profile = emptyProfile();
  if (!addToProfile(profile, machine, job.traffic, mapping, cancellation)) return undefined;
  return profile.pairs.reduce((sum, pairs, hops) => sum + pairs * hops, 0);
}

/** Average hops as messages write them: `1.25`. */
export function writtenAverage(total: number, { partner }: Traffic): string {
  return partner.length === 0 ? '0' : String(Number((total / partner.length).toFixed(3)));
}
