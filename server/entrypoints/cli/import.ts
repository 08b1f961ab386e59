/** `placewright import`: a `.place` file that refers to the file of a network. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { countsOf, previewRows } from '../../interchange/machineText.ts';
import type { Failure } from '../../model/result.ts';
import { previewLines, warningLine } from '../../protocol/importPreview.ts';
import { importedText, readFabricFile } from '../importMachine.ts';
import { writeOutput } from './output.ts';
import { type ExitCode, exitCodes, printFailure, type Terminal } from './terminal.ts';

export interface ImportOptions {
  readonly output: string;
  readonly force?: true;
  readonly as?: string;
  /** Print what was understood, and write nothing. */
  readonly preview?: true;
}

/**
 * Writes a `.place` file that refers to the file of a fabric, relative to where it is written. Counts
 * and warnings go to stderr. A file that is not there is wrong usage, one that describes no network has errors.
 */
export async function importMachine(file: string, options: ImportOptions, terminal: Terminal): Promise<ExitCode> {
  const uri = pathToFileURL(file).href;
  const fabric = await readFabricFile(uri, {}, options.as);
  if (!fabric.ok) return refuse(fabric.failure, terminal);
  if (options.preview) {
    const { format, warnings } = fabric.value;
    const lines = previewLines(file, { format, rows: previewRows(fabric.value), warnings });
    terminal.out(`${lines.join('\n')}\n`);
    return exitCodes.good;
  }
  // Standard output stands in the current folder, as far as paths go.
  const target = options.output === '-' ? resolve('machine.place') : options.output;
  const text = importedText(fabric.value, uri, pathToFileURL(target).href, options.as);
  if (!text.ok) return refuse(text.failure, terminal);
  terminal.err(`placewright: ${file} (${fabric.value.format}): ${countsOf(fabric.value)}.\n`);
  for (const warning of fabric.value.warnings) terminal.err(`${warningLine(file, warning)}\n`);
  const { output, force = false } = options;
  await writeOutput({ target: output, text: text.value, force, sources: [uri] }, terminal);
  return exitCodes.good;
}

function refuse(failure: Failure, terminal: Terminal): ExitCode {
  printFailure(failure, terminal);
  const { code } = failure;
  const isContent = code === 'bad-fabric' || code === 'file-too-large' || code === 'bad-name';
  return isContent ? exitCodes.fileHasErrors : exitCodes.wrongUsage;
}
