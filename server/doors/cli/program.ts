/** From the name of a `.place` file to a checked program and its reports: the same steps as in the editor. */
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checkSources, type CheckedProgram } from '../../language/check.ts';
import { gatherSources, type Sources } from '../../language/sources.ts';
import type { FileNeed } from '../../language/program.ts';
import { neverCancelled, type ReportProgress } from '../../model/cancellation.ts';
import type { Program, StudyFiles } from '../../study/program.ts';
import { defaultStudySettings, type StudyReport } from '../../study/report.ts';
import { createStudyCache, runStudy, type StudyContext } from '../../study/study.ts';
import { readTextFile, type ReadPolicy } from '../files.ts';
import { readStudyFiles } from '../studyFiles.ts';
import { allThreads } from '../threads/allThreads.ts';
import { progressLine } from './progressLine.ts';
import { type ExitCode, exitCodes, type Terminal, UsageError } from './terminal.ts';

export interface LoadedProgram {
  readonly uri: string;
  readonly sources: Sources;
  readonly checked: CheckedProgram;
}

/** Why a file could not even be looked at; already told to the user. */
export type NotLoaded = { readonly exitCode: ExitCode };

/** A user at the command line may read whatever the shell lets them. */
const policy: ReadPolicy = {};

/** Reads and checks a file and its imports. A file that is not there is wrong usage, one that is no text has errors. */
export async function loadProgram(path: string, terminal: Terminal): Promise<LoadedProgram | NotLoaded> {
  const uri = pathToFileURL(path).href;
  const text = await readTextFile(uri, policy);
  if (!text.ok) {
    const { code, message } = text.failure;
    terminal.err(`${path}:1:1: error: ${message} [${code}]\n`);
    const isContent = code === 'not-text' || code === 'file-too-large';
    return { exitCode: isContent ? exitCodes.fileHasErrors : exitCodes.wrongUsage };
  }
  const sources = await gatherSources(uri, (imported) => readTextFile(imported, policy));
  return { uri, sources, checked: checkSources(sources) };
}

/** The files that a program names, read, and some more. */
export const filesOf = (loaded: LoadedProgram, more: readonly FileNeed[] = []): Promise<StudyFiles> =>
  readStudyFiles([...loaded.checked.fileUris, ...more], policy);

/** What a study is given at the command line: a clock, threads, a memory of its own. */
export const contextOf = (progress: ReportProgress): StudyContext => ({
  cancellation: neverCancelled,
  progress,
  now: () => performance.now(),
  cache: createStudyCache(),
  ...allThreads,
});

/** Runs the study of a program, or of some of its placements, with the files it names. */
export async function studyProgram(
  loaded: LoadedProgram,
  terminal: Terminal,
  hotLinkFactor = defaultStudySettings.hotLinkFactor,
  program: Program = loaded.checked.program,
): Promise<StudyReport> {
  const files = await filesOf(loaded);
  const line = progressLine(terminal);
  const report = runStudy(program, files, { hotLinkFactor }, contextOf(line.report));
  line.clear();
  return report;
}

/** Fails as wrong usage where no file of the program declares the name. */
export function requireDeclared(loaded: LoadedProgram, kind: 'placement' | 'machine', name: string): void {
  const declared = [...loaded.sources.files.values()]
    .flatMap(({ tree }) => tree.declarations)
    .flatMap((declaration) => (declaration.kind === kind && declaration.name ? [declaration.name.text] : []));
  if (declared.includes(name)) return;
  const known = declared.length === 0 ? `the file declares no ${kind}` : `there are: ${declared.join(', ')}`;
  throw new UsageError(`There is no ${kind} '${name}'; ${known}.`);
}

/** A file as users name it: relative to where they are, unless that is longer. */
export function displayName(uri: string): string {
  const path = fileURLToPath(uri);
  const near = relative(process.cwd(), path);
  return near !== '' && near.length < path.length ? near : path;
}
