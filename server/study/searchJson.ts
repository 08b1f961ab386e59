import { evaluationsPerSecond, gapOf, type SearchRecord } from '../model/searchRecord.ts';

/** A search in `run --json` and `compare --json`: the record with what follows from it. */
export interface SearchJson extends SearchRecord {
  /** How far `value` is above the bound at most, as a share of the bound; only where that is above 0. */
  readonly gap?: number;
  /** Depends on the machine, as `milliseconds` do. */
  readonly evaluationsPerSecond?: number;
}

/** In the order of docs/language.md. */
export function searchToJson(search: SearchRecord): SearchJson {
  const { criterion, value, bound, evaluations, convergence, tried, untried, budget, chosen, end, milliseconds } =
    search;
  const gap = gapOf(search);
  const speed = evaluationsPerSecond(search);
  return {
    criterion,
    value,
    ...(bound === undefined ? {} : { bound }),
    ...(gap === undefined ? {} : { gap }),
    evaluations,
    ...(speed === undefined ? {} : { evaluationsPerSecond: speed }),
    convergence,
    ...(tried === undefined ? {} : { tried }),
    ...(untried === undefined ? {} : { untried }),
    ...(budget === undefined ? {} : { budget }),
    ...(chosen === undefined ? {} : { chosen }),
    end,
    milliseconds,
  };
}
