import { succeed } from '../../model/result.ts';
import type { ExportFormatEntry } from '../contract.ts';

/** The mapping as `map given "FILE"` reads it back: numbers alone, so that any program reads them. */
export const vector: ExportFormatEntry = {
  name: 'vector',
  summary: 'mapping vector: one slot per line, in the order of the tasks',
  source: 'Placewright',
  details:
    'slot = node · (sockets · cores) + core; on one-core nodes the slot is the node. Several jobs follow each other, each under a comment `# job NAME`. `map given "FILE"` reads it back.',
  options: [],
  extension: '.txt',
  write: (report) => {
    const several = report.jobs.length > 1;
    const parts = report.jobs.map(({ job, mapping }) => {
      const heading = several ? `# job ${job.name}: ${job.taskCount} tasks\n` : '';
      return `${heading}${mapping.join('\n')}\n`;
    });
    const warnings = several
      ? ['The placement has several jobs; their vectors follow each other, each under a comment with its name.']
      : [];
    return succeed({ text: parts.join(''), warnings });
  },
};
