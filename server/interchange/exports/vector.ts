import { succeed } from '../../model/result.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { headerLines } from './launch.ts';

/** The mapping as `map given "FILE"` reads it back: numbers, and what they are of behind `#`. */
export const vector: ExportFormatEntry = {
  name: 'vector',
  summary: 'mapping vector: one slot per line in task order, below a header of `#` lines',
  source: 'Placewright',
  details:
    'slot = node · (sockets · cores) + core; on one-core nodes the slot is the node. Each of several jobs follows a comment `# job NAME`. `map given "FILE"` reads the file.',
  options: [],
  extension: '.txt',
  write: (report, { file } = {}) => {
    const header = headerLines(report, file).map((line) => `# ${line}\n`);
    const several = report.jobs.length > 1;
    const parts = report.jobs.map(({ job, mapping }) => {
      const heading = several ? `# job ${job.name}: ${job.taskCount} tasks\n` : '';
      return `${heading}${mapping.join('\n')}\n`;
    });
    const warnings = several
      ? ['The placement has several jobs. Each vector follows a comment with the job name.']
      : [];
    return succeed({ text: [...header, ...parts].join(''), warnings });
  },
};
