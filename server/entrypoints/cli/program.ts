/** From the name of a `.place` file to a checked program and its reports: the same steps as in the editor. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readAndCheck, type CheckedSources } from '../../language/check.ts';
import type { FileNeed } from '../../language/fileNeeds.ts';
import { type Cancellation, shouldFinish } from '../../model/cancellation.ts';
import type { Failure } from '../../model/result.ts';
import type { Program, StudyFiles } from '../../study/program.ts';
import type { PlacementReport } from '../../model/report.ts';
import { outlineOf, outlinePlacement } from '../../study/outline.ts';
import type { PlacementOutline, StudyReport, StudySummary } from '../../study/report.ts';
import { createStudyCache, type StudyCache, type StudyContext, type StudyWatcher } from '../../study/study.ts';
import { declaredNames } from '../../language/sources.ts';
import { evaluateStudy, FileMemory, readStudyFiles } from '../evaluation.ts';
import { heldFileLimit, placeFileLimit, platform, readTextFile, type ReadPolicy } from '../platform.ts';
import { progressLine, type ExitCode, exitCodes, type Environment, type Terminal, UsageError } from './terminal.ts';

export interface LoadedProgram extends CheckedSources {
  readonly uri: string;
  /** A user at the command line may read whatever the shell lets them; standard input is a text of its own. */
  readonly policy: ReadPolicy;
  /** Of {@link policy}: files whose content was hashed before they are read. */
  readonly heldBytes: Map<string, Uint8Array>;
  /** What the command has read of files, each of which it opens once. */
  readonly memory: FileMemory;
  /** What the command has built. */
  readonly cache: StudyCache;
}

/** Why a file could not even be looked at. */
export interface NotLoaded {
  readonly path: string;
  readonly failure: Failure;
  readonly exitCode: ExitCode;
}

/** Stands for standard input, in messages too; what it imports is relative to the current folder. */
const standardInput = 'standard-input';

/** A file as sentences name it. */
export const fileName = (path: string): string => (path === '-' ? 'standard input' : path);

/** A folder's URI ends with its name. */
export const uriOfPath = (path: string): string => pathToFileURL(path).href.replace(/(?<=[^/])\/+$/, '');

/** Reads and checks a file, or standard input for `-`, and its imports. */
export async function readProgram(
  path: string,
  terminal: Pick<Terminal, 'read'>,
  memory = new FileMemory({ isFinal: true }),
): Promise<LoadedProgram | NotLoaded> {
  const uri = pathToFileURL(path === '-' ? resolve(standardInput) : path).href;
  const heldBytes = new Map<string, Uint8Array>();
  const input = path === '-' ? { openTexts: new Map([[uri, textOfStandardInput(terminal)]]) } : {};
  const policy: ReadPolicy = { ...input, heldBytes };
  const text = await readTextFile(uri, policy);
  if (!text.ok) {
    // A file that is not there is wrong usage, one that is no text has errors.
    const isContent = text.failure.code === 'not-text' || text.failure.code === 'file-too-large';
    return { path, failure: text.failure, exitCode: isContent ? exitCodes.fileHasErrors : exitCodes.wrongUsage };
  }
  const checked = await readAndCheck(uri, (asked) =>
    asked === uri ? Promise.resolve(text) : readTextFile(asked, policy),
  );
  return { uri, policy, heldBytes, memory, cache: createStudyCache(), ...checked };
}

/** Reads a program as {@link readProgram} does, and says why where it cannot be read. */
export async function loadProgram(
  path: string,
  terminal: Terminal,
  memory?: FileMemory,
): Promise<LoadedProgram | NotLoaded> {
  const loaded = await readProgram(path, terminal, memory);
  if ('failure' in loaded) {
    terminal.err(`${path}:1:1: error: ${loaded.failure.message} [${loaded.failure.code}]\n`);
  }
  return loaded;
}

/** Fails as wrong usage where more comes than a file may have. It can be read once. */
export function textOfStandardInput({ read }: Pick<Terminal, 'read'>): string {
  const bytes = Buffer.alloc(placeFileLimit + 1);
  let length = 0;
  for (let count = -1; count !== 0 && length < bytes.length; length += count) count = read(bytes.subarray(length));
  if (length > placeFileLimit) throw new UsageError('Standard input exceeds 4 MiB.');
  return bytes.toString('utf8', 0, length);
}

/** The files that a program names, read, and some more. */
export const readProgramFiles = (loaded: LoadedProgram, more: readonly FileNeed[] = []): Promise<StudyFiles> =>
  readStudyFiles([...loaded.checked.fileUris, ...more], loaded.policy, loaded.memory);

/** URIs of everything that a program is made of. */
export const sourcesOf = ({ sources, checked }: LoadedProgram): readonly string[] => [
  ...sources.files.keys(),
  ...checked.fileUris.map(({ uri }) => uri),
];

/**
 * The same for two runs only where all that the program is made of is the same; O(bytes). Small files are held, so that the study
 * which follows reads what was hashed.
 */
export async function contentDigest({ sources, checked, policy, heldBytes }: LoadedProgram): Promise<string> {
  const hash = createHash('sha256');
  for (const uri of [...sources.files.keys()].sort()) hash.update(sources.files.get(uri)!.text).update('\0');
  for (const uri of [...new Set(checked.fileUris.map((file) => file.uri))].sort()) {
    const small = await platform().files.readBytes(uri, policy, { limit: heldFileLimit });
    const bytes = small.ok ? small.value.bytes : await readFile(fileURLToPath(uri)).catch(() => undefined);
    if (small.ok && bytes !== undefined) heldBytes.set(uri, bytes);
    hash.update(bytes ?? 'unreadable').update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

export interface StudyRequest {
  readonly hotLinkFactor: number;
  /** The whole program where it is left out. */
  readonly program?: Program;
  /** What is not as usual. */
  readonly context?: Partial<StudyContext>;
}

/**
 * The same without keeping the reports: `take` gets each as soon as it is there, and has of it what it wants. What is wrong with the
 * program, and an outline of each placement, is answered.
 */
export async function studyInTurn(
  loaded: LoadedProgram,
  request: StudyRequest & { readonly take: (report: PlacementReport) => void },
  environment: Environment,
): Promise<StudySummary> {
  const outlines = new Map<string, PlacementOutline>();
  const ended: StudyWatcher['ended'] = (name, { report }) => {
    if (report === undefined) return;
    outlines.set(name, outlinePlacement(report));
    request.take(report);
  };
  const context = { ...request.context, keepsNoReports: true } as const;
  const study = await studyProgram(loaded, { ...request, context }, environment, ended);
  const { program = loaded.checked.program } = request;
  return { ...outlineOf(study), placements: program.placements.flatMap(({ name }) => outlines.get(name) ?? []) };
}

/** Runs the study of a program, or of some of its placements, with the files it names; `ended` is told of each placement. */
export async function studyProgram(
  loaded: LoadedProgram,
  { hotLinkFactor, program = loaded.checked.program, context = {} }: StudyRequest,
  { terminal, cancellation, isWatched }: Environment,
  ended?: StudyWatcher['ended'],
): Promise<StudyReport> {
  const line = progressLine(terminal, isWatched);
  // Whoever asks for the best found by now does not ask for the placements that were not begun.
  let isOver = false;
  const untilFinished: Cancellation = {
    isCancelled: () => isOver || cancellation.isCancelled(),
    isFinishWanted: () => shouldFinish(cancellation),
  };
  const watcher: StudyWatcher = {
    begun: () => undefined,
    progressed: () => undefined,
    described: () => undefined,
    ended: (name, outcome) => {
      ended?.(name, outcome);
      isOver = program === loaded.checked.program && shouldFinish(cancellation);
    },
  };
  const usual = { cancellation: untilFinished, progress: line.report, cache: loaded.cache, watcher };
  const { fileUris, experiments } = loaded.checked;
  const { policy, memory } = loaded;
  const environment = { policy, memory, context: { ...usual, ...context } };
  const report = await evaluateStudy({ program, fileUris, experiments }, { hotLinkFactor }, environment);
  line.clear();
  return report;
}

/** Fails as wrong usage where no file of the program declares the name. */
export function requireDeclared(
  loaded: LoadedProgram,
  kind: 'placement' | 'machine' | 'experiment',
  name: string,
): void {
  const declared = declaredNames(loaded.sources, kind);
  if (declared.includes(name)) return;
  const known = declared.length === 0 ? `the file declares no ${kind}` : `expected one of ${declared.join(', ')}`;
  throw new UsageError(`No ${kind} '${name}': ${known}.`);
}

/** A file as users name it: relative to where they are, unless that is longer. */
export function displayName(uri: string): string {
  const path = fileURLToPath(uri);
  const near = relative(process.cwd(), path);
  return near !== '' && near.length < path.length ? near : path;
}
