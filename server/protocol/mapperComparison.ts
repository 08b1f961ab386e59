/**
 * Mappers tried on a placement: what the editor and the server say about them, and the messages between the page that shows
 * their table and its host.
 */
import type { SceneParameters } from './messages.ts';
import { isRecord } from './selections.ts';
import { readFromTablePage, type FromTablePage, type TableFile, type TableSaid } from './tablePage.ts';

export interface TryMappersParameters extends SceneParameters, TryMappersOptions {}

export interface TryMappersOptions {
  /** `quick`: a mapper has two seconds; `thorough`: a minute, and `auto` ten seconds. */
  readonly budget: Budget;
  /** So many seeds, from that of the placement upwards; 1 … {@link mostSeeds}. */
  readonly seeds: number;
}
export const budgets = ['quick', 'thorough'] as const;
export type Budget = (typeof budgets)[number];
export const mostSeeds = 100;

export interface TriedMappers extends SceneParameters, TryMappersOptions {
  /** `waiting`: the placement itself is still being worked out. */
  readonly state: 'waiting' | 'running' | 'complete' | 'stopped' | 'failed';
  /** Of `failed`: why nothing could be tried. */
  readonly reason?: string;
  /** `cg (64 tasks) on torus, seed 1`. */
  readonly subject: string;
  /** Of all attempts, 0 … 1. */
  readonly share: number;
  /** The text has changed so that it would be something else now. */
  readonly stale: boolean;
  /** From before the window was loaded anew: nobody knows whether it would be something else now. */
  readonly restored?: boolean;
  readonly columns: readonly ComparisonColumn[];
  /** The placement as it is written first, then in the order in which they are tried. */
  readonly rows: readonly ComparisonRow[];
  /** What else is to be said of the table, a sentence each. */
  readonly notes: readonly string[];
}

/** The less the better, in all of them. */
export interface ComparisonColumn {
  readonly key: string;
  readonly title: string;
  /** What it is, in a line. */
  readonly hint: string;
}

export interface ComparisonRow {
  /** As users name it, and what requests name the row by. */
  readonly mapper: string;
  readonly isWritten: boolean;
  readonly state: 'waiting' | 'running' | 'placed' | 'refused' | 'stopped';
  /** How far it is, or why it has no figures; of one that is placed what else there is to say. */
  readonly words: string;
  /** Parallel to the columns; none where it has no figures. */
  readonly cells: readonly (ComparisonCell | null)[];
}

export interface ComparisonCell {
  /** Of several seeds their mean. */
  readonly value: number;
  readonly text: string;
  /** Behind the text: the standard deviation, `± 1.2 MiB`, or which link it is. */
  readonly detail?: string;
  /** Against the placement as it is written: `−34 %`. */
  readonly change?: string;
  readonly isBetter?: boolean;
}

export type TriedMappersCsvAnswer =
  ({ readonly ok: true } & TableFile) | { readonly ok: false; readonly message: string };

/** host → page. */
export type ToMapperPage =
  /** Absent: no placement is chosen. */
  | { readonly kind: 'table'; readonly table?: TriedMappers }
  /** The picture shows this row; none: the picture is that of the placement again. */
  | { readonly kind: 'previewed'; readonly mapper?: string }
  | TableSaid;

/** page → host. */
export type FromMapperPage =
  | FromTablePage
  | ({ readonly kind: 'try' } & TryMappersOptions)
  | { readonly kind: 'preview' | 'write'; readonly mapper: string };

/** The message of the page that `data` is, field by field; undefined where it is none. */
export function readFromMapperPage(data: unknown): FromMapperPage | undefined {
  if (!isRecord(data)) return undefined;
  const { kind, mapper, seeds, budget } = data;
  switch (kind) {
    case 'preview':
    case 'write':
      return typeof mapper === 'string' ? { kind, mapper } : undefined;
    case 'try': {
      const options = readTryOptions({ seeds, budget });
      return options && { kind, ...options };
    }
    default:
      return readFromTablePage(data);
  }
}

/** How mappers are to be tried, where `data` says that. */
export function readTryOptions({ seeds, budget }: Readonly<Record<string, unknown>>): TryMappersOptions | undefined {
  const known = budgets.find((one) => one === budget);
  const isCount = Number.isSafeInteger(seeds) && (seeds as number) >= 1 && (seeds as number) <= mostSeeds;
  return known !== undefined && isCount ? { budget: known, seeds: seeds as number } : undefined;
}

const toPageKinds: Readonly<Record<ToMapperPage['kind'], true>> = { table: true, previewed: true, said: true };

/** Whether `data` is a message of the host. */
export const isToMapperPage = (data: unknown): data is ToMapperPage =>
  isRecord(data) && typeof data['kind'] === 'string' && Object.hasOwn(toPageKinds, data['kind']);
