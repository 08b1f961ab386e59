import {
  defaultOptions,
  findEntry,
  type ArgumentValue,
  type Choice,
  type OptionValues,
} from '../../model/catalogue.ts';
import { allocators } from '../../allocation/catalogue.ts';
import { mappers } from '../../mapping/catalogue.ts';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import type { GivenFile } from '../../model/given.ts';
import type { Job, TaskPositions } from '../../model/job.ts';
import { fail, succeed } from '../../model/result.ts';
import type { TableEntries } from '../../model/traffic.ts';
import { volumeOf } from '../../model/shape.ts';
import type { MachineDescription } from '../../network/contract.ts';
import { gridDescription } from '../../network/testing/machines.ts';
import { stencils } from '../../traffic/catalogue.ts';
import type { JobDescription, PlacementDescription, Program, StudyFiles } from '../program.ts';
import { defaultStudySettings, type StudyReport, type StudySettings } from '../report.ts';
import type { StudyContext } from '../run.ts';
import { createStudyCache, runStudy } from '../study.ts';

export const stencilNamed = (name: string) => {
  const entry = findEntry(stencils, name);
  if (entry === undefined) throw new Error(`There is no stencil ${name}.`);
  return entry.stencil;
};

/** A job whose source of traffic is all that needs saying: an all-to-all of `taskCount` tasks by default. */
export function jobOf(overrides: Partial<JobDescription> & { readonly name: string }): JobDescription {
  return {
    taskCount: overrides.grid === undefined ? 4 : volumeOf(overrides.grid),
    periodic: false,
    source: { kind: 'pattern', choice: { name: 'all-to-all', options: {} } },
    bytes: undefined,
    messages: undefined,
    rate: undefined,
    ...overrides,
  };
}

/** `grid 4 x 4  stencil five-point`. */
export const gridJob = (name: string, grid: readonly number[], stencil: string, more: Partial<JobDescription> = {}) =>
  jobOf({ name, grid, source: { kind: 'stencil', stencil: stencilNamed(stencil) }, ...more });

/** Rows `[from, to, amount]` as the entries of a table. */
export function tableOf(rows: readonly (readonly [number, number, number])[], size?: number): TableEntries {
  return {
    size: size ?? Math.max(-1, ...rows.map(([from, to]) => Math.max(from, to))) + 1,
    from: Int32Array.from(rows, ([from]) => from),
    to: Int32Array.from(rows, ([, to]) => to),
    amount: Float64Array.from(rows, ([, , amount]) => amount),
  };
}

export const tableJob = (name: string, taskCount: number, rows: readonly (readonly [number, number, number])[]) =>
  jobOf({ name, taskCount, source: { kind: 'table', name: `${name}-table`, unit: 'bytes', entries: tableOf(rows) } });

/** A catalogue word with the defaults of its options, as the language hands it over. */
export function choiceOf(name: string, options: OptionValues = {}, argument?: ArgumentValue): Choice {
  const entry = findEntry([...mappers, ...allocators], name);
  const defaults = entry === undefined ? {} : defaultOptions(entry);
  return { name, options: { ...defaults, ...options }, ...(argument === undefined ? {} : { argument }) };
}

export const numbers = (...values: readonly number[]): ArgumentValue => ({ kind: 'numbers', numbers: values });
export const sameAs = (placement: string): Choice => choiceOf('same-as', {}, { kind: 'name', name: placement });

export function placementOf(
  overrides: Partial<PlacementDescription> & { readonly name: string; readonly machine: string },
): PlacementDescription {
  return { jobs: ['job'], allocate: choiceOf('all'), map: choiceOf('row-major'), seed: 1, ...overrides };
}

export function programOf(
  machines: readonly MachineDescription[],
  jobs: readonly JobDescription[],
  placements: readonly PlacementDescription[],
): Program {
  return {
    machines: new Map(machines.map((machine) => [machine.name, machine])),
    jobs: new Map(jobs.map((job) => [job.name, job])),
    placements,
  };
}

/** The file of a mapping: the slot of each task. */
export const slotsFile = (slots: readonly number[]): GivenFile => ({ kind: 'slots', slots: Int32Array.from(slots) });

export function filesOf(
  tables: Readonly<Record<string, TableEntries>> = {},
  given: Readonly<Record<string, GivenFile>> = {},
  coordinates: Readonly<Record<string, TaskPositions>> = {},
): StudyFiles {
  const missing = (uri: string) => fail('file-not-found', `There is no file ${uri}.`);
  return {
    table: (uri) => (tables[uri] === undefined ? missing(uri) : succeed(tables[uri])),
    given: ({ uri }) => (given[uri] === undefined ? missing(uri) : succeed(given[uri])),
    coordinates: (uri) => (coordinates[uri] === undefined ? missing(uri) : succeed(coordinates[uri])),
    trace: missing,
    fabric: missing,
    forwarding: missing,
    nodeShape: missing,
  };
}

export interface RunOptions extends Partial<StudyContext> {
  readonly files?: StudyFiles;
  readonly settings?: StudySettings;
}

/** Runs a study on a clock that counts its own readings, so that times are the same in every run. */
export function run(program: Program, options: RunOptions = {}): StudyReport {
  let time = 0;
  const { files = filesOf(), settings = defaultStudySettings, ...context } = options;
  return runStudy(program, files, settings, {
    cancellation: neverCancelled,
    progress: ignoreProgress,
    now: () => time++,
    cache: createStudyCache(),
    ...context,
  });
}

/** The job of a description as a study builds it. */
export function builtJob(description: JobDescription): Job {
  const machine = gridDescription('torus', [4, 4], { name: 'small' });
  const placement = placementOf({ name: 'p', machine: 'small', jobs: [description.name] });
  const report = run(programOf([machine], [description], [placement]));
  const job = report.placements[0]?.jobs[0]?.job;
  if (job === undefined) throw new Error(report.problems.map(({ message }) => message).join());
  return job;
}
