/**
 * What links, switches and memories take for a placement where nothing is in the way of anything, from what the machine
 * says of each of them. The congestion time is measured with the loads.
 */
import { fastestBandwidth, givesLinks } from '../../model/machine.ts';
import { inStretches, WorkMeter } from '../../model/cancellation.ts';
import { nodesOfSlots } from '../../model/slots.ts';
import { busyTimes, relativeTimes } from '../../network/linkClasses.ts';
import { intAt, realAt } from '../../numeric/elements.ts';
import type { DerivedMeasure } from './contract.ts';

/** Criterion `link-time` of searches minimises it. */
export const measureLinkTime: DerivedMeasure = ({ machine, linkLoads }) => {
  if (!givesLinks(machine, 'bandwidth')) return undefined;
  const fastest = fastestBandwidth(machine);
  if (fastest === undefined) return 0;
  return busyTimes(linkLoads, relativeTimes(machine)).reduce((sum, time) => sum + time, 0) / fastest;
};

export const measureWeightedLatency: DerivedMeasure = ({ machine, jobs, linkLoads, metrics, cancellation }) => {
  const { classes, of } = machine.linkClasses ?? { classes: [] };
  const { switchTime } = machine.figures;
  if (switchTime === undefined && !givesLinks(machine, 'latency')) return undefined;
  const latencies = Float64Array.from(classes, ({ latency = 0 }) => latency);
  let total = 0;
  let crossed = metrics.interNodeBytes;
  for (let link = 0; link < linkLoads.length; link++) {
    total += realAt(linkLoads, link) * (latencies[of === undefined ? 0 : intAt(of, link)] ?? 0);
    if (link < machine.topology.links.routerLinkCount) crossed += realAt(linkLoads, link);
  }
  total += crossed * (switchTime ?? 0);
  let sent = 0;
  for (const { job } of jobs) {
    const { bytes } = job.traffic;
    inStretches(bytes.length, cancellation, (begin, end) => {
      for (let pair = begin; pair < end; pair++) sent += realAt(bytes, pair);
    });
  }
  return sent === 0 ? 0 : total / sent;
};

export const measureMemoryTime: DerivedMeasure = ({ machine, jobs, cancellation }) => {
  const { memory } = machine.figures;
  if (memory === undefined) return undefined;
  const within = new Float64Array(machine.nodeCount);
  const meter = new WorkMeter(cancellation);
  for (const { job, mapping } of jobs) {
    const { rowStart, partner, bytes, taskCount } = job.traffic;
    const nodes = nodesOfSlots(machine, mapping, cancellation);
    for (let task = 0; task < taskCount; task++) {
      const node = intAt(nodes, task);
      for (let pair = intAt(rowStart, task); pair < intAt(rowStart, task + 1); pair++)
        if (nodes[intAt(partner, pair)] === node) within[node] = realAt(within, node) + realAt(bytes, pair);
      if (meter.isCancelledAfter(1 + intAt(rowStart, task + 1) - intAt(rowStart, task))) return undefined;
    }
  }
  return within.reduce((most, sum) => Math.max(most, sum), 0) / memory;
};
