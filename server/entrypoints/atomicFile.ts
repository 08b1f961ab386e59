/**
 * Files that are written as a whole: what is there stays until all of the new content is on the disk. The content goes to a temporary file
 * beside the target first. A process that was killed leaves that behind, and the next one that writes in the folder removes it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync, unlinkSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, opendir, rename, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Replaces or creates a file at once; its owner and its permissions stay. A link is replaced itself. Throws what the system says, a full
 * disk included; then the file is as it was.
 */
export async function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const folder = dirname(path);
  await removeLeftovers(folder);
  const before = await stat(path).catch(() => undefined);
  const temporary = join(folder, `${prefix()}${process.pid}-${randomBytes(8).toString('hex')}.tmp`);
  // Exclusive: nobody's file is written, and no link is followed.
  const file = await open(temporary, 'wx', before === undefined ? 0o666 : 0o600);
  removeAtExit(temporary);
  try {
    try {
      await file.writeFile(content);
      if (before !== undefined) await keepOwner(file, before);
      await file.sync();
    } finally {
      // Network file systems say only now that the disk is full.
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    unfinished.delete(temporary);
  }
}

/** Of an old file, as far as the user may give it away. */
async function keepOwner(file: FileHandle, { mode, uid, gid }: Stats): Promise<void> {
  await file.chown(uid, gid).catch(() => undefined);
  await file.chmod(mode & 0o7777);
}

/** Of this process. */
const unfinished = new Set<string>();
let isListening = false;

/** A process that ends by itself leaves nothing. */
function removeAtExit(temporary: string): void {
  unfinished.add(temporary);
  if (isListening) return;
  isListening = true;
  process.once('exit', () => {
    for (const one of unfinished) {
      try {
        unlinkSync(one);
      } catch {
        // It is where it belongs by now.
      }
    }
  });
}

/** Entries of a folder that are looked at. */
const mostEntries = 100_000;

/** Removes temporary files of ours whose process is dead. What cannot be removed stays. O(entries of the folder). */
async function removeLeftovers(folder: string): Promise<void> {
  const own = prefix();
  const leftovers: string[] = [];
  try {
    let looked = 0;
    for await (const { name } of await opendir(folder, { bufferSize: 1024 })) {
      const [, id] = /^(\d{1,10})-[0-9a-f]{16}\.tmp$/.exec(name.startsWith(own) ? name.slice(own.length) : '') ?? [];
      if (id !== undefined && isDead(Number(id))) leftovers.push(join(folder, name));
      if (++looked >= mostEntries) break;
    }
    for (const path of leftovers) if ((await lstat(path)).isFile()) await unlink(path);
  } catch {
    // Another process has removed it, or the folder cannot be read: writing says what is wrong.
  }
}

function isDead(id: number): boolean {
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** With what tells the processes of this machine, or of this container, from those of others that write in the same folder. */
const prefix = (): string => `.placewright-${placeOfProcesses()}-`;

let known: string | undefined;

function placeOfProcesses(): string {
  known ??= createHash('sha256').update(`${hostname()} ${processNamespace()}`).digest('hex').slice(0, 12);
  return known;
}

/** Linux numbers processes anew in each container. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
