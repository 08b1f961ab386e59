import { succeed } from '../../model/result.ts';
import type { MapperEntry } from '../contract.ts';
import { mapJobs } from './mapJobs.ts';

export const contentionFree: MapperEntry = {
  name: 'contention-free',
  summary: 'Limits the tasks of a job per node so that no network interface saturates',
  source: 'Soryani et al. 2013, figure 8, equations 13–23',
  details:
    'Jobs of one placement are mapped together: large messages (from 1 MiB) first, then medium, then small ones (up to ' +
    '2 KiB), within a class by adjacency, the mean number of partners that a task sends to. A job whose tasks have more ' +
    'partners than fit beside them on the idle cores gets a threshold, the tasks per node for which messages wait least ' +
    'at interface and memory; none where the tasks of several jobs have more partners on average than a node has cores. ' +
    'Tasks go to their partners, the heaviest senders first; those with large messages to different sockets of a node.\n\n' +
    '`rate` counts the messages from a task to each partner; without one it is 1/s, which ranks by bytes. In a table of ' +
    'bytes each amount is one message. `memory`, `interface` and `switch` of the machine are 4 GB/s, 1 GB/s and 100 ns ' +
    'where left out. The paper leaves open where a first task goes and which node is next: here the node its partners ' +
    'are on, else the one with most idle cores. A threshold that the free cores cannot keep is raised just as far as needed.',
  options: [
    {
      name: 'variation',
      summary: 'coefficient of variation of the times between messages; 1 for a Poisson stream',
      kind: 'number',
      minimum: 0,
      maximum: 100,
      default: 1,
    },
  ],
  complexity: 'O(pairs · log n + n log nodes)',
  map: (problem, context) => {
    const together = mapJobs([problem], context);
    if (!together.ok) return together;
    const { answers, notes } = together.value;
    return succeed({ ...answers[0]!, notes: [...notes, ...answers[0]!.notes] });
  },
  mapTogether: mapJobs,
};
