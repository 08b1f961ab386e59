import { itemAt } from '../numeric/elements.ts';
import type { Failure } from '../model/result.ts';
import type { LowerBound } from '../model/searchRecord.ts';
import { comparedFigures, overRuns, type Comparison, type FigureOverRuns, type PlacedTrial } from './compare.ts';
import {
  endsToJson,
  figuresToJson,
  type FiguresJson,
  type LinkLoadJson,
  searchToJson,
  type SearchJson,
} from './json.ts';
import type { PlacementOutline } from './report.ts';

/** `compare --json`; keys, units and order are the contract of docs/json.md. */
export interface ComparisonJson {
  readonly placement: string;
  readonly machine: string;
  /** Of nodes and traffic, and of the mappers where they have none of their own. */
  readonly seed: number;
  /** Of the mappers, as asked for. */
  readonly seeds?: readonly number[];
  /** Absent where no search found one. */
  readonly bound?: LowerBound;
  /** The best first; behind those that placed the jobs those that refused, then those that were stopped. */
  readonly mappers: readonly ComparedMapperJson[];
  /** Mappers that an interrupt kept from being tried; absent where there was none. */
  readonly left?: number;
}

export type ComparedMapperJson = { readonly mapper: string } & (
  | {
      /** To the best one's hop-bytes. */
      readonly ratio?: number;
      /** The row of the placement as its text has it. */
      readonly asWritten?: true;
      /** With `seeds`: those that it was run with, and each figure over them. */
      readonly seeds?: readonly number[];
      readonly figures?: Readonly<Record<string, FigureOverRuns>>;
      /** It drew no random number, and so was run with the first seed alone. */
      readonly deterministic?: true;
      /** With `seeds`: of the run that came to the least, which all that follows is of. */
      readonly seed?: number;
      readonly metrics: FiguresJson;
      /** Left out where nothing crosses a link. */
      readonly heaviestLink?: LinkLoadJson;
      readonly jobs: readonly {
        readonly name: string;
        /** Slot of each task, as in `run --json`. */
        readonly mapping: readonly number[];
        readonly search?: SearchJson;
      }[];
      readonly notes: readonly string[];
      /** Later jobs got other nodes than with the first mapper that was tried. */
      readonly otherNodes?: true;
      readonly milliseconds: PlacementOutline['milliseconds'];
    }
  | { readonly refused: Failure }
  | { readonly stopped: { readonly milliseconds: number } }
);

export function comparisonToJson(
  comparison: Comparison,
  { machine, seed }: { readonly machine: string; readonly seed: number },
): ComparisonJson {
  const { placement, seeds, placed, refused, stopped, bound, left } = comparison;
  return {
    placement,
    machine,
    seed,
    ...(seeds === undefined ? {} : { seeds }),
    ...(bound === undefined ? {} : { bound }),
    mappers: [
      ...placed.map((trial) => placedToJson(trial, seeds !== undefined)),
      ...refused.map(({ mapper, failure }) => ({ mapper, refused: failure })),
      ...stopped.map(({ mapper, milliseconds }) => ({ mapper, stopped: { milliseconds } })),
    ],
    ...(left === 0 ? {} : { left }),
  };
}

function placedToJson(trial: PlacedTrial, hasSeeds: boolean): ComparedMapperJson {
  const { mapper, asWritten, ratio, otherNodes } = trial;
  const { outline, mappings, heaviestLink } = trial.shown;
  return {
    mapper,
    ...(asWritten ? { asWritten } : {}),
    ...(ratio === undefined ? {} : { ratio }),
    ...(hasSeeds ? overSeeds(trial) : {}),
    metrics: figuresToJson(outline.metrics),
    ...(heaviestLink === undefined ? {} : { heaviestLink: { ...endsToJson(heaviestLink), load: heaviestLink.load } }),
    jobs: outline.jobs.map(({ name, search }, job) => ({
      name,
      mapping: itemAt(mappings, job),
      ...(search === undefined ? {} : { search: searchToJson(search) }),
    })),
    notes: outline.notes,
    ...(otherNodes ? { otherNodes } : {}),
    milliseconds: outline.milliseconds,
  };
}

const overSeeds = (trial: PlacedTrial) => ({
  seeds: trial.runs.map(({ seed }) => seed),
  figures: Object.fromEntries(
    comparedFigures.flatMap((figure) => {
      const found = overRuns(trial, figure);
      return found === undefined ? [] : [[figure, found]];
    }),
  ),
  ...(trial.drewRandom ? {} : { deterministic: true as const }),
  seed: trial.shown.seed,
});
