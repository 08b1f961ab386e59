import { allocators } from '../../allocation/catalogue.ts';
import { exportFormats, machineFormats, nodeFormats, tableFormats } from '../../interchange/catalogue.ts';
import { mappers } from '../../mapping/catalogue.ts';
import type { CatalogueEntry } from '../../model/catalogue.ts';
import { distanceModels, routings, topologies } from '../../network/catalogue.ts';
import { patterns, stencils } from '../../traffic/catalogue.ts';
import { align } from './summary.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

const catalogues: Readonly<Record<string, readonly CatalogueEntry[]>> = {
  mappers,
  allocators,
  patterns,
  stencils,
  formats: [
    ...exportFormats.map((entry) => ({ ...entry, summary: `export: ${entry.summary}` })),
    ...tableFormats.map((entry) => ({ ...entry, summary: `table: ${entry.summary}` })),
    ...machineFormats.map((entry) => ({ ...entry, summary: `network: ${entry.summary}` })),
    ...nodeFormats.map((entry) => ({ ...entry, summary: `node: ${entry.summary}` })),
  ],
  topologies,
  routings,
  distances: distanceModels,
};

/** What `placewright list` knows. */
export const catalogueNames: readonly string[] = Object.keys(catalogues);

/** Prints the name and the summary of every entry of one catalogue. */
export function list(catalogue: string, terminal: Terminal): ExitCode {
  const rows = (catalogues[catalogue] ?? []).map(({ name, summary, announced }) => [
    name,
    announced ? `${summary} (not evaluated by this version yet)` : summary,
  ]);
  terminal.out(`${align(rows, ['left', 'left']).join('\n')}\n`);
  return exitCodes.good;
}
