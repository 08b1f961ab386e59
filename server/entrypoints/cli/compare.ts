/** `placewright compare`: one placement with several mappers; `--write` puts one of them into the text. */
import { givenNeed, type FileNeed } from '../../language/fileNeeds.ts';
import type { Declared } from '../../language/symbols.ts';
import {
  mappersAsWritten,
  mapperEdit,
  onOneLine,
  readMappers,
  readTime,
  seedEdit,
} from '../../language/writtenMappers.ts';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import { seedIsOfMappersAlone, type ComparedMapper } from '../../study/comparedRun.ts';
import {
  asWritten,
  comparableMappers,
  compareMappers,
  type Comparison,
  type CompareRequest as ComparisonRequest,
} from '../../study/compare.ts';
import { comparisonCsv } from '../../output/comparisonCsv.ts';
import { comparisonToJson } from '../../output/json.ts';
import { sortMetrics } from '../../model/metrics.ts';
import type { PlacementDescription } from '../../study/program.ts';
import { clockAndThreads } from '../node.ts';
import { comparisonTable } from './comparisonTable.ts';
import { diagnosticsOf, exitCodeFor, printDiagnostics, withoutHotLinks } from './diagnostics.ts';
import { replaceProgram } from './output.ts';
import { displayName, readProgramFiles, loadProgram, requireDeclared, type LoadedProgram } from './program.ts';
import {
  progressLine,
  type ExitCode,
  exitCodes,
  listNames,
  type Environment,
  type Terminal,
  UsageError,
} from './terminal.ts';

export interface CompareRequest {
  readonly file: string;
  readonly placement: string;
  /** As written: `rcb, grasp(iterations 10)`; all that need no argument where it is left out. */
  readonly mappers?: string;
  /** As written: `10 s`. */
  readonly limit: string;
  /** As written: `1..20`, `1, 4, 9`. */
  readonly seeds?: string;
  readonly sort: string;
  /** A mapper of the table, or `best`. */
  readonly write?: string;
  readonly json?: true;
  readonly csv?: true;
}

/** Places the jobs of one placement with several mappers and prints what each of them comes to, the best first. */
export async function compare(options: CompareRequest, environment: Environment): Promise<ExitCode> {
  const { file, placement: name, sort } = options;
  const { terminal } = environment;
  const loaded = await loadProgram(file, terminal);
  if ('failure' in loaded) return loaded.exitCode;
  requireDeclared(loaded, 'placement', name);
  const declared = loaded.checked.symbols.lookup('placement', name)!;
  const asked = readRequest(options, loaded, declared);
  const description = loaded.checked.program.placements.find((placement) => placement.name === name);
  const comparison = description && (await comparePlacement(loaded, asked(description), environment));
  const problems = comparison?.problems ?? [];
  const found = diagnosticsOf(loaded, { placements: [], machines: [], jobs: [], problems });
  printDiagnostics(withoutHotLinks(found), terminal);
  if (description === undefined || comparison === undefined || problems.length > 0) {
    terminal.err(`placewright: placement '${name}' could not be evaluated. Nothing is compared.\n`);
    return exitCodes.fileHasErrors;
  }
  print(comparison, description, options, terminal);
  explainOrder(comparison, description, sort, terminal);
  const isWhole = explainInterrupt(comparison, terminal);
  if (options.write === undefined) return exitCodeFor(found);
  const isWritten = await writeMapper(loaded, declared, comparison, options.write, {
    isWhole,
    terminal,
    seed: description.seed,
  });
  return isWritten ? exitCodeFor(found) : exitCodes.fileHasErrors;
}

/** Reads what was asked for, all of it before anything long is begun: a mistake is wrong usage. */
function readRequest(
  options: CompareRequest,
  loaded: LoadedProgram,
  declared: Declared,
): (description: PlacementDescription) => ComparisonRequest {
  const { placement, sort } = options;
  const others = options.mappers === undefined ? comparableMappers() : mappersOf(options.mappers, loaded.uri);
  const limit = parseLimit(options.limit);
  const seeds = options.seeds === undefined ? {} : { seeds: parseSeeds(options.seeds) };
  if (options.write !== undefined) requireWritable(loaded, declared, options, others);
  return ({ map }) => {
    const own = asWritten(mappersAsWritten(sourceText(loaded, declared), declared.node, map.name));
    return { placement, mappers: [own, ...others], limit, sort, ...seeds };
  };
}

function mappersOf(text: string, uri: string): readonly ComparedMapper[] {
  const written = readMappers(text, uri);
  if (!written.ok) throw new UsageError(`--mappers: ${written.failure.join('\nplacewright: --mappers: ')}`);
  return written.value;
}

function parseLimit(text: string): number {
  const seconds = readTime(text, '`--limit`');
  if (!seconds.ok) throw new UsageError(seconds.failure.join('\nplacewright: '));
  if (seconds.value <= 0) throw new UsageError('`--limit` must be a time above 0.');
  return 1000 * seconds.value;
}

/** More would be a list that nobody meant. */
const mostSeeds = 1000;

function parseSeeds(text: string): readonly number[] {
  const seeds = new Set<number>();
  for (const piece of text.split(',')) {
    const [, first, last = first] = /^\s*(-?\d+)\s*(?:\.\.\s*(-?\d+)\s*)?$/.exec(piece) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) {
      throw new UsageError('`--seeds` must be whole numbers or ranges. Example: 1..20, or 1,4,9.');
    }
    if (to < from) throw new UsageError(`\`--seeds\`: range ${from}..${to} is reversed. Write ${to}..${from}.`);
    if (to - from >= mostSeeds) throw new UsageError(`\`--seeds\` has too many seeds. The maximum is ${mostSeeds}.`);
    for (let seed = from; seed <= to; seed++) {
      if (seeds.has(seed)) throw new UsageError(`\`--seeds\` has the seed ${seed} twice. Remove one.`);
      seeds.add(seed);
    }
  }
  if (seeds.size > mostSeeds) throw new UsageError(`\`--seeds\` has too many seeds. The maximum is ${mostSeeds}.`);
  return [...seeds];
}

const sourceText = ({ sources }: LoadedProgram, { uri }: Declared): string => sources.files.get(uri)?.text ?? '';

async function comparePlacement(
  loaded: LoadedProgram,
  request: ComparisonRequest,
  { terminal, cancellation, isWatched }: Environment,
): Promise<Comparison> {
  const files = await readProgramFiles(loaded, request.mappers.flatMap(fileOf));
  const line = progressLine(terminal, isWatched);
  const comparison = compareMappers(loaded.checked.program, files, request, {
    cancellation,
    progress: line.report,
    cache: loaded.cache,
    ...clockAndThreads(),
  });
  line.clear();
  return comparison;
}

/** `given "FILE"`. */
const fileOf = ({ choice }: ComparedMapper): FileNeed[] =>
  choice?.argument?.kind === 'file' ? [givenNeed(choice.argument)] : [];

function print(
  comparison: Comparison,
  { machine, seed }: PlacementDescription,
  { json, csv }: CompareRequest,
  terminal: Terminal,
): void {
  if (json) terminal.data(`${JSON.stringify(comparisonToJson(comparison, { machine, seed }))}\n`);
  else if (csv) terminal.data(comparisonCsv(comparison));
  else terminal.out(comparisonTable(comparison));
}

/** Says what a figure needs, where it was asked for and there is none. */
function explainOrder(
  { sortedBy }: Comparison,
  { machine }: PlacementDescription,
  asked: string,
  terminal: Terminal,
): void {
  if (sortedBy === asked) return;
  const metric = sortMetrics.find(({ sort }) => sort.word === asked);
  if (metric !== undefined && 'group' in metric) {
    terminal.err(
      `placewright: cannot sort by ${asked}: the queueing model needs ${metric.needs ?? ''}. Rows are sorted by ${sortedBy}.\n`,
    );
    return;
  }
  terminal.err(
    `placewright: machine '${machine}' has no bandwidth, so no congestion time. Add \`bandwidth 10 GB/s\`. Rows are sorted by maximum link load.\n`,
  );
}

/** Whether everything that was asked for was done; else says what was. */
function explainInterrupt({ seeds = [], placed, refused, stopped, left }: Comparison, terminal: Terminal): boolean {
  const behind = placed.filter(({ runs, drewRandom }) => drewRandom && runs.length < seeds.length).length;
  if (left === 0 && behind === 0) return true;
  const done = placed.length + refused.length + stopped.length;
  const all = seeds.length > 1 ? `, ${done - behind} of them with all ${seeds.length} seeds` : '';
  terminal.err(`placewright: interrupted; ${done} of ${done + left} mappers were tried${all}.\n`);
  return false;
}

const best = 'best';

/** Fails as wrong usage where nothing could be written, before a long comparison is begun. */
function requireWritable(
  loaded: LoadedProgram,
  declared: Declared,
  { file, write: wanted = best }: CompareRequest,
  others: readonly ComparedMapper[],
): void {
  const refuse = (why: string): never => {
    throw new UsageError(`--write: ${why}`);
  };
  if (file === '-') refuse('Standard input cannot be changed. Name a file.');
  if (declared.uri !== loaded.uri) {
    refuse(`Placement '${declared.name}' is in ${displayName(declared.uri)}. Run the command with that file.`);
  }
  if (wanted !== best && !others.some(({ text }) => onOneLine(text) === onOneLine(wanted))) {
    refuse(`Unknown mapper '${wanted}'. Expected one of ${best}, ${listNames(others.map(({ text }) => text))}.`);
  }
  const edit = mapperEdit(sourceText(loaded, declared), declared.node, wanted);
  if (!edit.ok) refuse(edit.failure);
}

/**
 * Writes the mapper of a line of the table into the placement's text, with the seed that came to the least where another one than
 * that of the placement did. False where that was not done.
 */
async function writeMapper(
  loaded: LoadedProgram,
  declared: Declared,
  { placed }: Comparison,
  wanted: string,
  { isWhole, terminal, seed }: { readonly isWhole: boolean; readonly terminal: Terminal; readonly seed: number },
): Promise<boolean> {
  const target = displayName(loaded.uri);
  const say = (what: string): void => {
    terminal.err(`placewright: ${what}\n`);
  };
  if (!isWhole) {
    say(`${target} is unchanged.`);
    return false;
  }
  const row = wanted === best ? placed[0] : placed.find(({ mapper }) => onOneLine(mapper) === onOneLine(wanted));
  if (row === undefined) {
    say(
      `${wanted === best ? 'no mapper' : `\`${wanted}\` has not`} placed '${declared.name}'. ${target} is unchanged.`,
    );
    return false;
  }
  const won = row.drewRandom && row.shown.seed !== seed ? row.shown.seed : undefined;
  if (row.asWritten && won === undefined) {
    say(`no mapper is better than the current one of '${declared.name}'. ${target} is unchanged.`);
    return true;
  }
  if (won !== undefined && !(await seedIsItsOwn(loaded, declared.name, won))) {
    say(
      `seed ${won} has the best result but also changes nodes or traffic of '${declared.name}'. ${target} is unchanged. Write the seed, or compare with the current one.`,
    );
    return false;
  }
  const before = sourceText(loaded, declared);
  const edits = [
    ...(won === undefined ? [] : [seedEdit(before, declared.node, won)]),
    ...(row.asWritten ? [] : [mapperEdit(before, declared.node, row.mapper)]),
  ].map((edit) => {
    if (!edit.ok) throw new UsageError(`--write: ${edit.failure}`);
    return edit.value;
  });
  // From behind, so that what stands before stays where it is; at one place the mapper comes before the seed.
  const text = edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((written, edit) => written.slice(0, edit.start) + edit.text + written.slice(edit.end), before);
  await replaceProgram({ target, before, text });
  const parts = [...(row.asWritten ? [] : [`map ${row.mapper}`]), ...(won === undefined ? [] : [`seed ${won}`])];
  say(`${target}: '${declared.name}' now has ${parts.map((part) => `\`${part}\``).join(' and ')}.`);
  return true;
}

/** Whether the mappers of a placement alone draw from its seed. */
async function seedIsItsOwn(loaded: LoadedProgram, placement: string, seed: number): Promise<boolean> {
  const context = {
    cancellation: neverCancelled,
    progress: ignoreProgress,
    cache: loaded.cache,
    ...clockAndThreads(),
  };
  return seedIsOfMappersAlone(loaded.checked.program, await readProgramFiles(loaded, []), { placement, seed }, context);
}
