/** Queues with one server, of which theory knows the answer: replications for tests of experiments. */
import { separateRandoms } from '../../model/random.ts';
import { cancelled, fail, succeed } from '../../model/result.ts';
import { planExperiment, type PlanDescription, type ExperimentPlan } from '../plan.ts';
import type { FinishedReplication, Replicate } from '../run.ts';

const customers = 300;

/**
 * Waiting times of an M/M/1 or M/D/1 queue with mean service 1, by Lindley's recursion w ← max(0, w + s − a). The one
 * varied value is the rate of arrivals; the allocator says how long services are in comparison, the scheduler which
 * distribution they have.
 */
export const queue: Replicate = ({ values: [rate = 0.5], allocator, scheduler }, seed, stop) => {
  if (stop.isCancelled()) return cancelled();
  if (allocator === 'broken' && seed >= 13) return fail('deadlock', `Nothing moves with seed ${seed}.`);
  const factor = allocator === 'slow' ? 1.05 : 1;
  const { arrivals, services } = separateRandoms(seed, ['arrivals', 'services']);
  const exponential = (fraction: number): number => -Math.log(1 - fraction);
  const waits = new Float64Array(customers);
  let wait = 0;
  let sum = 0;
  for (let customer = 0; customer < customers; customer++) {
    waits[customer] = wait;
    sum += wait;
    const service = factor * (scheduler === 'constant' ? 1 : exponential(services.fraction()));
    wait = Math.max(0, wait + service - exponential(arrivals.fraction()) / rate);
  }
  return succeed({
    metrics: { waiting: sum / customers, last: wait, none: 0 / 0 },
    series: { waiting: waits },
    jobs: customers,
  });
};

export function planOf(changes: Partial<PlanDescription> = {}): ExperimentPlan {
  const plan = planExperiment({
    name: 'queues',
    vary: [{ path: 'arrivals.rate', values: [0.2, 0.4] }],
    schedulers: ['exponential', 'constant'],
    allocators: ['plain', 'slow'],
    mappers: [],
    replications: { kind: 'until', precision: 0.1, confidence: 0.95, atMost: 60 },
    metrics: [
      { name: 'waiting', unit: 'services', better: 'less' },
      { name: 'none', unit: 'services', better: 'less' },
    ],
    compare: [
      { kind: 'paired-ratio', to: 'plain' },
      { kind: 'wilcoxon', level: 0.05 },
      { kind: 'kruskal-wallis', level: 0.05 },
    ],
    quoted: [
      { metric: 'waiting', of: ['exponential', 'plain'], at: [{ path: 'arrivals.rate', value: 0.4 }], value: 0.6667 },
      {
        metric: 'waiting',
        of: ['constant', 'slow'],
        to: ['plain'],
        at: [{ path: 'arrivals.rate', value: 0.2 }],
        value: 1.1,
      },
    ],
    ...changes,
  });
  if (!plan.ok) throw new Error(plan.failure.message);
  return plan.value;
}

export const environment = {
  cancellation: { isCancelled: () => false },
  now: () => 0,
  known: [] as readonly FinishedReplication[],
  record: () => undefined,
  progress: () => undefined,
};
