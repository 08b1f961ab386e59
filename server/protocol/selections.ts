/**
 * What can be selected in the picture of a placement and in the map of its traffic, and how either side reads what it is told of
 * that: anything may arrive.
 */
import {
  trafficOrders,
  trafficUnits,
  type Span,
  type TrafficArrangement,
  type TrafficBlock,
} from '../study/trafficMatrix.ts';
import type { ExplainTarget, KeptTarget, TaskOfJob } from './messages.ts';

export type { Span, TrafficBlock } from '../study/trafficMatrix.ts';

/** What can be selected in the picture: a thing, or a part of one of its histograms. */
export type PictureTarget =
  | ExplainTarget
  | Extract<KeptTarget, { kind: 'hops' }>
  /** Links with such loads, in bytes or in seconds that they are busy; both ends included. */
  | { readonly kind: 'loads'; readonly least: number; readonly most: number; readonly isTime?: true };

/** What is selected in a picture, and how it is called there. */
export interface PictureSelection {
  readonly target: PictureTarget;
  readonly words: string;
}

/** A part of the map, of which the picture is to keep the flows alone. */
export type TrafficBrush = { readonly block: TrafficBlock } & TrafficArrangement;

/** Letters of what a page calls a selection. */
export const longestWords = 400;

export const isRecord = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

/** Numbers of nodes, links, jobs and tasks. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

export function readExplainTarget(data: unknown): ExplainTarget | KeptTarget | undefined {
  if (!isRecord(data)) return undefined;
  const { kind, link, node } = data;
  if (kind === 'node') return isCount(node) ? { kind, node } : undefined;
  if (kind === 'link') return isCount(link) ? { kind, link } : undefined;
  if (kind === 'traffic') {
    const brush = readBrush(data);
    return brush && { kind, ...brush };
  }
  const { least, most } = data;
  if (kind === 'hops') return isCount(least) && isCount(most) ? { kind, least, most } : undefined;
  const [from, to] = [readTask(data['from']), readTask(data['to'])];
  return kind === 'tasks' && from !== undefined && to !== undefined ? { kind, from, to } : undefined;
}

function readTask(data: unknown): TaskOfJob | undefined {
  if (!isRecord(data)) return undefined;
  const { job, task } = data;
  return isCount(job) && isCount(task) ? { job, task } : undefined;
}

export function readBrush(data: unknown): TrafficBrush | undefined {
  if (!isRecord(data)) return undefined;
  const by = trafficUnits.find((unit) => unit === data['by']);
  const order = trafficOrders.find((one) => one === data['order']);
  const block = readBlock(data['block']);
  return by && order && block && { by, order, block };
}

export function readBlock(data: unknown): TrafficBlock | undefined {
  if (!isRecord(data)) return undefined;
  const [rows, columns] = [readSpan(data['rows']), readSpan(data['columns'])];
  return rows && columns && { rows, columns };
}

function readSpan(data: unknown): Span | undefined {
  if (!isRecord(data)) return undefined;
  const { first, last } = data;
  return isCount(first) && isCount(last) && first <= last ? { first, last } : undefined;
}

export function readPictureTarget(data: unknown): PictureTarget | undefined {
  if (!isRecord(data)) return undefined;
  const { kind, least, most } = data;
  if (kind === 'loads') {
    const isAmount = (end: unknown): end is number => typeof end === 'number' && Number.isFinite(end) && end >= 0;
    if (!isAmount(least) || !isAmount(most)) return undefined;
    return data['isTime'] === true ? { kind, least, most, isTime: true } : { kind, least, most };
  }
  const target = readExplainTarget(data);
  return target?.kind === 'traffic' ? undefined : target;
}

export function readPictureSelection(data: unknown): PictureSelection | undefined {
  if (!isRecord(data)) return undefined;
  const target = readPictureTarget(data['target']);
  const { words } = data;
  return target && typeof words === 'string' && words.length <= longestWords ? { target, words } : undefined;
}
