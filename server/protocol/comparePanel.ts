/**
 * The panel in which placements stand side by side, and its host: the messages between them, and how either side reads
 * what arrives there.
 */
import type { EncodedScene, SceneParameters } from './messages.ts';
import { readSavedFile, type SavedFile } from './savedFile.ts';
import { isRecord } from './selections.ts';

/** A placement that is compared. */
export interface ComparedPlacement extends SceneParameters {
  /** Its file as users call it. */
  readonly file: string;
  readonly stale: boolean;
  /** Absent: `reason` says why there is no picture. */
  readonly scene?: EncodedScene;
  readonly reason?: string;
}

/** host → panel. */
export type ToComparePanel =
  /** The placements in their order; the first is the one that the others are compared with. */
  | { readonly kind: 'placements'; readonly version: number; readonly placements: readonly ComparedPlacement[] }
  /** The host could not do what the panel asked for. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The user wants to save what is shown. */
  | { readonly kind: 'save-form' };

/** panel → host. */
export type FromComparePanel =
  /** The panel listens; the host answers with the placements. */
  | { readonly kind: 'ready' }
  /** The user wants to choose other placements. */
  | { readonly kind: 'choose' }
  /** The picture of one of them in a panel of its own. */
  | { readonly kind: 'show'; readonly index: number }
  /** What the panel made. */
  | SavedFile;

/** The message of the panel that `data` is, field by field; undefined where it is none. */
export function readFromComparePanel(data: unknown): FromComparePanel | undefined {
  if (!isRecord(data)) return undefined;
  switch (data['kind']) {
    case 'ready':
    case 'choose':
      return { kind: data['kind'] };
    case 'show': {
      const { index } = data;
      return Number.isSafeInteger(index) && (index as number) >= 0
        ? { kind: 'show', index: index as number }
        : undefined;
    }
    default:
      return readSavedFile(data);
  }
}

const toPanelKinds: Readonly<Record<ToComparePanel['kind'], true>> = {
  placements: true,
  failed: true,
  'save-form': true,
};

/** Whether `data` is a message of the host. */
export const isToComparePanel = (data: unknown): data is ToComparePanel =>
  isRecord(data) && typeof data['kind'] === 'string' && Object.hasOwn(toPanelKinds, data['kind']);
