import type { PlacementProgress } from '../../study/status.ts';
import { formatBytes, formatNumber } from '../../model/quantities.ts';

/**
 * How far a placement is, as one line for a lens, a status bar or a picture: `11.6 GiB hop-bytes, −34 %, 8 s left`.
 * The percentage is what the search has taken off its first answer.
 */
export function progressWords({ share, message, search, secondsLeft }: PlacementProgress): string {
  const parts: string[] = [];
  if (search === undefined) parts.push(message);
  else {
    const { criterion, value, first } = search;
    parts.push(`${formatBytes(value)} ${criterion}`);
    if (first > 0 && value < first) parts.push(`−${formatNumber((100 * (first - value)) / first, 1)} %`);
  }
  if (secondsLeft !== undefined) parts.push(timeLeft(secondsLeft));
  else if (share > 0) parts.push(`${formatNumber(Math.floor(100 * share), 0)} %`);
  return parts.join(', ');
}

/** `8 s left`, `3 min left`: whole numbers, since it is an estimate. */
function timeLeft(seconds: number): string {
  return seconds < 90
    ? `${Math.max(1, Math.ceil(seconds))} s left`
    : `${formatNumber(Math.round(seconds / 60), 0)} min left`;
}
