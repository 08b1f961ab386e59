import { appendAll } from '../model/lists.ts';
import type { Choice, OptionValues } from '../model/catalogue.ts';
import type { GivenSource } from '../model/given.ts';
import type { ExperimentDescription, ExperimentProgram } from '../model/experiment.ts';
import type { MachineDescription } from '../network/contract.ts';
import type { JobDescription, PlacementDescription } from '../study/program.ts';

/** Files that descriptions name besides the sources. Apart from the checker, so that a thread that reads them has no parser. */

/** A file besides the sources, by what the study wants of it. */
export type FileNeed =
  | { readonly uri: string; readonly kind: 'coordinates' | 'node' | 'log' }
  /** Where tasks run, in the format that is named after `as`. */
  | { readonly uri: string; readonly kind: 'given'; readonly format?: string }
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

/** The file of a mapping. */
export const givenNeed = ({ uri, format }: GivenSource): FileNeed => ({
  uri,
  kind: 'given',
  ...(format === undefined ? {} : { format }),
});

/** The file of forwarding tables that a routing names. */
export const filesOfRouting = ({ argument, format }: Pick<Choice, 'argument' | 'format'>): readonly FileNeed[] =>
  argument?.kind === 'file' ? [{ uri: argument.uri, kind: 'forwarding', format }] : [];

/** The files that a machine rests on. */
export function filesOfMachine({ topology, routing, nodeFile }: MachineDescription): readonly FileNeed[] {
  const needs: FileNeed[] = [];
  const { argument, format } = topology;
  if (argument?.kind === 'file') needs.push({ uri: argument.uri, kind: 'fabric', format });
  if (routing !== undefined) appendAll(needs, filesOfRouting(routing));
  if (nodeFile !== undefined) needs.push({ uri: nodeFile, kind: 'node' });
  return needs;
}

/** The machines of an experiment; none where one of them is wrong. */
export function machinesOfExperiment(
  { machine, machines = [machine] }: Pick<ExperimentDescription, 'machine' | 'machines'>,
  declared: ReadonlyMap<string, MachineDescription>,
): readonly MachineDescription[] {
  const found = machines.flatMap((name) => declared.get(name) ?? []);
  return found.length < machines.length ? [] : found;
}

/** The files that machines, jobs and placements name, each once. */
export function filesNeeded(
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
      if (argument?.kind === 'file') add(givenNeed(argument));
    }
  }
  return [...needs.values()];
}

/** Logs of streams, and files of the routings, allocators and mappers of experiments, each once. */
export const filesOfExperiments = ({ streams, experiments }: ExperimentProgram): readonly FileNeed[] => {
  const logs = [...streams.values()].flatMap(({ jobs }) => (jobs.kind === 'log' ? jobs.uri : []));
  const given = experiments.flatMap(({ allocate, map }) =>
    [...allocate, ...map].flatMap(({ argument }) => (argument?.kind === 'file' ? [givenNeed(argument)] : [])),
  );
  const tables = new Map(given.map((need) => [JSON.stringify(need), need]));
  for (const { routing = [] } of experiments) {
    for (const need of routing.flatMap(filesOfRouting)) tables.set(JSON.stringify(need), need);
  }
  return [...[...new Set(logs)].map((uri): FileNeed => ({ uri, kind: 'log' })), ...tables.values()];
};
