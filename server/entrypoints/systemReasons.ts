/** Why the system neither reads nor writes a file, in plain words. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

/** The end of a sentence without its stop, by what Node's functions throw of a file at `path`. */
export function reasonOfSystem(error: unknown, path: string): string {
  const { code = '', message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  const known = reasons[code]?.(dirname(path));
  if (known !== undefined) return known;
  // `EINVAL: invalid argument, open '/…'`: what stands in the middle.
  const words = /^[A-Z\d]+: (.+?)(?:, \w+(?: .*)?)?$/s.exec(message)?.[1] ?? message;
  return code === '' ? words : `system message “${words}” (${code})`;
}

/** Of a folder of a file system without a disk, as /proc is. */
export const nothingIsMade = (folder: string): string => `${folder} is a system folder`;

const forbidden = (folder: string): string => `permission denied for it or its folder ${folder}`;

const reasons: Readonly<Record<string, (folder: string) => string>> = {
  // Where files are made up, the system says of new ones that they are not there.
  ENOENT: (folder) => (existsSync(folder) ? nothingIsMade(folder) : `folder ${folder} does not exist`),
  ENOTDIR: (folder) => `${folder} is not a folder`,
  EEXIST: (folder) => `${folder} is not a folder`,
  EISDIR: () => 'it is a folder',
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: (folder) => `the disk of ${folder} is read-only`,
  ENOSPC: (folder) => `no space left on the disk of ${folder}`,
  EDQUOT: (folder) => `disk quota exceeded on ${folder}`,
  EFBIG: (folder) => `file too large for the disk of ${folder}, or for \`ulimit -f\``,
  ENAMETOOLONG: (folder) => `file name too long for the disk of ${folder}`,
  EILSEQ: (folder) => `file name has invalid characters for the disk of ${folder}`,
  EBUSY: () => 'it is locked by another program',
  ETXTBSY: () => 'it is a running program',
  ENXIO: () => 'it has no device',
  ENODEV: () => 'it has no device',
  EIO: (folder) => `input or output error on the disk of ${folder}`,
  ESTALE: (folder) => `stale network file handle on the disk of ${folder}`,
  ETIMEDOUT: (folder) => `the disk of ${folder} does not respond`,
  EMFILE: () => 'too many open files; see `ulimit -n`',
};
