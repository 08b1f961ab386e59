/**
 * `placewright list`: the names that a file may use, with a line for each. Every catalogue of the house is here, so that whoever adds an
 * entry to one of them adds nothing else.
 */
import { Argument, type Command } from 'commander';
import { allocators } from '../../allocation/catalogue.ts';
import { exportFormats, fileFormats } from '../../interchange/catalogue.ts';
import { criteria, mappers } from '../../mapping/catalogue.ts';
import type { CatalogueEntry } from '../../model/catalogue.ts';
import { distanceModels, routings, topologies } from '../../network/catalogue.ts';
import { collectives, skeletons, trainings } from '../../simulation/workloads/catalogue.ts';
import { placementMetrics } from '../../model/metrics.ts';
import { patterns, stencils } from '../../traffic/catalogue.ts';
import { align, type ExitCode, exitCodes, type Terminal } from './terminal.ts';

type Listed = Pick<CatalogueEntry, 'name' | 'summary'>;

/** Entries that say behind which word they stand. */
const behind = (word: string, entries: readonly Listed[]): readonly Listed[] =>
  entries.map(({ name, summary }) => ({ name, summary: `${word}: ${summary}` }));

/** What `placewright list` knows. */
const catalogues: Readonly<Record<string, readonly Listed[]>> = {
  mappers,
  allocators,
  patterns,
  stencils,
  formats: [
    ...behind('export', exportFormats),
    ...Object.entries(fileFormats).flatMap(([content, formats]) => behind(content, formats)),
  ],
  skeletons,
  trainings,
  collectives: collectives.map(({ operation, name, summary }) => ({ name: `${operation} ${name}`, summary })),
  topologies,
  routings,
  distances: distanceModels,
  criteria,
  metrics: placementMetrics.map(({ key, definition }) => ({ name: key, summary: definition })),
};

/** Adds the command to those of the program; `finish` is told how it ended. */
export function addList(program: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  program
    .command('list')
    .summary('list keywords, formats and other catalogues')
    .description('Print the names and summaries of a catalogue.')
    .addArgument(new Argument('<catalogue>', 'catalogue to print').choices(Object.keys(catalogues)))
    .action((catalogue: string) => {
      finish(list(catalogue, terminal));
    });
}

/** Prints the name and the summary of every entry of one catalogue. */
function list(catalogue: string, terminal: Terminal): ExitCode {
  const rows = (catalogues[catalogue] ?? []).map(({ name, summary }) => [name, summary]);
  terminal.out(`${align(rows, ['left', 'left']).join('\n')}\n`);
  return exitCodes.good;
}
