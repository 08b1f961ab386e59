/** What comes into a study: the checked program, the files that it names, and the problems that are found in them. */
import type { Choice, OptionValues } from '../model/catalogue.ts';
import type { GivenFile, GivenSource } from '../model/given.ts';
import type { TaskPositions } from '../model/job.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import type { TableEntries, TableUnit } from '../model/traffic.ts';
import type { Shape } from '../model/shape.ts';
import type { TimedMessages, Workload } from '../model/workload.ts';
import type { TaskNeeds } from '../model/placement.ts';
import type { RailUse } from '../model/rails.ts';
import type { MachineDescription, MachineFiles, NodeReferences } from '../network/contract.ts';
import type { TrainingStep } from '../simulation/workloads/training.ts';
import type { Stencil } from '../traffic/contract.ts';
import type { Failure, Result } from '../model/result.ts';

/**
 * A checked program, free of text: what the language hands to the study. Names are resolved
 * (imports, `same-as`); declarations with errors are left out, and so is what needs them.
 */
export interface Program {
  readonly machines: ReadonlyMap<string, MachineDescription>;
  readonly jobs: ReadonlyMap<string, JobDescription>;
  readonly placements: readonly PlacementDescription[];
  /** By placement, how its messages would travel, where it says that it is simulated. */
  readonly networks?: ReadonlyMap<string, NetworkModel>;
}

export type TrafficSource =
  | { readonly kind: 'stencil'; readonly stencil: Stencil }
  | { readonly kind: 'pattern'; readonly choice: Choice }
  | { readonly kind: 'table'; readonly name: string; readonly unit: TableUnit; readonly entries: TableEntries }
  | {
      readonly kind: 'table-file';
      readonly name: string;
      readonly unit: TableUnit;
      readonly uri: string;
      readonly format?: string;
    }
  /** Messages in order, whose sum is the traffic: see `Workload`. */
  | { readonly kind: 'skeleton'; readonly choice: Choice }
  /** One collective operation of the tasks of its list, or of all. */
  | { readonly kind: 'collective'; readonly choice: Choice }
  /** One step of training a language model. */
  | { readonly kind: 'parallelism'; readonly step: TrainingStep }
  | {
      readonly kind: 'trace';
      readonly uri: string;
      /** Absent: the content of the file tells. */
      readonly format?: string;
      /** Of the catalogue of options of traces. */
      readonly options: OptionValues;
    };

export interface JobDescription {
  readonly name: string;
  readonly taskCount: number;
  readonly grid?: Shape;
  readonly periodic: boolean;
  readonly source: TrafficSource;
  /** Bytes of a message; default 1, so that hop-bytes count messages. */
  readonly bytes: number | undefined;
  /** Messages per pair (times the weight); default 1. */
  readonly messages: number | undefined;
  /** Messages per second. */
  readonly rate: number | undefined;
  /** URI of `coordinates "FILE"`. */
  readonly coordinates?: string;
}

export interface PlacementDescription {
  readonly name: string;
  readonly machine: string;
  readonly jobs: readonly string[];
  /** Of the jobs that have none of their own. */
  readonly allocate: Choice;
  readonly map: Choice;
  /** What jobs chose for themselves, by position; left out where none did. */
  readonly own?: readonly OwnChoices[];
  /** How tasks use the rails of their nodes, where the placement says it. */
  readonly rails?: RailUse;
  /** Of the jobs, as far as they say nothing else for themselves. */
  readonly needs?: TaskNeeds;
  /** Nodes that take no tasks. */
  readonly exclude?: NodeReferences;
  readonly seed: number;
  /**
   * Of the mappers' random numbers alone, where they have a seed of their own: nodes and traffic stay those of `seed`.
   */
  readonly mapSeed?: number;
}

/** Choices of one job in the place of those of its placement. */
export interface OwnChoices {
  readonly allocate?: Choice;
  readonly map?: Choice;
  readonly needs?: TaskNeeds;
}

/** The job's own choice, else that of its placement. */
export const allocateOf = ({ allocate, own }: PlacementDescription, position: number): Choice =>
  own?.[position]?.allocate ?? allocate;

export const mapperChoice = ({ map, own }: PlacementDescription, position: number): Choice =>
  own?.[position]?.map ?? map;

/** The placement whose jobs are all mapped by its own mapper; whatever else they have for themselves stays. */
export const withoutOwnMappers = ({ own, ...placement }: PlacementDescription): PlacementDescription =>
  own === undefined ? placement : { ...placement, own: own.map(withoutMapper) };

const withoutMapper = (choices: OwnChoices): OwnChoices =>
  Object.fromEntries(Object.entries(choices).filter(([word]) => word !== 'map'));

/** What tasks of a job need; undefined where each takes one core and nothing limits their number on a node. */
export function needsOf({ needs, own }: PlacementDescription, position: number): TaskNeeds | undefined {
  const { coresPerTask = 1, ...limits }: TaskNeeds = { ...needs, ...own?.[position]?.needs };
  if (coresPerTask === 1 && Object.keys(limits).length === 0) return undefined;
  return { ...(coresPerTask === 1 ? {} : { coresPerTask }), ...limits };
}

/** The placement whose nodes this one takes over, if any. */
export function takesOverFrom({ allocate }: PlacementDescription): string | undefined {
  return allocate.argument?.kind === 'name' ? allocate.argument.name : undefined;
}

/**
 * Placements in an order in which each stands behind the one it takes its nodes from; otherwise
 * in the program's. A cycle, which the language reports, is cut where it is met. O(placements).
 */
export function inOrderOfNeed(placements: readonly PlacementDescription[]): readonly PlacementDescription[] {
  const byName = new Map(placements.map((placement) => [placement.name, placement]));
  const ordered = new Set<PlacementDescription>();
  for (const placement of placements) {
    const chain: PlacementDescription[] = [];
    let next: PlacementDescription | undefined = placement;
    while (next !== undefined && !ordered.has(next) && !chain.includes(next)) {
      chain.push(next);
      const source = takesOverFrom(next);
      next = source === undefined ? undefined : byName.get(source);
    }
    for (const link of chain.reverse()) ordered.add(link);
  }
  return [...ordered];
}

/** The program with these placements, those that they take their nodes from, and their machines. O(placements + machines). */
export function onlyPlacements(program: Program, names: readonly string[]): Program {
  const wanted = new Set<string>();
  for (const name of names) {
    for (let next: string | undefined = name; next !== undefined && !wanted.has(next);) {
      wanted.add(next);
      const placement = program.placements.find((candidate) => candidate.name === next);
      next = placement && takesOverFrom(placement);
    }
  }
  const placements = program.placements.filter((placement) => wanted.has(placement.name));
  const used = new Set(placements.map(({ machine }) => machine));
  const machines = new Map([...program.machines].filter(([name]) => used.has(name)));
  return { ...program, machines, placements };
}

/** Where in a declaration a problem lies; the language turns it into a range of the text. */
export interface Subject {
  readonly kind: 'machine' | 'job' | 'table' | 'placement' | 'stream';
  readonly name: string;
  /** Property of the declaration to point at (`map`, `allocate`, `topology`, …), else its name. */
  readonly property?: string;
  /** The job of a placement, by position, whose own choice it is. */
  readonly job?: number;
}

export interface StudyProblem extends Failure {
  readonly severity: 'error' | 'warning' | 'information';
  readonly subject: Subject;
  /** The placement whose evaluation found it, where one did. */
  readonly placement?: string;
}

/** What the file of a trace holds. */
export interface RecordedWorkload {
  readonly workload: Workload;
  /** Where the trace has times. */
  readonly timed?: TimedMessages;
  readonly warnings: readonly string[];
}

/** Files that the entrypoints have read and interchange has parsed, by URI. Pure for the study. */
export interface StudyFiles extends MachineFiles {
  table(uri: string, format?: string): Result<TableEntries>;
  given(source: GivenSource): Result<GivenFile>;
  coordinates(uri: string): Result<TaskPositions>;
  trace(uri: string, format: string | undefined, options: OptionValues): Result<RecordedWorkload>;
}

/** What is said of a table of which some tasks of the job get nothing, read from a file or not. */
export const smallTableMessage = (table: string, size: number, taskCount: number): string =>
  `Table \`${table}\` has ${size} ${size === 1 ? 'task' : 'tasks'}, but the job has ${taskCount}: ` +
  `${taskCount - size === 1 ? 'the last one neither sends nor receives' : `the last ${taskCount - size} neither send nor receive`} anything.`;

/** A failure with the place it belongs to. */
export function studyProblem(failure: Failure, subject: Subject, placement?: string): StudyProblem {
  return { ...failure, severity: 'error', subject, ...(placement === undefined ? {} : { placement }) };
}

/** Problems in the order they were found, each once: a table that three jobs need is missing once. */
export class ProblemList {
  readonly #found = new Map<string, StudyProblem>();

  add(problem: StudyProblem): void {
    const { kind, name } = problem.subject;
    const key = JSON.stringify([kind, name, problem.code, problem.message]);
    if (!this.#found.has(key)) this.#found.set(key, problem);
  }

  all(): readonly StudyProblem[] {
    return [...this.#found.values()];
  }
}
