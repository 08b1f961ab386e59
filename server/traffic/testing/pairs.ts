import type { Result } from '../../model/result.ts';
import type { Traffic } from '../../model/traffic.ts';

/** Traffic as text, one `from->to:bytes` per pair in stored order; a failure as its code. */
export function pairsOf(traffic: Result<Traffic>): string[] | string {
  if (!traffic.ok) return traffic.failure.code;
  const { rowStart, partner, bytes, taskCount } = traffic.value;
  const pairs: string[] = [];
  for (let from = 0; from < taskCount; from++) {
    for (let pair = rowStart[from]!; pair < rowStart[from + 1]!; pair++) {
      pairs.push(`${from}->${partner[pair]!}:${bytes[pair]!}`);
    }
  }
  return pairs;
}

/** What breaks the promises of {@link Traffic}, in words; empty where nothing does. */
export function brokenPromises({ taskCount, rowStart, partner, bytes }: Traffic): string[] {
  const broken: string[] = [];
  if (rowStart.length !== taskCount + 1 || rowStart[0] !== 0) broken.push('rowStart does not span the tasks');
  if (rowStart[taskCount] !== partner.length || bytes.length !== partner.length) broken.push('lengths differ');
  for (let from = 0; from < taskCount; from++) {
    for (let pair = rowStart[from]!; pair < rowStart[from + 1]!; pair++) {
      const to = partner[pair]!;
      if (to === from) broken.push(`task ${from} sends to itself`);
      if (to < 0 || to >= taskCount) broken.push(`task ${from} sends to ${to}`);
      if (pair > rowStart[from]! && to <= partner[pair - 1]!) broken.push(`partners of ${from} do not ascend`);
      if (!(bytes[pair]! > 0 && Number.isFinite(bytes[pair]))) broken.push(`${from}->${to} has ${bytes[pair]!} bytes`);
    }
  }
  return broken;
}
