import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readStudyFiles } from '../server/entrypoints/evaluation.ts';
import { checkSources, type CheckedProgram } from '../server/language/check.ts';
import { gatherSources } from '../server/language/sources.ts';
import { ignoreProgress, neverCancelled } from '../server/model/cancellation.ts';
import { fail, succeed } from '../server/model/result.ts';
import type { StudyFiles } from '../server/study/program.ts';
import { defaultStudySettings, type StudyReport } from '../server/study/report.ts';
import { createStudyCache, runStudy, type StudyCache } from '../server/study/study.ts';

/** Text to program, the files of its tables included. */
export interface LoadedProgram {
  readonly checked: CheckedProgram;
  readonly files: StudyFiles;
}

export async function loadFile(path: string): Promise<LoadedProgram> {
  return load(pathToFileURL(path).href, async (uri) => succeed(await readFile(fileURLToPath(uri), 'utf8')));
}

export async function loadText(text: string): Promise<LoadedProgram> {
  const only = 'file:///bench.place';
  return load(only, (uri) => Promise.resolve(uri === only ? succeed(text) : fail('missing', uri)));
}

async function load(root: string, readText: Parameters<typeof gatherSources>[1]): Promise<LoadedProgram> {
  const checked = checkSources(await gatherSources(root, readText));
  return { checked, files: await readStudyFiles(checked.fileUris, {}) };
}

export function study({ checked, files }: LoadedProgram, cache: StudyCache = createStudyCache()): StudyReport {
  const context = { cancellation: neverCancelled, progress: ignoreProgress, now: () => performance.now(), cache };
  return runStudy(checked.program, files, defaultStudySettings, context);
}
