/** `placewright export`: one placement of a file in the format of another tool. */
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exportFormats } from '../../interchange/catalogue.ts';
import type { ExportedText, ExportFormatEntry, ExportOptions } from '../../interchange/contract.ts';
import { namesOfPattern } from '../../interchange/exports/hosts.ts';
import { readHosts } from '../../interchange/readers.ts';
import { findEntry } from '../../model/catalogue.ts';
import { commandWith } from '../../model/commandLine.ts';
import { reportOfJob, type PlacementReport } from '../../model/report.ts';
import { succeed } from '../../model/result.ts';
import { readTextFile } from '../platform.ts';
import { reportOfPlacement, type WriteRequest } from './askedStudy.ts';
import { requirePlaces, writeOutput } from './output.ts';
import { displayName, fileName, textOfStandardInput } from './program.ts';
import {
  type ExitCode,
  exitCodes,
  listNames,
  printFailure,
  type Environment,
  type Terminal,
  UsageError,
} from './terminal.ts';

export interface ExportRequest extends WriteRequest {
  /** The only one that is exported; all where it is left out. */
  readonly job?: string;
  readonly format: string;
  /** A file of host names. */
  readonly hosts?: string;
  /** A pattern or hostlist of them. */
  readonly names?: string;
  /** Shows what would be written, and writes nothing. */
  readonly dryRun?: boolean;
}

/** Writes one placement in another tool's format; what that tool cannot honour, and how the file is used, goes to stderr. */
export async function exportPlacement(request: ExportRequest, environment: Environment): Promise<ExitCode> {
  const { terminal, cancellation } = environment;
  const format = findEntry(exportFormats, request.format);
  if (format === undefined) {
    const known = listNames(exportFormats.map(({ name }) => name));
    throw new UsageError(`Unknown export format '${request.format}'. Expected one of ${known}.`);
  }
  const { output, force = false, dryRun = false } = request;
  if (!dryRun) await requirePlaces(output);
  const said = await saidHosts(request, terminal);
  const { placed, exitCode } = await reportOfPlacement(request, environment);
  if (placed === undefined) return exitCode;
  const chosen = request.job === undefined ? succeed(placed.report) : reportOfJob(placed.report, request.job);
  if (!chosen.ok) throw new UsageError(chosen.failure.message);
  const report = chosen.value;
  const [file = ''] = placed.sources;
  const named = request.names === undefined ? said : namesFor(request.names, report);
  const written = format.write(report, { ...named, wayToName, file: displayName(file) });
  if (!written.ok) {
    printFailure(written.failure, terminal);
    return exitCodes.fileHasErrors;
  }
  tellOfExport(format, written.value, request, terminal);
  const hosts = request.hosts === undefined || request.hosts === '-' ? [] : [pathToFileURL(request.hosts).href];
  const sources = [...placed.sources, ...hosts];
  const kind = { isTable: format.lines === 'table', isBare: format.lines === 'bare' };
  const target = dryRun ? '-' : output;
  await writeOutput({ target, text: written.value.text, force, sources, cancellation, ...kind }, terminal);
  tellOfUse(format, written.value, request, terminal);
  return exitCode;
}

const wayToName = ' with --hosts FILE or --names PATTERN';

/** Before an export is written: what the other tool cannot honour, on standard error. */
function tellOfExport(
  { fileName }: ExportFormatEntry,
  { warnings }: ExportedText,
  { output, dryRun = false }: ExportRequest,
  terminal: Terminal,
): void {
  const isFile = output !== '-';
  const doubts = [...warnings];
  if (isFile && fileName !== undefined && basename(output) !== fileName)
    doubts.push(`The tool finds this file by its name. Write ${fileName}.`);
  for (const warning of doubts) terminal.err(`placewright: warning: ${warning}\n`);
  if (dryRun) terminal.err(`placewright: nothing is written. Output for ${isFile ? output : 'standard output'}:\n`);
}

/** Once it is there: how it is used. A text with comments says that itself. */
function tellOfUse(
  { lines }: ExportFormatEntry,
  { commands = [] }: ExportedText,
  { output, dryRun = false }: ExportRequest,
  terminal: Terminal,
): void {
  const isFile = output !== '-';
  if (!isFile && !dryRun && lines !== 'bare') return;
  for (const command of commands) {
    terminal.err(`placewright: ${command.of}: ${commandWith(command, isFile ? output : undefined)}\n`);
  }
}

/** The hosts of `--hosts`. */
async function saidHosts({ file, hosts: path, names }: ExportRequest, terminal: Terminal): Promise<ExportOptions> {
  if (path === undefined) return {};
  if (names !== undefined) {
    throw new UsageError('--hosts conflicts with --names. Remove one.');
  }
  if (path === '-' && file === '-')
    throw new UsageError('--hosts cannot read standard input, which has the .place file. Name a file.');
  const text = path === '-' ? succeed(textOfStandardInput(terminal)) : await readTextFile(pathToFileURL(path).href, {});
  if (!text.ok) throw new UsageError(text.failure.message);
  const hosts = readHosts(new TextEncoder().encode(text.value), fileName(path));
  if (!hosts.ok) throw new UsageError(hosts.failure.message);
  return hosts.value;
}

function namesFor(pattern: string, { machine }: PlacementReport): ExportOptions {
  const hosts = namesOfPattern(pattern, machine);
  if (!hosts.ok) throw new UsageError(`--names: ${hosts.failure.message}`);
  return { hosts: hosts.value };
}
