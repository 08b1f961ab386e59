import { appendAll } from '../../model/lists.ts';
import { succeed } from '../../model/result.ts';
import { csvRecord } from '../../model/csv.ts';
import { hostName } from '../../network/names.ts';
import { coreOfSlot, nodeOfSlot } from '../../model/slots.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { chooseHosts } from './hosts.ts';
import { coreRangeText, coresOfRank, launchOf, linesOfRanks, joinLines } from './launch.ts';

/** A table for spreadsheets and scripts. */
export const csv: ExportFormatEntry = {
  name: 'csv',
  summary: 'table of all ranks with job, task, node, host, slot, socket, core and GPU',
  source: 'Placewright; RFC 4180',
  details:
    'Cores count within their socket. For a GPU, the column has its nearby cores, as in `0-3`. Tables of tasks on GPUs have a column `gpu`.',
  options: [],
  extension: '.csv',
  lines: 'table',
  write: (report, { hosts } = {}) => {
    const launch = launchOf(report);
    if (!launch.ok) return launch;
    const chosen = chooseHosts(report, hosts);
    if (!chosen.ok) return chosen;
    const { machine, gpuOfRank } = launch.value;
    const head = ['rank', 'job', 'task', 'node', 'host', 'slot', 'socket', 'core', ...(gpuOfRank ? ['gpu'] : [])];
    const texts = [csvRecord(head, '')];
    let first = 0;
    for (const { job, mapping } of report.jobs) {
      const firstOfJob = first;
      const rows = linesOfRanks(mapping.length, (task) => {
        const [rank, slot] = [firstOfJob + task, mapping[task] ?? 0];
        const node = nodeOfSlot(machine, slot);
        const ranges = coresOfRank(launch.value, rank);
        const socket = ranges[0]?.socket ?? 0;
        const cores = ranges.map(coreRangeText).join(' ');
        const host = chosen.value.names[node] ?? hostName(machine, node);
        const gpu = gpuOfRank ? [coreOfSlot(machine, slot)] : [];
        return csvRecord([rank, job.name, task, node, host, slot, socket, cores, ...gpu], '');
      });
      appendAll(texts, rows);
      first += mapping.length;
    }
    return succeed({ text: joinLines(texts), warnings: chosen.value.warnings ?? [] });
  },
};
