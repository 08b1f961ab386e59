/**
 * The map of who sends how much to whom: what the editor asks the server for, and the messages between the panel that shows it
 * and its host.
 */
import type { Range } from 'vscode-languageserver-types';
import type { Figure } from '../drawing/figures/figure.ts';
import {
  trafficAmounts,
  trafficOrders,
  trafficUnits,
  type TrafficAmount,
  type TrafficBlock,
  type TrafficOrder,
  type TrafficUnit,
} from '../study/trafficMatrix.ts';
import { readFromFigurePanel, type FromFigurePanel, type ToFigurePanel } from './figurePanel.ts';
import type { FigureAnswer } from './figures.ts';
import type { PlacementProblem, PlacementSummary } from './messages.ts';
import {
  isCount,
  isRecord,
  longestWords,
  readBlock,
  readBrush,
  readPictureTarget,
  type PictureSelection,
  type PictureTarget,
  type TrafficBrush,
} from './selections.ts';

/** What has traffic. A table is one that no job need have. */
const trafficSources = ['placement', 'job', 'table'] as const;
export type TrafficSource = (typeof trafficSources)[number];

export interface TrafficSubject {
  readonly uri: string;
  readonly of: TrafficSource;
  readonly name: string;
}

export interface TrafficSubjectSummary {
  readonly of: TrafficSource;
  readonly name: string;
  readonly range: Range;
  /** Of a placement. */
  readonly state?: PlacementSummary['state'];
}

export interface TrafficParameters extends TrafficSubject {
  readonly question: TrafficQuestion;
}

/** How the map is drawn. */
export interface TrafficQuestion {
  readonly kind: TrafficUnit;
  readonly order: TrafficOrder;
  readonly amount: TrafficAmount;
  readonly scale: 'linear' | 'logarithmic';
  /** All of it where that is left out, or where there is no such block any more. */
  readonly block?: TrafficBlock;
  /** Pixels of the page. */
  readonly width?: number;
  /** What is selected in the picture of the placement: cells that have pairs of it are told. */
  readonly marked?: PictureTarget;
}

export interface TrafficAbout {
  /** By what it can be told. */
  readonly units: readonly TrafficUnit[];
  /** Tasks can stand in several orders. */
  readonly isOrdered: boolean;
  readonly hasMessages: boolean;
  /** Rows and columns in all. */
  readonly count: number;
  readonly block: TrafficBlock;
  /** Rows and columns of a cell. */
  readonly perCell: readonly [rows: number, columns: number];
  /** Rows of the table that have what is selected. */
  readonly marked?: readonly number[];
  /** The text has changed since its placement was worked out. */
  readonly stale: boolean;
  /** Why there is no newer one, where an error is to blame. */
  readonly problem?: PlacementProblem;
}

export type TrafficAnswer = FigureAnswer<TrafficAbout>;

/** host → panel. */
export type ToTrafficPanel =
  | ToFigurePanel<TrafficAbout, Figure>
  /** What is selected in the picture has changed: the panel asks for the map with its cells. */
  | { readonly kind: 'selected'; readonly selected?: PictureSelection }
  /** The picture keeps nothing any more. */
  | { readonly kind: 'brush-cleared' };

/** panel → host. */
export type FromTrafficPanel =
  | FromFigurePanel<TrafficQuestion>
  /** The picture is to keep the flows of a block alone; all where it is left out. `words` name it. */
  | { readonly kind: 'brush'; readonly brush?: TrafficBrush; readonly words: string; readonly isRestored: boolean }
  /** To the error that keeps the placement from being worked out. */
  | { readonly kind: 'reveal-problem' };

/** The message of the panel that `data` is, field by field; undefined where it is none. */
export function readFromTrafficPanel(data: unknown): FromTrafficPanel | undefined {
  if (!isRecord(data)) return undefined;
  if (data['kind'] === 'reveal-problem') return { kind: 'reveal-problem' };
  if (data['kind'] !== 'brush') return readFromFigurePanel(data, readQuestion);
  const { brush, words, isRestored } = data;
  if (typeof words !== 'string' || words.length > longestWords || typeof isRestored !== 'boolean') return undefined;
  if (brush === undefined) return { kind: 'brush', words, isRestored };
  const read = readBrush(brush);
  return read && { kind: 'brush', brush: read, words, isRestored };
}

function readQuestion(data: unknown): TrafficQuestion | undefined {
  if (!isRecord(data)) return undefined;
  const { scale } = data;
  const kind = trafficUnits.find((unit) => unit === data['kind']);
  const order = trafficOrders.find((one) => one === data['order']);
  const amount = trafficAmounts.find((one) => one === data['amount']);
  const part = readPart(data);
  if (kind === undefined || order === undefined || amount === undefined || part === undefined) return undefined;
  return scale === 'linear' || scale === 'logarithmic' ? { kind, order, amount, scale, ...part } : undefined;
}

/** What may be left out; undefined where something else stands in its place. */
function readPart(
  data: Readonly<Record<string, unknown>>,
): Pick<TrafficQuestion, 'block' | 'width' | 'marked'> | undefined {
  const { width } = data;
  const [block, marked] = [readBlock(data['block']), readPictureTarget(data['marked'])];
  if ((data['block'] !== undefined && block === undefined) || (data['marked'] !== undefined && marked === undefined))
    return undefined;
  if (width === undefined) return { ...(block && { block }), ...(marked && { marked }) };
  if (!isCount(width) || width < leastWidth || width > mostWidth) return undefined;
  return { width, ...(block && { block }), ...(marked && { marked }) };
}

/** Pixels that a map can have. */
const [leastWidth, mostWidth] = [200, 1440];

/** The subject that a command or the state of a page names. */
export function readTrafficSubject(data: unknown): TrafficSubject | undefined {
  if (!isRecord(data)) return undefined;
  const { uri, name } = data;
  const of = trafficSources.find((source) => source === data['of']);
  return of !== undefined && typeof uri === 'string' && typeof name === 'string' ? { uri, of, name } : undefined;
}
