/**
 * How a page is left, so that the next page of the same panel goes on from there. The page tells its host, which gives it to the
 * next one with its HTML; why the editor's own memory is not enough is said in `client/pageMemory.ts`.
 */
import { isRecord } from './selections.ts';

/** What is kept of a page, beside what is the page's own affair. */
export interface LeftState {
  /** Of which panel: one that has been restored has the name that it had. */
  readonly page: string;
  /** When that was, milliseconds since 1970: of two the later one holds. */
  readonly at: number;
}

/** page → host, of every page. */
export interface LeftMessage {
  readonly kind: 'left';
  readonly state: LeftState;
}

/** What a page is given with its HTML. */
export interface GivenPage {
  readonly page: string;
  /** How the page before it was left, where that is known. */
  readonly state?: LeftState;
}

/** The state that `data` has, where it has one. */
export function readLeftState(data: unknown): LeftState | undefined {
  if (!isRecord(data)) return undefined;
  const { page, at } = data;
  return typeof page === 'string' && typeof at === 'number' ? (data as unknown as LeftState) : undefined;
}

/** The same of a message of a page; undefined where it is none of this kind. */
export const readLeftMessage = (data: unknown): LeftState | undefined =>
  isRecord(data) && data['kind'] === 'left' ? readLeftState(data['state']) : undefined;

/** Of two memories of a page the one that knows more: of the same moment the editor's, which has what was drawn as well. */
export function laterLeft(editors: unknown, ours: LeftState | undefined): unknown {
  if (editors === undefined || editors === null) return ours;
  return ours !== undefined && ours.at > (readLeftState(editors)?.at ?? 0) ? ours : editors;
}
