import { readMappers, readTime } from '../../language/writtenMappers.ts';
import {
  asWritten,
  comparableMappers,
  compareMappers,
  type ComparedMapper,
  type Comparison,
} from '../../study/compare.ts';
import { comparisonToJson } from '../../study/compareJson.ts';
import type { FileNeed } from '../../language/program.ts';
import type { PlacementDescription } from '../../study/program.ts';
import type { SortKey } from '../../study/report.ts';
import { comparisonCsv, comparisonTable } from './comparisonTable.ts';
import { diagnosticsOf, exitCodeFor, printDiagnostics, withoutHotLinks } from './diagnostics.ts';
import { contextOf, filesOf, loadProgram, requireDeclared, type LoadedProgram } from './program.ts';
import { progressLine } from './progressLine.ts';
import { type ExitCode, exitCodes, type Surroundings, type Terminal, UsageError } from './terminal.ts';

export interface CompareRequest {
  readonly file: string;
  readonly placement: string;
  /** As written: `rcb, grasp(iterations 10)`; all that need no argument where it is left out. */
  readonly mappers?: string;
  /** As written: `10 s`. */
  readonly limit: string;
  readonly sort: SortKey;
  readonly json?: true;
  readonly csv?: true;
}

/** Places the jobs of one placement with several mappers and prints what each of them comes to, the best first. */
export async function compare(options: CompareRequest, surroundings: Surroundings): Promise<ExitCode> {
  const { file, placement: name, sort } = options;
  const { terminal } = surroundings;
  const loaded = await loadProgram(file, terminal);
  if ('failure' in loaded) return loaded.exitCode;
  requireDeclared(loaded, 'placement', name);
  const others = options.mappers === undefined ? comparableMappers() : mappersOf(options.mappers, loaded.uri);
  const limit = limitOf(options.limit);
  const description = loaded.checked.program.placements.find((placement) => placement.name === name);
  const comparison =
    description === undefined
      ? undefined
      : await compareWith(
          loaded,
          { placement: name, mappers: [asWritten(description), ...others], limit, sort },
          surroundings,
        );
  const problems = comparison?.problems ?? [];
  const found = diagnosticsOf(loaded, { placements: [], machines: [], jobs: [], problems });
  printDiagnostics(withoutHotLinks(found), terminal);
  if (description === undefined || comparison === undefined || problems.length > 0) {
    terminal.err(`placewright: placement '${name}' could not be evaluated, so nothing is compared.\n`);
    return exitCodes.fileHasErrors;
  }
  print(comparison, description, options, terminal);
  return exitCodeFor(found);
}

function mappersOf(text: string, uri: string): readonly ComparedMapper[] {
  const written = readMappers(text, uri);
  if (!written.ok) throw new UsageError(`--mappers: ${written.failure.join('\nplacewright: --mappers: ')}`);
  return written.value;
}

function limitOf(text: string): number {
  const seconds = readTime(text, '`--limit`');
  if (!seconds.ok) throw new UsageError(seconds.failure.join('\nplacewright: '));
  if (seconds.value <= 0) throw new UsageError('`--limit` is a time above 0.');
  return 1000 * seconds.value;
}

async function compareWith(
  loaded: LoadedProgram,
  request: Parameters<typeof compareMappers>[2],
  { terminal, cancellation, isWatched }: Surroundings,
): Promise<Comparison> {
  const files = await filesOf(loaded, request.mappers.flatMap(fileOf));
  const line = progressLine(terminal, isWatched);
  const comparison = compareMappers(loaded.checked.program, files, request, contextOf(cancellation, line.report));
  line.clear();
  return comparison;
}

/** `given "FILE"`. */
const fileOf = ({ choice }: ComparedMapper): FileNeed[] =>
  choice?.argument?.kind === 'file' ? [{ uri: choice.argument.uri, kind: 'given' }] : [];

function print(
  comparison: Comparison,
  { machine, seed }: PlacementDescription,
  { json, csv }: CompareRequest,
  terminal: Terminal,
): void {
  if (json) terminal.data(`${JSON.stringify(comparisonToJson(comparison, { machine, seed }))}\n`);
  else if (csv) terminal.data(comparisonCsv(comparison));
  else terminal.out(comparisonTable(comparison));
  if (comparison.left === 0) return;
  const done = comparison.placed.length + comparison.refused.length + comparison.stopped.length;
  terminal.err(`placewright: interrupted; ${done} of ${done + comparison.left} mappers were tried.\n`);
}
