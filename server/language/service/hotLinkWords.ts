import type { HotLinkOutline, PlacementOutline } from '../../study/report.ts';
import { countOf, formatBytes, formatShare } from './numbers.ts';

/** `5 → 6`, `node 3 → leaf-1`. */
export const linkWords = ({ fromName, toName }: HotLinkOutline): string => `${fromName} → ${toName}`;

/**
 * The heaviest pairs over a hot link, at most `shown`, and how many there are:
 * `62 % of it from task 5 → 6 (64 KiB), 12 % from task 1 → 6 (32 KiB), of 14 pairs`.
 * Empty where nothing is known of them.
 */
export function causesWords({ jobs }: PlacementOutline, { flows, flowCount }: HotLinkOutline, shown: number): string {
  if (flows.length === 0) return '';
  const named = flows.slice(0, shown).map(({ job, from, to, bytes, share }, index) => {
    // One job needs no name at each pair of its tasks.
    const sender = jobs.length === 1 ? 'task' : job;
    return `${formatShare(share)}${index === 0 ? ' of it' : ''} from ${sender} ${from} → ${to} (${formatBytes(bytes)})`;
  });
  const rest = flowCount > named.length ? `, of ${countOf(flowCount, 'pair')}` : '';
  return named.join(', ') + rest;
}
