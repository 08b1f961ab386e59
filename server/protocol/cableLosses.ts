/**
 * What a placement costs once a cable has failed: what the editor asks the server, and the messages between the page that shows
 * the table and its host.
 */
import type { ComparisonCell, ComparisonColumn } from './mapperComparison.ts';
import type { ChangeEditsAnswer, SceneParameters } from './messages.ts';
import { isRecord } from './selections.ts';
import { readFromTablePage, type FromTablePage, type TableSaid } from './tablePage.ts';

export type CableLossesAnswer =
  | ({ readonly kind: 'losses' } & CableLossTable)
  | {
      readonly kind: 'nothing';
      /** Why nothing can be said, as a sentence. */
      readonly reason: string;
    };
export interface CableLossTable {
  /** `on torus64, minimal routing`: what it is of, behind the name of the placement. */
  readonly subject: string;
  readonly columns: readonly ComparisonColumn[];
  /** The placement as it is, and with all cables under the routing after a loss where that is another. Above the rows, whatever these are sorted by. */
  readonly baselines: readonly { readonly title: string; readonly cells: readonly (ComparisonCell | null)[] }[];
  /** The worst first; at most {@link mostLosses}. */
  readonly rows: readonly CableLossRow[];
  /** What else is to be said, a sentence each. */
  readonly notes: readonly string[];
  /** All cables, as `placewright losses --csv` has them. */
  readonly csv: string;
  readonly suggestedName: string;
  /** Of the report that it is of, as in `PlacementSummary`. */
  readonly revision: number;
}
/** Rows that a table has at most: nobody looks at more, and a file has them all. */
export const mostLosses = 500;

export interface CableLossRow {
  /** As it stands in a text: `3 -- 4`, `"leaf-1" -- "spine-2"`. */
  readonly cable: string;
  /** One of its links, the one that carries more. */
  readonly link: number;
  /** Nodes that talk cannot reach each other without it. */
  readonly isBridge: boolean;
  readonly cells: readonly (ComparisonCell | null)[];
}

export interface CableLossesProgress extends SceneParameters {
  /** 0 … 1. */
  readonly share: number;
}

export interface WithoutCableParameters extends SceneParameters {
  /** As in a {@link CableLossRow}. */
  readonly cable: string;
}
export type WithoutCableAnswer = ChangeEditsAnswer;

/** A table as its page has it. */
export interface ShownLosses extends SceneParameters {
  readonly state: 'running' | 'complete' | 'stopped' | 'failed';
  /** Of `failed`: why. */
  readonly reason?: string;
  /** 0 … 1. */
  readonly share: number;
  /** The placement has changed since. */
  readonly stale: boolean;
  /** From before the window was loaded anew: nobody knows whether it would be something else now. */
  readonly restored?: boolean;
  readonly table?: CableLossTable;
}

/** host → page. */
export type ToLossPage =
  /** Absent: no placement is chosen. */
  | { readonly kind: 'table'; readonly shown?: ShownLosses }
  /** The picture has this cable selected. */
  | { readonly kind: 'selected'; readonly cable: string }
  | TableSaid;

/** page → host. */
export type FromLossPage =
  FromTablePage | { readonly kind: 'try' } | { readonly kind: 'show' | 'write'; readonly cable: string };

/** The message of the page that `data` is, field by field; undefined where it is none. */
export function readFromLossPage(data: unknown): FromLossPage | undefined {
  if (!isRecord(data)) return undefined;
  const { kind, cable } = data;
  switch (kind) {
    case 'try':
      return { kind };
    case 'show':
    case 'write':
      return typeof cable === 'string' ? { kind, cable } : undefined;
    default:
      return readFromTablePage(data);
  }
}

const toPageKinds: Readonly<Record<ToLossPage['kind'], true>> = { table: true, selected: true, said: true };

/** Whether `data` is a message of the host. */
export const isToLossPage = (data: unknown): data is ToLossPage =>
  isRecord(data) && typeof data['kind'] === 'string' && Object.hasOwn(toPageKinds, data['kind']);
