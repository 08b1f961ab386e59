/**
 * What pages with a table of things to choose from have in common, whether of mappers that are tried or of cables that are lost: the
 * messages between such a page and its host.
 */
import { isRecord } from './selections.ts';

/** page → host. */
export type FromTablePage =
  /** The page listens. */
  | { readonly kind: 'ready' }
  /** No further row is worked out; what is there stays. */
  | { readonly kind: 'stop' }
  /** What the picture shows of a row ends; where that is nothing, the focus goes to the text. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'copy' | 'save' };

/** host → page: something was done, or could not be, as a sentence. */
export interface TableSaid {
  readonly kind: 'said';
  readonly text: string;
  readonly isFault: boolean;
}

/** A table as a file. */
export interface TableFile {
  readonly text: string;
  readonly suggestedName: string;
}

/** The message that `data` is; undefined where it is none of these. */
export function readFromTablePage(data: unknown): FromTablePage | undefined {
  if (!isRecord(data)) return undefined;
  const { kind } = data;
  switch (kind) {
    case 'ready':
    case 'stop':
    case 'leave':
    case 'copy':
    case 'save':
      return { kind };
    default:
      return undefined;
  }
}
