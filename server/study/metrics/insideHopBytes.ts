import { WorkMeter } from '../../model/cancellation.ts';
import { insideHopsOf } from '../../model/slots.ts';
import { intAt, realAt } from '../../numeric/elements.ts';
import type { DerivedMeasure } from './contract.ts';

/** The part of hop-bytes that the insides of nodes add, told apart from that of the network. */
export const measureInsideHopBytes: DerivedMeasure = ({ machine, jobs, cancellation }) => {
  const inside = insideHopsOf(machine);
  if (inside === undefined) return undefined;
  let sum = 0;
  const meter = new WorkMeter(cancellation);
  for (const { job, mapping } of jobs) {
    const { rowStart, partner, bytes, taskCount } = job.traffic;
    for (let task = 0; task < taskCount; task++) {
      const slot = intAt(mapping, task);
      for (let pair = intAt(rowStart, task); pair < intAt(rowStart, task + 1); pair++)
        sum += realAt(bytes, pair) * inside(slot, intAt(mapping, intAt(partner, pair)));
      if (meter.isCancelledAfter(1 + intAt(rowStart, task + 1) - intAt(rowStart, task))) return undefined;
    }
  }
  return sum;
};
