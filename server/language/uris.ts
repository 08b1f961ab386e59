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
