/** Where results are written. Nothing that somebody may need is lost by it: docs/reference/command-line.md, "Output files". */
import { createHash } from 'node:crypto';
import { constants, type Stats, writeSync } from 'node:fs';
import { access, type FileHandle, lstat, open, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Cancellation, neverCancelled, shouldFinish } from '../../model/cancellation.ts';
import { isMadeUp } from '../files.ts';
import { nothingIsMade, reasonOfSystem } from '../systemReasons.ts';
import { writeAtomically } from '../atomicFile.ts';
import { type Terminal, UsageError } from './terminal.ts';

export interface OutputRequest {
  /** As the user named it; `-` is standard output. */
  readonly target: string;
  /** Text, or the bytes of a PDF. */
  readonly text: string | Uint8Array;
  /** Replaces what would be lost. */
  readonly force: boolean;
  /** `file:` URIs of all that the text was made of. */
  readonly sources: readonly string[];
  /** A table for spreadsheets, which has no line of ours beside its head: one with the same head is replaced. */
  readonly isTable?: boolean;
  /** Every line is read as data by another program: none of ours is added, so that a file that is there is replaced by force alone. */
  readonly isBare?: boolean;
  /** A pipe that nobody reads is waited for until then. */
  readonly cancellation?: Cancellation;
}

/**
 * Writes a whole text to a file, or to standard output for `-`. What is no regular file (a device, a pipe) is opened
 * and written. A file is replaced at once, so that no program ever sees half of it, and links to it stay; it
 * is created where a link points to nothing. One that was read for the text, and one that Placewright did not
 * write or that was edited since, is left alone unless `force` says otherwise. What cannot be written is wrong usage.
 */
export async function writeOutput(request: OutputRequest, terminal: Terminal): Promise<void> {
  const { target, text } = request;
  if (target === '-') {
    terminal.data(String(text));
    return;
  }
  let path = resolve(target);
  try {
    path = await followLinks(path);
    const descriptor = openDescriptor(path);
    if (descriptor === 1) terminal.data(String(text));
    else if (descriptor !== undefined) writeWhole(descriptor, text);
    else await writeTo(path, request);
  } catch (error) {
    // Who reads `>(head -1)` has what was asked for.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    throw writeFailure(target, path, error);
  }
}

/** What a command writes besides what it prints: the option of each file with where it goes, and whether it prints JSON. */
interface Outputs {
  readonly json?: true | undefined;
  readonly files: Readonly<Record<string, string | undefined>>;
}

/**
 * The terminal of a command that writes files besides what it prints. A file that is standard output stands there alone: text for
 * people goes to standard error then. Two there, of which JSON may be one, nobody could tell apart: wrong usage.
 */
export function besideOutput(terminal: Terminal, { json, files }: Outputs): Terminal {
  const names = Object.keys(files).filter((name) => isStandardOutput(files[name]));
  const [first, second] = json === true ? ['--json', ...names] : names;
  if (second !== undefined) {
    throw new UsageError(`${first ?? ''} and ${second} both use standard output. Name a file for ${second}.`);
  }
  return names.length === 0 ? terminal : { ...terminal, out: terminal.err };
}

const isStandardOutput = (target: string | undefined): boolean =>
  target === '-' || (target !== undefined && openDescriptor(resolve(target)) === 1);

/** Fails as wrong usage where files cannot come to be, before anything long is begun for them; `-` and what is left out always can. */
export async function requirePlaces(...targets: readonly (string | undefined)[]): Promise<void> {
  for (const target of targets) {
    if (target === undefined || target === '-') continue;
    let path = resolve(target);
    try {
      path = await followLinks(path);
      await requirePlace(target, path);
    } catch (error) {
      throw writeFailure(target, path, error);
    }
  }
}

async function requirePlace(target: string, path: string): Promise<void> {
  if (openDescriptor(path) !== undefined) return;
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw isFolder(target);
  if (found !== undefined) return;
  // What is written takes its place from beside it.
  const folder = dirname(path);
  if (!(await stat(folder)).isDirectory()) throw new UsageError(`Cannot write ${target}: ${folder} is not a folder.`);
  if (await isMadeUp(folder)) throw new UsageError(`Cannot write ${target}: ${nothingIsMade(folder)}.`);
  await access(folder, constants.W_OK);
}

export interface ReplaceRequest {
  readonly target: string;
  /** What was read of it; all else means that somebody edited it meanwhile. */
  readonly before: string;
  readonly text: string;
}

/**
 * Replaces the text of a program at once, a byte order mark stays. Left alone is what is no regular file, what is not
 * there any more, and a file that does not hold what was read: wrong usage.
 */
export async function replaceProgram({ target, before, text }: ReplaceRequest): Promise<void> {
  let path = resolve(target);
  try {
    path = await followLinks(path);
    const found = openDescriptor(path) === undefined ? await stat(path).catch(() => undefined) : undefined;
    if (found?.isFile() !== true) throw new UsageError(`Cannot write ${target}: not a regular file.`);
    const present = await readFile(path);
    const mark = present.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? '\ufeff' : '';
    if (!present.equals(Buffer.from(mark + before))) {
      throw new UsageError(`${target} has changed since it was read and was not overwritten. Run the command again.`);
    }
    await access(path, constants.W_OK);
    await writeAtomically(path, mark + text);
  } catch (error) {
    throw writeFailure(target, path, error);
  }
}

const byteOrderMark = Buffer.from('\ufeff');

/** `path`: the file that the target leads to. */
function writeFailure(target: string, path: string, error: unknown): UsageError {
  if (error instanceof UsageError) return error;
  return new UsageError(`Cannot write ${target}: ${reasonOfSystem(error, path)}.`);
}

const isFolder = (target: string): UsageError => new UsageError(`Cannot write ${target}: it is a folder.`);

/** Most links that Linux follows (path_resolution(7)). */
const mostLinks = 40;

/** The file that a path leads to, which may not be there yet. */
async function followLinks(path: string): Promise<string> {
  let current = path;
  for (let links = 0; links < mostLinks; links++) {
    if (openDescriptor(current) !== undefined) return current;
    const found = await lstat(current).catch(() => undefined);
    if (found?.isSymbolicLink() !== true) return current;
    // `..` in a link counts from where its folder really is.
    current = resolve(await realpath(dirname(current)), await readlink(current));
  }
  throw new UsageError(`Cannot write ${path}: the symbolic link is circular.`);
}

/** `/dev/stdout`, `/dev/fd/63`: what this program already has open, at its place in it. */
function openDescriptor(path: string): number | undefined {
  const standard = ['/dev/stdin', '/dev/stdout', '/dev/stderr'].indexOf(path);
  if (standard >= 0) return standard;
  const [, number] = new RegExp(`^(?:/dev|/proc/self|/proc/${process.pid})/fd/(\\d+)$`).exec(path) ?? [];
  return number === undefined ? undefined : Number(number);
}

function writeWhole(descriptor: number, text: string | Uint8Array): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
}

async function writeTo(path: string, request: OutputRequest): Promise<void> {
  const { target, text, force, isTable = false, isBare = false } = request;
  const found = await stat(path).catch(() => undefined);
  const content = typeof text !== 'string' ? Buffer.from(text) : isTable || isBare ? text : withDigest(path, text);
  if (found === undefined) return writeAtomically(path, content);
  if (found.isDirectory()) throw isFolder(target);
  if (found.isBlockDevice() && !force) {
    throw new UsageError(`${target} is a block device. Use --force to overwrite its content.`);
  }
  if (!found.isFile()) return writeInPlace(path, found, request);
  if (!force) await refuseLoss(path, found, request);
  await access(path, constants.W_OK);
  return writeAtomically(path, content);
}

async function writeInPlace(path: string, found: Stats, { text, cancellation }: OutputRequest): Promise<void> {
  // Whoever reads a pipe must not see it closed before all is there: what waited stays open meanwhile.
  const waiting = found.isFIFO() ? await untilRead(path, cancellation) : undefined;
  const file = await open(path, constants.O_WRONLY);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
    await waiting?.close();
  }
}

/** Milliseconds. */
const pollEvery = 50;

/** A pipe can be opened when somebody reads it. Asks now and then: a call that waits could not be interrupted. */
async function untilRead(pipe: string, cancellation: Cancellation = neverCancelled): Promise<FileHandle> {
  for (;;) {
    try {
      return await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
      if (shouldFinish(cancellation)) throw new UsageError(`${pipe} has no reader.`);
      await wait(pollEvery);
    }
  }
}

async function refuseLoss(
  path: string,
  found: Stats,
  { target, text, sources, isTable = false }: OutputRequest,
): Promise<void> {
  for (const source of sources) {
    const read = await stat(fileURLToPath(source)).catch(() => undefined);
    if (read?.dev === found.dev && read.ino === found.ino) {
      throw new UsageError(`${target} is an input file. Name another file for -o.`);
    }
  }
  if (found.size === 0) return;
  const present = found.size > mostRead ? Buffer.alloc(0) : await readFile(path);
  if (present.equals(Buffer.from(text))) return;
  if (typeof text !== 'string' ? isOurPdf(present) : isReplaceable(present.toString('utf8'), text, isTable)) return;
  throw new UsageError(
    `${target} exists, and was edited or not written by Placewright. Name another file for -o, or use --force.`,
  );
}

/** Whether a file is a PDF that Placewright has written. */
const isOurPdf = (bytes: Buffer): boolean =>
  bytes.subarray(0, 5).equals(Buffer.from('%PDF-')) && bytes.includes('/Producer (Placewright)');

const isReplaceable = (present: string, text: string, isTable: boolean): boolean =>
  isTable ? firstTextLine(present) === firstTextLine(text) : isUntouched(present);

const firstTextLine = (text: string): string => text.slice(0, text.indexOf('\n') + 1);

/** Bytes; no output of ours is larger. */
const mostRead = 2 ** 29;

const sealLine = /^.*\bplacewright-?digest\W+([0-9a-f]{16})\b.*\n/im;

/**
 * The text with a line that holds a digest of all others, so that a file that was edited is told from one that can
 * be made again. Programs of users are not sealed: they are written once, and edited ever after.
 */
function withDigest(path: string, text: string): string {
  if (basename(path).endsWith('.place')) return text;
  const digest = digestOf(text);
  if (text.startsWith('{\n')) return text.replace('{\n', `{\n  "placewrightDigest": "${digest}",\n`);
  if (text.startsWith('<')) return `${text}<!-- placewright-digest ${digest} -->\n`;
  const [comments = ''] = /^(#.*\n)*/.exec(text) ?? [];
  return `${comments}# placewright-digest ${digest}: this file was not edited while that of its other lines is the same\n${text.slice(comments.length)}`;
}

function isUntouched(text: string): boolean {
  const [line, digest] = sealLine.exec(text) ?? [];
  return line !== undefined && digestOf(text.replace(line, '')) === digest;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
