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
  return code === '' ? words : `the system says “${words}” (${code})`;
}

/** Of a folder of a file system without a disk, as /proc is. */
export const nothingIsMade = (folder: string): string =>
  `no file can be made in ${folder}, which the system makes up itself`;

const forbidden = (folder: string): string => `it, or its folder ${folder}, may not be written`;

const reasons: Readonly<Record<string, (folder: string) => string>> = {
  // Where files are made up, the system says of new ones that they are not there.
  ENOENT: (folder) => (existsSync(folder) ? nothingIsMade(folder) : `there is no folder ${folder}`),
  ENOTDIR: (folder) => `${folder} is no folder`,
  EEXIST: (folder) => `${folder} is no folder`,
  EISDIR: () => 'it is a folder',
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: (folder) => `the disk of ${folder} can only be read`,
  ENOSPC: (folder) => `no space is left on the disk of ${folder}`,
  EDQUOT: (folder) => `what you may use of the disk of ${folder} is used up`,
  EFBIG: (folder) => `it would be larger than a file on the disk of ${folder} may be, or than \`ulimit -f\` allows`,
  ENAMETOOLONG: (folder) => `its name is longer than the disk of ${folder} takes`,
  EILSEQ: (folder) => `its name has letters that the disk of ${folder} does not take`,
  EBUSY: () => 'another program holds it',
  ETXTBSY: () => 'it is a program that is running',
  ENXIO: () => 'there is no device behind it',
  ENODEV: () => 'there is no device behind it',
  EIO: (folder) => `the disk of ${folder} fails`,
  ESTALE: (folder) => `the disk of ${folder} is on a server that does not know it any more`,
  ETIMEDOUT: (folder) => `the disk of ${folder} does not answer`,
  EMFILE: () => 'too many files are open: `ulimit -n` says how many may be',
};
