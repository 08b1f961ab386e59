import { formatShape } from '../../../model/shape.ts';
import type { JobDescription } from '../../../study/program.ts';
import type { JobFacts } from '../../../study/report.ts';
import { fileNameOf } from '../../uris.ts';
import { countOf, formatExactBytes, formatNumber } from '../../../model/quantities.ts';
import { code, facts } from './markdown.ts';

/** How many tasks, how much they send, to how many partners. */
export function jobMarkdown(description: JobDescription | undefined, found: JobFacts | undefined): string {
  const rows = [
    ['Tasks', tasksOf(description, found)],
    ['Traffic', description === undefined ? undefined : trafficOf(description)],
    ['Bytes in all', found === undefined ? undefined : formatExactBytes(found.bytes)],
    ['Pairs that talk', found === undefined ? undefined : formatNumber(found.pairs, 0)],
    ['Partners of a task', found === undefined ? undefined : degreeOf(found)],
    ['Messages', description?.messages === undefined ? undefined : `${formatNumber(description.messages)} per pair`],
    ['Coordinates', description?.coordinates && code(fileNameOf(description.coordinates))],
    ['Rate', description?.rate === undefined ? undefined : `${countOf(description.rate, 'message')} per second`],
  ] as const;
  return facts('Job', rows) ?? '';
}

function tasksOf(description: JobDescription | undefined, found: JobFacts | undefined): string | undefined {
  const count = description?.taskCount ?? found?.tasks;
  if (count === undefined) return undefined;
  const grid = description?.grid === undefined ? '' : `, grid ${formatShape(description.grid)}`;
  return `${formatNumber(count, 0)}${grid}${description?.periodic === true ? ', periodic' : ''}`;
}

function trafficOf({ source, bytes }: JobDescription): string {
  const size = bytes === undefined ? '' : `, ${formatExactBytes(bytes)} per message`;
  switch (source.kind) {
    case 'stencil':
      return `stencil ${source.stencil.name}${size}`;
    case 'pattern':
      return `pattern ${source.choice.name}${size}`;
    case 'table':
    case 'table-file':
      return `table ${source.name}${size}`;
    case 'trace':
      return 'trace, not evaluated yet';
  }
}

const degreeOf = (found: JobFacts): string =>
  `${formatNumber(found.meanDegree)} on average, at most ${formatNumber(found.maximumDegree, 0)}`;
