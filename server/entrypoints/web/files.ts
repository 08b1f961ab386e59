/**
 * Files of a browser: those that the editor has, wherever they lie. The answering thread asks the editor for them, the other
 * threads ask the answering one.
 */
import { URI, Utils } from 'vscode-uri';
import { cancelled, fail, shortened, succeed, type Result } from '../../model/result.ts';
import type { FileAnswer, FileQuestion } from '../../protocol/messages.ts';
import { readStream } from '../packed.ts';
import {
  outsideWorkspace,
  tooLarge,
  withoutDiskLimit,
  type FileContent,
  type Files,
  type Platform,
  type ReadPolicy,
  type ReadRequest,
} from '../platform.ts';

/** Asks the editor. */
export type AskEditor = <Kind extends FileQuestion['kind']>(
  question: FileQuestion & { readonly kind: Kind },
) => Promise<FileAnswer[Kind]>;

export function filesOfEditor(ask: AskEditor): Files {
  const readFromEditor = async (
    uri: string,
    { allowedRoots }: ReadPolicy,
    { limit, unlessStamp, cancellation }: ReadRequest,
  ): Promise<Result<FileContent>> => {
    const path = shownUri(uri);
    if (allowedRoots !== undefined && !uriLiesWithin(uri, allowedRoots)) return outsideWorkspace(path);
    const stamp = unlessStamp === undefined ? {} : { unlessStamp };
    const answer = await ask({ kind: 'read', uri, limit, ...stamp });
    if (cancellation?.isCancelled() === true) return cancelled();
    switch (answer.kind) {
      case 'content':
        return succeed({ stamp: answer.stamp, bytes: answer.bytes });
      case 'missing':
        return fail('file-not-found', `File ${shortened(path)} not found.`);
      case 'folder':
        return fail('not-a-file', `${shortened(path)} is a folder. Expected a file.`);
      case 'too-large':
        return tooLarge(path, answer.size, limit);
      case 'unreadable':
        return fail('file-unreadable', `${shortened(path)} cannot be read: ${answer.reason}.`);
    }
  };
  return {
    readBytes: async (uri, policy, request) => {
      const opened = policy.openTexts?.get(uri);
      if (opened !== undefined) return succeed({ stamp: undefined, bytes: new TextEncoder().encode(opened) });
      return readFromEditor(uri, policy, request);
    },
    pieces: async (uri, policy, cancellation) => {
      const opened = policy.openTexts?.get(uri);
      const content =
        opened === undefined
          ? await readFromEditor(uri, policy, { limit: withoutDiskLimit, cancellation })
          : succeed({ stamp: undefined, bytes: new TextEncoder().encode(opened) });
      if (!content.ok) return content;
      const { stamp, bytes = new Uint8Array() } = content.value;
      return succeed({ stamp, size: bytes.length, chunks: () => [bytes] });
    },
    sizeOfFile: (uri, { allowedRoots }) =>
      allowedRoots === undefined || uriLiesWithin(uri, allowedRoots)
        ? ask({ kind: 'size', uri })
        : Promise.resolve(undefined),
    listFolder: (uri, { allowedRoots }, most) =>
      allowedRoots === undefined || uriLiesWithin(uri, allowedRoots)
        ? ask({ kind: 'folder', uri, most })
        : Promise.resolve([]),
    listPlaceFiles: (folders) => ask({ kind: 'place-files', folders: [...folders] }),
    realUri: (uri) => Promise.resolve(uri),
    liesWithin: uriLiesWithin,
    folderOf: (uri) => {
      const parsed = parseUri(uri);
      return parsed === undefined || parsed.scheme === 'untitled' ? undefined : Utils.dirname(parsed).toString();
    },
  };
}

function uriLiesWithin(uri: string, roots: readonly string[]): boolean {
  const file = parseUri(uri);
  return roots.some((root) => {
    const folder = parseUri(root);
    if (file === undefined || folder?.scheme !== file.scheme || folder.authority !== file.authority) return false;
    const [path, above] = [Utils.resolvePath(file).path, Utils.resolvePath(folder).path.replace(/\/$/, '')];
    return path === above || path.startsWith(`${above}/`);
  });
}

function parseUri(uri: string): URI | undefined {
  try {
    return URI.parse(uri);
  } catch {
    return undefined;
  }
}

/** As people know it. */
const shownUri = (uri: string): string => parseUri(uri)?.path ?? uri;

/** The rest of what a browser is for a program: one thread for each study, and a clock. */
export const webEnvironment: Pick<Platform, 'gunzip' | 'gunzipped' | 'studyEnvironment'> = {
  gunzip: (bytes, most) => readStream(() => webEnvironment.gunzipped(new Blob([bytes]).stream()), most),
  gunzipped: (packed) => packed.pipeThrough<Uint8Array>(new DecompressionStream('gzip')),
  studyEnvironment: () => ({ now: () => performance.now() }),
};
