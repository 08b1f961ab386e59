/**
 * What `run`, `export`, `draw` and others begin with: a file is read, its placements or one of them are evaluated, and what is
 * wrong is printed. With `--from` the mappings are those of an earlier `run --json` instead of new searches.
 */
import { pathToFileURL } from 'node:url';
import type { PlacementReport } from '../../model/report.ts';
import type { SearchRecord } from '../../model/searchRecord.ts';
import { searchEndTexts } from '../../model/words.ts';
import { outlineOf } from '../../study/outline.ts';
import type { PlacementOutline } from '../../study/report.ts';
import { onlyPlacements } from '../../study/program.ts';
import type { PlacedBefore } from '../../study/run.ts';
import { givenFileLimit, readText } from '../platform.ts';
import {
  diagnosticsOf,
  exitCodeFor,
  printDiagnostics,
  withoutHotLinks,
  withoutInformation,
  type FileDiagnostic,
} from './diagnostics.ts';
import {
  contentDigest,
  loadProgram,
  requireDeclared,
  sourcesOf,
  studyInTurn,
  studyProgram,
  type LoadedProgram,
  type NotLoaded,
  type StudyRequest,
} from './program.ts';
import { type ExitCode, exitCodes, type Environment, type Terminal, UsageError } from './terminal.ts';

/** What the user asked to be evaluated. */
export interface StudyOptions {
  readonly file: string;
  /** The only placement that is evaluated; all of them where it is left out. */
  readonly placement?: string;
  /** A second placement that is evaluated with it. */
  readonly difference?: string;
  readonly hotLinkFactor: number;
  /** A result of `run --json` whose mappings are taken. */
  readonly from?: string;
  /** The file, where it has been read already: standard input can be read once. */
  readonly loaded?: LoadedProgram;
  /** The digest of its content is part of the answer. */
  readonly isDigestWanted?: boolean;
}

export interface AskedStudy {
  readonly loaded: LoadedProgram;
  /** How many placements were to be evaluated. */
  readonly wanted: number;
  /** None where somebody else took them. */
  readonly reports: readonly PlacementReport[];
  /** Of the placements that have a report. */
  readonly outlines: readonly PlacementOutline[];
  /** All that is wrong with the file; printed, but for the hot links. */
  readonly found: readonly FileDiagnostic[];
  /** As {@link contentDigest}, where it was needed. */
  readonly digest: string | undefined;
  /** URI of the result whose mappings were taken. */
  readonly from: string | undefined;
}

/**
 * Evaluates what was asked for and prints its diagnostics. A file that cannot be read has been told of. With `take` the reports are not
 * kept: it gets each as soon as it is there.
 */
export async function studyAsAsked(
  { file, placement, difference, hotLinkFactor, from, loaded: known, isDigestWanted = false }: StudyOptions,
  environment: Environment,
  take?: (report: PlacementReport) => void,
): Promise<AskedStudy | NotLoaded> {
  const loaded = known ?? (await loadProgram(file, environment.terminal));
  if ('failure' in loaded) return loaded;
  const names = [placement, difference].flatMap((name) => name ?? []);
  for (const name of names) requireDeclared(loaded, 'placement', name);
  const digest = isDigestWanted || from !== undefined ? await contentDigest(loaded) : undefined;
  const kept = from === undefined ? undefined : await keptResult(from, digest, names);
  const whole = loaded.checked.program;
  const program = placement === undefined ? whole : onlyPlacements(whole, names);
  const context = kept === undefined ? {} : { placedBefore: kept.placedBefore };
  const isAsked = ({ name }: { readonly name: string }): boolean => placement === undefined || names.includes(name);
  const request = { hotLinkFactor, program, context };
  const taking =
    take &&
    ((report: PlacementReport): void => {
      if (isAsked(report)) take(report);
    });
  const { reports, summary } =
    taking === undefined
      ? await keptStudy(loaded, request, environment)
      : { reports: [], summary: await studyInTurn(loaded, { ...request, take: taking }, environment) };
  const found = diagnosticsOf(loaded, summary);
  const said = withoutHotLinks(found);
  printDiagnostics(placement === undefined ? said : withoutInformation(said), environment.terminal);
  const outlines = summary.placements.filter(isAsked);
  const wanted = program.placements.length;
  return { loaded, wanted, reports: reports.filter(isAsked), outlines, found, digest, from: kept?.uri };
}

async function keptStudy(loaded: LoadedProgram, request: StudyRequest, environment: Environment) {
  const study = await studyProgram(loaded, request, environment);
  return { reports: study.placements, summary: outlineOf(study) };
}

/** One placement, and where it is written. */
export interface WriteRequest extends StudyOptions {
  readonly placement: string;
  readonly output: string;
  /** Replaces what would be lost. */
  readonly force?: true;
}

export interface PlacedOne {
  readonly report: PlacementReport;
  /** The one that it is compared with, where one is. */
  readonly before?: PlacementReport;
  /** URIs of all that it was made of. */
  readonly sources: readonly string[];
}

/** Evaluates one placement of a file; `placed` is absent where it has no report. */
export async function reportOfPlacement(
  request: WriteRequest,
  environment: Environment,
): Promise<{ readonly placed?: PlacedOne; readonly exitCode: ExitCode }> {
  const { terminal } = environment;
  const asked = await studyAsAsked(request, environment);
  if ('failure' in asked) return { exitCode: asked.exitCode };
  const { loaded, reports, outlines, found, from } = asked;
  const { placement, difference } = request;
  const report = reports.find(({ name }) => name === placement);
  const before = reports.find(({ name }) => name === difference);
  if (report === undefined || (difference !== undefined && before === undefined)) {
    const missing = report === undefined ? placement : difference!;
    terminal.err(`placewright: placement '${missing}' could not be evaluated. Nothing is written.\n`);
    return { exitCode: exitCodes.fileHasErrors };
  }
  if (from === undefined) warnOfTime(outlines, terminal);
  const sources = [...sourcesOf(loaded), ...(from === undefined ? [] : [from])];
  return { placed: { report, ...(before !== undefined && { before }), sources }, exitCode: exitCodeFor(found) };
}

/** What another run may give otherwise is said, so that what is drawn is not taken for what is launched. */
export function warnOfTime(outlines: readonly PlacementOutline[], terminal: Terminal): void {
  for (const { name, jobs } of outlines) {
    for (const { name: job, search } of jobs) {
      if (search?.end !== 'time' && search?.end !== 'stopped') continue;
      const why = search.end === 'time' ? 'time limit ended' : 'Ctrl-C ended';
      terminal.err(
        `placewright: ${name}: ${why} the search for ${job}. Another run can give another mapping. Use \`--from\`, or a budget in steps.\n`,
      );
    }
  }
}

/** A result of `run --json` that is used again. */
interface KeptResult {
  readonly uri: string;
  readonly placedBefore: (placement: string) => readonly PlacedBefore[] | undefined;
}

type PrintedJob = Partial<Record<'name' | 'nodes' | 'mapping' | 'search', unknown>>;

/** As it was printed, if it was. */
interface Printed {
  readonly program?: unknown;
  readonly placements?: readonly { readonly name?: unknown; readonly jobs?: readonly PrintedJob[] }[];
}

/**
 * Reads the mappings of a result that `run --json` printed of this very program: not one byte of what it is made of
 * may differ, or the figures would be of something else. All else is wrong usage. The study checks the numbers.
 */
async function keptResult(path: string, digest: string | undefined, wanted: readonly string[]): Promise<KeptResult> {
  const { href: uri } = pathToFileURL(path);
  const text = await readText(uri, {}, { limit: givenFileLimit });
  if (!text.ok) throw new UsageError(`--from: ${text.failure.message}`);
  const printed = parsePrinted(text.value);
  if (typeof printed?.program !== 'string') {
    throw new UsageError(`--from: ${path} is not a result of \`placewright run FILE --json\`.`);
  }
  if (printed.program !== digest) {
    throw new UsageError(
      `--from: ${path} is out of date: the file or a file it refers to has changed. Run \`placewright run FILE --json\` again.`,
    );
  }
  const placements = new Map((printed.placements ?? []).map(({ name, jobs }) => [name, jobs]));
  const missing = wanted.find((name) => !placements.has(name));
  if (missing !== undefined) throw new UsageError(`--from: ${path} has no placement '${missing}'.`);
  return { uri, placedBefore: (name) => placements.get(name)?.map(placedBefore) };
}

function parsePrinted(text: string): Printed | undefined {
  try {
    return JSON.parse(text) as Printed;
  } catch {
    return undefined;
  }
}

const numbers = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.map((one) => (typeof one === 'number' ? one : Number.NaN)) : [];

const placedBefore = ({ name, nodes, mapping, search }: PrintedJob): PlacedBefore => ({
  name: String(name),
  nodes: numbers(nodes),
  mapping: numbers(mapping),
  ...(isSearch(search) ? { search } : {}),
});

/** Whether it can be told as a search is: somebody may have edited it. */
function isSearch(value: unknown): value is SearchRecord {
  const { criterion, value: cost, evaluations, milliseconds, end, ...more } = (value ?? {}) as Partial<SearchRecord>;
  const { tried = [], untried = [], budget } = more;
  return (
    typeof criterion === 'string' &&
    [cost, evaluations, milliseconds].every((number) => typeof number === 'number') &&
    end !== undefined &&
    Object.hasOwn(searchEndTexts, end) &&
    Array.isArray(tried) &&
    Array.isArray(untried) &&
    (budget === undefined || isBudget(budget))
  );
}

const isBudget = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'amount' in value && typeof value.amount === 'number';
