/**
 * `placewright export` and `placewright draw`: one placement of a file, in the format of another tool or as a picture.
 * Both evaluate that placement alone, or take its mappings from an earlier result (`--from`).
 */
import { pathToFileURL } from 'node:url';
import { pictureOf } from '../../drawing/drawScene.ts';
import { renderSvg } from '../../drawing/renderSvg.ts';
import { exportFormats } from '../../interchange/catalogue.ts';
import { readHosts } from '../../interchange/exports/hosts.ts';
import { findEntry } from '../../model/catalogue.ts';
import type { PlacementReport } from '../../model/report.ts';
import { onlyPlacement } from '../../study/report.ts';
import { readTextFile } from '../files.ts';
import { diagnosticsOf, exitCodeFor, printDiagnostics, withoutHotLinks } from './diagnostics.ts';
import { keptResult } from './keptResult.ts';
import { writeOutput } from './output.ts';
import { displayName, loadProgram, requireDeclared, sourcesOf, studyProgram } from './program.ts';
import { type ExitCode, exitCodes, listNames, type Surroundings, type Terminal, UsageError } from './terminal.ts';

/** Which placement of which file, as the user named them, and where it is written. */
interface WriteRequest {
  readonly file: string;
  readonly placement: string;
  readonly hotLinkFactor: number;
  /** A result of `run --json` whose mappings are taken. */
  readonly from?: string;
  readonly output: string;
  readonly force?: true;
}

export interface ExportRequest extends WriteRequest {
  readonly format: string;
  readonly hosts?: string;
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

/** Endings of pictures that this is not. */
const otherPictures = /\.(png|jpe?g|gif|webp|pdf|eps|ps)$/i;

/** Writes the picture of one placement as SVG: the one that the panel shows. */
export async function draw(request: WriteRequest, surroundings: Surroundings): Promise<ExitCode> {
  const { output, force = false } = request;
  const [, ending] = otherPictures.exec(output) ?? [];
  if (ending !== undefined) {
    throw new UsageError(
      `\`draw\` writes SVG, and ${output} would not be one: name it .svg. ` +
        `A browser, Inkscape or rsvg-convert make ${ending.toUpperCase()} of it, and the panel of the editor saves PNG.`,
    );
  }
  const { placed, exitCode } = await reportOfPlacement(request, surroundings);
  if (placed === undefined) return exitCode;
  const { terminal, cancellation } = surroundings;
  const picture = pictureOf(placed.report);
  if (!picture.ok) {
    terminal.err(`placewright: error: ${picture.failure.message} [${picture.failure.code}]\n`);
    return exitCodes.fileHasErrors;
  }
  const text = renderSvg(picture.value);
  await writeOutput({ target: output, text, force, sources: placed.sources, cancellation }, terminal);
  return exitCode;
}

interface PlacedOne {
  readonly report: PlacementReport;
  /** URIs of all that it was made of. */
  readonly sources: readonly string[];
}

/** Evaluates one placement of a file and prints its diagnostics; `placed` is absent where it has no report. */
async function reportOfPlacement(
  { file, placement: name, hotLinkFactor, from }: WriteRequest,
  surroundings: Surroundings,
): Promise<{ readonly placed?: PlacedOne; readonly exitCode: ExitCode }> {
  const { terminal } = surroundings;
  const loaded = await loadProgram(file, terminal);
  if ('failure' in loaded) return { exitCode: loaded.exitCode };
  requireDeclared(loaded, 'placement', name);
  const kept = from === undefined ? undefined : await keptResult(from, loaded, name);
  const program = onlyPlacement(loaded.checked.program, name);
  const study = await studyProgram(
    loaded,
    { hotLinkFactor, program, ...(kept === undefined ? {} : { context: { placedBefore: kept.placedBefore } }) },
    surroundings,
  );
  const found = diagnosticsOf(loaded, study);
  printDiagnostics(withoutHotLinks(found), terminal);
  const report = study.placements.find((placement) => placement.name === name);
  if (report === undefined) {
    terminal.err(`placewright: placement '${name}' could not be evaluated, so nothing is written.\n`);
    return { exitCode: exitCodes.fileHasErrors };
  }
  if (kept === undefined) warnOfTime([report], terminal);
  const sources = [...sourcesOf(loaded), ...(kept === undefined ? [] : [kept.uri])];
  return { placed: { report, sources }, exitCode: exitCodeFor(found) };
}

/** What another run may give otherwise is said, so that what is drawn is not taken for what is launched. */
export function warnOfTime(reports: readonly PlacementReport[], terminal: Terminal): void {
  for (const { name, jobs } of reports) {
    for (const { job, search } of jobs) {
      if (search?.end !== 'time' && search?.end !== 'stopped') continue;
      const why = search.end === 'time' ? 'the clock ended' : 'an interrupt ended';
      terminal.err(
        `placewright: ${name}: ${why} the search for ${job.name}; another run may give another mapping ` +
          '(keep this one with `run --json` and take it with `--from`, or give a budget in steps).\n',
      );
    }
  }
}
