import { intAt, realAt } from '../../numeric/elements.ts';
import type { Scheduler, SchedulerEntry } from '../contract.ts';
import { startAllThatFit } from './outOfOrder.ts';

const demands = ['run', 'work', 'processors'] as const;

const keys: Readonly<Record<string, Scheduler['keyOf']>> = {
  run: (job, { demand }) => realAt(demand, job),
  work: (job, { demand, processors }) => realAt(demand, job) * intAt(processors, job),
  processors: (job, { processors }) => intAt(processors, job),
};

export const ssd: SchedulerEntry = {
  name: 'ssd',
  summary: 'shortest service demand first',
  source: 'Bani-Mohammad et al. 2007, AICCSA',
  details:
    'The demand is estimated run time, run time × processors (`work`), or processors. Ties by arrival. Jobs that ' +
    'the network serves have no run time; their number of messages replaces it.',
  options: [
    { name: 'demand', summary: 'measure of the demand', kind: 'choice', choices: demands, default: 'run' },
    {
      name: 'blocking',
      summary: 'whether the first job blocks later jobs',
      kind: 'choice',
      choices: ['yes', 'no'],
      default: 'yes',
    },
  ],
  needsEstimates: false,
  make: ({ demand, blocking }) => {
    const keyOf = keys[typeof demand === 'string' ? demand : 'run'];
    return {
      ...(keyOf === undefined ? {} : { keyOf }),
      schedule: (state) => {
        if (blocking === 'no') startAllThatFit(state);
        else while (state.waiting.count > 0 && state.tryStart(state.waiting.first));
      },
    };
  },
};
