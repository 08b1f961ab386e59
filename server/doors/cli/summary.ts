/** What `placewright run` prints for people: a block per placement, and a table that compares them. */
import { formatBytes, formatNumber } from '../../drawing/quantities.ts';
import { figuresOf } from '../../drawing/words.ts';
import { formatShape } from '../../model/shape.ts';
import type { LinkEnd, PlacementReport } from '../../model/report.ts';
import { linkEnds } from '../../network/linkEnds.ts';

type Row = readonly [string, string];

/** Hot links that are named; the rest are counted. */
const shownHotLinks = 5;

export function summarize(reports: readonly PlacementReport[]): string {
  const blocks = reports.map((report) => describePlacement(report).join('\n'));
  if (reports.length > 1) blocks.push(compare(reports).join('\n'));
  return blocks.length === 0 ? '' : plain(`${blocks.join('\n\n')}\n`);
}

function describePlacement(report: PlacementReport): string[] {
  const { machine, jobs } = report;
  const shape = machine.topology.shape === undefined ? '' : ` ${formatShape(machine.topology.shape)}`;
  const rows: Row[] = [
    [
      'Machine',
      `${machine.name} (${machine.topology.kind}${shape}, ${machine.nodeCount} nodes, ${machine.slotCount} cores)`,
    ],
    ...jobs.map(({ job, allocation }): Row => [
      'Job',
      `${job.name} (${job.taskCount} tasks, ${allocation.length} nodes allocated)`,
    ]),
    ['Seed', String(report.seed)],
    ...figuresOf(report),
    ...hotLinkRows(report),
    ...report.notes.map((note): Row => ['Note', note]),
  ];
  return [`Placement ${report.name}`, ...align(rows, ['left', 'left']).map((line) => `  ${line}`)];
}

function hotLinkRows(report: PlacementReport): Row[] {
  const shown = report.hotLinks.slice(0, shownHotLinks).map(({ link, load, timesMean }): Row => {
    const { from, to } = linkEnds(report.machine, link);
    return ['Hot link', `${endText(from)} → ${endText(to)}: ${formatBytes(load)}, ${formatNumber(timesMean)} × mean`];
  });
  const rest = report.hotLinks.length - shown.length;
  return rest > 0 ? [...shown, ['', `and ${rest} more`]] : shown;
}

const endText = (end: LinkEnd): string => (typeof end === 'number' ? String(end) : `node ${end.host}`);

function compare(reports: readonly PlacementReport[]): string[] {
  const rows = reports.map(({ name, metrics, hotLinks }) => [
    name,
    formatNumber(metrics.averageHops),
    formatNumber(metrics.maximumHops),
    formatBytes(metrics.hopBytes),
    formatBytes(metrics.maximumLinkLoad),
    formatNumber(hotLinks.length),
  ]);
  const header = ['Placement', 'Average hops', 'Maximum', 'Hop-bytes', 'Maximum link load', 'Hot links'];
  return align([header, ...rows], ['left', 'right', 'right', 'right', 'right', 'right']);
}

/** Rows in columns two blanks apart, no blanks at the end of lines. */
export function align(rows: readonly (readonly string[])[], sides: readonly ('left' | 'right')[]): string[] {
  const widths = sides.map((_, column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return sides[column] === 'right' ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}

/** Terminals and `cut` want the plain blank, not the typographer's. */
const plain = (text: string): string => text.replaceAll('\u{202f}', ' ');
