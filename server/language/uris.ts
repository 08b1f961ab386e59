import { URI, Utils } from 'vscode-uri';

/** The URI of a path as a file of this URI writes it, or undefined where it names none. Pure. */
export function resolvePath(fileUri: string, path: string): string | undefined {
  if (path.trim() === '') return undefined;
  try {
    return Utils.resolvePath(Utils.dirname(URI.parse(fileUri)), path).toString();
  } catch {
    return undefined; // a scheme without paths, such as a malformed `untitled:`
  }
}

/** One spelling per file: editors percent-encode in different ways. */
export function normalUri(uri: string): string {
  try {
    return URI.parse(uri).toString();
  } catch {
    return uri;
  }
}

/** The last part of a URI, for messages. */
export function fileNameOf(uri: string): string {
  try {
    return Utils.basename(URI.parse(uri)) || uri;
  } catch {
    return uri;
  }
}

/** How `to` is written in the file `from`; undefined on another machine. */
export function relativePath(from: string, to: string): string | undefined {
  const [start, end] = [URI.parse(from), URI.parse(to)];
  if (start.scheme !== end.scheme || start.authority !== end.authority) return undefined;
  const folders = start.path.split('/').slice(0, -1);
  const parts = end.path.split('/');
  // Another drive of Windows has no relative way.
  if (isDrive(parts[1]) && parts[1] !== folders[1]) return end.path.slice(1);
  let shared = 0;
  while (shared < folders.length && shared < parts.length - 1 && folders[shared] === parts[shared]) shared++;
  return [...folders.slice(shared).map(() => '..'), ...parts.slice(shared)].join('/');
}

const isDrive = (part: string | undefined): boolean => part !== undefined && /^[a-z]:$/i.test(part);
