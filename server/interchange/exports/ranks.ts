/**
 * Formats of one line for each rank: the mapping `vector` and Open MPI's `rankfile`, both with a header of comments.
 */
import { succeed, type Result, fail } from '../../model/result.ts';
import type { ExportFormatEntry, ExportOptions, ExportedText } from '../contract.ts';
import type { Machine } from '../../model/machine.ts';
import type { PlacedJob } from '../../model/placement.ts';
import type { Metrics, PlacementReport } from '../../model/report.ts';
import { chooseHosts } from './hosts.ts';
import { coresOfSlot } from '../../model/nodeInside.ts';
import { coreOfSlot, nodeOfSlot } from '../../model/slots.ts';
import { endWords } from '../../study/explain/words.ts';
import { hopBytes, maximumLinkLoad } from '../../study/metrics/catalogue.ts';
import type { MetricEntry } from '../../study/metrics/contract.ts';

/** The mapping as `map given "FILE"` reads it back: numbers, and what they are of behind `#`. */
export const vector: ExportFormatEntry = {
  name: 'vector',
  summary: 'mapping vector: one slot per line, in the order of the tasks, below a header of `#` lines',
  source: 'Placewright',
  details:
    'slot = node · (sockets · cores) + core; on one-core nodes the slot is the node. Several jobs follow each other, each under a comment `# job NAME`. `map given "FILE"` reads it back.',
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
      ? ['The placement has several jobs; their vectors follow each other, each under a comment with its name.']
      : [];
    return succeed({ text: [...header, ...parts].join(''), warnings });
  },
};

export const rankfile: ExportFormatEntry = {
  name: 'rankfile',
  summary: 'Open MPI rankfile, read by 4.1 and 5: the host and the core of each rank',
  source: 'Open MPI orterun(1) 4.1.4; mpirun(1) 5.0',
  details:
    'Ranks are tasks, numbered through the jobs in their order. Cores are logical numbers, `socket:core` where a node has several sockets.',
  options: [],
  extension: '.rankfile',
  write: writeRankfile,
};

/**
 * The slot of a rank on its node. One socket: the core's logical number. Several: `socket:core`,
 * which stays right where the real sockets have more cores than the machine declares. Open MPI
 * 4.1 and 5 (PRRTE) read both forms and count logically, sockets first, as we do. Of a GPU: the cores beside it.
 */
function slotText({ inside, socketsPerNode }: Machine, slot: number): string {
  const { socket, first, last } = coresOfSlot(inside, slot);
  const cores = first === last ? String(first) : `${first}-${last}`;
  return socketsPerNode === 1 ? cores : `${socket}:${cores}`;
}

/** Ranks ascend: Open MPI 4.1.4 refuses a file that begins with another rank than 0. */
function rankLines(report: PlacementReport, hosts: readonly (string | undefined)[]): Result<string[]> {
  const { machine } = report;
  const lines: string[] = [];
  const rankOfSlot = new Map<number, number>();
  for (const { mapping } of report.jobs) {
    for (const slot of mapping) {
      const rank = lines.length;
      const other = rankOfSlot.get(slot);
      if (other !== undefined) {
        // Open MPI 4.1 would bind both to one core and say nothing.
        return fail(
          'slot-used-twice',
          `Ranks ${other} and ${rank} share slot ${slot}; a rankfile gives each rank a core of its own.`,
        );
      }
      rankOfSlot.set(slot, rank);
      const node = nodeOfSlot(machine, slot);
      lines.push(`rank ${rank}=${hosts[node] ?? ''} slot=${slotText(machine, coreOfSlot(machine, slot))}`);
    }
  }
  return succeed(lines);
}

/** `job a: ranks 0 to 15`, ranks being numbered through the jobs. */
function rangesOfJobs(jobs: readonly PlacedJob[]): string[] {
  let first = 0;
  return jobs.map(({ job }) => {
    const range = `job ${job.name}: ranks ${first} to ${first + job.taskCount - 1}`;
    first += job.taskCount;
    return range;
  });
}

function writeRankfile(report: PlacementReport, options: ExportOptions = {}): Result<ExportedText> {
  const { jobs } = report;
  const chosen = chooseHosts(report, options.hosts);
  if (!chosen.ok) return chosen;
  const { names: hosts, origin, doubt } = chosen.value;
  const lines = rankLines(report, hosts);
  if (!lines.ok) return lines;
  const count = lines.value.length;
  const ranges = rangesOfJobs(jobs);
  const header = [
    ...headerLines(report, options.file).map((line) => `# ${line}`),
    `# Open MPI 4: mpirun -np ${count} --rankfile FILE PROGRAM`,
    `# Open MPI 5: mpirun -np ${count} --map-by rankfile:file=FILE PROGRAM`,
  ];
  const warnings: string[] = [];
  if (origin === 'placeholders') {
    const example = hosts[0] ?? '';
    const why = doubt === undefined ? '' : `${doubt} `;
    header.push(`# Host names are placeholders: ${example} is node 0.`);
    warnings.push(
      `${why}Host names are placeholders (${example} is node 0): give the real ones with --hosts FILE, one for each allocated node in their order or one for each node of the machine, or replace them.`,
    );
  }
  if (jobs.length > 1) {
    warnings.push(
      `A rankfile starts one program; ranks are numbered through the jobs (${ranges.join('; ')}), so start them as one with ':' between them.`,
    );
  }
  return succeed({ text: `${[...header, ...lines.value].join('\n')}\n`, warnings });
}

/** What tells two mappings of one seed apart. */
const headerMetrics: readonly MetricEntry[] = [hopBytes, maximumLinkLoad];

/** `hop-bytes 3072`: without a unit and not rounded, for programs. */
const exactly = ({ key, label = key, value }: MetricEntry, metrics: Metrics): string =>
  `${label.toLowerCase()} ${String(value(metrics))}`;

/**
 * What an exported mapping is of, so that a file says by itself what made it and whether another run would make it
 * again: for formats that have comments, without their marks. One line per job last. O(jobs).
 */
function headerLines(report: PlacementReport, file: string | undefined): readonly string[] {
  const { name, machine, seed, metrics, jobs } = report;
  const of = file === undefined ? '' : ` of ${file.replace(/\s+/g, ' ')}`;
  const ranges = rangesOfJobs(jobs);
  return [
    `Placement ${name}${of} on machine ${machine.name}, by Placewright.`,
    [`seed ${seed}`, ...headerMetrics.map((metric) => exactly(metric, metrics))].join(', '),
    ...jobs.map(({ allocator, mapper, search }, index) => {
      const chosen = search?.chosen === undefined ? '' : `, which chose ${search.chosen.name}`;
      const made = `, allocate ${allocator}, map ${mapper}${chosen}`;
      const cutShort = search?.end === 'time' || search?.end === 'stopped' ? `: ${endWords[search.end]}` : '';
      return `${ranges[index] ?? ''}${made}${cutShort}`;
    }),
  ];
}
