import { countOf, formatSeconds } from '../../model/quantities.ts';
import { gapOf, type SearchEnd, type SearchRecord } from '../../model/searchRecord.ts';

/** What ended a search, for hovers and summaries. */
export const endWords: Readonly<Record<SearchEnd, string>> = {
  steps: 'all its steps were done',
  time: 'the clock ended it, another run may differ',
  bound: 'nothing is left to gain: proven optimal',
  converged: 'nothing it tried was better any more',
  stopped: 'stopped by hand: the best until then',
};

/** `at most 12 % above the least possible`; undefined where no bound says how much is left. */
export function gapWords(search: Pick<SearchRecord, 'value' | 'bound'>): string | undefined {
  const gap = gapOf(search);
  if (gap === undefined) return undefined;
  return gap === 0 ? 'the least possible' : `${shareWords(gap)} above the least possible`;
}

/** Rounded up, since it is said to be the most. */
function shareWords(share: number): string {
  const percent = 100 * share;
  if (percent < 0.1) return 'less than 0.1 %';
  return `at most ${percent < 10 ? Math.ceil(10 * percent - 1e-9) / 10 : Math.ceil(percent - 1e-9)} %`;
}

/**
 * `not tried within 1 s: drb; a longer budget tries it`; undefined where everything was tried. A budget in steps
 * pays for no other search of the catalogue once a job is large, however many steps it has.
 */
export function untriedWords({
  untried = [],
  budget,
  end,
}: Pick<SearchRecord, 'untried' | 'budget' | 'end'>): string | undefined {
  if (untried.length === 0) return undefined;
  const names = untried.join(', ');
  if (end === 'stopped') return `not tried before it was stopped: ${names}`;
  if (budget === undefined) return `not tried: ${names}`;
  const them = untried.length === 1 ? 'it' : 'them';
  return budget.kind === 'seconds'
    ? `not tried within ${formatSeconds(budget.amount)}: ${names}; a longer budget tries ${them}`
    : `not tried within ${countOf(budget.amount, 'step')}: ${names}; a budget in time tries ${them}`;
}
