import { neverCancelled } from '../../model/cancellation.ts';
import { cancelled, succeed } from '../../model/result.ts';
import type { PatternEntry } from '../contract.ts';

/** Senders between two looks at the cancellation. */
const rowsPerLook = 16;

export const allToAll: PatternEntry = {
  name: 'all-to-all',
  summary: 'every task sends to every other',
  source: 'Soryani et al. 2013, section 5; Alsardia 2017, section 2.4',
  details: 'All n · (n − 1) ordered pairs.',
  options: [],
  pairBound: ({ taskCount }) => taskCount * (taskCount - 1),
  generate({ taskCount, cancellation = neverCancelled }, add) {
    for (let from = 0; from < taskCount; from++) {
      if (from % rowsPerLook === 0 && cancellation.isCancelled()) return cancelled();
      for (let to = 0; to < taskCount; to++) add(from, to, 1);
    }
    return succeed(undefined);
  },
};
