import { readHosts } from '../../interchange/exports/hosts.ts';
import { exportFormats } from '../../interchange/catalogue.ts';
import { findEntry } from '../../model/catalogue.ts';
import { readTextFile } from '../files.ts';
import { writeOutput } from './output.ts';
import { reportOfPlacement } from './placement.ts';
import { pathToFileURL } from 'node:url';
import { type ExitCode, exitCodes, listNames, type Terminal, UsageError } from './terminal.ts';

export interface ExportOptions {
  readonly format: string;
  readonly output: string;
  readonly hosts?: string;
  readonly hotLinkFactor: number;
}

/** Writes one placement in another tool's format; what that tool cannot honour goes to stderr. */
export async function exportPlacement(
  file: string,
  placement: string,
  options: ExportOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const format = findEntry(exportFormats, options.format);
  if (format === undefined) {
    const known = listNames(exportFormats.map(({ name }) => name));
    throw new UsageError(`There is no export format '${options.format}'; there are: ${known}.`);
  }
  const hosts = options.hosts === undefined ? {} : { hosts: await hostsOf(options.hosts) };
  const { report, exitCode } = await reportOfPlacement(file, placement, options.hotLinkFactor, terminal);
  if (report === undefined) return exitCode;
  const written = format.write(report, hosts);
  if (!written.ok) {
    terminal.err(`placewright: error: ${written.failure.message} [${written.failure.code}]\n`);
    return exitCodes.fileHasErrors;
  }
  for (const warning of written.value.warnings) terminal.err(`placewright: warning: ${warning}\n`);
  await writeOutput(options.output, written.value.text, terminal);
  return exitCode;
}

async function hostsOf(path: string): Promise<readonly string[]> {
  const text = await readTextFile(pathToFileURL(path).href, {});
  if (!text.ok) throw new UsageError(text.failure.message);
  const hosts = readHosts(new TextEncoder().encode(text.value), path);
  if (!hosts.ok) throw new UsageError(hosts.failure.message);
  return hosts.value;
}
