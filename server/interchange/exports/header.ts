import type { PlacementReport } from '../../model/report.ts';
import { endWords } from '../../study/explain/words.ts';

/**
 * What an exported mapping is of, so that a file says by itself what made it and whether another run would make it
 * again: for formats that have comments, without their marks. One line per job last. O(jobs).
 */
export function headerLines(report: PlacementReport, file: string | undefined): readonly string[] {
  const { name, machine, seed, metrics, jobs } = report;
  const of = file === undefined ? '' : ` of ${file.replace(/\s+/g, ' ')}`;
  let first = 0;
  return [
    `Placement ${name}${of} on machine ${machine.name}, by Placewright.`,
    `seed ${seed}, hop-bytes ${metrics.hopBytes}, maximum link load ${metrics.maximumLinkLoad}`,
    ...jobs.map(({ job, allocator, mapper, search }) => {
      const range = `job ${job.name}: ranks ${first} to ${first + job.taskCount - 1}`;
      first += job.taskCount;
      const chosen = search?.chosen === undefined ? '' : `, which chose ${search.chosen.name}`;
      const made = `, allocate ${allocator}, map ${mapper}${chosen}`;
      const cutShort = search?.end === 'time' || search?.end === 'stopped' ? `: ${endWords[search.end]}` : '';
      return `${range}${made}${cutShort}`;
    }),
  ];
}
