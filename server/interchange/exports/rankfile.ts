import type { Machine } from '../../model/machine.ts';
import type { PlacedJob } from '../../model/placement.ts';
import type { PlacementReport } from '../../model/report.ts';
import { type Result, fail, succeed } from '../../model/result.ts';
import type { ExportFormatEntry, ExportOptions, ExportedText } from '../contract.ts';
import { headerLines } from './header.ts';
import { chooseHosts } from './hosts.ts';

/**
 * The slot of a rank on its node. One socket: the core's logical number. Several: `socket:core`,
 * which stays right where the real sockets have more cores than the machine declares. Open MPI
 * 4.1 and 5 (PRRTE) read both forms and count logically, sockets first, as we do.
 */
function slotText(machine: Machine, core: number): string {
  if (machine.socketsPerNode === 1) return String(core);
  return `${Math.floor(core / machine.coresPerSocket)}:${core % machine.coresPerSocket}`;
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
      const node = Math.floor(slot / machine.coresPerNode);
      lines.push(`rank ${rank}=${hosts[node] ?? ''} slot=${slotText(machine, slot % machine.coresPerNode)}`);
    }
  }
  return succeed(lines);
}

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
