import type { OptionValues } from '../model/catalogue.ts';
import type { ExperimentProgram } from '../model/experiment.ts';
import type { MachineDescription } from '../network/contract.ts';
import type { JobDescription, PlacementDescription } from '../study/program.ts';

/** Files that descriptions name besides the sources. Apart from the checker, so that a thread that reads them has no parser. */

/** A file besides the sources, by what the study wants of it. */
export type FileNeed =
  | { readonly uri: string; readonly kind: 'given' | 'coordinates' | 'node' | 'log' }
  /** A network, or its forwarding tables, in the format that is named after `as`. */
  | { readonly uri: string; readonly kind: 'fabric' | 'forwarding'; readonly format: string | undefined }
  /** A table in the format that is named after `as`; a folder, a pattern or a list where each rank wrote a file. */
  | { readonly uri: string; readonly kind: 'table'; readonly format?: string }
  /** A trace, or a list of the files that it lies in. */
  | {
      readonly uri: string;
      readonly kind: 'trace';
      readonly format: string | undefined;
      readonly options: OptionValues;
    };

/** The file of a table. */
export const tableNeed = ({ uri, format }: { readonly uri: string; readonly format?: string }): FileNeed => ({
  uri,
  kind: 'table',
  ...(format === undefined ? {} : { format }),
});

/** The files that a machine rests on. */
export function filesOfMachine({ topology, routing, nodeFile }: MachineDescription): readonly FileNeed[] {
  const needs: FileNeed[] = [];
  const { argument, format } = topology;
  if (argument?.kind === 'file') needs.push({ uri: argument.uri, kind: 'fabric', format });
  if (routing?.argument?.kind === 'file') {
    needs.push({ uri: routing.argument.uri, kind: 'forwarding', format: routing.format });
  }
  if (nodeFile !== undefined) needs.push({ uri: nodeFile, kind: 'node' });
  return needs;
}

/** The files that machines, jobs and placements name, each once. */
export function filesOf(
  machines: Iterable<MachineDescription>,
  jobs: Iterable<JobDescription>,
  placements: readonly PlacementDescription[],
): readonly FileNeed[] {
  const needs = new Map<string, FileNeed>();
  const add = (need: FileNeed): void => {
    needs.set(JSON.stringify(need), need);
  };
  for (const machine of machines) filesOfMachine(machine).forEach(add);
  for (const { source, coordinates } of jobs) {
    if (source.kind === 'table-file') add(tableNeed(source));
    if (source.kind === 'trace') {
      const { uri, format, options } = source;
      add({ uri, kind: 'trace', format, options });
    }
    if (coordinates !== undefined) add({ uri: coordinates, kind: 'coordinates' });
  }
  for (const { allocate, map, own = [] } of placements) {
    const others = own.flatMap((choices) => [choices.allocate ?? [], choices.map ?? []].flat());
    for (const { argument } of [allocate, map, ...others]) {
      if (argument?.kind === 'file') add({ uri: argument.uri, kind: 'given' });
    }
  }
  return [...needs.values()];
}

/** Logs of streams, and files of the allocators and mappers of experiments, each once. */
export const filesOfExperiments = ({ streams, experiments }: ExperimentProgram): readonly FileNeed[] => {
  const logs = [...streams.values()].flatMap(({ jobs }) => (jobs.kind === 'log' ? jobs.uri : []));
  const given = experiments.flatMap(({ allocate, map }) =>
    [...allocate, ...map].flatMap(({ argument }) => (argument?.kind === 'file' ? argument.uri : [])),
  );
  return [
    ...[...new Set(logs)].map((uri): FileNeed => ({ uri, kind: 'log' })),
    ...[...new Set(given)].map((uri): FileNeed => ({ uri, kind: 'given' })),
  ];
};
