import { succeed } from '../../model/result.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { bare, doubtOfJobs, launchOf, linesOfRanks } from './launch.ts';

/** A mapping as Scotch writes it. */
export const scotch: ExportFormatEntry = {
  name: 'scotch',
  summary: 'Scotch mapping file: each rank with its node, as gmap writes and gmtst reads it',
  source: 'Scotch 7.0 User’s Guide, section 5.5 Mapping files',
  details:
    'Target processors are the node numbers of the machine. `torus3D 4 4 4` numbers them as a torus here. Ranks ' +
    'of one node are on one processor.',
  options: [],
  extension: '.map',
  lines: 'bare',
  write: (report) => {
    const launch = launchOf(report);
    if (!launch.ok) return launch;
    const { rankCount, nodeOfRank } = launch.value;
    const lines = [String(rankCount), ...linesOfRanks(rankCount, (rank) => `${rank}\t${nodeOfRank[rank] ?? 0}`)];
    const commands = [{ of: 'Scotch', line: 'gmtst GRAPH.grf TARGET.tgt {file}' }];
    const warnings = report.jobs.length === 1 ? [] : doubtOfJobs(report, 'A mapping file');
    return succeed(bare({ lines, commands, warnings }));
  },
};
