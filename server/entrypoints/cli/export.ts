/** `placewright export`: a placement in the format of another tool. */
import { pathToFileURL } from 'node:url';
import { readHosts } from '../../interchange/exports/hosts.ts';
import { exportFormats } from '../../interchange/catalogue.ts';
import { findEntry } from '../../model/catalogue.ts';
import { readTextFile } from '../files.ts';
import { writeOutput } from './output.ts';
import { type PlacementRequest, reportOfPlacement } from './placement.ts';
import { displayName } from './program.ts';
import { type ExitCode, exitCodes, listNames, type Surroundings, UsageError } from './terminal.ts';

export interface ExportRequest extends PlacementRequest {
  readonly format: string;
  readonly output: string;
  readonly hosts?: string;
  readonly force?: true;
}

/** Writes one placement in another tool's format; what that tool cannot honour goes to stderr. */
export async function exportPlacement(request: ExportRequest, surroundings: Surroundings): Promise<ExitCode> {
  const { terminal, cancellation } = surroundings;
  const format = findEntry(exportFormats, request.format);
  if (format === undefined) {
    const known = listNames(exportFormats.map(({ name }) => name));
    throw new UsageError(`There is no export format '${request.format}'; there are: ${known}.`);
  }
  const hosts = request.hosts === undefined ? {} : { hosts: await hostsOf(request.hosts) };
  const { placed, exitCode } = await reportOfPlacement(request, surroundings);
  if (placed === undefined) return exitCode;
  const [file = ''] = placed.sources;
  const written = format.write(placed.report, { ...hosts, file: displayName(file) });
  if (!written.ok) {
    terminal.err(`placewright: error: ${written.failure.message} [${written.failure.code}]\n`);
    return exitCodes.fileHasErrors;
  }
  for (const warning of written.value.warnings) terminal.err(`placewright: warning: ${warning}\n`);
  const sources = [...placed.sources, ...(request.hosts === undefined ? [] : [pathToFileURL(request.hosts).href])];
  const { output: target, force = false } = request;
  await writeOutput({ target, text: written.value.text, force, sources, cancellation }, terminal);
  return exitCode;
}

async function hostsOf(path: string): Promise<readonly string[]> {
  const text = await readTextFile(pathToFileURL(path).href, {});
  if (!text.ok) throw new UsageError(text.failure.message);
  const hosts = readHosts(new TextEncoder().encode(text.value), path);
  if (!hosts.ok) throw new UsageError(hosts.failure.message);
  return hosts.value;
}
