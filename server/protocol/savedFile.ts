/** A file that a page has made and its host writes where the user says: the message, and how the host reads it. */
import { isRecord } from './selections.ts';

const savedExtensions = ['svg', 'pdf', 'png', 'csv'] as const;
export type SavedExtension = (typeof savedExtensions)[number];

export interface SavedFile {
  readonly kind: 'save';
  readonly extension: SavedExtension;
  /** Text; of a PDF and a PNG base64. */
  readonly data: string;
  /** Of what the panel shows, this part: `links`, `gantt-3-1`; '' for the picture itself. A part of the name that is suggested. */
  readonly name: string;
}

/** The message that `data` is, field by field; undefined where it is none. */
export function readSavedFile(data: unknown): SavedFile | undefined {
  if (!isRecord(data) || data['kind'] !== 'save') return undefined;
  const extension = savedExtensions.find((one) => one === data['extension']);
  const { data: content, name } = data;
  if (extension === undefined || typeof content !== 'string' || typeof name !== 'string' || !isName.test(name))
    return undefined;
  const isBinary = extension === 'png' || extension === 'pdf';
  return isBinary && !isBase64.test(content) ? undefined : { kind: 'save', extension, data: content, name };
}

const isName = /^[A-Za-z0-9_.-]{0,120}$/;
const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/;
