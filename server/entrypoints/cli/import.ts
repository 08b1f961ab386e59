/** `placewright import`: a `.place` file that refers to the file of a network, or of a table of traffic. */
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fabricFormats, tableFormats } from '../../interchange/catalogue.ts';
import { fabricCountsText, importedPart, machineText, previewRows } from '../../interchange/machineText.ts';
import { countsOfTable, rowsOfTable, tableText } from '../../interchange/tableText.ts';
import { fileNameOf } from '../../language/uris.ts';
import type { Failure, Result } from '../../model/result.ts';
import { previewLines, warningLine, type ImportPreview } from '../../protocol/importPreview.ts';
import { importedText, readFabricFile, readTableFile } from '../importFile.ts';
import { uriOfFiles } from '../tableFiles.ts';
import { writeOutput } from './output.ts';
import { uriOfPath } from './program.ts';
import { type ExitCode, exitCodes, printFailure, type Terminal } from './terminal.ts';

export interface ImportOptions {
  readonly output: string;
  readonly force?: true;
  readonly as?: string;
  /** Print what was understood, and write nothing. */
  readonly preview?: true;
  /** Traffic, also where the file would do for a network. */
  readonly table?: true;
}

/** What was read of a file, whatever it describes. */
interface Imported extends ImportPreview {
  /** `40 switches, 582 hosts`. */
  readonly counts: string;
  /** What the user should know besides. */
  readonly remark?: string;
  /** For a `.place` file at the target. */
  readonly textAt: (target: string) => Result<string>;
}

/**
 * Writes a `.place` file that refers to the file of a fabric or of a table, relative to where it is written; several files are one table, a
 * file of each rank. Counts and warnings go to stderr. A file that is not there is wrong usage, one that describes neither has errors.
 */
export async function importFiles(
  [first, ...others]: readonly [string, ...string[]],
  options: ImportOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if ([first, ...others].includes('-')) return printFailures([fromStandardInput], terminal);
  const uris = await uriOfFiles([uriOfPath(first), ...others.map(uriOfPath)], {});
  if (!uris.ok) return printFailures([uris.failure], terminal);
  const uri = uris.value;
  const file = others.length === 0 ? first : join(dirname(first), fileNameOf(uri));
  const found = await readEither(uri, others.length === 0 ? options : { ...options, table: true });
  if (!found.ok) return printFailures(found.failure, terminal);
  const { counts, remark, warnings, format, textAt } = found.value;
  if (options.preview) {
    terminal.out(`${previewLines(file, found.value).join('\n')}\n`);
    return exitCodes.good;
  }
  // Standard output stands in the current folder, as far as paths go.
  const target = options.output === '-' ? resolve('imported.place') : options.output;
  const text = textAt(pathToFileURL(target).href);
  if (!text.ok) return printFailures([text.failure], terminal);
  terminal.err(`placewright: ${file} (${format}): ${counts}.\n`);
  if (remark !== undefined) terminal.err(`placewright: ${remark}\n`);
  for (const warning of warnings) terminal.err(`${warningLine(file, warning)}\n`);
  const { output, force = false } = options;
  await writeOutput({ target: output, text: text.value, force, sources: [uri] }, terminal);
  return exitCodes.good;
}

/** The `.place` file names the file that it rests on, and reads it anew each time. */
const fromStandardInput: Failure = {
  code: 'file-not-found',
  message:
    'Standard input cannot be imported. Write it to a file: `… > profile.txt`, then `placewright import profile.txt`.',
};

const isNamed = (formats: readonly { readonly name: string }[], name: string | undefined): boolean =>
  name === undefined || formats.some((format) => format.name === name);

/** A network where the file describes one, else a table of traffic. What is wrong with it may be told of both. */
async function readEither(uri: string, { as, table }: ImportOptions): Promise<Result<Imported, readonly Failure[]>> {
  const fabric = table === true || !isNamed(fabricFormats, as) ? undefined : await readMachine(uri, as);
  if (fabric?.ok === true) return fabric;
  if (fabric !== undefined && !isNamed(tableFormats, as)) return { ok: false, failure: [fabric.failure] };
  const { imported, formats } = await readTraffic(uri, as);
  if (imported.ok) return imported;
  if (fabric === undefined) return { ok: false, failure: [imported.failure] };
  return { ok: false, failure: tellingFailures(fabric.failure, imported.failure, formats) };
}

/** Of two readers that both refuse a file: what says most of it. */
function tellingFailures(ofFabric: Failure, ofTable: Failure, formats: readonly string[]): readonly Failure[] {
  // Not there, or not to be read.
  if (!isContent(ofTable)) return [ofFabric];
  // A folder of profiles, or what is larger than networks are.
  if (ofFabric.code !== 'bad-fabric') return [ofTable];
  const isOfTables = formats.some((name) => !isNamed(fabricFormats, name));
  if (isOfTables && !formats.includes('edge-list')) return [ofTable];
  return formats.every((name) => name === 'csv') ? [ofFabric] : [ofFabric, ofTable];
}

async function readMachine(uri: string, as: string | undefined): Promise<Result<Imported>> {
  const read = await readFabricFile(uri, {}, as);
  if (!read.ok) return read;
  const part = importedPart(read.value);
  const { format, warnings } = part;
  const value = {
    format,
    warnings,
    rows: previewRows(read.value),
    counts: fabricCountsText(part),
    // Matrices and lists say not what their numbers count.
    ...(isNamed(tableFormats, format) && {
      remark: 'The file was read as a network. Use `--table` to read it as a table.',
    }),
    textAt: (target: string) => importedText(machineText, read.value, { uri, target, format: as }),
  };
  return { ok: true, value };
}

async function readTraffic(
  uri: string,
  as: string | undefined,
): Promise<{ readonly imported: Result<Imported>; readonly formats: readonly string[] }> {
  const { table, formats } = await readTableFile(uri, {}, as);
  if (!table.ok) return { imported: table, formats };
  const value = {
    format: table.value.format,
    warnings: table.value.warnings.map((message) => ({ message })),
    rows: rowsOfTable(table.value),
    counts: countsOfTable(table.value),
    textAt: (target: string) => importedText(tableText, table.value, { uri, target, format: as }),
  };
  return { imported: { ok: true, value }, formats };
}

const contentCodes: readonly string[] = ['bad-fabric', 'bad-table', 'file-too-large', 'bad-name'];

const isContent = ({ code }: Failure): boolean => contentCodes.includes(code);

function printFailures(failures: readonly Failure[], terminal: Terminal): ExitCode {
  for (const failure of failures) printFailure(failure, terminal);
  return failures.some(isContent) ? exitCodes.fileHasErrors : exitCodes.wrongUsage;
}
